"""Which infantry unit carries which support weapon (P3.5), as a scenario says it in one of three ways."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexengine.mechanics.checking import Path
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
        if counter.kind != WEAPON or builder.unknown >> number & 1:
            continue
        unit = builder.document.unit[number]
        if unit.turn is not None:
            text = f"the support weapon {unit.id} comes with its infantry, and has no turn of its own"
            advice = 'give carrier = "an infantry unit" alone'
            rests_on = builder.kind_paths([number])
            builder.report(("unit", number, "turn"), text, advice, rule="P3.5", rests_on=rests_on)
            continue
        if unit.carrier is not None:
            bearer = _named(builder, counters, weapon_of, number)
        else:
            bearer = _in_the_hex(builder, counters, weapon_of, number)
        if bearer is None:
            continue
        path = ("unit", number, "carrier" if unit.carrier is not None else "id")
        told = counters[bearer].id
        both: list[Path] = [("unit", one, "formation") for one in (number, bearer)]
        both += builder.unit_paths(told)
        if "infantry" not in counters[bearer].flags:
            rests_on = [*both, *builder.kind_paths([number, bearer], "flags")]
            builder.report(path, f"{told} is no infantry", rule="P3.5", rests_on=rests_on)
        elif weapon_of[bearer] >= 0:
            rests_on = [*both, *builder.kind_paths([number, weapon_of[bearer]])]
            builder.report(path, f"{told} has a support weapon already", rule="P3.5", rests_on=rests_on)
        elif counters[bearer].formation != counter.formation:
            rests_on = both + [("formation", counters[one].formation, "id") for one in (number, bearer)]
            builder.report(path, f"{told} is of another formation", rule="P3.5", rests_on=rests_on)
        else:
            weapon_of[bearer] = number
    return weapon_of


def _named(builder: Builder, counters: list[Counter], weapon_of: list[int], weapon: int) -> int | None:
    """The infantry that a weapon's ``carrier`` means; None after reporting that there is none."""
    name = builder.document.unit[weapon].carrier or ""
    path = ("unit", weapon, "carrier")
    named = builder.unit_named(path, name)
    if named is None or "transport" not in counters[named].flags:
        return named
    aboard = [
        other
        for other, unit in enumerate(builder.document.unit)
        if unit.carrier == name and "infantry" in counters[other].flags
    ]
    if not aboard:
        text = f"{name} has no infantry aboard that could carry the support weapon"
        others = [other for other, unit in enumerate(builder.document.unit) if unit.carrier == name]
        rests_on = builder.kind_paths(others, "flags") + builder.unit_paths(name)
        rests_on += [("unit", other, "formation") for other in others]
        rests_on += [("unit", other, "carrier") for other in range(len(counters)) if other not in others]
        builder.report(
            path, text, 'name the infantry: carrier = "an infantry unit"', rule="P3.5", rests_on=rests_on
        )
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
    # it may be meant for any unit of its formation about which something is wrong
    formation = builder.members[counters[weapon].formation]
    rests_on = [("unit", other) for other in formation] + builder.membership_paths
    rests_on += builder.formation_paths(units[weapon].formation)
    rests_on += builder.kind_paths([weapon, *formation], "flags")
    builder.report(
        ("unit", weapon, "id"),
        f"the support weapon {units[weapon].id!r} has no infantry that carries it",
        'name it: carrier = "an infantry unit"',
        rule="P3.5",
        rests_on=rests_on,
    )
    return None
