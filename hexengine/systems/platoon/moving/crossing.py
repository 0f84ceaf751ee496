"""Amphibious units (P14.3): they cross rivers and enter lakes, each time for a whole activation.

They move by classes of their own, one for each mobility and allowance, in which such a step costs
the whole allowance: so only a unit that has spent nothing can take it, and nothing is left
afterwards.  Leaving the water costs what it costs everybody.
"""

from __future__ import annotations

from collections.abc import Sequence

from hexengine.mechanics.masks import units
from hexengine.systems.platoon.board import CLASSES, Board


def let_swim(board: Board, water: Sequence[bool], side_water: frozenset[str]) -> None:
    """Give amphibious units their movement classes, if there is anything on the map for them to cross.

    ``water`` says which hexes are water, ``side_water`` which hexside features are.
    """
    board.water = sum(1 << place for place in range(board.size) if water[place] and _deep(board, place))
    known: dict[tuple[int, int], int] = {}
    for unit in units(board.amphibious):
        land, allowance = board.mobility[unit], board.allowance[unit]
        if (land, allowance) not in known:
            extra = _swims(board, land, water, side_water)
            known[land, allowance] = board.add_class(land, extra, allowance) if extra else land
        board.use_class(unit, known[land, allowance])


def _deep(board: Board, place: int) -> bool:
    """Whether nobody on foot can come into a water hex: no road leads through it."""
    return not any(
        there >= 0 and board.map.step_cost(there, place, "leg") is not None
        for there in board.neighbours[place]
    )


def _swims(
    board: Board, land: int, water: Sequence[bool], side_water: frozenset[str]
) -> list[tuple[int, int]]:
    """The steps, from hex to hex, that are prohibited to a class by nothing but water."""
    hexmap, name = board.map, CLASSES[land]
    rows = hexmap.chart.side_rows
    found = []
    for place, costs in enumerate(board.costs[land]):
        for there, cost in zip(board.neighbours[place], costs, strict=True):
            if there < 0 or cost:
                continue
            hindering = [side for side in hexmap.features(place, there) if rows[side].costs[name] is None]
            on_land = water[there] or hexmap.entry_cost(there, name) is not None
            if on_land and side_water.issuperset(hindering):
                found.append((place, there))
    return found


def swims(board: Board, unit: int, place: int, target: int) -> bool:
    """Whether a step that a unit may take is one through water."""
    mobility = board.mobility[unit]
    land = board.land[mobility]
    return land != mobility and not board.costs[land][place][board.direction[place][target]]
