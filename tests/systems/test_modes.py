"""Why hexes are out of reach: every system answers for each of its modes, and agrees with its own judge."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from hexengine.content.loader import load
from hexengine.core.game import Game
from hexengine.core.tactics import Modes
from hexengine.mechanics.masks import units
from hexengine.testing.playing import steps
from tests.rules.company.table import begin as begin_company
from tests.rules.squad.table import begin as begin_squad
from tests.rules.table import begin as begin_platoon

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


@pytest.mark.parametrize("scenario", ["first-orders", "block", "winding-road"])
def test_the_company_gives_one_reason_for_a_hex(scenario: str) -> None:
    """An order to a hex is refused for the reason that its mode gives; what is in reach is legal."""
    game = Game(load(scenario), 1)
    random = Random(scenario)
    rounds = 0
    for number, _ in enumerate(steps(game, random)):
        if game.decision is None or game.decision.kind != "movement" or number % 9:
            continue
        pos, frame, look = game.position, game.position.frames[-1], modes(game)
        mine = [unit for unit in units(pos.placed) if game.board.side[unit] == frame.side]
        for unit in random.sample(mine, min(4, len(mine))):
            for mode in look.modes(pos):
                found = look.explain(pos, (unit,), mode)
                if found.refusal is None and mode == "move":
                    assert dict(found.costs) == look.reach(pos, (unit,))
                for place, label in enumerate(game.board.labels):
                    refusal = frame.check(pos, game.parse(f"{mode} {game.board.ids[unit]} {label}"))
                    reason = found.refusal or found.barred.get(place)
                    if refusal is None:
                        # A room of the enemy's may be tried, but not come to (C7.5).
                        assert reason is None or reason.code == "enemy-there"
                    elif found.costs.get(place) != 0:
                        assert reason is not None
                        assert (refusal.rule, refusal.code) == (reason.rule, reason.code)
                        assert refusal.facts.get("ground") == reason.facts.get("ground")
        rounds += 1
        if rounds == 6:
            return


@pytest.mark.rule("C1.5")
def test_how_far_is_told_by_the_ground_that_leads_there() -> None:
    """The straight line leads through woods, but a way around them is as long."""
    rows = FIELD.split("\n")
    rows[1] = "..w............"
    game = begin_company("\n".join(rows), "red\n p trained\n  a rifle 0102\n  b rifle 0302\n" + GREY)
    for name, hexed, ground in (("a", "0503", "cross-country"), ("b", "0802", "difficult")):
        assert why(game, name, "move", hexed) == ("C1.5", "out-of-reach")
        refusal = game.why_not(f"move {name} {hexed}")
        assert refusal is not None
        assert refusal.facts["ground"] == ground
        reason = modes(game).explain(game.position, (names(game).index(name),), "move")
        assert reason.barred[game.board.labels.index(hexed)].facts["ground"] == ground


@pytest.mark.rule("C1.5", "C2.8")
def test_a_team_that_has_moved_goes_nowhere_in_this_step() -> None:
    game = begin_company(FIELD, "red\n p trained\n  a rifle 0101\n  b rifle 0108\n  c rifle 0104\n" + GREY)
    game.play("move a 0201")
    game.play("double b 0507")
    for name, rule, code in (("a", "C1.5", "moved-already"), ("b", "C2.8", "doubled-already")):
        unit = names(game).index(name)
        for mode in ("move", "double"):
            assert why(game, name, mode, "0505") == (rule, code)
        assert modes(game).reach(game.position, (unit,)) == {}
        assert game.why_not(f"move {name} 0505").code == code
    game.play("end")
    assert modes(game).reach(game.position, (0,)), "in another step it is asked for the next turn"


@pytest.mark.rule("P9.1")
def test_a_unit_that_keeps_its_hq_goes_nowhere() -> None:
    """Every hex has the reason of the first step, near or far, whether or not it could be paid."""
    game = begin_platoon(
        "......\n......\n......", "blue A\n hq hq-us 0102\n t m1 0102\nred B\n z t-72 0603\n", active="A"
    )
    look = modes(game).explain(game.position, (names(game).index("t"),), "move")
    assert set(look.costs.values()) == {0}
    assert {(reason.rule, reason.code) for reason in look.barred.values()} == {("P9.1", "hq-left-alone")}
    both = tuple(names(game).index(name) for name in ("hq", "t"))
    assert len(modes(game).explain(game.position, both, "move").costs) > 10


@pytest.mark.rule("P4.4")
def test_the_enemy_bars_the_way_only_where_he_does() -> None:
    """A defile: what lies behind the enemy is barred by him."""
    game = begin_platoon("....\nll.l\n....", "blue A\n t m1 0101\nred B\n z t-72 0302\n", active="A")
    assert why(game, "t", "move", "0303") == ("P4.4", "way-barred")
    assert why(game, "t", "move", "0302") == ("P4.4", "enemy-held")


@pytest.mark.rule("S1.4", "S2.4")
def test_a_squad_that_has_acted_goes_nowhere_in_this_impulse() -> None:
    forces = "us\n a squad-us 0101\n b squad-us 0101\n c squad-us 0103\nde\n z squad-de 0603\n"
    game = begin_squad("......\n......\n......", forces)
    game.play("move a 0201")
    while game.decision is not None and game.decision.kind != "operations":
        game.play("pass" if game.decision.kind == "reaction" else "done")
    assert game.decision is not None
    assert game.decision.side == "us"
    look, pos = modes(game), game.position
    for name, rule, code in (("a", "S1.4", "already-activated"), ("b", "S2.4", "group-must-move-together")):
        assert why(game, name, "move", "0401") == (rule, code)
        assert game.why_not(f"move {name} 0102").code == code
        assert look.reach(pos, (names(game).index(name),)) == {}
    assert look.explain(pos, (2,), "move").refusal is None, "whoever is not active is taken as if he were"
