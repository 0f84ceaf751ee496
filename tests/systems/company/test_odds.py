"""The odds of orders with many dice: exact, and followed only as far as positions differ."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hexengine.core.game import Game
from hexengine.core.odds import aftermath, branches
from tests.rules.company.table import begin

FIELD = "\n".join(["........"] * 3)
GUNS = "  a rifle-mg 0201\n  b machine-gun 0202\n  c medium-tank 0203\n"
GREY = "grey\n q trained\n  v rifle 0402\n  w rifle 0402\n  x rifle 0402\n"


def shooting() -> Game:
    return begin(FIELD, f"red\n p trained\n{GUNS}{GREY}", step="shooting")


@pytest.mark.rule("C12.1", "C12.3", "C12.4")
def test_what_differs_in_dice_alone_is_followed_once():
    """Three types of weapons at a platoon: the chances of all answers of the dice, by far fewer runs."""
    game = shooting()
    order = game.parse("shoot a,b,c q")
    every: dict[str, Fraction] = {}
    answers = 0
    for branch in branches(game.position, order):
        answers += 1
        key = branch.position.digest()
        every[key] = every.get(key, Fraction(0)) + branch.probability
    runs: list[None] = []
    found = aftermath(game.position, order, lambda: runs.append(None))
    assert {position.digest(): chance for chance, position in found} == every
    assert sum(chance for chance, _ in found) == 1
    assert len(found) < 30
    assert 2 * len(runs) < answers, "the more types and targets, the fewer of them"


def test_the_position_asked_about_is_not_changed():
    game = shooting()
    digest, streams = game.digest, game.position.streams[:]
    aftermath(game.position, game.parse("shoot a,b q"))
    assert (game.digest, game.position.streams) == (digest, streams)
