"""Who can charge where, who strikes whom, and where one breaks off to (C13.1, C13.3, C13.5)."""

from __future__ import annotations

from hexengine.mechanics.masks import units
from hexengine.mechanics.masks import units as hexes
from hexengine.systems.company.ground import DIFFICULT
from hexengine.systems.company.moving.reach import Walker
from hexengine.systems.company.moving.walking import contact_at
from hexengine.systems.company.position import CompanyPosition, shift


def fighters(pos: CompanyPosition, side: int) -> int:
    """Teams of a kind that charges: infantry, cavalry and armoured vehicles that can move."""
    board = pos.board
    kinds = board.infantry | board.cavalry | board.armoured
    return board.side_units[side] & kinds & board.mobile & pos.placed & ~(pos.bailed | pos.bogged)


def members(pos: CompanyPosition, platoons: int) -> int:
    """The teams on the map of some platoons."""
    found = 0
    for platoon in hexes(platoons):
        found |= pos.alive(platoon)
    return found


def active_side(pos: CompanyPosition) -> int:
    """The side whose turn it is: the attacker of an assault."""
    return pos.frames[0].decider(pos)


def fighting(pos: CompanyPosition, side: int) -> int:
    """The teams of a side's platoons in the assault that goes on."""
    return members(pos, pos.fighting & pos.board.side_platoons[side])


def near(pos: CompanyPosition, place: int, mask: int, distance: int) -> bool:
    """Whether one of some teams is within a distance of a hex (C1.2)."""
    row = pos.board.grid.distances(place)
    return any(row[pos.place[unit]] <= distance for unit in units(mask))


def contacts(pos: CompanyPosition, unit: int) -> int:
    """The hexes of enemies into which a team may charge."""
    board = pos.board
    around = board.ground.disc(board.reaches.charge)[pos.place[unit]]
    return charge_ends(pos, unit)[0] if around & pos.taken(1 - board.side[unit]) else 0


def charge_ends(pos: CompanyPosition, unit: int) -> tuple[int, int]:
    """Where a team may charge: hexes of enemies, and those next to one to strike from (C13.1).

    C13.4: a counter-attack goes against the attacker's platoons in the assault alone.
    """
    board = pos.board
    walker = Walker(pos, unit)
    ground, enemies = board.ground, walker.enemies
    active = active_side(pos)
    targets = enemies
    if walker.side != active:
        targets = 0
        for enemy in units(fighting(pos, active)):
            targets |= 1 << pos.place[enemy]
    found = 0
    for layer in _layers(walker):
        found |= layer
    found &= ~(walker.crowded | 1 << walker.start)
    beside = ground.near(targets, board.reaches.contact) if board.reaches.contact else 0
    return found & targets, found & beside & ~enemies


def _layers(walker: Walker) -> list[int]:
    """The hexes to which a charge comes first with each number of steps; it ends in those of enemies."""
    ground, enemies = walker.ground, walker.enemies
    ways = (ground.foot if walker.foot else ground.wheels)[DIFFICULT]
    doors = ground.door_hexes if walker.foot else 0
    seen = frontier = 1 << walker.start
    layers = [frontier]
    for _ in range(walker.pos.board.reaches.charge - walker.down):
        reached = ways.spread(frontier)
        for place in hexes(frontier & doors):
            reached |= _doors(walker, place)
        reached &= ~seen
        layers.append(reached)
        seen |= reached
        frontier = reached & ~enemies
    return layers


def _doors(walker: Walker, place: int) -> int:
    """The rooms that may be entered from a hex: held ones by as many teams as the opening is wide (C13.3),
    those inside counted, not who touches it from outside; empty ones where that asks for no test (C8.2).
    """
    pos, ground = walker.pos, walker.ground
    found = 0
    for room in ground.doors[place]:
        opening = ground.opening[place, room]
        if walker.enemies >> room & 1:
            engaged = units(pos.engaged & pos.at(room, walker.side))
            inside = sum(1 for one in engaged if pos.contact[one] == opening)
            if inside >= ground.openings[opening].width:
                continue
        elif walker.tested(opening):
            continue
        found |= 1 << room
    return found


def last_step(pos: CompanyPosition, unit: int, place: int) -> tuple[int, int]:
    """The hex from which a charge comes into a hex, and the opening by which it comes into a room, or -1:
    the shortest way, at its end through the lowest hex.
    """
    walker = Walker(pos, unit)
    ground = walker.ground
    ways = (ground.foot if walker.foot else ground.wheels)[DIFFICULT]
    layers = _layers(walker)
    number = next(number for number, layer in enumerate(layers) if layer >> place & 1)
    doors = ground.door_hexes if walker.foot else 0
    # Its own hex may be an enemy's, in a counter-attack; it goes through no other one.
    passable = ~walker.enemies | 1 << walker.start
    for before in hexes(layers[number - 1] & ground.around[place] & passable):
        if ways.leads(before, place):
            return before, -1
        if doors >> before & 1 and _doors(walker, before) >> place & 1:
            return before, ground.opening[before, place]
    raise AssertionError("a charge comes from the hexes reached before")


def in_reach(pos: CompanyPosition, unit: int) -> tuple[int, int]:
    """The hexes at which a team can strike: its own and those near it, around walls; and those through the
    opening that it touches (C13.3).
    """
    ground, here = pos.board.ground, pos.place[unit]
    reach, opening = pos.board.reaches.contact, pos.contact[unit]
    near = 1 << here
    for _ in range(reach):
        near |= ground.unwalled.spread(near)
    if opening < 0 or not reach:
        return near, 0
    one = ground.openings[opening]
    through = 1 << (one.inside if here == one.outside else one.outside)
    for _ in range(reach - 1):
        through |= ground.unwalled.spread(through)
    return near, through & ~near


def strikers(pos: CompanyPosition, side: int, active: int) -> tuple[int, int]:
    """The teams of a side that strike, and the enemy teams that they reach (C13.3, C2.8)."""
    board = pos.board
    ground = board.ground
    mask = fighting(pos, side) & ~pos.bailed
    if side == active:
        mask &= ~pos.doubled
    enemies = foes(pos, side, active)
    used: dict[int, int] = {}
    for unit in units(pos.engaged & mask):
        opening = pos.contact[unit]
        if opening >= 0 and ground.openings[opening].inside == pos.place[unit]:
            used[opening] = used.get(opening, 0) + 1
    striking = struck = 0
    for unit in units(mask):
        around, through = in_reach(pos, unit)
        mine = _standing(pos, enemies, around)
        beyond = _standing(pos, enemies, through)
        if not mine and not beyond:
            continue
        if not mine:
            opening = pos.contact[unit]
            if used.get(opening, 0) >= ground.openings[opening].width:
                continue
            used[opening] = used.get(opening, 0) + 1
        striking |= 1 << unit
        struck |= mine | beyond
    return striking, struck


def _standing(pos: CompanyPosition, mask: int, places: int) -> int:
    """Of some teams on the map those that stand in some hexes."""
    where = pos.place
    found = 0
    for unit in units(mask):
        if places >> where[unit] & 1:
            found |= 1 << unit
    return found


def foes(pos: CompanyPosition, side: int, active: int) -> int:
    """The teams that a side strikes and breaks off from: the attackers' in the assault, or for them all of
    the other side's.
    """
    return fighting(pos, active) if side != active else pos.placed & pos.board.side_units[1 - side]


def pressed(pos: CompanyPosition, side: int, active: int) -> int:
    """Platoons of a side with teams near enough to go on fighting; of the attacker only those in the
    assault.
    """
    board = pos.board
    against = foes(pos, side, active)
    mask = board.side_platoons[side]
    if side == active:
        mask &= pos.fighting
    found = 0
    for platoon in hexes(mask):
        for unit in units(pos.alive(platoon)):
            if near(pos, pos.place[unit], against, board.reaches.breakoff):
                found |= 1 << platoon
                break
    return found


def drive(walker: Walker, place: int) -> None:
    """A team goes to a hex by the way that the rules choose: it faces the way it went, and touches an opening
    there (C1.4, C6.4).
    """
    pos, unit = walker.pos, walker.unit
    before = [walker.start, *walker.path(place)][-2]
    shift(pos, unit, place)
    pos.facing[unit] = pos.board.grid.direction(before, place)
    pos.contact[unit] = contact_at(pos, unit)


def retreat(pos: CompanyPosition, unit: int) -> Walker:
    """A team that breaks off: it goes twice as far as on the ground that it touches otherwise (C13.5)."""
    times = pos.board.numbers.double_distance
    road, cross, difficult = pos.board.allowance[unit]
    return _driven(pos, unit, (times * road, times * cross, times * difficult))


def advance(pos: CompanyPosition, unit: int) -> Walker:
    """A team of the winner that consolidates: up to the distance of a charge on any ground (C13.5)."""
    reach = pos.board.reaches.charge
    return _driven(pos, unit, (reach, reach, reach))


def _driven(pos: CompanyPosition, unit: int, allowance: tuple[int, int, int]) -> Walker:
    """A team that moves in an assault: fire does not hold it, it tries no contested building, and it takes no
    going checks, so that it may go through where it could not stay (C1.6).
    """
    walker = Walker(pos, unit)
    road, cross, difficult = [max(0, number - walker.down) for number in allowance]
    walker.allowance = road, cross, difficult
    walker.watched, walker.bold, walker.checks = 0, False, False
    return walker


def refuges(pos: CompanyPosition, unit: int, active: int) -> int:
    """The hexes to which a team that breaks off may go: at up to double distance, away from the enemy
    (C13.5).
    """
    board = pos.board
    if not board.mobile >> unit & 1 or (pos.bailed | pos.bogged) >> unit & 1:
        return 0
    walker = retreat(pos, unit)
    found = walker.reach().found & ~(walker.crowded | walker.enemies | 1 << walker.start)
    discs = board.ground.disc(board.reaches.breakoff)
    for enemy in units(foes(pos, board.side[unit], active)):
        found &= ~discs[pos.place[enemy]]
    return found


def steps_on(pos: CompanyPosition, unit: int) -> int:
    """The hexes to which a team of the winner may consolidate (C13.5)."""
    walker = advance(pos, unit)
    return walker.reach().found & ~(walker.crowded | walker.enemies | 1 << walker.start)
