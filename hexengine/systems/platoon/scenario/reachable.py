"""Whether anybody can come to the places that a scenario names: entry hexes (P15), objectives (P16.2)."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import TYPE_CHECKING

from hexengine.mechanics.checking import Path
from hexengine.mechanics.masks import units
from hexengine.mechanics.reachable import Access, check_held
from hexengine.systems.platoon.board import Board
from hexengine.systems.platoon.position import PlatoonPosition

if TYPE_CHECKING:
    from hexengine.systems.platoon.scenario.build import Builder


def check_entries(board: Board, builder: Builder, unsure: Set[int]) -> None:
    """Report reinforcements that cannot enter by any of their hexes: the terrain is prohibited to them."""
    for unit in board.late:
        counter, mobility = board.counters[unit], board.mobility[unit]
        if mobility < 0 or not counter.entry or counter.entry & unsure:
            continue
        if any(board.entry_costs[mobility][place] is not None for place in counter.entry):
            continue
        path: Path = ("unit", unit, "hexes")
        text = f"{counter.id} can never enter here: the terrain is prohibited to it"
        rests_on = [path, *builder.kind_paths([unit], "mobility")]
        rests_on += [place for entry in counter.entry for place in builder.terrain_paths(board, entry)]
        builder.report(path, text, rule="P15", rests_on=rests_on)


def check_goals(pos: PlatoonPosition, builder: Builder, unsure: Set[int]) -> None:
    """Report hexes to be held that nobody in the game can ever come to, and nobody has at the start."""
    board = pos.board
    begin = {place for place in builder.hex_of if place is not None}
    begin.update(place for unit in board.late for place in board.counters[unit].entry)
    movers = [board.mobility[unit] for unit in units(board.counted)]
    tables = [board.costs[number] for number in sorted(set(movers)) if number >= 0]

    def leads(a: int, b: int) -> bool:
        direction = board.direction[a][b]
        return any(costs[a][direction] for costs in tables)

    def find(label: str) -> int | None:
        grid = builder.reader.grid
        return None if grid is None or label not in grid.labels else grid.index(label)

    access = Access(board.neighbours, begin | unsure if begin else begin, leads)
    held = {place for place, side in enumerate(pos.control) if side}
    check_held(builder, access, find, held, lambda _: "P4.2", lambda places: _hidden(board, builder, places))


def _hidden(board: Board, builder: Builder, places: Iterable[int]) -> list[Path]:
    """Where somebody who can come there might be hidden: in units that are nowhere, in unclear ground."""
    found = builder.kind_paths(range(board.count), "mobility", "flags")
    for unit, given in enumerate(builder.document.unit):
        if builder.hex_of[unit] is None:
            found.append(("unit", unit, "hex"))
        if len(board.counters[unit].entry) < len(given.hexes):
            found += [("unit", unit, "hexes"), ("unit", unit, "formation")]
    return found + [path for place in places for path in builder.terrain_paths(board, place)]
