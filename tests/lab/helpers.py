"""Scenarios and players that the laboratory's tests share; worker processes import it with the scenario."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from hexengine.core.game import Game
from hexengine.core.orders import Order
from hexengine.core.scenario import Scenario
from hexengine.lab.batches import BatchResult
from hexengine.players import register
from hexengine.players.random import Random
from hexengine.record.game import UNDO
from tests import toy
from tests.toy.board import DRAW

ROOT = Path(__file__).parents[2]

ONE_TURN = toy.TEXT.replace("turns = 2", "turns = 1")

MARK = "HEXENGINE_TEST_MARK"
"""The environment variable with the folder in which players leave marks."""


def remake(text: str, name: str) -> Scenario:
    """What a worker makes the scenario with: it has imported this module then, and knows the players."""
    return replace(toy.scenario(name, text), remake=remake)


def small() -> Scenario:
    """Two turns, two against two: a game of about 30 orders."""
    return remake(toy.TEXT, "small")


def tiny() -> Scenario:
    """One turn."""
    return remake(ONE_TURN, "tiny")


class Odd(Random):
    """Plays at random until its fifth entry or later, then does something a player must not do."""

    name = "odd"

    def choose(self, game: Game, *, explain: bool = False) -> Any:
        return self.odd(game) if game.entry >= 5 else super().choose(game)

    def odd(self, game: Game) -> Any:
        raise NotImplementedError


class Raises(Odd):
    def odd(self, game: Game) -> Any:
        raise ValueError("no idea\nwhat to do")


class Exits(Odd):
    def odd(self, game: Game) -> Any:
        raise SystemExit(3)


class Illegal(Odd):
    def odd(self, game: Game) -> Order:
        return DRAW if DRAW not in game.orders() else toy.scenario().board.moves[0][0]


class Nothing(Odd):
    def odd(self, game: Game) -> Any:
        return None


class Undoes(Odd):
    def odd(self, game: Game) -> Order:
        return UNDO


class Dies(Random):
    """Ends its process in every game whose seed is divisible by 5."""

    name = "dies"

    def choose(self, game: Game, *, explain: bool = False) -> Any:
        if self.seed % 5 == 0:
            os._exit(1)
        return super().choose(game)


class DiesAtOnce(Random):
    """Ends its process whenever it is asked."""

    name = "dies-at-once"

    def choose(self, game: Game, *, explain: bool = False) -> Any:
        os._exit(1)


class DiesOnce(Random):
    """Ends its process the first time that it is asked for a game of an even seed, all processes together."""

    name = "dies-once"

    def choose(self, game: Game, *, explain: bool = False) -> Any:
        if self.seed % 2 == 0:
            try:
                Path(os.environ[MARK], "died").touch(exist_ok=False)
            except FileExistsError:
                pass
            else:
                os._exit(1)
        return super().choose(game)


class Counts(Random):
    """Leaves a mark for every game it is asked in."""

    name = "counts"

    def choose(self, game: Game, *, explain: bool = False) -> Any:
        Path(os.environ[MARK], str(self.seed)).touch()
        return super().choose(game)


class Slow(Random):
    """Takes a millisecond for every order."""

    name = "slow"

    def choose(self, game: Game, *, explain: bool = False) -> Any:
        time.sleep(0.001)
        return super().choose(game)


class Cannot:
    """A player that cannot be made."""

    def __init__(self, seed: int = 0) -> None:
        raise OSError("the model is missing")


PLAYERS = {
    "raises": Raises,
    "exits": Exits,
    "illegal": Illegal,
    "nothing": Nothing,
    "undoes": Undoes,
    "dies": Dies,
    "dies-at-once": DiesAtOnce,
    "dies-once": DiesOnce,
    "counts": Counts,
    "slow": Slow,
    "cannot": Cannot,
}

for name, factory in PLAYERS.items():
    register(name, factory)


def document(result: BatchResult) -> dict[str, Any]:
    """Its JSON without the one thing in which runs may differ."""
    return {**result.as_json(), "seconds": 0}


def child(
    hash_seed: str = "random", stdout: Any = subprocess.PIPE, **arguments: Any
) -> subprocess.Popen[str]:
    """A batch in another process, in a group of its own; see child.py."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.lab.child", json.dumps(arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": hash_seed},
        text=True,
        stdout=stdout,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
