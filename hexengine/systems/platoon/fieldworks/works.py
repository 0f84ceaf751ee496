"""Work in the field: digging in (P11.1), where a scenario allows it, and clearing mines (P11.3)."""

from __future__ import annotations

from hexengine.core.dice import MORALE, Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.orders import Order
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.fieldworks import mines
from hexengine.systems.platoon.orders.work import Clear, Work, dig
from hexengine.systems.platoon.position import PlatoonPosition

_DIG_RULES = {
    "no-digging": "P11.1",
    "not-infantry-dig": "P11.1",
    "disrupted-dig": "P11.1",
    "moved-dig": "P11.1",
    "position-there": "P11.1",
}


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
    if isinstance(order, Clear):
        return mines.check_clear(pos, order)
    bar = dig_bar(pos, order.unit)
    if not bar:
        return None
    facts = {"unit": pos.board.ids[order.unit], "hex": pos.board.labels[pos.hex[order.unit]]}
    return Refusal(_DIG_RULES[bar], bar, facts)


def works(pos: PlatoonPosition, place: int, here: int, found: list[Order]) -> None:
    """Append the orders to work of able units in a hex."""
    board = pos.board
    if board.options.dig_in:
        for unit in units(here & board.infantry):
            if not dig_bar(pos, unit):
                found.append(dig(board.orders, unit))
    if pos.mines:
        mines.clears(pos, place, here, found)


def carry_out(pos: PlatoonPosition, order: Work, dice: Dice, emit: Emit) -> None:
    """Do the work; whether it succeeds or not, the unit has acted."""
    pos.finished |= 1 << order.unit
    pos.fired |= 1 << order.unit
    if isinstance(order, Clear):
        mines.clear(pos, order, dice, emit)
    else:
        _dig(pos, order.unit, dice, emit)


def _dig(pos: PlatoonPosition, unit: int, dice: Dice, emit: Emit) -> None:
    """Two dice within its formation's morale make a position."""
    board = pos.board
    place = pos.hex[unit]
    morale = board.formations[board.formation[unit]].morale
    made = dice.within(MORALE, 2, morale)
    if made:
        pos.positions |= 1 << place
    if emit:
        facts = {"unit": board.ids[unit], "hex": board.labels[place], "faces": dice.faces, "morale": morale}
        emit(Event("P11.1", "dug-in" if made else "not-dug-in", facts))
