"""Records and the scenarios they are of, brought together."""

from __future__ import annotations

import pytest

import hexengine as hx
from hexengine import saved
from hexengine.record.formats import Wanted
from hexengine.record.script import to_script
from tests.app.conftest import SCRIPT, SKIRMISH


@pytest.fixture
def scenario_file(tmp_path):
    path = tmp_path / "skirmish.toml"
    path.write_text(SKIRMISH, encoding="utf-8")
    return path


def played(scenario, path):
    """The log of two orders."""
    game = hx.Game(scenario, 3)
    game.play("draw [eot]")
    game.play("draw")
    game.log.save(path)
    return game


def test_a_log_of_a_shipped_scenario_finds_it_by_name(tmp_path):
    game = played(hx.load("crossroads"), tmp_path / "a.jsonl")
    assert hx.replay(tmp_path / "a.jsonl").digest == game.digest


def test_any_other_scenario_is_carried_along(tmp_path, scenario_file):
    game = played(hx.load(scenario_file), tmp_path / "a.jsonl")
    scenario_file.unlink()
    assert hx.replay(tmp_path / "a.jsonl", verify=True).digest == game.digest


def test_the_carried_one_wins_over_a_shipped_one_of_its_name(tmp_path):
    changed = hx.load("crossroads").source.replace("turns = 7", "turns = 6")
    played(hx.loads(changed, "crossroads"), tmp_path / "a.jsonl")
    again = hx.replay(tmp_path / "a.jsonl")
    assert again.scenario.turns == 6
    assert not again.notices


def test_a_log_never_looks_into_folders(tmp_path, scenario_file, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wanted = Wanted(scenario_file.name, "platoon", "0" * 32, None, tmp_path)
    with pytest.raises(hx.ContentError, match="does not come with this version"):
        saved.find(wanted)


def test_a_log_written_out_as_a_script_finds_the_scenario_beside_it(tmp_path, scenario_file, monkeypatch):
    game = played(hx.load(scenario_file), tmp_path / "a.jsonl")
    script = tmp_path / "again.txt"
    script.write_text(to_script(game.log), encoding="utf-8")
    monkeypatch.chdir("/")
    assert hx.replay(script).digest == game.digest
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    script = script.rename(elsewhere / "again.txt")
    with pytest.raises(hx.ContentError, match="skirmish"):
        hx.replay(script)
    monkeypatch.chdir(tmp_path)
    assert hx.replay(script).digest == game.digest


def test_a_script_finds_what_lies_beside_it(tmp_path, scenario_file, monkeypatch):
    script = tmp_path / "first.txt"
    script.write_text(f"scenario {scenario_file.name}\nreactions pass\n{SCRIPT}", encoding="utf-8")
    monkeypatch.chdir("/")
    assert hx.replay(script).entry == 8
    assert hx.replay(script, 2).entry == 2


def test_a_script_finds_what_lies_in_the_current_folder(tmp_path, scenario_file, monkeypatch):
    folder = tmp_path / "scripts"
    folder.mkdir()
    script = folder / "first.txt"
    script.write_text(f"scenario {scenario_file.name}\ndraw\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert hx.replay(script).entry == 1


def test_a_scenario_that_nobody_knows(tmp_path):
    script = tmp_path / "first.txt"
    script.write_text("scenario crossroad\ndraw\n", encoding="utf-8")
    with pytest.raises(hx.ContentError, match='did you mean "crossroads"'):
        hx.replay(script)


def test_the_first_difference_is_told_with_the_valid_part(tmp_path):
    played(hx.load("crossroads"), tmp_path / "a.jsonl")
    path = tmp_path / "a.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"n":2', b'"n":7'))
    with pytest.raises(hx.ReplayDivergence) as caught:
        hx.replay(path)
    assert caught.value.entry == 2
    assert caught.value.game.entry == 1


def test_a_resumed_game_is_written_on(tmp_path):
    path = tmp_path / "a.jsonl"
    played(hx.load("crossroads"), path)
    game = saved.resume(path)
    game.play(game.orders()[0])
    game.close()
    assert hx.replay(path, verify=True).entry == 3
