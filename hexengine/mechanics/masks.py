"""Sets of units as masks: plain ints, bit ``u`` for unit ``u``.

Masks read as sentences (``alive & formation & ~(ops | ooc)``), clear in one statement and copy
for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter

_MEMO_LIMIT = 50_000
_MANY = 20
"""Numbers in a mask from which it is read from its digits."""


class _Units(dict[int, tuple[int, ...]]):
    """The units of masks, remembered: the same few masks come again and again."""

    def __missing__(self, mask: int) -> tuple[int, ...]:
        found = []
        rest = mask
        while rest:
            low = rest & -rest
            found.append(low.bit_length() - 1)
            rest ^= low
        if len(self) >= _MEMO_LIMIT:
            self.clear()
        result = self[mask] = tuple(found)
        return result


units: Callable[[int], tuple[int, ...]] = _Units().__getitem__
"""The units of a mask (0 or more), ascending."""


def bits(mask: int) -> list[int]:
    """The numbers of a mask, ascending, where it is not worth remembering: of hexes, say."""
    if mask.bit_count() > _MANY:
        return [number for number, bit in enumerate(bin(mask)[:1:-1]) if bit == "1"]
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def mask_of(members: Iterable[int]) -> int:
    """The mask of some units."""
    mask = 0
    for unit in members:
        mask |= 1 << unit
    return mask


def reader(members: Sequence[int]) -> Callable[[Sequence[int]], tuple[int, ...]]:
    """What reads a column at some numbers, as a tuple: quicker than a loop."""
    if len(members) > 1:
        return itemgetter(*members)
    return lambda column: tuple([column[member] for member in members])


def lowest(mask: int) -> int:
    """The first unit of a mask that is not empty."""
    return (mask & -mask).bit_length() - 1


def nth(mask: int, number: int) -> int:
    """The unit of a mask that has so many others before it."""
    found, width = 0, mask.bit_length()
    while width > 1:
        half = width >> 1
        low = mask & (1 << half) - 1
        before = low.bit_count()
        if number < before:
            mask, width = low, half
        else:
            number -= before
            mask >>= half
            found += half
            width -= half
    return found
