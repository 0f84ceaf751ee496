"""What a scenario gives in support: missions of formations (P12.1) and air strikes of sides (P13.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexengine.mechanics.checking import Path
from hexengine.systems.platoon.board import Board, Counter, FormationData

if TYPE_CHECKING:
    from hexengine.systems.platoon.scenario.build import Builder


def allotted(builder: Builder, formations: list[FormationData], counters: list[Counter]) -> list[int]:
    """HE and smoke missions of each formation in turn, then the strikes of each side; empty without any.

    Who has something to call but nobody who could ever observe is reported (P12.2).
    """
    document = builder.document
    known = [c for number, c in enumerate(counters) if not builder.unknown >> number & 1]
    eyes = [
        formation.hq >= 0 or any("recon" in c.flags for c in known if c.formation == number)
        for number, formation in enumerate(formations)
    ]
    # whoever is of unknown type or formation may be an observer
    rests_on: list[Path] = [
        ("unit", number, "formation")
        for number, counter in enumerate(counters)
        if "recon" in counter.flags or builder.kind(number) in ("hq", "")
    ]
    found: list[int] = []
    for number, given in enumerate(document.formation):
        found += [given.missions.he, given.missions.smoke]
        if any(found[-2:]) and not eyes[number]:
            builder.report(
                ("formation", number, "missions"),
                f"the formation {given.id!r} has missions but nobody who could observe for them",
                "observers are its HQ and its reconnaissance units",
                rule="P12.2",
                rests_on=[
                    *rests_on,
                    ("formation", number, "id"),
                    *builder.kind_paths(builder.members[number], "flags"),
                ],
            )
    strikes = [0, 0]
    for name, number in document.strikes.items():
        side = builder.side(("strikes", name), name)
        if side is None:
            continue
        strikes[side] = number
        if number and not any(eyes[f] for f, formation in enumerate(formations) if formation.side == side):
            own = [u for f, units in enumerate(builder.members) if formations[f].side == side for u in units]
            sides: list[Path] = [("formation", f, "side") for f in range(len(formations))]
            builder.report(
                ("strikes", name),
                f"{name} has air strikes but nobody who could observe for them",
                "observers are HQs and reconnaissance units",
                rule="P12.2",
                rests_on=[*rests_on, *sides, *builder.kind_paths(own, "flags")],
            )
    found += strikes
    return found if any(found) else []


def provide(board: Board, support: list[int], has_smoke: bool) -> None:
    """Note on the board what it starts with, and which formations may ever have something to call."""
    board.support = support
    board.has_smoke = has_smoke or any(support[1:-2:2])
    board.supported = 0
    if support:
        for number, formation in enumerate(board.formations):
            if any(support[2 * number : 2 * number + 2]) or support[formation.side - 2]:
                board.supported |= 1 << number
