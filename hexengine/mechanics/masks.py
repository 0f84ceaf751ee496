"""Sets of units as masks: plain ints, bit ``u`` for unit ``u``.

Masks read as sentences (``alive & formation & ~(ops | ooc)``), clear in one statement and copy
for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

_MEMO_LIMIT = 50_000
_memo: dict[int, tuple[int, ...]] = {0: ()}


def units(mask: int) -> tuple[int, ...]:
    """The units of a mask, ascending; remembered, since the same few masks come again and again."""
    known = _memo.get(mask)
    if known is not None:
        return known
    found = []
    rest = mask
    while rest:
        low = rest & -rest
        found.append(low.bit_length() - 1)
        rest ^= low
    result = tuple(found)
    if len(_memo) >= _MEMO_LIMIT:
        _memo.clear()
        _memo[0] = ()
    _memo[mask] = result
    return result


def mask_of(members: Iterable[int]) -> int:
    """The mask of some units."""
    mask = 0
    for unit in members:
        mask |= 1 << unit
    return mask


def lowest(mask: int) -> int:
    """The first unit of a mask that is not empty."""
    return (mask & -mask).bit_length() - 1
