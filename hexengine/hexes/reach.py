"""How far a mover gets and by which way: exact integer costs over compiled step tables.

A step table (``Steps``) holds for each hex the (neighbour, cost) pairs of the steps that are allowed; costs
are whole numbers of at least 1.

Of equally cheap ways to a hex the one with the fewest steps counts; of those, looking back from the hex, the
one whose last hex before it has the lowest number, and so on back to the start. So the answer depends only on
the map, never on the order of the entries it was read from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import pairwise

from hexengine.hexes.hexmap import Steps

# More than any way can cost: the budget of a search that has none.
UNLIMITED = 1 << 40

# Buckets a search begins with (one a unit of cost); more are added as they are needed.
FIRST_BUCKETS = 64

# Flat lists of earlier searches, all entries -1, by their length: a search takes one and gives it back clean,
# so that its cost grows with the hexes it reaches and not with the map.
_spare: dict[int, list[list[int]]] = {}


class Reach:
    """What a search found: the hexes reached from ``start`` and what each costs.

    ``costs`` maps every hex reached, the start (0) included, to its cost, in order of cost. ``budget`` is the
    limit that was set, or None. The ways are worked out when the first one is asked for.
    """

    __slots__ = ("_steps", "_trail", "budget", "costs", "start")

    def __init__(self, steps: Steps, start: int, budget: int | None, costs: dict[int, int]) -> None:
        self.start = start
        self.budget = budget
        self.costs = costs
        self._steps = steps
        self._trail: dict[int, int] = {}

    def __contains__(self, h: object) -> bool:
        return h in self.costs

    def __iter__(self) -> Iterator[int]:
        return iter(self.costs)

    def __len__(self) -> int:
        return len(self.costs)

    def came_from(self, h: int) -> int:
        """The hex before ``h`` on the way to it, -1 for the start. Raises KeyError when it is not reached."""
        return -1 if h == self.start else (self._trail or self._find_ways())[h] % len(self._steps)

    def step_count(self, h: int) -> int:
        """Steps on the way to ``h``, 0 for the start. Raises KeyError when it is not reached."""
        return (self._trail or self._find_ways())[h] // len(self._steps)

    def path_to(self, h: int) -> list[int]:
        """The hexes of the way to ``h``, from the start to ``h``. Raises KeyError when it is not reached."""
        path = [h]
        while h != self.start:
            h = self.came_from(h)
            path.append(h)
        path.reverse()
        return path

    def _find_ways(self) -> dict[int, int]:
        """For each hex the steps made and the hex before, packed as steps * size + hex.

        So the lower number is the better of two equally cheap ways; going by cost, the number of the hex
        before is final when it is used.
        """
        steps, costs = self._steps, self.costs
        size = len(steps)
        trail = {self.start: self.start}
        for here, cost in costs.items():
            mark = (trail[here] // size + 1) * size + here
            for there, price in steps[here]:
                if costs.get(there) == cost + price and mark < trail.get(there, UNLIMITED):
                    trail[there] = mark
        self._trail = trail
        return trail


def reach(steps: Steps, start: int, budget: int | None = None, blocked: Iterable[int] = ()) -> Reach:
    """Every hex that can be reached from ``start`` for at most ``budget``.

    ``budget`` is in the unit of the table's costs (None: no limit). ``blocked`` hexes are not entered; the
    start may be one of them. Raises ValueError for a start off the map and for a budget below 0.
    """
    return Reach(steps, start, budget, _search(steps, start, budget, blocked, -1))


def _search(
    steps: Steps, start: int, budget: int | None, blocked: Iterable[int], goal: int
) -> dict[int, int]:
    """Costs in order of cost, one bucket of hexes for each; ends when the cost of ``goal`` is final.

    ``left`` holds what of the budget remains in a hex, -1 where it was not reached: so one comparison tells a
    better way from a worse one and from one beyond the budget.
    """
    size = len(steps)
    if not 0 <= start < size:
        raise ValueError(f"no hex has the number {start}")
    limit = UNLIMITED if budget is None else min(budget, UNLIMITED)
    if limit < 0:
        raise ValueError(f"a budget is 0 or more, not {budget}")
    spare = _spare.setdefault(size, [])
    left = spare.pop() if spare else [-1] * size
    closed = [h for h in blocked if h >= 0]
    for h in closed:
        left[h] = UNLIMITED + 1
    left[start] = limit
    costs: dict[int, int] = {}
    buckets: list[list[int]] = [[] for _ in range(min(limit, FIRST_BUCKETS) + 1)]
    buckets[0].append(start)
    for cost, bucket in enumerate(buckets):
        rest = limit - cost
        if goal >= 0 and left[goal] == rest:
            costs[goal] = cost
            break
        if not rest:  # nothing left to go on with
            costs.update([(here, cost) for here in bucket if not left[here]])
            break
        for here in bucket:
            if left[here] == rest:
                costs[here] = cost
                for there, price in steps[here]:
                    remaining = rest - price
                    if remaining > left[there]:
                        left[there] = remaining
                        try:
                            buckets[cost + price].append(there)
                        except IndexError:
                            buckets.extend([[] for _ in range(price)])
                            buckets[cost + price].append(there)
    for bucket in buckets:
        for h in bucket:
            left[h] = -1
    for h in closed:
        left[h] = -1
    spare.append(left)
    return costs


def cheapest_path(
    steps: Steps,
    start: int,
    goal: int,
    budget: int | None = None,
    extra: Sequence[int] | None = None,
    blocked: Iterable[int] = (),
) -> tuple[int, list[int]] | None:
    """The cheapest way from ``start`` to ``goal``: its cost and its hexes, both ends included.

    ``extra`` has one number of 0 or more for each hex, paid on top by whoever enters it (a risk, say, in the
    same unit); the cost returned includes it. ``budget`` limits what the steps alone cost: the way found is
    the cheapest, extra included, of those within it. ``blocked`` hexes are not entered; the start may be one
    of them. None when there is no way; ``(0, [start])`` from a hex to itself.

    Raises ValueError for ends off the map, a budget below 0, and ``extra`` of the wrong length or below 0.
    """
    if not 0 <= goal < len(steps):
        raise ValueError(f"no hex has the number {goal}")
    if extra is not None and start != goal:
        return _weighted_path(steps, start, goal, budget, extra, blocked)
    costs = _search(steps, start, budget, blocked if start != goal else (), goal)
    if goal not in costs:
        return None
    return costs[goal], Reach(steps, start, budget, costs).path_to(goal)


def _weighted_path(
    steps: Steps,
    start: int,
    goal: int,
    budget: int | None,
    extra: Sequence[int],
    blocked: Iterable[int],
) -> tuple[int, list[int]] | None:
    """Search by cost with extra, then steps made, then hex numbers.

    A way that comes to a hex later may still be the one that gets on within the budget: it is followed if it
    has spent less than every way there before.
    """
    if not 0 <= start < len(steps):
        raise ValueError(f"no hex has the number {start}")
    if len(extra) != len(steps) or min(extra) < 0:
        raise ValueError("extra needs one number of 0 or more for each hex")
    if budget is not None and budget < 0:
        raise ValueError(f"a budget is 0 or more, not {budget}")
    limit = UNLIMITED if budget is None else min(budget, UNLIMITED)
    closed = set(blocked)
    least: dict[int, int] = {}
    ways: list[tuple[int, int]] = []  # the hex, and the number of the way that ended in the hex before
    queue = [(0, 0, start, -1, 0, -1)]  # cost, steps made, hex, hex before, spent, number of the way before
    while queue:
        cost, count, here, _, spent, before = heappop(queue)
        if here in least and (budget is None or spent >= least[here]):
            continue
        least[here] = spent
        ways.append((here, before))
        if here == goal:
            return cost, _hexes(ways)
        number = len(ways) - 1
        for there, price in steps[here]:
            if spent + price <= limit and there not in closed:
                if there in least and (budget is None or spent + price >= least[there]):
                    continue
                heappush(queue, (cost + price + extra[there], count + 1, there, here, spent + price, number))
    return None


def _hexes(ways: list[tuple[int, int]]) -> list[int]:
    """The hexes of the last way, from its start."""
    path: list[int] = []
    number = len(ways) - 1
    while number >= 0:
        here, number = ways[number]
        path.append(here)
    path.reverse()
    return path


def path_cost(steps: Steps, path: Sequence[int]) -> int | None:
    """What the steps of a way cost together, None when one of them is not allowed."""
    cost = 0
    for here, there in pairwise(path):
        price = dict(steps[here]).get(there)
        if price is None:
            return None
        cost += price
    return cost
