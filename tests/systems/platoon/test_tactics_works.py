"""What the tactics make of work in the field: digging in, laying mines and clearing them."""

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
        for seed in (3, 7, 9):
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


class TestMines:
    FORCES = """
    blue A
        t1 m1 0101
        t2 m1 0101
        i1 engineers 0301
        c1 m113 0102
    red B
        t9 t-72 1002
        i9 inf-su 1001
    """

    def begin(self, **rest):
        return begin("............\n............", self.FORCES, active="A", more=GOAL, **rest)

    @pytest.mark.rule("P11.2")
    def test_they_are_laid_where_they_cost_more_than_usual(self):
        game = self.begin(head={"mines": {"red": 1}})
        play(game, "move t1,t2 0201")
        assert officer(game) == "mine 0201"
        game = self.begin(head={"mines": {"red": 1}})
        play(game, "move c1 0202")
        assert officer(game) == "pass", "a carrier without anybody is not worth the only field"

    @pytest.mark.rule("P11.2")
    def test_and_in_the_last_turn_where_they_cost_anything(self):
        game = self.begin(head={"mines": {"red": 1}}, turn=6)
        play(game, "move c1 0202")
        assert officer(game) == "mine 0202"

    @pytest.mark.rule("P11.3")
    def test_engineers_clear_what_is_in_the_way(self):
        game = self.begin(on_map={"mines": ["0302", "0401"]})
        assert any(str(one.order).startswith("clear i1") and one.score > 0 for one in explained(game))
        game = self.begin(on_map={"mines": ["0201"]})
        assert all(one.score < 0 for one in explained(game) if str(one.order).startswith("clear"))

    @pytest.mark.rule("P11.2")
    def test_mines_are_gone_round(self):
        """With room on both sides, nobody drives into them."""
        game = begin("\n".join(["........."] * 5), "blue A\n t1 m1 0103\nred B\n t9 t-55 0803 ops-complete\n",
                     active="A", more=GOAL.replace("1002", "0903"),
                     on_map={"mines": ["0202", "0203"]})  # fmt: skip
        while game.decision and game.decision.kind != "draw":
            order = officer(game)
            assert not order.endswith((" 0202", " 0203"))
            play(game, order)

    @pytest.mark.rule("P11.2")
    def test_games_with_mines_are_played_to_their_end(self):
        verbs = set()
        for seed in range(3):
            laid = {"mines": ["0602", "0601", "0603", "0604"]}
            game = begin("\n".join(["...w....t..."] * 4), self.FORCES, seed=seed, more=GOAL,
                         head={"mines": {"red": 3, "blue": 1}}, on_map=laid)  # fmt: skip
            while game.decision:
                order = officer(game)
                verbs.add(order.split()[0])
                play(game, order)
        assert "mine" in verbs


GOAL = """
[[victory]]
kind = "hold"
side = "blue"
hex = "1002"
points = 9

[[victory]]
kind = "steps"
side = "red"
"""


def explained(game):
    return game.system.tactics(game.board).candidates(game.position, Weights(), explain=True)


@pytest.mark.rule("P14.3")
def test_swimmers_swim_where_that_is_shorter():
    rivers = ["0201/0301", "0201/0302", "0202/0302", "0202/0303", "0203/0303"]
    game = begin("\n".join(["........."] * 3), "blue A\n c1 m113 0202\nred B\n i9 inf-su 0903 ops-complete\n",
                 active="A", more=GOAL.replace("1002", "0402"), on_map={"rivers": rivers})  # fmt: skip
    assert officer(game) in ("move c1 0302", "move c1 0303")
