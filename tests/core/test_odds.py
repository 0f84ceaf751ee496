"""Exact chances of an order."""

from fractions import Fraction

import pytest

from hexengine.core.errors import GameOver, IllegalOrder, InvalidOrder
from hexengine.core.game import Game
from hexengine.core.odds import branches, odds, reckoned
from hexengine.testing.faces import by_faces
from tests import toy


@pytest.fixture
def game():
    game = Game(toy.scenario(), seed=1)
    for order in ("draw [reds]", "end", "draw [blues]", "move b1 0302"):
        game.play(order)
    return game


def test_a_shot_by_hand(game):
    """Two dice at 4 or more, one save at 5 or more, then two dice within 7.

    Hit: both dice 1/4, and the save cannot help against two; one die 1/2, and not saved 2/3;
    together 1/4 + 1/3 = 7/12.  Morale holds with 21/36.
    """
    outcomes = odds(game, "fire r2 b1")
    by_unit = {}
    for outcome in outcomes:
        changed = outcome.result["units"].get("b1", {})
        key = (changed.get("steps"), tuple(changed.get("status", ())))
        by_unit[key] = by_unit.get(key, 0) + outcome.probability
    assert by_unit == {
        (None, ()): Fraction(5, 12),
        (1, ()): Fraction(7, 12) * Fraction(21, 36),
        (1, ("disrupted",)): Fraction(7, 12) * Fraction(15, 36),
    }
    assert [outcome.probability for outcome in outcomes] == sorted(by_unit.values(), reverse=True)


def test_a_draw(game):
    for order in ("pass", "end"):
        game.play(order)
    assert [outcome.probability for outcome in odds(game, "draw")] == [1]
    start = Game(toy.scenario())
    found = {outcome.result.get("active"): outcome.probability for outcome in start.odds("draw")}
    assert found == {None: Fraction(1, 2), "reds": Fraction(1, 4), "blues": Fraction(1, 4)}


def test_only_what_changed_is_named(game):
    (outcome,) = odds(game, "pass")
    assert outcome.result == {
        "units": {},
        "phase": "operations",
        "decision": {"side": "blue", "kind": "operations"},
    }


def test_an_order_that_nobody_is_asked_about(game):
    """Then there is nothing to be told of what would come if nobody answered it."""
    found = reckoned(game, "pass")
    assert found.outcomes == odds(game, "pass")
    assert found.unanswered == []


def test_an_order_that_may_be_answered(game):
    """Behind a step that somebody may shoot at stands what comes if he does not."""
    game.play("pass")
    game.play("move b1 0303")
    for order in ("pass", "end", "draw [eot]", "draw [eot]", "draw [blues]"):
        game.play(order)
    ((asked,), (passed,)) = reckoned(game, "move b1 0302")
    assert (asked.probability, passed.probability) == (1, 1)
    assert asked.result["decision"] == {"side": "red", "kind": "reaction"}
    assert passed.result["units"] == asked.result["units"]
    assert "decision" not in passed.result


def test_branches_are_distinct_answers_and_add_up(game):
    order = game.parse("fire r2 b1")
    found = list(branches(game.position, order))
    assert sum(branch.probability for branch in found) == 1
    assert len({branch.answers for branch in found}) == len(found) == 8
    assert found[0].answers == ("0 of 2 at 4+",)
    assert all(branch.events == [] for branch in found)
    merged = {}
    for branch in found:
        key = branch.position.digest()
        merged[key] = merged.get(key, 0) + branch.probability
    assert merged == by_faces(game.position, order)


def test_branches_with_events(game):
    found = list(branches(game.position, game.parse("fire r2 b1"), events=True))
    assert {branch.events[0].code for branch in found} == {"shot"}


def test_asking_changes_nothing(game):
    before = (game.digest, list(game.position.streams), list(game.dice.used))
    odds(game, "fire r2 b1")
    assert (game.digest, game.position.streams, game.dice.used) == before


def test_faces_give_up_in_time(game):
    assert by_faces(game.position, game.parse("fire r2 b1"), limit=10) is None


def test_what_cannot_be_asked(game):
    with pytest.raises(IllegalOrder, match=r"\[T3\.1\]"):
        odds(game, "fire b2 b1")
    with pytest.raises(InvalidOrder):
        odds(game, "shoot")
    over = Game(toy.cup(0), seed=1)
    over.play("draw")
    over.play("draw")
    with pytest.raises(IllegalOrder, match="the game is over"):
        odds(over, "draw")
    assert GameOver("draw").refusal == over.why_not("draw")
