"""No fault of a platoon scenario hides another one that has nothing to do with it, whatever they are."""

from functools import cache
from itertools import combinations

import pytest

from hexengine.content.loader import loads
from hexengine.core.errors import ContentError, Problem

TEXT = '''\
format = 1
system = "platoon"
title = "The sluice"
turns = 7
sides = ["east", "west"]
strikes = { east = 1 }
mines = { west = 2 }

[options]
cross_loading = true

[map]
terrain = """
..ww...f..w.
.www..ff....
....t....t..
f.....w.....
ff.w..ww..f.
.....m.w....
..f......lll
ww...f...l.l
"""
levels = """
000000000000
000000000011
000000000011
000000000001
000000000000
000000000000
000000000000
110000000000
"""
legend = { "." = "clear", w = "woods", f = "fields", t = "town", m = "marsh", l = "lake" }
names = { 0503 = "Sluice" }
roads = [
    "0103-0203-0303-0403-0503-0602-0703-0802-0903-1002-1103-1202",
]
rivers = ["0501/0601", "0502/0601", "0502/0602"]
fords = ["0502/0601"]
bridges = ["0502/0602"]
walls = ["0903/1002"]
positions = ["1003"]
wrecks = ["0703"]
smoke = { 0704 = 1 }
control = { 0503 = "east" }

[[formation]]
id = "tank"
side = "east"
markers = 2
morale = 7
missions = { he = 2 }

[[formation]]
id = "rifles"
side = "east"
morale = 6

[[formation]]
id = "guard"
side = "west"
markers = 2
morale = 8

[[formation]]
id = "late"
side = "west"
morale = 7

[[unit]]
id = "staff"
type = "hq-su"
formation = "tank"
hex = "0403"

[[unit]]
id = "t1"
type = "t-72"
formation = "tank"
hex = "0403"

[[unit]]
id = "t2"
type = "t-72"
formation = "tank"
hex = "0303"

[[unit]]
id = "carrier-1"
type = "marder"
formation = "rifles"
hex = "0406"

[[unit]]
id = "squad-1"
type = "inf-su"
formation = "rifles"
carrier = "carrier-1"

[[unit]]
id = "squad-2"
type = "inf-su"
formation = "rifles"
hex = "0505"
status = ["disrupted"]

[[unit]]
id = "chief"
type = "hq-frg"
formation = "guard"
hex = "1003"

[[unit]]
id = "foot-1"
type = "inf-frg"
formation = "guard"
hex = "1003"

[[unit]]
id = "missile-1"
type = "milan"
formation = "guard"
carrier = "foot-1"

[[unit]]
id = "mar-1"
type = "marder"
formation = "guard"
hex = "1102"

[[unit]]
id = "hunter"
type = "jaguar"
formation = "guard"
hex = "0706"

[[unit]]
id = "leo-1"
type = "leopard-1"
formation = "late"
turn = 4
hexes = ["1202"]

[[type]]
id = "jaguar"
kind = "hard"
mobility = "tracked"
ma = 8
ap = "12um/3/3"
armour = "2/5"
reduced = { ap = 2 }

[[terrain]]
id = "marsh"
tracked = 3

[[victory]]
kind = "hold"
side = "east"
hex = "1003"
points = 5

[[victory]]
kind = "hold"
side = "west"
hexes = ["0503", "1002"]
at_least = 1

[[victory]]
kind = "steps"
side = "west"
points = 2

[[level]]
margin = 1
name = "narrow"

[start]
turn = 3
cup = ["tank", "rifles", "guard", "eot", "eot"]
draws = "west"
'''

PLANTED = {
    # what is changed, into what, a part of what is said, the line where it is said as far as it is another
    "title": ('"The sluice"', '""', "title must not be empty"),
    "turns": ("turns = 7", 'turns = "x"', "turns must be"),
    "option": ("cross_loading", "crossloading", 'unknown key "crossloading"'),
    "strikes": ("{ east = 1 }", "{ eest = 1 }", "'eest'"),
    "mines": ("{ west = 2 }", "{ wset = 2 }", "'wset'"),
    "letter": (".....m.w....", ".....m.q....", "'q'"),
    "short row": ("..f......lll", "..f......ll", "row 7 has 11 hexes"),
    "level": ("000000000001", "00000000000a", "'a' is no level"),
    "legend": ('f = "fields"', 'f = "feilds"', "'feilds'"),
    "name": ("0503 = ", "9503 = ", "column 95"),
    "road": ("0203-0303-", "0203-", "0203 and 0403 are not"),
    "river": ("0501/0601", "0501/0701", "0501 and 0701 are not"),
    "ford": ('fords = ["0502/0601"]', 'fords = ["0901/0902"]', "no river between 0901"),
    "bridge": ('bridges = ["0502/0602"]', 'bridges = ["0502-0602"]', "no hexside"),
    "wall": ("0903/1002", "0903/9902", "column 99: '9902'"),
    "position": ('positions = ["1003"]', 'positions = ["1009"]', "row 09: '1009'"),
    "wreck": ('["0703"]', '["0003"]', "column 00"),
    "smoke": ("0704 = 1", "0704 = 3", "0704 must be from 1 to 2"),
    "control": ('0503 = "east"', '0503 = "easter"', "'easter'"),
    "markers": ("markers = 2\nmorale = 7\n", "markers = 3\nmorale = 7\n", "markers must be"),
    "missions": ('morale = 6\n\n[[formation]]\nid = "guard"',
                 'morale = 6\nmissions = { he = 1 }\n\n[[formation]]\nid = "guard"',
                 "'rifles' has missions but nobody"),
    "side": ('id = "late"\nside = "west"', 'id = "late"\nside = "wets"', "'wets'"),
    "type": ('type = "marder"', 'type = "mader"', "'mader'"),
    "formation": ('type = "t-72"\nformation = "tank"\nhex = "0303"',
                  'type = "t-72"\nformation = "tnak"\nhex = "0303"', "'tnak'"),
    "twice": ('id = "t2"', 'id = "t1"', "'t1' is used twice"),
    "off the map": ('hex = "0706"', 'hex = "9906"', "column 99: '9906'"),
    "no label": ('hex = "0505"', 'hex = "5,5"', "hex is not well formed"),
    "carrier": ('carrier = "foot-1"', 'carrier = "mar-1"', "has no infantry aboard"),
    "status": ('["disrupted"]', '["landed"]', "squad-2 cannot have landed"),
    "lone HQ": ('formation = "tank"\nhex = "0403"\n\n[[unit]]\nid = "t1"',
                'formation = "tank"\nhex = "0401"\n\n[[unit]]\nid = "t1"', "the HQ staff stands alone"),
    "stack": ('hex = "1102"', 'hex = "1003"\n\n[[unit]]\nid = "more"\ntype = "marder"\nformation = "guard"\n'
              'hex = "1003"', "more than 2 units"),
    "late": ('turn = 4\nhexes = ["1202"]', 'turn = 8\nhexes = ["1202"]', "after the last turn"),
    "entry": ('hexes = ["1202"]', 'hexes = ["1207"]', "leo-1 can never enter"),
    "block": ('"12um/3/3"', '"12um/3"', "ap is not well formed"),
    "reduced": ("{ ap = 2 }", "{ ap = 2, he = 1 }", "he is reduced"),
    "cost": ("tracked = 3", "tracked = 2.3", "no cost in MP"),
    "goal": ('hex = "1003"\npoints', 'hex = "1108"\npoints', "can ever come to 1108"),
    "goal off the map": ('hexes = ["0503", "1002"]', 'hexes = ["0503", "1302"]', "column 13"),
    "at least": ("at_least = 1", "at_least = 3", "only 2 hexes are listed"),
    "steps": ("points = 2", 'points = 2\nhex = "0101"', "steps counts wherever"),
    "margin": ('"narrow"\n', '"narrow"\n[[level]]\nmargin = 1\nname = "near"\n', "a margin of 1"),
    "cup": ('"tank", "rifles", "guard", "eot"', '"tank", "rifels", "guard", "eot"', "'rifels'"),
    "too many": ('"eot", "eot"]', '"eot", "eot", "eot"]', "only 2 End of Turn markers"),
    "draws": ('draws = "west"', 'draws = "wast"', "'wast'"),
}  # fmt: skip

DEPENDENT = {
    ("turns", "late"): "no turn is the last one where none is known",
    ("late", "entry"): "both are about one line",
    ("short row", "entry"): "the hex is in the row",
    ("entry", "goal"): "from the one there is a way to the other",
    ("short row", "goal"): "the hex is beside the row",
    ("missions", "type"): "whoever it is may be an observer",
    ("goal", "type"): "whoever it is may be able to come there",
    ("goal", "off the map"): "it may be there from the start",
    ("goal", "no label"): "it may be there from the start",
}


def problems(text: str) -> list[Problem]:
    try:
        loads(text, "sluice")
    except ContentError as error:
        return list(error.problems)
    return []


def planted(*names: str) -> str | None:
    """The text with these faults, or None where two of them want to change the same words."""
    text = TEXT
    for name in names:
        old, new, _ = PLANTED[name]
        if old not in text:
            return None
        text = text.replace(old, new, 1)
    return text


@cache
def alone(name: str) -> tuple[Problem, str]:
    """What is said of one fault, and the key that it is said of."""
    text = planted(name)
    assert text is not None
    (found,) = problems(text)
    return found, key_of(found, text)


def key_of(problem: Problem, text: str) -> str:
    return text.split("\n")[problem.line - 1].partition("=")[0]


def test_without_them_there_is_none() -> None:
    assert problems(TEXT) == []


@pytest.mark.parametrize("name", PLANTED)
def test_each_is_told_alone_and_once(name: str) -> None:
    """One mistake, one message."""
    assert PLANTED[name][2] in alone(name)[0].text


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_none_hides_another(part: int) -> None:
    """Of any two both are told, in the lines where each stands alone, and nothing else."""
    lost = []
    for first, second in list(combinations(PLANTED, 2))[part::4]:
        text = planted(first, second)
        if text is None or {(first, second), (second, first)} & DEPENDENT.keys():
            continue
        told = {(problem.text, key_of(problem, text)) for problem in problems(text)}
        wanted = {(problem.text, key) for problem, key in (alone(first), alone(second))}
        if told != wanted:
            lost.append((first, second, wanted - told, told - wanted))
    assert lost == []


def test_all_are_told_together() -> None:
    """As far as they can be planted together."""
    names: list[str] = []
    for name in PLANTED:
        if planted(*names, name) is not None and all(name not in pair for pair in DEPENDENT):
            names.append(name)
    text = planted(*names)
    assert text is not None
    assert len(names) > 30
    said = [problem.text for problem in problems(text)]
    assert [name for name in names if not any(PLANTED[name][2] in one for one in said)] == []
