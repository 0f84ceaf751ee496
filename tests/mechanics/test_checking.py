"""Names, sides and places of scenario files, and what is said of wrong ones."""

from types import SimpleNamespace

import pytest

from hexengine.hexes import Grid
from hexengine.mechanics.checking import Checker

GRID = Grid(3, 3)


@pytest.fixture
def told():
    """The faults that were reported."""
    return []


@pytest.fixture
def checker(told):
    document = SimpleNamespace(sides=["red", "blue"], side_names={"red": {"en": "Reds"}})
    return Checker(document, {}, lambda *fault, **where: told.append((*fault, where.get("rule"))))


def test_what_is_right_is_no_fault(checker, told):
    checker.check_sides()
    checker.unique("unit", ["a", "b"])
    assert checker.side(("s",), "blue") == 1
    assert checker.known(("u",), "unit", "b", ["a", "b"]) == 1
    assert checker.located(("h",), "0201", GRID.index) == GRID.index("0201")
    assert not told and not checker.failed()
    assert checker.side_names() == ("Reds", "blue")


def test_unknown_names_come_with_advice(checker, told):
    assert checker.known(("u", 1), "unit", "tnak", ["tank", "gun"], "K1") is None
    assert checker.side(("s",), "x") is None
    assert checker.known(("u",), "unit", "zzz", [str(n) for n in range(13)]) is None
    assert told == [
        (("u", 1), "there is no unit 'tnak'", "did you mean 'tank'?", "K1"),
        (("s",), "there is no side 'x'", "sides: red, blue", None),
        (("u",), "there is no unit 'zzz'", "units: 13 are known", None),
    ]
    assert checker.faults == 3


def test_a_name_that_could_not_be_read_may_be_the_one(checker, told):
    assert checker.known(("u",), "unit", "tank", ["", "gun"]) is None
    assert not told and checker.failed()


def test_sides_and_ids(checker, told):
    checker.document.sides[:] = ["red", "red"]
    checker.document.side_names["green"] = "Greens"
    checker.check_sides()
    checker.unique("unit", ["a", "b", "a"])
    assert [(path, text) for path, text, *_ in told] == [
        (("sides",), "the two sides have the same name"),
        (("side_names", "green"), "there is no side 'green'"),
        (("unit", 2, "id"), "the id 'a' is used twice"),
    ]


def test_ids_that_orders_could_mistake(checker, told):
    """For an option, a word of orders, a hex, or another id that differs in nothing but capitals."""
    checker.orderable("unit", ["Tank", "-x", "MOVE", "0101", "tank", "Tank"], {"move"}, {"0101"})
    assert [(path, text) for path, text, *_ in told] == [
        (("unit", 1, "id"), "the id '-x' looks like an option"),
        (("unit", 2, "id"), "the id 'MOVE' is a word of orders"),
        (("unit", 3, "id"), "the id '0101' is the name of a hex"),
        (("unit", 4, "id"), "the ids 'Tank' and 'tank' differ in nothing but capitals"),
    ]


def test_hexes_of_goals(checker, told):
    goal = SimpleNamespace(side="red", hex="0101", hexes=["0303", "0901", "0101"])
    assert checker.goal_hexes(("victory", 0), goal, GRID.index) == (GRID.index("0101"), GRID.index("0303"))
    assert [path for path, *_ in told] == [("victory", 0, "hexes", 1)]
