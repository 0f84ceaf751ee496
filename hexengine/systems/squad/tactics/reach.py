"""Where units may go and by which way: the very steps that the rules accept (S4 to S7)."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple

from hexengine.mechanics.masks import lowest, units
from hexengine.systems.squad.moving.movement import Group
from hexengine.systems.squad.moving.steps import Stride, cap_of, room, step_bar
from hexengine.systems.squad.moving.vehicles import heading_ways
from hexengine.systems.squad.orders import ASSAULT, CRAWL, NORMAL
from hexengine.systems.squad.position import SquadPosition


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

    def ends(self, pos: SquadPosition, side: int) -> dict[int, int]:
        """Half MP by hex: where the units of a side may stay, which is not where enemies are."""
        size, enemies = pos.board.size, pos.taken(1 - side)
        return {to: cost for to, cost in self.costs.items() if to < size and not enemies >> to & 1}


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
    start = pos.place[lowest(mask)]
    stride = stride_of(pos, mask, mode)
    began, budget = stride.began, stride.left
    costs, before = {start: 0}, {start: start}
    heap = [(0, 0, start)]
    enemies = pos.taken(1 - stride.side)
    closed = closed_to(pos, stride)
    least = stride.limit
    crawls = stride.mode & CRAWL
    while heap:
        spent, taken, place = heappop(heap)
        if spent > costs[place] or (place != start and enemies >> place & 1):
            continue
        left = budget - spent
        stride.origin, stride.left = place, left
        stride.began = going = began or place != start
        if going and crawls:
            continue
        around = pos.board.places.steps[place]
        if mask & pos.board.vehicles:
            around = driving(pos, mask, before[place], place)
        for to, cost in around:
            if closed >> to & 1 or cost >= least or (going and cost > left):
                continue
            paid = spent + (cost if going else min(cost, left))
            if paid >= costs.get(to, 1 << 30):
                continue
            if (stride.shaken or not going) and step_bar(pos, stride, to, cost):
                continue
            costs[to], before[to] = paid, place
            heappush(heap, (paid, taken + 1, to))
    return Ways(start, costs, before)


def closed_to(pos: SquadPosition, stride: Stride) -> int:
    """The mask of places that units may not enter from anywhere: full ones, and those of enemies that bar."""
    closed = 0
    for place in units(pos.taken(stride.side)):
        if not room(pos, stride.side, stride.members, place):
            closed |= 1 << place
    board = pos.board
    barred = stride.mode & ASSAULT and not board.options.am_may_enter_melee
    if stride.shaken or barred or stride.members & board.vehicles:
        return closed | pos.taken(1 - stride.side)
    return closed


def driving(pos: SquadPosition, mask: int, origin: int, place: int) -> tuple[tuple[int, int], ...]:
    """A vehicle's steps from a place to which it came from another, and so faces; or from where it stands."""
    facing = pos.facing[lowest(mask)]
    if origin != place:
        facing = pos.board.grid.direction(origin, place)
    return heading_ways(pos, place, facing)


def together(pos: SquadPosition, mask: int) -> bool:
    """Whether units are on the map and stand in one place."""
    if not mask or mask & ~pos.placed or mask & ~pos.board.units:
        return False
    place = pos.place[lowest(mask)]
    return all(pos.place[unit] == place for unit in units(mask))
