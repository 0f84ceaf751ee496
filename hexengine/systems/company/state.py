"""A position as plain JSON values, with the keys of docs/formats.md (States)."""

from __future__ import annotations

from typing import Any

from hexengine.mechanics.masks import units
from hexengine.mechanics.masks import units as hexes
from hexengine.mechanics.state import control, decision, of_sides, true_of
from hexengine.systems.company.position import CompanyPosition
from hexengine.systems.company.victory import result, score


def state(pos: CompanyPosition) -> dict[str, Any]:
    """Everything that people and programs may want to know of a position."""
    board = pos.board
    return {
        "turn": pos.turn,
        "phase": phase(pos),
        "active": board.sides[pos.frames[0].decider(pos)] if pos.frames else None,
        "decision": decision(pos),
        "units": {board.ids[unit]: unit_state(pos, unit) for unit in range(board.count)},
        "hexes": _hexes(pos),
        "cup": {},
        "platoons": {
            platoon.id: {
                "teams": pos.alive(number).bit_count(),
                "of": platoon.members.bit_count(),
                "status": ["pinned"] if pos.pinned >> number & 1 else [],
            }
            for number, platoon in enumerate(board.platoons)
        },
        "air": {side: pos.calls[number] for number, side in enumerate(board.sides) if board.flights[number]},
        "control": control(pos),
        "score": of_sides(board, score(pos)),
        "result": result(pos),
    }


def phase(pos: CompanyPosition) -> str:
    """The step that goes on; what happens in the midst of it has its name."""
    if not pos.frames:
        return "over"
    return pos.frames[1].kind if len(pos.frames) > 1 else "starting"


def unit_state(pos: CompanyPosition, unit: int) -> dict[str, Any]:
    """One team: where it is, and everything that is marked on it."""
    board, bit = pos.board, 1 << unit
    placed = bool(pos.placed & bit)
    found: dict[str, Any] = {
        "hex": board.labels[pos.place[unit]] if placed else None,
        "steps": int(not pos.lost & bit),
        "status": true_of(
            (
                ("dug-in", pos.dug & bit),
                ("pinned", placed and pos.pinned >> board.platoon[unit] & 1),
                ("bailed-out", pos.bailed & bit),
                ("bogged", pos.bogged & bit),
                ("out-of-command", pos.stray & bit),
                ("reserve", pos.waiting & bit),
                ("due", pos.due & bit),
                ("ambush", pos.hiding & bit),
                ("eliminated", pos.lost & bit),
            )
        ),
        "markers": true_of(
            (
                ("moved", pos.moved & bit),
                ("doubled", pos.doubled & bit),
                ("tried-to-dig", pos.tried & bit),
                ("shot", pos.shot & bit),
                ("blocker", pos.blockers & bit),
            )
        ),
        "spent": 0,
        "carrier": None,
        "passengers": [],
        "platoon": board.platoons[board.platoon[unit]].id,
    }
    if placed and board.faced & bit:
        ahead = board.grid.neighbours[pos.place[unit]][pos.facing[unit]]
        found["facing"] = board.labels[ahead] if ahead >= 0 else None
        found["direction"] = pos.facing[unit]
    if pos.aloft & bit:
        found["floor"] = pos.floor[unit]
    if placed and pos.contact[unit] >= 0:
        one = board.ground.openings[pos.contact[unit]]
        found["touching"] = board.labels[one.inside if pos.place[unit] == one.outside else one.outside]
    return found


def _hexes(pos: CompanyPosition) -> dict[str, dict[str, Any]]:
    board = pos.board
    found: dict[str, dict[str, Any]] = {}
    for place in hexes(pos.smoke()):
        found.setdefault(board.labels[place], {})["smoke"] = True
    # C3.8: foxholes are kept by team and counted by hex.
    for unit in units(pos.dug):
        here = found.setdefault(board.labels[pos.place[unit]], {})
        here["foxholes"] = here.get("foxholes", 0) + 1
    for place in pos.hole:
        if place >= 0:
            here = found.setdefault(board.labels[place], {})
            here["positions"] = here.get("positions", 0) + 1
    for place in hexes(board.ground.floors):
        found.setdefault(board.labels[place], {})["floors"] = board.ground.top[board.ground.building[place]]
    for side in (0, 1):
        for number in hexes(pos.cleared(side)):
            for place in hexes(board.ground.built[number]):
                found.setdefault(board.labels[place], {}).setdefault("cleared", []).append(board.sides[side])
    return {label: found[label] for label in sorted(found)}
