"""Map sections read hex by hex: what they draw, what is said of faults, and what is not known then."""

import pytest

from hexengine.core.formats import MapSection
from hexengine.hexes import Grid
from hexengine.mechanics import maps
from hexengine.mechanics.maps import MapReader

GRID = Grid(3, 3)
LEGEND = {".": "clear", "w": "wood"}
ALL_CLEAR = "...\n...\n..."


@pytest.fixture
def told():
    """The faults that were reported: path, text and the rest."""
    return []


@pytest.fixture
def read(told):
    """What reads a map of the given keys."""

    def report(path, text, suggestion=None, **where):
        told.append((tuple(path), text, where))

    def reader(terrain=ALL_CLEAR, **keys):
        section = MapSection(terrain=terrain, legend=LEGEND, **keys)
        return MapReader(section, ["clear", "wood"], report).read()

    return reader


def side(a, b):
    return tuple(sorted((GRID.index(a), GRID.index(b))))


def test_letters_levels_lines_and_hexsides(read, told):
    parts = read("...\n.w.\n...", levels="000\n010\n002", roads=["0101-0102-0103"], rivers=["0201/0202"])
    assert [GRID.labels[h] for h, name in enumerate(parts.terrain) if name == "wood"] == ["0202"]
    assert {GRID.labels[h]: level for h, level in enumerate(parts.levels) if level} == {"0202": 1, "0303": 2}
    assert parts.lines == {side("0101", "0102"): ["road"], side("0102", "0103"): ["road"]}
    assert parts.sides == {side("0201", "0202"): {"river"}}
    assert not parts.unsure and not told


def test_a_blown_bridge_carries_nothing(read, told):
    """Whatever leads over it: the road on both banks stays."""
    parts = read(roads=["0101-0102-0103"], bridges=["0101/0102"], rivers=["0101/0102"], blown=["0101/0102"])
    assert parts.lines == {side("0102", "0103"): ["road"]}
    assert parts.blown == {side("0101", "0102")}
    assert not told


def test_a_line_that_goes_back_at_once(read, told):
    parts = read(trails=["0101-0102-0101"])
    assert [(path, text) for path, text, _ in told] == [
        (("map", "trails", 0), "this line goes back at once between 0101 and 0102")
    ]
    assert parts.lines == {side("0101", "0102"): ["trail"]}


def test_maps_that_are_too_large(read, told, monkeypatch):
    monkeypatch.setattr(maps, "MAXIMUM_HEXES", 8)
    assert read() is None
    assert [(path, text) for path, text, _ in told] == [
        (("map", "terrain"), "the map has 9 hexes; 8 are possible")
    ]


def test_a_ford_needs_a_river(read, told):
    read(fords=["0101/0102"])
    assert [(path, text) for path, text, _ in told] == [
        (("map", "fords", 0), "there is no river between 0101 and 0102 to ford")
    ]


def test_a_river_that_cannot_be_read_may_be_the_one(read, told):
    """Beside a faulty entry nothing is said of the ford, which may be right; farther away it is."""
    read("......\n......", fords=["0101/0102", "0601/0602"], rivers=["0101/0201/0102"])
    assert [path for path, _, _ in told] == [("map", "rivers", 0), ("map", "fords", 1)]


def test_what_is_not_known_behind_a_fault(read, told):
    """A letter or level that cannot be read leaves one hex unsure, a row of the wrong length all of its."""
    parts = read("..x\n....\n...", levels="000\n000\n0?0")
    assert {GRID.labels[h] for h in parts.unsure} == {"0301", "0102", "0202", "0302", "0203"}
    assert len(told) == 3
