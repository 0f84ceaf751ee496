"""docs/writing-scenarios.md: the scenario that it builds, step by step, what is measured, and the faults."""

import json
import re
import tomllib

import pytest

from hexengine.app import main
from hexengine.content.loader import loads
from hexengine.content.resources import data_path
from hexengine.core.game import Game
from hexengine.testing.playing import chooser, steps
from tests.docs.measured import NAME, found_in, printed, story, timeless
from tests.docs.pages import DOCS

STORY = story()
FINAL = STORY.final


def at_lines(rows):
    """Parameters of a test, each named by its line in the page."""
    return [pytest.param(*row[1:], id=f"line-{row[0]}") for row in rows]


def run(words):
    """A command in this process; its exit status must be 0."""
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code in (0, None)


@pytest.mark.parametrize("text", at_lines(STORY.stages))
def test_every_stage_of_the_scenario_can_be_played(text):
    game = Game(loads(text, NAME), 1)
    for _ in steps(game, chooser(1)):
        game.system.invariants(game.position)
    assert game.result is not None


def test_the_finished_scenario_has_what_the_page_talks_about():
    board = loads(FINAL, NAME).board
    assert {"kanone", "hold", "steps"} <= {*re.findall(r'"(\w+)"', FINAL)}
    assert [counter.id for counter in board.counters if counter.due] == ["t72-3", "t72-4"]
    assert board.options.recon_double_radius
    assert len(board.levels) == 2


def test_the_page_names_every_counter_and_every_terrain_that_a_legend_may_use():
    named = set(re.findall(r"`([a-z0-9-]+)`", (DOCS / "writing-scenarios.md").read_text(encoding="utf-8")))
    units = tomllib.loads(data_path("platoon", "units").read_text(encoding="utf-8"))["type"]
    terrain = tomllib.loads(data_path("platoon", "terrain").read_text(encoding="utf-8"))["terrain"]
    raised = {row["raised"] for row in terrain if "raised" in row}
    assert {row["id"] for row in units} | {row["id"] for row in terrain} - raised <= named


@pytest.mark.slow
def test_what_is_measured_is_as_the_page_shows_it():
    """Every output, in its order; ``python -m tests.docs.recording`` writes them anew."""
    assert len(STORY.shown) >= 6
    for one, new in zip(STORY.shown, printed(STORY.shown), strict=True):
        assert timeless(one.text) == timeless(new), f"line {one.line}"


def test_the_draft_is_one_sided_and_the_finished_battle_is_not(tmp_path, monkeypatch, capsys):
    """With a seed that the page does not use."""
    monkeypatch.chdir(tmp_path)
    shares = []
    for text in (STORY.shown[0].file, FINAL):
        (tmp_path / NAME).write_text(text, encoding="utf-8")
        run(["balance", NAME, "--seed", "77", "--margin", "0.1", "--json"])
        shares.append(json.loads(capsys.readouterr().out)["share"]["share"])
    draft, finished = shares
    assert draft > 0.9
    assert 0.4 <= finished <= 0.6


@pytest.mark.parametrize(("text", "said"), at_lines(STORY.faults))
def test_every_fault_is_reported_as_the_page_says(text, said):
    assert found_in(text) == said


@pytest.mark.parametrize("command", at_lines(STORY.commands))
def test_every_command_runs(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / NAME).write_text(FINAL, encoding="utf-8")
    run(re.sub(r"--games \d+", "--games 2", command).split())
