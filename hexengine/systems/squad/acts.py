"""What one unit may do in an impulse by itself: lead (S2.1), place smoke (S8.12), call fire (S13.3).

What vehicles do, and who gets into them, is in ``moving.transport``.
"""

from __future__ import annotations

from hexengine.core.dice import COMBAT, Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.orders import Order
from hexengine.mechanics.masks import units
from hexengine.systems.squad.moving import hazards, transport
from hexengine.systems.squad.orders import Activate, Call, Face, Load, Smoke, Unload
from hexengine.systems.squad.position import SquadPosition


def acts(pos: SquadPosition, unit: int, found: list[Order]) -> None:
    """Append what a unit that can be activated may do by itself."""
    board = pos.board
    bit = 1 << unit
    if pos.shaken & bit:
        return
    once = board.orders.once
    if board.leaders & bit and not pos.active and not pos.acted and leads_to(pos, unit):
        found.append(once(Activate, unit))
    if board.smokers & bit and not pos.smoked & bit:
        found += smokes(pos, unit)
    side = board.side[unit]
    if pos.rounds[side] and board.callers & bit and not pos.smoked & bit:
        here = pos.place[unit]
        ground = (1 << board.size) - 1 & ~(1 << here)
        for place in units(board.sight.in_view(here, ground, pos.smoke())):
            found.append(once(Call, unit, place))
    if board.vehicles:
        transport.acts(pos, unit, found)


def surely_acts(pos: SquadPosition, fresh: int) -> bool:
    """Whether some units that can be activated plainly can act: one may place smoke, and none lies yet."""
    return not pos.smoke_1 and fresh & pos.board.smokers & ~(pos.smoked | pos.shaken) != 0


def leads_to(pos: SquadPosition, leader: int) -> int:
    """The mask of other places to which a leader's activation spreads (S2.2): by hexes, on his own level."""
    board = pos.board
    if pos.wounded >> leader & 1:
        return 0
    places, here = board.places, pos.place[leader]
    found = pos.taken(board.side[leader]) & places.within(here, board.options.leader_range) & ~(1 << here)
    if places.above:
        level = max(places.floor[here], 0)
        for there in units(found):
            if max(places.floor[there], 0) != level and places.hex_of[there] != places.hex_of[here]:
                found ^= 1 << there
    return found


def smokes(pos: SquadPosition, unit: int) -> list[Smoke]:
    """The orders to place smoke in a hex that has none of this turn, for a unit that may (S8.12)."""
    orders = pos.board.orders.smokes(unit, pos.board.places.hex_of[pos.place[unit]])
    smoke = pos.smoke_1
    return [order for order in orders if not smoke >> order.place & 1] if smoke else orders


def check(pos: SquadPosition, order: Order) -> Refusal | None:
    """Whether a unit that can be activated may do this."""
    board = pos.board
    assert isinstance(order, (Activate, Smoke, Call, Face, Load, Unload))
    unit = order.unit
    bit, facts = 1 << unit, {"unit": board.ids[unit]}
    if pos.shaken & bit:
        return Refusal("S11.6", "shaken-acts", facts)
    if isinstance(order, Activate):
        return _check_activation(pos, unit)
    if isinstance(order, (Face, Load, Unload)):
        return transport.check(pos, order)
    place = {"hex": board.labels[order.place]}
    if isinstance(order, Smoke):
        if not board.smokers & bit:
            return Refusal("S8.12", "no-smoke", facts)
        if pos.smoked & bit:
            return Refusal("S8.12", "smoked-already", facts)
        if order not in smokes(pos, unit):
            return Refusal("S8.12", "smoke-there", {**facts, **place})
        return None
    if not board.callers & bit:
        return Refusal("S13.3", "no-caller", facts)
    if pos.smoked & bit:
        return Refusal("S8.12", "smoked-acts", facts)
    if not pos.rounds[board.side[unit]]:
        return Refusal("S13.3", "no-missions", facts)
    seen = order.place < board.size and order.place != pos.place[unit]
    if not seen or not board.sight.sees(pos.place[unit], order.place, pos.smoke()):
        where = board.labels[pos.place[unit]]
        return Refusal("S10.1", "no-line-of-sight", {**facts, **place, "from": where})
    return None


def _check_activation(pos: SquadPosition, unit: int) -> Refusal | None:
    board = pos.board
    facts = {"unit": board.ids[unit]}
    if not board.leaders >> unit & 1:
        return Refusal("S2.2", "no-leader", facts)
    if pos.acted or pos.active:
        return Refusal("S2.2", "led-already", facts)
    if pos.wounded >> unit & 1:
        return Refusal("S2.2", "leader-wounded", facts)
    return None if leads_to(pos, unit) else Refusal("S2.2", "leader-range", facts)


def play(pos: SquadPosition, order: Order, dice: Dice, emit: Emit) -> None:
    """Carry it out."""
    if isinstance(order, Activate):
        _spread(pos, order.unit, emit)
    elif isinstance(order, Smoke):
        _smoke(pos, order, dice, emit)
    elif isinstance(order, Call):
        hazards.call(pos, order, dice, emit)
    else:
        transport.play(pos, order, dice, emit)


def _spread(pos: SquadPosition, leader: int, emit: Emit) -> None:
    board = pos.board
    pos.acted = 1
    pos.leader = leader
    pos.active = leads_to(pos, leader) | 1 << pos.place[leader]
    if emit:
        hexes = [board.labels[place] for place in units(pos.active)]
        emit(Event("S2.1", "activation", {"unit": board.ids[leader], "hexes": hexes}))


def _smoke(pos: SquadPosition, order: Smoke, dice: Dice, emit: Emit) -> None:
    """A failed attempt is Ops Complete; who places smoke may still move, with MF less 1 (S8.12)."""
    board = pos.board
    number = board.counters[order.unit].smoke
    placed = dice.within(COMBAT, 1, number)
    if placed:
        pos.smoke_1 |= 1 << order.place
        pos.smoke_2 &= ~(1 << order.place)
        pos.smoked |= 1 << order.unit
    else:
        pos.ops |= 1 << order.unit
    if emit:
        facts = {"unit": board.ids[order.unit], "hex": board.labels[order.place], "number": number}
        facts["faces"] = dice.faces
        emit(Event("S8.12", "smoke-placed" if placed else "smoke-failed", facts))


def settle(pos: SquadPosition) -> None:
    """At the end of an impulse: who only led, placed smoke or turned is Ops Complete (S2.7, S8.12)."""
    idle = pos.smoked
    if pos.leader >= 0:
        idle |= 1 << pos.leader
    if pos.board.vehicles:
        idle |= transport.turned(pos)
    if idle:
        marked = pos.moved | pos.assault | pos.crawl | pos.stealth | pos.fired
        pos.ops |= idle & pos.placed & ~marked
    pos.leader = -1
    pos.active = pos.moved_from = pos.fired_from = 0
    pos.fired_on = pos.marched = pos.origins = pos.aims = 0
    pos.looked = pos.acted = pos.stopped = 0
