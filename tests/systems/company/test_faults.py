"""Whatever is wrong with a company scenario is told in one run, each fault at its place, and no more."""

import pytest

from hexengine.content.loader import check
from tests.systems.planting import Fault, apart, differences, pairs, problems

GOOD = '''format = 1
system = "company"
title = "The dairy"
turns = 6
sides = ["red", "grey"]
hedges = ["0201/0301"]
inner_walls = ["0604/0704"]

[options]
no_dig = ["rough"]

[map]
terrain = """
..........
.f......f.
..w..r...w
.....bb...
.~...b..w.
....f.....
..........
"""
names = { 0604 = "Dairy" }
control = { 0604 = "grey" }
roads = ["0107-0206-0307"]
rivers = ["0901/0902"]
legend."." = "clear"
legend.b = "building"
legend.w = "woods"
legend.f = "fields"
legend.r = "rough"
legend."~" = "lake"

[[opening]]
side = "0604/0504"
kind = "door"

[[opening]]
side = "0704/0803"
floor = 1

[[opening]]
side = "0605/0606"
kind = "breach"

[[platoon]]
id = "first"
side = "red"
skill = "trained"
motivation = "confident"

[[platoon]]
id = "second"
side = "grey"
skill = "veteran"
motivation = "reluctant"

[[platoon]]
id = "third"
side = "grey"
skill = "conscript"
motivation = "fearless"
reserve = true
hexes = ["1004", "1005"]

[[unit]]
id = "r1"
type = "rifle-mg"
platoon = "first"
hex = "0102"

[[unit]]
id = "r2"
type = "rifle-mg"
platoon = "first"
hex = "0104"
markers = ["moved"]

[[unit]]
id = "r3"
type = "rifle"
platoon = "first"
hex = "0504"
touching = "0604"

[[unit]]
id = "chief"
type = "company-command"
side = "red"
skill = "veteran"
motivation = "fearless"
hex = "0106"

[[unit]]
id = "tank"
type = "own-tank"
platoon = "first"
hex = "0206"
facing = "0307"
status = ["bogged"]

[[unit]]
id = "g1"
type = "rifle"
platoon = "second"
hex = "0704"
floor = 1

[[unit]]
id = "g2"
type = "rifle"
platoon = "second"
hex = "0802"
status = ["dug-in"]

[[unit]]
id = "g3"
type = "rifle"
platoon = "third"

[[type]]
id = "own-tank"
name = "Tank"
kind = "vehicle"
mobility = "tracked"
armour = "4/2/1"
weapons = ["own-gun"]

[[type]]
id = "howitzer"
name = "Howitzer"
kind = "gun"
size = "heavy"
mobility = "heavy-gun"
bombardment = { range = "48 in", at = 3, firepower = 4 }

[[weapon]]
id = "own-gun"
range = "20 in"
rof = 2
at = 8
firepower = 4

[[terrain]]
id = "fields"
conceals = false

[[air]]
side = "red"
calls = 1
need = 5
rof = 2
at = 3
firepower = 4

[[victory]]
kind = "hold"
side = "red"
hexes = ["0604", "0704"]
points = 3
wins = true
from_turn = 4

[[victory]]
kind = "losses"
side = "grey"
points = 2

[start]
turn = 2
active = "grey"
step = "movement"
'''

FAULTS = {
    "hedge": Fault('"0201/0301"', '"0201/0401"', "not neighbours"),
    "inner wall": Fault('inner_walls = ["0604/0704"]', 'inner_walls = [@"0604/0603"]', "between two rooms"),
    "no dig": Fault('no_dig = ["rough"]', 'no_dig = [@"ruff"]', "no terrain 'ruff'"),
    "row": Fault('"""\n..........\n', '"""\n.........@\n', "row 1 has 9 hexes"),
    "letter": Fault("\n..w..r...w\n", "\n..w..r...@x\n", "'x' is not in the legend"),
    "legend": Fault('w = "woods"', 'w = @"wods"', "no terrain 'wods'"),
    "control": Fault('{ 0604 = "grey" }', '{ 0604 = @"gray" }', "no side 'gray'"),
    "road": Fault('"0107-0206-0307"', '"0107-0307"', "not neighbours"),
    "river": Fault('"0901/0902"', '"0901-0902"', "is no hexside"),
    "works": Fault("names = {", 'positions = @["0101"]\nnames = {', "[map] has no"),
    "opening": Fault('side = "0604/0504"', 'side = @"0604/0704"', "no outer wall"),
    "kind of opening": Fault('kind = "breach"', 'kind = @"gap"', "unknown kind"),
    "skill": Fault('skill = "trained"', 'skill = @"elite"', "unknown skill"),
    "side of platoon": Fault('id = "third"\nside = "grey"', 'id = "third"\nside = @"gray"', "no side 'gray'"),
    "no hexes": Fault(
        'id = "third"\nside = "grey"\nskill = "conscript"\nmotivation = "fearless"\nreserve = true\n'
        'hexes = ["1004", "1005"]',
        'id = @"third"\nside = "grey"\nskill = "conscript"\nmotivation = "fearless"\nreserve = true',
        "needs hexes",
    ),
    "entry": Fault('"1005"]', '@"0205"]', "nobody can come in"),
    "entry off the map": Fault('["1004",', '[@"1104",', "no column 11"),
    "type": Fault('type = "company-command"', 'type = @"chief"', "no team type"),
    "platoon": Fault('platoon = "first"\nhex = "0504"', 'platoon = @"fourth"\nhex = "0504"', "no platoon"),
    "hex": Fault('hex = "0106"', 'hex = @"0109"', "no row 09"),
    "on foot": Fault('hex = "0102"', 'hex = "0102"\nfacing = @"0103"', "faces nowhere"),
    "facing": Fault('facing = "0307"', 'facing = @"0407"', "not next to tank"),
    "floor": Fault("floor = 1\n\n[[unit]]", "floor = @7\n\n[[unit]]", "no floor 7"),
    "dug in": Fault('status = ["bogged"]', 'status = [@"dug-in"]', "only infantry and guns"),
    "bogged": Fault('status = ["dug-in"]', 'status = [@"bogged"]', "never bogs"),
    "marker": Fault('markers = ["moved"]', 'markers = [@"blocker"]', "touches an opening"),
    "both sides": Fault('hex = "0802"', 'hex = @"0104"', "both sides stand"),
    "side given": Fault('id = "r1"\n', 'id = "r1"\nside = @"grey"\n', "of the side of its platoon"),
    "not there yet": Fault('platoon = "third"', 'platoon = "third"\nhex = @"1004"', "comes with its platoon"),
    "duplicate": Fault('id = "g2"', 'id = @"g1"', "used twice"),
    "size": Fault(
        '[[type]]\nid = "howitzer"\nname = "Howitzer"\nkind = "gun"\nsize = "heavy"\n',
        '[[type]]\nid = "howitzer"\nname = "Howitzer"\nkind = "gun"\n',
        "needs its size",
    ),
    "mobility": Fault('mobility = "tracked"', 'mobility = @"traced"', "no mobility"),
    "weapon": Fault('weapons = ["own-gun"]', 'weapons = [@"gnu"]', "no weapon 'gnu'"),
    "bombardment": Fault('range = "48 in"', 'range = @"47 in"', "not whole hexes"),
    "range": Fault('range = "20 in"', 'range = @"21 in"', "not whole hexes"),
    "terrain": Fault('id = "fields"', 'id = @"feilds"', "no terrain 'feilds' to change"),
    "air": Fault("calls = 1", "calls = @0", "from 1 to 40"),
    "need": Fault("need = 5", "need = @7", "from 1 to 6"),
    "held": Fault('hexes = ["0604", "0704"]', 'hexes = ["0604", @"0708"]', "no row 08"),
    "from turn": Fault("from_turn = 4", "from_turn = @7", "the last turn is 6"),
    "losses": Fault("points = 2", 'hex = @"0101"', "only side and points"),
    "turn": Fault("turn = 2", "turn = @7", "the last turn is 6"),
    "active": Fault('active = "grey"', 'active = @"gray"', "no side 'gray'"),
}

ALONE = {
    "turns": Fault("turns = 6", "turns = @0", "from 1 to 99"),
    "sides alike": Fault('sides = ["red", "grey"]', 'sides = @["red", "red"]', "the same name"),
    "one side": Fault('sides = ["red", "grey"]', 'sides = @["red"]', "exactly 2"),
    "no map": Fault("[map]\n", "[@maps]\n", "unknown key"),
    "size of hexes": Fault("[options]\n", "[options]\nhex_inches = @3\n", "not whole hexes of 3 in"),
    "kind": Fault('kind = "vehicle"', 'kind = @"cart"', "unknown kind"),
    "no type": Fault('type = "own-tank"', 'type = @"tank"', "no team type 'tank'"),
    "platoon twice": Fault('id = "second"', 'id = @"first"', "used twice"),
    "no such platoon": Fault('platoon = "third"', 'platoon = @"fird"', "no platoon 'fird'"),
    "hex": Fault('hex = "0802"', 'hex = @"8,2"', "not well formed"),
    "hexside": Fault('side = "0704/0803"', 'side = @"0704-0803"', "not well formed"),
    "nowhere": Fault('side = "0704/0803"', 'side = @"0704/0892"', "no row 92"),
    "no opening to touch": Fault('side = "0604/0504"', 'side = @"0604/9904"', "no column 99"),
    "range": Fault('range = "20 in"', 'range = @"20"', "not well formed"),
    "armour": Fault('armour = "4/2/1"', 'armour = @"4/2"', "not well formed"),
    "reserve": Fault("reserve = true", 'reserve = @"yes"', "must be true or false"),
    "reserve and ambush": Fault("reserve = true", "reserve = true\nambush = @true", "not both"),
    "neither": Fault('id = "second"\n', 'id = "second"\nhexes = @["1001"]\n', "neither reserve nor ambush"),
    "side of another": Fault(
        'platoon = "second"\nhex = "0802"',
        'platoon = "second"\nside = @"red"\nhex = "0104"',
        "of the side of",
    ),
    "no teams": Fault(
        'id = "second"',
        'id = @"fourth"\nside = "red"\nskill = "trained"\nmotivation = "confident"\n\n'
        '[[platoon]]\nid = "second"',
        "has no teams",
    ),
    "no reserve": Fault('reserve = true\nhexes = ["1004"', 'hexes = @["1004"', "neither reserve nor ambush"),
    "no platoon": Fault(
        '[[unit]]\nid = "g2"\ntype = "rifle"\nplatoon = "second"\nhex = "0802"',
        '@[[unit]]\nid = "g2"\ntype = "rifle"',
        "needs side, skill, motivation",
    ),
    "no such status": Fault('status = ["dug-in"]', 'status = [@"dug"]', "unknown"),
    "no such marker": Fault('markers = ["moved"]', 'markers = [@"x"]', "unknown"),
    "a word": Fault('id = "g2"', 'id = @"Doubled"', "is a word of orders"),
    "a place": Fault('id = "g2"', 'id = @"0403"', "is the name of a hex"),
    "capitals": Fault('id = "g2"', 'id = @"G1"', "differ in nothing but capitals"),
    "an option": Fault('id = "g2"', 'id = @"-g2"', "looks like an option"),
    "no win": Fault("wins = true\nfrom_turn = 4", "from_turn = @4", "from when on"),
    "armoured infantry": Fault(
        'kind = "gun"\nsize = "heavy"', 'kind = "gun"\nsize = "heavy"\narmour = @"1/1/1"', "only vehicles"
    ),
    "size of a vehicle": Fault(
        'kind = "vehicle"', 'kind = "vehicle"\nsize = @"heavy"', "only guns have a size"
    ),
    "hedge twice": Fault('hedges = ["0201/0301"]', 'hedges = ["0201/0301", @"0301/0201"]', "given twice"),
    "lake": Fault('hex = "0102"', 'hex = @"0205"', "it is impassable"),
    "all rooms": Fault(
        'reserve = true\nhexes = ["1004", "1005"]\n\n[[unit]]\nid = "r1"\n',
        'reserve = true\nhexes = @["0604", "0605"]\n\n[[unit]]\nid = "lorry"\ntype = "truck"\n'
        'platoon = "third"\n\n[[unit]]\nid = "r1"\n',
        "lorry can never enter here",
    ),
    "beyond the lake": Fault('hexes = ["0604", "0704"]', 'hexes = ["0604", @"0205"]', "ever come to 0205"),
    "room": Fault('hex = "0206"\nfacing = "0307"', 'hex = @"0604"', "cannot be in a building"),
}
"""Of these nothing follows that would be told besides."""


def test_the_scenario_is_good():
    assert problems(GOOD) == []


@pytest.mark.parametrize("name", FAULTS)
def test_no_fault_hides_another(name):
    assert differences(GOOD, [FAULTS[name]]) == []
    assert pairs(GOOD, list(FAULTS.values()), FAULTS[name]) == []


def test_all_faults_are_told_in_one_run():
    together = apart(GOOD, FAULTS.values())
    assert len(together) >= len(FAULTS) - 4
    assert differences(GOOD, together) == []


@pytest.mark.parametrize("name", ALONE)
def test_nothing_follows_from_a_fault(name):
    assert differences(GOOD, [ALONE[name]]) == []


def test_who_is_one_too_many_is_told_and_counts_no_further():
    """Also where so many stand together that no byte would hold them."""
    more = "".join(
        f'[[unit]]\nid = "m{n}"\ntype = "truck"\nplatoon = "first"\nhex = "0101"\n\n' for n in range(40)
    )
    told = problems(GOOD.replace("[[type]]", more + "[[type]]", 1))
    assert len(told) == 38
    assert "m2 is one too many" in told[0].text and "m39 is one too many" in told[-1].text


@pytest.mark.parametrize(("size", "fits"), [(1, True), (2, True), (3, False), (4, False), (12, False)])
def test_the_sizes_of_hexes_that_fit(size, fits):
    told = problems(GOOD.replace("[options]\n", f"[options]\nhex_inches = {size}\n"))
    assert [one.suggestion for one in told] == ([] if fits else ["hex_inches may be 1 or 2"])


def test_types_of_a_data_file_are_looked_at_too(tmp_path):
    file = tmp_path / "data" / "company" / "units.toml"
    file.parent.mkdir(parents=True)
    gun = 'id = "gun"\nname = "Gun"\nkind = "gun"\nmobility = "heavy-gun"'
    file.write_text(f"weapon = []\n[[type]]\n{gun}\n", encoding="utf-8")
    (problem,) = check([file])
    assert (problem.line, problem.column) == (2, 1) and "a gun needs its size" in problem.text
