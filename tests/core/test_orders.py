"""Orders as texts, and the chance behind them."""

import time

import pytest

from hexengine.core.errors import InvalidOrder
from hexengine.core.orders import Order, split_chance
from tests.toy.board import DRAW, Draw, Fire, Move


@pytest.mark.parametrize(
    ("text", "order", "chance"),
    [
        ("draw", "draw", None),
        ("  draw  ", "draw", None),
        ("fire a b [2 4 5]", "fire a b", [2, 4, 5]),
        ("fire a b[2,4 , 5]  ", "fire a b", [2, 4, 5]),
        ("draw [62mrr 4 3]", "draw", ["62mrr", 4, 3]),
        ("done []", "done", []),
        ("", "", None),
        ("[1]", "", [1]),
        ("fire a b [0 7 -1]", "fire a b", [0, 7, "-1"]),
        ("draw [44]", "draw", ["44"]),
        ("draw [12]", "draw", ["12"]),
        ("draw [²]", "draw", ["²"]),
    ],
)
def test_split_chance(text, order, chance):
    assert split_chance(text) == (order, chance)


@pytest.mark.parametrize(
    "text", ["a [1", "a 1]", "a [1] b", "a [[1]]", "a [1] [2]", "a ]1[", "[", "]", "a [1]]", "a [1 [2]"]
)
def test_brackets_that_do_not_stand_once_behind_the_order(text):
    with pytest.raises(InvalidOrder, match="must stand once, behind the order"):
        split_chance(text)


def test_long_lines_are_read_at_once():
    """A million blanks or digits are no reason to hang, nor to raise anything of Python's own."""
    began = time.perf_counter()
    assert split_chance("a" + " " * 1_000_000 + "b") == ("a" + " " * 1_000_000 + "b", None)
    assert split_chance("a [" + "9" * 1_000_000 + "]") == ("a", ["9" * 1_000_000])
    with pytest.raises(InvalidOrder):
        split_chance("a" + " " * 1_000_000 + "]")
    assert time.perf_counter() - began < 2


def test_orders_of_two_loads_are_equal_by_their_texts():
    assert Move(0, 3, "move r1 0201") == Move(0, 3, "move r1 0201")
    assert hash(Move(0, 3, "move r1 0201")) == hash(Move(0, 3, "move r1 0201"))
    assert Move(0, 3, "move r1 0201") != Move(0, 4, "move r1 0202")
    assert len({Draw(), DRAW, Move(0, 3, "move r1 0201")}) == 2


def test_orders_of_two_verbs_are_never_equal():
    """Two types with the same facts inside are two orders: as plain tuples they would be one."""
    assert Move(5, 7, "x") != Fire(5, 7, "x")
    assert DRAW != "draw"


def test_an_order_without_facts_is_its_verb():
    assert str(DRAW) == "draw"
    assert repr(DRAW) == "<draw>"
    assert str(Order()) == ""
