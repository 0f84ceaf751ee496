"""What is to be won on the map, and who of a side sees to what.

Tasks go to whoever is nearest, the most valuable task first, and "nearest" is measured as units
move: so a unit on its way to its task only comes nearer to it, and does not change its mind back
and forth.
"""

from __future__ import annotations

from itertools import compress, count
from operator import ne
from typing import Any, NamedTuple

from hexengine.mechanics.masks import reader, units
from hexengine.systems.platoon.board import Board
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.tactics.paths import KEPT, Paths
from hexengine.systems.platoon.tactics.worth import Worth

TAKE, KEEP, ATTACK, LEAVE = "take", "keep", "attack", "leave"

NEAR = 4
"""Hexes within which enemies count as defending an objective."""

SOON = 1.3
"""Activations within which an enemy threatens a hex that he might come to."""

ACTIVATIONS_A_TURN = 1.2
"""How often a formation acts in a turn, on the average of markers and of turns cut short."""

MOST_FOR_A_TASK = 5
"""Units that see to one objective at most."""

WHEELS_MALUS = 0.3
"""Activations that a unit without infantry must be nearer to a hex to be left there."""

LISTS_KEPT = 500

COUNT_BITS = 16
MOST_COUNTED = (1 << COUNT_BITS) - 1
"""The units that are counted for one objective, in an int for all of them."""


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
    hexes: tuple[int, ...]
    """For each unit the hex it is in."""
    underway: int
    """Units that have begun a move and not ended it: others that are as near go before them."""


class Assignment(NamedTuple):
    """A task, by pace and hex the activations that are needed to it, and the mission of who sees to it."""

    task: Task
    times: list[list[float]]
    mission: Mission


class Orders(NamedTuple):
    """The tasks of a side, the most valuable first, and the missions of its units."""

    tasks: list[Assignment]
    missions: dict[int, Mission]
    cuts: list[float]
    """For each task that was given out the activations beyond which a unit is too late for it."""


class Goals:
    """The objectives of one board, and the missions of a side's units."""

    def __init__(self, board: Board, worth: Worth, paths: Paths) -> None:
        self.board = board
        self.worth = worth
        self.paths = paths
        self.objectives = sorted(
            {place for goal in board.goals if goal.kind == "hold" for place in goal.hexes}
        )
        self._owners_of = reader(self.objectives)
        paces = sorted({(board.mobility[unit], board.allowance[unit]) for unit in range(board.count)})
        self._paces = [pace for pace in paces if pace[0] >= 0]
        """The movement classes and allowances that there are."""
        self._pace_of = [
            self._paces.index(pace) if pace[0] >= 0 else -1
            for pace in zip(board.mobility, board.allowance, strict=True)
        ]
        self._times: dict[int, list[list[float]]] = {}
        self._given: dict[tuple[int, int, str, int], Assignment] = {}
        self._close: list[int] = []
        self._soon: dict[int, list[int]] = {}
        self._pace = [1 / (allowance or 1) for allowance in board.allowance]
        self._exits = [
            [(place, 100 * goal.points) for goal in board.goals if goal.kind == "exit" and goal.side == side
             for place in goal.hexes]
            for side in (0, 1)
        ]  # fmt: skip
        self._known: list[tuple[_Situation, Orders] | None] = [None, None]
        self._lists: dict[tuple[Any, ...], list[Assignment]] = {}
        self._values: dict[int, list[tuple[int, int]]] = {}

    def orders(self, pos: PlatoonPosition, side: int) -> Orders:
        """Who sees to what; passengers share their carrier's mission."""
        carriers = 0
        if pos.carried:
            for rider in units(pos.carried):
                carriers |= 1 << pos.carrier[rider]
        situation = _Situation(
            side,
            pos.turn,
            pos.placed & ~pos.carried,
            pos.disrupted & self.board.side_units[side],
            carriers,
            self._owners_of(pos.control),
            tuple(pos.hex),
            pos.moved & ~pos.finished,
        )
        known = self._known[side]
        if known is not None and known[0] == situation:
            return known[1]
        orders = self._followed(*known, situation) if known is not None else None
        if orders is None:
            assignments = self._assignments(situation)
            orders = Orders(assignments, *self._missions(situation, assignments))
        self._known[side] = (situation, orders)
        return orders

    def _followed(self, before: _Situation, orders: Orders, now: _Situation) -> Orders | None:
        """The orders where units of this side only moved, as their missions bid; None if they may be others.

        Whoever comes nearer to his task keeps it, and whoever stays too far for the others gets none of
        them: so nobody else's mission changes either.
        """
        if before[:6] != now[:6]:
            return None
        changed = before.underway ^ now.underway
        for unit in compress(count(), map(ne, before.hexes, now.hexes)):
            changed |= 1 << unit
        shooters = self.board.shooters
        if changed & now.standing & shooters[1 - now.side]:
            return None
        idle = []
        for unit in units(changed & now.standing & shooters[now.side]):
            kept = self._kept_task(before, orders, now, unit)
            if kept is None:
                return None
            if not kept:
                idle.append(unit)
        if not idle:
            return orders
        missions = orders.missions.copy()
        for unit in idle:
            missions.pop(unit, None)
        self._without_task(now, idle, self._left(now.turn), missions)
        return orders._replace(missions=missions)

    def _kept_task(self, before: _Situation, orders: Orders, now: _Situation, unit: int) -> bool | None:
        """Whether a unit still has a task; None if it may have another one than before."""
        pace = self._pace_of[unit]
        if pace < 0 or (now.disrupted | self.board.air) >> unit & 1:
            return False
        here, mission = now.hexes[unit], orders.missions.get(unit)
        walks = (self.board.riders | now.carriers) >> unit & 1
        for (task, times, its), cut in zip(orders.tasks, orders.cuts, strict=False):
            time = times[pace][here]
            if its is mission:
                was = times[pace][before.hexes[unit]]
                sets_out = now.underway & ~before.underway
                return True if time < was or (time == was and not sets_out >> unit & 1) else None
            if task.kind == KEEP and not walks:
                time += WHEELS_MALUS
            if time <= cut:
                return None
        return False

    # -- tasks ----------------------------------------------------------------------------------

    def worths(self, turn: int) -> list[tuple[int, int]]:
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

    def _assignments(self, situation: _Situation) -> list[Assignment]:
        side, hexes = situation.side, situation.hexes
        # Helicopters hold no hexes, so they neither threaten nor defend any (P13.2).
        enemies = units(situation.standing & self.board.shooters[1 - side] & ~self.board.air)
        there = [hexes[enemy] for enemy in enemies]
        key = (side, situation.turn, situation.owners, enemies, *there)
        found = self._lists.get(key)
        if found is None:
            if len(self._lists) >= LISTS_KEPT:
                self._lists.clear()
            found = self._lists[key] = [
                self._given.get(task) or self._give(*task) for task in self._tasks(situation, enemies, there)
            ]
        return found

    def _give(self, minus: int, place: int, kind: str, number: int) -> Assignment:
        """A task as it is given out: one object for each, since the same ones come again and again."""
        times = self._needed(place)
        found = self._given[minus, place, kind, number] = Assignment(
            Task(kind, place, -minus, number), times, Mission(kind, place, -minus)
        )
        return found

    def _needed(self, goal: int) -> list[list[float]]:
        """By pace and hex the activations that are needed to a goal."""
        found = self._times.get(goal)
        if found is None:
            if len(self._times) * len(self._paces) * self.board.size > KEPT:
                self._times.clear()
                self._given.clear()
            found = self._times[goal] = []
            for mobility, allowance in self._paces:
                pace = 1 / (allowance or 1)
                found.append([cost * pace for cost in self.paths.towards(mobility, goal)])
        return found

    def _tasks(
        self, situation: _Situation, enemies: tuple[int, ...], there: list[int]
    ) -> list[tuple[int, int, str, int]]:
        """The tasks, the most valuable first: minus the value, hex, kind, and the units that it asks for."""
        side = situation.side
        found: list[tuple[int, int, str, int]] = []
        close = sum(map(self._closeness().__getitem__, there))
        threatened = self._threatened(enemies, there)
        for number, (place, owner, values) in enumerate(
            zip(self.objectives, situation.owners, self.worths(situation.turn), strict=True)
        ):
            mine, theirs = values[side], values[1 - side]
            near = close >> COUNT_BITS * number & MOST_COUNTED
            if owner != side + 1 and (mine or owner):
                value = mine + (theirs if owner else theirs // 2)
                if value:
                    found.append((-value, place, TAKE, min(MOST_FOR_A_TASK, 2 + near)))
            elif mine + theirs and (near or threatened >> number & 1):
                found.append((-mine - theirs, place, KEEP, 2 if near else 1))
        found.sort()
        return found

    def _closeness(self) -> list[int]:
        """For each hex the objectives that enemies there count as defending: 1 in the count of each.

        Added up over the enemies this gives how many defend each, COUNT_BITS an objective.
        """
        if not self._close:
            found = [0] * self.board.size
            for number, place in enumerate(self.objectives):
                for hex_, distance in enumerate(self.board.grid.distances(place)):
                    if distance <= NEAR:
                        found[hex_] |= 1 << COUNT_BITS * number
            self._close = found
        return self._close

    def _threatened(self, enemies: tuple[int, ...], there: list[int]) -> int:
        """The objectives, by number, that an enemy may soon come to."""
        pace, soon = self._pace_of, self._soon
        mask = 0
        for enemy, here in zip(enemies, there, strict=True):
            kind = pace[enemy]
            if kind >= 0:
                mask |= (soon.get(kind) or self._soon_at(kind))[here]
        return mask

    def _soon_at(self, kind: int) -> list[int]:
        """For each hex the objectives that a pace comes to from there soon."""
        found = self._soon[kind] = [0] * self.board.size
        for number, place in enumerate(self.objectives):
            for hex_, time in enumerate(self._needed(place)[kind]):
                if time <= SOON:
                    found[hex_] |= 1 << number
        return found

    # -- missions -------------------------------------------------------------------------------

    def _left(self, turn: int) -> float:
        """The activations that a formation may expect until the end of the game."""
        return (self.board.turns - turn + 1) * ACTIVATIONS_A_TURN

    def _missions(
        self, situation: _Situation, assignments: list[Assignment]
    ) -> tuple[dict[int, Mission], list[float]]:
        """By unit its mission, and the cuts of the tasks that were given out."""
        board, hexes = self.board, situation.hexes
        left = self._left(situation.turn)
        mine = units(situation.standing & board.shooters[situation.side])
        on_wheels = ~(board.riders | situation.carriers)
        ready = situation.standing & board.shooters[situation.side] & ~(situation.disrupted | board.air)
        # Of those that are equally near, who has begun to move comes last.
        pace = self._pace_of
        free = [
            (unit, pace[unit], hexes[unit], WHEELS_MALUS if on_wheels >> unit & 1 else 0.0)
            for unit in (*units(ready & ~situation.underway), *units(ready & situation.underway))
            if pace[unit] >= 0
        ]
        found: dict[int, Mission] = {}
        cuts: list[float] = []
        for task, times, mission in assignments:
            if not free:
                break
            if task.kind == KEEP:
                needed = [times[kind][here] + malus for _, kind, here, malus in free]
            else:
                needed = [times[kind][here] for _, kind, here, _ in free]
            nearest = sorted(range(len(free)), key=needed.__getitem__)[: task.number]
            cuts.append(min(left, needed[nearest[-1]]) if len(nearest) == task.number else left)
            going = [number for number in nearest if needed[number] <= left]
            if going:
                found.update([(free[number][0], mission) for number in going])
                free = [one for number, one in enumerate(free) if number not in going]
        if len(found) < len(mine):
            self._without_task(situation, [unit for unit in mine if unit not in found], left, found)
        return found, cuts

    def _without_task(
        self, situation: _Situation, idle: list[int], left: float, found: dict[int, Mission]
    ) -> None:
        """Units without a task leave the map where that scores, or go for the nearest enemy."""
        board, hexes = self.board, situation.hexes
        standing = situation.standing & board.shooters[1 - situation.side]
        enemies = units(standing & ~board.air or standing)
        places = [hexes[enemy] for enemy in enemies]
        for unit in idle:
            here = hexes[unit]
            if board.mobility[unit] < 0:
                continue
            if self._exits[situation.side]:
                time, place, value = min(self._ways_out(situation.side, unit, here))
                if time <= left and (not enemies or left - time < 2):
                    found[unit] = Mission(LEAVE, place, value)
                    continue
            if enemies:
                distances = board.grid.distances(here)
                _, enemy, place = min(zip([distances[one] for one in places], enemies, places, strict=True))
                found[unit] = Mission(ATTACK, place, self.worth.values[enemy][-1][0] // 2)

    def _ways_out(self, side: int, unit: int, here: int) -> list[tuple[float, int, int]]:
        """For each exit hex the activations that a unit needs to it, and what leaving there scores."""
        mobility, pace = self.board.mobility[unit], self._pace[unit]
        return [(self.paths.towards(mobility, place)[here] * pace, place, value)
                for place, value in self._exits[side]]  # fmt: skip
