"""The terrain effects chart (D1) from data and scenario to rows of half MP.

How rows combine is hexengine.hexes.hexmap's: a road across the side replaces hex and hexside
(P14.1), a road across water is a bridge and a ford replaces the river (P14.2), a slope costs only
uphill, a ridge replaces it, trails and railways replace hex and slope (P14.4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hexengine.core.system import Report
from hexengine.hexes import Chart, LineRow, SideRow, TerrainRow
from hexengine.systems.platoon.board import CLASSES
from hexengine.systems.platoon.scenario.format import LineRow as LineCosts
from hexengine.systems.platoon.scenario.format import MovementCost, TerrainChange, TerrainFile
from hexengine.systems.platoon.scenario.format import SideRow as SideCosts
from hexengine.systems.platoon.scenario.format import TerrainRow as PrintedRow

SLOPE = "slope"
AIR_COST = 2
"""Half MP that helicopters pay for every hex, whatever the terrain (P13.1)."""


class ChartReader:
    """Makes the chart of the data's rows and a scenario's changes; costs that cannot be are reported."""

    def __init__(self, data: TerrainFile, changes: Sequence[TerrainChange], report: Report) -> None:
        self._data = data
        self._changes = changes
        self._report = report
        self._changed: dict[tuple[str, str], int] = {}
        for number, change in enumerate(changes):
            for name in CLASSES:
                if getattr(change, name, None) is not None:
                    self._changed[change.id, name] = number

    def read(self, rows: Mapping[str, PrintedRow]) -> Chart:
        """The chart as hexengine.hexes reads it; where a cost is faulty some cost stands in for it."""
        data = self._data
        for number, change in enumerate(self._changes):
            if change.id not in rows:  # of which it has been told; its costs may be wrong, too
                self._check_change(number, change)
        terrains = [
            TerrainRow(row.id, self._costs("terrain", number, row, AIR_COST, 1))
            for number, row in enumerate(rows.values())
        ]
        sides = [
            SideRow(row.id, self._costs("side", number, row, 0, 0), row.uphill, tuple(row.overrides))
            for number, row in enumerate(data.side)
        ]
        lines = []
        for number, line in enumerate(data.line):
            costs = self._costs("line", number, line, AIR_COST, 1)
            usable = {name: cost for name, cost in costs.items() if cost is not None}
            lines.append(LineRow(line.id, usable, tuple(line.crosses)))
        return Chart(terrains, sides, lines, CLASSES, SLOPE)

    def _costs(
        self, key: str, number: int, row: PrintedRow | SideCosts | LineCosts, in_the_air: int, least: int
    ) -> dict[str, int | None]:
        """A row's costs in half MP by movement class; helicopters have no column (P13.1)."""
        costs: dict[str, int | None] = {}
        for name in CLASSES:
            cost: MovementCost = in_the_air / 2 if name == "air" else getattr(row, name)
            if isinstance(cost, str):
                costs[name] = None
                continue
            halves = int(cost * 2)
            if halves != cost * 2:
                self._fault(key, number, row.id, name, "costs are whole or half MP")
            elif halves < least:
                self._fault(key, number, row.id, name, 'half an MP is the least; "no" where none may go')
            costs[name] = max(least, halves)
        return costs

    def _check_change(self, number: int, change: TerrainChange) -> None:
        for name in CLASSES:
            cost = getattr(change, name, None)
            if isinstance(cost, float) and (cost < 0.5 or cost * 2 != int(cost * 2)):
                self._fault(
                    "terrain", number, change.id, name, "costs are whole or half MP, half an MP the least"
                )

    def _fault(self, key: str, number: int, row: str, name: str, advice: str) -> None:
        text = f"{row}: this is no cost in MP for {name}"
        change = self._changed.get((row, name)) if key == "terrain" else None
        if change is None:
            self._report((key, number, name), text, advice, file="terrain")
        else:
            self._report(("terrain", change, name), text, advice, rests_on=())
