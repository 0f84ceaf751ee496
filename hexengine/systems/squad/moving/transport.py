"""What vehicles do beside driving and firing: turn in place, and carry men (S8.4, S13.1)."""

from __future__ import annotations

from hexengine.core.dice import Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest, units
from hexengine.systems.squad.moving import hazards
from hexengine.systems.squad.moving.vehicles import TURN_COST, seats_of, taken_seats, turns
from hexengine.systems.squad.orders import Face, Load, Unload
from hexengine.systems.squad.position import SquadPosition, mf, passengers, step_down

LOAD_COST = 4
"""Half MP that a vehicle loses this turn for each unit that gets in."""


def acts(pos: SquadPosition, unit: int, found: list[Order]) -> None:
    """Append what a unit in good order that can be activated may do of it."""
    board, once = pos.board, pos.board.orders.once
    if board.vehicles >> unit & 1:
        for place in board.grid.neighbours[pos.place[unit]]:
            if place >= 0 and _check_face(pos, unit, place) is None:
                found.append(once(Face, unit, place))
        if passengers(pos, unit):
            found.append(once(Unload, unit))
        return
    for vehicle in units(board.vehicles & pos.at(pos.place[unit], board.side[unit])):
        if _check_load(pos, unit, vehicle) is None:
            found.append(once(Load, unit, vehicle))


def check(pos: SquadPosition, order: Order) -> Refusal | None:
    """Whether a unit in good order that can be activated may do this."""
    board = pos.board
    if isinstance(order, Load):
        return _check_load(pos, order.unit, order.other)
    if isinstance(order, Unload):
        return check_unload(pos, order.unit)
    assert isinstance(order, Face)
    if not board.vehicles >> order.unit & 1:
        return Refusal("S4.10", "no-vehicle", {"unit": board.ids[order.unit]})
    return _check_face(pos, order.unit, order.place)


def check_unload(pos: SquadPosition, vehicle: int) -> Refusal | None:
    """Whether there is anybody aboard."""
    if pos.board.vehicles >> vehicle & 1 and passengers(pos, vehicle):
        return None
    return Refusal("S8.4", "no-passengers", {"unit": pos.board.ids[vehicle]})


def _check_face(pos: SquadPosition, unit: int, place: int) -> Refusal | None:
    board = pos.board
    facts = {"unit": board.ids[unit], "hex": board.labels[place]}
    around = board.grid.neighbours[pos.place[unit]]
    if place not in around:
        return Refusal("S4.10", "face-there", facts)
    if pos.turned[unit]:
        return Refusal("S4.10", "turned-already", facts)
    sides = turns(pos.facing[unit], around.index(place))
    if not sides or pos.spent[unit] + TURN_COST * sides > 2 * mf(pos, unit):
        return Refusal("S4.10", "face-there", facts)
    return None


def _check_load(pos: SquadPosition, unit: int, vehicle: int) -> Refusal | None:
    board = pos.board
    facts = {"unit": board.ids[unit], "other": board.ids[vehicle]}
    mine = board.vehicles & board.side_units[board.side[unit]] & pos.placed
    if not mine >> vehicle & 1 or not board.seats[vehicle] or pos.place[vehicle] != pos.place[unit]:
        return Refusal("S8.4", "no-transport", facts)
    if board.vehicles >> unit & 1 or not mf(pos, unit):
        return Refusal("S8.4", "not-carried", facts)
    if taken_seats(pos, vehicle) + seats_of(pos, unit) > board.seats[vehicle]:
        return Refusal("S8.4", "no-seat", facts)
    return None


# -- carrying out -----------------------------------------------------------------------------------


def play(pos: SquadPosition, order: Order, dice: Dice, emit: Emit) -> None:
    """Carry it out."""
    board = pos.board
    if isinstance(order, Load):
        get_in(pos, order.unit, order.other)
        pos.moved |= 1 << order.unit
        pos.spent[order.other] = min(2 * mf(pos, order.other), pos.spent[order.other] + LOAD_COST)
        if emit:
            emit(Event("S8.4", "loads", {"unit": board.ids[order.unit], "other": board.ids[order.other]}))
    elif isinstance(order, Unload):
        unload(pos, order.unit, dice, emit)
    elif isinstance(order, Face):
        way = board.grid.neighbours[pos.place[order.unit]].index(order.place)
        pos.spent[order.unit] += TURN_COST * turns(pos.facing[order.unit], way)
        pos.facing[order.unit] = way
        pos.turned[order.unit] = 1
        if emit:
            emit(Event("S4.10", "faces", {"unit": board.ids[order.unit], "hex": board.labels[order.place]}))


def get_in(pos: SquadPosition, unit: int, vehicle: int) -> None:
    """A unit is a passenger of a vehicle in its place."""
    pos.carrier[unit] = vehicle
    pos.aboard |= 1 << unit


def unload(pos: SquadPosition, vehicle: int, dice: Dice, emit: Emit) -> None:
    """All passengers get out, which is their move; mines strike them (S13.1)."""
    board = pos.board
    riders = passengers(pos, vehicle)
    place = pos.place[lowest(riders)]
    step_down(pos, vehicle)
    pos.moved |= riders & ~(pos.fired | pos.ops)
    if emit:
        facts = {
            "unit": board.ids[vehicle],
            "units": [board.ids[unit] for unit in units(riders)],
            "hex": board.labels[place],
        }
        emit(Event("S8.4", "unloads", facts))
    hazards.mines(pos, riders, place, dice, emit)


def turned(pos: SquadPosition) -> int:
    """The vehicles that have turned in place this turn."""
    return sum([1 << unit for unit in units(pos.placed & pos.board.vehicles) if pos.turned[unit]])
