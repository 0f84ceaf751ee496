"""Reachable set of 8 MP: bucket search on step tables against networkx, in one run.

``python -m benchmarks.reach`` prints one line a map size; the ratio is what counts.
"""

from __future__ import annotations

import random
import sys
from time import process_time

import networkx

from hexengine.hexes import Chart, Grid, HexMap, LineRow, SideRow, TerrainRow, reach

BUDGET = 16
"""8 MP in half MP."""

CHART = Chart(
    terrains=[
        TerrainRow("clear", {"tracked": 2}),
        TerrainRow("woods", {"tracked": 6}),
        TerrainRow("town", {"tracked": 4}),
        TerrainRow("lake", {"tracked": None}),
    ],
    sides=[SideRow("stream", {"tracked": 2}), SideRow("slope", {"tracked": 2}, uphill=True)],
    lines=[LineRow("road", {"tracked": 1}, crosses=("*",))],
    classes=["tracked"],
    slope="slope",
)


def random_map(columns: int, rows: int, seed: int) -> HexMap:
    """A mixed landscape: mostly clear, a quarter woods, some towns and lakes, hills, streams and roads."""
    chance = random.Random(seed)
    grid = Grid(columns, rows)
    terrain = chance.choices(range(4), (60, 25, 10, 5), k=grid.size)
    levels = chance.choices((0, 1), (80, 20), k=grid.size)
    sides, lines = {}, {}
    for here, around in enumerate(grid.neighbours):
        for there in around:
            if there > here:
                if chance.random() < 0.08:
                    sides[here, there] = ("stream",)
                if chance.random() < 0.10:
                    lines[here, there] = ("road",)
    return HexMap(grid, CHART, terrain, levels, sides, lines)


def measure(columns: int, rows: int, starts: int = 150, rounds: int = 9) -> tuple[float, float, float]:
    """Microseconds a search for networkx and for ours (best of several rounds), and mean hexes reached."""
    board = random_map(columns, rows, seed=1985)
    steps, graph = board.steps("tracked"), board.graph("tracked")
    chance = random.Random(7)
    hexes = [chance.randrange(board.grid.size) for _ in range(starts)]
    theirs = ours = float("inf")
    for _ in range(rounds):
        began = process_time()
        for start in hexes:
            networkx.single_source_dijkstra_path_length(graph, start, cutoff=BUDGET)
        between = process_time()
        for start in hexes:
            reach(steps, start, BUDGET)
        ended = process_time()
        theirs = min(theirs, between - began)
        ours = min(ours, ended - between)
    reached = sum(len(reach(steps, start, BUDGET)) for start in hexes)
    for start in hexes:
        expected = dict(networkx.single_source_dijkstra_path_length(graph, start, cutoff=BUDGET))
        assert reach(steps, start, BUDGET).costs == expected
    return theirs / starts * 1e6, ours / starts * 1e6, reached / starts


def main() -> None:
    for columns, rows in ((24, 16), (64, 64), (128, 128)):
        theirs, ours, reached = measure(columns, rows)
        sys.stdout.write(
            f"{columns}x{rows}: {reached:.0f} hexes reached; networkx {theirs:.0f} us, "
            f"reach {ours:.0f} us, ratio {theirs / ours:.2f}\n"
        )


if __name__ == "__main__":
    main()
