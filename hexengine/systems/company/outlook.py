"""What a company position shows: teams, walls and openings, objectives, and lines of sight in words."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from hexengine.core.outlook import OFF_MAP, Between, Ground, Outlook, Piece, SightLook, Support
from hexengine.hexes import Side
from hexengine.mechanics.masks import units
from hexengine.mechanics.masks import units as hexes
from hexengine.systems.company.board import CAVALRY, GUN, INFANTRY, Board
from hexengine.systems.company.position import CompanyPosition
from hexengine.systems.company.state import phase, unit_state
from hexengine.systems.company.victory import score

SIGNS = {INFANTRY: "infantry", GUN: "anti-tank", CAVALRY: "recon"}
ARROWS = {"flat": "↑↗↘↓↙↖", "pointy": "↗→↘↙←↖"}
"""Facing as people see it, by direction."""
_grounds: WeakKeyDictionary[Board, Ground] = WeakKeyDictionary()


def ground(board: Board) -> Ground:
    """The printed map of a board with walls and openings, always the same object."""
    known = _grounds.get(board)
    if known is None:
        features: dict[Side, tuple[str, ...]] = {}
        for place in hexes(board.ground.rooms):
            for beside in board.grid.neighbours[place]:
                if beside >= 0 and board.ground.walled(place, beside):
                    opening = board.ground.opening_at(place, beside)
                    name = "house-wall" if opening < 0 else board.ground.openings[opening].kind
                    features[min(place, beside), max(place, beside)] = (name,)
        known = _grounds[board] = Ground(board.map, board.names, features, board.side_names, board.turns)
    return known


def outlook(pos: CompanyPosition) -> Outlook:
    """What is to be seen of a position."""
    board = pos.board
    frame = pos.frames[-1] if pos.frames else None
    able = _able(pos)
    marks: dict[int, tuple[str, ...]] = {}
    for name, places in (
        ("smoke", hexes(pos.smoke())),
        ("position", sorted({pos.place[unit] for unit in units(pos.dug)})),
    ):
        for place in places:
            marks[place] = (*marks.get(place, ()), name)
    return Outlook(
        ground(board),
        pos.turn,
        phase(pos),
        board.side_names[frame.decider(pos)] if frame else "",
        frame.decider(pos) if frame else None,
        (),
        tuple([_piece(pos, unit, able) for unit in range(board.count)]),
        marks,
        {
            place: pos.control[place] - 1 if pos.control[place] else None
            for goal in board.goals
            for place in goal.hexes
        },
        score(pos),
        tuple(Support(side, "", "air", left) for side, left in enumerate(pos.calls) if left),
    )


def _able(pos: CompanyPosition) -> int:
    """The teams that may act now."""
    if not pos.frames:
        return 0
    frame: Any = pos.frames[-1]
    board = pos.board
    mask = 0
    if frame.kind == "movement":
        return int(frame.movers(pos))
    for actor in frame.actors(pos):
        if actor >= 0:
            if frame.kind in ("shooting", "defensive-fire", "answer"):
                mask |= pos.alive(actor) if actor < len(board.platoons) else 0
            else:
                mask |= 1 << actor
    return mask


def _piece(pos: CompanyPosition, unit: int, able: int) -> Piece:
    board = pos.board
    counter = board.counters[unit]
    facts = unit_state(pos, unit)
    hidden = bool(pos.hiding >> unit & 1)
    sign = SIGNS.get(counter.kind, "armour" if counter.armour else "mechanised")
    if counter.barrage is not None:
        sign = "artillery"
    if board.commands >> unit & 1 and counter.kind == INFANTRY:
        sign = "hq"
    arrow = ARROWS[board.grid.orientation][pos.facing[unit]] if "direction" in facts else ""
    name = counter.weapons[0] if counter.weapons else None
    strength = f"{name.rof}/{name.at}" if name is not None else "0"
    return Piece(
        board.ids[unit],
        counter.name,
        counter.side,
        sign,
        board.platoons[counter.platoon].id,
        pos.place[unit] if facts["hex"] is not None and not hidden else OFF_MAP,
        "",
        strength,
        facts["steps"],
        1,
        (*facts["status"], *facts["markers"], *([arrow] if arrow else [])),
        ready=bool(able >> unit & 1),
    )


def sight(pos: CompanyPosition, a: int, b: int) -> SightLook:
    """The line of sight between two hexes, with what ends it in words (C12.1)."""
    board = pos.board
    lines = board.sight
    touched = [one for stretch in lines.line(a, b) for one in stretch[:1]] if a != b else []
    stop = lines.obstacle(a, b)
    between: list[Between] = []
    if stop is not None:
        label = board.labels[stop.hex]
        if stop.other >= 0:
            label = f"{label}/{board.labels[stop.other]}"
        terrain = board.map.chart.terrains[board.map.terrain[stop.hex]].id
        text = board.wording.obstacle(stop.code, {"hex": label, "terrain": terrain})
        between.append(Between(stop.hex, stop.other, True, stop.rule, text))
    for place in hexes(pos.smoke() & (lines.between(a, b) if a != b else 0)):
        text = board.wording.obstacle("smoke", {"hex": board.labels[place]})
        between.append(Between(place, OFF_MAP, False, "C13.6", text))
    line = (a, *touched, b) if a != b else (a,)
    rule = stop.rule if stop is not None else "C12.1"
    end = None if stop is None else stop.hex
    return SightLook(a, b, board.grid.distance(a, b), stop is None, rule, line, tuple(between), end)
