"""Chances of a whole way, with a system of a few lines."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hexengine.core.errors import IllegalOrder
from hexengine.core.game import Game
from hexengine.core.path_odds import BestShots, TooMany, path_odds
from tests import toy


class Shoots:
    """r2 shoots where it may, and nobody else."""

    def __call__(self, pos):
        frame = pos.frames[-1]
        listed = [order for actor in frame.actors(pos) for order in frame.orders(pos, actor)]
        return next((order for order in listed if str(order).startswith("fire r2")), None)


@pytest.fixture
def game():
    game = Game(toy.scenario(), seed=1)
    for order in ("draw [reds]", "end", "draw [blues]"):
        game.play(order)
    return game


def test_a_way_under_fire_by_hand(game):
    """The first step is shot at: a hit, 7/12, takes a step, and 15/36 of these disrupt; both stop it."""
    found = path_odds(game, ["move b1 0302", "move b1 0303"], Shoots())
    hit = Fraction(7, 12)
    assert {fate[1:]: fate.probability for fate in found.fates["b1"]} == {
        ("0303", 2, (), True): 1 - hit,
        ("0302", 1, ("disrupted",), False): hit * Fraction(15, 36),
        ("0302", 1, (), False): hit * Fraction(21, 36),
    }
    assert sum(outcome.probability for outcome in found.outcomes) == 1
    assert (found.whole, found.lost) == (1 - hit, 0)


@pytest.mark.parametrize(("state", "whole"), [("finished", Fraction(5, 12)), ("bogged", 0)])
def test_who_comes_to_his_end_unhurt(game, monkeypatch, state, whole):
    """To have finished one's movement is no harm; what would hinder a unit afterwards is."""
    facts_of = toy.Toy._unit

    def marked(system, pos, unit):
        facts = facts_of(system, pos, unit)
        return {**facts, "status": [*facts["status"], state] if pos.spent[unit] else facts["status"]}

    monkeypatch.setattr(toy.Toy, "_unit", marked)
    assert path_odds(game, ["move b1 0302", "move b1 0303"], Shoots()).whole == whole


def test_what_is_counted_as_a_run_by_hand(game):
    """The first step, eight answers of the dice to the shot at it, and the second step of who was missed."""
    way = ["move b1 0302", "move b1 0303"]
    found = path_odds(game, way, Shoots())
    assert (found.runs, found.samples) == (10, 0)
    assert path_odds(game, way, Shoots(), limit=10, samples=0).whole == found.whole
    with pytest.raises(TooMany):
        path_odds(game, way, Shoots(), limit=9, samples=0)
    sampled = path_odds(game, way, Shoots(), limit=9, samples=40)
    assert sampled.samples == 40
    assert 40 * 2 <= sampled.runs <= 40 * 3


def test_a_system_without_tactics_declines(game):
    """As if nobody answered: for certain."""
    assert BestShots(game.system, game.board)(game.position) is None
    found = path_odds(game, ["move b1 0302", "move b1 0303"])
    assert found.whole == 1
    assert [fate.hex for fate in found.fates["b1"]] == ["0303"]


def test_the_first_order_must_be_legal(game):
    with pytest.raises(IllegalOrder):
        path_odds(game, ["move b1 0101"])


def test_an_order_without_units(game):
    """What it brings, without fates; nobody can come to harm."""
    found = path_odds(game, ["end"])
    assert (found.fates, found.whole) == ({}, 1)
    assert sum(outcome.probability for outcome in found.outcomes) == 1
