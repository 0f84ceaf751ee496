"""The changing side of a company game, in columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexengine.core.dice import STREAMS
from hexengine.core.position import Position
from hexengine.mechanics.masks import units
from hexengine.mechanics.victory import ONGOING

if TYPE_CHECKING:
    from hexengine.systems.company.board import Board


class CompanyPosition(Position):
    """Everything that changes.

    Columns by unit: ``place`` (hex, or -1), ``facing`` (a direction, 0 to 5), ``contact`` (the opening it
    touches, or -1; C6.4), ``origin`` (where its charge began, or -1), ``hole`` (the hex of its marked
    position during an assault, or -1; C5.3), ``hits`` (dealt out, and not yet saved), ``floor`` (0 is the
    ground, C6.6).  By platoon:
    ``struck`` (hits in this step). By side: ``calls`` (air support left), ``flights`` (aircraft over the
    field this turn).  Bytes by hex: ``here`` (by side and hex: teams, a vehicle counting 8), ``control``
    (0, or the holding side plus 1).

    Masks of units.  ``placed``, ``lost``, ``waiting`` (reserves still to be released), ``due`` (they may
    enter), ``hiding`` (in ambush), ``moved``, ``doubled``, ``tried`` (to dig in), ``shot`` (each in its
    side's own last turn), ``dug``, ``bailed``, ``bogged``, ``stray`` (out of command), ``blockers`` (failed
    at an opening in this step, C8.4), ``turned``, ``touched`` (faced anew, chose an opening, in this step),
    ``full`` (shot with all its rate of fire this turn), ``stirred`` (moved in this part of an assault),
    ``engaged`` (charging or charged in), ``aloft`` (on an upper floor). Masks of platoons.
    ``pinned``, ``bled`` (losses in this step),
    ``charged`` (this turn), ``fighting`` (in the assault that goes on), ``answered`` (had their defensive
    fire), ``countering`` and ``fleeing`` (what they do after being struck).  Masks of buildings:
    ``cleared_0`` and ``cleared_1``.  Masks of hexes: ``smoke_0`` and ``smoke_1``, by the side that laid it;
    ``taken_0`` and ``taken_1``, by the side whose teams are there; ``full_0`` and ``full_1``, where no
    other team of the side has room but perhaps a vehicle, and ``tight_0`` and ``tight_1``, where no other
    vehicle has.
    """

    COLUMNS = ("place", "facing", "contact", "origin", "hole", "hits", "floor", "struck", "calls", "flights")
    BYTES = ("here", "control")
    DERIVED = ("here", "taken_0", "taken_1", "full_0", "full_1", "tight_0", "tight_1")
    INTS = (
        "turn",
        "placed",
        "lost",
        "waiting",
        "due",
        "hiding",
        "moved",
        "doubled",
        "tried",
        "shot",
        "dug",
        "bailed",
        "bogged",
        "stray",
        "blockers",
        "turned",
        "touched",
        "full",
        "stirred",
        "engaged",
        "aloft",
        "pinned",
        "bled",
        "charged",
        "fighting",
        "answered",
        "countering",
        "fleeing",
        "cleared_0",
        "cleared_1",
        "smoke_0",
        "smoke_1",
        "taken_0",
        "taken_1",
        "full_0",
        "full_1",
        "tight_0",
        "tight_1",
        "winner",
        "reason",
    )
    __slots__ = ("board", *COLUMNS, *BYTES, *INTS)

    board: Board
    place: list[int]
    facing: list[int]
    contact: list[int]
    origin: list[int]
    hole: list[int]
    hits: list[int]
    floor: list[int]
    struck: list[int]
    calls: list[int]
    flights: list[int]
    here: bytearray
    control: bytearray
    turn: int
    placed: int
    lost: int
    waiting: int
    due: int
    hiding: int
    moved: int
    doubled: int
    tried: int
    shot: int
    dug: int
    bailed: int
    bogged: int
    stray: int
    blockers: int
    turned: int
    touched: int
    full: int
    stirred: int
    engaged: int
    aloft: int
    pinned: int
    bled: int
    charged: int
    fighting: int
    answered: int
    countering: int
    fleeing: int
    cleared_0: int
    cleared_1: int
    smoke_0: int
    smoke_1: int
    taken_0: int
    taken_1: int
    full_0: int
    full_1: int
    tight_0: int
    tight_1: int
    winner: int
    reason: int

    def __init__(self, board: Board) -> None:
        super().__init__(len(STREAMS))
        self.board = board
        count = board.count
        self.place = [-1] * count
        self.facing = [0] * count
        self.contact = [-1] * count
        self.origin = [-1] * count
        self.hole = [-1] * count
        self.hits = [0] * count
        self.floor = [0] * count
        self.struck = [0] * len(board.platoons)
        self.calls = [0, 0]
        self.flights = [0, 0]
        self.here = bytearray(2 * board.size)
        self.control = bytearray(board.size)
        for name in self.INTS:
            setattr(self, name, 0)
        self.turn = 1
        self.winner = ONGOING

    def taken(self, side: int) -> int:
        """The mask of hexes in which a side has teams."""
        return self.taken_1 if side else self.taken_0

    def cleared(self, side: int) -> int:
        """The mask of buildings that are cleared for a side: as the step began or by a test, or because one
        of its teams is inside now (C7.1).
        """
        found = self.cleared_1 if side else self.cleared_0
        ground = self.board.ground
        inside = self.taken(side) & ground.rooms
        for place in units(inside) if inside else ():
            found |= 1 << ground.building[place]
        return found

    def smoke(self) -> int:
        """The mask of hexes with smoke."""
        return self.smoke_0 | self.smoke_1

    def alive(self, platoon: int) -> int:
        """The mask of a platoon's teams on the map."""
        return self.board.members[platoon] & self.placed

    def places(self, mask: int) -> int:
        """The mask of hexes in which some teams on the map stand; with floors, of their spots (C6.6)."""
        where = self.place
        found = 0
        for unit in units(mask & ~self.aloft):
            found |= 1 << where[unit]
        for unit in units(mask & self.aloft):
            found |= 1 << self.spot(unit)
        return found

    def stands(self, side: int) -> int:
        """The mask of hexes in which a side has teams; with floors, of their spots."""
        return self.places(self.placed & self.board.side_units[side]) if self.aloft else self.taken(side)

    def spot(self, unit: int) -> int:
        """Where a team on the map stands, with its floor; see floors."""
        place = self.place[unit]
        return self.board.ground.spot[place, self.floor[unit]] if self.aloft >> unit & 1 else place

    def at(self, place: int, side: int) -> int:
        """The mask of a side's teams in a hex."""
        if not self.here[side * self.board.size + place]:
            return 0
        where = self.place
        mask = 0
        for unit in units(self.placed & self.board.side_units[side]):
            if where[unit] == place:
                mask |= 1 << unit
        return mask


def stand(pos: CompanyPosition, unit: int, place: int) -> None:
    """A team comes to stand in a hex, which its side controls from now on unless an enemy is there too."""
    board = pos.board
    side = board.side[unit]
    pos.place[unit] = place
    at = side * board.size + place
    pos.here[at] += board.weight[unit]
    bit = 1 << place
    _room(pos, side, bit, pos.here[at])
    if side:
        pos.taken_1 |= bit
        if not pos.taken_0 & bit:
            pos.control[place] = 2
    else:
        pos.taken_0 |= bit
        if not pos.taken_1 & bit:
            pos.control[place] = 1


def _room(pos: CompanyPosition, side: int, bit: int, amount: int) -> None:
    """Note whether a hex, where so much stands, has room for another team or vehicle."""
    board = pos.board
    if side:
        pos.full_1 = pos.full_1 | bit if board.full[amount] else pos.full_1 & ~bit
        pos.tight_1 = pos.tight_1 | bit if board.tight[amount] else pos.tight_1 & ~bit
    else:
        pos.full_0 = pos.full_0 | bit if board.full[amount] else pos.full_0 & ~bit
        pos.tight_0 = pos.tight_0 | bit if board.tight[amount] else pos.tight_0 & ~bit


def leave(pos: CompanyPosition, unit: int) -> None:
    """A team leaves the hex it stands in."""
    board = pos.board
    side, place = board.side[unit], pos.place[unit]
    at = side * board.size + place
    pos.here[at] -= board.weight[unit]
    _room(pos, side, 1 << place, pos.here[at])
    if not pos.here[at]:
        if side:
            pos.taken_1 &= ~(1 << place)
        else:
            pos.taken_0 &= ~(1 << place)
        # Where an enemy stays, as after an assault, the hex is his.
        if pos.taken(1 - side) >> place & 1:
            pos.control[place] = 2 - side
    pos.contact[unit] = -1
    pos.blockers &= ~(1 << unit)
    if pos.aloft:
        pos.aloft &= ~(1 << unit)
        pos.floor[unit] = 0


def shift(pos: CompanyPosition, unit: int, place: int) -> None:
    """A team moves to another hex: it leaves its foxhole (C5.1) and the opening it touched."""
    leave(pos, unit)
    pos.dug &= ~(1 << unit)
    stand(pos, unit, place)


def put(pos: CompanyPosition, unit: int, place: int) -> None:
    """A team comes onto the map."""
    bit = 1 << unit
    pos.placed |= bit
    pos.waiting &= ~bit
    pos.due &= ~bit
    pos.hiding &= ~bit
    stand(pos, unit, place)


MARKS = (
    "waiting",
    "due",
    "hiding",
    "moved",
    "doubled",
    "tried",
    "shot",
    "dug",
    "bailed",
    "bogged",
    "stray",
    "blockers",
    "turned",
    "touched",
    "full",
    "stirred",
    "engaged",
    "aloft",
)
"""Masks of what is marked on teams, all of which goes with them."""


def take_off(pos: CompanyPosition, unit: int) -> None:
    """A team is lost, on the map or before it has come there; its platoon has bled in this step."""
    keep = ~(1 << unit)
    if pos.placed & ~keep:
        leave(pos, unit)
    pos.place[unit] = pos.origin[unit] = -1
    pos.hits[unit] = 0
    pos.placed &= keep
    pos.lost |= 1 << unit
    for name in MARKS:
        setattr(pos, name, getattr(pos, name) & keep)
    board, platoon = pos.board, pos.board.platoon[unit]
    pos.bled |= 1 << platoon
    if board.commands >> unit & 1 and not board.commands & pos.alive(platoon):
        # C10.3: without a Command team nobody is out of command.
        pos.stray &= ~board.members[platoon]
    if not pos.board.members[platoon] & ~pos.lost:
        pos.pinned &= ~(1 << platoon)
        pos.fighting &= ~(1 << platoon)
        pos.countering &= ~(1 << platoon)
        pos.fleeing &= ~(1 << platoon)
