"""How even a scenario is: where the games stop, what is counted, and that nothing depends on who plays."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

import hexengine as hx
from hexengine.core.errors import UnknownPlayer
from hexengine.lab.balance import balance, trials
from hexengine.lab.course import NOBODY, Witness, labels, roster
from hexengine.lab.decisive import decisive
from hexengine.lab.errors import GameFailed, LabError, StoreError
from hexengine.lab.findings import balance_document
from hexengine.lab.gains import yielded
from hexengine.lab.play import play_game, score_of
from hexengine.lab.sequence import Z_LOOKS, looks
from hexengine.lab.statistics import share_of, wilson
from hexengine.lab.store import Store
from hexengine.players import player
from tests.lab.helpers import small
from tests.long import often

RANDOM = ("random", "random")


def document(found):
    facts = decisive(found.scenario, found.results), yielded(found.scenario, found.results)
    return {**balance_document(found, *facts), "seconds": 0}


# -- the interval -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("wins", "games"), [(5, 10), (80, 100), (30, 400), (200, 400)])
def test_without_draws_the_interval_is_nearly_wilsons(wins, games):
    share = share_of([1.0] * wins + [0.0] * (games - wins))
    assert share.share == wins / games
    assert (share.low, share.high) == pytest.approx(wilson(wins, games), abs=1e-9)


def test_of_nothing_nothing_is_known():
    share = share_of([])
    assert (share.low, share.high, share.half) == (0.0, 1.0, 0.5)


def test_draws_and_pairs_make_a_share_more_certain():
    coin = share_of([1.0, 0.0] * 100)
    draws = share_of([1.0, 0.5, 0.5, 0.0] * 50)
    always = share_of([0.5] * 200)
    assert coin.half > draws.half > always.half > 0
    assert coin.share == draws.share == always.share == 0.5
    assert share_of([1.0, 1.0]).half > 0.15, "two games do not settle anything"


def test_planned_looks():
    plan = list(looks(2000))
    assert plan[0] == 60
    assert plan[-1] == 2000
    assert all(number % 2 == 0 for number in plan)
    assert all(before < after <= before * 1.2 for before, after in pairwise(plan))
    assert list(looks(40)) == [40]


def test_the_interval_keeps_its_promise_though_it_stops_when_it_is_narrow():
    """Coins with draws; benchmarks/coverage.py measures it for many shares and margins."""
    dice = random.Random(5)
    held = 0
    runs = often(400, 4000)
    for _ in range(runs):
        scores = []
        for games in looks(10_000):
            scores += [dice.choice((0.0, 0.5, 1.0, 1.0)) for _ in range(games - len(scores))]
            share = share_of(scores, Z_LOOKS)
            if share.half <= 0.08:
                break
        held += share.low <= 0.625 <= share.high
    assert held / runs > 0.92


# -- playing ----------------------------------------------------------------------------------------


def test_it_stops_at_the_first_look_that_is_content():
    found = balance(small(), RANDOM, margin=0.08, seed=1)
    assert found.reached
    assert found.games in list(looks(2000))
    assert found.share.half <= 0.08
    assert not found.swap, "random against itself would play every game twice"
    scores = trials(found.results, "red", paired=False)
    assert found.share == share_of(scores, Z_LOOKS)
    earlier = [games for games in looks(2000) if games < found.games]
    assert all(share_of(scores[:games], Z_LOOKS).half > 0.08 for games in earlier)
    assert found.looks == len(earlier) + 1


def test_who_plays_makes_no_difference():
    one = balance(small(), RANDOM, margin=0.07, seed=1)
    two = balance(small(), RANDOM, margin=0.07, seed=1, workers=2, start_method="spawn")
    assert document(one) == document(two)
    assert one.results == two.results


def test_the_same_player_plays_every_seed_once_and_others_twice():
    same = balance(small(), RANDOM, seed=1, limit=60)
    assert len({game.seed for game in same.results}) == 60
    other = balance(small(), ("random", "slow"), seed=1, limit=20)
    assert len({game.seed for game in other.results}) == 10
    assert [game.players["red"] for game in other.results] == ["random", "slow"] * 10
    pairs = trials(other.results, "red", paired=True)
    assert pairs == [
        (score_of(one, "red") + score_of(two, "red")) / 2
        for one, two in zip(other.results[::2], other.results[1::2], strict=True)
    ]
    assert other.share == share_of(pairs, Z_LOOKS)


def test_games_that_run_out_are_told():
    found = balance(small(), RANDOM, margin=0.01, seed=1, limit=40)
    assert (found.games, found.reached) == (40, False)


def test_a_file_is_gone_on_with(tmp_path):
    path = tmp_path / "games.db"
    first = balance(small(), RANDOM, margin=0.1, seed=7, db=path)
    again = balance(small(), RANDOM, margin=0.1, db=path)
    assert document(first) == document(again)
    told = []
    finer = balance(small(), RANDOM, margin=0.07, db=path, progress=told.append)
    assert told[-1].fresh <= finer.games - first.games
    assert document(finer) == document(balance(small(), RANDOM, margin=0.07, seed=7))
    with Store.read(path) as store:
        assert store.settings.games == finer.games
        assert tuple(store.courses()) == finer.results
    assert hx.batch(small(), RANDOM, finer.games, 7, out=path, resume=True).games == finer.games


def test_a_file_of_a_batch_is_taken_over_and_its_courses_are_found_out(tmp_path):
    path = tmp_path / "games.db"
    hx.batch(small(), RANDOM, 60, 7, out=path)
    found = balance(small(), RANDOM, margin=0.1, seed=7, db=path)
    assert document(found) == document(balance(small(), RANDOM, margin=0.1, seed=7))


def test_another_files_games_are_refused(tmp_path):
    path = tmp_path / "games.db"
    balance(small(), RANDOM, seed=7, db=path, limit=60)
    with pytest.raises(StoreError, match="it is of another batch: players random, random, not random, slow"):
        balance(small(), ("random", "slow"), seed=7, db=path)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"margin": 0.0}, "a margin is 0.005 to less than 0.5, not 0"),
        ({"margin": float("nan")}, "a margin is"),
        ({"target": 1.0}, "a target is a share of wins between 0 and 1, not 1"),
        ({"limit": 61}, "games are played in pairs: a limit of 61 games cannot be"),
        ({"workers": 0}, "0 workers cannot be"),
    ],
)
def test_settings_that_cannot_be(settings, message):
    with pytest.raises(LabError, match=message):
        balance(small(), RANDOM, **settings)


def test_players_that_are_not_known():
    with pytest.raises(UnknownPlayer, match="did you mean officer"):
        balance(small(), ("officer", "oficer"))


def test_broken_rules_are_told(monkeypatch):
    from tests.toy.rules import Operations

    def play(self, pos, order, dice, emit):
        raise ZeroDivisionError

    monkeypatch.setattr(Operations, "play", play)
    with pytest.raises(GameFailed, match="small, seed "):
        balance(small(), RANDOM, seed=1)


# -- what it is for ---------------------------------------------------------------------------------


def test_a_lopsided_scenario_is_seen():
    found = balance(hx.load("lopsided"), ("officer", "officer"), margin=0.1, seed=1)
    assert found.verdict == "first"
    assert found.share.low > 0.6


def test_a_mirrored_scenario_is_even():
    """In a few runs; benchmarks/coverage.py makes a hundred of them."""
    scenario = hx.load("mirrored")
    runs = often(6, 100)
    held = 0
    for seed in range(1, runs + 1):
        found = balance(scenario, RANDOM, margin=0.1, seed=seed)
        held += found.verdict == "even"
    assert held >= runs - max(2, runs * 7 // 100)


# -- how games went ---------------------------------------------------------------------------------


def test_a_course_is_what_the_states_at_the_ends_of_turns_say():
    scenario = hx.load("crossroads")
    result = play_game(scenario, {"nato": "random", "wp": "officer"}, 4, course=True)
    assert result._replace(course=None) == play_game(scenario, {"nato": "random", "wp": "officer"}, 4)
    game = hx.Game(scenario, 4, events=False)
    seats = {"nato": player("random", seed=4), "wp": player("officer", seed=4)}
    ends, before = [], game.state()
    while game.decision is not None:
        game.play(seats[game.decision.side].choose(game))
        now = game.state()
        if now["turn"] != before["turn"] or game.decision is None:
            turn = before["turn"] if game.decision is not None else now["turn"]
            ends.append((turn, now))
        before = now
    course = result.course
    assert [end.turn for end in course.turns] == [turn for turn, _ in ends]
    for end, (_, state) in zip(course.turns, ends, strict=True):
        assert end.score == tuple(state["score"].values())
        held = dict(zip(labels(scenario), end.control, strict=True))
        wanted = {label: "01"[side == "wp"] for label, side in state["control"].items()}
        assert {label: sign for label, sign in held.items() if sign != NOBODY} == wanted
    for side, losses in result.losses.items():
        by_name = course.losses[side].values()
        assert sum(one.steps for one in by_name) == losses.steps
        assert sum(one.units for one in by_name) == losses.units
    names = {entry.name for entry in roster(scenario).values() if entry.side == "nato"}
    assert names == set(course.losses["nato"])


def test_positions_that_do_not_count_their_turns_are_watched_as_well(monkeypatch):
    plain = play_game(small(), {"red": "random", "blue": "random"}, 1, course=True)
    look = Witness.look

    def blind(self):
        self._clock = object()
        look(self)

    monkeypatch.setattr(Witness, "look", blind)
    assert play_game(small(), {"red": "random", "blue": "random"}, 1, course=True) == plain


def test_looks_go_on_from_any_start():
    """Each is at more games than the last, also where a part of them is less than a pair."""
    assert list(looks(20, first=2)) == [2, 4, 6, 8, 10, 12, 14, 16, 18, 20]
