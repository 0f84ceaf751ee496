"""The orders of the company system: one small type a verb, one shared object for each distinct order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from hexengine.core.errors import InvalidOrder
from hexengine.core.orders import Order
from hexengine.hexes import Grid
from hexengine.mechanics.orders import OfUnit, Reader, UnitPlace, readers
from hexengine.mechanics.reading import OrderReader


class Done(Order):
    """``done``: enough of this: of charges, of defensive fire, of consolidating, of ambushes."""

    __slots__ = ()
    verb = "done"


class End(Order):
    """``end``: end the step (C10.1)."""

    __slots__ = ()
    verb = "end"


class Walk(UnitPlace):
    """A whole way: to a hex by the way that the rules choose, or along a ``path`` of hexes that is named."""

    __slots__ = ("path",)

    def __init__(self, book: OrderBook, unit: int, place: int, path: tuple[int, ...] = ()) -> None:
        super().__init__(book, unit, place)
        self.path = path

    def __str__(self) -> str:
        labels = self.book.labels
        way = "-".join([labels[one] for one in self.path]) if self.path else labels[self.place]
        return f"{self.verb} {self.book.ids[self.unit]} {way}"


class Move(Walk):
    """``move UNIT HEX`` or ``move UNIT HEX-HEX-HEX`` (C1.5)."""

    __slots__ = ()
    verb = "move"


class Double(Walk):
    """``double UNIT HEX`` or ``double UNIT HEX-HEX-HEX``: at the double (C2)."""

    __slots__ = ()
    verb = "double"


class Climb(UnitPlace):
    """``climb UNIT HEX/FLOOR``: to a floor of a room, by whatever way; floor 0 is the ground (C6.6)."""

    __slots__ = ("floor",)
    verb = "climb"

    def __init__(self, book: OrderReader, unit: int, place: int, floor: int) -> None:
        super().__init__(book, unit, place)
        self.floor = floor

    def __str__(self) -> str:
        return f"{super().__str__()}/{self.floor}"

    @classmethod
    def read(cls, book: OrderReader, text: str, words: list[str]) -> Self:
        """The order from its words; raises InvalidOrder."""
        book.expect(text, words, 3, 3)
        label, _, floor = words[2].partition("/")
        if not (floor.isascii() and floor.isdigit() and len(floor) == 1):
            said = f"{words[2][:40]!r} is no floor"
            raise InvalidOrder(text, said, "such as 0304/1, or 0304/0 for the ground")
        return book.once(cls, book.unit(text, words[1]), book.place(text, label), int(floor))


class Enter(UnitPlace):
    """``enter UNIT HEX``: a team of the reserves comes onto the map (C10.2)."""

    __slots__ = ()
    verb = "enter"


class Reveal(UnitPlace):
    """``reveal UNIT HEX``: a team in ambush shows itself (C10.2)."""

    __slots__ = ()
    verb = "reveal"


class Face(UnitPlace):
    """``face UNIT HEX``: turn in place towards an adjacent hex (C1.4)."""

    __slots__ = ()
    verb = "face"


class Touch(UnitPlace):
    """``touch UNIT HEX``: be in contact with the opening on that side (C6.4)."""

    __slots__ = ()
    verb = "touch"


class Charge(UnitPlace):
    """``charge UNIT HEX``: charge, or counter-attack, into a hex (C13.1)."""

    __slots__ = ()
    verb = "charge"


class Withdraw(UnitPlace):
    """``withdraw UNIT HEX``: where a team of a platoon that breaks off goes (C13.5)."""

    __slots__ = ()
    verb = "withdraw"


class Consolidate(UnitPlace):
    """``consolidate UNIT HEX``: a team of the winner moves after the assault (C13.5)."""

    __slots__ = ()
    verb = "consolidate"


class Take(OfUnit):
    """``take UNIT``: this team takes one of the hits that are left over (C12.3)."""

    __slots__ = ()
    verb = "take"


class Occupy(OfUnit):
    """``occupy UNIT``: this team takes a free position in its hex (C5.5)."""

    __slots__ = ()
    verb = "occupy"


class OfPlatoon(Order):
    """``VERB PLATOON``: an order of one platoon, or about one."""

    __slots__ = ("book", "platoon")

    def __init__(self, book: OrderBook, platoon: int) -> None:
        self.book = book
        self.platoon = platoon

    def __str__(self) -> str:
        return f"{self.verb} {self.book.platoons[self.platoon]}"

    @classmethod
    def read(cls, book: OrderBook, text: str, words: list[str]) -> Self:
        """The order from its words; raises InvalidOrder."""
        book.expect(text, words, 2, 2)
        return book.once(cls, book.platoon(text, words[1]))


class Dig(OfPlatoon):
    """``dig PLATOON``: try to dig in (C3.1)."""

    __slots__ = ()
    verb = "dig"


class Counter(OfPlatoon):
    """``counter PLATOON``: counter-attack (C13.4)."""

    __slots__ = ()
    verb = "counter"


class BreakOff(OfPlatoon):
    """``break-off PLATOON``: break off the assault (C13.4)."""

    __slots__ = ()
    verb = "break-off"


class Strike(OfPlatoon):
    """``strike PLATOON``: aircraft attack an enemy platoon (C13.7)."""

    __slots__ = ()
    verb = "strike"


class Shoot(Order):
    """``shoot UNITS PLATOON [mg] [doubled]``: teams of a platoon shoot at an enemy platoon (C12.1)."""

    __slots__ = ("book", "doubled", "mg", "platoon", "units")
    verb = "shoot"

    def __init__(self, book: OrderBook, mask: int, platoon: int, mg: bool, doubled: bool) -> None:
        self.book = book
        self.units = mask
        self.platoon = platoon
        self.mg = mg
        self.doubled = doubled

    def __str__(self) -> str:
        tail = (" mg" if self.mg else "") + (" doubled" if self.doubled else "")
        return f"shoot {self.book.names(self.units)} {self.book.platoons[self.platoon]}{tail}"


class Bombard(Order):
    """``bombard PLATOON HEX [smoke]``: a battery bombards an aiming point (C13.6)."""

    __slots__ = ("book", "place", "platoon", "smoke")
    verb = "bombard"

    def __init__(self, book: OrderBook, platoon: int, place: int, smoke: bool) -> None:
        self.book = book
        self.platoon = platoon
        self.place = place
        self.smoke = smoke

    def __str__(self) -> str:
        tail = " smoke" if self.smoke else ""
        return f"bombard {self.book.platoons[self.platoon]} {self.book.labels[self.place]}{tail}"


DONE, END = Done(), End()
PLAIN: dict[str, Order] = {order.verb: order for order in (DONE, END)}
USAGE: dict[str, tuple[str, str]] = {
    "move": ("move UNIT HEX", "C1.5"),
    "double": ("double UNIT HEX", "C2.1"),
    "climb": ("climb UNIT HEX/FLOOR", "C6.6"),
    "face": ("face UNIT HEX", "C1.4"),
    "touch": ("touch UNIT HEX", "C6.4"),
    "dig": ("dig GROUP", "C3.1"),
    "enter": ("enter UNIT HEX", "C10.2"),
    "reveal": ("reveal UNIT HEX", "C10.2"),
    "shoot": ("shoot UNITS ENEMY [mg] [doubled]", "C12.1"),
    "bombard": ("bombard GROUP HEX [smoke]", "C13.6"),
    "strike": ("strike ENEMY", "C13.7"),
    "take": ("take UNIT", "C12.3"),
    "charge": ("charge UNIT HEX", "C13.1"),
    "counter": ("counter GROUP", "C13.4"),
    "break-off": ("break-off GROUP", "C13.4"),
    "withdraw": ("withdraw UNIT HEX", "C13.5"),
    "consolidate": ("consolidate UNIT HEX", "C13.5"),
    "occupy": ("occupy UNIT", "C5.5"),
    "done": ("done", "C13.1"),
    "end": ("end", "C10.1"),
}
"""By verb, how the order is written and the rule about it."""
VERBS = tuple(USAGE)
WALKS: dict[str, type[Walk]] = {kind.verb: kind for kind in (Move, Double)}
UNIT_PLACE: tuple[type[UnitPlace], ...] = (Enter, Reveal, Face, Touch, Charge, Withdraw, Consolidate)
OF_UNIT: tuple[type[OfUnit], ...] = (Take, Occupy)
OF_PLATOON: tuple[type[OfPlatoon], ...] = (Dig, Counter, BreakOff, Strike)
MOST_STEPS = 60
"""A longer path than any team could go is not read."""


class OrderBook(OrderReader):
    """Makes and reads the orders of one scenario, keeping one object for each distinct short order."""

    def __init__(self, ids: Sequence[str], platoons: Sequence[str], grid: Grid) -> None:
        super().__init__(ids, grid.labels, grid.index)
        self.platoons = list(platoons)
        self._platoon_index = {name: number for number, name in enumerate(platoons)}

    def _flags(self, text: str, words: list[str], known: tuple[str, ...]) -> list[bool]:
        """Whether each of some words stands at the end of an order; they stand once, in this order."""
        given = [word.lower() for word in words]
        if given != [word for word in known if word in given]:
            said = f"{' '.join(words)[:40]!r} is not understood"
            raise InvalidOrder(text, said, self.written(text.split()[0]))
        return [word in given for word in known]

    def _read_walk(self, text: str, words: list[str]) -> Order:
        self.expect(text, words, 3, 3)
        kind = WALKS[words[0].lower()]
        unit = self.unit(text, words[1])
        labels = words[2].split("-")
        if len(labels) > MOST_STEPS:
            raise InvalidOrder(text, f"a way of {len(labels)} hexes is longer than any can be")
        path = tuple([self.place(text, label) for label in labels])
        return kind(self, unit, path[-1], path) if len(path) > 1 else self.once(kind, unit, path[0])

    def platoon(self, text: str, word: str) -> int:
        """The number of the platoon that a word names; raises InvalidOrder about ``text``."""
        return self.known(text, "platoon", word, self._platoon_index)

    def _read_shoot(self, text: str, words: list[str]) -> Order:
        self.expect(text, words, 3, 5)
        mg, doubled = self._flags(text, words[3:], ("mg", "doubled"))
        return self.once(Shoot, self.named(text, words[1]), self.platoon(text, words[2]), mg, doubled)

    def _read_bombard(self, text: str, words: list[str]) -> Order:
        self.expect(text, words, 3, 4)
        (smoke,) = self._flags(text, words[3:], ("smoke",))
        return self.once(Bombard, self.platoon(text, words[1]), self.place(text, words[2]), smoke)

    USAGE, PLAIN, UNIT = USAGE, PLAIN, "team"
    READERS: ClassVar[dict[str, Reader]] = {
        **dict.fromkeys(WALKS, _read_walk),
        **readers(*UNIT_PLACE, *OF_UNIT),
        **{kind.verb: kind.read for kind in OF_PLATOON},
        "climb": Climb.read,
        "shoot": _read_shoot,
        "bombard": _read_bombard,
    }
