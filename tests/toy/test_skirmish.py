"""The system of docs/adding-a-system.md: it is short, and it keeps what every system must keep."""

from pathlib import Path
from typing import ClassVar

import pytest
from click.testing import CliRunner

from hexengine.app.commands import commands
from hexengine.content.loader import loads
from hexengine.core.errors import ContentError, HexEngineError
from hexengine.core.game import Game
from hexengine.core.rulebook import WordsFile
from hexengine.core.system import register
from hexengine.players import player
from hexengine.testing import conformance
from hexengine.view.board import compose
from hexengine.view.scenes import scene
from hexengine.view.theme import Theme
from tests.toy import skirmish

TEXT = '''\
format = 1
system = "skirmish"
title = "Three against three"
turns = 8
sides = ["red", "blue"]
unit = [
    { id = "r1", side = "red", hex = "0101" }, { id = "r2", side = "red", hex = "0102" },
    { id = "r3", side = "red", hex = "0103" }, { id = "b1", side = "blue", hex = "0601" },
    { id = "b2", side = "blue", hex = "0602" }, { id = "b3", side = "blue", hex = "0604" },
]

[map]
terrain = """
......
..~~..
......
......
"""
legend = { "." = "clear", "~" = "lake" }
'''

register(skirmish.SYSTEM)


def scenario():
    return loads(TEXT, "skirmish")


def faults(old, new):
    with pytest.raises(ContentError) as caught:
        loads(TEXT.replace(old, new), "skirmish")
    return [str(problem) for problem in caught.value.problems]


def test_it_is_short():
    lines = Path(skirmish.__file__).read_text(encoding="utf-8").splitlines()
    assert len(lines) < 330


def test_it_passes_the_conformance_kit():
    found = conformance.run(scenario(), games=10, factory=("tests.toy.test_skirmish:scenario", ()))
    assert found.games == 10 and found.odds > 0
    assert set(found.refused) == {"K1", "K2", "K3"} and set(found.events) == {"K2", "K3", "K4"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("0604", "0904", "skirmish:9:83: there is no column 09"),
        ("0604", "0302", "skirmish:9:83: 0302 must be empty, and no lake [K2]"),
        ("0604", "0602", "skirmish:9:83: 0602 must be empty, and no lake [K2]"),
        ('"b3", side = "blue"', '"b3", side = "blu"', "skirmish:9:69: there is no side 'blu'"),
        ('"b3"', '"b2"', "skirmish:9:56: the id 'b2' is used twice"),
        ("r3", "fire", "skirmish:8:12: the id 'fire' is a word of orders"),
        ('"lake"', '"lek"', "skirmish:19:33: there is no terrain 'lek'"),
        ("[map]", '[map]\nroads = ["0101-0201"]', "skirmish:13:9: [map] has no roads in the skirmish system"),
        ("[map]", '[map]\nmines = ["0101"]', "skirmish:13:9: [map] has no mines in the skirmish system"),
    ],
)
def test_its_faults_are_placed(old, new, said):
    found = faults(old, new)
    assert len(found) == 1 and found[0].startswith(said), found


def test_it_is_drawn():
    game = Game(scenario())
    assert "[×r1" in "\n".join(compose(scene(game.system.view(game.position)), Theme(), "outline").lines())


def test_its_words_may_lie_in_a_file(tmp_path):
    """As the page has it in its chapter on the catalogue and its words."""

    class Worded(skirmish.Skirmish):
        data_types: ClassVar = {"words": WordsFile}
        data_folder = tmp_path

        def build(self, document, data, report):
            board = super().build(document, data, report)
            assert board is not None
            board.wording.words = data["words"]
            return board

    (tmp_path / "words.toml").write_text('[refusal]\nno-step = "no"\n[event]\n[contribution]\n', "utf-8")
    try:
        register(Worded())
        game = Game(scenario())
        assert game.why_not("move r1 0604").text == "no"
    finally:
        register(skirmish.SYSTEM)


def test_without_tactics_people_and_players_are_told_so(tmp_path):
    game = Game(scenario())
    with pytest.raises(HexEngineError, match="the rule system skirmish has no tactics to ask"):
        player("officer").choose(game)
    path = tmp_path / "three.toml"
    path.write_text(TEXT, encoding="utf-8")
    shown = CliRunner().invoke(commands, ["show", str(path), "--reach", "r1"])
    assert shown.exit_code and "the rule system skirmish does not say what units can reach" in shown.stderr
