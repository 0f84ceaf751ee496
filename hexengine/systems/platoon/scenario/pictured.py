"""The types that HQs picture (P9.5): there are such, and units of theirs that an HQ may come back with."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hexengine.systems.platoon.scenario.build import Builder


def check_pictured(builder: Builder) -> None:
    """Report pictured types that there are not, and whoever pictures some and is no HQ."""
    types = list(builder.types)
    for number, kind in enumerate(builder.document.type):
        for place, name in enumerate(kind.pictured):
            builder.known(("type", number, "pictured", place), "unit type", name, types, rule="P9.5")
    for number, unit in enumerate(builder.document.unit):
        if not unit.pictured:
            continue
        path = ("unit", number, "pictured")
        if builder.kind(number) not in ("hq", ""):
            text = f"{unit.id} is no HQ: only an HQ comes back with a type that it pictures"
            rests_on = builder.kind_paths([number])
            builder.report(path, text, "leave pictured out", rule="P9.5", rests_on=rests_on)
            continue
        for place, name in enumerate(unit.pictured):
            builder.known((*path, place), "unit type", name, types, rule="P9.5")
        formation = [one for one in builder.document.unit if one.formation == unit.formation]
        if not {one.type for one in formation}.intersection(unit.pictured):
            text = f"no unit of {unit.formation} is of a type that {unit.id} pictures"
            rests_on = [
                path,
                *builder.membership_paths,
                *builder.kind_paths(range(len(builder.document.unit))),
            ]
            builder.report(path, text, "name types of its own formation", rule="P9.5", rests_on=rests_on)
