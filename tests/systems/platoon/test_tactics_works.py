"""What the tactics make of work in the field: digging in."""

import pytest

from hexengine.core.tactics import Weights
from hexengine.players import player
from tests.rules.table import begin, play, to_the_cup

FORCES = """
    blue A
        i1 inf-us 0101
        t1 m1 0401
    red B
        t9 t-72 1001 ops-complete
"""
HOLD = '[[victory]]\nkind = "hold"\nside = "blue"\nhex = "0101"\npoints = 9\n'


def at(forces=FORCES, **rest):
    return begin(
        "............\n............", forces, active="A", options={"dig_in": True}, more=HOLD, **rest
    )


def officer(game):
    return str(player("officer").choose(game))


class TestDigging:
    def scores(self, game):
        tactics = game.system.tactics(game.board)
        found = tactics.candidates(game.position, Weights(), explain=True)
        return {str(one.order): one.score for one in found}

    @pytest.mark.rule("P11.1")
    def test_infantry_that_stays_under_fire_digs_in(self):
        forces = FORCES.replace("t1 m1 0401", "i2 inf-us 0102").replace("1001", "0501")
        scores = self.scores(at(forces))
        assert scores["dig i1"] > 0
        assert self.scores(at(forces.replace("0501", "1201")))["dig i1"] < scores["dig i1"]

    @pytest.mark.rule("P11.1")
    def test_where_nobody_can_shoot_nobody_digs(self):
        game = begin("...w.....\n...w.....", FORCES.replace("1001", "0901"), active="A",
                     options={"dig_in": True}, more=HOLD)  # fmt: skip
        assert self.scores(game)["dig i1"] < 0

    @pytest.mark.rule("P11.1")
    def test_games_with_digging_are_played_to_their_end(self):
        dug = 0
        for seed in range(3):
            game = begin("\n".join(["...w....t..."] * 4),
                         FORCES + "    i9 inf-su 0902\nblue C\n i3 inf-us 0103\n m3 m2 0103\n", seed=seed,
                         options={"dig_in": True}, more=HOLD + HOLD.replace("blue", "red"))  # fmt: skip
            while game.decision:
                order = officer(game)
                dug += order.startswith("dig")
                play(game, order)
        assert dug


def test_a_position_that_was_dug_is_weighed():
    game = at()
    tactics = game.system.tactics(game.board)
    before = tactics.candidates(game.position, Weights(), explain=True)
    play(game, "dig i1 [1 1]")
    assert tactics.candidates(game.position, Weights(), explain=True) != before
    to_the_cup(game)
