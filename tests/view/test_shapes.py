"""The hexagons of pixels tile the plane, and their sides and lines agree with the grid's neighbours."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hexengine.hexes.grid import Grid
from hexengine.view.shapes import Pixel, hexagon, segment

pixels = st.tuples(st.integers(-40, 40), st.integers(-40, 40))
ALL = [(flat, small) for flat in (True, False) for small in (True, False)]


@pytest.mark.parametrize(("flat", "small"), ALL)
@pytest.mark.parametrize("stagger", ["even", "odd"])
def test_hexagons_tile_the_map_without_gap_or_overlap(flat: bool, small: bool, stagger: str) -> None:
    grid = Grid(6, 6, "flat" if flat else "pointy", stagger)  # type: ignore[arg-type]
    shape = hexagon(flat, small)
    owner: dict[tuple[int, int], int] = {}
    for h in range(grid.size):
        x, y = shape.corner(grid, h)
        for dy, first, after in shape.spans:
            for dx in range(first, after):
                assert (x + dx, y + dy) not in owner
                owner[x + dx, y + dy] = h
    width, height = shape.extent(grid)
    assert max(x for x, _ in owner) < width and max(y for _, y in owner) < height
    holes = [
        (x, y)
        for x in range(shape.box[0] + shape.shift, width - shape.box[0] - shape.shift)
        for y in range(shape.box[1] + shape.shift, height - shape.box[1] - shape.shift)
        if (x, y) not in owner
    ]
    assert not holes


@pytest.mark.parametrize(("flat", "small"), ALL)
@pytest.mark.parametrize("stagger", ["even", "odd"])
def test_ways_to_the_neighbours_are_those_of_the_grid(flat: bool, small: bool, stagger: str) -> None:
    grid = Grid(5, 5, "flat" if flat else "pointy", stagger)  # type: ignore[arg-type]
    shape = hexagon(flat, small)
    for h in range(grid.size):
        x, y = shape.corner(grid, h)
        for direction, other in enumerate(grid.neighbours[h]):
            if other >= 0:
                ox, oy = shape.corner(grid, other)
                assert list(shape.sides)[direction] == (ox - x, oy - y)


@pytest.mark.parametrize(("flat", "small"), ALL)
def test_a_side_is_the_same_pixels_from_both_hexes(flat: bool, small: bool) -> None:
    shape = hexagon(flat, small)
    for (dx, dy), side in shape.sides.items():
        back = shape.sides[-dx, -dy]
        assert {(x + dx, y + dy) for x, y in back.near} == set(side.near)
        assert {(x + dx, y + dy) for x, y in back.far} == set(side.far)
        assert side.middle in side.near
        line = shape.lines[dx, dy]
        assert {(x + dx, y + dy) for x, y in shape.lines[-dx, -dy]} == set(line)
        assert set(line) & (set(side.near) | set(side.far))


@pytest.mark.parametrize(("flat", "small"), ALL)
def test_the_sides_together_are_the_edge_of_the_hex(flat: bool, small: bool) -> None:
    shape = hexagon(flat, small)
    body = {(x, y) for y, first, after in shape.spans for x in range(first, after)}
    near = {dot for side in shape.sides.values() for dot in side.near} & body
    assert near == set(shape.edge)
    assert set(shape.edge) <= set(shape.ring) <= body


def test_a_line_has_no_gaps() -> None:
    dots = segment((3, 9), (31, 2))
    assert dots[0] == (3, 9) and dots[-1] == (31, 2)
    assert all(max(abs(x - ox), abs(y - oy)) == 1 for (x, y), (ox, oy) in pairwise(dots))


@pytest.mark.parametrize(("flat", "small"), ALL)
def test_a_window_names_every_hex_that_shows_in_it(flat: bool, small: bool) -> None:
    grid = Grid(9, 9, "flat" if flat else "pointy")
    shape = hexagon(flat, small)
    for left, top in ((0, 0), (13, 7), (30, 22)):
        right, bottom = left + 17, top + 11
        found = set(shape.window(grid, left, top, right, bottom))
        for h in range(grid.size):
            x, y = shape.corner(grid, h)
            inside = any(
                top <= y + dy < bottom and x + first < right and x + after > left
                for dy, first, after in shape.spans
            )
            assert not inside or h in found


@pytest.mark.parametrize(("flat", "small"), ALL)
@pytest.mark.parametrize("size", [(1, 1), (1, 2), (4, 3), (3, 4)])
def test_a_map_has_whole_cells(flat: bool, small: bool, size: tuple[int, int]) -> None:
    """Two pixels to a cell, one above the other: the last row of an odd number would be cut off."""
    shape, grid = hexagon(flat, small), Grid(*size, "flat" if flat else "pointy")
    across, down = shape.extent(grid)
    assert down % 2 == 0
    corners = [shape.corner(grid, h) for h in range(grid.size)]
    assert max(x for x, _ in corners) + shape.box[0] <= across
    assert 0 <= down - (max(y for _, y in corners) + shape.box[1]) <= 1 + shape.shift * flat


@given(pixels, pixels)
@example((3, 4), (3, 4))
def test_a_line_of_pixels_is_the_same_from_both_ends(start: Pixel, end: Pixel) -> None:
    """So two hexes draw one road between them, and not two that lie beside each other."""
    line = segment(start, end)
    assert line == segment(end, start)[::-1]
    assert (line[0], line[-1]) == (start, end)
    assert len(line) == max(abs(start[0] - end[0]), abs(start[1] - end[1])) + 1
