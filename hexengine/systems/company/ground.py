"""The ground of one map (C1.5, C2.4, C6): columns of allowances, cover, buildings, and ways between hexes.

Columns of allowances are 0 (road), 1 (cross-country) and 2 (difficult ground).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from hexengine.hexes import HexMap, Side
from hexengine.hexes.coordinates import neighbours
from hexengine.mechanics.masks import units as hexes
from hexengine.mechanics.ways import Ways

if TYPE_CHECKING:
    from hexengine.systems.company.moving.double import Stride
    from hexengine.systems.company.moving.reach import Reach

ROAD, CROSS, DIFFICULT, IMPASSABLE = range(4)
"""Columns of allowances, and of ground that nobody enters."""
GOING_COLUMN = {
    "open": CROSS,
    "slow": DIFFICULT,
    "difficult": DIFFICULT,
    "very-difficult": DIFFICULT,
    "impassable": IMPASSABLE,
}
"""By going, the column that counts there."""
NO_CHECK, ONE_FAILS, SKILL_CHECK = range(3)
"""What a team throws to cross: nothing, the number that the tables set for all (``going``), or its skill."""
GOING_CHECK = {
    "open": NO_CHECK,
    "slow": NO_CHECK,
    "difficult": ONE_FAILS,
    "very-difficult": SKILL_CHECK,
    "impassable": NO_CHECK,
}
"""By going, the check that it takes."""


class HexGround(NamedTuple):
    """What the terrain of one hex means; see format.TerrainRow."""

    column: int
    check: int
    conceals: bool
    bulletproof: bool
    blocks: bool
    height: int
    water: bool
    building: bool


class SideGround(NamedTuple):
    """What the features of a hexside mean; see format.SideRow."""

    column: int
    check: int
    conceals: bool
    bulletproof: bool


class Opening(NamedTuple):
    """An opening in the wall between a room and the hex outside it; width in team bases (C6.3)."""

    inside: int
    outside: int
    kind: str
    floor: int
    width: int


OPEN_SIDE = SideGround(CROSS, NO_CHECK, False, False)


class Ground:
    """The ground of a map: ``sides`` by both orders of their hexes, openings by hex inside and outside."""

    def __init__(
        self,
        hexmap: HexMap,
        rows: Sequence[HexGround],
        sides: Mapping[Side, SideGround],
        roads: frozenset[Side],
        inner_walls: frozenset[Side],
        openings: Sequence[Opening],
        buildings_are_difficult: bool,
    ) -> None:
        self.map = hexmap
        self.grid = grid = hexmap.grid
        self.rows = list(rows)
        self.roads = roads
        self.column = [row.column for row in rows]
        self.sides: dict[Side, SideGround] = dict(sides)
        self.building = self._buildings()
        self.rooms = sum(1 << place for place, number in enumerate(self.building) if number >= 0)
        self.built = [0] * (max(self.building, default=-1) + 1)
        """By building, the mask of its rooms."""
        for place, number in enumerate(self.building):
            if number >= 0:
                self.built[number] |= 1 << place
        self.inner_walls = inner_walls
        self._join(openings)
        self._measure_cover(buildings_are_difficult)
        self._lay_ways()
        self.discs: dict[int, list[int]] = {}
        self.reaches: dict[tuple[object, ...], Reach] = {}
        """Searches of late; see reach.Walker.reach."""
        self.strides: dict[tuple[int, int, int, int], Stride] = {}
        """The same at the double; see double.Doubler.stride."""
        self.apart: dict[int, tuple[Ways, Ways]] = {}
        """Steps at the double by the hexes of the enemies."""
        self._towards: dict[tuple[int, int], dict[int, int]] = {}
        self._headings = list(neighbours((0, 0), grid.orientation))

    def _join(self, openings: Sequence[Opening]) -> None:
        size = self.grid.size
        self.openings = [one for one in openings if not one.floor]
        """Those on the ground floor; upper ones are for sight alone (C6.6)."""
        self.opening = {(one.outside, one.inside): number for number, one in enumerate(self.openings)}
        """Openings by the hex outside and the room; there is one at most on a hexside."""
        self.doors: list[list[int]] = [[] for _ in range(size)]
        """By hex outside, the rooms behind openings that nothing impassable lies before (C1.5)."""
        self.beside: list[list[int]] = [[] for _ in range(size)]
        """By hex outside or room, the openings on its sides."""
        for number, one in enumerate(self.openings):
            self.beside[one.outside].append(number)
            self.beside[one.inside].append(number)
            if self.column_of(one.outside, one.inside) < IMPASSABLE:
                self.doors[one.outside].append(one.inside)
        self._raise_floors([one for one in openings if one.floor])
        self.door_hexes = sum(1 << place for place, rooms in enumerate(self.doors) if rooms)
        self.entries = sum(1 << place for place, near in enumerate(self.beside) if near)
        """Hexes, rooms too, with openings on their sides."""
        self.choices = sum(1 << place for place, near in enumerate(self.beside) if len(near) > 1)
        """Hexes with several openings on their sides."""

    def _raise_floors(self, upper: Sequence[Opening]) -> None:
        """C6.6: a building has the floors of its highest opening."""
        self.top = [0] * len(self.built)
        """By building, its highest floor."""
        self.windows: dict[tuple[int, int], int] = {}
        """By both orders of the hexes of a side, the mask of upper floors with an opening there."""
        for one in upper:
            number = self.building[one.inside]
            self.top[number] = max(self.top[number], one.floor)
            mask = self.windows.get((one.inside, one.outside), 0) | 1 << one.floor
            self.windows[one.inside, one.outside] = self.windows[one.outside, one.inside] = mask
        self.floors = 0
        """The rooms with upper floors."""
        self.hex_of = list(range(self.grid.size))
        """By spot its hex; spots are the hexes, then the upper floors of rooms."""
        self.floor_of = [0] * self.grid.size
        self.spot: dict[tuple[int, int], int] = {}
        """Spots by room and floor, of buildings with upper floors."""
        self.floor_names: dict[str, int] = {}
        """Hexes by the names of these spots as orders write them (``0304/1``)."""
        for number, top in enumerate(self.top):
            for place in hexes(self.built[number] if top else 0):
                self.floors |= 1 << place
                self.spot[place, 0] = place
                for floor in range(1, top + 1):
                    self.spot[place, floor] = len(self.hex_of)
                    self.hex_of.append(place)
                    self.floor_of.append(floor)
        for place, floor in self.spot:
            self.floor_names[f"{self.grid.labels[place]}/{floor}"] = place

    def _measure_cover(self, buildings_are_difficult: bool) -> None:
        rows = self.rows
        self.conceals = sum(1 << place for place, row in enumerate(rows) if row.conceals)
        self.bulletproof = sum(1 << place for place, row in enumerate(rows) if row.bulletproof)
        self.hedged = 0
        """Hexes behind a side that conceals, from one side at least."""
        self.lined = 0
        """Hexes behind a side that gives bulletproof cover, from one side at least."""
        for (a, b), side in self.sides.items():
            if side.conceals:
                self.hedged |= 1 << a | 1 << b
            if side.bulletproof:
                self.lined |= 1 << a | 1 << b
        self.water = sum(1 << place for place, row in enumerate(rows) if row.water)
        self.undug = self.water | self.bulletproof | self.lined
        """Hexes in which nobody digs in (C3.6, C3.10)."""
        self.difficult = sum(
            1 << place
            for place, row in enumerate(rows)
            if row.column >= DIFFICULT and (buildings_are_difficult or not row.building)
        )

    def _lay_ways(self) -> None:
        self.foot = [self._ways(self._foot(column)) for column in (ROAD, CROSS, DIFFICULT)]
        """By worst column allowed, the ways of infantry and man-packed guns; openings lead out, not in."""
        self.wheels = [self._ways(self._wheels(column)) for column in (ROAD, CROSS, DIFFICULT)]
        """The same of all others, who stay out of buildings (C6.5)."""
        self.free = self._ways(self._free)
        """Steps that may be made at the double (C2.4)."""
        self.road = self._ways(self._road)
        self.unwalled = self._ways(lambda a, b: not self.walled(a, b))
        """Steps over which no wall stands, whatever the ground: where teams strike (C13.3)."""
        self.checked = self._ways(lambda a, b: self.check_at(a, b) != NO_CHECK)
        """Steps that ask for a going check (C1.6)."""
        self.checking = self.checked.spread((1 << self.grid.size) - 1)
        """Hexes that are entered with a going check, from one side at least."""
        around = [sum(1 << to for to in near if to >= 0) for near in self.grid.neighbours]
        self.around = around
        """By hex, the mask of its neighbours."""
        self.every = Ways.of(around)

    def disc(self, radius: int) -> list[int]:
        """By hex, the mask of hexes within a radius."""
        found = self.discs.get(radius)
        return self._discs(radius) if found is None else found

    def _discs(self, radius: int) -> list[int]:
        if radius > self.grid.columns + self.grid.rows:
            found = self.disc(self.grid.columns + self.grid.rows)
        elif radius:
            found = [disc | self.every.spread(disc) for disc in self.disc(radius - 1)]
        else:
            found = [1 << place for place in range(self.grid.size)]
        self.discs[radius] = found
        return found

    def near(self, places: int, radius: int) -> int:
        """The hexes within a radius of any of some hexes."""
        discs = self.disc(radius)
        found = 0
        for place in hexes(places):
            found |= discs[place]
        return found

    def closing(self, places: int, within: int) -> dict[int, int]:
        """The steps that come closer to one of some hexes, and closer than a distance; see Ways.towards."""
        found = dict.fromkeys(self.every.sources, 0)
        for place in hexes(places):
            known = self._towards.get((place, within))
            if known is None:
                known = self._towards[place, within] = self.every.towards(place, within)
            for step, mask in known.items():
                found[step] |= mask
        return found

    def _buildings(self) -> list[int]:
        """By hex the number of its building, or -1: rooms that hang together are one building (C6.1)."""
        found = [-1] * self.grid.size
        number = 0
        for start, row in enumerate(self.rows):
            if not row.building or found[start] >= 0:
                continue
            todo = [start]
            while todo:
                place = todo.pop()
                if found[place] >= 0:
                    continue
                found[place] = number
                todo += [to for to in self.grid.neighbours[place] if to >= 0 and self.rows[to].building]
            number += 1
        return found

    def side(self, a: int, b: int) -> SideGround:
        """What lies on the side between two adjacent hexes."""
        return self.sides.get((a, b) if a < b else (b, a), OPEN_SIDE)

    def is_road(self, a: int, b: int) -> bool:
        """Whether a road runs across the side."""
        return ((a, b) if a < b else (b, a)) in self.roads

    def walled(self, a: int, b: int) -> bool:
        """Whether a building's wall stands on the side, with or without an opening (C6.1, C6.2)."""
        if self.building[a] == self.building[b]:
            return self.building[a] >= 0 and ((a, b) if a < b else (b, a)) in self.inner_walls
        return True

    def opening_at(self, a: int, b: int) -> int:
        """The number of the opening on a side, or -1."""
        found = self.opening.get((a, b), -1)
        return found if found >= 0 else self.opening.get((b, a), -1)

    def column_of(self, a: int, b: int) -> int:
        """The column of allowances of a step: that of the worst ground it touches, or of the road (C1.5)."""
        if self.is_road(a, b):
            return ROAD
        return max(self.column[a], self.column[b], self.side(a, b).column)

    def _ways(self, allowed: Callable[[int, int], bool]) -> Ways:
        return Ways.of(
            [
                sum(1 << to for to in around if to >= 0 and allowed(place, to))
                for place, around in enumerate(self.grid.neighbours)
            ]
        )

    # C9.1, C9.2, C9.3, C9.4: out by any opening on the ground floor, blocked or not, as on any other step.
    def _foot(self, most: int) -> Callable[[int, int], bool]:
        def allowed(a: int, b: int) -> bool:
            if self.column_of(a, b) > most:
                return False
            if not self.walled(a, b):
                return True
            return (b, a) in self.opening

        return allowed

    def _wheels(self, most: int) -> Callable[[int, int], bool]:
        def allowed(a: int, b: int) -> bool:
            return self.column_of(a, b) <= most and self.building[a] < 0 and self.building[b] < 0

        return allowed

    def _free(self, a: int, b: int) -> bool:
        if self.walled(a, b):
            return False
        if self.is_road(a, b):
            return True
        barred = self.difficult >> a & 1 or self.difficult >> b & 1
        return not barred and self.side(a, b).column < DIFFICULT

    def _road(self, a: int, b: int) -> bool:
        return self.is_road(a, b) and not self.walled(a, b)

    def check_at(self, a: int, b: int) -> int:
        """The going check that a step from ``a`` to ``b`` asks of vehicles and guns (C1.6)."""
        if self.is_road(a, b):
            return NO_CHECK
        return max(self.rows[b].check, self.side(a, b).check)

    def in_front(self, place: int, facing: int, other: int) -> bool:
        """Whether another hex lies in the half-circle ahead (C1.4); the own hex does."""
        if place == other:
            return True
        here, there = self.grid.axial(place), self.grid.axial(other)
        x, y = there[0] - here[0], there[1] - here[1]
        q, r = self._headings[facing]
        return 2 * q * x + 2 * r * y + q * y + r * x >= 0
