"""Whatever is wrong with a squad scenario is told in one run, each fault at its place, and no more."""

import pytest

from hexengine.content.loader import check
from tests.systems.planting import Fault, apart, differences, pairs, problems

GOOD = '''format = 1
system = "squad"
title = "The saw mill"
turns = 8
sides = ["us", "de"]
initiative = "de"
foxholes = ["0902"]
lit = ["0404"]

[options]
night = true

[map]
terrain = """
.ww..f....
..w.sf.w..
...ws..t..
~..w..f.B.
..w...f...
"""
names = { 0503 = "Saw mill" }
control = { 0502 = "de" }
roads = ["0105-0204-0304-0403"]
streams = ["0602/0702"]
legend."." = "clear"
legend.w = "woods"
legend.f = "fields"
legend.s = "stone-building"
legend.t = "tall-building"
legend.B = "bunker"
legend."~" = "lake"

[[unit]]
id = "s1"
type = "squad-us"
side = "us"
hex = "0103"

[[unit]]
id = "s2"
type = "squad-us"
side = "us"
hex = "0102"
markers = ["moved"]

[[unit]]
id = "lt"
type = "leader-us"
side = "us"
hex = "0103"
status = ["wounded"]

[[unit]]
id = "tube"
type = "bazooka"
carrier = "s1"

[[unit]]
id = "car"
type = "lorry"
side = "us"
hex = "0105"
facing = "0204"

[[unit]]
id = "s3"
type = "squad-us"
side = "us"
carrier = "car"

[[unit]]
id = "g1"
type = "squad-de"
side = "de"
hex = "0502"

[[unit]]
id = "g2"
type = "squad-de"
side = "de"
hex = "0803/1"
status = ["hidden"]

[[unit]]
id = "g3"
type = "squad-de"
side = "de"
hex = "0904/b"
event = "whistle"

[[unit]]
id = "lmg"
type = "mg-de"
hex = "1001"

[[type]]
id = "lorry"
name = "Lorry"
kind = "vehicle"
values = "0-0-8"
seats = 2

[[type]]
id = "reserve"
kind = "squad"
values = "1-4-4"
half = { values = "0-4-4" }

[[terrain]]
id = "fields"
leg = 2

[[mines]]
hex = "0404"
side = "de"
fp = 2

[[ffe]]
hex = "0701"
fp = 2

[[mission]]
side = "us"
fp = 3

[[event]]
id = "whistle"
hex = "0702"
side = "us"
text = "A whistle."

[[victory]]
kind = "hold"
side = "us"
hexes = ["0502", "0503", "0803"]
at_least = 2

[[victory]]
kind = "losses"
side = "us"
points = 2

[[victory]]
kind = "hold"
side = "de"
hex = "0603"

[[level]]
margin = 1
name = "narrow"

[[level]]
margin = 5
name = "clear"

[start]
turn = 2
phase = "operations"
impulse = "us"
'''

RESERVE = 'id = "reserve"\nkind = "squad"\nvalues = "1-4-4"\n'
HALF = 'half = { values = "0-4-4" }\n'
FAULTS = {
    "initiative": Fault('initiative = "de"', 'initiative = @"fr"', "no side 'fr'"),
    "foxholes": Fault('foxholes = ["0902"]', 'foxholes = [@"0909"]', "no row 09"),
    "lit": Fault('lit = ["0404"]', 'lit = [@"9904"]', "no column 99"),
    "option": Fault("night = true", "nights = true", "unknown key"),
    "row": Fault("\n.ww..f....\n", "\n.ww..f...@\n", "row 1 has 9 hexes"),
    "letter": Fault("\n..w...f...\n", "\n..w...@q...\n", "'q' is not in the legend"),
    "legend": Fault('f = "fields"', 'f = @"feilds"', "no terrain 'feilds'"),
    "control": Fault('{ 0502 = "de" }', '{ 0502 = @"fr" }', "no side 'fr'"),
    "road": Fault('"0105-0204-0304-0403"', '"0105-0304"', "not neighbours"),
    "stream": Fault('"0602/0702"', '"0602-0702"', "is no hexside"),
    "works": Fault("names = {", 'wrecks = @["0101"]\nnames = {', "[map] has no"),
    "type": Fault('id = "s2"\ntype = "squad-us"', 'id = "s2"\ntype = @"squad-uk"', "no unit type"),
    "key": Fault('hex = "0103"\nstatus', 'sides = "us"\nhex = "0103"\nstatus', "unknown key"),
    "hex": Fault('hex = "0102"', 'hex = @"0108"', "no row 08"),
    "marker": Fault('markers = ["moved"]', 'markers = [@"moving"]', "unknown"),
    "wounded": Fault('id = "s1"\n', 'id = "s1"\nstatus = [@"wounded"]\n', "single men"),
    "leader": Fault('status = ["wounded"]', 'status = [@"half"]', "has no half"),
    "carrier": Fault('carrier = "s1"', 'carrier = @"s9"', "no unit 's9'"),
    "weapon's side": Fault('id = "lmg"\n', 'id = "lmg"\nside = @"de"\n', "is of no side"),
    "both": Fault('type = "bazooka"\n', 'type = "bazooka"\nhex = @"0102"\n', "not both"),
    "facing": Fault('facing = "0204"', 'facing = @"0304"', "not next to car"),
    "passenger": Fault('carrier = "car"', 'carrier = @"g2"', "is no weapon"),
    "duplicate": Fault('id = "g3"', 'id = @"g1"', "used twice"),
    "floor": Fault('hex = "0803/1"', 'hex = @"0803/4"', "no floor"),
    "event": Fault('event = "whistle"', 'event = @"bell"', "no event 'bell'"),
    "loose": Fault('hex = "1001"', 'hex = "1001"\nstatus = @["shaken"]', "nothing is marked"),
    "seats": Fault('values = "1-4-4"', 'values = "1-4-4"\nseats = @2', "only vehicles"),
    "half": Fault(f"[[type]]\n{RESERVE}{HALF}", f"[[type]]\n{RESERVE}", "needs its half"),
    "load": Fault("seats = 2\n", "seats = 2\nload = @1\n", "only weapons"),
    "values": Fault('values = "0-0-8"', 'values = @"0-0-999"', "not well formed"),
    "terrain": Fault('id = "fields"\nleg', 'id = @"feild"\nleg', "no terrain 'feild' to change"),
    "cost": Fault("leg = 2", "leg = @0", "at least one MP"),
    "mines": Fault('hex = "0404"\nside = "de"', 'hex = @"1204"\nside = "de"', "no column 12"),
    "ffe": Fault('hex = "0701"', 'hex = @"0799"', "no row 99"),
    "mission": Fault('[[mission]]\nside = "us"', '[[mission]]\nside = @"uk"', "no side 'uk'"),
    "place of event": Fault('hex = "0702"', 'hex = @"0702/1"', "no floor"),
    "at least": Fault("at_least = 2", "at_least = @4", "only 3 hexes are listed"),
    "held": Fault('hexes = ["0502", "0503", "0803"]', 'hexes = ["0502", @"0593", "0803"]', "no row 93"),
    "losses": Fault("points = 2", 'hex = @"0101"', "only side and points"),
    "nothing held": Fault('kind = "hold"\nside = "de"\nhex = "0603"', 'kind = @"hold"\nside = "de"', "a hex"),
    "level": Fault("margin = 5", "margin = @1", "has its name already"),
    "turn": Fault("turn = 2\n", "turn = @9\n", "the last turn is 8"),
    "impulse": Fault('impulse = "us"', 'impulse = @"uk"', "no side 'uk'"),
}  # fmt: skip

ALONE = {
    "turns": Fault("turns = 8", "turns = @0", "from 1 to 99"),
    "sides alike": Fault('sides = ["us", "de"]', 'sides = @["us", "us"]', "the same name"),
    "one side": Fault('sides = ["us", "de"]', 'sides = @["us"]', "exactly 2"),
    "no map": Fault("[map]\n", "[@maps]\n", "unknown key"),
    "blank row": Fault('"""\n.ww..f....', '"""\n@\n.ww..f....', "is empty"),
    "kind": Fault('kind = "vehicle"', 'kind = @"cart"', "unknown kind"),
    "no id": Fault('[[type]]\nid = "lorry"\n', "[[type]]\n", "id is missing"),
    "no type": Fault('id = "car"\ntype = "lorry"', 'id = "car"\ntype = @"lori"', "no unit type 'lori'"),
    "carried nowhere": Fault('hex = "0105"', 'hex = @"0995"', "no row 95"),
    "carried badly": Fault('hex = "0105"', 'hex = @"1,5"', "not well formed"),
    "kind of goal": Fault('kind = "losses"', 'kind = @"lasses"', "unknown kind"),
    "phase": Fault('phase = "operations"', 'phase = @"beginning"', "unknown phase"),
    "no phase": Fault('phase = "operations"\nimpulse = "us"', 'impulse = @"us"', "Operations Phase alone"),
    "a word": Fault('id = "s2"', 'id = @"Crawl"', "is a word of orders"),
    "a place": Fault('id = "s2"', 'id = @"0403"', "is the name of a hex"),
    "capitals": Fault('id = "g2"', 'id = @"G1"', "differ in nothing but capitals"),
    "an option": Fault('id = "g2"', 'id = @"-g2"', "looks like an option"),
    "in the lake": Fault('hex = "0102"', 'hex = @"0104"', "nobody may be in 0104"),
    "in the water": Fault('hex = "0603"', 'hex = @"0104"', "ever come to 0104"),
    "floors": Fault(
        'id = "fields"\nleg = 2', 'id = @"tall-bilding"\nfloors = 5', "no terrain 'tall-bilding'"
    ),
    "no seats": Fault("seats = 2", 'seats = @"zz"', "must be a whole number"),
    "no such status": Fault('status = ["wounded"]', 'status = [@"dizzy"]', "unknown"),
    "in sight": Fault(
        'hex = "0502"\n\n[[unit]]', 'hex = "0501"\nstatus = [@"hidden"]\n\n[[unit]]', "is spotted as the game"
    ),
    "no caller": Fault('[[mission]]\nside = "us"', '[[mission]]\nside = @"de"', "nobody to call"),
    "enemy's weapon": Fault('carrier = "s1"', 'carrier = "s1"\nside = @"de"', "of the side of s1"),
    "event and carrier": Fault('carrier = "car"', 'carrier = "car"\nevent = @"whistle"', "not both"),
    "half a car": Fault("seats = 2\n", "seats = 2\nhalf = @{}\n", "only squads have a half"),
    "leading": Fault("seats = 2\n", "seats = 2\nlm = @1\n", "only leaders"),
    "smoking": Fault("seats = 2\n", "seats = 2\nsmoke = @3\n", "only squads and half-squads"),
    "second marker": Fault(
        "[[mission]]", '[[ffe]]\nhex = @"0701"\nfp = 1\n\n[[mission]]', "has its marker already"
    ),
    "rally": Fault('phase = "operations"\nimpulse = "us"', "passes = @2", "Operations Phase alone"),
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
        f'[[unit]]\nid = "m{n}"\ntype = "leader-us"\nside = "us"\nhex = "0101"\n\n' for n in range(40)
    )
    told = problems(GOOD.replace("[[type]]", more + "[[type]]", 1))
    assert len(told) == 38
    assert "m2 is one too many" in told[0].text and "m39 is one too many" in told[-1].text


@pytest.mark.parametrize("values", ["0-0-30", "100-0-1", "1-2", "1-2-3-4"])
def test_printed_values_are_within_reason(values):
    (problem,) = problems(GOOD.replace('"0-0-8"', f'"{values}"'))
    assert "not well formed" in problem.text and "up to 29 MF" in problem.suggestion


def test_counters_of_a_data_file_are_looked_at_too(tmp_path):
    file = tmp_path / "data" / "squad" / "units.toml"
    file.parent.mkdir(parents=True)
    file.write_text(f"[[type]]\n{RESERVE}smoke = 4\n", encoding="utf-8")
    (problem,) = check([file])
    assert (problem.line, problem.column) == (1, 1) and "a squad needs its half" in problem.text
