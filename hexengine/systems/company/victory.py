"""Control and victory (C10.1, C10.2): scores are counted from the position; when a game ends."""

from __future__ import annotations

from typing import Any

from hexengine.core.events import Emit
from hexengine.mechanics import victory
from hexengine.mechanics.victory import Goal, ahead, fulfilled, survivor, worth_of_holding
from hexengine.systems.company.position import CompanyPosition

REASONS = (*victory.REASONS, "company-morale")


def worth(pos: CompanyPosition, goal: Goal) -> int:
    """The points that a goal gives in this position."""
    if goal.kind == "losses":
        return goal.points * (pos.lost & pos.board.side_units[1 - goal.side]).bit_count()
    return worth_of_holding(pos, goal)


def score(pos: CompanyPosition) -> tuple[int, int]:
    """The points of both sides, as they would count now."""
    totals = [0, 0]
    for goal in pos.board.goals:
        totals[goal.side] += worth(pos, goal)
    return totals[0], totals[1]


def at_start(pos: CompanyPosition, side: int, emit: Emit) -> bool:
    """C10.2: whether a side has won by the objectives that it holds as its turn starts."""
    for goal in pos.board.goals:
        due = goal.wins and goal.side == side and pos.turn >= goal.from_turn
        if due and fulfilled(pos, goal):
            finish(pos, "objective", side, emit)
            return True
    return False


def annihilated(pos: CompanyPosition, emit: Emit) -> bool:
    """End the game if a side has no teams left, and none to come."""
    there = pos.placed | pos.waiting | pos.due | pos.hiding
    alive = [bool(there & pos.board.side_units[side]) for side in (0, 1)]
    if all(alive):
        return False
    finish(pos, "last-units", survivor(alive), emit)
    return True


def by_points(pos: CompanyPosition, emit: Emit) -> None:
    """The last turn is over: points decide."""
    finish(pos, "points", ahead(score(pos)), emit)


def finish(pos: CompanyPosition, reason: str, winner: int, emit: Emit) -> None:
    """The game is over."""
    victory.finish(pos, "C10.1", reason, winner, score(pos), emit, REASONS)
    pos.frames.clear()


def result(pos: CompanyPosition) -> dict[str, Any] | None:
    """The result of a finished game as states have it, or None."""
    return victory.result(pos, score(pos), REASONS)
