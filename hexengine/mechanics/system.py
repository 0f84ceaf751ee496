"""What every rule system does alike with its board: games begin, orders are read, and words are found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from hexengine.core.errors import Refusal
from hexengine.core.events import Event
from hexengine.core.orders import Order, Usage
from hexengine.core.position import Position
from hexengine.mechanics.reading import OrderReader
from hexengine.mechanics.wording import Wording


class PlayedBoard(Protocol):
    """What a board keeps for its system."""

    @property
    def start(self) -> Position:
        """The position at the start; games begin with a copy."""
        ...

    @property
    def orders(self) -> OrderReader:
        """The book of its orders."""
        ...

    @property
    def wording(self) -> Wording:
        """Its words."""
        ...


class BoardSystem:
    """Base of a rule system whose boards keep their start, orders and words; see core.system.RuleSystem."""

    def start(self, board: PlayedBoard) -> Position:
        """The position at the start of the scenario."""
        return board.start.copy()

    def parse(self, board: PlayedBoard, text: str) -> Order:
        """Read an order's canonical text; raises InvalidOrder."""
        return board.orders.parse(text)

    def describe(self, board: PlayedBoard, refusal: Refusal) -> str:
        """A refusal in one sentence, without its full stop."""
        return board.wording.refusal(refusal.code, refusal.facts)

    def narrate(self, board: PlayedBoard, event: Event) -> str:
        """An event in one line; "" for events that people need not read."""
        return board.wording.event(event.code, event.facts)

    def usage(self, board: PlayedBoard) -> Mapping[str, Usage]:
        """How orders are written and what they mean, by verb."""
        return board.wording.usage(board.orders.USAGE)
