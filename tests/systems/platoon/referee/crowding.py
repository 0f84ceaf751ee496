"""The stacking limit (P3.4): when a group may overfill a hex, and who goes back."""

from __future__ import annotations

from collections.abc import Iterable

from tests.systems.platoon.referee.books import STACKING_LIMIT, Books
from tests.systems.platoon.referee.losses import eliminate
from tests.systems.platoon.referee.paper import Unit
from tests.systems.platoon.referee.riding import board, load_bars
from tests.systems.platoon.referee.walking import (
    exit_hexes,
    leaves_hq,
    may_exit,
    move_bars,
    step_bars,
    subsets,
    together_bars,
    walk,
)

DEEP = 9
"""Steps of a way on that are looked at: more than any allowance takes through full hexes."""


def full(books: Books, label: str | None, side: str) -> bool:
    """Whether a side has more units in a hex than the limit."""
    return len(books.counted(label, side)) > STACKING_LIMIT


def has_way_on(
    books: Books, label: str, side: str, depth: int = 0, passing: Iterable[Unit] | None = None
) -> bool:
    """Whether the group can bring a hex within the limit by legal steps: leaving it, or loading there.

    ``passing``: who goes through it further on; nobody makes room for them there.
    """
    if not full(books, label, side):
        return True
    if depth > DEEP:
        return False
    able = [unit for unit in books.abled() if unit.hex == label and unit.side == side]
    if passing is not None:
        able = [unit for unit in able if unit in passing]
    if label in exit_hexes(books, side) and _by_leaving(books, label, side, able, depth):
        return True
    return _by_loading(books, label, side, depth) or _by_walking(books, label, side, able, depth)


def _by_leaving(books: Books, label: str, side: str, able: list[Unit], depth: int) -> bool:
    for some in subsets(able):
        if (
            together_bars(books, some)
            or leaves_hq(books, some)
            or not all(may_exit(books, one) for one in some)
        ):
            continue
        with books.trial():
            for unit in some:
                unit.gone = True
            if has_way_on(books, label, side, depth + 1):
                return True
    return False


def _by_loading(books: Books, label: str, side: str, depth: int) -> bool:
    here = books.counted(label, side)
    for carrier in here:
        for rider in here:
            if load_bars(books, carrier, rider):
                continue
            with books.trial():
                board(books, carrier, rider)
                if has_way_on(books, label, side, depth + 1):
                    return True
    return False


def _by_walking(books: Books, label: str, side: str, able: list[Unit], depth: int) -> bool:
    for some in subsets(able):
        for to in books.ground.neighbours[label]:
            if to is None or move_bars(books, some, to) - {"P3.4"} or _second_hq(books, some, to):
                continue
            there, here = _over(books, some, label, to)
            if not there and not here:
                return True
            with books.trial():
                books.open_group(some)
                walk(books, some, to)
                if not here and has_way_on(books, to, side, depth + 1, some):
                    return True
                if not there and has_way_on(books, label, side, depth + 1):
                    return True
    return False


def _second_hq(books: Books, units: list[Unit], to: str) -> bool:
    return any(one.kind == "hq" for one in units) and books.hq_at(to, units[0].side) is not None


def _over(books: Books, units: list[Unit], place: str, to: str) -> tuple[bool, bool]:
    """Whether a step of units of one side takes them over the limit there, and leaves their hex over it."""
    side, number = units[0].side, sum(one.ground for one in units)
    return (
        len(books.counted(to, side)) + number > STACKING_LIMIT,
        len(books.counted(place, side)) - number > STACKING_LIMIT,
    )


def may_step(books: Books, units: list[Unit], to: str) -> bool:
    """Whether a step keeps to the limit, or leaves a legal way on wherever it does not."""
    place, side = units[0].hex, units[0].side
    assert place is not None
    if units[0].kind == "air":
        return True
    there, here = _over(books, units, place, to)
    if not there and not here:
        return True
    with books.trial():
        books.open_group(units)
        walk(books, units, to)
        return has_way_on(books, to, side) and has_way_on(books, place, side)


# -- going back -------------------------------------------------------------------------------------


def settle(books: Books, stopped: Iterable[Unit], closed: bool = False) -> None:
    """Units were stopped: those over the limit go back, from the bottom of the stack up.

    Others of the group do not count while they can find room elsewhere; ``closed``: nobody can any more.
    """
    going_on = [] if closed else [one for one in books.abled() if _finds_room(books, one)]
    for unit in sorted(stopped, key=lambda one: -one.number):
        if not unit.ground or unit.carrier is not None or not books.on_map(unit) or unit in going_on:
            continue
        if len([one for one in books.counted(unit.hex, unit.side) if one not in going_on]) > STACKING_LIMIT:
            go_back(books, unit, going_on)


def _finds_room(books: Books, unit: Unit) -> bool:
    """Whether an able unit can still come to a hex with room, off the map, or aboard."""
    if not unit.ground:
        return False
    here = unit.hex
    assert here is not None
    if any(not load_bars(books, one, unit) for one in books.counted(here, unit.side) if one is not unit):
        return True
    best, todo = {here: unit.spent}, [here]
    with books.trial():
        while todo:
            label = todo.pop()
            unit.hex, unit.spent = label, best[label]
            if label in exit_hexes(books, unit.side) and may_exit(books, unit):
                return True
            for to in books.ground.neighbours[label]:
                if to is None or step_bars(books, unit, to) or books.held_by(to, books.foe(unit.side)):
                    continue
                others = [one for one in books.counted(to, unit.side) if one is not unit]
                if len(others) < STACKING_LIMIT:
                    return True
                spent = best[label] + (books.ground.cost(label, to, unit.mobility) or unit.allowance)
                if spent < best.get(to, spent + 1) and not unit.walks:
                    best[to] = spent
                    todo.append(to)
    return False


def go_back(books: Books, unit: Unit, going_on: Iterable[Unit] = ()) -> None:
    """A unit goes back to the hex it left last, or is lost; its HQ is never left alone."""
    here, origin, side = unit.hex, unit.left, unit.side
    staying = [one for one in books.counted(origin, side) if one not in going_on] if origin else []
    if origin is None or len(staying) >= STACKING_LIMIT or books.held_by(origin, books.foe(side)):
        eliminate(books, unit)
    else:
        _return(books, unit, origin)
    hq = books.hq_at(here, side)
    if hq is None or books.company(hq):
        return
    if books.on_map(unit) and unit.formation == hq.formation and books.hq_at(unit.hex, side) is None:
        _return(books, hq, unit.hex)
    else:
        eliminate(books, hq)


def _return(books: Books, unit: Unit, origin: str | None) -> None:
    here = unit.hex
    books.move_to(unit, origin)
    books.telling.expect("goes-back", unit=unit.id, hex=origin, **{"from": here})
