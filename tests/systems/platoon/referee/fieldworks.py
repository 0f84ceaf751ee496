"""Mines (P11.2, P11.3) and digging in (P11.1)."""

from __future__ import annotations

from tests.systems.platoon.referee.books import Books
from tests.systems.platoon.referee.losses import DEAD, hurt, shake_hq, stop
from tests.systems.platoon.referee.paper import Unit

MINE_HIT = 5


def strike(books: Books, units: list[Unit], label: str) -> list[Unit]:
    """The mines of a hex strike ground units that have come into it: who is hit, passengers included."""
    targets = [one for one in units if one.ground and books.on_map(one) and one.carrier is None]
    if not targets:
        return []
    told = books.telling.expect("mines-strike", hex=label, units=targets)
    hits = sum(face >= MINE_HIT for face in told.faces(2))
    told.agrees(hits=hits)
    if not hits:
        return []
    share, left = divmod(hits, len(targets))
    shares = [share] * len(targets)
    if left:
        told = books.telling.expect("mines-choose")
        chosen = 0 if told.faces(1)[0] <= 3 else 1
        told.agrees(unit=targets[chosen].id)
        shares[chosen] += left
    hit: list[Unit] = []
    died = False
    for unit, number in zip(targets, shares, strict=True):
        if number:
            hit += [unit, *books.aboard(unit)]
            died |= hurt(books, unit, number)[0] == DEAD
    shake_hq(books, targets[0].side, label, died)
    return hit


def strike_and_stop(books: Books, units: list[Unit], label: str) -> list[Unit]:
    """The same for a group on the move: who is hit stops (P4.6).  Returns those who did."""
    hit = sorted(
        [one for one in strike(books, units, label) if books.on_map(one)], key=lambda one: one.number
    )
    stop(books, hit)
    for unit in hit:
        if unit.carrier is None:
            books.telling.expect("stopped", unit=unit.id, hex=unit.hex)
    return hit


def may_lay(books: Books, units: list[Unit], label: str) -> bool:
    """Whether the enemy of units that have entered a hex may lay mines under them (P11.2)."""
    entered = [one for one in units if books.on_map(one) and one.hex == label]
    if label in books.mines or not any(one.ground for one in entered):
        return False
    if not books.pool[books.foe(entered[0].side)]:
        return False
    return all(one in entered for one in books.standing(label))


def lay(books: Books, label: str) -> None:
    """A minefield out of the pool."""
    side = books.foe(books.mover())
    books.pool[side] -= 1
    books.mines.add(label)
    books.telling.expect("mines-laid", side=side, hex=label)


def clear_bars(books: Books, unit: Unit, label: str) -> set[str]:
    """Why a unit that can act may not clear mines (P11.3)."""
    fit = unit.flags & {"infantry", "engineer"} and not (unit.disrupted or unit.moved or unit.rode)
    near = unit.hex is not None and books.ground.distance(unit.hex, label) == 1
    return set() if fit and near and label in books.mines else {"P11.3"}


def clear(books: Books, unit: Unit, label: str) -> None:
    """One even die clears them; engineers have two (P11.3)."""
    told = books.telling.expect(("mines-cleared", "mines-stay"), unit=unit.id, hex=label)
    cleared = any(face % 2 == 0 for face in told.faces(2 if "engineer" in unit.flags else 1))
    told.agrees("mines-cleared" if cleared else "mines-stay")
    if cleared:
        books.mines.discard(label)
    unit.acted = unit.struck = True


def dig_bars(books: Books, unit: Unit) -> set[str]:
    """Why a unit that can act may not dig in (P11.1)."""
    fit = "infantry" in unit.flags and not (unit.disrupted or unit.moved or unit.rode)
    allowed = books.options.get("dig_in") and unit.hex not in books.positions
    return set() if fit and allowed else {"P11.1"}


def dig(books: Books, unit: Unit) -> None:
    """Two dice within its morale make a position."""
    morale = books.formations[unit.formation]["morale"]
    told = books.telling.expect(("dug-in", "not-dug-in"), unit=unit.id, hex=unit.hex, morale=morale)
    made = morale >= 12 or sum(told.faces(2)) <= morale
    told.agrees("dug-in" if made else "not-dug-in")
    if made:
        assert unit.hex is not None
        books.positions.add(unit.hex)
    unit.acted = unit.struck = True
