"""Observers (P12.2): who sees for artillery, mortars and aircraft, and what."""

from __future__ import annotations

from hexengine.mechanics.masks import units
from hexengine.systems.platoon.position import PlatoonPosition


def observers(pos: PlatoonPosition, formation: int) -> int:
    """The HQ of a formation, and its reconnaissance units in good order and in command, as a mask.

    Passengers do not observe; whatever else a unit has done or does makes no difference.
    """
    board = pos.board
    data = board.formations[formation]
    found = pos.placed & data.fighters & board.recon & ~(pos.disrupted | pos.ooc | pos.carried)
    if data.hq >= 0 and pos.placed >> data.hq & 1:
        found |= 1 << data.hq
    return found


def standpoints(pos: PlatoonPosition, formation: int) -> tuple[int, ...]:
    """The hexes in which a formation's observers stand."""
    return tuple(sorted({pos.hex[unit] for unit in units(observers(pos, formation))}))


def seen(pos: PlatoonPosition, place: int, hexes: int) -> int:
    """Of a mask of hexes, those that one hex sees, wrecks considered."""
    sight, wrecks = pos.board.sight, pos.wrecks
    view = sight.in_view(place, hexes)
    if not wrecks:
        return view
    rest, found = view, 0
    while rest:
        low = rest & -rest
        rest ^= low
        if sight.sees(place, low.bit_length() - 1, wrecks):
            found |= low
    return found


def observed(pos: PlatoonPosition, formation: int, hexes: int) -> int:
    """Of a mask of hexes, those that any observer of a formation sees, at any range."""
    found = 0
    for place in standpoints(pos, formation):
        found |= seen(pos, place, hexes & ~found)
    return found
