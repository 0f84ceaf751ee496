"""The formations of a scenario: what is in them, and whether they can be such (P9.1, P13.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexengine.core.formats import in_language
from hexengine.mechanics.masks import mask_of
from hexengine.systems.platoon.board import END_OF_TURN, FormationData
from hexengine.systems.platoon.scenario.own_types import FIGHTERS

if TYPE_CHECKING:
    from hexengine.systems.platoon.scenario.build import Builder


def read_formations(builder: Builder) -> list[FormationData]:
    """All formations, with the units that name them."""
    found = []
    for number, formation in enumerate(builder.document.formation):
        if formation.id == END_OF_TURN:
            text = f"{END_OF_TURN!r} is the name of the End of Turn marker"
            builder.report(("formation", number, "id"), text, "give it another name", rests_on=())
        side = builder.side(("formation", number, "side"), formation.side)
        members = builder.members[number]
        kinds = {unit: builder.kind(unit) for unit in members}
        hqs = [unit for unit, kind in kinds.items() if kind == "hq"]
        found.append(
            FormationData(
                formation.id,
                in_language(formation.name) or formation.id,
                side or 0,
                formation.markers,
                formation.morale,
                mask_of(members),
                mask_of(unit for unit, kind in kinds.items() if kind in FIGHTERS),
                hqs[0] if hqs else -1,
            )
        )
    return found


def check_formations(builder: Builder) -> None:
    """Report formations that cannot be; to be called when it is known which units are unknown."""
    for number, formation in enumerate(builder.document.formation):
        members = builder.members[number]
        path = ("formation", number, "id")
        named = f"the formation {formation.id!r}"
        kinds = {unit: builder.kind(unit) for unit in members}
        hqs = [unit for unit, kind in kinds.items() if kind == "hq"]
        mixed = "air" in kinds.values() and set(kinds.values()) - {"air", ""}
        fights = any(kind in FIGHTERS for kind in kinds.values())
        if fights and not mixed and len(hqs) < 2:
            continue
        rests_on = [path, *builder.kind_paths(members)]
        for unit in hqs[1:]:
            builder.report(
                ("unit", unit, "type"), f"{named} has an HQ already", rule="P9.1", rests_on=rests_on
            )
        if mixed:
            advice = "helicopters have formations of their own"
            builder.report(
                path, f"{named} has helicopters and others", advice, rule="P13.1", rests_on=rests_on
            )
        # a unit whose formation is not known may be what is missing here
        rests_on += builder.membership_paths
        if not members:
            builder.report(path, f"{named} has no units", rests_on=rests_on)
        elif not fights:
            builder.report(path, f"{named} has no unit that can fight", rule="P9.1", rests_on=rests_on)
