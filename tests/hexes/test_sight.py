"""Sight lines against exact geometry: which hexes and sides the straight line runs through."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexengine.hexes import Grid, Orientation, SightLines, Stagger, coordinates
from hexengine.hexes import sight as sight_module
from hexengine.hexes.coordinates import Axial
from hexengine.hexes.sight import stretches
from tests.hexes.maps import SHEETS

SIZES = [(1, 9), (9, 1), (2, 7), (7, 2), (8, 7)]

# Corners of the hex (0, 0), times three: each is the middle of the hex and two adjacent neighbours.
CORNERS = [
    (one[0] + other[0], one[1] + other[1])
    for one, other in pairwise([*coordinates.FLAT_DIRECTIONS, coordinates.FLAT_DIRECTIONS[0]])
]


def cut(q: int, r: int, goal: Axial) -> tuple[Fraction, Fraction, bool] | None:
    """The part of the line from (0, 0) to ``goal`` that lies in the hex ``(q, r)``, clipped side by side.

    From and to, as fractions of the line, and whether it lies inside or only along a side; None where the
    line has at most a point in common with the hex.
    """
    low, high, along = Fraction(0), Fraction(1), False
    corners = [(3 * q + u, 3 * r + v) for u, v in CORNERS]
    for (u, v), (x, y) in pairwise([*corners, corners[0]]):
        # Which side of the hex side a point lies on: positive is the side of the hex centre.
        centre = (x - u) * (3 * r - v) - (y - v) * (3 * q - u)
        at_start = (x - u) * -v - (y - v) * -u
        at_goal = (x - u) * (3 * goal[1] - v) - (y - v) * (3 * goal[0] - u)
        if centre < 0:
            at_start, at_goal = -at_start, -at_goal
        if at_start == at_goal:
            if at_start < 0:
                return None
            along = along or at_start == 0
        else:
            crossing = Fraction(at_start, at_start - at_goal)
            if at_goal > at_start:
                low = max(low, crossing)
            else:
                high = min(high, crossing)
    return (low, high, along) if low < high else None


@cache
def by_geometry(goal: Axial) -> tuple[tuple[Axial, ...], ...]:
    """The stretches between (0, 0) and ``goal``, by clipping every hex near the line."""
    length = coordinates.distance((0, 0), goal)
    found: dict[Fraction, list[Axial]] = {}
    along: dict[Fraction, set[bool]] = {}
    for q in range(min(0, goal[0]) - 1, max(0, goal[0]) + 2):
        for r in range(min(0, goal[1]) - 1, max(0, goal[1]) + 2):
            point = (q, r)
            if point in ((0, 0), goal):
                continue
            if coordinates.distance((0, 0), point) + coordinates.distance(point, goal) > length + 1:
                continue
            part = cut(q, r, goal)
            if part is not None:
                found.setdefault(part[0], []).append(point)
                along.setdefault(part[0], set()).add(part[2])
    for low, hexes in found.items():
        assert (len(hexes), along[low]) in ((1, {False}), (2, {True}))
    return tuple(tuple(sorted(found[low])) for low in sorted(found))


@pytest.mark.rule("P10.1")
@pytest.mark.rule("P10.5")
@pytest.mark.parametrize(("orientation", "stagger"), SHEETS)
@pytest.mark.parametrize("size", SIZES)
def test_all_pairs_against_geometry(
    orientation: Orientation, stagger: Stagger, size: tuple[int, int]
) -> None:
    """Hexes entered, sides followed, corners left out, in order: for every pair of hexes of the map."""
    grid = Grid(*size, orientation, stagger)
    lines = SightLines(grid)
    for a in range(grid.size):
        from_q, from_r = grid.axial(a)
        for b in range(grid.size):
            q, r = grid.axial(b)
            expected = []
            for hexes in by_geometry((q - from_q, r - from_r)):
                numbers = sorted(grid.at_axial(from_q + u, from_r + v) for u, v in hexes)
                expected.append((numbers[0], numbers[-1]))
            assert lines.between(a, b) == tuple(expected)


@settings(deadline=None, max_examples=40)
@given(st.integers(-30, 30), st.integers(-30, 30))
def test_long_lines_against_geometry(q: int, r: int) -> None:
    found = tuple(tuple(sorted({one, other})) for one, other in stretches(q, r))
    assert found == by_geometry((q, r))


@settings(deadline=None, max_examples=150)
@given(st.integers(-40, 40), st.integers(-40, 40), st.integers(0, 5))
def test_turned_and_mirrored_lines(q: int, r: int, turns: int) -> None:
    """A line turned, mirrored or read from its other end has its stretches turned, mirrored or reversed."""

    def parts(goal: Axial) -> list[set[Axial]]:
        return [{one, other} for one, other in stretches(*goal)]

    there = parts((q, r))
    turned = coordinates.rotate((q, r), (0, 0), turns)
    assert parts(turned) == [{coordinates.rotate(point, (0, 0), turns) for point in part} for part in there]
    mirrored = coordinates.reflect((q, r), (0, 0), turns)
    assert parts(mirrored) == [
        {coordinates.reflect(point, (0, 0), turns) for point in part} for part in there
    ]
    assert parts((-q, -r)) == [{(u - q, v - r) for u, v in part} for part in reversed(there)]


@pytest.mark.rule("P10.5")
@pytest.mark.parametrize(("orientation", "stagger"), SHEETS)
def test_symmetric(orientation: Orientation, stagger: Stagger) -> None:
    """All pairs of a full map: backwards the same; only a side stretch may touch what is off the map."""
    grid = Grid(17, 12, orientation, stagger)
    lines = SightLines(grid)
    for a in range(grid.size):
        for b in range(a, grid.size):
            found = lines.between(a, b)
            assert found == lines.between(b, a)[::-1]
            assert all(x <= y and y >= 0 and (x >= 0 or x != y) for x, y in found)
            assert (found == ()) == (grid.distance(a, b) <= 1)
            assert not any(end in stretch for end in (a, b) for stretch in found)


@pytest.mark.parametrize(("orientation", "stagger"), SHEETS)
def test_each_hex_between_touches_the_next(orientation: Orientation, stagger: Stagger) -> None:
    """From one stretch to the next the line goes to an adjacent hex, so callers can tell the side crossed."""
    grid = Grid(9, 8, orientation, stagger)
    lines = SightLines(grid)
    for a in range(grid.size):
        for b in range(grid.size):
            chain = [(a, a), *lines.between(a, b), (b, b)] if a != b else []
            for one, other in pairwise(chain):
                for here in {*one} - {-1}:
                    for there in {*other} - {-1}:
                        assert there in grid.neighbours[here]


@pytest.mark.rule("P10.1")
@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        # Drawn by hand on a sheet with flat tops, even columns lower.
        ("0303", "0303", []),
        ("0303", "0304", []),
        ("0303", "0402", []),
        ("0303", "0306", ["0304", "0305"]),  # down a column
        ("0303", "0604", ["0403", "0504"]),  # along a hex row
        ("0303", "0503", ["0402/0403"]),  # east: along one side
        ("0303", "0703", ["0402/0403", "0503", "0602/0603"]),  # and on: side, hex, side
        ("0301", "0501", ["-/0401"]),  # along the edge of the map
        ("0303", "0405", ["0304", "0404"]),  # through two hexes side by side
        ("0303", "0505", ["0403", "0404"]),  # and in another column
        ("0303", "0707", ["0403", "0404", "0505", "0605", "0606"]),  # that twice
        ("0303", "0706", ["0403", "0504", "0505", "0605"]),  # 0404 and 0604 are touched in a corner only
    ],
)
def test_lines_drawn_by_hand(a: str, b: str, expected: list[str]) -> None:
    grid = Grid(9, 9)

    def named(stretch: tuple[int, int]) -> str:
        labels = [grid.label(h) if h >= 0 else "-" for h in stretch]
        return labels[0] if labels[0] == labels[1] else "/".join(labels)

    lines = SightLines(grid)
    assert [named(stretch) for stretch in lines.between(grid.index(a), grid.index(b))] == expected
    assert [named(stretch) for stretch in lines.between(grid.index(b), grid.index(a))] == expected[::-1]


@pytest.mark.parametrize(("orientation", "stagger"), SHEETS)
def test_what_is_crossed_as_a_mask(orientation: Orientation, stagger: Stagger) -> None:
    """The mask of a line holds the hexes of its stretches and no other of the map, both ways."""
    grid = Grid(9, 7, orientation, stagger)
    lines = SightLines(grid)
    single = [lines.coded([h]) for h in range(grid.size)]
    assert len(set(single)) == grid.size
    for a in range(grid.size):
        for b in range(grid.size):
            mask, along = lines.crossed(a, b)
            between = lines.between(a, b)
            expected = {h for stretch in between for h in stretch if h >= 0}
            assert {h for h in range(grid.size) if mask & single[h]} == expected
            assert along == (bool(between) and between[0][0] != between[0][1])


def test_lines_are_kept_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line asked for again is looked up; asking for very many never fills the memory, and stays right."""
    grid = Grid(6, 6)
    lines = SightLines(grid)
    assert lines.between(0, 35) is lines.between(0, 35)
    monkeypatch.setattr(sight_module, "LINES_KEPT", 50)
    few = SightLines(grid)
    for a in range(grid.size):
        for b in range(grid.size):
            assert few.between(a, b) == lines.between(a, b)
    assert len(few._known) <= 50
