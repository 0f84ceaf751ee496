"""Passing through (P3.4): a group may overfill a hex only while it has a legal way on."""

from __future__ import annotations

from typing import NamedTuple

from hexengine.mechanics.masks import mask_of, units
from hexengine.systems.platoon.moving.movement import budget, left_alone, may_leave, walk, ways
from hexengine.systems.platoon.moving.stacking import counted
from hexengine.systems.platoon.moving.transport import approached, load_bar
from hexengine.systems.platoon.position import STACKING_LIMIT, PlatoonPosition

OFF_MAP = 1 << 20
"""A way on that leads off the map, among the numbers of hexes."""


def may_crowd(pos: PlatoonPosition, side: int, mine: int, members: int, place: int, target: int) -> bool:
    """Whether a group may enter a hex that it will overfill, since it has a way on (P3.4)."""
    board = pos.board
    own, foe = side * board.size, (1 - side) * board.size
    here = pos.here
    fighters = mine & board.fighters
    number = fighters.bit_count()
    crowd = here[own + target] & 15
    if (
        (here[own + place] & 15) - number <= STACKING_LIMIT
        and crowd <= STACKING_LIMIT
        and not mine & (pos.disrupted | pos.dismounted)
    ):
        # Nobody else must leave a hex: it is enough that they have a plain way on to one with room. If they
        # are one too many, one of them, else all together.
        direction = board.direction[place][target]
        one_goes = crowd + number == STACKING_LIMIT + 1 and fighters == mine
        room = STACKING_LIMIT - (1 if one_goes else number)
        shared = 0 if one_goes else -1
        for unit in units(fighters):
            left = budget(pos, unit) - board.unit_costs[unit][place][direction]
            onward = board.unit_ways[unit][target][left] if left > 0 else 0
            shared = shared | onward if one_goes else shared & onward
        for beyond in board.targets[target][shared]:
            present = here[own + beyond]
            if (
                beyond != place
                and not here[foe + beyond]
                and present & 15 <= room
                and (fighters == mine or present < 16)
            ):
                return True
    return may_thin_after(pos, side, mine, members, place, target)


def may_walk_off(pos: PlatoonPosition, side: int, riders: int, place: int) -> bool:
    """Whether one of some passengers, let off, can walk its one hex to where there is room (P5.5)."""
    board = pos.board
    own, foe = side * board.size, (1 - side) * board.size
    for rider in units(riders & ~(pos.disrupted | pos.locked | pos.halted)):
        for beyond in board.targets[place][board.unit_ways[rider][place][board.plenty]]:
            if not pos.here[foe + beyond] and pos.here[own + beyond] & 15 < STACKING_LIMIT:
                return True
    return False


def may_thin_after(pos: PlatoonPosition, side: int, mine: int, members: int, place: int, target: int) -> bool:
    """Whether after a step every hex that is over the limit still has a legal way on."""
    trial = pos.copy()
    walk(trial, mine, place, target)
    group = (members | mine) & trial.placed & ~(trial.finished | trial.carried)
    return can_thin(trial, side, (target, place), group)


def going_on(pos: PlatoonPosition, able: int) -> int:
    """Those able units that still find room elsewhere, or aboard a carrier (P3.4)."""
    board = pos.board
    found = 0
    for unit in units(able & board.counted & pos.placed & ~pos.carried):
        place = pos.hex[unit]
        if _resting_places(pos, unit, place, False, False) or _seats(pos, unit, place, able):
            found |= 1 << unit
    return found | able & board.hqs


class _Leaver(NamedTuple):
    """A unit that may make room: its hex, and where it finds some (a hex, OFF_MAP, or a seat below 0).

    ``with_hq``: the places where its HQ may go along.
    """

    unit: int
    start: int
    places: list[int]
    with_hq: list[int]


def can_thin(pos: PlatoonPosition, side: int, places: tuple[int, ...], group: int) -> bool:
    """Whether units of a group can leave hexes, or load there, so that all of these are within the limit.

    Others in a hex can help by getting aboard a carrier of the group (P5.10).
    """
    over = {place: counted(pos, side, place) - STACKING_LIMIT for place in places}
    over = {place: number for place, number in over.items() if number > 0}
    if not over:
        return True
    if _assign(pos, side, _leavers(pos, side, over, group, False), 0, over, {}, 0):
        return True
    # Where several must leave, room further on may be needed too; it is looked for only then.
    return sum(over.values()) > 1 and _assign(
        pos, side, _leavers(pos, side, over, group, True), 0, over, {}, 0
    )


def _leavers(pos: PlatoonPosition, side: int, over: dict[int, int], group: int, far: bool) -> list[_Leaver]:
    """The units that might leave the hexes that are over the limit, each with its choices."""
    board = pos.board
    found: list[_Leaver] = []
    for place in over:
        here = pos.at(place, side)
        hq = here & group & board.hqs
        for unit in units(board.counted & (group | board.riders) & here):
            resting = _resting_places(pos, unit, place, far, False) if group >> unit & 1 else []
            with_hq = _resting_places(pos, unit, place, far, True) if hq and resting else []
            found.append(_Leaver(unit, place, resting + _seats(pos, unit, place, group), with_hq))
    return found


def _assign(
    pos: PlatoonPosition,
    side: int,
    leavers: list[_Leaver],
    at: int,
    over: dict[int, int],
    taken: dict[int, int],
    escorts: int,
) -> bool:
    """Whether enough of the units from ``at`` on find room.

    ``over``: by hex how many have to leave; ``taken``: by unit where it has gone; ``escorts``: those
    that might have taken their HQ along.
    """
    if not any(over.values()):
        return all(_hq_keeps_company(pos, side, start, taken, escorts) for start in over)
    if at == len(leavers):
        return False
    unit, start, places, with_hq = leavers[at]
    if over[start]:
        for place in places:
            if _has_room(pos, side, unit, place, taken) and _assign(
                pos,
                side,
                leavers,
                at + 1,
                {**over, start: over[start] - 1},
                {**taken, unit: place},
                escorts | (1 << unit if place in with_hq else 0),
            ):
                return True
    return _assign(pos, side, leavers, at + 1, over, taken, escorts)


def _has_room(pos: PlatoonPosition, side: int, unit: int, place: int, taken: dict[int, int]) -> bool:
    """Whether a place has room for one more unit than has gone there.

    A carrier that somebody boards after an approach stays (P5.3), and who has left takes nobody aboard.
    """
    if place < 0:
        carrier = -1 - place
        stays = carrier not in taken or not approached(pos, carrier, unit)
        return stays and place not in taken.values()
    for rider, seat in taken.items():
        if seat == -1 - unit and approached(pos, unit, rider):
            return False
    gone_there = sum(1 for other in taken.values() if other == place)
    return place == OFF_MAP or gone_there < STACKING_LIMIT - counted(pos, side, place)


def _hq_keeps_company(
    pos: PlatoonPosition, side: int, start: int, taken: dict[int, int], escorts: int
) -> bool:
    """Whether no HQ is left alone in a hex (P9.1): one of its units stays, or could take it along."""
    board = pos.board
    for hq in units(pos.at(start, side) & board.hqs):
        own = left_alone(pos, board.formation[hq], start)
        gone = mask_of(unit for unit, place in taken.items() if place >= 0)
        if not own & ~gone and not own & escorts:
            return False
    return True


def _resting_places(pos: PlatoonPosition, unit: int, start: int, far: bool, with_hq: bool) -> list[int]:
    """Hexes within its MP where a unit would find room, passing through full ones if need be, and OFF_MAP.

    ``far``: also those beyond a hex with room, since several units need some.  ``with_hq``: where
    its HQ can go along, which needs hexes without another.
    """
    board = pos.board
    side = board.side[unit]
    mobility = board.mobility[unit]
    best = {start: pos.spent[unit]}
    todo = [start]
    found: list[int] = []
    spent_now = pos.spent[unit]
    while todo:
        place = todo.pop()
        pos.spent[unit] = best[place]
        if may_leave(pos, unit, place):
            found.append(OFF_MAP)
        for direction in units(ways(pos, unit, place)):
            target = board.neighbours[place][direction]
            if pos.here[(1 - side) * board.size + target]:
                continue
            if with_hq and pos.here[side * board.size + target] >= 16:
                continue
            cost = best[place] + board.costs[mobility][place][direction]
            room = counted(pos, side, target) < STACKING_LIMIT
            if room:
                found.append(target)
            if (far or not room) and cost < best.get(target, 1 << 30) and not pos.dismounted >> unit & 1:
                best[target] = cost
                todo.append(target)
    pos.spent[unit] = spent_now
    return sorted(set(found))


def _seats(pos: PlatoonPosition, unit: int, place: int, group: int) -> list[int]:
    """Carriers in the hex that could take a unit aboard, as negative numbers."""
    board = pos.board
    if not board.riders >> unit & 1:
        return []
    carriers = pos.placed & board.formation_carriers[pos.active]
    return [
        -1 - carrier
        for carrier in units(carriers)
        if pos.hex[carrier] == place and not load_bar(pos, carrier, unit, group)
    ]
