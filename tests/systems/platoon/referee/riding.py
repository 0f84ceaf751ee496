"""Transport (P5): who may get on and off, and what that leaves of the MP."""

from __future__ import annotations

from tests.systems.platoon.referee.books import Books
from tests.systems.platoon.referee.paper import Unit

APPROACH = 2
"""Half MP that infantry may spend before it loads (P5.3)."""


def free_bars(unit: Unit) -> set[str]:
    """Why a unit cannot act any more (P2.5); empty if it can."""
    bars = set()
    if unit.ops:
        bars.add("P4.1")
    if unit.ooc:
        bars.add("P2.2.4")
    if unit.struck or (unit.acted and unit.rode):
        bars.add("P2.5")
    return bars


def load_bars(books: Books, carrier: Unit, rider: Unit) -> set[str]:
    """Why a carrier may not take a unit aboard now (P5.1 to P5.4, P5.10), the limit apart."""
    bars: set[str] = set()
    if "transport" not in carrier.flags or not rider.rider:
        bars.add("P5.1")
    if carrier.formation != books.active:
        bars.add("P2.5")
    if not books.partners(carrier, rider):
        bars |= {"P5.4", "P2.5"}
    if (
        not all(books.on_map(one) and one.carrier is None for one in (carrier, rider))
        or carrier.hex != rider.hex
    ):
        return bars | {"P5.3"}
    if carrier.disrupted or rider.disrupted:
        bars.add("P5.4")
    bars |= free_bars(carrier) | free_bars(rider)
    if rider.rode:
        bars.add("P5.10")
    if books.aboard(carrier):
        bars.add("P5.1")
    if carrier.spent > carrier.half or rider.spent > APPROACH:
        bars.add("P5.3")
    if books.group is not None and not (books.able(carrier) or books.able(rider)):
        bars.add("P4.3")
    if carrier.formation != rider.formation:
        hq = books.hq_at(rider.hex, rider.side)
        if hq is not None and books.company(hq) == [rider]:
            bars.add("P9.1")
    return bars


def board(books: Books, carrier: Unit, rider: Unit) -> bool:
    """A unit gets aboard; whether both stay where they are, after any approach (P5.2, P5.3)."""
    halts = bool(carrier.spent or rider.spent or carrier.acted or rider.acted or carrier.moved or rider.moved)
    books.open_group([carrier, rider])
    rider.carrier = carrier
    carrier.rode = rider.rode = True
    rider.walks = False
    if halts:
        carrier.halted = rider.halted = True
        for other in books.units:
            if other.walks and other.hex == carrier.hex:
                other.walks, other.halted = False, True
        if books.options.get("load_lock") == "turn":
            carrier.locked = rider.locked = True
    return halts


def unload_bars(books: Books, carrier: Unit, riders: list[Unit]) -> set[str]:
    """Why a carrier that can act may not let passengers off (P5.5 to P5.8, P14.3), the limit apart."""
    bars: set[str] = set()
    if not riders:
        bars.add("P5.5")
    for rider in riders:
        if rider.carrier is not carrier:
            bars.add("P5.5")
            continue
        if rider.ops:
            bars.add("P4.1")
        if rider.ooc:
            bars.add("P2.2.4")
        if rider.rode:
            bars.add("P5.10")
    if carrier.hex is not None and books.ground.deep(carrier.hex):
        bars.add("P14.3")
    if carrier.spent > carrier.half:
        bars.add("P5.5")
    return bars


def get_off(books: Books, carrier: Unit, riders: list[Unit]) -> None:
    """Passengers get off: they may walk one hex; a carrier that has moved stays (P5.5, P5.6)."""
    books.open_group([carrier, *riders])
    for rider in riders:
        rider.carrier = None
        rider.spent, rider.left = 0, carrier.left
        rider.rode = rider.walks = True
    carrier.rode = True
    carrier.halted |= carrier.moved
