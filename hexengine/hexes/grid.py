"""The hexes of one map: numbers, printed labels, neighbours, distances, lines.

A hex is an int in ``range(grid.size)``; columns and rows are printed from 1, and numbers run down the first
column, then down the second: ``(column - 1) * rows + (row - 1)``. So hexes in order of number are in order
of label. A label is the column and the row, each padded with zeros to ``grid.digits`` digits (two, or as
many as the largest column or row needs), so labels of one map all have the same length and no two are alike.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Literal

from hexengine.hexes import coordinates
from hexengine.hexes.coordinates import Axial, OffsetKind, Orientation

Stagger = Literal["even", "odd"]

# Rows of distances are kept until they fill this many bytes, so that a huge map cannot eat the memory.
DISTANCE_BYTES = 32_000_000

_KINDS: dict[tuple[str, str], OffsetKind] = {
    ("flat", "even"): "odd-q",
    ("flat", "odd"): "even-q",
    ("pointy", "even"): "odd-r",
    ("pointy", "odd"): "even-r",
}


class LabelError(ValueError):
    """A text that is not the label of a hex on this map.

    ``label`` is the text, ``first`` and ``last`` are the lowest and the highest legal label, and ``reason``
    is ``"form"`` (not digits, or not as many as this map's labels have), ``"column"`` or ``"row"``
    (well-formed, but off the map).
    """

    def __init__(self, label: str, reason: str, first: str, last: str) -> None:
        self.label = label
        self.reason = reason
        self.first = first
        self.last = last
        half = len(first) // 2
        shown = repr(label if len(label) <= 24 else label[:24] + "…")
        said = {
            "form": f"{shown} is not a hex label ({half} digits of the column, {half} of the row)",
            "column": f"there is no column {label[:half]}: {shown}",
            "row": f"there is no row {label[half:]}: {shown}",
        }[reason]
        super().__init__(f"{said}; this map runs from {first} to {last}")

    def __reduce__(self) -> tuple[type[LabelError], tuple[str, str, str, str]]:
        return type(self), (self.label, self.reason, self.first, self.last)


class Grid:
    """A map sheet of ``columns`` by ``rows`` hexes.

    ``orientation`` is ``"flat"`` (flat tops, straight columns) or ``"pointy"`` (pointy tops, straight rows).
    ``stagger`` says which printed columns (flat) lie half a hex lower, or which printed rows (pointy) lie
    half a hex to the right: the ``"even"`` or the ``"odd"`` ones, counted from 1.

    ``neighbours[h]`` holds six hexes in direction order, -1 where the map ends. Direction 0 is north with
    flat tops and north-east with pointy tops; the others follow clockwise.

    Raises ValueError for sizes below 1 and unknown words.
    """

    __slots__ = (
        "_distances",
        "_kept",
        "_numbers",
        "_q",
        "_r",
        "columns",
        "digits",
        "kind",
        "labels",
        "neighbours",
        "orientation",
        "rows",
        "size",
        "stagger",
    )

    columns: int
    rows: int
    size: int
    digits: int
    orientation: Orientation
    stagger: Stagger
    kind: OffsetKind
    labels: tuple[str, ...]
    neighbours: list[tuple[int, ...]]

    def __init__(
        self, columns: int, rows: int, orientation: Orientation = "flat", stagger: Stagger = "even"
    ) -> None:
        if columns < 1 or rows < 1:
            raise ValueError(f"a map has at least one column and one row, not {columns} by {rows}")
        if (orientation, stagger) not in _KINDS:
            raise ValueError(
                f"orientation is flat or pointy and stagger even or odd, not {orientation!r} and {stagger!r}"
            )
        self.columns = columns
        self.rows = rows
        self.size = columns * rows
        self.orientation = orientation
        self.stagger = stagger
        self.kind = _KINDS[orientation, stagger]
        self.digits = digits = max(2, len(str(max(columns, rows))))
        self.labels = tuple(
            f"{column:0{digits}}{row:0{digits}}"
            for column in range(1, columns + 1)
            for row in range(1, rows + 1)
        )
        self._numbers = {label: h for h, label in enumerate(self.labels)}
        axials = [
            coordinates.offset_to_axial(self.kind, column, row)
            for column in range(columns)
            for row in range(rows)
        ]
        self._q = [q for q, _ in axials]
        self._r = [r for _, r in axials]
        self.neighbours = [
            tuple([self.at_axial(*point) for point in coordinates.neighbours(centre, orientation)])
            for centre in axials
        ]
        self._distances: list[Sequence[int] | None] = [None] * self.size
        self._kept = 0

    def __repr__(self) -> str:
        return f"Grid({self.columns}, {self.rows}, {self.orientation!r}, {self.stagger!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Grid):
            return NotImplemented
        return (self.columns, self.rows, self.kind) == (other.columns, other.rows, other.kind)

    def __hash__(self) -> int:
        return hash((self.columns, self.rows, self.kind))

    def __reduce__(self) -> tuple[type[Grid], tuple[int, int, Orientation, Stagger]]:
        return Grid, (self.columns, self.rows, self.orientation, self.stagger)

    # Names ---------------------------------------------------------------------------------------------

    def label(self, h: int) -> str:
        """The printed label of a hex, such as ``"0507"``. Raises IndexError for a number off the map."""
        if h < 0:
            raise IndexError(f"no hex has the number {h}")
        return self.labels[h]

    def index(self, label: str) -> int:
        """The hex of a printed label. Raises LabelError, with the reason and the legal range."""
        h = self._numbers.get(label, -1)
        if h >= 0:
            return h
        half = self.digits
        if len(label) != 2 * half or not (label.isascii() and label.isdigit()):
            reason = "form"
        elif not 1 <= int(label[:half]) <= self.columns:
            reason = "column"
        else:
            reason = "row"
        raise LabelError(label, reason, self.labels[0], self.labels[-1])

    def column_row(self, h: int) -> tuple[int, int]:
        """The printed column and row of a hex, both from 1."""
        column, row = divmod(h, self.rows)
        return column + 1, row + 1

    def hex_at(self, column: int, row: int) -> int:
        """The hex in a printed column and row (from 1), or -1 off the map."""
        if 1 <= column <= self.columns and 1 <= row <= self.rows:
            return (column - 1) * self.rows + row - 1
        return -1

    def axial(self, h: int) -> Axial:
        """Axial coordinates ``(q, r)`` of a hex; the first hex of the map is ``(0, 0)``."""
        return self._q[h], self._r[h]

    def at_axial(self, q: int, r: int) -> int:
        """The hex at axial coordinates, or -1 off the map."""
        column, row = coordinates.axial_to_offset(self.kind, q, r)
        if 0 <= column < self.columns and 0 <= row < self.rows:
            return column * self.rows + row
        return -1

    # Distance and direction ----------------------------------------------------------------------------

    def distance(self, a: int, b: int) -> int:
        """Steps between two hexes."""
        return (self._distances[a] or self.distances(a))[b]

    def distances(self, a: int) -> Sequence[int]:
        """Steps from ``a`` to every hex, by hex number: fetch it once where many are asked for."""
        found = self._distances[a]
        if found is None:
            found = self._measure(a)
            self._kept += len(found)
            if self._kept > DISTANCE_BYTES:
                self._distances = [None] * self.size
                self._kept = len(found)
            self._distances[a] = found
        return found

    def _measure(self, a: int) -> Sequence[int]:
        """A row of distances, line by line: along a printed line they fall, stay level and rise again."""
        flat = self.orientation == "flat"
        lines, length = (self.columns, self.rows) if flat else (self.rows, self.columns)
        column, row = divmod(a, self.rows)
        here, place = (column, row) if flat else (row, column)
        pushed = 1 if self.stagger == "even" else 0
        small = lines + length <= 128
        found: bytearray | array[int] = bytearray(self.size) if small else array("I", [0]) * self.size
        for there in range(lines):
            apart = abs(there - here)
            # From a pushed line the unpushed ones seem half a hex back, and the other way round.
            lean = 0 if here & 1 == there & 1 else 1 if here & 1 == pushed else -1
            level = place - (apart - lean) // 2
            beyond = min(level + apart + 1, length)
            steps = [
                *range(apart + level, apart, -1),
                *[apart] * (beyond - max(level, 0)),
                *range(apart + 1, apart + 1 + length - beyond),
            ]
            where = slice(there * length, (there + 1) * length) if flat else slice(there, None, lines)
            if isinstance(found, bytearray):
                found[where] = steps
            else:
                found[where] = array("I", steps)
        return bytes(found) if isinstance(found, bytearray) else found

    def direction(self, a: int, b: int) -> int:
        """The direction (0 to 5) in which ``b`` lies next to ``a``. Raises ValueError if it does not."""
        around = self.neighbours[a]
        if b < 0 or b not in around:
            raise ValueError(f"{self.label(b) if 0 <= b < self.size else b} is not next to {self.label(a)}")
        return around.index(b)

    # Shapes; what lies off the map is left out -----------------------------------------------------------

    def ring(self, h: int, radius: int) -> tuple[int, ...]:
        """The hexes at exactly ``radius`` steps, clockwise from direction 0; the hex itself for 0.

        Raises ValueError for a negative radius.
        """
        if radius > self.columns + self.rows:
            return ()
        around = coordinates.ring(self.axial(h), radius, self.orientation)
        return tuple([there for q, r in around if (there := self.at_axial(q, r)) >= 0])

    def disc(self, h: int, radius: int) -> tuple[int, ...]:
        """The hexes within ``radius`` steps, ring by ring outwards.

        Raises ValueError for a negative radius.
        """
        if radius < 0:
            raise ValueError(f"a radius is 0 or more, not {radius}")
        farthest = min(radius, max(self.distances(h)))
        return tuple([there for distant in range(farthest + 1) for there in self.ring(h, distant)])

    def line(self, a: int, b: int) -> tuple[int, ...]:
        """A shortest row of hexes along the straight line, both ends included; backwards from ``b`` to ``a``.

        Where the straight line runs along the side between two hexes, the lower-numbered one on the map is
        taken.
        """
        start, end = self.axial(a), self.axial(b)
        low = coordinates.line(start, end)
        high = coordinates.line(start, end, high=True)
        found: list[int] = []
        for one, other in zip(low, high, strict=True):
            pair = sorted((self.at_axial(*one), self.at_axial(*other)))
            found.append(pair[0] if pair[0] >= 0 else pair[1])
        return tuple(found)

    def rotate(self, h: int, centre: int, sixths: int) -> int:
        """The hex turned clockwise about ``centre`` by ``sixths`` times 60 degrees, or -1 off the map."""
        return self.at_axial(*coordinates.rotate(self.axial(h), self.axial(centre), sixths))

    def pushed(self, h: int) -> bool:
        """Whether a hex lies half a hex off its printed row: lower with flat tops, else to the right."""
        column, row = divmod(h, self.rows)
        line = column if self.orientation == "flat" else row
        return line & 1 == (1 if self.stagger == "even" else 0)

    def centre(self, h: int) -> tuple[float, float]:
        """Where to draw the centre of a hex of side 1: x to the right, y down, from the top left corner.

        For drawing only: no rule may ask it.
        """
        pushed = self.stagger == "odd"
        half = coordinates.ROOT_3 / 2
        if self.orientation == "flat":
            origin = (1.0, 2 * half if pushed else half)
        else:
            origin = (2 * half if pushed else half, 1.0)
        return coordinates.axial_to_pixel(self.axial(h), self.orientation, origin=origin)
