"""Moving at the double (C2): twice the distance, by the straightest path, away from difficult ground and
enemies.

A path is legal (C2.6) if no other that may be walked is shorter and if it can be cut into straight legs
such that the team has a reason for each turn: a road, or that the straight leg past the turn is barred.
Among the shortest walkable paths those with the fewest turns always have their reasons, since a turn
without one could be left out. So the hexes in reach are those of a search, and the path offered is one with
the fewest turns.  A path wholly on road may be longer; it must be the shortest of that kind.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

from hexengine.core.errors import Refusal
from hexengine.mechanics.masks import units as hexes
from hexengine.mechanics.ways import Ways
from hexengine.systems.company.ground import CROSS, ROAD
from hexengine.systems.company.moving.reach import KEPT, Walker
from hexengine.systems.company.moving.walking import refuse_end
from hexengine.systems.company.position import CompanyPosition


class Stride(NamedTuple):
    """Where a team may come at the double, whoever stands there: the steps it may make (C2.4, C2.5), and
    those along a road; the hexes first reached with each number of steps, and along a road alone; all of
    them.
    """

    free: Ways
    road: Ways
    layers: list[int]
    on_road: list[int]
    found: int


class Doubler:
    """A team about to move at the double from where it stands."""

    def __init__(self, pos: CompanyPosition, unit: int) -> None:
        self.walker = Walker(pos, unit)
        self.pos = pos
        self.unit = unit
        self.start = pos.place[unit]
        self.ground = pos.board.ground
        self.grid = pos.board.grid
        self._stride: Stride | None = None
        self._legs: dict[tuple[int, int], list[int] | None] = {}
        """By both ends, the straight legs that were asked for."""
        self._paths: dict[tuple[int, int], list[int] | None] = {}
        """By end and number of legs, the shortest paths that were asked for."""

    def barred(self) -> bool:
        """Whether the team stands too close to an enemy to double at all (C2.5)."""
        board = self.pos.board
        if board.options.double_may_leave_standoff or not board.reaches.standoff:
            return False
        return bool(self.ground.disc(board.reaches.standoff - 1)[self.start] & self.walker.enemies)

    # -- steps ----------------------------------------------------------------------------------

    def stride(self) -> Stride:
        """Where the team may come; kept by everything that it depends on, as walker.reach is."""
        found = self._stride
        if found is None:
            known = self.ground.strides
            key = (self.start, self.walker.enemies, self.limit(CROSS), self.limit(ROAD))
            found = known.get(key)
            if found is None:
                if len(known) >= KEPT:
                    known.clear()
                found = known[key] = self._search()
            self._stride = found
        return found

    def _search(self) -> Stride:
        free, road = self._apart()
        layers = self.layers(free, self.limit(CROSS))
        on_road = self.layers(road, self.limit(ROAD))
        found = 0
        for layer in layers + on_road:
            found |= layer
        return Stride(free, road, layers, on_road, found)

    def _apart(self) -> tuple[Ways, Ways]:
        """The steps of a double, and of one along a road, with the enemies where they are (C2.5)."""
        ground, enemies = self.ground, self.walker.enemies
        found = ground.apart.get(enemies)
        if found is None:
            # A step must not lead nearer to any enemy that is closer than the stand-off after it.
            barred = ground.closing(enemies, self.pos.board.reaches.standoff)
            for step, mask in ground.every.into(enemies).items():
                barred[step] |= mask
            if len(ground.apart) >= KEPT:
                ground.apart.clear()
            found = ground.apart[enemies] = ground.free.without(barred), ground.road.without(barred)
        return found

    def free(self, place: int) -> int:
        """The steps that may be made at the double from a hex (C2.4, C2.5)."""
        return self.stride().free.spread(1 << place)

    def layers(self, ways: Ways, limit: int) -> list[int]:
        """The hexes first reached with each number of steps along some ways."""
        seen = frontier = 1 << self.start
        found = [frontier]
        for _ in range(limit):
            frontier = ways.spread(frontier) & ~seen
            if not frontier:
                break
            seen |= frontier
            found.append(frontier)
        return found

    def limit(self, column: int) -> int:
        """C2.1: twice the allowance."""
        board = self.pos.board
        return board.numbers.double_distance * board.allowance[self.unit][column] - self.walker.down

    def ends(self) -> int:
        """The mask of hexes that may be reached at the double."""
        if self.barred():
            return 0
        found = self.stride().found & ~(self.walker.crowded | 1 << self.start)
        return self.walker.homing(found) if self.pos.stray >> self.unit & 1 else found

    # -- lines and paths --------------------------------------------------------------------------

    def line(self, a: int, b: int) -> list[int] | None:
        """A straight leg that may be walked, without its first hex; None if all its lines are barred.

        All its hexes are touched by the segment between the two centres along more than a point.
        """
        touched = self.pos.board.sight.between(a, b) | 1 << b
        free = self.stride().free
        alive = [1 << a]
        for _ in range(self.grid.distance(a, b)):
            reached = free.spread(alive[-1]) & touched
            if not reached:
                return None
            alive.append(reached)
        return self._back(alive[1:-1], free, b) if alive[-1] >> b & 1 else None

    def _back(self, layers: list[int], ways: Ways, place: int) -> list[int]:
        """A way to a hex through layers, each time by the lowest hex."""
        way = [place]
        for layer in reversed(layers):
            to = way[-1]
            way.append(next(one for one in hexes(layer & self.ground.around[to]) if ways.leads(one, to)))
        return way[::-1]

    def path(self, place: int) -> list[int]:
        """The path to one of ``ends``: of the shortest one with the fewest turns; else the shortest on
        road.  Raises ValueError for a hex that is none of them.
        """
        found = self._straightest(place)
        if found is None:
            stride = self.stride()
            length = _first(stride.on_road, place)
            if length < 0:
                raise ValueError("the hex is not within reach")
            found = self._back(stride.on_road[1:length], stride.road, place)
        return found

    def _straightest(self, place: int) -> list[int] | None:
        """A shortest path with as few straight legs as there can be."""
        length = _first(self.stride().layers, place)
        if length < 0:
            return None
        for legs in range(1, length + 1):
            found = self._in_legs(length, place, legs)
            if found is not None:
                return found
        raise AssertionError("a leg of one step is straight")

    def _in_legs(self, length: int, place: int, legs: int) -> list[int] | None:
        """A path of some length in a number of straight legs, which turns as early and as low as it can."""
        if legs == 1:
            return self._leg(self.start, place) if length == self.grid.distance(self.start, place) else None
        if (place, legs) in self._paths:
            return self._paths[place, legs]
        layers, disc = self.stride().layers, self.ground.disc
        found = None
        for steps in range(legs - 1, length):
            # The last turn: as far from the end as there are steps left.
            turns = layers[steps] & disc(length - steps)[place] & ~disc(length - steps - 1)[place]
            for turn in hexes(turns):
                last = self._leg(turn, place)
                first = self._in_legs(steps, turn, legs - 1) if last is not None else None
                if first is not None and last is not None:
                    found = first + last
                    break
            if found is not None:
                break
        self._paths[place, legs] = found
        return found

    def _leg(self, a: int, b: int) -> list[int] | None:
        """The leg between two hexes, drawn once."""
        if (a, b) not in self._legs:
            self._legs[a, b] = self.line(a, b)
        return self._legs[a, b]

    # -- the judge ----------------------------------------------------------------------------------

    def straightest(self, path: tuple[int, ...]) -> bool:
        """Whether a path that may be walked is a straightest one by the definition (C2.6)."""
        way = (self.start, *path)
        roads = [self.ground.is_road(a, b) for a, b in pairwise(way)]
        if all(roads):
            on_road = self.layers(self.stride().road, len(path))
            if on_road[-1] >> way[-1] & 1 and len(on_road) == len(path) + 1:
                return True
        shortest = self.layers(self.stride().free, len(path))
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


def _first(layers: list[int], place: int) -> int:
    """The number of the layer that has a hex, or -1."""
    for number, layer in enumerate(layers):
        if layer >> place & 1:
            return number
    return -1


def refuse(doubler: Doubler, place: int, path: tuple[int, ...]) -> Refusal | None:
    """Why a team may not move at the double to a hex, or along a named path."""
    board = doubler.pos.board
    facts: dict[str, Any] = {"unit": board.ids[doubler.unit], "hex": board.labels[place]}
    if place == doubler.start:
        return Refusal("C2.6", "comes-back", facts)
    if doubler.barred():
        return Refusal("C2.5", "standoff", {**facts, "hex": board.labels[doubler.start]})
    if not path:
        return None if doubler.ends() >> place & 1 else _refuse_place(doubler, place, facts)
    refusal = _refuse_steps(doubler, path) or refuse_end(doubler.walker, place)
    if refusal is not None:
        return refusal
    on_road = all(doubler.ground.is_road(a, b) for a, b in pairwise((doubler.start, *path)))
    allowance = doubler.limit(ROAD if on_road else CROSS)
    if len(path) > allowance:
        return Refusal("C2.1", "too-far", {**facts, "steps": len(path), "allowance": allowance})
    if not doubler.straightest(path):
        return Refusal("C2.6", "not-straightest", facts)
    return None


def _refuse_place(doubler: Doubler, place: int, facts: dict[str, Any]) -> Refusal:
    """Why no double leads to a hex: the team cannot stay there, or what bars the line, or it is too far."""
    stride, size = doubler.stride(), doubler.grid.size
    # As if the team could go on for ever: what it then comes to is only too far.
    column, steps = CROSS, _first(doubler.layers(stride.free, size), place)
    if steps < 0:
        column, steps = ROAD, _first(doubler.layers(stride.road, size), place)
    distance = doubler.grid.distance(doubler.start, place)
    found = None
    if steps >= 0:
        found = refuse_end(doubler.walker, place)
    elif distance <= max(doubler.limit(CROSS), doubler.limit(ROAD)):
        found = _refuse_steps(doubler, tuple(doubler.grid.line(doubler.start, place)[1:]))
    if found is not None:
        return found
    allowance = doubler.limit(column)
    return Refusal("C2.1", "too-far", {**facts, "steps": max(steps, distance), "allowance": allowance})


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
            if ground.walled(at, place) or not ground.free.leads(at, place):
                return Refusal("C8.9", "difficult-ground", facts)
        elif not ground.free.leads(at, place):
            return Refusal("C2.4", "difficult-ground", facts)
        if not doubler.stride().free.leads(at, place) and not doubler.stride().road.leads(at, place):
            return Refusal("C2.5", "standoff", facts)
        seen.add(place)
        at = place
    return None
