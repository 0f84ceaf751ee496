"""What is legal in place of an order that was refused."""

from __future__ import annotations

from hexengine.core.orders import Order
from hexengine.systems.platoon.orders.book import CarrierUnits, Exit, Fire, UnitsHex
from hexengine.systems.platoon.orders.flight import Flight
from hexengine.systems.platoon.position import PlatoonPosition


def nearest(pos: PlatoonPosition, order: Order, legal: list[Order]) -> Order | None:
    """Of the legal orders one of the same kind, nearest to what was asked; None if there is none.

    The same units to the same hex in another way go before all: an enemy hex is assaulted or overrun,
    not moved into (P4.4).
    """
    same = [o for o in legal if type(o) is type(order)]
    if isinstance(order, UnitsHex):
        there = [o for o in legal if isinstance(o, UnitsHex) and o.hex == order.hex]
        exactly = [o for o in there if o.units == order.units]
        if exactly:
            return exactly[0]
        near = [o for o in same if isinstance(o, UnitsHex) and o.units & order.units]
        distance = pos.board.grid.distance
        near.sort(key=lambda o: (distance(o.hex, order.hex), -(o.units & order.units).bit_count()))
        same = [*near] or same
    elif isinstance(order, (Exit, Flight)):
        same = [o for o in same if isinstance(o, (Exit, Flight)) and o.units & order.units] or same
    elif isinstance(order, Fire):
        shots = [o for o in same if isinstance(o, Fire)]
        mine = [o for o in shots if o.firer == order.firer]
        same = [*(mine or [o for o in shots if o.target == order.target])]
    elif isinstance(order, CarrierUnits):
        same = [o for o in same if isinstance(o, CarrierUnits) and o.carrier == order.carrier] or same
    return same[0] if same else None
