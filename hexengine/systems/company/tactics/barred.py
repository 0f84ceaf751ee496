"""Why hexes are out of a team's reach: on an ordinary move (C1.5), and at the double (C2)."""

from __future__ import annotations

from hexengine.core.errors import Refusal
from hexengine.core.tactics import ReachLook
from hexengine.mechanics.masks import units as hexes
from hexengine.systems.company.moving import double
from hexengine.systems.company.moving.double import Doubler
from hexengine.systems.company.moving.movement import Movement
from hexengine.systems.company.moving.reach import Walker
from hexengine.systems.company.moving.walking import refuse_again, refuse_moving, refuse_place
from hexengine.systems.company.position import CompanyPosition

MOVE, DOUBLE = "move", "double"
MODES = (MOVE, DOUBLE)


def explain(pos: CompanyPosition, unit: int, mode: str) -> ReachLook:
    """Where a team may go in a mode, and why not elsewhere."""
    refusal = refuse_all(pos, unit, mode)
    if refusal is not None:
        return ReachLook({}, {}, refusal)
    return _doubles(pos, unit) if mode == DOUBLE else _moves(pos, unit)


def refuse_all(pos: CompanyPosition, unit: int, mode: str) -> Refusal | None:
    """Why a team cannot move so at all; outside its Movement Step what it has done before does not count."""
    board = pos.board
    facts = {"unit": board.ids[unit]}
    if not pos.placed >> unit & 1:
        return Refusal("C10.1", "off-map", facts)
    frame = pos.frames[-1] if pos.frames else None
    refusal = refuse_moving(pos, unit, facts)
    if refusal is None and isinstance(frame, Movement) and frame.side == board.side[unit]:
        refusal = refuse_again(pos, unit, facts)
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
    barred = {
        place: refuse_place(walker, place) or _tried(pos, unit, place)
        for place in range(board.size)
        if place not in costs
    }
    return ReachLook(costs, barred)


def _tried(pos: CompanyPosition, unit: int, place: int) -> Refusal:
    """A room held by the enemy may be named in a move, but not come to (C7.5)."""
    return Refusal("C7.5", "enemy-there", {"unit": pos.board.ids[unit], "hex": pos.board.labels[place]})


def _doubles(pos: CompanyPosition, unit: int) -> ReachLook:
    board, doubler = pos.board, Doubler(pos, unit)
    if doubler.barred():
        there = {"unit": board.ids[unit], "hex": board.labels[doubler.start]}
        return ReachLook({}, {}, Refusal("C2.5", "standoff", there))
    ends = doubler.ends()
    costs = {doubler.start: 0, **{place: 2 * len(doubler.path(place)) for place in hexes(ends)}}
    barred = {}
    for place in range(board.size):
        if place not in costs:
            refusal = double.refuse(doubler, place, ())
            assert refusal is not None, "what is legal is in reach"
            barred[place] = refusal
    return ReachLook(costs, barred)
