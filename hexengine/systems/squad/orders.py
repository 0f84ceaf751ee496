"""The orders of the squad system: one small type a verb, one shared object for each distinct order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from hexengine.core.errors import InvalidOrder
from hexengine.core.orders import Order
from hexengine.mechanics.orders import OfPlace, OfUnit, OfUnits, Reader, TwoUnits, UnitPlace, readers
from hexengine.mechanics.reading import OrderReader
from hexengine.systems.squad.places import Places

NORMAL, ASSAULT, DOUBLE, CRAWL, STEALTH = 0, 1, 2, 4, 8
"""Ways to move (S4, S6, S7); an assault move may be at the double."""
MODE_WORDS = {"assault": ASSAULT, "double": DOUBLE, "crawl": CRAWL, "stealth": STEALTH}
MODE_NAMES = {
    mode: " ".join([word for word, one in MODE_WORDS.items() if mode & one]) for mode in range(2 * STEALTH)
}
MODES = (NORMAL, ASSAULT, DOUBLE, ASSAULT | DOUBLE, CRAWL, STEALTH)
"""Those that there are; others can be written, and are refused."""


class Done(Order):
    """``done``: close the group on the move, or this side's part of the Rally Phase."""

    __slots__ = ()
    verb = "done"


class End(Order):
    """``end``: end the impulse; one in which nothing was activated is a pass (S1.3)."""

    __slots__ = ()
    verb = "end"


class Pass(Order):
    """``pass``: decline opportunity fire at this step (S9.1)."""

    __slots__ = ()
    verb = "pass"


class Move(Order):
    """``move UNITS HEX [MODE]``: one step of a group; the first one says how it moves."""

    __slots__ = ("book", "mode", "place", "units")
    verb = "move"

    def __init__(self, book: OrderBook, mask: int, place: int, mode: int) -> None:
        self.book = book
        self.units = mask
        self.place = place
        self.mode = mode

    def __str__(self) -> str:
        words = "".join(f" {word}" for word, mode in MODE_WORDS.items() if self.mode & mode)
        return f"move {self.book.names(self.units)} {self.book.labels[self.place]}{words}"


class Fire(Order):
    """``fire UNITS HEX [with WEAPON] [at VEHICLE]``: units of one place fire at a place, ordnance one alone.

    A vehicle that fires its gun is its own ``weapon``; ``target`` is the vehicle that is to be pierced.
    """

    __slots__ = ("book", "place", "target", "units", "weapon")
    verb = "fire"

    def __init__(self, book: OrderBook, mask: int, place: int, weapon: int, target: int) -> None:
        self.book = book
        self.units = mask
        self.place = place
        self.weapon = weapon
        self.target = target

    def __str__(self) -> str:
        tail = f" with {self.book.ids[self.weapon]}" if self.weapon >= 0 else ""
        tail += f" at {self.book.ids[self.target]}" if self.target >= 0 else ""
        return f"fire {self.book.names(self.units)} {self.book.labels[self.place]}{tail}"


class Spot(UnitPlace):
    """``spot UNIT HEX``: try to spot what is in a place (S10.6)."""

    __slots__ = ()
    verb = "spot"


class Smoke(UnitPlace):
    """``smoke UNIT HEX``: try to place smoke in the own or an adjacent hex (S8.12)."""

    __slots__ = ()
    verb = "smoke"


class Call(UnitPlace):
    """``call UNIT HEX``: call a fire mission on a hex (S13.3)."""

    __slots__ = ()
    verb = "call"


class Face(UnitPlace):
    """``face UNIT HEX``: a vehicle turns in place towards an adjacent hex (S4.10)."""

    __slots__ = ()
    verb = "face"


class Activate(OfUnit):
    """``activate UNIT``: a leader spreads the activation to the hexes in his range (S2.1)."""

    __slots__ = ()
    verb = "activate"


class Unload(OfUnit):
    """``unload VEHICLE``: all its passengers get out (S8.4)."""

    __slots__ = ()
    verb = "unload"


class Rally(OfUnit):
    """``rally UNIT``: a Shaken unit tries to rally (S11.1)."""

    __slots__ = ()
    verb = "rally"


class Split(OfUnit):
    """``split UNIT``: a squad becomes two half-squads (S11.3)."""

    __slots__ = ()
    verb = "split"


class Treat(TwoUnits):
    """``treat UNIT OTHER``: a medic helps a unit in his place (S11.2)."""

    __slots__ = ()
    verb = "treat"


class Take(TwoUnits):
    """``take UNIT WEAPON``: a unit takes a weapon that lies in its place, or another's (S11.4)."""

    __slots__ = ()
    verb = "take"


class Join(TwoUnits):
    """``join UNIT OTHER``: two half-squads become a squad (S11.3)."""

    __slots__ = ()
    verb = "join"


class Load(TwoUnits):
    """``load UNIT VEHICLE``: a unit becomes a passenger of a vehicle in its place (S8.4)."""

    __slots__ = ()
    verb = "load"


class Melee(OfPlace):
    """``melee HEX``: fight a round of a melee that goes on (S12.2)."""

    __slots__ = ()
    verb = "melee"


class Strike(OfUnits):
    """``strike TARGETS``: the enemy units that this side strikes at in a melee (S12.3)."""

    __slots__ = ()
    verb = "strike"


DONE, END, PASS = Done(), End(), Pass()
PLAIN: dict[str, Order] = {order.verb: order for order in (DONE, END, PASS)}
USAGE: dict[str, tuple[str, str]] = {
    "move": ("move UNITS HEX [assault] [double] [crawl] [stealth]", "S4.1"),
    "fire": ("fire UNITS HEX [with WEAPON] [at VEHICLE]", "S8.1"),
    "activate": ("activate UNIT", "S2.1"),
    "spot": ("spot UNIT HEX", "S10.6"),
    "smoke": ("smoke UNIT HEX", "S8.12"),
    "call": ("call UNIT HEX", "S13.3"),
    "face": ("face UNIT HEX", "S4.10"),
    "load": ("load UNIT VEHICLE", "S8.4"),
    "unload": ("unload VEHICLE", "S8.4"),
    "melee": ("melee HEX", "S12.2"),
    "strike": ("strike TARGET", "S12.3"),
    "rally": ("rally UNIT", "S11.1"),
    "treat": ("treat UNIT UNIT", "S11.2"),
    "take": ("take UNIT WEAPON", "S11.4"),
    "split": ("split UNIT", "S11.3"),
    "join": ("join UNIT UNIT", "S11.3"),
    "pass": ("pass", "S9.1"),
    "done": ("done", "S2.5"),
    "end": ("end", "S1.3"),
}
"""By verb, how the order is written and the rule about it."""
VERBS = tuple(USAGE)
OF_UNIT: tuple[type[OfUnit], ...] = (Activate, Unload, Rally, Split)
UNIT_PLACE: tuple[type[UnitPlace], ...] = (Spot, Smoke, Call, Face)
TWO_UNITS: tuple[type[TwoUnits], ...] = (Treat, Take, Join, Load)
FIRE_TAILS: list[list[str]] = [[], ["with"], ["at"], ["with", "at"]]
"""What may stand behind the hex fired at, each with its unit."""


class OrderBook(OrderReader):
    """Makes and reads the orders of one scenario, keeping one object for each distinct order."""

    def __init__(self, ids: Sequence[str], places: Places) -> None:
        super().__init__(ids, places.labels, places.index)
        self.places = places
        self._moves: dict[tuple[int, int, int], Move] = {}
        self._fires: dict[tuple[int, int, int, int], Fire] = {}
        self._smokes: dict[int, list[Smoke]] = {}

    # -- making -------------------------------------------------------------------------------

    def move(self, mask: int, place: int, mode: int = NORMAL) -> Move:
        """The order ``move``."""
        key = (mask, place, mode)
        order = self._moves.get(key)
        if order is None:
            order = self._moves[key] = Move(self, mask, place, mode)
        return order

    def fire(self, mask: int, place: int, weapon: int = -1, target: int = -1) -> Fire:
        """The order ``fire``; ``weapon`` -1: no ordnance is named; ``target`` -1: at all there."""
        key = (mask, place, weapon, target)
        order = self._fires.get(key)
        if order is None:
            order = self._fires[key] = Fire(self, mask, place, weapon, target)
        return order

    def smokes(self, unit: int, where: int) -> list[Smoke]:
        """The orders ``smoke`` of a unit that stands in a hex: for it and for those around."""
        key = unit * self.places.grid.size + where
        found = self._smokes.get(key)
        if found is None:
            around = [where, *[place for place in self.places.grid.neighbours[where] if place >= 0]]
            found = self._smokes[key] = [self.once(Smoke, unit, place) for place in around]
        return found

    # -- reading ------------------------------------------------------------------------------

    def _read_move(self, text: str, words: list[str]) -> Order:
        self.expect(text, words, 3, 7)
        mode = NORMAL
        for word in words[3:]:
            one = MODE_WORDS.get(word.lower())
            if one is None or mode & one:
                said = f"{word[:40]!r} is no way to move, or is said twice"
                raise InvalidOrder(text, said, self.written("move"))
            mode |= one
        return self.move(self.named(text, words[1]), self.place(text, words[2]), mode)

    def _read_fire(self, text: str, words: list[str]) -> Order:
        self.expect(text, words, 3, 7)
        tail = {key.lower(): word for key, word in zip(words[3::2], words[4::2], strict=False)}
        if len(words) % 2 == 0 or [word.lower() for word in words[3::2]] not in FIRE_TAILS:
            said = f"{' '.join(words[3:])[:40]!r} is not understood"
            raise InvalidOrder(text, said, self.written("fire"))
        weapon, target = [self.unit(text, tail[key]) if key in tail else -1 for key in ("with", "at")]
        return self.fire(self.named(text, words[1]), self.place(text, words[2]), weapon, target)

    USAGE, PLAIN = USAGE, PLAIN
    READERS: ClassVar[dict[str, Reader]] = {
        "move": _read_move,
        "fire": _read_fire,
        **readers(Melee, Strike, *OF_UNIT, *UNIT_PLACE, *TWO_UNITS),
    }
