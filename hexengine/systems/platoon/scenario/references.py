"""Names and hex labels of a scenario, looked at where faults leave no board to check the rest against."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexengine.hexes import Grid
from hexengine.systems.platoon.board import END_OF_TURN
from hexengine.systems.platoon.scenario.format import Start

if TYPE_CHECKING:
    from hexengine.systems.platoon.scenario.build import Builder


def check_references(builder: Builder, grid: Grid | None) -> None:
    """Report every name and label that leads nowhere, so that one run finds them beside other faults.

    What a later check would report too is reported in the same words, and so told once.
    """
    _names(builder)
    if grid is not None:
        _labels(builder, grid)


def _names(builder: Builder) -> None:
    document = builder.document
    formations = [formation.id for formation in document.formation]
    for number, goal in enumerate(document.victory):
        builder.side(("victory", number, "side"), goal.side)
    for label, side in document.map.control.items():
        builder.side(("map", "control", label), side)
    for side in document.strikes:
        builder.side(("strikes", side), side)
    if document.first_draw is not None:
        builder.known(("first_draw",), "formation", document.first_draw, formations)
    units = [unit.id for unit in document.unit]
    for number, unit in enumerate(document.unit):
        if unit.carrier is not None:
            builder.known(("unit", number, "carrier"), "unit", unit.carrier, units)
    start = document.start or Start()
    if start.active is not None:
        builder.known(("start", "active"), "formation", start.active, formations)
    for number, name in enumerate(start.waiting):
        builder.known(("start", "waiting", number), "formation", name, formations)
    for number, name in enumerate(start.cup or []):
        builder.known(("start", "cup", number), "marker", name, [*formations, END_OF_TURN])
    for number, name in enumerate(start.held):
        builder.side(("start", "held", number), name)
    if start.draws is not None:
        builder.side(("start", "draws"), start.draws)


def _labels(builder: Builder, grid: Grid) -> None:
    document, reader = builder.document, builder.reader
    for number, unit in enumerate(document.unit):
        if unit.hex is not None:
            reader.hex(grid, ("unit", number, "hex"), unit.hex)
        for place, label in enumerate(unit.hexes):
            reader.hex(grid, ("unit", number, "hexes", place), label)
    for number, goal in enumerate(document.victory):
        if goal.hex is not None:
            reader.hex(grid, ("victory", number, "hex"), goal.hex)
        for place, label in enumerate(goal.hexes):
            reader.hex(grid, ("victory", number, "hexes", place), label)
    for key in ("control", "smoke"):
        for label in getattr(document.map, key):
            reader.hex(grid, ("map", key, label), label)
    for key in ("wrecks", "positions", "mines"):
        for place, label in enumerate(getattr(document.map, key)):
            reader.hex(grid, ("map", key, place), label)
