"""Random games, and their transcripts: the raw material of the kit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from random import Random
from typing import NamedTuple

from hexengine.core.events import Event
from hexengine.core.game import Game
from hexengine.core.orders import Chance, Order
from hexengine.core.scenario import Scenario

BOUND = 20_000
"""Orders after which a random game is taken to be endless."""


class Played(NamedTuple):
    """One order of a game: whose it was, its text, what chance decided, and the digest after it."""

    side: str
    order: str
    chance: tuple[Chance, ...]
    digest: str
    events: list[Event]


def choose(game: Game, random: Random) -> Order:
    """A random actor, then one of its orders; the game must not be over."""
    decision = game.decision
    assert decision is not None
    return random.choice(decision.orders(random.choice(decision.actors())))


def steps(game: Game, random: Random, bound: int = BOUND) -> Iterator[Played]:
    """Play a game at random to its end, an order a step.

    Raises AssertionError if it is not over after ``bound`` orders.
    """
    for _ in range(bound):
        decision = game.decision
        if decision is None:
            return
        side, order = decision.side, choose(game, random)
        events = game.play(order)
        yield Played(side, str(order), tuple(game.dice.used), game.digest, events)
    if game.decision is not None:
        raise AssertionError(f"the game is not over after {bound} orders: {game!r}")


def chooser(seed: int) -> Random:
    """The source of choices of a random game."""
    return Random(f"choices/{seed}")  # noqa: S311 - play, not secrets


def transcript(scenario: Scenario, seed: int = 1, bound: int = BOUND) -> list[str]:
    """A random game in words: a line an order, with its chance and digest, then its events narrated."""
    game = Game(scenario, seed)
    lines: list[str] = []
    for number, (side, order, chance, digest, events) in enumerate(
        steps(game, chooser(seed), bound), start=1
    ):
        lines.append(f"{number} {side} {order} [{' '.join(map(str, chance))}] {digest}")
        lines += [f"  {event.rule} {game.system.narrate(game.board, event)}" for event in events]
    lines.append(json.dumps(game.state(), ensure_ascii=False))
    return lines


def _elsewhere(task: str) -> None:
    """Write transcripts: what the other processes of :func:`transcripts_elsewhere` do."""
    factory, arguments, seed = json.loads(task)
    module, _, function = factory.partition(":")
    made = getattr(import_module(module), function)(*arguments)
    lines: list[str] = []
    for scenario in made if isinstance(made, list) else [made]:
        lines += transcript(scenario, seed)
    sys.stdout.buffer.write("\n".join(lines).encode("utf-8"))


def transcripts_elsewhere(
    factory: str,
    arguments: Sequence[str] = (),
    seed: int = 1,
    hash_seeds: Sequence[str] = ("0", "1", "random"),
) -> list[str]:
    """Transcripts of one game from new processes, one for each value of ``PYTHONHASHSEED``.

    ``factory`` names a function that gives the scenario, such as ``"hexengine:load"``, and
    ``arguments`` are its arguments.  Of a list of scenarios there is a game of each.  Raises
    AssertionError with what a process wrote if it fails.
    """
    code = "import sys; from hexengine.testing.playing import _elsewhere; _elsewhere(sys.argv[1])"
    command = [sys.executable, "-c", code, json.dumps([factory, list(arguments), seed])]
    found: list[str] = []
    for hash_seed in hash_seeds:
        path = os.pathsep.join(entry or "." for entry in sys.path)
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path}
        done = subprocess.run(command, env=environment, capture_output=True, check=False)  # noqa: S603
        if done.returncode:
            raise AssertionError(f"PYTHONHASHSEED={hash_seed}: {done.stderr.decode('utf-8', 'replace')}")
        found.append(done.stdout.decode("utf-8"))
    return found
