"""Refusals, events and usage in words, from ``data/platoon/words.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from hexengine.core.errors import Refusal
from hexengine.core.events import Event
from hexengine.core.orders import Usage
from hexengine.mechanics.wording import Wording
from hexengine.systems.platoon import support_orders
from hexengine.systems.platoon.orders import USAGE

if TYPE_CHECKING:
    from hexengine.systems.platoon.board import Board

SIDES = frozenset({"side", "winner"})
FORMATIONS = frozenset({"formation", "formations", "overlooked", "marker"})
_wordings: WeakKeyDictionary[Board, Wording] = WeakKeyDictionary()


def wording(board: Board) -> Wording:
    """The words of a board, made once."""
    known = _wordings.get(board)
    if known is None:
        sides = dict(zip(board.sides, board.side_names, strict=True))
        formations = dict(
            zip(board.marker_names[: board.eot], [one.name for one in board.formations], strict=True)
        )

        def named(name: str, value: Any) -> str | None:
            if name in SIDES:
                return sides.get(value)
            return formations.get(value) if name in FORMATIONS else None

        known = _wordings[board] = Wording(board.words, named)
    return known


def describe(board: Board, refusal: Refusal) -> str:
    """A refusal in one sentence, without its full stop."""
    return wording(board).refusal(refusal.code, refusal.facts)


def narrate(board: Board, event: Event) -> str:
    """An event in one line; "" for events that people need not read."""
    return wording(board).event(event.code, event.facts)


def usage(board: Board) -> dict[str, Usage]:
    """How orders are written and what they mean, by verb, as far as a scenario can have them."""
    words = wording(board)
    return {
        verb: Usage(pattern, words.value("help", verb), rule)
        for verb, (pattern, rule) in USAGE.items()
        if (board.support or verb not in support_orders.USAGE) and (board.options.dig_in or verb != "dig")
    }


def obstacle(board: Board, code: str, facts: Mapping[str, Any]) -> str:
    """What hinders or blocks a line of sight, in a few words."""
    words = wording(board)
    return words.fill(board.words.value.get("sight", {}).get(code), code, facts)
