"""Why hexes are out of reach: every system answers for each of its modes, and agrees with its own judge."""

from __future__ import annotations

from typing import Any

import pytest

from hexengine.content.loader import load
from hexengine.core.game import Game
from hexengine.core.tactics import Modes
from hexengine.mechanics.masks import units
from tests.rules.company.table import begin as begin_company
from tests.rules.squad.table import begin as begin_squad

SCENARIOS = {"platoon": "crossroads", "squad": "introduction", "company": "winding-road"}
FIELD = "\n".join(["..............."] * 8)


def modes(game: Game) -> Any:
    found = game.system.tactics(game.board)
    assert isinstance(found, Modes)
    return found


def names(game: Game) -> list[str]:
    return list(game.state()["units"])


@pytest.mark.parametrize("system", SCENARIOS)
def test_every_hex_is_in_reach_or_has_a_reason(system: str) -> None:
    game = Game(load(SCENARIOS[system]), 0)
    look = modes(game)
    pos = game.position
    moving = 0
    for unit in units(pos.placed)[:12]:
        for mode in look.modes(pos):
            found = look.explain(pos, (unit,), mode)
            if found.refusal is not None:
                assert not found.costs
                assert not found.barred
            else:
                moving += 1
                assert sorted([*found.costs, *found.barred]) == list(range(game.board.grid.size))
            for refusal in (*found.barred.values(), found.refusal):
                if refusal is not None:
                    text = game.system.describe(game.board, refusal._replace(alternative=None))
                    assert "{" not in text, text
                    assert not text.startswith(refusal.code), text
        usual = look.explain(pos, (unit,), look.modes(pos)[0])
        assert dict(usual.costs) == look.reach(pos, (unit,))
    assert moving > 5


@pytest.mark.rule("C2.1", "C2.3", "C2.4", "C2.5", "C8.9")
def test_the_company_doubles_exactly_where_it_says() -> None:
    game = Game(load("winding-road"), 0)
    while game.decision is not None and game.decision.kind != "movement":
        game.play(str(game.orders()[-1]))
    look, pos = modes(game), game.position
    labels = game.board.labels
    for unit in units(pos.placed & game.board.side_units[0])[:6]:
        name = game.board.ids[unit]
        for mode, verb in (("move", "move"), ("double", "double")):
            found = look.explain(pos, (unit,), mode)
            legal = {
                str(order).split()[2] for order in game.orders() if str(order).startswith(f"{verb} {name} ")
            }
            assert {labels[place] for place, cost in found.costs.items() if cost} == legal


def why(game: Game, name: str, mode: str, hex: str) -> tuple[str, str]:  # noqa: A002
    """The rule and the code that keep a unit out of a hex."""
    found = modes(game).explain(game.position, (names(game).index(name),), mode)
    refusal = found.refusal or found.barred[game.board.grid.index(hex)]
    return refusal.rule, refusal.code


GREY = "\ngrey\n q trained\n  z rifle 1508\n"


@pytest.mark.parametrize(
    ("at", "barred", "rule", "code"),
    [
        ("w", "0401", "C2.4", "difficult-ground"),
        ("b", "0401", "C8.9", "difficult-ground"),
        (".", "1101", "C2.1", "too-far"),
        (".", "1505", "C2.1", "too-far"),
        ("~", "0401", "C2.4", "difficult-ground"),
    ],
)
def test_reasons_of_the_double(at: str, barred: str, rule: str, code: str) -> None:
    rows = FIELD.split("\n")
    rows[0] = f"...{at}..........."
    game = begin_company("\n".join(rows), "red\n p trained\n  a rifle 0101\n" + GREY)
    assert why(game, "a", "double", barred) == (rule, code)


def test_more_reasons_of_the_double() -> None:
    game = begin_company(
        FIELD, "red\n p trained\n  a rifle 1201\n  b rifle 1101\n  c rifle 1101\n  d rifle 1101\n" + GREY
    )
    assert why(game, "a", "double", "1101") == ("C1.3", "crowded")
    assert why(game, "a", "double", "1505") == ("C2.5", "standoff")
    game = begin_company(FIELD, "red\n p trained pinned\n  a rifle 0101\n" + GREY)
    assert why(game, "a", "double", "0301") == ("C2.3", "pinned")
    game = begin_company(
        FIELD,
        "red\n p trained\n  a aa-88 0101\n  t truck 0201 bogged\n  u medium-tank 0301 bailed-out\n" + GREY,
    )
    assert why(game, "a", "move", "0301") == ("C1.5", "immobile")
    assert why(game, "t", "move", "0301") == ("C1.6", "bogged-down")
    assert why(game, "u", "double", "0401") == ("C12.4", "bailed-out")


def test_reasons_of_an_ordinary_move() -> None:
    rows = FIELD.split("\n")
    rows[0] = "...b..........."
    game = begin_company("\n".join(rows), "red\n p trained\n  a rifle 0301\n  t truck 0303\n" + GREY)
    assert why(game, "a", "move", "0401") == ("C6.2", "wall")
    assert why(game, "t", "move", "0401") == ("C6.5", "team-class")
    assert why(game, "a", "move", "0801") == ("C1.5", "out-of-reach")
    pos = game.position
    together = modes(game).explain(pos, (0, 1), "move")
    assert together.refusal.code == "one-by-one"


@pytest.mark.rule("S12.1", "S4.2")
def test_reasons_of_the_squad() -> None:
    game = begin_squad("..........\n..........\n...~......", "us\n a squad-us 0101\nde\n z squad-de 0301\n")
    assert why(game, "a", "move", "0301") == ("S12.1", "melee-there")
    assert why(game, "a", "move", "1001") == ("S4.2", "too-far")
    assert why(game, "a", "double", "0201")[0] == "S7.1"
    assert why(game, "a", "crawl", "0401")[0] == "S4.2"
