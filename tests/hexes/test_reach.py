"""Reach and ways against networkx, on random maps, and how ties are settled."""

from __future__ import annotations

import random
from itertools import pairwise

import networkx
import pytest

from hexengine.hexes import Grid, HexMap, Orientation, cheapest_path, path_cost, reach
from hexengine.hexes.hexmap import Steps
from hexengine.hexes.reach import _spare
from tests.hexes.maps import CHART, CLASSES, random_map


def test_a_thousand_random_maps() -> None:
    """Costs equal networkx, every way is legal and costs what it should, blocked hexes stay out."""
    for seed in range(1000):
        chance = random.Random(seed)
        board = random_map(seed)
        name = chance.choice(CLASSES)
        steps, graph = board.steps(name), board.graph(name)
        size = board.grid.size
        start = chance.randrange(size)
        budget = chance.choice((0, 1, 5, 16, 16, 200, None))
        blocked = set(chance.sample(range(size), chance.randint(0, size // 4)))
        open_graph = graph.subgraph([h for h in graph if h == start or h not in blocked])
        expected: dict[int, float] = dict(
            networkx.single_source_dijkstra_path_length(open_graph, start, cutoff=budget)
        )
        found = reach(steps, start, budget, blocked)
        assert found.costs == expected, seed
        assert list(found.costs.values()) == sorted(expected.values())
        assert set(found) == set(expected) and len(found) == len(expected) and size not in found
        for goal in range(size):
            single = cheapest_path(steps, start, goal, budget, blocked=blocked)
            if goal not in expected:
                assert single is None
                continue
            path = found.path_to(goal)
            assert single == (expected[goal], path)
            assert (path[0], path[-1], len(path) - 1) == (start, goal, found.step_count(goal))
            assert path_cost(steps, path) == expected[goal]
            assert found.came_from(goal) == (path[-2] if goal != start else -1)


def test_extra_costs_against_networkx() -> None:
    """With a number on top for every hex entered, the sum is the least there is."""
    for seed in range(150):
        chance = random.Random(seed)
        board = random_map(seed, largest=5)
        steps, graph = board.steps("leg"), board.graph("leg").copy()
        extra = [chance.choice((0, 0, 1, 7)) for _ in range(board.grid.size)]
        for _, there, data in graph.edges(data=True):
            data["weight"] += extra[there]
        start = chance.randrange(board.grid.size)
        expected = networkx.single_source_dijkstra_path_length(graph, start)
        for goal in range(board.grid.size):
            found = cheapest_path(steps, start, goal, extra=extra)
            if goal not in expected:
                assert found is None
            else:
                assert found is not None and found[0] == expected[goal]
                price = path_cost(steps, found[1])
                assert price is not None and found[0] == price + sum(extra[h] for h in found[1][1:])


def test_extra_costs_within_a_budget() -> None:
    """The budget limits the steps alone; of the ways within it the least sum is found. Against every way."""

    def best(steps: Steps, here: int, goal: int, left: int, extra: list[int], seen: frozenset[int]) -> float:
        if here == goal:
            return 0
        ways = [
            price + extra[there] + best(steps, there, goal, left - price, extra, seen | {there})
            for there, price in steps[here]
            if price <= left and there not in seen
        ]
        return min(ways, default=float("inf"))

    bent = 0
    for seed in range(120):
        chance = random.Random(seed)
        board = random_map(seed, largest=4)
        steps = board.steps("leg")
        size = board.grid.size
        extra = [chance.choice((0, 3, 9)) for _ in range(size)]
        start, goal = chance.randrange(size), chance.randrange(size)
        for budget in (4, 8):
            found = cheapest_path(steps, start, goal, budget, extra)
            expected = best(steps, start, goal, budget, extra, frozenset([start]))
            if found is None:
                assert expected == float("inf")
            else:
                price = path_cost(steps, found[1])
                assert found[0] == expected and price is not None and price <= budget
                free = cheapest_path(steps, start, goal, None, extra)
                bent += free is not None and free[0] < found[0]
    assert bent  # in some cases the budget forbids the way that is best without it


def test_a_worse_way_that_gets_further() -> None:
    """The safe way to 3 spends too much to go on from there: within the budget the risk must be taken."""
    steps: Steps = [((1, 1), (2, 2)), ((3, 3),), ((3, 1),), ((4, 1),), ()]
    extra = [0, 0, 5, 0, 0]
    assert cheapest_path(steps, 0, 3, 4, extra) == (4, [0, 1, 3])
    assert cheapest_path(steps, 0, 4, 5, extra) == (5, [0, 1, 3, 4])
    assert cheapest_path(steps, 0, 4, 4, extra) == (9, [0, 2, 3, 4])
    assert cheapest_path(steps, 0, 4, 3, extra) is None


def test_no_extra_and_nothing_extra_are_alike() -> None:
    for seed in range(60):
        board = random_map(seed)
        steps, size = board.steps("tracked"), board.grid.size
        for goal in range(size):
            plain = cheapest_path(steps, 0, goal, 20)
            weighted = cheapest_path(steps, 0, goal, 20, [0] * size)
            assert (plain is None) == (weighted is None)
            if plain is not None and weighted is not None:
                assert plain[0] == weighted[0] and len(plain[1]) == len(weighted[1])


def test_a_long_detour_by_road() -> None:
    """The road goes round three sides of the map at half a point a step, and beats the straight way."""
    grid = Grid(9, 9)
    corner = [grid.hex_at(1, 1), *(grid.hex_at(1, row) for row in range(2, 10))]
    corner += [
        *(grid.hex_at(column, 9) for column in range(2, 10)),
        *(grid.hex_at(9, row) for row in range(8, 0, -1)),
    ]
    lines = {(min(a, b), max(a, b)): ("road",) for a, b in pairwise(corner)}
    board = HexMap(grid, CHART, [1] * grid.size, None, None, lines)
    steps = board.steps("wheeled")
    found = cheapest_path(steps, corner[0], corner[-1])
    assert found == (24, corner)
    assert found[0] == networkx.dijkstra_path_length(board.graph("wheeled"), corner[0], corner[-1])
    assert cheapest_path(steps, corner[0], corner[-1], 23) is None


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_there_and_back(orientation: Orientation) -> None:
    """Without slopes and roads both ways pay the same hexes but for the ends."""
    for seed in range(40):
        board = random_map(seed, hills=False, lines=False, orientation=orientation)
        steps = board.steps("tracked")
        for a in range(board.grid.size):
            out = reach(steps, a)
            for b in out:
                entry_a, entry_b = board.entry_cost(a, "tracked"), board.entry_cost(b, "tracked")
                back = cheapest_path(steps, b, a)
                if entry_a is not None and entry_b is not None and a != b:
                    assert back is not None and out.costs[b] - entry_b == back[0] - entry_a


def test_ties_by_steps_then_by_number() -> None:
    """Two ways for 4: the one with fewer steps counts; of equals, the one whose last hex is the lowest."""
    # 0 to 4 by way of 1 and 2 (1 + 1 + 2) or 3 (2 + 2); then 5 after 3 or 4 alike in cost and steps.
    steps: Steps = [((1, 1), (3, 2), (4, 9)), ((2, 1),), ((4, 2),), ((4, 2), (5, 3)), (), ()]
    found = reach(steps, 0, 10)
    assert found.path_to(4) == [0, 3, 4] and found.step_count(4) == 2
    assert cheapest_path(steps, 0, 4) == (4, [0, 3, 4])
    assert cheapest_path(steps, 0, 4, extra=[0] * 6) == (4, [0, 3, 4])
    fork: Steps = [((2, 1), (1, 1)), ((3, 1),), ((3, 1),), ()]
    turned: Steps = [((1, 1), (2, 1)), ((3, 1),), ((3, 1),), ()]
    for table in (fork, turned):
        assert reach(table, 0).path_to(3) == [0, 1, 3]
        assert cheapest_path(table, 0, 3) == (2, [0, 1, 3])
        assert cheapest_path(table, 0, 3, extra=[0] * 4) == (2, [0, 1, 3])


def test_ways_do_not_depend_on_the_order_of_the_table() -> None:
    """The same ways whatever the order in which a hex lists its neighbours, or a map its entries."""
    for seed in range(60):
        chance = random.Random(seed)
        board = random_map(seed)
        steps = board.steps("leg")
        mixed = [tuple(chance.sample(pairs, len(pairs))) for pairs in steps]
        one, other = reach(steps, 0, 30), reach(mixed, 0, 30)
        assert one.costs == other.costs
        assert [one.path_to(h) for h in sorted(one)] == [other.path_to(h) for h in sorted(other)]


@pytest.mark.parametrize("points", range(1, 6))
def test_open_ground(points: int) -> None:
    """On clear ground the reach of n MP is the disc of n hexes: 1 + 3 n (n + 1)."""
    grid = Grid(13, 13)
    board = HexMap(grid, CHART, [0] * grid.size)
    for budget in (2 * points, 2 * points + 1):
        found = reach(board.steps("tracked"), grid.index("0707"), budget)
        assert len(found) == 1 + 3 * points * (points + 1)
        assert set(found) == set(grid.disc(grid.index("0707"), points))


def test_huge_budgets_and_costs() -> None:
    """Neither a budget nor a cost of any size slows the search down or breaks it."""
    steps: Steps = [((1, 3),), ((2, 5000),), ()]
    assert reach(steps, 0, 10**15).costs == reach(steps, 0).costs == {0: 0, 1: 3, 2: 5003}
    assert reach(steps, 0, 10**15, [2]).costs == {0: 0, 1: 3}
    assert cheapest_path(steps, 0, 2, 10**15, blocked=[2]) is None
    assert reach(steps, 0, 5002).costs == {0: 0, 1: 3}
    assert cheapest_path(steps, 0, 2) == (5003, [0, 1, 2])


def test_start_and_blocked_hexes() -> None:
    """Standing in a blocked hex is no bar to leaving; a blocked goal is not reached, even next to it."""
    steps: Steps = [((1, 2),), ((0, 2), (2, 2)), ((1, 2),)]
    assert reach(steps, 0, 8, [0, 2]).costs == {0: 0, 1: 2}
    assert reach(steps, 0, None, [0, 1, -1]).costs == {0: 0}
    assert cheapest_path(steps, 0, 1, blocked=[1]) is None
    assert cheapest_path(steps, 0, 1, blocked=[1], extra=[0, 0, 0]) is None
    assert cheapest_path(steps, 0, 1, blocked=[0, -1]) == (2, [0, 1])
    assert cheapest_path(steps, 1, 1, 0, blocked=[1]) == (0, [1])
    assert cheapest_path(steps, 1, 1, 0, [5, 5, 5]) == (0, [1])
    assert cheapest_path(steps, 0, 2, 3, [0, 0, 0]) is None


def test_what_lies_off_the_map_blocks_no_hex() -> None:
    """-1 is what neighbours beyond the edge are called: it must not be taken for the last hex."""
    steps: Steps = [((1, 2),), ((0, 2), (2, 2)), ((1, 2),)]
    assert reach(steps, 0, None, [-1]).costs == {0: 0, 1: 2, 2: 4}
    assert reach(steps, 0, None).costs == {0: 0, 1: 2, 2: 4}, "and the search after it begins clean"
    assert cheapest_path(steps, 0, 2, blocked=[-1]) == (4, [0, 1, 2])


def test_what_is_not_reached_has_no_way() -> None:
    found = reach([((1, 2),), (), ()], 0, 8)
    for h in (2, 3, -1):
        for ask in (found.path_to, found.came_from, found.step_count):
            with pytest.raises(KeyError):
                ask(h)
    assert (found.start, found.budget) == (0, 8)


def test_path_cost_of_no_way() -> None:
    steps: Steps = [((1, 2),), (), ()]
    assert path_cost(steps, [0, 1]) == 2
    assert path_cost(steps, [0]) == path_cost(steps, []) == 0
    assert path_cost(steps, [1, 0]) is None


def test_bad_questions_are_refused() -> None:
    steps: Steps = [((1, 2),), ()]
    for start in (-1, 2):
        with pytest.raises(ValueError, match="no hex has the number"):
            reach(steps, start, 4)
        with pytest.raises(ValueError, match="no hex has the number"):
            cheapest_path(steps, start, 0)
        with pytest.raises(ValueError, match="no hex has the number"):
            cheapest_path(steps, 0, start)
        with pytest.raises(ValueError, match="no hex has the number"):
            cheapest_path(steps, start, 0, extra=[0, 0])
    for extra in (None, [0, 0]):
        with pytest.raises(ValueError, match="budget"):
            cheapest_path(steps, 0, 1, -1, extra)
    with pytest.raises(ValueError, match="budget"):
        reach(steps, 0, -1)
    for wrong in ([0], [0, -1]):
        with pytest.raises(ValueError, match="extra"):
            cheapest_path(steps, 0, 1, extra=wrong)


def test_searches_leave_their_lists_clean() -> None:
    """Lists that searches share are as new after every one of them, also after those that ended early."""
    board = random_map(3)
    steps, size = board.steps("leg"), board.grid.size
    for h in range(size):
        reach(steps, h, 5, blocked=range(0, size, 3))
        cheapest_path(steps, 0, h, blocked=[h - 1])
    assert _spare[size] and all(set(spare) == {-1} for spare in _spare[size])
