"""The position at the start of a scenario, checked against the rules that it must keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexengine.mechanics.masks import units
from hexengine.systems.squad.board import VEHICLE, WEAPON, Board
from hexengine.systems.squad.format import Start, Unit
from hexengine.systems.squad.impulse import IMPULSES
from hexengine.systems.squad.position import SquadPosition, give, put
from hexengine.systems.squad.rally import RallyPhase
from hexengine.systems.squad.spotting import reveal
from hexengine.systems.squad.transport import get_in
from hexengine.systems.squad.vehicles import seats_of, taken_seats

if TYPE_CHECKING:
    from hexengine.systems.squad.build import Builder

MARKERS = {
    "moved": "moved",
    "assault-move": "assault",
    "low-crawl": "crawl",
    "stealth": "stealth",
    "fired": "fired",
    "ops-complete": "ops",
}
"""Names of markers in files, and the masks of them."""
CREW_MARKS = frozenset({"shaken", "hidden", "moved", "assault-move", "fired", "ops-complete"})
"""What may be marked on a vehicle."""


def set_up(board: Board, builder: Builder) -> None:
    """Place every unit, apply ``[start]`` and keep the result as ``board.start``."""
    pos = SquadPosition(board)
    _carried(pos, builder)
    _units(pos, builder)
    if builder.faults:
        return
    _check_places(pos, builder)
    _works(pos, builder)
    _begin(pos, builder)
    if pos.hidden and not builder.faults:
        reveal(pos, None)
    board.start = pos


def _carried(pos: SquadPosition, builder: Builder) -> None:
    """Who carries which weapon (S8.11)."""
    board = pos.board
    ids = [unit.id for unit in builder.document.unit]
    for unit, given in enumerate(builder.document.unit):
        path = ("unit", unit, "carrier")
        if given.carrier is None:
            continue
        carrier = builder.known(path, "unit", given.carrier, ids)
        if carrier is not None and board.vehicles >> carrier & 1:
            _aboard(pos, builder, unit, carrier)
        elif board.kind[unit] != WEAPON:
            builder.report(path, f"{given.id} is no weapon: only weapons are carried", rule="S8.11")
        elif carrier is None:
            continue
        elif board.weapons >> carrier & 1:
            builder.report(path, f"{given.carrier} is a weapon and carries nothing", rule="S8.11")
        elif pos.weapon(carrier) >= 0:
            builder.report(path, f"{given.carrier} carries a weapon already", rule="S11.4")
        else:
            give(pos, unit, carrier)


def _aboard(pos: SquadPosition, builder: Builder, unit: int, vehicle: int) -> None:
    """A unit begins as a vehicle's passenger, where the vehicle is (S8.4)."""
    board, path = pos.board, ("unit", unit, "carrier")
    given, other = builder.document.unit[unit], builder.document.unit[vehicle]
    pos.steps[unit] = 1 if "half" in given.status else board.full[unit]
    if board.kind[unit] in (WEAPON, VEHICLE) or not board.mf[unit][1]:
        builder.report(path, f"{given.id} is not carried by a vehicle", rule="S8.4")
    elif given.hex is not None or given.event is not None or other.hex is None or other.event is not None:
        advice = f"{given.id} needs no hex, and {other.id} one from the start"
        builder.report(path, f"{given.id} is where its carrier is", advice)
    elif board.side[unit] != board.side[vehicle]:
        builder.report(path, f"{other.id} is not of the side of {given.id}", rule="S8.4")
    elif taken_seats(pos, vehicle) + seats_of(pos, unit) > board.seats[vehicle]:
        builder.report(path, f"{other.id} has no seat for {given.id}", rule="S8.4")
    else:
        get_in(pos, unit, vehicle)


def _units(pos: SquadPosition, builder: Builder) -> None:
    """Units on the map, those that come by an event, and weapons that lie about."""
    board = pos.board
    events = [event.id for event in builder.document.event]
    for unit, given in enumerate(builder.document.unit):
        weapon = board.kind[unit] == WEAPON
        if weapon and given.carrier is not None:
            pos.steps[unit] = 1
            if given.hex is not None or given.event is not None:
                builder.report(("unit", unit, "carrier"), f"{given.id} is where its carrier is: give no hex")
            continue
        hex_label = given.hex
        if pos.aboard >> unit & 1:
            hex_label = builder.document.unit[pos.carrier[unit]].hex
        if hex_label is None:
            advice = 'give hex = "0101"' + (' or carrier = "…"' if weapon else "")
            builder.report(("unit", unit, "id"), f"{given.id} is in no hex", advice)
            continue
        place = builder.place(("unit", unit, "hex"), hex_label)
        if place is None:
            continue
        pos.steps[unit] = 1 if weapon or "half" in given.status else board.full[unit]
        if given.event is not None:
            if builder.known(("unit", unit, "event"), "event", given.event, events) is not None:
                pos.waiting |= 1 << unit
        elif weapon:
            pos.place[unit] = place
            pos.placed |= 1 << unit
        else:
            put(pos, unit, place)
        if given.facing is not None and pos.facing:
            _face(pos, builder, unit, place, given.facing)
        _marks(pos, builder, unit, given)


def _face(pos: SquadPosition, builder: Builder, unit: int, place: int, label: str) -> None:
    """The direction that a vehicle faces, told by an adjacent hex."""
    there = builder.place(("unit", unit, "facing"), label)
    around = pos.board.grid.neighbours[pos.board.places.hex_of[place]]
    if there in around:
        pos.facing[unit] = around.index(there)
    elif there is not None:
        builder.report(("unit", unit, "facing"), f"{label} is not next to {builder.document.unit[unit].id}")


def _marks(pos: SquadPosition, builder: Builder, unit: int, given: Unit) -> None:
    """Status and markers that a unit begins with."""
    board, bit = pos.board, 1 << unit
    if board.weapons & bit:
        if given.status or given.markers:
            builder.report(("unit", unit, "status"), f"{given.id} is a weapon: nothing is marked on it")
        return
    if "half" in given.status and not board.squads & bit:
        builder.report(("unit", unit, "status"), f"a {board.counters[unit].type} has no half", rule="S8.5")
    if "wounded" in given.status and not board.singles & bit:
        builder.report(("unit", unit, "status"), "only single men are wounded", rule="S8.7")
    for name in ("shaken", "wounded", "hidden"):
        if name in given.status:
            setattr(pos, name, getattr(pos, name) | bit)
    if board.vehicles & bit and not {*given.status, *given.markers} <= CREW_MARKS:
        allowed = ", ".join(sorted(CREW_MARKS))
        builder.report(("unit", unit, "status"), f"a vehicle may be {allowed}", rule="S7.7")
    if pos.aboard & bit and pos.hidden >> pos.carrier[unit] & 1:
        pos.hidden |= bit
    for name in given.markers:
        mask = MARKERS[name]
        setattr(pos, mask, getattr(pos, mask) | bit)


def _can_be(board: Board, unit: int, place: int) -> bool:
    """Whether a unit could have come where it stands."""
    if board.vehicles >> unit & 1:
        return any(place == to for steps in board.places.drive for to, _, _ in steps)
    where = board.places.hex_of[place]
    return any(where == to for steps in board.places.steps for to, _ in steps)


def _check_places(pos: SquadPosition, builder: Builder) -> None:
    """No place starts over its limit, with both sides in it, or on ground that nobody may enter."""
    board = pos.board
    for unit in units(pos.placed & board.units):
        place, side = pos.place[unit], board.side[unit]
        path = ("unit", unit, "hex")
        label = board.labels[place]
        if unit == min(units(pos.at(place, side))):
            here = pos.here[side * board.places.count + place]
            cars = (pos.at(place, side) & board.vehicles).bit_count()
            over = here & 15 > board.limit_men or here >> 4 > board.limit_singles
            if over or cars > board.limit_vehicles:
                builder.report(path, f"more units of a side stand in {label} than may", rule="S3.1")
            if side == 0 and pos.taken_1 >> place & 1:
                pos.melee |= 1 << place
        where = board.places.hex_of[place]
        if board.size > 1 and not _can_be(board, unit, place):
            who = "no vehicle" if board.vehicles >> unit & 1 else "nobody"
            builder.report(path, f"{who} may be in {label}: the terrain is prohibited", rule="S4.10")
        if board.men >> unit & 1 or board.heroes >> unit & 1:
            pos.control[where] = side + 1


def _works(pos: SquadPosition, builder: Builder) -> None:
    """Control, mines, fire for effect, and fire missions."""
    document = builder.document
    for label, name in document.map.control.items():
        place = builder.place(("map", "control", label), label)
        owner = builder.side(("map", "control", label), name)
        if place is not None and owner is not None:
            pos.control[place] = owner + 1
    for number, mines in enumerate(document.mines):
        place = builder.place(("mines", number, "hex"), mines.hex)
        owner = builder.side(("mines", number, "side"), mines.side)
        if place is None or owner is None:
            continue
        column = pos.mines_1 if owner else pos.mines_0
        if pos.board.places.ground[place].building:
            builder.report(("mines", number, "hex"), "mines do not lie in buildings", rule="S13.1")
        elif column[place] > 9:
            builder.report(("mines", number, "hex"), "a hex holds two mine markers", rule="S13.1")
        else:
            column[place] = mines.fp if not column[place] else 10 * column[place] + mines.fp
            pos.known_mines |= 0 if mines.hidden else 1 << place
    for number, marker in enumerate(document.ffe):
        place = builder.place(("ffe", number, "hex"), marker.hex)
        if place is not None:
            pos.ffe[place] = marker.fp
    for number, mission in enumerate(document.mission):
        side = builder.side(("mission", number, "side"), mission.side)
        if side is not None:
            pos.rounds[side] = mission.rounds
    pos.events = (1 << len(document.event)) - 1


def _begin(pos: SquadPosition, builder: Builder) -> None:
    """The first Rally Phase, or whatever ``[start]`` says."""
    document = builder.document
    start = document.start or Start()
    pos.turn = start.turn
    if start.turn > pos.board.turns:
        builder.report(("start", "turn"), f"the last turn is {pos.board.turns}")
    if document.initiative is not None:
        pos.initiative = builder.side(("initiative",), document.initiative) or 0
    if start.phase == "rally":
        pos.frames = [RallyPhase(pos.initiative, 0)]
        return
    side = pos.initiative
    if start.impulse is not None:
        side = builder.side(("start", "impulse"), start.impulse) or 0
    pos.frames = [IMPULSES[side][start.passes]]
