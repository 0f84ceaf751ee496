"""Passing through (P3.4): a group may overfill a hex only while it has a legal way on."""

from __future__ import annotations

from hexengine.mechanics.masks import units
from hexengine.systems.platoon.movement import budget, left_alone, may_leave, walk, ways
from hexengine.systems.platoon.position import STACKING_LIMIT, PlatoonPosition
from hexengine.systems.platoon.stacking import counted
from hexengine.systems.platoon.transport import load_bar

OFF_MAP = 1 << 20
"""A way on that leads off the map, among the numbers of hexes."""


def may_crowd(pos: PlatoonPosition, side: int, mine: int, members: int, place: int, target: int) -> bool:
    """Whether a group may enter a hex that it will overfill, since it has a way on (P3.4)."""
    board = pos.board
    number = (mine & board.fighters).bit_count()
    if counted(pos, side, target) + number == STACKING_LIMIT + 1 and not mine & board.hqs:
        # One too many: it is enough that one of them has a plain way on to a hex with room.
        direction = board.direction[place][target]
        for unit in units(mine & ~(pos.disrupted | pos.dismounted)):
            mobility = board.mobility[unit]
            left = budget(pos, unit) - board.costs[mobility][place][direction]
            if left <= 0:
                continue
            onward = board.open_ways[mobility][target][left]
            for beyond in board.targets[target][onward]:
                if beyond != place and not pos.here[(1 - side) * board.size + beyond] and (
                    counted(pos, side, beyond) < STACKING_LIMIT
                ):
                    return (pos.here[side * board.size + place] & 15) - number <= (
                        STACKING_LIMIT
                    ) or may_thin_after(pos, side, mine, members, place, target)
    return may_thin_after(pos, side, mine, members, place, target)


def may_thin_after(pos: PlatoonPosition, side: int, mine: int, members: int, place: int, target: int) -> bool:
    """Whether after a step every hex that is over the limit still has a legal way on."""
    trial = pos.copy()
    walk(trial, mine, place, target)
    group = (members | mine) & trial.placed & ~(trial.finished | trial.carried)
    return can_thin(trial, side, target, group) and can_thin(trial, side, place, group)


def can_thin(pos: PlatoonPosition, side: int, place: int, group: int) -> bool:
    """Whether units of a group can leave a hex, or load there, so that it is within the limit.

    Others in the hex can help by getting aboard a carrier of the group (P5.10).
    """
    over = counted(pos, side, place) - STACKING_LIMIT
    if over <= 0:
        return True
    board = pos.board
    choices: list[list[int]] = []
    for unit in units(board.counted & (group | board.riders) & pos.at(place, side)):
        resting = _resting_places(pos, unit, place) if group >> unit & 1 else []
        choices.append(resting + _seats(pos, unit, place, group))
    return _assign(pos, side, choices, 0, over, {})


def _assign(
    pos: PlatoonPosition, side: int, choices: list[list[int]], at: int, over: int, taken: dict[int, int]
) -> bool:
    """Whether ``over`` of the units from ``at`` on find room, no place taking more than it has."""
    if over == 0:
        return True
    if len(choices) - at < over:
        return False
    for place in choices[at]:
        if place == OFF_MAP:
            room = over
        else:
            room = 1 if place < 0 else STACKING_LIMIT - counted(pos, side, place)
        if taken.get(place, 0) < room and _assign(
            pos, side, choices, at + 1, over - 1, {**taken, place: taken.get(place, 0) + 1}
        ):
            return True
    return _assign(pos, side, choices, at + 1, over, taken)


def _resting_places(pos: PlatoonPosition, unit: int, start: int) -> list[int]:
    """Hexes within its MP where a unit would find room, passing through full ones if need be, and OFF_MAP.

    A unit without which its HQ would be alone takes it along (P9.1), where there is none yet.
    """
    board = pos.board
    side = board.side[unit]
    alone = left_alone(pos, board.formation[unit], start) == 1 << unit
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
            if alone and pos.here[side * board.size + target] >= 16:
                continue
            cost = best[place] + board.costs[mobility][place][direction]
            if counted(pos, side, target) < STACKING_LIMIT:
                found.append(target)
            elif cost < best.get(target, 1 << 30) and not pos.dismounted >> unit & 1:
                best[target] = cost
                todo.append(target)
    pos.spent[unit] = spent_now
    return sorted(set(found))


def _seats(pos: PlatoonPosition, unit: int, place: int, group: int) -> list[int]:
    """Carriers in the hex that could take a unit aboard, as negative numbers."""
    board = pos.board
    if not board.riders >> unit & 1:
        return []
    carriers = pos.placed & board.formations[board.formation[unit]].fighters & board.transports
    return [
        -1 - carrier
        for carrier in units(carriers)
        if pos.hex[carrier] == place and not load_bar(pos, carrier, unit, group)
    ]
