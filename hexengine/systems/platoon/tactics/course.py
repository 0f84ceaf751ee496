"""A way that a group has set out on: while nothing has changed that it rests on, it is followed to its end.

Where to go was weighed against everything else when the group set out, and what follows from that need not
be weighed again at each hex.  The group thinks anew as soon as the enemy has fired or changed in any way,
where it could now fire itself or fight, and where something else may be wanted at the end of the way.
"""

from __future__ import annotations

from typing import NamedTuple

from hexengine.core.orders import Order
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.firing.fire import fire_bar
from hexengine.systems.platoon.operations import Group
from hexengine.systems.platoon.orders.book import Move
from hexengine.systems.platoon.position import PlatoonPosition


class Course(NamedTuple):
    """Units of a formation that move together, the hexes of their way, and what it was chosen in sight of."""

    formation: int
    mine: int
    way: tuple[int, ...]
    """From the first hex that they enter to the last."""
    known: tuple[int, ...]


def set_out(pos: PlatoonPosition, formation: int, order: Order, way: list[int]) -> Course | None:
    """The course that begins with an order; None for whoever looks about him at each step."""
    if type(order) is not Move or order.units & (pos.disrupted | pos.board.air):
        return None
    return Course(formation, order.units, tuple(way), _known(pos))


def going_on(pos: PlatoonPosition, course: Course) -> Order | None:
    """The next step of a course, or the end of the move behind the last; None if it is time to think."""
    frame = pos.frames[-1]
    formation, mine, way, known = course
    if type(frame) is not Group or frame.formation != formation or _known(pos) != known:
        return None
    place = pos.hex[mine.bit_length() - 1]
    if place not in way or mine & ~frame.able(pos) or _may_fight(pos, frame, mine, place):
        return None
    step = way.index(place) + 1
    if step < len(way):
        order: Order = pos.board.orders.move(mine, way[step])
    elif _rests(pos, frame, mine, place):
        order = frame.closing
    else:
        return None
    return order if frame.check(pos, order) is None else None


def _known(pos: PlatoonPosition) -> tuple[int, ...]:
    """What a way was chosen in sight of, as far as it may change while a group is on the move.

    Enemies that fire become Ops Complete, those that are hit become Disrupted or leave the map.
    """
    return (
        pos.turn,
        sum(pos.drawn),
        pos.ops,
        pos.placed,
        pos.disrupted,
        pos.mines,
        pos.wrecks,
    )


def _may_fight(pos: PlatoonPosition, frame: Group, mine: int, place: int) -> bool:
    """Whether units on the move have come to where they may fire or fight."""
    board = pos.board
    enemies = pos.taken_0 if frame.decider(pos) else pos.taken_1
    if board.around[place] & enemies:
        return True
    shooters = mine & board.fighters & board.fire_on_move
    if not shooters or not (board.air or board.indirect & mine or board.sight.in_view(place, enemies)):
        return False
    return any(not fire_bar(pos, unit) for unit in units(shooters))


def _rests(pos: PlatoonPosition, frame: Group, mine: int, place: int) -> bool:
    """Whether nothing is left to do where a way ends: nobody to take along or let off, no work, no exit."""
    board = pos.board
    return (
        frame.able(pos) == mine
        and not (pos.carried and mine & board.transports)
        and not (mine & board.riders and pos.here[board.own_base[mine.bit_length() - 1] + place] & 15 > 1)
        and not board.has_works
        and not board.has_exits
    )
