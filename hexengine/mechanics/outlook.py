"""What outlooks of all systems show alike: the printed map, objectives, and lines of sight in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar
from weakref import WeakKeyDictionary

from hexengine.core.outlook import OFF_MAP, Between, Ground
from hexengine.hexes import HexMap, Side
from hexengine.mechanics.victory import EndingPosition, Goal
from hexengine.mechanics.wording import Wording

ARROWS = {"flat": "↑↗↘↓↙↖", "pointy": "↗→↘↙←↖"}
"""Facing as people see it, by the grid's orientation and direction."""


class MappedBoard(Protocol):
    """What is printed, as a board keeps it."""

    @property
    def map(self) -> HexMap:
        """The map."""
        ...

    @property
    def labels(self) -> Sequence[str]:
        """The labels of hexes, and of other places behind them."""
        ...

    @property
    def names(self) -> dict[int, str]:
        """The names of places, by hex."""
        ...

    @property
    def side_names(self) -> tuple[str, ...]:
        """The sides as people call them."""
        ...

    @property
    def turns(self) -> int:
        """The last turn."""
        ...

    @property
    def wording(self) -> Wording:
        """The words."""
        ...


class Obstacle(Protocol):
    """Something on a line of sight: in a hex, or between it and another one (-1: in the hex itself)."""

    @property
    def hex(self) -> int:
        """Where it is."""
        ...

    @property
    def other(self) -> int:
        """The other hex, or -1."""
        ...

    @property
    def code(self) -> str:
        """What it is, as the catalogue of words knows it."""
        ...

    @property
    def rule(self) -> str:
        """Why it hinders or blocks."""
        ...


OneBoard = TypeVar("OneBoard", bound=MappedBoard)
_printed: WeakKeyDictionary[HexMap, Ground] = WeakKeyDictionary()


def printed(
    board: OneBoard, features: Callable[[OneBoard], Mapping[Side, tuple[str, ...]]] | None = None
) -> Ground:
    """The printed map of a board, always the same object; ``features`` gives the hexsides that it adds."""
    known = _printed.get(board.map)
    # Maps are equal by what lies on them, and the names of places and sides are no part of that.
    if known is None or known.map is not board.map:
        added = features(board) if features is not None else {}
        known = _printed[board.map] = Ground(board.map, board.names, added, board.side_names, board.turns)
    return known


def objectives(pos: EndingPosition, goals: Iterable[Goal]) -> dict[int, int | None]:
    """Who controls each hex that is to be held; None: nobody."""
    return {
        place: pos.control[place] - 1 if pos.control[place] else None
        for goal in goals
        if goal.kind == "hold"
        for place in goal.hexes
    }


def between(board: MappedBoard, one: Obstacle, blocks: bool) -> Between:
    """Something on a line of sight in words."""
    label = board.labels[one.hex]
    if one.other >= 0:
        label = f"{label}/{board.labels[one.other]}"
    terrain = board.map.chart.terrains[board.map.terrain[one.hex]].id.replace("-", " ")
    text = board.wording.obstacle(one.code, {"hex": label, "terrain": terrain})
    return Between(one.hex, one.other, blocks, one.rule, text)


def smoke_between(board: MappedBoard, place: int, rule: str) -> Between:
    """Smoke on a line of sight, which hinders it in words."""
    return Between(place, OFF_MAP, False, rule, board.wording.obstacle("smoke", {"hex": board.labels[place]}))


def touched(a: int, b: int, stretches: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """The hexes of a line: of two along a hexside the first that is on the map."""
    middle = [one for stretch in stretches for one in [there for there in stretch if there >= 0][:1]]
    return (a, *middle, b) if a != b else (a,)
