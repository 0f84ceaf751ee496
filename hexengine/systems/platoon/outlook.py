"""What a platoon position shows: units, markers, objectives, the cup, and lines of sight in words."""

from __future__ import annotations

from collections.abc import Iterator

from hexengine.core.outlook import OFF_MAP, Outlook, Piece, SightLook, Support
from hexengine.hexes import Side
from hexengine.mechanics.masks import mask_of, units
from hexengine.mechanics.outlook import between, objectives, printed, smoke_between, touched
from hexengine.systems.platoon.board import AIR, HEADQUARTERS, Board
from hexengine.systems.platoon.firing.observers import observers
from hexengine.systems.platoon.firing.reaction import Reaction
from hexengine.systems.platoon.firing.smoke import crossed
from hexengine.systems.platoon.operations import Group, Operations
from hexengine.systems.platoon.orders.support import SHELLS
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.sight.air import LANDED_SIGHT
from hexengine.systems.platoon.sight.ground import BLOCKING, SightFacts
from hexengine.systems.platoon.state import PHASES, unit_state
from hexengine.systems.platoon.support.missions import Missions
from hexengine.systems.platoon.support.strikes import Incoming
from hexengine.systems.platoon.victory import score

SMOKE_MARKS = ("thin-smoke", "smoke")
"""By marker removals left, from 1: what lies in a hex."""


def features(board: Board) -> dict[Side, tuple[str, ...]]:
    """What is printed on hexsides beside what costs MP: blown bridges and crests."""
    found: dict[Side, tuple[str, ...]] = dict.fromkeys(board.blown, ("blown-bridge",))
    for side in board.crests:
        found[side] = (*found.get(side, ()), "crest")
    return found


def outlook(pos: PlatoonPosition) -> Outlook:
    """What is to be seen of a position by the side that decides: all but what the other may still lay."""
    board = pos.board
    frame = pos.frames[-1] if pos.frames else None
    active = board.formations[pos.active] if pos.active >= 0 else None
    ready = _ready(pos)
    marks: dict[int, tuple[str, ...]] = {
        place: (SMOKE_MARKS[pos.smoke[place] - 1],) for place in units(pos.smoky)
    }
    for place in units(pos.wrecks):
        marks[place] = (*marks.get(place, ()), "wreck")
    for place in units(pos.mines):
        marks[place] = (*marks.get(place, ()), "mines")
    for place in units(pos.positions):
        marks[place] = (*marks.get(place, ()), "position")
    return Outlook(
        printed(board, features),
        pos.turn,
        PHASES[frame.kind] if frame else "over",
        active.name if active else "",
        active.side if active else None,
        _cup(pos),
        tuple([_piece(pos, unit, ready) for unit in _top_down(pos)]),
        marks,
        objectives(pos, board.goals),
        score(pos),
        tuple(_support(pos)),
        strength="dice",
    )


def _support(pos: PlatoonPosition) -> Iterator[Support]:
    """Missions and strikes left, of everybody who began with some; mines of the side that decides."""
    board, left = pos.board, pos.support
    for at, given in enumerate(board.support):
        number, kind = divmod(at, len(SHELLS))
        if not given:
            continue
        if number < len(board.formations):
            formation = board.formations[number]
            yield Support(formation.side, formation.name, SHELLS[kind], left[at])
        else:
            yield Support(kind, "", "strike", left[at])
    side = pos.frames[-1].decider(pos) if pos.frames else -1
    if side >= 0 and board.start.pool[side]:
        # What the other side may still lay is not seen (P11.2).
        yield Support(side, "", "mines", pos.pool[side])


def _cup(pos: PlatoonPosition) -> tuple[tuple[int | None, int], ...]:
    """Markers in the cup: of each side, then those of nobody."""
    board = pos.board
    by_side = [0, 0]
    for number, formation in enumerate(board.formations):
        by_side[formation.side] += pos.cup[number]
    return ((0, by_side[0]), (1, by_side[1]), (None, pos.cup[board.eot]))


def _top_down(pos: PlatoonPosition) -> list[int]:
    """All units in the scenario's order, but passengers and support weapons below who carries them."""
    board = pos.board
    riding = pos.carried | board.weapons
    found: list[int] = []
    for unit in range(board.count):
        if riding >> unit & 1:
            continue
        found.append(unit)
        for rider in (unit, *pos.passengers(unit)):
            if rider != unit:
                found.append(rider)
            if board.weapon_of[rider] >= 0:
                found.append(board.weapon_of[rider])
    return found


def _ready(pos: PlatoonPosition) -> int:
    """The units that may act now, or react."""
    match pos.frames[-1] if pos.frames else None:
        case Operations() | Group() as acting:
            return acting.able(pos)
        case Missions() as missions:
            return observers(pos, missions.formation)
        case Reaction() | Incoming() as window:
            return mask_of(actor for actor in window.actors(pos) if actor >= 0)
    return 0


def _piece(pos: PlatoonPosition, unit: int, ready: int) -> Piece:
    board = pos.board
    counter = board.counters[unit]
    facts = unit_state(pos, unit)
    return Piece(
        board.ids[unit],
        counter.name,
        counter.side,
        counter.mark,
        board.formations[counter.formation].name,
        pos.hex[unit] if facts["hex"] is not None else OFF_MAP,
        facts["carrier"] or "",
        _strength(pos, unit),
        pos.steps[unit],
        counter.steps,
        (*facts["status"], *facts["markers"]),
        leader=counter.kind == HEADQUARTERS,
        attached=bool(board.weapons >> unit & 1),
        ready=bool(ready >> unit & 1),
        flies=counter.kind == AIR,
    )


def _strength(pos: PlatoonPosition, unit: int) -> str:
    """Dice against hard targets, else against soft ones, else against aircraft; of an HQ its leadership."""
    counter = pos.board.counters[unit]
    side_up = 1 if pos.steps[unit] == 1 and counter.steps == 2 else 0
    if counter.kind == HEADQUARTERS:
        return str(counter.leadership[side_up])
    for block in counter.blocks:
        if block is not None and block.dice[side_up]:
            return str(block.dice[side_up])
    return "0"


def sight(pos: PlatoonPosition, a: int, b: int, first: str = "", second: str = "") -> SightLook:
    """The line of sight between two hexes, with every obstacle in words (P10).

    ``first`` and ``second``: ids of units in them that are meant, since some see from the air (P10.6).
    """
    board = pos.board
    above, landed = (
        [bool(mask >> board.ids.index(name) & 1) if name else False for name in (first, second)]
        for mask in (board.air & ~pos.landed, pos.landed)
    )
    facts = board.air_sight.facts(a, b, *above) if any(above) else board.sight.facts(a, b, pos.wrecks)
    too_far = any(landed) and facts.distance > LANDED_SIGHT
    obstacles = tuple(between(board, one, one.weight == BLOCKING) for one in facts.obstacles)
    smoke = tuple(
        smoke_between(board, place, "P12.4") for place in (crossed(pos, a, b) if pos.smoky and a != b else ())
    )
    if too_far:
        rule = "P13.1"
    elif facts.clear:
        rule = "P10.6" if any(above) else "P10.3" if obstacles else "P10.1"
    else:
        rule = next((one.rule for one in obstacles if one.blocks), "P10.3")
    clear = facts.clear and not too_far
    line = touched(a, b, facts.stretches)
    return SightLook(a, b, facts.distance, clear, rule, line, obstacles + smoke, _stop(facts))


def _stop(facts: SightFacts) -> int | None:
    """Where a line ends: at what blocks, or at the second thing that hinders."""
    if facts.clear:
        return None
    partial = 0
    for one in facts.obstacles:
        partial += one.weight != BLOCKING
        if one.weight == BLOCKING or partial == 2:
            return one.hex
    return None
