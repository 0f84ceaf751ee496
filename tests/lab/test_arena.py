"""Players against each other: the games that are played, and what is made of them."""

from __future__ import annotations

import pytest

import hexengine as hx
from hexengine.core.errors import UnknownPlayer
from hexengine.lab.arena import _rounds, arena, better
from hexengine.lab.errors import LabError
from hexengine.lab.play import play_game, score_of
from hexengine.lab.sequence import Crew
from hexengine.lab.sprt import Hypotheses
from tests.lab.helpers import small, tiny


def document(found):
    return {**found.as_json(), "seconds": 0}


def test_rounds():
    plan = list(_rounds(5, 2, [("a", "b"), ("a", "c")], 4))
    assert [task.number for task in plan] == list(range(1, 17))
    assert [task.players for task in plan[:4]] == [("a", "b"), ("b", "a"), ("a", "c"), ("c", "a")]
    assert [task.scenario for task in plan] == [0, 0, 0, 0, 1, 1, 1, 1] * 2
    assert len({task.seed for task in plan}) == 4
    assert [task.seed for task in plan[:4]] == [plan[0].seed] * 4


def test_games_are_counted_as_they_are_played():
    found = arena([small(), tiny()], ("random", "slow", "raises"), 4, 3)
    assert found.games == 2 * 3 * 4
    assert set(found.players) == {"random", "slow", "raises"}
    assert set(found.scenarios) == {"small", "tiny"}
    assert found.faulty > 0
    assert sum(rating.elo for rating in found.players.values()) == pytest.approx(0, abs=1e-6)
    one = found.pairings[0]
    assert (one.scenario, one.first, one.second, one.games) == ("small", "random", "slow", 4)
    assert one.wins + one.losses + one.draws == 4
    assert all(pair.share.share == (pair.wins + pair.draws / 2) / pair.games for pair in found.pairings)
    assert any(pair.wins for pair in found.pairings)
    score = 0.0
    for task in _rounds(3, 2, [("random", "slow"), ("random", "raises"), ("slow", "raises")], 4):
        if task.scenario == 0 and set(task.players) == {"random", "slow"}:
            seats = dict(zip(("red", "blue"), task.players, strict=True))
            mine = "red" if seats["red"] == "random" else "blue"
            score += score_of(play_game(small(), seats, task.seed), mine)
    assert one.share.share == score / 4


def test_who_plays_makes_no_difference():
    alone = arena([small(), tiny()], ("random", "slow"), 6, 3)
    two = arena([small(), tiny()], ("random", "slow"), 6, 3, crew=Crew(2))
    assert document(alone) == document(two)


def test_the_stronger_player_is_found():
    found = arena([hx.load("mirrored")], ("random", "officer"), 20, 1)
    assert found.players["officer"].elo - found.players["officer"].error > 0
    assert found.players["officer"].elo == pytest.approx(-found.players["random"].elo)


def test_better():
    told = []
    places, wanted = [hx.load("mirrored"), hx.load("lopsided")], Hypotheses(0.5, 0.6)
    found = better(places, "random", "officer", wanted, 400, 1, progress=told.append)
    assert found.accepted == 1
    assert found.share.share > 0.8
    assert sum(found.pairs.values()) * 2 == found.games == told[-1].done < 100
    assert found.ratio >= found.hypotheses.upper
    worse = better([hx.load("mirrored")], "officer", "random", Hypotheses(0.5, 0.6), 400, 1)
    assert worse.accepted == 0


def test_who_plays_makes_no_difference_to_the_test():
    alone = better([small(), tiny()], "slow", "random", Hypotheses(0.5, 0.7), 60, 3)
    two = better([small(), tiny()], "slow", "random", Hypotheses(0.5, 0.7), 60, 3, crew=Crew(2))
    assert document(alone) == document(two)


def test_games_that_run_out():
    found = better([small()], "slow", "random", Hypotheses(0.5, 0.501), 20, 3)
    assert (found.accepted, found.games) == (None, 20)


@pytest.mark.parametrize(
    ("players", "games", "message"),
    [
        ((), 4, "two different players or more are wanted, not none"),
        (("random",), 4, "two different players"),
        (("random", "random"), 4, "two different players"),
        (("random", "slow"), 3, "games are played in pairs, sides swapped: 3 games cannot be"),
    ],
)
def test_what_cannot_be_played(players, games, message):
    with pytest.raises(LabError, match=message):
        arena([small()], players, games, 1)


def test_what_cannot_be_tested():
    with pytest.raises(LabError, match="cannot be better than itself"):
        better([small()], "random", "random", Hypotheses(0.5, 0.6), 20)
    with pytest.raises(LabError, match="the second share must be larger"):
        better([small()], "slow", "random", Hypotheses(0.6, 0.5), 20)
    with pytest.raises(UnknownPlayer):
        better([small()], "slow", "randon", Hypotheses(0.5, 0.6), 20)
    with pytest.raises(LabError, match="no scenario"):
        better([], "slow", "random", Hypotheses(0.5, 0.6), 20)
