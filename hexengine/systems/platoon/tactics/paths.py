"""Distances over the empty map, for judging where to go: worked out once and kept."""

from __future__ import annotations

from typing import NamedTuple

from hexengine.hexes.reach import Reach, reach
from hexengine.systems.platoon.board import CLASSES, Board

FAR = 400
"""Half MP that stand for "out of reach" in rows of distances."""

KEPT = 1_000_000
"""Hexes in all rows of a kind that are kept, so that a huge map cannot eat the memory."""


class Ahead(NamedTuple):
    """The hexes that can be reached from one, the start first, by cost; their costs; and the ways."""

    hexes: list[int]
    costs: list[int]
    ways: Reach | None
    paths: dict[int, list[int]]
    """The ways that are known already."""
    last: list[int]
    """The place in ``hexes`` of the hex before each on its way, once that was asked for."""

    def before(self) -> list[int]:
        """For each hex, by its place in ``hexes``, the place of the one before it on the way (start: 0)."""
        if not self.last:
            places = {place: number for number, place in enumerate(self.hexes)}
            start = self.hexes[0]
            self.last.append(0)
            for place in self.hexes[1:]:
                path = self.path(place)
                self.last.append(places[path[-2] if len(path) > 1 else start])
        return self.last

    def path(self, place: int) -> list[int]:
        """The way to a hex, the start left out."""
        found = self.paths.get(place)
        if found is None:
            assert self.ways is not None, "without a search all ways are known"
            found = self.paths[place] = self.ways.path_to(place)[1:]
        return found


class Paths:
    """Distances over the empty map, each worked out when first asked for."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._forward: dict[tuple[int, int], Ahead] = {}
        self._towards: dict[tuple[int, int], list[int]] = {}
        self._backward: list[list[tuple[tuple[int, int], ...]] | None] = [None] * len(CLASSES)
        self._most = [
            max(
                (board.allowance[unit] for unit in range(board.count) if board.mobility[unit] == number),
                default=0,
            )
            for number in range(len(CLASSES))
        ]

    def ahead(self, mobility: int, start: int) -> Ahead:
        """What one activation's MP reach from a hex."""
        found = self._forward.get((mobility, start))
        if found is None:
            if len(self._forward) * self.board.size > KEPT:
                self._forward.clear()
            ways = reach(self.board.map.steps(CLASSES[mobility]), start, self._most[mobility])
            found = self._forward[mobility, start] = Ahead(
                list(ways.costs), list(ways.costs.values()), ways, {}, []
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

    def _reversed(self, mobility: int) -> list[tuple[tuple[int, int], ...]]:
        known = self._backward[mobility]
        if known is None:
            lists: list[list[tuple[int, int]]] = [[] for _ in range(self.board.size)]
            for here, steps in enumerate(self.board.map.steps(CLASSES[mobility])):
                for there, cost in steps:
                    lists[there].append((here, cost))
            known = self._backward[mobility] = [tuple(steps) for steps in lists]
        return known
