"""For tests: every order that can be written about a position, and what must always hold in it."""

from __future__ import annotations

from collections.abc import Iterator

from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest, units
from hexengine.systems.squad.control import holders
from hexengine.systems.squad.firing.fire import subsets
from hexengine.systems.squad.moving.vehicles import taken_seats, ways
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
    Call,
    Face,
    Melee,
    Smoke,
    Spot,
    Strike,
)
from hexengine.systems.squad.position import SquadPosition, weight


def candidates(pos: SquadPosition) -> Iterator[Order]:
    """Orders by all units that stand together, sensible or not.

    What can be legal for some only is written down for one other as well, not for everybody.
    """
    board, book = pos.board, pos.board.orders
    yield from (DONE, END, PASS)
    for side in (0, 1):
        mine = pos.placed & board.side_units[side]
        targets = units(pos.taken(1 - side))
        for place in sorted({pos.place[unit] for unit in units(mine)}):
            for mask in subsets(pos.at(place, side)):
                alone = not mask & (mask - 1)
                yield book.once(Strike, mask)
                for to, _ in ways(pos, mask if alone else 0, place):
                    for mode in (*MODES, *ODD_MODES) if alone else MODES:
                        yield book.move(mask, to, mode)
                for target in targets:
                    yield book.fire(mask, target)
                if alone and board.vehicles:
                    yield from _shots(pos, lowest(mask), targets)
        for unit in units(mine):
            yield from _alone(pos, side, unit, targets)
    for place in sorted({*units(pos.melee), 0}):
        yield book.once(Melee, place)


def _shots(pos: SquadPosition, unit: int, targets: tuple[int, ...]) -> Iterator[Order]:
    """One unit's fire with what it is, and with that or what it carries at each vehicle."""
    board, book = pos.board, pos.board.orders
    for target in targets:
        yield book.fire(1 << unit, target, unit)
        for weapon in sorted({-1, unit, pos.weapon(unit)}):
            for aimed in units(board.vehicles & pos.placed):
                yield book.fire(1 << unit, target, weapon, aimed)


ODD_MODES = (CRAWL | DOUBLE, STEALTH | ASSAULT, STEALTH | DOUBLE)
"""Ways to move that can be written, and that there are not."""


def _alone(pos: SquadPosition, side: int, unit: int, targets: tuple[int, ...]) -> Iterator[Order]:
    """Orders by one unit."""
    board, book = pos.board, pos.board.orders
    here = pos.place[unit]
    for one in OF_UNIT:
        yield book.once(one, unit)
    for weapon in units(board.weapons & pos.placed):
        if pos.place[weapon] == here:
            for target in targets:
                yield book.fire(1 << unit, target, weapon)
    where = board.places.hex_of[here]
    around = [where, *[place for place in board.grid.neighbours[where] if place >= 0]]
    for place in sorted({*around, *targets}):
        yield book.once(Spot, unit, place)
        yield book.once(Smoke, unit, place)
        if board.vehicles:
            yield book.once(Face, unit, place)
    calls = pos.rounds[side] and board.callers >> unit & 1
    for place in range(board.size if calls else 1):
        yield book.once(Call, unit, place)
    together = [other for other in units(pos.placed) if pos.place[other] == here]
    for other in sorted({*together, 0}):
        for two in TWO_UNITS:
            yield book.once(two, unit, other)


def invariants(pos: SquadPosition) -> None:
    """Raise AssertionError if a position breaks what must hold after every order."""
    board = pos.board
    here, stacks = bytearray(2 * board.places.count), [0] * (2 * board.places.count)
    for unit in units(pos.placed & board.units):
        at = board.side[unit] * board.places.count + pos.place[unit]
        here[at] += weight(pos, unit)
        stacks[at] |= 1 << unit
    assert here == pos.here, "the table of how much stands where is wrong"
    assert stacks == pos.stacks, "the table of who stands where is wrong"
    for side, taken in ((0, pos.taken_0), (1, pos.taken_1)):
        start = side * board.places.count
        standing = sum(1 << place for place in range(board.places.count) if stacks[start + place])
        assert taken == standing, "the mask of taken places is wrong"
    for amount in here:
        assert amount & 15 <= board.limit_men and amount >> 4 <= board.limit_singles, "too many in a place"
    assert pos.taken_0 & pos.taken_1 == pos.melee, "both sides in a place without a melee, or a melee without"
    _control_invariants(pos)
    assert not pos.lost & pos.placed, "a unit is lost and there"
    assert not pos.waiting & pos.placed, "a unit is still to come and there"
    for unit in range(board.count):
        assert (pos.steps[unit] > 0) == bool((pos.placed | pos.waiting | _carried(pos)) >> unit & 1), (
            f"{board.ids[unit]}: steps and presence differ"
        )
        carrier = pos.carrier[unit]
        if carrier >= 0 and pos.placed >> carrier & 1:
            assert pos.place[carrier] == pos.place[unit], "a weapon or passenger is not with its carrier"
    marks = pos.shaken | pos.wounded | pos.hidden | pos.moved | pos.assault | pos.crawl | pos.stealth
    marks |= pos.fired | pos.ops | pos.smoked
    assert not marks & ~(pos.placed | pos.waiting), "something is marked on a unit that is not there"
    armed = sum(1 << pos.carrier[weapon] for weapon in units(board.weapons) if pos.carrier[weapon] >= 0)
    assert armed == pos.armed, "the mask of units with a weapon is wrong"
    for unit, weapon in enumerate(pos.arms):
        holds = weapon >= 0 and pos.carrier[weapon] == unit
        assert holds == armed >> unit & 1, f"{board.ids[unit]}: the table of weapons is wrong"
    ways = [pos.moved, pos.assault, pos.crawl, pos.stealth]
    for at, one in enumerate(ways):
        for other in ways[at + 1 :]:
            assert not one & other, "a unit has moved in two ways"
    assert not pos.fired & (pos.moved | pos.crawl), "a unit has moved and fired"
    _vehicle_invariants(pos)
    assert not pos.doomed or pos.frames, "units killed in a melee are still there"


def _vehicle_invariants(pos: SquadPosition) -> None:
    board = pos.board
    aboard = sum(1 << unit for unit in units(board.units) if pos.carrier[unit] >= 0)
    assert aboard == pos.aboard, "the mask of passengers is wrong"
    for vehicle in units(board.vehicles & pos.placed):
        beside = pos.at(pos.place[vehicle], board.side[vehicle]) & board.vehicles
        assert beside.bit_count() <= board.limit_vehicles, "too many vehicles in a place"
        assert taken_seats(pos, vehicle) <= board.seats[vehicle], "too many passengers"
        assert pos.facing[vehicle] < 6, "a vehicle faces nowhere"


def _carried(pos: SquadPosition) -> int:
    """Weapons that are with a unit still to come."""
    return sum(
        1 << weapon
        for weapon in units(pos.board.weapons)
        if pos.carrier[weapon] >= 0 and pos.waiting >> pos.carrier[weapon] & 1
    )


def _control_invariants(pos: SquadPosition) -> None:
    """Between the strikes of a round those whom it has killed are still there, and control waits."""
    if pos.doomed:
        return
    hex_of = pos.board.places.hex_of
    for where in {hex_of[pos.place[unit]] for unit in units(pos.placed & pos.board.units)}:
        sides = [side for side in (0, 1) if holders(pos, side, where)]
        alone = len(sides) == 1
        assert not alone or pos.control[where] == sides[0] + 1, "who alone holds a hex does not control it"
