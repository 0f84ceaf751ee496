"""docs/formats.md, States: the keys are those that every system gives, and no others."""

import re

import pytest

from hexengine.content.loader import load
from hexengine.core.game import Game
from hexengine.testing.decisions import STATE_KEYS, UNIT_KEYS
from hexengine.testing.playing import chooser, steps
from tests.docs.pages import DOCS

PAGE = (DOCS / "formats.md").read_text(encoding="utf-8")
CHAPTER = PAGE[PAGE.index("## States") : PAGE.index("## Results")]
ALL, UNITS, BESIDE = re.split(r"\n\n(?=\| key of a unit|Beside these)", CHAPTER)


def keys(table):
    return set(re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE))


def test_the_tables_have_the_keys_that_the_conformance_kit_wants():
    assert keys(ALL) == STATE_KEYS
    assert keys(UNITS) == UNIT_KEYS


@pytest.mark.parametrize("name", ["river-crossing", "gunships", "crossing-at-selne", "block"])
def test_what_the_systems_have_beside_them_is_named(name):
    game, found = Game(load(name)), set()
    for _ in steps(game, chooser(1)):
        state = game.state()
        found |= state.keys() | {key for unit in state["units"].values() for key in unit}
    assert found - STATE_KEYS - UNIT_KEYS <= set(re.findall(r"`([\w-]+)`", BESIDE))
