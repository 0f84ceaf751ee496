"""Whether anybody can come to the places that a scenario names: entry hexes (P15), objectives (P16.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from typing import TYPE_CHECKING

from hexengine.mechanics.checking import Path
from hexengine.mechanics.masks import units
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
    for number, goal in enumerate(builder.document.victory):
        if goal.kind != "hold":
            continue
        named = [(("hexes", item), label) for item, label in enumerate(goal.hexes)]
        for below, label in [(("hex",), goal.hex), *named] if goal.hex is not None else named:
            place = _known(builder, label)
            if place < 0 or pos.control[place] or not begin:
                continue
            around = _cut_off(board, tables, place, begin | unsure)
            if around:
                text = f"no unit in the game can ever come to {label}"
                rests_on = _of_the_missing(board, builder, around)
                builder.report(("victory", number, *below), text, rule="P4.2", rests_on=rests_on)


def _known(builder: Builder, label: str | None) -> int:
    """The hex of a label, or -1 where there is none."""
    grid = builder.reader.grid
    return -1 if grid is None or label not in grid.labels else grid.index(label)


def _cut_off(board: Board, tables: Sequence[list[tuple[int, ...]]], place: int, begin: Set[int]) -> set[int]:
    """The hexes from which alone a place can be come to, if none of ``begin`` is among them; or nothing.

    ``tables`` say by class, hex and direction what a step costs, 0 where it is prohibited.
    """
    seen, pending = {place}, [place]
    for here in pending:
        if here in begin:
            return set()
        for there in board.neighbours[here]:
            if there >= 0 and there not in seen:
                direction = board.direction[there][here]
                if any(costs[there][direction] for costs in tables):
                    seen.add(there)
                    pending.append(there)
    return seen


def _of_the_missing(board: Board, builder: Builder, around: Iterable[int]) -> list[Path]:
    """Where somebody who can come there might be hidden: in units that are nowhere, in unclear ground."""
    found = builder.kind_paths(range(board.count), "mobility", "flags")
    for unit, given in enumerate(builder.document.unit):
        if builder.hex_of[unit] is None:
            found.append(("unit", unit, "hex"))
        if len(board.counters[unit].entry) < len(given.hexes):
            found += [("unit", unit, "hexes"), ("unit", unit, "formation")]
    border = {there for here in around for there in (here, *board.neighbours[here]) if there >= 0}
    return found + [path for place in border for path in builder.terrain_paths(board, place)]
