"""Scenario files: what loads, and that every fault is found once, where it is, in plain words."""

from hashlib import blake2b
from pathlib import Path

import pytest
from sheet_system import GOOD, KINDS, SheetSystem

from hexengine.content.data import data_digest, digest
from hexengine.content.faults import MOST
from hexengine.content.loader import check, load, loads
from hexengine.core.errors import BrokenSystem, ContentError, Problem
from hexengine.core.rulebook import WordsFile
from tests import toy


def problems(text: str) -> list[Problem]:
    """The faults of a text; an empty list if it loads."""
    try:
        loads(text, "test")
    except ContentError as error:
        return list(error.problems)
    return []


def place_of(text: str, part: str) -> tuple[int, int]:
    """Line and column of `part` where it first stands."""
    offset = text.index(part)
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def test_a_good_file_loads() -> None:
    scenario = loads(GOOD, "crossroads")
    assert (scenario.name, scenario.title, scenario.system) == ("crossroads", "The crossroads", "sheet")
    assert (scenario.turns, scenario.sides) == (8, ("nato", "wp"))
    assert (scenario.source, scenario.path) == (GOOD, None)
    assert not scenario.shipped
    assert not scenario.tiny
    assert scenario.board == ["..ww.t", ".ffw.."]


def test_a_title_in_several_languages_is_read_in_english() -> None:
    text = GOOD.replace('"The crossroads"', '{ ru = "Перекрёсток", en = "Crossroads" }')
    assert loads(text, "x").title == "Crossroads"


@pytest.mark.parametrize(
    "data",
    [
        GOOD.encode(),
        GOOD.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode(),
        GOOD.removesuffix("\n").encode(),
    ],
    ids=["LF", "CR LF", "CR LF with byte-order mark", "no last line end"],
)
def test_one_board_saved_four_ways_is_one_board(tmp_path: Path, data: bytes) -> None:
    """Case G02."""
    file = tmp_path / "board.toml"
    file.write_bytes(data)
    scenario = load(file)
    assert scenario.board == ["..ww.t", ".ffw.."]
    assert scenario.path == file
    if data.endswith(b"\n"):
        assert scenario.digest == loads(GOOD, "other name").digest


ONE_MISTAKE = [
    # what is changed, into what, where the fault is seen, what is said, what is suggested
    ('title = "The', 'titel = "The', "titel", 'unknown key "titel"', 'did you mean "title"?'),
    ("night = true", "nihgt = true", "nihgt", 'unknown key "nihgt"', 'did you mean "night"?'),
    ("night = true", "zz = true", "zz", 'unknown key "zz"', "known here: format, system, title, turns"),
    ("turns = 8\n", "", "format", "turns is missing", "add turns = 1"),
    ("turns = 8", "turns = 0", "0", "turns must be from 1 to 40, not 0", None),
    ("turns = 8", 'turns = "8"', '"8"', 'turns must be a whole number, not "8"', "write 8 without quotes"),
    ("turns = 8", 'turns = "eight"', '"eight"', 'turns must be a whole number, not "eight"', None),
    ("turns = 8", "turns = 8.0", "8.0", "turns must be a whole number, not 8.0", "write 8"),
    ("turns = 8", "turns = 8.5", "8.5", "turns must be a whole number, not 8.5", None),
    ("turns = 8", "turns = true", "true", "turns must be a whole number, not true", None),
    ("turns = 8", "turns = [8]", "[8]", "turns must be a whole number, not a list", None),
    ("turns = 8", "turns = 1985-08-14", "1985", "turns must be a whole number, not a date", None),
    ("turns = 8", "turns = 99999999999999999999", "9999", "turns is a number of more than 64 bits", None),
    ('"wp"]', '"wp", "un"]', '["nato"', "sides must have exactly 2 entries, not 3", None),
    ('"m1-1"', '"m1 1"', '"m1 1"', 'id is not well formed: "m1 1"', "small letters, digits and -"),
    ('"m1-1"', '"m1-1\\n"', '"m1-1', 'id is not well formed: "m1-1\\n"', "small letters, digits and -"),
    ('"0301"', '"٠٣٠١"', '"٠', 'hex is not well formed: "٠٣٠١"', "column and row, such as 0301"),
    ('"m1-1"', '""', '""\ntype', 'id is not well formed: ""', "small letters, digits and -"),
    ("night = true", "night = 1", "1\nscale", "night must be true or false, not 1", "write true"),
    ("scale = 0.5", "scale = inf", "inf", "scale must be a finite number, not inf", None),
    ("scale = 0.5", "scale = nan", "nan", "scale must be a finite number, not nan", None),
    ("[1, 2]", "[1, 2, 3]", "[1, 2, 3]", "corner must have exactly 2 entries, not 3", None),
    ("[1, 2]", "[1, 2.5]", "2.5", "item 2 of corner must be a whole number, not 2.5", None),
    (".ffw..", ".fxw..", "xw..", "no terrain x", None),
    (".ffw..", ".ffw.", '\n"""\nlegend', "this row has 5 hexes, the first 6", None),
    (', f = "fields"', ', f = "fields", xy = "x"', "xy", "xy must have exactly 1 character, not 2", None),
    (', f = "fields"', ', f = "fields", "" = "x"', '"" =', '"" must not be empty', None),
    ('0601 = "Neu', '061 = "Neu', "061", '061 is not well formed: "061"', "column and row, such as 0301"),
    ('en = "Old', 'fr = "Old', "fr", 'unknown key "fr"', "known here: en, ru"),
    ('"Neudorf"', "7", "7, 0102", "0601 must be text in quotes or a table, not 7", None),
    ('"Neudorf"', '"Neu\\u001bdorf"', '"Neu', "0601 holds a control character", "code 27"),
    ('id = "m1-1"\n', "", '[[unit]]\ntype = "tank"', "id is missing", 'add id = "…"'),
    ('hex = "0301"', "hex = 1203", "1203", "hex must be text in quotes, not 1203", 'write "1203", in quotes'),
    (
        'hex = "0301"',
        "hex = true",
        "true\nstatus",
        "hex must be text in quotes, not true",
        "column and row, such as",
    ),
    ('hex = "0301"', "hex = 0301", "0301", "a number must not begin with 0", 'write "0301", in quotes'),
    ('hex = "0301"', 'hexx = "0301"', "hexx", 'unknown key "hexx"', 'did you mean "hex"?'),
    ('"disrupted"', '"disrupt"', '"disrupt"', 'unknown item 1 of status "disrupt"', "did you mean"),
    ('["disrupted"]', '"reduced"', '"reduced"', 'status must be a list, not "reduced"', 'write ["reduced"]'),
    ('"tank"', '"tnk"', '"tnk"', "unknown type tnk", None),
    ('hex = "0602"', 'hex = "0702"', '"0702"', "0702 is off the map", None),
    ("steps = 2", "steps = 3", '3\n\n[[victory]]\nkind = "hold"', "steps must be from 1 to 2, not 3", None),
    ('"t72-1"', '"m1-1"', '"m1-1"\ntype = "truck"', "a second unit m1-1", None),
    ('kind = "hold"\n', "", '[[victory]]\nside = "wp"', "kind is missing", 'add kind = "hold" or "losses"'),
    ('"hold"', '"hod"', '"hod"', 'unknown kind "hod"', 'did you mean "hold"?'),
    ('kind = "hold"', 'knd = "hold"', "knd", 'unknown key "knd"', 'did you mean "kind"?'),
    ('side = "nato"\nsteps', 'side = "natto"\nsteps', '"natto"', "unknown side natto", None),
    ("steps = 3", "stops = 3", "stops", 'unknown key "stops"', 'did you mean "steps"?'),
    ("[map]", "[[map]]", "[[map]]", "map must be a table, not a list", "write [name], not [[name]]: it"),
    ("[map]", "[mop]", "mop", 'unknown key "mop"', 'did you mean "map"?'),
    ("format = 1", "format = 2", "2", "this version reads format 1, not 2", None),
    ("format = 1\n", "", "system", "format is missing", "add format = 1"),
    ('system = "sheet"\n', "", "format", "system is missing", None),
    ('"sheet"', '"sheat"', '"sheat"', 'unknown system "sheat"', 'did you mean "sheet"?'),
    ('"sheet"', "5", "5\ntitle", "system must be text in quotes, not 5", None),
]


@pytest.mark.parametrize(("old", "new", "seen", "text", "advice"), ONE_MISTAKE)
def test_one_mistake_is_one_finding(old: str, new: str, seen: str, text: str, advice: str | None) -> None:
    """Each seeded mistake gives exactly one problem, at its place, that says what is wrong."""
    assert GOOD.count(old) >= 1
    changed = GOOD.replace(old, new, 1)
    found = problems(changed)
    assert len(found) == 1, [str(problem) for problem in found]
    assert (found[0].file, found[0].text) == ("test", text)
    line, column = place_of(changed, seen)
    assert (found[0].line, found[0].column) == (line, column)
    if advice is not None:
        assert (found[0].suggestion or "").startswith(advice)


def test_a_top_key_under_a_table_is_named_as_such() -> None:
    """The commonest slip of TOML: a key behind a [table] header belongs to that table."""
    text = GOOD.replace("turns = 8\n", "").replace("[map]\n", "[map]\nturns = 8\n")
    (problem,) = problems(text)
    assert (problem.line, problem.column) == place_of(text, "turns")
    assert problem.text == 'unknown key "turns"'
    assert problem.suggestion == "turns belongs at the top of the file, above the first [table]"


def test_a_top_key_under_two_tables_is_read_from_the_first() -> None:
    """The second one is a stray like any other: nothing is taken from it."""
    text = GOOD.replace("turns = 8\n", "").replace("[map]\n", "[map]\nturns = 8\n")
    text = text.replace("[[unit]]\n", "[[unit]]\nturns = 9\n", 1)
    first, second = problems(text)
    assert first.suggestion == "turns belongs at the top of the file, above the first [table]"
    assert second.text == 'unknown key "turns"'
    assert second.suggestion != first.suggestion


def test_all_faults_of_a_file_are_found_in_one_run() -> None:
    """Faults of form and of meaning together, sorted by place, none of them hiding another."""
    text = GOOD
    for old, new in [
        ("title = ", "titel = "),
        ("turns = 8", 'turns = "eight"'),
        ("scale = 0.5", "scale = nan"),
        ("..ww.t", "..wx.t"),
        (".ffw..", ".ffw."),
        ('"0301"', "1203"),
        ('"disrupted"', '"disrupt"'),
        ('"truck"', '"truk"'),
        ("steps = 2", "steps = 5\nmorale = 3"),
        ('side = "wp"', 'side = "wpp"'),
        ("steps = 3", "steps = 0"),
    ]:
        assert text.count(old) == 1
        text = text.replace(old, new)
    assert [str(problem) for problem in problems(text)] == [
        'test:3:1: unknown key "titel" (did you mean "title"?)',
        'test:4:9: turns must be a whole number, not "eight"',
        "test:7:9: scale must be a finite number, not nan",
        "test:12:4: no terrain x",
        "test:13:6: this row has 5 hexes, the first 6",
        'test:21:7: hex must be text in quotes, not 1203 (write "1203", in quotes)',
        'test:22:11: unknown item 1 of status "disrupt" (did you mean "disrupted"?)',
        "test:26:8: unknown type truk",
        "test:28:9: steps must be from 1 to 2, not 5",
        'test:29:1: unknown key "morale" (known here: id, type, hex, steps, status)',
        "test:33:8: unknown side wpp",
        "test:39:9: steps must be at least 1, not 0",
    ]


def test_meaning_is_looked_at_where_a_key_is_misspelt() -> None:
    """A misspelt table is read as what was meant, and its own faults are placed in it."""
    text = GOOD.replace("[map]", "[mapp]").replace(".ffw..", ".ffq..")
    assert [(problem.line, problem.text) for problem in problems(text)] == [
        (10, 'unknown key "mapp"'),
        (13, "no terrain q"),
    ]


def test_one_table_in_place_of_several_is_read_as_one() -> None:
    text = GOOD[: GOOD.index("[[unit]]")] + '[unit]\nid = "a"\ntype = "tnk"\nhex = "0101"\n'
    assert [str(problem) for problem in problems(text)] == [
        "test:18:1: unit must be a list, not a table (write [[name]], not [name])",
        "test:20:8: unknown type tnk",
    ]


def test_rules_are_cited_where_the_system_names_one() -> None:
    (problem,) = problems(GOOD.replace('"0602"', '"0702"'))
    assert problem.rule == "T1"


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing but words\n", "\ufeff"])
def test_an_empty_file_says_so(text: str) -> None:
    """Case G03."""
    (problem,) = problems(text)
    assert str(problem).startswith("test:1:1: there is nothing in this file (a scenario begins with format")


@pytest.mark.parametrize("rows", ["..\n.", ".\n..", "\n"])
def test_a_short_map_names_the_row(rows: str) -> None:
    """Case G03: three hexes in a two by two map; no hexes at all."""
    text = GOOD.replace("..ww.t\n.ffw..", rows)
    text = text[: text.index("[[unit]]")] + '[[unit]]\nid = "a"\ntype = "tank"\nhex = "0101"\n'
    found = [problem for problem in problems(text) if "off the map" not in problem.text]
    assert len(found) == 1
    assert found[0].line in (11, 13)


def test_a_flood_of_faults_ends() -> None:
    """Ten thousand unknown keys give a list that somebody can read, in a time that somebody can wait."""
    text = GOOD.replace("[map]", "\n".join(f"kezz{i} = 1" for i in range(10_000)) + "\n[map]")
    found = problems(text)
    assert len(found) == MOST + 1
    assert str(found[-1]).startswith(f"test: more than {MOST} faults")


def test_a_letter_that_is_everywhere_is_told_of_three_times() -> None:
    text = GOOD.replace('legend = { "." = "clear", ', "legend = { ")
    found = problems(text)
    assert [(problem.line, problem.column, problem.text) for problem in found] == [
        (12, 1, "no terrain ."),
        (12, 2, "no terrain ."),
        (12, 5, "no terrain ."),
    ]
    assert {problem.suggestion for problem in found} == {"6 such places, the first 3 are listed"}


def test_a_table_that_lacks_a_key_is_not_looked_at_further() -> None:
    """What is missing would make everything beside it look wrong."""
    text = GOOD[: GOOD.index("legend")] + GOOD[GOOD.index("names =") :]
    assert [str(problem) for problem in problems(text)] == ["test:10:1: legend is missing (add legend = {…})"]


def test_no_line_is_given_twice() -> None:
    found = problems(GOOD.replace('system = "sheet"', 'system = "sheets"'))
    assert [problem.text for problem in found] == ['unknown system "sheets"']


@pytest.mark.parametrize("name", ["zebra", ""])
def test_an_unknown_system_names_those_there_are(name: str) -> None:
    (problem,) = problems(GOOD.replace('"sheet"', f'"{name}"'))
    assert (problem.line, problem.column) == (2, 10)
    assert "sheet" in (problem.suggestion or "")


def test_a_system_that_does_not_load_is_a_problem_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> None:
        raise BrokenSystem(name, "no module named gone")

    monkeypatch.setattr("hexengine.content.loader.get_system", broken)
    (problem,) = problems(GOOD)
    assert problem.text == 'the rule system "sheet" is installed but does not load: no module named gone'


def test_a_crash_on_mended_data_hides_no_fault(sheet: SheetSystem, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(document: object, data: object, report: object) -> None:
        raise IndexError

    monkeypatch.setattr(sheet, "build", build)
    assert [problem.text for problem in problems(GOOD.replace("turns = 8", "turns = 0"))] == [
        "turns must be from 1 to 40, not 0"
    ]
    with pytest.raises(IndexError):
        loads(GOOD, "a good file shows the system's own fault")


def test_faults_of_data_files_are_placed_in_them(sheet: SheetSystem, tmp_path: Path) -> None:
    """A broken data file is reported beside the scenario's own faults, in its own file."""
    sheet.data_folder = tmp_path
    data = tmp_path / "kinds.toml"
    data.write_text(KINDS.replace("1.5", '"n"').replace('"soft"', '"sift"'), encoding="utf-8")
    found = problems(GOOD.replace("turns = 8", "turns = 0"))
    assert [(Path(problem.file).name, problem.line, problem.column) for problem in found] == [
        ("test", 4, 9),
        ("kinds.toml", 4, 8),
        ("kinds.toml", 8, 10),
    ]
    assert [problem.suggestion for problem in found] == [None, 'a number or "no"', 'did you mean "soft"?']


def test_a_system_may_report_into_a_data_file(sheet: SheetSystem, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(document: object, data: object, report: object) -> None:
        report(("kind", 1, "cost"), "trucks must move", file="kinds")  # type: ignore[operator]

    monkeypatch.setattr(sheet, "build", build)
    (problem,) = problems(GOOD)
    assert (Path(problem.file).name, problem.line, problem.column) == ("kinds.toml", 9, 8)


def test_a_missing_data_file_is_named(sheet: SheetSystem, tmp_path: Path) -> None:
    sheet.data_folder = tmp_path
    (problem,) = problems(GOOD)
    assert Path(problem.file) == tmp_path / "kinds.toml"
    assert problem.text == "there is no such file"


def test_the_digest_covers_text_and_data(sheet: SheetSystem, tmp_path: Path) -> None:
    first = loads(GOOD, "a").digest
    assert len(first) == 32
    assert loads(GOOD.replace("turns = 8", "turns = 9"), "a").digest != first
    before = data_digest("sheet")
    sheet.data_folder = tmp_path
    (tmp_path / "kinds.toml").write_text(KINDS.replace("\n", "\r\n"), encoding="utf-8", newline="")
    assert (loads(GOOD, "a").digest, data_digest("sheet")) == (first, before), "line ends change nothing"
    other = tmp_path / "other"
    other.mkdir()
    (other / "kinds.toml").write_text(KINDS.replace("1.5", "2.5"), encoding="utf-8")
    sheet.data_folder = other
    assert loads(GOOD, "a").digest != first
    assert data_digest("sheet") != before


def test_the_digest_tells_where_a_text_ends(sheet: SheetSystem, tmp_path: Path) -> None:
    """A line that moves from the end of the scenario to the start of the data is a difference."""
    note = "# a note\n"
    here = loads(GOOD + note, "a").digest
    sheet.data_folder = tmp_path
    (tmp_path / "kinds.toml").write_text(note + KINDS, encoding="utf-8")
    assert loads(GOOD, "a").digest != here


def test_known_digest() -> None:
    """Logs and files of results hold digests: each text goes in behind its name and its length."""
    text = "format = 1"
    whole = blake2b(f" {len(text)}\n{text}".encode(), digest_size=16).hexdigest()
    assert digest(text, toy.SYSTEM) == whole


def test_the_digest_leaves_words_out(sheet: SheetSystem, monkeypatch: pytest.MonkeyPatch) -> None:
    """A better wording of a rule makes no log a log of other rules."""
    before = loads(GOOD, "a").digest
    words = sheet.data_folder / "words.toml"
    words.write_text("refusal = {}\nevent = {}\ncontribution = {}\n", encoding="utf-8")
    monkeypatch.setattr(sheet, "data_types", {**sheet.data_types, "words": WordsFile})
    assert loads(GOOD, "a").digest == before


def test_check_takes_scenarios_and_data_files(tmp_path: Path) -> None:
    """Problems come in the order of the files; good files give none."""
    folder = tmp_path / "data" / "sheet"
    folder.mkdir(parents=True)
    good = tmp_path / "good.toml"
    good.write_text(GOOD, encoding="utf-8")
    bad = tmp_path / "bad.toml"
    bad.write_text(GOOD.replace("turns = 8", "turns = 0"), encoding="utf-8")
    kinds = folder / "kinds.toml"
    kinds.write_text(KINDS.replace("armour", "amour", 1), encoding="utf-8")
    rules = folder / "rules.toml"
    rules.write_text('title = "Rules"\n[[rule]]\nid = "X"\n', encoding="utf-8")
    assert check([good]) == []
    found = check([kinds, bad, good, rules, tmp_path / "gone.toml"])
    assert [(Path(problem.file).name, problem.line) for problem in found] == [
        ("kinds.toml", 3),
        ("bad.toml", 4),
        ("rules.toml", 2),
        ("rules.toml", 2),
        ("rules.toml", 2),
        ("rules.toml", 3),
        ("gone.toml", 0),
    ]


def test_text_that_no_file_can_hold_is_a_problem() -> None:
    """Logs carry scenarios as strings, which may hold what UTF-8 cannot."""
    (problem,) = problems(GOOD.replace("crossroads", "cross\ud800roads"))
    assert (problem.line, problem.column) == (3, 19)
    (problem,) = problems(GOOD + "# \0")
    assert problem.text == "a zero byte: this is not a text file"
