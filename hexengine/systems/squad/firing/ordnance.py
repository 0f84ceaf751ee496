"""Ordnance (S14): one weapon at a time rolls to hit; a hit attacks with its shell, or meets armour."""

from __future__ import annotations

from hexengine.core.dice import COMBAT, Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Contribution, Emit, Event
from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest, mask_of, units
from hexengine.systems.squad.board import Board, OrdnanceData
from hexengine.systems.squad.firing.armour import ahead
from hexengine.systems.squad.orders import Fire
from hexengine.systems.squad.position import SquadPosition

ALWAYS, NEVER = 2, 12
"""Sums of two dice that always hit and never do (S14.1)."""
IN_REACTION = 2


def gun_of(pos: SquadPosition, unit: int) -> int:
    """The ordnance that a unit is or carries, or -1."""
    board = pos.board
    if board.ordnance[unit] is not None:
        return unit
    weapon = pos.arms[unit]
    return weapon if weapon >= 0 and board.guns >> weapon & 1 else -1


def shooter(board: Board, order: Fire) -> int:
    """The ordnance that fires by an order, or -1: what it names, or a team that is ordnance itself."""
    if order.weapon >= 0:
        return order.weapon
    guns = order.units & board.guns
    return lowest(guns) if guns else -1


def highest_hit(number: int) -> int:
    """The highest sum of two dice that hits, by a number less all that is added to the dice (S14.1)."""
    return min(NEVER - 1, max(ALWAYS, number))


def _named(pos: SquadPosition, unit: int, gun: int) -> int:
    """How an order names ordnance: a team need not, and a vehicle that does not fires its machine-guns."""
    return gun if gun != unit or pos.board.vehicles >> unit & 1 else -1


def in_reach(pos: SquadPosition, unit: int, origin: int) -> int:
    """The mask of places at which a unit in a place can fire its ordnance; 0 if it has none."""
    board = pos.board
    gun = gun_of(pos, unit)
    if gun < 0:
        return 0
    known = board.zones[gun]
    # A gun without a turret reaches what lies ahead only (S14.2).
    fixed = board.fixed >> gun & 1
    key = origin + (pos.facing[gun] + 1) * board.places.count if fixed else origin
    found = known.get(key)
    if found is None:
        data, places = board.gun(gun), board.places
        there = [place for place in range(places.count) if data.number(places.distance(origin, place))]
        found = known[key] = mask_of([place for place in there if not fixed or ahead(pos, gun, place)])
    return found


def shots(pos: SquadPosition, unit: int, target: int, found: list[Order]) -> None:
    """Append the fire of a unit's ordnance at a place that it reaches: at all there, and at each vehicle."""
    board = pos.board
    gun = gun_of(pos, unit)
    weapon = _named(pos, unit, gun)
    found.append(board.orders.fire(1 << unit, target, weapon))
    if board.piercing >> gun & 1:
        vehicles = board.vehicles & pos.at(target, 1 - board.side[unit])
        if vehicles and board.gun(gun).penetration(board.places.distance(pos.place[unit], target)):
            for aimed in units(vehicles):
                found.append(board.orders.fire(1 << unit, target, weapon, aimed))


def check_shot(pos: SquadPosition, order: Fire, distance: int) -> Refusal | None:
    """Whether a unit that may fire may fire its ordnance at a place in sight."""
    board = pos.board
    unit = lowest(order.units)
    if order.units & (order.units - 1):
        guns = order.units & board.guns
        return Refusal("S14.4", "ordnance-alone", {"unit": board.ids[lowest(guns) if guns else unit]})
    gun = gun_of(pos, unit)
    if gun < 0 or order.weapon != _named(pos, unit, gun):
        named = board.ids[order.weapon if order.weapon >= 0 else unit]
        return Refusal("S14.4", "not-its-ordnance", {"unit": board.ids[unit], "weapon": named})
    data = board.gun(gun)
    if not data.number(distance):
        limits = {"reach": data.bands[-1][0], "minimum": data.minimum}
        facts = {"weapon": board.ids[gun], "distance": distance, **limits}
        return Refusal("S14.1", "out-of-ordnance-range", facts)
    if board.fixed >> gun & 1 and not ahead(pos, gun, order.place):
        return Refusal("S14.2", "does-not-bear", {"unit": board.ids[unit], "hex": board.labels[order.place]})
    return _check_target(pos, order, data, distance) if order.target >= 0 else None


def _check_target(pos: SquadPosition, order: Fire, data: OrdnanceData, distance: int) -> Refusal | None:
    """Whether a shot may be aimed at this very vehicle."""
    board = pos.board
    facts = {"unit": board.ids[order.target], "hex": board.labels[order.place]}
    enemies = pos.at(order.place, 1 - board.side[lowest(order.units)])
    if not enemies & board.vehicles & 1 << order.target:
        return Refusal("S14.2", "no-target-vehicle", facts)
    if not data.penetration(distance):
        return Refusal("S14.2", "no-penetration", {**facts, "distance": distance})
    return None


def modifiers(pos: SquadPosition, order: Fire, moving: bool, reaction: bool) -> list[Contribution]:
    """What is added to the dice, so that more is harder (S14.1)."""
    board = pos.board
    unit = lowest(order.units)
    found = []
    hindrance = board.sight.hindrance(pos.place[unit], order.place, pos.smoke())
    if hindrance:
        found.append(Contribution("S10.2", "degrading", hindrance))
    if pos.assault >> unit & 1:
        found.append(Contribution("S6.10", "after-moving", 1))
    elif pos.stealth >> unit & 1:
        found.append(Contribution("S7.17", "after-moving", 1))
    if reaction:
        # That the target moves is part of it.
        found.append(Contribution("S9.6", "reaction", IN_REACTION))
    elif moving:
        found.append(Contribution("S14.1", "moving-target", 1))
    return found


def to_hit(
    pos: SquadPosition, order: Fire, gun: int, moving: bool, reaction: bool, dice: Dice, emit: Emit
) -> int:
    """Roll to hit; a sum of 2 always does and one of 12 never (S14.1).

    Returns 0 for a miss and 1 for a hit; of a vehicle the sum rolled, 2 to 11, which says where (S14.2).
    """
    board = pos.board
    data = board.gun(gun)
    distance = board.places.distance(pos.place[lowest(order.units)], order.place)
    number = data.number(distance)
    added = modifiers(pos, order, moving, reaction)
    limit = highest_hit(number - sum([part.value for part in added]))
    if order.target < 0:
        hit = int(dice.within(COMBAT, 2, limit))
    else:
        hit = ALWAYS + dice.band(COMBAT, 2, range(ALWAYS + 1, limit + 2))
        hit = hit if hit <= limit else 0
    if emit:
        facts = {
            "weapon": board.ids[gun], "hex": board.labels[order.place], "number": number, "parts": added,
            "faces": dice.faces,
        }  # fmt: skip
        emit(Event("S14.1", "ordnance-hits" if hit else "ordnance-misses", facts))
    return hit
