"""The map sheet as its file has it: hexes, ground, walls and openings, and lines of sight (C1, C6, C12.1).

Hexes are numbered in the order of their labels.  Lines of sight are cut anew here: the segment between two
centres is clipped against each hex in whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

ROAD, CROSS, DIFFICULT, CLOSED = range(4)
"""The ground of a step: columns of allowances, and no way at all (C1.5)."""
COLUMNS = {
    "open": CROSS,
    "slow": DIFFICULT,
    "difficult": DIFFICULT,
    "very-difficult": DIFFICULT,
    "impassable": CLOSED,
}
CHECKS = {"difficult": "die", "very-difficult": "skill"}
"""What a step into such going asks of vehicles and guns (C1.6)."""
LINES = {"roads": "road", "trails": "trail", "railways": "railway"}
FEATURES = {
    "rivers": "river",
    "streams": "stream",
    "fords": "ford",
    "walls": "wall",
    "ridges": "ridge",
    "cliffs": "cliff",
}
FLAT = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
POINTY = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))

Side = tuple[int, int]


class Opening(NamedTuple):
    """A door, window or breach between a room and the hex outside (C6.3)."""

    inside: int
    outside: int
    kind: str
    floor: int
    width: int


class Edge(NamedTuple):
    """What lies on a hexside."""

    column: int = CROSS
    check: str = ""
    conceals: bool = False
    bulletproof: bool = False


PLAIN = Edge()


@cache
def touched(q: int, r: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Offsets of the hexes that the segment to an offset touches along more than a point, both ends left out.

    In order; two together where it runs along the side between them.
    """
    end = (q, r, -q - r)
    found: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for x in range(min(0, q) - 1, max(0, q) + 2):
        for y in range(min(0, r) - 1, max(0, r) + 2):
            part = _inside(end, (x, y, -x - y))
            if part is not None and (x, y) not in ((0, 0), (q, r)):
                found.setdefault(part, []).append((x, y))
    return tuple([tuple(sorted(found[part])) for part in sorted(found)])


def _inside(end: tuple[int, int, int], hex_: tuple[int, int, int]) -> tuple[int, int] | None:
    """The part of the segment from the origin that lies in a hex with its edge; None for a point or less.

    It is told in shares of the segment, as many as make all whole.  A point is in a hex if no two of its
    three coordinates, seen from the centre, differ by more than 1.
    """
    growing = [end[i] - end[i - 1] for i in range(3)]
    offsets = [hex_[i] - hex_[i - 1] for i in range(3)]
    shares = prod([abs(grows) for grows in growing if grows])
    first, last = 0, shares
    for grows, offset in zip(growing, offsets, strict=True):
        if grows:
            one, other = sorted(((offset - 1) * shares // grows, (offset + 1) * shares // grows))
            first, last = max(first, one), min(last, other)
        elif abs(offset) > 1:
            return None
    return (first, last) if first < last else None


class Sheet:
    """One map, with the terrain of the data as the scenario changes it."""

    def __init__(self, scenario: Mapping[str, Any], terrain: Mapping[str, Any]) -> None:
        data: dict[str, Any] = scenario["map"]
        self.options: dict[str, Any] = scenario.get("options", {})
        self._lay_out(data)
        rows = {row["id"]: dict(row) for row in terrain["terrain"]}
        for row in scenario.get("terrain", ()):
            rows[row["id"]].update(row)
        lines = [line for line in data["terrain"].split("\n") if line.strip()]
        legend = data["legend"]
        self.rows = [rows[legend[lines[h % self.height][h // self.height]]] for h in range(self.size)]
        levels = [line for line in data.get("levels", "").split("\n") if line.strip()]
        self.levels = [
            int(levels[h % self.height][h // self.height]) if levels else 0 for h in range(self.size)
        ]
        self._draw(data, scenario, terrain)
        self._build(scenario)
        self._columns: dict[tuple[int, int], int] = {}
        self._seen: dict[tuple[int, int, int, int], bool] = {}

    def _lay_out(self, data: Mapping[str, Any]) -> None:
        lines = [line.rstrip() for line in data["terrain"].split("\n") if line.strip()]
        self.width, self.height = len(lines[0]), len(lines)
        self.size = self.width * self.height
        digits = max(2, len(str(max(self.width, self.height))))
        places = [(column, row) for column in range(self.width) for row in range(self.height)]
        self.labels = [f"{column + 1:0{digits}}{row + 1:0{digits}}" for column, row in places]
        self.number = {label: h for h, label in enumerate(self.labels)}
        flat = data.get("orientation", "flat") == "flat"
        pushed = 1 if data.get("stagger", "even") == "even" else 0
        self.at: list[tuple[int, int]] = []
        for column, row in places:
            along, across = (column, row) if flat else (row, column)
            # Twice the way across, so that a push by half a hex is a whole number.
            twice = 2 * across + (along % 2 == pushed) - (not pushed)
            other = (twice - along) // 2
            self.at.append((along, other) if flat else (other, along))
        self._where = where = {point: h for h, point in enumerate(self.at)}
        self.headings = FLAT if flat else POINTY
        self.near = [[where.get((q + x, r + y), -1) for x, y in self.headings] for q, r in self.at]
        self.beside = [[to for to in around if to >= 0] for around in self.near]
        self.far = [[self._apart(a, b) for b in range(self.size)] for a in range(self.size)]

    def _apart(self, a: int, b: int) -> int:
        (q, r), (x, y) = self.at[a], self.at[b]
        return max(abs(x - q), abs(y - r), abs(x + y - q - r))

    def side(self, text: str) -> Side:
        """A hexside such as ``0102/0202``."""
        a, b = sorted(self.number[label.strip()] for label in text.split("/"))
        return a, b

    def _draw(self, data: Mapping[str, Any], scenario: Mapping[str, Any], terrain: Mapping[str, Any]) -> None:
        features: dict[Side, set[str]] = {}
        for key, name in FEATURES.items():
            for text in data.get(key, ()):
                features.setdefault(self.side(text), set()).add(name)
        for text in scenario.get("hedges", ()):
            features.setdefault(self.side(text), set()).add("hedge")
        printed = {row["id"]: row for row in terrain["side"]}
        self.edges: dict[Side, Edge] = {}
        for side, names in features.items():
            if "ford" in names:
                names -= {"river", "stream"}
            rows = [printed[name] for name in names]
            checks = {CHECKS.get(row.get("going", "open"), "") for row in rows}
            self.edges[side] = Edge(
                max(COLUMNS[row.get("going", "open")] for row in rows),
                "skill" if "skill" in checks else "die" if "die" in checks else "",
                any(row.get("conceals") for row in rows),
                any(row.get("bulletproof") for row in rows),
            )
        serving = {row["id"] for row in terrain["line"] if row.get("road")}
        self.roads: set[Side] = set()
        if "road" in serving:
            self.roads |= {self.side(text) for text in data.get("bridges", ())}
        for key, name in LINES.items():
            for chain in data.get(key, ()) if name in serving else ():
                steps = chain.split("-")
                self.roads |= {self.side(f"{a}/{b}") for a, b in pairwise(steps)}
        self.roads -= {self.side(text) for text in data.get("blown", ())}

    def _build(self, scenario: Mapping[str, Any]) -> None:
        """C6.1: rooms that hang together are a building, with the floors of its highest opening (C6.6)."""
        self.house = [-1] * self.size
        self.houses: list[list[int]] = []
        for start in range(self.size):
            if not self.rows[start].get("building") or self.house[start] >= 0:
                continue
            rooms = [start]
            self.house[start] = len(self.houses)
            for room in rooms:
                for to in self.beside[room]:
                    if self.rows[to].get("building") and self.house[to] < 0:
                        self.house[to] = len(self.houses)
                        rooms.append(to)
            self.houses.append(sorted(rooms))
        self.inner = {self.side(text) for text in scenario.get("inner_walls", ())}
        every = []
        for one in scenario.get("opening", ()):
            a, b = self.side(one["side"])
            inside, outside = (a, b) if self.house[a] >= 0 else (b, a)
            every.append(
                Opening(inside, outside, one.get("kind", "door"), one.get("floor", 0), one.get("width", 1))
            )
        self.openings = [one for one in every if not one.floor]
        self.windows = {(one.inside, one.outside, one.floor) for one in every}
        self.top = [
            max((one.floor for one in every if one.inside in rooms), default=0) for rooms in self.houses
        ]
        self.touching = [
            [number for number, one in enumerate(self.openings) if h in (one.inside, one.outside)]
            for h in range(self.size)
        ]

    # -- steps -------------------------------------------------------------------------------------

    def edge(self, a: int, b: int) -> Edge:
        """What lies between two adjacent hexes."""
        return self.edges.get((a, b) if a < b else (b, a), PLAIN)

    def road(self, a: int, b: int) -> bool:
        """Whether a road leads over the side."""
        return ((a, b) if a < b else (b, a)) in self.roads

    def walled(self, a: int, b: int) -> bool:
        """C6.1, C6.2: whether a building's wall stands between two adjacent hexes."""
        if self.house[a] == self.house[b]:
            return ((a, b) if a < b else (b, a)) in self.inner
        return True

    def opening(self, a: int, b: int) -> int:
        """The number of the opening on the ground floor between two hexes, or -1."""
        return next(
            (n for n in self.touching[a] if {self.openings[n].inside, self.openings[n].outside} == {a, b}), -1
        )

    def column(self, a: int, b: int) -> int:
        """C1.5: the ground that a step touches: road, or the worst of both hexes and the side."""
        known = self._columns.get((a, b))
        if known is None:
            worst = max(self._going(a), self._going(b), self.edge(a, b).column)
            known = self._columns[a, b] = ROAD if self.road(a, b) else worst
        return known

    def _going(self, h: int) -> int:
        return COLUMNS[self.rows[h].get("going", "open")]

    def check(self, a: int, b: int) -> str:
        """C1.6: the check that a step asks of vehicles and guns."""
        if self.road(a, b):
            return ""
        both = {CHECKS.get(self.rows[b].get("going", "open"), ""), self.edge(a, b).check}
        return "skill" if "skill" in both else "die" if "die" in both else ""

    def free(self, a: int, b: int) -> bool:
        """C2.4, C8.9: whether a step touches no difficult ground."""
        if self.road(a, b):
            return True
        return not (self._rough(a) or self._rough(b)) and self.edge(a, b).column < DIFFICULT

    def _rough(self, h: int) -> bool:
        if self.house[h] >= 0 and not self.options.get("buildings_are_difficult", True):
            return False
        return self._going(h) >= DIFFICULT

    def heading(self, a: int, b: int) -> int:
        """The direction from a hex to one next to it."""
        return self.near[a].index(b)

    def ahead(self, h: int, facing: int, other: int) -> bool:
        """C1.4: whether a hex lies in the half-circle ahead."""
        (q, r), (x, y) = self.at[h], self.at[other]
        u, v = self.headings[facing]
        x, y = x - q, y - r
        # The scalar product of two vectors in cube coordinates.
        return x * u + y * v + (x + y) * (u + v) >= 0

    def within(self, h: int, distance: int) -> Iterator[int]:
        """The hexes within a distance (C1.2)."""
        return (other for other, steps in enumerate(self.far[h]) if steps <= distance)

    # -- sight -------------------------------------------------------------------------------------

    def line(self, a: int, b: int) -> list[tuple[int, ...]]:
        """The hexes strictly between two, in order: one, or both beside whose common side the line runs."""
        (q, r), (x, y) = self.at[a], self.at[b]
        found = []
        for together in touched(x - q, y - r):
            there = [self._where.get((q + u, r + v), -1) for u, v in together]
            found.append(tuple(h for h in there if h >= 0))
        return found

    def sees(self, a: int, up: int, b: int, high: int) -> bool:
        """C12.1, C6.6: whether one sees from a floor of a hex to a floor of another."""
        if a == b:
            return True
        key = (a, up, b, high) if a < b else (b, high, a, up)
        known = self._seen.get(key)
        if known is None:
            known = self._seen[key] = self._clear(*key)
        return known

    def _clear(self, a: int, up: int, b: int, high: int) -> bool:
        floors = {self.house[h]: floor for h, floor in ((a, up), (b, high)) if self.house[h] >= 0}
        if self.house[a] == self.house[b] >= 0 and up != high:
            return False
        ends = (a, self.levels[a] + up), (b, self.levels[b] + high)
        alive: Iterable[int] = [a]
        for together in [*self.line(a, b), (b,)]:
            alive = [
                h
                for h in together
                if (h == b or not self._rises(ends, h, self._tall(h, floors)))
                and any(self._through(ends, before, h, floors) for before in alive)
            ]
        return bool(alive)

    def _tall(self, h: int, floors: Mapping[int, int]) -> int:
        """How high what stands in a hex is: nothing, in the buildings of both ends."""
        return 0 if self.house[h] in floors or not self.rows[h].get("blocks") else self._height(h)

    def _height(self, h: int) -> int:
        height: int = self.rows[h].get("height", 0)
        house = self.house[h]
        return max(height, self.top[house] + 1) if house >= 0 and self.top[house] else height

    def _rises(self, ends: tuple[tuple[int, int], tuple[int, int]], h: int, height: int) -> bool:
        """Whether something in a hex rises above the line between the levels of both ends."""
        (a, low), (b, high) = ends
        before, behind = self.far[a][h], self.far[h][b]
        return low * behind + high * before < (self.levels[h] + height) * (before + behind)

    def _through(
        self, ends: tuple[tuple[int, int], tuple[int, int]], a: int, b: int, floors: Mapping[int, int]
    ) -> bool:
        """C6.2, C6.3: no wall between two hexes of a line, an opening of its floor, or a lower building."""
        if not self.walled(a, b):
            return True
        room, outside = (a, b) if self.house[a] >= 0 else (b, a)
        house = self.house[room]
        if (room, outside, floors.get(house, 0)) in self.windows:
            return True
        return house not in floors and not self._rises(ends, room, self._height(room))
