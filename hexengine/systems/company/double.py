"""Moving at the double (C2): twice the distance, by the straightest path, away from difficult ground and
enemies.

A path is legal (C2.6) if no other that may be walked is shorter and if it can be cut into straight legs
such that the team has a reason for each turn: a road, or that the straight leg past the turn is barred.
Among the shortest walkable paths those with the fewest turns always have their reasons, since a turn
without one could be left out. So the hexes in reach are those of a search, and the path offered is one with
the fewest turns.  A path wholly on road may be longer; it must be the shortest of that kind.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from hexengine.core.errors import Refusal
from hexengine.mechanics.masks import units as hexes
from hexengine.systems.company.ground import CROSS, ROAD
from hexengine.systems.company.position import CompanyPosition
from hexengine.systems.company.reach import Walker
from hexengine.systems.company.walking import refuse_end

Steps = Callable[[int], int]


class Doubler:
    """A team about to move at the double from where it stands."""

    def __init__(self, pos: CompanyPosition, unit: int) -> None:
        board = pos.board
        self.walker = Walker(pos, unit)
        self.pos = pos
        self.unit = unit
        self.start = pos.place[unit]
        self.ground = board.ground
        self.grid = board.grid
        self.enemies = hexes(self.walker.enemies)
        near = board.ground.disc(board.reaches.standoff - 1) if board.reaches.standoff else None
        self.near = 0
        """Hexes closer to an enemy than the stand-off (C2.5)."""
        if near is not None:
            for place in self.enemies:
                self.near |= near[place]
        self.inside = bool(self.near >> self.start & 1)
        self.barred = self.inside and not board.options.double_may_leave_standoff

    # -- steps ----------------------------------------------------------------------------------

    def free(self, place: int) -> int:
        """The steps that may be made at the double from a hex (C2.4, C2.5)."""
        return self._off(place, self.ground.free[place])

    def road(self, place: int) -> int:
        """Those along a road."""
        return self._off(place, self.ground.road[place])

    def _off(self, place: int, steps: int) -> int:
        if not self.inside:
            return steps & ~self.near
        distance, standoff = self.grid.distance, self.pos.board.reaches.standoff
        for to in hexes(steps & self.near):
            for enemy in self.enemies:
                if distance(to, enemy) < min(standoff, distance(place, enemy)):
                    steps &= ~(1 << to)
                    break
        return steps & ~self.walker.enemies

    def layers(self, ways: list[int], limit: int) -> list[int]:
        """The hexes first reached with each number of steps along some ways."""
        seen = frontier = 1 << self.start
        found = [frontier]
        # Whoever starts off the stand-off is barred by the hexes within it alone.
        apart = ~self.near
        for _ in range(limit):
            reached = 0
            if self.inside:
                for place in hexes(frontier):
                    reached |= self._off(place, ways[place])
            else:
                for place in hexes(frontier):
                    reached |= ways[place]
                reached &= apart
            frontier = reached & ~seen
            if not frontier:
                break
            seen |= frontier
            found.append(frontier)
        return found

    def limit(self, column: int) -> int:
        """C2.1: twice the allowance."""
        return self.pos.board.numbers.double_distance * self.walker.allowance[column]

    def ends(self) -> int:
        """The mask of hexes that may be reached at the double."""
        if self.barred:
            return 0
        found = 0
        for layer in self.layers(self.ground.free, self.limit(CROSS)):
            found |= layer
        if self.ground.road[self.start] and self.limit(ROAD):
            for layer in self.layers(self.ground.road, self.limit(ROAD)):
                found |= layer
        return self.walker.homing(found & ~(self.walker.crowded | 1 << self.start))

    # -- lines and paths --------------------------------------------------------------------------

    def line(self, a: int, b: int) -> list[int] | None:
        """A straight leg that may be walked, without its first hex; None if all its lines are barred.

        All its hexes are touched by the segment between the two centres along more than a point.
        """
        length = self.grid.distance(a, b)
        touched = self.pos.board.sight.between(a, b) | 1 << b
        alive = [1 << a]
        for number in range(1, length + 1):
            reached = 0
            for place in hexes(alive[-1]):
                reached |= self.free(place)
            reached &= touched & self.ground.disc(number)[a] & ~self.ground.disc(number - 1)[a]
            if not reached:
                return None
            alive.append(reached)
        way = [b]
        for layer in alive[-2:0:-1]:
            way.append(next(place for place in hexes(layer) if self.free(place) >> way[-1] & 1))
        return way[::-1]

    def path(self, place: int) -> list[int]:
        """The path to one of ``ends``: of the shortest one with the fewest turns; else the shortest on
        road.
        """
        found = self._straightest(place)
        if found is None:
            found = self._shortest(self.layers(self.ground.road, self.limit(ROAD)), self.road, place)
        if found is None:
            raise ValueError("the hex is not within reach")
        return found

    @staticmethod
    def _shortest(layers: list[int], steps: Steps, place: int) -> list[int] | None:
        length = next((number for number, layer in enumerate(layers) if layer >> place & 1), -1)
        if length < 0:
            return None
        way = [place]
        for number in range(length - 1, 0, -1):
            way.append(next(one for one in hexes(layers[number]) if steps(one) >> way[-1] & 1))
        return way[::-1]

    def _straightest(self, place: int) -> list[int] | None:
        """Over hexes from which legs lead on along shortest paths, leg by leg."""
        layers = self.layers(self.ground.free, self.limit(CROSS))
        length = next((number for number, layer in enumerate(layers) if layer >> place & 1), -1)
        if length < 0:
            return None
        distance = self.grid.distance
        at = {
            one: number
            for number, layer in enumerate(layers[: length + 1])
            for one in hexes(layer)
            if number + distance(one, place) <= length
        }
        before: dict[int, tuple[int, list[int]]] = {}
        frontier, left = [self.start], [one for one in at if one != self.start]
        while place not in before:
            following = []
            for one in (place, *[other for other in left if other != place]):
                for origin in frontier:
                    if at[origin] + distance(origin, one) == at[one]:
                        leg = self.line(origin, one)
                        if leg is not None:
                            before[one] = (origin, leg)
                            following.append(one)
                            break
                if one == place and place in before:
                    break
            frontier = following
            left = [one for one in left if one not in before]
        way: list[int] = []
        while place != self.start:
            place, leg = before[place]
            way = leg + way
        return way

    # -- the judge ----------------------------------------------------------------------------------

    def straightest(self, path: tuple[int, ...]) -> bool:
        """Whether a path that may be walked is a straightest one by the definition (C2.6)."""
        way = (self.start, *path)
        roads = [self.ground.is_road(a, b) for a, b in pairwise(way)]
        if all(roads):
            on_road = self.layers(self.ground.road, len(path))
            if on_road[-1] >> way[-1] & 1 and len(on_road) == len(path) + 1:
                return True
        shortest = self.layers(self.ground.free, len(path))
        if len(shortest) <= len(path) or not shortest[len(path)] >> way[-1] & 1:
            return False
        return self._has_reasons(way, roads)

    def _has_reasons(self, way: tuple[int, ...], roads: list[bool]) -> bool:
        """Whether a path can be cut into straight legs with a reason for each turn between them."""
        last = len(way) - 1
        between = self.pos.board.sight.between

        def straight(i: int, j: int) -> bool:
            touched = between(way[i], way[j])
            inner = way[i + 1 : j]
            return self.grid.distance(way[i], way[j]) == j - i and all(touched >> one & 1 for one in inner)

        legs = [(0, j) for j in range(1, last + 1) if straight(0, j)]
        known = set(legs)
        while legs:
            i, j = legs.pop()
            if j == last:
                return True
            reason = roads[j - 1] or roads[j]
            for k in range(j + 1, last + 1):
                if (j, k) not in known and straight(j, k) and (reason or self.line(way[i], way[k]) is None):
                    known.add((j, k))
                    legs.append((j, k))
        return False


def refuse(doubler: Doubler, place: int, path: tuple[int, ...]) -> Refusal | None:
    """Why a team may not move at the double to a hex, or along a named path."""
    walker, pos = doubler.walker, doubler.pos
    board, ground = pos.board, doubler.ground
    facts: dict[str, Any] = {"unit": board.ids[doubler.unit], "hex": board.labels[place]}
    if place == doubler.start:
        return Refusal("C2.6", "comes-back", facts)
    if doubler.barred:
        return Refusal("C2.5", "standoff", {**facts, "hex": board.labels[doubler.start]})
    if not path and doubler.ends() >> place & 1:
        return None
    way = path or ground.grid.line(doubler.start, place)[1:]
    refusal = _refuse_steps(doubler, way)
    if refusal is not None:
        return refusal
    on_road = all(ground.is_road(a, b) for a, b in pairwise((doubler.start, *way)))
    allowance = doubler.limit(ROAD if on_road else CROSS)
    refusal = refuse_end(walker, place)
    if refusal is not None:
        return refusal
    if len(way) > allowance or not path:
        return Refusal("C2.1", "too-far", {**facts, "steps": len(way), "allowance": allowance})
    if not doubler.straightest(path):
        return Refusal("C2.6", "not-straightest", facts)
    return None


def _refuse_steps(doubler: Doubler, way: tuple[int, ...]) -> Refusal | None:
    board, ground = doubler.pos.board, doubler.ground
    at, seen = doubler.start, {doubler.start}
    for place in way:
        facts: dict[str, Any] = {"unit": board.ids[doubler.unit], "hex": board.labels[place]}
        if place not in ground.grid.neighbours[at]:
            return Refusal("C1.5", "not-adjacent", {**facts, "from": board.labels[at]})
        if place in seen:
            return Refusal("C2.6", "hex-twice", facts)
        if ground.building[place] >= 0 or ground.building[at] >= 0:
            if ground.walled(at, place) or not ground.free[at] >> place & 1:
                return Refusal("C8.9", "difficult-ground", facts)
        elif not ground.free[at] >> place & 1:
            return Refusal("C2.4", "difficult-ground", facts)
        if not doubler.free(at) >> place & 1 and not doubler.road(at) >> place & 1:
            return Refusal("C2.5", "standoff", facts)
        seen.add(place)
        at = place
    return None
