"""Orders of common shapes: of a unit, of units, of a unit and a place, of two units.

A system's verbs derive from them and give no more than ``verb``; ``read`` takes an order from its words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

from hexengine.core.frames import Frame
from hexengine.core.orders import Order

if TYPE_CHECKING:
    from hexengine.mechanics.reading import OrderReader

Reader = Callable[[Any, str, list[str]], Order]


class OfUnit(Order):
    """``VERB UNIT``: an order of one unit."""

    __slots__ = ("book", "unit")

    def __init__(self, book: OrderReader, unit: int) -> None:
        self.book = book
        self.unit = unit

    def __str__(self) -> str:
        return f"{self.verb} {self.book.ids[self.unit]}"

    @classmethod
    def read(cls, book: OrderReader, text: str, words: list[str]) -> Self:
        """The order from its words; raises InvalidOrder."""
        book.expect(text, words, 2, 2)
        return book.once(cls, book.unit(text, words[1]))


class OfUnits(Order):
    """``VERB UNITS``: an order of some units (a mask)."""

    __slots__ = ("book", "units")

    def __init__(self, book: OrderReader, units: int) -> None:
        self.book = book
        self.units = units

    def __str__(self) -> str:
        return f"{self.verb} {self.book.names(self.units)}"

    @classmethod
    def read(cls, book: OrderReader, text: str, words: list[str]) -> Self:
        """The order from its words; raises InvalidOrder."""
        book.expect(text, words, 2, 2)
        return book.once(cls, book.named(text, words[1]))


class OfPlace(Order):
    """``VERB HEX``: an order concerning a place."""

    __slots__ = ("book", "place")

    def __init__(self, book: OrderReader, place: int) -> None:
        self.book = book
        self.place = place

    def __str__(self) -> str:
        return f"{self.verb} {self.book.labels[self.place]}"

    @classmethod
    def read(cls, book: OrderReader, text: str, words: list[str]) -> Self:
        """The order from its words; raises InvalidOrder."""
        book.expect(text, words, 2, 2)
        return book.once(cls, book.place(text, words[1]))


class UnitPlace(Order):
    """``VERB UNIT HEX``: an order of one unit concerning a place."""

    __slots__ = ("book", "place", "unit")

    def __init__(self, book: OrderReader, unit: int, place: int) -> None:
        self.book = book
        self.unit = unit
        self.place = place

    def __str__(self) -> str:
        return f"{self.verb} {self.book.ids[self.unit]} {self.book.labels[self.place]}"

    @classmethod
    def read(cls, book: OrderReader, text: str, words: list[str]) -> Self:
        """The order from its words; raises InvalidOrder."""
        book.expect(text, words, 3, 3)
        return book.once(cls, book.unit(text, words[1]), book.place(text, words[2]))


class TwoUnits(Order):
    """``VERB UNIT OTHER``: an order of one unit concerning another one."""

    __slots__ = ("book", "other", "unit")

    def __init__(self, book: OrderReader, unit: int, other: int) -> None:
        self.book = book
        self.unit = unit
        self.other = other

    def __str__(self) -> str:
        return f"{self.verb} {self.book.ids[self.unit]} {self.book.ids[self.other]}"

    @classmethod
    def read(cls, book: OrderReader, text: str, words: list[str]) -> Self:
        """The order from its words; raises InvalidOrder."""
        book.expect(text, words, 3, 3)
        return book.once(cls, book.unit(text, words[1]), book.unit(text, words[2]))


def first_alike(pos: Any, frame: Frame, order: Order) -> Order | None:
    """The first legal order of the kind of one that is refused; None if there is none."""
    for actor in frame.actors(pos):
        for each in frame.orders(pos, actor):
            if type(each) is type(order):
                return each
    return None


Shaped = type[OfUnit] | type[OfUnits] | type[OfPlace] | type[UnitPlace] | type[TwoUnits]


def readers(*kinds: Shaped) -> dict[str, Reader]:
    """How orders of these kinds are read, by verb."""
    return {kind.verb: kind.read for kind in kinds}
