"""``show`` and ``los``."""

from __future__ import annotations

import pytest

from tests.app.conftest import Run


def test_the_board_of_a_scenario(run: Run, skirmish):
    shown = run("show", skirmish).stdout
    assert "[○M1  ]" in shown
    assert "<○T-72>" in shown
    assert "\x1b" not in shown


@pytest.mark.parametrize("columns", [None, "40", "80", "200"])
def test_rows_of_a_wide_map_are_whole_in_a_pipe(run: Run, tmp_path, monkeypatch, columns):
    """The map of sixty columns has its full width whatever COLUMNS says."""
    rows = "\n".join(["." * 60] * 3)
    path = tmp_path / "wide.toml"
    path.write_text(
        f'format = 1\nsystem = "platoon"\ntitle = "w"\nturns = 1\nsides = ["a", "b"]\n'
        f'[map]\nterrain = """\n{rows}\n"""\nlegend = {{ "." = "clear" }}\n'
        '[[formation]]\nid = "f"\nside = "a"\nmorale = 7\n'
        '[[unit]]\nid = "u"\ntype = "m1"\nformation = "f"\nhex = "6002"\n',
        encoding="utf-8",
    )
    if columns:
        monkeypatch.setenv("COLUMNS", columns)
    for style in ("hex", "compact", "outline"):
        shown = run("show", path, "--style", style).stdout
        heading = next(line for line in shown.splitlines() if "01" in line and "60" in line)
        assert heading.split() == [f"{column:02}" for column in range(1, 61)]
        assert "M1" in shown


def test_a_point_of_a_game(run: Run, script):
    before, after = run("show", script, "--at", 1).stdout, run("show", script, "--at", 3).stdout
    assert "/0102 \\" in after
    assert "/0102 \\" in before
    assert before != after


def test_entry_nought_is_the_start(run: Run, script, skirmish):
    assert run("show", script, "--at", 0).stdout == run("show", skirmish).stdout


def test_a_scenario_has_no_entries(run: Run, skirmish):
    result = run("show", skirmish, "--at", 3)
    assert result.exit_code == 2
    assert "it has no entry 3" in result.stderr
    assert run("show", skirmish, "--at", 0).exit_code == 0


def test_an_entry_that_is_not_there(run: Run, script):
    result = run("show", script, "--at", 99)
    assert result.exit_code == 2
    assert "there is no entry 99" in result.stderr


def test_reach_is_drawn_as_costs(run: Run, skirmish):
    shown = run("show", skirmish, "--reach", "m1-1", "--style", "outline").stdout
    assert "½" in shown, "along the road a step costs half a point"


def test_units_without_a_way_are_said_to_have_none(run: Run, skirmish):
    result = run("show", skirmish, "--reach", "inf")
    assert result.exit_code == 0
    assert "inf can go nowhere by itself" in result.stderr


def test_modes_say_why_hexes_are_out_of_reach(run: Run, skirmish):
    shown = run("show", skirmish, "--reach", "m1-1", "--mode", "move", "--style", "outline").stdout
    assert "m1-1, move: " in shown
    assert " in reach" in shown
    far = run("show", skirmish, "--reach", "inf", "--mode", "mo").stdout
    assert "inf, move: not at all" in far
    assert far.rstrip().endswith("]"), "the rule is named"


def test_one_hex_is_explained(run: Run, skirmish, tmp_path):
    text = skirmish.read_text(encoding="utf-8")
    path = tmp_path / "lake.toml"
    path.write_text(
        text.replace("...w....", "...w...~").replace('w = "woods"', 'w = "woods", "~" = "lake"'), "utf-8"
    )
    told = run("show", path, "--reach", "m1-1", "--to", "0803").stdout
    assert "0803 is out of reach of m1-1, move" in told
    assert "[P4.2]" in told
    assert "P4.2 " in told.splitlines()[-1], "the rule is told in full"
    told = run("show", path, "--reach", "m1-1", "--to", "0202").stdout
    assert "0202 is in reach of m1-1, move: ½ MP" in told


def test_modes_at_the_double(run: Run):
    told = run("show", "block", "--reach", "s1", "--mode", "double").stdout
    assert "by C2.4 No difficult ground:" in told or "by C2.5 Stand-off:" in told


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--mode", "move"), "--mode goes with --reach UNIT"),
        (("--to", "0101"), "--to goes with --reach UNIT"),
        (("--reach", "m1-1", "--mode", "gallop"), "there is no mode of movement 'gallop'; known: move"),
        (("--reach", "m1-1", "--mode", ""), "there is no mode of movement ''"),
        (("--reach", "m1-1", "--to", "9999"), "9999"),
        (("--reach", ",", "--mode", "move"), "there is no unit ','"),
    ],
)
def test_what_cannot_be_explained(run: Run, skirmish, options, said):
    result = run("show", skirmish, *options)
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_system_without_modes_says_so(run: Run, skirmish, monkeypatch):
    from hexengine.systems.platoon.tactics import PlatoonTactics

    monkeypatch.delattr(PlatoonTactics, "explain")
    result = run("show", skirmish, "--reach", "m1-1", "--mode", "move")
    assert result.exit_code == 2
    assert "the rule system platoon has no modes of movement" in result.stderr


def test_unknown_units_get_a_suggestion(run: Run, skirmish):
    result = run("show", skirmish, "--reach", "m1-3")
    assert result.exit_code == 2
    assert "m1-1" in result.stderr


def test_sight_is_drawn(run: Run, skirmish):
    assert "•" in run("show", skirmish, "--sight", "0403", "--style", "compact").stdout


def test_a_picture_is_written(run: Run, skirmish, tmp_path):
    path = tmp_path / "board.svg"
    assert run("show", skirmish, "--svg", path).exit_code == 0
    picture = path.read_text(encoding="utf-8")
    assert picture.startswith("<svg")
    assert "units" in picture


def test_a_picture_that_cannot_be_written(run: Run, skirmish, tmp_path):
    result = run("show", skirmish, "--svg", tmp_path / "nowhere" / "board.svg")
    assert result.exit_code == 1
    assert "No such file or directory" in result.stderr


def test_a_clear_line(run: Run, skirmish):
    result = run("los", skirmish, "0101", "0701")
    assert result.exit_code == 0
    assert result.stdout.startswith("0101 to 0701: clear, 6 hexes [P10.1]")


@pytest.mark.rule("P10.3")
def test_a_blocked_line_is_an_answer_with_its_reason(run: Run, skirmish):
    result = run("los", skirmish, "0303", "0504")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "0303 to 0504: blocked, 2 hexes [P10.3]"
    assert lines[-1] == "  blocks: woods in 0403 [P10.3]"


def test_units_stand_for_their_hexes(run: Run, skirmish):
    assert run("los", skirmish, "m1-1", "t72-1").stdout.startswith("0102 to 0703: ")


@pytest.mark.rule("P10.6", "P13.1")
def test_helicopters_see_from_where_they_are(run: Run):
    """One that flies over a hill from the air, one that has landed close by only."""
    assert run("los", "gunships", "mi24-1", "0709").stdout.startswith("0101 to 0709: clear, 11 hexes [P10.6]")
    assert run("los", "gunships", "0101", "0709").stdout.startswith("0101 to 0709: blocked")
    assert run("los", "gunships", "ah1-1", "1401").stdout.startswith("1801 to 1401: blocked, 4 hexes [P13.1]")
    assert run("los", "gunships", "mi24-1", "1304").stdout.count("[P10.6]") > 1


def test_hexes_off_the_map_are_refused(run: Run, skirmish):
    result = run("los", skirmish, "0101", "0999")
    assert result.exit_code == 2
    assert "this map runs from 0101 to 0805" in result.stderr


def test_names_are_shown_as_they_are(run: Run, skirmish):
    assert "[Ford]" in run("show", skirmish).stdout
    assert "[bold]Blues[/]" in run("replay", "--to", 1, _script(skirmish)).stdout


def _script(skirmish):
    path = skirmish.with_name("one.txt")
    path.write_text(f"scenario {skirmish}\ndraw [blues]\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("scenario", "said", "unsaid"),
    [
        ("bunker-line", ["# foxholes", "H with a leader"], ["improved position", "headquarters"]),
        ("winding-road", ["# foxholes"], ["improved position"]),
        ("ulster", ["# improved position", "H with headquarters"], ["foxholes"]),
    ],
)
def test_the_legend_has_the_words_of_the_system(run: Run, scenario, said, unsaid):
    shown = run("show", scenario).stdout
    assert [text for text in said if text not in shown] == []
    assert [text for text in unsaid if text in shown] == []
