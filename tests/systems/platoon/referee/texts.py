"""Orders made from texts, sensible or not: most of them are not offered."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.systems.platoon.referee import orders
from tests.systems.platoon.referee.books import Books
from tests.systems.platoon.referee.paper import Unit

VERBS = (
    "move", "move", "move", "fire", "fire", "fire", "load", "unload", "assault", "overrun", "exit", "enter",
    "clear", "dig", "land", "rise", "mine", "mission", "strike", "intercept", "done", "end", "pass", "draw",
)  # fmt: skip


def unoffered(books: Books, random: Random, number: int) -> Iterator[str]:
    """Some orders of all kinds, most of them by units that can act."""
    able = books.abled() if orders.kind_of(books) in ("operations", "group") else []
    for _ in range(number):
        verb = random.choice(VERBS)
        some = able if able and random.random() < 0.8 else books.units
        yield _one(books, random, verb, random.choice(some))


def _one(books: Books, random: Random, verb: str, unit: Unit) -> str:
    here = unit.hex or random.choice(books.ground.hexes)
    near = [label for label in books.ground.neighbours[here] if label]
    to = random.choice(near if random.random() < 0.9 else books.ground.hexes)
    others = [
        one for one in books.units if one.side == unit.side and (one.hex == here or random.random() < 0.05)
    ]
    group = list({unit, *random.sample(others, min(len(others), random.choice((0, 0, 1, 2))))})
    if verb in ("done", "end", "pass", "draw"):
        return verb
    if verb in ("move", "assault", "overrun", "enter"):
        if verb == "enter" and unit.entry:
            to = random.choice(unit.entry)
        return f"{verb} {orders.names(group)} {to}"
    if verb in ("exit", "rise"):
        return f"{verb} {orders.names(group)}"
    if verb in ("dig", "land"):
        return f"{verb} {unit}"
    if verb in ("mine", "mission"):
        shell = random.choice(("he ", "smoke ")) if verb == "mission" else ""
        return f"{verb} {shell}{to}"
    if verb == "clear":
        return f"clear {unit} {to}"
    return _with_others(books, random, verb, unit, others)


def _with_others(books: Books, random: Random, verb: str, unit: Unit, others: list[Unit]) -> str:
    if verb == "load":
        rider = random.choice(others or [unit])
        weapon = books.weapon(rider)
        return f"load {unit} {orders.names([rider, weapon] if weapon else [rider])}"
    if verb == "unload":
        aboard = books.aboard(unit)
        return (
            f"unload {unit} {random.choice(aboard)}" if aboard and random.random() < 0.5 else f"unload {unit}"
        )
    weapon = books.weapon(unit) if random.random() < 0.9 else random.choice(books.units)
    tail = f" with {weapon}" if weapon and random.random() < 0.4 else ""
    tail += " lead" if random.random() < 0.3 else ""
    if verb == "strike":
        return f"strike {random.choice(books.units)}"
    if verb == "intercept":
        return f"intercept {unit}{tail}"
    enemies = [one for one in books.units if one.side != unit.side]
    target = random.choice(enemies if enemies and random.random() < 0.95 else books.units)
    return f"fire {unit} {target}{tail}"
