"""Armour (S14.2): which of it a shot meets, what pierces it, and the crew's morale check (S11.5)."""

from __future__ import annotations

from hexengine.core.dice import COMBAT, MORALE, Dice
from hexengine.core.events import Emit, Event
from hexengine.hexes.coordinates import DIRECTIONS
from hexengine.mechanics.masks import units
from hexengine.systems.squad import control
from hexengine.systems.squad.firing.damage import best_lm, check, eliminate
from hexengine.systems.squad.position import SquadPosition, passengers

MOST = 12
"""The highest sum of two dice: a check that stands it is passed without a roll."""


def ahead(pos: SquadPosition, vehicle: int, place: int) -> bool:
    """Whether a place lies in the half-circle that a vehicle faces, the edges included; its own does."""
    board = pos.board
    grid, hex_of = board.grid, board.places.hex_of
    here, there = grid.axial(hex_of[pos.place[vehicle]]), grid.axial(hex_of[place])
    x, y = there[0] - here[0], there[1] - here[1]
    q, r = DIRECTIONS[grid.orientation][pos.facing[vehicle]]
    return 2 * q * x + 2 * r * y + q * y + r * x >= 0


def armour_of(pos: SquadPosition, vehicle: int, origin: int, turret: bool) -> int:
    """The armour that a shot from a place meets; what has no turret is hit in the hull."""
    data = pos.board.plates(vehicle)
    front, side = data.turret if turret and data.turret is not None else data.hull
    return front if ahead(pos, vehicle, origin) else side


def pierce(
    pos: SquadPosition, vehicle: int, attack: int, armour: int, rule: str, dice: Dice, emit: Emit
) -> None:
    """A die and the penetration against a die and the armour (S14.2, S13.1).

    A higher sum destroys; else the crew's morale is checked, the easier the thicker the armour was.
    """
    board = pos.board
    base = attack - armour
    shaken = pos.shaken >> vehicle & 1
    # By how much does not matter where the check is passed in any case, or changes nothing; nor, where nobody
    # is aboard, by how much it is pierced.
    least = -base if shaken else board.morale[vehicle][pos.steps[vehicle]] - MOST - base
    place, riders = pos.place[vehicle], passengers(pos, vehicle)
    most = 5 if riders else min(5, 1 - base)
    margin = base + dice.duel(COMBAT, max(-5, least), most)
    faces = dice.faces
    if faces:
        # Play is the same; those who read the dice are told their whole difference.
        margin = base + faces[0] - faces[1]
    if emit:
        facts = {
            "unit": board.ids[vehicle], "penetration": attack, "armour": armour, "faces": faces,
            "margin": margin, "result": "destroyed" if margin > 0 else "holds",
        }  # fmt: skip
        emit(Event(rule, "penetration", facts))
    if margin <= 0:
        morale_check(pos, vehicle, margin, dice, emit)
        return
    eliminate(pos, vehicle, rule, emit)
    bail_out(pos, riders, place, margin, dice, emit)


def bail_out(pos: SquadPosition, riders: int, place: int, margin: int, dice: Dice, emit: Emit) -> None:
    """Passengers of a destroyed vehicle: a damage check by what pierced it, then the mines there (S13.1)."""
    from hexengine.systems.squad.moving.hazards import mines

    board = pos.board
    for first in (board.leaders, ~board.leaders):
        for unit in units(riders & first):
            lm = 0 if board.leaders >> unit & 1 else best_lm(pos, board.side[unit], place)
            check(pos, unit, margin, lm, dice, emit)
    if riders:
        mines(pos, riders, place, dice, emit)


def morale_check(pos: SquadPosition, unit: int, modifier: int, dice: Dice, emit: Emit) -> None:
    """Two dice and a modifier within the morale, or the unit is Shaken (S11.5)."""
    if pos.shaken >> unit & 1:
        return
    board = pos.board
    morale = board.morale[unit][pos.steps[unit]]
    passed = dice.within(MORALE, 2, morale - modifier)
    if emit:
        facts = {
            "unit": board.ids[unit], "modifier": modifier, "morale": morale, "faces": dice.faces,
            "result": "no-effect" if passed else "shaken",
        }  # fmt: skip
        emit(Event("S11.5", "morale-check", facts))
    if not passed:
        pos.shaken |= 1 << unit
        pos.stopped |= 1 << unit
        control.settle(pos, board.places.hex_of[pos.place[unit]])
