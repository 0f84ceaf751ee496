"""Direct fire (S8): who may fire at what, the firepower of a group, and its attack."""

from __future__ import annotations

from collections.abc import Iterator

from hexengine.core.dice import Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Contribution, Emit, Event
from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest, units
from hexengine.systems.squad.firing import ordnance
from hexengine.systems.squad.firing.armour import armour_of, pierce
from hexengine.systems.squad.firing.damage import best_lm, in_motion, strike
from hexengine.systems.squad.moving.vehicles import underway
from hexengine.systems.squad.orders import Fire
from hexengine.systems.squad.position import SquadPosition, mf
from hexengine.systems.squad.sight.spotting import looks, reveal

MOVED_FIRE = -2
"""After an assault move, or a stealth move by others than scouts, once for the attack (S6.5, S7.17)."""
NIGHT_FIRE, NIGHT_SIGHT = -3, 2
"""What fire loses at night, and beyond how many hexes (S8.4)."""
MOST_TERRAIN_TM = 4
ADJACENT = 2
NO_LIMIT = 1 << 30
"""Hexes, more than any fire goes."""


def locked(pos: SquadPosition) -> int:
    """The mask of units in a melee (S12.1)."""
    found = 0
    for place in units(pos.melee):
        found |= pos.at(place, 0) | pos.at(place, 1)
    return found


def ready(pos: SquadPosition, side: int, reaction: bool) -> int:
    """The units of a side that may fire now, or in reaction (S8.1, S9.2), also if they held it (S6.8)."""
    board = pos.board
    out = pos.shaken | pos.moved | pos.crawl | pos.fired
    if not reaction:
        # S8.12: who has placed smoke only moves, but how it moves may let it fire.
        out |= pos.ops | pos.smoked & ~(pos.assault | pos.stealth)
    mask = pos.placed & board.side_units[side] & ~out
    if mask & pos.stealth:
        for unit in units(mask & pos.stealth):
            if pos.spent[unit] > half_allowance(pos, unit):
                mask &= ~(1 << unit)
    return mask & ~locked(pos) if pos.melee else mask


def half_allowance(pos: SquadPosition, unit: int) -> int:
    """Half MP that a unit on a stealth move may spend and still fire, of its MF as it is now (S7.16)."""
    return -(-mf(pos, unit) // 2) * 2


FIRE_BARS = {
    "shaken-fire": "S11.6",
    "locked": "S12.1",
    "fired-assault": "S6.7",
    "fired": "S8.10",
    "moved-fire": "S1.4",
    "crawled": "S7.7",
    "smoked-fire": "S8.12",
    "ops-complete": "S2.8",
    "stealth-too-far": "S7.16",
}
"""Why a unit may not fire, and by which rule."""


def fire_bar(pos: SquadPosition, unit: int, reaction: bool) -> str:
    """Why a unit that is not :func:`ready` may not fire: a code of ``FIRE_BARS``."""
    bit = 1 << unit
    if pos.shaken & bit:
        return "shaken-fire"
    if locked(pos) & bit:
        return "locked"
    if pos.fired & bit:
        return "fired-assault" if pos.assault & bit else "fired"
    if pos.moved & bit:
        return "moved-fire"
    if pos.crawl & bit:
        return "crawled"
    if pos.ops & bit and not reaction:
        return "ops-complete"
    if pos.smoked & bit and not reaction and not (pos.assault | pos.stealth) & bit:
        return "smoked-fire"
    return "stealth-too-far"


def refuse_unit(pos: SquadPosition, side: int, unit: int, reaction: bool) -> Refusal:
    """Why a unit may not fire."""
    board = pos.board
    facts = {"unit": board.ids[unit]}
    if board.side[unit] != side or not board.units >> unit & 1:
        return Refusal("S2.1", "not-yours", facts)
    if not pos.placed >> unit & 1:
        return Refusal("S2.1", "off-map", facts)
    bar = fire_bar(pos, unit, reaction)
    return Refusal(FIRE_BARS[bar], bar, facts)


def reach(pos: SquadPosition, unit: int) -> int:
    """How far a unit's fire goes with a carried weapon that is no ordnance (S8.9); -1 if it has none."""
    reaches, weapon = pos.board.reach, pos.arms[unit]
    own = reaches[unit][pos.steps[unit]]
    return own if weapon < 0 else max(own, reaches[weapon][1])


def parts(pos: SquadPosition, mask: int, place: int, reaction: bool) -> list[Contribution]:
    """What an attack is made of, apart from its die (S8.2 to S8.4); the sum may be below zero (S6.6)."""
    board, smoke, first = pos.board, pos.smoke_1 | pos.smoke_2, lowest(mask)
    origin = pos.place[first]
    distance = board.places.distance(origin, place)
    found = _firepower(pos, mask, distance, reaction)
    lm = best_lm(pos, board.side[first], origin)
    if lm:
        found.append(Contribution("S8.2", "leader", lm))
    if board.places.near[origin] >> place & 1:
        found.append(Contribution("S8.4", "adjacent", ADJACENT))
    hindrance = board.sight.hindrance(origin, place, smoke)
    if hindrance:
        found.append(Contribution("S10.2", "degrading", -hindrance))
    if mask & (pos.assault | pos.stealth & ~board.scouts):
        rule = "S6.5" if mask & pos.assault else "S7.17"
        found.append(Contribution(rule, "after-moving", MOVED_FIRE))
    if smoke >> board.places.hex_of[origin] & 1:
        found.append(Contribution("S8.4", "out-of-smoke", -1))
    if board.options.night and in_the_dark(pos, distance, place):
        found.append(Contribution("S8.4", "night", NIGHT_FIRE))
    if board.vehicles:
        found += _on_wheels(pos, mask)
    return found


def in_the_dark(pos: SquadPosition, distance: int, place: int) -> bool:
    """Whether a place at a distance is too far to be seen well at night, and not lit."""
    board = pos.board
    return distance > NIGHT_SIGHT and not board.lit >> board.places.hex_of[place] & 1


def _on_wheels(pos: SquadPosition, mask: int) -> list[Contribution]:
    """What passengers lose, and vehicles that have turned in place, each once an attack (S8.4)."""
    found = []
    riders = mask & pos.aboard
    if riders:
        moved = any((pos.moved | pos.assault) >> pos.carrier[unit] & 1 for unit in units(riders))
        found.append(Contribution("S8.4", "passenger", -2 if moved else -1))
    if any(pos.turned[unit] for unit in units(mask & pos.board.vehicles)):
        found.append(Contribution("S8.4", "turned", -1))
    return found


def _firepower(pos: SquadPosition, mask: int, distance: int, reaction: bool) -> list[Contribution]:
    """The lead at full, others at half, carried weapons at full (S8.3); beyond their range at half (S8.9).

    Of several halvings the unit's own comes first, then that of combining, then that of range; each up.
    """
    board = pos.board
    own: list[tuple[int, int]] = []
    weapons: list[Contribution] = []
    for unit in units(mask):
        fp = board.fp[unit][pos.steps[unit]]
        if board.guns >> unit & 1:
            fp = 0
        if reaction and pos.ops >> unit & 1 and fp:
            fp = (fp + 1) // 2 if board.options.ops_complete_of == "half" else fp - 1
        limit = board.range[unit][pos.steps[unit]]
        far = 2 if distance > 2 * limit or (distance > limit and not board.options.extended_range) else 0
        own.append((0 if far else fp, 1 if distance > limit else 0))
        weapon = pos.weapon(unit)
        if weapon >= 0 and not board.guns >> weapon & 1:
            weapons += _weapon(pos, weapon, distance, reaction)
    # The lead is whoever adds most by leading: of equal firepower the one within range.
    lead = max(range(len(own)), key=lambda at: (own[at][0], -own[at][1])) if len(own) > 1 else 0
    found = []
    for at, (fp, halved) in enumerate(own):
        value = fp if at == lead else (fp + 1) // 2
        value = (value + 1) // 2 if halved else value
        if value or at == lead:
            found.append(Contribution("S8.3", "lead" if at == lead else "joins", value))
    return found + weapons


def _weapon(pos: SquadPosition, weapon: int, distance: int, reaction: bool) -> list[Contribution]:
    board = pos.board
    fp, limit = board.fp[weapon][1], board.range[weapon][1]
    if distance > 2 * limit or (distance > limit and not board.options.extended_range):
        return []
    if reaction:
        fp = (fp + 1) // 2
    if distance > limit:
        fp = (fp + 1) // 2
    return [Contribution("S8.3", "weapon", fp)] if fp else []


def cover(pos: SquadPosition, origin: int, place: int) -> list[Contribution]:
    """What the defender's die is raised by: terrain, at most +4 in all, and smoke (S8.4, S8.12)."""
    board = pos.board
    where = board.places.hex_of[place]
    found = []
    terrain = board.places.tm[place]
    if terrain:
        found.append(Contribution("S4.10", "terrain", min(terrain, MOST_TERRAIN_TM)))
    works = 0
    if place < board.size:
        if board.foxholes >> where & 1:
            works += 1
        if board.wall_tm and origin >= 0:
            works += _wall(pos, board.places.hex_of[origin], where)
    works = min(works, MOST_TERRAIN_TM - min(terrain, MOST_TERRAIN_TM))
    if works:
        found.append(Contribution("S4.10", "works", works))
    if pos.smoke() >> where & 1:
        found.append(Contribution("S8.12", "smoke", 1))
    return found


def _wall(pos: SquadPosition, origin: int, where: int) -> int:
    """TM of the hexside by which a line of fire comes into a hex; of two along a corner the better one."""
    board = pos.board
    if board.grid.distance(origin, where) <= 1:
        return board.wall_tm.get((origin, where), 0)
    x, y = board.sight.last(origin, where)
    return max(board.wall_tm.get((x, where), 0), board.wall_tm.get((y, where), 0))


# -- what is legal ----------------------------------------------------------------------------------


def subsets(mask: int) -> Iterator[int]:
    """All sets of one or more units of a mask, in ascending order of their masks."""
    subset = mask & -mask
    while subset:
        yield subset
        subset = (subset - mask) & mask


def targets_from(pos: SquadPosition, side: int, place: int) -> int:
    """The places that a side has spotted, and sees from a place, and that are no melee (S8.1, S12.1)."""
    return looks(pos, side, place)[0]


def in_reach(pos: SquadPosition, mask: int, origin: int) -> int:
    """The places to which the fire of each of some units of one place goes; no ordnance is among them."""
    board = pos.board
    if mask & board.guns:
        return 0
    reaches, steps, arms = board.reach, pos.steps, pos.arms
    least = NO_LIMIT
    for unit in units(mask):
        far, weapon = reaches[unit][steps[unit]], arms[unit]
        if weapon >= 0 and reaches[weapon][1] > far:
            far = reaches[weapon][1]
        if far < least:
            least = far
    return board.places.within(origin, least) if least >= 0 else 0


def reaching(pos: SquadPosition, mask: int, origin: int, target: int, distance: int) -> int:
    """Those of some units of a place whose fire, or that of their ordnance, goes as far as a target."""
    board, steps, arms = pos.board, pos.steps, pos.arms
    reaches = board.reach
    gunners = board.gunners | pos.armed
    found = 0
    for unit in units(mask):
        weapon = arms[unit]
        if (
            reaches[unit][steps[unit]] >= distance
            or (weapon >= 0 and reaches[weapon][1] >= distance)
            or (gunners >> unit & 1 and ordnance.in_reach(pos, unit, origin) >> target & 1)
        ):
            found |= 1 << unit
    return found


def together(pos: SquadPosition, mask: int, target: int) -> list[int]:
    """Those sets of some units of one place, each of whom can reach a target, that can fire at it."""
    if not mask & (mask - 1):
        return [mask]
    origin = pos.place[lowest(mask)]
    plain = mask
    for unit in units(mask):
        if not in_reach(pos, 1 << unit, origin) >> target & 1:
            plain ^= 1 << unit
    return [each for each in subsets(mask) if not each & (each - 1) or not each & ~plain]


def group_fires(pos: SquadPosition, mask: int, targets: int, found: list[Order]) -> None:
    """Append the fire of units of one place that may fire, all together, at each of some places in sight."""
    first, fire_at = lowest(mask), pos.board.orders.fire
    origin = pos.place[first]
    plain = targets & in_reach(pos, mask, origin)
    guns = mask & (pos.board.gunners | pos.armed) and not mask & (mask - 1)
    shells = targets & ordnance.in_reach(pos, first, origin) if guns else 0
    if not shells:
        for target in units(plain):
            found.append(fire_at(mask, target))
        return
    for target in units(plain | shells):
        if plain >> target & 1:
            found.append(fire_at(mask, target))
        if shells >> target & 1:
            ordnance.shots(pos, first, target, found)


def check_fire(pos: SquadPosition, order: Fire, known: int) -> Refusal | None:
    """Whether units that may fire may make this very attack; ``known`` are the spotted places."""
    board = pos.board
    origin = pos.place[lowest(order.units)]
    for unit in units(order.units):
        if pos.place[unit] != origin:
            return Refusal("S8.3", "different-places", {"units": [board.ids[u] for u in units(order.units)]})
    seen = known >> order.place & 1 and not pos.melee >> order.place & 1
    if not seen or not board.sight.sees(origin, order.place, pos.smoke_1 | pos.smoke_2):
        return _refuse_target(pos, order, origin, known)
    distance = board.places.distance(origin, order.place)
    if order.target >= 0 or ordnance.shooter(board, order) >= 0:
        return ordnance.check_shot(pos, order, distance)
    for unit in units(order.units):
        most = reach(pos, unit)
        if most < 0:
            return Refusal("S8.3", "no-firepower", {"unit": board.ids[unit]})
        if most < distance:
            far = {"hex": board.labels[order.place], "from": board.labels[origin], "unit": board.ids[unit]}
            return Refusal("S8.9", "out-of-range", {**far, "distance": distance, "reach": most})
    return None


def _refuse_target(pos: SquadPosition, order: Fire, origin: int, known: int) -> Refusal:
    board = pos.board
    facts = {"hex": board.labels[order.place], "from": board.labels[origin]}
    if not known >> order.place & 1:
        return Refusal("S8.1", "not-spotted", facts)
    if pos.melee >> order.place & 1:
        return Refusal("S12.1", "melee-target", facts)
    return Refusal("S10.1", "no-line-of-sight", {**facts, "unit": board.ids[lowest(order.units)]})


# -- carrying out -----------------------------------------------------------------------------------


def fire(pos: SquadPosition, order: Fire, reaction: bool, dice: Dice, emit: Emit) -> None:
    """Carry out a legal attack; who fired is marked Fired, and spotted (S8.10)."""
    board = pos.board
    origin = pos.place[lowest(order.units)]
    shooter = ordnance.shooter(board, order)
    if emit:
        facts = {
            "units": [board.ids[unit] for unit in units(order.units)],
            "from": board.labels[origin],
            "hex": board.labels[order.place],
            "with": board.ids[order.weapon] if order.weapon >= 0 else "",
            "target": board.ids[order.target] if order.target >= 0 else "",
        }
        emit(Event("S9.4" if reaction else "S8.10", "opportunity-fire" if reaction else "fire", facts))
    attack = parts(pos, order.units, order.place, reaction) if shooter < 0 else []
    firers = order.units
    defenders = pos.at(order.place, 1 - board.side[lowest(firers)])
    moving = in_motion(pos, defenders) | underway(pos, defenders)
    hit = 1
    if shooter >= 0:
        aimed = 1 << order.target if order.target >= 0 else defenders
        hit = ordnance.to_hit(pos, order, shooter, bool(aimed & moving), reaction, dice, emit)
        attack = [Contribution("S14.3", "shell", board.gun(shooter).he)]
    pos.fired |= firers
    if hit and order.target >= 0:
        _pierce(pos, order, shooter, hit, dice, emit)
    elif hit:
        rule = "S8.2" if shooter < 0 else "S14.3"
        strike(pos, rule, order.place, defenders, attack, cover(pos, origin, order.place), moving, dice, emit)
    if pos.hidden:
        pos.hidden &= ~firers
        reveal(pos, emit)


def _pierce(pos: SquadPosition, order: Fire, gun: int, rolled: int, dice: Dice, emit: Emit) -> None:
    """A hit on a vehicle: in the turret if the sum rolled was even and above 2, else in the hull (S14.2)."""
    board = pos.board
    origin = pos.place[lowest(order.units)]
    turret = rolled % 2 == 0 and rolled > 2
    armour = armour_of(pos, order.target, origin, turret)
    attack = board.gun(gun).penetration(board.places.distance(origin, order.place))
    pierce(pos, order.target, attack, armour, "S14.2", dice, emit)
