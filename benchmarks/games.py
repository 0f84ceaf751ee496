"""Whole games and orders a second on a standard load, in four ways, in one run.

``python -m benchmarks.games [SYSTEM] [GAMES] [ROUNDS]`` plays the load of a system (``platoon``, ``squad`` or
``company``) and prints one line for each:

* ``random``: the player of that name, who chooses an actor and then one of its orders;
* ``plain``: ``random.choice(game.orders())``, for which every legal order is listed;
* ``written down``: ``random`` with a digest and a line of a log for every order, as ``batch --logs`` does it;
* ``into a file``: the same as play at the terminal does it, each line handed to the operating system at once.

Every order is checked when it is played.  The four take turns, with a calibration loop between all games
(see calibration.py); the median of the rounds counts.  BEHIND games of each go before them and do not count:
in a long batch games find the lines of sight and the lists of moves that earlier ones have worked out, and so
do these.  "At rest" is the figure on a machine where that loop takes 4 ms.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import NamedTuple

from benchmarks.calibration import REST, calibrate
from benchmarks.loads import standard
from hexengine.core.game import Game
from hexengine.core.scenario import Scenario
from hexengine.players import player
from hexengine.record.game import Game as RecordedGame

BEHIND = 200
"""Games of each way that are played before any is measured."""

Goals = dict[str, tuple[int | None, int | None]]
GOALS: dict[str, Goals] = {
    "platoon": {"random": (150, None), "plain": (100, 65_000), "written down": (None, 35_000)},
    "squad": {"random": (80, None)},
    "company": {"random": (40, None)},
}
"""Games and orders a second that are wanted, by system and way."""


def play_factored(scenario: Scenario, seed: int) -> int:
    """A game of the player ``random`` against itself; returns its orders."""
    game = Game(scenario, seed, events=False)
    players = {side: player("random", seed=seed) for side in scenario.sides}
    while (decision := game.decision) is not None:
        game.play(players[decision.side].choose(game))
    return game.entry


def play_plain(scenario: Scenario, seed: int) -> int:
    """A game in which every order is chosen from all legal ones."""
    game = Game(scenario, seed, events=False)
    choose = random.Random(seed).choice
    while game.decision is not None:
        game.play(choose(game.orders()))
    return game.entry


def play_written(scenario: Scenario, seed: int) -> int:
    """A game that is written down when it is over, with the digests that were taken order by order."""
    game = RecordedGame(scenario, seed, events=False)
    players = {side: player("random", seed=seed) for side in scenario.sides}
    while (decision := game.decision) is not None:
        game.play(players[decision.side].choose(game))
        game.digest  # noqa: B018 - the log keeps it
    game.log.to_bytes()
    return game.entry


def play_into_a_file(scenario: Scenario, seed: int) -> int:
    """A game that is written into a file order by order."""
    game = RecordedGame(scenario, seed, events=False)
    players = {side: player("random", seed=seed) for side in scenario.sides}
    with TemporaryDirectory() as folder:
        game.record(Path(folder, "game.jsonl"), durable=False)
        while (decision := game.decision) is not None:
            game.play(players[decision.side].choose(game))
        game.close()
    return game.entry


WAYS: dict[str, Callable[[Scenario, int], int]] = {
    "random": play_factored,
    "plain": play_plain,
    "written down": play_written,
    "into a file": play_into_a_file,
}


class Row(NamedTuple):
    """Games and orders a second, the same at rest, and milliseconds of the calibration loop."""

    games: float
    orders: float
    games_at_rest: float
    orders_at_rest: float
    loop: float


def measure(scenario: Scenario, games: int, rounds: int) -> dict[str, Row]:
    """For each way the medians of some rounds of games."""
    found: dict[str, list[Row]] = {way: [] for way in WAYS}
    for play in WAYS.values():
        for seed in range(-BEHIND, 0):
            play(scenario, seed)
    for number in range(rounds):
        for way, play in WAYS.items():
            orders, seconds, loops = 0, 0.0, [calibrate()]
            for seed in range(number * games, number * games + games):
                began = process_time()
                orders += play(scenario, seed)
                seconds += process_time() - began
                loops.append(calibrate())
            loop = sum(loops) / len(loops)
            scale = loop / REST / seconds
            found[way].append(
                Row(games / seconds, orders / seconds, games * scale, orders * scale, loop * 1000)
            )
    return {way: Row(*(median(column) for column in zip(*rows, strict=True))) for way, rows in found.items()}


def main() -> None:
    words = sys.argv[1:]
    system = words.pop(0) if words and words[0] in GOALS else "platoon"
    given = [int(word) for word in words]
    games, rounds = (*given, *(20, 5)[len(given) :])
    for way, row in measure(standard(system), games, rounds).items():
        goals = GOALS[system].get(way, (None, None))
        wanted = [
            f"{number:,} {what}" for number, what in zip(goals, ("games", "orders"), strict=True) if number
        ]
        sys.stdout.write(
            f"{way}: {row.games:.0f} games, {row.orders:,.0f} orders a second; calibration {row.loop:.2f} "
            f"ms, at rest {row.games_at_rest:.0f} games, {row.orders_at_rest:,.0f} orders "
            f"(wanted: {', '.join(wanted) or 'nothing'})\n"
        )


if __name__ == "__main__":
    main()
