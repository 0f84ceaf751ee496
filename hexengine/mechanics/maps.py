"""From the ``[map]`` section of a scenario to hexes, with every fault reported in its place.

A map with faults is read as far as it goes: a hex that cannot be read has some terrain, and the reader
remembers that nothing is known of it.
"""

from __future__ import annotations

import re
from collections import Counter
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

WAYS = (*LINES, "bridges", "fords", "blown")
"""Keys of what may lead through a hex that is closed otherwise."""

LAYOUT = (("map", "orientation"), ("map", "stagger"))
"""What it depends on which hexes are neighbours."""

Path = Sequence[str | int]


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
    unsure: frozenset[int] = frozenset()
    """Hexes of which, after faults, terrain, levels or what runs through them is not known."""

    def hexmap(self, chart: Chart) -> HexMap:
        """The map, by a chart in which all its terrains stand."""
        numbers = {row.id: number for number, row in enumerate(chart.terrains)}
        terrain = [numbers[name] for name in self.terrain]
        return HexMap(self.grid, chart, terrain, self.levels, self.sides, self.lines)


class _Row(NamedTuple):
    """A printed row: which line of the text it is, and its characters."""

    line: int
    text: str


class MapReader:
    """Reads one map section; ``read`` returns None if a fault makes the grid unusable.

    ``terrain_ids`` are the terrains that there are, at least one.
    """

    def __init__(self, section: MapSection, terrain_ids: Sequence[str], report: Report) -> None:
        self._section = section
        self._terrain_ids = terrain_ids
        self._report = report
        self._unsure: set[int] = set()
        self._shaken: dict[str, set[int]] = {}
        """Hexes around faults in lines and hexsides, by key."""
        self.grid: Grid | None = None
        """The grid as soon as it is known, whatever else is wrong with the map."""

    def read(self) -> MapParts | None:
        """The parts of the map, as far as they can be read, or None after faults that leave no grid."""
        rows = self._rows("terrain", self._section.terrain)
        if not rows:
            self._report(("map", "terrain"), "the map has no hexes", "give one line of letters a row")
            return None
        columns, count = _width(rows), len(rows)
        if columns * count > MAXIMUM_HEXES:
            self._report(
                ("map", "terrain"), f"the map has {columns * count} hexes; {MAXIMUM_HEXES} are possible"
            )
            return None
        grid = self.grid = Grid(columns, count, self._section.orientation, self._section.stagger)
        terrain = self._terrain(grid, rows)
        levels = self._levels(grid)
        sides: dict[Side, set[str]] = {}
        drawn = {key: self._pairs(grid, key) for key in SIDES}
        for key, feature in SIDES.items():
            for side in drawn[key]:
                sides.setdefault(side, set()).add(feature)
        lines: dict[Side, list[str]] = {}
        for side in self._pairs(grid, "bridges"):
            lines[side] = [BRIDGE]
        for key, line in LINES.items():
            for side in self._chains(grid, key):
                if line not in lines.setdefault(side, []):
                    lines[side].append(line)
        blown = self._pairs(grid, "blown")
        for side in blown:
            lines.pop(side, None)
        names = {
            place: in_language(text) for place, text in self.labelled(grid, "names", self._section.names)
        }
        crests = frozenset(self._pairs(grid, "crests"))
        self._check_fords(grid, drawn["fords"], sides)
        unsure = frozenset(self._unsure.union(*[self._shaken.get(key, ()) for key in WAYS]))
        return MapParts(grid, terrain, levels, sides, lines, crests, frozenset(blown), names, unsure)

    def labelled(self, grid: Grid, key: str, table: Mapping[str, Text]) -> list[tuple[int, Text]]:
        """The entries of a table by hex label, as far as the labels are right."""
        found = []
        for label, value in table.items():
            place = self.hex(grid, ("map", key, label), label)
            if place is not None:
                found.append((place, value))
        return found

    def hex(self, grid: Grid, path: Path, label: str) -> int | None:
        """A hex by its label; a wrong one is reported."""
        try:
            return grid.index(label)
        except LabelError as error:
            self._report(path, str(error), rests_on=())
            return None

    def _rows(self, key: str, text: str) -> list[_Row]:
        """The rows of a grid of characters; empty lines among them are reported and left out."""
        lines = [line.rstrip(" \t\r") for line in text.split("\n")]
        while lines and not lines[-1]:
            lines.pop()
        for number, line in enumerate(lines):
            if not line:
                self._report(
                    ("map", key), f"line {number + 1} of {key} is empty", "one line a row, none between",
                    row=number, rests_on=(),
                )  # fmt: skip
        return [_Row(number, line) for number, line in enumerate(lines) if line]

    def _terrain(self, grid: Grid, rows: list[_Row]) -> list[str]:
        known = self._legend()
        found = [self._terrain_ids[0]] * grid.size
        for row, (number, line) in enumerate(rows):
            self._check_letters(number, line)
            places = range(row, grid.size, grid.rows)
            if len(line) != grid.columns:
                close_up = "".join([c for c in line if not c.isspace() or c in self._section.legend])
                if len(close_up) != grid.columns:
                    text = f"row {number + 1} has {len(line)} hexes, most have {grid.columns}"
                    self._wrong_length("terrain", number, line, grid.columns, text)
                    self._unsure.update(places)
                    continue
                line = close_up
            for place, letter in zip(places, line, strict=True):
                if letter in known:
                    found[place] = known[letter]
                else:
                    self._unsure.add(place)
        return found

    def _legend(self) -> dict[str, str]:
        """What the letters mean, as far as there are such terrains."""
        known: dict[str, str] = {}
        for letter, name in self._section.legend.items():
            if name in self._terrain_ids:
                known[letter] = name
                continue
            close = get_close_matches(name, self._terrain_ids, 1)
            advice = (
                f"did you mean {close[0]!r}?" if close else f"terrains are {', '.join(self._terrain_ids)}"
            )
            self._report(("map", "legend", letter), f"there is no terrain {name!r}", advice, rests_on=())
        return known

    def _check_letters(self, row: int, line: str) -> None:
        legend = self._section.legend
        for column, letter in enumerate(line):
            if letter in legend:
                continue
            advice = (
                "hexes are written without spaces" if letter.isspace() else f"letters are {' '.join(legend)}"
            )
            text = f"the letter {letter!r} is not in the legend"
            self._report(("map", "terrain"), text, advice, row=row, column=column)

    def _wrong_length(self, key: str, row: int, line: str, columns: int, text: str) -> None:
        advice = "all rows are of one length"
        column = min(len(line), columns)
        self._report(("map", key), text, advice, row=row, column=column, rests_on=())

    def _levels(self, grid: Grid) -> list[int]:
        found = [0] * grid.size
        rows = self._rows("levels", self._section.levels)
        if not rows:
            return found
        if len(rows) != grid.rows:
            text = f"there are {len(rows)} rows of levels and {grid.rows} of terrain"
            self._report(("map", "levels"), text, rests_on=())
            self._unsure.update(range(grid.size))
        for row, (number, line) in enumerate(rows[: grid.rows]):
            places = range(row, grid.size, grid.rows)
            if len(line) != grid.columns:
                text = f"row {number + 1} has {len(line)} levels, the map has {grid.columns} columns"
                self._wrong_length("levels", number, line, grid.columns, text)
                self._unsure.update(places)
            for column, (place, digit) in enumerate(zip(places, line, strict=False)):
                if digit in "0123456789":
                    found[place] = int(digit)
                else:
                    self._report(
                        ("map", "levels"), f"{digit!r} is no level", "levels are the digits 0 to 9",
                        row=number, column=column, rests_on=(),
                    )  # fmt: skip
                    self._unsure.add(place)
        return found

    def _pairs(self, grid: Grid, key: str) -> dict[Side, int]:
        """The hexsides of a key, each with the number of its entry."""
        found: dict[Side, int] = {}
        entries: list[str] = getattr(self._section, key)
        for number, entry in enumerate(entries):
            path = ("map", key, number)
            parts = entry.split("/")
            if len(parts) != 2:
                advice = "a hexside is a pair such as 0102/0202"
                self._report(path, f"{entry!r} is no hexside", advice, rests_on=())
                self._shake(grid, key, entry)
                continue
            for side in self._along(grid, key, number, parts):
                if side in found:
                    self._report(path, f"{entry} is given twice", "leave one out", rests_on=())
                found.setdefault(side, number)
        return found

    def _chains(self, grid: Grid, key: str) -> Iterable[Side]:
        entries: list[str] = getattr(self._section, key)
        for number, entry in enumerate(entries):
            path = ("map", key, number)
            parts = entry.split("-")
            if len(parts) < 2:
                advice = "a line is written 0101-0201-0301"
                self._report(path, f"{entry!r} is no line of hexes", advice, rests_on=())
                self._shake(grid, key, entry)
                continue
            before = None
            for side in self._along(grid, key, number, parts):
                if side == before:
                    a, b = [grid.labels[place] for place in side]
                    text = f"this line goes back at once between {a} and {b}"
                    self._report(path, text, "name each hex of the line in its turn", rests_on=())
                before = side
                yield side

    def _along(self, grid: Grid, key: str, number: int, labels: Sequence[str]) -> list[Side]:
        """The sides between hexes that follow each other in an entry of a key."""
        path = ("map", key, number)
        places = [self.hex(grid, path, label.strip()) for label in labels]
        found = [self._side(grid, path, a, b) for a, b in pairwise(places)]
        if None in found:
            self._shake(grid, key, "-".join(labels))
        return [side for side in found if side is not None]

    def _shake(self, grid: Grid, key: str, entry: str) -> None:
        """A faulty entry may be about any hex that it names or one beside it; if it names none, about all."""
        named = [grid.index(label) for label in re.findall("[0-9]+", entry) if label in grid.labels]
        near = [there for place in named for there in grid.neighbours[place] if there >= 0]
        self._shaken.setdefault(key, set()).update([*named, *near] if named else range(grid.size))

    def _side(self, grid: Grid, path: Path, a: int | None, b: int | None) -> Side | None:
        if a is None or b is None:
            return None
        if b not in grid.neighbours[a]:
            text = f"{grid.labels[a]} and {grid.labels[b]} are not neighbours"
            self._report(path, text, rests_on=LAYOUT)
            return None
        return (a, b) if a < b else (b, a)

    def _check_fords(self, grid: Grid, fords: Mapping[Side, int], sides: Mapping[Side, set[str]]) -> None:
        """A ford takes the place of a river: where there is none it is a mistake."""
        unclear = self._shaken.get("rivers", set()) | self._shaken.get("streams", set())
        water = [("map", key, len(getattr(self._section, key))) for key in ("rivers", "streams")]
        for (a, b), number in fords.items():
            if not sides[a, b] & {"river", "stream"} and unclear.isdisjoint((a, b)):
                text = f"there is no river between {grid.labels[a]} and {grid.labels[b]} to ford"
                self._report(("map", "fords", number), text, "list it in rivers", rests_on=[*LAYOUT, *water])


def _width(rows: Iterable[_Row]) -> int:
    """The length that most rows have."""
    return Counter([len(row.text) for row in rows]).most_common(1)[0][0]
