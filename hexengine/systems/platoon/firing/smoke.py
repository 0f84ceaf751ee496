"""Smoke (P12.4): markers in hexes that hinder fire into, out of and through them for two turns.

``pos.smoke`` counts by hex the marker removals that are left; it is empty where a scenario has no smoke.
``pos.smoky`` is the mask of hexes with a marker, for one quick test.
"""

from __future__ import annotations

from hexengine.core.events import Emit, Event
from hexengine.mechanics.masks import mask_of
from hexengine.systems.platoon.position import PlatoonPosition

SMOKE_TURNS = 2
SMOKE_MODIFIER = 1


def lay(pos: PlatoonPosition, place: int, emit: Emit) -> None:
    """Smoke in a hex; where there is some already it is fresh again."""
    pos.smoke[place] = SMOKE_TURNS
    pos.smoky |= 1 << place
    if emit:
        emit(Event("P12.4", "smoke", {"hex": pos.board.labels[place], "turns": SMOKE_TURNS}))


def crossed(pos: PlatoonPosition, a: int, b: int) -> list[int]:
    """The hexes with smoke that fire between two hexes meets, in order: ends, and what lies between.

    Along a hexside the lesser of both hexes counts (P10.5): smoke does where it lies in both.
    """
    smoky = pos.smoky
    between = [
        x for x, y in pos.board.sight.between(a, b) if x >= 0 and y >= 0 and smoky >> x & smoky >> y & 1
    ]
    return [place for place in ((a, *between, b) if a != b else (a,)) if smoky >> place & 1]


def thin(pos: PlatoonPosition, emit: Emit) -> None:
    """P1.7: at marker removal every smoke marker goes down by one."""
    if not pos.smoky:
        return
    pos.smoke = bytearray([left - 1 if left else 0 for left in pos.smoke])
    pos.smoky = mask_of(place for place, left in enumerate(pos.smoke) if left)
    if emit:
        emit(Event("P1.7", "smoke-thins", {}))
