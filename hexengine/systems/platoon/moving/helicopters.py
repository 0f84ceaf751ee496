"""Helicopters (P13.1, P13.2): flying, landing and rising, and all that their formations may do.

A formation flies as a whole or not at all, so this is the one place that offers and judges the orders of
those that do.  They take no room in a hex, hold nothing, and nobody needs to assault them: of what
stands in hexes they know nothing but the enemy's fire.
"""

from __future__ import annotations

from itertools import combinations

from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest, mask_of, units
from hexengine.systems.platoon.board import AIR_CLASS
from hexengine.systems.platoon.firing.fire import fire_bar, shots, visible_enemies
from hexengine.systems.platoon.moving.movement import budget, may_leave, shy_ways
from hexengine.systems.platoon.orders.flight import Flight, Land, Rise
from hexengine.systems.platoon.position import PlatoonPosition

TOGETHER = 2
"""Helicopters that may fly as one group: as many as ground units in a stack (a ruling of P13.1)."""


def ways(pos: PlatoonPosition, unit: int, place: int) -> int:
    """The mask of directions in which a helicopter may fly from a hex: all it can pay for (P13.1, P6.6)."""
    board = pos.board
    if pos.landed >> unit & 1:
        return 0
    left = board.allowance[unit] - pos.spent[unit]
    mask = 0
    for direction, cost in enumerate(board.costs[AIR_CLASS][place]):
        if 0 < cost <= left:
            mask |= 1 << direction
    return shy_ways(pos, unit, place, mask) if mask and pos.disrupted >> unit & 1 else mask


def _groups(able: int) -> list[int]:
    """The sets of helicopters that may go together, in canonical order."""
    members = units(able)
    found = [mask_of(group) for number in range(1, TOGETHER + 1) for group in combinations(members, number)]
    return sorted(found)


def orders_at(pos: PlatoonPosition, place: int, here: int, members: int) -> list[Order]:
    """Every legal order of the able helicopters ``here``, all in one hex, in canonical order.

    ``members`` are the able units of the open group, or -1 if none is open.
    """
    board = pos.board
    book = board.orders
    found: list[Order] = []
    aloft, side = here & ~pos.landed, board.side[lowest(here)] if here else 0
    directions = {unit: ways(pos, unit, place) for unit in units(aloft)}
    for mine in _groups(aloft):
        shared = -1
        for unit in units(mine):
            shared &= directions[unit]
        if shared:
            row = book.moves[mine]
            found += [row[target] for target in board.targets[place][shared]]
    if members < 0:
        found += [book.once(Rise, mine) for mine in _groups(here & pos.landed)]
        found += [book.once(Land, 1 << unit) for unit in units(aloft) if _may_land(pos, unit, place)]
    if place in board.exits[side]:
        for mine in _groups(aloft):
            if all(may_leave(pos, unit, place) for unit in units(mine)):
                found.append(book.exit(mine))
    enemies = visible_enemies(pos, side)
    for unit in units(aloft):
        if not fire_bar(pos, unit):
            shots(pos, unit, enemies, pos.led, found)
    return found


def _may_land(pos: PlatoonPosition, unit: int, place: int) -> bool:
    taken = pos.taken_0 if pos.board.side[unit] else pos.taken_1
    return not pos.moved >> unit & 1 and not taken >> place & 1


def check_step(pos: PlatoonPosition, mine: int, target: int) -> Refusal | None:
    """Whether able helicopters of one formation may fly together into a hex (P13.1)."""
    board = pos.board
    place = pos.hex[lowest(mine)]
    refusal = check_group(pos, mine)
    if refusal is not None:
        return refusal
    direction = board.direction[place].get(target)
    if direction is None:
        return Refusal("P4.2", "not-adjacent", {"from": board.labels[place], "hex": board.labels[target]})
    for unit in units(mine):
        if ways(pos, unit, place) >> direction & 1:
            continue
        cost, left = board.costs[AIR_CLASS][place][direction], budget(pos, unit)
        facts = {"unit": board.ids[unit], "from": board.labels[place], "hex": board.labels[target]}
        if cost > left:
            return Refusal("P4.2", "too-few-mp", {**facts, "cost": cost / 2, "left": max(0, left) / 2})
        return Refusal("P6.6", "disrupted-move", facts)
    return None


def check_group(pos: PlatoonPosition, mine: int) -> Refusal | None:
    """Whether able helicopters are together, few enough, and in the air (P4.3, P13.1)."""
    board = pos.board
    for unit in units(mine):
        if pos.hex[unit] != pos.hex[lowest(mine)]:
            return Refusal("P4.3", "different-hexes", {"units": board.orders.names(mine)})
    if mine.bit_count() > TOGETHER:
        return Refusal("P13.1", "too-many-together", {"limit": TOGETHER})
    if mine & pos.landed:
        return Refusal("P13.1", "landed", {"unit": board.ids[lowest(mine & pos.landed)]})
    return None


def check(pos: PlatoonPosition, order: Flight) -> Refusal | None:
    """Whether able units may land or rise."""
    return _check_land(pos, order.units) if type(order) is Land else _check_rise(pos, order.units)


def _check_land(pos: PlatoonPosition, mine: int) -> Refusal | None:
    """Whether an able helicopter may land where it is: instead of flying (P13.1)."""
    board = pos.board
    unit = lowest(mine)
    facts = {"unit": board.ids[unit], "hex": board.labels[pos.hex[unit]]}
    if not board.air >> unit & 1:
        return Refusal("P13.1", "no-helicopter", facts)
    if pos.landed >> unit & 1:
        return Refusal("P13.1", "landed-already", facts)
    if pos.moved >> unit & 1:
        return Refusal("P13.1", "flown", facts)
    return None if _may_land(pos, unit, pos.hex[unit]) else Refusal("P13.1", "land-among-enemies", facts)


def _check_rise(pos: PlatoonPosition, mine: int) -> Refusal | None:
    """Whether able helicopters may go into the air again, together (P13.1)."""
    board = pos.board
    for unit in units(mine):
        facts = {"unit": board.ids[unit]}
        if not board.air >> unit & 1:
            return Refusal("P13.1", "no-helicopter", facts)
        if not pos.landed >> unit & 1:
            return Refusal("P13.1", "flying-already", facts)
    refusal = check_group(pos, mine)
    return None if refusal is None or refusal.code == "landed" else refusal


def fly(pos: PlatoonPosition, mine: int, target: int, emit: Emit) -> None:
    """A group flies into an adjacent hex: pay and be there, whoever stands below (P13.1, P13.2)."""
    board = pos.board
    leader = lowest(mine)
    place = pos.hex[leader]
    cost = board.costs[AIR_CLASS][place][board.direction[place][target]]
    for unit in units(mine):
        pos.spent[unit] += cost
        pos.left[unit] = place
        pos.hex[unit] = target
    pos.moved |= mine
    if emit:
        facts = {
            "units": [board.ids[unit] for unit in units(mine)],
            "from": board.labels[place],
            "hex": board.labels[target],
            "cost": cost / 2,
            "spent": pos.spent[leader] / 2,
            "left": budget(pos, leader) / 2,
        }
        emit(Event("P13.1", "move", facts))


def change(pos: PlatoonPosition, order: Flight, emit: Emit) -> None:
    """Helicopters land or rise."""
    if type(order) is Land:
        _land(pos, order.units, emit)
    else:
        _rise(pos, order.units, emit)


def _land(pos: PlatoonPosition, mine: int, emit: Emit) -> None:
    """A helicopter lands, and has acted: it could have flown instead (P13.1)."""
    pos.landed |= mine
    pos.finished |= mine
    if emit:
        board, unit = pos.board, lowest(mine)
        emit(Event("P13.1", "land", {"unit": board.ids[unit], "hex": board.labels[pos.hex[unit]]}))


def _rise(pos: PlatoonPosition, mine: int, emit: Emit) -> None:
    """Helicopters are in the air again and may fly on; nobody enters a hex by it (P8.1, P13.1)."""
    pos.landed &= ~mine
    pos.moved |= mine
    if emit:
        board = pos.board
        names = [board.ids[unit] for unit in units(mine)]
        emit(Event("P13.1", "rise", {"units": names, "hex": board.labels[pos.hex[lowest(mine)]]}))
