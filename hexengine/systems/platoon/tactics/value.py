"""How a whole position stands for a side: what a player that looks ahead compares."""

from __future__ import annotations

from hexengine.mechanics.victory import DRAW, ONGOING
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.tactics.view import Tables
from hexengine.systems.platoon.victory import marched_off

VICTORY = 100_000
"""A game that is won, in hundredths of a point."""


def value(tables: Tables, pos: PlatoonPosition, side: int) -> int:
    """What a side has over the other, in hundredths of a point; positive is good for it.

    Points scored, what still is to be scored by what is controlled now, and the worth of the units left.
    """
    if pos.winner != ONGOING:
        return 0 if pos.winner == DRAW else VICTORY if pos.winner == side else -VICTORY
    board, worth, goals = tables.board, tables.worth, tables.goals
    total = [100 * points for points in pos.points]
    for goal in board.goals:
        if goal.kind == "exit":
            total[goal.side] += 100 * goal.points * marched_off(pos, goal)
    for place, values in zip(goals.objectives, goals.worths(pos.turn), strict=True):
        owner = pos.control[place]
        if owner:
            total[owner - 1] += values[owner - 1]
    for unit in range(board.count):
        if not pos.lost >> unit & 1:
            total[board.side[unit]] += worth.value(pos, unit)
    return total[side] - total[1 - side]
