"""The orders by which helicopters land, and are in the air again (P13.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexengine.core.orders import Order

if TYPE_CHECKING:
    from hexengine.systems.platoon.orders.book import OrderBook


class Flight(Order):
    """An order of some helicopters (a mask) alone."""

    __slots__ = ("book", "units")
    units: int

    def __init__(self, book: OrderBook, units: int) -> None:
        self.book = book
        self.units = units

    def __str__(self) -> str:
        return f"{self.verb} {self.book.names(self.units)}"


class Land(Flight):
    """``land UNIT``: a helicopter lands instead of flying."""

    __slots__ = ()
    verb = "land"


class Rise(Flight):
    """``rise UNITS``: helicopters that have landed go into the air again, as one group."""

    __slots__ = ()
    verb = "rise"


USAGE: dict[str, tuple[str, str]] = {
    "land": ("land UNIT", "P13.1"),
    "rise": ("rise UNITS", "P13.1"),
}
"""By verb, how the order is written and the rule about it."""


def read_land(book: OrderBook, text: str, words: list[str]) -> Order:
    """Read ``land UNIT``; raises InvalidOrder."""
    book.expect(text, words, 2, 2)
    return book.once(Land, 1 << book.unit(text, words[1]))


def read_rise(book: OrderBook, text: str, words: list[str]) -> Order:
    """Read ``rise UNITS``; raises InvalidOrder."""
    book.expect(text, words, 2, 2)
    return book.once(Rise, book.named(text, words[1]))
