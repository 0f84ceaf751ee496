"""Why hexes are out of a team's reach: on an ordinary move (C1.5), and at the double (C2)."""

from __future__ import annotations

from typing import Any

from hexengine.core.errors import Refusal
from hexengine.core.tactics import ReachLook
from hexengine.mechanics.masks import units as hexes
from hexengine.systems.company import double
from hexengine.systems.company.double import Doubler
from hexengine.systems.company.ground import CROSS, DIFFICULT, ROAD
from hexengine.systems.company.position import CompanyPosition
from hexengine.systems.company.reach import Walker
from hexengine.systems.company.walking import COLUMN_NAMES, refuse_end, refuse_moving, refuse_path

MOVE, DOUBLE = "move", "double"
MODES = (MOVE, DOUBLE)


def explain(pos: CompanyPosition, unit: int, mode: str) -> ReachLook:
    """Where a team may go in a mode, and why not elsewhere."""
    refusal = _at_all(pos, unit, mode)
    if refusal is not None:
        return ReachLook({}, {}, refusal)
    return _doubles(pos, unit) if mode == DOUBLE else _moves(pos, unit)


def _at_all(pos: CompanyPosition, unit: int, mode: str) -> Refusal | None:
    """Why a team cannot move so at all, whatever it has done in this turn."""
    board = pos.board
    facts = {"unit": board.ids[unit]}
    if not pos.placed >> unit & 1:
        return Refusal("C10.1", "off-map", facts)
    refusal = refuse_moving(pos, unit, facts)
    if refusal is not None:
        return refusal
    if mode == DOUBLE and pos.pinned >> board.platoon[unit] & 1:
        return Refusal("C2.3", "pinned", facts)
    return None


def costs_of(walker: Walker) -> dict[int, int]:
    """Half MP by the hexes to which a team may move and stay there, as is its own."""
    ends = walker.ends() & ~walker.enemies
    return {walker.start: 0, **{place: 2 * (len(walker.path(place)) + walker.down) for place in hexes(ends)}}


def _moves(pos: CompanyPosition, unit: int) -> ReachLook:
    board, walker = pos.board, Walker(pos, unit)
    costs = costs_of(walker)
    # As if the team could go on for ever: what it then comes to is only too far.
    narrow = walker.crowded & board.ground.checking if walker.checks else 0
    far = {
        column: _steps(walker.search(column, narrow, board.size).layers)
        for column in (ROAD, CROSS, DIFFICULT)
    }
    barred = {}
    for place in range(board.size):
        if place in costs:
            continue
        facts = {"unit": board.ids[unit], "hex": board.labels[place]}
        columns = [column for column in far if place in far[column]]
        if not columns and board.grid.distance(walker.start, place) > max(walker.allowance):
            found = None
        elif not columns:
            found = refuse_path(walker, walker.ground.grid.line(walker.start, place)[1:])
        else:
            found = refuse_end(walker, place)
        if found is None:
            column = min(columns, key=lambda one: far[one][place] - walker.allowance[one], default=CROSS)
            limit = walker.allowance[column]
            found = Refusal(
                "C1.5", "out-of-reach", {**facts, "allowance": limit, "ground": COLUMN_NAMES[column]}
            )
        barred[place] = found
    return ReachLook(costs, barred)


def _doubles(pos: CompanyPosition, unit: int) -> ReachLook:
    board, doubler = pos.board, Doubler(pos, unit)
    if doubler.barred():
        there = {"unit": board.ids[unit], "hex": board.labels[doubler.start]}
        return ReachLook({}, {}, Refusal("C2.5", "standoff", there))
    ends = doubler.ends()
    costs = {doubler.start: 0, **{place: 2 * len(doubler.path(place)) for place in hexes(ends)}}
    stride = doubler.stride()
    free = _steps(doubler.layers(stride.free, board.size))
    road = _steps(doubler.layers(stride.road, board.size))
    barred = {}
    for place in range(board.size):
        if place in costs:
            continue
        facts: dict[str, Any] = {"unit": board.ids[unit], "hex": board.labels[place]}
        # Reached by going on for ever: it is too far, or the team cannot stay.
        column, steps = (CROSS, free.get(place, 0)) if place in free else (ROAD, road.get(place, 0))
        found = refuse_end(doubler.walker, place) if steps else None
        distance = board.grid.distance(doubler.start, place)
        if not steps and distance <= max(doubler.limit(CROSS), doubler.limit(ROAD)):
            found = double.refuse_way(doubler, place)
        if found is None:
            found = Refusal(
                "C2.1", "too-far", {**facts, "steps": steps or distance, "allowance": doubler.limit(column)}
            )
        barred[place] = found
    return ReachLook(costs, barred)


def _steps(layers: list[int]) -> dict[int, int]:
    return {place: number for number, layer in enumerate(layers) for place in hexes(layer)}
