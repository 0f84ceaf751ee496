"""Orders of common shapes: written, read, and one object for each."""

from typing import ClassVar

import pytest

from hexengine.core.errors import InvalidOrder
from hexengine.hexes import Grid
from hexengine.mechanics.orders import OfPlace, OfUnit, OfUnits, TwoUnits, UnitPlace, readers
from hexengine.mechanics.reading import OrderReader


class Rest(OfUnit):
    __slots__ = ()
    verb = "rest"


class March(OfUnits):
    __slots__ = ()
    verb = "march"


class Watch(OfPlace):
    __slots__ = ()
    verb = "watch"


class Go(UnitPlace):
    __slots__ = ()
    verb = "go"


class Help(TwoUnits):
    __slots__ = ()
    verb = "help"


class Book(OrderReader):
    USAGE: ClassVar = {verb: (f"{verb} …", "K1") for verb in ("rest", "march", "watch", "go", "help")}
    READERS = readers(Rest, March, Watch, Go, Help)


GRID = Grid(3, 3)
BOOK = Book(["a", "b", "c"], GRID.labels, GRID.index)


@pytest.mark.parametrize(
    ("text", "kind", "values"),
    [
        ("rest b", Rest, (1,)),
        ("march a,c", March, (0b101,)),
        ("watch 0203", Watch, (GRID.index("0203"),)),
        ("go c 0102", Go, (2, GRID.index("0102"))),
        ("help a b", Help, (0, 1)),
    ],
)
def test_orders_are_read_as_they_are_written(text, kind, values):
    order = BOOK.parse(text)
    assert str(order) == text
    assert order is BOOK.once(kind, *values) is BOOK.parse(text.replace(kind.verb, kind.verb.upper()))
    numbers = [getattr(order, name) for name in ("unit", "units", "other", "place") if hasattr(order, name)]
    assert tuple(numbers) == values


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rest", "too few words"),
        ("rest a b", "too many words"),
        ("rest x", "there is no unit 'x'"),
        ("march a,a", "a unit is named twice"),
        ("watch 0901", "no column 09"),
        ("go a", "too few words"),
        ("go a 0101 0102", "too many words"),
        ("help a 0101", "there is no unit '0101'"),
    ],
)
def test_what_cannot_be_read(text, said):
    with pytest.raises(InvalidOrder, match=said):
        BOOK.parse(text)
