"""The orders of work in the field: digging in (P11.1), laying mines (P11.2) and clearing them (P11.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexengine.core.orders import Order

if TYPE_CHECKING:
    from hexengine.systems.platoon.orders.book import OrderBook


class Work(Order):
    """Work in the field that one unit does."""

    __slots__ = ("book", "unit")
    unit: int

    def __init__(self, book: OrderBook, unit: int) -> None:
        self.book = book
        self.unit = unit

    def __str__(self) -> str:
        return f"{self.verb} {self.book.ids[self.unit]}"


class Dig(Work):
    """``dig UNIT``: make an improved position (P11.1)."""

    __slots__ = ()
    verb = "dig"


class Clear(Work):
    """``clear UNIT HEX``: clear the mines of an adjacent hex (P11.3)."""

    __slots__ = ("hex",)
    verb = "clear"
    hex: int

    def __init__(self, book: OrderBook, unit: int, place: int) -> None:
        super().__init__(book, unit)
        self.hex = place

    def __str__(self) -> str:
        return f"clear {self.book.ids[self.unit]} {self.book.grid.labels[self.hex]}"


class Mine(Order):
    """``mine HEX``: lay mines under enemy units that have just entered a hex (P11.2)."""

    __slots__ = ("book", "hex")
    verb = "mine"
    hex: int

    def __init__(self, book: OrderBook, place: int) -> None:
        self.book = book
        self.hex = place

    def __str__(self) -> str:
        return f"mine {self.book.grid.labels[self.hex]}"


USAGE: dict[str, tuple[str, str]] = {
    "dig": ("dig UNIT", "P11.1"),
    "mine": ("mine HEX", "P11.2"),
    "clear": ("clear UNIT HEX", "P11.3"),
}
"""By verb, how the order is written and the rule about it."""


def dig(book: OrderBook, unit: int) -> Dig:
    """The order ``dig``."""
    return book.once(Dig, unit)


def mine(book: OrderBook, place: int) -> Mine:
    """The order ``mine``."""
    return book.once(Mine, place)


def clear(book: OrderBook, unit: int, place: int) -> Clear:
    """The order ``clear``."""
    return book.once(Clear, unit, place)


def read_dig(book: OrderBook, text: str, words: list[str]) -> Order:
    """Read ``dig UNIT``; raises InvalidOrder."""
    book.expect(text, words, 2, 2)
    return dig(book, book.unit(text, words[1]))


def read_mine(book: OrderBook, text: str, words: list[str]) -> Order:
    """Read ``mine HEX``; raises InvalidOrder."""
    book.expect(text, words, 2, 2)
    return mine(book, book.place(text, words[1]))


def read_clear(book: OrderBook, text: str, words: list[str]) -> Order:
    """Read ``clear UNIT HEX``; raises InvalidOrder."""
    book.expect(text, words, 3, 3)
    return clear(book, book.unit(text, words[1]), book.place(text, words[2]))
