"""Play at close quarters: what must always hold, what is listed, and exact odds of a fight."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from hexengine.core.odds import branches, reckoned
from hexengine.systems.platoon.assaults.close_combat import CloseCombat
from hexengine.systems.platoon.candidates import candidates
from hexengine.systems.platoon.orders.book import Assault, Overrun
from hexengine.testing.faces import by_faces
from tests.long import often
from tests.systems.platoon import close_quarters


@pytest.mark.slow
@pytest.mark.rule("P7.2", "P7.3", "P7.4")
def test_invariants_hold_and_everything_happens():
    seen = Counter()
    for seed in range(often(30, 600)):
        game, random = close_quarters.begin(seed), Random(seed)
        while game.decision is not None:
            events = game.play(close_quarters.choose(game, random))
            game.system.invariants(game.position)
            assert not any(isinstance(frame, CloseCombat) for frame in game.position.frames[-1:])
            seen.update(event.code for event in events)
    for code in (
        "assault", "overrun", "turned-back", "hit-left-over", "assault-won", "assault-lost", "thrown-back",
        "retreat", "position-helps", "leadership", "passenger-hit", "goes-back", "hq-hit",
    ):  # fmt: skip
        assert seen[code], f"{code} never happened"


@pytest.mark.rule("P7.1", "P7.2", "P4.4")
def test_attacks_that_are_listed_are_those_that_the_judge_accepts():
    for game in close_quarters.positions(1, 4):
        orders = game.orders()
        assert len(set(map(str, orders))) == len(orders)
        written = [order for order in candidates(game.position) if isinstance(order, Assault | Overrun)]
        judge = game.copy()
        assert set(close_quarters.attacks(game)) == {o for o in written if judge.why_not(o) is None}


@pytest.mark.rule("P7.3.5", "P7.3.6")
def test_odds_of_a_fight_are_those_of_all_faces():
    """Every position that may come of it with its probability, to the last fraction."""
    compared = 0
    for seed in range(often(8, 900)):
        game = close_quarters.fight(seed)
        for order in close_quarters.attacks(game)[-1:]:
            exact = by_faces(game.position, order, 1300)
            if exact is None:
                continue
            found: dict[str, Fraction] = {}
            for branch in branches(game.position, order):
                key = branch.position.digest()
                found[key] = found.get(key, Fraction(0)) + branch.probability
            assert found == exact
            assert sum(one.probability for one in game.odds(order)) == 1
            compared += 1
    assert compared > 1


@pytest.mark.rule("P7.5", "P7.3.5")
def test_odds_of_an_attack_that_nobody_answers_are_those_of_passing():
    compared = 0
    for game in close_quarters.positions(3, 6):
        for order in close_quarters.attacks(game)[:1]:
            quiet = reckoned(game, order).unanswered
            assert not quiet or sum(one.probability for one in quiet) == 1
            opened = game.copy()
            opened.play(order)
            assert bool(quiet) == (opened.decision is not None and opened.decision.kind == "reaction")
            if quiet:
                now = game.state()["units"]
                after = {one.probability for one in opened.odds("pass")}
                assert {one.probability for one in quiet} == after
                assert all(set(one.result["units"]) <= set(now) for one in quiet)
                compared += 1
    assert compared > 0
