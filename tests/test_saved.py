"""Records and the scenarios they are of, brought together."""

from __future__ import annotations

import pytest

import hexengine as hx
from hexengine import saved
from hexengine.record.formats import RecordError, Wanted
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
    before = played(hx.load("crossroads"), path)
    game = hx.resume(path)
    assert (game.entry, game.digest) == (2, before.digest)
    assert [str(order) for order in game.orders()] == [str(order) for order in before.orders()]
    events = game.play(game.orders()[0])
    assert events, "a game that goes on tells what happens"
    before.play(before.orders()[0])
    game.close()
    again = hx.replay(path, verify=True)
    assert (again.entry, again.digest) == (3, before.digest)
    assert path.read_bytes() == before.log.to_bytes()


@pytest.mark.parametrize("scenario", ["introduction", "first-orders"])
def test_a_game_that_is_resumed_again_and_again_is_the_one_played_in_one_go(tmp_path, scenario):
    path, machine = tmp_path / "a.jsonl", hx.player("recruit", seed=5)
    whole = hx.Game(hx.load(scenario), 5)
    whole.log.save(path)
    for _ in range(4):
        game = hx.resume(str(path))
        for _ in range(5):
            order = str(machine.choose(game))
            game.play(order)
            whole.play(order)
        game.close()
    assert path.read_bytes() == whole.log.to_bytes()
    assert hx.replay(path, verify=True).digest == whole.digest


def test_a_resumed_game_may_be_over(tmp_path):
    path, machine = tmp_path / "a.jsonl", hx.player("random", seed=1)
    game = hx.Game(hx.load("squad-rally"), 1)
    while game.decision:
        game.play(machine.choose(game))
    game.log.save(path)
    again = hx.resume(path)
    assert again.decision is None and again.result == game.result
    with pytest.raises(hx.GameOver):
        again.play("done")
    again.close()


def test_a_log_that_was_changed_is_not_gone_on_with(tmp_path):
    """The place is told, the valid part is at hand, the file stays as it is and is not held open."""
    path = tmp_path / "a.jsonl"
    played(hx.load("crossroads"), path)
    good = path.read_bytes()
    wrong = good.replace(b'"n":2', b'"n":7')
    for _ in range(2):
        path.write_bytes(wrong)
        with pytest.raises(hx.ReplayDivergence) as caught:
            hx.resume(path)
        assert f"{path}:3: " in str(caught.value)
        assert (caught.value.entry, caught.value.game.entry) == (2, 1)
        assert path.read_bytes() == wrong
        path.write_bytes(good)
        hx.resume(path).close()


def test_a_torn_last_line_is_cut_off_and_told(tmp_path):
    path = tmp_path / "a.jsonl"
    played(hx.load("crossroads"), path)
    path.write_bytes(path.read_bytes()[:-5])
    game = hx.resume(path)
    assert game.entry == 1 and [notice.code for notice in game.notices] == ["torn"]
    game.close()
    assert hx.replay(path, verify=True).entry == 1


def test_only_logs_are_gone_on_with(tmp_path):
    script = tmp_path / "first.txt"
    script.write_text("scenario crossroads\ndraw\n", encoding="utf-8")
    with pytest.raises(hx.HexEngineError) as caught:
        hx.resume(script)
    assert "first.txt" in str(caught.value)
    with pytest.raises(hx.HexEngineError, match="nowhere"):
        hx.resume(tmp_path / "nowhere.jsonl")
    assert not (tmp_path / "nowhere.jsonl").exists()


def test_a_log_is_gone_on_with_once_at_a_time(tmp_path):
    path = tmp_path / "a.jsonl"
    played(hx.load("crossroads"), path)
    first = hx.resume(path)
    with pytest.raises(RecordError):
        hx.resume(path)
    first.close()
    hx.resume(path).close()
