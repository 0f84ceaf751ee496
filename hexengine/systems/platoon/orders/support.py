"""The orders that call support and meet it: fire missions (P12), air strikes and fire at them (P13.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexengine.core.errors import InvalidOrder
from hexengine.core.orders import Order

if TYPE_CHECKING:
    from hexengine.systems.platoon.orders.book import OrderBook

HIGH_EXPLOSIVE, SMOKE = range(2)
SHELLS = ("he", "smoke")


class Mission(Order):
    """``mission he HEX``, ``mission smoke HEX``: artillery strikes a hex (P12.1)."""

    __slots__ = ("book", "hex", "shell")
    verb = "mission"
    shell: int
    hex: int

    def __init__(self, book: OrderBook, shell: int, place: int) -> None:
        self.book = book
        self.shell = shell
        self.hex = place

    def __str__(self) -> str:
        return f"mission {SHELLS[self.shell]} {self.book.grid.labels[self.hex]}"


class Strike(Order):
    """``strike TARGET``: aircraft attack an enemy unit (P13.3)."""

    __slots__ = ("book", "target")
    verb = "strike"
    target: int

    def __init__(self, book: OrderBook, target: int) -> None:
        self.book = book
        self.target = target

    def __str__(self) -> str:
        return f"strike {self.book.ids[self.target]}"


class Intercept(Order):
    """``intercept UNIT [with WEAPON] [lead]``: anti-aircraft fire at a strike (P13.3)."""

    __slots__ = ("book", "firer", "lead", "weapon")
    verb = "intercept"
    firer: int
    weapon: int
    lead: bool

    def __init__(self, book: OrderBook, firer: int, weapon: int, lead: bool) -> None:
        self.book = book
        self.firer = firer
        self.weapon = weapon
        self.lead = lead

    def __str__(self) -> str:
        ids = self.book.ids
        weapon = f" with {ids[self.weapon]}" if self.weapon >= 0 else ""
        return f"intercept {ids[self.firer]}{weapon}{' lead' if self.lead else ''}"


USAGE: dict[str, tuple[str, str]] = {
    "mission": ("mission he|smoke HEX", "P12.1"),
    "strike": ("strike TARGET", "P13.3"),
    "intercept": ("intercept UNIT [with WEAPON] [lead]", "P13.3"),
}
"""By verb, how the order is written and the rule about it."""


def mission(book: OrderBook, shell: int, place: int) -> Mission:
    """The order ``mission``."""
    return book.once(Mission, shell, place)


def strike(book: OrderBook, target: int) -> Strike:
    """The order ``strike``."""
    return book.once(Strike, target)


def intercept(book: OrderBook, firer: int, weapon: int = -1, lead: bool = False) -> Intercept:
    """The order ``intercept``; ``weapon`` -1: the unit's own block."""
    return book.once(Intercept, firer, weapon, lead)


def read_mission(book: OrderBook, text: str, words: list[str]) -> Order:
    """Read ``mission he|smoke HEX``; raises InvalidOrder."""
    book.expect(text, words, 3, 3)
    shell = words[1].lower()
    if shell not in SHELLS:
        raise InvalidOrder(
            text, f"there is no mission of {words[1][:40]!r}", f"missions are {' and '.join(SHELLS)}"
        )
    return mission(book, SHELLS.index(shell), book.place(text, words[2]))


def read_strike(book: OrderBook, text: str, words: list[str]) -> Order:
    """Read ``strike TARGET``; raises InvalidOrder."""
    book.expect(text, words, 2, 2)
    return strike(book, book.unit(text, words[1]))


def read_intercept(book: OrderBook, text: str, words: list[str]) -> Order:
    """Read ``intercept UNIT [with WEAPON] [lead]``; raises InvalidOrder."""
    book.expect(text, words, 2, 5)
    weapon, lead = book.how(text, words[2:])
    return intercept(book, book.unit(text, words[1]), weapon, lead)
