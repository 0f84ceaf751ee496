"""Sight lines: what lies between two hexes on the straight line from centre to centre. Exact integers only.

``SightLines(grid).between(a, b)`` gives the stretches of the line strictly between the two hexes, in order
from ``a``. A stretch ``(h, h)`` runs through the inside of one hex. A stretch ``(x, y)`` runs along the side
that two hexes share: lower number first, -1 for one that lies off the map.

At a corner of a hex the line meets three hexes, and this is how each case counts:

=======================================================  ==================================================
the line                                                 between are
=======================================================  ==================================================
leaves a hex by the inside of a side                     the hex on the other side is next
leaves through a corner into another of the three hexes  that hex is next; the third, touched in one corner
                                                         only, is not between
leaves through a corner along the side of the other two  the stretch of both, then the hex at its far end
=======================================================  ==================================================

The last case is the line to a hex such as the second one straight east on a map with flat tops, and to its
multiples: there the stretches go (x, y), (h, h), (x, y) and so on. Nothing lies between adjacent hexes, nor
between a hex and itself.

A line from ``b`` to ``a`` has the same stretches backwards. This needs no care where it is used: all lines
are turned and mirrored copies of those to the twelfth part of the sheet in which ``q >= r >= 0``, and each of
these was cut by comparing whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from hexengine.hexes.coordinates import Axial, rotate
from hexengine.hexes.grid import Grid

Stretch = tuple[int, int]
"""Two hexes: twice the same where the line runs inside it, otherwise the two whose side it runs along."""

# Lines kept for look-up: all of them on a map of up to 512 hexes. When more are asked for, it starts afresh.
LINES_KEPT = 1 << 18

_ORIGIN: Axial = (0, 0)


def stretches(q: int, r: int) -> tuple[tuple[Axial, Axial], ...]:
    """The stretches strictly between ``(0, 0)`` and ``(q, r)`` on an endless sheet, in axial coordinates."""
    found, (aq, ar), (bq, br) = _turned(q, r)
    return tuple(
        [((aq * x + bq * y, ar * x + br * y), (aq * u + bq * v, ar * u + br * v)) for (x, y), (u, v) in found]
    )


def _turned(q: int, r: int) -> tuple[Sequence[tuple[Axial, Axial]], Axial, Axial]:
    """The stretches to an offset as they lie in the twelfth part in which ``q >= r >= 0``, and where
    ``(1, 0)`` and ``(0, 1)`` of that part really are.
    """
    if (q, r) == _ORIGIN:
        return (), (1, 0), (0, 1)
    turns = 0
    while not (q > 0 and r >= 0):
        q, r = -r, q + r
        turns += 1
    mirrored = r > q
    if mirrored:
        q, r = r, q
    return (_cut_out(q, r), *_BACK[mirrored][turns])


def _place(point: Axial, mirrored: bool, turns: int) -> Axial:
    return rotate(point[::-1] if mirrored else point, _ORIGIN, -turns)


_BACK = [
    [(_place((1, 0), mirrored, turns), _place((0, 1), mirrored, turns)) for turns in range(6)]
    for mirrored in (False, True)
]


@lru_cache(maxsize=LINES_KEPT >> 4)
def _cut_out(q: int, r: int) -> Sequence[tuple[Axial, Axial]]:
    """The stretches to ``(q, r)`` with ``q >= r >= 0``."""
    return _along_sides(q) if q == r else _through_hexes(q, r)


def _along_sides(count: int) -> list[tuple[Axial, Axial]]:
    """To ``(count, count)``: side and hex in turn."""
    found: list[tuple[Axial, Axial]] = []
    for i in range(count):
        if i:
            found.append(((i, i), (i, i)))
        found.append(((i + 1, i), (i, i + 1)))
    return found


def _through_hexes(a: int, b: int) -> list[tuple[Axial, Axial]]:
    """To ``(a, b)`` with ``a > b >= 0``: the hexes whose inside the line runs through.

    A hex is bounded by three pairs of parallel sides, on which ``2q + r``, ``q + 2r`` and ``q - r`` differ
    from those of its centre by one. Along this line none of the three decreases, so the line leaves a hex by
    one of three sides, towards ``(1, 0)``, ``(0, 1)`` or ``(1, -1)``: by the one it comes to first. Where it
    comes to two at once, that is at a corner; one of them is always the side towards ``(1, 0)``, and the line
    goes on inside that hex.
    """
    ahead, left, right = 2 * a + b, a + 2 * b, a - b
    q = r = 0
    found: list[tuple[Axial, Axial]] = []
    while True:
        # Parts of the line at which it comes to the sides: each a fraction over the whole growth.
        to_ahead, to_left, to_right = 2 * q + r + 1, q + 2 * r + 1, q - r + 1
        if to_ahead * left <= to_left * ahead and to_ahead * right <= to_right * ahead:
            q += 1
        elif to_left * right < to_right * left:
            r += 1
        else:
            q, r = q + 1, r - 1
        if (q, r) == (a, b):
            return found
        found.append(((q, r), (q, r)))


class SightLines:
    """The sight lines of one grid, each cut when it is first asked for."""

    __slots__ = ("_code", "_known", "_shapes", "_singles", "_size", "_stride", "_templates", "grid")

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self._size = grid.size
        axials = [grid.axial(h) for h in range(grid.size)]
        # A hex's code is q * stride + r with room for one more hex all round, and a stride so wide that the
        # difference of two codes tells the offset between the hexes.
        low_q, low_r = min(q for q, _ in axials) - 1, min(r for _, r in axials) - 1
        span_q, span_r = max(q for q, _ in axials) + 2 - low_q, max(r for _, r in axials) + 2 - low_r
        self._stride = stride = 2 * span_r
        self._code = [(q - low_q) * stride + r - low_r for q, r in axials]
        self._singles: list[Stretch] = [(-1, -1)] * (span_q * stride)
        for h, code in enumerate(self._code):
            self._singles[code] = (h, h)
        self._templates: dict[int, tuple[tuple[int, int], ...]] = {}
        self._shapes: dict[int, tuple[int, int, bool]] = {}
        self._known: dict[int, tuple[Stretch, ...]] = {}

    def between(self, a: int, b: int) -> tuple[Stretch, ...]:
        """The stretches of the line strictly between ``a`` and ``b``, in order from ``a``.

        The same object each time, until so many lines have been asked for that it starts afresh.
        """
        found = self._known.get(a * self._size + b)
        return self._cut(a, b) if found is None else found

    def crossed(self, a: int, b: int) -> tuple[int, bool]:
        """What lies strictly between two hexes as a mask of codes (see :meth:`coded`), without the order.

        And whether the line runs along hexsides: then both hexes of each are in the mask.
        """
        base = self._code[a]
        offset = self._code[b] - base
        shape = self._shapes.get(offset)
        if shape is None:
            shape = self._shape(a, b, offset)
        shift, mask, along = shape
        return mask << base + shift, along

    def crossed_from(self, a: int, others: Iterable[int]) -> Iterator[tuple[int, int, bool]]:
        """:meth:`crossed` for many hexes, each behind the hex that it is of."""
        code, shapes = self._code, self._shapes
        base = code[a]
        for b in others:
            offset = code[b] - base
            shift, mask, along = shapes.get(offset) or self._shape(a, b, offset)
            yield b, mask << base + shift, along

    def coded(self, hexes: Iterable[int]) -> int:
        """Some hexes as a mask of codes, to be held against :meth:`crossed`; nothing off the map has one."""
        code = self._code
        mask = 0
        for place in hexes:
            mask |= 1 << code[place]
        return mask

    def _shape(self, a: int, b: int, offset: int) -> tuple[int, int, bool]:
        """The mask between hexes that lie ``offset`` apart, and how far it is to be shifted beside ``a``.

        Between them and the other way round lies the same.
        """
        codes = [code for stretch in self._template(a, b, offset) for code in stretch]
        along = len(codes) > 0 and codes[0] != codes[1]
        shift = min(codes, default=0)
        mask = 0
        for code in codes:
            mask |= 1 << code - shift
        self._shapes[-offset] = shift - offset, mask, along
        shape = self._shapes[offset] = shift, mask, along
        return shape

    def _cut(self, a: int, b: int) -> tuple[Stretch, ...]:
        base = self._code[a]
        offset = self._code[b] - base
        template = self._template(a, b, offset)
        singles = self._singles
        if template and template[0][0] != template[0][1]:
            found = tuple([self._pair(base + one, base + other) for one, other in template])
        else:
            found = tuple([singles[base + one] for one, _ in template])
        if len(self._known) >= LINES_KEPT:
            self._known.clear()
        self._known[a * self._size + b] = found
        return found

    def _pair(self, one: int, other: int) -> Stretch:
        if one == other:
            return self._singles[one]
        x, y = self._singles[one][0], self._singles[other][0]
        return (x, y) if x < y else (y, x)

    def _template(self, a: int, b: int, offset: int) -> tuple[tuple[int, int], ...]:
        """The stretches for every pair of hexes as far apart as these two, as differences of codes."""
        found = self._templates.get(offset)
        if found is None:
            (from_q, from_r), (to_q, to_r) = self.grid.axial(a), self.grid.axial(b)
            cut, (aq, ar), (bq, br) = _turned(to_q - from_q, to_r - from_r)
            one, other = aq * self._stride + ar, bq * self._stride + br
            found = tuple([(one * x + other * y, one * u + other * v) for (x, y), (u, v) in cut])
            self._templates[offset] = found
            self._templates[-offset] = tuple([(x - offset, y - offset) for x, y in reversed(found)])
        return found
