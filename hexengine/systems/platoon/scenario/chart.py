"""The terrain effects chart (D1) from data and scenario to rows of half MP.

How rows combine is hexengine.hexes.hexmap's: a road across the side replaces hex and hexside
(P14.1), a road across water is a bridge and a ford replaces the river (P14.2), a slope costs only
uphill, a ridge replaces it, trails and railways replace hex and slope (P14.4).
"""

from __future__ import annotations

from typing import Any

from hexengine.core.system import Report
from hexengine.hexes import Chart, LineRow, SideRow, TerrainRow
from hexengine.systems.platoon.board import CLASSES
from hexengine.systems.platoon.scenario.format import LineRow as LineCosts
from hexengine.systems.platoon.scenario.format import MovementCost, TerrainFile
from hexengine.systems.platoon.scenario.format import SideRow as SideCosts
from hexengine.systems.platoon.scenario.format import TerrainRow as PrintedRow

SLOPE = "slope"
AIR_COST = 2
"""Half MP that helicopters pay for every hex, whatever the terrain (P13.1)."""


def halves(cost: MovementCost, report: Report, path: tuple[str | int, ...]) -> int | None:
    """A cost in MP as half MP; None where the class may not go."""
    if isinstance(cost, str):
        return None
    doubled = cost * 2
    if doubled != int(doubled):
        report(path, f"a cost of {cost} MP is not exact in halves", "costs are whole or half MP")
    return int(doubled)


def _costs(row: PrintedRow | SideCosts | LineCosts, in_the_air: int, report: Report) -> dict[str, int | None]:
    """A row's costs in half MP by movement class; helicopters have no column (P13.1)."""
    return {
        name: in_the_air if name == "air" else halves(getattr(row, name), report, ("terrain",))
        for name in CLASSES
    }


def compile_chart(rows: dict[str, PrintedRow], data: TerrainFile, report: Report) -> Chart | None:
    """The chart as hexengine.hexes reads it; None where a cost cannot be used."""
    faults = 0

    def count(path: Any, text: str, suggestion: str | None = None, **rest: Any) -> None:
        nonlocal faults
        faults += 1
        report(path, text, suggestion, **rest)

    terrains = []
    for row in rows.values():
        costs = _costs(row, AIR_COST, count)
        for name, cost in costs.items():
            if cost == 0:
                count(("terrain",), f"{row.id}: entering a hex costs {name} at least half an MP")
        terrains.append(TerrainRow(row.id, costs))
    sides = [
        SideRow(
            row.id,
            _costs(row, 0, count),
            row.uphill,
            tuple(row.overrides),
        )
        for row in data.side
    ]
    lines = []
    for line in data.line:
        costs = _costs(line, AIR_COST, count)
        lines.append(LineRow(line.id, {n: c for n, c in costs.items() if c is not None}, tuple(line.crosses)))
    if faults:
        return None
    return Chart(terrains, sides, lines, CLASSES, SLOPE)
