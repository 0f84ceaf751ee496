"""Ordnance (S14): one weapon at a time rolls to hit; a hit attacks with its shell."""

from __future__ import annotations

from hexengine.core.dice import COMBAT, Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Contribution, Emit, Event
from hexengine.mechanics.masks import lowest, mask_of
from hexengine.systems.squad.orders import Fire
from hexengine.systems.squad.position import SquadPosition

ALWAYS, NEVER = 2, 12
"""Sums of two dice that always hit and never do (S14.1)."""
IN_REACTION = 2


def gun_of(pos: SquadPosition, unit: int) -> int:
    """The ordnance that a unit is or carries, or -1."""
    guns = pos.board.guns
    if guns >> unit & 1:
        return unit
    weapon = pos.arms[unit]
    return weapon if weapon >= 0 and guns >> weapon & 1 else -1


def in_reach(pos: SquadPosition, unit: int, origin: int) -> int:
    """The mask of places at which a unit in a place can fire its ordnance; 0 if it has none."""
    board = pos.board
    gun = gun_of(pos, unit)
    if gun < 0:
        return 0
    known = board.zones[gun]
    found = known.get(origin)
    if found is None:
        data, places = board.ordnance[gun], board.places
        assert data is not None, "ordnance has its numbers"
        there = [place for place in range(places.count) if data.number(places.distance(origin, place))]
        found = known[origin] = mask_of(there)
    return found


def check_shot(pos: SquadPosition, order: Fire, distance: int) -> Refusal | None:
    """Whether a unit that may fire may fire its ordnance at a place in sight."""
    board = pos.board
    unit = lowest(order.units)
    if order.units & (order.units - 1):
        guns = order.units & board.guns
        return Refusal("S14.4", "ordnance-alone", {"unit": board.ids[lowest(guns) if guns else unit]})
    gun = gun_of(pos, unit)
    if gun < 0 or (order.weapon if order.weapon >= 0 else unit) != gun:
        named = board.ids[order.weapon if order.weapon >= 0 else unit]
        return Refusal("S14.4", "not-its-ordnance", {"unit": board.ids[unit], "weapon": named})
    data = board.ordnance[gun]
    assert data is not None, "ordnance has its numbers"
    if not data.number(distance):
        limits = {"reach": data.bands[-1][0], "minimum": data.minimum}
        facts = {"weapon": board.ids[gun], "distance": distance, **limits}
        return Refusal("S14.1", "out-of-ordnance-range", facts)
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
) -> bool:
    """Roll to hit; a sum of 2 always does and one of 12 never (S14.1)."""
    board = pos.board
    data = board.ordnance[gun]
    assert data is not None, "ordnance has its numbers"
    distance = board.places.distance(pos.place[lowest(order.units)], order.place)
    number = data.number(distance)
    added = modifiers(pos, order, moving, reaction)
    limit = min(NEVER - 1, max(ALWAYS, number - sum([part.value for part in added])))
    hit = dice.within(COMBAT, 2, limit)
    if emit:
        facts = {
            "weapon": board.ids[gun], "hex": board.labels[order.place], "number": number, "parts": added,
            "faces": dice.faces,
        }  # fmt: skip
        emit(Event("S14.1", "ordnance-hits" if hit else "ordnance-misses", facts))
    return hit
