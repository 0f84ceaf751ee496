"""What one decision costs, and how that grows with orders listed, with the map and with the units.

``python -m benchmarks.decision`` prints a line for each figure of the standard load: the cost of a decision
as a + b for each order listed (least squares over the decisions of a few games, each played several times
so that the least time of a step counts), one check, one copy and one digest of a position, its size, and
what an order costs on a map of 64 by 64 and with 80 units in place of 24.
"""

from __future__ import annotations

import random
import sys
from statistics import median
from time import perf_counter, process_time
from typing import Any, NamedTuple

from benchmarks.calibration import REST, calibrate
from benchmarks.games import play_factored
from benchmarks.loads import on_a_larger_map, standard, with_units
from hexengine.core.game import Game
from hexengine.core.position import Position
from hexengine.core.scenario import Scenario

GAMES = 4
REPEATS = 7


class Line(NamedTuple):
    """A straight line: microseconds at nothing, microseconds for each order listed."""

    start: float
    slope: float


def least_squares(points: list[tuple[int, float]]) -> Line:
    """The line that fits best."""
    count = len(points)
    mean_x = sum(x for x, _ in points) / count
    mean_y = sum(y for _, y in points) / count
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    return Line(mean_y - slope * mean_x, slope)


class Step(NamedTuple):
    """A decision of a game: orders listed, microseconds to list them, and to list, choose and play."""

    listed: int
    listing: float
    whole: float


def steps_of(scenario: Scenario, seed: int) -> list[Step]:
    """All decisions of a game played plainly, with the least times of several runs of the same game."""
    runs = []
    for _ in range(REPEATS):
        game = Game(scenario, seed, events=False)
        choose = random.Random(seed).choice
        run = []
        while game.decision is not None:
            began = perf_counter()
            orders = game.orders()
            listed = perf_counter()
            game.play(choose(orders))
            run.append(Step(len(orders), listed - began, perf_counter() - began))
        runs.append(run)
    return [
        Step(same[0].listed, min(one.listing for one in same) * 1e6, min(one.whole for one in same) * 1e6)
        for same in zip(*runs, strict=True)
    ]


def positions_of(scenario: Scenario, seed: int) -> list[Game]:
    """A game at every tenth decision."""
    game = Game(scenario, seed, events=False)
    choose = random.Random(seed).choice
    found = []
    while game.decision is not None:
        if not game.entry % 10:
            found.append(game.copy())
        game.play(choose(game.orders()))
    return found


def check_cost(games: list[Game]) -> float:
    """Microseconds to check an order, the mean over all legal orders of some positions."""
    best = float("inf")
    pairs = [(game.position, game.position.frames[-1].check, game.orders()) for game in games]
    count = sum(len(orders) for _, _, orders in pairs)
    for _ in range(REPEATS):
        began = perf_counter()
        for pos, check, orders in pairs:
            for order in orders:
                check(pos, order)
        best = min(best, perf_counter() - began)
    return best / count * 1e6


def position_cost(games: list[Game]) -> tuple[float, float]:
    """Microseconds to copy a position, and to take its digest."""
    copy = digest = float("inf")
    positions = [game.position for game in games]
    for _ in range(REPEATS * 3):
        began = perf_counter()
        for pos in positions:
            pos.copy()
        between = perf_counter()
        for pos in positions:
            pos.digest()
        copy, digest = min(copy, between - began), min(digest, perf_counter() - between)
    return copy / len(positions) * 1e6, digest / len(positions) * 1e6


def size_of(pos: Position) -> int:
    """Bytes of a position, the board that all positions share left out."""
    slots = {name for kind in type(pos).__mro__ for name in getattr(kind, "__slots__", ())}
    seen: set[int] = set()
    return sys.getsizeof(pos) + sum(
        _bytes(getattr(pos, name), seen)
        for name in sorted(slots - {"board", "_packer"})
        if hasattr(pos, name)
    )


def _bytes(value: Any, seen: set[int]) -> int:
    if id(value) in seen:
        return 0
    seen.add(id(value))
    inside = value if isinstance(value, list | tuple) else ()
    return sys.getsizeof(value) + sum(_bytes(each, seen) for each in inside)


def order_costs(scenarios: list[Scenario], games: int = 6, rounds: int = 5) -> list[float]:
    """Microseconds an order for each scenario, chosen by factors; the scenarios take turns."""
    found: list[list[float]] = [[] for _ in scenarios]
    for number in range(rounds):
        for scenario, costs in zip(scenarios, found, strict=True):
            began = process_time()
            orders = sum(play_factored(scenario, number * games + seed) for seed in range(games))
            costs.append((process_time() - began) / orders * 1e6)
    return [median(costs) for costs in found]


def lines_of(scenario: Scenario) -> tuple[Line, Line, float]:
    """The cost of a decision listed, chosen and played; that of listing it; the mean number listed."""
    steps = [step for seed in range(GAMES) for step in steps_of(scenario, seed)]
    whole = least_squares([(step.listed, step.whole) for step in steps])
    listing = least_squares([(step.listed, step.listing) for step in steps])
    return whole, listing, sum(step.listed for step in steps) / len(steps)


def main() -> None:
    write = sys.stdout.write
    scenario, large, many = standard(), on_a_larger_map(64, 64), with_units(80)
    loops = [calibrate()]
    whole, listing, mean = lines_of(scenario)
    loops.append(calibrate())
    write(
        f"one decision: {whole.start:.1f} us + {whole.slope:.2f} us an order listed, to list, choose and "
        f"play (wanted: 3 + 1); {listing.start:.1f} us + {listing.slope:.2f} us to list; "
        f"{mean:.1f} orders listed on average\n"
    )
    games = [game for seed in range(GAMES) for game in positions_of(scenario, seed)]
    copy, digest = position_cost(games)
    write(f"one check: {check_cost(games):.2f} us (wanted: 2.5)\n")
    size = max(size_of(game.position) for game in games)
    write(
        f"one position: copy {copy:.2f} us (wanted: 3), digest {digest:.2f} us, {size:,} bytes "
        "(wanted: 25,000)\n"
    )
    loops.append(calibrate())
    rest = REST / min(loops)
    write(f"calibration {min(loops) * 1000:.2f} ms: times at rest are {rest:.2f} of these\n")
    costs = order_costs([scenario, large, many])
    for other, cost, name, wanted in (
        (large, costs[1], "on 64x64 against 24x16", 1.3),
        (many, costs[2], "of 80 units against 24", 3),
    ):
        line, _, listed = lines_of(other)
        same = (line.start + line.slope * mean) / (whole.start + whole.slope * mean)
        write(
            f"an order {name}: {cost / costs[0]:.2f} times chosen by factors (wanted: {wanted}); "
            f"{same:.2f} times where {mean:.1f} are listed ({listed:.1f} on average)\n"
        )


if __name__ == "__main__":
    main()
