"""Event markers (S13.4): what a scenario lets happen when a unit enters a place."""

from __future__ import annotations

from hexengine.core.dice import Dice
from hexengine.core.events import Contribution, Emit, Event
from hexengine.mechanics.masks import units
from hexengine.systems.squad import control
from hexengine.systems.squad.firing.armour import morale_check
from hexengine.systems.squad.firing.damage import strike
from hexengine.systems.squad.firing.fire import cover
from hexengine.systems.squad.moving.steps import room
from hexengine.systems.squad.position import SquadPosition, put


def on_entry(pos: SquadPosition, side: int, members: int, place: int, dice: Dice, emit: Emit) -> None:
    """Every event that lies here for this side happens once, as long as one of the units lives (S5.2)."""
    board = pos.board
    for number in units(pos.events):
        event = board.events[number]
        if event.place != place or event.side != side or not members & pos.placed:
            continue
        pos.events &= ~(1 << number)
        pos.points[side] += event.points
        if emit:
            facts = {
                "event": event.id,
                "hex": board.labels[place],
                "text": event.text,
                "points": event.points,
            }
            emit(Event("S13.4", "event", facts))
        for unit, where in event.units:
            _arrive(pos, unit, where, emit)
        if event.attack:
            attack = [Contribution("S13.4", "event", event.attack)]
            targets = members & pos.placed
            strike(pos, "S13.4", place, targets, attack, cover(pos, -1, place), 0, dice, emit)
        if event.check is not None:
            for unit in units(members & pos.placed):
                morale_check(pos, unit, event.check, dice, emit)


def _arrive(pos: SquadPosition, unit: int, where: int, emit: Emit) -> None:
    """A unit comes onto the map: where it should, or one step from there; without room it never comes."""
    board = pos.board
    side = board.side[unit]
    enemies = pos.taken(1 - side)
    pos.waiting &= ~(1 << unit)
    around: list[int] = [to for to, _ in board.places.steps[where]]
    if board.vehicles >> unit & 1:
        around = [to for to, _, _ in board.places.drive[where]]
    for place in (where, *around):
        if not enemies >> place & 1 and room(pos, side, 1 << unit, place):
            put(pos, unit, place)
            control.come(pos, side, 1 << unit, place)
            if emit:
                emit(Event("S13.4", "arrives", {"unit": board.ids[unit], "hex": board.labels[place]}))
            return
    pos.lost |= 1 << unit
    pos.steps[unit] = 0
