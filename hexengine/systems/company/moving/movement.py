"""The Movement Step (C10.1): team after team moves, moves at the double, turns, or its platoon digs in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from hexengine.core.dice import Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.frames import Actor
from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest, nth, units
from hexengine.mechanics.masks import units as hexes
from hexengine.mechanics.orders import UnitPlace
from hexengine.systems.company.moving import climbing, digging, double
from hexengine.systems.company.moving.double import Doubler
from hexengine.systems.company.moving.reach import Walker, crowded
from hexengine.systems.company.moving.walking import (
    contact_at,
    refuse_again,
    refuse_moving,
    refuse_path,
    refuse_place,
    walk,
)
from hexengine.systems.company.orders import (
    END,
    Climb,
    Dig,
    Double,
    End,
    Enter,
    Face,
    Move,
    Touch,
)
from hexengine.systems.company.position import CompanyPosition, put

MOVES, DOUBLES, TURNS, TOUCHES, DIGS = range(5)
"""What an actor stands for, as four times the team plus this; platoons that dig in follow."""
KINDS: tuple[type[UnitPlace], ...] = (Move, Double, Face, Touch)
"""The orders of teams by what they do; those that are not on the map yet enter it."""
ENDING: Actor = -1


class Movement(NamedTuple):
    """A side's Movement Step."""

    side: int

    @property
    def kind(self) -> str:
        """The kind of the decision."""
        return "movement"

    def decider(self, pos: CompanyPosition) -> int:
        """The side whose turn it is."""
        return self.side

    # -- who may do what ------------------------------------------------------------------------

    def movers(self, pos: CompanyPosition) -> int:
        """Teams that have not moved yet and may; bailed out and bogged down vehicles may not."""
        board = pos.board
        mask = board.side_units[self.side] & pos.placed & board.mobile
        return mask & ~(pos.moved | pos.doubled | pos.tried | pos.bailed | pos.bogged)

    def doublers(self, pos: CompanyPosition) -> int:
        """Those of them that may choose the double, each for itself (C2.2): no pinned ones (C2.3)."""
        return self._rested(pos, self.movers(pos))

    def _rested(self, pos: CompanyPosition, mask: int) -> int:
        """Of some teams those of platoons that are not pinned."""
        for platoon in hexes(pos.pinned & pos.board.side_platoons[self.side]):
            mask &= ~pos.board.members[platoon]
        return mask

    def turners(self, pos: CompanyPosition) -> int:
        """Teams with a facing that may turn in place: once a step, and not after the double (C2.7)."""
        board = pos.board
        mask = board.side_units[self.side] & pos.placed & board.faced
        return mask & ~(pos.turned | pos.doubled | pos.bailed)

    def choosers(self, pos: CompanyPosition) -> int:
        """Teams that have moved to a hex with several openings, and may say which one they touch (C6.4)."""
        board = pos.board
        if not board.ground.choices & pos.taken(self.side):
            return 0
        mask = board.side_units[self.side] & pos.placed & board.foot & (pos.moved | pos.doubled) & ~pos.aloft
        mask &= ~(pos.touched | pos.blockers)
        found = 0
        for unit in units(mask):
            if len(board.ground.beside[pos.place[unit]]) > 1:
                found |= 1 << unit
        return found

    def _wanting(self, pos: CompanyPosition) -> tuple[int, int, int, int, int]:
        """Everything that may have an order, without looking at reach: by what they may do the masks of
        teams, then that of platoons that may dig in.
        """
        movers = self.movers(pos)
        return (
            movers | pos.due & pos.board.side_units[self.side],
            self._rested(pos, movers),
            self.turners(pos),
            self.choosers(pos),
            digging.ready(pos, self.side),
        )

    def actors(self, pos: CompanyPosition) -> list[Actor]:
        """Teams by what they may do, platoons that may dig in, and ``end``."""
        *acting, digs = self._wanting(pos)
        found = [
            actor
            for what, mask in enumerate(acting)
            for unit in units(mask)
            if self._choices(pos, actor := 4 * unit + what)
        ]
        return [*found, *[4 * pos.board.count + platoon for platoon in units(digs)], ENDING]

    def every(self, pos: CompanyPosition) -> list[Order]:
        """The orders of all actors, without asking first who has any."""
        *acting, digs = self._wanting(pos)
        found: list[Order] = []
        for what, mask in enumerate(acting):
            for unit in units(mask):
                found += self.orders(pos, 4 * unit + what)
        return [*found, *[pos.board.orders.once(Dig, platoon) for platoon in units(digs)], END]

    def orders(self, pos: CompanyPosition, actor: Actor) -> list[Order]:
        """The orders of one of them; each end hex is offered once, for the way that the rules choose."""
        unit, what = divmod(actor, 4)
        if actor == ENDING:
            return [END]
        if unit >= pos.board.count:
            return [pos.board.orders.once(Dig, actor - 4 * pos.board.count)]
        return [self._order(pos, unit, what, spot) for spot in self._listed(pos, unit, what)]

    def _choices(self, pos: CompanyPosition, actor: Actor) -> int:
        """The number of hexes that a team may name in what it may do."""
        unit, what = divmod(actor, 4)
        if what > DOUBLES:
            return len(self._listed(pos, unit, what))
        return self._ends(pos, unit, what).bit_count()

    @staticmethod
    def _ends(pos: CompanyPosition, unit: int, what: int) -> int:
        """The mask of hexes to which a team may move, enter, or go at the double; with floors of spots."""
        if what == DOUBLES:
            return Doubler(pos, unit).ends()
        if not pos.placed >> unit & 1:
            return entries(pos, unit)
        walker = Walker(pos, unit)
        return walker.ends() | climbing.climbs(walker) if walker.ground.floors else walker.ends()

    @staticmethod
    def _order(pos: CompanyPosition, unit: int, what: int, spot: int) -> Order:
        """The order that names one of ``_listed``: upper floors, and the ground below, are climbed to."""
        ground, book = pos.board.ground, pos.board.orders
        if spot == pos.place[unit] or spot >= pos.board.size:
            return book.once(Climb, unit, ground.hex_of[spot], ground.floor_of[spot])
        kind = KINDS[what] if what or pos.placed >> unit & 1 else Enter
        return book.once(kind, unit, spot)

    def _listed(self, pos: CompanyPosition, unit: int, what: int) -> list[int]:
        """The hexes that a team may name in what it may do; with floors spots."""
        if what < TURNS:
            return list(hexes(self._ends(pos, unit, what)))
        board, place = pos.board, pos.place[unit]
        if what == TURNS:
            around = board.grid.neighbours[place]
            return [to for way, to in enumerate(around) if to >= 0 and way != pos.facing[unit]]
        return [
            self._across(pos, unit, opening)
            for opening in board.ground.beside[place]
            if opening != pos.contact[unit]
        ]

    @staticmethod
    def _across(pos: CompanyPosition, unit: int, opening: int) -> int:
        one = pos.board.ground.openings[opening]
        return one.inside if pos.place[unit] == one.outside else one.outside

    def sample(self, pos: CompanyPosition, below: Callable[[int], int]) -> Order:
        """One order of one actor, each as likely: actors without an order are drawn again."""
        wanting = self._wanting(pos)
        counts = [mask.bit_count() for mask in wanting]
        number = sum(counts) + 1
        while True:
            at = below(number)
            what = 0
            while what <= DIGS and at >= counts[what]:
                at -= counts[what]
                what += 1
            if what > DIGS:
                return END
            unit = nth(wanting[what], at)
            if what == DIGS:
                return pos.board.orders.once(Dig, unit)
            if what < TURNS:
                ends = self._ends(pos, unit, what)
                if ends:
                    return self._order(pos, unit, what, nth(ends, below(ends.bit_count())))
            elif choices := self._listed(pos, unit, what):
                return self._order(pos, unit, what, choices[below(len(choices))])

    # -- what is legal --------------------------------------------------------------------------

    def check(self, pos: CompanyPosition, order: Order) -> Refusal | None:
        """The only judge of legality in the Movement Step."""
        board = pos.board
        match order:
            case End():
                return None
            case Dig(platoon=platoon):
                return digging.check(pos, self.side, platoon)
            case Move() | Climb() | Double() | Enter() | Face() | Touch():
                unit, place = order.unit, order.place
            case _:
                return Refusal("C10.1", "wrong-step", {"order": str(order)})
        facts: dict[str, Any] = {"unit": board.ids[unit], "hex": board.labels[place]}
        if board.side[unit] != self.side:
            return Refusal("C10.1", "not-yours", facts)
        if isinstance(order, Enter):
            if not pos.due >> unit & 1:
                return Refusal("C10.2", "not-due", facts)
            return None if entries(pos, unit) >> place & 1 else Refusal("C10.2", "no-entry", facts)
        if not pos.placed >> unit & 1:
            return Refusal("C10.1", "off-map", facts)
        if isinstance(order, Face):
            return self._check_face(pos, unit, place, facts)
        if isinstance(order, Touch):
            return self._check_touch(pos, unit, place, facts)
        return self._check_walk(pos, order, facts)

    def _check_walk(
        self, pos: CompanyPosition, order: Move | Climb | Double, facts: dict[str, Any]
    ) -> Refusal | None:
        unit = order.unit
        refusal = refuse_again(pos, unit, facts) or refuse_moving(pos, unit, facts)
        if refusal is not None:
            return refusal
        if isinstance(order, Double):
            if not self.doublers(pos) >> unit & 1:
                return Refusal("C2.3", "pinned", facts)
            return double.refuse(Doubler(pos, unit), order.place, order.path)
        walker = Walker(pos, unit)
        if isinstance(order, Climb):
            return climbing.refuse(walker, order.place, order.floor)
        return refuse_path(walker, order.path) if order.path else refuse_place(walker, order.place)

    def _check_face(
        self, pos: CompanyPosition, unit: int, place: int, facts: dict[str, Any]
    ) -> Refusal | None:
        bit = 1 << unit
        if not pos.board.faced & bit:
            return Refusal("C1.4", "no-facing", facts)
        if pos.doubled & bit:
            return Refusal("C2.7", "faces-its-way", facts)
        if pos.bailed & bit:
            return Refusal("C12.4", "bailed-out", facts)
        if pos.turned & bit:
            return Refusal("C1.4", "turned-already", facts)
        around = pos.board.grid.neighbours[pos.place[unit]]
        if place not in around or around.index(place) == pos.facing[unit]:
            return Refusal("C1.4", "faces-there", facts)
        return None

    def _check_touch(
        self, pos: CompanyPosition, unit: int, place: int, facts: dict[str, Any]
    ) -> Refusal | None:
        board = pos.board
        if not board.foot >> unit & 1:
            return Refusal("C6.5", "team-class", facts)
        if not self.choosers(pos) >> unit & 1:
            return Refusal("C6.4", "no-choice-of-openings", facts)
        opening = board.ground.opening_at(pos.place[unit], place)
        if opening < 0 or opening == pos.contact[unit]:
            return Refusal("C6.4", "no-opening", facts)
        return None

    # -- carrying out ---------------------------------------------------------------------------

    def play(self, pos: CompanyPosition, order: Order, dice: Dice, emit: Emit) -> None:
        """Carry out a legal order."""
        board = pos.board
        match order:
            case Move(unit=unit, place=place, path=named):
                walker = Walker(pos, unit)
                walk(walker, list(named) or walker.path(place), dice, emit)
                pos.moved |= 1 << unit & pos.placed
            case Climb(unit=unit, place=place, floor=floor):
                walker = Walker(pos, unit)
                path = climbing.way_to(walker, place, floor)
                if path:
                    walk(walker, path, dice, emit)
                climbing.settle(pos, unit, place, floor, emit)
                pos.moved |= 1 << unit & pos.placed
            case Double(unit=unit, place=place, path=named):
                doubler = Doubler(pos, unit)
                path = list(named) or doubler.path(place)
                if emit:
                    facts = {"unit": board.ids[unit], "hex": board.labels[place]}
                    emit(Event("C2.1", "at-the-double", facts))
                walk(doubler.walker, path, dice, emit)
                pos.doubled |= 1 << unit
            case Face(unit=unit, place=place):
                pos.facing[unit] = board.grid.direction(pos.place[unit], place)
                pos.turned |= 1 << unit
                if emit:
                    emit(Event("C1.4", "turned", {"unit": board.ids[unit], "hex": board.labels[place]}))
            case Touch(unit=unit, place=place):
                pos.contact[unit] = board.ground.opening_at(pos.place[unit], place)
                pos.touched |= 1 << unit
                if emit:
                    emit(Event("C6.4", "touches", {"unit": board.ids[unit], "hex": board.labels[place]}))
            case Enter(unit=unit, place=place):
                put(pos, unit, place)
                pos.contact[unit] = contact_at(pos, unit)
                pos.moved |= 1 << unit
                if emit:
                    emit(Event("C10.2", "enters", {"unit": board.ids[unit], "hex": board.labels[place]}))
            case Dig(platoon=platoon):
                digging.dig(pos, platoon, dice, emit)
            case _:
                pos.frames.pop()

    def advance(self, pos: CompanyPosition, dice: Dice, emit: Emit) -> bool:
        """With nothing left to choose the step ends by itself."""
        # Nearly always somebody can still move: that is asked first.
        if self._any(pos, self.movers(pos), MOVES):
            return False
        *acting, digs = self._wanting(pos)
        if digs or any(self._any(pos, mask, what) for what, mask in enumerate(acting)):
            return False
        pos.frames.pop()
        return True

    def _any(self, pos: CompanyPosition, mask: int, what: int) -> bool:
        """Whether any of some teams has something to choose in what it may do."""
        while mask:
            if self._choices(pos, 4 * lowest(mask) + what):
                return True
            mask &= mask - 1
        return False


def entries(pos: CompanyPosition, unit: int) -> int:
    """The hexes in which a team that is due, or in ambush, may appear (C10.2)."""
    board = pos.board
    found = board.platoons[board.platoon[unit]].hexes & ~pos.taken(1 - board.side[unit])
    found &= ~crowded(pos, unit)
    if not board.foot >> unit & 1:
        found &= ~board.ground.rooms
    return found
