"""Changing floors (C6.6): each floor up or down is a hex of movement.

Teams come in by the ground floor.  On the floors of their own building they go from room to room as on the
ground.
"""

from __future__ import annotations

from typing import Any

from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.mechanics.masks import units as hexes
from hexengine.systems.company.ground import DIFFICULT
from hexengine.systems.company.moving.reach import ANYWHERE, Walker
from hexengine.systems.company.moving.walking import contact_at, refuse_place
from hexengine.systems.company.position import CompanyPosition


def climbs(walker: Walker) -> int:
    """The spots to which a team may climb: upper floors, and the ground of its own room if it is upstairs."""
    pos, unit, ground = walker.pos, walker.unit, walker.ground
    # Who is so high up that there is no movement left on the ground floor reaches nothing but his own room.
    if not walker.foot or not (walker.reach().found | 1 << walker.start) & ground.floors:
        return 0
    floor, allowance = pos.floor[unit], pos.board.allowance[unit][DIFFICULT]
    beyond = allowance + 1
    # Through the ground floor, by the usual ways; or over the floors of its own building.
    below = {walker.start: floor}
    for search in walker.reach().searches:
        for number, layer in enumerate(search.layers):
            for place in hexes(layer & ground.floors):
                below[place] = min(below.get(place, beyond), floor + number)
    inside = indoors(walker) if floor else {walker.start: []}
    found = 0
    for place in hexes(walker.homing(sum(1 << one for one in {*below, *inside}) & ~walker.crowded)):
        if not ground.floors >> place & 1:
            continue
        for to in range(ground.top[ground.building[place]] + 1):
            over = len(inside[place]) + abs(to - floor) if place in inside else beyond
            if min(over, below.get(place, beyond) + to) <= allowance and (to or place == walker.start):
                found |= 1 << ground.spot[place, to]
    return found & ~(1 << pos.spot(unit))


def indoors(walker: Walker) -> dict[int, list[int]]:
    """By room of its own building, the shortest way of a team to it that does not leave the building."""
    ground = walker.ground
    rooms = ground.built[ground.building[walker.start]] & ~walker.enemies
    ways = ground.foot[DIFFICULT]
    if walker.watched:
        ways = ways.without(ground.closing(walker.watched, ANYWHERE))
    found: dict[int, list[int]] = {walker.start: []}
    queue = [walker.start]
    for place in queue:
        for to in hexes(ways.spread(1 << place) & rooms):
            if to not in found:
                found[to] = [*found[place], to]
                queue.append(to)
    return found


def refuse(walker: Walker, place: int, floor: int) -> Refusal | None:
    """Why a team that can move may not climb to a floor of a hex."""
    pos, unit, ground = walker.pos, walker.unit, walker.ground
    board = pos.board
    facts: dict[str, Any] = {"unit": board.ids[unit], "hex": board.labels[place], "floor": floor}
    if not walker.foot:
        return Refusal("C6.5", "team-class", facts)
    spot = ground.spot.get((place, floor), -1)
    if spot < 0 or not ground.floors >> place & 1:
        return Refusal("C6.6", "no-such-floor", facts)
    if spot == pos.spot(unit):
        return Refusal("C6.6", "on-that-floor", facts)
    if climbs(walker) >> spot & 1:
        return None
    if place != walker.start:
        refusal = refuse_place(walker, place)
        if refusal is not None:
            return refusal
        if walker.enemies >> place & 1:
            # Who moves there tries the room and stays outside: nobody climbs in it (C7.5).
            return Refusal("C7.5", "enemy-there", facts)
    if not floor:
        return Refusal("C6.6", "moves-there", facts)
    return Refusal("C6.6", "too-high", {**facts, "allowance": board.allowance[unit][DIFFICULT]})


def way_to(walker: Walker, place: int, floor: int) -> list[int]:
    """The hexes of a climb, without the start: indoors if that is no longer than over the ground floor."""
    if place == walker.start:
        return []
    pos, unit = walker.pos, walker.unit
    now = pos.floor[unit]
    inside = indoors(walker).get(place) if now else None
    if inside is not None and len(inside) + abs(floor - now) <= pos.board.allowance[unit][DIFFICULT]:
        return inside
    return walker.path(place)


def settle(pos: CompanyPosition, unit: int, place: int, floor: int, emit: Emit) -> None:
    """A team that has come to a room changes floors; one that was stopped on its way does not."""
    board, bit = pos.board, 1 << unit
    if pos.place[unit] != place:
        return
    pos.floor[unit] = floor
    pos.aloft = pos.aloft | bit if floor else pos.aloft & ~bit
    pos.contact[unit] = contact_at(pos, unit)
    if emit:
        facts = {"unit": board.ids[unit], "hex": board.labels[place], "floor": floor}
        emit(Event("C6.6", "climbs" if floor else "comes-down", facts))
