"""What a platoon position shows to people."""

from __future__ import annotations

import pytest

import hexengine as hx
from hexengine.core.outlook import OFF_MAP
from tests.app.conftest import SKIRMISH


def game_of(text: str = SKIRMISH) -> hx.Game:
    return hx.Game(hx.loads(text, "skirmish"), 1)


def view(game):
    return game.system.view(game.position)


def pieces(game):
    return {piece.unit: piece for piece in view(game).pieces}


def test_every_unit_is_shown_below_who_carries_it():
    assert [piece.unit for piece in view(game_of()).pieces] == ["m1-1", "m1-2", "m2", "inf", "t72-1", "t72-2"]


def test_a_unit_in_full():
    one = pieces(game_of())["m1-1"]
    assert (one.name, one.side, one.sign, one.group) == ("M1", 0, "armour", "blues")
    assert (one.strength, one.steps, one.full, one.states) == ("4", 2, 2, ())
    assert one.hex == game_of().board.grid.index("0102")
    assert not one.ready, "nobody acts at the cup"


def test_passengers_are_where_their_carrier_is():
    one = pieces(game_of())["inf"]
    assert (one.carrier, "carried" in one.states, one.attached) == ("m2", True, False)


def test_who_may_act_is_ready():
    game = game_of()
    game.play("draw [blues]")
    assert {name for name, piece in pieces(game).items() if piece.ready} == {"m1-1", "m1-2", "m2"}
    look = view(game)
    assert (look.phase, look.active, look.active_side) == ("operations", "blues", 0)


@pytest.mark.rule("P8.2")
def test_who_may_react_is_ready():
    game = game_of()
    game.play("draw [blues]")
    game.play("move m1-2 0203")
    assert {name for name, piece in pieces(game).items() if piece.ready} == {"t72-2"}
    assert view(game).phase == "reaction"


def test_the_cup_by_side():
    game = game_of()
    assert view(game).cup == ((0, 1), (1, 1), (None, 2))
    game.play("draw [eot]")
    assert view(game).cup == ((0, 1), (1, 1), (None, 1))


def test_losses_and_wrecks_are_shown():
    game = game_of()
    game.play("draw [blues]")
    game.play("fire m1-2 t72-2 [6 6 6 6 1 1 1]")
    one = pieces(game)["t72-2"]
    assert "eliminated" in one.states
    assert one.hex == OFF_MAP
    assert view(game).marks == {game.board.grid.index("0705"): ("wreck",)}


def test_objectives_have_their_holder():
    game = game_of()
    ford = game.board.grid.index("0503")
    assert view(game).objectives == {ford: None}
    held = game_of(SKIRMISH.replace('hex = "0703"', 'hex = "0503"'))
    assert view(held).objectives == {ford: 1}


def test_the_map_is_one_object_for_all_positions():
    game = game_of()
    before = view(game).ground
    game.play("draw")
    assert view(game).ground is before
    assert before.sides == ("The [bold]Blues[/]", "Reds")


def test_blown_bridges_and_crests_are_drawn():
    text = SKIRMISH.replace(
        'roads = ["0102-0202-0302"]',
        'roads = ["0102-0202-0302"]\nrivers = ["0202/0302"]\nblown = ["0202/0302"]\ncrests = ["0601/0701"]',
    )
    grid = game_of(text).board.grid
    assert view(game_of(text)).ground.features == {
        (grid.index("0202"), grid.index("0302")): ("blown-bridge",),
        (grid.index("0601"), grid.index("0701")): ("crest",),
    }


@pytest.mark.rule("P10.3")
def test_a_blocked_line_of_sight_in_words():
    game = game_of()
    at = game.board.grid.index
    look = game.system.sight(game.position, at("0302"), at("0504"))
    assert (look.clear, look.rule, look.distance) == (False, "P10.3", 3)
    assert look.line == (at("0302"), at("0402"), at("0403"), at("0504"))
    assert look.stop == at("0403")
    (one,) = look.between
    assert (one.text, one.blocks, one.rule) == ("woods in 0403", True, "P10.3")


@pytest.mark.parametrize(("a", "b"), [("0101", "0101"), ("0101", "0102"), ("0101", "0801")])
def test_clear_lines_have_nothing_between(a, b):
    game = game_of()
    at = game.board.grid.index
    look = game.system.sight(game.position, at(a), at(b))
    assert (look.clear, look.between, look.stop) == (True, (), None)
    assert look.line[0] == at(a)
    assert look.line[-1] == at(b)


def test_sight_reads_the_same_both_ways():
    game = hx.Game(hx.load("crossroads"), 1)
    grid = game.board.grid
    for a in range(0, grid.size, 7):
        for b in range(grid.size):
            there = game.system.sight(game.position, a, b)
            back = game.system.sight(game.position, b, a)
            assert there.clear == back.clear == game.board.sight.sees(a, b)
            assert sorted(there.between) == sorted(back.between)


def test_orders_are_described_for_help():
    game = game_of()
    usage = game.system.usage(game.board)
    assert usage["move"].pattern == "move UNITS HEX"
    assert all(one.text and one.text != verb for verb, one in usage.items()), "each has its words"
    assert all(one.pattern.split()[0] == verb for verb, one in usage.items())
