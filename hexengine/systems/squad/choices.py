"""What a side can choose in its impulse (S2): who may act, and what units of one place can be ordered."""

from __future__ import annotations

from collections.abc import Callable

from hexengine.core.errors import Refusal
from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest, units
from hexengine.systems.squad import acts
from hexengine.systems.squad.firing import groups
from hexengine.systems.squad.firing.fire import ready
from hexengine.systems.squad.moving.steps import Stride, cap_of, free, modes_of, step_bar, steps
from hexengine.systems.squad.moving.vehicles import ways as step_ways
from hexengine.systems.squad.position import SquadPosition
from hexengine.systems.squad.sight.spotting import attempts, looks, places_of

DRAWS = 3
"""Orders that are drawn and judged before all of them are listed."""


def fresh_units(pos: SquadPosition, side: int) -> int:
    """The units that can still be activated (S1.4, S2.1)."""
    mask = free(pos, side)
    return mask & there(pos, side) if pos.active else mask


def firing_units(pos: SquadPosition, side: int) -> int:
    """The units that may fire (S1.4, S2.1)."""
    mask = ready(pos, side, False)
    return mask & (there(pos, side) | pos.marched) if pos.active else mask


def there(pos: SquadPosition, side: int) -> int:
    """The units in active places."""
    found, base = 0, side * pos.board.places.count
    for place in units(pos.active):
        found |= pos.stacks[base + place]
    return found


def by_place(pos: SquadPosition, side: int, mask: int) -> list[tuple[int, int]]:
    """The places that may act with units of a mask, and those of them who are there."""
    stacks = pos.stacks
    base = side * pos.board.places.count
    found = []
    for place in units(acting(pos, side)):
        here = stacks[base + place] & mask
        if here:
            found.append((place, here))
    return found


def acting(pos: SquadPosition, side: int) -> int:
    """The places with units that may act: the active ones, and those to which units have moved on."""
    taken = pos.taken_1 if side else pos.taken_0
    if not pos.active:
        return taken
    return taken & (pos.active | places_of(pos, pos.marched & pos.placed))


def melees(pos: SquadPosition) -> list[int]:
    """Melees that can have their round now (S12.2)."""
    if pos.acted or not pos.melee:
        return []
    return list(units(pos.melee & ~pos.fought))


def orders_at(
    pos: SquadPosition, side: int, place: int, mask: int, fresh: int, firing: int, view: tuple[int, int]
) -> list[Order]:
    """What some units of a place can be ordered: moves, fire, and by one alone whatever else there is.

    ``view``: the enemies that are seen from there; see sight.spotting.looks.
    """
    found: list[Order] = []
    if not mask & ~fresh:
        if not pos.moved_from >> place & 1:
            for mode in modes_of(pos, mask):
                steps(pos, stride(pos, side, mask, mode), found, mode)
        if not mask & (mask - 1):
            unit = lowest(mask)
            acts.acts(pos, unit, found)
            attempts(pos, side, unit, view[1], found)
    if view[0] and not mask & ~firing:
        groups.fires(pos, mask, view[0], found)
    return found


def stride(pos: SquadPosition, side: int, mask: int, mode: int) -> Stride:
    """What a step of some units, not yet on the move, in a way of moving is judged by."""
    return Stride(pos, side, mask, mode, cap_of(pos, mask, mode), False)


def sample_at(
    pos: SquadPosition, side: int, place: int, mask: int, fresh: int, firing: int, below: Callable[[int], int]
) -> Order | None:
    """One order of some units of a place, each as likely; None if they have none.

    Steps are most of what there is, and each way of moving has as many: one is drawn and then judged.
    """
    if mask & ~fresh and mask & ~firing:
        return None
    others: list[Order] = []
    ways: list[int] = []
    alone = not mask & (mask - 1)
    view = (0, 0)
    if not mask & ~firing or (alone and not pos.looked and mask & fresh & ~pos.shaken):
        view = looks(pos, side, place)
    if not mask & ~fresh:
        if not pos.moved_from >> place & 1:
            ways = modes_of(pos, mask)
        if alone and not mask & pos.shaken:
            unit = lowest(mask)
            acts.acts(pos, unit, others)
            attempts(pos, side, unit, view[1], others)
    if view[0] and not mask & ~firing:
        groups.fires(pos, mask, view[0], others)
    around = step_ways(pos, mask, place) if ways else ()
    moves = len(ways) * len(around)
    if not moves and not others:
        return None
    for _ in range(DRAWS):
        at = below(moves + len(others))
        if at >= moves:
            return others[at - moves]
        way, step = divmod(at, len(around))
        to, cost = around[step]
        if not step_bar(pos, stride(pos, side, mask, ways[way]), to, cost):
            return pos.board.orders.move(mask, to, ways[way])
    orders = orders_at(pos, side, place, mask, fresh, firing, view)
    return orders[below(len(orders))] if orders else None


def refuse(pos: SquadPosition, side: int, mask: int, able: int) -> Refusal:
    """Why the first of some units that cannot be activated now cannot."""
    board = pos.board
    unit = lowest(mask & ~able)
    bit, facts = 1 << unit, {"unit": board.ids[unit]}
    if board.side[unit] != side or not board.units & bit:
        return Refusal("S2.1", "not-yours", facts)
    if not pos.placed & bit:
        return Refusal("S2.1", "off-map", facts)
    if free(pos, side) & bit:
        facts["hex"] = board.labels[pos.place[unit]]
        return Refusal("S2.2" if pos.leader >= 0 else "S2.1", "not-active", facts)
    if pos.melee >> pos.place[unit] & 1:
        return Refusal("S12.1", "locked", facts)
    if pos.aboard & bit:
        return Refusal("S8.4", "aboard", facts)
    if pos.ops & bit:
        return Refusal("S2.8", "ops-complete", facts)
    if pos.assault & bit:
        return Refusal("S6.7" if pos.fired & bit else "S1.4", "assault-only-fires", facts)
    return Refusal("S1.4", "already-activated", facts)
