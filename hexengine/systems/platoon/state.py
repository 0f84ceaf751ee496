"""A position as plain JSON values, with the keys of docs/formats.md (States)."""

from __future__ import annotations

from typing import Any

from hexengine.mechanics.masks import units
from hexengine.mechanics.state import control, decision, of_sides, true_of
from hexengine.systems.platoon.board import END_OF_TURN
from hexengine.systems.platoon.orders.support import SHELLS
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.victory import result, score

PHASES = {
    "draw": "draw",
    "missions": "operations",
    "operations": "operations",
    "group": "operations",
    "reaction": "reaction",
}
"""By kind of decision; fire missions are the first part of operations (P2.4)."""


def state(pos: PlatoonPosition) -> dict[str, Any]:
    """Everything that people and programs may want to know of a position."""
    board = pos.board
    frame = pos.frames[-1] if pos.frames else None
    names = [formation.id for formation in board.formations]
    inside = {board.marker_names[kind]: count for kind, count in enumerate(pos.cup) if count}
    drawn = {board.marker_names[kind]: count for kind, count in enumerate(pos.drawn) if count}
    return {
        "turn": pos.turn,
        "phase": PHASES[frame.kind] if frame else "over",
        "active": names[pos.active] if pos.active >= 0 else None,
        "decision": decision(pos),
        "units": {board.ids[unit]: unit_state(pos, unit) for unit in range(board.count)},
        "hexes": _hexes(pos),
        "cup": {
            "in": inside,
            "drawn": drawn,
            "held": [board.sides[side] for side in (0, 1) if pos.held >> side & 1],
            "waiting": [names[formation] for formation in units(pos.waiting)],
            "draws": board.sides[pos.draws],
        },
        "control": control(pos),
        "score": of_sides(board, score(pos)),
        "result": result(pos),
        **support_state(pos),
        **_pool(pos),
    }


def _pool(pos: PlatoonPosition) -> dict[str, Any]:
    """The minefields that the side that decides may still lay (P11.2), if it began with any: its own."""
    board = pos.board
    side = pos.frames[-1].decider(pos) if pos.frames else -1
    return {"mines": {board.sides[side]: pos.pool[side]}} if side >= 0 and board.start.pool[side] else {}


def support_state(pos: PlatoonPosition) -> dict[str, Any]:
    """Missions and strikes left (P12.1, P13.3) of all who began with some; nothing where nobody did."""
    board = pos.board
    left, given = pos.support, board.support
    if not given:
        return {}
    return {
        "missions": {
            formation.id: {shell: left[2 * number + kind] for kind, shell in enumerate(SHELLS)}
            for number, formation in enumerate(board.formations)
            if any(given[2 * number : 2 * number + 2])
        },
        "strikes": {board.sides[side]: left[side - 2] for side in (0, 1) if given[side - 2]},
    }


def unit_state(pos: PlatoonPosition, unit: int) -> dict[str, Any]:
    """One unit: where it is, and everything that is marked on it.

    A support weapon shows what its infantry is (P3.5); missile depletion is its own.
    """
    board = pos.board
    carrier = board.owner_of[unit] if board.weapons >> unit & 1 else pos.carrier[unit]
    bearer = carrier if board.weapons >> unit & 1 else unit
    bit, own = 1 << bearer, 1 << unit
    placed = bool(pos.placed & bit)
    status = true_of(
        (
            ("disrupted", pos.disrupted & bit),
            ("reduced", pos.steps[unit] == 1 and board.counters[unit].steps == 2),
            ("fresh", pos.fresh & bit),
            ("landed", pos.landed & bit),
            ("carried", (pos.carried & own) or (board.weapons & own and placed)),
            ("finished", (pos.finished & bit) or _carrier_finished(pos, bearer)),
            ("due", pos.due & bit),
            ("eliminated", pos.lost & own),
        )
    )
    markers = true_of(
        (
            ("ops-complete", pos.ops & bit),
            ("out-of-command", pos.ooc & bit),
            ("depleted-1", pos.depleted_1 & own),
            ("depleted-2", pos.depleted_2 & own),
        )
    )
    weapon = board.weapon_of[unit]
    passengers = [board.ids[rider] for rider in pos.passengers(unit)]
    if weapon >= 0 and not pos.lost >> weapon & 1:
        passengers.append(board.ids[weapon])
    for rider in pos.passengers(unit):
        if board.weapon_of[rider] >= 0:
            passengers.append(board.ids[board.weapon_of[rider]])
    return {
        "hex": board.labels[pos.hex[unit]] if placed and pos.hex[unit] >= 0 else None,
        "steps": pos.steps[unit],
        "status": status,
        "markers": markers,
        "spent": pos.spent[unit],
        "carrier": board.ids[carrier] if carrier >= 0 and not pos.lost & own else None,
        "passengers": passengers,
    }


def _carrier_finished(pos: PlatoonPosition, unit: int) -> bool:
    return bool(pos.carried >> unit & 1 and pos.finished >> pos.carrier[unit] & 1)


def _hexes(pos: PlatoonPosition) -> dict[str, dict[str, Any]]:
    board = pos.board
    found: dict[int, dict[str, Any]] = {}
    for place in units(pos.wrecks):
        found.setdefault(place, {})["wreck"] = True
    for place in units(pos.positions):
        found.setdefault(place, {})["position"] = True
    for place in units(pos.mines):
        found.setdefault(place, {})["mines"] = True
    for place in units(pos.smoky):
        found.setdefault(place, {})["smoke"] = pos.smoke[place]
    return {board.labels[place]: found[place] for place in sorted(found)}


__all__ = ["END_OF_TURN", "state", "support_state", "unit_state"]
