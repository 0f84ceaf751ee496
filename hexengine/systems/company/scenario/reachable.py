"""Whether anybody can come to the places that a scenario names: entry hexes (C10.2), objectives (C10.1)."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING

from hexengine.mechanics.checking import Path
from hexengine.mechanics.maps import WAYS
from hexengine.mechanics.masks import units
from hexengine.mechanics.reachable import Access, check_held
from hexengine.mechanics.ways import Ways
from hexengine.systems.company.position import CompanyPosition

if TYPE_CHECKING:
    from hexengine.systems.company.scenario.build import Builder


def check_entries(pos: CompanyPosition, builder: Builder) -> None:
    """Report teams of reserves and ambushes that cannot come in: all their hexes are rooms (C6.5)."""
    board = pos.board
    for unit in units((pos.waiting | pos.hiding) & ~board.foot & ~builder.roster.untyped):
        number = board.platoon[unit]
        labels = builder.document.platoon[number].hexes
        places = [builder.found(label) for label in labels]
        if not places or any(place is None or board.ground.building[place] < 0 for place in places):
            continue
        path: Path = ("platoon", number, "hexes")
        text = f"{board.ids[unit]} can never enter here: the terrain is prohibited to it"
        known = [place for place in places if place is not None]
        rests_on = [*builder.ground(known), *builder.roster.says_kind(unit), *builder.roster.says_when(unit)]
        builder.report(path, text, "add a hex outside of buildings", rule="C6.5", rests_on=rests_on)


def check_goals(pos: CompanyPosition, builder: Builder) -> None:
    """Report hexes to be held that nobody in the game can ever come to, and nobody holds at the start."""
    ground, document = pos.board.ground, builder.document
    labels = [unit.hex for unit in document.unit if unit.hex is not None]
    labels += [label for platoon in document.platoon for label in platoon.hexes]
    begin = {place for label in labels if (place := builder.found(label)) is not None}
    afoot = _farthest(pos, pos.board.foot, ground.foot)
    driven = _farthest(pos, ~pos.board.foot, ground.wheels)

    def leads(a: int, b: int) -> bool:
        # Openings lead out as any other step does, and in for those on foot (C9.1, C8.1).
        if afoot is not None and (afoot.leads(a, b) or (a, b) in ground.opening):
            return True
        return driven is not None and driven.leads(a, b)

    def rule(place: int) -> str:
        return "C6.2" if ground.building[place] >= 0 else "C1.5"

    access = Access(ground.grid.neighbours, begin | builder.unsure if begin else begin, leads)
    held = {place for place, side in enumerate(pos.control) if side}
    check_held(builder, access, builder.found, held, rule, lambda near: _hidden(builder, near))


def _farthest(pos: CompanyPosition, mask: int, ways: list[Ways]) -> Ways | None:
    """The ways of some teams over the worst ground for which any of them has an allowance, if any has."""
    teams = pos.board.mobile & mask
    columns = [column for unit in units(teams) for column, far in enumerate(pos.board.allowance[unit]) if far]
    return ways[max(columns)] if columns else None


def _hidden(builder: Builder, near: Set[int]) -> list[Path]:
    """Where somebody who can come there might be hidden: in units that are nowhere, in unclear ground."""
    found = [*builder.ground(near, *WAYS), *builder.changing("going"), *builder.openings_near(near, [0])]
    for unit, given in enumerate(builder.document.unit):
        found += builder.roster.says_kind(unit, "mobility")
        if given.hex is None or builder.found(given.hex) is None:
            found += [("unit", unit, "hex"), *builder.roster.says_when(unit, "hexes")]
    for number, platoon in enumerate(builder.document.platoon):
        if not platoon.hexes or None in [builder.found(label) for label in platoon.hexes]:
            found.append(("platoon", number, "hexes"))
    return found
