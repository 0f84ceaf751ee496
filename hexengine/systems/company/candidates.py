"""For tests: orders that can be written about a position, and what must always hold in it.

Of the orders whose forms have no end (paths, sets of shooters) only those are here that are offered, and
some that can never be legal.
"""

from __future__ import annotations

from collections.abc import Iterator

from hexengine.core.orders import Order
from hexengine.mechanics.masks import units
from hexengine.mechanics.masks import units as hexes
from hexengine.mechanics.orders import UnitPlace
from hexengine.systems.company.board import VEHICLE_WEIGHT
from hexengine.systems.company.orders import (
    DONE,
    END,
    OF_PLATOON,
    OF_UNIT,
    UNIT_PLACE,
    Bombard,
    Charge,
    Climb,
    Consolidate,
    Double,
    Enter,
    Face,
    Move,
    Reveal,
    Shoot,
    Touch,
    Withdraw,
)
from hexengine.systems.company.position import MARKS, CompanyPosition

KINDS: dict[str, tuple[type[UnitPlace], ...]] = {
    "movement": (Move, Climb, Double, Face, Touch, Enter),
    "assault": (Charge,),
    "charge": (Charge,),
    "break-off": (Withdraw,),
    "consolidation": (Consolidate,),
    "ambush": (Reveal,),
}
"""By kind of decision, the orders of which every hex is tried."""


def candidates(pos: CompanyPosition) -> Iterator[Order]:
    """Orders by all teams and platoons, sensible or not."""
    board, book = pos.board, pos.board.orders
    yield from (DONE, END)
    here = KINDS.get(pos.frames[-1].kind, ())
    side = pos.frames[-1].decider(pos)
    kinds: list[type[UnitPlace]] = [Move, Double, *UNIT_PLACE]
    for unit in range(board.count):
        own = max(0, pos.place[unit])
        for kind in kinds:
            # Of orders that another step or side is for, one each is enough.
            if kind not in here or board.side[unit] != side:
                yield book.once(kind, unit, own)
            else:
                for place in board.grid.disc(own, 2) if kind in (Face, Touch) else range(board.size):
                    yield book.once(kind, unit, place)
        rooms = board.ground.floors if Climb in here and board.side[unit] == side else 0
        for place in hexes(rooms | 1 << own):
            top = board.ground.top[board.ground.building[place]] if rooms >> place & 1 else 0
            yield from [book.once(Climb, unit, place, floor) for floor in range(top + 2)]
        for one in OF_UNIT:
            yield book.once(one, unit)
    for platoon in range(len(board.platoons)):
        for each in OF_PLATOON:
            yield book.once(each, platoon)
        for place in range(board.size) if pos.frames[-1].kind == "shooting" else (0,):
            yield book.once(Bombard, platoon, place, False)
            yield book.once(Bombard, platoon, place, True)
    yield from _shots(pos)


def _shots(pos: CompanyPosition) -> Iterator[Order]:
    board, book = pos.board, pos.board.orders
    frame = pos.frames[-1]
    listed: dict[Order, None] = {}
    for actor in frame.actors(pos):
        for order in frame.orders(pos, actor):
            if isinstance(order, Shoot):
                listed[order] = None
    for unit in range(board.count):
        for platoon in range(len(board.platoons)):
            for mg in (False, True):
                for doubled in (False, True):
                    listed[book.once(Shoot, 1 << unit, platoon, mg, doubled)] = None
                    if unit and board.platoon[unit] != board.platoon[unit - 1]:
                        listed[book.once(Shoot, 3 << unit - 1, platoon, mg, doubled)] = None
    yield from listed


def invariants(pos: CompanyPosition) -> None:
    """Raise AssertionError if a position breaks what must hold after every order."""
    board = pos.board
    here = bytearray(2 * board.size)
    for unit in units(pos.placed):
        here[board.side[unit] * board.size + pos.place[unit]] += board.weight[unit]
    assert here == pos.here, "the table of who stands where is wrong"
    for side, taken in ((0, pos.taken_0), (1, pos.taken_1)):
        start = side * board.size
        standing = sum(1 << place for place in range(board.size) if here[start + place])
        assert taken == standing, "the mask of taken hexes is wrong"
    for name, more in (("full", 1), ("tight", VEHICLE_WEIGHT)):
        for side in (0, 1):
            shut = sum(
                1 << place
                for place in range(board.size)
                if here[side * board.size + place] + more not in board.fits
            )
            assert getattr(pos, f"{name}_{side}") == shut, f"the mask of {name} hexes is wrong"
    assert all(amount in board.fits for amount in here), "too many teams in a hex"
    in_assault = bool(pos.fighting)
    assert in_assault or not pos.taken_0 & pos.taken_1, "both sides in a hex outside an assault"
    away = pos.lost | pos.waiting | pos.due | pos.hiding
    assert pos.placed | away == (1 << board.count) - 1 and not pos.placed & away, (
        "a team is nowhere, or twice"
    )
    for name in MARKS:
        if name not in ("waiting", "due", "hiding"):
            assert not getattr(pos, name) & ~pos.placed, f"{name} is marked on a team that is not there"
    assert not pos.dug & ~board.diggers, "a team is dug in that cannot be"
    for unit in units(pos.placed):
        contact = pos.contact[unit]
        if contact >= 0:
            one = board.ground.openings[contact]
            assert pos.place[unit] in (one.inside, one.outside), "a team touches an opening elsewhere"
        if board.ground.building[pos.place[unit]] >= 0:
            assert board.foot >> unit & 1, "a vehicle or gun is in a building"
    for unit in range(board.count):
        spot = (pos.place[unit], pos.floor[unit])
        assert bool(pos.floor[unit]) == bool(pos.aloft >> unit & 1), "a team is upstairs on the ground floor"
        assert not pos.floor[unit] or spot in board.ground.spot, "a team is on a floor that is not there"
    for unit in units(pos.blockers):
        assert pos.contact[unit] >= 0, "a blocker touches nothing"
