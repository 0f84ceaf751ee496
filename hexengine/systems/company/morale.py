"""Skill and Motivation tests, being pinned down, command and morale (C10.3 to C10.5, C11)."""

from __future__ import annotations

from hexengine.core.dice import MORALE, Dice
from hexengine.core.events import Emit, Event
from hexengine.mechanics.masks import units
from hexengine.mechanics.masks import units as hexes
from hexengine.systems.company.moving.reach import command_team
from hexengine.systems.company.position import CompanyPosition, take_off


def surviving(pos: CompanyPosition, platoon: int) -> int:
    """The teams of a platoon that are not lost: on the map, or still to come."""
    return pos.board.members[platoon] & ~pos.lost


def worst(pos: CompanyPosition, mask: int, skill: bool) -> int:
    """The number that the worst of some teams needs in a Skill or Motivation test (C11.1)."""
    counters = pos.board.counters
    return max(
        (counters[unit].skill if skill else counters[unit].motivation for unit in units(mask)), default=7
    )


def joined(pos: CompanyPosition, platoon: int) -> bool:
    """Whether a company command team has joined a platoon, so that it tests Motivation again (C11.1): one of
    its own has.
    """
    board = pos.board
    if pos.alive(platoon) & board.companies:
        return True
    leaders = board.companies & pos.placed & board.side_units[board.platoons[platoon].side]
    command = command_team(pos, platoon)
    if command < 0:
        return False
    here, reach = pos.place[command], board.reaches.joined
    return any(board.grid.distance(here, pos.place[leader]) <= reach for leader in units(leaders))


def motivated(
    pos: CompanyPosition, platoon: int, rule: str, dice: Dice, emit: Emit, mask: int | None = None
) -> bool:
    """A Motivation test of a platoon, thrown again once if a company command team has joined it."""
    board = pos.board
    need = worst(pos, pos.alive(platoon) if mask is None else mask, False)
    passed = bool(dice.at_least(MORALE, 1, need))
    faces = list(dice.faces)
    if not passed and joined(pos, platoon):
        passed = bool(dice.at_least(MORALE, 1, need))
        faces += dice.faces
    if emit:
        facts = {"platoon": board.platoons[platoon].id, "need": need, "faces": faces}
        emit(Event(rule, "motivation-passed" if passed else "motivation-failed", facts))
    return passed


def rally(pos: CompanyPosition, side: int, dice: Dice, emit: Emit) -> None:
    """C11.2: pinned platoons test Motivation in the Starting Step."""
    board = pos.board
    for platoon in hexes(pos.pinned & board.side_platoons[side]):
        if pos.alive(platoon) and motivated(pos, platoon, "C11.2", dice, emit):
            pos.pinned &= ~(1 << platoon)


def pin(pos: CompanyPosition, platoon: int, rule: str, emit: Emit) -> None:
    """C11.2: a platoon of infantry or guns is pinned down; armoured vehicles are not."""
    board = pos.board
    if pos.pinned >> platoon & 1 or not pos.alive(platoon) & ~board.armoured:
        return
    pos.pinned |= 1 << platoon
    if emit:
        emit(Event(rule, "pinned", {"platoon": board.platoons[platoon].id}))


def remove_platoon(pos: CompanyPosition, platoon: int, rule: str, emit: Emit) -> None:
    """A platoon is gone, with all its teams."""
    board = pos.board
    if emit:
        emit(Event(rule, "platoon-gone", {"platoon": board.platoons[platoon].id}))
    for unit in units(surviving(pos, platoon)):
        take_off(pos, unit)


def platoon_morale(pos: CompanyPosition, dice: Dice, emit: Emit) -> None:
    """C10.5: at the end of a Shooting or Assault Step, platoons with losses in it and more lost than left
    test. Teams that are still to come are not lost.
    """
    board = pos.board
    for platoon in hexes(pos.bled):
        left = surviving(pos, platoon)
        gone = (board.members[platoon] & pos.lost).bit_count()
        tests = left and gone > left.bit_count() and not board.platoons[platoon].independent
        if tests and not motivated(pos, platoon, "C10.5", dice, emit, left):
            remove_platoon(pos, platoon, "C10.5", emit)
    pos.bled = 0


def lone_infantry(pos: CompanyPosition, side: int, dice: Dice, emit: Emit) -> None:
    """C10.2: a platoon of infantry of which one team is left tests Motivation, or it is gone; a team that is
    still to come is left too.
    """
    board = pos.board
    for platoon in hexes(board.side_platoons[side]):
        left = surviving(pos, platoon)
        if left.bit_count() != 1 or not left & pos.placed or board.members[platoon] == left:
            continue
        if left & board.infantry and not motivated(pos, platoon, "C10.2", dice, emit):
            remove_platoon(pos, platoon, "C10.2", emit)


def company_broken(pos: CompanyPosition, side: int, dice: Dice, emit: Emit) -> bool:
    """C10.4: with half or more of its platoons lost a company tests Motivation each turn, or it has lost.

    The company commander tests, or the worst platoon where he is lost.
    """
    board = pos.board
    mine = [
        platoon for platoon in hexes(board.side_platoons[side]) if not board.platoons[platoon].independent
    ]
    gone = [platoon for platoon in mine if not board.members[platoon] & ~pos.lost]
    if not mine or 100 * len(gone) < board.numbers.company_losses * len(mine):
        return False
    placed = pos.placed & board.side_units[side]
    testing = placed & board.companies or placed
    if not testing:
        return False
    need = worst(pos, testing, False)
    passed = bool(dice.at_least(MORALE, 1, need))
    if emit:
        facts = {"side": board.sides[side], "need": need, "faces": dice.faces}
        emit(Event("C10.4", "company-stays" if passed else "company-breaks", facts))
    return not passed


def mark_strays(pos: CompanyPosition, side: int) -> None:
    """C10.3: at the end of movement, teams farther from their Command team than its skill allows are out of
    it.
    """
    board = pos.board
    pos.stray &= ~board.side_units[side]
    for number in hexes(board.side_platoons[side]):
        platoon = board.platoons[number]
        command = command_team(pos, number)
        if command < 0:
            continue
        here = pos.place[command]
        for unit in units(pos.alive(number) & ~(1 << command)):
            if board.grid.distance(pos.place[unit], here) > platoon.command:
                pos.stray |= 1 << unit


def destroy(pos: CompanyPosition, unit: int, rule: str, emit: Emit) -> None:
    """One team is destroyed."""
    if emit:
        emit(
            Event(rule, "destroyed", {"unit": pos.board.ids[unit], "hex": pos.board.labels[pos.place[unit]]})
        )
    take_off(pos, unit)
