"""How often the interval of `balance` holds the truth, though it stops when it is narrow enough.

``python -m benchmarks.coverage [REPEATS] [WORKERS]`` prints

* for games that are tossed like coins, with and without draws and in pairs, and for several margins: in how
  many of 20,000 runs the 95 % interval at the end held the true share, and how many games they took;
* for the mirrored scenario, played by ``random`` against itself to a margin of 0.05: in how many of so many
  runs (100) the interval held one half; 93 are wanted.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from itertools import count
from time import perf_counter

import hexengine as hx
from hexengine.lab.balance import balance
from hexengine.lab.sequence import Z_LOOKS, looks
from hexengine.lab.statistics import share_of

RUNS = 20_000
WANTED = 93


def coin(share: float, draws: float = 0.0) -> Callable[[random.Random], float]:
    """A game: drawn with that chance, else won so often that the share is as given."""
    wins = share - draws / 2

    def toss(dice: random.Random) -> float:
        number = dice.random()
        return 1.0 if number < wins else 0.5 if number < wins + draws else 0.0

    return toss


def pair(one: float, two: float) -> Callable[[random.Random], float]:
    """Two games with shares of their own, as with players of unlike strength whose sides are swapped."""

    def toss(dice: random.Random) -> float:
        return ((dice.random() < one) + (dice.random() < two)) / 2

    return toss


def run(toss: Callable[[random.Random], float], margin: float, dice: random.Random, per: int) -> tuple:
    """The interval where `balance` would stop, and how many games there were; ``per`` games make a score."""
    scores: list[float] = []
    for games in looks(100_000):
        while len(scores) < games // per:
            scores.append(toss(dice))
        share = share_of(scores, Z_LOOKS)
        if share.half <= margin:
            return share, games
    raise AssertionError("it must end")


def tossed(runs: int) -> None:
    """Print what coins give."""
    cases = [
        (f"share {share:.0%}, draws {draws:.0%}", share, coin(share, draws), 1)
        for share, draws in ((0.5, 0), (0.5, 0.2), (0.6, 0), (0.7, 0.1), (0.8, 0), (0.9, 0), (0.97, 0))
    ]
    cases += [
        (f"pairs of {one:.0%} and {two:.0%}", (one + two) / 2, pair(one, two), 2)
        for one, two in ((0.5, 0.5), (0.8, 0.3), (0.98, 0.05))
    ]
    for margin in (0.1, 0.05):
        for name, truth, toss, per in cases:
            dice = random.Random(f"{name}/{margin}")
            held = games = 0
            number = max(200, int(runs * (margin / 0.1) ** 2))
            for _ in range(number):
                share, took = run(toss, margin, dice, per)
                held += share.low <= truth <= share.high
                games += took
            sys.stdout.write(
                f"margin {margin:g}, {name}: held in {held / number:.1%} of {number} runs, "
                f"{games / number:.0f} games each\n"
            )
            sys.stdout.flush()


def mirrored(repeats: int, workers: int) -> int:
    """In how many runs on the mirrored scenario the interval held one half."""
    scenario = hx.load("mirrored")
    held = games = 0
    began = perf_counter()
    for seed in count(1):
        if seed > repeats:
            break
        found = balance(scenario, ("random", "random"), margin=0.05, seed=seed, workers=workers)
        held += found.share.low <= 0.5 <= found.share.high
        games += found.games
    sys.stdout.write(
        f"mirrored, random against random, margin 0.05: held one half in {held} of {repeats} runs (wanted: "
        f"{WANTED} of 100), {games / repeats:.0f} games each, {perf_counter() - began:.0f} s\n"
    )
    return held


def main() -> None:
    repeats, workers = (*map(int, sys.argv[1:]), *(100, 1)[len(sys.argv) - 1 :])
    mirrored(repeats, workers)
    tossed(RUNS)


if __name__ == "__main__":
    main()
