"""Control and victory (P16): scores are counted from the position, games end at a turn's end."""

from __future__ import annotations

from typing import Any

from hexengine.core.events import Emit
from hexengine.mechanics import victory
from hexengine.mechanics.masks import units
from hexengine.mechanics.victory import Goal, ahead, finish, fulfilled, survivor, worth_of_holding
from hexengine.systems.platoon.position import PlatoonPosition


def at_turn_end(pos: PlatoonPosition, emit: Emit) -> None:
    """Score what is scored each turn, and see whether the game is over (P16.2)."""
    board = pos.board
    for goal in board.goals:
        if goal.each_turn:
            pos.points[goal.side] += worth(pos, goal)
    remaining = pos.placed | pos.due | pos.gone | to_come(pos)
    alive = [bool(remaining & board.shooters[side]) for side in (0, 1)]
    instant = {goal.side for goal in board.goals if goal.wins and fulfilled(pos, goal)}
    if not all(alive):
        finish(pos, "P16.2", "last-units", survivor(alive), score(pos), emit)
    elif len(instant) == 1:
        finish(pos, "P16.2", "objective", instant.pop(), score(pos), emit)
    elif pos.turn >= board.turns:
        points = score(pos)
        finish(pos, "P16.2", "points", ahead(points), points, emit)


def sudden(pos: PlatoonPosition, emit: Emit) -> bool:
    """End the game if a goal that wins at once is fulfilled (P16.2); both sides' at once is nobody's."""
    winners = {goal.side for goal in pos.board.sudden if fulfilled(pos, goal)}
    if len(winners) != 1:
        return False
    finish(pos, "P16.2", "objective", winners.pop(), score(pos), emit)
    pos.frames.clear()
    return True


def to_come(pos: PlatoonPosition) -> int:
    """The units that are due later in the game."""
    later = 0
    for unit in pos.board.late:
        if not (pos.placed | pos.lost | pos.gone) >> unit & 1:
            later |= 1 << unit
    return later


def worth(pos: PlatoonPosition, goal: Goal) -> int:
    """The points that a goal gives in this position."""
    if goal.kind == "hold":
        return worth_of_holding(pos, goal)
    if goal.kind == "exit":
        return goal.points * marched_off(pos, goal)
    if goal.kind == "hq":
        return goal.points * pos.hqs_lost[1 - goal.side]
    return goal.points * steps_lost(pos, 1 - goal.side)


def marched_off(pos: PlatoonPosition, goal: Goal) -> int:
    """How many units have left the map by the hexes of an ``exit`` goal, for its side; HQs are none."""
    left, hexes = pos.left, goal.hexes
    return sum([left[unit] in hexes for unit in units(pos.gone & pos.board.shooters[goal.side])])


def steps_lost(pos: PlatoonPosition, side: int) -> int:
    """Steps of a side's units (HQs and support weapons aside) lost since the scenario's start.

    What a unit had lost before it left the map stays lost.
    """
    before, now = pos.board.start_steps, pos.steps
    return sum([before[unit] - now[unit] for unit in units(pos.board.shooters[side])])


def score(pos: PlatoonPosition) -> tuple[int, int]:
    """The points of both sides, as they would count now."""
    totals = list(pos.points)
    for goal in pos.board.goals:
        if not goal.each_turn:
            totals[goal.side] += worth(pos, goal)
    return totals[0], totals[1]


def result(pos: PlatoonPosition) -> dict[str, Any] | None:
    """The result of a finished game as states have it, or None."""
    return victory.result(pos, score(pos))
