"""The scenarios that perft suites name."""

from pathlib import Path

import hexengine
from hexengine.core.scenario import Scenario
from tests import toy

SUITES = sorted(Path(__file__).parent.glob("*.perft"))


def load(name: str) -> Scenario:
    """``toy``; ``cup-N``, which is N formations without units; or a scenario of the package."""
    if name == "toy":
        return toy.scenario()
    if name.startswith("cup-") and name[4:].isdigit():
        return toy.cup(int(name[4:]))
    return hexengine.load(name)
