"""Control and victory (P16): scores are counted from the position, games end at a turn's end."""

from __future__ import annotations

from typing import Any

from hexengine.core.events import Emit, Event
from hexengine.core.formats import in_language
from hexengine.systems.platoon.board import Goal
from hexengine.systems.platoon.position import DRAW, ONGOING, REASONS, PlatoonPosition


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
        _finish(pos, "last-units", DRAW if not any(alive) else alive.index(True), emit)
    elif len(instant) == 1:
        _finish(pos, "objective", instant.pop(), emit)
    elif pos.turn >= board.turns:
        first, second = score(pos)
        _finish(pos, "points", DRAW if first == second else 0 if first > second else 1, emit)


def sudden(pos: PlatoonPosition, emit: Emit) -> bool:
    """End the game if a goal that wins at once is fulfilled (P16.2); both sides' at once is nobody's."""
    winners = {goal.side for goal in pos.board.sudden if fulfilled(pos, goal)}
    if len(winners) != 1:
        return False
    _finish(pos, "objective", winners.pop(), emit)
    pos.frames.clear()
    return True


def to_come(pos: PlatoonPosition) -> int:
    """The units that are due later in the game."""
    later = 0
    for unit in pos.board.late:
        if not (pos.placed | pos.lost | pos.gone) >> unit & 1:
            later |= 1 << unit
    return later


def _finish(pos: PlatoonPosition, reason: str, winner: int, emit: Emit) -> None:
    pos.winner = winner
    pos.reason = REASONS.index(reason)
    if emit:
        side = None if winner == DRAW else pos.board.sides[winner]
        emit(Event("P16.2", "game-over", {"winner": side, "reason": reason, "margin": margin(pos)}))


def holders(pos: PlatoonPosition, goal: Goal) -> int:
    """How many of a goal's hexes its side controls (P16.1)."""
    return sum(1 for place in goal.hexes if pos.control[place] == goal.side + 1)


def fulfilled(pos: PlatoonPosition, goal: Goal) -> bool:
    """Whether a ``hold`` goal is reached: so many of its hexes, or all."""
    return goal.kind == "hold" and holders(pos, goal) >= (goal.at_least or len(goal.hexes))


def worth(pos: PlatoonPosition, goal: Goal) -> int:
    """The points that a goal gives in this position."""
    board = pos.board
    if goal.kind == "hold":
        if goal.at_least:
            return goal.points if fulfilled(pos, goal) else 0
        return goal.points * holders(pos, goal)
    if goal.kind == "exit":
        return goal.points * (pos.gone & board.shooters[goal.side]).bit_count()
    if goal.kind == "hq":
        return goal.points * pos.hqs_lost[1 - goal.side]
    return goal.points * steps_lost(pos, 1 - goal.side)


def steps_lost(pos: PlatoonPosition, side: int) -> int:
    """Steps of a side's units (HQs and support weapons aside) lost since the scenario's start.

    What a unit had lost before it left the map stays lost.
    """
    board = pos.board
    lost = 0
    for unit, counter in enumerate(board.counters):
        if counter.side == side and board.fighters >> unit & 1:
            lost += board.start_steps[unit] - pos.steps[unit]
    return lost


def score(pos: PlatoonPosition) -> tuple[int, int]:
    """The points of both sides, as they would count now."""
    totals = list(pos.points)
    for goal in pos.board.goals:
        if not goal.each_turn:
            totals[goal.side] += worth(pos, goal)
    return totals[0], totals[1]


def margin(pos: PlatoonPosition) -> int:
    """By how many points the better side leads."""
    first, second = score(pos)
    return abs(first - second)


def result(pos: PlatoonPosition) -> dict[str, Any] | None:
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
    # Levels name what the points tell: a side that won since nobody was left may have had fewer.
    if pos.winner != DRAW and points[pos.winner] >= points[1 - pos.winner]:
        for least, name in board.levels:
            if outcome["margin"] >= least:
                outcome["level"] = in_language(name)
    return outcome
