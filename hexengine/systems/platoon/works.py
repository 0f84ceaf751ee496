"""Digging in (P11.1): infantry makes an improved position in its hex, where the scenario lets it."""

from __future__ import annotations

from hexengine.core.dice import MORALE, Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.orders import Order
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.orders import Work
from hexengine.systems.platoon.position import PlatoonPosition


def dig_bar(pos: PlatoonPosition, unit: int) -> str:
    """Why a unit that may act may not dig in now: a code, or "" if it may.

    It takes the whole activation of infantry in good order, so whoever has moved or got off is too late.
    """
    board = pos.board
    bit = 1 << unit
    if not board.options.dig_in:
        return "no-digging"
    if not board.infantry & bit:
        return "not-infantry-dig"
    if pos.disrupted & bit:
        return "disrupted-dig"
    if (pos.moved | pos.shuttled) & bit:
        return "moved-dig"
    if pos.positions >> pos.hex[unit] & 1:
        return "position-there"
    return ""


def check(pos: PlatoonPosition, order: Work) -> Refusal | None:
    """Whether a unit that may act may do its work."""
    unit = order.unit
    bar = dig_bar(pos, unit)
    if not bar:
        return None
    board = pos.board
    return Refusal("P11.1", bar, {"unit": board.ids[unit], "hex": board.labels[pos.hex[unit]]})


def digs(pos: PlatoonPosition, here: int, found: list[Order]) -> None:
    """Append the orders to dig in of able units in a hex."""
    for unit in units(here & pos.board.infantry):
        if not dig_bar(pos, unit):
            found.append(pos.board.orders.dig(unit))


def carry_out(pos: PlatoonPosition, order: Work, dice: Dice, emit: Emit) -> None:
    """Two dice within its formation's morale make a position; either way the unit has acted."""
    board = pos.board
    unit = order.unit
    place = pos.hex[unit]
    morale = board.formations[board.formation[unit]].morale
    pos.finished |= 1 << unit
    pos.fired |= 1 << unit
    made = dice.within(MORALE, 2, morale)
    if made:
        pos.positions |= 1 << place
    if emit:
        facts = {"unit": board.ids[unit], "hex": board.labels[place], "faces": dice.faces, "morale": morale}
        emit(Event("P11.1", "dug-in" if made else "not-dug-in", facts))
