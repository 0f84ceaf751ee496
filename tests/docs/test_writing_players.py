"""docs/writing-players.md: the players that it builds play as it says, and its questions get its answers."""

import doctest
import re

import pytest

from tests.docs.packages import install
from tests.docs.pages import blocks, commands
from tests.docs.program import python, run
from tests.docs.test_adding_a_system import PAGE as SYSTEM_PAGE

PAGE = blocks("writing-players.md")
MODULE = "\n".join(block.text for block in PAGE if block.kind == "python")
(PROJECT,) = [block.text for block in PAGE if block.kind == "toml"]
PATIENT, BATCH = [block.text for block in PAGE if block.kind == "py"]
SESSION = "\n".join(block.text for block in PAGE if block.kind == "pycon")


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A folder with the files of the page, installed, and the system of the other page beside them."""
    folder = tmp_path_factory.mktemp("players")
    (folder / "two_players.py").write_text(MODULE, encoding="utf-8")
    (folder / "batch.py").write_text(BATCH, encoding="utf-8")
    install(folder, PROJECT)
    system, scenario = [block.text for block in SYSTEM_PAGE if block.kind == "toml"]
    (folder / "three.toml").write_text(scenario, encoding="utf-8")
    module = "\n".join(block.text for block in SYSTEM_PAGE if block.kind == "python")
    (folder / "skirmish.py").write_text(module, encoding="utf-8")
    install(folder, system)
    return folder


def test_every_command_knows_them(package):
    """With fewer games."""
    shown = {
        command: run(re.sub(r"--games \d+", "--games 2", command), folder=package)
        for command in commands(PAGE)
    }
    assert {command.split()[0] for command in shown} >= {"list", "watch", "batch", "report", "arena"}
    players = shown["list"].splitlines()[-1]
    assert players == "players: dreamer, greedy, officer, random, recruit, veteran"
    assert not any("failed" in text or "plays on for" in text for text in shown.values())


@pytest.mark.parametrize("name", ["greedy", "dreamer"])
@pytest.mark.parametrize("scenario", ["three.toml", "squad-group", "company-shot", "reaction"])
def test_they_play_any_system(package, name, scenario):
    command = f"batch {scenario} --players {name} random --games 4 --seed 1 --swap"
    shown = run(command, folder=package)
    assert f"{name} " in shown and "failed" not in shown


def test_they_beat_random(package):
    shown = run("batch duel --players greedy random --games 10 --seed 1 --swap --json", folder=package)
    wins = {name: int(re.search(rf'"{name}": (\d+)', shown)[1]) for name in ("greedy", "random")}
    assert wins["greedy"] > 2 * wins["random"]


def test_they_choose_alike_whenever_they_are_asked_and_say_why(package):
    program = """\
import hexengine as hx
game = hx.Game(hx.load("crossroads"), seed=28)
game.play("draw [cavalry]")
for name in ("greedy", "dreamer"):
    order = hx.player(name, seed=3).choose(game)
    why = hx.player(name, seed=3).choose(game, explain=True)
    scores = [candidate.score for candidate in why.candidates]
    print(order == why.order, scores == sorted(scores, reverse=True), scores[0] > 0 or len(scores) > 1)
"""
    assert python(("-c", program), (), package) == "True True True\n" * 2


def test_a_batch_from_python_and_a_player_of_another_setting(package):
    assert python(("batch.py",), (), package).startswith("{'greedy': ")
    program = f"from two_players import Dreamer\n{PATIENT}\nprint(Patient(seed=1).trials)"
    assert python(("-c", program), (), package) == "16\n"


def test_questions_get_the_answers_of_the_page():
    example = doctest.DocTestParser().get_doctest(SESSION, {}, "page", "writing-players.md", 0)
    assert len(example.examples) >= 15
    told: list[str] = []
    result = doctest.DocTestRunner().run(example, out=told.append)
    assert result.failed == 0, "".join(told)
