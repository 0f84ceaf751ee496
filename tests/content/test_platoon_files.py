"""Every fault of a platoon scenario is found in one run: of form, of the map, of names, of places."""

import pytest

from hexengine.content.loader import loads
from hexengine.core.errors import ContentError

TEXT = '''\
format = 1
system = "platoon"
titel = "The crossroads"
turns = "eight"
sides = ["nato", "wp"]

[options]
minimum_mov = true

[map]
terrain = """
..ww.t
.ffx..
"""
levels = """
000011
00000
"""
legend = { "." = "clear", w = "wods", t = "town", f = "fields" }
names = { 0701 = "Neudorf" }
roads = ["0101-0201-0401"]

[[formation]]
id = "2acr"
side = "nat"
markers = 3
morale = 7

[[unit]]
id = "m1-1"
type = "m2"
formation = "2acr"
hex = "0901"
status = ["disruptd"]

[[unit]]
id = "m1-1"
type = "m1"
formation = "2arc"
hex = "0101"

[[type]]
id = "t-72x"
kind = "hard"
mobility = "traked"
armour = "4/5"
ap = "8/3/9"

[[terrain]]
id = "wods"
tracked = 3

[[victory]]
kind = "hold"
side = "wp"
hex = "0601"
points = "3"

[start]
active = "nobody"
'''

FAULTS = [
    (3, 1, 'unknown key "titel"'),
    (4, 9, 'turns must be a whole number, not "eight"'),
    (8, 1, 'unknown key "minimum_mov"'),
    (13, 4, "'x'"),
    (17, 6, "levels"),
    (19, 31, "'wods'"),
    (20, 18, "0701"),
    (21, 10, "not neighbours"),
    (25, 8, "'nat'"),
    (26, 11, "markers must be from 1 to 2, not 3"),
    (33, 7, "0901"),
    (34, 11, 'unknown item 1 of status "disruptd"'),
    (37, 6, "'m1-1'"),
    (39, 13, "'2arc'"),
    (45, 12, 'unknown mobility "traked"'),
    (47, 6, 'ap is not well formed: "8/3/9"'),
    (50, 6, "'wods'"),
    (57, 10, 'points must be a whole number, not "3"'),
    (60, 10, "'nobody'"),
]


def test_nineteen_faults_are_found_in_one_run() -> None:
    """None of them hides another, and none is told twice."""
    with pytest.raises(ContentError) as caught:
        loads(TEXT, "test")
    found = caught.value.problems
    assert [(problem.line, problem.column) for problem in found] == [fault[:2] for fault in FAULTS]
    for problem, (_, _, part) in zip(found, FAULTS, strict=True):
        assert part in problem.text


@pytest.mark.parametrize("fault", range(len(FAULTS)))
def test_they_are_found_without_each_other(fault: int) -> None:
    """Each line alone mended takes its own fault away and no other, as far as they are independent."""
    line = FAULTS[fault][0]
    mended = {
        3: 'title = "x"',
        4: "turns = 8",
        8: "minimum_move = true",
        13: ".fft..",
        17: "000000",
        19: 'legend = { "." = "clear", w = "woods", t = "town", f = "fields" }',
        20: 'names = { 0601 = "Neudorf" }',
        21: 'roads = ["0101-0201-0301"]',
        25: 'side = "nato"',
        26: "markers = 2",
        33: 'hex = "0201"',
        34: 'status = ["disrupted"]',
        37: 'id = "m1-2"',
        39: 'formation = "2acr"',
        45: 'mobility = "tracked"',
        47: 'ap = "8/3/4"',
        50: 'id = "woods"',
        57: "points = 3",
        60: 'active = "2acr"',
    }
    lines = TEXT.split("\n")
    lines[line - 1] = mended[line]
    with pytest.raises(ContentError) as caught:
        loads("\n".join(lines), "test")
    found = [(problem.line, problem.column) for problem in caught.value.problems]
    assert found == [(row, column) for row, column, _ in FAULTS if row != line]
    for number, text in mended.items():
        lines[number - 1] = text
    loads("\n".join(lines), "all mended")
