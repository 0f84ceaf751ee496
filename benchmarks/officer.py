"""Whole games of the officer on the standard load: how fast, and how often it wins.

``python -m benchmarks.officer [GAMES] [SCENARIO ...]`` plays GAMES games (20) of each match-up and
prints games a second, the same against a calibration loop that runs between the games, and win shares.
As many games go before and do not count, as in ``benchmarks.games``: what a map tells is found out once.

The loop is plain Python that takes 4 ms on a core of 2023 with nothing else to do; on a slower or
busier machine it takes longer, and so do the games.  "At rest" is what the games would then make.
"""

from __future__ import annotations

import sys
from collections import Counter
from time import process_time
from typing import NamedTuple

import hexengine as hx
from benchmarks.calibration import REST, calibrate
from hexengine.core.game import Game
from hexengine.core.scenario import Scenario

SCENARIO = "bench"
MATCHES = (("officer", "officer"), ("officer", "random"), ("random", "officer"), ("random", "random"))


class Result(NamedTuple):
    """One match-up: seconds and orders of all games, wins by side (None: draws), seconds of one loop."""

    games: int
    seconds: float
    orders: int
    wins: Counter[str | None]
    loop: float


def play(scenario: Scenario, players: tuple[str, str], games: int, first: int = 0) -> Result:
    """Games of two players, seeds from ``first`` on, with the calibration loop between them."""
    seats = {
        side: hx.player(name, seed=number)
        for number, (side, name) in enumerate(zip(scenario.sides, players, strict=True))
    }
    wins: Counter[str | None] = Counter()
    seconds = loops = 0.0
    orders = 0
    for seed in range(first, first + games):
        loops += calibrate()
        began = process_time()
        game = Game(scenario, seed, events=False)
        while (decision := game.decision) is not None:
            game.play(seats[decision.side].choose(game))
        seconds += process_time() - began
        orders += game.entry
        result = game.result
        assert result is not None, "the game is over"
        wins[result["winner"]] += 1
    return Result(games, seconds, orders, wins, loops / games)


def line(scenario: Scenario, players: tuple[str, str], result: Result) -> str:
    """A result in one line."""
    rate = result.games / result.seconds
    shares = ", ".join(
        f"{side or 'draws'} {100 * result.wins[side] / result.games:.1f} %"
        for side in (*scenario.sides, None)
    )
    return (
        f"{scenario.name}: {' against '.join(players)}: {rate:.1f} games/s "
        f"({rate * result.loop / REST:.1f} at rest), {result.orders / result.games:.0f} orders a game; "
        f"{shares}"
    )


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    for name in sys.argv[2:] or [SCENARIO]:
        scenario = hx.load(name)
        for players in MATCHES:
            play(scenario, players, games)
            sys.stdout.write(line(scenario, players, play(scenario, players, games, 1000)) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
