"""Objectives that nobody can ever come to are told where they stand (P4.2, S4.10, C1.5, C6.2)."""

from __future__ import annotations

import networkx
import pytest

from hexengine.content.loader import loads
from hexengine.mechanics.reachable import ADVICE
from tests.systems.planting import Fault, differences, problems

SQUAD = '''format = 1
system = "squad"
title = "The weir"
turns = 4
sides = ["blue", "red"]

[map]
terrain = """
....~....
....~.w..
....~....
"""
legend = { "." = "clear", w = "woods", "~" = "lake" }
control = {}
roads = []

[[unit]]
id = "b1"
type = "squad-us"
side = "blue"
hex = "0101"

[[unit]]
id = "r1"
type = "squad-de"
side = "red"
hex = "0403"

[[victory]]
kind = "hold"
side = "blue"
hex = "0302"
'''
COMPANY = '''format = 1
system = "company"
title = "The weir"
turns = 4
sides = ["red", "grey"]

[map]
terrain = """
....~....
.b..~.w..
....~....
"""
legend = { "." = "clear", w = "woods", "~" = "lake", b = "building" }
control = {}
roads = []

[[opening]]
side = "0202/0302"

[[platoon]]
id = "first"
side = "red"
skill = "trained"
motivation = "confident"

[[platoon]]
id = "second"
side = "grey"
skill = "trained"
motivation = "confident"

[[unit]]
id = "r1"
type = "rifle"
platoon = "first"
hex = "0101"

[[unit]]
id = "g1"
type = "rifle"
platoon = "second"
hex = "0403"

[[victory]]
kind = "hold"
side = "red"
hex = "0302"
'''
PLATOON = '''format = 1
system = "platoon"
title = "The weir"
turns = 4
sides = ["east", "west"]

[map]
terrain = """
....~....
....~.w..
....~....
"""
legend = { "." = "clear", w = "woods", "~" = "lake" }
control = {}
roads = []

[[formation]]
id = "tank"
side = "east"
morale = 7

[[formation]]
id = "guard"
side = "west"
morale = 7

[[unit]]
id = "t1"
type = "t-72"
formation = "tank"
hex = "0101"

[[unit]]
id = "leo-1"
type = "leopard-1"
formation = "guard"
hex = "0403"

[[victory]]
kind = "hold"
side = "east"
hex = "0302"
'''
ALL = {"squad": SQUAD, "company": COMPANY, "platoon": PLATOON}
RULES = {"squad": "S4.10", "company": "C1.5", "platoon": "P4.2"}


@pytest.mark.parametrize("text", ALL.values(), ids=ALL)
@pytest.mark.parametrize("label", ["0503", "0802"])
def test_water_and_what_lies_beyond_it_are_told_at_their_place(text, label):
    system = next(name for name, one in ALL.items() if one is text)
    assert problems(text) == []
    said = f"no unit in the game can ever come to {label}"
    assert differences(text, [Fault('hex = "0302"', f'hex = @"{label}"', said)]) == []
    assert differences(text, [Fault('hex = "0302"', f'hexes = ["0302", @"{label}"]', said)]) == []
    (problem,) = problems(text.replace('hex = "0302"', f'hex = "{label}"'))
    assert (problem.rule, problem.suggestion) == (RULES[system], ADVICE)


WAYS_THERE = {
    "a road": ("roads = []", 'roads = ["0402-0502-0602"]'),
    "its side": ("control = {}", 'control = { 0802 = "SIDE" }'),
    "others who hold nothing": ("[[victory]]", 'MORE\n\n[[victory]]'),
}  # fmt: skip
MORE = {
    "squad": '[[unit]]\nid = "b2"\ntype = "leader-us"\nside = "blue"\nhex = "0901"',
    "company": '[[unit]]\nid = "r2"\ntype = "truck"\nplatoon = "first"\nhex = "0901"',
    "platoon": '[[unit]]\nid = "t2"\ntype = "t-72"\nformation = "tank"\nhex = "0901"',
}
SIDE = {"squad": "red", "company": "grey", "platoon": "west"}


@pytest.mark.parametrize("system", ALL)
@pytest.mark.parametrize("way", WAYS_THERE)
def test_whoever_can_come_or_is_there_makes_it_good(system, way):
    old, new = WAYS_THERE[way]
    new = new.replace("MORE", MORE[system]).replace("SIDE", SIDE[system])
    assert problems(ALL[system].replace('hex = "0302"', 'hex = "0802"').replace(old, new)) == []


COMING = {
    "squad": (
        "[[victory]]",
        '[[event]]\nid = "whistle"\nhex = "0201"\nside = "red"\ntext = "A whistle."\n\n[[unit]]\nid = "b2"\n'
        'type = "squad-us"\nside = "blue"\nhex = "0901"\nevent = "whistle"\n\n[[victory]]',
    ),
    "company": (
        "[[victory]]",
        '[[platoon]]\nid = "third"\nside = "red"\nskill = "trained"\nmotivation = "confident"\n'
        'reserve = true\nhexes = ["0901"]\n\n'
        '[[unit]]\nid = "r2"\ntype = "rifle"\nplatoon = "third"\n\n[[victory]]',
    ),
    "platoon": (
        "[[victory]]",
        '[[unit]]\nid = "t2"\ntype = "t-72"\nformation = "tank"\nturn = 2\nhexes = ["0901"]\n\n[[victory]]',
    ),
}  # fmt: skip


@pytest.mark.parametrize("system", ALL)
def test_whoever_comes_in_beyond_the_water_makes_it_good(system):
    assert problems(ALL[system].replace('hex = "0302"', 'hex = "0802"').replace(*COMING[system])) == []


LORRY = '[[type]]\nid = "lorry"\nname = "Lorry"\nkind = "vehicle"\n'
LORRIES = {
    "squad": LORRY + 'values = "0-0-8"\n\n[[victory]]',
    "company": LORRY + 'mobility = "wheeled"\n\n[[victory]]',
}


CLOSED_TO_THEM = {
    "squad": {'"lake"': '"fields"', '"woods"': '"forest"', 'hex = "0302"': 'hex = "0702"'},
    "company": {'hex = "0302"': 'hex = "0202"'},
}


@pytest.mark.parametrize("system", LORRIES)
def test_where_men_alone_can_go_some_are_needed(system):
    """Heavy woods are closed to vehicles of squads, rooms to those of companies."""
    text = ALL[system].replace("[[victory]]", LORRIES[system])
    for old, new in CLOSED_TO_THEM[system].items():
        text = text.replace(old, new)
    assert problems(text) == []
    for kind in ("squad-us", "squad-de", "rifle"):
        text = text.replace(f'type = "{kind}"', 'type = "lorry"')
    (problem,) = problems(text)
    assert "no unit in the game can ever come to" in problem.text


def test_nobody_comes_who_cannot_move():
    post = '[[type]]\nid = "post"\nkind = "squad"\nvalues = "1-4-0"\nhalf = {}\n\n[[victory]]'
    text = SQUAD.replace("[[victory]]", post)
    for kind in ("squad-us", "squad-de"):
        text = text.replace(f'type = "{kind}"', 'type = "post"')
    assert differences(text, [Fault('hex = "0302"', 'hex = @"0302"', "can ever come to 0302")]) == []
    assert problems(text.replace('hex = "0302"', 'hex = "0403"')) == []


def test_a_room_is_entered_by_an_opening():
    inside = COMPANY.replace('hex = "0302"', 'hex = "0202"')
    assert problems(inside) == []
    for bare in (
        inside.replace('[[opening]]\nside = "0202/0302"\n', ""),
        inside.replace('side = "0202/0302"', 'side = "0202/0302"\nfloor = 1'),
    ):
        (problem,) = problems(bare)
        assert "can ever come to 0202" in problem.text and problem.rule == "C6.2"


HIDING = {
    "squad": [
        Fault('hex = "0403"', 'hex = @"8802"', "no column 88"),
        Fault('hex = "0403"', '@hx = "0802"', "unknown key"),
        Fault('type = "squad-de"', 'type = @"swimmers"', "no unit type"),
        Fault("roads = []", 'roads = [@"0402-0602"]', "not neighbours"),
        Fault("....~.w..", "....@?.w..", "not in the legend"),
    ],
    "company": [
        Fault('hex = "0403"', 'hex = @"8802"', "no column 88"),
        Fault('hex = "0403"', '@hx = "0802"', "unknown key"),
        Fault('type = "rifle"\nplatoon = "second"', 'type = @"swimmers"\nplatoon = "second"', "no team type"),
        Fault("roads = []", 'roads = [@"0402-0602"]', "not neighbours"),
        Fault(".b..~.w..", ".b..@?.w..", "not in the legend"),
    ],
    "platoon": [
        Fault('hex = "0403"', 'hex = @"8802"', "no column 88"),
        Fault('hex = "0403"', '@hx = "0802"', "unknown key"),
        Fault('type = "leopard-1"', 'type = @"swimmers"', "no unit type"),
        Fault("roads = []", 'roads = [@"0402-0602"]', "not neighbours"),
        Fault("....~.w..", "....@?.w..", "not in the legend"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("system", "fault"), [(system, fault) for system, faults in HIDING.items() for fault in faults]
)
def test_who_might_come_there_but_for_another_fault_is_waited_for(system, fault):
    """The other fault is told alone: when it is mended there may be a way."""
    assert differences(ALL[system].replace('hex = "0302"', 'hex = "0802"'), [fault]) == []


@pytest.mark.parametrize(
    "fault",
    [
        Fault('side = "0202/0302"', 'side = @"0202/0402"', "not neighbours"),
        Fault("[[opening]]", "[[@openings]]", "unknown key"),
    ],
)
def test_a_room_may_have_the_opening_that_is_faulty(fault):
    assert differences(COMPANY.replace('hex = "0302"', 'hex = "0202"'), [fault]) == []


@pytest.mark.parametrize("system", ["squad", "platoon"])
def test_it_is_what_the_graph_of_the_map_says(system):
    """Every hex of a map with islands, by the library's search."""
    row = ["..~...~..", ".~~~..w~.", "~~.~~.~~~"]
    text = ALL[system]
    for old, new in zip(["....~....", "....~.w..", "....~...."], row, strict=True):
        text = text.replace(old, new, 1)
    text = text.replace('hex = "0403"', 'hex = "0601"')
    board = loads(text.replace('hex = "0302"', 'hex = "0101"'), "weir").board
    graph = board.map.graph({"squad": "leg", "platoon": "tracked"}[system])
    begin = {board.grid.index("0101"), board.grid.index("0601")}
    near = set(begin).union(*[networkx.descendants(graph, place) for place in begin])
    assert 5 < len(near) < 20
    for place, label in enumerate(board.grid.labels):
        told = [one.text for one in problems(text.replace('hex = "0302"', f'hex = "{label}"'))]
        assert told == ([] if place in near else [f"no unit in the game can ever come to {label}"])
