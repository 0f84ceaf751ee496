"""Games, scenarios and players that the record's tests share."""

from __future__ import annotations

import dataclasses
import os
import random
import subprocess
import sys
from pathlib import Path

import msgspec

from hexengine.core.errors import ContentError, Problem
from hexengine.core.scenario import Scenario
from hexengine.record.formats import Wanted
from hexengine.record.game import Game
from tests.toy import TEXT, scenario

ROOT = Path(__file__).parents[2]

LONG = TEXT.replace("turns = 2", "turns = 12").replace('hex = "', 'steps = 9, hex = "')

FAR = """\
format = 1
system = "toy"
title = "Far apart"
turns = 40
sides = ["red", "blue"]
columns = 30
rows = 2
ends = 2
formation = [{ id = "reds", side = "red" }, { id = "blues", side = "blue" }]
unit = [
    { id = "r1", formation = "reds", hex = "0101" }, { id = "r2", formation = "reds", hex = "0301" },
    { id = "b1", formation = "blues", hex = "3001" }, { id = "b2", formation = "blues", hex = "2801" },
]
"""
"""Nobody meets anybody: moves roll nothing and are not answered."""


def long_scenario() -> Scenario:
    """A game of about 80 orders with draws, shots, reactions and rallies."""
    return scenario("long", LONG)


def far_scenario() -> Scenario:
    return scenario("far", FAR)


def shipped(found: Scenario) -> Scenario:
    """The same, as if it came with the program."""
    return dataclasses.replace(found, shipped=True)


KNOWN = {"toy": TEXT, "long": LONG, "far": FAR}


def find(wanted: Wanted) -> Scenario:
    """What the loader does for the whole package: the log's own text, or a known name."""
    if wanted.source is not None:
        return scenario(wanted.scenario, wanted.source)
    if wanted.scenario not in KNOWN:
        raise ContentError([Problem(wanted.scenario[:40], 0, 0, "no scenario is called that")])
    return shipped(scenario(wanted.scenario, KNOWN[wanted.scenario]))


def choose(game: Game, skill: int = 0) -> str:
    """An order by chance: a function of the seed, the side and the entry number alone."""
    decision = game.decision
    assert decision is not None
    dice = random.Random(f"{game.seed} {decision.side} {game.entry} {skill}")
    orders = decision.orders(dice.choice(decision.actors()))
    return str(dice.choice(orders))


def play_out(game: Game, orders: int = 10_000) -> Game:
    """Play on by chance, to the end or for so many orders."""
    while game.decision is not None and orders:
        game.play(choose(game))
        orders -= 1
    return game


def played(found: Scenario, seed: int, orders: int = 10_000) -> Game:
    return play_out(Game(found, seed, players=("one", "two")), orders)


def child(*args: str, hash_seed: str = "random") -> subprocess.Popen[str]:
    """Another Python with the tests' own helper program; see child.py."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.record.child", *args],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": hash_seed},
        text=True,
        stdout=subprocess.PIPE,
    )


def entry_lines(path: Path) -> list[dict[str, object]]:
    return [msgspec.json.decode(line) for line in path.read_bytes().splitlines()][1:]
