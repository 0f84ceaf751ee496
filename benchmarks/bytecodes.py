"""Bytecodes that one order takes: the same on every machine and at every load.

``python -m benchmarks.bytecodes [PLAYER] [SCENARIO] [--by]`` plays games that were played once
before (so that tables are filled), counts what the interpreter carries out, and prints the mean for
each kind of decision and order; ``--by`` prints the functions that take most of it instead.  The player
``plain`` chooses from all legal orders.  Time goes with it, by and large: use it to see whether a change
made play dearer where clocks are noisy.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from random import Random
from types import CodeType, FrameType
from typing import Any

import hexengine as hx
from hexengine.core.game import Game
from hexengine.core.orders import Order
from hexengine.core.scenario import Scenario

GAMES = range(100, 104)


class Count:
    """Bytecodes by function while it is on."""

    def __init__(self) -> None:
        self.by: Counter[CodeType] = Counter()

    def _trace(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "call":
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
        elif event == "opcode":
            self.by[frame.f_code] += 1
        return self._trace

    def __enter__(self) -> None:
        sys.settrace(self._trace)

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def total(self) -> int:
        """All bytecodes so far."""
        return sum(self.by.values())


def chooser(player: str, scenario: Scenario, seed: int) -> Callable[[Game], Order]:
    """What chooses the orders of a game."""
    if player == "plain":
        choice = Random(seed).choice
        return lambda game: choice(game.orders())
    seats = {side: hx.player(player, seed=seed) for side in scenario.sides}
    return lambda game: seats[game.decision.side].choose(game)  # type: ignore[union-attr]


def play(scenario: Scenario, player: str, count: Count | None) -> tuple[Counter[str], Counter[str]]:
    """The games: bytecodes and number by what was done (nothing is counted without ``count``)."""
    codes: Counter[str] = Counter()
    numbers: Counter[str] = Counter()
    for seed in GAMES:
        game = Game(scenario, seed, events=False)
        choose = chooser(player, scenario, seed)
        while (decision := game.decision) is not None:
            if count is None:
                game.play(choose(game))
                continue
            before = count.total()
            with count:
                order = choose(game)
            chosen = count.total()
            with count:
                game.play(order)
            for name, more in ((f"choose {decision.kind}", chosen - before),
                               (f"play {order.verb}", count.total() - chosen)):  # fmt: skip
                codes[name] += more
                numbers[name] += 1
    return codes, numbers


def main() -> None:
    named = [word for word in sys.argv[1:] if not word.startswith("--")]
    player, name = (*named, *("random", "bench")[len(named) :])[:2]
    scenario = hx.load(name)
    play(scenario, player, None)
    count = Count()
    codes, numbers = play(scenario, player, count)
    orders = sum(number for kind, number in numbers.items() if kind.startswith("play "))
    total = count.total()
    games = len(GAMES)
    rows = [f"{player}, {scenario.name}: {total / orders:.0f} bytecodes an order, "
            f"{orders / games:.0f} orders, {total / games / 1000:.0f} thousand a game"]  # fmt: skip
    if "--by" in sys.argv:
        rows += [
            f"{more / orders:9.1f} an order  {code.co_qualname}" for code, more in count.by.most_common(40)
        ]
    else:
        rows += [
            f"{codes[kind] / numbers[kind]:9.0f} each {codes[kind] / orders:9.0f} an order  {kind}"
            for kind in sorted(codes, key=codes.__getitem__, reverse=True)
        ]
    sys.stdout.write("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
