"""Arithmetic on the endless sheet: round trips, the group of turns and mirrors, closed forms."""

from __future__ import annotations

from itertools import pairwise
from math import cos, sin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexengine.hexes import coordinates
from hexengine.hexes.coordinates import Axial

KINDS: tuple[coordinates.OffsetKind, ...] = ("odd-q", "even-q", "odd-r", "even-r")
ORIENTATIONS: tuple[coordinates.Orientation, ...] = ("flat", "pointy")

numbers = st.integers(-60, 60)
points = st.tuples(numbers, numbers)
orientations = st.sampled_from(ORIENTATIONS)
quick = settings(deadline=None, max_examples=150)


@quick
@given(points, st.sampled_from(KINDS))
def test_offset_round_trip(point: Axial, kind: coordinates.OffsetKind) -> None:
    """Both notations name the same hexes, on either side of nought."""
    assert coordinates.axial_to_offset(kind, *coordinates.offset_to_axial(kind, *point)) == point
    assert coordinates.offset_to_axial(kind, *coordinates.axial_to_offset(kind, *point)) == point


@quick
@given(points, st.sampled_from(KINDS))
def test_staggered_lines_are_straight(point: Axial, kind: coordinates.OffsetKind) -> None:
    """The next hex along a straight line is a neighbour; the next but one across them takes two steps."""
    q, r = point
    column, row = coordinates.axial_to_offset(kind, q, r)
    straight = (column, row + 1) if kind.endswith("q") else (column + 1, row)
    assert coordinates.distance(point, coordinates.offset_to_axial(kind, *straight)) == 1
    across = (column + 2, row) if kind.endswith("q") else (column, row + 2)
    assert coordinates.distance(point, coordinates.offset_to_axial(kind, *across)) == 2


@pytest.mark.parametrize("kind", KINDS)
def test_pushed_lines(kind: coordinates.OffsetKind) -> None:
    """The lines that the kind names are drawn half a hex further down or to the right."""
    orientation: coordinates.Orientation = "flat" if kind.endswith("q") else "pointy"
    pushed = 1 if kind.startswith("odd") else 0
    axis = 1 if orientation == "flat" else 0

    def drawn(line: int) -> float:
        pair = (line, 0) if orientation == "flat" else (0, line)
        return coordinates.axial_to_pixel(coordinates.offset_to_axial(kind, *pair), orientation)[axis]

    for line in range(-3, 3):
        expected = coordinates.ROOT_3 / 2 if (line + 2) % 2 == pushed else 0.0
        assert drawn(line) - drawn(pushed + 1) == pytest.approx(expected)


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_directions_go_clockwise(orientation: coordinates.Orientation) -> None:
    """Each direction is the one before turned by a sixth, and direction 0 points where it is said to."""
    for direction in range(6):
        here = coordinates.step((0, 0), direction, orientation=orientation)
        following = coordinates.step((0, 0), (direction + 1) % 6, orientation=orientation)
        assert coordinates.rotate(here, (0, 0), 1) == following
    x, y = coordinates.axial_to_pixel(coordinates.step((0, 0), 0, orientation=orientation), orientation)
    assert y < 0 and (x == 0 if orientation == "flat" else x > 0)


@quick
@given(points, points, points)
def test_distance_is_a_metric(a: Axial, b: Axial, c: Axial) -> None:
    assert coordinates.distance(a, b) == coordinates.distance(b, a)
    assert (coordinates.distance(a, b) == 0) == (a == b)
    assert coordinates.distance(a, c) <= coordinates.distance(a, b) + coordinates.distance(b, c)


@quick
@given(points, points, points, st.integers(-13, 13), st.integers(-13, 13))
def test_turns(a: Axial, b: Axial, centre: Axial, one: int, other: int) -> None:
    """Turns add up, six are none, and none changes a distance."""
    turned = coordinates.rotate(a, centre, one)
    assert coordinates.rotate(turned, centre, other) == coordinates.rotate(a, centre, one + other)
    assert coordinates.rotate(turned, centre, -one) == a
    assert coordinates.rotate(a, centre, 6) == a
    assert coordinates.distance(turned, coordinates.rotate(b, centre, one)) == coordinates.distance(a, b)


@quick
@given(points, points, points, st.integers(0, 5), orientations)
def test_mirrors(
    a: Axial, b: Axial, centre: Axial, direction: int, orientation: coordinates.Orientation
) -> None:
    """A mirror undoes itself, keeps distances and its own row, and is no turn."""
    mirrored = coordinates.reflect(a, centre, direction, orientation)
    assert coordinates.reflect(mirrored, centre, direction, orientation) == a
    other = coordinates.reflect(b, centre, direction, orientation)
    assert coordinates.distance(mirrored, other) == coordinates.distance(a, b)
    on_the_row = coordinates.step(centre, direction, 5, orientation)
    assert coordinates.reflect(on_the_row, centre, direction, orientation) == on_the_row
    beside = coordinates.step(centre, (direction + 1) % 6, 2, orientation)
    expected = coordinates.step(centre, (direction - 1) % 6, 2, orientation)
    assert coordinates.reflect(beside, centre, direction, orientation) == expected


@quick
@given(points, st.integers(0, 12), orientations)
def test_rings_and_discs(centre: Axial, radius: int, orientation: coordinates.Orientation) -> None:
    """A ring has 6 n hexes, each next to the one before, clockwise; a disc 1 + 3 n (n + 1)."""
    around = coordinates.ring(centre, radius, orientation)
    assert len(set(around)) == len(around) == (6 * radius or 1)
    assert {coordinates.distance(centre, point) for point in around} == {radius}
    assert around[0] == coordinates.step(centre, 0, radius, orientation)
    if radius:
        assert all(coordinates.distance(a, b) == 1 for a, b in pairwise([*around, around[0]]))
        assert around[radius] == coordinates.step(centre, 1, radius, orientation)
    within = coordinates.disc(centre, radius, orientation)
    assert len(set(within)) == len(within) == 1 + 3 * radius * (radius + 1)
    away = [coordinates.distance(centre, point) for point in within]
    assert away == sorted(away) and away[-1] == radius


def test_negative_radius_is_refused() -> None:
    with pytest.raises(ValueError, match="radius"):
        coordinates.ring((0, 0), -1)
    with pytest.raises(ValueError, match="radius"):
        coordinates.disc((0, 0), -1)


@quick
@given(points, points, st.booleans())
def test_lines(a: Axial, b: Axial, high: bool) -> None:
    """A line is a shortest chain of neighbours; backwards it is the same hexes backwards."""
    hexes = coordinates.line(a, b, high)
    assert hexes[0] == a and hexes[-1] == b
    assert len(hexes) == coordinates.distance(a, b) + 1
    assert all(coordinates.distance(one, other) == 1 for one, other in pairwise(hexes))
    assert coordinates.line(b, a, high) == hexes[::-1]


@quick
@given(points, points)
def test_lines_keep_to_the_straight_line(a: Axial, b: Axial) -> None:
    """Each sample lies in the hex taken, or on its edge; the two choices differ only on a side."""
    dq, dr = b[0] - a[0], b[1] - a[1]
    length = coordinates.distance(a, b)
    low, high = coordinates.line(a, b), coordinates.line(a, b, high=True)
    for i, (one, other) in enumerate(zip(low, high, strict=True)):
        assert one <= other and coordinates.distance(one, other) <= 1
        for q, r in (one, other):
            # Offset of the sample from the hex centre, times the length.
            u, v = (a[0] - q) * length + dq * i, (a[1] - r) * length + dr * i
            slack = [length - abs(2 * u + v), length - abs(u + 2 * v), length - abs(u - v)]
            assert min(slack) >= 0
            assert one == other or 0 in slack


@quick
@given(points, orientations, st.floats(0, 6.28), st.floats(0, 0.86))
def test_points_inside_a_hex(
    point: Axial, orientation: coordinates.Orientation, angle: float, away: float
) -> None:
    """Every point of the circle that touches the sides from inside belongs to the hex."""
    x, y = coordinates.axial_to_pixel(point, orientation, (3.0, 3.0), (17.0, -4.0))
    x += 3.0 * away * cos(angle)
    y += 3.0 * away * sin(angle)
    assert coordinates.pixel_to_axial(x, y, orientation, (3.0, 3.0), (17.0, -4.0)) == point
