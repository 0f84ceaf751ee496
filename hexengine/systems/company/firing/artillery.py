"""Artillery (C13.6) and what it shares with air support (C13.7): ranging in, templates as discs, smoke."""

from __future__ import annotations

from typing import Any

from hexengine.core.dice import COMBAT, Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Contribution, Emit, Event
from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest, units
from hexengine.mechanics.masks import units as hexes
from hexengine.systems.company.board import Template
from hexengine.systems.company.firing.hits import Blow, groups, resolve
from hexengine.systems.company.morale import pin, worst
from hexengine.systems.company.orders import Bombard
from hexengine.systems.company.position import CompanyPosition
from hexengine.systems.company.sight.cover import concealed, gone_to_ground


def battery(pos: CompanyPosition, platoon: int) -> int:
    """The guns of a platoon that may bombard: they have not shot, moved or doubled; digging in is no move but
    for rates of fire (C3.7).
    """
    ready = pos.alive(platoon) & pos.board.guns
    return ready & ~(pos.shot | pos.moved | pos.doubled | pos.bailed)


def bearing(pos: CompanyPosition, guns: int, place: int, smoke: bool) -> int:
    """Of some guns those that reach an aiming point, with smoke if that is wanted."""
    board = pos.board
    found = 0
    for unit in units(guns):
        barrage, here = board.counters[unit].barrage, pos.place[unit]
        assert barrage is not None, "it can bombard"
        if board.grid.distance(here, place) > barrage.range or (smoke and not barrage.smoke):
            continue
        if board.arcs >> unit & 1 and not board.ground.in_front(here, pos.facing[unit], place):
            continue
        found |= 1 << unit
    return found


def observer(pos: CompanyPosition, platoon: int, place: int) -> int:
    """The team that observes an aiming point, or -1: rather not a company commander, who makes it harder."""
    board = pos.board
    side = board.platoons[platoon].side
    mask = board.observers & board.side_units[side] & pos.placed & ~(pos.doubled | pos.bailed)
    mask &= board.members[platoon] | board.companies | ~board.commands
    spots = pos.places(pos.at(place, 1 - side))
    seeing = [unit for unit in units(mask) if board.sight.among(pos.spot(unit), spots)]
    return min(seeing, key=lambda unit: (board.companies >> unit & 1, unit), default=-1)


def bombardments(pos: CompanyPosition, platoon: int) -> list[Order]:
    """What a battery may bombard: hexes with enemies that somebody observes."""
    guns = battery(pos, platoon)
    if not guns:
        return []
    book = pos.board.orders
    found: list[Order] = []
    for place in hexes(pos.taken(1 - pos.board.platoons[platoon].side)):
        if observer(pos, platoon, place) >= 0:
            found += [book.once(Bombard, platoon, place, smoke) for smoke in (False, True)
                      if bearing(pos, guns, place, smoke)]  # fmt: skip
    return found


def check(pos: CompanyPosition, side: int, order: Bombard) -> Refusal | None:
    """Whether a battery may bombard an aiming point."""
    board, platoon, place = pos.board, order.platoon, order.place
    facts: dict[str, Any] = {"platoon": board.platoons[platoon].id, "hex": board.labels[place]}
    if board.platoons[platoon].side != side:
        return Refusal("C13.6", "not-yours", facts)
    guns = battery(pos, platoon)
    if not guns:
        return Refusal("C13.6", "no-battery", facts)
    if not pos.taken(1 - side) >> place & 1:
        return Refusal("C13.6", "nothing-to-aim-at", facts)
    if observer(pos, platoon, place) < 0:
        return Refusal("C13.6", "no-observer", facts)
    return None if bearing(pos, guns, place, order.smoke) else Refusal("C13.6", "guns-do-not-bear", facts)


def protection(pos: CompanyPosition, unit: int, origin: int) -> list[Contribution]:
    """The parts of the score against a team by its skill, concealment and going to ground."""
    more = pos.board.numbers
    parts = [Contribution("C13.6", "skill", pos.board.counters[unit].to_hit)]
    if concealed(pos, unit, origin):
        parts.append(Contribution("C13.6", "concealed", more.concealed))
        if gone_to_ground(pos, unit):
            parts.append(Contribution("C13.6", "gone-to-ground", more.gone_to_ground))
    return parts


def score_from_above(pos: CompanyPosition, pool: int) -> list[Contribution]:
    """The score of aircraft against a platoon: protection counts if half or more of its teams have it
    (C13.7).
    """
    found = [protection(pos, unit, -1) for unit in units(pool)]
    found.sort(key=lambda parts: sum([part.value for part in parts]))
    return found[len(found) // 2]


def ranging(pos: CompanyPosition, side: int, platoon: int, place: int) -> list[Contribution]:
    """The parts of the score to range in: of the team in the aiming point that is hardest to hit."""
    board = pos.board
    eye = observer(pos, platoon, place)
    found = [protection(pos, unit, pos.place[eye]) for unit in units(pos.at(place, 1 - side))]
    parts = max(found, key=lambda one: sum([part.value for part in one]))
    if board.companies >> eye & 1:
        parts.append(Contribution("C13.6", "company-observer", board.numbers.company_observer))
    return parts


def template(pos: CompanyPosition, guns: int) -> Template:
    """The template of a bombardment by so many guns."""
    return [one for one in pos.board.templates if one.guns <= guns][-1]


def bombard(pos: CompanyPosition, side: int, order: Bombard, dice: Dice, emit: Emit) -> None:
    """Range in with up to three tries; then everything under the template is attacked, or smoke laid."""
    board, platoon, place = pos.board, order.platoon, order.place
    guns = bearing(pos, battery(pos, platoon), place, order.smoke)
    parts = ranging(pos, side, platoon, place)
    need = sum([part.value for part in parts])
    pos.shot |= guns
    pos.full |= guns
    faces: list[int] = []
    found = False
    for _ in range(board.numbers.ranging_tries if need <= 8 else 0):
        found = bool(dice.at_least(COMBAT, 1, need) if need <= 6 else dice.chained(COMBAT, 1, 6, need - 2))
        faces += dice.faces
        if found:
            break
    if emit:
        facts = {"platoon": board.platoons[platoon].id, "hex": board.labels[place], "need": need}
        facts.update(parts=parts, faces=faces, guns=guns.bit_count())
        emit(Event("C13.6", "ranged-in" if found else "ranging-failed", facts))
    if not found:
        return
    shape = template(pos, guns.bit_count())
    under = board.ground.disc(shape.radius)[place]
    if order.smoke:
        if side:
            pos.smoke_1 |= under
        else:
            pos.smoke_0 |= under
        return
    _fall(pos, guns, under, shape, dice, emit)


def _fall(pos: CompanyPosition, guns: int, under: int, shape: Template, dice: Dice, emit: Emit) -> None:
    """One die for each team under the template, of whichever side, never doubled (C2.10)."""
    board = pos.board
    first = lowest(guns)
    need = worst(pos, guns, True)
    barrage = board.counters[first].barrage
    assert barrage is not None, "it can bombard"
    struck = sum(1 << unit for unit in units(pos.placed) if under >> pos.place[unit] & 1)
    hit = 0
    for group in groups(pos, struck):
        number = len(group)
        if shape.again == "hits":
            hits = dice.chained(COMBAT, number, need, need)
        else:
            hits = dice.at_least(COMBAT, number, need)
        faces = list(dice.faces)
        if shape.again == "misses" and hits < number:
            hits += dice.at_least(COMBAT, number - hits, need)
            faces += dice.faces
        for unit in group[number - hits :]:
            pos.hits[unit] = 1
            hit |= 1 << board.platoon[unit]
        if emit:
            facts = {"units": [board.ids[unit] for unit in group], "need": need, "faces": faces}
            emit(Event("C13.6", "under-the-template", {**facts, "hits": hits}))
    resolve(pos, Blow(barrage.at, barrage.firepower, []), dice, emit)
    for platoon in hexes(hit):
        # C11.2: any hit of a bombardment pins.
        pin(pos, platoon, "C11.2", emit)
