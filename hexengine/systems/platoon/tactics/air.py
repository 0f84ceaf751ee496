"""Helicopters as the officer uses them: up for a shot that pays, else down; and AA kept for them."""

from __future__ import annotations

from bisect import bisect_right

from hexengine.core.orders import Order
from hexengine.core.tactics import Reason
from hexengine.systems.platoon.board import AIR, AIR_CLASS, HELICOPTER_FIRE_LIMIT
from hexengine.systems.platoon.orders.flight import Land, Rise
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.tactics.view import Tables, View
from hexengine.systems.platoon.tactics.worth import HIT

KEPT_SHARE = 60
"""Percent of its best shot at a helicopter that AA expects of not firing at anything else."""

LEAST_TO_RISE = 5
"""Hundredths of a point that rising must promise."""


def reach_in_the_air(view: View, unit: int) -> int:
    """Half MP that a helicopter spends at most: no more than it may fire after, as long as it can (P6.5)."""
    pos, board = view.pos, view.board
    left = board.allowance[unit] - pos.spent[unit]
    return (
        min(left, HELICOPTER_FIRE_LIMIT - pos.spent[unit])
        if pos.spent[unit] < HELICOPTER_FIRE_LIMIT
        else left
    )


def landing(view: View, unit: int, place: int) -> tuple[Order, float, Reason] | None:
    """Landing: it spares what the enemy may do to a helicopter in the air, and gives its shots away."""
    spared = _threat(view, unit, place, False) - _threat(view, unit, place, True)
    score = spared - view.best_shot_from(unit, place) * view.weights.outlook / 100
    order = view.board.orders.once(Land, 1 << unit)
    if score <= 0 or not _legal_to_land(view.pos, unit, place):
        return None
    return order, score, Reason("under-cover", score, (("hex", view.board.labels[place]),))


def _legal_to_land(pos: PlatoonPosition, unit: int, place: int) -> bool:
    taken = pos.taken_0 if pos.board.side[unit] else pos.taken_1
    return not (pos.moved >> unit | taken >> place) & 1


def rising(view: View, unit: int, place: int) -> tuple[Order, float, Reason] | None:
    """Rising: for the best shot within its reach, less what the enemy's fire there may cost."""
    key = ("rising", view.kin(unit, -1), unit, place, view.pos.spent[unit])
    if key not in view.memo:
        rows, foe, weights = view.tables.rows, view.foe, view.weights
        target, shooter = view.parts(unit)
        ahead = view.tables.paths.ahead(AIR_CLASS, place)
        number = bisect_right(ahead.costs, reach_in_the_air(view, unit))
        shots = rows.numbers(foe.outlook(shooter))
        hits = rows.numbers(foe.hits(target.defence))
        by = target.a_hit * weights.exposure
        best = max(
            shots[hex_] * weights.damage - hits[hex_] * by // (2 * HIT) for hex_ in ahead.hexes[:number]
        )
        view.memo[key] = best / 100 + _threat(view, unit, place, True)
    score: float = view.memo[key]
    if score < LEAST_TO_RISE:
        return None
    reason = Reason("rise", score, (("hex", view.board.labels[place]),))
    return view.board.orders.once(Rise, 1 << unit), score, reason


def _threat(view: View, unit: int, place: int, low: bool) -> float:
    """What the enemy's fire may cost a helicopter in a hex, in the air or on the ground."""
    target = view.parts(unit)[0]
    hits = view.tables.rows.at(view.foe.hits(target.defence._replace(low=low)), place)
    return hits * target.a_hit * view.weights.exposure / (200 * HIT)


def kept_for_helicopters(tables: Tables, pos: PlatoonPosition, unit: int, target: int) -> int:
    """What a unit with AA gives up by a shot at something else while the enemy has helicopters up or near."""
    board = tables.board
    if not board.air or board.kind[target] == AIR or not board.air_defenders >> unit & 1:
        return 0
    worth = tables.worth
    shooter = worth.shooter(pos, unit)
    best = 0
    for enemy in range(board.count):
        if (board.air & pos.placed & board.side_units[1 - board.side[unit]]) >> enemy & 1:
            best = max(best, tables.at_best(shooter, worth.prime[enemy]))
    return best * KEPT_SHARE // 100
