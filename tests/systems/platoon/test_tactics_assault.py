"""The officer's fights: what is expected of them is what the rules bring, and it picks sensible ones."""

import pytest

import hexengine
from hexengine.core.odds import branches
from hexengine.core.tactics import Weights
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.orders.book import UnitsHex
from hexengine.systems.platoon.tactics.assault import best_fights, weighed
from hexengine.systems.platoon.tactics.view import Tables, View
from tests.long import often
from tests.rules.table import begin
from tests.systems.platoon import close_quarters

EVEN = Weights(damage=100, risk=100)


def view_of(game):
    pos = game.position
    return View(Tables(game.board), pos, pos.frames[-1].decider(pos), EVEN)


def really(game, order, view):
    """What both sides lose by an attack on the average, from all that the rules may bring."""
    worth, pos = view.tables.worth, game.position
    lost = [0.0, 0.0]
    for branch in branches(pos, order):
        for unit in units(pos.placed):
            after = branch.position
            value = 0
            if after.placed >> unit & 1:
                value = worth.values[unit][after.steps[unit]][after.disrupted >> unit & 1]
            now = worth.values[unit][pos.steps[unit]][pos.disrupted >> unit & 1]
            lost[game.board.side[unit]] += float(branch.probability) * (now - value)
    return lost


@pytest.mark.rule("P7.3.6", "P7.3.7", "P7.3.8", "P7.4")
def test_expected_losses_are_those_of_the_rules():
    """HQs and passengers apart, whose shares are averages already."""
    compared = 0
    for seed in range(often(25, 200)):
        game = close_quarters.fight(seed)
        pos = game.position
        if pos.carried or pos.placed & game.board.hqs:
            continue
        view = view_of(game)
        for order in close_quarters.attacks(game):
            assert isinstance(order, UnitsHex)
            place = pos.hex[units(order.units)[0]]
            fight = weighed(view, order, place)
            watching = sum(view.best_shot_from(unit, place) / 5 for unit in units(order.units))
            loss, damage = really(game, order, view)
            assert fight.damage == pytest.approx(damage, abs=0.51), (seed, str(order))
            assert fight.loss == pytest.approx(loss + watching, abs=0.51), (seed, str(order))
            compared += 1
    assert compared > 5


def choice(game):
    return str(hexengine.player("officer").choose(game))


HOLD = '[[victory]]\nkind = "hold"\nside = "blue"\nhex = "0203"\npoints = 6\n'


def field(attackers, defenders, **rest):
    rows = "\n".join(["...", "...", "...", "...", "..."])
    spare = "red Z\n z t-72 0105 ops-complete disrupted\n"
    control = {"control": {"0203": "red"}}
    return begin(rows, attackers + defenders + spare, active="A", more=HOLD, on_map=control, **rest)


@pytest.mark.rule("P7.2")
def test_it_takes_an_objective_from_a_shaken_defender():
    game = field("blue A\n a m1 0202\n b m1 0202\n", "red B\n d t-72 0203 disrupted steps=1 ops-complete\n")
    seen = []
    while game.decision is not None and game.decision.kind in ("operations", "group"):
        seen.append(choice(game))
        game.play(seen[-1])
    assert any(order.startswith("assault") for order in seen) or game.state()["control"]["0203"] == "blue"


@pytest.mark.rule("P7.2")
def test_it_does_not_run_against_a_wall():
    game = field("blue A\n a m113 0202\n", "red B\n d t-80 0203 ops-complete\n e t-80 0203 ops-complete\n")
    assert not choice(game).startswith(("assault", "overrun"))
    view = view_of(game)
    assert best_fights(view, 0, game.position.hex[0], 1) == {}


@pytest.mark.rule("P7.2")
def test_others_fire_before_it_attacks():
    """m2 in 0302 shoots first, whatever the assault from 0202 promises."""
    game = field(
        "blue A\n c m113 0202\n a inf-us 0202\n s m1 0301\n", "red B\n d t-72 0203 disrupted ops-complete\n"
    )
    assert choice(game).startswith("fire s")


def test_it_explains_a_fight():
    game = field("blue A\n a m1 0202\n b m1 0202\n", "red B\n d t-72 0203 disrupted steps=1 ops-complete\n")
    found = hexengine.player("officer").choose(game, explain=True)
    fights = [one for one in found.candidates if str(one.order).startswith(("assault", "overrun"))]
    assert fights
    assert {reason.code for reason in fights[0].reasons} >= {"assault", "losses", "ground"}
