"""The orders of the platoon system: one small type a verb, one shared object for each distinct order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from hexengine.core.errors import InvalidOrder
from hexengine.core.orders import Order
from hexengine.hexes import Grid
from hexengine.mechanics.masks import units
from hexengine.mechanics.reading import OrderReader
from hexengine.systems.platoon.orders import flight, support, work


class Draw(Order):
    """``draw``: take a marker from the cup (P1.2)."""

    __slots__ = ()
    verb = "draw"


class Done(Order):
    """``done``: close the group on the move (P4.3)."""

    __slots__ = ()
    verb = "done"


class End(Order):
    """``end``: end the activation (P2.5)."""

    __slots__ = ()
    verb = "end"


class Pass(Order):
    """``pass``: decline opportunity fire at this hex (P8.5)."""

    __slots__ = ()
    verb = "pass"


class UnitsHex(Order):
    """An order of some units (a mask) concerning a hex."""

    __slots__ = ("_text", "book", "hex", "units")
    units: int
    hex: int

    def __init__(self, book: OrderBook, units: int, place: int) -> None:
        self.book = book
        self.units = units
        self.hex = place
        self._text = ""

    def __str__(self) -> str:
        text = self._text
        if not text:
            book = self.book
            text = self._text = f"{self.verb} {book.names(self.units)} {book.grid.labels[self.hex]}"
        return text


class Move(UnitsHex):
    """``move UNITS HEX``: one step into an adjacent hex (P4)."""

    __slots__ = ()
    verb = "move"


class Enter(UnitsHex):
    """``enter UNITS HEX``: reinforcements come onto the map (P15)."""

    __slots__ = ()
    verb = "enter"


class Assault(UnitsHex):
    """``assault UNITS HEX``: enter an enemy hex to fight for it (P7.2)."""

    __slots__ = ()
    verb = "assault"


class Overrun(UnitsHex):
    """``overrun UNITS HEX``: vehicles drive through a hex held by infantry (P7.4)."""

    __slots__ = ()
    verb = "overrun"


class Exit(Order):
    """``exit UNITS``: leave the map (P4.8)."""

    __slots__ = ("book", "units")
    verb = "exit"
    units: int

    def __init__(self, book: OrderBook, units: int) -> None:
        self.book = book
        self.units = units

    def __str__(self) -> str:
        return f"exit {self.book.names(self.units)}"


class CarrierUnits(Order):
    """An order of a carrier and some passengers (a mask; support weapons go with theirs)."""

    __slots__ = ("book", "carrier", "units")
    carrier: int
    units: int

    def __init__(self, book: OrderBook, carrier: int, units: int) -> None:
        self.book = book
        self.carrier = carrier
        self.units = units

    def __str__(self) -> str:
        return f"{self.verb} {self.book.ids[self.carrier]} {self.book.names(self.units)}"


class Load(CarrierUnits):
    """``load CARRIER UNITS`` (P5.2, P5.3)."""

    __slots__ = ()
    verb = "load"


class Unload(CarrierUnits):
    """``unload CARRIER [UNITS]`` (P5.5, P5.6); units 0: all."""

    __slots__ = ()
    verb = "unload"

    def __str__(self) -> str:
        tail = f" {self.book.names(self.units)}" if self.units else ""
        return f"unload {self.book.ids[self.carrier]}{tail}"


class Fire(Order):
    """``fire UNIT TARGET [with WEAPON] [lead]`` (P6, P8); ``weapon`` -1: the unit's own block."""

    __slots__ = ("book", "firer", "lead", "target", "weapon")
    verb = "fire"
    firer: int
    target: int
    weapon: int
    lead: bool

    def __init__(self, book: OrderBook, firer: int, target: int, weapon: int, lead: bool) -> None:
        self.book = book
        self.firer = firer
        self.target = target
        self.weapon = weapon
        self.lead = lead

    def __str__(self) -> str:
        ids = self.book.ids
        weapon = f" with {ids[self.weapon]}" if self.weapon >= 0 else ""
        return f"fire {ids[self.firer]} {ids[self.target]}{weapon}{' lead' if self.lead else ''}"


DRAW, DONE, END, PASS = Draw(), Done(), End(), Pass()
PLAIN: dict[str, Order] = {order.verb: order for order in (DRAW, DONE, END, PASS)}
USAGE: dict[str, tuple[str, str]] = {
    "draw": ("draw", "P1.2"),
    "move": ("move UNITS HEX", "P4.2"),
    "done": ("done", "P4.3"),
    "fire": ("fire UNIT TARGET [with WEAPON] [lead]", "P6.1"),
    "pass": ("pass", "P8.5"),
    "load": ("load CARRIER UNITS", "P5.2"),
    "unload": ("unload CARRIER [UNITS]", "P5.5"),
    "enter": ("enter UNITS HEX", "P15"),
    "exit": ("exit UNITS", "P4.8"),
    "assault": ("assault UNITS HEX", "P7.2"),
    "overrun": ("overrun UNITS HEX", "P7.4"),
    **work.USAGE,
    **support.USAGE,
    **flight.USAGE,
    "end": ("end", "P2.5"),
}
"""By verb, how the order is written and the rule about it."""
VERBS = tuple(USAGE)

UsesUnitsHex = TypeVar("UsesUnitsHex", bound=UnitsHex)


class MoveRow(dict[int, Move]):
    """The moves of one set of units by hex, made when they are first asked for."""

    __slots__ = ("_book", "_units", "open")

    def __init__(self, book: OrderBook, mask: int) -> None:
        super().__init__()
        self._book = book
        self._units = mask
        self.open = _WaysOut(self, book.grid)

    def __missing__(self, place: int) -> Move:
        order = self[place] = Move(self._book, self._units, place)
        return order


class _WaysOut(dict[int, list[Order]]):
    """All moves of a row out of a hex in a mask of directions, by ``64 * hex + mask``."""

    __slots__ = ("_neighbours", "_row")

    def __init__(self, row: MoveRow, grid: Grid) -> None:
        super().__init__()
        self._row = row
        self._neighbours = grid.neighbours

    def __missing__(self, key: int) -> list[Order]:
        row, neighbours = self._row, self._neighbours[key >> 6]
        made: list[Order] = [row[neighbours[direction]] for direction in units(key & 63)]
        self[key] = made
        return made


class MoveRows(dict[int, MoveRow]):
    """The moves by units."""

    __slots__ = ("_book",)

    def __init__(self, book: OrderBook) -> None:
        super().__init__()
        self._book = book

    def __missing__(self, mask: int) -> MoveRow:
        row = self[mask] = MoveRow(self._book, mask)
        return row


def _read_move(book: OrderBook, text: str, words: list[str]) -> Order:
    book.expect(text, words, 3, 3)
    return book.move(book.named(text, words[1]), book.place(text, words[2]))


def _read_to_hex(book: OrderBook, text: str, words: list[str]) -> Order:
    verb = words[0].lower()
    book.expect(text, words, 3, 3)
    kind: type[UnitsHex] = {"enter": Enter, "assault": Assault, "overrun": Overrun}[verb]
    return book.to_hex(kind, book.named(text, words[1]), book.place(text, words[2]))


def _read_exit(book: OrderBook, text: str, words: list[str]) -> Order:
    book.expect(text, words, 2, 2)
    return book.exit(book.named(text, words[1]))


def _read_load(book: OrderBook, text: str, words: list[str]) -> Order:
    book.expect(text, words, 3, 3)
    return book.load(book.unit(text, words[1]), book.with_weapons(book.named(text, words[2])))


def _read_unload(book: OrderBook, text: str, words: list[str]) -> Order:
    book.expect(text, words, 2, 3)
    mask = book.with_weapons(book.named(text, words[2])) if len(words) > 2 else 0
    return book.unload(book.unit(text, words[1]), mask)


def _read_fire(book: OrderBook, text: str, words: list[str]) -> Order:
    book.expect(text, words, 3, 6)
    weapon, lead = book.how(text, words[3:])
    return book.fire(book.unit(text, words[1]), book.unit(text, words[2]), weapon, lead)


READERS: dict[str, Callable[[Any, str, list[str]], Order]] = {
    "move": _read_move,
    "fire": _read_fire,
    "load": _read_load,
    "unload": _read_unload,
    "enter": _read_to_hex,
    "exit": _read_exit,
    "assault": _read_to_hex,
    "overrun": _read_to_hex,
    "dig": work.read_dig,
    "mine": work.read_mine,
    "clear": work.read_clear,
    "mission": support.read_mission,
    "strike": support.read_strike,
    "intercept": support.read_intercept,
    "land": flight.read_land,
    "rise": flight.read_rise,
}


class OrderBook(OrderReader):
    """Makes and reads orders of one scenario, keeping one object for each distinct order.

    ``weapon_of`` gives each unit's support weapon or -1: naming a passenger names its weapon too.
    """

    USAGE: ClassVar[Mapping[str, tuple[str, str]]] = USAGE
    PLAIN: ClassVar[Mapping[str, Order]] = PLAIN
    READERS: ClassVar[Mapping[str, Callable[[Any, str, list[str]], Order]]] = READERS

    def __init__(self, ids: Sequence[str], grid: Grid, weapon_of: Sequence[int]) -> None:
        super().__init__(ids, grid.labels, grid.index)
        self.grid = grid
        self._weapon_of = weapon_of
        self.moves = MoveRows(self)
        """The orders ``move`` by units and hex."""
        self._fires: dict[tuple[int, int, int, bool], Fire] = {}

    # -- making -------------------------------------------------------------------------------

    def move(self, mask: int, place: int) -> Move:
        """The order ``move`` of these units to that hex."""
        return self.moves[mask][place]

    def fire(self, firer: int, target: int, weapon: int = -1, lead: bool = False) -> Fire:
        """The order ``fire``."""
        key = (firer, target, weapon, lead)
        order = self._fires.get(key)
        if order is None:
            order = self._fires[key] = Fire(self, firer, target, weapon, lead)
        return order

    def to_hex(self, kind: type[UsesUnitsHex], mask: int, place: int) -> UsesUnitsHex:
        """An ``enter``, ``assault`` or ``overrun``."""
        return self.once(kind, mask, place)

    def load(self, carrier: int, mask: int) -> Load:
        """The order ``load``; ``mask`` names the passengers with their support weapons."""
        return self.once(Load, carrier, mask)

    def unload(self, carrier: int, mask: int = 0) -> Unload:
        """The order ``unload``; mask 0 unloads all."""
        return self.once(Unload, carrier, mask)

    def exit(self, mask: int) -> Exit:
        """The order ``exit``."""
        return self.once(Exit, mask)

    # -- reading ------------------------------------------------------------------------------

    def with_weapons(self, mask: int) -> int:
        """Some units with their support weapons."""
        for unit in units(mask):
            if self._weapon_of[unit] >= 0:
                mask |= 1 << self._weapon_of[unit]
        return mask

    def how(self, text: str, words: list[str]) -> tuple[int, bool]:
        """Read ``[with WEAPON] [lead]``: the weapon or -1, and whether an HQ leads; raises InvalidOrder."""
        rest = [word.lower() for word in words]
        lead = bool(rest) and rest[-1] == "lead"
        if lead:
            rest.pop()
        if len(rest) == 2 and rest[0] == "with":
            return self.unit(text, words[1]), lead
        if rest:
            said = f"{' '.join(words)[:40]!r} is not understood"
            raise InvalidOrder(text, said, self.written(text.split()[0]))
        return -1, lead
