"""Fire missions at the terminal: what is left is told, orders are shortened, scripts call them."""

from __future__ import annotations

import json

import pytest

from tests.app.conftest import SKIRMISH, Run
from tests.app.test_play import entries, log_of

SUPPORTED = SKIRMISH.replace('id = "blues"', 'id = "blues"\nmissions = { he = 2 }').replace(
    'id = "m1-1"\ntype = "m1"', 'id = "m1-1"\ntype = "scimitar"'
)


@pytest.fixture
def supported(skirmish):
    skirmish.write_text(SUPPORTED, encoding="utf-8")
    return skirmish


def test_a_mission_is_called_and_told(run: Run, supported):
    typed = "draw [blues]\nodds mi h 0703\nmi h 0703 [1 5 1 1 1 1]\nmove m2 0302\ndone\nquit\n"
    result = run("play", supported, "--opponent", "none", "--seed", 3, typed=typed)
    assert "blues: HE 2" in result.stdout
    assert "blues calls high explosive on 0703." in result.stdout
    assert "t72-1 in 0703 is under fire: 2 dice to hit on 5; 5 1: 1 hit." in result.stdout
    assert "blues: HE 1" in result.stdout
    assert "move m2 0302 comes later: fire missions are called first" in result.stdout
    assert [entry["order"] for entry in entries(log_of(result))] == ["draw", "mission he 0703", "done"]


def test_a_log_with_missions_replays_and_shows(run: Run, supported):
    typed = "draw [blues]\nmission he 0703 [1 5 1 1 1 1]\nquit\n"
    log = log_of(run("play", supported, "--opponent", "none", typed=typed))
    assert run("replay", log, "--verify").exit_code == 0
    state = json.loads(run("replay", log, "--state", "json").stdout)
    assert (state["missions"], state["strikes"]) == ({"blues": {"he": 1, "smoke": 0}}, {})


def test_scripts_close_them_with_done_and_not_with_end(run: Run, supported, tmp_path):
    path = tmp_path / "missions.txt"
    head = f"scenario {supported.name}\nseed 7\nreactions pass\ndraw [blues]\n"
    path.write_text(head + "mission he 0703 [1 5 1 1 1 1]\ndone\nend\n", encoding="utf-8")
    assert run("play", "--script", path).exit_code == 0
    path.write_text(head + "end\n", encoding="utf-8")
    result = run("play", "--script", path)
    assert result.exit_code == 1
    assert "fire missions are called first" in result.stderr


def test_help_knows_them_only_where_there_are_any(run: Run, supported):
    with_missions = run("play", supported, "--opponent", "none", typed="help mission\nquit\n").stdout
    assert "mission he|smoke HEX" in with_missions
    supported.write_text(SKIRMISH, encoding="utf-8")
    assert "mission" not in run("play", supported, "--opponent", "none", typed="help\nquit\n").stdout
