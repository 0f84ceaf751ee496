"""The changing side of a platoon game, in columns (design: position)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import mypyc_attr

from hexengine.core.dice import STREAMS
from hexengine.core.position import Position
from hexengine.mechanics.masks import units
from hexengine.mechanics.victory import ONGOING

if TYPE_CHECKING:
    from hexengine.systems.platoon.board import Board
    from hexengine.systems.platoon.offer import Offer

STACKING_LIMIT = 2
"""Units of a side that may stand in one hex (P3.4, D3)."""


@mypyc_attr(allow_interpreted_subclasses=True)
class PlatoonPosition(Position):
    """Everything that changes (P0.5).

    Columns by unit: ``hex`` (-1 off the map; a passenger's and a support weapon's is its
    carrier's), ``steps`` (2, 1; 0 eliminated), ``carrier`` (-1 or the unit that carries it),
    ``spent`` (half MP in this activation), ``left`` (hex left last in it, or where it left the
    map; -1).  By marker: ``cup``, ``drawn``.  By side: ``points`` (scored at turn ends),
    ``hqs_lost`` (HQs eliminated so far), ``pool`` (minefields it may still lay, which the other
    side does not know).
    ``support``: missions and strikes left, as ``board.support`` has them.

    ``here``: for each side and hex, at ``side * size + hex``, the units that count for stacking,
    plus 16 for an HQ.  ``control``: for each hex 0, or the side that controls it plus 1.
    ``smoke``: for each hex the turns that smoke lasts there; empty where a scenario has none.

    Masks of units: ``placed`` (on the map), ``due`` (may enter), ``lost``, ``gone`` (left the
    map), ``disrupted``, ``ops`` (Ops Complete), ``ooc`` (Out of Command), ``fresh``, ``carried``
    (passengers, not support weapons), ``depleted_1``, ``depleted_2``, ``landed`` (helicopters
    that are on the ground); of this activation:
    ``finished``, ``fired`` (finished by firing or by a hit), ``moved``, ``shuttled`` (loaded or
    unloaded), ``dismounted`` (may still walk its one hex), ``halted`` (may not move any more),
    ``locked`` (may not move this turn; option ``load_lock``), ``led`` and ``led_reaction`` (HQs
    whose leadership is used); ``fallen`` (HQs lost that may yet be replaced).  Masks of
    formations: ``entered`` (had a marker in this turn's cup), ``waiting``.  ``held``: mask of
    sides that keep an End of Turn marker.  Masks of hexes: ``wrecks``, ``mines``, ``positions`` (improved
    ones), ``taken_0`` and ``taken_1`` (where a side's units stand), ``over`` (where more stand
    than the stacking limit) and ``smoky`` (where smoke is).
    """

    COLUMNS = (
        "hex",
        "steps",
        "carrier",
        "spent",
        "left",
        "cup",
        "drawn",
        "points",
        "hqs_lost",
        "pool",
        "support",
    )
    BYTES = ("here", "control", "smoke")
    DERIVED = ("here", "taken_0", "taken_1", "over", "smoky")
    INTS = (
        "turn",
        "draws",
        "active",
        "placed",
        "due",
        "lost",
        "gone",
        "disrupted",
        "ops",
        "ooc",
        "fresh",
        "carried",
        "depleted_1",
        "depleted_2",
        "landed",
        "finished",
        "fired",
        "moved",
        "shuttled",
        "dismounted",
        "halted",
        "locked",
        "led",
        "led_reaction",
        "fallen",
        "entered",
        "waiting",
        "held",
        "wrecks",
        "positions",
        "mines",
        "taken_0",
        "taken_1",
        "over",
        "smoky",
        "winner",
        "reason",
    )
    SCRATCH = ("offer",)
    __slots__ = ("board", *COLUMNS, *BYTES, *INTS, *SCRATCH)

    board: Board
    offer: Offer | None
    """What the frame on top found out about its decision; see :class:`~.offer.Offer`."""
    hex: list[int]
    steps: list[int]
    carrier: list[int]
    spent: list[int]
    left: list[int]
    cup: list[int]
    drawn: list[int]
    points: list[int]
    hqs_lost: list[int]
    pool: list[int]
    support: list[int]
    here: bytearray
    control: bytearray
    smoke: bytearray
    turn: int
    draws: int
    active: int
    placed: int
    due: int
    lost: int
    gone: int
    disrupted: int
    ops: int
    ooc: int
    fresh: int
    carried: int
    depleted_1: int
    depleted_2: int
    landed: int
    finished: int
    fired: int
    moved: int
    shuttled: int
    dismounted: int
    halted: int
    locked: int
    led: int
    led_reaction: int
    fallen: int
    entered: int
    waiting: int
    held: int
    wrecks: int
    positions: int
    mines: int
    taken_0: int
    taken_1: int
    over: int
    smoky: int
    winner: int
    reason: int

    def __init__(self, board: Board) -> None:
        super().__init__(len(STREAMS))
        self.board = board
        count = board.count
        self.hex = [-1] * count
        self.steps = [0] * count
        self.carrier = [-1] * count
        self.spent = [0] * count
        self.left = [-1] * count
        self.cup = [0] * (len(board.formations) + 1)
        self.drawn = [0] * (len(board.formations) + 1)
        self.points = [0, 0]
        self.hqs_lost = [0, 0]
        self.pool = [0, 0]
        self.here = bytearray(2 * board.size)
        self.control = bytearray(board.size)
        self.support = list(board.support)
        self.smoke = bytearray(board.size if board.has_smoke else 0)
        for name in self.INTS:
            setattr(self, name, 0)
        self.turn = 1
        self.active = -1
        self.offer = None
        self.winner = ONGOING

    def passengers(self, carrier: int) -> tuple[int, ...]:
        """Who rides in a carrier (support weapons, which ride with their infantry, aside)."""
        found: tuple[int, ...] = ()
        if self.carried:
            links = self.carrier
            for unit in units(self.carried):
                if links[unit] == carrier:
                    found += (unit,)
        return found

    def at(self, place: int, side: int) -> int:
        """The mask of a side's units that stand in a hex: counters that count, and the HQ."""
        where = self.hex
        mask = 0
        for unit in units(self.placed & self.board.standing[side] & ~self.carried):
            if where[unit] == place:
                mask |= 1 << unit
        return mask


def stand(pos: PlatoonPosition, side: int, place: int, weight: int) -> None:
    """Note that a unit of ``weight`` (1, or 16 for an HQ; negative: leaves) stands in a hex."""
    at = pos.board.size + place if side else place
    pos.here[at] = now = pos.here[at] + weight
    bit = 1 << place
    if not now:
        if side:
            pos.taken_1 &= ~bit
        else:
            pos.taken_0 &= ~bit
    elif side:
        pos.taken_1 |= bit
    else:
        pos.taken_0 |= bit
    if now & 15 > STACKING_LIMIT:
        pos.over |= bit
    elif pos.over:
        pos.over &= ~bit
