"""``check``: every kind of file, every fault at its place."""

from __future__ import annotations

import re

import pytest

from tests.app.conftest import SKIRMISH, Run

PLACED = re.compile(r"^[^:]+:\d+:\d+: .+$")


def test_good_files_are_passed_in_silence(run: Run, skirmish, script, tmp_path):
    log = tmp_path / "game.jsonl"
    run("replay", script, "--save", log)
    result = run("check", skirmish, script, log, "crossroads")
    assert (result.exit_code, result.stdout) == (0, "")


def test_all_faults_of_all_files_are_told_at_their_places(run: Run, skirmish, tmp_path):
    bad = tmp_path / "bad.toml"
    bad.write_text(
        SKIRMISH.replace('type = "t-72"', 'type = "t-27"').replace("turns = 2", "turn = 2"), encoding="utf-8"
    )
    head = tmp_path / "bad.txt"
    head.write_text("scenario crossroads\nseed x\n", encoding="utf-8")
    result = run("check", bad, skirmish, head)
    lines = result.stdout.splitlines()
    assert result.exit_code == 2
    assert len(lines) == 4
    assert all(PLACED.match(line) for line in lines)
    assert sum("t-27" in line and "t-72" in line for line in lines) == 2, "with what was perhaps meant"


def test_a_line_of_a_script_that_cannot_be_played(run: Run, script):
    script.write_text(script.read_text(encoding="utf-8") + "fire m1-1 m1-2\n", encoding="utf-8")
    result = run("check", script)
    assert result.exit_code == 2
    assert re.match(r"^\S+first\.txt:11:1: fire m1-1 m1-2: ", result.stdout)


@pytest.mark.parametrize("change", ["digest", "sum", "torn"])
def test_a_log_that_was_changed(run: Run, script, tmp_path, change):
    log = tmp_path / "game.jsonl"
    run("replay", script, "--save", log)
    lines = log.read_bytes().splitlines(keepends=True)
    if change == "torn":
        lines.append(b'{"n":')
    else:
        lines[2] = (
            lines[2].replace(b'"n":2', b'"n":3') if change == "sum" else lines[2].replace(b"0201", b"0202")
        )
    log.write_bytes(b"".join(lines))
    result = run("check", log)
    assert result.exit_code == 2
    line = len(lines) if change == "torn" else 3
    assert result.stdout.startswith(f"{log}:{line}:1: ")
    assert result.stdout.count(str(log)) == 1, "its place is told once"
    assert result.stdout.count("\n") == 1


@pytest.mark.parametrize("data", [b"", b"\0\1\2", b"\xff\xfe", b"[[[[[", b"{}", b'{"format":9}\n', b"a = 1"])
@pytest.mark.parametrize("name", ["x.toml", "x.jsonl", "x.txt", "x"])
def test_no_file_brings_it_down(run: Run, tmp_path, name, data):
    path = tmp_path / name
    path.write_bytes(data)
    result = run("check", path)
    assert result.exit_code == 2
    assert result.stdout.strip()


def test_files_that_are_not_there(run: Run, tmp_path):
    result = run("check", tmp_path / "none.toml", tmp_path)
    assert result.exit_code == 2
    assert len(result.stdout.splitlines()) == 2


def test_the_theme(run: Run, tmp_path):
    path = tmp_path / "theme.toml"
    path.write_text('[board]\nvoid = "red"\n', encoding="utf-8")
    result = run("check", path)
    assert result.exit_code == 2
    assert "board.void" in result.stdout


def test_a_scenario_is_one_whatever_it_is_called(run: Run, tmp_path):
    file = tmp_path / "scenario.txt"
    file.write_text(SKIRMISH, encoding="utf-8")
    assert run("check", file).exit_code == 0
    file.write_text(SKIRMISH.replace("turns = 2", "turns = 0"), encoding="utf-8")
    assert "turns must be from 1 to 99, not 0" in run("check", file).stdout
