"""Whoever plays on in a game, whatever players do: the one loop body of all that let players play.

A player that raises an error, gives what is no legal order or thinks longer than its budget is replaced by
``random`` for the rest of the game.  The game is told, and so its log says who took over, where and why.
Orders are the truth: a log replays the same whatever a clock said when it was written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from hexengine.core.errors import HexEngineError, IllegalOrder, InvalidOrder
from hexengine.core.orders import UNDO, Order
from hexengine.players import Player, ask, player
from hexengine.players.budget import OverBudget, within

if TYPE_CHECKING:
    from hexengine.core.events import Event
    from hexengine.core.game import Game

STAND_IN = "random"
"""Who plays on for a player that failed."""

_LONGEST = 200


class Fault(NamedTuple):
    """A player failed, and ``random`` played on for its side.

    ``entry`` is the number of orders played before; ``text`` says in one line what went wrong.
    """

    side: str
    player: str
    entry: int
    text: str


class Driver:
    """Plays the orders of those who sit at a game.

    ``seats`` are the players by side, ``names`` what they are called; ``budget`` is in seconds for one order
    (None: no limit); ``tell`` hears of every replacement at once.  ``order`` is the order that was played
    last, ``faults`` all replacements so far.
    """

    __slots__ = ("budgets", "faults", "game", "names", "order", "seats", "tell")

    def __init__(
        self,
        game: Game,
        seats: Mapping[str, Player],
        names: Mapping[str, str],
        *,
        budget: float | None = None,
        tell: Callable[[Fault], None] | None = None,
    ) -> None:
        self.game = game
        self.seats = dict(seats)
        self.names = names
        self.budgets: dict[str, float | None] = dict.fromkeys(seats, budget)
        self.tell = tell
        self.faults: list[Fault] = []
        self.order: Order | None = None

    def play(self) -> list[Event]:
        """Let the side that decides play one order, by its player or by the stand-in; returns the events.

        The game must not be over, and that side must have a seat.  What is raised is no player's fault.
        """
        game = self.game
        decision = game.decision
        assert decision is not None, "somebody must decide"
        side = decision.side
        while True:
            self.order = None
            seat, budget = self.seats[side], self.budgets[side]
            try:
                order = ask(seat, game) if budget is None else within(budget, partial(ask, seat, game))
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # whatever a player raises, it is not this program that ends
                self._replace(side, in_words(error), error)
                continue
            if not isinstance(order, Order) or order is UNDO:
                what = "undo" if order is UNDO else f"a {type(order).__name__}"
                self._replace(side, f"an order was wanted, not {what}", None)
                continue
            self.order = order
            try:
                return game.play(order)
            except (IllegalOrder, InvalidOrder) as error:
                self._replace(side, in_words(error), error)

    def _replace(self, side: str, text: str, error: BaseException | None) -> None:
        """Seat the stand-in; what breaks under the stand-in is no player's fault."""
        if any(fault.side == side for fault in self.faults):
            raise error if isinstance(error, Exception) else HexEngineError(text)
        fault = Fault(side, self.names[side], self.game.entry, text)
        self.faults.append(fault)
        self.seats[side] = player(STAND_IN, seed=self.game.seed)
        self.budgets[side] = None
        self.game.replaced(fault.player, STAND_IN, text)
        if self.tell is not None:
            self.tell(fault)


def in_words(error: BaseException) -> str:
    """An error in one short, printable line."""
    if isinstance(error, OverBudget):
        return str(error)
    try:
        text = " ".join(str(error).split()).encode("utf-8", "backslashreplace").decode("utf-8")
    except Exception:
        text = "it cannot even be told"
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
    text = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
