"""What results say: numbers that can be counted by hand."""

from __future__ import annotations

import json

import pytest

from hexengine.lab.batches import batch
from hexengine.lab.play import STALEMATE, Fault, GameResult, Losses
from hexengine.lab.reports import report, report_on
from hexengine.lab.statistics import wilson
from hexengine.lab.store import Store
from hexengine.lab.tables import Settings
from tests.lab.helpers import small

SETTINGS = Settings("hill", "c", "toy", 1, ("red", "blue"), ("fox", "owl"), 7, 5, True, 1000)


def game(number, winner, turns, red, blue, reason="turns", faults=()):
    """A game of fox and owl, fox on the red side in odd ones; losses are (steps, units)."""
    seats = ("fox", "owl") if number % 2 else ("owl", "fox")
    return GameResult(
        number,
        1000 + number,
        {"red": seats[0], "blue": seats[1]},
        not number % 2,
        winner,
        reason,
        1 if winner else 0,
        {"red": 1, "blue": 2},
        turns,
        10 * number,
        "0" * 16,
        {"red": Losses(*red), "blue": Losses(*blue)},
        faults,
    )


GAMES = [
    game(1, "red", 3, (1, 0), (4, 2)),
    game(2, "red", 5, (0, 0), (3, 1)),
    game(3, None, 6, (2, 1), (2, 1)),
    game(4, "blue", 4, (4, 2), (0, 0), faults=(Fault("red", "owl", 3, "ValueError"),)),
    game(5, None, 2, (0, 0), (0, 0), reason=STALEMATE),
]


def test_sides_and_players_are_counted():
    found = report_on(SETTINGS, GAMES)
    assert found.games == 5
    assert found.as_json() == {
        "games": 5,
        "sides": {
            "red": {
                "wins": 2,
                "share": 0.4,
                "low": wilson(2, 5)[0],
                "high": wilson(2, 5)[1],
                "losses": 7 / 5,
            },
            "blue": {
                "wins": 1,
                "share": 0.2,
                "low": wilson(1, 5)[0],
                "high": wilson(1, 5)[1],
                "losses": 9 / 5,
            },
        },
        "players": {
            "fox": {
                "wins": 2,
                "share": 0.4,
                "low": wilson(2, 5)[0],
                "high": wilson(2, 5)[1],
                "losses": (1 + 3 + 2 + 0 + 0) / 5,
            },
            "owl": {
                "wins": 1,
                "share": 0.2,
                "low": wilson(1, 5)[0],
                "high": wilson(1, 5)[1],
                "losses": (4 + 0 + 2 + 4 + 0) / 5,
            },
        },
        "draws": 2,
        "turns": {"mean": 4.0, "min": 2, "max": 6},
    }
    assert (found.stalemates, found.faulty, found.orders) == (1, 1, 150)
    assert found.reasons == {"turns": 4, STALEMATE: 1}
    assert (found.scenario, found.names, found.seed, found.planned, found.swap) == (
        "hill",
        ("fox", "owl"),
        7,
        5,
        True,
    )


def test_rows_for_people():
    found = report_on(SETTINGS, GAMES)
    assert [tuple(row) for row in found.side_rows()] == [
        ("red", "5", "2", "40.0%", "11.8% - 76.9%", "1.40", "0.60"),
        ("blue", "5", "1", "20.0%", "3.6% - 62.4%", "1.80", "0.80"),
    ]
    assert [row.name for row in found.player_rows()] == ["fox", "owl"]


def test_a_player_against_itself_is_counted_on_both_sides():
    games = [one._replace(players={"red": "fox", "blue": "fox"}) for one in GAMES]
    found = report_on(SETTINGS._replace(players=("fox", "fox")), games)
    fox = found.as_json()["players"]["fox"]
    assert fox["wins"] == 3
    assert fox["share"] == 3 / 10
    assert (fox["low"], fox["high"]) == wilson(3, 10)
    assert fox["losses"] == (7 + 9) / 10


def test_of_no_games_nothing_is_said(tmp_path):
    path = tmp_path / "games.db"
    Store.open(path, SETTINGS, resume=False).close()
    found = report(path).as_json()
    nothing = {"wins": 0, "share": 0.0, "low": 0.0, "high": 1.0, "losses": 0.0}
    assert found == {
        "games": 0,
        "sides": {"red": nothing, "blue": nothing},
        "players": {"fox": nothing, "owl": nothing},
        "draws": 0,
        "turns": {"mean": None, "min": None, "max": None},
    }


@pytest.mark.parametrize("swap", [False, True])
def test_a_report_agrees_with_its_batch(tmp_path, swap):
    path = tmp_path / "games.db"
    result = batch(small(), ("officer", "random"), 15, seed=3, swap=swap, out=path)
    found = report(path)
    told = json.loads(json.dumps(found.as_json()))
    assert told["games"] == result.games
    assert told["draws"] == result.draws
    assert {side: row["wins"] for side, row in told["sides"].items()} == result.wins
    assert {name: row["wins"] for name, row in told["players"].items()} == result.wins_by_player
    assert told["turns"]["mean"] == result.turns
    assert found.orders == result.orders
    for side in result.sides:
        steps = sum(one.losses[side].steps for one in result.results)
        assert told["sides"][side]["losses"] == steps / 15
    for rows in (told["sides"], told["players"]):
        for row in rows.values():
            assert list(row) == ["wins", "share", "low", "high", "losses"]
            assert 0 <= row["low"] <= row["share"] <= row["high"] <= 1
