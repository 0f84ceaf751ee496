"""For tests: every order that can be written about a position, and what must always hold in it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from hexengine.core.orders import Order
from hexengine.mechanics.masks import mask_of, units
from hexengine.systems.platoon.assaults.close_combat import CloseCombat
from hexengine.systems.platoon.firing.losses import alone
from hexengine.systems.platoon.operations import Group
from hexengine.systems.platoon.orders.book import DONE, DRAW, END, PASS, Assault, Enter, Overrun
from hexengine.systems.platoon.orders.flight import Land, Rise
from hexengine.systems.platoon.orders.support import HIGH_EXPLOSIVE, SMOKE, intercept, mission, strike
from hexengine.systems.platoon.orders.work import clear, dig, mine
from hexengine.systems.platoon.position import STACKING_LIMIT, PlatoonPosition
from hexengine.systems.platoon.support.missions import Missions

LARGEST_GROUP = 5


def candidates(pos: PlatoonPosition) -> Iterator[Order]:
    """Orders by all units that stand together or wait together, sensible or not.

    Spellings that name what may be left out (``unload`` with all passengers) are not among them.
    """
    board = pos.board
    book = board.orders
    yield from (DRAW, DONE, END, PASS)
    for side in (0, 1):
        for place in sorted({pos.hex[unit] for unit in units(pos.placed & board.side_units[side])}):
            others = (pos.carried | pos.placed & board.air) & board.side_units[side]
            standing = pos.at(place, side) | mask_of(unit for unit in units(others) if pos.hex[unit] == place)
            for unit in units(standing):
                yield book.once(Land, 1 << unit)
            for group in _groups(standing):
                yield book.exit(group)
                yield book.once(Rise, group)
                for target in board.neighbours[place]:
                    if target >= 0:
                        yield book.move(group, target)
                        yield book.to_hex(Assault, group, target)
                        yield book.to_hex(Overrun, group, target)
            yield from _transport(pos, standing)
            for unit in units(standing):
                yield dig(book, unit)
                for target in board.neighbours[place]:
                    if target >= 0:
                        yield clear(book, unit, target)
            yield mine(book, place)
    for formation in board.formations:
        for group in _groups(pos.due & formation.members):
            for place in sorted({place for unit in units(group) for place in board.counters[unit].entry}):
                yield book.to_hex(Enter, group, place)
    yield from _shots(pos)
    yield from _support(pos)


def _support(pos: PlatoonPosition) -> Iterator[Order]:
    """Missions, strikes and fire at strikes: everywhere while they may be called, else where units stand."""
    board = pos.board
    book = board.orders
    frame = pos.frames[-1] if pos.frames else None
    places = sorted({pos.hex[unit] for unit in units(pos.placed)})[: 4 if board.support else 1]
    for place in range(board.size) if isinstance(frame, Missions) else places:
        yield mission(book, HIGH_EXPLOSIVE, place)
        yield mission(book, SMOKE, place)
    for unit in range(board.count) if board.support else range(min(1, board.count)):
        yield strike(book, unit)
        for weapon in sorted({-1, board.weapon_of[unit]}):
            yield intercept(book, unit, weapon)
            yield intercept(book, unit, weapon, True)


def _groups(mask: int) -> Iterator[int]:
    members = units(mask)
    for number in range(1, min(len(members), LARGEST_GROUP) + 1):
        for group in combinations(members, number):
            yield mask_of(group)


def _transport(pos: PlatoonPosition, standing: int) -> Iterator[Order]:
    board = pos.board
    for carrier in units(standing):
        riders = pos.passengers(carrier)
        yield board.orders.unload(carrier)
        if len(riders) > 1:
            for rider in riders:
                yield board.orders.unload(carrier, 1 << rider)
        for rider in units(standing & ~(1 << carrier)):
            weapon = board.weapon_of[rider]
            yield board.orders.load(carrier, 1 << rider | (1 << weapon if weapon >= 0 else 0))


def _shots(pos: PlatoonPosition) -> Iterator[Order]:
    board = pos.board
    for firer in range(board.count):
        weapon = board.weapon_of[firer]
        for target in range(board.count):
            for lead in (False, True):
                yield board.orders.fire(firer, target, -1, lead)
                if weapon >= 0:
                    yield board.orders.fire(firer, target, weapon, lead)


def invariants(pos: PlatoonPosition) -> None:
    """Raise AssertionError if a position breaks what must hold after every order."""
    board = pos.board
    _cup_holds(pos)
    here = bytearray(2 * board.size)
    for unit in units(pos.placed & board.movers & ~(pos.carried | board.air)):
        weight = 1 if board.counted >> unit & 1 else 16
        here[board.side[unit] * board.size + pos.hex[unit]] += weight
    assert here == pos.here, "the table of who stands where is wrong"
    for side, taken in ((0, pos.taken_0), (1, pos.taken_1)):
        standing = [place for place in range(board.size) if here[side * board.size + place]]
        assert taken == mask_of(standing), "the mask of taken hexes is wrong"
    crowds = [
        place
        for place in range(board.size)
        if max(here[place] & 15, here[board.size + place] & 15) > STACKING_LIMIT
    ]
    assert pos.over == mask_of(crowds), "the mask of hexes over the limit is wrong"
    smoke = [place for place, left in enumerate(pos.smoke) if left]
    assert pos.smoky == mask_of(smoke), "the mask of hexes with smoke is wrong"
    assert all(0 <= left <= given for left, given in zip(pos.support, board.support, strict=True)), (
        "more support is called than was given"
    )
    frames = [frame for frame in pos.frames if isinstance(frame, Group)]
    able = frames[-1].able(pos) if frames else 0
    fights = {frame.hex for frame in pos.frames if isinstance(frame, CloseCombat)}
    for place in range(board.size):
        if place not in fights:
            assert not (here[place] and here[board.size + place]), "both sides stand in one hex"
        for side in (0, 1):
            going_on = sum(
                1 for unit in units(able & board.counted & board.side_units[side]) if pos.hex[unit] == place
            )
            number = here[side * board.size + place] & 15
            assert number - going_on <= STACKING_LIMIT, f"{board.labels[place]} is over the limit"
            assert here[side * board.size + place] < 32, "two HQs of a side in one hex"
    for unit in units(pos.placed & board.hqs):
        assert not alone(pos, unit), "an HQ stands alone"
    for unit in units(pos.carried):
        carrier = pos.carrier[unit]
        assert carrier >= 0 and board.transports >> carrier & 1, "a passenger without a carrier"
        assert pos.hex[carrier] == pos.hex[unit], "a passenger is not where its carrier is"
        assert len(pos.passengers(carrier)) == 1, "a carrier carries more than it may"
        assert bool(pos.placed >> unit & 1) == bool(pos.placed >> carrier & 1), "half a carrier is on the map"
    assert not pos.landed & ~(board.air & pos.placed), "something landed that cannot fly"
    gone = pos.lost | pos.gone
    assert not gone & (pos.placed | pos.due), "a unit is gone and there"
    for unit in range(board.count):
        assert (pos.steps[unit] == 0) == bool(pos.lost >> unit & 1), "steps and losses differ"
        weapon = board.weapon_of[unit]
        if weapon >= 0:
            assert pos.hex[weapon] == pos.hex[unit], "a support weapon is not with its infantry"


def _cup_holds(pos: PlatoonPosition) -> None:
    """I1 to I3 of P1.6."""
    board = pos.board
    if not pos.frames:
        return
    inside, drawn = pos.cup[board.eot], pos.drawn[board.eot]
    assert inside + drawn + pos.held.bit_count() in (0, 2), "End of Turn markers are lost"
    for side in (0, 1):
        waiting = pos.waiting & board.side_formations[side]
        assert bool(pos.held >> side & 1) == bool(waiting), "a marker is held for nobody"
        for formation in units(waiting):
            assert pos.cup[formation], "a formation is waited for that has no marker in the cup"
    for number, data in enumerate(board.formations):
        assert pos.drawn[number] <= data.markers, "a formation acted too often"
