"""For tests: every order that can be written about a position, and what must always hold in it."""

from __future__ import annotations

from collections.abc import Iterator

from hexengine.core.orders import Order
from hexengine.mechanics.masks import units
from hexengine.systems.squad.fire import subsets
from hexengine.systems.squad.orders import (
    ASSAULT,
    CRAWL,
    DONE,
    DOUBLE,
    END,
    MODES,
    OF_UNIT,
    PASS,
    STEALTH,
    TWO_UNITS,
    UNIT_PLACE,
    Melee,
    Strike,
)
from hexengine.systems.squad.position import SquadPosition, weight


def candidates(pos: SquadPosition) -> Iterator[Order]:
    """Orders by all units that stand together, sensible or not."""
    board, book = pos.board, pos.board.orders
    yield from (DONE, END, PASS)
    for side in (0, 1):
        mine = pos.placed & board.side_units[side]
        for place in sorted({pos.place[unit] for unit in units(mine)}):
            for mask in subsets(pos.at(place, side)):
                yield book.other(Strike, mask)
                for to, _ in board.places.steps[place]:
                    for mode in (*MODES, CRAWL | DOUBLE, STEALTH | ASSAULT, STEALTH | DOUBLE):
                        yield book.move(mask, to, mode)
                yield from _fires(pos, side, mask)
        yield from _alone(pos, mine)
    for place in range(board.places.count):
        yield book.other(Melee, place)
    there = pos.placed & (board.units | board.weapons)
    for unit in units(there):
        for other in units(there):
            for two in TWO_UNITS.values():
                yield book.other(two, unit, other)


def _fires(pos: SquadPosition, side: int, mask: int) -> Iterator[Order]:
    book = pos.board.orders
    for target in units(pos.taken(1 - side)):
        yield book.fire(mask, target)
        for weapon in units(pos.board.weapons & pos.placed):
            if not mask & (mask - 1):
                yield book.fire(mask, target, weapon)


def _alone(pos: SquadPosition, mine: int) -> Iterator[Order]:
    board, book = pos.board, pos.board.orders
    for unit in units(mine):
        for one in OF_UNIT.values():
            yield book.other(one, unit)
        for kind in UNIT_PLACE.values():
            for place in range(board.places.count):
                yield book.other(kind, unit, place)


def invariants(pos: SquadPosition) -> None:
    """Raise AssertionError if a position breaks what must hold after every order."""
    board = pos.board
    here = bytearray(2 * board.places.count)
    for unit in units(pos.placed & board.units):
        here[board.side[unit] * board.places.count + pos.place[unit]] += weight(pos, unit)
    assert here == pos.here, "the table of who stands where is wrong"
    for side, taken in ((0, pos.taken_0), (1, pos.taken_1)):
        start = side * board.places.count
        standing = sum(1 << place for place in range(board.places.count) if here[start + place])
        assert taken == standing, "the mask of taken places is wrong"
    for amount in here:
        assert amount & 15 <= board.limit_men and amount >> 4 <= board.limit_singles, "too many in a place"
    assert pos.taken_0 & pos.taken_1 == pos.melee, "both sides in a place without a melee, or a melee without"
    assert not pos.lost & pos.placed, "a unit is lost and there"
    assert not pos.waiting & pos.placed, "a unit is still to come and there"
    for unit in range(board.count):
        assert (pos.steps[unit] > 0) == bool((pos.placed | pos.waiting | _carried(pos)) >> unit & 1), (
            f"{board.ids[unit]}: steps and presence differ"
        )
        carrier = pos.carrier[unit]
        if carrier >= 0 and pos.placed >> carrier & 1:
            assert pos.place[carrier] == pos.place[unit], "a weapon is not with its carrier"
    marks = pos.shaken | pos.wounded | pos.hidden | pos.moved | pos.assault | pos.crawl | pos.stealth
    marks |= pos.fired | pos.ops | pos.smoked
    assert not marks & ~(pos.placed | pos.waiting), "something is marked on a unit that is not there"
    armed = sum(1 << carrier for carrier in pos.carrier if carrier >= 0)
    assert armed == pos.armed, "the mask of units with a weapon is wrong"
    ways = [pos.moved, pos.assault, pos.crawl, pos.stealth]
    for at, one in enumerate(ways):
        for other in ways[at + 1 :]:
            assert not one & other, "a unit has moved in two ways"
    assert not pos.fired & (pos.moved | pos.crawl), "a unit has moved and fired"
    assert not pos.doomed or pos.frames, "units killed in a melee are still there"


def _carried(pos: SquadPosition) -> int:
    """Weapons that are with a unit still to come."""
    return sum(
        1 << weapon
        for weapon in units(pos.board.weapons)
        if pos.carrier[weapon] >= 0 and pos.waiting >> pos.carrier[weapon] & 1
    )
