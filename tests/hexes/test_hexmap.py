"""What a step costs: terrain, side features, slopes and lines, and how they replace each other."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import pytest

from hexengine.hexes import Chart, Grid, HexMap, LineRow, SideRow, TerrainRow
from hexengine.hexes.hexmap import total
from tests.hexes.maps import CHART, CLASSES, TERRAIN, costs, random_map


def pair(
    terrain: str = "clear",
    levels: tuple[int, int] = (0, 0),
    sides: tuple[str, ...] = (),
    lines: tuple[str, ...] = (),
) -> HexMap:
    """Two hexes: from the clear hex 0 to hex 1."""
    return HexMap(
        Grid(2, 1), CHART, [TERRAIN["clear"], TERRAIN[terrain]], levels, {(0, 1): sides}, {(0, 1): lines}
    )


def prices(board: HexMap, a: int = 0, b: int = 1) -> list[int | None]:
    return [board.step_cost(a, b, name) for name in CLASSES]


@pytest.mark.rule("P4.2")
@pytest.mark.parametrize(
    ("terrain", "expected"),
    [
        ("clear", [2, 2, 2]),
        ("woods", [2, 6, 8]),
        ("town", [2, 4, 4]),
        ("forest", [4, None, None]),
        ("lake", [None] * 3),
    ],
)
def test_entering_a_hex_costs_its_terrain(terrain: str, expected: list[int | None]) -> None:
    board = pair(terrain)
    assert prices(board) == expected
    assert [board.entry_cost(1, name) for name in CLASSES] == expected
    assert prices(board, 1, 0) == [2, 2, 2]


@pytest.mark.rule("P14.1")
@pytest.mark.parametrize(
    ("terrain", "sides", "lines", "expected"),
    [
        ("woods", ("stream",), (), [2, 8, 12]),
        ("woods", ("stream", "wall"), (), [2, 10, 14]),
        ("woods", ("stream", "wall"), ("road",), [2, 1, 1]),
        ("forest", (), ("road",), [2, 1, 1]),
        ("forest", (), ("trail",), [2, 2, 2]),
        ("lake", ("river",), ("road",), [2, 1, 1]),
    ],
)
def test_a_road_replaces_hex_and_side(
    terrain: str, sides: tuple[str, ...], lines: tuple[str, ...], expected: list[int | None]
) -> None:
    """Off the road the hex and every feature of the side add up; along it only the road is paid."""
    assert prices(pair(terrain, sides=sides, lines=lines)) == expected


@pytest.mark.rule("P14.2")
@pytest.mark.parametrize(
    ("sides", "lines", "expected"),
    [
        (("river",), (), [None] * 3),
        (("river",), ("road",), [2, 1, 1]),
        (("river",), ("trail",), [None] * 3),
        (("river", "bridge"), (), [2, 2, 2]),
        (("river", "bridge"), ("trail",), [2, 2, 2]),
        (("river", "ford"), (), [4, 4, 6]),
        (("stream",), ("trail",), [2, 4, 2 + 4]),
        (("stream", "bridge"), ("railway",), [2, 2, 2]),
    ],
)
def test_crossing_water(sides: tuple[str, ...], lines: tuple[str, ...], expected: list[int | None]) -> None:
    """A road across water is a bridge; without one a trail pays the water; a ford replaces the river.

    A blown bridge is a side without its road: the first row.
    """
    assert prices(pair(sides=sides, lines=lines)) == expected


@pytest.mark.rule("P14.4")
@pytest.mark.parametrize(
    ("sides", "lines", "up", "down"),
    [
        ((), (), [2, 4, 4], [2, 2, 2]),
        (("slope",), (), [2, 4, 4], [2, 2, 2]),
        (("ridge",), (), [4, 6, None], [4, 6, None]),
        ((), ("trail",), [2, 2, 2], [2, 2, 2]),
        ((), ("railway",), [2, 3, 4], [2, 2, 2]),
        (("ridge",), ("trail",), [4, 6, None], [4, 6, None]),
        (("ridge",), ("road",), [2, 1, 1], [2, 1, 1]),
    ],
)
def test_slopes_and_ridges(
    sides: tuple[str, ...], lines: tuple[str, ...], up: list[int | None], down: list[int | None]
) -> None:
    """Up costs, down is free; a ridge replaces the slope both ways; what the trail crosses it crosses."""
    for levels in ((0, 1), (0, 3), (-3, -1)):
        board = pair(levels=levels, sides=sides, lines=lines)
        assert prices(board) == up
        assert prices(board, 1, 0) == down


def test_a_drawn_slope_on_the_level_is_free() -> None:
    assert prices(pair(sides=("slope",))) == [2, 2, 2]


@pytest.mark.rule("P14.1")
def test_the_cheapest_way_is_taken() -> None:
    """A line is followed only where it helps; a class without figures has no use of it."""
    assert prices(pair("town", lines=("railway",))) == [2, 3, 4]
    assert prices(pair("clear", lines=("railway",))) == [2, 2, 2]
    assert prices(pair("woods", lines=("railway", "road"))) == [2, 1, 1]
    assert prices(pair("woods", lines=("trail", "railway"))) == [2, 2, 2]


def test_parts_tell_what_was_paid() -> None:
    """The rows of the way taken, so that a cost or a refusal can be explained."""
    board = pair("woods", levels=(0, 1), sides=("stream",))
    assert board.step_parts(0, 1, "tracked") == (("woods", 6), ("stream", 2), ("slope", 2))
    assert board.step_parts(1, 0, "tracked") == (("clear", 2), ("stream", 2))
    assert pair("woods", lines=("road",)).step_parts(0, 1, "wheeled") == (("road", 1),)
    stopped = pair("forest", sides=("river",)).step_parts(0, 1, "tracked")
    assert stopped == (("forest", None), ("river", None))
    trail = pair("woods", sides=("wall",), lines=("trail",))
    assert trail.step_parts(0, 1, "tracked") == (("trail", 2), ("wall", 2))
    assert pair(lines=("trail",)).step_parts(0, 1, "leg") == (("trail", 2),)


def cost_as_told(board: HexMap, a: int, b: int, name: str) -> int | None:
    """The rule once more, written down another way: every way with its sum, then the least."""
    side = (min(a, b), max(a, b))
    present = set(board.sides.get(side, ()))
    if board.levels[a] != board.levels[b]:
        present.add("slope")
    if "ridge" in present:
        present.discard("slope")
    if present & {"ford", "bridge"}:
        present -= {"river", "stream"}
    if board.levels[a] >= board.levels[b]:
        present.discard("slope")
    ways = [
        [CHART.terrains[board.terrain[b]].costs[name], *(CHART.side_rows[n].costs[name] for n in present)]
    ]
    for line in board.lines.get(side, ()):
        if name in CHART.line_rows[line].costs:
            kept = set() if line == "road" else present - {"slope"}
            ways.append([CHART.line_rows[line].costs[name], *(CHART.side_rows[n].costs[name] for n in kept)])
    sums = [sum(way) for way in ways if None not in way]  # type: ignore[arg-type]
    return min(sums, default=None)


@pytest.mark.rule("P14.1")
def test_random_maps_against_the_rule() -> None:
    """Every step of 200 random maps, in both directions and for every class; tables and graphs agree."""
    for seed in range(200):
        board = random_map(seed, largest=5)
        for name in CLASSES:
            expected = [
                tuple(
                    (there, cost)
                    for there in around
                    if there >= 0 and (cost := cost_as_told(board, h, there, name)) is not None
                )
                for h, around in enumerate(board.grid.neighbours)
            ]
            assert board.steps(name) == expected
            graph = board.graph(name)
            assert [tuple((b, graph[a][b]["weight"]) for b in graph[a]) for a in graph] == expected


def test_parts_add_up_to_the_cost() -> None:
    board = random_map(4)
    for a, around in enumerate(board.grid.neighbours):
        for b in around:
            if b >= 0:
                for name in CLASSES:
                    assert total(board.step_parts(a, b, name)) == board.step_cost(a, b, name)


def test_graph_carries_the_map() -> None:
    """Nodes have label, terrain and level; edges have cost, features and lines."""
    board = HexMap(
        Grid(2, 1),
        CHART,
        [TERRAIN["clear"], TERRAIN["woods"]],
        [0, 1],
        {(0, 1): ("stream",)},
        {(0, 1): ("trail",)},
    )
    graph = board.graph("tracked")
    assert {h: graph.nodes[h] for h in graph} == {
        0: {"label": "0101", "terrain": "clear", "level": 0},
        1: {"label": "0201", "terrain": "woods", "level": 1},
    }
    assert graph.edges[0, 1] == {"weight": 4, "sides": ("stream", "slope"), "lines": ("trail",)}
    assert graph.edges[1, 0]["weight"] == 4
    assert graph is board.graph("tracked")
    assert board.steps("tracked") is board.steps("tracked")
    assert list(HexMap(Grid(1, 1), CHART, [0]).graph("leg")) == [0]


def test_order_of_entries_does_not_matter() -> None:
    """Maps read from the same entries in another order are equal, and so are their copies."""
    board = random_map(11)
    again = HexMap(
        board.grid,
        CHART,
        list(board.terrain),
        list(board.levels),
        {side: frozenset(names) for side, names in reversed(board.sides.items())},
        dict(reversed(board.lines.items())),
    )
    assert again == board and hash(again) == hash(board)
    assert [again.steps(name) for name in CLASSES] == [board.steps(name) for name in CLASSES]
    board.graph("leg")
    copy = pickle.loads(pickle.dumps(board))
    assert copy == board and copy.steps("leg") == board.steps("leg")
    assert board != random_map(12) and board != 3 and CHART != 3
    assert HexMap(Grid(1, 1), CHART, [0]) != HexMap(Grid(1, 1), CHART, [1])


def test_deep_levels() -> None:
    """Levels may lie below 0, and a bridge belongs to a side: the hex has one surface, the terrain's."""
    grid = Grid(26, 12)
    levels = [-3 if h % 12 == 5 else 0 for h in range(grid.size)]
    board = HexMap(grid, CHART, [0] * grid.size, levels)
    assert min(board.levels) == -3
    assert board.step_cost(4, 5, "tracked") == 2 and board.step_cost(5, 6, "tracked") == 4


CLEAR = TerrainRow("clear", costs(2, 2, 2))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"terrains": [CLEAR, CLEAR]}, "same id"),
        ({"terrains": [TerrainRow("clear", {"leg": 2})]}, "clear: no figure for tracked"),
        (
            {"terrains": [TerrainRow("clear", costs(0, 2, 2))]},
            "clear: leg = 0 half MP is not within 1 to 1000",
        ),
        ({"sides": [SideRow("wall", costs(0, -1, 0))]}, "wall: tracked = -1 half MP is not within 0 to 1000"),
        (
            {"sides": [SideRow("wall", costs(0, 0, 0), overrides=("moat",))]},
            "wall: there is no side row moat",
        ),
        (
            {"sides": [SideRow("wall", costs(0, 0, 0), overrides=("wall",))]},
            "wall and wall replace each other",
        ),
        ({"terrains": [TerrainRow("clear", costs(2, 10**9, 2))]}, "clear: tracked = 1000000000 half MP"),
        ({"lines": [LineRow("road", {"leg": 1001})]}, "road: leg = 1001"),
        ({"lines": [LineRow("road", {"hover": 1})]}, "road: hover"),
        ({"lines": [LineRow("road", {"leg": 0})]}, "road: leg = 0"),
        ({"lines": [LineRow("road", {"leg": 1}, crosses=("moat",))]}, "road: there is no side row moat"),
        ({"slope": "slope"}, "there is no side row slope"),
    ],
)
def test_bad_charts_are_refused(change: dict[str, Any], message: str) -> None:
    rows: dict[str, Any] = {"terrains": [CLEAR], "sides": [], "lines": [], "classes": CLASSES} | change
    with pytest.raises(ValueError, match=message):
        Chart(**rows)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"terrain": [0]}, "2 hexes need"),
        ({"terrain": [0, 5]}, "0201: there is no terrain row 5"),
        ({"terrain": [0, -1]}, "0201: there is no terrain row -1"),
        ({"levels": [0, 0, 0]}, "2 hexes need"),
        ({"sides": {(1, 0): ("wall",)}}, "no side"),
        ({"sides": {(0, 0): ("wall",)}}, "no side"),
        ({"sides": {(0, 2): ("wall",)}}, "no side"),
        ({"sides": {(-1, 0): ("wall",)}}, "no side"),
        ({"sides": {(0, 1): ("moat",)}}, "there is no row moat"),
        ({"lines": {(0, 1): ("wall",)}}, "there is no row wall"),
    ],
)
def test_entries_that_do_not_fit_are_refused(change: dict[str, Any], message: str) -> None:
    entries: dict[str, Any] = {"grid": Grid(2, 1), "chart": CHART, "terrain": [0, 0]} | change
    with pytest.raises(ValueError, match=message):
        HexMap(**entries)


def test_steps_that_are_none_are_refused() -> None:
    board = HexMap(Grid(3, 3), CHART, [0] * 9)
    with pytest.raises(ValueError, match="not next to"):
        board.step_cost(0, 8, "leg")
    with pytest.raises(ValueError, match="not next to"):
        board.step_cost(0, 0, "leg")
    for ask in (board.steps, board.graph, lambda name: board.step_cost(0, 1, name)):
        with pytest.raises(ValueError, match="no movement class 'hover'"):
            ask("hover")


def test_networkx_is_loaded_only_for_a_graph() -> None:
    """Importing, compiling and searching do without it; asking for a graph loads it."""
    script = (
        "import sys\n"
        "from hexengine.hexes import *\n"
        "chart = Chart([TerrainRow('clear', {'leg': 2})], [], [], ['leg'])\n"
        "board = HexMap(Grid(4, 4), chart, [0] * 16)\n"
        "reach(board.steps('leg'), 0, 8)\n"
        "SightLines(board.grid).between(0, 15)\n"
        "assert not {'networkx', 'numpy', 'rich', 'click'} & set(sys.modules), 'too early'\n"
        "board.graph('leg')\n"
        "assert 'networkx' in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
