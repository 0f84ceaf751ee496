"""Ways to score, and what each of them gives: for whoever wants to know where the points come from.

A rule system may offer ``conditions(pos)`` beside what it must have (see RuleSystem).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from hexengine.core.system import RuleSystem


class Condition(NamedTuple):
    """A way to score, as its scenario has it, and what it would give if it were counted in this position.

    ``side`` is the number of the side that scores; ``kind`` a code; ``hexes`` the labels of the hexes that
    it names; ``each`` the points for one of what is counted; ``at_least``: that many of the hexes count
    once, together (0: each counts); ``each_turn``: what it gives at a turn's end is kept, while others
    count at the end of the game.
    """

    side: int
    kind: str
    hexes: tuple[str, ...]
    each: int
    at_least: int
    each_turn: bool
    points: int


def conditions(system: RuleSystem, pos: Any) -> Sequence[Condition]:
    """The conditions of a position's scenario, in the order of its file; none of a system that tells none."""
    tell = getattr(system, "conditions", None)
    return tell(pos) if tell is not None else ()
