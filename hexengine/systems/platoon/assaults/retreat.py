"""After a fight (P7.3.8, P7.5): who is thrown back, who retreats, and who then holds the hex (P16.1)."""

from __future__ import annotations

from hexengine.core.dice import Dice
from hexengine.core.events import Emit, Event
from hexengine.mechanics.masks import mask_of, units
from hexengine.systems.platoon.fieldworks.mines import strike
from hexengine.systems.platoon.firing.losses import alone, eliminate
from hexengine.systems.platoon.moving.movement import take_control
from hexengine.systems.platoon.moving.stacking import counted, shift
from hexengine.systems.platoon.position import STACKING_LIMIT, PlatoonPosition


def turn_back(pos: PlatoonPosition, stopped: int, place: int, origin: int, emit: Emit) -> None:
    """Units that fire has stopped in an enemy hex return to the hex they left (P7.5).

    So does their HQ if they were its only company there.
    """
    back = mask_of(unit for unit in units(stopped & ~pos.carried) if pos.hex[unit] == place)
    if back:
        shift(pos, back, place, origin)
    for hq in units(pos.placed & pos.board.hqs):
        if pos.hex[hq] == place and alone(pos, hq):
            shift(pos, 1 << hq, place, origin)
            back |= 1 << hq
    if emit and back:
        board = pos.board
        names = [board.ids[unit] for unit in units(back)]
        emit(Event("P7.5", "turned-back", {"units": names, "from": board.labels[place],
                                           "hex": board.labels[origin]}))  # fmt: skip


def throw_back(pos: PlatoonPosition, side: int, place: int, origin: int, emit: Emit) -> int:
    """P7.3.8: beaten attackers go back to the hex they came from, as if they had never left it (P16.1).

    Returns who did.
    """
    beaten = pos.at(place, side)
    if beaten:
        shift(pos, beaten, place, origin)
    if emit and beaten:
        board = pos.board
        names = [board.ids[unit] for unit in units(beaten)]
        emit(Event("P7.3.8", "thrown-back", {"units": names, "from": board.labels[place],
                                             "hex": board.labels[origin]}))  # fmt: skip
    return beaten


def retreat(pos: PlatoonPosition, side: int, place: int, direction: int, dice: Dice, emit: Emit) -> None:
    """P7.3.8: beaten defenders go one hex straight on, from the top of the stack down, or are eliminated.

    Mines that lie there strike them (P11.2).
    """
    board = pos.board
    beyond = board.neighbours[place][direction]
    gone = 0
    for unit in units(pos.at(place, side) & board.counted):
        if can_retreat(pos, unit, place, direction):
            _go(pos, unit, place, beyond, emit)
            gone |= 1 << unit
        else:
            eliminate(pos, unit, "P7.3.8", emit)
    for hq in units(pos.at(place, side) & board.hqs):
        company = gone & board.formations[board.formation[hq]].fighters
        if company and pos.here[side * board.size + beyond] < 16:
            _go(pos, hq, place, beyond, emit)
        else:
            eliminate(pos, hq, "P9.1", emit)
    if gone:
        take_control(pos, gone, beyond)
        if pos.mines >> beyond & 1:
            strike(pos, gone, beyond, dice, emit)


def _go(pos: PlatoonPosition, unit: int, place: int, beyond: int, emit: Emit) -> None:
    """One unit or HQ retreats, and that is told."""
    board = pos.board
    shift(pos, 1 << unit, place, beyond)
    if emit:
        emit(Event("P7.3.8", "retreat", {"unit": board.ids[unit], "from": board.labels[place],
                                         "hex": board.labels[beyond]}))  # fmt: skip


def can_retreat(pos: PlatoonPosition, unit: int, place: int, direction: int) -> bool:
    """Whether a unit has a hex to retreat to: on the map, not prohibited, not enemy-held, with room.

    Nobody swims in a retreat: that takes a whole activation (P14.3).
    """
    board = pos.board
    side = board.side[unit]
    beyond = board.neighbours[place][direction]
    return bool(
        beyond >= 0
        and board.costs[board.land[board.mobility[unit]]][place][direction]
        and not pos.here[(1 - side) * board.size + beyond]
        and counted(pos, side, beyond) < STACKING_LIMIT
    )


def hold(pos: PlatoonPosition, side: int, place: int, origin: int) -> int:
    """The winners have the hex, and have come from the one they attacked from.  Returns who they are."""
    winners = pos.at(place, side)
    for unit in units(winners):
        pos.left[unit] = origin
    take_control(pos, winners, place)
    return winners
