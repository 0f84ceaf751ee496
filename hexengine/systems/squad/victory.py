"""Control and victory (S1.6): scores are counted from the position; when a game ends."""

from __future__ import annotations

from typing import Any

from hexengine.core.conditions import Condition
from hexengine.core.events import Emit
from hexengine.mechanics import victory
from hexengine.mechanics.conditions import conditions
from hexengine.mechanics.masks import units
from hexengine.mechanics.victory import Goal, ahead, finish, fulfilled, survivor, worth_of_holding
from hexengine.systems.squad.position import SquadPosition


def worth(pos: SquadPosition, goal: Goal) -> int:
    """The points that a goal gives in this position."""
    if goal.kind == "losses":
        return goal.points * losses(pos, 1 - goal.side)
    return worth_of_holding(pos, goal)


def ways_to_score(pos: SquadPosition) -> tuple[Condition, ...]:
    """The goals, and the events that are worth something, with what each gives now (S13.4)."""
    board = pos.board
    return conditions(pos, worth) + tuple(
        Condition(
            event.side,
            "event",
            (board.labels[event.place],),
            event.points,
            0,
            False,
            0 if pos.events >> number & 1 else event.points,
        )
        for number, event in enumerate(board.events)
        if event.points
    )


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
        finish(pos, "S1.6", "objective", winners.pop(), score(pos), emit)
    elif pos.turn >= board.turns:
        points = score(pos)
        finish(pos, "S1.6", "points", ahead(points), points, emit)


def annihilated(pos: SquadPosition, emit: Emit) -> bool:
    """End the game if a side has no units left, and none to come."""
    there = pos.placed | pos.waiting
    first, second = pos.board.side_units
    if there & first and there & second:
        return False
    alive = [bool(there & first), bool(there & second)]
    finish(pos, "S1.6", "last-units", survivor(alive), score(pos), emit)
    return True


def over(pos: SquadPosition, emit: Emit) -> bool:
    """Whether the game has just ended because a side has no units left, whatever was going on (S1.6)."""
    if not annihilated(pos, emit):
        return False
    pos.frames.clear()
    pos.active, pos.leader = 0, -1
    return True


def result(pos: SquadPosition) -> dict[str, Any] | None:
    """The result of a finished game as states have it, or None."""
    return victory.result(pos, score(pos))
