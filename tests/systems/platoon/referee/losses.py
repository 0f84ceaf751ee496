"""What hits do (P6.6): to units, passengers (P5.12) and HQs (P9.3), and what leaves the map with them."""

from __future__ import annotations

from collections.abc import Iterable

from tests.systems.platoon.referee.books import Books
from tests.systems.platoon.referee.paper import Unit

NOTHING, SHAKEN, STEP, DEAD = range(4)


def eliminate(books: Books, unit: Unit) -> None:
    """A unit is lost with its support weapon and who is still aboard; a vehicle leaves a wreck (P11.4)."""
    assert unit.hex is not None
    books.telling.expect("eliminated", unit=unit.id, hex=unit.hex)
    if unit.kind == "hard" and unit.hex not in books.wrecks:
        books.wrecks.add(unit.hex)
        books.telling.expect("wreck", hex=unit.hex)
    for rider in books.aboard(unit):
        eliminate(books, rider)
    if unit.kind == "hq":
        books.hqs_lost[unit.side] += 1
        books.fallen.append(unit)
    weapon = books.weapon(unit)
    for one in (unit, weapon) if weapon else (unit,):
        one.lost, one.steps = True, 0
        take_off(one)
    retire(books, unit.formation)


def take_off(unit: Unit) -> None:
    """Nothing is marked on a unit that has left the map."""
    unit.hex = None
    if unit.kind != "sw":
        unit.carrier = None
    unit.disrupted = unit.ops = unit.ooc = unit.fresh = unit.landed = unit.locked = False
    unit.depleted = 0
    unit.forget()


def retire(books: Books, formation: str) -> None:
    """A formation without a unit on the map or due leaves the cup (P1.6)."""
    if in_play(books, formation):
        return
    books.cup.pop(formation, None)
    books.waiting.discard(formation)
    release(books)


def in_play(books: Books, formation: str) -> bool:
    """Whether a formation has units on the map or due by now."""
    return any(
        one.formation == formation and one.fights and (books.on_map(one) or one.due) for one in books.units
    )


def release(books: Books) -> None:
    """A held End of Turn marker goes in when its side waits for nobody any more (P1.5, P1.6)."""
    for side in books.sides:
        if side in books.held and not any(books.formations[name]["side"] == side for name in books.waiting):
            books.held.discard(side)
            books.cup["eot"] = books.cup.get("eot", 0) + 1
            books.telling.expect("marker-returned", side=side)


def lose_step(books: Books, unit: Unit) -> None:
    """A unit is turned to its reduced side."""
    unit.steps = 1
    books.telling.expect("step-lost", unit=unit.id)


def disrupt(books: Books, unit: Unit) -> None:
    """A unit becomes Disrupted."""
    unit.disrupted = True
    books.telling.expect("disrupted", unit=unit.id)


def hurt(books: Books, unit: Unit, hits: int) -> tuple[int, list[Unit]]:
    """Uncancelled hits of one attack on a unit and its passengers: the worst of it, and who bailed out."""
    aboard, came_from = books.aboard(unit), unit.left
    worst = NOTHING
    for _ in range(hits):
        if not unit.disrupted:
            disrupt(books, unit)
            worst = SHAKEN
        elif unit.steps > 1:
            lose_step(books, unit)
            worst = STEP
        else:
            for rider in aboard:
                rider.carrier = None
            eliminate(books, unit)
            worst = DEAD
            break
    for rider in aboard:
        if worst == DEAD:
            _bail_out(books, rider, came_from)
        else:
            _share(books, rider, worst)
    return worst, aboard if worst == DEAD else []


def _share(books: Books, rider: Unit, worst: int) -> None:
    """A passenger of a carrier that was hit but not lost (P5.12)."""
    if not rider.disrupted:
        disrupt(books, rider)
    if worst == STEP and _even(books, rider):
        if rider.steps > 1:
            lose_step(books, rider)
        else:
            eliminate(books, rider)


def _bail_out(books: Books, rider: Unit, came_from: str | None) -> None:
    """A passenger of a carrier that was lost (P5.12): a reduced one is lost on any die."""
    if rider.steps == 1 or _even(books, rider):
        eliminate(books, rider)
        return
    if not rider.disrupted:
        disrupt(books, rider)
    lose_step(books, rider)
    rider.left = came_from
    if books.active is not None and rider.side == books.mover() and _acts(books, rider):
        rider.acted = rider.struck = True


def _acts(books: Books, rider: Unit) -> bool:
    return bool(books.options.get("cross_loading")) or rider.formation == books.active


def _even(books: Books, rider: Unit) -> bool:
    told = books.telling.expect(("passenger-hit", "passenger-safe"), unit=rider.id)
    even = told.faces(1)[0] % 2 == 0
    told.agrees("passenger-hit" if even else "passenger-safe")
    return even


def shake_hq(books: Books, side: str, label: str, died: bool) -> None:
    """What an attack that hurt units of a hex does to the HQ there (P9.3)."""
    hq = books.hq_at(label, side)
    if hq is None:
        return
    if not books.company(hq):
        eliminate(books, hq)
        return
    limit = 3 if died else 1
    told = books.telling.expect(("hq-hit", "hq-safe"), hq=hq.id, hex=label, limit=limit)
    hit = told.faces(1)[0] <= limit
    told.agrees("hq-hit" if hit else "hq-safe")
    if hit and hq.steps > 1:
        lose_step(books, hq)
    elif hit:
        eliminate(books, hq)


def suffer(books: Books, unit: Unit, hits: int) -> list[Unit]:
    """One attack on a unit: its losses, its passengers', its HQ's, in that order (P0.3); who bailed out."""
    label = unit.hex
    assert label is not None
    worst, out = hurt(books, unit, hits)
    if unit.kind != "air":
        shake_hq(books, unit.side, label, worst == DEAD)
    return out


def stop(books: Books, units: Iterable[Unit]) -> None:
    """Units that were hit on the move stop for good (P4.6)."""
    for unit in units:
        if unit.carrier is None and books.on_map(unit):
            unit.acted = unit.struck = True
