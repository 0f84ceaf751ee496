"""Orders worth a thought in the Movement and Shooting Steps, with what they are expected to bring."""

from __future__ import annotations

from collections.abc import Iterable

from hexengine.core.tactics import Candidate, Reason
from hexengine.mechanics.masks import lowest, units
from hexengine.mechanics.masks import units as hexes
from hexengine.mechanics.orders import UnitPlace
from hexengine.systems.company.firing.artillery import battery, bearing, ranging, template
from hexengine.systems.company.firing.hits import Sharing
from hexengine.systems.company.firing.shooting import Shooting
from hexengine.systems.company.firing.shots import flags_of, pool_of, rate, shots, targets, weapon_of
from hexengine.systems.company.morale import worst
from hexengine.systems.company.moving import digging
from hexengine.systems.company.moving.climbing import climbs
from hexengine.systems.company.moving.double import Doubler
from hexengine.systems.company.moving.movement import Movement, entries
from hexengine.systems.company.moving.reach import Walker, command_team
from hexengine.systems.company.orders import (
    DONE,
    END,
    Bombard,
    Climb,
    Dig,
    Double,
    Enter,
    Face,
    Move,
    Reveal,
    Shoot,
    Strike,
    Take,
)
from hexengine.systems.company.tactics.view import View
from hexengine.systems.company.turn import Ambush

PINNING = 90.0
"""What pinning a platoon is worth."""
RASHNESS = 4.0
"""How much more danger counts at the double: nothing is gained by it before the enemy has shot."""
BOTHER = 4.0
"""A move must bring more than this."""


Plan = tuple[float, type[UnitPlace] | None, int, tuple[Reason, ...]]
"""A move: what it brings, its kind and hex or spot (None and -1 for staying), and why."""


def _base(view: View, unit: int) -> int:
    """The hex of the Command team to which a team should stay near, or -1."""
    command = command_team(view.pos, view.board.platoon[unit])
    return view.pos.place[command] if command >= 0 and command != unit else -1


def _stand(view: View, unit: int, places: Iterable[int]) -> list[tuple[float, int]]:
    """What some hexes are worth to a team, its fire aside, the best first."""
    board, pulls, base = view.board, view.pulls(unit), _base(view, unit)
    if base < 0:
        found = [(-pulls[place], place) for place in places]
    else:
        distances, allowed = board.grid.distances(base), board.platoons[board.platoon[unit]].command
        found = [(-(pulls[place] - 6.0 * max(0, distances[place] - allowed)), place) for place in places]
    found.sort()
    return [(-value, place) for value, place in found]


def _walks(view: View, unit: int, doubles: bool) -> Plan:
    """The best move of a team, against staying; the same for all teams that have the same to choose from."""
    pos, board, platoon = view.pos, view.board, view.board.platoon[unit]
    walker = Walker(pos, unit)
    ends = walker.ends()
    far = Doubler(pos, unit).ends() if doubles else 0
    up = climbs(walker) if board.ground.floors else 0
    key = (
        view.tables.alike[unit], pos.spot(unit), pos.dug >> unit & 1, pos.pinned >> platoon & 1, ends, far,
        up, _base(view, unit), board.platoons[platoon].command, view.holding(unit), view.weights,
    )  # fmt: skip
    found: Plan | None = view.known.walks.get(key)
    if found is None:
        found = view.known.walks[key] = _best_walk(view, unit, ends, far, up)
    return found


def _best_walk(view: View, unit: int, ends: int, far: int, up: int) -> Plan:
    here, spot, ground = view.pos.place[unit], view.pos.spot(unit), view.board.ground
    dug = bool(view.pos.dug >> unit & 1)
    fire, fear = 0.5, view.weights.exposure / 100
    stay = _stand(view, unit, (here,))[0][0] + fire * view.prospects(unit, spot, False)
    stay -= fear * view.exposure(unit, spot, True, dug)
    best: Plan = (0.0, None, -1, ())
    # A quick look first: only the hexes that promise most are looked at closely.
    for value, place in _stand(view, unit, hexes(ends))[:12]:
        shots = fire * view.prospects(unit, place, True)
        danger = fear * view.exposure(unit, place, False)
        gain = value + shots - danger - stay
        if gain > best[0]:
            reasons = (
                Reason("ground", round(value)),
                Reason("outlook", round(shots)),
                Reason("exposure", -round(danger)),
            )
            best = (gain, Move, place, reasons)
    for spot in hexes(up):
        value = _stand(view, unit, (ground.hex_of[spot],))[0][0]
        shots = fire * view.prospects(unit, spot, True)
        danger = fear * view.exposure(unit, spot, False)
        gain = value + shots - danger - stay
        if gain > best[0]:
            best = (gain, Climb, spot, (Reason("ground", round(value)), Reason("outlook", round(shots))))
    for value, place in _stand(view, unit, hexes(far))[:8]:
        danger = RASHNESS * fear * view.exposure(unit, place, False, doubled=True)
        gain = value - danger - stay
        if gain > best[0]:
            why = (Reason("ground", round(value)), Reason("exposure", -round(danger)))
            best = (gain, Double, place, why)
    return best


def movement(view: View, frame: Movement) -> list[Candidate]:
    """Platoon by platoon: the best move of a team, or digging in, where that brings more."""
    pos, board = view.pos, view.board
    found = [Candidate(END, 0.0, (Reason("nothing-better", 0),))]
    found += _entries(view)
    movers, doublers = frame.movers(pos), frame.doublers(pos)
    digs = digging.ready(pos, view.side)
    for platoon in hexes(board.side_platoons[view.side]):
        gains = []
        for unit in units(board.members[platoon] & movers):
            gain, kind, place, reasons = _walks(view, unit, bool(doublers >> unit & 1))
            if kind is not None and gain > BOTHER:
                where: tuple[int, ...] = (place,)
                if kind is Climb:
                    where = (board.ground.hex_of[place], board.ground.floor_of[place])
                gains.append(Candidate(board.orders.once(kind, unit, *where), gain, reasons))
        if digs >> platoon & 1:
            saved = _digging(view, platoon)
            trying = digging.diggers(pos, platoon)
            moving = sum([one.score for one in gains if trying >> getattr(one.order, "unit", 0) & 1])
            if saved > moving:
                found.append(
                    Candidate(board.orders.once(Dig, platoon), saved + 1, (Reason("cover", round(saved)),))
                )
                continue
        found += gains
        if gains:
            # One platoon after another: the rest can wait for the next order.
            break
    for unit in units(frame.turners(pos) & ~movers):
        found += _turning(view, unit)
    return found


def _entries(view: View) -> list[Candidate]:
    pos, book = view.pos, view.board.orders
    found = []
    for unit in units(pos.due & view.board.side_units[view.side]):
        places = [(view.pull(unit, place), place) for place in hexes(entries(pos, unit))]
        if places:
            value, place = max(places)
            found.append(Candidate(book.once(Enter, unit, place), 500 + value, (Reason("arrives", 500),)))
    return found


def _digging(view: View, platoon: int) -> float:
    """What digging in is expected to save."""
    pos, board = view.pos, view.board
    trying = digging.diggers(pos, platoon)
    chance = (7 - worst(pos, trying, True)) / 6
    total = 0.0
    for unit in units(trying):
        place = pos.place[unit]
        saved = view.exposure(unit, place, True) - view.exposure(unit, place, True, True)
        rates = [(weapon.rof - weapon.moved) / weapon.rof for weapon in board.weapons[unit]]
        lost = 0.5 * view.prospects(unit, place, False) * max(rates, default=0.0)
        total += chance * (2.5 * saved + 4) - lost
    return total if pos.turn < board.turns else 0.0


def _turning(view: View, unit: int) -> list[Candidate]:
    """A vehicle or gun turns where that shows its front to more of the enemy."""
    pos, board = view.pos, view.board
    place = pos.place[unit]
    near = [pos.place[one] for one in view.enemies if board.grid.distance(place, pos.place[one]) <= 16]
    if not near:
        return []

    def ahead(way: int) -> int:
        return sum(board.ground.in_front(place, way, there) for there in near)

    now = ahead(pos.facing[unit])
    around = board.grid.neighbours[place]
    best = max(range(6), key=lambda way: (ahead(way) if around[way] >= 0 else -1, -way))
    gain = ahead(best) - now
    if gain <= 0 or around[best] < 0:
        return []
    return [Candidate(board.orders.once(Face, unit, around[best]), 5.0 * gain, (Reason("facing", 5 * gain),))]


def fire_value(view: View, order: Shoot, defensive: bool) -> tuple[float, float]:
    """What the fire of some teams is expected to bring in losses, and how many hits."""
    pos, board = view.pos, view.board
    pool = pool_of(pos, order.platoon, flags_of(order, defensive))
    twice = board.numbers.double_dice if not pool & ~pos.doubled else 1
    value = hits = 0.0
    for unit in units(order.units):
        weapon = weapon_of(pos, unit, order.mg)
        assert weapon is not None
        seen = units(targets(pos, unit, weapon, pool))
        if not seen:
            continue
        dice = twice * rate(pos, unit, weapon, order.mg, defensive)
        each = [view.shot(unit, weapon, dice, target) for target in seen]
        value += sum(each) / len(each)
        far = board.grid.distance(pos.place[unit], pos.place[seen[0]]) > board.reaches.long_range
        hits += dice * view.hit(seen[0], False, False, far) * 0.7
    return value, hits


def fire(view: View, order: Shoot, defensive: bool) -> Candidate:
    """A shot with what it is worth."""
    pos = view.pos
    value, hits = fire_value(view, order, defensive)
    pinned = pos.pinned >> order.platoon & 1 or not pos.alive(order.platoon) & ~view.board.armoured
    before = pos.struck[order.platoon]
    pinning = 0.0 if pinned else PINNING * min(1.0, (before + hits) / 7) * (2 if defensive else 1)
    reasons = (Reason("damage", round(value)), Reason("pinning", round(pinning)))
    return Candidate(order, value + pinning * 0.5, reasons)


def shooting(view: View, frame: Shooting) -> list[Candidate]:
    """For each platoon the shots of all who can, then bombardments and aircraft."""
    pos, board = view.pos, view.board
    found = [Candidate(END, 0.0, (Reason("nothing-better", 0),))]
    enemies = frame.enemies(pos)
    for platoon in hexes(board.side_platoons[view.side]):
        able = board.members[platoon] & view.mine & ~(pos.shot | pos.doubled | pos.bailed)
        if not able:
            continue
        mine = [
            fire(view, order, False) for order in shots(pos, able, enemies, False) if isinstance(order, Shoot)
        ]
        guns = battery(pos, platoon) & able
        if guns:
            mine += _bombardments(view, frame, platoon, guns)
        found += [one for one in mine if one.score > 1.0]
        if found[1:]:
            break
    if pos.flights[view.side]:
        for enemy in enemies:
            value = sum(view.tables.value[unit] for unit in units(pos.alive(enemy))) / 8
            found.append(
                Candidate(board.orders.once(Strike, enemy), value, (Reason("damage", round(value)),))
            )
    return found


def _bombardments(view: View, frame: Shooting, platoon: int, guns: int) -> list[Candidate]:
    pos, board = view.pos, view.board
    found = []
    skill = (7 - board.platoons[platoon].skill) / 6
    for order in frame.orders(pos, platoon):
        if not isinstance(order, Bombard) or order.smoke:
            continue
        firing = bearing(pos, guns, order.place, False)
        need = sum([part.value for part in ranging(pos, view.side, platoon, order.place)])
        once = max(0, 7 - need) / 6
        ranged = 1 - (1 - once) ** board.numbers.ranging_tries
        shape = template(pos, firing.bit_count())
        under = board.ground.disc(shape.radius)[order.place]
        barrage = board.counters[lowest(firing)].barrage
        assert barrage is not None
        value = 0.0
        for unit in units(pos.placed):
            if under >> pos.place[unit] & 1:
                counter = board.counters[unit]
                lost = 0.05 if counter.armour else (counter.save - 1) / 6
                if pos.dug >> unit & 1 or board.ground.bulletproof >> pos.place[unit] & 1:
                    lost *= (7 - barrage.firepower) / 6
                worth = skill * lost * view.tables.value[unit]
                value += worth if counter.side != view.side else -2 * worth - 20
        found.append(Candidate(order, ranged * (value + PINNING / 2), (Reason("damage", round(value)),)))
    return found


def hits(view: View, frame: Sharing) -> list[Candidate]:
    """The team that is worth least, or is best covered, takes the hit."""
    pos, board = view.pos, view.board
    found = []
    for unit in units(frame.pool):
        value = float(view.tables.value[unit])
        if pos.bailed >> unit & 1:
            value /= 2
        if view.tables.worth.get(pos.place[unit], 0):
            value += 40
        found.append(Candidate(board.orders.once(Take, unit), -value, (Reason("value", -round(value)),)))
    return found


def ambush(view: View, frame: Ambush) -> list[Candidate]:
    """A team shows itself where it can shoot well."""
    pos, book = view.pos, view.board.orders
    found = [Candidate(DONE, 0.0, (Reason("nothing-better", 0),))]
    late = pos.turn * 3 >= view.board.turns
    for unit in units(pos.hiding & view.board.side_units[view.side]):
        best, where = 0.0, -1
        for place in hexes(frame.places(pos, unit)):
            value = view.prospects(unit, place, False) - 0.3 * view.exposure(unit, place, True)
            value += view.pull(unit, place) / 4 if late else 0.0
            if value > best:
                best, where = value, place
        if where >= 0 and (best > 25 or late):
            found.append(Candidate(book.once(Reveal, unit, where), best, (Reason("outlook", round(best)),)))
    return found
