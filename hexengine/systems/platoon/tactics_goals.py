"""What is to be won on the map, how far it is, and who of a side sees to what."""

from __future__ import annotations

from typing import NamedTuple

from hexengine.mechanics.masks import units
from hexengine.systems.platoon.board import CLASSES, Board
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.tactics_foe import Foe
from hexengine.systems.platoon.tactics_paths import Paths, Zones
from hexengine.systems.platoon.tactics_worth import Worth

TAKE, KEEP, ATTACK, LEAVE, FETCH = "take", "keep", "attack", "leave", "fetch"

NEAR = 4
"""Hexes within which enemies count as defending an objective."""

ACTIVATIONS_A_TURN = 1.2
"""How often a formation acts in a turn, on the average of markers and of turns cut short."""


class Mission(NamedTuple):
    """What a unit is to see to: a hex, and what that is worth in hundredths of a point."""

    kind: str
    hex: int
    value: int


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
        self._used = [number in board.mobility for number in range(len(CLASSES))]
        self._pace = [1 / (allowance or 1) for allowance in board.allowance]
        self._objectives = sorted({place for goal in board.goals if goal.kind == "hold" for place in goal.hexes})
        self.zones = Zones(board, paths, self._objectives)
        self._exits = [
            [(place, 100 * goal.points) for goal in board.goals if goal.kind == "exit" and goal.side == side
             for place in goal.hexes]
            for side in (0, 1)
        ]  # fmt: skip

    def owners(self, pos: PlatoonPosition) -> tuple[int, ...]:
        """Who controls each objective."""
        control = pos.control
        return tuple([control[place] for place in self._objectives])

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
        key = ("tasks", pos.turn, self.owners(pos))
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
        carried = pos.carried
        zones = tuple(map(self.zones.of.__getitem__, pos.hex))
        key = (
            "missions",
            pos.turn,
            pos.placed,
            pos.disrupted,
            carried,
            tuple([pos.carrier[unit] for unit in units(carried)]) if carried else (),
            self.owners(pos),
            zones,
        )
        found: dict[int, Mission] | None = foe.memo.get(key)
        if found is None:
            found = foe.memo[key] = self._assign(pos, side, foe, zones)
        return found

    # What follows must depend on nothing that is not in the key above.

    def _assign(
        self, pos: PlatoonPosition, side: int, foe: Foe, zones: tuple[int, ...]
    ) -> dict[int, Mission]:
        board = self.board
        left = (board.turns - pos.turn + 1) * ACTIVATIONS_A_TURN
        mobility, pace = board.mobility, self._pace
        mine = pos.placed & board.shooters[side] & ~pos.carried
        movers = [unit for unit in units(mine) if mobility[unit] >= 0]
        free = [unit for unit in movers if not pos.disrupted >> unit & 1]
        unfit = self._unfit(pos, side, free, zones)
        found: dict[int, Mission] = {}
        for kind, place, value, number in self.tasks(pos, side, foe):
            rows = [self.zones.towards(one, place) if used else [] for one, used in enumerate(self._used)]
            malus = unfit[kind == KEEP]
            ranked = [(rows[mobility[unit]][zones[unit]] * pace[unit] + malus[unit], unit) for unit in free]
            ranked.sort()
            mission = Mission(kind, place, value)
            for time, unit in ranked[:number]:
                if time <= left:
                    found[unit] = mission
                    free.remove(unit)
        for unit in movers:
            if unit not in found:
                other = self._otherwise(side, unit, foe, left, zones[unit])
                if other is not None:
                    found[unit] = other
        return found

    def _unfit(
        self, pos: PlatoonPosition, side: int, free: list[int], zones: tuple[int, ...]
    ) -> tuple[dict[int, float], dict[int, float]]:
        """Activations that another unit may need more to be preferred: for any task, and to keep a hex."""
        board = self.board
        riding = board.riders
        for rider in units(pos.carried):
            riding |= 1 << pos.carrier[rider]
        staffs = {zones[hq] for hq in units(pos.placed & board.hqs & board.side_units[side])}
        escorts = {unit: 0.5 if zones[unit] in staffs else 0.0 for unit in free}
        return escorts, {unit: malus + (0.0 if riding >> unit & 1 else 0.3) for unit, malus in escorts.items()}

    def _otherwise(self, side: int, unit: int, foe: Foe, left: float, zone: int) -> Mission | None:
        """A unit without a task leaves the map where that scores, or goes for the nearest enemy."""
        mobility, pace = self.board.mobility[unit], self._pace[unit]
        exits = [
            (self.zones.towards(mobility, place)[zone] * pace, place, value)
            for place, value in self._exits[side]
        ]
        if exits:
            time, place, value = min(exits)
            if time <= left and (not foe.enemies or left - time < 2):
                return Mission(LEAVE, place, value)
        if foe.enemies:
            distances = self.board.grid.distances(self.zones.centres[zone])
            nearest = min([(distances[enemy.hex], enemy.unit, enemy) for enemy in foe.enemies])[2]
            return Mission(ATTACK, nearest.hex, nearest.target.worth[2] // 2)
        return None
