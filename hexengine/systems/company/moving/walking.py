"""A team goes its way (C1.5, C1.6, C8): whether a named way is legal, and what happens on it."""

from __future__ import annotations

from typing import Any

from hexengine.core.dice import MORALE, Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.mechanics.masks import units
from hexengine.mechanics.masks import units as hexes
from hexengine.systems.company.ground import DIFFICULT, ONE_FAILS, ROAD
from hexengine.systems.company.moving.reach import ENDLESS, Walker, blocked, strays
from hexengine.systems.company.position import CompanyPosition, shift

COLUMN_NAMES = ("road", "cross-country", "difficult")
TOO_FAR = frozenset({"out-of-reach", "too-short"})
"""Codes of what says nothing but that a way is too long."""


def refuse_moving(pos: CompanyPosition, unit: int, facts: dict[str, Any]) -> Refusal | None:
    """Why a team on the map cannot move at all, whatever it has done in this step."""
    bit = 1 << unit
    if pos.bogged & bit:
        return Refusal("C1.6", "bogged-down", facts)
    if pos.bailed & bit:
        return Refusal("C12.4", "bailed-out", facts)
    if not pos.board.mobile & bit:
        return Refusal("C1.5", "immobile", facts)
    return None


def refuse_again(pos: CompanyPosition, unit: int, facts: dict[str, Any]) -> Refusal | None:
    """Why a team does not move any more in the step in which it has acted."""
    bit = 1 << unit
    if pos.doubled & bit:
        return Refusal("C2.8", "doubled-already", facts)
    if pos.tried & bit:
        return Refusal("C3.1", "digs-instead", facts)
    if pos.moved & bit:
        return Refusal("C1.5", "moved-already", facts)
    return None


def refuse_step(walker: Walker, a: int, b: int) -> Refusal | None:
    """Why a team cannot step from one hex to another, whatever the length of its way."""
    pos, ground, unit = walker.pos, walker.ground, walker.unit
    board = pos.board
    facts: dict[str, Any] = {"unit": board.ids[unit], "hex": board.labels[b], "from": board.labels[a]}
    if b not in ground.grid.neighbours[a]:
        return Refusal("C1.5", "not-adjacent", facts)
    into = ground.building[b] >= 0
    if (into or ground.building[a] >= 0) and not walker.foot:
        return Refusal("C6.5", "team-class", facts)
    if ground.walled(a, b):
        opening = ground.opening_at(a, b)
        if opening < 0:
            # C6.6: an opening upstairs is for shooting.
            upstairs = ground.windows.get((a, b))
            return Refusal("C6.6", "upper-floor", facts) if upstairs else Refusal("C6.2", "wall", facts)
        if into:
            refusal = _refuse_entry(walker, a, b, opening, facts)
            if refusal is not None:
                return refusal
        elif walker.enemies >> b & 1:
            return Refusal("C1.3", "enemy-there", facts)
    elif walker.enemies >> b & 1:
        return Refusal("C7.5" if into else "C1.3", "enemy-there", facts)
    if ground.column_of(a, b) > DIFFICULT:
        return Refusal("C1.5", "impassable", facts)
    if walker.watched and not walker.not_closer(a, 1 << b):
        return Refusal("C11.2", "pinned-closer", facts)
    if walker.checks and walker.crowded >> b & 1 and ground.checked.leads(a, b):
        return Refusal("C1.6", "no-room-to-stop", facts)
    return None


def _refuse_entry(walker: Walker, a: int, b: int, opening: int, facts: dict[str, Any]) -> Refusal | None:
    if blocked(walker.pos, opening):
        return Refusal("C8.4", "opening-blocked", facts)
    if walker.tested(opening):
        return Refusal("C8.4", "no-room-to-stop", facts) if walker.crowded >> a & 1 else None
    return Refusal("C7.5", "enemy-there", facts) if walker.enemies >> b & 1 else None


def refuse_end(walker: Walker, place: int) -> Refusal | None:
    """Why a team may not end its move in a hex (C1.3, C10.3)."""
    pos, board, unit = walker.pos, walker.pos.board, walker.unit
    facts = {"unit": board.ids[unit], "hex": board.labels[place]}
    if not walker.enemies >> place & 1 and walker.crowded >> place & 1:
        teams, vehicles, beside = board.numbers.stacking
        return Refusal("C1.3", "crowded", {**facts, "teams": teams, "vehicles": vehicles, "beside": beside})
    if not walker.homing(1 << place):
        facts["home"] = board.labels[strays(pos, unit)]
        return Refusal("C10.3", "away-from-command", facts)
    return None


def refuse_path(walker: Walker, path: tuple[int, ...]) -> Refusal | None:
    """Why a team that can move may not go a named way."""
    ground = walker.ground
    worst, at = ROAD, walker.start
    for number, place in enumerate(path, start=1):
        refusal = refuse_step(walker, at, place)
        if refusal is not None:
            return refusal
        if walker.enemies >> place & 1 and number < len(path):
            # C7.5: a room held by the enemy can only be tried; success stops the team outside.
            return Refusal("C7.5", "enemy-there", _facts(walker, place))
        worst = max(worst, ground.column_of(at, place))
        if number > walker.allowance[worst]:
            short = ground.building[place] >= 0 > ground.building[at]
            facts = {**_facts(walker, place), "steps": number, "allowance": walker.allowance[worst]}
            facts["ground"] = COLUMN_NAMES[worst]
            return Refusal("C8.7", "too-short", facts) if short else Refusal("C1.5", "out-of-reach", facts)
        at = place
    return refuse_end(walker, at)


def _facts(walker: Walker, place: int) -> dict[str, Any]:
    board = walker.pos.board
    return {"unit": board.ids[walker.unit], "hex": board.labels[place]}


def refuse_place(walker: Walker, place: int) -> Refusal | None:
    """Why a team cannot move to a hex by any way: it cannot stay there; or what bars the straight line to a
    near one; or how far it may go on the ground that brings it nearest.
    """
    if walker.ends() >> place & 1:
        return None
    if place == walker.start:
        return Refusal("C1.5", "stays", _facts(walker, place))
    reach = walker.reach()
    if (reach.found | reach.tried) >> place & 1:
        return refuse_end(walker, place)
    straight = refuse_path(walker, tuple(walker.ground.grid.line(walker.start, place)[1:]))
    near = walker.ground.grid.distance(walker.start, place) <= max(walker.allowance)
    if near and straight is not None and straight.code not in TOO_FAR:
        return straight
    known = _too_far(walker, place) or straight
    if known is not None:
        return known
    facts = {**_facts(walker, place), "steps": 0, "allowance": max(walker.allowance)}
    return Refusal("C1.5", "out-of-reach", {**facts, "ground": COLUMN_NAMES[DIFFICULT]})


def _too_far(walker: Walker, place: int) -> Refusal | None:
    """How far a team may go on the ground of that way to a hex for which least is wanting; None if no way
    leads there.
    """
    best, at, length = 0, -1, 0
    for column, search in enumerate(walker.reach(ENDLESS).searches):
        for steps, layer in enumerate(search.layers):
            if layer >> place & 1:
                wanting = steps - walker.allowance[column]
                if at < 0 or wanting < best:
                    best, at, length = wanting, column, steps
                break
    if at < 0:
        return None
    building = walker.ground.building
    inside = building[place] >= 0 and building[place] != building[walker.start]
    facts = {**_facts(walker, place), "steps": length, "allowance": walker.allowance[at]}
    facts["ground"] = COLUMN_NAMES[at]
    return (
        Refusal("C8.7", "too-short", facts)
        if inside and best == 1
        else Refusal("C1.5", "out-of-reach", facts)
    )


def contact_at(pos: CompanyPosition, unit: int) -> int:
    """The opening that a team touches by itself where it stands: the first one there is, or -1 (C6.4)."""
    board = pos.board
    if not board.foot >> unit & 1 or pos.aloft >> unit & 1:
        return -1
    beside = board.ground.beside[pos.place[unit]]
    return beside[0] if beside else -1


def walk(walker: Walker, path: list[int], dice: Dice, emit: Emit) -> None:
    """A team goes its way, as far as going checks and openings let it; it keeps its flags."""
    pos, unit = walker.pos, walker.unit
    board = pos.board
    at, contact, gone = walker.start, -1, []
    for place in path:
        opening = walker.ground.opening.get((at, place), -1) if walker.ground.building[place] >= 0 else -1
        if opening >= 0 and walker.tested(opening):
            passed = _test_entry(pos, unit, opening, dice, emit)
            if not passed or walker.enemies >> place & 1:
                contact = opening
                if not passed:
                    pos.blockers |= 1 << unit
                break
        previous, at = at, place
        gone.append(place)
        if walker.checks and not _going(pos, unit, previous, place, dice, emit):
            break
    failed = pos.blockers & 1 << unit
    if gone:
        before = gone[-2] if len(gone) > 1 else walker.start
        shift(pos, unit, at)
        pos.facing[unit] = board.grid.direction(before, at)
    pos.contact[unit] = contact if contact >= 0 else contact_at(pos, unit)
    pos.blockers |= failed
    if emit:
        labels = board.labels
        facts: dict[str, Any] = {"unit": board.ids[unit], "from": labels[walker.start], "hex": labels[at]}
        facts["hexes"] = [labels[place] for place in gone]
        emit(Event("C1.5", "moved" if gone else "stopped", facts))


def _test_entry(pos: CompanyPosition, unit: int, opening: int, dice: Dice, emit: Emit) -> bool:
    """C8.2: a Skill test to enter a contested building; success clears it for the rest of the step."""
    board = pos.board
    one = board.ground.openings[opening]
    need = board.skill[unit]
    passed = bool(dice.at_least(MORALE, 1, need))
    if passed:
        bit = 1 << board.ground.building[one.inside]
        if board.side[unit]:
            pos.cleared_1 |= bit
        else:
            pos.cleared_0 |= bit
    if emit:
        facts = {"unit": board.ids[unit], "hex": board.labels[one.inside], "need": need, "faces": dice.faces}
        facts["opening"] = one.kind
        emit(Event("C8.2" if passed else "C8.4", "entry-passed" if passed else "entry-failed", facts))
    return passed


def _going(pos: CompanyPosition, unit: int, a: int, b: int, dice: Dice, emit: Emit) -> bool:
    """C1.6: a going check for the step just made; False if the team bogs down in the hex it has entered."""
    board = pos.board
    check = board.ground.check_at(a, b)
    if not check:
        return True
    need = board.numbers.going if check == ONE_FAILS else board.skill[unit]
    passed = bool(dice.at_least(MORALE, 1, need))
    if not passed:
        pos.bogged |= 1 << unit
    if emit:
        facts = {"unit": board.ids[unit], "hex": board.labels[b], "need": need, "faces": dice.faces}
        emit(Event("C1.6", "going-passed" if passed else "bogged", facts))
    return passed


def mark_cleared(pos: CompanyPosition) -> None:
    """C7.1: at the start of a step, buildings in which a side has a team, or of which it touches an
    opening.
    """
    # C7.2: whatever enemies are inside.
    board = pos.board
    ground = board.ground
    if not ground.rooms:
        return
    found = [0, 0]
    for side in (0, 1):
        for place in hexes(pos.taken(side) & ground.rooms):
            found[side] |= 1 << ground.building[place]
    if (pos.taken_0 | pos.taken_1) & ground.entries:
        for unit in units(pos.placed):
            one = ground.openings[pos.contact[unit]]
            if pos.contact[unit] >= 0 and pos.place[unit] == one.outside:
                found[board.side[unit]] |= 1 << ground.building[one.inside]
    pos.cleared_0, pos.cleared_1 = found
