"""The scenarios that perft suites name."""

from pathlib import Path

import hexengine
from hexengine.core.scenario import Scenario
from tests import toy

SUITES = sorted(Path(__file__).parent.glob("*.perft"))


def load(name: str) -> Scenario:
    """``toy``; ``toy-cup-N``, the toy's N formations without units; or a scenario of the package."""
    if name == "toy":
        return toy.scenario()
    if name.startswith("toy-cup-"):
        return toy.cup(int(name.removeprefix("toy-cup-")))
    return hexengine.load(name)
