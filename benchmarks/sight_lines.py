"""Sight lines on the 24 by 16 map: looked up, cut from a known template, and cut for the first time.

``python -m benchmarks.sight_lines`` prints microseconds for each; lines are asked for in random order.
"""

from __future__ import annotations

import random
import sys
from time import process_time

from hexengine.hexes import Grid, SightLines


def measure(columns: int = 24, rows: int = 16, rounds: int = 5) -> tuple[float, float, float]:
    """Microseconds a line: looked up, from a template, and without one."""
    grid = Grid(columns, rows)
    chance = random.Random(1985)
    pairs = [(chance.randrange(grid.size), chance.randrange(grid.size)) for _ in range(40_000)]
    again = fresh = first = float("inf")
    for _ in range(rounds):
        # Lines away from one corner and from the other need every template once and no line twice.
        lines = SightLines(grid)
        corners = [(a, b) for a in (0, rows - 1) for b in range(grid.size)]
        first = min(first, ask(lines, corners))
        lines = SightLines(grid)
        for a in range(grid.size):
            lines.between(a, 0)
            lines.between(a, rows - 1)
            lines.between(0, a)
            lines.between(rows - 1, a)
        fresh = min(fresh, ask(lines, pairs))
        again = min(again, ask(lines, pairs))
    return again, fresh, first


def ask(lines: SightLines, pairs: list[tuple[int, int]]) -> float:
    """Microseconds a call over all pairs, the loop included."""
    between = lines.between
    began = process_time()
    for a, b in pairs:
        between(a, b)
    return (process_time() - began) / len(pairs) * 1e6


def main() -> None:
    again, fresh, first = measure()
    sys.stdout.write(
        f"a sight line: {again:.2f} us looked up ({1 / again:.1f} million a second), "
        f"{fresh:.2f} us from a template, {first:.2f} us the first of its kind\n"
    )


if __name__ == "__main__":
    main()
