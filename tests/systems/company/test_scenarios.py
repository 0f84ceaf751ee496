"""The shipped scenarios of the company system: they play, by everybody, to their end."""

import pytest

import hexengine
from hexengine.core.game import Game
from hexengine.players import player

NAMES = ("first-orders", "open-ground", "block", "winding-road")


def result(name, players, seed):
    scenario = hexengine.load(name)
    game = Game(scenario, seed, events=False)
    seats = dict(zip(scenario.sides, [player(one, seed=seed) for one in players], strict=True))
    while game.decision is not None:
        game.play(seats[game.decision.side].choose(game))
        game.system.invariants(game.position)
    return game.result["winner"], scenario.sides


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seat", [0, 1])
def test_an_officer_beats_chance_from_either_side(name, seat):
    players = ("officer", "random") if seat == 0 else ("random", "officer")
    winner, sides = result(name, players, 4)
    assert winner == sides[seat]


@pytest.mark.parametrize("name", NAMES)
def test_it_says_what_it_is_about(name):
    scenario = hexengine.load(name)
    assert len(scenario.notes.split()) > 20
    assert scenario.system == "company"


def test_between_them_they_use_every_chapter():
    boards = [hexengine.load(name).board for name in NAMES]
    assert any(board.ground.openings for board in boards)
    assert any(board.ground.roads for board in boards)
    assert any(board.guns for board in boards)
    assert any(board.flights[0] for board in boards)
    assert any(platoon.reserve for board in boards for platoon in board.platoons)
    assert any(platoon.ambush for board in boards for platoon in board.platoons)
    assert any(board.start.dug for board in boards)


def test_teams_in_ambush_are_hidden_from_the_other_side_alone():
    game = Game(hexengine.load("block"), 1)
    system, pos = game.system, game.position
    seen = system.observed(pos, 0)
    assert system.observed(pos, 1) is None
    assert "ambush" in system.state(pos)["units"]["c1"]["status"]
    assert system.state(seen)["units"]["c1"]["status"] == []
    assert system.secrets(pos) != system.secrets(seen)


def test_orders_may_be_shortened_to_platoons_by_name_team_or_hex():
    from hexengine.app.shorthand import Shorthand

    game = Game(hexengine.load("first-orders"), 1)
    short = Shorthand(game)
    assert [short.expand(f"dig {word}") for word in ("fi", "f3", "0105")] == ["dig first"] * 3
    assert short.expand("shoot f3 al") == "shoot f3 alpha"
