"""Hexes held, points, and how games end."""

from types import SimpleNamespace

import pytest

from hexengine.core.events import Event
from hexengine.mechanics.victory import (
    DRAW,
    ONGOING,
    Goal,
    ahead,
    finish,
    fulfilled,
    held,
    result,
    survivor,
    worth_of_holding,
)


def position(control=(), levels=()):
    board = SimpleNamespace(sides=("red", "blue"), levels=levels)
    return SimpleNamespace(board=board, control=bytearray(control), winner=ONGOING, reason=0)


@pytest.mark.parametrize(
    ("control", "at_least", "number", "reached", "points"),
    [
        ([1, 1, 2], 0, 2, False, 10),
        ([1, 1, 1], 0, 3, True, 15),
        ([1, 1, 2], 2, 2, True, 5),
        ([1, 0, 2], 2, 1, False, 0),
    ],
)
def test_hexes_that_are_held(control, at_least, number, reached, points):
    pos, goal = position(control), Goal("hold", 0, (0, 1, 2), 5, at_least)
    assert held(pos, goal) == number
    assert fulfilled(pos, goal) is reached
    assert worth_of_holding(pos, goal) == points


def test_only_holding_can_be_fulfilled():
    assert not fulfilled(position([1]), Goal("losses", 0, (0,), 1))


def test_who_is_ahead_and_who_is_left():
    assert [ahead(points) for points in ((3, 2), (2, 3), (2, 2))] == [0, 1, DRAW]
    assert [survivor(alive) for alive in ([True, False], [False, True], [False, False])] == [0, 1, DRAW]


def test_a_game_that_goes_on_has_no_result():
    assert result(position(), (3, 1)) is None


@pytest.mark.parametrize(
    ("winner", "points", "said"),
    [
        (1, (2, 9), {"winner": "blue", "margin": 7, "reason": "points", "level": "marginal"}),
        (1, (2, 12), {"winner": "blue", "margin": 10, "reason": "points", "level": "decisive"}),
        (1, (2, 4), {"winner": "blue", "margin": 2, "reason": "points"}),
        (1, (9, 2), {"winner": "blue", "margin": 7, "reason": "points"}),
        (DRAW, (2, 2), {"winner": None, "margin": 0, "reason": "points"}),
    ],
)
def test_results_and_their_levels(winner, points, said):
    pos, events = position(levels=[(5, "marginal"), (10, "decisive")]), []
    finish(pos, "K4", "points", winner, points, events.append)
    facts = {name: said[name] for name in ("winner", "reason", "margin")}
    assert events == [Event("K4", "game-over", facts)]
    assert result(pos, points) == said


def test_a_system_may_have_reasons_of_its_own():
    pos = position()
    finish(pos, "K4", "rain", 0, (0, 0), None, ("", "rain"))
    assert result(pos, (0, 0), ("", "rain"))["reason"] == "rain"
