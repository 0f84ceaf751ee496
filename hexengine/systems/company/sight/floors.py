"""Floors (C6.6): who sees and shoots from upstairs; ``moving.climbing`` says who gets there.

A building has the floors of its highest opening.  A floor of a room is a *spot*: the ground of a hex has the
hex's number, upper floors have the numbers after all hexes.  Nothing here is asked while nobody is upstairs.
"""

from __future__ import annotations

from hexengine.mechanics.masks import units as hexes
from hexengine.systems.company.board import Weapon
from hexengine.systems.company.position import CompanyPosition


def covered(pos: CompanyPosition, unit: int, weapon: Weapon, spots: int) -> int:
    """Of some spots those in a team's range, line of sight and arc, while teams are upstairs."""
    board, here = pos.board, pos.place[unit]
    ground = board.ground
    distances = board.grid.distances(here)
    arc = board.arcs >> unit & 1
    found = 0
    for spot in hexes(board.sight.among(pos.spot(unit), spots)):
        place = ground.hex_of[spot]
        if distances[place] <= weapon.range and (not arc or ground.in_front(here, pos.facing[unit], place)):
            found |= 1 << spot
    return found


def seen(pos: CompanyPosition, unit: int) -> int:
    """The hexes of the enemies that a team sees, while teams are upstairs."""
    board = pos.board
    found = 0
    for spot in hexes(board.sight.among(pos.spot(unit), pos.stands(1 - board.side[unit]))):
        found |= 1 << board.ground.hex_of[spot]
    return found
