"""The counters of a scenario, with their printed values."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hexengine.core.formats import in_language
from hexengine.mechanics.checking import Path
from hexengine.systems.platoon.board import (
    CLASSES,
    KINDS,
    MAKESHIFT_AA_MODIFIER,
    Block,
    Counter,
    FormationData,
)
from hexengine.systems.platoon.scenario.format import Unit, UnitType

if TYPE_CHECKING:
    from hexengine.systems.platoon.scenario.build import Builder

UNKNOWN = UnitType(id="", kind="sw")
"""In place of what a unit is where that cannot be known: a counter that neither stands nor acts by itself."""


def read_counters(builder: Builder, formations: list[FormationData]) -> list[Counter]:
    """All counters; units of unknown type or formation are noted as unknown and take up their place."""
    counters: list[Counter] = []
    for number, unit in enumerate(builder.document.unit):
        formation = builder.formation_named(("unit", number, "formation"), unit.formation)
        kind = builder.types.get(unit.type)
        if kind is None:
            ids: list[Path] = [("type", own, "id") for own in range(len(builder.document.type))]
            path = ("unit", number, "type")
            builder.known(path, "unit type", unit.type, list(builder.types), rests_on=ids)
        entry = _entry(builder, number, unit)
        if kind is None or formation is None:
            builder.unknown |= 1 << number
            counters.append(replace(make_counter(unit, UNKNOWN, 0, 0, []), due=0, arrival=0))
            continue
        _check_steps(builder, number, unit, kind)
        counters.append(make_counter(unit, kind, formations[formation].side, formation, entry))
    return counters


def _check_steps(builder: Builder, number: int, unit: Unit, kind: UnitType) -> None:
    if unit.steps is None:
        return
    if unit.steps > (2 if kind.reduced else 1):
        rests_on = builder.kind_paths([number], "reduced")
        builder.report(
            ("unit", number, "steps"), f"a {unit.type} has one step", rule="P3.3", rests_on=rests_on
        )
    elif unit.steps == 2 and "reduced" in unit.status:
        text = f"{unit.id} cannot have both steps and be reduced"
        builder.report(("unit", number, "steps"), text, "leave one of them out", rule="P3.3", rests_on=())


def _entry(builder: Builder, number: int, unit: Unit) -> list[int]:
    """Where a reinforcement may enter; what is said of its arrival is checked."""
    path: Path = ("unit", number)
    if unit.turn is not None and unit.turn > builder.document.turns:
        text = f"{unit.id} arrives in turn {unit.turn}, after the last turn ({builder.document.turns})"
        builder.report((*path, "turn"), text, rests_on=[("turns",)])
    if unit.hexes and unit.turn is None:
        text = f"hexes are where a reinforcement may enter, and {unit.id} is none"
        advice = "give it a turn, or a hex in place of hexes"
        builder.report((*path, "hexes"), text, advice, rule="P15", rests_on=[(*path, "turn")])
    if unit.arrival is not None and (unit.turn is None or unit.turn < 2):
        text = "a die for arrival needs turn = 2 or later"
        rests_on = [(*path, "turn"), (*path, "hexes")]
        builder.report((*path, "arrival"), text, rule="P15", rests_on=rests_on)
    return builder.places((*path, "hexes"), unit.hexes)


def make_counter(unit: Unit, kind: UnitType, side: int, formation: int, entry: list[int]) -> Counter:
    """A unit's printed values."""
    reduced = kind.reduced
    armour, save = _pair(kind.armour, (0, 6))
    assault, assault_to_hit = _pair(kind.assault, (0, 6))

    def both(name: str, full: int) -> tuple[int, int]:
        lower = getattr(reduced, name) if reduced is not None else None
        return full, full if lower is None else lower

    half = -(-kind.ma // 2) * 2
    return Counter(
        unit.id,
        unit.type,
        in_language(unit.name) or in_language(kind.name) or unit.type,
        kind.mark or default_mark(kind),
        side,
        formation,
        KINDS.index(kind.kind),
        CLASSES.index(kind.mobility) if kind.mobility is not None else -1,
        kind.ma * 2,
        half,
        (
            _block(kind.ap, both, "ap", 0),
            _block(kind.he, both, "he", kind.minimum),
            _block(kind.aa, both, "aa", 0) or _makeshift(kind, both),
        ),
        both("armour", armour),
        save,
        both("assault", assault),
        assault_to_hit,
        frozenset(kind.flags),
        2 if reduced is not None else 1,
        both("leadership", kind.leadership),
        both("radius", kind.radius),
        frozenset(kind.pictured if unit.pictured is None else unit.pictured),
        unit.turn or 0,
        frozenset(entry),
        unit.arrival or 0,
    )


def default_mark(kind: UnitType) -> str:
    """The sign on a counter that does not name one."""
    if kind.kind == "hq":
        return "hq"
    if kind.kind == "air":
        return "helicopter"
    for flag, mark in (("recon", "recon"), ("indirect", "artillery"), ("transport", "mechanised")):
        if flag in kind.flags:
            return mark
    if kind.kind == "hard":
        return "armour"
    return "anti-tank" if kind.kind == "sw" else "infantry"


def _pair(text: str | None, default: tuple[int, int]) -> tuple[int, int]:
    if text is None:
        return default
    dice, number = text.split("/")
    return int(dice), int(number)


def _block(text: str | None, both: Any, name: str, minimum: int) -> Block | None:
    if text is None:
        return None
    reach, dice, to_hit = text.split("/")
    limit = reach.endswith(("u", "um"))
    missile = reach.endswith("um")
    return Block(int(reach.rstrip("um")), both(name, int(dice)), int(to_hit), limit, missile, minimum)


def _makeshift(kind: UnitType, both: Any) -> Block | None:
    """HE in place of an AA block: within its printed range, without range modifiers (P13.2)."""
    block = _block(kind.he, both, "he", kind.minimum)
    if block is None or "indirect" in kind.flags:
        return None
    return block._replace(limit=True, missile=False, makeshift=MAKESHIFT_AA_MODIFIER)
