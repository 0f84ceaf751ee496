"""What is said of single mistakes in platoon scenarios: where the mistake is, and nothing beside it."""

from pathlib import Path

import pytest
from test_platoon_pairs import TEXT, problems

from hexengine.content.loader import check
from hexengine.content.resources import data_path

ONE_MISTAKE = [
    # what is changed, into what, what is said, the words in the file where it is said
    ('sides = ["east", "west"]', 'sides = "east"', 'sides must be a list, not "east"', '"east"\nstrikes'),
    (
        'sides = ["east", "west"]',
        'sides = ["west", "west"]',
        "the two sides have the same name",
        '["west", "',
    ),
    ('id = "rifles"', 'id = "tank"', "the id 'tank' is used twice", '"tank"\nside = "east"\nmorale = 6'),
    ("turns = 7", "turns = 0", "turns must be from 1 to 99, not 0", "0\nsides"),
    ("..ww...f..w.\n", "\n..ww...f..w.\n", "line 1 of terrain is empty", "\n..ww...f..w."),
    ("..ww...f..w.", "\t..ww...f..w.", "the letter '\\t' is not in the legend", "\t..ww"),
    ("..ww...f..w.", "..ww...f..w", "row 1 has 11 hexes, most have 12", "\n.www..ff"),
    (
        'm = "marsh"',
        'm = "wooded-hill"',
        "wooded-hill is what woods is at level 1 and above",
        '"wooded-hill"',
    ),
    (
        '"0103-0203-',
        '"0103-0203-0103-0203-',
        "this line goes back at once between 0103 and 0203",
        '"0103-0203-01',
    ),
    ('"0501/0601", ', '"0501/0601", "0601/0501", ', "0601/0501 is given twice", '"0601/0501"'),
    ('id = "t2"', 'id = "0303"', "the id '0303' is the name of a hex", '"0303"\ntype'),
    ('id = "t2"', 'id = "done"', "the id 'done' is a word of orders", '"done"'),
    ('id = "t2"', 'id = "-h"', "the id '-h' looks like an option", '"-h"'),
    ('id = "t2"', 'id = "T1"', "the ids 't1' and 'T1' differ in nothing but capitals", '"T1"'),
    (
        'carrier = "carrier-1"',
        'hex = "0406"\ncarrier = "carrier-1"',
        "squad-1 has both hex and carrier",
        '"carrier-1"\n\n[[unit]]\nid = "squad-2"',
    ),
    (
        'hex = "0505"',
        'hex = "0505"\nhexes = ["0505"]',
        "hexes are where a reinforcement may enter",
        '["0505"]',
    ),
    (
        'hex = "0303"',
        'hex = "0303"\nsteps = 2\nstatus = ["reduced"]',
        "t2 cannot have both steps and be",
        "2\nstat",
    ),
    (
        'turn = 4\nhexes = ["1202"]',
        'hexes = ["1202"]\narrival = 3',
        "hexes are where a reinforc",
        '["1202"]\narr',
    ),
    (
        'carrier = "foot-1"',
        "turn = 4",
        "the support weapon missile-1 comes with its infantry",
        '4\n\n[[unit]]\nid = "mar',
    ),
    (
        'hex = "1003"\n\n[[unit]]\nid = "foot-1"',
        'hex = "1003"\npictured = ["t-55"]\n\n[[unit]]\nid = "foot-1"',
        "no unit of guard is of a type that chief pictures",
        '["t-55"]',
    ),
    ('armour = "2/5"\n', "", "jaguar: a hard unit needs armour", "[[type]]"),
    ('armour = "2/5"\n', 'armour = "2/9"\n', 'armour is not well formed: "2/9"', '"2/9"'),
    ('mobility = "tracked"', 'mobility = "air"', "jaguar: only air units fly", '"air"'),
    ("ma = 8", "ma = 8\nradius = 3", "jaguar: a hard unit has no radius", "3\nap"),
    ('"12um/3/3"', '"12um/30/3"', "jaguar: ap has too many dice", '"12um/30'),
    ('"12um/3/3"', '"0/3/3"', "jaguar: the range of ap must be from 1 to 99", '"0/3/3"'),
    (
        "{ ap = 2 }",
        "{ ap = 4 }",
        "jaguar: the reduced side has more ap (4) than the full one (3)",
        "4 }\n\n[[terr",
    ),
    (
        "{ ap = 2 }",
        '{ ap = 2 }\nflags = ["indirect"]',
        "jaguar: indirect fire is that of an he block",
        '["indir',
    ),
    ("tracked = 3", "tracked = -1", "tracked must be from 0 to 99, not -1", "-1\n"),
    ("tracked = 3", 'tracked = "never"', 'unknown tracked "never"', '"never"'),
    ("tracked = 3", "tracked = 0", "marsh: this is no cost in MP for tracked", "0\n\n[[vic"),
    ('kind = "steps"', 'kind = "steps"\nwhen = "turns"', 'unknown when "turns"', '"turns"'),
    ('kind = "steps"', 'kind = "steps"\nat_least = 2', "only hold asks for a number of hexes", "2\nside"),
    (
        'draws = "west"',
        'draws = "west"\nactive = "rifles"',
        "rifles is active, so a marker of it",
        '"rifles", "guard"',
    ),
    (
        'id = "marsh"\n',
        'id = "marsh"\nleg = 3\n\n[[terrain]]\nid = "marsh"\n',
        "the terrain 'marsh' is changed tw",
        '"marsh"\ntracked',
    ),
]


@pytest.mark.parametrize(("old", "new", "said", "where"), ONE_MISTAKE)
def test_one_mistake_is_told_once_at_its_place(old: str, new: str, said: str | None, where: str) -> None:
    assert TEXT.count(old) >= 1
    text = TEXT.replace(old, new, 1)
    found = problems(text)
    if said is None:
        return
    assert [problem.text[: len(said)] for problem in found] == [said], [str(problem) for problem in found]
    offset = text.index(where)
    place = text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
    assert (found[0].line, found[0].column) == place


def test_a_ford_of_a_river_that_cannot_be_read_is_left_alone() -> None:
    """The side that is forded may be the one that was meant; a ford far from the fault is told."""
    text = TEXT.replace("0502/0601", "0502-0601", 1)
    (problem,) = problems(text)
    assert "'0502-0601' is no hexside" in problem.text
    far = text.replace('fords = ["0502/0601"]', 'fords = ["0901/0902"]')
    assert [one.text[:30] for one in problems(far) if "ford" in one.text] == [
        "there is no river between 0901"[:30]
    ]


def test_an_hq_that_the_enemy_does_not_have() -> None:
    """Points for what cannot happen."""
    text = TEXT.replace('kind = "steps"', 'kind = "hq"')
    assert problems(text) == []
    text = text.replace('type = "hq-su"', 'type = "t-72"').replace("missions = { he = 2 }", "")
    text = text.replace("strikes = { east = 1 }", "")
    assert [problem.text for problem in problems(text)] == ["east has no HQ that could be eliminated"]


def test_the_one_too_many_is_named() -> None:
    """Over-stacking is told at the third unit of a hex, with all that stand there."""
    text = TEXT.replace('hex = "0706"', 'hex = "1003"').replace('hex = "1102"', 'hex = "1003"')
    (found,) = problems(text)
    assert found.text == "more than 2 units of a side stand in 1003: foot-1, mar-1, hunter"
    assert text.split("\n")[found.line - 4] == 'id = "hunter"'


def test_a_stack_of_very_many_is_not_listed_whole() -> None:
    """The message stays one that can be read."""
    start = TEXT.index('[[unit]]\nid = "hunter"')
    unit = TEXT[start : TEXT.index("[[", start + 2)].replace('hex = "1102"', 'hex = "1003"')
    crowd = "".join(unit.replace('"hunter"', f'"crowd-{number}"') for number in range(500))
    (found,) = problems(TEXT[:start] + crowd + TEXT[start:])
    assert found.text.startswith("more than 2 units of a side stand in ")
    assert found.text.endswith(", …")
    assert len(found.text) < 200


def test_without_a_map_the_rest_is_looked_at() -> None:
    """Nothing is said of hexes, but of all else."""
    start = TEXT.index("terrain = ")
    text = TEXT[:start] + TEXT[TEXT.index("levels = ") :]
    text = text.replace('carrier = "foot-1"', 'carrier = "t1"').replace(
        '"rifles", "guard"', '"rifels", "guard"'
    )
    assert [problem.text for problem in problems(text)] == [
        "terrain is missing",
        "t1 is no infantry",
        "there is no marker 'rifels'",
    ]


def test_the_counters_of_a_data_file_are_looked_at(tmp_path: Path) -> None:
    """``check`` finds in units.toml what it finds in the types of a scenario."""
    file = tmp_path / "data" / "platoon" / "units.toml"
    file.parent.mkdir(parents=True)
    text = data_path("platoon", "units").read_text("utf-8")
    file.write_text(text, encoding="utf-8")
    assert check([file]) == []
    file.write_text(text.replace("radius = 5", "ma = 5", 1), encoding="utf-8")
    assert ["an HQ has no ma" in problem.text for problem in check([file])] == [True, False]
