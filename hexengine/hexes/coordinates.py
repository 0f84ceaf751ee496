"""Arithmetic on an endless sheet of hexes: no map, no edge, negative coordinates allowed.

Two notations are used. *Axial* ``(q, r)`` counts along two hex rows that meet at 120 degrees; the third
coordinate is ``s = -q - r``, and all three together are the *cube* notation. *Offset* ``(column, row)``
counts as a printed map does, here from 0; its kind names which lines are pushed by half a hex:

=========  ===========  =====================================
kind       hexes        pushed half a hex (counted from 0)
=========  ===========  =====================================
``odd-q``  flat top     odd columns, down
``even-q`` flat top     even columns, down
``odd-r``  pointy top   odd rows, to the right
``even-r`` pointy top   even rows, to the right
=========  ===========  =====================================

With flat tops ``r`` grows to the south and ``q`` to the south-east; with pointy tops ``q`` grows to the
east and ``r`` to the south-east. Directions are numbered 0 to 5 clockwise, 0 being north (flat top) or
north-east (pointy top). Everything but the drawing functions at the end is exact integer arithmetic.
"""

from __future__ import annotations

from math import sqrt
from typing import Literal

Axial = tuple[int, int]
Orientation = Literal["flat", "pointy"]
OffsetKind = Literal["odd-q", "even-q", "odd-r", "even-r"]

FLAT_DIRECTIONS: tuple[Axial, ...] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""Axial steps with flat tops: north, north-east, south-east, south, south-west, north-west."""

POINTY_DIRECTIONS: tuple[Axial, ...] = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
"""Axial steps with pointy tops: north-east, east, south-east, south-west, west, north-west."""

DIRECTIONS: dict[Orientation, tuple[Axial, ...]] = {"flat": FLAT_DIRECTIONS, "pointy": POINTY_DIRECTIONS}

ROOT_3 = sqrt(3.0)


def offset_to_axial(kind: OffsetKind, column: int, row: int) -> Axial:
    """Axial coordinates of an offset pair counted from 0 (either may be negative)."""
    if kind == "odd-q":
        return column, row - (column - (column & 1)) // 2
    if kind == "even-q":
        return column, row - (column + (column & 1)) // 2
    if kind == "odd-r":
        return column - (row - (row & 1)) // 2, row
    return column - (row + (row & 1)) // 2, row


def axial_to_offset(kind: OffsetKind, q: int, r: int) -> tuple[int, int]:
    """The offset pair ``(column, row)``, counted from 0, of an axial pair."""
    if kind == "odd-q":
        return q, r + (q - (q & 1)) // 2
    if kind == "even-q":
        return q, r + (q + (q & 1)) // 2
    if kind == "odd-r":
        return q + (r - (r & 1)) // 2, r
    return q + (r + (r & 1)) // 2, r


def distance(a: Axial, b: Axial) -> int:
    """Steps between two hexes."""
    dq = b[0] - a[0]
    dr = b[1] - a[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def step(start: Axial, direction: int, count: int = 1, orientation: Orientation = "flat") -> Axial:
    """The hex ``count`` steps from ``start`` along the hex row that leaves in ``direction`` (0 to 5)."""
    dq, dr = DIRECTIONS[orientation][direction]
    return start[0] + count * dq, start[1] + count * dr


def neighbours(centre: Axial, orientation: Orientation = "flat") -> list[Axial]:
    """The six adjacent hexes in direction order."""
    q, r = centre
    return [(q + dq, r + dr) for dq, dr in DIRECTIONS[orientation]]


def rotate(point: Axial, centre: Axial, sixths: int) -> Axial:
    """``point`` turned clockwise about ``centre`` by that many times 60 degrees (negative: the other way)."""
    q = point[0] - centre[0]
    r = point[1] - centre[1]
    for _ in range(sixths % 6):
        q, r = -r, q + r
    return centre[0] + q, centre[1] + r


def reflect(point: Axial, centre: Axial, direction: int = 0, orientation: Orientation = "flat") -> Axial:
    """``point`` mirrored in the hex row that runs through ``centre`` in ``direction``.

    Opposite directions name the same row, so ``direction`` and ``direction + 3`` give the same.
    """
    turns = direction + (1 if orientation == "pointy" else 0)
    q, r = rotate(point, centre, -turns)
    q -= centre[0]
    r -= centre[1]
    return rotate((centre[0] - q, centre[1] + q + r), centre, turns)


def ring(centre: Axial, radius: int, orientation: Orientation = "flat") -> list[Axial]:
    """The hexes at exactly ``radius`` steps, clockwise from the one in direction 0; ``[centre]`` for 0.

    Raises ValueError for a negative radius.
    """
    if radius < 0:
        raise ValueError(f"a radius is 0 or more, not {radius}")
    if radius == 0:
        return [centre]
    directions = DIRECTIONS[orientation]
    q = centre[0] + radius * directions[0][0]
    r = centre[1] + radius * directions[0][1]
    found: list[Axial] = []
    for side in range(6):
        dq, dr = directions[(side + 2) % 6]
        for _ in range(radius):
            found.append((q, r))
            q += dq
            r += dr
    return found


def disc(centre: Axial, radius: int, orientation: Orientation = "flat") -> list[Axial]:
    """The hexes within ``radius`` steps, ring by ring from the centre outwards: 1 + 3 n (n + 1) of them.

    Raises ValueError for a negative radius.
    """
    if radius < 0:
        raise ValueError(f"a radius is 0 or more, not {radius}")
    return [point for distant in range(radius + 1) for point in ring(centre, distant, orientation)]


def line(a: Axial, b: Axial, high: bool = False) -> list[Axial]:
    """A shortest row of hexes from ``a`` to ``b``, both included, that keeps to the straight line.

    The straight line is sampled once a step and the nearest hex taken. Where a sample lies on the side
    between two hexes, the lower of the two pairs ``(q, r)`` is taken, or the higher one with ``high``;
    so the line from ``b`` to ``a`` is the same hexes backwards.
    """
    dq = b[0] - a[0]
    dr = b[1] - a[1]
    length = max(abs(dq), abs(dr), abs(dq + dr))
    half = length if high else length - 1
    found: list[Axial] = []
    for i in range(length):
        # One of the three coordinates changes by exactly one a step, so it is whole at every sample;
        # rounding one of the other two gives the third.
        if abs(dq) == length:
            q = dq * i // length
            r = (2 * dr * i + half) // (2 * length)
        elif abs(dr) == length:
            r = dr * i // length
            q = (2 * dq * i + half) // (2 * length)
        else:
            q = (2 * dq * i + half) // (2 * length)
            r = (dq + dr) * i // length - q
        found.append((a[0] + q, a[1] + r))
    found.append(b)
    return found


def nearest(q: float, r: float) -> Axial:
    """The hex that holds the fractional point ``(q, r)``; for drawing and pointing only."""
    s = -q - r
    whole_q, whole_r, whole_s = round(q), round(r), round(s)
    off_q, off_r, off_s = abs(whole_q - q), abs(whole_r - r), abs(whole_s - s)
    if off_q > off_r and off_q > off_s:
        return -whole_r - whole_s, whole_r
    if off_r > off_s:
        return whole_q, -whole_q - whole_s
    return whole_q, whole_r


def axial_to_pixel(
    point: Axial,
    orientation: Orientation = "flat",
    radius: tuple[float, float] = (1.0, 1.0),
    origin: tuple[float, float] = (0.0, 0.0),
) -> tuple[float, float]:
    """Where the centre of a hex is drawn: x to the right, y downwards.

    ``radius`` is centre to corner, for x and for y; ``origin`` is the centre of the hex ``(0, 0)``.
    """
    q, r = point
    if orientation == "flat":
        x, y = 1.5 * q, ROOT_3 * (r + q / 2)
    else:
        x, y = ROOT_3 * (q + r / 2), 1.5 * r
    return origin[0] + radius[0] * x, origin[1] + radius[1] * y


def pixel_to_axial(
    x: float,
    y: float,
    orientation: Orientation = "flat",
    radius: tuple[float, float] = (1.0, 1.0),
    origin: tuple[float, float] = (0.0, 0.0),
) -> Axial:
    """The hex drawn at a point; the inverse of ``axial_to_pixel`` (on a side, either of the two hexes)."""
    x = (x - origin[0]) / radius[0]
    y = (y - origin[1]) / radius[1]
    if orientation == "flat":
        q = x / 1.5
        return nearest(q, y / ROOT_3 - q / 2)
    r = y / 1.5
    return nearest(x / ROOT_3 - r / 2, r)
