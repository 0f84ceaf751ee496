"""Which infantry unit carries which support weapon (P3.5), as a scenario says it in one of three ways."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexengine.systems.platoon.board import WEAPON, Counter

if TYPE_CHECKING:
    from hexengine.systems.platoon.scenario.build import Builder


def weapons(builder: Builder, counters: list[Counter]) -> list[int]:
    """For each unit its support weapon, or -1.

    A weapon's ``carrier`` is its infantry, or the transport that its infantry is aboard; or it
    stands in the ``hex`` of its infantry.
    """
    weapon_of = [-1] * len(counters)
    for number, counter in enumerate(counters):
        if counter.kind != WEAPON:
            continue
        unit = builder.document.unit[number]
        if unit.carrier is not None:
            bearer = _named(builder, counters, weapon_of, number)
        else:
            bearer = _in_the_hex(builder, counters, weapon_of, number)
        if bearer is None:
            continue
        path = ("unit", number, "carrier" if unit.carrier is not None else "id")
        if "infantry" not in counters[bearer].flags:
            builder.report(path, f"{counters[bearer].id} is no infantry", rule="P3.5")
        elif weapon_of[bearer] >= 0:
            builder.report(path, f"{counters[bearer].id} has a support weapon already", rule="P3.5")
        elif counters[bearer].formation != counter.formation:
            builder.report(path, f"{counters[bearer].id} is of another formation", rule="P3.5")
        else:
            weapon_of[bearer] = number
    return weapon_of


def _named(builder: Builder, counters: list[Counter], weapon_of: list[int], weapon: int) -> int | None:
    """The infantry that a weapon's ``carrier`` means; None after reporting that there is none."""
    name = builder.document.unit[weapon].carrier
    path = ("unit", weapon, "carrier")
    named = builder.known(path, "unit", name or "", [counter.id for counter in counters])
    if named is None or "transport" not in counters[named].flags:
        return named
    aboard = [
        other
        for other, unit in enumerate(builder.document.unit)
        if unit.carrier == name and "infantry" in counters[other].flags
    ]
    if not aboard:
        text = f"{name} has no infantry aboard that could carry the support weapon"
        builder.report(path, text, 'name the infantry: carrier = "an infantry unit"', rule="P3.5")
        return None
    return next((other for other in aboard if weapon_of[other] < 0), aboard[0])


def _in_the_hex(builder: Builder, counters: list[Counter], weapon_of: list[int], weapon: int) -> int | None:
    """The first infantry without a weapon in a weapon's hex, on foot before aboard; None after a report."""
    units = builder.document.unit
    place = units[weapon].hex
    inside = {unit.id for unit in units if unit.hex is not None and unit.hex == place}
    for aboard in (False, True):
        for other, unit in enumerate(units):
            there = unit.carrier in inside if aboard else unit.id in inside
            if (
                there
                and "infantry" in counters[other].flags
                and counters[other].formation == counters[weapon].formation
                and weapon_of[other] < 0
            ):
                return other
    builder.report(
        ("unit", weapon, "id"),
        f"the support weapon {units[weapon].id!r} has no infantry that carries it",
        'name it: carrier = "an infantry unit"',
        rule="P3.5",
    )
    return None
