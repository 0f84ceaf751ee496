"""The terrain effects chart (S4.10) from data and scenario to what maps and places read."""

from __future__ import annotations

from hexengine.core.system import Report
from hexengine.hexes import Chart, LineRow, SideRow, TerrainRow
from hexengine.systems.squad.board import MOBILITY
from hexengine.systems.squad.format import MovementCost, TerrainChange, TerrainFile
from hexengine.systems.squad.format import TerrainRow as PrintedRow
from hexengine.systems.squad.places import Ground
from hexengine.systems.squad.sight import BLOCKING, DEGRADING, OPEN

LOS = {"open": OPEN, "degrading": DEGRADING, "blocking": BLOCKING}


def check_changes(changes: list[TerrainChange], report: Report) -> None:
    """Report what the scenario's ``[[terrain]]`` may not say."""
    for number, change in enumerate(changes):
        if change.leg == 0:
            report(("terrain", number, "leg"), "entering a hex costs at least one MP", rule="S4.1")


def _halves(cost: MovementCost) -> int | None:
    return None if isinstance(cost, str) else 2 * cost


def compile_chart(rows: dict[str, PrintedRow], data: TerrainFile) -> Chart:
    """The chart as maps read it, in half MP."""
    terrains = [TerrainRow(row.id, {MOBILITY: _halves(row.leg)}) for row in rows.values()]
    sides = [
        SideRow(row.id, {MOBILITY: _halves(row.leg)}, row.uphill, tuple(row.overrides)) for row in data.side
    ]
    lines = []
    for line in data.line:
        cost = _halves(line.leg)
        lines.append(LineRow(line.id, {} if cost is None else {MOBILITY: cost}, tuple(line.crosses)))
    return Chart(terrains, sides, lines, (MOBILITY,))


def ground_of(row: PrintedRow) -> Ground:
    """What a row says of a hex."""
    return Ground(row.tm, LOS[row.los], row.height, row.building, row.floors, row.below)
