"""Scenarios of the toy by name, as perft suites ask for them."""

from hexengine.core.scenario import Scenario
from tests import toy


def load(name: str) -> Scenario:
    """``toy``, or ``cup-N``: N formations without units."""
    return toy.cup(int(name.removeprefix("cup-"))) if name.startswith("cup-") else toy.scenario(name)
