"""Ways to score, in the words in which tables have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from hexengine.app.words import said

MOST_NAMED = 6
"""Hexes of a victory condition that a table names; --json has all."""


class Way(Protocol):
    """A way to score: ``hexengine.core.conditions.Condition``, and what is counted by such."""

    @property
    def kind(self) -> str:
        """A code."""
        ...

    @property
    def hexes(self) -> Sequence[str]:
        """Labels of hexes."""
        ...

    @property
    def each(self) -> int:
        """The points for one of what is counted."""
        ...

    @property
    def at_least(self) -> int:
        """How many hexes count once, together; 0: each counts."""
        ...

    @property
    def each_turn(self) -> bool:
        """Whether it is counted at the end of each turn."""
        ...


def goal_cells(way: Way) -> tuple[str, str]:
    """What is to be done, and what it is worth."""
    hexes = " ".join(way.hexes[:MOST_NAMED])
    if len(way.hexes) > MOST_NAMED:
        hexes = said("{hexes} and {count} more", hexes=hexes, count=len(way.hexes) - MOST_NAMED)
    if way.at_least:
        hexes = said("{count} of {hexes}", count=way.at_least, hexes=hexes)
    alone = way.at_least or len(way.hexes) < 2
    worth = str(way.each) if alone else said("{points} a hex", points=way.each)
    if way.each_turn:
        worth = said("{worth} each turn", worth=worth)
    return f"{way.kind} {hexes}".strip(), worth
