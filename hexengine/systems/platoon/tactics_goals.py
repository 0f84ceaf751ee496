"""What is to be won on the map, how far it is, and who of a side sees to what."""

from __future__ import annotations

from typing import NamedTuple

from hexengine.hexes.reach import Reach, reach
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.board import CLASSES, Board
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.tactics_foe import Foe
from hexengine.systems.platoon.tactics_worth import Worth

TAKE, KEEP, ATTACK, LEAVE, FETCH = "take", "keep", "attack", "leave", "fetch"

FAR = 400
"""Half MP that stand for "out of reach" in rows of distances."""

NEAR = 4
"""Hexes within which enemies count as defending an objective."""

ACTIVATIONS_A_TURN = 1.2
"""How often a formation acts in a turn, on the average of markers and of turns cut short."""


class Mission(NamedTuple):
    """What a unit is to see to: a hex, and what that is worth in hundredths of a point."""

    kind: str
    hex: int
    value: int


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
            max((board.allowance[unit] for unit in range(board.count) if board.mobility[unit] == number), default=0)
            for number in range(len(CLASSES))
        ]

    def ahead(self, mobility: int, start: int) -> Ahead:
        """What one activation's MP reach from a hex."""
        found = self._forward.get((mobility, start))
        if found is None:
            if len(self._forward) * self.board.size > 1_000_000:
                self._forward.clear()
            ways = reach(self.board.map.steps(CLASSES[mobility]), start, self._most[mobility])
            found = self._forward[mobility, start] = Ahead(list(ways.costs), list(ways.costs.values()), ways, {})
        return found

    def towards(self, mobility: int, goal: int) -> list[int]:
        """For each hex the half MP from it to a goal, FAR at most."""
        found = self._towards.get((mobility, goal))
        if found is None:
            if len(self._towards) * self.board.size > 1_000_000:
                self._towards.clear()
            costs = reach(self._reversed(mobility), goal, FAR).costs
            found = self._towards[mobility, goal] = [costs.get(place, FAR) for place in range(self.board.size)]
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


class Task(NamedTuple):
    """An objective as a side sees it now, and how many units it asks for."""

    kind: str
    hex: int
    value: int
    number: int


class Goals:
    """The objectives of one board, and the missions of a side's units."""

    def __init__(self, board: Board, worth: Worth, paths: Paths) -> None:
        self.board = board
        self.worth = worth
        self.paths = paths
        self._objectives = sorted({place for goal in board.goals if goal.kind == "hold" for place in goal.hexes})
        self._exits = [
            [(place, 100 * goal.points) for goal in board.goals if goal.kind == "exit" and goal.side == side
             for place in goal.hexes]
            for side in (0, 1)
        ]  # fmt: skip

    def values(self, pos: PlatoonPosition, place: int, side: int) -> tuple[int, int]:
        """What control of a hex still brings a side, and what it still brings the other."""
        board = self.board
        left = board.turns - pos.turn + 1
        found = [0, 0]
        for goal in board.goals:
            if goal.kind == "hold" and place in goal.hexes:
                value = 100 * goal.points * (left if goal.each_turn else 1)
                if goal.at_least:
                    value //= goal.at_least
                if goal.wins:
                    value += max(self.worth.stakes, 300) // max(1, goal.at_least or len(goal.hexes))
                found[goal.side] += value
        return found[side], found[1 - side]

    def tasks(self, pos: PlatoonPosition, side: int, foe: Foe) -> list[Task]:
        """What there is to see to, the most valuable first."""
        key = ("tasks", pos.turn, bytes(pos.control))
        found: list[Task] | None = foe.memo.get(key)
        if found is None:
            found = foe.memo[key] = self._tasks(pos, side, foe)
        return found

    def _tasks(self, pos: PlatoonPosition, side: int, foe: Foe) -> list[Task]:
        found: list[Task] = []
        for place in self._objectives:
            mine, theirs = self.values(pos, place, side)
            owner = pos.control[place]
            distances = self.board.grid.distances(place)
            near = sum(1 for enemy in foe.enemies if distances[enemy.hex] <= NEAR)
            if owner != side + 1 and (mine or owner):
                value = mine + (theirs if owner else theirs // 2)
                if value:
                    found.append(Task(TAKE, place, value, min(5, 2 + near)))
            elif mine + theirs and self._threatened(place, foe):
                found.append(Task(KEEP, place, mine + theirs, 2 if near else 1))
        found.sort(key=lambda task: (-task.value, task.hex))
        return found

    def _threatened(self, place: int, foe: Foe) -> bool:
        """Whether an enemy may come to a hex within two activations."""
        board = self.board
        for enemy in foe.enemies:
            mobility = board.mobility[enemy.unit]
            if mobility >= 0 and self.paths.towards(mobility, place)[enemy.hex] <= 2 * board.allowance[enemy.unit]:
                return True
        return False

    def missions(self, pos: PlatoonPosition, side: int, foe: Foe) -> dict[int, Mission]:
        """Who sees to what, by unit; passengers share their carrier's."""
        mine = pos.placed & self.board.shooters[side]
        where = pos.hex
        key = (
            "missions",
            pos.turn,
            mine,
            pos.carried & mine,
            pos.disrupted & mine,
            bytes(pos.control),
            tuple([where[unit] for unit in units(mine)]),
        )
        found: dict[int, Mission] | None = foe.memo.get(key)
        if found is None:
            found = foe.memo[key] = self._assign(pos, side, foe, mine)
        return found

    def _assign(self, pos: PlatoonPosition, side: int, foe: Foe, mine: int) -> dict[int, Mission]:
        board = self.board
        left = (board.turns - pos.turn + 1) * ACTIVATIONS_A_TURN
        free = [unit for unit in units(mine & ~pos.carried) if board.mobility[unit] >= 0]
        found: dict[int, Mission] = {}
        for kind, place, value, number in self.tasks(pos, side, foe):
            ranked: list[tuple[float, int]] = []
            for unit in free:
                if not pos.disrupted >> unit & 1:
                    time = self.paths.towards(board.mobility[unit], place)[pos.hex[unit]] / (board.allowance[unit] or 1)
                    if time <= left:
                        ranked.append((time + self._unfit(pos, unit, kind), unit))
            ranked.sort()
            for _, unit in ranked[:number]:
                found[unit] = Mission(kind, place, value)
                free.remove(unit)
        for unit in free:
            mission = self._otherwise(pos, side, unit, foe, left)
            if mission is not None:
                found[unit] = mission
        return found

    def _unfit(self, pos: PlatoonPosition, unit: int, kind: str) -> float:
        """Activations that another unit may need more to be preferred all the same."""
        board = self.board
        unfit = 0.0
        if kind == KEEP and not board.riders >> unit & 1 and not pos.passengers(unit):
            unfit += 0.3
        if pos.here[board.side[unit] * board.size + pos.hex[unit]] >= 16:
            unfit += 0.5
        return unfit

    def _otherwise(
        self, pos: PlatoonPosition, side: int, unit: int, foe: Foe, left: float
    ) -> Mission | None:
        """A unit without a task leaves the map where that scores, or goes for the nearest enemy."""
        board = self.board
        here, mobility = pos.hex[unit], board.mobility[unit]
        allowance = board.allowance[unit] or 1
        exits = [(self.paths.towards(mobility, place)[here], place, value) for place, value in self._exits[side]]
        if exits:
            cost, place, value = min(exits)
            if cost / allowance <= left and (not foe.enemies or left - cost / allowance < 2):
                return Mission(LEAVE, place, value)
        if foe.enemies:
            distances = board.grid.distances(here)
            enemy = min(foe.enemies, key=lambda enemy: (distances[enemy.hex], enemy.unit))
            return Mission(ATTACK, enemy.hex, 0)
        if exits:
            return Mission(LEAVE, *min(exits)[1:])
        return None
