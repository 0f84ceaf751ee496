"""The short system of docs/adding-a-system.md: it is short, and it keeps what every system must keep."""

from pathlib import Path

from hexengine.content.loader import loads
from hexengine.core.errors import ContentError
from hexengine.core.game import Game
from hexengine.testing import conformance
from hexengine.view.board import compose
from hexengine.view.scenes import scene
from hexengine.view.theme import Theme
from tests.toy import skirmish

TEXT = """\
format = 1
system = "skirmish"
title = "Three against three"
turns = 8
sides = ["red", "blue"]
columns = 6
rows = 4
unit = [
    { id = "r1", side = "red", hex = "0101" }, { id = "r2", side = "red", hex = "0102" },
    { id = "r3", side = "red", hex = "0103" }, { id = "b1", side = "blue", hex = "0601" },
    { id = "b2", side = "blue", hex = "0602" }, { id = "b3", side = "blue", hex = "0604" },
]
"""


def scenario():
    return loads(TEXT, "skirmish")


def test_it_is_short():
    lines = Path(skirmish.__file__).read_text(encoding="utf-8").splitlines()
    assert len(lines) < 300


def test_it_passes_the_conformance_kit():
    found = conformance.run(scenario(), games=10, factory=("tests.toy.test_skirmish:scenario", ()))
    assert found.games == 10 and found.odds > 0
    assert set(found.refused) == {"K1", "K2", "K3"} and set(found.events) == {"K2", "K3", "K4"}


def test_its_faults_are_placed():
    try:
        loads(TEXT.replace("0604", "0904"), "skirmish")
    except ContentError as error:
        assert "skirmish:11:83:" in str(error)
    else:
        raise AssertionError("a hex that is not there must be a fault")


def test_it_is_drawn():
    game = Game(scenario())
    assert "[×r1" in "\n".join(compose(scene(game.system.view(game.position)), Theme(), "outline").lines())
