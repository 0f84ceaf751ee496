"""Distances over the empty map, for judging where to go: worked out once and kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

from hexengine.hexes.hexmap import Steps
from hexengine.hexes.reach import Reach, reach
from hexengine.mechanics.masks import reader
from hexengine.systems.platoon.board import Board

FAR = 400
"""Half MP that stand for "out of reach" in rows of distances."""

FAR_ENOUGH = 100
"""Hexes ahead that are considered, those that cost least: there is another choice after each step."""

KEPT = 1_000_000
"""Hexes in all rows of a kind that are kept, so that a huge map cannot eat the memory."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """The FAR_ENOUGH hexes that are reached first from one, itself leading; their costs; and the ways."""

    hexes: list[int]
    costs: list[int]
    read: Callable[[Sequence[int]], tuple[int, ...]]
    """What finds the numbers of these hexes in a column for the whole map."""
    ways: Reach | None
    paths: dict[int, list[int]]
    """The ways that are known already."""

    def path(self, place: int) -> list[int]:
        """The way to a hex, the start left out."""
        found = self.paths.get(place)
        if found is None:
            assert self.ways is not None, "without a search all ways are known"
            before = self.ways.came_from(place)
            found = self.paths[place] = [*self.path(before), place] if before >= 0 else []
        return found


class Paths:
    """Distances over the empty map, each worked out when first asked for."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._forward: dict[tuple[int, int], Ahead] = {}
        self._towards: dict[tuple[int, int], list[int]] = {}
        self._steps: dict[int, Steps] = {}
        self._backward: list[list[tuple[tuple[int, int], ...]] | None] = [None] * len(board.costs)
        self._most = [
            max(
                (board.allowance[unit] for unit in range(board.count) if board.mobility[unit] == number),
                default=0,
            )
            for number in range(len(board.costs))
        ]

    def ahead(self, mobility: int, start: int) -> Ahead:
        """What one activation's MP reach from a hex."""
        found = self._forward.get((mobility, start))
        if found is None:
            if len(self._forward) * self.board.size > KEPT:
                self._forward.clear()
            steps, most = self._steps_of(mobility), self._most[mobility]
            costs = dict(islice(reach(steps, start, most).costs.items(), FAR_ENOUGH))
            # The way to a hex leads through cheaper ones only, so it is among these.
            found = self._forward[mobility, start] = Ahead(
                list(costs),
                list(costs.values()),
                reader(list(costs)),
                Reach(steps, start, most, costs),
                {},
            )
        return found

    def towards(self, mobility: int, goal: int) -> list[int]:
        """For each hex the half MP from it to a goal, FAR at most."""
        found = self._towards.get((mobility, goal))
        if found is None:
            if len(self._towards) * self.board.size > KEPT:
                self._towards.clear()
            costs = reach(self._reversed(mobility), goal, FAR).costs
            found = self._towards[mobility, goal] = [
                costs.get(place, FAR) for place in range(self.board.size)
            ]
        return found

    def _steps_of(self, mobility: int) -> Steps:
        if mobility not in self._steps:
            self._steps[mobility] = self.board.steps(mobility)
        return self._steps[mobility]

    def _reversed(self, mobility: int) -> list[tuple[tuple[int, int], ...]]:
        known = self._backward[mobility]
        if known is None:
            lists: list[list[tuple[int, int]]] = [[] for _ in range(self.board.size)]
            for here, steps in enumerate(self._steps_of(mobility)):
                for there, cost in steps:
                    lists[there].append((here, cost))
            known = self._backward[mobility] = [tuple(steps) for steps in lists]
        return known
