"""Parts of the state of a position (docs/formats.md, States) that all systems make alike."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def decision(pos: Any) -> dict[str, str] | None:
    """Who decides what; None when the game is over."""
    if not pos.frames:
        return None
    frame = pos.frames[-1]
    return {"side": pos.board.sides[frame.decider(pos)], "kind": frame.kind}


def control(pos: Any) -> dict[str, str]:
    """By label the sides that control hexes."""
    board = pos.board
    return {board.labels[place]: board.sides[owner - 1] for place, owner in enumerate(pos.control) if owner}


def of_sides(board: Any, numbers: Iterable[int]) -> dict[str, int]:
    """A number of each side, by its id."""
    return dict(zip(board.sides, numbers, strict=True))


def true_of(marks: Iterable[tuple[str, Any]]) -> list[str]:
    """The codes of what is true of a unit, in their order."""
    return [code for code, true in marks if true]
