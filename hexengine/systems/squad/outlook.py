"""What a squad position shows: units, markers, objectives, and lines of sight in words."""

from __future__ import annotations

from hexengine.core.outlook import OFF_MAP, Outlook, Piece, SightLook, Support
from hexengine.mechanics.masks import units
from hexengine.mechanics.outlook import ARROWS, between, objectives, printed, touched
from hexengine.systems.squad.board import (
    HERO,
    LEADER,
    MEDIC,
    SCOUT,
    SNIPER,
    TEAM,
    VEHICLE,
    WEAPON,
    Counter,
    Readout,
)  # fmt: skip
from hexengine.systems.squad.choices import firing_units, fresh_units
from hexengine.systems.squad.firing.reaction import Reaction, watchers
from hexengine.systems.squad.impulse import Impulse
from hexengine.systems.squad.moving.movement import Group
from hexengine.systems.squad.position import SquadPosition
from hexengine.systems.squad.rally import RallyPhase
from hexengine.systems.squad.sight.lines import SightFacts
from hexengine.systems.squad.sight.spotting import spotted
from hexengine.systems.squad.state import phase, unit_state
from hexengine.systems.squad.victory import score

SIGNS = {
    LEADER: "hq", HERO: "hero", MEDIC: "medic", SCOUT: "recon", SNIPER: "sniper", TEAM: "artillery",
    WEAPON: "weapon",
}  # fmt: skip
LETTERS = {
    "melee": "X", "shaken": "S", "wounded": "W", "moved": "m", "assault-move": "a", "low-crawl": "c",
    "stealth": "t", "fired": "f", "ops-complete": "o", "turned": "r",
}  # fmt: skip
"""States and markers, and their letters on a counter."""


def outlook(pos: SquadPosition) -> Outlook:
    """What is to be seen of a position."""
    board = pos.board
    frame = pos.frames[-1] if pos.frames else None
    able = _able(pos)
    known = (spotted(pos, 1), spotted(pos, 0))
    return Outlook(
        printed(board),
        pos.turn,
        phase(pos),
        board.side_names[frame.decider(pos)] if frame else "",
        frame.decider(pos) if frame else None,
        (),
        tuple([_piece(pos, unit, able, known) for unit in _top_down(pos)]),
        _marks(pos),
        objectives(pos, board.goals),
        score(pos),
        _support(pos),
        LETTERS,
        board.places.floors,
        "firepower-range-MF/morale",
        "leader",
    )


def _support(pos: SquadPosition) -> tuple[Support, ...]:
    """Fire missions that are left."""
    return tuple([Support(side, "", "he", pos.rounds[side]) for side in (0, 1) if pos.rounds[side]])


def _marks(pos: SquadPosition) -> dict[int, tuple[str, ...]]:
    board = pos.board
    marks: dict[int, tuple[str, ...]] = {}

    def add(place: int, mark: str) -> None:
        where = board.places.hex_of[place]
        marks[where] = (*marks.get(where, ()), mark)

    for name, mask in (
        ("melee", pos.melee),
        ("smoke", pos.smoke_1 | pos.smoke_2),
        ("foxhole", board.foxholes),
        ("spotted", pos.spotted_0 | pos.spotted_1),
    ):
        for place in units(mask):
            add(place, name)
    for place in range(board.size):
        if board.vehicles and pos.wrecks[place]:
            add(place, "wreck")
        if pos.ffe[place]:
            add(place, "shelling")
        if pos.mines_0[place] or pos.mines_1[place]:
            add(place, "mines")
    for number in units(pos.events):
        add(board.events[number].place, "event")
    return marks


def _able(pos: SquadPosition) -> int:
    """The units that may act now, or react."""
    match pos.frames[-1] if pos.frames else None:
        case Group() as group:
            return group.able(pos)
        case Impulse() as impulse:
            return fresh_units(pos, impulse.side) | firing_units(pos, impulse.side)
        case Reaction() as window:
            found = 0
            for _, here in watchers(pos, window.side, window.place, window.shot):
                found |= here
            return found
        case RallyPhase() as rallying:
            return sum(1 << actor for actor in rallying.actors(pos) if actor >= 0)
    return 0


def _top_down(pos: SquadPosition) -> list[int]:
    """All units in the scenario's order, each with the weapon that it carries below it."""
    board = pos.board
    found: list[int] = []
    for unit in range(board.count):
        if board.weapons >> unit & 1:
            if pos.carrier[unit] < 0:
                found.append(unit)
            continue
        if board.spares >> unit & 1 and not pos.placed >> unit & 1:
            continue
        found.append(unit)
        weapon = pos.weapon(unit)
        if weapon >= 0:
            found.append(weapon)
    return found


def _piece(pos: SquadPosition, unit: int, able: int, known: tuple[int, int]) -> Piece:
    """A unit; ``known``: the places of each side that the other has spotted."""
    board = pos.board
    counter = board.counters[unit]
    facts = unit_state(pos, unit)
    readout = counter.readouts[1 if pos.steps[unit] == 2 else 0]
    states = [*facts["status"], *facts["markers"]]
    if pos.unseen >> unit & 1:
        states = ["unseen"]
    elif facts["hex"] and board.units >> unit & 1 and not known[counter.side] >> pos.place[unit] & 1:
        states.append("unspotted")
    if "place" in facts:
        floor = board.places.floor[pos.place[unit]]
        states.append("inside" if floor < 0 else f"floor-{floor}")
    if "direction" in facts:
        states.append(ARROWS[board.grid.orientation][facts["direction"]])
    sign = SIGNS.get(counter.kind, "infantry")
    if counter.kind == VEHICLE:
        sign = "armour" if board.ordnance[unit] is not None else "mechanised"
    return Piece(
        board.ids[unit],
        counter.name,
        max(0, counter.side if counter.side >= 0 else board.side[max(0, pos.carrier[unit])]),
        sign,
        counter.family,
        board.places.hex_of[pos.place[unit]] if facts["hex"] is not None else OFF_MAP,
        facts["carrier"] or "",
        f"{readout.fp}{readout.range if readout.range < 10 else '+'}{readout.mf}",
        1,
        2 if "half" in states else 1,
        tuple(states),
        leader=counter.kind == LEADER,
        attached=bool(board.weapons >> unit & 1),
        ready=bool(able >> unit & 1),
        readout=str(readout) if board.weapons >> unit & 1 else _readout(readout, counter),
    )


def _readout(readout: Readout, counter: Counter) -> str:
    """Firepower, range and MF, the morale behind a stroke; a leader's LM, a vehicle's hull and turret."""
    text = f"{readout}/{readout.morale}" + (f" LM{counter.lm}" if counter.lm else "")
    if counter.armour is None:
        return text
    return text + "".join([f" {front}/{side}" for front, side in filter(None, counter.armour)])


def sight(pos: SquadPosition, a: int, b: int, first: str = "", second: str = "") -> SightLook:
    """The line of sight between two hexes on the ground, with everything between in words (S10).

    ``first`` and ``second``: units in them, or floors, bunkers and caves of theirs, that are meant.
    """
    board = pos.board
    near, far = _place(pos, a, first), _place(pos, b, second)
    facts = board.sight.facts(near, far, pos.smoke())
    obstacles = tuple(between(board, one, one.blocks) for one in facts.obstacles)
    rule = "S10.1" if facts.clear and not obstacles else "S10.2"
    for one in facts.obstacles:
        if one.blocks:
            rule = one.rule
            break
    clear, distance = board.sight.sees(near, far, pos.smoke()), board.grid.distance(a, b)
    line = touched(a, b, facts.stretches)
    names = [board.labels[place] if place >= board.size else "" for place in (near, far)]
    return SightLook(a, b, distance, clear, rule, line, obstacles, _stop(facts), (names[0], names[1]))


def _place(pos: SquadPosition, where: int, name: str) -> int:
    """Where the unit of an id stands, or the place of a label; else the ground of a hex."""
    board = pos.board
    if name in board.ids:
        return pos.place[board.ids.index(name)]
    return board.places.index(name) if name else where


def _stop(facts: SightFacts) -> int | None:
    """Where a line ends: at what blocks, or at the last thing that hinders too much."""
    if facts.clear:
        return None
    for one in facts.obstacles:
        if one.blocks:
            return one.hex
    return facts.obstacles[-1].hex
