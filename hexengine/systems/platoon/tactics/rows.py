"""A number for each hex of a map, packed into one int: adding two rows is one addition.

32 bits a hex, the highest kept free: numbers run from 0 to 2**31 - 1, and whoever adds or
multiplies sees to it that they stay there.  A row subtracted from another must nowhere be larger.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable

BITS = 32
_BYTES = BITS // 8
_LOW = (1 << BITS) - 1


class Rows:
    """Rows for a map of ``size`` hexes."""

    __slots__ = ("_guard", "_length", "_low", "ones", "size")

    def __init__(self, size: int) -> None:
        self.size = size
        self._length = size * _BYTES
        self.ones = self.pack([1] * size)
        """The row of ones: ``ones * n`` has ``n`` everywhere."""
        self._guard = self.ones << (BITS - 1)
        self._low: dict[int, int] = {}

    def pack(self, numbers: Iterable[int]) -> int:
        """A row from a number for each hex, in order of hexes."""
        row = array("I", numbers)
        if sys.byteorder == "big":
            row.byteswap()
        return int.from_bytes(row.tobytes(), "little")

    def widened(self, numbers: bytes) -> int:
        """A row from a byte for each hex, in order of hexes."""
        row = bytearray(self._length)
        row[::_BYTES] = numbers
        return int.from_bytes(row, "little")

    def numbers(self, row: int) -> array[int]:
        """A row to be read by hex: in few places, or by itemgetter, for which no list of them all pays."""
        found = array("I", row.to_bytes(self._length, "little"))
        if sys.byteorder == "big":
            found.byteswap()
        return found

    def at(self, row: int, place: int) -> int:
        """A row's number for one hex."""
        return row >> BITS * place & _LOW

    def single(self, place: int, number: int) -> int:
        """The row with a number for one hex and 0 for all others."""
        return number << BITS * place

    def scaled(self, row: int, by: int, over: int) -> int:
        """A row times ``by`` divided by ``over``, a power of two, rounded down.

        The product must keep within 31 bits.
        """
        shift = over.bit_length() - 1
        low = self._low.get(shift)
        if low is None:
            low = self._low[shift] = self.ones * ((1 << BITS - shift) - 1)
        return (row * by >> shift) & low

    def larger(self, a: int, b: int) -> int:
        """For each hex the larger number of two rows."""
        guard = self._guard
        more = (a | guard) - b
        # The guard bit is left standing exactly where a number of a is not smaller than b's.
        standing = more & guard
        return b + (more & standing - (standing >> (BITS - 1)))
