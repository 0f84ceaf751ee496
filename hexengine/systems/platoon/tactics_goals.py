"""What is to be won on the map, and who of a side sees to what.

All of it is settled by zones rather than hexes, so that a step changes it seldom.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from hexengine.mechanics.masks import units
from hexengine.systems.platoon.board import CLASSES, Board
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.tactics_paths import Paths, Zones
from hexengine.systems.platoon.tactics_worth import Worth

TAKE, KEEP, ATTACK, LEAVE = "take", "keep", "attack", "leave"

NEAR = 4
"""Hexes within which enemies count as defending an objective."""

ACTIVATIONS_A_TURN = 1.2
"""How often a formation acts in a turn, on the average of markers and of turns cut short."""

MOST_FOR_A_TASK = 5
"""Units that see to one objective at most."""

STAFF_MALUS = 0.5
"""Activations that a unit with an HQ must be nearer to an objective to be sent."""

WHEELS_MALUS = 0.3
"""Activations that a unit without infantry must be nearer to a hex to be left there."""

SITUATIONS_KEPT = 500


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


class _Situation(NamedTuple):
    """All that missions depend on: nothing else may be asked of a position."""

    side: int
    turn: int
    standing: int
    """Units on the map that are not carried."""
    disrupted: int
    """Of this side."""
    carriers: int
    """Units that carry somebody."""
    owners: tuple[int, ...]
    """For each objective who controls it."""
    zones: tuple[int, ...]
    """For each unit the zone it is in."""


class Orders(NamedTuple):
    """The tasks of a side, the most valuable first, and the missions of its units."""

    tasks: list[Task]
    missions: dict[int, Mission]


class Goals:
    """The objectives of one board, and the missions of a side's units."""

    def __init__(self, board: Board, worth: Worth, paths: Paths) -> None:
        self.board = board
        self.worth = worth
        self.objectives = sorted(
            {place for goal in board.goals if goal.kind == "hold" for place in goal.hexes}
        )
        self.zones = Zones(board, paths, self.objectives)
        self._used = [number for number in range(len(CLASSES)) if number in board.mobility]
        self._pace = [1 / (allowance or 1) for allowance in board.allowance]
        self._exits = [
            [(place, 100 * goal.points) for goal in board.goals if goal.kind == "exit" and goal.side == side
             for place in goal.hexes]
            for side in (0, 1)
        ]  # fmt: skip
        self._known: dict[_Situation, Orders] = {}
        self._task_lists: dict[tuple[Any, ...], list[Task]] = {}
        self._values: dict[int, list[tuple[int, int]]] = {}

    def orders(self, pos: PlatoonPosition, side: int) -> Orders:
        """Who sees to what; passengers share their carrier's mission."""
        control, carriers = pos.control, 0
        for rider in units(pos.carried):
            carriers |= 1 << pos.carrier[rider]
        situation = _Situation(
            side,
            pos.turn,
            pos.placed & ~pos.carried,
            pos.disrupted & self.board.side_units[side],
            carriers,
            tuple([control[place] for place in self.objectives]),
            tuple(map(self.zones.of.__getitem__, pos.hex)),
        )
        found = self._known.get(situation)
        if found is None:
            if len(self._known) >= SITUATIONS_KEPT:
                self._known.clear()
            tasks = self._tasks(situation)
            found = self._known[situation] = Orders(tasks, self._missions(situation, tasks))
        return found

    # -- tasks ----------------------------------------------------------------------------------

    def _worths(self, turn: int) -> list[tuple[int, int]]:
        """For each objective what control of it still brings each side, in hundredths of a point."""
        found = self._values.get(turn)
        if found is None:
            found = self._values[turn] = [self._value(place, turn) for place in self.objectives]
        return found

    def _value(self, place: int, turn: int) -> tuple[int, int]:
        found = [0, 0]
        for goal in self.board.goals:
            if goal.kind == "hold" and place in goal.hexes:
                value = 100 * goal.points * (self.board.turns - turn + 1 if goal.each_turn else 1)
                if goal.at_least:
                    value //= goal.at_least
                if goal.wins:
                    value += max(self.worth.stakes, 300) // max(1, goal.at_least or len(goal.hexes))
                found[goal.side] += value
        return found[0], found[1]

    def _tasks(self, situation: _Situation) -> list[Task]:
        side, zones = situation.side, situation.zones
        enemies = units(situation.standing & self.board.shooters[1 - side])
        there = [zones[enemy] for enemy in enemies]
        key = (side, situation.turn, situation.owners, enemies, *there)
        found = self._task_lists.get(key)
        if found is None:
            if len(self._task_lists) >= SITUATIONS_KEPT:
                self._task_lists.clear()
            found = self._task_lists[key] = self._task_list(situation, enemies, there)
        return found

    def _task_list(self, situation: _Situation, enemies: tuple[int, ...], there: list[int]) -> list[Task]:
        side = situation.side
        places = [self.zones.centres[zone] for zone in there]
        found: list[Task] = []
        for place, owner, values in zip(
            self.objectives, situation.owners, self._worths(situation.turn), strict=True
        ):
            mine, theirs = values[side], values[1 - side]
            distances = self.board.grid.distances(place)
            near = len([1 for one in places if distances[one] <= NEAR])
            if owner != side + 1 and (mine or owner):
                value = mine + (theirs if owner else theirs // 2)
                if value:
                    found.append(Task(TAKE, place, value, min(MOST_FOR_A_TASK, 2 + near)))
            elif mine + theirs and (near or self._threatened(place, enemies, situation.zones)):
                found.append(Task(KEEP, place, mine + theirs, 2 if near else 1))
        found.sort(key=_most_first)
        return found

    def _threatened(self, place: int, enemies: tuple[int, ...], zones: tuple[int, ...]) -> bool:
        """Whether an enemy may come to a hex within two activations."""
        mobility, allowance = self.board.mobility, self.board.allowance
        for enemy in enemies:
            if mobility[enemy] >= 0:
                row = self.zones.towards(mobility[enemy], place)
                if row[zones[enemy]] <= 2 * allowance[enemy]:
                    return True
        return False

    # -- missions -------------------------------------------------------------------------------

    def _missions(self, situation: _Situation, tasks: list[Task]) -> dict[int, Mission]:
        board, zones = self.board, situation.zones
        left = (board.turns - situation.turn + 1) * ACTIVATIONS_A_TURN
        mobility, pace = board.mobility, self._pace
        mine = units(situation.standing & board.shooters[situation.side])
        free = [unit for unit in mine if mobility[unit] >= 0 and not situation.disrupted >> unit & 1]
        malus = self._malus(situation, free)
        found: dict[int, Mission] = {}
        for kind, place, value, number in tasks:
            if not free:
                break
            rows = {one: self.zones.towards(one, place) for one in self._used}
            more = malus[kind == KEEP]
            ranked = [(rows[mobility[unit]][zones[unit]] * pace[unit] + more[unit], unit) for unit in free]
            ranked.sort()
            mission = Mission(kind, place, value)
            for time, unit in ranked[:number]:
                if time <= left:
                    found[unit] = mission
                    free.remove(unit)
        if len(found) < len(mine):
            self._without_task(situation, [unit for unit in mine if unit not in found], found)
        return found

    def _malus(self, situation: _Situation, free: list[int]) -> tuple[dict[int, float], dict[int, float]]:
        """Activations that another unit may need more to be preferred: for any task, and to keep a hex."""
        board, zones = self.board, situation.zones
        foot = board.riders | situation.carriers
        staff = {zones[hq] for hq in units(situation.standing & board.hqs & board.side_units[situation.side])}
        any_task = {unit: STAFF_MALUS if zones[unit] in staff else 0.0 for unit in free}
        to_keep = {unit: more if foot >> unit & 1 else more + WHEELS_MALUS for unit, more in any_task.items()}
        return any_task, to_keep

    def _without_task(self, situation: _Situation, idle: list[int], found: dict[int, Mission]) -> None:
        """Units without a task leave the map where that scores, or go for the nearest enemy."""
        board, zones, centres = self.board, situation.zones, self.zones.centres
        left = (board.turns - situation.turn + 1) * ACTIVATIONS_A_TURN
        enemies = units(situation.standing & board.shooters[1 - situation.side])
        places = [centres[zones[enemy]] for enemy in enemies]
        nearest: dict[int, Mission] = {}
        for unit in idle:
            zone = zones[unit]
            if self._exits[situation.side]:
                time, place, value = min(self._ways_out(situation.side, unit, zone))
                if time <= left and (not enemies or left - time < 2):
                    found[unit] = Mission(LEAVE, place, value)
                    continue
            if not enemies or board.mobility[unit] < 0:
                continue
            if zone not in nearest:
                distances = board.grid.distances(centres[zone])
                _, enemy, place = min(zip([distances[one] for one in places], enemies, places, strict=True))
                nearest[zone] = Mission(ATTACK, place, self.worth.values[enemy][-1][0] // 2)
            found[unit] = nearest[zone]

    def _ways_out(self, side: int, unit: int, zone: int) -> list[tuple[float, int, int]]:
        """For each exit hex the activations that a unit needs to it, and what leaving there scores."""
        mobility, pace = self.board.mobility[unit], self._pace[unit]
        return [(self.zones.towards(mobility, place)[zone] * pace, place, value)
                for place, value in self._exits[side]]  # fmt: skip


def _most_first(task: Task) -> Any:
    return -task.value, task.hex
