"""``watch`` and ``batch``: players among themselves."""

from __future__ import annotations

import json

import pytest

from hexengine import players
from hexengine.players.random import Random
from tests.app.conftest import Run


def test_a_game_is_told_and_kept(run: Run, skirmish, tmp_path):
    log = tmp_path / "game.jsonl"
    result = run("watch", skirmish, "--players", "random", "officer", "--seed", 3, "--log", log)
    assert result.exit_code == 0
    assert "game over after" in result.stdout.splitlines()[-1]
    assert json.loads(log.read_text(encoding="utf-8").splitlines()[0])["players"] == {
        "blue": "random",
        "red": "officer",
    }
    assert run("replay", log, "--verify").exit_code == 0


def test_the_same_seed_gives_the_same_game(run: Run, skirmish):
    first, second = (
        run("watch", skirmish, "--players", "random", "random", "--seed", 3).stdout for _ in range(2)
    )
    assert first == second


@pytest.mark.parametrize(
    "options",
    [
        ["--players", "random"],
        ["--players", "random", "nobody"],
        [],
        ["--players", "random", "random", "--delay", "nan"],
        ["--players", "random", "random", "--delay", "-1"],
        ["--players", "random", "random", "--delay", "soon"],
        ["--players", "random", "random", "--seed", "9" * 30],
    ],
)
def test_used_wrongly(run: Run, skirmish, options):
    result = run("watch", skirmish, *options)
    assert result.exit_code == 2
    assert result.stderr.strip()


def test_a_batch_and_its_report(run: Run, skirmish, tmp_path):
    results = tmp_path / "results.db"
    batch = run("batch", skirmish, "--players", "random", "random", "--games", 6, "--seed", 1, "--swap",
                "--out", results, "--logs", tmp_path / "logs", "--json")  # fmt: skip
    assert batch.exit_code == 0
    document = json.loads(batch.stdout)
    assert (document["games"], document["seed"], len(document["results"])) == (6, 1, 6)
    assert "\r" not in batch.stderr
    assert len(batch.stderr.splitlines()) <= 24
    assert len(list((tmp_path / "logs").iterdir())) == 6
    report = json.loads(run("report", results, "--json").stdout)
    assert set(report) >= {"games", "sides", "players", "draws", "turns"}
    assert report["games"] == 6
    assert "by side" in run("report", results).stdout


def test_a_batch_for_people(run: Run, skirmish):
    shown = run("batch", skirmish, "--players", "random", "random", "--games", 2, "--seed", 1).stdout
    assert shown.startswith("skirmish: 2 games in ")


@pytest.mark.parametrize(
    "options",
    [
        ["--games", "0"],
        ["--games", "2", "--resume"],
        ["--games", "2", "--workers", "0"],
        ["--games", "x"],
    ],
)
def test_a_batch_used_wrongly(run: Run, skirmish, options):
    assert run("batch", skirmish, "--players", "random", "random", *options).exit_code == 2


def test_a_report_of_nothing(run: Run, tmp_path):
    assert run("report", tmp_path / "none.db").exit_code == 2


def test_games_that_broke_fail_after_all_others(run: Run, skirmish, monkeypatch):
    from hexengine import lab

    whole = lab.batch(lab_scenario(skirmish), ("random", "random"), 2, 1)

    def broken(*arguments, **options):
        raise lab.GamesFailed([], whole)

    monkeypatch.setattr(lab, "batch", broken)
    result = run("batch", skirmish, "--players", "random", "random", "--games", 2, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["games"] == 2
    assert "could not be played" in result.stderr


def lab_scenario(path):
    import hexengine as hx

    return hx.load(path)


class Falters(Random):
    """Plays at random, and fails at its third entry or later."""

    name = "falters"

    def choose(self, game, *, explain=False):
        if game.entry >= 3:
            raise ValueError("no [idea]")
        return super().choose(game)


def test_a_player_that_fails_is_replaced_in_the_game_and_in_its_log(run: Run, skirmish, tmp_path):
    players.register("falters", Falters)
    log = tmp_path / "game.jsonl"
    result = run("watch", skirmish, "--players", "random", "falters", "--seed", 3, "--log", log)
    assert result.exit_code == 0
    said = "random plays on for falters (red): ValueError: no [idea]"
    assert result.stdout.splitlines().count(said) == 1
    assert run("replay", log, "--verify").exit_code == 0
    told = run("replay", log).stdout.splitlines()
    assert told.count("red: random plays on for falters: ValueError: no [idea]") == 1
    script = run("replay", log, "--as", "script").stdout
    assert "# random plays on for falters: ValueError: no [idea]\n" in script


def test_who_was_replaced_does_not_come_back_when_a_game_goes_on(run: Run, skirmish, tmp_path):
    players.register("falters", Falters)
    log = tmp_path / "game.jsonl"
    typed = "".join("draw\nend\n" for _ in range(9))
    first = run("play", skirmish, "--opponent", "falters", "--seed", 3, "--log", log, typed=typed)
    assert "random plays on for falters (red)" in first.stdout
    assert first.exit_code == 1, "the input ended"
    again = run("play", "--resume", log)
    assert "random plays red" in again.stdout
    assert "falters" not in again.stdout


@pytest.mark.parametrize("budget", ["0", "nan", "-1", "soon", "1e9"])
def test_budgets_that_cannot_be(run: Run, skirmish, budget):
    result = run("watch", skirmish, "--players", "random", "random", "--budget", budget)
    assert result.exit_code == 2


def test_a_batch_says_who_failed(run: Run, skirmish):
    players.register("falters", Falters)
    result = run(
        "batch", skirmish, "--players", "random", "falters", "--games", 2, "--seed", 1, "--budget", 9
    )
    assert result.exit_code == 0
    assert "in 2 games a player failed, and random played on for it; the first: falters" in result.stdout


def test_a_batch_says_when_swapping_gives_nothing_new(run: Run, skirmish):
    result = run("batch", skirmish, "--players", "random", "random", "--games", 2, "--seed", 1, "--swap")
    assert result.exit_code == 0
    assert "random against itself plays the same game twice with --swap" in result.stderr
