"""Control and victory (S1.6): scores are counted from the position; when a game ends."""

from __future__ import annotations

from typing import Any

from hexengine.core.events import Emit, Event
from hexengine.core.formats import in_language
from hexengine.mechanics.masks import units
from hexengine.systems.squad.board import Goal
from hexengine.systems.squad.position import DRAW, ONGOING, REASONS, SquadPosition


def holders(pos: SquadPosition, goal: Goal) -> int:
    """How many of a goal's hexes its side controls."""
    return sum([pos.control[place] == goal.side + 1 for place in goal.hexes])


def fulfilled(pos: SquadPosition, goal: Goal) -> bool:
    """Whether so many hexes of a ``hold`` goal are controlled, or all."""
    return goal.kind == "hold" and holders(pos, goal) >= (goal.at_least or len(goal.hexes))


def worth(pos: SquadPosition, goal: Goal) -> int:
    """The points that a goal gives in this position."""
    if goal.kind == "losses":
        return goal.points * losses(pos, 1 - goal.side)
    if goal.at_least:
        return goal.points if fulfilled(pos, goal) else 0
    return goal.points * holders(pos, goal)


def losses(pos: SquadPosition, side: int) -> int:
    """Steps that a side has lost since the start: a squad has two, any other unit one."""
    board = pos.board
    start, now = board.start.steps, pos.steps
    mine = units(board.side_units[side] & ~(board.spares & board.heroes))
    return max(0, sum([start[unit] - now[unit] for unit in mine]))


def score(pos: SquadPosition) -> tuple[int, int]:
    """The points of both sides, as they would count now."""
    totals = list(pos.points)
    for goal in pos.board.goals:
        if not goal.each_turn:
            totals[goal.side] += worth(pos, goal)
    return totals[0], totals[1]


def at_turn_end(pos: SquadPosition, emit: Emit) -> None:
    """Score what is scored each turn, and see whether the game is over."""
    board = pos.board
    for goal in board.goals:
        if goal.each_turn:
            pos.points[goal.side] += worth(pos, goal)
    winners = {goal.side for goal in board.goals if goal.wins and fulfilled(pos, goal)}
    if annihilated(pos, emit):
        return
    if len(winners) == 1:
        _finish(pos, "objective", winners.pop(), emit)
    elif pos.turn >= board.turns:
        first, second = score(pos)
        _finish(pos, "points", DRAW if first == second else 0 if first > second else 1, emit)


def annihilated(pos: SquadPosition, emit: Emit) -> bool:
    """End the game if a side has no units left, and none to come."""
    there = pos.placed | pos.waiting
    alive = [bool(there & pos.board.side_units[side]) for side in (0, 1)]
    if all(alive):
        return False
    _finish(pos, "last-units", alive.index(True) if any(alive) else DRAW, emit)
    return True


def _finish(pos: SquadPosition, reason: str, winner: int, emit: Emit) -> None:
    pos.winner = winner
    pos.reason = REASONS.index(reason)
    if emit:
        side = None if winner == DRAW else pos.board.sides[winner]
        emit(Event("S1.6", "game-over", {"winner": side, "reason": reason, "margin": margin(pos)}))


def margin(pos: SquadPosition) -> int:
    """By how many points the better side leads."""
    first, second = score(pos)
    return abs(first - second)


def result(pos: SquadPosition) -> dict[str, Any] | None:
    """The result of a finished game in the form of the contract, or None."""
    if pos.winner == ONGOING:
        return None
    board = pos.board
    outcome: dict[str, Any] = {
        "winner": None if pos.winner == DRAW else board.sides[pos.winner],
        "margin": margin(pos),
        "reason": REASONS[pos.reason],
    }
    points = score(pos)
    if pos.winner != DRAW and points[pos.winner] >= points[1 - pos.winner]:
        for least, name in board.levels:
            if outcome["margin"] >= least:
                outcome["level"] = in_language(name)
    return outcome
