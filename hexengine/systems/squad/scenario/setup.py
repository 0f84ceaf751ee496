"""The position at the start of a scenario, checked against the rules that it must keep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hexengine.mechanics.checking import Path
from hexengine.mechanics.maps import LAYOUT, LINES
from hexengine.mechanics.masks import units
from hexengine.systems.squad import control
from hexengine.systems.squad.board import VEHICLE, WEAPON, Board
from hexengine.systems.squad.impulse import IMPULSES
from hexengine.systems.squad.moving.transport import get_in
from hexengine.systems.squad.moving.vehicles import seats_of, taken_seats
from hexengine.systems.squad.position import SquadPosition, give, put, weight
from hexengine.systems.squad.rally import RallyPhase
from hexengine.systems.squad.scenario.format import Start, Unit
from hexengine.systems.squad.scenario.reachable import check_goals
from hexengine.systems.squad.sight.spotting import reveal

if TYPE_CHECKING:
    from hexengine.systems.squad.scenario.build import Builder

MARKERS = {
    "moved": "moved",
    "assault-move": "assault",
    "low-crawl": "crawl",
    "stealth": "stealth",
    "fired": "fired",
    "ops-complete": "ops",
}
"""Names of markers in files, and the masks of them."""
SIGHT = (("map", "terrain"), ("map", "legend"), ("map", "levels"))
SEEN = ("los", "height", "floors", "below", "tm")
"""Where it is said who sees whom, in a map and in changes of the chart."""
CREW_MARKS = frozenset({"moved", "assault-move", "fired", "ops-complete"})
"""Markers that a vehicle may have."""


def set_up(board: Board, builder: Builder) -> None:
    """Place every unit, apply ``[start]`` and keep the result as ``board.start``."""
    pos = SquadPosition(board)
    _carried(pos, builder)
    for unit, given in enumerate(builder.document.unit):
        _marks(pos, builder, unit, given)
        _stand(pos, builder, unit, given)
    _meet(pos)
    _works(pos, builder)
    _begin(pos, builder)
    _hide(pos, builder)
    check_goals(pos, builder)
    board.start = pos


def _carried(pos: SquadPosition, builder: Builder) -> None:
    """Who carries which weapon (S8.11), and who is aboard which vehicle (S8.4)."""
    board, unknown = pos.board, builder.roster.untyped
    ids = [unit.id for unit in builder.document.unit]
    for unit, given in enumerate(builder.document.unit):
        if given.carrier is None:
            continue
        for key in ("hex", "event"):
            if getattr(given, key) is not None:
                text = f"{given.id} is where its carrier is: give {key} or carrier, not both"
                builder.report(("unit", unit, key), text, rests_on=[("unit", unit, "carrier")])
        path = ("unit", unit, "carrier")
        carrier = builder.known(path, "unit", given.carrier, ids)
        if carrier is None or ids.count(given.carrier) > 1 or (unknown >> unit | unknown >> carrier) & 1:
            continue
        if board.vehicles >> carrier & 1:
            _aboard(pos, builder, unit, carrier)
        elif board.kind[unit] != WEAPON:
            _refuse(builder, unit, carrier, f"{given.id} is no weapon: only weapons are carried", "S8.11")
        elif board.weapons >> carrier & 1:
            _refuse(builder, unit, carrier, f"{given.carrier} is a weapon and carries nothing", "S8.11")
        elif pos.weapon(carrier) >= 0:
            _refuse(builder, unit, carrier, f"{given.carrier} carries a weapon already", "S11.4")
        else:
            give(pos, unit, carrier)
            pos.steps[unit] = 1
            if given.side not in (None, builder.document.unit[carrier].side):
                text = f"{given.id} is of the side of {given.carrier}, who has it"
                rests_on = [path, ("unit", carrier, "side"), *builder.roster.says_kind(unit)]
                builder.report(("unit", unit, "side"), text, "leave it out", rule="S8.11", rests_on=rests_on)


def _refuse(
    builder: Builder, unit: int, carrier: int, text: str, rule: str | None, more: Sequence[Path] = ()
) -> None:
    """Report that a unit is not carried so."""
    rests_on = [*builder.roster.says_kind(unit), *builder.roster.says_kind(carrier), ("unit", carrier, "id")]
    rests_on += more
    builder.report(("unit", unit, "carrier"), text, rule=rule, rests_on=rests_on)


def _aboard(pos: SquadPosition, builder: Builder, unit: int, vehicle: int) -> None:
    """A unit begins as a vehicle's passenger, where the vehicle is (S8.4)."""
    board = pos.board
    given, other = builder.document.unit[unit], builder.document.unit[vehicle]
    pos.steps[unit] = _steps(board, unit, given)
    sideless = builder.roster.sideless
    if board.kind[unit] in (WEAPON, VEHICLE) or not board.mf[unit][1]:
        _refuse(builder, unit, vehicle, f"{given.id} is not carried by a vehicle", "S8.4")
    elif other.event is not None:
        _refuse(builder, unit, vehicle, f"{other.id} comes with an event, and nobody comes aboard", None)
    elif not (sideless >> unit | sideless >> vehicle) & 1 and board.side[unit] != board.side[vehicle]:
        _refuse(builder, unit, vehicle, f"{other.id} is not of the side of {given.id}", "S8.4")
    elif taken_seats(pos, vehicle) + seats_of(pos, unit) > board.seats[vehicle]:
        seats = builder.roster.says_type(vehicle, "seats")
        _refuse(builder, unit, vehicle, f"{other.id} has no seat for {given.id}", "S8.4", seats)
    else:
        get_in(pos, unit, vehicle)


def _steps(board: Board, unit: int, given: Unit) -> int:
    return 1 if board.weapons >> unit & 1 or "half" in given.status else board.full[unit]


def _stand(pos: SquadPosition, builder: Builder, unit: int, given: Unit) -> None:
    """A unit on the map, or one that comes by an event, or a weapon that lies about."""
    board = pos.board
    events = [event.id for event in builder.document.event]
    path = ("unit", unit, "event")
    called = given.event is not None and builder.known(path, "event", given.event, events) is not None
    place = _where(pos, builder, unit, given)
    if given.facing is not None:
        _face(pos, builder, unit, place, given.facing)
    if place is None or builder.roster.untyped >> unit & 1:
        return
    pos.steps[unit] = _steps(board, unit, given)
    weapon = board.kind[unit] == WEAPON
    if not weapon and given.carrier is None:
        _check_ground(pos, builder, unit, place)
    if given.event is not None:
        if called:
            pos.waiting |= 1 << unit
            builder.brought.setdefault(given.event, []).append((unit, place))
    elif weapon:
        pos.place[unit] = place
        pos.placed |= 1 << unit
        if given.side is not None:
            text = f"{given.id} lies about and is of no side"
            rests_on = [("unit", unit, "carrier"), *builder.roster.says_kind(unit)]
            builder.report(("unit", unit, "side"), text, "leave it out", rule="S8.11", rests_on=rests_on)
    elif not builder.roster.sideless >> unit & 1:
        _join(pos, builder, unit, place)


def _where(pos: SquadPosition, builder: Builder, unit: int, given: Unit) -> int | None:
    """The place that a unit is given, or that of the vehicle it is aboard."""
    if given.hex is not None and given.carrier is None:
        return builder.place(("unit", unit, "hex"), given.hex)
    if given.carrier is None:
        carried = builder.roster.untyped >> unit & 1 or pos.board.kind[unit] == WEAPON or pos.board.vehicles
        advice = 'give hex = "0101"' + (' or carrier = "…"' if carried else "")
        rests_on = [("unit", unit, "hex"), ("unit", unit, "carrier")]
        builder.report(("unit", unit, "id"), f"{given.id} is in no hex", advice, rests_on=rests_on)
    label = builder.document.unit[pos.carrier[unit]].hex if pos.aboard >> unit & 1 else None
    return None if label is None else builder.found(label)


def _join(pos: SquadPosition, builder: Builder, unit: int, place: int) -> None:
    """A unit stands in a place, if there is room for it beside those of its side (S3.1)."""
    if _has_room(pos, unit, place):
        put(pos, unit, place)
        return
    board = pos.board
    text = f"more units of a side stand in {board.labels[place]} than may: {board.ids[unit]} is one too many"
    rests_on = [("options",), *builder.roster.says_kind(unit)]
    builder.report(("unit", unit, "hex"), text, rule="S3.1", rests_on=rests_on)


def _has_room(pos: SquadPosition, unit: int, place: int) -> bool:
    """Whether a unit may stand in a place with those of its side who are there (S3.1)."""
    board, side = pos.board, pos.board.side[unit]
    here, more = pos.here[side * board.places.count + place], weight(pos, unit)
    cars = (pos.at(place, side) & board.vehicles).bit_count() + (board.vehicles >> unit & 1)
    men, singles = (here & 15) + (more & 15), (here >> 4) + (more >> 4)
    return men <= board.limit_men and singles <= board.limit_singles and cars <= board.limit_vehicles


def _face(pos: SquadPosition, builder: Builder, unit: int, place: int | None, label: str) -> None:
    """The direction that a vehicle faces, told by an adjacent hex."""
    board = pos.board
    if not (builder.roster.untyped | board.vehicles) >> unit & 1:
        return
    there = builder.place(("unit", unit, "facing"), label)
    if there is None or place is None:
        return
    around = board.grid.neighbours[board.places.hex_of[place]]
    if there not in around:
        text = f"{label} is not next to {board.ids[unit]}"
        rests_on = [("unit", unit, "hex"), *LAYOUT]
        builder.report(("unit", unit, "facing"), text, rests_on=rests_on)
    elif pos.facing:
        pos.facing[unit] = around.index(there)


def _marks(pos: SquadPosition, builder: Builder, unit: int, given: Unit) -> None:
    """Status and markers that a unit begins with."""
    board, bit = pos.board, 1 << unit
    if builder.roster.untyped & bit:
        return

    def wrong(below: Path, text: str, rule: str | None = None) -> None:
        builder.report(("unit", unit, *below), text, rule=rule, rests_on=builder.roster.says_kind(unit))

    if board.weapons & bit:
        for key in ("status", "markers"):
            if getattr(given, key):
                wrong((key,), f"{given.id} is a weapon: nothing is marked on it")
        return
    crew = board.vehicles & bit
    for number, state in enumerate(given.status):
        if state == "half" and not board.squads & bit:
            wrong(("status", number), f"a {board.counters[unit].type} has no half", "S8.5")
        if state == "wounded" and not board.singles & bit:
            wrong(("status", number), "only single men are wounded", "S8.7")
    for number, marker in enumerate(given.markers):
        if crew and marker not in CREW_MARKS:
            wrong(("markers", number), f"a vehicle may be {', '.join(sorted(CREW_MARKS))}", "S7.7")
    for name in ("shaken", "wounded", "hidden"):
        if name in given.status:
            setattr(pos, name, getattr(pos, name) | bit)
    if pos.aboard & bit and "hidden" in builder.document.unit[pos.carrier[unit]].status:
        pos.hidden |= bit
    for name in given.markers:
        mask = MARKERS[name]
        setattr(pos, mask, getattr(pos, mask) | bit)


def _check_ground(pos: SquadPosition, builder: Builder, unit: int, place: int) -> None:
    """A unit could have come where it stands."""
    board = pos.board
    if builder.mapped and board.size > 1 and not _can_be(board, unit, place):
        who = "no vehicle" if board.vehicles >> unit & 1 else "nobody"
        text = f"{who} may be in {board.labels[place]}: the terrain is prohibited"
        rests_on = [*builder.changing("leg", "vehicle"), *builder.roster.says_kind(unit)]
        rests_on += builder.ground([board.places.hex_of[place]], *LINES, "bridges")
        builder.report(("unit", unit, "hex"), text, rule="S4.10", rests_on=rests_on)


def _can_be(board: Board, unit: int, place: int) -> bool:
    """Whether a unit could have come where it stands."""
    if board.vehicles >> unit & 1:
        return any(place == to for steps in board.places.drive for to, _, _ in steps)
    where = board.places.hex_of[place]
    return any(where == to for steps in board.places.steps for to, _ in steps)


def _meet(pos: SquadPosition) -> None:
    """Places with both sides in them are in melee; hexes with men in good order are controlled by them."""
    board = pos.board
    pos.melee = pos.taken_0 & pos.taken_1
    for unit in units(pos.placed & board.units):
        control.settle(pos, board.places.hex_of[pos.place[unit]])


def _hide(pos: SquadPosition, builder: Builder) -> None:
    """Who is hidden is out of the enemy's sight as the game begins (S10.4)."""
    hidden = pos.hidden
    if not hidden or not builder.mapped:
        return
    reveal(pos, None)
    found = range(len(builder.document.unit))
    marks: list[Path] = [("unit", unit, key) for unit in found for key in ("status", "markers")]
    for unit in units(hidden & ~pos.hidden):
        given = builder.document.unit[unit]
        if "hidden" in given.status:
            path = ("unit", unit, "status", given.status.index("hidden"))
            text = f"{given.id} is spotted as the game begins, so it is not hidden"
            advice = "put it where no enemy sees it in the open or is next to it"
            rests_on = [
                *SIGHT,
                *LAYOUT,
                *builder.changing(*SEEN),
                *[one for one in marks if one != path[:-1]],
            ]
            builder.report(path, text, advice, rule="S10.4", rests_on=rests_on)


def _works(pos: SquadPosition, builder: Builder) -> None:
    """Control, mines, fire for effect, and fire missions."""
    document = builder.document
    for label, name in document.map.control.items():
        place = builder.place(("map", "control", label), label)
        owner = builder.side(("map", "control", label), name)
        if place is not None and owner is not None:
            pos.control[place] = owner + 1
            control.settle(pos, place)
    for number, mines in enumerate(document.mines):
        place = builder.place(("mines", number, "hex"), mines.hex)
        owner = builder.side(("mines", number, "side"), mines.side)
        if place is None or owner is None:
            continue
        column = pos.mines_1 if owner else pos.mines_0
        path = ("mines", number, "hex")
        if pos.board.places.ground[place].building:
            builder.report(path, "mines do not lie in buildings", rule="S13.1", rests_on=())
        elif column[place] > 9:
            text = "a hex holds two mine markers of a side: this is the third"
            builder.report(path, text, rule="S13.1", rests_on=())
        else:
            column[place] = mines.fp if not column[place] else 10 * column[place] + mines.fp
            pos.known_mines |= 0 if mines.hidden else 1 << place
    for number, marker in enumerate(document.ffe):
        place = builder.place(("ffe", number, "hex"), marker.hex)
        if place is not None and pos.ffe[place]:
            builder.report(("ffe", number, "hex"), f"{marker.hex} has its marker already", rests_on=())
        elif place is not None:
            pos.ffe[place] = marker.fp
    _artillery(pos, builder)
    pos.events = (1 << len(document.event)) - 1


def _artillery(pos: SquadPosition, builder: Builder) -> None:
    """Fire missions, and somebody who may call them (S13.3)."""
    board, document = pos.board, builder.document
    rests_on: list[Path] = [("unit", unit, "side") for unit in range(len(document.unit))]
    for unit in range(len(document.unit)):
        rests_on += builder.roster.says_kind(unit)
    for number, mission in enumerate(document.mission):
        side = builder.side(("mission", number, "side"), mission.side)
        if side is None:
            continue
        pos.rounds[side] = mission.rounds
        if not board.callers & board.side_units[side]:
            text = f"{mission.side} has nobody to call its fire missions: no leader, and no artillery"
            builder.report(("mission", number, "side"), text, rule="S13.3", rests_on=rests_on)


def _begin(pos: SquadPosition, builder: Builder) -> None:
    """The first Rally Phase, or whatever ``[start]`` says."""
    document = builder.document
    start = document.start or Start()
    pos.turn = start.turn
    if start.turn > pos.board.turns:
        text = f"the last turn is {pos.board.turns}"
        builder.report(("start", "turn"), text, rests_on=[("turns",)])
    if document.initiative is not None:
        pos.initiative = builder.side(("initiative",), document.initiative) or 0
    side = pos.initiative
    if start.impulse is not None:
        side = builder.side(("start", "impulse"), start.impulse) or 0
    if start.phase == "operations":
        pos.frames = [IMPULSES[side][start.passes]]
        return
    for key in ("impulse", "passes"):
        if getattr(start, key):
            text = f"{key} goes with the Operations Phase alone"
            advice = 'add phase = "operations"'
            builder.report(("start", key), text, advice, rests_on=[("start", "phase")])
    pos.frames = [RallyPhase(pos.initiative, 0)]
