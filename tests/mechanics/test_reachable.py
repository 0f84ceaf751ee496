"""Hexes to be held to which nobody can come."""

from types import SimpleNamespace

import pytest

from hexengine.hexes import Grid
from hexengine.mechanics.checking import Checker
from hexengine.mechanics.reachable import Access, check_held

GRID = Grid(4, 1)
"""Four hexes in a row; nobody comes from the second into the third, nor back."""


def leads(a, b):
    return {a, b} != {1, 2}


@pytest.fixture
def faults():
    """What reports, for hexes that a side wants to hold, those that nobody can come to."""

    def check(begin, *goals, held=()):
        told = []
        document = SimpleNamespace(victory=[SimpleNamespace(kind="hold", hex=None, hexes=[]) for _ in goals])
        for goal, hexes in zip(document.victory, goals, strict=True):
            goal.hexes = list(hexes)
        checker = Checker(document, {}, lambda path, text, *_, **where: told.append((path, text, where)))
        access = Access(GRID.neighbours, set(begin), leads)
        check_held(checker, access, GRID.index, held, lambda place: f"R{place}", lambda around: [])
        return told

    return check


def test_what_can_be_come_to_is_no_fault(faults):
    assert faults([0], ["0101", "0201"]) == []
    assert faults([0, 3], ["0101", "0201", "0301", "0401"]) == []


def test_what_is_cut_off_is_told_with_its_rule(faults):
    ((path, text, where),) = faults([0], ["0101", "0401"])
    assert path == ("victory", 0, "hexes", 1)
    assert text == "no unit in the game can ever come to 0401"
    assert where["rule"] == "R3"


def test_what_is_held_from_the_start_need_not_be_come_to(faults):
    assert faults([0], ["0401"], held={3}) == []
    assert len(faults([0], ["0301", "0401"], held={3})) == 1


def test_where_nobody_is_known_nothing_is_said(faults):
    assert faults([], ["0401"]) == []
