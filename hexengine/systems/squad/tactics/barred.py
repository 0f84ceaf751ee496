"""Why hexes are out of reach, in each way of moving (S4, S6, S7)."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

from hexengine.core.errors import Refusal
from hexengine.core.tactics import ReachLook
from hexengine.mechanics.masks import lowest, mask_of, units
from hexengine.systems.squad.impulse import Impulse
from hexengine.systems.squad.moving.movement import Group
from hexengine.systems.squad.moving.steps import check_step, mode_bar, step_bar
from hexengine.systems.squad.moving.vehicles import ways as step_ways
from hexengine.systems.squad.orders import MODE_WORDS, MODES, NORMAL
from hexengine.systems.squad.position import SquadPosition
from hexengine.systems.squad.tactics.reach import Ways, search, stride_of, together

PLAIN = "move"
NAMES = {"-".join([word for word, bit in MODE_WORDS.items() if mode & bit]) or PLAIN: mode for mode in MODES}
"""The ways of moving by their names: ``assault-double`` is both."""
SHORT = frozenset({"too-few-mp", "too-few-mp-assault", "no-mf", "crawled-already"})
"""What bars a step for want of movement alone."""
PLENTY = 1 << 20


def explain(pos: SquadPosition, chosen: Sequence[int], name: str) -> ReachLook:
    """Where units that stand together may go in a way of moving, and why not elsewhere."""
    mask = mask_of(chosen)
    mode = mode_now(pos, mask) if name == PLAIN else NAMES[name]
    refusal = refuse_all(pos, mask, mode)
    if refusal is not None:
        return ReachLook({}, {}, refusal)
    board = pos.board
    ways, beyond = search(pos, mask, mode), _boundless(pos, mask, mode)
    costs = ways.ends(pos, board.side[lowest(mask)])
    out = [place for place in range(board.size) if place not in costs]
    return ReachLook(costs, {place: _why(pos, mask, mode, ways, beyond, place) for place in out})


def on_the_move(pos: SquadPosition, mask: int) -> bool:
    """Whether units belong to the group that moves just now."""
    frame = pos.frames[-1] if pos.frames else None
    return isinstance(frame, Group) and not mask & ~frame.members


def mode_now(pos: SquadPosition, mask: int) -> int:
    """How units move if nothing is said of it: plainly, or on as they began."""
    frame = pos.frames[-1] if pos.frames else None
    return frame.mode if isinstance(frame, Group) and not mask & ~frame.members else NORMAL


def refuse_all(pos: SquadPosition, mask: int, mode: int) -> Refusal | None:
    """Why units cannot move so at all.

    In an impulse of their own, and on the move, it is asked whether they may move on; at other times what
    they have done before does not count, nor ever that others are active.
    """
    board = pos.board
    names = [board.ids[unit] for unit in units(mask)]
    away = mask & ~(pos.placed & board.units)
    if away:
        return Refusal("S2.1", "off-map", {"unit": board.ids[lowest(away)]})
    if not together(pos, mask):
        return Refusal("S2.4", "different-places", {"units": names})
    frame = pos.frames[-1] if pos.frames else None
    going = on_the_move(pos, mask)
    if going and mode_now(pos, mask) != mode:
        return Refusal("S6.3", "declared-already", {"units": names})
    if going or (isinstance(frame, Impulse) and frame.side == board.side[lowest(mask)]):
        assert frame is not None, "it is the group's or the impulse"
        stay = board.orders.move(mask, pos.place[lowest(mask)], NORMAL if going else mode)
        refusal = frame.check(pos, stay)
        # What is left is that nobody steps to where he is, or that others are active.
        if refusal is not None and refusal.code not in ("not-adjacent", "not-active"):
            return refusal
    return mode_bar(pos, mask, mode)


def _boundless(pos: SquadPosition, mask: int, mode: int) -> dict[int, int]:
    """Half MP by place if the units could go on for ever; melees are reached, and nothing beyond them."""
    start = pos.place[lowest(mask)]
    stride = stride_of(pos, mask, mode)
    enemies = pos.taken(1 - stride.side)
    costs = {start: 0}
    heap = [(0, start)]
    while heap:
        spent, place = heappop(heap)
        if spent > costs[place] or (place != start and enemies >> place & 1):
            continue
        stride.origin, stride.left = place, PLENTY
        for to, cost in step_ways(pos, mask, place):
            bar = step_bar(pos, stride, to, cost)
            if spent + cost < costs.get(to, PLENTY) and (not bar or bar in SHORT):
                costs[to] = spent + cost
                heappush(heap, (spent + cost, to))
    return costs


def _why(pos: SquadPosition, mask: int, mode: int, ways: Ways, beyond: dict[int, int], place: int) -> Refusal:
    """The reason for one place: what bars the last step into it, or that it is too far, or in the way."""
    board = pos.board
    stride = stride_of(pos, mask, mode)
    budget, began = stride.left, stride.began
    facts = {"units": [board.ids[unit] for unit in units(mask)], "hex": board.labels[place]}
    if pos.taken(1 - stride.side) >> place & 1:
        return Refusal("S12.1", "melee-there", facts)

    def step(origin: int, to: int, spent: int) -> Refusal | None:
        stride.origin, stride.left, stride.began = origin, budget - spent, began or origin != ways.start
        return check_step(pos, stride, board.orders.move(mask, to))

    beside = [one for one in ways.costs if any(to == place for to, _ in step_ways(pos, mask, one))]
    if beside:
        refusal = step(min(beside, key=ways.costs.__getitem__), place, min(ways.costs[one] for one in beside))
        if refusal is not None and refusal.code != "too-few-mp":
            return refusal
    if place in beyond:
        far = {**facts, "cost": beyond[place] / 2, "left": max(0, budget) / 2}
        return Refusal("S4.2", "too-far", far)
    at = ways.start
    for to in board.grid.line(board.places.hex_of[ways.start], place)[1:]:
        if to not in beyond:
            refusal = step(at, to, beyond.get(at, 0))
            if refusal is not None:
                return refusal
        at = to
    return Refusal("S4.10", "prohibited", {**facts, "from": board.labels[at]})
