"""Who drives a game: players that fail are replaced, the log says so, and replays stay exact."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from hexengine.core.errors import HexEngineError
from hexengine.core.game import Game as PlainGame
from hexengine.players.budget import OverBudget, within
from hexengine.players.driver import Driver
from hexengine.players.random import Random
from hexengine.record.formats import Replaced
from hexengine.record.game import UNDO, Game
from hexengine.record.log import parse_log
from hexengine.record.replay import Replay
from hexengine.record.script import to_script
from hexengine.record.session import resume
from tests import toy


class Failing(Random):
    """Plays at random up to its fifth entry, then does what it is told to do."""

    name = "failing"

    def __init__(self, act):
        super().__init__(1)
        self.act = act

    def choose(self, game, *, explain=False):
        return self.act() if game.entry >= 5 else super().choose(game)


def raises():
    raise ValueError("no\nidea \x1b[1m")


def thinks_for_ever():
    while True:
        pass


def listens_to_nobody():
    while True:
        try:
            while True:
                pass
        except BaseException:
            if time.monotonic() > until[0]:
                raise


until = [0.0]

DEEDS = {
    "raises": (raises, "ValueError: no idea \\x1b[1m"),
    "exits": (lambda: exit(3), "SystemExit: 3"),
    "nothing": (lambda: None, "an order was wanted, not a NoneType"),
    "undoes": (lambda: UNDO, "an order was wanted, not undo"),
    "illegal": (lambda: toy.scenario().board.shots[0][0], "IllegalOrder: "),
    "for ever": (thinks_for_ever, "it thought longer than its budget of 0.05 s"),
    "deaf": (listens_to_nobody, "it thought longer than its budget of 0.05 s"),
    "late": (lambda: time.sleep(0.08), "it thought longer than its budget of 0.05 s"),
}


def driven(act, game, **settings):
    until[0] = time.monotonic() + 0.2
    players = {"red": Random(1), "blue": Failing(act)}
    driver = Driver(game, players, {"red": "random", "blue": "failing"}, **settings)
    while game.decision is not None:
        driver.play()
    return driver


@pytest.mark.parametrize("deed", DEEDS)
def test_who_fails_is_replaced_and_the_log_says_so_and_replays(deed):
    act, text = DEEDS[deed]
    told = []
    game = Game(toy.scenario(), 1, players=("random", "failing"))
    driver = driven(act, game, budget=0.05, tell=told.append)
    (fault,) = driver.faults
    assert told == [fault]
    assert (fault.side, fault.player) == ("blue", "failing")
    assert fault.text.startswith(text)
    assert set(game.stand_ins) == {"blue"}
    assert game.stand_ins["blue"] == Replaced("failing", "random", fault.text)
    log = parse_log(game.log.to_bytes(), Path("game.jsonl"))
    assert log.fault is None
    (entry,) = [entry for entry in log.entries if isinstance(entry.replaced, Replaced)]
    assert (entry.n, entry.by) == (fault.entry + 1, "blue")
    again = Replay(log, lambda _: toy.scenario()).run(verify=True)
    assert again.digest == game.digest
    assert again.stand_ins == game.stand_ins
    assert again.log.to_bytes() == game.log.to_bytes()
    assert f"# {entry.replaced}" in to_script(log)


def test_the_stand_in_plays_as_random_does():
    plain, game = PlainGame(toy.scenario(), 1), PlainGame(toy.scenario(), 1)
    driven(raises, game)
    players = {side: Random(1) for side in ("red", "blue")}
    while plain.decision is not None:
        plain.play(players[plain.decision.side].choose(plain))
    assert game.digest == plain.digest


def test_a_game_that_is_written_down_has_the_note_in_its_file(tmp_path):
    path = tmp_path / "game.jsonl"
    game = Game(toy.scenario(), 1, players=("random", "failing"))
    game.record(path)
    driver = driven(raises, game)
    game.close()
    data = path.read_bytes()
    assert data == game.log.to_bytes()
    assert data.count(b'"replaced":{"player":"failing","by":"random","reason":"ValueError') == 1
    again = resume(path, lambda _: toy.scenario())
    assert again.stand_ins["blue"].reason == driver.faults[0].text
    again.close()
    assert path.read_bytes() == data


def test_a_game_within_its_budget_is_the_one_without():
    game, free = Game(toy.scenario(), 3), Game(toy.scenario(), 3)
    for one, budget in ((game, 60.0), (free, None)):
        driver = Driver(one, {side: Random(3) for side in ("red", "blue")}, {}, budget=budget)
        while one.decision is not None:
            driver.play()
        assert not driver.faults
    assert game.log.to_bytes() == free.log.to_bytes()


def test_a_stand_in_that_fails_is_nobodys_fault(monkeypatch):
    monkeypatch.setattr(Random, "choose", lambda self, game, **_: None)
    game = PlainGame(toy.scenario(), 1)
    driver = Driver(game, {side: Random(1) for side in ("red", "blue")}, {"red": "r", "blue": "b"})
    with pytest.raises(HexEngineError, match="an order was wanted"):
        driver.play()


def test_nothing_interrupts_once_the_answer_is_there():
    """However near the end of the time it comes."""
    late = 0
    for number in range(60):
        pause = 0.004 + number % 6 * 0.0005
        began = time.perf_counter()

        def think(began=began, pause=pause):
            while time.perf_counter() - began < pause:
                pass
            return pause

        try:
            assert within(0.005, think) == pause
        except OverBudget:
            late += 1
        for _ in range(1000):
            pass
    assert late


def test_what_is_raised_in_time_is_raised():
    with pytest.raises(ValueError, match="idea"):
        within(5, raises)


def test_nobody_is_interrupted_before_the_thinking_begins(monkeypatch):
    """A thread may take longer to start than the whole budget."""
    start = threading.Thread.start

    def slow(thread):
        start(thread)
        until = time.perf_counter() + 0.03
        while time.perf_counter() < until:
            pass

    monkeypatch.setattr(threading.Thread, "start", slow)
    assert within(0.02, lambda: "at once") == "at once"


def test_no_watch_is_left_behind():
    for number in range(20):
        with suppress(OverBudget):
            within(0.001 * (number % 3 + 1), partial(time.sleep, 0.002))
    until = time.monotonic() + 10
    while watches() and time.monotonic() < until:
        time.sleep(0.01)
    assert not watches()


def watches():
    return [thread for thread in threading.enumerate() if "_watch" in thread.name]
