"""Shots (C12.1): who may shoot at whom and with how many dice, listed, and refused with the reason."""

from __future__ import annotations

from typing import Any

from hexengine.core.errors import Refusal
from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest, units
from hexengine.mechanics.masks import units as hexes
from hexengine.systems.company.board import Weapon
from hexengine.systems.company.orders import Shoot
from hexengine.systems.company.position import CompanyPosition
from hexengine.systems.company.sight import floors

MG, AIMED, DEFENSIVE, AIR = 1, 2, 4, 8
"""Flags of a volley: with machine guns, at doubled teams only, in defence, from the air."""


def weapon_of(pos: CompanyPosition, unit: int, mg: bool) -> Weapon | None:
    """The weapon that a team uses: its first, or with ``mg`` its second."""
    weapons = pos.board.weapons[unit]
    return weapons[mg] if len(weapons) > mg else None


def rate(pos: CompanyPosition, unit: int, weapon: Weapon, mg: bool, defensive: bool) -> int:
    """C12.1: the dice of a team: fewer after moving or digging (C3.7), one when pinned but for vehicles'
    MGs.
    """
    board, bit = pos.board, 1 << unit
    dice = weapon.rof
    if not defensive and (pos.moved | pos.tried) & bit:
        dice = weapon.moved
    if pos.pinned >> board.platoon[unit] & 1 and not (mg and board.vehicles & bit):
        dice = min(dice, board.numbers.pinned_rof)
    return dice


def covered(pos: CompanyPosition, unit: int, weapon: Weapon, places: int) -> int:
    """Of some hexes those in a team's range, line of sight and arc (C1.4, C12.1)."""
    if pos.aloft:
        return floors.covered(pos, unit, weapon, places)
    board, here = pos.board, pos.place[unit]
    ground = board.ground
    places &= ground.disc(weapon.range)[here]
    if not places:
        return 0
    places = board.sight.among(here, places)
    if board.arcs >> unit & 1:
        facing = pos.facing[unit]
        for place in hexes(places):
            if not ground.in_front(here, facing, place):
                places &= ~(1 << place)
    return places


def targets(pos: CompanyPosition, unit: int, weapon: Weapon, pool: int) -> int:
    """Of a pool of enemy teams those that a team can shoot at."""
    places = covered(pos, unit, weapon, pos.places(pool))
    found = 0
    for target in units(pool) if places else ():
        if places >> pos.spot(target) & 1:
            found |= 1 << target
    return found


def mixed(pos: CompanyPosition, platoon: int) -> bool:
    """Whether a platoon holds both teams that moved at the double and others (C2.12)."""
    there = pos.alive(platoon)
    return bool(there & pos.doubled) and bool(there & ~pos.doubled)


def flags_of(order: Shoot, defensive: bool) -> int:
    """The flags of the volley that an order asks for."""
    return (MG if order.mg else 0) | (AIMED if order.doubled else 0) | (DEFENSIVE if defensive else 0)


def pool_of(pos: CompanyPosition, platoon: int, flags: int) -> int:
    """The teams of a platoon that may be hit: with ``AIMED`` those that doubled (C2.12)."""
    there = pos.alive(platoon)
    return there & pos.doubled if flags & AIMED else there


def able(pos: CompanyPosition, side: int, defensive: bool = False) -> int:
    """The teams of a side that may shoot: once, and not after the double (C2.8)."""
    mask = pos.board.side_units[side] & pos.placed & ~pos.bailed
    return mask if defensive else mask & ~(pos.shot | pos.doubled)


def fields(pos: CompanyPosition, mask: int, places: int, mg: bool, defensive: bool) -> list[tuple[int, int]]:
    """Of some teams those that can shoot into some hexes, as masks of one, each with those of the hexes."""
    found = []
    for unit in units(mask & pos.board.double_armed if mg else mask):
        weapon = weapon_of(pos, unit, mg)
        if weapon is not None and rate(pos, unit, weapon, mg, defensive):
            field = covered(pos, unit, weapon, places)
            if field:
                found.append((1 << unit, field))
    return found


def can_shoot(pos: CompanyPosition, mask: int, places: int, defensive: bool) -> bool:
    """Whether any of some teams can shoot into any of some hexes."""
    return bool(fields(pos, mask, places, False, defensive) or fields(pos, mask, places, True, defensive))


def shots(pos: CompanyPosition, mask: int, enemies: list[int], defensive: bool) -> list[Order]:
    """The shots of a platoon's teams at some platoons: of all that can together, then one by one."""
    book = pos.board.orders
    places = [pos.places(pos.alive(platoon)) for platoon in enemies]
    everywhere = 0
    for mask_of_places in places:
        everywhere |= mask_of_places
    by_weapon = [(mg, fields(pos, mask, everywhere, mg, defensive)) for mg in (False, True)]
    found: list[Order] = []
    for number, platoon in enumerate(enemies):
        aims = [(False, places[number])]
        if mixed(pos, platoon):
            aims.append((True, pos.places(pool_of(pos, platoon, AIMED))))
        for mg, firing in by_weapon:
            for aimed, pool in aims if firing else ():
                each = [bit for bit, field in firing if field & pool]
                if each:
                    found.append(book.once(Shoot, sum(each), platoon, mg, aimed))
                    if len(each) > 1:
                        found += [book.once(Shoot, bit, platoon, mg, aimed) for bit in each]
    return found


def refuse_shot(
    pos: CompanyPosition, side: int, order: Shoot, enemies: list[int], defensive: bool
) -> Refusal | None:
    """Why some teams may not shoot at a platoon."""
    board = pos.board
    first = board.platoon[lowest(order.units)]
    facts: dict[str, Any] = {"platoon": board.platoons[order.platoon].id}
    if order.platoon not in enemies:
        return Refusal("C12.1", "no-target", facts)
    for unit in units(order.units):
        refusal = _refuse_team(pos, side, unit, first, defensive, {**facts, "unit": board.ids[unit]})
        if refusal is not None:
            return refusal
    if order.doubled and not mixed(pos, order.platoon):
        return Refusal("C2.12", "not-mixed", facts)
    pool = pool_of(pos, order.platoon, flags_of(order, defensive))
    places = pos.places(pool)
    for unit in units(order.units):
        facts["unit"] = board.ids[unit]
        weapon = weapon_of(pos, unit, order.mg)
        if weapon is None:
            return Refusal("C12.1", "no-weapon", facts)
        if not rate(pos, unit, weapon, order.mg, defensive):
            return Refusal("C12.1", "cannot-shoot-moved", facts)
        if not covered(pos, unit, weapon, places):
            return _refuse_target(pos, unit, weapon, pool, facts)
    return None


def _refuse_team(
    pos: CompanyPosition, side: int, unit: int, platoon: int, defensive: bool, facts: dict[str, Any]
) -> Refusal | None:
    board, bit = pos.board, 1 << unit
    if board.side[unit] != side:
        return Refusal("C12.1", "not-yours", facts)
    if not pos.placed & bit:
        return Refusal("C12.1", "off-map", facts)
    if board.platoon[unit] != platoon:
        return Refusal("C12.1", "other-platoon", facts)
    if pos.bailed & bit:
        return Refusal("C12.4", "bailed-out", facts)
    if not defensive and pos.doubled & bit:
        return Refusal("C2.8", "doubled", facts)
    if not defensive and pos.shot & bit:
        return Refusal("C12.1", "shot-already", facts)
    return None


def _refuse_target(
    pos: CompanyPosition, unit: int, weapon: Weapon, pool: int, facts: dict[str, Any]
) -> Refusal:
    board, here = pos.board, pos.place[unit]
    near = [target for target in units(pool) if board.grid.distance(here, pos.place[target]) <= weapon.range]
    facts["range"] = weapon.range
    if not near:
        return Refusal("C12.1", "out-of-range", facts)
    if not any(board.sight.sees(pos.spot(unit), pos.spot(target)) for target in near):
        return Refusal("C12.1", "no-line-of-sight", facts)
    return Refusal("C1.4", "out-of-arc", facts)
