"""An activation (P2) up to its operations: housekeeping, command, rally, fire missions."""

from __future__ import annotations

from hexengine.core.dice import MORALE, Dice
from hexengine.core.events import Emit, Event
from hexengine.mechanics.masks import mask_of, units
from hexengine.systems.platoon.operations import Operations
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.support.missions import open_missions

RALLY_OOC_MODIFIER = 1


def activate(pos: PlatoonPosition, formation: int, dice: Dice, emit: Emit) -> None:
    """The steps of an activation in their fixed order (P2), up to its operations."""
    pos.active = formation
    if emit:
        emit(Event("P1.2", "activation", {"formation": pos.board.formations[formation].id}))
    housekeeping(pos, formation, emit)
    command(pos, formation, dice, emit)
    rally(pos, formation, dice, emit)
    pos.frames.append(Operations(formation))
    open_missions(pos, formation)


def housekeeping(pos: PlatoonPosition, formation: int, emit: Emit) -> None:
    """P2.1: all Ops Complete and Out of Command markers come off, and nothing else."""
    members = pos.board.formations[formation].members
    cleared = members & (pos.ops | pos.ooc)
    pos.ops &= ~members
    pos.ooc &= ~members
    if emit and cleared:
        emit(Event("P2.1", "housekeeping", {"units": [pos.board.ids[unit] for unit in units(cleared)]}))


def command(pos: PlatoonPosition, formation: int, dice: Dice, emit: Emit) -> None:
    """P2.2: who is in command.  One roll a hex, by hex label ascending.

    It is for the formation's units there, passengers included (P2.2.6), but for the fresh ones (P2.2.5).
    """
    board = pos.board
    data = board.formations[formation]
    if data.hq < 0:
        return
    outside = pos.placed & data.fighters & ~(pos.fresh | _covered(pos, formation))
    if not outside:
        return
    by_hex: dict[int, int] = {}
    for unit in units(outside):
        by_hex[pos.hex[unit]] = by_hex.get(pos.hex[unit], 0) | 1 << unit
    for place in sorted(by_hex):
        passed = dice.within(MORALE, 2, data.morale)
        if emit:
            emit(
                Event(
                    "P2.2.2",
                    "command-passed" if passed else "command-failed",
                    {
                        "formation": data.id,
                        "hex": board.labels[place],
                        "units": [board.ids[unit] for unit in units(by_hex[place])],
                        "faces": dice.faces,
                        "morale": data.morale,
                    },
                )
            )
        if not passed:
            pos.ooc |= by_hex[place]
            if emit:
                emit(Event("P2.2.4", "out-of-command", {"hex": board.labels[place]}))


def _covered(pos: PlatoonPosition, formation: int) -> int:
    """The units within their HQ's command radius (P2.2.1); none if it is not on the map (P2.2.3)."""
    board = pos.board
    data = board.formations[formation]
    if not pos.placed >> data.hq & 1:
        return 0
    radius = board.counters[data.hq].radius[1 if pos.steps[data.hq] == 1 else 0]
    where = pos.hex
    distances = board.grid.distances(where[data.hq])
    covered = 0
    for unit in units(pos.placed & data.fighters):
        if distances[where[unit]] <= radius:
            covered |= 1 << unit
    if board.options.recon_double_radius:
        for unit in units(pos.placed & data.fighters & board.recon):
            if distances[where[unit]] <= 2 * radius:
                covered |= 1 << unit
    return covered


def rally(pos: PlatoonPosition, formation: int, dice: Dice, emit: Emit) -> None:
    """P2.3: each Disrupted unit tries once, in the scenario's order; passengers rally with theirs."""
    board = pos.board
    data = board.formations[formation]
    for unit in units(pos.placed & data.fighters & pos.disrupted & ~pos.carried):
        ooc = RALLY_OOC_MODIFIER if pos.ooc >> unit & 1 else 0
        lead = 0
        if data.hq >= 0 and pos.placed >> data.hq & 1 and pos.hex[data.hq] == pos.hex[unit]:
            lead = board.counters[data.hq].leadership[1 if pos.steps[data.hq] == 1 else 0]
        rallied = dice.within(MORALE, 2, data.morale - ooc + lead)
        if rallied:
            pos.disrupted &= ~(1 << unit | mask_of(pos.passengers(unit)))
        if emit:
            emit(
                Event(
                    "P2.3",
                    "rallied" if rallied else "not-rallied",
                    {
                        "unit": board.ids[unit],
                        "faces": dice.faces,
                        "morale": data.morale,
                        "ooc": ooc,
                        "leadership": lead,
                    },
                )
            )
