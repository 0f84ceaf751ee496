"""Numbers of the rules are data: another number in the tables makes another game, a wrong one is a fault."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from hexengine.content.data import data_file, data_types, folder_of, read_data_file
from hexengine.core.errors import ContentError
from hexengine.core.system import get_system
from tests.rules.asking import codes, facts, marks
from tests.rules.company.table import allows, begin, play, refuse

SYSTEM = get_system("company")


def printed(**changes: Any) -> Any:
    """The shipped tables with other numbers; a mapping changes some numbers of a section."""
    tables = data_file(SYSTEM, "tables").value
    for name, value in changes.items():
        changes[name] = (
            msgspec.structs.replace(getattr(tables, name), **value) if type(value) is dict else value
        )
    return msgspec.structs.replace(tables, **changes)


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Sets numbers of the tables for what is loaded from now on."""
    build = type(SYSTEM).build

    def change(**changes: Any) -> None:
        new = printed(**changes)
        monkeypatch.setattr(
            type(SYSTEM),
            "build",
            lambda self, document, data, report: build(self, document, {**data, "tables": new}, report),
        )

    return change


def two(red: str, grey: str, red_platoon: str = "trained", grey_platoon: str = "trained") -> str:
    """A platoon a side."""
    return f"red\n p {red_platoon}\n  {red}\ngrey\n q {grey_platoon}\n  {grey}\n"


FIELD = "\n".join(["..........."] * 12)


@pytest.mark.rule("C1.3")
@pytest.mark.refusal("C1.3")
def test_stacking(tables: Any) -> None:
    tables(stacking={"teams": 2, "vehicles": 3, "beside_vehicle": 1})
    red = "a rifle 0404\n  b rifle 0404\n  c rifle 0403\n  t truck 0504\n  u truck 0504\n  v truck 0505"
    game = begin(FIELD, two(red, "z rifle 1112"))
    why = refuse(game, "move c 0404", "C1.3", "crowded")
    assert "2 teams, 3 vehicles, or 1 vehicle and 1 team" in why.text
    assert allows(game, "move v 0504")
    with pytest.raises(ContentError, match="3 vehicles, or 1 vehicle and 1 teams"):
        begin(FIELD, two("a rifle 0404\n  b rifle 0404\n  c rifle 0404", "z rifle 1112"))


@pytest.mark.rule("C1.6")
@pytest.mark.parametrize("going", [2, 3])
def test_going_checks(tables: Any, going: int) -> None:
    tables(going=going)
    game = begin("....r...", two("t medium-tank 0401 faces 0501", "z rifle 0801"))
    play(game, "move t 0501 [2]")
    assert ("bogged" in marks(game, "t")) is (going == 3)


@pytest.mark.rule("C12.1", "C11.2")
@pytest.mark.parametrize("dice", [1, 2])
def test_dice_of_the_pinned(tables: Any, dice: int) -> None:
    tables(pinned_rof=dice)
    game = begin(FIELD, two("a rifle-mg 0101", "z rifle 0104 moved", "trained pinned"), step="shooting")
    assert facts(play(game, f"shoot a q [{'1 ' * dice}]"), "volley")["dice"] == dice


@pytest.mark.rule("C12.2", "C4.4")
def test_what_is_added_to_the_score(tables: Any) -> None:
    tables(more_to_hit={"concealed": 2, "gone_to_ground": 3, "long_range": 4})
    game = begin(
        FIELD, two("a machine-gun 0101 moved", "z rifle 0110 moved", "trained", "conscript"), step="shooting"
    )
    assert facts(play(game, "shoot a q [1 1]"), "volley")["need"] == 2 + 4
    game = begin(FIELD, two("a rifle 0101", "z rifle 0104 dug-in shot"), step="shooting")
    assert facts(play(game, "shoot a q [1]"), "volley")["need"] == 3 + 2
    game = begin(FIELD, two("a rifle 0101", "z rifle 0104 dug-in"), step="shooting")
    assert facts(play(game, "shoot a q [1]"), "volley")["need"] == 3 + 2 + 3


@pytest.mark.rule("C2.1", "C2.9")
def test_the_double(tables: Any) -> None:
    tables(double={"distance": 3, "dice": 4})
    game = begin(FIELD, two("a rifle 0101", "z rifle 1112"))
    assert allows(game, "double a 0110")
    refuse(game, "double a 0111", "C2.1", "too-far")
    game = begin(FIELD, two("a rifle 0101", "z rifle 0104 doubled"), step="shooting")
    assert facts(play(game, "shoot a q [1 1 1 1]"), "volley")["dice"] == 4


@pytest.mark.rule("C13.6")
def test_tries_of_a_battery(tables: Any) -> None:
    tables(ranging_tries=1, more_to_hit={"company_observer": 2})
    red = "a mortar-81 0111\n  o company-command 0408"
    game = begin(FIELD, two(red, "z rifle 0404 moved"), step="shooting")
    failed = facts(play(game, "bombard p 0404 [4]"), "ranging-failed")
    assert (failed["need"], failed["faces"]) == (3 + 2, [4])


@pytest.mark.rule("C10.4")
@pytest.mark.parametrize("losses", [50, 51])
def test_losses_of_a_company(tables: Any, losses: int) -> None:
    tables(company_losses=losses)
    text = two("a machine-gun 0101", "z rifle 0104 moved") + " r trained\n  y rifle 1112\n"
    game = begin(FIELD, text, step="shooting")
    events = play(game, f"shoot a q [3 1 1 1 1 1 1{' 4' if losses == 50 else ''}]")
    assert ("company-stays" in codes(events)) is (losses == 50)


@pytest.mark.rule("C13.3")
@pytest.mark.parametrize("firepower", [3, 4])
def test_firepower_in_an_assault(tables: Any, firepower: int) -> None:
    tables(assault={"firepower": firepower})
    game = begin(
        FIELD, two("a pioneer 0404", "z medium-tank 0406 moved\n  y medium-tank 1108"), step="assault"
    )
    play(game, "charge a 0406")
    events = play(game, f"done [4 2 {firepower}]")
    assert facts(events, "firepower")["need"] == firepower


@pytest.mark.rule("C13.4")
@pytest.mark.parametrize("rounds", [1, 2])
def test_rounds_of_an_assault(tables: Any, rounds: int) -> None:
    """Both sides miss all the time; after so many rounds the struck side has no choice."""
    tables(assault={"rounds": rounds})
    game = begin(FIELD, two("a rifle 0404", "z rifle 0406 moved"), step="assault")
    play(game, "charge a 0406", "done [1]", "counter q", "done [1]")
    assert game.decision.kind == ("answer" if rounds > 1 else "break-off")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("teams = 3", "teams = 8", "teams"),
        ("rounds = 8", "rounds = 0", "rounds"),
        ("company_losses = 50", "company_losses = 0", "company_losses"),
        ("going = 2", "going = 9", "going"),
        ("dice = 2", "dices = 2", "dices"),
    ],
)
def test_wrong_numbers_are_faults(tmp_path: Path, old: str, new: str, said: str) -> None:
    text = (folder_of(SYSTEM) / "tables.toml").read_text(encoding="utf-8")
    line = next(number for number, row in enumerate(text.splitlines(), 1) if row.startswith(old))
    path = tmp_path / "tables.toml"
    rows = text.splitlines()
    rows[line - 1] = rows[line - 1].replace(old, new)
    path.write_text("\n".join(rows), encoding="utf-8")
    with pytest.raises(ContentError) as caught:
        read_data_file(path, data_types(SYSTEM)["tables"])
    assert any(problem.line == line and said in str(problem) for problem in caught.value.problems)
