"""Where to go: the best hex within reach of a group, by which way, and whether that beats staying."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from hexengine.core.tactics import Reason
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.fire import fire_bar
from hexengine.systems.platoon.movement import budget, ways
from hexengine.systems.platoon.position import STACKING_LIMIT
from hexengine.systems.platoon.tactics_paths import Ahead
from hexengine.systems.platoon.tactics_view import SCALE, View

CLOSELY_LOOKED_AT = 8
"""Hexes whose ways are examined; further down the list little is gained."""

ALTERNATIVES = 4
"""Hexes that are examined anyway, in case that there is no room in the best."""

SHY_STEPS = 2
"""Steps that Disrupted units look ahead."""

WATCH_SHARE = 20
"""Percent of its best shot that a unit gives up when it moves, since it cannot shoot in the enemy's turn."""


class Plan(NamedTuple):
    """Where to go, and the first step; ``gain`` in SCALEths, ``risk`` what of it the way costs."""

    gain: int
    risk: int
    end: int
    step: int
    fires: bool
    """Whether the unit means to fire once it is there."""

    def reasons(self, view: View, unit: int) -> tuple[Reason, ...]:
        """Where to, what it gains there, and what it risks on the way."""
        labels = view.board.labels
        mission = view.missions.get(unit)
        found = [Reason("position", (self.gain + self.risk) / SCALE, (("hex", labels[self.end]),))]
        if self.risk:
            found.append(Reason("risk", -self.risk / SCALE))
        if mission is not None:
            found.append(Reason(mission.kind, 0, (("hex", labels[mission.hex]), ("value", mission.value))))
        if self.fires:
            found.append(Reason("fire-on-move", 0))
        return tuple(found)


def best_move(view: View, mine: int, unit: int, hq: int, opening: bool) -> Plan | None:
    """The best move of a group; ``unit`` speaks for it, ``hq`` goes along (or -1).

    None if no hex with room is better than the one it stands in.  ``opening``: its group is not
    open yet.
    """
    pos = view.pos
    here = pos.here
    base = view.side * view.board.size
    room = STACKING_LIMIT - (mine & view.board.counted).bit_count()
    for plan in _plans(view, unit, hq, opening):
        present = here[base + plan.end]
        if present & 15 <= room and (hq < 0 or present < 16):
            return plan
    return None


def _plans(view: View, unit: int, hq: int, opening: bool) -> list[Plan]:
    """The moves that beat staying, the best first, room apart."""
    pos = view.pos
    watching = opening and not fire_bar(pos, unit)
    key = (
        "plans",
        view.price_key(unit, hq),
        pos.hex[unit],
        budget(pos, unit),
        watching,
        pos.dismounted >> unit & 1,
    )
    found: list[Plan] | None = view.memo.get(key)
    if found is None:
        found = view.memo[key] = _work_out(view, unit, hq, watching)
    return found


def _work_out(view: View, unit: int, hq: int, watching: bool) -> list[Plan]:
    pos, board = view.pos, view.board
    start = pos.hex[unit]
    prices = view.prices(unit, hq)
    # A step for nothing is not worth being marked for.
    limit = prices[start] - SCALE
    if watching:
        limit -= view.outlook(unit)[start] * WATCH_SHARE * SCALE // 100
    found: list[Plan] = []
    if (pos.disrupted | pos.dismounted) >> unit & 1:
        near = _near(view, unit, start)
        _examine(view, unit, near, near.hexes, prices, limit, found)
    else:
        ahead = view.tables.paths.ahead(board.mobility[unit], start)
        reached = ahead.hexes[1 : bisect_right(ahead.costs, budget(pos, unit))]
        _examine(view, unit, ahead, reached, prices, limit, found)
        if board.fire_on_move >> unit & 1:
            firing = ahead.hexes[1 : bisect_right(ahead.costs, board.half[unit] - pos.spent[unit])]
            _examine(view, unit, ahead, firing, view.prices(unit, hq, True), limit, found, True)
    found.sort(key=_worst_last)
    return found


def _worst_last(plan: Plan) -> int:
    return -plan.gain


def _examine(
    view: View,
    unit: int,
    ahead: Ahead,
    hexes: list[int],
    prices: list[int],
    limit: int,
    found: list[Plan],
    fires: bool = False,
) -> None:
    """Append the plans that beat ``limit``, of the cheapest hexes that can be come to."""
    foe = view.foe
    numbers = foe.risk(view.tables.worth.target(view.pos, unit)) if foe.ready else None
    weight = view.weights.risk * 2
    better = [place for place in hexes if prices[place] < limit]
    better.sort(key=prices.__getitem__)
    best = 0
    for number, place in enumerate(better[:CLOSELY_LOOKED_AT]):
        gain = limit - prices[place]
        if gain <= best and number >= ALTERNATIVES:
            return
        path = ahead.path(place)
        risk = max([numbers[step] for step in path]) * weight if numbers is not None else 0
        if gain > risk and foe.hexes.isdisjoint(path):
            found.append(Plan(gain - risk, risk, place, path[0], fires))
            best = max(best, gain - risk)


def _near(view: View, unit: int, start: int) -> Ahead:
    """Where a unit may go that is Disrupted (looking two steps ahead) or has just got off (one)."""
    board = view.board
    trial = view.pos.copy()
    spent = trial.spent[unit]
    mobility = board.mobility[unit]
    paths: dict[int, list[int]] = {start: []}
    paid = {start: spent}
    todo = [start]
    for place in todo:
        if len(paths[place]) == (1 if trial.dismounted >> unit & 1 else SHY_STEPS):
            break
        trial.spent[unit] = paid[place]
        for direction in units(ways(trial, unit, place)):
            there = board.neighbours[place][direction]
            if there not in paths and there not in view.foe.hexes:
                paths[there] = [*paths[place], there]
                paid[there] = paid[place] + board.costs[mobility][place][direction]
                todo.append(there)
    return Ahead(todo[1:], [], None, paths)
