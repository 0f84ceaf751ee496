"""From the ``[map]`` section of a scenario to hexes, with every fault reported in its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import pairwise
from typing import NamedTuple

from hexengine.core.formats import MapSection, Text, in_language
from hexengine.core.system import Report
from hexengine.hexes import Chart, Grid, HexMap, LabelError, Side

MAXIMUM_HEXES = 32_000

LINES = {"roads": "road", "trails": "trail", "railways": "railway"}
"""Keys of chains of hexes, and the lines they draw."""

BRIDGE = "road"
"""A bridge is a road across one hexside, whether roads lead to it or not."""

SIDES = {
    "rivers": "river",
    "streams": "stream",
    "fords": "ford",
    "walls": "wall",
    "ridges": "ridge",
    "cliffs": "cliff",
}
"""Keys of pairs of hexes, and the hexside features they draw."""


class MapParts(NamedTuple):
    """A map section read: what HexMap needs, and what lies beside it."""

    grid: Grid
    terrain: list[str]
    """Terrain ids by hex, before levels raise them."""
    levels: list[int]
    sides: dict[Side, set[str]]
    lines: dict[Side, list[str]]
    crests: frozenset[Side]
    blown: frozenset[Side]
    names: dict[int, str]

    def hexmap(self, chart: Chart) -> HexMap:
        """The map, by a chart in which all its terrains stand."""
        numbers = {row.id: number for number, row in enumerate(chart.terrains)}
        terrain = [numbers[name] for name in self.terrain]
        return HexMap(self.grid, chart, terrain, self.levels, self.sides, self.lines)


class MapReader:
    """Reads one map section; ``read`` returns None if a fault makes the grid unusable."""

    def __init__(self, section: MapSection, terrain_ids: Sequence[str], report: Report) -> None:
        self._section = section
        self._terrain_ids = terrain_ids
        self._report = report
        self.grid: Grid | None = None
        """The grid as soon as it is known, whatever else is wrong with the map."""

    def read(self) -> MapParts | None:
        """The parts of the map, or None after faults that leave no grid."""
        rows = self._rows(self._section.terrain)
        if not rows:
            self._report(("map", "terrain"), "the map has no hexes", "give one line of letters a row")
            return None
        if not self._rectangular("terrain", rows):
            return None
        columns, count = len(rows[0]), len(rows)
        if columns * count > MAXIMUM_HEXES:
            self._report(
                ("map", "terrain"), f"the map has {columns * count} hexes; {MAXIMUM_HEXES} are possible"
            )
            return None
        grid = self.grid = Grid(columns, count, self._section.orientation, self._section.stagger)
        terrain = self._terrain(grid, rows)
        levels = self._levels(grid)
        sides: dict[Side, set[str]] = {}
        for key, feature in SIDES.items():
            for side in self._pairs(grid, key):
                sides.setdefault(side, set()).add(feature)
        lines: dict[Side, list[str]] = {}
        for side in self._pairs(grid, "bridges"):
            lines[side] = [BRIDGE]
        for key, line in LINES.items():
            for side in self._chains(grid, key):
                if line not in lines.setdefault(side, []):
                    lines[side].append(line)
        blown = frozenset(self._pairs(grid, "blown"))
        for side in blown:
            lines.pop(side, None)
        names = {
            place: in_language(text) for place, text in self.labelled(grid, "names", self._section.names)
        }
        crests = frozenset(self._pairs(grid, "crests"))
        if terrain is None or levels is None:
            return None
        return MapParts(grid, terrain, levels, sides, lines, crests, blown, names)

    def labelled(self, grid: Grid, key: str, table: Mapping[str, Text]) -> list[tuple[int, Text]]:
        """The entries of a table by hex label, as far as the labels are right."""
        found = []
        for label, value in table.items():
            place = self.hex(grid, ("map", key, label), label)
            if place is not None:
                found.append((place, value))
        return found

    def hex(self, grid: Grid, path: Sequence[str | int], label: str) -> int | None:
        """A hex by its label; a wrong one is reported."""
        try:
            return grid.index(label)
        except LabelError as error:
            self._report(path, str(error))
            return None

    @staticmethod
    def _rows(text: str) -> list[str]:
        rows = text.split("\n")
        if rows and not rows[-1].strip():
            rows.pop()
        return [row.rstrip(" \t\r") for row in rows]

    def _rectangular(self, key: str, rows: list[str]) -> bool:
        width = len(rows[0])
        right = True
        for number, row in enumerate(rows):
            if len(row) != width or not row:
                self._report(
                    ("map", key),
                    f"row {number + 1} has {len(row)} hexes, the first has {width}",
                    "all rows are of one length",
                    row=number,
                    column=min(len(row), width),
                )
                right = False
        return right

    def _terrain(self, grid: Grid, rows: list[str]) -> list[str] | None:
        known: dict[str, str] = {}
        right = True
        for letter, name in self._section.legend.items():
            if name in self._terrain_ids:
                known[letter] = name
            else:
                close = get_close_matches(name, self._terrain_ids, 1)
                self._report(
                    ("map", "legend", letter),
                    f"there is no terrain {name!r}",
                    f"did you mean {close[0]!r}?"
                    if close
                    else f"terrains are {', '.join(self._terrain_ids)}",
                )
                right = False
        found = [""] * grid.size
        for row, line in enumerate(rows):
            for column, letter in enumerate(line):
                if letter not in self._section.legend:
                    self._report(
                        ("map", "terrain"),
                        f"the letter {letter!r} is not in the legend",
                        f"letters are {' '.join(self._section.legend)}",
                        row=row,
                        column=column,
                    )
                    right = False
                else:
                    found[column * grid.rows + row] = known.get(letter, "")
        return found if right else None

    def _levels(self, grid: Grid) -> list[int] | None:
        if not self._section.levels.strip():
            return [0] * grid.size
        rows = self._rows(self._section.levels)
        found = [0] * grid.size
        right = len(rows) == grid.rows
        if not right:
            self._report(
                ("map", "levels"), f"there are {len(rows)} rows of levels and {grid.rows} of terrain"
            )
        for row, line in enumerate(rows[: grid.rows]):
            if len(line) != grid.columns:
                self._report(
                    ("map", "levels"),
                    f"row {row + 1} has {len(line)} levels, the map has {grid.columns} columns",
                    row=row,
                    column=min(len(line), grid.columns),
                )
                right = False
                continue
            for column, digit in enumerate(line):
                if digit in "0123456789":
                    found[column * grid.rows + row] = int(digit)
                else:
                    self._report(
                        ("map", "levels"), f"{digit!r} is no level", "levels are the digits 0 to 9",
                        row=row, column=column,
                    )  # fmt: skip
                    right = False
        return found if right else None

    def _pairs(self, grid: Grid, key: str) -> Iterable[Side]:
        entries: list[str] = getattr(self._section, key)
        for number, entry in enumerate(entries):
            path = ("map", key, number)
            parts = entry.split("/")
            if len(parts) != 2:
                self._report(path, f"{entry!r} is no hexside", "a hexside is a pair such as 0102/0202")
                continue
            ends = [self.hex(grid, path, part.strip()) for part in parts]
            side = self._side(grid, path, ends[0], ends[1])
            if side is not None:
                yield side

    def _chains(self, grid: Grid, key: str) -> Iterable[Side]:
        entries: list[str] = getattr(self._section, key)
        for number, entry in enumerate(entries):
            path = ("map", key, number)
            parts = entry.split("-")
            if len(parts) < 2:
                self._report(path, f"{entry!r} is no line of hexes", "a line is written 0101-0201-0301")
                continue
            places = [self.hex(grid, path, part.strip()) for part in parts]
            for a, b in pairwise(places):
                side = self._side(grid, path, a, b)
                if side is not None:
                    yield side

    def _side(self, grid: Grid, path: Sequence[str | int], a: int | None, b: int | None) -> Side | None:
        if a is None or b is None:
            return None
        if b not in grid.neighbours[a]:
            self._report(path, f"{grid.labels[a]} and {grid.labels[b]} are not neighbours")
            return None
        return (a, b) if a < b else (b, a)
