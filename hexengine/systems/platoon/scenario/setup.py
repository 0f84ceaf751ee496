"""The position at the start of a scenario (P15), checked against the rules that it must keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexengine.mechanics.checking import Path
from hexengine.mechanics.maps import MapParts
from hexengine.systems.platoon.board import WEAPON, Board
from hexengine.systems.platoon.moving.stacking import place_at
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.scenario.reachable import check_entries, check_goals
from hexengine.systems.platoon.scenario.stacks import Stacks
from hexengine.systems.platoon.scenario.start import begin

if TYPE_CHECKING:
    from hexengine.systems.platoon.scenario.build import Builder
    from hexengine.systems.platoon.scenario.format import Unit

WAYS = ("hex", "carrier", "turn")
"""How a unit may begin: on the map, aboard or with somebody, or later."""


def set_up(board: Board, builder: Builder, parts: MapParts) -> None:
    """Place every unit, apply ``[start]`` and keep the result as ``board.start``."""
    pos = PlatoonPosition(board)
    stacks = Stacks(pos, builder, parts.unsure)
    _place(pos, builder, stacks)
    _board_carriers(pos, builder)
    stacks.check()
    _lay_out(pos, builder)
    _marks(pos, builder)
    begin(pos, builder)
    check_entries(board, builder, parts.unsure)
    check_goals(pos, builder, parts.unsure)
    board.start = pos
    board.start_steps = list(pos.steps)


def _lay_out(pos: PlatoonPosition, builder: Builder) -> None:
    """What lies on the map: control, wrecks, positions, mines and smoke."""
    board, section = pos.board, builder.document.map
    for label, side in section.control.items():
        place = builder.place(("map", "control", label), label)
        owner = builder.side(("map", "control", label), side)
        if place is not None and owner is not None:
            pos.control[place] = owner + 1
    for place in builder.places(("map", "wrecks"), section.wrecks):
        pos.wrecks |= 1 << place
    pos.positions = board.positions
    for place in builder.places(("map", "mines"), section.mines):
        pos.mines |= 1 << place
    for name, number in builder.document.mines.items():
        owner = builder.side(("mines", name), name)
        if owner is not None:
            pos.pool[owner] = number
    board.mined = bool(pos.mines or any(pos.pool))
    board.has_works |= board.mined
    if board.has_works or board.has_exits:
        board.acts_on = -1
    for label, turns in section.smoke.items():
        place = builder.place(("map", "smoke", label), label)
        if place is not None:
            pos.smoke[place] = turns
            pos.smoky |= 1 << place


def _place(pos: PlatoonPosition, builder: Builder, stacks: Stacks) -> None:
    """Units on the map, and those that are due later."""
    board = pos.board
    for unit, counter in enumerate(board.counters):
        given = builder.document.unit[unit]
        pos.steps[unit] = given.steps or (1 if "reduced" in given.status else counter.steps)
        if builder.unknown >> unit & 1:
            continue
        ways = [key for key in WAYS if getattr(given, key) is not None]
        _check_ways(builder, unit, given, ways, counter.kind == WEAPON)
        if counter.kind == WEAPON or len(ways) != 1:
            continue
        if given.turn is not None:
            if not given.hexes:
                text = f"{counter.id} arrives in turn {given.turn} but has no hexes"
                rests_on = [("unit", unit, "hexes")]
                builder.report(
                    ("unit", unit, "turn"), text, 'add hexes = ["…"]', rule="P15", rests_on=rests_on
                )
            if given.turn == 1:
                pos.due |= 1 << unit
        place = builder.hex_of[unit]
        if place is not None:
            stacks.put(unit, place)
    stacks.settle()


def _check_ways(builder: Builder, unit: int, given: Unit, ways: list[str], weapon: bool) -> None:
    """A unit begins in one of the ways that there are; a support weapon goes with its infantry (P3.5)."""
    path: Path = ("unit", unit)
    if len(ways) == 1 or (weapon and "turn" in ways):
        return
    rests_on: list[Path] = [(*path, key) for key in (*WAYS, "hexes")] + builder.kind_paths([unit])
    if len(ways) > 1:
        text = (
            f"{given.id} has both {' and '.join(ways)}"
            if len(ways) == 2
            else f"{given.id} has all of hex, carrier and turn"
        )
        builder.report((*path, ways[1]), text, "one of them is enough", rests_on=rests_on)
    elif not weapon:
        builder.report(
            (*path, "id"),
            f"{given.id} must be in a hex, aboard a carrier or due in a turn: one of the three",
            'give hex = "0101", carrier = "…", or turn = 3 and hexes = ["0101"]',
            rests_on=rests_on,
        )


def _board_carriers(pos: PlatoonPosition, builder: Builder) -> None:
    """Units that begin aboard a carrier (P5.1)."""
    board = pos.board
    for unit, counter in enumerate(board.counters):
        given = builder.document.unit[unit]
        known = not builder.unknown >> unit & 1
        if given.carrier is None or (known and counter.kind == WEAPON):
            continue
        path: Path = ("unit", unit, "carrier")
        carrier = builder.unit_named(path, given.carrier)
        if carrier is None or not known:
            continue
        ids = builder.unit_paths(given.carrier)
        both: list[Path] = [("unit", one, "formation") for one in (unit, carrier)]
        if not board.transports >> carrier & 1:
            rests_on = [*ids, *both, *builder.kind_paths([carrier], "flags")]
            builder.report(path, f"{given.carrier} carries nobody", rule="P5.1", rests_on=rests_on)
        elif not board.riders >> unit & 1:
            rests_on = [*ids, *builder.kind_paths([unit], "flags")]
            builder.report(path, f"{counter.id} cannot be carried", rule="P5.1", rests_on=rests_on)
        elif not board.partners[board.formation[carrier]] >> unit & 1:
            sides: list[Path] = [("formation", number, "side") for number in range(len(board.formations))]
            rests_on = [*ids, *both, *sides]
            builder.report(path, f"{given.carrier} is of another formation", rule="P5.4", rests_on=rests_on)
        elif pos.passengers(carrier):
            builder.report(path, f"{given.carrier} carries a unit already", rule="P5.1", rests_on=ids)
        else:
            pos.carried |= 1 << unit
            pos.carrier[unit] = carrier
            if pos.placed >> carrier & 1:
                place_at(pos, carrier, pos.hex[carrier])


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
        if builder.unknown >> unit & 1:
            continue
        given = builder.document.unit[unit]
        path: Path = ("unit", unit, "status")
        bit = 1 << unit
        if "disrupted" in given.status:
            pos.disrupted |= bit
        if "reduced" in given.status and counter.steps == 1:
            rests_on = builder.kind_paths([unit], "reduced")
            builder.report(path, f"a {counter.type} has no reduced side", rule="P3.3", rests_on=rests_on)
        if "fresh" in given.status or (board.options.setup_units_fresh and pos.placed & bit):
            pos.fresh |= bit & board.movers
        if "landed" in given.status:
            if not board.air & pos.placed & bit:
                text = f"{counter.id} cannot have landed: it is no helicopter on the map"
                rests_on = builder.kind_paths([unit])
                if board.air & bit:
                    rests_on.append(("unit", unit, "hex"))
                builder.report(path, text, rule="P13.1", rests_on=rests_on)
            pos.landed |= bit
        for name in given.markers:
            setattr(pos, fields[name], getattr(pos, fields[name]) | bit)
        if pos.placed & bit & board.counted:
            pos.control[pos.hex[unit]] = counter.side + 1
