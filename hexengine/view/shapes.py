"""Hexagons made of square pixels, two to a terminal cell: which pixel belongs to which hex, side and line.

A hexagon is a list of row widths chosen so that the hexagons tile the plane without gaps. All offsets are
measured from the top left corner of a hex's box, so one template serves every hex of every map.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from hexengine.hexes.grid import Grid

Pixel = tuple[int, int]
"""x to the right, y down."""


@dataclass(frozen=True, slots=True)
class SidePixels:
    """The two rows of pixels along one hexside.

    ``near`` carries the edge, ``far`` lies across it; ``middle`` is the pixel of ``near`` for a sign.
    """

    near: tuple[Pixel, ...]
    far: tuple[Pixel, ...]
    middle: Pixel


@dataclass(frozen=True, slots=True)
class Shape:
    """The template of a hex.

    ``spans`` are the rows of the body as (y, first x, x after the last). ``edge`` are the pixels with another
    hex to the right or below, ``ring`` those with another hex on any of four sides. ``sides`` and ``lines``
    are keyed by the way from this hex's corner to the neighbour's. ``centre`` is the pixel lines meet in.
    """

    flat: bool
    pitch: Pixel
    shift: int
    box: Pixel
    spans: tuple[tuple[int, int, int], ...]
    edge: tuple[Pixel, ...]
    ring: tuple[Pixel, ...]
    sides: dict[Pixel, SidePixels]
    lines: dict[Pixel, tuple[Pixel, ...]]
    centre: Pixel

    def corner(self, grid: Grid, h: int) -> Pixel:
        """The top left pixel of a hex's box on its map."""
        column, row = divmod(h, grid.rows)
        x, y = column * self.pitch[0], row * self.pitch[1]
        shift = self.shift if grid.pushed(h) else 0
        return (x, y + shift) if self.flat else (x + shift, y)

    def extent(self, grid: Grid) -> Pixel:
        """Width and height of a whole map in pixels, the height even."""
        x = (grid.columns - 1) * self.pitch[0] + self.box[0]
        y = (grid.rows - 1) * self.pitch[1] + self.box[1]
        if self.flat:
            y += self.shift
        else:
            x += self.shift
        return x, y + (y & 1)

    def window(self, grid: Grid, left: int, top: int, right: int, bottom: int) -> list[int]:
        """The hexes whose boxes touch a rectangle of pixels, in order."""
        first = max(0, (left - self.box[0] - self.shift) // self.pitch[0])
        last = min(grid.columns - 1, right // self.pitch[0])
        upper = max(0, (top - self.box[1] - self.shift) // self.pitch[1])
        lower = min(grid.rows - 1, bottom // self.pitch[1])
        return [
            column * grid.rows + row for column in range(first, last + 1) for row in range(upper, lower + 1)
        ]


@lru_cache(maxsize=8)
def hexagon(flat: bool, small: bool) -> Shape:
    """The hexagons in use: flat tops 7 by 8 pixels (small 5 by 4), pointy tops 8 by 8 (small 6 by 4)."""
    if flat:
        if small:
            return _shape(True, (5, 4), 2, (4, 6, 6, 4))
        return _shape(True, (7, 8), 4, (5, 7, 7, 9, 9, 7, 7, 5))
    if small:
        return _shape(False, (6, 4), 3, (4, 6, 6, 6, 2))
    return _shape(False, (8, 8), 4, (2, 6, 8, 8, 8, 8, 8, 8, 6, 2))


def ways(shape_flat: bool, pitch: Pixel, shift: int) -> tuple[Pixel, ...]:
    """From a hex's corner to its neighbours', clockwise from north (flat) or north-east (pointy)."""
    x, y = pitch
    if shape_flat:
        return (0, -y), (x, -shift), (x, y - shift), (0, y), (-x, y - shift), (-x, -shift)
    return (x - shift, -y), (x, 0), (x - shift, y), (-shift, y), (-x, 0), (-shift, -y)


def _shape(flat: bool, pitch: Pixel, shift: int, widths: tuple[int, ...]) -> Shape:
    wide = max(widths)
    spans = tuple((y, (wide - width) // 2, (wide + width) // 2) for y, width in enumerate(widths))
    here = [(x, y) for y, first, after in spans for x in range(first, after)]
    around = ways(flat, pitch, shift)
    owner: dict[Pixel, Pixel] = dict.fromkeys(here, (0, 0))
    for dx, dy in around:
        for x, y in here:
            owner[x + dx, y + dy] = (dx, dy)
    sides = {way: ([], []) for way in around}  # type: dict[Pixel, tuple[list[Pixel], list[Pixel]]]
    for (x, y), one in owner.items():
        for across in ((x + 1, y), (x, y + 1)):
            other = owner.get(across)
            if other is None or other == one or (0, 0) not in (one, other):
                continue
            near, far = sides[one if other == (0, 0) else other]
            near.append((x, y))
            far.append(across)
    inside = set(here)
    # In the small shapes lines meet in the lower row, so that they leave the labels in the upper one alone.
    centre = ((wide - 1) // 2, (len(widths) - 1) // 2 if len(widths) > 6 else 2)
    return Shape(
        flat=flat,
        pitch=pitch,
        shift=shift,
        box=(wide, len(widths)),
        spans=spans,
        edge=tuple((x, y) for x, y in here if not {(x + 1, y), (x, y + 1)} <= inside),
        ring=tuple((x, y) for x, y in here if not {(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)} <= inside),
        sides={
            way: SidePixels(
                tuple(dict.fromkeys(near)),
                tuple(dict.fromkeys(far)),
                _nearest(near, (wide - 1 + way[0], len(widths) - 1 + way[1])),
            )
            for way, (near, far) in sides.items()
        },
        lines={way: _line(centre, (centre[0] + way[0], centre[1] + way[1])) for way in around},
        centre=centre,
    )


def _nearest(dots: list[Pixel], doubled: Pixel) -> Pixel:
    """The pixel next to a point, whose coordinates are given doubled."""
    return min(dots, key=lambda dot: (2 * dot[0] - doubled[0]) ** 2 + (2 * dot[1] - doubled[1]) ** 2)


def _line(start: Pixel, end: Pixel) -> tuple[Pixel, ...]:
    """The pixels from one centre to the next, the same ones whichever end is named first: halves go up."""
    if start == end:
        return (start,)
    dx, dy = end[0] - start[0], end[1] - start[1]
    steps = max(abs(dx), abs(dy))
    return tuple(
        (start[0] + (2 * dx * i + steps) // (2 * steps), start[1] + (2 * dy * i + steps) // (2 * steps))
        for i in range(steps + 1)
    )


def segment(start: Pixel, end: Pixel) -> list[Pixel]:
    """The pixels of a straight line between two pixels, both included; one, from a pixel to itself."""
    return list(_line(start, end))
