"""What the rule-based player calls: high explosive, smoke, strikes, and fire at strikes."""

from __future__ import annotations

import pytest

from hexengine.players.officer import Officer
from tests.rules.table import begin, play

FIELD = "\n".join(["." * 14] * 6)
GOALS = '[[victory]]\nkind = "hold"\nside = "blue"\nhex = "1203"\npoints = 9\n'


def at(forces, terrain=FIELD, turns=4, **rest):
    return begin(terrain, forces, active="A", turns=turns, more=GOALS, **rest)


def choice(game, explain=True):
    return Officer().choose(game, explain=explain)


BATTERY = "blue A he 1\n hq hq-us 0103\n a m1 0103\n"


@pytest.mark.rule("P12.3")
def test_high_explosive_where_it_costs_most():
    # Two soft units together are more than one of them, and more than a tank.
    game = at(BATTERY + "red B\n i inf-su 0803\n j inf-su 0803\n k inf-su 1001\n t t-72 1205\n")
    assert str(choice(game).order) == "mission he 0803"
    assert str(choice(game, explain=False)) == "mission he 0803", "asked without reasons it is the same"


@pytest.mark.rule("P12.3")
def test_what_is_dear_and_in_the_open_is_preferred():
    terrain = FIELD.split("\n")
    terrain[2] = ".......c......"
    game = at(BATTERY + "red B\n i inf-su 0803\n k inf-su 1005\n", terrain="\n".join(terrain))
    assert str(choice(game).order) == "mission he 1005"


@pytest.mark.rule("P12.3")
def test_never_on_own_troops_nor_too_near_to_them():
    # Around the two in 0803 stand friends; a single one far from them is the better target.
    around = ["0802", "0703", "0804", "0704", "0903", "0904"]
    friends = [f" c{n} inf-us {place}\n d{n} inf-us {place}\n" for n, place in enumerate(around)]
    close = "blue C\n" + "".join(friends)
    game = at(BATTERY + close + "red B\n i inf-su 0803\n j inf-su 1205\n")
    assert str(choice(game).order) == "mission he 1205"
    called = {str(one.order).split()[-1] for one in choice(game).candidates}
    assert not called & {game.board.labels[place] for place in range(game.board.size)
                         if game.position.taken_0 >> place & 1}  # fmt: skip


@pytest.mark.rule("P12.1")
def test_missions_are_kept_for_something_better():
    # Infantry in a city, early in a long game, with a single mission: not yet.
    terrain = FIELD.split("\n")
    terrain[2] = ".......c......"
    forces = BATTERY + "red B\n i inf-su 0803\n"
    game = at(forces, terrain="\n".join(terrain), turns=20)
    assert str(choice(game).order) == "done"
    game = at(forces, terrain="\n".join(terrain), turns=1)
    assert str(choice(game).order) == "mission he 0803", "in the last turn nothing better comes"


@pytest.mark.rule("P12.4")
def test_smoke_over_those_who_guard_an_approach():
    # Two M1 are to cross open ground to the objective that two T-80 hold.
    forces = (
        "blue A smoke 2\n s scimitar 0101\n a m113 0503\n b m113 0502\nred B\n t t-80 1003\n u t-80 1003\n"
    )
    game = at(forces)
    chosen = choice(game)
    assert str(chosen.order) == "mission smoke 1003"
    assert chosen.reason == "screen"


@pytest.mark.rule("P12.4")
def test_not_where_smoke_lies_already():
    forces = (
        "blue A smoke 2\n s scimitar 0101\n a m113 0503\n b m113 0502\nred B\n t t-80 1003\n u t-80 1003\n"
    )
    game = at(forces, on_map={"smoke": {"1003": 2}})
    assert str(choice(game).order) == "done"


STRIKING = "blue A\n hq hq-us 0103\n a m1 0103\n"


@pytest.mark.rule("P13.3")
def test_a_strike_at_the_dearest_target():
    forces = STRIKING + "red B\n b brdm-2 0803\n t t-80 1003\n"
    assert str(choice(at(forces, head={"strikes": {"blue": 4}})).order) == "strike t"


@pytest.mark.rule("P13.3")
def test_not_into_the_guns():
    forces = STRIKING + "red B\n t t-80 1303\n z zsu-23-4 1306\n y zsu-23-4 1306\n u t-72 0502\n"
    row = "\n".join(["." * 30] * 6)
    far = forces.replace("u t-72 0502", "u t-72 0102").replace("1303", "2803").replace("1306", "2806")
    game = at(far, terrain=row, head={"strikes": {"blue": 4}})
    assert str(choice(game).order) == "strike u", "a T-80 would be dearer, but two guns guard it"


@pytest.mark.rule("P13.3")
def test_strikes_are_fired_at():
    forces = STRIKING + "red B\n t t-80 0903\n z zsu-23-4 1005\n"
    game = at(forces, head={"strikes": {"blue": 1}})
    play(game, "strike t")
    assert str(choice(game).order) == "intercept z"


@pytest.mark.rule("P12.5")
def test_mortars_fire_at_what_others_see():
    woods = "\n".join(["...w.........."] * 6)
    forces = "blue A\n m mortar-120 0103\n hq hq-us 0501\n c m113 0501\nred B\n i inf-su 0903 ops-complete\n"
    game = at(forces, terrain=woods)
    orders = [str(one.order) for one in choice(game).candidates]
    assert "fire m i" in orders


def test_every_kind_that_is_legal_is_weighed():
    forces = BATTERY.replace("he 1", "he 1 smoke 1") + "red B\n i inf-su 0803\n"
    game = at(forces, head={"strikes": {"blue": 1}})
    kinds = {" ".join(str(one.order).split()[:2]) for one in choice(game).candidates}
    assert kinds == {"mission he", "mission smoke", "strike i", "done"}
    assert all(one.reasons for one in choice(game).candidates if str(one.order) != "done")
