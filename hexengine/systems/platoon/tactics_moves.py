"""Where to go: the best hex within reach of a group, by which way, and whether that beats staying."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from hexengine.core.tactics import Reason
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.fire import fire_bar
from hexengine.systems.platoon.movement import budget, ways
from hexengine.systems.platoon.position import STACKING_LIMIT
from hexengine.systems.platoon.tactics_paths import Ahead
from hexengine.systems.platoon.tactics_view import SCALE, View

ALTERNATIVES = 3
"""Hexes that are examined anyway, in case that there is no room in the best."""

RISK_WORTH_A_THOUGHT = 4
"""A way is taken without looking for a safer one if it gains this many times what it risks."""

CLOSELY_LOOKED_AT = 6
"""Hexes whose ways are examined; further down the list little is gained."""

MOVED_SHARE = 65
"""Percent of a standing unit's best shot that one on the move has, on the average."""

LEAST_GAIN = 2 * SCALE
"""What a move must gain at least."""

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


class _Search(NamedTuple):
    """What the moves of one kind of unit from one hex depend on, room apart."""

    view: View
    ahead: Ahead
    hexes: list[int]
    prices: Mapping[int, int] | Sequence[int]
    limit: int
    """A hex must be cheaper than this to be better than staying."""
    risks: list[int] | None
    fires: bool


def best_move(view: View, mine: int, unit: int, hq: int, opening: bool) -> Plan | None:
    """The best move of a group; ``unit`` speaks for it, ``hq`` goes along (or -1).

    None if no hex with room is better than the one it stands in.  ``opening``: its group is not
    open yet.
    """
    pos = view.pos
    dismounted = pos.dismounted >> unit & 1
    watching = opening and not fire_bar(pos, unit)
    shy = pos.wrecks if pos.disrupted >> unit & 1 else 0
    key = (
        view.kin(unit, hq),
        pos.hex[unit],
        budget(pos, unit),
        pos.spent[unit],
        watching,
        dismounted,
        shy,
        view.ready,
    )
    if key in view.memo:
        best: Plan | None = view.memo[key]
    else:
        best = view.memo[key] = _first(view, unit, hq, watching)
    if best is None or _has_room(view, best, mine, hq):
        return best
    plans: list[Plan] | None = view.memo.get((key, "all"))
    if plans is None:
        plans = view.memo[key, "all"] = _all(view, unit, hq, watching)
    for plan in plans:
        if _has_room(view, plan, mine, hq):
            return plan
    return None


def _has_room(view: View, plan: Plan, mine: int, hq: int) -> bool:
    present = view.pos.here[view.side * view.board.size + plan.end]
    number = (mine & view.board.counted).bit_count()
    return (present & 15) + number <= STACKING_LIMIT and (hq < 0 or present < 16)


def _searches(view: View, unit: int, hq: int, watching: bool) -> list[_Search]:
    pos, board = view.pos, view.board
    start = pos.hex[unit]
    prices = view.prices(unit, hq)
    # A step for nothing is not worth being marked for.
    limit = prices[start] - LEAST_GAIN
    if watching:
        limit -= view.best_shot_from(unit, start) * WATCH_SHARE * SCALE // 100
    risks = view.risk(unit)
    if (pos.disrupted | pos.dismounted) >> unit & 1:
        near = _near(view, unit, start)
        return [_Search(view, near, near.hexes, prices, limit, risks, False)]
    ahead = view.tables.paths.ahead(board.mobility[unit], start)
    reached = ahead.hexes[1 : bisect_right(ahead.costs, budget(pos, unit))]
    found = [_Search(view, ahead, reached, prices, limit, risks, False)]
    if board.fire_on_move >> unit & 1:
        firing = _firing(view, unit, ahead, prices)
        if firing:
            found.append(_Search(view, ahead, list(firing), firing, limit, risks, True))
    return found


def _firing(view: View, unit: int, ahead: Ahead, prices: list[int]) -> dict[int, int]:
    """Prices of the hexes where a unit may fire on the move: it shoots there at once, if not so well."""
    pos, board, weights = view.pos, view.board, view.weights
    half = bisect_right(ahead.costs, board.half[unit] - pos.spent[unit])
    more = weights.damage * MOVED_SHARE // 100 - weights.outlook
    if half < 2 or more <= 0 or not view.foe.outlook(view.parts(unit)[1]):
        return {}
    shots = view.outlook(unit)
    return {place: prices[place] - shots[place] * more for place in ahead.hexes[1:half] if shots[place]}


def _first(view: View, unit: int, hq: int, watching: bool) -> Plan | None:
    """The best move, room apart."""
    best: Plan | None = None
    for search in _searches(view, unit, hq, watching):
        prices = search.prices
        if not search.hexes:
            continue
        place = min(search.hexes, key=prices.__getitem__)
        if prices[place] >= search.limit:
            continue
        plan = _plan(search, place)
        if plan is None or plan.risk * RISK_WORTH_A_THOUGHT > plan.gain:
            # Dearer hexes may be less of a risk to come to.
            plan = max(_examined(search, plan.gain if plan is not None else 0), key=_gain, default=plan)
        if plan is not None and (best is None or plan.gain > best.gain):
            best = plan
    return best


def _all(view: View, unit: int, hq: int, watching: bool) -> list[Plan]:
    """The best moves, the best first."""
    found: list[Plan] = []
    for search in _searches(view, unit, hq, watching):
        found += _examined(search, 0)
    found.sort(key=_gain, reverse=True)
    return found


def _gain(plan: Plan) -> int:
    return plan.gain


def _examined(search: _Search, least: int) -> list[Plan]:
    """The plans for the cheapest hexes that may gain more than ``least``; the best is among them."""
    prices, limit = search.prices, search.limit
    cutoff = limit - least
    better = [place for place in search.hexes if prices[place] < cutoff]
    better.sort(key=prices.__getitem__)
    found: list[Plan] = []
    for number, place in enumerate(better[:CLOSELY_LOOKED_AT]):
        if limit - prices[place] <= least and number >= ALTERNATIVES:
            break
        plan = _plan(search, place)
        if plan is not None:
            found.append(plan)
            least = max(least, plan.gain)
    return found


def _plan(search: _Search, place: int) -> Plan | None:
    """Going to a hex, or None if the enemy is in the way or the risk too high."""
    path = search.ahead.path(place)
    gain = search.limit - search.prices[place]
    risk = 0
    if search.risks is not None:
        risk = max(map(search.risks.__getitem__, path)) * search.view.weights.risk
    if gain <= risk or not search.view.foe.hexes.isdisjoint(path):
        return None
    return Plan(gain - risk, risk, place, path[0], search.fires)


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
