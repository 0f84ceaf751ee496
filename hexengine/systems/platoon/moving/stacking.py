"""Stacking (P3.4): two units a hex and side, HQs apart; passing through, and going back.

In between only the group on the move may be over the limit, and only while a legal way on is
left.  A unit stopped over the limit goes back to the hex it left last, or is eliminated.
"""

from __future__ import annotations

from hexengine.core.events import Emit, Event
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.firing.losses import alone, eliminate
from hexengine.systems.platoon.position import STACKING_LIMIT, PlatoonPosition, stand


def counted(pos: PlatoonPosition, side: int, place: int) -> int:
    """How many units of a side count for stacking in a hex."""
    return pos.here[side * pos.board.size + place] & 15


def crowded(pos: PlatoonPosition, standing: int) -> int:
    """Of units that stand on the map, those that count in a hex over the limit."""
    over = pos.over
    if not over:
        return 0
    where = pos.hex
    result = 0
    for unit in units(standing & pos.board.counted):
        if over >> where[unit] & 1:
            result |= 1 << unit
    return result


def place_at(pos: PlatoonPosition, unit: int, place: int) -> None:
    """Put a unit that stands on the map or beside it into a hex, with all that it carries."""
    board = pos.board
    bit = 1 << unit
    if board.air & bit:
        pos.hex[unit] = place
        pos.placed |= bit
        return
    if pos.placed & bit:
        if pos.hex[unit] != place:
            shift(pos, bit, pos.hex[unit], place)
        else:
            _bring(pos, unit, place)
        return
    stand(pos, board.side[unit], place, board.weight[unit])
    pos.hex[unit] = place
    pos.placed |= bit
    _bring(pos, unit, place)


def shift(pos: PlatoonPosition, mine: int, old: int, place: int) -> None:
    """Move units of a side that stand in a hex to another, with all that they carry."""
    for unit in units(mine):
        pos.hex[unit] = place
    change_place(pos, mine, old, place)


def change_place(pos: PlatoonPosition, mine: int, old: int, place: int) -> None:
    """Note that units of a side, at least one, have gone from a hex to another, with all that they carry."""
    board = pos.board
    here = pos.here
    base = board.own_base[mine.bit_length() - 1]
    weight = board.weights[mine]
    at = base + old
    here[at] = behind = here[at] - weight
    at = base + place
    here[at] = now = here[at] + weight
    taken = (pos.taken_1 if base else pos.taken_0) | 1 << place
    if not behind:
        taken ^= 1 << old
    if base:
        pos.taken_1 = taken
    else:
        pos.taken_0 = taken
    if pos.over or now > STACKING_LIMIT:
        if now & 15 > STACKING_LIMIT:
            pos.over |= 1 << place
        if behind & 15 <= STACKING_LIMIT:
            pos.over &= ~(1 << old)
    bearers = mine & board.bearers
    if bearers:
        for unit in units(bearers):
            _bring(pos, unit, place)


def _bring(pos: PlatoonPosition, unit: int, place: int) -> None:
    """A unit's support weapon and passengers are where it is."""
    weapon = pos.board.weapon_of[unit]
    if weapon >= 0:
        pos.hex[weapon] = place
        pos.placed |= 1 << weapon
    if pos.carried and pos.board.transports >> unit & 1:
        for passenger in pos.passengers(unit):
            pos.hex[passenger] = place
            pos.placed |= 1 << passenger
            _bring(pos, passenger, place)


def go_back(pos: PlatoonPosition, unit: int, able: int, emit: Emit) -> None:
    """Send a unit that is over the limit back to the hex it left last; eliminate it if that is full.

    Units of ``able`` can still go on and leave room.
    """
    board = pos.board
    side = board.side[unit]
    origin = pos.left[unit]
    here = pos.hex[unit]
    if (
        origin < 0
        or _staying(pos, side, origin, able) >= STACKING_LIMIT
        or pos.here[(1 - side) * board.size + origin]
    ):
        eliminate(pos, unit, "P3.4", emit)
    else:
        _return(pos, unit, origin, emit)
    _hq_follows(pos, side, here, unit, emit)


def _return(pos: PlatoonPosition, unit: int, origin: int, emit: Emit) -> None:
    """One unit or HQ goes back, and that is told."""
    labels, here = pos.board.labels, pos.hex[unit]
    place_at(pos, unit, origin)
    if emit:
        facts = {"unit": pos.board.ids[unit], "from": labels[here], "hex": labels[origin]}
        emit(Event("P3.4", "goes-back", facts))


def _hq_follows(pos: PlatoonPosition, side: int, place: int, unit: int, emit: Emit) -> None:
    """An HQ is never left alone (P9.1): it goes where the unit went, or is lost."""
    board = pos.board
    for hq in units(pos.at(place, side) & board.hqs):
        if not alone(pos, hq):
            continue
        goes_along = pos.placed >> unit & 1 and board.formation[unit] == board.formation[hq]
        if goes_along and not pos.here[side * board.size + pos.hex[unit]] & 16:
            _return(pos, hq, pos.hex[unit], emit)
        else:
            eliminate(pos, hq, "P9.1", emit)


def settle(pos: PlatoonPosition, mask: int, able: int, emit: Emit) -> None:
    """Bring every hex where units of ``mask`` were stopped back to the limit.

    Units of ``able`` can still go on and do not count against the others.
    """
    board = pos.board
    for unit in reversed(units(crowded(pos, mask & ~able & pos.placed & ~pos.carried))):
        if not pos.placed >> unit & 1:
            continue
        if _staying(pos, board.side[unit], pos.hex[unit], able) > STACKING_LIMIT:
            go_back(pos, unit, able, emit)


def _staying(pos: PlatoonPosition, side: int, place: int, able: int) -> int:
    """How many units of a side count in a hex, less those of ``able``."""
    going_on = 0
    for unit in units(able & pos.board.counted & pos.placed & ~pos.carried):
        if pos.hex[unit] == place:
            going_on += 1
    return counted(pos, side, place) - going_on
