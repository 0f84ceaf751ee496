"""What brings the points, how games end, and who comes later."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

import hexengine as hx
from hexengine.content.loader import loads
from hexengine.core.conditions import conditions
from hexengine.core.system import get_system
from hexengine.lab.balance import balance
from hexengine.lab.course import absent
from hexengine.lab.gains import Arrival, in_words, yielded
from hexengine.lab.play import play_game
from tests.docs.pages import blocks
from tests.lab.helpers import small

RANDOM = ("random", "random")


def played(scenario, games):
    seats = dict.fromkeys(scenario.sides, "random")
    return [play_game(scenario, seats, seed, course=True) for seed in range(games)]


@pytest.mark.parametrize("name", ["crossroads", "lopsided", "river-crossing", "bunker-line", "block"])
def test_the_points_of_all_conditions_are_the_score(name):
    """Also of those that are scored each turn, which the position keeps by side alone."""
    scenario = hx.load(name)
    system = get_system(scenario.system)
    goals = conditions(system, system.start(scenario.board))
    assert goals
    for game in played(scenario, 8):
        points = dict.fromkeys(scenario.sides, 0)
        for goal, brought in zip(goals, game.course.gains, strict=True):
            points[scenario.sides[goal.side]] += brought
        assert points == game.score


EVENTS = """
[[event]]
id = "cheers"
hex = "0402"
side = "us"
text = "Cheers."
points = 3

[[victory]]
kind = "hold"
side = "us"
hexes = ["0102", "0202"]
when = "turn"
"""


def test_points_that_events_give_are_not_taken_for_those_of_a_turn():
    text = next(block.text for block in blocks("squad.md") if block.kind == "toml") + EVENTS
    scenario = loads(text, "the-ford")
    games = played(scenario, 20)
    met = [game for game in games if game.course.gains[-1]]
    assert 0 < len(met) < 20
    assert any(game.course.gains[-2] for game in games)
    cheers = yielded(scenario, games).gains[-1]
    assert (cheers.share, cheers.points) == (len(met) / 20, 3 * len(met) / 20), (
        "in so many, three points each"
    )
    for game in games:
        mine = [
            points
            for gain, points in zip(yielded(scenario, games).gains, game.course.gains, strict=True)
            if gain.side == "us"
        ]
        assert sum(mine) == game.score["us"]


def test_conditions_are_told_as_the_scenario_has_them():
    scenario = hx.load("crossroads")
    found = yielded(scenario, played(scenario, 8))
    assert [(gain.side, gain.kind, gain.hexes, gain.each, gain.each_turn) for gain in found.gains] == [
        ("nato", "hold", ("0504",), 1, True),
        ("wp", "hold", ("0504",), 1, True),
        ("nato", "hold", ("0606",), 2, False),
        ("wp", "hold", ("0606",), 2, False),
        ("nato", "steps", (), 1, False),
        ("wp", "steps", (), 1, False),
    ]
    steps = found.gains[4]
    assert steps.points > 0
    assert 0 < steps.share <= 1
    assert sum(found.ends.values()) == 8


def test_a_system_that_tells_no_conditions_has_none():
    games = [play_game(small(), {"red": "random", "blue": "random"}, seed, course=True) for seed in range(3)]
    assert yielded(small(), games).gains == ()
    assert yielded(small(), games).arrivals == ()


def test_who_comes_later_is_told_with_the_turns():
    scenario = hx.load("river-crossing")
    assert {"hq-118", "bmp-1", "mot-4", "leo-1"} <= set(absent(scenario))
    games = played(scenario, 8)
    rows = {row.unit: row for row in yielded(scenario, games).arrivals}
    assert set(rows) == set(absent(scenario))
    for row in rows.values():
        came = [game.course.arrivals[row.unit] for game in games if row.unit in game.course.arrivals]
        assert row.share == len(came) / 8
        assert sum(row.turns.values()) == len(came)
        assert row.turn == pytest.approx(sum(came) / len(came))
        due = scenario.board.counters[scenario.board.ids.index(row.unit)].due
        assert due is None or not due or min(row.turns) >= due
    assert rows["mot-4"].turns == rows["bmp-1"].turns, "who is aboard comes with his carrier"


def test_who_never_comes_has_no_turn():
    scenario = hx.load("bunker-line")
    rows = yielded(scenario, [game for game in played(scenario, 4) if not game.course.arrivals]).arrivals
    assert rows
    assert all(row == Arrival(row.side, row.unit, row.name, 0, None, {}) for row in rows)


def test_reasons_in_words():
    assert in_words({"points": 3, "last-units": 12}) == "last-units 12, points 3"
    assert in_words({}) == "-"


def test_games_of_a_former_versions_file_are_played_again(tmp_path):
    path = tmp_path / "games.db"
    first = balance(small(), RANDOM, margin=0.1, seed=7, db=path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE course SET course = json_remove(course, '$[3]', '$[2]')")
    told = []
    again = balance(small(), RANDOM, margin=0.1, seed=7, db=path, progress=told.append)
    assert told[-1].fresh == first.games, "all of them"
    assert again.results == first.results
