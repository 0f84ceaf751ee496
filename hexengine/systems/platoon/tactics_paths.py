"""Distances over the empty map, for judging where to go: worked out once and kept."""

from __future__ import annotations

from typing import NamedTuple

from hexengine.hexes.reach import Reach, reach
from hexengine.systems.platoon.board import CLASSES, Board

FAR = 400
"""Half MP that stand for "out of reach" in rows of distances."""

KEPT = 1_000_000
"""Hexes in all rows of a kind that are kept, so that a huge map cannot eat the memory."""

ZONE = 4
"""Columns and rows of a zone."""


class Ahead(NamedTuple):
    """The hexes that can be reached from one, the start first, by cost; their costs; and the ways."""

    hexes: list[int]
    costs: list[int]
    ways: Reach | None
    paths: dict[int, list[int]]
    """The ways that are known already."""

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
                list(ways.costs), list(ways.costs.values()), ways, {}
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


class Zones:
    """The map in patches: who is to see to what is settled by patches, so that a step changes it seldom.

    Objectives are patches of their own.
    """

    def __init__(self, board: Board, paths: Paths, objectives: list[int]) -> None:
        self._paths = paths
        self._rows: dict[tuple[int, int], list[int]] = {}
        grid = board.grid
        numbers: dict[tuple[int, ...], int] = {}
        self.members: list[list[int]] = []
        """The hexes of each zone."""
        self.of: list[int] = []
        """The zone of each hex."""
        for place in range(board.size):
            column, row = grid.column_row(place)
            patch = (place,) if place in objectives else ((column - 1) // ZONE, (row - 1) // ZONE)
            zone = numbers.setdefault(patch, len(self.members))
            if zone == len(self.members):
                self.members.append([])
            self.members[zone].append(place)
            self.of.append(zone)
        self.centres = [self._centre(board, members) for members in self.members]
        """A hex in the middle of each zone, one that all may enter if there is one."""

    @staticmethod
    def _centre(board: Board, members: list[int]) -> int:
        costs = [row for row in board.entry_costs if row]
        open_ = [place for place in members if all(row[place] is not None for row in costs)] or members
        return open_[len(open_) // 2]

    def towards(self, mobility: int, goal: int) -> list[int]:
        """For each zone the half MP from its nearest hex to a goal, FAR at most."""
        found = self._rows.get((mobility, goal))
        if found is None:
            if len(self._rows) * len(self.members) > KEPT:
                self._rows.clear()
            row = self._paths.towards(mobility, goal)
            found = self._rows[mobility, goal] = [
                min([row[place] for place in zone]) for zone in self.members
            ]
        return found
