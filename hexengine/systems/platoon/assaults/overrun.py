"""Overrun (P7.1, P7.4): when vehicles drive through soft targets, and whether they can get out beyond."""

from __future__ import annotations

from hexengine.mechanics.masks import lowest, units
from hexengine.systems.platoon.moving.movement import budget
from hexengine.systems.platoon.moving.stacking import counted
from hexengine.systems.platoon.position import STACKING_LIMIT, PlatoonPosition

EXTRA_COST = 2
"""Half MP that an overrun costs beside the hex and the hexside (P7.4)."""


def in_the_open(pos: PlatoonPosition, fighters: int, foes: int, target: int) -> bool:
    """Whether vehicles alone come upon soft targets only where these can be overrun (P7.1)."""
    board = pos.board
    return bool(board.open_ground >> target & 1) and not fighters & ~board.hard and not foes & board.hard


def barred_by(pos: PlatoonPosition, fighters: int, place: int, direction: int) -> tuple[str, int]:
    """Why units cannot drive through the hex in a direction and out of it straight on: a code and whom
    it concerns; "" if they can.

    A far hex that the enemy holds is a way out with the MP to assault it (P7.4).
    """
    board = pos.board
    target = board.neighbours[place][direction]
    beyond = board.neighbours[target][direction]
    first = lowest(fighters)
    if beyond < 0:
        return "no-far-side", first
    if counted(pos, board.side[first], beyond) + fighters.bit_count() > STACKING_LIMIT:
        return "far-side-full", first
    for unit in units(fighters):
        costs = board.costs[board.mobility[unit]]
        if not costs[target][direction]:
            return "no-far-side", unit
        if overrun_cost(pos, unit, place, direction) > budget(pos, unit):
            return "far-side-too-far", unit
    return "", -1


def overrun_cost(pos: PlatoonPosition, unit: int, place: int, direction: int) -> int:
    """Half MP that a unit must have for an overrun: into the hex, 1 MP more, and out of it straight on."""
    board = pos.board
    costs = board.costs[board.mobility[unit]]
    return costs[place][direction] + EXTRA_COST + costs[board.neighbours[place][direction]][direction]
