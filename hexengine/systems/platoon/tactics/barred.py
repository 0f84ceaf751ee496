"""Why hexes are out of reach (P4, P13.1): what bars the last step to them, or how many MP they would need."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any, NamedTuple

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
OF_THE_HEX = frozenset({"prohibited", "too-few-mp", "swim-late", "enemy-held", "hex-full", "second-hq"})
"""Codes of what bars a step for the hex it leads to, and not for those who take it."""


def explain(pos: PlatoonPosition, chosen: Sequence[int]) -> ReachLook:
    """Where units that stand together may go together, and why not elsewhere."""
    mine = mask_of(chosen)
    refusal = _at_all(pos, mine)
    if refusal is not None:
        return ReachLook({}, {}, refusal)
    board = pos.board
    ways = search(pos, chosen)
    costs = ways.costs
    start = pos.hex[lowest(mine)]
    if not costs:
        return ReachLook({}, {}, _no_group(pos, mine, start))
    leads = {unit: _plain(pos, board.mobility[unit], start) for unit in units(mine & ~board.hqs)}
    stuck = _stuck(pos, mine, start) if len(costs) == 1 else None
    barred = {
        place: _why(pos, mine, ways, leads, stuck, place) for place in range(board.size) if place not in costs
    }
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


def _no_group(pos: PlatoonPosition, mine: int, start: int) -> Refusal:
    """Why units that may act, and stand together, are no group that may go on now."""
    board, frame = pos.board, pos.frames[-1]
    if isinstance(frame, Group):
        for target in board.neighbours[start]:
            refusal = frame.check(pos, board.orders.move(mine, target)) if target >= 0 else None
            if refusal is not None:
                return refusal
    return Refusal("P4.3", "not-in-group", {"unit": board.ids[lowest(mine)]})


def _stuck(pos: PlatoonPosition, mine: int, start: int) -> Refusal | None:
    """What bars every first step of units that have none, wherever it leads; None where each hex has its own
    reason, or all ask for too many MP.
    """
    found: dict[str, Refusal] = {}
    for target in pos.board.neighbours[start]:
        if target < 0:
            continue
        refusal = _step(pos, mine, [start], target)
        if refusal is None:
            return None
        if refusal.code not in OF_THE_HEX:
            found[refusal.code] = refusal
    return next(iter(found.values())) if len(found) == 1 else None


class _Plain(NamedTuple):
    """The mere ground around: half MP by hex, and the hex before each on the cheapest way."""

    costs: dict[int, int]
    before: dict[int, int]

    def hexes(self, place: int) -> list[int]:
        """The way to a hex, from the start on."""
        found = [place]
        while found[-1] in self.before:
            found.append(self.before[found[-1]])
        return found[::-1]


def _plain(pos: PlatoonPosition, mobility: int, start: int) -> _Plain:
    """Ways to every hex over the mere ground, whoever stands there and however far it is."""
    board = pos.board
    found = {start: 0}
    before: dict[int, int] = {}
    heap = [(0, start)]
    while heap:
        spent, place = heappop(heap)
        if spent > found[place]:
            continue
        for target, cost in zip(board.neighbours[place], board.costs[mobility][place], strict=True):
            if cost and target >= 0 and spent + cost < found.get(target, 1 << 30):
                found[target] = spent + cost
                before[target] = place
                heappush(heap, (spent + cost, target))
    return _Plain(found, before)


def _why(
    pos: PlatoonPosition,
    mine: int,
    ways: Ways,
    leads: dict[int, _Plain],
    stuck: Refusal | None,
    place: int,
) -> Refusal:
    """The reason for one hex."""
    board = pos.board
    beside = [one for one in board.neighbours[place] if one in ways.costs]
    if beside:
        refusal = _step(pos, mine, ways.hexes(min(beside, key=ways.costs.__getitem__)), place)
        if refusal is not None and refusal.code != "too-few-mp":
            return refusal
    if stuck is not None:
        return stuck
    facts: dict[str, Any] = {"hex": board.labels[place]}
    for unit, lead in leads.items():
        cost, left = lead.costs.get(place), budget(pos, unit)
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
    return _on_the_way(pos, mine, ways, leads, place) or Refusal("P4.4", "way-barred", facts)


def _on_the_way(
    pos: PlatoonPosition, mine: int, ways: Ways, leads: dict[int, _Plain], place: int
) -> Refusal | None:
    """What bars the first step on a cheapest way that is not legal, if it is not who stands in the hex."""
    for lead in leads.values():
        for at, to in pairwise(lead.hexes(place)):
            if to not in ways.costs:
                refusal = _step(pos, mine, ways.hexes(at), to) if at in ways.costs else None
                if refusal is not None and refusal.code not in OF_THE_HEX:
                    return refusal
                break
    return None


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
