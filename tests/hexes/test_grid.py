"""The hexes of one map: labels, neighbours, distances, lines, shapes and turns."""

from __future__ import annotations

import pickle
from itertools import pairwise

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexengine.hexes import Grid, LabelError, Orientation, Stagger, coordinates
from hexengine.hexes import grid as grid_module
from tests.hexes.maps import ORIENTATIONS, SHEETS, STAGGERS

grids = st.builds(
    Grid, st.integers(1, 11), st.integers(1, 11), st.sampled_from(ORIENTATIONS), st.sampled_from(STAGGERS)
)
quick = settings(deadline=None, max_examples=60)
any_sheet = pytest.mark.parametrize(("orientation", "stagger"), SHEETS)


def unweighted(grid: Grid) -> networkx.Graph[int]:
    graph: networkx.Graph[int] = networkx.Graph()
    graph.add_nodes_from(range(grid.size))
    graph.add_edges_from((h, there) for h in range(grid.size) for there in grid.neighbours[h] if there >= 0)
    return graph


@quick
@given(grids)
def test_every_name_of_a_hex_leads_back_to_it(grid: Grid) -> None:
    for h in range(grid.size):
        assert grid.index(grid.label(h)) == h
        assert grid.hex_at(*grid.column_row(h)) == h
        assert grid.at_axial(*grid.axial(h)) == h


@quick
@given(grids)
def test_distance_is_the_shortest_path(grid: Grid) -> None:
    """Tables of distances against a search over the neighbours, all pairs."""
    expected = dict(networkx.all_pairs_shortest_path_length(unweighted(grid)))
    for a in range(grid.size):
        assert list(grid.distances(a)) == [expected[a][b] for b in range(grid.size)]
        assert grid.distance(a, grid.size - 1) == expected[a][grid.size - 1]


@any_sheet
def test_distances_beyond_a_byte(orientation: Orientation, stagger: Stagger) -> None:
    """Long maps keep exact distances."""
    for columns, rows in ((300, 3), (3, 300)):
        grid = Grid(columns, rows, orientation, stagger)
        for a in (0, grid.size // 2, grid.size - 1):
            expected = [coordinates.distance(grid.axial(a), grid.axial(b)) for b in range(grid.size)]
            assert list(grid.distances(a)) == expected
            assert max(expected) >= 128


def test_kept_distances_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many are asked for, the rows kept stay within their bound, and the answers stay right."""
    monkeypatch.setattr(grid_module, "DISTANCE_BYTES", 500)
    grid = Grid(10, 10)
    for a in range(grid.size):
        for b in (0, 37, 99):
            assert grid.distance(a, b) == coordinates.distance(grid.axial(a), grid.axial(b))
        assert sum(row is not None for row in grid._distances) <= 5


@quick
@given(grids)
def test_neighbours(grid: Grid) -> None:
    """Six entries in direction order, each the other's neighbour in the opposite direction."""
    for h, around in enumerate(grid.neighbours):
        points = coordinates.neighbours(grid.axial(h), grid.orientation)
        assert around == tuple(grid.at_axial(*point) for point in points)
        for direction, there in enumerate(around):
            if there >= 0:
                assert grid.direction(h, there) == direction
                assert grid.neighbours[there][(direction + 3) % 6] == h


@pytest.mark.parametrize(
    ("orientation", "stagger", "around"),
    [
        ("flat", "even", ["0302", "0402", "0403", "0304", "0203", "0202"]),
        ("flat", "odd", ["0302", "0403", "0404", "0304", "0204", "0203"]),
        ("pointy", "even", ["0302", "0403", "0304", "0204", "0203", "0202"]),
        ("pointy", "odd", ["0402", "0403", "0404", "0304", "0203", "0302"]),
    ],
)
def test_neighbours_as_printed(orientation: Orientation, stagger: Stagger, around: list[str]) -> None:
    """Those of 0303, drawn by hand, clockwise from north or north-east."""
    grid = Grid(6, 6, orientation, stagger)
    assert [grid.label(h) for h in grid.neighbours[grid.index("0303")]] == around


@any_sheet
def test_stagger_as_drawn(orientation: Orientation, stagger: Stagger) -> None:
    """The printed lines named by the stagger lie half a hex lower or further right, inside the sheet."""
    grid = Grid(4, 4, orientation, stagger)
    axis = 1 if orientation == "flat" else 0
    lines = [grid.hex_at(n, 1) if orientation == "flat" else grid.hex_at(1, n) for n in (1, 2, 3)]
    first, second, third = (grid.centre(h)[axis] for h in lines)
    half = coordinates.ROOT_3 / 2
    assert second - first == pytest.approx(half if stagger == "even" else -half)
    assert third == pytest.approx(first)
    drawn = [grid.centre(h) for h in range(grid.size)]
    edges = (1.0, half) if orientation == "flat" else (half, 1.0)
    assert (min(x for x, _ in drawn), min(y for _, y in drawn)) == pytest.approx(edges)


@quick
@given(grids)
def test_adjacent_hexes_are_drawn_adjacent(grid: Grid) -> None:
    for h, around in enumerate(grid.neighbours):
        x, y = grid.centre(h)
        for there in around:
            if there >= 0:
                ox, oy = grid.centre(there)
                assert (ox - x) ** 2 + (oy - y) ** 2 == pytest.approx(3.0)


def test_order_of_numbers_is_order_of_labels() -> None:
    for columns, rows in ((12, 7), (7, 12), (101, 3), (3, 101), (120, 130)):
        grid = Grid(columns, rows)
        assert list(grid.labels) == sorted(grid.labels)


@pytest.mark.parametrize(
    ("columns", "rows", "first", "last"),
    [
        (1, 1, "0101", "0101"),
        (24, 16, "0101", "2416"),
        (99, 99, "0101", "9999"),
        (100, 5, "001001", "100005"),
        (5, 100, "001001", "005100"),
        (1000, 2, "00010001", "10000002"),
    ],
)
def test_labels_grow_with_the_map(columns: int, rows: int, first: str, last: str) -> None:
    """All labels of a map have one length and no two are alike, on any size."""
    grid = Grid(columns, rows)
    assert (grid.labels[0], grid.labels[-1]) == (first, last)
    assert len(set(grid.labels)) == grid.size
    assert {len(label) for label in grid.labels} == {2 * grid.digits}


@pytest.mark.parametrize(
    ("label", "reason"),
    [
        ("", "form"),
        ("101", "form"),
        ("00101", "form"),
        ("001001", "form"),
        ("01-1", "form"),
        (" 0101", "form"),
        ("0101\n", "form"),
        ("+101", "form"),
        ("1_01", "form"),
        ("٠١٠١", "form"),
        ("²²²²", "form"),
        ("x" * 5000, "form"),
        ("0000", "column"),
        ("0001", "column"),
        ("2501", "column"),
        ("0100", "row"),
        ("0117", "row"),
        ("2417", "row"),
    ],
)
def test_bad_labels_say_why_and_what_is_legal(label: str, reason: str) -> None:
    with pytest.raises(LabelError) as caught:
        Grid(24, 16).index(label)
    error = caught.value
    assert (error.label, error.reason, error.first, error.last) == (label, reason, "0101", "2416")
    assert "0101" in str(error) and "2416" in str(error) and len(str(error)) < 200
    assert isinstance(error, ValueError)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize("h", [-1, 384, 10**9])
def test_no_label_for_a_number_off_the_map(h: int) -> None:
    with pytest.raises(IndexError):
        Grid(24, 16).label(h)


def test_off_the_map() -> None:
    grid = Grid(5, 4)
    for column, row in ((0, 1), (1, 0), (6, 1), (1, 5), (-3, 2)):
        assert grid.hex_at(column, row) == -1
    assert grid.at_axial(-1, 0) == grid.at_axial(0, -1) == grid.at_axial(5, 0) == grid.at_axial(0, 4) == -1


@pytest.mark.parametrize(
    ("orientation", "stagger", "pushed"),
    [
        ("flat", "even", "0201 0202 0203"),
        ("flat", "odd", "0101 0102 0103 0301 0302 0303"),
        ("pointy", "even", "0102 0202 0302"),
        ("pointy", "odd", "0101 0103 0201 0203 0301 0303"),
    ],
)
def test_hexes_half_a_hex_off_their_row(orientation: Orientation, stagger: Stagger, pushed: str) -> None:
    grid = Grid(3, 3, orientation, stagger)
    assert [grid.label(h) for h in range(grid.size) if grid.pushed(h)] == pushed.split()


@pytest.mark.parametrize("size", [(0, 1), (1, 0), (-4, 7)])
def test_empty_maps_are_refused(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="at least one"):
        Grid(*size)


def test_unknown_words_are_refused() -> None:
    with pytest.raises(ValueError, match="orientation"):
        Grid(3, 3, "round")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="stagger"):
        Grid(3, 3, "flat", "third")  # type: ignore[arg-type]


def test_direction_of_hexes_apart_is_refused() -> None:
    grid = Grid(5, 5)
    for a, b in (("0101", "0101"), ("0101", "0301"), ("0303", "0305")):
        with pytest.raises(ValueError, match=f"{b} is not next to {a}"):
            grid.direction(grid.index(a), grid.index(b))
    with pytest.raises(ValueError, match="not next to"):
        grid.direction(0, -1)


@quick
@given(grids, st.data())
def test_rings_and_discs(grid: Grid, data: st.DataObject) -> None:
    """Exactly the hexes of the map at the distance, or within it."""
    h = data.draw(st.integers(0, grid.size - 1))
    radius = data.draw(st.integers(0, 14))
    away = grid.distances(h)
    around = grid.ring(h, radius)
    assert sorted(around) == [there for there in range(grid.size) if away[there] == radius]
    within = grid.disc(h, radius)
    assert sorted(within) == [there for there in range(grid.size) if away[there] <= radius]
    assert [away[there] for there in within] == sorted(away[there] for there in within)


def test_ring_goes_clockwise() -> None:
    grid = Grid(7, 7)
    assert [grid.label(h) for h in grid.ring(grid.index("0404"), 1)] == [
        *("0403", "0504", "0505", "0405", "0305", "0304")
    ]
    assert [grid.label(h) for h in grid.ring(grid.index("0101"), 2)] == ["0301", "0302", "0202", "0103"]


def test_huge_and_negative_radius() -> None:
    """A radius far beyond the map costs nothing; one below 0 is refused."""
    grid = Grid(6, 5)
    assert grid.ring(0, 10**9) == ()
    assert sorted(grid.disc(0, 10**9)) == list(range(grid.size))
    for shape in (grid.ring, grid.disc):
        with pytest.raises(ValueError, match="radius"):
            shape(0, -1)


@any_sheet
@pytest.mark.parametrize("size", [(1, 6), (6, 1), (2, 5), (5, 2), (7, 6)])
def test_lines_stay_on_the_map(orientation: Orientation, stagger: Stagger, size: tuple[int, int]) -> None:
    """Every line, all pairs: a shortest chain of hexes on the map, backwards from the other end."""
    grid = Grid(*size, orientation, stagger)
    for a in range(grid.size):
        for b in range(grid.size):
            hexes = grid.line(a, b)
            assert hexes == grid.line(b, a)[::-1]
            assert len(hexes) == grid.distance(a, b) + 1
            assert hexes[0] == a and hexes[-1] == b and min(hexes) >= 0
            assert all(there in grid.neighbours[here] for here, there in pairwise(hexes))


def test_line_along_a_side_takes_the_lower_number() -> None:
    grid = Grid(5, 5)
    assert [grid.label(h) for h in grid.line(grid.index("0303"), grid.index("0503"))] == [
        "0303",
        "0402",
        "0503",
    ]
    # At the upper edge the lower-numbered one is not there.
    assert [grid.label(h) for h in grid.line(grid.index("0301"), grid.index("0501"))] == [
        "0301",
        "0401",
        "0501",
    ]


@quick
@given(grids, st.data())
def test_turns(grid: Grid, data: st.DataObject) -> None:
    """A turn keeps the distance from the centre; turned back, or six times, it is where it was."""
    h, centre = (data.draw(st.integers(0, grid.size - 1)) for _ in range(2))
    sixths = data.draw(st.integers(-7, 7))
    turned = grid.rotate(h, centre, sixths)
    assert grid.rotate(h, centre, 6 * sixths) == h
    if turned >= 0:
        assert grid.distance(turned, centre) == grid.distance(h, centre)
        assert grid.rotate(turned, centre, -sixths) == h
    for direction, there in enumerate(grid.neighbours[centre]):
        if there >= 0:
            assert grid.rotate(there, centre, 1) == grid.neighbours[centre][(direction + 1) % 6]


@pytest.mark.parametrize("length", range(5))
def test_walks_on_an_open_map(length: int) -> None:
    """Far from the edge there are six ways on at every step: 6 ** length walks."""
    grid = Grid(11, 11)
    walks = {grid.index("0606"): 1}
    for _ in range(length):
        following: dict[int, int] = {}
        for h, count in walks.items():
            for there in grid.neighbours[h]:
                following[there] = following.get(there, 0) + count
        walks = following
    assert sum(walks.values()) == 6**length
    assert -1 not in walks


def test_rows_of_distances_begin_afresh_when_they_fill_their_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rows have room: the third empties the shelf once, and then two are kept again."""
    monkeypatch.setattr(grid_module, "DISTANCE_BYTES", 50)
    grid = Grid(5, 5)
    first = grid.distances(0)
    assert grid.distances(1) is grid.distances(1)
    assert grid.distances(0) is first
    third = grid.distances(2)
    fourth = grid.distances(3)
    assert grid.distances(2) is third and grid.distances(3) is fourth
    again = grid.distances(0)
    assert again is not first and again == first


def test_equality_and_copies() -> None:
    """Grids are equal when their sheets are; a copy in another process is equal and as good."""
    grid = Grid(9, 4, "pointy", "odd")
    copy = pickle.loads(pickle.dumps(grid))
    assert copy == grid and hash(copy) == hash(grid) and copy.neighbours == grid.neighbours
    assert repr(grid) == "Grid(9, 4, 'pointy', 'odd')"
    others = [
        Grid(9, 4),
        Grid(4, 9, "pointy", "odd"),
        Grid(9, 4, "pointy", "even"),
        Grid(9, 4, "flat", "odd"),
    ]
    assert all(grid != other for other in others) and grid != "0101"


def test_large_board_of_another_maker() -> None:
    """26 columns by 12 rows are 312 hexes, 0101 to 2612."""
    grid = Grid(26, 12)
    assert (grid.size, grid.labels[0], grid.labels[-1]) == (312, "0101", "2612")
