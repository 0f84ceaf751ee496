"""One game: the same whoever asks for it, ended whatever players do."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexengine.content.loader import load
from hexengine.core.errors import BrokenPlayer, UnknownPlayer
from hexengine.core.game import Game
from hexengine.lab.course import losses, roster
from hexengine.lab.errors import GameFailed
from hexengine.lab.play import STALEMATE, Losses, in_words, play_game
from hexengine.players import player
from hexengine.record.log import parse_log
from hexengine.record.replay import Replay
from tests.lab.helpers import small
from tests.toy.rules import Operations

RANDOM = {"red": "random", "blue": "random"}


def by_hand(scenario, seed):
    """The game as a program plays it that knows nothing of the laboratory."""
    game = Game(scenario, seed)
    players = {side: player("random", seed=seed) for side in scenario.sides}
    while game.decision is not None:
        game.play(players[game.decision.side].choose(game))
    return game


def test_a_game_is_the_one_played_by_hand():
    for seed in range(10):
        game = by_hand(small(), seed)
        result = play_game(small(), RANDOM, seed)
        assert result.digest == game.digest
        assert result.orders == game.entry
        assert result.winner == game.result["winner"]
        assert result.reason == game.result["reason"]
        assert result.margin == game.result["margin"]
        assert result.score == game.state()["score"]
        assert result.turns == game.state()["turn"]
        assert (result.seed, result.players, result.faults, result.log) == (seed, RANDOM, (), None)


def test_the_same_again_and_again_and_between_other_games():
    scenario = small()
    first = play_game(scenario, RANDOM, 1)
    play_game(scenario, RANDOM, 6)
    assert play_game(scenario, RANDOM, 1) == first == play_game(small(), RANDOM, 1)
    assert play_game(scenario, RANDOM, 6) != first


def test_losses_are_steps_and_units_that_are_gone():
    lost = set()
    for seed in range(30):
        result = play_game(small(), RANDOM, seed)
        units = by_hand(small(), seed).state()["units"]
        for side, names in (("red", ("r1", "r2")), ("blue", ("b1", "b2"))):
            left = [units[name]["steps"] for name in names]
            assert result.losses[side] == Losses(4 - sum(left), left.count(0))
            lost.add(result.losses[side])
    assert {losses.units for losses in lost} >= {0, 1}, "these games are too peaceful to test anything"


def test_a_log_changes_nothing_and_replays():
    plain = play_game(small(), RANDOM, 1)
    logged = play_game(small(), RANDOM, 1, log=True)
    assert logged._replace(log=None) == plain
    log = parse_log(logged.log, Path("game.jsonl"))
    assert log.fault is None
    assert log.header.players == RANDOM
    assert Replay(log, lambda _: small()).run().digest == plain.digest


def test_a_game_that_does_not_end_is_a_draw():
    result = play_game(small(), RANDOM, 1, max_orders=10)
    assert (result.winner, result.reason, result.orders) == (None, STALEMATE, 10)
    assert result.turns == 1
    assert result.margin == abs(result.score["red"] - result.score["blue"])
    whole = play_game(small(), RANDOM, 1)
    assert play_game(small(), RANDOM, 1, max_orders=whole.orders) == whole


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("raises", "ValueError: no idea what to do"),
        ("exits", "SystemExit: 3"),
        ("illegal", "IllegalOrder: "),
        ("nothing", "an order was wanted, not a NoneType"),
        ("undoes", "an order was wanted, not undo"),
    ],
)
def test_who_fails_is_replaced_and_the_result_says_so(name, text):
    players = {"red": "random", "blue": name}
    result = play_game(small(), players, 1)
    (fault,) = result.faults
    assert (fault.side, fault.player) == ("blue", name)
    assert fault.entry >= 5
    assert fault.text.startswith(text)
    assert result.reason != STALEMATE
    assert result.digest == play_game(small(), RANDOM, 1).digest, "random plays on for it"
    assert result.players == players
    assert play_game(small(), players, 1, log=True)._replace(log=None) == result
    assert result.as_json()["faults"] == [fault._asdict()]


def test_both_may_fail():
    result = play_game(small(), {"red": "raises", "blue": "nothing"}, 1)
    assert sorted(fault.side for fault in result.faults) == ["blue", "red"]


def test_the_json_of_a_result():
    result = play_game(small(), RANDOM, 1)
    assert list(result.as_json()) == ["seed", "players", "winner", "score", "turns", "orders", "digest"]


@pytest.mark.parametrize("log", [False, True])
def test_broken_rules_are_no_players_fault(monkeypatch, log):
    """Whoever looks for the fault is told how to see it again."""

    def play(self, pos, order, dice, emit):
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(Operations, "play", play)
    with pytest.raises(GameFailed) as caught:
        play_game(small(), RANDOM, 1, log=log)
    text = str(caught.value)
    assert text.startswith("small, seed 1, players random, random: entry ")
    assert text.endswith("ZeroDivisionError: division by zero")
    assert "test_play.py:" in text
    assert "with move " in text or "with fire " in text or "with end" in text


def test_rules_that_refuse_what_they_offer_are_told(monkeypatch):
    """The stand-in fails as well: so it is not the player."""

    def orders(self, pos, actor):
        return [pos.board.moves[0][0]]

    monkeypatch.setattr(Operations, "orders", orders)
    with pytest.raises(GameFailed, match="IllegalOrder"):
        play_game(small(), RANDOM, 1)


def test_players_that_cannot_be_made():
    with pytest.raises(UnknownPlayer, match="did you mean random"):
        play_game(small(), {"red": "random", "blue": "randon"}, 5)
    with pytest.raises(BrokenPlayer, match="'cannot' cannot be made: OSError: the model is missing"):
        play_game(small(), {"red": "random", "blue": "cannot"}, 5)


def test_an_error_in_words_is_one_short_printable_line():
    class Silent(Exception):
        def __str__(self):
            raise RuntimeError

    assert in_words(ValueError()) == "ValueError"
    assert in_words(ValueError("a\n\tb\x1b[0m")) == "ValueError: a b\\x1b[0m"
    assert len(in_words(ValueError("x" * 9999))) < 250
    assert in_words(Silent()) == "Silent: it cannot even be told"


def test_a_squad_has_two_steps_and_loses_none_by_splitting():
    game = Game(load("bunker-line"), 1)
    assert {entry.steps for entry in roster(game.scenario).values()} == {1, 2}
    split = next(order for order in game.orders() if order.verb == "split")
    game.play(split)
    unit = str(split).split()[1]
    assert game.state()["units"][unit]["steps"] == game.state()["units"][f"{unit}-b"]["steps"] == 1
    assert {one.steps for by_name in losses(game).values() for one in by_name.values()} == {0}
    game.position.steps[game.board.ids.index(unit)] = 0
    assert sum(one.steps for by_name in losses(game).values() for one in by_name.values()) == 1
