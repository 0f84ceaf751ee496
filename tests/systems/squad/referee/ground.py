"""The map of a scenario and the terrain effects chart: costs, cover, distances, and what a line crosses."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[4] / "data" / "squad"
AROUND = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""Steps to the six neighbours in columns that stand askew, north first and then with the clock."""
SIDES = {
    "walls": "wall",
    "streams": "stream",
    "rivers": "river",
    "fords": "ford",
    "cliffs": "cliff",
    "ridges": "ridge",
}
LINES = {"roads": "road", "trails": "trail", "railways": "railway"}
Cell = tuple[int, int]
Crossed = tuple[tuple[Cell, ...], Fraction]


def hex_of(place: str) -> str:
    """The hex in which a place is."""
    return place.partition("/")[0]


def floor_of(place: str) -> int:
    """The floor of a place; bunkers and caves are on the ground for whoever looks."""
    floor = place.partition("/")[2]
    return int(floor) if floor.isdigit() else 0


def below(place: str) -> bool:
    """Whether a place is a bunker or a cave."""
    return place.endswith("/b")


def far(a: Cell, b: Cell) -> int:
    """Steps between two cells."""
    q, r = b[0] - a[0], b[1] - a[1]
    return max(abs(q), abs(r), abs(q + r))


@cache
def crossed_to(end: Cell) -> tuple[Crossed, ...]:
    """What the line from the middle of (0, 0) to that of a cell crosses, and how far along each crossing is.

    Two cells together are those between whom the line runs along their side.
    """
    q1, r1 = end
    found: dict[tuple[Fraction, Fraction], list[Cell]] = defaultdict(list)
    length = far((0, 0), end)
    for q in range(min(0, q1) - 1, max(0, q1) + 2):
        for r in range(min(0, r1) - 1, max(0, r1) + 2):
            cell = (q, r)
            if cell not in ((0, 0), end) and far((0, 0), cell) + far(cell, end) <= length + 1:
                inside = _inside(cell, end)
                if inside is not None:
                    found[inside].append(cell)
    return tuple((tuple(cells), (first + last) / 2) for (first, last), cells in sorted(found.items()))


def crossed(a: Cell, b: Cell) -> list[Crossed]:
    """What the line between the middles of two cells crosses, as crossed_to says."""
    (q, r), (q1, r1) = a, b
    return [(tuple((x + q, y + r) for x, y in cells), along) for cells, along in crossed_to((q1 - q, r1 - r))]


def _inside(cell: Cell, end: Cell) -> tuple[Fraction, Fraction] | None:
    """Which part of the line from (0, 0) lies within a cell; None if it meets it in a point at most."""
    first, last = Fraction(0), Fraction(1)
    for here, there in zip(across(cell, (0, 0)), across(cell, end), strict=True):
        slope = there - here
        if slope == 0:
            if abs(here) > 1:
                return None
            continue
        one, two = Fraction(-1 - here, slope), Fraction(1 - here, slope)
        first, last = max(first, min(one, two)), min(last, max(one, two))
    return (first, last) if first < last else None


def across(cell: Cell, point: Cell) -> tuple[int, int, int]:
    """How far a point is from a cell's middle, across each pair of its sides; within 1 it is in the cell."""
    q, r = point[0] - cell[0], point[1] - cell[1]
    s = -q - r
    return q - r, r - s, s - q


class Ground:
    """The map: what each hex and hexside is, and what follows of it."""

    def __init__(self, scenario: Mapping[str, Any]) -> None:
        chart = tomllib.loads((DATA / "terrain.toml").read_text("utf-8"))
        self.side_rows = {row["id"]: row for row in chart["side"]}
        self.line_rows = {row["id"]: row for row in chart["line"]}
        rows = {row["id"]: row for row in chart["terrain"]}
        for change in scenario.get("terrain", ()):
            rows[change["id"]] = rows[change["id"]] | change
        plan = scenario["map"]
        assert "orientation" not in plan and "stagger" not in plan, "the referee reads maps of the usual form"
        lines = plan["terrain"].split()
        levels = plan.get("levels", "").split()
        self.row: dict[str, dict[str, Any]] = {}
        self.level: dict[str, int] = {}
        self.cell: dict[str, Cell] = {}
        for row, line in enumerate(lines):
            for column, sign in enumerate(line):
                name = f"{column + 1:02}{row + 1:02}"
                self.row[name] = rows[plan["legend"][sign]]
                self.level[name] = int(levels[row][column]) if levels else 0
                self.cell[name] = (column, row - column // 2)
        self.name = {cell: name for name, cell in self.cell.items()}
        self.sides: dict[frozenset[str], set[str]] = defaultdict(set)
        self.lines: dict[frozenset[str], set[str]] = defaultdict(set)
        for key, side in SIDES.items():
            for pair in plan.get(key, ()):
                self.sides[frozenset(pair.split("/"))].add(side)
        for key, line in LINES.items():
            for chain in plan.get(key, ()):
                hexes = chain.split("-")
                for pair in pairwise(hexes):
                    self.lines[frozenset(pair)].add(line)
        self.foxholes = set(scenario.get("foxholes", ()))
        self.lit = set(scenario.get("lit", ()))
        self.control = dict(plan.get("control", {}))

    def next_to(self, name: str) -> list[str | None]:
        """The neighbours of a hex by direction; None off the map."""
        q, r = self.cell[name]
        return [self.name.get((q + dq, r + dr)) for dq, dr in AROUND]

    def around(self, name: str) -> list[str]:
        """The neighbours of a hex that are on the map."""
        return [other for other in self.next_to(name) if other]

    def distance(self, a: str, b: str) -> int:
        """Hexes between two places (S3.3)."""
        return far(self.cell[hex_of(a)], self.cell[hex_of(b)])

    def direction(self, a: str, b: str) -> int:
        """In which of the six directions an adjacent hex is."""
        return self.next_to(a).index(b)

    def places(self, name: str) -> Iterator[str]:
        """The places of a hex: the ground, floors, a bunker or cave."""
        yield name
        yield from (f"{name}/{floor + 1}" for floor in range(self.row[name].get("floors", 0)))
        if self.row[name].get("below"):
            yield f"{name}/b"

    def steps(self, place: str) -> Iterator[str]:
        """The places one step from a place."""
        name = hex_of(place)
        if place == name:
            yield from self.around(name)
        for other in self.places(name):
            if other != place and (
                (below(place) and other == name)
                or (below(other) and place == name)
                or (not below(place) and not below(other) and abs(floor_of(place) - floor_of(other)) == 1)
            ):
                yield other

    def cost(self, a: str, b: str, column: str) -> int | None:
        """MP of one step, without turning; None if prohibited (S4.1, S4.10, S10.5)."""
        if hex_of(a) == hex_of(b):
            return 1 if below(a) or below(b) else 2
        pair = frozenset((a, b))
        sides = [self.side_rows[side] for side in self.sides.get(pair, ())]
        gone = {side for row in sides for side in row.get("overrides", ())}
        counting = [
            row
            for row in sides
            if row["id"] not in gone and not (row.get("uphill") and self.level[b] <= self.level[a])
        ]
        ways = [[self.row[b][column], *(row[column] for row in counting)]]
        for line in self.lines.get(pair, ()):
            row = self.line_rows[line]
            left = [] if "*" in row["crosses"] else [s for s in counting if s["id"] not in row["crosses"]]
            ways.append([row[column], *(side[column] for side in left)])
        open_ways = [sum(way) for way in ways if "no" not in way]
        return min(open_ways) if open_ways else None

    def cover(self, place: str) -> tuple[int, int]:
        """TM of a place: of the terrain, and of a foxhole (S4.10)."""
        name = hex_of(place)
        if below(place):
            return int(self.row[name]["below"]), 0
        return int(self.row[name].get("tm", 0)), int(name in self.foxholes and place == name)

    def last_sides(self, a: str, b: str) -> list[frozenset[str]]:
        """The hexsides across which a line from one hex comes into the other."""
        cells = crossed(self.cell[a], self.cell[b])
        before = cells[-1][0] if cells else (self.cell[a],)
        return [frozenset((self.name[cell], b)) for cell in before if cell in self.name]
