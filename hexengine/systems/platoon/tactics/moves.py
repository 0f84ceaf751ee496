"""Where to go: the best hex within reach of a group, by which way, and whether that beats staying."""

from __future__ import annotations

from bisect import bisect_right, insort
from dataclasses import dataclass
from itertools import accumulate
from operator import itemgetter, mul
from typing import NamedTuple

from hexengine.core.tactics import Reason
from hexengine.mechanics.masks import reader, units
from hexengine.systems.platoon.board import AIR_CLASS
from hexengine.systems.platoon.firing.fire import fire_bar
from hexengine.systems.platoon.moving import helicopters
from hexengine.systems.platoon.moving.movement import budget, ways
from hexengine.systems.platoon.position import STACKING_LIMIT
from hexengine.systems.platoon.tactics.air import reach_in_the_air
from hexengine.systems.platoon.tactics.paths import Ahead
from hexengine.systems.platoon.tactics.view import SCALE, View
from hexengine.systems.platoon.tactics.worth import HIT

RISK_WORTH_A_THOUGHT = 4
"""A way is taken without looking for a safer one if it gains this many times what it risks."""

GOES_ON = 65
"""Percent of units that are shot at and go on all the same."""

_CHANCES = [*accumulate(range(12), lambda chance, _: chance * GOES_ON // 100, initial=100)]
"""Percent of units that are still under way when they are shot at the first time, the second and so on."""

CLOSELY_LOOKED_AT = 6
"""Hexes whose ways are examined; further down the list little is gained."""

LEAST_GAIN = 2 * SCALE
"""What a move must gain at least."""

MUST_GO = 1 << 30
"""More than any hex can cost: what leaving a hex over the limit is worth."""

SHY_STEPS = 2
"""Steps that Disrupted units look ahead."""

WATCH_SHARE = 20
"""Percent of its best shot that a unit gives up when it moves, since it cannot shoot in the enemy's turn."""


class Plan(NamedTuple):
    """Where to go, and by which way; ``gain`` in SCALEths, ``risk`` what of it the way costs."""

    gain: int
    risk: int
    way: list[int]
    """From the first hex that is entered to the last."""

    @property
    def step(self) -> int:
        """The first hex of the way."""
        return self.way[0]

    @property
    def end(self) -> int:
        """The last hex of the way."""
        return self.way[-1]

    def reasons(self, view: View, unit: int) -> tuple[Reason, ...]:
        """Where to, what it gains there, and what it risks on the way."""
        labels = view.board.labels
        mission = view.missions.get(unit)
        position = self.gain + self.risk
        must_go = MUST_GO if position > MUST_GO // 2 else 0
        found = [Reason("position", (position - must_go) / SCALE, (("hex", labels[self.end]),))]
        if must_go:
            found.append(Reason("over-the-limit", must_go / SCALE, (("hex", labels[view.pos.hex[unit]]),)))
        if self.risk:
            found.append(Reason("risk", -self.risk / SCALE))
        if mission is not None:
            found.append(Reason(mission.kind, 0, (("hex", labels[mission.hex]), ("value", mission.value))))
        return tuple(found)


@dataclass(slots=True)
class _Search:
    """What the moves of one kind of unit from one hex depend on, room apart."""

    view: View
    ahead: Ahead
    hexes: list[int]
    """Those of the hexes ahead that can be reached, the start left out."""
    prices: list[int]
    """What each of them costs."""
    limit: int
    """A hex must be cheaper than this to be better than staying."""
    risks: list[int] | None
    """For each hex the hits (in HITths) that opportunity fire may score there."""
    a_hit: int
    """What one hit weighs, in SCALEths."""
    flies: bool
    """Whether it goes over whoever stands in its way."""


def best_move(view: View, mine: int, unit: int, hq: int, opening: bool) -> Plan | None:
    """The best move of a group; ``unit`` speaks for it, ``hq`` goes along (or -1).

    None if no hex with room is better than the one it stands in; a hex over the limit must be
    left for whatever there is.  ``opening``: its group is not open yet.  Nobody on the move turns
    back to the hex he has just left.
    """
    pos = view.pos
    start = pos.hex[unit]
    crowded = not opening and pos.here[view.side * view.board.size + start] & 15 > STACKING_LIMIT
    watching = opening and not fire_bar(pos, unit)
    key = (
        view.kin(unit, hq),
        start,
        budget(pos, unit),
        pos.spent[unit],
        watching,
        crowded,
        pos.dismounted >> unit & 1,
        pos.wrecks if pos.disrupted >> unit & 1 else 0,
        view.ready,
    )
    known: tuple[Plan | None, list[Plan] | None] | None = view.memo.get(key)
    if known is None:
        known = view.memo[key] = _first(_search(view, unit, hq, watching, crowded))
    best, plans = known
    left = -1 if opening else pos.left[unit]
    if best is None or (best.step != left and _has_room(view, best, mine, hq)):
        return best
    if plans is None:
        plans = _examined(_search(view, unit, hq, watching, crowded))
        view.memo[key] = (best, plans)
    for plan in plans:
        if plan.step != left and _has_room(view, plan, mine, hq):
            return plan
    return None


def most_to_gain(view: View, unit: int, hq: int) -> int:
    """What a unit that opens a group can gain at most by moving, in SCALEths: no risk, no full hexes."""
    ahead = view.tables.paths.ahead(view.board.mobility[unit], view.pos.hex[unit])
    prices = view.prices(unit, hq)
    number = bisect_right(ahead.costs, budget(view.pos, unit))
    return prices[view.pos.hex[unit]] - min(ahead.read(prices)[:number])


def _has_room(view: View, plan: Plan, mine: int, hq: int) -> bool:
    present = view.pos.here[view.side * view.board.size + plan.end]
    number = (mine & view.board.counted).bit_count()
    return (present & 15) + number <= STACKING_LIMIT and (hq < 0 or present < 16)


def _search(view: View, unit: int, hq: int, watching: bool, crowded: bool) -> _Search:
    pos, board = view.pos, view.board
    start = pos.hex[unit]
    prices = view.prices(unit, hq)
    # A step for nothing is not worth being marked for.
    limit = prices[start] + (MUST_GO if crowded else -LEAST_GAIN)
    if watching:
        limit -= view.best_shot_from(unit, start) * WATCH_SHARE * SCALE // 100
    risks = view.risk(unit)
    a_hit = view.parts(unit)[0].a_hit * view.weights.risk
    flies = board.mobility[unit] == AIR_CLASS
    if (pos.disrupted | pos.dismounted) >> unit & 1:
        ahead = _near(view, unit, start)
        number = len(ahead.hexes)
    else:
        ahead = view.tables.paths.ahead(board.mobility[unit], start)
        number = bisect_right(ahead.costs, reach_in_the_air(view, unit) if flies else budget(pos, unit))
    some = list(ahead.read(prices)[1:number])
    return _Search(view, ahead, ahead.hexes[1:number], some, limit, risks, a_hit, flies)


def _first(search: _Search) -> tuple[Plan | None, list[Plan] | None]:
    """The best move, room apart; and all good ones, if they had to be looked at anyway."""
    if not search.hexes:
        return None, []
    least = min(search.prices)
    gain = search.limit - least
    if gain <= 0:
        return None, []
    place = search.hexes[search.prices.index(least)]
    risk = _way_risk(search, place)
    plan = _plan(search, place, gain - risk, risk)
    if plan is not None and RISK_WORTH_A_THOUGHT * risk <= gain:
        return plan, None
    place, gain, risk = _best(search)
    if gain <= 0:
        return None, []
    plan = _plan(search, place, gain, risk)
    if plan is not None:
        return plan, None
    # The enemy stands in the way there: the next best is wanted.
    plans = _examined(search)
    return (plans[0], None) if plans else (None, [])


def _best(search: _Search) -> tuple[int, int, int]:
    """The first hex of :func:`_ranked`, its gain, and what of it the way costs; no gain if there is none.

    Hexes are looked at from the cheapest on, until one could not gain more if its way cost nothing.
    """
    hexes, prices, limit = search.hexes, search.prices, search.limit
    found = (-1, 0, 0)
    for number in sorted(range(len(prices)), key=prices.__getitem__):
        most = limit - prices[number]
        if most <= found[1]:
            break
        place = hexes[number]
        risk = _way_risk(search, place)
        gain = most - risk
        if gain > found[1] or (gain == found[1] > 0 and risk > found[2]):
            found = (place, gain, risk)
    return found


def _examined(search: _Search) -> list[Plan]:
    """The plans for the hexes that gain most, the best first."""
    plans = [_plan(search, place, *gains) for place, gains in _ranked(search)]
    return [plan for plan in plans if plan is not None]


def _ranked(search: _Search) -> list[tuple[int, tuple[int, int]]]:
    """The hexes that gain most, the best first, each with its gain and what of it the way costs.

    What the way costs is only worked out for hexes that might be among them if it cost nothing.
    """
    hexes, prices, limit = search.hexes, search.prices, search.limit
    gains: dict[int, tuple[int, int]] = {}
    best: list[int] = []
    floor = 1
    for number in sorted(range(len(prices)), key=prices.__getitem__):
        most = limit - prices[number]
        if most < floor:
            break
        place = hexes[number]
        risk = _way_risk(search, place)
        if most > risk:
            gains[place] = (most - risk, risk)
            insort(best, most - risk)
            if len(best) >= CLOSELY_LOOKED_AT:
                del best[: len(best) - CLOSELY_LOOKED_AT]
                floor = best[0]
    return sorted(gains.items(), key=itemgetter(1), reverse=True)[:CLOSELY_LOOKED_AT]


def _way_risk(search: _Search, place: int) -> int:
    """What opportunity fire on the way to a hex is expected to cost, in SCALEths.

    A hex in view costs one shot, unless one was stopped before.
    """
    risks = search.risks
    if risks is None:
        return 0
    path = search.ahead.paths.get(place) or search.ahead.path(place)
    shots = filter(None, map(risks.__getitem__, path))
    risk: int = sum(map(mul, shots, _CHANCES))
    return risk * search.a_hit // (100 * HIT)


def _plan(search: _Search, place: int, gain: int, risk: int) -> Plan | None:
    """Going to a hex, or None if the enemy is in the way."""
    path = search.ahead.path(place)
    if not search.flies and not search.view.foe.hexes.isdisjoint(path):
        return None
    return Plan(gain, risk, path)


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
        flies = mobility == AIR_CLASS
        for direction in units((helicopters.ways if flies else ways)(trial, unit, place)):
            there = board.neighbours[place][direction]
            if there not in paths and (flies or there not in view.foe.hexes):
                paths[there] = [*paths[place], there]
                paid[there] = paid[place] + board.costs[mobility][place][direction]
                todo.append(there)
    return Ahead(todo, [], reader(todo), None, paths)
