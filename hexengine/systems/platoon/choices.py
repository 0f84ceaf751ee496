"""What the units of a formation can be ordered to do in one hex, apart from who is asked (P2.5)."""

from __future__ import annotations

from hexengine.core.errors import Refusal
from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest, units
from hexengine.systems.platoon.assaults import assault
from hexengine.systems.platoon.fieldworks import works
from hexengine.systems.platoon.firing.fire import fire_bar, shots, shots_at_seen, visible_enemies
from hexengine.systems.platoon.moving import entry, helicopters, passing, steps, transport
from hexengine.systems.platoon.moving.movement import left_alone
from hexengine.systems.platoon.position import STACKING_LIMIT, PlatoonPosition


def free(pos: PlatoonPosition, formation: int) -> int:
    """The units of a formation that can still act in this activation."""
    board = pos.board
    return pos.placed & board.acting[formation] & ~(pos.ops | pos.ooc | pos.finished | pos.carried)


def joining_hq(pos: PlatoonPosition, formation: int, able: int) -> int:
    """The HQ, as a mask, that may still go along with a group opened by loading or unloading (P5.1, P9.1).

    Orders to load and unload do not name it, so it joins with the first step of a unit that has
    been with it from the start.
    """
    hq = pos.board.formations[formation].hq
    if hq < 0 or not (pos.placed & ~(pos.finished | pos.moved | pos.ops | pos.ooc)) >> hq & 1:
        return 0
    place = pos.hex[hq]
    for unit in units(able & ~pos.moved):
        if pos.hex[unit] == place and pos.left[unit] < 0:
            return 1 << hq
    return 0


def orders_at(pos: PlatoonPosition, formation: int, place: int, here: int, members: int) -> list[Order]:
    """Every legal order of the able units ``here``, all in one hex, in canonical order.

    ``members`` are the able units of the open group, or -1 if none is open.
    """
    board = pos.board
    if board.air and board.air_formations >> formation & 1:
        return helicopters.orders_at(pos, place, here, members)
    own_base = board.base[formation]
    standing = pos.here[own_base + place]
    group = members if members > 0 else 0
    near = board.around[place] & (pos.taken_0 | pos.taken_1)
    found: list[Order]
    if not here:
        found = []
    elif standing == 1:
        found = steps.steps_alone(pos, own_base, place, here, group, near)
    else:
        found = steps.steps(pos, formation, place, here, group, near)
    if near and here and near & (pos.taken_0 if own_base else pos.taken_1):
        assault.attacks(pos, formation, place, here, found)
    crowd = standing & 15
    if crowd > 1:
        _loads(pos, formation, place, members, found)
        if group and crowd > STACKING_LIMIT:
            entry.exits(pos, formation, place, here, found)
            return found
    if here & (~pos.moved | board.acts_on) or (pos.carried and here & board.transports):
        _others(pos, formation, place, here, group, found)
    return found


def _others(
    pos: PlatoonPosition, formation: int, place: int, here: int, group: int, found: list[Order]
) -> None:
    """Unloading, leaving the map, work and fire of the able units in a hex within the limit."""
    board = pos.board
    if pos.carried and here & board.transports:
        for unit in units(here & board.transports):
            _unloads(pos, unit, group, found)
    if board.has_exits:
        entry.exits(pos, formation, place, here, found)
    if board.has_works:
        works.works(pos, place, here, found)
    able = here & board.fighters & ~(pos.disrupted | (pos.moved & ~board.fire_on_move))
    if not able:
        return
    side = 1 if board.base[formation] else 0
    if board.air or board.indirect & able:
        # Whoever flies sees more, and mortars let others see for them (P10.6, P12.5).
        for unit in units(able):
            if not fire_bar(pos, unit):
                shots(pos, unit, visible_enemies(pos, side), pos.led, found)
        return
    view = board.sight.in_view(place, pos.taken_0 if side else pos.taken_1)
    if view:
        targets = visible_enemies(pos, side)
        for unit in units(able):
            if not fire_bar(pos, unit):
                shots_at_seen(pos, unit, targets, pos.led, found, view, pos.wrecks)


def _loads(pos: PlatoonPosition, formation: int, place: int, members: int, found: list[Order]) -> None:
    board = pos.board
    riders = board.formation_riders[formation] & pos.placed & ~(pos.carried | pos.disrupted)
    if not riders:
        return
    carriers = board.formation_carriers[formation] & pos.placed & ~pos.disrupted
    where = pos.hex
    for carrier in units(carriers):
        if where[carrier] != place:
            continue
        for rider in units(riders):
            if (
                where[rider] == place
                and not transport.load_bar(pos, carrier, rider, members)
                and load_crowds(pos, carrier, rider, members) is None
            ):
                weapon = board.weapon_of[rider]
                found.append(board.orders.load(carrier, 1 << rider | (1 << weapon if weapon >= 0 else 0)))


def _unloads(pos: PlatoonPosition, carrier: int, group: int, found: list[Order]) -> None:
    mask = 0
    riders = pos.passengers(carrier)
    for rider in riders:
        if transport.unload_bar(pos, carrier, rider):
            return
        mask |= 1 << rider
    if mask and unload_crowds(pos, carrier, mask, group) is None:
        found.append(pos.board.orders.unload(carrier))


def unload_crowds(pos: PlatoonPosition, carrier: int, riders: int, group: int) -> Refusal | None:
    """Unloading may overfill the hex only while a legal way on is left (P3.4, P5.10)."""
    board = pos.board
    side, place = board.side[carrier], pos.hex[carrier]
    crowd = pos.here[side * board.size + place] + riders.bit_count()
    if crowd & 15 <= STACKING_LIMIT:
        return None
    # The carrier stays, and its HQ with it; another HQ might be left alone.
    hq_stays = crowd < 16 or left_alone(pos, board.formation[carrier], place) >= 0
    if crowd & 15 == STACKING_LIMIT + 1 and hq_stays and passing.may_walk_off(pos, side, riders, place):
        return None
    trial = pos.copy()
    transport.unload(trial, carrier, riders, None)
    if passing.can_thin(trial, side, (place,), group | riders | 1 << carrier):
        return None
    return Refusal("P3.4", "hex-full", {"hex": board.labels[place], "limit": STACKING_LIMIT})


def load_crowds(pos: PlatoonPosition, carrier: int, rider: int, members: int) -> Refusal | None:
    """Loading keeps both from going on (P5.3): over the limit the others must have a way on (P3.4)."""
    board = pos.board
    side, place = board.side[carrier], pos.hex[carrier]
    if (pos.here[side * board.size + place] & 15) - 1 <= STACKING_LIMIT:
        return None
    trial = pos.copy()
    transport.load(trial, carrier, rider, None)
    if passing.can_thin(trial, side, (place,), max(members, 0) & ~trial.carried):
        return None
    return Refusal("P3.4", "hex-full", {"hex": board.labels[place], "limit": STACKING_LIMIT})


def has_orders(pos: PlatoonPosition, formation: int, place: int, here: int, members: int) -> bool:
    """Whether :func:`orders_at` would give anything, answered early where that is easy."""
    if pos.board.air and pos.board.air_formations >> formation & 1:
        return bool(helicopters.orders_at(pos, place, here, members))
    step = steps.any_step(pos, formation, place, here)
    if step:
        return True
    if step is None:
        return bool(orders_at(pos, formation, place, here, members))
    found: list[Order] = []
    assault.attacks(pos, formation, place, here, found)
    if not found:
        _loads(pos, formation, place, members, found)
    if not found:
        _others(pos, formation, place, here, max(members, 0), found)
    return bool(found)


def by_place(pos: PlatoonPosition, mask: int) -> list[tuple[int, int]]:
    """The hexes where units of a mask stand, ascending, each with those units."""
    where = pos.hex
    if not mask & (mask - 1):
        return [(where[lowest(mask)], mask)] if mask else []
    found: dict[int, int] = {}
    known = found.get
    for unit in units(mask):
        place = where[unit]
        found[place] = known(place, 0) | 1 << unit
    return sorted(found.items())


def check_actors(pos: PlatoonPosition, formation: int, mine: int, able: int) -> Refusal | None:
    """Whether all named units can act now; if not, why the first one cannot (P2.5)."""
    wrong = mine & ~able
    if not wrong:
        return None
    board = pos.board
    unit = lowest(wrong)
    bit = 1 << unit
    facts = {"unit": board.ids[unit], "formation": board.formations[formation].id}
    if board.formation[unit] != formation:
        return Refusal("P2.5", "other-formation", facts)
    if board.weapons & bit:
        return Refusal("P3.5", "weapon-not-named", facts)
    if pos.lost & bit:
        return Refusal("P6.6", "lost", facts)
    if not pos.placed & bit:
        return Refusal("P15", "off-map", facts)
    if pos.carried & bit:
        return Refusal("P5.11", "carried", facts)
    if pos.ops & bit:
        return Refusal("P4.1", "ops-complete", facts)
    if pos.ooc & bit:
        return Refusal("P2.2.4", "out-of-command", facts)
    if pos.finished & bit:
        return Refusal("P4.6" if pos.fired & bit and pos.disrupted & bit else "P2.5", "finished", facts)
    return Refusal("P4.3", "not-in-group", facts)
