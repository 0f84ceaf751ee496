"""Coming onto the map (P15), leaving it (P4.8), and landing and rising (P13.1)."""

from __future__ import annotations

from tests.systems.platoon.referee.books import STACKING_LIMIT, Books
from tests.systems.platoon.referee.losses import retire, take_off
from tests.systems.platoon.referee.paper import Unit


def enter_bars(books: Books, units: list[Unit], label: str) -> set[str]:
    """Why units may not come onto the map in a hex (P15); empty if they may."""
    bars: set[str] = set()
    if books.group is not None:
        bars.add("P4.3")
    side, flies = books.mover(), books.active in books.flying
    fighters = [one for one in units if one.kind != "hq"]
    for unit in units:
        if unit.formation != books.active or not unit.due or unit.kind == "sw" or label not in unit.entry:
            bars.add("P15")
    if bars & {"P15"}:
        return bars
    if books.held_by(label, books.foe(side)) and not flies:
        bars.add("P15")
    if flies and len(fighters) > STACKING_LIMIT:
        bars.add("P13.1")
    if not flies and len(books.counted(label, side)) + len(fighters) > STACKING_LIMIT:
        bars.add("P3.4")
    for unit in fighters:
        cost = books.ground.entry_cost(label, unit.mobility)
        if cost is None or cost > unit.allowance:
            bars.add("P15")
    if len(fighters) < len(units):
        if books.hq_at(label, side) is not None:
            bars.add("P3.4")
        if not fighters and not any(one.formation == books.active for one in books.counted(label, side)):
            bars.add("P9.1")
    return bars


def enter(books: Books, units: list[Unit], label: str) -> None:
    """Units come onto the map: fresh, and having paid the terrain."""
    for unit in units:
        if unit.kind != "hq":
            unit.spent = books.ground.entry_cost(label, unit.mobility) or 0
        unit.due, unit.fresh, unit.moved = False, True, True
        for rider in books.aboard(unit):
            rider.fresh = True
        books.move_to(unit, label)
    if any(unit.ground for unit in units):
        books.control[label] = units[0].side
    books.open_group(units)
    books.telling.expect("enter", units=units, hex=label)


def leave(books: Books, units: list[Unit]) -> None:
    """Units leave the map for good, with all that they carry."""
    label = units[0].hex
    books.open_group(units)
    leaving = {str(books.active)}
    for unit in units:
        for one in [unit, *books.aboard(unit)]:
            leaving.add(one.formation)
            weapon = books.weapon(one)
            for each in (one, weapon) if weapon else (one,):
                each.gone, each.exit = True, label
                take_off(each)
    books.telling.expect("exit", units=units, hex=label)
    for name in books.formations:
        if name in leaving:
            retire(books, name)


def land_bars(books: Books, unit: Unit) -> set[str]:
    """Why a unit that can act may not land (P13.1)."""
    flown = unit.moved or unit.landed or unit.kind != "air"
    return {"P13.1"} if flown or books.held_by(str(unit.hex), books.foe(unit.side)) else set()


def rise_bars(units: list[Unit]) -> set[str]:
    """Why units that can act may not rise together (P13.1)."""
    bars: set[str] = set()
    if not all(one.kind == "air" and one.landed for one in units) or len(units) > STACKING_LIMIT:
        bars.add("P13.1")
    if len({one.hex for one in units}) > 1:
        bars.add("P4.3")
    return bars


def land(books: Books, unit: Unit) -> None:
    """A helicopter lands, and has acted."""
    unit.landed = unit.acted = True
    books.telling.expect("land", unit=unit.id, hex=unit.hex)


def rise(books: Books, units: list[Unit]) -> None:
    """Helicopters rise, which counts as flying."""
    books.open_group(units)
    for unit in units:
        unit.landed, unit.moved = False, True
    books.telling.expect("rise", units=units, hex=units[0].hex)
