"""The shipped scenarios: what they contain, and that games on them end well."""

import re
import tomllib

import pytest

from hexengine.core.game import Game
from hexengine.players import player
from hexengine.systems.platoon.position import STACKING_LIMIT
from hexengine.testing.playing import chooser, steps
from tests.scenarios.shipped import NAMES, scenario

each = pytest.mark.parametrize("name", NAMES)


def document(name):
    """The scenario's file as TOML has it."""
    return tomllib.loads(scenario(name).path.read_text(encoding="utf-8"))


def sizes(name):
    board = scenario(name).board
    grid = board.map.grid
    return grid.columns, grid.rows, len(board.counters), scenario(name).turns


def count(name, side):
    """Fighting units of a side: HQs and support weapons aside."""
    board = scenario(name).board
    return (board.side_units[side] & board.fighters).bit_count()


def test_the_four_scenarios_are_there():
    assert {"crossroads", "meeting", "river-crossing", "bench"} <= set(NAMES)


def test_the_benchmark_has_the_standard_load():
    """24 by 16 hexes, 24 units, 12 turns, 4 formations, and something of everything."""
    assert sizes("bench") == (24, 16, 24, 12)
    board = scenario("bench").board
    assert len(board.formations) == 4
    assert {counter.mark for counter in board.counters} >= {
        "armour",
        "mechanised",
        "infantry",
        "anti-tank",
        "hq",
    }
    terrain = {board.map.chart.terrains[row].id for row in board.map.terrain}
    assert terrain >= {"clear", "woods", "town", "hill", "wooded-hill", "fields"}
    features = {feature for found in board.map.sides.values() for feature in found}
    assert features >= {"river", "stream", "ford"}


def test_the_introduction_is_small():
    columns, rows, _, turns = sizes("crossroads")
    assert columns * rows <= 80
    assert 6 <= turns <= 8
    assert all(4 <= count("crossroads", side) <= 7 for side in (0, 1))


def test_the_river_crossing_has_all_its_ingredients():
    board = scenario("river-crossing").board
    assert board.blown
    assert any("ford" in features for features in board.map.sides.values())
    late = [counter for counter in board.counters if counter.due]
    assert {counter.side for counter in late} == {0, 1}
    assert {counter.due for counter in late} <= {2, 3, 4}
    assert {goal.kind for goal in board.goals} >= {"hold", "exit", "steps"}


@each
def test_it_says_what_it_is_about_in_two_languages(name):
    written = document(name)
    assert set(written["title"]) == {"en", "ru"}
    assert all(set(formation["name"]) == {"en", "ru"} for formation in written["formation"])
    assert len(written["notes"].split()) > 20


@each
def test_its_notes_say_how_it_was_measured(name):
    """The number of games behind the figures is named."""
    assert re.search(r"\d+ games", document(name)["notes"])


@each
def test_nobody_wins_by_standing_still(name):
    """Neither side has more than a third of the points that lie on the map before the first move."""
    game = Game(scenario(name))
    start = game.state()["score"]
    for number, side in enumerate(scenario(name).sides):
        goals = [goal for goal in game.board.goals if goal.side == number and goal.kind == "hold"]
        most = sum(
            goal.points * len(goal.hexes) * (scenario(name).turns if goal.each_turn else 1) for goal in goals
        )
        assert start[side] * 3 <= most


@each
def test_stacks_are_right_from_the_start(name):
    game = Game(scenario(name))
    game.system.invariants(game.position)
    assert all(number & 15 <= STACKING_LIMIT for number in game.position.here)


@each
@pytest.mark.parametrize("seed", range(3))
def test_random_games_end_and_keep_every_invariant(name, seed):
    game = Game(scenario(name), seed)
    for _ in steps(game, chooser(seed)):
        game.system.invariants(game.position)
    assert game.result["reason"] in ("points", "objective", "last-units")


@each
def test_officers_play_it_to_the_end(name):
    game = Game(scenario(name), 1985, events=False)
    players = {side: player("officer", seed=1985) for side in game.scenario.sides}
    for _ in range(5000):
        if game.decision is None:
            break
        game.play(players[game.decision.side].choose(game))
        game.system.invariants(game.position)
    assert game.result is not None
