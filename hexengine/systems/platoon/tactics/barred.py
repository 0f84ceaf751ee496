"""Why hexes are out of reach (P4, P13.1): what bars the last step to them, or how many MP they would need."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any

from hexengine.core.errors import Refusal
from hexengine.core.tactics import ReachLook
from hexengine.mechanics.masks import lowest, mask_of, units
from hexengine.systems.platoon.choices import check_actors
from hexengine.systems.platoon.moving.helicopters import check_group
from hexengine.systems.platoon.moving.movement import budget
from hexengine.systems.platoon.moving.stacking import place_at
from hexengine.systems.platoon.moving.steps import check_step
from hexengine.systems.platoon.operations import Group, Operations
from hexengine.systems.platoon.position import STACKING_LIMIT, PlatoonPosition
from hexengine.systems.platoon.tactics.reach import Ways, search

MOVE = "move"


def explain(pos: PlatoonPosition, chosen: Sequence[int]) -> ReachLook:
    """Where units that stand together may go together, and why not elsewhere."""
    mine = mask_of(chosen)
    refusal = _at_all(pos, mine)
    if refusal is not None:
        return ReachLook({}, {}, refusal)
    board = pos.board
    ways = search(pos, chosen)
    costs = ways.costs
    if not costs:
        return ReachLook({}, {}, Refusal("P4.3", "not-in-group", {"unit": board.ids[lowest(mine)]}))
    start = pos.hex[lowest(mine)]
    leads = {unit: _plain(pos, board.mobility[unit], start) for unit in units(mine & ~board.hqs)}
    barred = {place: _why(pos, mine, ways, leads, place) for place in range(board.size) if place not in costs}
    return ReachLook(costs, barred)


def _at_all(pos: PlatoonPosition, mine: int) -> Refusal | None:
    """Why units cannot move together at all: they, or where they are."""
    board = pos.board
    formation = board.formation[lowest(mine)]
    frame = next((f for f in reversed(pos.frames) if isinstance(f, (Operations, Group))), None)
    able = board.movers & pos.placed & ~pos.carried & board.formations[formation].fighters
    able |= board.movers & pos.placed & ~pos.carried & board.hqs
    if frame is not None and frame.formation == formation:
        able = frame.able(pos)
    refusal = check_actors(pos, formation, mine, able)
    if refusal is not None:
        return refusal
    if mine & board.air:
        return check_group(pos, mine)
    if any(pos.hex[unit] != pos.hex[lowest(mine)] for unit in units(mine)):
        return Refusal("P4.3", "different-hexes", {"units": board.orders.names(mine)})
    if not mine & ~board.hqs:
        return Refusal("P9.1", "hq-alone", {"hq": board.ids[lowest(mine)]})
    return None


def _plain(pos: PlatoonPosition, mobility: int, start: int) -> dict[int, int]:
    """Half MP to every hex over the mere ground, whoever stands there and however far it is."""
    board = pos.board
    found = {start: 0}
    heap = [(0, start)]
    while heap:
        spent, place = heappop(heap)
        if spent > found[place]:
            continue
        for target, cost in zip(board.neighbours[place], board.costs[mobility][place], strict=True):
            if cost and target >= 0 and spent + cost < found.get(target, 1 << 30):
                found[target] = spent + cost
                heappush(heap, (spent + cost, target))
    return found


def _why(
    pos: PlatoonPosition, mine: int, ways: Ways, leads: dict[int, dict[int, int]], place: int
) -> Refusal:
    """The reason for one hex."""
    board = pos.board
    beside = [one for one in board.neighbours[place] if one in ways.costs]
    if beside:
        refusal = _step(pos, mine, ways.hexes(min(beside, key=ways.costs.__getitem__)), place)
        if refusal is not None and refusal.code != "too-few-mp":
            return refusal
    facts: dict[str, Any] = {"hex": board.labels[place]}
    for unit, lead in leads.items():
        cost, left = lead.get(place), budget(pos, unit)
        if cost is None:
            return Refusal("P4.2", "prohibited", {**facts, "unit": board.ids[unit]})
        if cost > left:
            far = {**facts, "unit": board.ids[unit], "cost": cost / 2, "left": max(0, left) / 2}
            return Refusal("P4.2", "too-far", far)
    side = board.side[lowest(mine)]
    if (pos.here[side * board.size + place] & 15) + len(leads) > STACKING_LIMIT:
        return Refusal("P3.4", "hex-full", {**facts, "limit": STACKING_LIMIT})
    if pos.here[(1 - side) * board.size + place]:
        return Refusal("P4.4", "enemy-held", facts)
    return Refusal("P4.4", "way-barred", facts)


def _step(pos: PlatoonPosition, mine: int, way: list[int], target: int) -> Refusal | None:
    """What the rules say to the last step into a hex, with the units standing next to it behind their way."""
    board = pos.board
    trial = pos.copy()
    for a, b in pairwise(way):
        for unit in units(mine & ~board.hqs):
            trial.spent[unit] += board.costs[board.mobility[unit]][a][board.direction[a][b]]
        trial.moved |= mine
    for unit in units(mine if len(way) > 1 else 0):
        place_at(trial, unit, way[-1])
    return check_step(trial, board.formation[lowest(mine)], mine, mine, target)
