"""Control and victory (C10.1, C10.2): scores are counted from the position; when a game ends."""

from __future__ import annotations

from typing import Any

from hexengine.core.events import Emit, Event
from hexengine.systems.company.board import Goal
from hexengine.systems.company.position import DRAW, ONGOING, REASONS, CompanyPosition


def worth(pos: CompanyPosition, goal: Goal) -> int:
    """The points that a goal gives in this position."""
    if goal.kind == "losses":
        return goal.points * (pos.lost & pos.board.side_units[1 - goal.side]).bit_count()
    return goal.points * sum([pos.control[place] == goal.side + 1 for place in goal.hexes])


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
        if due and all(pos.control[place] == side + 1 for place in goal.hexes):
            finish(pos, "objective", side, emit)
            return True
    return False


def annihilated(pos: CompanyPosition, emit: Emit) -> bool:
    """End the game if a side has no teams left, and none to come."""
    there = pos.placed | pos.waiting | pos.due | pos.hiding
    alive = [bool(there & pos.board.side_units[side]) for side in (0, 1)]
    if all(alive):
        return False
    finish(pos, "last-units", alive.index(True) if any(alive) else DRAW, emit)
    return True


def by_points(pos: CompanyPosition, emit: Emit) -> None:
    """The last turn is over: points decide."""
    first, second = score(pos)
    finish(pos, "points", DRAW if first == second else 0 if first > second else 1, emit)


def finish(pos: CompanyPosition, reason: str, winner: int, emit: Emit) -> None:
    """The game is over."""
    pos.winner = winner
    pos.reason = REASONS.index(reason)
    pos.frames.clear()
    if emit:
        side = None if winner == DRAW else pos.board.sides[winner]
        emit(Event("C10.1", "game-over", {"winner": side, "reason": reason, "margin": margin(pos)}))


def margin(pos: CompanyPosition) -> int:
    """By how many points the better side leads."""
    first, second = score(pos)
    return abs(first - second)


def result(pos: CompanyPosition) -> dict[str, Any] | None:
    """The result of a finished game in the form of the contract, or None."""
    if pos.winner == ONGOING:
        return None
    return {
        "winner": None if pos.winner == DRAW else pos.board.sides[pos.winner],
        "margin": margin(pos),
        "reason": REASONS[pos.reason],
    }
