"""What is kept of searches is what a search would find now; masks of orders say what ``check`` says."""

import pytest

import hexengine
from hexengine.core.game import Game
from hexengine.mechanics.masks import units
from hexengine.players import player
from hexengine.systems.company.ground import Ground
from hexengine.systems.company.moving import digging
from hexengine.systems.company.moving.double import Doubler
from hexengine.systems.company.moving.reach import Walker

MEMOS = ("reaches", "strides", "apart")


def found(pos, unit):
    """Where a team may go, and by which ways."""
    walker, doubler = Walker(pos, unit), Doubler(pos, unit)
    ends, far = walker.ends(), doubler.ends()
    return (
        {place: walker.path(place) for place in units(ends)},
        {place: doubler.path(place) for place in units(far)},
    )


@pytest.mark.parametrize("name", ["block", "winding-road"])
def test_a_search_that_was_kept_is_one_that_would_be_made_now(name):
    scenario = hexengine.load(name)
    game = Game(scenario, 5, events=False)
    ground: Ground = game.board.ground
    choose = player("random", seed=5).choose
    compared = 0
    while game.decision is not None:
        pos = game.position
        if game.entry % 23 == 0:
            placed = units(pos.placed)
            kept = [found(pos, unit) for unit in placed[:: max(1, len(placed) // 4)]]
            for memo in MEMOS:
                getattr(ground, memo).clear()
            assert kept == [found(pos, unit) for unit in placed[:: max(1, len(placed) // 4)]]
            compared += 1
        if game.decision.kind == "movement":
            side = pos.frames[-1].side
            ready = digging.ready(pos, side)
            mine = units(game.board.side_platoons[side])
            assert units(ready) == tuple(one for one in mine if digging.check(pos, side, one) is None)
        game.play(choose(game))
    assert compared > 3
    assert all(len(getattr(ground, memo)) <= 200 for memo in MEMOS)
