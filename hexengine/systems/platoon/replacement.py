"""Replacing an HQ (P9.5): at marker removal one that was lost comes back reduced, with a unit."""

from __future__ import annotations

from hexengine.core.events import Emit, Event
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.moving.stacking import place_at
from hexengine.systems.platoon.position import PlatoonPosition


def replace_hqs(pos: PlatoonPosition, emit: Emit) -> None:
    """Every HQ lost since the last marker removal comes back where it can, or is gone for good.

    One whose only places are in hexes that have another HQ already (P3.4) waits for the next turn.
    """
    board = pos.board
    for hq in units(pos.fallen):
        company = _company(pos, hq)
        if not company:
            pos.fallen &= ~(1 << hq)
            if emit:
                emit(Event("P9.5", "hq-gone", {"hq": board.ids[hq]}))
            continue
        unit = _host(pos, hq, company)
        if unit >= 0:
            _bring_back(pos, hq, unit, emit)


def _company(pos: PlatoonPosition, hq: int) -> int:
    """The units of its formation, of a type it pictures, that an HQ may stand with: passengers are none."""
    board = pos.board
    data = board.formations[board.formation[hq]]
    return pos.placed & data.fighters & board.counted & ~pos.carried & board.pictured[hq]


def _host(pos: PlatoonPosition, hq: int, company: int) -> int:
    """The unit it comes back with: the first in good order, else the first; -1 if no hex has room for it."""
    board = pos.board
    base = board.size if board.side[hq] else 0
    for some in (company & ~pos.disrupted, company & pos.disrupted):
        for unit in units(some):
            if pos.here[base + pos.hex[unit]] < 16:
                return unit
    return -1


def _bring_back(pos: PlatoonPosition, hq: int, unit: int, emit: Emit) -> None:
    board = pos.board
    bit = 1 << hq
    pos.fallen &= ~bit
    pos.lost &= ~bit
    pos.steps[hq] = 1
    place_at(pos, hq, pos.hex[unit])
    pos.fresh |= bit
    if emit:
        emit(Event("P9.5", "hq-replaced", {"hq": board.ids[hq], "unit": board.ids[unit],
                                           "hex": board.labels[pos.hex[unit]]}))  # fmt: skip
