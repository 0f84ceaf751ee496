"""Random games by the thousand: no exception, no broken invariant, no endless game, logs that verify.

    python benchmarks/soak.py --games 1000 --seed 1 --verify 10 --check 20

Game ``k`` is played on the scenarios in turn with a seed made from ``--seed`` and ``k``.  Every
``--check``-th game is held against its system's invariants after each order; every ``--verify``-th
is written as a log and replayed with all digests compared.  A fault is printed with its scenario
and seed and ends the run with exit code 1.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import hexengine as hx
from hexengine.content.resources import shipped_scenarios
from hexengine.core.game import Game as PlainGame
from hexengine.testing import hooks

MOST_ORDERS = 20_000


def play(game: PlainGame, player: hx.player, check: bool) -> int:
    """Play a game to its end; the number of orders."""
    orders = 0
    while game.decision:
        game.play(player.choose(game))
        orders += 1
        if check:
            hooks.invariants(game.system, game.position)
        if orders > MOST_ORDERS:
            raise AssertionError(f"no end after {orders} orders")
    assert game.result is not None, "a game without decisions has a result"
    return orders


def main() -> int:
    """Run, and report; 1 if a game failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", type=int, default=20)
    parser.add_argument("--verify", type=int, default=10)
    parser.add_argument("--player", default="random")
    parser.add_argument("--scenario", action="append")
    wanted = parser.parse_args()
    names = wanted.scenario or [one.name for one in shipped_scenarios() if not one.tiny]
    scenarios = [hx.load(name) for name in names]
    started = time.perf_counter()
    orders = verified = checked = 0
    for number in range(wanted.games):
        scenario = scenarios[number % len(scenarios)]
        seed = wanted.seed * 1_000_000 + number
        check = bool(wanted.check) and number % wanted.check == 0
        verify = bool(wanted.verify) and number % wanted.verify == 0
        player = hx.player(wanted.player, seed=seed)
        try:
            if verify:
                orders += verify_game(scenario, seed, player, check)
                verified += 1
            else:
                orders += play(PlainGame(scenario, seed, events=False), player, check)
            checked += check
        except Exception as error:
            print(f"{scenario.name}, seed {seed}: {type(error).__name__}: {error}", flush=True)
            raise
        if (number + 1) % 1000 == 0:
            print(f"{number + 1} games, {time.perf_counter() - started:.0f} s", flush=True)
    seconds = time.perf_counter() - started
    print(
        f"{wanted.games} games of {', '.join(names)}: {orders} orders, {checked} checked after each order, "
        f"{verified} verified by replay, {seconds:.0f} s, no fault"
    )
    return 0


def verify_game(scenario: hx.Scenario, seed: int, player: hx.player, check: bool) -> int:
    """Play a game with its log, and replay the log; the number of orders."""
    game = hx.Game(scenario, seed=seed, events=False)
    orders = play(game, player, check)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        game.log.save(path)
        again = hx.replay(path, verify=True)
    assert again.digest == game.digest, "the replay ends elsewhere"
    return orders


if __name__ == "__main__":
    sys.exit(main())
