"""Steps (P4): what units may still spend, where they may go together, and what keeps them from it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from tests.systems.platoon.referee.books import STACKING_LIMIT, Books
from tests.systems.platoon.referee.paper import Unit

EXIT_COST = 2
FREE = 0


def room(unit: Unit) -> int:
    """Half MP that a unit may still spend (P4.1, P5)."""
    return (unit.half if unit.rode else unit.allowance) - unit.spent


def step_cost(books: Books, unit: Unit, to: str) -> int | None:
    """What a step costs a unit in half MP; None: it is prohibited to it, whatever it has."""
    assert unit.hex is not None
    if unit.kind == "hq":
        return FREE
    if unit.kind == "air":
        return 2
    cost = books.ground.cost(unit.hex, to, unit.mobility)
    if cost is None and swimmer(unit) and books.ground.swims(unit.hex, to, unit.mobility):
        return unit.allowance
    return cost


def swimmer(unit: Unit) -> bool:
    """Whether a unit is amphibious and has MP: infantry and teams do not swim (P14.3)."""
    return "amphibious" in unit.flags and not unit.rider and unit.allowance > 0


def step_bars(books: Books, unit: Unit, to: str) -> set[str]:
    """Why a unit may not step into a neighbouring hex, enemies and stacking apart; empty if it may."""
    if unit.kind == "hq":
        return set()
    bars: set[str] = set()
    if unit.locked:
        bars.add("P5.3")
    if unit.landed:
        bars.add("P13.1")
    if unit.halted:
        bars.add(
            "P5.5" if unit.moved and not books.aboard(unit) else "P5.3" if books.aboard(unit) else "P5.10"
        )
    cost = step_cost(books, unit, to)
    if cost is None:
        return bars | {"P4.2"}
    if not unit.walks and not _affords(books, unit, to, cost):
        bars |= _too_dear(books, unit, to)
    if unit.disrupted and not _shy(books, unit, to):
        bars.add("P6.6")
    return bars


def _affords(books: Books, unit: Unit, to: str, cost: int) -> bool:
    unmoved = not (unit.moved or unit.rode or unit.disrupted)
    if books.options.get("minimum_move") and unit.kind != "air" and unmoved:
        return True
    return cost <= room(unit)


def _too_dear(books: Books, unit: Unit, to: str) -> set[str]:
    assert unit.hex is not None
    swims = unit.kind != "air" and books.ground.cost(unit.hex, to, unit.mobility) is None
    if swims:
        return {"P14.3"}
    if unit.rode:
        return {"P5.2"} if books.aboard(unit) else {"P5.8"} if unit.disrupted else {"P5.6"}
    return {"P4.2"}


def _shy(books: Books, unit: Unit, to: str) -> bool:
    """Whether a Disrupted unit may step there (P6.6): no nearer to an enemy that sees it, nor next to one."""
    assert unit.hex is not None
    for enemy in books.enemies(unit.side):
        if not books.sees(unit, enemy):
            continue
        assert enemy.hex is not None
        before, after = books.ground.distance(unit.hex, enemy.hex), books.ground.distance(to, enemy.hex)
        if after < before or (after == 1 and before):
            return False
    return True


def pay(books: Books, units: list[Unit], to: str, extra: int = 0) -> None:
    """Units go into a hex and pay for it; the hex that they leave is not noted yet."""
    for unit in units:
        cost = step_cost(books, unit, to)
        assert cost is not None
        if unit.kind != "hq":
            unit.spent += cost + extra
        if unit.walks:
            unit.walks, unit.halted = False, True
        unit.moved = True
    for unit in units:
        books.move_to(unit, to)


def walk(books: Books, units: list[Unit], to: str) -> None:
    """A whole step."""
    for unit in units:
        unit.left = unit.hex
    pay(books, units, to)


# -- groups -----------------------------------------------------------------------------------------


def together_bars(books: Books, units: list[Unit]) -> set[str]:
    """Why units cannot go anywhere together (P4.3, P9.1, P13.1); empty if they can."""
    bars: set[str] = set()
    if len({unit.hex for unit in units}) > 1:
        bars.add("P4.3")
    fighters = [unit for unit in units if unit.kind != "hq"]
    if not fighters:
        return bars | {"P9.1"}
    if any(unit.kind == "hq" and not unit.moved for unit in units) and all(unit.moved for unit in fighters):
        bars.add("P4.3")
    if any(unit.kind == "air" for unit in units) and len(fighters) > STACKING_LIMIT:
        bars.add("P13.1")
    return bars


def leaves_hq(books: Books, units: list[Unit]) -> bool:
    """Whether units that go would leave an HQ of their formation alone (P9.1)."""
    for hq in books.standing(units[0].hex, units[0].side):
        if hq.kind == "hq" and hq not in units:
            company = books.company(hq)
            if set(company) & set(units) and not set(company) - set(units):
                return True
    return False


def crowd_elsewhere(books: Books, units: list[Unit]) -> set[str]:
    """The rule by which another hex must be left first; empty if none must (P3.4)."""
    crowds = books.crowds()
    return {"P3.4"} if crowds and units[0].hex not in crowds else set()


def move_bars(books: Books, units: list[Unit], to: str) -> set[str]:
    """Why able units may not step into a hex, the stacking limit apart (P4.2 to P4.4, P9.1)."""
    bars = together_bars(books, units) | crowd_elsewhere(books, units)
    place = units[0].hex
    assert place is not None
    if any(unit.landed for unit in units):
        bars.add("P13.1")
    if to not in books.ground.neighbours[place]:
        return bars | {"P4.2"}
    if "P4.3" in bars and len({unit.hex for unit in units}) > 1:
        return bars
    for unit in units:
        bars |= step_bars(books, unit, to)
    if units[0].kind == "air":
        return bars
    if books.held_by(to, books.foe(units[0].side)):
        bars.add("P4.4")
    if leaves_hq(books, units):
        bars.add("P9.1")
    if any(unit.kind == "hq" for unit in units) and books.hq_at(to, units[0].side):
        bars.add("P3.4")
    return bars


def subsets(units: list[Unit]) -> Iterator[list[Unit]]:
    """Units of one hex that may go together: each set of fighters, with and without their HQ."""
    fighters = [unit for unit in units if unit.kind != "hq"]
    hqs = [unit for unit in units if unit.kind == "hq"]
    for number in range(1, len(fighters) + 1):
        for some in combinations(fighters, number):
            yield list(some)
            if hqs:
                yield sorted([*some, *hqs], key=lambda unit: unit.number)


def exit_hexes(books: Books, side: str) -> set[str]:
    """The hexes by which a side may leave the map (P4.8)."""
    found: set[str] = set()
    for goal in books.scenario.get("victory", ()):
        if goal["kind"] == "exit" and goal["side"] == side:
            found |= {*goal.get("hexes", ()), *([goal["hex"]] if "hex" in goal else ())}
    return found


def may_exit(books: Books, unit: Unit) -> bool:
    """Whether a unit has the MP to leave the map (P4.8); its one hex after unloading may be this (P5.5)."""
    if unit.kind == "hq":
        return True
    if unit.halted or unit.locked or unit.landed:
        return False
    return unit.walks or room(unit) >= EXIT_COST


def exit_bars(books: Books, units: list[Unit]) -> set[str]:
    """Why able units may not leave the map (P4.8)."""
    bars = together_bars(books, units) | crowd_elsewhere(books, units)
    place, side = units[0].hex, units[0].side
    if place not in exit_hexes(books, side):
        bars.add("P4.8")
    if any(unit.landed for unit in units):
        bars.add("P13.1")
    if not all(may_exit(books, unit) for unit in units):
        bars.add("P4.8")
    if units[0].kind == "air":
        return bars
    if leaves_hq(books, units):
        bars.add("P9.1")
    if len(books.counted(place, side)) - sum(unit.ground for unit in units) > STACKING_LIMIT:
        bars.add("P3.4")
    return bars
