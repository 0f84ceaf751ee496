"""The map: where hexes lie, what steps cost (P4.2, D1, P14), and which steps are swum (P14.3)."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

from tests.systems.platoon.referee.paper import printed

SIDES = {
    "rivers": "river", "streams": "stream", "fords": "ford", "walls": "wall", "ridges": "ridge",
    "cliffs": "cliff",
}  # fmt: skip
LINES = {"roads": "road", "trails": "trail", "railways": "railway"}
POINTED = (4, 3, 2, 1, 0, 5)
"""Directions of a map with pointed tops, from its north-east clockwise, as those of its mirror image."""


def pair(text: str) -> frozenset[str]:
    """A hexside: the two hexes beside it."""
    return frozenset(text.split("/"))


def half_points(cost: Any) -> int | None:
    """A cost of the chart in half MP; None: prohibited."""
    return None if cost == "no" else int(2 * cost)


class Ground:
    """A map by the labels of its hexes; directions run clockwise from the north."""

    def __init__(self, scenario: dict[str, Any]) -> None:
        given = scenario["map"]
        self.pointed = given.get("orientation", "flat") == "pointy"
        self.lowered = 0 if given.get("stagger", "even") == "even" else 1
        letters = given["terrain"].split()
        heights = given.get("levels", "").split()
        self.hexes = [
            f"{column + 1:02}{row + 1:02}" for column in range(len(letters[0])) for row in range(len(letters))
        ]
        self._known = set(self.hexes)
        self.level: dict[str, int] = {}
        self.row: dict[str, dict[str, Any]] = {}
        self.bare: set[str] = set()
        self._read_terrain(scenario, letters, heights)
        self._read_sides(given)
        self.neighbours = {label: [self._beside(label, way) for way in range(6)] for label in self.hexes}
        self.cost = cache(self._cost)
        self.swims = cache(self._swims)
        self.distance = cache(self._distance)

    def _read_terrain(self, scenario: dict[str, Any], letters: list[str], heights: list[str]) -> None:
        rows = {row["id"]: row for row in printed("terrain")["terrain"]}
        for change in scenario.get("terrain", ()):
            rows[change["id"]] = {**rows[change["id"]], **change}
        for label in self.hexes:
            column, line = int(label[:2]) - 1, int(label[2:]) - 1
            row = rows[scenario["map"]["legend"][letters[line][column]]]
            level = int(heights[line][column]) if heights else 0
            if row.get("los", "open") == "open":
                self.bare.add(label)
            if level and "raised" in row:
                row = rows[row["raised"]]
            self.level[label], self.row[label] = level, row

    def _read_sides(self, given: dict[str, Any]) -> None:
        chart = printed("terrain")
        self._side_rows = {row["id"]: row for row in chart["side"]}
        self._line_rows = {row["id"]: row for row in chart["line"]}
        self.sides: dict[frozenset[str], set[str]] = {}
        for key, name in SIDES.items():
            for text in given.get(key, ()):
                self.sides.setdefault(pair(text), set()).add(name)
        self.crests = {pair(text) for text in given.get("crests", ())}
        blown = {pair(text) for text in given.get("blown", ())}
        self.lines: dict[frozenset[str], set[str]] = {}
        for key, name in LINES.items():
            for chain in given.get(key, ()):
                hexes = chain.split("-")
                for side in map(frozenset, pairwise(hexes)):
                    if name != "road" or side not in blown:
                        self.lines.setdefault(side, set()).add(name)
        for side in map(pair, given.get("bridges", ())):
            if side not in blown:
                self.lines.setdefault(side, set()).add("road")

    # -- where hexes lie ----------------------------------------------------------------------------

    def place(self, label: str) -> tuple[int, int]:
        """Column, and twice the row as it lies: of a map with pointed tops its mirror image's."""
        column, row = int(label[:2]), int(label[2:])
        if self.pointed:
            column, row = row, column
        return column, 2 * row + (column % 2 == self.lowered)

    def label(self, column: int, height: int) -> str | None:
        """The hex at a place, if the map has it."""
        row = (height - (column % 2 == self.lowered)) // 2
        if self.pointed:
            column, row = row, column
        label = f"{column:02}{row:02}"
        return label if label in self._known else None

    def _beside(self, label: str, way: int) -> str | None:
        column, height = self.place(label)
        over, down = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))[
            POINTED[way] if self.pointed else way
        ]
        return self.label(column + over, height + down)

    def _distance(self, a: str, b: str) -> int:
        (column, height), (other, depth) = self.place(a), self.place(b)
        over = abs(column - other)
        return over + max(0, (abs(height - depth) - over) // 2)

    def way(self, a: str, b: str) -> int:
        """The direction from a hex to its neighbour."""
        return self.neighbours[a].index(b)

    def beyond(self, a: str, b: str) -> str | None:
        """The hex straight on, when one goes from a to b."""
        return self.neighbours[b][self.way(a, b)]

    # -- what steps cost ----------------------------------------------------------------------------

    def _features(self, a: str, b: str) -> set[str]:
        """What lies on the hexside as one goes from a to b, without what something else there replaces."""
        found = set(self.sides.get(frozenset((a, b)), ()))
        if self.level[b] > self.level[a]:
            found.add("slope")
        return found - {name for one in found for name in self._side_rows[one].get("overrides", ())}

    def _cost(self, a: str, b: str, mobility: str) -> int | None:
        """Half MP of a step (P14.1); None: prohibited."""
        features = self._features(a, b)
        ways = [(half_points(self.row[b][mobility]), features)]
        for name in self.lines.get(frozenset((a, b)), ()):
            line = self._line_rows[name]
            crossed = features if "*" in line["crosses"] else set(line["crosses"])
            ways.append((half_points(line[mobility]), features - crossed))
        found = []
        for base, left in ways:
            parts = [base, *(half_points(self._side_rows[name][mobility]) for name in left)]
            if None not in parts:
                found.append(sum(parts))
        return min(found, default=None)

    def entry_cost(self, label: str, mobility: str) -> int | None:
        """Half MP of coming onto the map in a hex: its terrain alone (P15)."""
        return 2 if mobility == "air" else half_points(self.row[label][mobility])

    def _swims(self, a: str, b: str, mobility: str) -> bool:
        """Whether nothing but water prohibits a step (P14.3)."""
        if self._cost(a, b, mobility) is not None:
            return False
        hindering = {one for one in self._features(a, b) if self._side_rows[one][mobility] == "no"}
        lake = bool(self.row[b].get("water"))
        if not lake and self.entry_cost(b, mobility) is None:
            return False
        return all(self._side_rows[one].get("water") for one in hindering)

    def deep(self, label: str) -> bool:
        """Whether a hex is water through which no line leads that one can walk on."""
        there = [one for one in self.neighbours[label] if one]
        return bool(self.row[label].get("water")) and all(self._cost(a, label, "leg") is None for a in there)

    def wall_dice(self, a: str, b: str) -> int:
        """The save dice of the hexside between two hexes (D1, option ``wall_cover``)."""
        return max(
            [self._side_rows[name].get("cover", 0) for name in self.sides.get(frozenset((a, b)), ())],
            default=0,
        )
