"""How games are won: hexes that are held, points, the end of a game, and its result in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from hexengine.core.events import Emit, Event

ONGOING = -2
DRAW = -1
"""Values of ``winner`` beside the sides' numbers."""
REASONS = ("", "points", "last-units", "objective")
"""Values of ``reason``; a system may have more."""


class Goal(NamedTuple):
    """A compiled victory condition: points for a side, by its kind; ``hold`` is known to all systems.

    ``at_least``: so many of the hexes count once, together; 0: each counts.  ``each_turn``: scored at each
    turn's end, not at the game's.  ``wins``: fulfilling it ends the game, when a system looks at it;
    ``at_once``: whenever it comes true; ``from_turn``: not before that turn.
    """

    kind: str
    side: int
    hexes: tuple[int, ...]
    points: int
    at_least: int = 0
    each_turn: bool = False
    wins: bool = False
    at_once: bool = False
    from_turn: int = 1


class EndingBoard(Protocol):
    """What the end of a game asks of a board."""

    @property
    def sides(self) -> tuple[str, ...]:
        """The ids of the sides."""
        ...

    @property
    def levels(self) -> Sequence[tuple[int, str]]:
        """From which margin on a victory has which name, ascending."""
        ...


class EndingPosition(Protocol):
    """A position that knows its end, and by hex who controls it (side + 1; 0: nobody)."""

    winner: int
    reason: int
    control: bytearray

    @property
    def board(self) -> EndingBoard:
        """Its board."""
        ...


def held(pos: EndingPosition, goal: Goal) -> int:
    """How many of a goal's hexes its side controls."""
    owner, control = goal.side + 1, pos.control
    return sum([control[place] == owner for place in goal.hexes])


def fulfilled(pos: EndingPosition, goal: Goal) -> bool:
    """Whether a ``hold`` goal is reached: so many of its hexes, or all."""
    return goal.kind == "hold" and held(pos, goal) >= (goal.at_least or len(goal.hexes))


def worth_of_holding(pos: EndingPosition, goal: Goal) -> int:
    """The points of a ``hold`` goal in this position."""
    if goal.at_least:
        return goal.points if fulfilled(pos, goal) else 0
    return goal.points * held(pos, goal)


def ahead(points: Sequence[int]) -> int:
    """The side with more points, or DRAW."""
    first, second = points
    return DRAW if first == second else 0 if first > second else 1


def survivor(alive: Sequence[bool]) -> int:
    """The side that is left where one at least is not, or DRAW."""
    return alive.index(True) if any(alive) else DRAW


def finish(
    pos: EndingPosition,
    rule: str,
    reason: str,
    winner: int,
    points: tuple[int, int],
    emit: Emit,
    reasons: Sequence[str] = REASONS,
) -> None:
    """The game is over by a rule: who won, why, and by how many points."""
    pos.winner = winner
    pos.reason = reasons.index(reason)
    if emit:
        side = None if winner == DRAW else pos.board.sides[winner]
        margin = abs(points[0] - points[1])
        emit(Event(rule, "game-over", {"winner": side, "reason": reason, "margin": margin}))


def result(
    pos: EndingPosition, points: tuple[int, int], reasons: Sequence[str] = REASONS
) -> dict[str, Any] | None:
    """The result of a finished game as states have it, or None."""
    winner = pos.winner
    if winner == ONGOING:
        return None
    board = pos.board
    outcome: dict[str, Any] = {
        "winner": None if winner == DRAW else board.sides[winner],
        "margin": abs(points[0] - points[1]),
        "reason": reasons[pos.reason],
    }
    # Levels name what the points tell: a side that won since nobody was left may have had fewer.
    if winner != DRAW and points[winner] >= points[1 - winner]:
        for least, name in board.levels:
            if outcome["margin"] >= least:
                outcome["level"] = name
    return outcome
