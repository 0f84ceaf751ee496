"""The veteran: what it tries out, what that may cost, and that it keeps its head."""

from __future__ import annotations

import subprocess
import sys

import pytest

import hexengine
from hexengine.core.game import Game
from hexengine.players import player
from hexengine.players.officer import Officer
from hexengine.players.veteran import Veteran, _LookAhead
from tests.systems.platoon import made_up


@pytest.fixture(scope="module")
def crossroads():
    return hexengine.load("crossroads")


def contested(scenario, seed, kind="operations"):
    """A game before a decision in which a veteran finds more than one order worth a trial."""
    game = Game(scenario, seed, events=False)
    officer, veteran = Officer(), Veteran(nodes=0)
    while (decision := game.decision) is not None:
        if decision.kind == kind and len(veteran.choose(game, explain=True).candidates) > 2:
            return game
        game.play(officer.choose(game))
    raise AssertionError("there is none")


@pytest.fixture
def played(monkeypatch):
    """The orders that are carried out, in real and imagined games."""
    found = []
    carry_out = Game._carry_out

    def counted(game, order, dice):
        found.append(order)
        return carry_out(game, order, dice)

    monkeypatch.setattr(Game, "_carry_out", counted)
    return found


@pytest.mark.parametrize("nodes", [0, 50, 400])
def test_no_more_orders_are_tried_than_it_has_nodes(crossroads, played, nodes):
    game = contested(crossroads, 3)
    played.clear()
    Veteran(nodes=nodes).choose(game)
    assert len(played) <= nodes
    assert len(played) >= nodes // 3


def test_without_nodes_it_is_the_officer(crossroads):
    game = Game(crossroads, 4, events=False)
    veteran, officer = Veteran(nodes=0), Officer()
    while game.decision is not None:
        order = veteran.choose(game)
        assert order == officer.choose(game)
        game.play(order)


def test_more_nodes_try_more_often(crossroads):
    game = contested(crossroads, 3)

    def samples(nodes):
        choice = Veteran(nodes=nodes).choose(game, explain=True)
        return sum(dict(candidate.reasons[0].facts)["samples"] for candidate in choice.candidates)

    assert 0 == samples(0) < samples(200) < samples(800)


def test_it_says_what_each_order_would_gain(crossroads):
    """The officer's order gains nothing over itself; what is chosen gains more than is in doubt."""
    officer = Officer()
    changed = 0
    game = Game(crossroads, 4, events=False)
    veteran = Veteran(nodes=300)
    while game.entry < 18:
        choice = veteran.choose(game, explain=True)
        usual = officer.choose(game)
        gains = {candidate.order: candidate for candidate in choice.candidates}
        assert gains[usual].score == 0
        assert [reason.code for reason in gains[usual].reasons] == ["look-ahead", "doubt"]
        if choice.order != usual:
            changed += 1
            assert gains[choice.order].score == max(gain.score for gain in gains.values()) > 0
        game.play(choice.order)
    assert changed


@pytest.mark.parametrize(
    ("worth", "chosen"),
    [
        (lambda seed: 50, True),
        (lambda seed: -50, False),
        (lambda seed: 50 if seed % 2 else 30, True),
        (lambda seed: 1000 if seed % 2 else -990, False),
        (lambda seed: 0, False),
    ],
)
def test_it_wants_to_be_sure(crossroads, monkeypatch, worth, chosen):
    """Another order must bring more, and more than chance may have made of it."""
    game = contested(crossroads, 3)
    usual = Officer().choose(game)
    others = [one.order for one in Veteran(nodes=0).choose(game, explain=True).candidates]
    others.remove(usual)

    def trial(self, plan, seed):
        if self.nodes < 10:
            return None
        self.nodes -= 10
        return worth(seed) if plan.order == others[-1] else 0

    monkeypatch.setattr(_LookAhead, "_trial", trial)
    assert Veteran(seed=2, nodes=600).choose(game) == (others[-1] if chosen else usual)


def test_it_copes_with_systems_that_offer_no_look_ahead(crossroads, monkeypatch):
    """Then it does what the officer does."""

    class Plain:
        def __init__(self, tactics):
            self.standing, self.forced, self.candidates = tactics.standing, tactics.forced, tactics.candidates
            self.going_on = tactics.going_on

    veteran, officer = Veteran(), Officer()
    game = Game(crossroads, 5, events=False)
    plain = Plain(officer.tactics(game))
    monkeypatch.setattr(veteran.usual, "_known", (game.board, plain))
    while game.decision is not None and game.entry < 40:
        order = veteran.choose(game)
        assert order == officer.choose(game)
        assert veteran.choose(game, explain=True).order == order
        game.play(order)


def test_it_does_not_depend_on_how_python_hashes():
    """Neither orders of dicts nor of sets make a difference."""
    code = (
        "import hexengine as hx; from hexengine.core.game import Game;"
        "scenario = hx.load('crossroads'); game = Game(scenario, 9, events=False);"
        "veteran = hx.player('veteran', seed=4, nodes=60);"
        "orders = [];\n"
        "while game.entry < 24: orders.append(str(veteran.choose(game))); game.play(orders[-1])\n"
        "print(orders)"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1


@pytest.mark.parametrize("seed", range(4))
def test_it_copes_with_any_map(seed):
    """Crowded made-up scenarios with every kind of unit: no illegal order, no endless game."""
    scenario = made_up.scenario(seed)
    game = Game(scenario, seed, events=False)
    seats = {"blue": player("veteran", seed=seed, nodes=20), "red": player("recruit", seed=seed)}
    while (decision := game.decision) is not None:
        game.play(seats[decision.side].choose(game))
        assert game.entry < 3000


def test_imagined_games_tell_nothing_of_the_real_one(crossroads):
    """Other dice, none of the counters; and what happens there changes nothing here."""
    game = Game(crossroads, 5)
    for _ in range(12):
        game.play(Officer().choose(game))
    digest, streams = game.digest, list(game.position.streams)
    assert any(streams)
    trial = game.imagined(3)
    assert trial.digest == digest
    assert not any(trial.position.streams)
    assert trial.play(Officer().choose(trial)) == []
    other = hexengine.Game(crossroads, seed=77).imagined(3)
    assert type(other) is Game
    assert (game.digest, list(game.position.streams)) == (digest, streams)
