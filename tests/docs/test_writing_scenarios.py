"""docs/writing-scenarios.md: the scenario that it builds, step by step, and the faults that it shows."""

import re
import tomllib

import pytest

from hexengine.app import main
from hexengine.content.loader import check, loads
from hexengine.content.resources import data_path
from hexengine.core.game import Game
from hexengine.testing.playing import chooser, steps
from tests.docs.pages import DOCS, blocks

PAGE = blocks("writing-scenarios.md")
NAME = "ulmenhof.toml"


def sections(text):
    """A file in parts: the top of it, then from each heading to the next, with that heading."""
    parts = re.split(r"^(?=\[)", text, flags=re.MULTILINE)
    return [(part.partition("\n")[0] if part.startswith("[") else "", part) for part in parts]


def replaced(text, block):
    """The file after a block has taken the place of the sections with its headings."""
    new = sections(block)
    headings = {heading for heading, _ in new if heading}
    kept, place = [], None
    for heading, part in sections(text):
        if heading in headings:
            place = len(kept) if place is None else place
        else:
            kept.append(part)
    place = len(kept) if place is None else place
    kept[place:place] = [part if part.endswith("\n\n") else part + "\n" for heading, part in new if heading]
    return "".join(part if part.endswith("\n\n") else part + "\n" for part in kept)


def stages():
    """The file after each block of the page."""
    text = ""
    for block in PAGE:
        if block.kind == "toml":
            text = replaced(text, block.text) if text else block.text
            yield pytest.param(text, id=f"line-{block.line}")


STAGES = list(stages())
FINAL = STAGES[-1].values[0]


def broken(block):
    """The page's file after the change that a block shows."""
    old = "".join(line[1:] for line in block.text.splitlines(True) if line.startswith("-"))
    new = "".join(line[1:] for line in block.text.splitlines(True) if line.startswith("+"))
    assert FINAL.count(old) == 1, f"line {block.line}: what is changed must be there once"
    return FINAL.replace(old, new)


FAULTS = [
    pytest.param(broken(block), PAGE[number + 1], id=f"line-{block.line}")
    for number, block in enumerate(PAGE)
    if block.kind == "diff"
]


def run(words):
    """A command in this process; its exit status must be 0."""
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code in (0, None)


@pytest.mark.parametrize("text", STAGES)
def test_every_stage_of_the_scenario_can_be_played(text):
    game = Game(loads(text, NAME), 1)
    for _ in steps(game, chooser(1)):
        game.system.invariants(game.position)
    assert game.result is not None


def test_the_finished_scenario_has_what_the_page_talks_about():
    board = loads(FINAL, NAME).board
    assert {"kanone", "hold", "steps"} <= {*re.findall(r'"(\w+)"', FINAL)}
    assert [counter.id for counter in board.counters if counter.due] == ["t55-3"]
    assert board.options.recon_double_radius
    assert len(board.levels) == 2


def test_the_page_names_every_counter_and_every_terrain_that_a_legend_may_use():
    named = set(re.findall(r"`([a-z0-9-]+)`", (DOCS / "writing-scenarios.md").read_text(encoding="utf-8")))
    units = tomllib.loads(data_path("platoon", "units").read_text(encoding="utf-8"))["type"]
    terrain = tomllib.loads(data_path("platoon", "terrain").read_text(encoding="utf-8"))["terrain"]
    raised = {row["raised"] for row in terrain if "raised" in row}
    assert {row["id"] for row in units} | {row["id"] for row in terrain} - raised <= named


@pytest.mark.parametrize(("text", "said"), FAULTS)
def test_every_fault_is_reported_as_the_page_says(text, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / NAME).write_text(text, encoding="utf-8")
    assert said.kind == "text"
    assert "".join(f"{problem}\n" for problem in check([NAME])) == said.text


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(line.removeprefix("$ hexengine "), id=f"line-{block.line + number}")
        for block in PAGE
        if block.kind == "console"
        for number, line in enumerate(block.text.splitlines())
    ],
)
def test_every_command_runs(command, tmp_path, monkeypatch):
    """With fewer games; a report needs the batch before it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / NAME).write_text(FINAL, encoding="utf-8")
    words = re.sub(r"--games \d+", "--games 2", command).split()
    if words[0] == "report":
        batch = ["batch", NAME, "--players", "random", "random", "--games", "2", "--out", words[1]]
        run(batch)
    run(words)
