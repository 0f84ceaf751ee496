"""Facts of hex geometry collected from the tests and bug reports of many programs, by their collection ids.

``cases.json`` holds the numbers: rows of one kind under its name, each beginning with its id. Coordinates are
axial (``"axial"``) or offset pairs counted from 0 with the kind named. Ids that have no row there:

* HC-107, HC-108: sums and differences of coordinates; plain pairs need no function.
* HC-128, HC-129: doubled coordinates, a notation that is not used here.
* HC-216, HC-219 to HC-221: whether a mover stops for what it has just seen; no part of the geometry.
* HC-222 to HC-230: another game's cost of wading; costs here are data of a terrain effects chart.
* HC-233 to HC-241: another game's rule on what hides a target; here geometry says only what lies between.
"""

from __future__ import annotations

import json
from itertools import pairwise
from math import atan2, pi
from pathlib import Path
from typing import Any

import pytest

from hexengine.hexes import (
    Chart,
    Grid,
    HexMap,
    OffsetKind,
    Orientation,
    SightLines,
    TerrainRow,
    cheapest_path,
    coordinates,
    path_cost,
    reach,
)

CASES: dict[str, list[Any]] = json.loads(Path(__file__).with_name("cases.json").read_text(encoding="utf-8"))

ORIENTATION: dict[str, Orientation] = {
    "axial": "flat",
    "odd-q": "flat",
    "even-q": "flat",
    "odd-r": "pointy",
    "even-r": "pointy",
}

OFFSETS: dict[str, OffsetKind] = {"odd-q": "odd-q", "even-q": "even-q", "odd-r": "odd-r", "even-r": "even-r"}


def cases(kind: str) -> pytest.MarkDecorator:
    """Run a test with each row of a kind, named by its id."""
    return pytest.mark.parametrize("row", [pytest.param(row[1:], id=row[0]) for row in CASES[kind]])


def axial(kind: str, pair: list[int]) -> tuple[int, int]:
    """A pair of the collection as axial coordinates."""
    return (pair[0], pair[1]) if kind == "axial" else coordinates.offset_to_axial(OFFSETS[kind], *pair)


def axials(kind: str, pairs: list[list[int]]) -> list[tuple[int, int]]:
    return [axial(kind, pair) for pair in pairs]


def test_every_id_stands_in_one_row() -> None:
    """Nothing of the collection is lost or counted twice."""
    ids = [row[0] for kind, rows in CASES.items() if kind != "sheet" for row in rows]
    assert len(ids) == len(set(ids)) == 197


@cases("distance")
def test_distance(row: list[Any]) -> None:
    kind, a, b, steps = row
    assert coordinates.distance(axial(kind, a), axial(kind, b)) == steps
    assert coordinates.distance(axial(kind, b), axial(kind, a)) == steps


@pytest.mark.parametrize(
    "row", [pytest.param(row[1:], id=row[0]) for row in CASES["distance"] if row[1] != "axial"]
)
def test_distance_on_a_grid(row: list[Any]) -> None:
    """The same distances come out of a map's tables."""
    kind, a, b, steps = row
    grid = Grid(40, 40, ORIENTATION[kind], "even" if kind.startswith("odd") else "odd")
    # An even shift keeps the stagger and brings negative coordinates onto the map.
    first, second = (grid.hex_at(pair[0] + 11, pair[1] + 11) for pair in (a, b))
    assert grid.distance(first, second) == grid.distance(second, first) == steps


@cases("step")
def test_step(row: list[Any]) -> None:
    kind, start, direction, count, end = row
    assert coordinates.step(axial(kind, start), direction, count) == axial(kind, end)


@cases("neighbour")
def test_neighbour(row: list[Any]) -> None:
    of, direction, there = row
    assert coordinates.neighbours(tuple(of))[direction] == tuple(there)


@cases("neighbours")
def test_neighbours(row: list[Any]) -> None:
    kind, of, around = row
    found = coordinates.neighbours(axial(kind, of), ORIENTATION[kind])
    assert sorted(found) == sorted(axials(kind, around))


@cases("diagonals")
def test_diagonals(row: list[Any]) -> None:
    """The hexes straight out from the corners: two adjacent directions on, and a hex side lies between."""
    of, expected = row
    found = [
        coordinates.step(coordinates.step(tuple(of), direction), (direction + 1) % 6)
        for direction in range(6)
    ]
    assert {tuple(point) for point in expected} <= set(found)
    grid = Grid(9, 9)
    here = grid.hex_at(5, 5)
    for q, r in found:
        there = grid.at_axial(grid.axial(here)[0] + q - of[0], grid.axial(here)[1] + r - of[1])
        ((x, y),) = SightLines(grid).between(here, there)
        assert x != y and {x, y} == set(grid.neighbours[here]) & set(grid.neighbours[there])


@cases("ring")
def test_ring(row: list[Any]) -> None:
    kind, centre, radius, expected = row
    assert sorted(coordinates.ring(axial(kind, centre), radius)) == sorted(axials(kind, expected))


@cases("disc")
def test_disc(row: list[Any]) -> None:
    kind, centre, radius, expected = row
    assert sorted(coordinates.disc(axial(kind, centre), radius)) == sorted(axials(kind, expected))


@cases("disc-size")
def test_disc_size(row: list[Any]) -> None:
    radius, size = row
    assert len(set(coordinates.disc((3, -7), radius))) == size


@cases("ring-size")
def test_ring_size(row: list[Any]) -> None:
    radius, size = row
    assert len(set(coordinates.ring((3, -7), radius))) == size


@cases("wedge-size")
def test_wedge_size(row: list[Any]) -> None:
    """Hexes of a disc in the sixth of it between two hex rows."""
    radius, size = row
    assert sum(q >= 0 and r >= 0 for q, r in coordinates.disc((0, 0), radius)) == size


@cases("row")
def test_on_the_hex_row(row: list[Any]) -> None:
    """Whether a hex lies on the straight row of hexes that leaves another in a direction."""
    kind, start, direction, other, expected = row
    start, other = axial(kind, start), axial(kind, other)
    away = coordinates.distance(start, other)
    assert (away > 0 and coordinates.step(start, direction, away) == other) == expected


@cases("bearing")
def test_bearing(row: list[Any]) -> None:
    """Angles from north, clockwise, as drawn; of the direction only where the hexes are adjacent.

    HC-050 (due east) lies between two directions: to which it belongs is a rule of the program it is from.
    """
    _, start, end, radians, sextant = row
    grid = Grid(12, 12)
    a, b = grid.hex_at(start[0] + 1, start[1] + 1), grid.hex_at(end[0] + 1, end[1] + 1)
    (ax, ay), (bx, by) = grid.centre(a), grid.centre(b)
    assert atan2(bx - ax, ay - by) % (2 * pi) == pytest.approx(radians, abs=0.01)
    if grid.distance(a, b) == 1:
        assert grid.direction(a, b) == sextant


@cases("rotate")
def test_rotate(row: list[Any]) -> None:
    of, times, expected = row
    assert coordinates.rotate(tuple(of), (0, 0), times) == tuple(expected)


@cases("nearest")
def test_nearest(row: list[Any]) -> None:
    point, expected = row
    assert coordinates.nearest(*point) == tuple(expected)


@cases("line")
def test_line(row: list[Any]) -> None:
    kind, a, b, expected = row
    assert coordinates.line(axial(kind, a), axial(kind, b)) == axials(kind, expected)
    assert coordinates.line(axial(kind, b), axial(kind, a)) == axials(kind, expected)[::-1]


@cases("offset")
def test_offset_and_axial(row: list[Any]) -> None:
    kind, offset, point = row
    assert coordinates.offset_to_axial(kind, *offset) == tuple(point)
    assert coordinates.axial_to_offset(kind, *point) == tuple(offset)


@cases("label")
def test_label(row: list[Any]) -> None:
    label, point = row
    grid = Grid(9, 9)
    assert grid.axial(grid.index(label)) == tuple(point)
    assert grid.label(grid.at_axial(*point)) == label


@cases("pixel")
def test_pixel(row: list[Any]) -> None:
    """Points a few pixels either side of a hex side; radius 50 by 30, the first centre at (30, 30)."""
    (x, y), expected = row
    assert coordinates.pixel_to_axial(x, y, "flat", (50, 30), (30, 30)) == tuple(expected)


@cases("pixel-roundtrip")
@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_pixel_round_trip(row: list[Any], orientation: coordinates.Orientation) -> None:
    point, radius, origin = row
    x, y = coordinates.axial_to_pixel(tuple(point), orientation, tuple(radius), tuple(origin))
    assert coordinates.pixel_to_axial(x, y, orientation, tuple(radius), tuple(origin)) == tuple(point)


@cases("drawn")
def test_drawn_at(row: list[Any]) -> None:
    """The source leaves a margin of half a side on the left; here the sheet begins at its leftmost corner."""
    label, (x, y) = row
    grid = Grid(5, 5)
    drawn = grid.centre(grid.index(label))
    assert (100 * (drawn[0] + 0.5), 100 * drawn[1]) == pytest.approx((x, y), abs=0.01)


@cases("path")
def test_path(row: list[Any]) -> None:
    """Ways over a small sheet: ``x`` is prohibited, ``g`` costs 1, ``w`` 3; odd printed columns lie lower."""
    start, goal, enemy, expected = row
    sheet: list[str] = CASES["sheet"]
    grid = Grid(len(sheet[0]), len(sheet), "flat", "odd")
    rows = [TerrainRow("g", {"foot": 1}), TerrainRow("w", {"foot": 3}), TerrainRow("x", {"foot": None})]
    terrain = ["gwx".index(sheet[r][c]) for c in range(grid.columns) for r in range(grid.rows)]
    steps = HexMap(grid, Chart(rows, [], [], ["foot"]), terrain).steps("foot")
    a, b = grid.hex_at(start[0] + 1, start[1] + 1), grid.hex_at(goal[0] + 1, goal[1] + 1)
    blocked = [grid.hex_at(enemy[0] + 1, enemy[1] + 1)] if enemy else []
    found = cheapest_path(steps, a, b, blocked=blocked)
    if expected is None:
        assert found is None
        assert b not in reach(steps, a, blocked=blocked)
    else:
        assert found is not None
        cost, path = found
        assert [cost, len(path) - 1, grid.distance(a, b)] == expected


@cases("corridor")
def test_corridor(row: list[Any]) -> None:
    """Thirteen terrains in a row: each step pays the hex entered, and the way pays the sum."""
    (costs,) = row
    rows = [TerrainRow(f"terrain-{number}", {"mover": cost}) for number, cost in enumerate([1, *costs])]
    grid = Grid(1, len(rows))
    board = HexMap(grid, Chart(rows, [], [], ["mover"]), range(len(rows)))
    assert [board.step_cost(a, b, "mover") for a, b in pairwise(range(grid.size))] == costs
    assert cheapest_path(board.steps("mover"), 0, grid.size - 1) == (sum(costs), list(range(grid.size)))
    assert path_cost(board.steps("mover"), range(grid.size)) == sum(costs)


def test_corridor_sums() -> None:
    """The two movers pay 23 and 21 in all."""
    assert [sum(row[1]) for row in CASES["corridor"]] == [23, 21]


@cases("column")
def test_down_a_column(row: list[Any]) -> None:
    """Along a column the hexes between are those of the column, one by one."""
    (columns, rows), start, end = row
    grid = Grid(columns, rows)
    a, b = grid.hex_at(start[0] + 1, start[1] + 1), grid.hex_at(end[0] + 1, end[1] + 1)
    assert SightLines(grid).between(a, b) == tuple((h, h) for h in range(a + 1, b))


@cases("rhombus")
def test_connected_across_a_rhombus(row: list[Any]) -> None:
    """Stones in one column of a rhombus of hexes join its two edges."""
    across, down, stones = row
    grid = Grid(across, down + across)
    cells = [grid.at_axial(q, r + across // 2) for r in range(down) for q in range(across)]
    chart = Chart([TerrainRow("open", {"any": 1})], [], [], ["any"])
    held = {cells[stone] for stone in stones}
    steps = HexMap(grid, chart, [0] * grid.size).steps("any")
    reached = reach(steps, cells[stones[0]], blocked=set(range(grid.size)) - held)
    assert -1 not in cells and cells[stones[-1]] in reached
