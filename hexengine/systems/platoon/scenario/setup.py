"""The position at the start of a scenario (P15), checked against the rules that it must keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexengine.core.frames import Frame
from hexengine.hexes import LabelError
from hexengine.mechanics.maps import MapParts
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.board import CLASSES, END_OF_TURN, HEADQUARTERS, WEAPON, Board
from hexengine.systems.platoon.cup import Cup, fill
from hexengine.systems.platoon.firing.losses import release
from hexengine.systems.platoon.moving.stacking import place_at
from hexengine.systems.platoon.operations import Operations
from hexengine.systems.platoon.position import STACKING_LIMIT, PlatoonPosition
from hexengine.systems.platoon.scenario.format import Start
from hexengine.systems.platoon.support.missions import Missions

if TYPE_CHECKING:
    from hexengine.systems.platoon.scenario.build import Builder

Path = tuple[str | int, ...]


def set_up(board: Board, builder: Builder, parts: MapParts) -> None:
    """Place every unit, apply ``[start]`` and keep the result as ``board.start``."""
    pos = PlatoonPosition(board)
    _place(pos, builder)
    _board_carriers(pos, builder)
    if builder.faults:
        return
    _check_hexes(pos, builder)
    for label, side in builder.document.map.control.items():
        place = builder.reader.hex(parts.grid, ("map", "control", label), label)
        owner = builder.side(("map", "control", label), side)
        if place is not None and owner is not None:
            pos.control[place] = owner + 1
    for number, label in enumerate(builder.document.map.wrecks):
        place = builder.reader.hex(parts.grid, ("map", "wrecks", number), label)
        if place is not None:
            pos.wrecks |= 1 << place
    pos.positions = board.positions
    for number, label in enumerate(builder.document.map.mines):
        place = builder.reader.hex(parts.grid, ("map", "mines", number), label)
        if place is not None:
            pos.mines |= 1 << place
    for name, number in builder.document.mines.items():
        owner = builder.side(("mines", name), name)
        if owner is not None:
            pos.pool[owner] = number
    board.mined = bool(pos.mines or any(pos.pool))
    board.has_works |= board.mined
    if board.has_works or board.has_exits:
        board.acts_on = -1
    for label, turns in builder.document.map.smoke.items():
        place = builder.reader.hex(parts.grid, ("map", "smoke", label), label)
        if place is not None:
            pos.smoke[place] = turns
            pos.smoky |= 1 << place
    _marks(pos, builder)
    _begin(pos, builder)
    board.start = pos
    board.start_steps = list(pos.steps)


def _place(pos: PlatoonPosition, builder: Builder) -> None:
    """Units on the map, and those that are due later."""
    board = pos.board
    for unit, counter in enumerate(board.counters):
        given = builder.document.unit[unit]
        path: Path = ("unit", unit, "id")
        pos.steps[unit] = given.steps or (1 if "reduced" in given.status else counter.steps)
        if counter.kind == WEAPON:
            continue
        ways = [given.hex is not None, given.carrier is not None, given.turn is not None]
        if sum(ways) != 1:
            builder.report(
                path,
                f"{counter.id} must be in a hex, aboard a carrier or due in a turn: one of the three",
                'give hex = "0101", carrier = "…", or turn = 3 and hexes = ["0101"]',
            )
            continue
        if given.turn is not None:
            if not counter.entry and not given.hexes:
                builder.report(
                    path, f"{counter.id} arrives in turn {given.turn} but has no hexes", rule="P15"
                )
            if given.turn == 1:
                pos.due |= 1 << unit
            continue
        if given.hex is not None:
            try:
                place = board.grid.index(given.hex)
            except LabelError as error:
                builder.report(("unit", unit, "hex"), str(error))
                continue
            place_at(pos, unit, place)


def _board_carriers(pos: PlatoonPosition, builder: Builder) -> None:
    """Units that begin aboard a carrier (P5.1)."""
    board = pos.board
    index = {counter.id: number for number, counter in enumerate(board.counters)}
    for unit, counter in enumerate(board.counters):
        given = builder.document.unit[unit]
        if given.carrier is None or counter.kind == WEAPON:
            continue
        path: Path = ("unit", unit, "carrier")
        carrier = builder.known(path, "unit", given.carrier, list(index))
        if carrier is None:
            continue
        if not board.transports >> carrier & 1:
            builder.report(path, f"{given.carrier} carries nobody", rule="P5.1")
        elif not board.riders >> unit & 1:
            builder.report(path, f"{counter.id} cannot be carried", rule="P5.1")
        elif not board.partners[board.formation[carrier]] >> unit & 1:
            builder.report(path, f"{given.carrier} is of another formation", rule="P5.4")
        elif pos.passengers(carrier):
            builder.report(path, f"{given.carrier} carries a unit already", rule="P5.1")
        else:
            pos.carried |= 1 << unit
            pos.carrier[unit] = carrier
            if pos.placed >> carrier & 1:
                place_at(pos, carrier, pos.hex[carrier])


def _check_hexes(pos: PlatoonPosition, builder: Builder) -> None:
    """No hex starts over the limit, held by both sides, on prohibited ground or with a lone HQ."""
    board = pos.board
    for unit in units(pos.placed & board.movers & ~pos.carried):
        counter = board.counters[unit]
        path: Path = ("unit", unit, "hex")
        place, side = pos.hex[unit], counter.side
        label = board.labels[place]
        if board.air >> unit & 1:
            given = builder.document.unit[unit].status
            if "landed" in given and pos.here[(1 - side) * board.size + place]:
                text = f"{counter.id} cannot have landed among the enemy in {label}"
                builder.report(path, text, rule="P13.1")
            continue
        first = unit == min(units(pos.at(place, side)))
        if first and pos.here[side * board.size + place] & 15 > STACKING_LIMIT:
            builder.report(path, f"more than {STACKING_LIMIT} units of a side stand in {label}", rule="P3.4")
        if first and pos.here[side * board.size + place] >= 32:
            builder.report(path, f"two HQs of a side stand in {label}", rule="P3.4")
        if first and pos.here[(1 - side) * board.size + place] and side == 0:
            builder.report(path, f"both sides stand in {label}", rule="P4.4")
        if counter.mobility >= 0 and board.entry_costs[counter.mobility][place] is None:
            ways_in = [n for n in board.neighbours[place] if n >= 0]
            mobility = CLASSES[counter.mobility]
            swims = board.water >> place & board.amphibious >> unit & 1
            if not swims and not any(board.map.step_cost(n, place, mobility) for n in ways_in):
                builder.report(
                    path, f"{counter.id} cannot be in {label}: the terrain is prohibited to it", rule="P4.2"
                )
        if counter.kind == HEADQUARTERS:
            company = pos.at(place, side) & board.formations[counter.formation].fighters
            if not company:
                builder.report(path, f"the HQ {counter.id} stands alone in {label}", rule="P9.1")


def _marks(pos: PlatoonPosition, builder: Builder) -> None:
    """Status and markers that units begin with; control by where they stand."""
    board = pos.board
    fields = {
        "ops-complete": "ops",
        "out-of-command": "ooc",
        "depleted-1": "depleted_1",
        "depleted-2": "depleted_2",
    }
    for unit, counter in enumerate(board.counters):
        given = builder.document.unit[unit]
        bit = 1 << unit
        if "disrupted" in given.status:
            pos.disrupted |= bit
        if "reduced" in given.status and counter.steps == 1:
            builder.report(("unit", unit, "status"), f"a {counter.type} has no reduced side", rule="P3.3")
        if "fresh" in given.status or (board.options.setup_units_fresh and pos.placed & bit):
            pos.fresh |= bit & board.movers
        if "landed" in given.status:
            if not board.air & pos.placed & bit:
                text = f"{counter.id} cannot have landed: it is no helicopter on the map"
                builder.report(("unit", unit, "status"), text, rule="P13.1")
            pos.landed |= bit
        for name in given.markers:
            setattr(pos, fields[name], getattr(pos, fields[name]) | bit)
        if pos.placed & bit & board.counted:
            pos.control[pos.hex[unit]] = counter.side + 1


def _begin(pos: PlatoonPosition, builder: Builder) -> None:
    """The first turn's cup, or whatever ``[start]`` says."""
    board = pos.board
    start = builder.document.start or Start()
    pos.turn = start.turn
    if start.turn > board.turns:
        builder.report(("start", "turn"), f"the last turn is {board.turns}")
    for unit, counter in enumerate(board.counters):
        if counter.due and counter.due <= pos.turn and not counter.arrival:
            pos.due |= 1 << unit & ~pos.placed
    ids = [formation.id for formation in board.formations]
    waiting = 0
    for number, name in enumerate(start.waiting):
        formation = builder.known(("start", "waiting", number), "formation", name, ids)
        waiting |= 1 << formation if formation is not None else 0
    fill(pos, waiting, None)
    frames: list[Frame] = [Cup()]
    if start.active is not None:
        active = builder.known(("start", "active"), "formation", start.active, ids)
        if active is not None:
            pos.active = active
            pos.waiting &= ~(1 << active)
            if start.cup is None:
                pos.cup[active] = max(0, pos.cup[active] - 1)
                pos.drawn[active] = 1
                release(pos, None)
            frames.append(Operations(active))
            if board.supported >> active & 1:
                frames.append(Missions(active, 0))
    held = _held(pos, builder, start.held)
    if start.cup is not None:
        _given_cup(pos, builder, start.cup, held)
    if start.draws is not None:
        pos.draws = builder.side(("start", "draws"), start.draws) or 0
    pos.frames = frames


def _held(pos: PlatoonPosition, builder: Builder, names: list[str]) -> int:
    """The sides that are said to keep their End of Turn marker: those that wait for a formation (P1.5)."""
    board = pos.board
    held = 0
    for number, name in enumerate(names):
        side = builder.side(("start", "held", number), name)
        if side is not None:
            held |= 1 << side
            if not pos.waiting & board.side_formations[side]:
                builder.report(
                    ("start", "held", number),
                    f"{name} keeps its End of Turn marker but waits for no formation",
                    "list the formation under waiting",
                    rule="P1.5",
                )
    return held


def _given_cup(pos: PlatoonPosition, builder: Builder, names: list[str], held: int) -> None:
    """A cup as the scenario lists it: what is not in it has been drawn."""
    board = pos.board
    pos.held = held
    full = [*(formation.markers for formation in board.formations), 2 - held.bit_count()]
    pos.cup = [0] * len(board.marker_names)
    for number, name in enumerate(names):
        kind = builder.known(("start", "cup", number), "marker", name, board.marker_names)
        if kind is None:
            continue
        pos.cup[kind] += 1
        if kind != board.eot and not pos.entered >> kind & 1:
            text = f"{name} has no unit on the map or due, so its marker is not in the cup"
            builder.report(("start", "cup", number), text, rule="P1.1")
        if pos.cup[kind] > full[kind]:
            what = "End of Turn markers" if name == END_OF_TURN else f"markers of {name}"
            builder.report(("start", "cup", number), f"there are only {full[kind]} {what}", rule="P1.1")
    for kind, count in enumerate(pos.cup):
        there = kind == board.eot or pos.entered >> kind & 1
        pos.drawn[kind] = full[kind] - count if there else 0
    for formation in units(pos.waiting):
        if not pos.cup[formation]:
            builder.report(
                ("start", "waiting"), f"{board.formations[formation].id} waits but has no marker in the cup",
                rule="P1.5",
            )  # fmt: skip
        number = board.formations[formation].side
        if not held >> number & 1:
            side, name = board.sides[number], board.formations[formation].id
            text = f"{side} waits for {name} and so keeps an End of Turn marker"
            builder.report(("start", "waiting"), text, f'add held = ["{side}"]', rule="P1.5")
