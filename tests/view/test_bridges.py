"""Where a line across water is drawn as a bridge."""

from dataclasses import replace

import pytest

from hexengine.core.game import Game
from hexengine.view.scenes import landscape
from tests.rules.table import begin


@pytest.mark.parametrize(("line", "drawn"), [("roads", "bridge"), ("trails", "ford")])
def test_a_road_runs_on_a_bridge_and_a_trail_through_the_ford(line, drawn):
    game: Game = begin(
        "....",
        "blue A\n a m1 0101\nred B\n b t-72 0401\n",
        on_map={"rivers": ["0101/0201", "0201/0301"], "fords": ["0201/0301"], line: ["0201-0301"]},
    )
    features = landscape(game.system.view(game.position).ground).sides[(1, 2)]
    assert ("bridge" in features) == (drawn == "bridge")


def test_a_bridge_that_is_printed_is_not_drawn_twice():
    game: Game = begin(
        "....",
        "blue A\n a m1 0101\nred B\n b t-72 0401\n",
        on_map={"rivers": ["0101/0201"], "roads": ["0101-0201"]},
    )
    ground = game.system.view(game.position).ground
    side = (0, 1)
    for features, drawn in (({}, 1), ({side: ("bridge",)}, 1)):
        assert landscape(replace(ground, features=features)).sides[side].count("bridge") == drawn
