"""Refusals, events and usage in words, from ``data/company/words.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from hexengine.core.errors import Refusal
from hexengine.core.events import Event
from hexengine.core.orders import Usage
from hexengine.mechanics.wording import Wording
from hexengine.systems.company.orders import USAGE

if TYPE_CHECKING:
    from hexengine.systems.company.board import Board

SIDES = frozenset({"side", "winner"})
_wordings: WeakKeyDictionary[Board, Wording] = WeakKeyDictionary()


def wording(board: Board) -> Wording:
    """The words of a board, made once."""
    known = _wordings.get(board)
    if known is None:
        sides = dict(zip(board.sides, board.side_names, strict=True))

        def named(name: str, value: Any) -> str | None:
            return sides.get(value) if name in SIDES else None

        known = _wordings[board] = Wording(board.words, named)
    return known


def describe(board: Board, refusal: Refusal) -> str:
    """A refusal in one sentence, without its full stop."""
    return wording(board).refusal(refusal.code, refusal.facts)


def narrate(board: Board, event: Event) -> str:
    """An event in one line; "" for events that people need not read."""
    return wording(board).event(event.code, event.facts)


def usage(board: Board) -> dict[str, Usage]:
    """How orders are written and what they mean, by verb."""
    words = wording(board)
    return {verb: Usage(pattern, words.value("help", verb), rule) for verb, (pattern, rule) in USAGE.items()}


def obstacle(board: Board, code: str, facts: Mapping[str, Any]) -> str:
    """What ends a line of sight, in a few words."""
    words = wording(board)
    return words.fill(board.words.value.get("sight", {}).get(code), code, facts)
