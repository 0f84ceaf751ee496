"""Places: where units stand.  A hex is one place; floors above it and a bunker or cave under it are others.

Places are small ints: those of the ground are the hexes themselves, the others follow.  Orders name them
``0304`` (the ground), ``0304/1`` (a floor) and ``0304/b`` (a bunker or cave).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hexengine.hexes import Grid, HexMap, LabelError
from hexengine.mechanics.masks import mask_of

FLOOR_COST = 4
"""Half MP to change one level of a building (S10.5)."""
BUNKER_COST = 2
"""Half MP to enter or leave a bunker or cave (S4.10)."""
BELOW = -1


class PlaceError(ValueError):
    """A text that names no place of this map; the message says why."""


class Ground(NamedTuple):
    """What the chart says of one hex; see format.TerrainRow."""

    tm: int
    los: int
    height: int
    building: bool
    floors: int
    below: int


class Places:
    """The places of one map: which hex, which floor (``BELOW`` for bunkers and caves), and ways between."""

    def __init__(
        self, hexmap: HexMap, ground: Sequence[Ground], mobility: str, driving: str | None = None
    ) -> None:
        grid: Grid = hexmap.grid
        self.grid = grid
        self.map = hexmap
        self.ground = ground
        self.hex_of = list(range(grid.size))
        self.floor = [0] * grid.size
        self.above: dict[tuple[int, int], int] = {}
        """Places that are not on the ground, by hex and floor."""
        for place, row in enumerate(ground):
            for floor in (*range(1, row.floors + 1), *((BELOW,) if row.below else ())):
                self.above[place, floor] = len(self.hex_of)
                self.hex_of.append(place)
                self.floor.append(floor)
        self.count = len(self.hex_of)
        self.digits = self.count.bit_length()
        """Bits that hold the number of any place plus 1."""
        self.levels: list[tuple[int, ...]] = [(place,) for place in range(grid.size)]
        """By hex: its ground, and the places above and under it."""
        for (place, _), there in self.above.items():
            self.levels[place] += (there,)
        self.labels = [
            grid.labels[where] + ("" if not floor else "/b" if floor == BELOW else f"/{floor}")
            for where, floor in zip(self.hex_of, self.floor, strict=True)
        ]
        self.floors = {self.labels[there]: place for (place, _), there in self.above.items()}
        """Hexes by the labels of the places that are not on their ground."""
        self._index = {label: place for place, label in enumerate(self.labels)}
        self._within: list[dict[int, int]] = [{} for _ in range(self.count)]
        self._nearer: dict[int, int] = {}
        self.steps = self._steps(hexmap, mobility)
        self.costs = [dict(around) for around in self.steps]
        """By place: half MP by place one step away."""
        self.linked = [sum(1 << to for to, _ in around) for around in self.steps]
        """By place: the mask of places one step away."""
        self.drive: list[tuple[tuple[int, int, int], ...]] = []
        """By place, as ``steps`` for vehicles, with the direction of each step; empty where none are."""
        if driving is not None:
            self.drive = [
                tuple([(to, cost, grid.direction(place, to)) for to, cost in pairs])
                for place, pairs in enumerate(hexmap.steps(driving))
            ] + [()] * (self.count - grid.size)
        self.near = [self._near(place) for place in range(self.count)]
        """By place: the mask of places in the hexes around that count as adjacent (S10.3)."""
        self.tm = [
            ground[where].below if floor == BELOW else ground[where].tm
            for where, floor in zip(self.hex_of, self.floor, strict=True)
        ]
        self.open = sum(
            1 << place
            for place, floor in enumerate(self.floor)
            if not floor and place < grid.size and not ground[place].los and not ground[place].tm
        )
        """The mask of open terrain: clear ground and roads across it (S10.4)."""

    def at(self, place: int, floor: int) -> int:
        """A floor of a hex (0: the ground), or -1."""
        return place if not floor else self.above.get((place, floor), -1)

    def index(self, text: str) -> int:
        """A place by its label; raises PlaceError."""
        found = self._index.get(text)
        if found is not None:
            return found
        head, bar, floor = text.partition("/")
        try:
            place = self.grid.index(head)
        except LabelError as error:
            raise PlaceError(str(error)) from None
        if not bar:
            return place
        what = "no bunker or cave" if floor == "b" else f"no floor {floor[:9]!r}"
        own = [self.labels[to] for key, to in self.above.items() if key[0] == place]
        there = f": there are {', '.join(own)}" if own else ""
        raise PlaceError(f"{head} has {what}{there}")

    def within(self, place: int, reach: int) -> int:
        """The mask of places up to ``reach`` hexes away; kept, since the same few are asked for."""
        known = self._within[place]
        found = known.get(reach)
        if found is None:
            far = self.grid.distances(self.hex_of[place])
            near = [other for other, where in enumerate(self.hex_of) if far[where] <= reach]
            found = known[reach] = mask_of(near)
        return found

    def nearer(self, origin: int, place: int) -> int:
        """The mask of places that are nearer to ``place`` than to ``origin``; kept as well."""
        key = origin * self.count + place
        found = self._nearer.get(key)
        if found is None:
            after, before = [self.grid.distances(self.hex_of[end]) for end in (place, origin)]
            nearer = [other for other, where in enumerate(self.hex_of) if after[where] < before[where]]
            found = self._nearer[key] = mask_of(nearer)
        return found

    def distance(self, a: int, b: int) -> int:
        """Hexes between two places (S3.3)."""
        return self.grid.distance(self.hex_of[a], self.hex_of[b])

    def _steps(self, hexmap: HexMap, mobility: str) -> list[tuple[tuple[int, int], ...]]:
        """By place, the places one step away that may be entered, each with its half MP."""
        found = [list(pairs) for pairs in hexmap.steps(mobility)]
        found += [[] for _ in range(self.count - hexmap.grid.size)]
        for (place, floor), there in self.above.items():
            lower = place if floor in (1, BELOW) else self.above[place, floor - 1]
            cost = BUNKER_COST if floor == BELOW else FLOOR_COST
            found[lower].append((there, cost))
            found[there].append((lower, cost))
        return [tuple(pairs) for pairs in found]

    def _near(self, place: int) -> int:
        mask = 0
        for where in self.grid.neighbours[self.hex_of[place]]:
            if where < 0:
                continue
            for floor in (0, BELOW, *range(1, self.ground[where].floors + 1)):
                there = self.at(where, floor)
                if there >= 0 and self.beside(place, there):
                    mask |= 1 << there
        return mask

    def beside(self, a: int, b: int) -> bool:
        """Whether places of two adjacent hexes are adjacent: floors of two buildings only on one level."""
        first, second = self.ground[self.hex_of[a]], self.ground[self.hex_of[b]]
        if not (first.building and second.building):
            return True
        return max(self.floor[a], 0) == max(self.floor[b], 0)
