"""The squad scenarios: what they contain, that their maps can be played, and that games on them end well."""

import re
import tomllib

import pytest

from hexengine.core.game import Game
from hexengine.players import ask, player
from hexengine.testing.playing import chooser, steps
from tests.scenarios.shipped import of, scenario

NAMES = of("squad")
each = pytest.mark.parametrize("name", NAMES)


def document(name):
    """The scenario's file as TOML has it."""
    return tomllib.loads(scenario(name).path.read_text(encoding="utf-8"))


def test_the_five_are_there():
    assert set(NAMES) >= {"introduction", "village", "stealthy-approach", "bunker-line", "crossing-at-selne"}


def test_each_has_what_it_is_about():
    board = scenario("introduction").board
    assert [(board.side_units[side] & board.squads & ~board.spares).bit_count() for side in (0, 1)] == [4, 4]
    village = scenario("village").board
    assert sum(floor > 0 for floor in village.places.floor) >= 2
    stealthy = scenario("stealthy-approach").board
    assert (stealthy.side_units[0] & stealthy.can_stealth).bit_count() >= 2
    bunkers = scenario("bunker-line").board
    assert sum(floor < 0 for floor in bunkers.places.floor) == 3 and bunkers.events and bunkers.missions[0]
    assert any(Game(scenario("bunker-line")).position.mines_1)
    crossing = scenario("crossing-at-selne").board
    assert all(crossing.vehicles & units for units in crossing.side_units) and any(crossing.seats)
    guns = [units & crossing.piercing & ~crossing.vehicles for units in crossing.side_units]
    assert guns[1] and crossing.piercing & crossing.weapons


@each
def test_it_says_what_it_is_about_in_two_languages(name):
    written = document(name)
    assert set(written["title"]) == {"en", "ru"}
    assert all(set(text) == {"en", "ru"} for text in written["side_names"].values())
    assert len(written["notes"].split()) > 20 and re.search(r"\d+ games", written["notes"])


@each
def test_every_objective_has_a_name_and_can_be_reached(name):
    board = scenario(name).board
    pos = Game(scenario(name)).position
    graph = board.map.graph("leg")
    wanted = {place for goal in board.goals for place in goal.hexes}
    assert wanted and wanted <= set(board.names)
    import networkx

    for unit in range(board.count):
        if pos.placed >> unit & 1 and board.units >> unit & 1 and board.mf[unit][1]:
            start = board.places.hex_of[pos.place[unit]]
            assert wanted <= networkx.descendants(graph, start) | {start}, board.ids[unit]


@each
def test_sight_is_symmetric_on_every_pair_of_places(name):
    sight, count = scenario(name).board.sight, scenario(name).board.places.count
    for a in range(0, count, 3):
        for b in range(a):
            one, other = sight.facts(a, b), sight.facts(b, a)
            assert (one.clear, one.degrading) == (other.clear, other.degrading)


@each
@pytest.mark.parametrize("seed", range(3))
def test_random_games_end_and_keep_every_invariant(name, seed):
    game = Game(scenario(name), seed)
    for _ in steps(game, chooser(seed)):
        game.system.invariants(game.position)
    assert game.result["reason"] in ("points", "last-units", "objective")


@each
def test_officers_play_it_to_the_end(name):
    game = Game(scenario(name), 1985, events=False)
    seats = {side: player("officer", seed=1985) for side in game.scenario.sides}
    for _ in range(3000):
        if game.decision is None:
            break
        game.play(ask(seats[game.decision.side], game))
        game.system.invariants(game.position)
    assert game.result is not None
