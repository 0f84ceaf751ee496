"""Victory conditions as they stand, from the goals of a board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from hexengine.core.conditions import Condition
from hexengine.mechanics.victory import Goal


class GoalBoard(Protocol):
    """What a board says of its goals."""

    @property
    def goals(self) -> Sequence[Goal]:
        """The victory conditions, in the order of the scenario."""
        ...

    @property
    def labels(self) -> Sequence[str]:
        """The labels of hexes."""
        ...


class GoalPosition(Protocol):
    """A position with such a board."""

    @property
    def board(self) -> GoalBoard:
        """Its board."""
        ...


OnePosition = TypeVar("OnePosition", bound=GoalPosition)


def conditions(pos: OnePosition, worth: Callable[[OnePosition, Goal], int]) -> tuple[Condition, ...]:
    """Every goal with what it would give now."""
    labels = pos.board.labels
    return tuple(
        Condition(
            goal.side,
            goal.kind,
            tuple([labels[place] for place in goal.hexes]),
            goal.points,
            goal.at_least,
            goal.each_turn,
            worth(pos, goal),
        )
        for goal in pos.board.goals
    )
