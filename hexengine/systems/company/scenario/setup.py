"""The position at the start of a scenario, checked against the rules that it must keep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hexengine.mechanics.checking import Path
from hexengine.mechanics.maps import LAYOUT
from hexengine.mechanics.masks import units
from hexengine.systems.company.assaults.assault import AssaultStep
from hexengine.systems.company.board import Board
from hexengine.systems.company.firing.shooting import Shooting
from hexengine.systems.company.ground import IMPASSABLE
from hexengine.systems.company.moving.movement import Movement
from hexengine.systems.company.moving.walking import contact_at, mark_cleared
from hexengine.systems.company.position import CompanyPosition, put
from hexengine.systems.company.scenario.format import Start, Unit
from hexengine.systems.company.scenario.reachable import check_entries, check_goals
from hexengine.systems.company.turn import ASSAULTED, MOVED, SHOT, STARTING, Turn

if TYPE_CHECKING:
    from hexengine.systems.company.scenario.build import Builder

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
        if builder.roster.homeless >> unit & 1:
            place = None if given.hex is None else builder.place(("unit", unit, "hex"), given.hex)
        else:
            place = _place(pos, builder, unit, given)
        _turn(pos, builder, unit, place)
        if place is not None and given.floor:
            _raise(pos, builder, unit, place)
        _touch(pos, builder, unit, place)
        _marks(pos, builder, unit, place)
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
    check_entries(pos, builder)
    check_goals(pos, builder)
    board.start = pos


def _comes_later(pos: CompanyPosition, unit: int) -> bool:
    """Whether a team comes with its platoon, which is not on the map as the game begins (C10.2)."""
    platoon = pos.board.platoons[pos.board.platoon[unit]]
    return platoon.reserve or platoon.ambush


def _place(pos: CompanyPosition, builder: Builder, unit: int, given: Unit) -> int | None:
    """Put a team where it stands; its hex, whether there is room for it or not."""
    board = pos.board
    path = ("unit", unit, "hex")
    if _comes_later(pos, unit):
        for key in ("hex", "facing", "touching", "floor"):
            if getattr(given, key):
                text = f"{given.id} comes with its platoon: give no {key}"
                rests_on = builder.roster.says_when(unit)
                builder.report(("unit", unit, key), text, rule="C10.2", rests_on=rests_on)
        if board.platoons[board.platoon[unit]].reserve:
            pos.waiting |= 1 << unit
        else:
            pos.hiding |= 1 << unit
        return None
    if given.hex is None:
        text = f"{given.id} is in no hex"
        rests_on = [path, *builder.roster.says_when(unit, "hexes")]
        builder.report(("unit", unit, "id"), text, 'give hex = "0101"', rests_on=rests_on)
        return None
    place = builder.place(path, given.hex)
    if place is None:
        return None
    _check_ground(pos, builder, unit, place)
    if not builder.roster.sideless >> unit & 1 and _has_room(pos, builder, unit, place):
        builder.standing[board.side[unit]] |= 1 << place
        if not builder.roster.untyped >> unit & 1:
            put(pos, unit, place)
    return place


def _check_ground(pos: CompanyPosition, builder: Builder, unit: int, place: int) -> None:
    """The team may be in its hex at all."""
    board, path = pos.board, ("unit", unit, "hex")
    ground = builder.ground([place])
    if board.ground.building[place] >= 0 and not (board.foot | builder.roster.untyped) >> unit & 1:
        text = f"{board.ids[unit]} cannot be in a building"
        builder.report(path, text, rule="C6.5", rests_on=[*ground, *builder.roster.says_kind(unit)])
    if board.ground.rows[place].column == IMPASSABLE:
        text = f"nobody can be in {board.labels[place]}: it is impassable"
        builder.report(path, text, rule="C1.5", rests_on=[*ground, *builder.changing("going")])


def _has_room(pos: CompanyPosition, builder: Builder, unit: int, place: int) -> bool:
    """Whether a team may stand in a hex with those that are there already (C1.3)."""
    board, side, path = pos.board, pos.board.side[unit], ("unit", unit, "hex")
    label = board.labels[place]
    if builder.standing[1 - side] >> place & 1:
        text = f"both sides stand in {label}"
        builder.report(path, text, rule="C1.3", rests_on=builder.roster.says_side(unit))
        return False
    here = pos.here[side * board.size + place]
    if builder.roster.untyped >> unit & 1 or here + board.weight[unit] in board.fits:
        return True
    text = f"more teams of a side stand in {label} than may: {board.ids[unit]} is one too many"
    teams, vehicles, beside = board.numbers.stacking
    advice = f"{teams} teams, {vehicles} vehicles, or 1 vehicle and {beside} teams"
    rests_on = [*builder.roster.says_kind(unit), *builder.roster.says_side(unit)]
    builder.report(path, text, advice, rule="C1.3", rests_on=rests_on)
    return False


def _turn(pos: CompanyPosition, builder: Builder, unit: int, place: int | None) -> None:
    """Where a team faces."""
    board, given, path = pos.board, builder.document.unit[unit], ("unit", unit, "facing")
    if given.facing is None:
        return
    kind = builder.roster.says_kind(unit)
    if not (board.faced | builder.roster.untyped) >> unit & 1:
        text = f"{given.id} is on foot or on horseback and faces nowhere"
        builder.report(path, text, "leave it out", rule="C1.4", rests_on=kind)
        return
    there = builder.place(path, given.facing)
    if there is None or place is None:
        return
    if there in board.grid.neighbours[place]:
        pos.facing[unit] = board.grid.direction(place, there)
    else:
        text = f"{given.facing} is not next to {given.id}"
        builder.report(path, text, rule="C1.4", rests_on=[("unit", unit, "hex"), *LAYOUT])


def _touch(pos: CompanyPosition, builder: Builder, unit: int, place: int | None) -> None:
    """The opening that a team touches (C6.4)."""
    board, given, path = pos.board, builder.document.unit[unit], ("unit", unit, "touching")
    if given.touching is None:
        if pos.placed >> unit & 1:
            pos.contact[unit] = contact_at(pos, unit)
        return
    there = builder.place(path, given.touching)
    if there is None or place is None:
        return
    opening = board.ground.opening_at(place, there)
    on_foot = (board.foot | builder.roster.untyped) >> unit & 1
    if opening < 0 or not on_foot or given.floor:
        rests_on = [
            ("unit", unit, "hex"),
            ("unit", unit, "floor"),
            *builder.openings_near((place, there), {0}),
        ]
        rests_on += [*builder.ground((place, there)), *builder.roster.says_kind(unit)]
        text = f"{given.id} can touch no opening there"
        builder.report(path, text, rule="C6.4", rests_on=rests_on)
    elif pos.placed >> unit & 1:
        pos.contact[unit] = opening


def _raise(pos: CompanyPosition, builder: Builder, unit: int, place: int) -> None:
    """The floor of a team (C6.6)."""
    given, ground, bit = builder.document.unit[unit], pos.board.ground, 1 << unit
    if (place, given.floor) in ground.spot:
        if pos.placed & bit:
            pos.floor[unit] = given.floor
            pos.aloft |= bit
        return
    number = ground.building[place]
    rooms = [place] if number < 0 else list(units(ground.built[number]))
    around = {*rooms, *[there for room in rooms for there in ground.grid.neighbours[room]]}
    top = ground.top[number] if number >= 0 else 0
    advice = f"its highest floor is {top}: that of the highest opening" if top else None
    rests_on = [("unit", unit, "hex"), *builder.openings_near(rooms, range(given.floor, 10))]
    rests_on += builder.ground(around)
    text = f"{given.hex} has no floor {given.floor}"
    builder.report(("unit", unit, "floor"), text, advice, rule="C6.6", rests_on=rests_on)


def _marks(pos: CompanyPosition, builder: Builder, unit: int, place: int | None) -> None:
    """Status and markers that a team begins with."""
    board, bit, given = pos.board, 1 << unit, builder.document.unit[unit]
    unknown = builder.roster.untyped & bit

    def wrong(key: str, name: str, text: str, rule: str | None, rests_on: Sequence[Path]) -> None:
        listed: list[str] = [*getattr(given, key)]
        below = [key, listed.index(name)] if name in listed else [key]
        builder.report(("unit", unit, *below), text, rule=rule, rests_on=rests_on)

    if not builder.roster.homeless & bit and _comes_later(pos, unit):
        for key in ("status", "markers"):
            if getattr(given, key):
                wrong(key, "", f"{given.id} is not on the map", None, builder.roster.says_when(unit))
        return
    if pos.placed & bit:
        for name in (*given.status, *given.markers):
            setattr(pos, MARKERS[name], getattr(pos, MARKERS[name]) | bit)
    kind = builder.roster.says_kind(unit)
    if "dug-in" in given.status and not (board.diggers & bit or unknown):
        wrong("status", "dug-in", "only infantry and guns dig in", "C3.6", kind)
    if "bailed-out" in given.status and not (board.armoured & bit or unknown):
        rests_on = builder.roster.says_kind(unit, "armour")
        wrong("status", "bailed-out", "only armoured vehicles are bailed out", "C12.4", rests_on)
    if "bogged" in given.status and board.foot & bit and not unknown:
        wrong("status", "bogged", "infantry never bogs down", "C1.6", kind)
    if "blocker" in given.markers and place is not None and pos.placed & bit and pos.contact[unit] < 0:
        around = [there for there in board.grid.neighbours[place] if there >= 0]
        rests_on = [("unit", unit, "touching"), *builder.openings_near([place], {0})]
        rests_on += builder.ground([place, *around])
        wrong("markers", "blocker", "a blocker touches an opening", "C8.4", rests_on)


def _begin(pos: CompanyPosition, builder: Builder) -> None:
    """The first Starting Step, or whatever ``[start]`` says."""
    start = builder.document.start or Start()
    pos.turn = start.turn
    if start.turn > pos.board.turns:
        text = f"the last turn is {pos.board.turns}"
        builder.report(("start", "turn"), text, rests_on=[("turns",)])
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
