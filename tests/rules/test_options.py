"""Switches of the rules: each has its default, is written down, and a wrong one is told."""

import re
from pathlib import Path

import msgspec
import pytest

from hexengine.core.errors import ContentError
from hexengine.systems.platoon.scenario.format import Options
from tests.rules.table import begin

FORMATS = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
FORCES = "blue A\n t1 m1 0101\nred B\n t9 t-72 0601\n"
DEFAULTS = {field.name: field.default for field in msgspec.structs.fields(Options)}


def test_every_option_stands_in_the_table_with_its_default():
    table = FORMATS.partition("### `[options]`")[2].partition("\n### ")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", table, re.MULTILINE))
    assert rows == {name: msgspec.json.encode(value).decode() for name, value in DEFAULTS.items()}


@pytest.mark.parametrize("name", DEFAULTS)
def test_every_option_is_read(name):
    other = not DEFAULTS[name] if isinstance(DEFAULTS[name], bool) else OTHERS[name]
    assert getattr(begin("......", FORCES, options={name: other}).board.options, name) == other
    assert getattr(begin("......", FORCES).board.options, name) == DEFAULTS[name]


OTHERS = {"overlooked_rule": "literal", "load_lock": "turn"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"dig_inn": True}, 'did you mean "dig_in"?'),
        ({"dig_in": 1}, "true or false"),
        ({"load_lock": "turns"}, "turn"),
    ],
)
def test_a_wrong_option_is_told(options, said):
    with pytest.raises(ContentError) as caught:
        begin("......", FORCES, options=options)
    assert said in str(caught.value)
