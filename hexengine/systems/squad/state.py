"""A position as plain JSON values, with the keys of docs/formats.md (States)."""

from __future__ import annotations

from typing import Any

from hexengine.mechanics.masks import units
from hexengine.mechanics.state import control, decision, of_sides, true_of
from hexengine.systems.squad.position import SquadPosition, passengers
from hexengine.systems.squad.victory import result, score


def phase(pos: SquadPosition) -> str:
    """The phase of the turn; a group on the move is part of its impulse."""
    kind = pos.frames[-1].kind if pos.frames else "over"
    return "operations" if kind == "group" else kind


def state(pos: SquadPosition) -> dict[str, Any]:
    """Everything that people and programs may want to know of a position."""
    board = pos.board
    return {
        "turn": pos.turn,
        "phase": phase(pos),
        "active": board.ids[pos.leader] if pos.leader >= 0 else None,
        "decision": decision(pos),
        "units": {board.ids[unit]: unit_state(pos, unit) for unit in range(board.count)},
        "hexes": _hexes(pos),
        "cup": {},
        "initiative": board.sides[pos.initiative],
        "missions": {side: pos.rounds[number] for number, side in enumerate(board.sides)},
        "control": control(pos),
        "score": of_sides(board, score(pos)),
        "result": result(pos),
    }


def unit_state(pos: SquadPosition, unit: int) -> dict[str, Any]:
    """One unit: where it is, and everything that is marked on it."""
    board, bit = pos.board, 1 << unit
    placed = bool(pos.placed & bit)
    status = true_of(
        (
            ("shaken", pos.shaken & bit),
            ("wounded", pos.wounded & bit),
            ("half", board.squads & bit and pos.steps[unit] == 1),
            ("hidden", pos.hidden & bit),
            ("due", pos.waiting & bit),
            ("aboard", pos.aboard & bit),
            ("melee", placed and board.units & bit and pos.melee >> pos.place[unit] & 1),
            ("eliminated", pos.lost & bit),
        )
    )
    markers = true_of(
        (
            ("moved", pos.moved & bit),
            ("assault-move", pos.assault & bit),
            ("low-crawl", pos.crawl & bit),
            ("stealth", pos.stealth & bit),
            ("fired", pos.fired & bit),
            ("ops-complete", pos.ops & bit),
        )
    )
    if board.vehicles & pos.placed & bit and pos.turned[unit]:
        markers.append("turned")
    place = pos.place[unit]
    carrier = pos.carrier[unit]
    weapon = pos.weapon(unit)
    found: dict[str, Any] = {
        "hex": board.labels[board.places.hex_of[place]] if placed else None,
        "steps": pos.steps[unit],
        "status": status,
        "markers": markers,
        "spent": pos.spent[unit],
        "carrier": board.ids[carrier] if carrier >= 0 else None,
        "passengers": [board.ids[weapon]] if weapon >= 0 else [],
    }
    if board.vehicles & bit:
        found["passengers"] = [board.ids[rider] for rider in units(passengers(pos, unit))]
        if placed:
            ahead = board.grid.neighbours[place][pos.facing[unit]]
            found["facing"] = board.labels[ahead] if ahead >= 0 else None
            found["direction"] = pos.facing[unit]
    if placed and place >= board.size:
        found["place"] = board.labels[place]
    return found


def _hexes(pos: SquadPosition) -> dict[str, dict[str, Any]]:
    board = pos.board
    found: dict[str, dict[str, Any]] = {}
    for name, mask in (
        ("smoke", pos.smoke_1),
        ("thin-smoke", pos.smoke_2),
        ("foxhole", board.foxholes),
        ("spotted", pos.spotted_0 | pos.spotted_1),
        ("melee", pos.melee),
    ):
        for place in units(mask):
            found.setdefault(board.labels[place], {})[name] = True
    for place in range(board.size):
        label = board.labels[place]
        if board.vehicles and pos.wrecks[place]:
            found.setdefault(label, {})["wreck"] = True
        if pos.ffe[place]:
            found.setdefault(label, {})["ffe"] = pos.ffe[place]
        for side, mines in ((0, pos.mines_0[place]), (1, pos.mines_1[place])):
            if mines:
                owner = found.setdefault(label, {}).setdefault("mines", {})
                owner[board.sides[side]] = [fp for fp in (mines // 10, mines % 10) if fp]
    for number in units(pos.events):
        event = board.events[number]
        found.setdefault(board.labels[event.place], {}).setdefault("events", []).append(event.id)
    return {label: found[label] for label in sorted(found)}
