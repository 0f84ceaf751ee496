"""Scenarios damaged at random: the checks go on through whatever stands in for what could not be read."""

import random
import tomllib

import pytest

from hexengine.content.convert import convert_leniently
from hexengine.content.data import data_file
from hexengine.content.faults import Enough, Faults, Source
from hexengine.core.system import get_system
from tests.long import often
from tests.systems.company import test_faults as company
from tests.systems.squad import test_faults as squad

VALUES = (
    '""', '"x"', "0", "-1", "7", "99", "true", "[]", "{}", "1.5", '["x"]', '"0101"', '"9999"', '"0101/0102"',
    '["0101", "0102"]', '"us"', '"red"', '"squad"', '"vehicle"', '"gun"', '"0-0-0"', '"1/1"', '"4 in"',
    '"weapon"', '["half", "wounded"]', '"hold"',
)  # fmt: skip


def damaged(text: str, dice: random.Random) -> str:
    """The text with some lines lost, doubled, or with another value or character."""
    lines = text.split("\n")
    for _ in range(dice.choice([1, 2, 3, 5])):
        at = dice.randrange(len(lines))
        line = lines[at]
        match dice.randrange(6):
            case 0:
                del lines[at]
            case 1:
                lines.insert(dice.randrange(len(lines)), line)
            case 2 if line:
                cut = dice.randrange(len(line))
                lines[at] = line[:cut] + dice.choice(".wx~b") + line[cut + 1 :]
            case _ if " = " in line and not line.endswith('"""'):
                lines[at] = line.partition(" = ")[0] + " = " + dice.choice(VALUES)
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(often(4, 40)))
@pytest.mark.parametrize(("name", "text"), [("squad", squad.GOOD), ("company", company.GOOD)])
def test_building_goes_on_and_there_is_no_board_only_where_faults_are_told(name, text, seed):
    system = get_system(name)
    data = {key: data_file(system, key).value for key in system.data_types}
    dice = random.Random(seed)
    for _ in range(60):
        changed = damaged(text, dice)
        try:
            document = tomllib.loads(changed)
        except tomllib.TOMLDecodeError:
            continue
        faults = Faults(Source("damaged", changed))
        try:
            converted = convert_leniently(document, system.scenario_type, faults.report)
            faults.go_on_with(converted)
            board = system.build(converted.value, data, faults.report)
        except Enough:
            continue
        assert board is not None or faults, changed
