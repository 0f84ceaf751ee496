"""What vehicles may do and fear (S14.2): chances of shots at armour, where to turn, when to carry men."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from hexengine.core.tactics import Candidate, Reason
from hexengine.mechanics.masks import lowest, units
from hexengine.systems.squad.board import OrdnanceData
from hexengine.systems.squad.firing.armour import ahead
from hexengine.systems.squad.firing.ordnance import gun_of, highest_hit, modifiers
from hexengine.systems.squad.moving.vehicles import seats_of, taken_seats, underway
from hexengine.systems.squad.orders import Face, Fire, Load, Unload
from hexengine.systems.squad.position import SquadPosition, passengers
from hexengine.systems.squad.tactics.chances import sum_within

if TYPE_CHECKING:
    from hexengine.systems.squad.tactics.view import View

SHAKEN_SHARE = 0.35
"""What a Shaken crew costs, as a part of a vehicle's worth."""
NEAR_ENEMIES = 5
"""Hexes to an enemy within which men get out."""
LONG_WAY = 16
"""Half MP on foot to an objective from which on men are carried."""


@cache
def pierced(base: int, morale: int) -> tuple[float, float]:
    """The chances that a hit ahead by ``base`` before the dice destroys, and that it shakes the crew."""
    destroyed = shaken = 0.0
    for duel in range(-5, 6):
        weight = (6 - abs(duel)) / 36
        if base + duel > 0:
            destroyed += weight
        else:
            shaken += weight * (1 - sum_within(min(12, morale - base - duel)))
    return destroyed, shaken


def cost_of_hit(pos: SquadPosition, vehicle: int, attack: int, front: bool, worth: float) -> float:
    """What a hit on a vehicle is expected to cost its side: the hull is hit oftener than the turret."""
    board = pos.board
    data = board.plates(vehicle)
    at = 0 if front else 1
    found = 0.0
    for share, armour in ((0.6, data.hull), (0.4, data.turret or data.hull)):
        destroyed, shaken = pierced(attack - armour[at], board.morale[vehicle][pos.steps[vehicle]])
        found += share * (destroyed + (0.0 if pos.shaken >> vehicle & 1 else SHAKEN_SHARE * shaken))
    return found * worth


def shot_value(view: View, order: Fire, gun: int, reaction: bool) -> float:
    """What a shot at a vehicle is expected to bring, with those aboard."""
    pos, board = view.pos, view.board
    data = board.gun(gun)
    origin = pos.place[lowest(order.units)]
    distance = board.places.distance(origin, order.place)
    added = modifiers(pos, order, bool(underway(pos, 1 << order.target)), reaction)
    number = data.number(distance) - sum([part.value for part in added])
    worth = _worth(view, order.target)
    cost = cost_of_hit(pos, order.target, data.penetration(distance), ahead(pos, order.target, origin), worth)
    return sum_within(highest_hit(number)) * cost


def _worth(view: View, vehicle: int) -> float:
    """A vehicle's worth with half of that of its passengers."""
    worth, steps = view.tables.worth, view.pos.steps
    riders = [worth[unit][steps[unit]] for unit in units(passengers(view.pos, vehicle))]
    return worth[vehicle][steps[vehicle]] + 0.5 * sum(riders)


def _hit(view: View, data: OrdnanceData, origin: int, place: int) -> tuple[float, int]:
    """The chance that a gun hits what is in a place, and its penetration; 0 where it does not pierce."""
    board = view.board
    hindrance = board.sight.hindrance(origin, place, view.smoke)
    distance = board.places.distance(origin, place)
    number, attack = data.number(distance), data.penetration(distance)
    if hindrance < 0 or not number or not attack or origin == place:
        return 0.0, 0
    return sum_within(highest_hit(number - hindrance)), attack


def _piercing(pos: SquadPosition, unit: int) -> OrdnanceData | None:
    """The ordnance of a unit, if it pierces armour."""
    gun = gun_of(pos, unit)
    return pos.board.gun(gun) if gun >= 0 and pos.board.piercing >> gun & 1 else None


def danger(view: View, vehicle: int, place: int, moving: bool) -> float:
    """What guns and hand-held weapons of the enemy are expected to cost a vehicle in a place."""
    pos = view.pos
    worst = total = 0.0
    worth = _worth(view, vehicle)
    for enemy in units(view.enemies & ~pos.shaken):
        data = _piercing(pos, enemy)
        if data is None:
            continue
        chance, attack = _hit(view, data, pos.place[enemy], place)
        if not chance:
            continue
        front = moving or ahead(pos, vehicle, pos.place[enemy])
        share = 0.5 if (pos.fired | pos.moved) >> enemy & 1 else 1.0
        cost = share * chance * cost_of_hit(pos, vehicle, attack, front, worth)
        total += cost
        worst = max(worst, cost)
    return worst + 0.4 * (total - worst)


def prospect(view: View, mask: int, place: int) -> float:
    """What shots at vehicles from a place may bring later: the best one."""
    pos, board = view.pos, view.board
    best = 0.0
    targets = view.enemies & board.vehicles
    for unit in units(mask) if targets else ():
        data = _piercing(pos, unit)
        if data is None:
            continue
        for target in units(targets):
            chance, attack = _hit(view, data, place, pos.place[target])
            if chance:
                front = ahead(pos, target, place)
                best = max(best, chance * cost_of_hit(pos, target, attack, front, _worth(view, target)))
    return best


def orders(view: View, movers: int, place: int) -> list[Candidate]:
    """Turning in place, getting in, and getting out of a vehicle that stands."""
    pos, board, once = view.pos, view.board, view.board.orders.once
    found = []
    for vehicle in units(movers & board.vehicles):
        if not pos.turned[vehicle]:
            found += _turning(view, vehicle, place)
        if passengers(pos, vehicle) and _close(view, place):
            found.append(Candidate(once(Unload, vehicle), 4.0, (Reason("carry", 4),)))
    if view.wanted and not _close(view, place):
        far = min([view.tables.distances(goal)[place] for goal, _ in view.wanted])
        for unit in units(movers & ~board.vehicles) if far >= LONG_WAY else ():
            for vehicle in units(movers & board.vehicles):
                if taken_seats(pos, vehicle) + seats_of(pos, unit) <= board.seats[vehicle]:
                    found.append(Candidate(once(Load, unit, vehicle), 30.0, (Reason("carry", 30),)))
    return found


def _close(view: View, place: int) -> bool:
    """Whether an enemy is near."""
    distance = view.board.places.distance
    return any(distance(place, target) <= NEAR_ENEMIES for target in view.targets)


def unloading(view: View, vehicle: int, further: bool) -> list[Candidate]:
    """Getting out at the end of a move: where the men are wanted, or near the enemy if it goes no further."""
    pos, board = view.pos, view.board
    place = pos.place[vehicle]
    if not passengers(pos, vehicle):
        return []
    wanted = any(goal == place for goal, _ in view.wanted)
    value = 40.0 if wanted else 12.0 if _close(view, place) and not further else -4.0
    return [Candidate(board.orders.once(Unload, vehicle), value, (Reason("carry", round(value)),))]


def _turning(view: View, vehicle: int, place: int) -> list[Candidate]:
    """Facing the gun that is most to be feared, or that which a gun without a turret could hit."""
    pos, board = view.pos, view.board
    best, towards = 0.0, -1
    own = board.ordnance[vehicle] if board.fixed >> vehicle & 1 else None
    for enemy in units(view.enemies):
        there = pos.place[enemy]
        if ahead(pos, vehicle, there):
            continue
        data = _piercing(pos, enemy) if not pos.shaken >> enemy & 1 else None
        gain = 0.0
        if data is not None:
            chance, attack = _hit(view, data, there, place)
            worth = _worth(view, vehicle)
            side, front = [cost_of_hit(pos, vehicle, attack, way, worth) for way in (False, True)]
            gain += chance * (side - front)
        if own is not None and board.vehicles >> enemy & 1:
            chance, attack = _hit(view, own, place, there)
            gain += 0.6 * chance * cost_of_hit(pos, enemy, attack, True, _worth(view, enemy))
        if gain > best:
            best, towards = gain, board.places.hex_of[there]
    if towards < 0:
        return []
    around = [hex_ for hex_ in board.grid.neighbours[place] if hex_ >= 0]
    to = min(around, key=lambda hex_: (board.grid.distance(hex_, towards), hex_))
    return [Candidate(board.orders.once(Face, vehicle, to), best - 12.0, (Reason("facing", round(best)),))]
