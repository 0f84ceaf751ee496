"""``replay``: logs and scripts once more."""

from __future__ import annotations

import json

import pytest

from tests.app.conftest import Run


@pytest.fixture
def log(run: Run, script, tmp_path):
    """A log of five entries."""
    path = tmp_path / "game.jsonl"
    assert run("replay", script, "--save", path).exit_code == 0
    return path


def test_a_game_is_told_with_its_dice(run: Run, script):
    shown = run("replay", script).stdout
    assert "blue: fire m1-2 t72-2 [6 6 1 1 1 1 1]" in shown
    assert "t72-2 is Disrupted." in shown
    assert shown.splitlines()[-1].startswith("digest ")


def test_verify_says_what_was_verified(run: Run, log, script):
    result = run("replay", log, "--verify")
    assert (result.exit_code, result.stdout[:10]) == (0, "verified: ")
    assert run("replay", script, "--verify").stdout.split("digest ")[1] == result.stdout.split("digest ")[1]


def test_states_are_json_and_nothing_else(run: Run, log):
    state = json.loads(run("replay", log, "--to", 2, "--state", "json").stdout)
    assert state["units"]["m1-1"]["hex"] == "0201"
    assert state["decision"] == {"side": "red", "kind": "reaction"}


def test_a_log_as_a_script_plays_the_same_game(run: Run, log, skirmish, tmp_path):
    text = run("replay", log, "--as", "script").stdout
    path = tmp_path / "again.txt"
    path.write_text(text.replace("scenario skirmish", f"scenario {skirmish}"), encoding="utf-8")
    again = run("replay", path, "--state", "json")
    assert again.stdout == run("replay", log, "--state", "json").stdout


def test_a_script_written_beside_its_scenario_needs_no_path(run: Run, log, skirmish):
    path = skirmish.with_name("again.txt")
    path.write_text(run("replay", log, "--as", "script").stdout, encoding="utf-8")
    assert run("replay", path, "--state", "json").stdout == run("replay", log, "--state", "json").stdout


def test_a_scenario_that_took_the_name_of_a_shipped_one(run: Run, skirmish, script):
    twin = skirmish.with_name("crossroads.toml")
    skirmish.rename(twin)
    script.write_text(script.read_text(encoding="utf-8").replace("skirmish", "crossroads"), encoding="utf-8")
    log = script.with_name("twin.jsonl")
    assert run("play", twin, "--script", script, "--log", log).exit_code == 0
    path = skirmish.with_name("again.txt")
    path.write_text(run("replay", log, "--as", "script").stdout, encoding="utf-8")
    assert run("replay", path, "--state", "json").stdout == run("replay", log, "--state", "json").stdout


def test_scripts_can_be_saved(run: Run, log, tmp_path):
    path = tmp_path / "saved.txt"
    assert run("replay", log, "--as", "script", "--save", path).stdout == ""
    assert "draw [blues]" in path.read_text(encoding="utf-8")
    assert run("replay", log, "--as", "script", "--save", path).exit_code == 0, "it is the same again"
    path.write_text("mine", encoding="utf-8")
    assert run("replay", log, "--as", "script", "--save", path).exit_code == 2, "nothing is overwritten"


@pytest.mark.parametrize("options", [["--verify"], [], ["--state", "json"]])
def test_the_first_difference_ends_it(run: Run, log, tmp_path, options):
    data = log.read_bytes()
    log.write_bytes(data.replace(b"move m1-1 0302", b"move m1-1 0301"))
    result = run("replay", log, *options, "--save", tmp_path / "valid.jsonl")
    assert result.exit_code == 1
    assert result.stderr.startswith("entry 4: ")
    assert "the valid part, 3 entries, is saved" in result.stderr
    assert run("replay", tmp_path / "valid.jsonl", "--verify").stdout.startswith("verified: 3 entries")


def test_a_torn_line_is_told_and_fails_only_when_verified(run: Run, log):
    log.write_bytes(log.read_bytes() + b'{"n":6')
    result = run("replay", log, "--state", "json")
    assert (result.exit_code, "torn" in result.stderr) == (0, True)
    assert json.loads(result.stdout)
    assert run("replay", log, "--verify").exit_code == 1


def test_a_line_that_is_refused(run: Run, script):
    script.write_text(script.read_text(encoding="utf-8") + "\nmove m1-1 0303\n", encoding="utf-8")
    result = run("replay", script)
    assert result.exit_code == 1
    assert "first.txt:12:1: move m1-1 0303: " in result.stderr


@pytest.mark.parametrize("text", ["draw\n", "scenario nowhere\ndraw\n", "scenari crossroads\n", ""])
def test_a_bad_head_is_wrong_usage(run: Run, tmp_path, text):
    path = tmp_path / "bad.txt"
    path.write_text(text, encoding="utf-8")
    result = run("replay", path)
    assert result.exit_code == 2
    assert result.stderr.strip()


@pytest.mark.parametrize("options", [[], ["--verify"], ["--state", "json"]])
def test_entries_that_are_not_there(run: Run, log, options):
    result = run("replay", log, "--to", 9, *options)
    assert result.exit_code == 2
    assert "there is no entry 9" in result.stderr
    assert result.stdout == ""


def test_step_by_step(run: Run, log):
    result = run("replay", log, "--step", typed="\n\nq\n")
    assert result.exit_code == 0
    assert result.stdout.count("Turn 1/2") == 4, "the start, and three entries"
    assert "entry 3: blue to decide" in result.stdout


def test_step_by_step_ends_with_the_input(run: Run, log):
    assert run("replay", log, "--step").exit_code == 0


def test_step_goes_with_no_other_form(run: Run, log):
    assert run("replay", log, "--step", "--state", "json").exit_code == 2
