"""Where units may go and by which way: the very steps that the rules accept (S4 to S7)."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple

from hexengine.mechanics.masks import lowest, units
from hexengine.systems.squad.moving import Group
from hexengine.systems.squad.orders import CRAWL, NORMAL
from hexengine.systems.squad.position import SquadPosition
from hexengine.systems.squad.steps import Stride, cap_of, step_bar


class Ways(NamedTuple):
    """What a search found: half MP by place, the place before each, and where the units stand."""

    start: int
    costs: dict[int, int]
    before: dict[int, int]

    def places(self, goal: int) -> list[int]:
        """The way to a place of ``costs``, from the start on."""
        found = [goal]
        while found[-1] != self.start:
            found.append(self.before[found[-1]])
        found.reverse()
        return found


def stride_of(pos: SquadPosition, mask: int, mode: int) -> Stride:
    """The units as they move now, or as they would."""
    frame = pos.frames[-1] if pos.frames else None
    if isinstance(frame, Group) and not mask & ~frame.members:
        return Stride(pos, frame.side, mask, frame.mode, frame.cap, True)
    return Stride(pos, pos.board.side[lowest(mask)], mask, mode, cap_of(pos, mask, mode), False)


def search(pos: SquadPosition, mask: int, mode: int = NORMAL) -> Ways:
    """All ways of units that stand together and move so; each place by its cheapest, then shortest one.

    Melees are reached, and nothing beyond them.
    """
    board = pos.board
    start = pos.place[lowest(mask)]
    stride = stride_of(pos, mask, mode)
    began, budget = stride.began, stride.left
    costs, before = {start: 0}, {start: start}
    heap = [(0, 0, start)]
    enemies = pos.taken(1 - stride.side)
    while heap:
        spent, taken, place = heappop(heap)
        if spent > costs[place] or (place != start and enemies >> place & 1):
            continue
        if taken and mode_of(stride) & CRAWL:
            continue
        stride.origin, stride.left = place, budget - spent
        stride.began = began or place != start
        for to, cost in board.places.steps[place]:
            paid = spent + min(cost, stride.left) if not stride.began else spent + cost
            if paid >= costs.get(to, 1 << 30) or step_bar(pos, stride, to, cost):
                continue
            costs[to], before[to] = paid, place
            heappush(heap, (paid, taken + 1, to))
    return Ways(start, costs, before)


def mode_of(stride: Stride) -> int:
    """How a stride goes."""
    return stride.mode


def together(pos: SquadPosition, mask: int) -> bool:
    """Whether units are on the map and stand in one place."""
    if not mask or mask & ~pos.placed or mask & ~pos.board.units:
        return False
    place = pos.place[lowest(mask)]
    return all(pos.place[unit] == place for unit in units(mask))
