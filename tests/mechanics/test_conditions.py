"""Victory conditions as they stand."""

from types import SimpleNamespace

from hexengine.core.conditions import Condition
from hexengine.mechanics.conditions import conditions
from hexengine.mechanics.victory import Goal


def test_every_goal_with_what_it_would_give_now():
    goals = [Goal("hold", 1, (2, 0), 5, at_least=1, each_turn=True), Goal("losses", 0, (), 2)]
    pos = SimpleNamespace(board=SimpleNamespace(goals=goals, labels=("0101", "0102", "0103")), lost=3)
    assert conditions(pos, lambda pos, goal: goal.points * pos.lost) == (
        Condition(1, "hold", ("0103", "0101"), 5, 1, True, 15),
        Condition(0, "losses", (), 2, 0, False, 6),
    )
