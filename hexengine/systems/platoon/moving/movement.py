"""Movement (P4): what a unit may still spend and where that takes it, and the step itself."""

from __future__ import annotations

from collections.abc import Callable

from hexengine.core.events import Event
from hexengine.mechanics.masks import lowest, units
from hexengine.systems.platoon.moving.crossing import swims
from hexengine.systems.platoon.moving.stacking import change_place
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.sight.air import sees

EXIT_COST = 2
"""Half MP of leaving the map: as for clear terrain (P4.8)."""


def budget(pos: PlatoonPosition, unit: int) -> int:
    """Half MP that a unit may still spend in this activation (P4.1, P5).

    A carrier that neither loads nor unloads has its whole allowance, loaded or not (P5.9).
    """
    bit = 1 << unit
    if (pos.halted | pos.locked) & bit:
        return 0
    limit = pos.board.half[unit] if pos.shuttled & bit else pos.board.allowance[unit]
    return limit - pos.spent[unit]


def ways(pos: PlatoonPosition, unit: int, place: int) -> int:
    """The mask of directions in which a unit may step from a hex, enemies and stacking apart.

    Cost and prohibited terrain (P4.2, D1), halves of transport (P5), the limits of Disrupted
    movement (P6.6).  There are no zones of control and no facing (P4.7).
    """
    bit = 1 << unit
    board = pos.board
    if not (pos.shuttled | pos.disrupted | pos.halted | pos.locked) & bit:
        if board.minimum_move and not pos.moved & bit:
            left = board.plenty
        else:
            left = board.allowance[unit] - pos.spent[unit]
        return board.unit_ways[unit][place][left] if left > 0 else 0
    if (pos.halted | pos.locked) & bit:
        return 0
    if not pos.shuttled & bit:
        left = board.allowance[unit] - pos.spent[unit]
    elif pos.dismounted & bit:
        left = board.plenty
    else:
        left = board.half[unit] - pos.spent[unit]
    if left <= 0:
        return 0
    mask = board.unit_ways[unit][place][left]
    return shy_ways(pos, unit, place, mask) if pos.disrupted & bit else mask


def may_leave(pos: PlatoonPosition, unit: int, place: int) -> bool:
    """Whether a unit has the MP to leave the map from a hex where its side may (P4.8)."""
    board = pos.board
    if place not in board.exits[board.side[unit]]:
        return False
    walks_one_hex = pos.dismounted & ~pos.locked
    return bool(walks_one_hex >> unit & 1) or budget(pos, unit) >= EXIT_COST


def shy_ways(pos: PlatoonPosition, unit: int, place: int, mask: int) -> int:
    """Of some directions, those that Disrupted movement allows (P6.6).

    No step nearer to an enemy that sees the unit before the step, nor next to one; adjacent
    enemies always see it, and Disrupted ones count.
    """
    board = pos.board
    taken = pos.taken_0 if board.side[unit] else pos.taken_1
    if not board.air and not board.sight.in_view(place, taken):
        return mask
    enemies = pos.placed & board.watchers[1 - board.side[unit]] & ~pos.carried
    where = pos.hex
    neighbours = board.neighbours[place]
    for enemy in units(enemies):
        there = where[enemy]
        if not (sees(pos, unit, enemy, place) if board.air else board.sight.sees(place, there, pos.wrecks)):
            continue
        distances = board.grid.distances(there)
        now = distances[place]
        for direction in units(mask):
            then = distances[neighbours[direction]]
            if then < now or (then == 1 and now):
                mask &= ~(1 << direction)
        if not mask:
            return 0
    return mask


def walk(pos: PlatoonPosition, mine: int, place: int, target: int) -> None:
    """Pay for a step and take it; nothing else happens yet."""
    board = pos.board
    direction = board.direction[place][target]
    spent, left, where, costs = pos.spent, pos.left, pos.hex, board.unit_costs
    for unit in units(mine):
        spent[unit] += costs[unit][place][direction]
        left[unit] = place
        where[unit] = target
    pos.moved |= mine
    if pos.dismounted & mine:
        pos.halted |= pos.dismounted & mine
        pos.dismounted &= ~mine
    change_place(pos, mine, place, target)


def tell_step(
    pos: PlatoonPosition, mine: int, place: int, target: int, emit: Callable[[Event], None]
) -> None:
    """Tell of a step of a group (P4.2), and of a river that it has swum (P14.3)."""
    board = pos.board
    leader = lowest(mine & ~board.hqs)
    direction = board.direction[place][target]
    names = [board.ids[unit] for unit in units(mine)]
    facts = {
        "units": names,
        "from": board.labels[place],
        "hex": board.labels[target],
        "cost": board.costs[board.mobility[leader]][place][direction] / 2,
        "spent": pos.spent[leader] / 2,
        "left": budget(pos, leader) / 2,
    }
    emit(Event("P4.2", "move", facts))
    if swims(board, leader, place, target):
        emit(Event("P14.3", "swims", {"units": names, "hex": board.labels[target]}))


def take_control(pos: PlatoonPosition, mine: int, place: int) -> None:
    """Ground units control what they enter (P16.1)."""
    board = pos.board
    if mine & board.counted:
        pos.control[place] = board.side[lowest(mine)] + 1


def joins_late(pos: PlatoonPosition, hq: int, fighters: int) -> bool:
    """Whether an HQ would go along with units of which each has taken its first step without it (P4.3).

    The HQ of a group opened by loading or unloading joins with a first step; who has been away and
    comes back to it does not pick it up.
    """
    return bool(hq and not fighters & ~pos.moved and not pos.moved & hq)


def left_alone(pos: PlatoonPosition, formation: int, place: int) -> int:
    """If the formation's HQ stands in a hex: the mask of its units there, one of which it needs; else -1.

    Which of them it goes or stays with is the owner's choice (P9.6).
    """
    board = pos.board
    hq = board.formations[formation].hq
    if hq < 0 or not pos.placed >> hq & 1 or pos.hex[hq] != place:
        return -1
    where = pos.hex
    mask = 0
    for unit in units(pos.placed & board.formations[formation].fighters & ~pos.carried):
        if where[unit] == place:
            mask |= 1 << unit
    return mask
