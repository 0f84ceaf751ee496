"""What a company position shows: teams, walls and openings, objectives, and lines of sight in words."""

from __future__ import annotations

from typing import Any

from hexengine.core.outlook import OFF_MAP, Outlook, Piece, SightLook, Support
from hexengine.hexes import Side
from hexengine.mechanics.masks import units
from hexengine.mechanics.masks import units as hexes
from hexengine.mechanics.outlook import ARROWS, between, objectives, printed, smoke_between, touched
from hexengine.systems.company.board import CAVALRY, GUN, INFANTRY, Board
from hexengine.systems.company.position import CompanyPosition
from hexengine.systems.company.state import phase, unit_state
from hexengine.systems.company.victory import score

SIGNS = {INFANTRY: "infantry", GUN: "anti-tank", CAVALRY: "recon"}


def features(board: Board) -> dict[Side, tuple[str, ...]]:
    """The outer walls of buildings, and the openings in them."""
    found: dict[Side, tuple[str, ...]] = {}
    for place in hexes(board.ground.rooms):
        for beside in board.grid.neighbours[place]:
            if beside >= 0 and board.ground.walled(place, beside):
                opening = board.ground.opening_at(place, beside)
                name = "house-wall" if opening < 0 else board.ground.openings[opening].kind
                if opening < 0 and (place, beside) in board.ground.windows:
                    name = "window"
                found[min(place, beside), max(place, beside)] = (name,)
    return found


def outlook(pos: CompanyPosition) -> Outlook:
    """What is to be seen of a position."""
    board = pos.board
    frame = pos.frames[-1] if pos.frames else None
    able = _able(pos)
    marks: dict[int, tuple[str, ...]] = {}
    for name, places in (
        ("smoke", hexes(pos.smoke())),
        ("foxhole", sorted({pos.place[unit] for unit in units(pos.dug)})),
    ):
        for place in places:
            marks[place] = (*marks.get(place, ()), name)
    return Outlook(
        printed(board, features),
        pos.turn,
        phase(pos),
        board.side_names[frame.decider(pos)] if frame else "",
        frame.decider(pos) if frame else None,
        (),
        tuple([_piece(pos, unit, able) for unit in range(board.count)]),
        marks,
        objectives(pos, board.goals),
        score(pos),
        tuple(Support(side, "", "air", left) for side, left in enumerate(pos.calls) if left),
        floors=board.ground.floor_names,
        strength="dice/anti-tank",
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
        (
            *facts["status"],
            *facts["markers"],
            *([f"floor-{facts['floor']}"] if "floor" in facts else []),
            *([arrow] if arrow else []),
        ),
        ready=bool(able >> unit & 1),
    )


def sight(pos: CompanyPosition, a: int, b: int, first: str = "", second: str = "") -> SightLook:
    """The line of sight between two hexes, with what ends it in words (C12.1).

    ``first`` and ``second``: teams in them, or floors of theirs, that are meant (C6.6).
    """
    board = pos.board
    ground, lines = board.ground, board.sight
    near, far = _spot(pos, a, first), _spot(pos, b, second)
    stop = lines.obstacle(near, far)
    obstacles = [between(board, stop, True)] if stop is not None else []
    for place in hexes(pos.smoke() & (lines.between(a, b) if a != b else 0)):
        obstacles.append(smoke_between(board, place, "C13.6"))
    line = touched(a, b, lines.line(a, b) if a != b else ())
    rule = stop.rule if stop is not None else "C12.1"
    end = None if stop is None else stop.hex
    clear, distance = lines.sees(near, far), board.grid.distance(a, b)
    names = [
        f"{board.labels[ground.hex_of[spot]]}/{ground.floor_of[spot]}" if ground.floor_of[spot] else ""
        for spot in (near, far)
    ]
    return SightLook(a, b, distance, clear, rule, line, tuple(obstacles), end, (names[0], names[1]))


def _spot(pos: CompanyPosition, place: int, name: str) -> int:
    """Where the team of an id stands, or the floor of that name; else the ground of a hex."""
    board = pos.board
    if name in board.ids:
        return pos.spot(board.ids.index(name))
    _, _, floor = name.partition("/")
    return board.ground.spot[place, int(floor)] if floor else place
