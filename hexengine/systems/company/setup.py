"""The position at the start of a scenario, checked against the rules that it must keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexengine.mechanics.masks import units
from hexengine.systems.company.assault import AssaultStep
from hexengine.systems.company.board import Board
from hexengine.systems.company.format import Start, Unit
from hexengine.systems.company.movement import Movement
from hexengine.systems.company.position import CompanyPosition, put
from hexengine.systems.company.shooting import Shooting
from hexengine.systems.company.turn import ASSAULTED, MOVED, SHOT, STARTING, Turn
from hexengine.systems.company.walking import contact_at, mark_cleared

if TYPE_CHECKING:
    from hexengine.systems.company.build import Builder

MARKERS = {
    "moved": "moved",
    "doubled": "doubled",
    "shot": "shot",
    "tried-to-dig": "tried",
    "blocker": "blockers",
    "dug-in": "dug",
    "bailed-out": "bailed",
    "bogged": "bogged",
    "out-of-command": "stray",
}
"""Names of markers and status in files, and the masks of them."""


def set_up(board: Board, builder: Builder) -> None:
    """Place every team, apply ``[start]`` and keep the result as ``board.start``."""
    pos = CompanyPosition(board)
    for unit, given in enumerate(builder.document.unit):
        _place(pos, builder, unit, given)
    if builder.faults:
        return
    for unit, given in enumerate(builder.document.unit):
        _turn(pos, builder, unit, given)
        _marks(pos, builder, unit, given)
    _check_places(pos, builder)
    for number, platoon in enumerate(builder.document.platoon):
        if "pinned" in platoon.status:
            pos.pinned |= 1 << number
    for label, name in builder.document.map.control.items():
        place = builder.place(("map", "control", label), label)
        owner = builder.side(("map", "control", label), name)
        if place is not None and owner is not None:
            pos.control[place] = owner + 1
    for side in (0, 1):
        flights = board.flights[side]
        pos.calls[side] = flights.calls if flights is not None else 0
    _begin(pos, builder)
    board.start = pos


def _place(pos: CompanyPosition, builder: Builder, unit: int, given: Unit) -> None:
    board = pos.board
    platoon = board.platoons[board.platoon[unit]]
    path = ("unit", unit, "hex")
    if platoon.reserve or platoon.ambush:
        if given.hex is not None:
            text = f"{given.id} comes with its platoon: give no hex"
            builder.report(path, text, rule="C10.2")
        elif platoon.reserve:
            pos.waiting |= 1 << unit
        else:
            pos.hiding |= 1 << unit
        return
    if given.hex is None:
        builder.report(("unit", unit, "id"), f"{given.id} is in no hex", 'give hex = "0101"')
        return
    place = builder.place(path, given.hex)
    if place is None:
        return
    if pos.taken(1 - board.side[unit]) >> place & 1:
        builder.report(path, f"both sides stand in {given.hex}", rule="C1.3")
        return
    put(pos, unit, place)


def _turn(pos: CompanyPosition, builder: Builder, unit: int, given: Unit) -> None:
    """Where a team faces, and the opening it touches."""
    board, place = pos.board, pos.place[unit]
    if given.facing is not None and place >= 0:
        there = builder.place(("unit", unit, "facing"), given.facing)
        if there is not None and there in board.grid.neighbours[place]:
            pos.facing[unit] = board.grid.direction(place, there)
        elif there is not None:
            builder.report(("unit", unit, "facing"), f"{given.facing} is not next to {given.id}", rule="C1.4")
    if place < 0:
        return
    _raise(pos, builder, unit, given)
    if given.touching is None:
        pos.contact[unit] = contact_at(pos, unit)
        return
    there = builder.place(("unit", unit, "touching"), given.touching)
    opening = board.ground.opening_at(place, there) if there is not None else -1
    if opening < 0 or not board.foot >> unit & 1 or pos.aloft >> unit & 1:
        builder.report(("unit", unit, "touching"), f"{given.id} can touch no opening there", rule="C6.4")
    else:
        pos.contact[unit] = opening


def _raise(pos: CompanyPosition, builder: Builder, unit: int, given: Unit) -> None:
    """The floor of a team (C6.6)."""
    if not given.floor:
        return
    ground, place = pos.board.ground, pos.place[unit]
    if (place, given.floor) in ground.spot:
        pos.floor[unit] = given.floor
        pos.aloft |= 1 << unit
        return
    top = ground.top[ground.building[place]] if ground.building[place] >= 0 else 0
    advice = f"its highest floor is {top}: that of the highest opening" if top else None
    builder.report(("unit", unit, "floor"), f"{given.hex} has no floor {given.floor}", advice, rule="C6.6")


def _marks(pos: CompanyPosition, builder: Builder, unit: int, given: Unit) -> None:
    board, bit = pos.board, 1 << unit
    for name in (*given.status, *given.markers):
        if not pos.placed & bit:
            builder.report(("unit", unit, "status"), f"{given.id} is not on the map")
            return
        setattr(pos, MARKERS[name], getattr(pos, MARKERS[name]) | bit)
    if "dug-in" in given.status and not board.diggers & bit:
        builder.report(("unit", unit, "status"), "only infantry and guns dig in", rule="C3.6")
    if "bailed-out" in given.status and not board.armoured & bit:
        builder.report(("unit", unit, "status"), "only armoured vehicles are bailed out", rule="C12.4")
    if "bogged" in given.status and board.foot & bit:
        builder.report(("unit", unit, "status"), "infantry never bogs down", rule="C1.6")
    if "blocker" in given.markers and pos.contact[unit] < 0:
        builder.report(("unit", unit, "markers"), "a blocker touches an opening", rule="C8.4")


def _check_places(pos: CompanyPosition, builder: Builder) -> None:
    """No hex starts over its limit, or with teams that may not be in it."""
    board = pos.board
    for unit in units(pos.placed):
        place, side = pos.place[unit], board.side[unit]
        path = ("unit", unit, "hex")
        label = board.labels[place]
        if pos.here[side * board.size + place] not in board.fits and unit == min(units(pos.at(place, side))):
            text = f"more teams of a side stand in {label} than may"
            teams, vehicles, beside = board.numbers.stacking
            advice = f"{teams} teams, {vehicles} vehicles, or 1 vehicle and {beside} teams"
            builder.report(path, text, advice, rule="C1.3")
        if board.ground.building[place] >= 0 and not board.foot >> unit & 1:
            builder.report(path, f"{board.ids[unit]} cannot be in a building", rule="C6.5")
        if board.ground.rows[place].column > 2:
            builder.report(path, f"nobody can be in {label}: it is impassable", rule="C1.5")


def _begin(pos: CompanyPosition, builder: Builder) -> None:
    """The first Starting Step, or whatever ``[start]`` says."""
    start = builder.document.start or Start()
    pos.turn = start.turn
    if start.turn > pos.board.turns:
        builder.report(("start", "turn"), f"the last turn is {pos.board.turns}")
    side = 0
    if start.active is not None:
        side = builder.side(("start", "active"), start.active) or 0
    mark_cleared(pos)
    match start.step:
        case "starting":
            pos.frames = [Turn(side, STARTING)]
        case "movement":
            pos.frames = [Turn(side, MOVED), Movement(side)]
        case "shooting":
            pos.frames = [Turn(side, SHOT), Shooting(side)]
        case _:
            pos.frames = [Turn(side, ASSAULTED), AssaultStep(side)]
