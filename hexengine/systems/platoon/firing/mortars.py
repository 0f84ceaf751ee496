"""Mortars on the map (P12.5): fire at what only an observer sees.

A mortar that sees its target fires direct, whatever smoke lies between; only one that does not sees by its
observers, and only in an activation of its own formation: opportunity fire is direct.
"""

from __future__ import annotations

from hexengine.systems.platoon.firing.observers import observed, seen, standpoints
from hexengine.systems.platoon.firing.smoke import crossed
from hexengine.systems.platoon.position import PlatoonPosition

INDIRECT_MODIFIER = 1


def may_fire_indirect(pos: PlatoonPosition, firer: int) -> bool:
    """Whether a unit may let others see for it now."""
    board = pos.board
    return bool(board.indirect >> firer & 1) and board.formation[firer] == pos.active


def in_view(pos: PlatoonPosition, firer: int, hexes: int) -> int:
    """Of a mask of hexes, those that a unit that may fire indirect or an observer of its formation sees."""
    own = seen(pos, pos.hex[firer], hexes)
    return own | observed(pos, pos.board.formation[firer], hexes & ~own)


def aim(pos: PlatoonPosition, firer: int, there: int) -> tuple[int, int]:
    """Whether fire at a hex is indirect (1 or 0), and the smoke hexes in its way (P12.4).

    The way is the line of sight: the firer's, or that of the observer who has the least smoke before him.
    """
    place = pos.hex[firer]
    if not pos.board.indirect >> firer & 1 or seen(pos, place, 1 << there):
        return 0, len(crossed(pos, place, there)) if pos.smoky else 0
    if not pos.smoky:
        return 1, 0
    lines = [
        len(crossed(pos, eye, there))
        for eye in standpoints(pos, pos.board.formation[firer])
        if seen(pos, eye, 1 << there)
    ]
    return 1, min(lines, default=0)
