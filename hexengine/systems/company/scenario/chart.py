"""The terrain of the company system from data and scenario to what maps and ground read."""

from __future__ import annotations

from hexengine.hexes import Chart, LineRow, Side, SideRow, TerrainRow
from hexengine.systems.company.ground import (
    CROSS,
    GOING_CHECK,
    GOING_COLUMN,
    NO_CHECK,
    HexGround,
    SideGround,
)
from hexengine.systems.company.scenario.format import SideRow as PrintedSide
from hexengine.systems.company.scenario.format import TerrainFile
from hexengine.systems.company.scenario.format import TerrainRow as PrintedRow

WATER = frozenset({"river", "stream"})
"""The features of hexsides that a ford crosses."""
ANY = "any"
"""The one movement class of the map's own tables, which say only where nobody may go."""


def compile_chart(rows: dict[str, PrintedRow], data: TerrainFile) -> Chart:
    """The chart as maps read it: one MP a hex, or no entry."""
    terrains = [TerrainRow(row.id, {ANY: None if row.going == "impassable" else 2}) for row in rows.values()]
    sides = [SideRow(row.id, {ANY: None if row.going == "impassable" else 0}) for row in data.side]
    lines = [LineRow(row.id, {ANY: 2}, ("*",)) for row in data.line]
    return Chart(terrains, sides, lines, (ANY,))


def ground_of(row: PrintedRow) -> HexGround:
    """What a row says of a hex."""
    return HexGround(
        GOING_COLUMN[row.going],
        GOING_CHECK[row.going],
        row.conceals,
        row.bulletproof,
        row.blocks,
        row.height,
        row.water,
        row.building,
    )


def sides_of(sides: dict[Side, set[str]], data: TerrainFile) -> dict[Side, SideGround]:
    """What the features of each hexside say together: the worst going, all cover; a ford is there in place of
    water, and of nothing else.
    """
    printed: dict[str, PrintedSide] = {row.id: row for row in data.side}
    found = {}
    for side, names in sides.items():
        drawn = names - WATER if "ford" in names else names
        rows = [printed[name] for name in sorted(drawn) if name in printed]
        found[side] = SideGround(
            max((GOING_COLUMN[row.going] for row in rows), default=CROSS),
            max((GOING_CHECK[row.going] for row in rows), default=NO_CHECK),
            any(row.conceals for row in rows),
            any(row.bulletproof for row in rows),
        )
    return found
