"""What the officer has worked out before makes no difference to what it chooses."""

import pytest

import hexengine
from hexengine.core.game import Game
from hexengine.players import player


@pytest.mark.parametrize("name", ["block", "winding-road"])
def test_a_choice_follows_from_the_position_alone(name):
    game = Game(hexengine.load(name), 4, events=False)
    seats = {side: player("officer") for side in game.scenario.sides}
    compared = 0
    while game.decision is not None:
        order = seats[game.decision.side].choose(game)
        if game.entry % 8 == 0:
            assert player("officer").choose(game) is order, game.entry
            compared += 1
        game.play(order)
    assert compared > 10
