"""``play``: scripts, piped orders, refusals, undo, saves, and who plays whom."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import hexengine as hx
from hexengine.app.play import _before
from tests.app.conftest import Run
from tests.docs.pages import DOCS


def log_of(result) -> Path:
    """The log that a game says it keeps."""
    return Path(re.search(r"^log: (.+)$", result.stdout, re.M)[1])


def entries(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()][1:]


def header(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8").splitlines()[0])


# -- scripts ----------------------------------------------------------------------------------


def test_a_script_plays_every_side_and_stops(run: Run, script):
    result = run("play", "--script", script)
    assert result.exit_code == 0
    assert [entry["order"] for entry in entries(log_of(result))] == [
        "draw", "move m1-1 0201", "pass", "move m1-1 0302", "pass", "done", "fire m1-2 t72-2", "end",
    ]  # fmt: skip
    assert result.stdout.splitlines()[-1].startswith("entry 8: ")


def test_its_log_replays(run: Run, script):
    assert run("replay", log_of(run("play", "--script", script)), "--verify").exit_code == 0


def test_a_refused_line_keeps_what_was_played(run: Run, script):
    script.write_text(script.read_text(encoding="utf-8").replace("done", "fire m1-1 t72-9"), encoding="utf-8")
    result = run("play", "--script", script)
    assert result.exit_code == 1
    assert "first.txt:8:1: cannot read the order 'fire m1-1 t72-9'" in result.stderr
    assert "play --resume" in result.stderr
    assert len(entries(log_of(result))) == 4


def test_wrong_dice_are_refused_at_their_column(run: Run, script):
    script.write_text(script.read_text(encoding="utf-8").replace("1 1]", "1]"), encoding="utf-8")
    result = run("play", "--script", script)
    assert result.exit_code == 1
    assert "first.txt:9:17: too few dice" in result.stderr


def test_the_scenario_may_be_named_beside_the_script(run: Run, skirmish, tmp_path):
    path = tmp_path / "bare.txt"
    path.write_text("draw [blues]\n", encoding="utf-8")
    assert run("play", skirmish, "--script", path, "--seed", 3).exit_code == 0
    result = run("play", "--script", path)
    assert result.exit_code == 2
    assert "which scenario" in result.stderr


def test_script_and_scenario_must_agree(run: Run, script):
    result = run("play", "crossroads", "--script", script)
    assert result.exit_code == 2
    assert "not for crossroads" in result.stderr


def test_after_a_script_somebody_may_go_on(run: Run, script):
    result = run("play", "--script", script, "--opponent", "none", typed="draw\n")
    assert result.exit_code == 1, "the input ended"
    assert entries(log_of(result))[-1]["n"] == 9


# -- piped orders -----------------------------------------------------------------------------


def test_no_input_at_all(run: Run, skirmish):
    result = run("play", skirmish, "--opponent", "none")
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1
    assert "play --resume" in result.stderr


def test_one_bad_answer_and_then_nothing(run: Run, skirmish):
    result = run("play", skirmish, "--opponent", "none", typed="nonsense\n")
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1
    assert "no order or command 'nonsense'" in result.stdout


def test_dice_without_an_order_are_no_order(run: Run, skirmish):
    for typed, said in (
        ("[b]x", "brackets with dice must stand once"),
        ("[4 4]", "dice and markers stand behind an order"),
        ("[", "brackets"),
    ):
        result = run("play", skirmish, "--opponent", "none", typed=f"{typed}\n")
        assert said in result.stdout
        assert "may be" not in result.stdout


def test_refusals_cite_the_rule_and_offer_what_is_legal(run: Run, script):
    result = run("play", "--script", script, "--opponent", "none", typed="end\n")
    assert "refused: a marker must be drawn first" in result.stdout
    assert "P1.2 The draw: " in result.stdout
    assert "legal: draw" in result.stdout


def test_a_whole_game_by_numbers(run: Run, skirmish):
    result = run("play", skirmish, "--opponent", "random", "--seed", 4, typed="\n1\n" * 300)
    assert result.exit_code == 0
    assert "game over after" in result.stdout.splitlines()[-1]


def test_numbers_are_those_of_the_list(run: Run, skirmish):
    typed = "draw [blues]\norders m1-2 0204\n"
    listed = run("play", skirmish, "--opponent", "none", typed=typed).stdout
    number = re.search(r"^ *(\d+) move m1-2 0204$", listed, re.M)[1]
    played = run("play", skirmish, "--opponent", "none", typed=f"{typed}{number}\n")
    assert entries(log_of(played))[-1]["order"] == "move m1-2 0204"


@pytest.mark.parametrize("number", ["0", "99", "9" * 5000, "²"])
def test_numbers_of_nothing(run: Run, skirmish, number):
    result = run("play", skirmish, "--opponent", "none", typed=f"{number}\n")
    assert entries(log_of(result)) == []


TYPED = [
    "x" * 20000, "draw [", "draw ]", "[1 2]", "why", "odds", "los 0101", "log x", "save", "help zzz",
    "\x00\x1b[2J", "move , 0101", "move m1-1,, 9999", "units zzz", "show zzz", "undo [1]", "odds undo",
    "fire m1-1 \u202e",
]  # fmt: skip


@pytest.mark.parametrize("line", TYPED)
def test_nothing_that_is_typed_brings_it_down(run: Run, skirmish, line):
    result = run("play", skirmish, "--opponent", "none", typed=f"draw [blues]\n{line}\n")
    assert result.exit_code == 1
    assert len(entries(log_of(result))) == 1
    assert "\x1b" not in result.stdout


@pytest.mark.parametrize(("line", "shown"), [("log 0", 0), ("log 1", 1), ("log 9", 2), ("log", 2)])
def test_the_log_shows_as_many_orders_as_are_asked_for(run: Run, skirmish, line, shown):
    typed = f"draw [blues]\nmove m1-1 0201\n{line}\n"
    rows = run("play", skirmish, "--opponent", "none", typed=typed).stdout.splitlines()
    assert len([row for row in rows if re.match(r" {3}\d blue: ", row)]) == shown


def test_commands_answer(run: Run, skirmish):
    lines = [
        "draw [blues]", "units blue", "why move m1-1 0201", "why move m1-1 0801", "odds fire m1-2 t72-2",
        "los m1-1 Ford", "show m1-1", "show m1-1 move", "show Cor", "log", "help fire", "help", "board",
    ]  # fmt: skip
    shown = run("play", skirmish, "--opponent", "none", typed="\n".join(lines) + "\n").stdout
    for expected in (
        "The [bold]Blues[/]  m1-1",
        "move m1-1 0201 is legal: the units named go together",
        "0701 0801, ",
        "in any case: m1-2 finished",
        "0102 to 0503: ",
        "m1-1, move: ",
        "   1 blue: draw [blues]",
        "fire UNIT TARGET [with WEAPON] [lead]",
    ):
        assert expected in shown


def test_what_the_designer_says_can_be_read(run: Run, skirmish):
    shown = run("play", "crossroads", "--opponent", "none", typed="notes\n").stdout
    assert "\n  A first game, ten minutes long." in shown
    assert "\n  Measured: " in shown
    assert "the scenario has no notes" in run("play", skirmish, "--opponent", "none", typed="notes\n").stdout


def test_help_names_every_order_and_command(run: Run, skirmish):
    shown = run("play", skirmish, "--opponent", "none", typed="help\n").stdout
    for word in ("draw", "move", "unload", "why", "odds", "los", "undo", "log", "units", "save", "quit"):
        assert re.search(rf"^  {word}\b", shown, re.M), word


def test_words_may_be_shortened(run: Run, skirmish):
    typed = "d [blues]\nm m1-1 0201\npa\ndo\nf m1-2 t72-2\nun\nq\n"
    result = run("play", skirmish, "--opponent", "none", typed=typed)
    orders = [entry["order"] for entry in entries(log_of(result))]
    assert orders == ["draw", "move m1-1 0201", "pass", "done", "fire m1-2 t72-2"]
    assert "'un' may be undo, units, unload" in result.stdout


def test_quit_leaves_and_says_how_to_go_on(run: Run, skirmish):
    result = run("play", skirmish, "--opponent", "none", typed="draw\nquit\n")
    assert result.exit_code == 0
    assert f"go on with: hexengine play --resume {log_of(result)}" in result.stdout


def test_who_can_act_is_told_once_a_decision(run: Run, skirmish):
    """And not before every line that does not get it on."""
    shown = run("play", skirmish, "--opponent", "none", typed="draw [blues]\nzzz\nzzz\n").stdout
    assert shown.count("can act: ") == 1


def test_comments_are_skipped(run: Run, skirmish):
    assert run("play", skirmish, "--opponent", "none", typed="# nothing\n").stdout.count("refused") == 0


# -- far moves --------------------------------------------------------------------------------


def test_a_far_hex_is_reached_step_by_step(run: Run, skirmish):
    typed = "draw [blues]\nmove m1-2 0304\npass\npass\npass\n"
    result = run("play", skirmish, "--opponent", "none", typed=typed)
    orders = [entry["order"] for entry in entries(log_of(result))]
    assert "way: 0104 " in result.stdout
    steps = [order for order in orders if order.startswith("move ")]
    assert steps[-1] == "move m1-2 0304"
    assert len(steps) == 2
    assert orders[2] == "pass", "the way waits while the other side may fire"


def test_the_danger_of_a_way_is_told(run: Run, skirmish):
    result = run("play", skirmish, "--opponent", "none", typed="draw [blues]\nmove m1-2 0304\n")
    assert re.search(r"fire from t72-2.*\(hit \d+%, lost \d+%\)", result.stdout)
    told = re.search(
        r"if every shot is taken: all arrive unhurt (\d+)%, one or more lost (\d+)%", result.stdout
    )
    assert told is not None
    typed = "draw [blues]\nodds move m1-2 0304\n"
    odds = run("play", skirmish, "--opponent", "none", typed=typed).stdout
    for number, text in zip(told.groups(), ("all arrive unhurt", "one or more are lost"), strict=True):
        exact = float(re.search(rf"([\d.]+)% .* {text}", odds)[1])
        assert abs(int(number) - exact) <= 0.5, "both say the same"


def test_a_way_that_is_too_much_to_reckon_is_told_at_worst(run: Run, skirmish, monkeypatch):
    monkeypatch.setattr("hexengine.app.paths.QUICK", 1)
    result = run("play", skirmish, "--opponent", "none", typed="draw [blues]\nmove m1-2 0304\n")
    assert "on the whole at worst: hit " in result.stdout


def test_a_way_ends_where_it_is_stopped(run: Run, skirmish):
    typed = "draw [blues]\nmove m1-2 0404\nfire t72-2 m1-2 [6 6 6 1 1 1 1]\n"
    result = run("play", skirmish, "--opponent", "none", typed=typed)
    fires = [entry for entry in entries(log_of(result)) if entry["order"].startswith("fire")]
    assert len(fires) == 1
    assert [entry["order"] for entry in entries(log_of(result))][-1].startswith("fire")
    assert "the way ends here" in result.stdout


def test_places_have_names_and_hexes_have_units(run: Run, skirmish):
    typed = "draw [blues]\nmove 0202 corner\npass\n"
    result = run("play", skirmish, "--opponent", "none", typed=typed)
    assert "move m2 0101" in [entry["order"] for entry in entries(log_of(result))]


def test_where_no_way_leads_the_rule_is_told(run: Run, skirmish):
    """Not that the hex is far, which is no reason: far hexes are gone to step by step."""
    typed = "draw [blues]\nmove m1-1 0703\nwhy move m1-1 0703\nwhy move m1-1 0302\n"
    result = run("play", skirmish, "--opponent", "none", typed=typed)
    assert result.stdout.count("[P4.4]") == 2
    assert "not adjacent" not in result.stdout
    assert "way: 0102 0202 0302" in result.stdout


def test_lists_of_units_may_have_spaces(run: Run):
    typed = "draw [cavalry]\nmove m60-1, hq-cav 0204\nshow m60-1 , hq-cav\n"
    result = run("play", "crossroads", "--opponent", "none", typed=typed)
    assert "nato: move m60-1,hq-cav 0204" in result.stdout
    assert "no mode of movement" not in result.stdout


# -- what stands behind a number or a command ---------------------------------------------------


def test_dice_behind_a_number_are_those_that_are_used(run: Run):
    typed = "1 [cavalry]\norders move m60-2\n"
    result = run("play", "crossroads", "--opponent", "none", typed=typed)
    assert "nato: draw [cavalry]" in result.stdout


@pytest.mark.parametrize("line", ["1 [eot] garbage", "1 garbage", "1 [nobody]", "1 [1"])
def test_what_means_nothing_behind_a_number_is_not_passed_over(run: Run, line):
    result = run("play", "crossroads", "--opponent", "none", typed=f"{line}\n")
    assert entries(log_of(result)) == []


def test_undo_takes_nothing_behind_it(run: Run, skirmish):
    typed = "draw [blues]\nmove m1-1 0201\nundo 2\nundo foo\n"
    result = run("play", skirmish, "--opponent", "none", typed=typed)
    assert result.stdout.count("undo takes back one order") == 2
    assert [entry["order"] for entry in entries(log_of(result))][-1] != "undo"


def test_the_score_can_be_asked_for(run: Run):
    result = run("play", "crossroads", "--opponent", "none", typed="score\n")
    assert "score: US Army 0, Soviet Army 0" in result.stdout
    assert re.search(r"0504  Talrode +nobody's", result.stdout)


@pytest.mark.parametrize("name", ["/nonexistent/x", "~nosuchuser/x", "{folder}/taken", "a\0b"])
def test_a_copy_that_cannot_be_saved_ends_nothing(run: Run, tmp_path, name):
    (tmp_path / "taken").write_text("something else")
    typed = f"draw [cavalry]\nsave {name.format(folder=tmp_path)}\nend\n"
    result = run("play", "crossroads", "--opponent", "none", typed=typed)
    assert "nato: end" in result.stdout
    assert (tmp_path / "taken").read_text() == "something else"


def test_a_command_that_takes_long_can_be_broken_off(run: Run, monkeypatch):
    from hexengine.app import verbs

    def never_ends(session, rest):
        raise KeyboardInterrupt

    monkeypatch.setitem(verbs.COMMANDS, "odds", never_ends)
    result = run("play", "crossroads", "--opponent", "none", typed="odds draw\ndraw [cavalry]\n")
    assert "odds was broken off" in result.stdout
    assert [entry["order"] for entry in entries(log_of(result))] == ["draw"]


def test_commands_say_how_they_are_written(run: Run):
    result = run("play", "crossroads", "--opponent", "none", typed="help orders\nhelp show\nwhy\n")
    for expected in ("orders [WORD ...]\n", "show [HEX | UNITS [MODE]]\n", "it is written: why ORDER"):
        assert expected in result.stdout


def test_numbers_of_orders_stand_for_them_everywhere(run: Run):
    typed = "draw [tanks]\norders t80-1\nodds 1\nwhy 1\nwhy 999\nodds 0\n"
    shown = run("play", "crossroads", "--opponent", "none", typed=typed).stdout
    first = re.search(r"^  1 (move t80-1 \S+)$", shown, re.M)[1]
    assert f"> odds 1\n{first}\n  100.00%" in shown
    assert f"{first} is legal" in shown
    assert len(re.findall(r"^there are \d+ legal orders: an empty line lists them$", shown, re.M)) == 2


@pytest.mark.parametrize(
    ("scenario", "typed", "legal"),
    [
        ("crossroads", "draw [cavalry]\npass\n", "end"),
        ("crossroads", "draw [cavalry]\ndraw\n", "end"),
        ("crossroads", "draw [cavalry]\nmove m2-1 0204\npass\n", "done"),
        ("introduction", "end\n", "done"),
        ("introduction", "done\ndone\npass\n", "end"),
        ("first-orders", "done\n", "end"),
    ],
)
def test_who_wants_to_go_on_is_told_the_word(run: Run, scenario, typed, legal):
    shown = run("play", scenario, "--opponent", "none", typed=typed).stdout
    assert f"\n  legal: {legal}\n" in shown.rpartition("refused: ")[2]
    shown = run("play", scenario, "--opponent", "none", typed="undo\n").stdout
    assert "legal: " not in shown.rpartition("refused: ")[2], "there is nothing like undo"


def test_help_says_what_a_rule_says(run: Run):
    result = run("play", "crossroads", "--opponent", "none", typed="help p10.1\n")
    assert "P10.1  Line of sight\n  Sight runs from hex centre" in result.stdout


@pytest.mark.parametrize(
    ("scenario", "head", "row"),
    [
        ("crossroads", "side unit hex dice steps state", "US Army m60-1 0104 3 2"),
        ("introduction", "side unit hex firepower-range-MF/morale steps state", "US Army u1 0103 1-6-4/5 1"),
        ("first-orders", "side unit hex dice/anti-tank steps state", "Red f1 0103 1/2 1"),
    ],
)
def test_the_list_of_units_says_what_its_numbers_are(run: Run, scenario, head, row):
    shown = run("play", scenario, "--opponent", "none", typed="units\n").stdout
    rows = [" ".join(line.split()) for line in shown.splitlines()]
    assert head in rows
    assert any(line.startswith(row) for line in rows[rows.index(head) :])


@pytest.mark.parametrize(
    ("scenario", "expected"),
    [
        ("crossroads", ["US Army hold 0504 1 each turn", "Soviet Army hold 0606 2", "US Army steps 1"]),
        ("bunker-line", ["US Army hold 1105 1108 1202 6 a hex", "German army losses 1"]),
        ("winding-road", ["Red hold 1105 1606 6 a hex"]),
    ],
)
def test_score_says_what_is_worth_points(run: Run, scenario, expected):
    shown = run("play", scenario, "--opponent", "none", typed="score\n").stdout
    rows = [" ".join(line.split()) for line in shown.splitlines()]
    assert rows.count("what is worth points:") == 1
    assert [row for row in expected if row not in rows] == []


def test_score_tells_no_events_that_are_worth_points(run: Run, tmp_path):
    page = (DOCS / "squad.md").read_text(encoding="utf-8")
    text = next(block for block in re.findall(r"```toml\n(.*?)```", page, re.S) if "The ford" in block)
    file = tmp_path / "ford.toml"
    file.write_text(text.replace("[[event]]\n", "[[event]]\npoints = 9\n"), encoding="utf-8")
    shown = run("play", str(file), "--opponent", "none", typed="score\n").stdout
    assert "what is worth points:" in shown
    assert "event " not in shown.partition("what is worth points:")[2]
    assert "0401  9" not in shown


def test_a_saved_game_is_no_scenario_and_no_script(run: Run, skirmish):
    log = log_of(run("play", skirmish, "--opponent", "none", typed="draw [blues]\n"))
    assert "--resume" in run("play", str(log)).stderr
    assert "--as script" in run("play", "--script", str(log)).stderr


# -- what is hidden ----------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["", "show dsn", "show ds", "los p1 dsn", "units", "odds move p1 0402"])
def test_people_see_no_more_than_their_side(run: Run, typed):
    """The German sniper lies in 0804, and nobody has seen him."""
    shown = run("play", "stealthy-approach", "--side", "us", "--seed", "4", typed=f"{typed}\n").stdout
    told = (
        shown.replace(f"> {typed}", ">")
        .replace("dsn can go nowhere", "")
        .replace("dsn is not on the map", "")
    )
    assert "dsn" not in told.replace("'dsn'", "")
    assert "Snip" not in told


def test_both_sides_see_what_lies_open(run: Run):
    shown = run("play", "stealthy-approach", "--side", "de", "--seed", "4", typed="units\n").stdout
    assert "dsn" in shown


# -- undo -------------------------------------------------------------------------------------


def test_undo_takes_back_what_chance_had_no_part_in_and_is_in_the_log(run: Run, skirmish):
    typed = "draw [blues]\nunload m2\nundo\n"
    result = run("play", skirmish, "--opponent", "none", typed=typed)
    assert [entry["order"] for entry in entries(log_of(result))][-1] == "undo"
    assert run("replay", log_of(result), "--verify").exit_code == 0


@pytest.mark.parametrize(("sandbox", "played"), [([], 1), (["--sandbox"], 2)])
def test_only_a_sandbox_takes_back_a_draw(run: Run, skirmish, sandbox, played):
    result = run("play", skirmish, "--opponent", "none", *sandbox, typed="draw [blues]\nundo\n")
    assert len(entries(log_of(result))) == played
    assert header(log_of(result))["sandbox"] is bool(sandbox)
    assert ("refused: draw has drawn blues" in result.stdout) is not bool(sandbox)


# -- saves ------------------------------------------------------------------------------------


def test_a_game_goes_on_in_its_own_file(run: Run, skirmish):
    first = run("play", skirmish, "--opponent", "none", typed="draw [eot]\n")
    again = run("play", "--resume", log_of(first), typed="draw\n")
    assert log_of(again) == log_of(first)
    assert [entry["n"] for entry in entries(log_of(first))][:2] == [1, 2]


def test_a_resumed_game_takes_a_script(run: Run, skirmish, tmp_path):
    first = run("play", skirmish, "--opponent", "none", typed="draw [blues]\n")
    more = tmp_path / "more.txt"
    more.write_text("reactions pass\nmove m1-1 0201\nend\n", encoding="utf-8")
    assert run("play", "--resume", log_of(first), "--script", more).exit_code == 1, (
        "end is no way to close a group"
    )
    more.write_text("done\nend\n", encoding="utf-8")
    assert run("play", "--resume", log_of(first), "--script", more).exit_code == 0


def test_resumed_players_are_those_of_before(run: Run, skirmish):
    whole = run("play", skirmish, "--opponent", "random", "--seed", 4, typed="\n1\n" * 300)
    first = run("play", skirmish, "--opponent", "random", "--seed", 4, typed="\n1\n" * 2)
    second = run("play", "--resume", log_of(first), typed="\n1\n" * 300)
    assert second.exit_code == 0
    assert entries(log_of(second)) == entries(log_of(whole))


def test_who_was_replaced_does_not_come_back(skirmish):
    """A game that goes on is played on by whoever played for him in the end."""
    game = hx.Game(hx.load(skirmish), 1, players=["human", "slow"])
    game.play("draw [reds]")
    game.replaced("slow", "random", "it thought too long")
    game.play("end")
    assert _before(game) == {"blue": "human", "red": "random"}


@pytest.mark.parametrize("options", [["--seed", "1"], ["--sandbox"], ["--log", "x.jsonl"]])
def test_resuming_keeps_what_was_settled(run: Run, script, options):
    log = log_of(run("play", "--script", script))
    result = run("play", "--resume", log, *options)
    assert result.exit_code == 2


def test_a_log_of_another_scenario_than_the_script(run: Run, script, tmp_path):
    log = log_of(run("play", "--script", script))
    other = tmp_path / "other.txt"
    other.write_text("scenario crossroads\ndraw\n", encoding="utf-8")
    assert run("play", "--resume", log, "--script", other).exit_code == 2
    assert run("play", "--resume", log, typed="quit\n").exit_code == 0, "the file has been let go"


def test_a_named_log_is_not_overwritten(run: Run, skirmish, tmp_path):
    log = tmp_path / "mine.jsonl"
    assert run("play", skirmish, "--log", log, typed="quit\n").exit_code == 0
    result = run("play", skirmish, "--log", log)
    assert result.exit_code == 2
    assert "exists already" in result.stderr


def test_two_games_of_one_second_have_two_logs(run: Run, skirmish):
    logs = {log_of(run("play", skirmish, typed="quit\n")) for _ in range(3)}
    assert len(logs) == 3


def test_a_state_folder_that_cannot_be_written(run: Run, skirmish, monkeypatch, tmp_path):
    blocked = tmp_path / "blocked"
    blocked.write_text("a file", encoding="utf-8")
    monkeypatch.setenv("XDG_STATE_HOME", str(blocked))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "other"))
    result = run("play", skirmish, typed="quit\n")
    assert result.exit_code == 0
    assert "kept with the temporary files" in result.stderr
    assert result.stderr.startswith(f"{blocked}") and "Errno" not in result.stderr
    assert log_of(result).is_relative_to(tmp_path / "other")
    monkeypatch.setattr("tempfile.tempdir", str(blocked))
    result = run("play", skirmish, typed="quit\n")
    assert result.exit_code == 2
    assert "--log FILE" in result.stderr


def test_a_copy_can_be_saved(run: Run, skirmish, tmp_path):
    copy = tmp_path / "copy.jsonl"
    run("play", skirmish, "--opponent", "none", typed=f"draw [blues]\nsave {copy}\nsave {copy}\n")
    assert len(entries(copy)) == 1


# -- who plays --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "players"),
    [
        ([], {"blue": "human", "red": "officer"}),
        (["--side", "red"], {"blue": "officer", "red": "human"}),
        (["--opponent", "random"], {"blue": "human", "red": "random"}),
        (["--opponent", "none"], {"blue": "human", "red": "human"}),
        (["--side", "red", "--opponent", "random"], {"blue": "random", "red": "human"}),
    ],
)
def test_seats(run: Run, skirmish, options, players):
    result = run("play", skirmish, "--seed", 2, *options, typed="quit\n")
    assert header(log_of(result))["players"] == players


@pytest.mark.parametrize(
    "options", [["--side", "green"], ["--opponent", "general"], ["--seed", "x"], ["--seed", "9" * 30]]
)
def test_seats_that_cannot_be(run: Run, skirmish, options):
    result = run("play", skirmish, *options)
    assert result.exit_code == 2
    assert result.stderr.strip()
    assert not list(skirmish.parent.glob("state/**/*.jsonl"))


def test_which_scenario(run: Run):
    assert run("play").exit_code == 2
    assert run("play", "crossraods").exit_code == 2
