"""The terrain effects chart (S4.10) from data and scenario to what maps and places read."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from hexengine.core.system import Report
from hexengine.hexes import Chart, LineRow, SideRow, TerrainRow
from hexengine.systems.squad.board import DRIVING, MOBILITY
from hexengine.systems.squad.places import Ground
from hexengine.systems.squad.scenario.format import LineRow as PrintedLine
from hexengine.systems.squad.scenario.format import MovementCost, TerrainChange, TerrainFile
from hexengine.systems.squad.scenario.format import SideRow as PrintedSide
from hexengine.systems.squad.scenario.format import TerrainRow as PrintedRow
from hexengine.systems.squad.sight.lines import BLOCKING, DEGRADING, OPEN

LOS = {"open": OPEN, "degrading": DEGRADING, "blocking": BLOCKING}


def check_changes(changes: Iterable[TerrainChange], report: Report) -> list[TerrainChange]:
    """The scenario's ``[[terrain]]`` without what it may not say, which is reported."""
    found = []
    for number, change in enumerate(changes):
        for name in ("leg", "vehicle"):
            if getattr(change, name) == 0:
                text = "entering a hex costs at least one MP"
                report(("terrain", number, name), text, rule="S4.1", rests_on=())
                change = msgspec.structs.replace(change, **{name: None})
        found.append(change)
    return found


def _halves(cost: MovementCost) -> int | None:
    return None if isinstance(cost, str) else 2 * cost


def compile_chart(rows: dict[str, PrintedRow], data: TerrainFile) -> Chart:
    """The chart as maps read it, in half MP."""

    def both(row: PrintedRow | PrintedSide | PrintedLine) -> dict[str, int | None]:
        return {MOBILITY: _halves(row.leg), DRIVING: _halves(row.vehicle)}

    terrains = [TerrainRow(row.id, both(row)) for row in rows.values()]
    sides = [SideRow(row.id, both(row), row.uphill, tuple(row.overrides)) for row in data.side]
    lines = []
    for line in data.line:
        costs = {name: cost for name, cost in both(line).items() if cost is not None}
        lines.append(LineRow(line.id, costs, tuple(line.crosses)))
    return Chart(terrains, sides, lines, (MOBILITY, DRIVING))


def ground_of(row: PrintedRow) -> Ground:
    """What a row says of a hex."""
    return Ground(row.tm, LOS[row.los], row.height, row.building, row.floors, row.below)
