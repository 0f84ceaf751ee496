"""Digging in (P11.1, option ``dig_in``) and fire across walls (D1, option ``wall_cover``)."""

import pytest

from hexengine.core.errors import InvalidOrder
from hexengine.systems.platoon.firing.fire import save_dice
from tests.rules.asking import codes, facts, marks, where
from tests.rules.table import allows, begin, play, refuse, to_the_cup

ROW = "." * 12
FORCES = """
    blue A morale 7
        hq hq-us 0101
        i1 inf-us 0101
        i2 inf-us 0201
        t1 m1 0301
        c1 m2 0401
        i3 inf-us in c1
    red B
        t9 t-72 1202 ops-complete
"""


def at(forces=FORCES, dig_in=True, **rest):
    return begin(f"{ROW}\n{ROW}", forces, active="A", options={"dig_in": dig_in}, **rest)


def hexes(game):
    return game.state()["hexes"]


class TestDigging:
    @pytest.mark.rule("P11.1")
    @pytest.mark.parametrize(("dice", "made"), [("3 4", True), ("4 4", False)])
    def test_two_dice_within_morale_make_a_position(self, dice, made):
        game = at()
        events = play(game, f"dig i1 [{dice}]")
        assert codes(events)[0] == ("dug-in" if made else "not-dug-in")
        assert hexes(game) == ({"0101": {"position": True}} if made else {})
        assert "finished" in marks(game, "i1"), "either way it has acted"
        to_the_cup(game)
        assert marks(game, "i1") == {"ops-complete"}

    @pytest.mark.rule("P11.1")
    @pytest.mark.refusal("P11.1")
    def test_only_with_the_option(self):
        game = at(dig_in=False)
        assert refuse(game, "dig i1", "P11.1", "no-digging").alternative is None
        assert not any(order.verb == "dig" for order in game.orders())

    @pytest.mark.rule("P11.1")
    @pytest.mark.refusal("P11.1", "P5.11", "P2.5")
    def test_only_infantry_on_foot_that_can_act(self):
        game = at()
        assert str(refuse(game, "dig t1", "P11.1", "not-infantry-dig").alternative) == "dig i1"
        refuse(game, "dig i3", "P5.11", "carried")
        refuse(game, "dig t9", "P2.5", "other-formation")

    @pytest.mark.rule("P11.1", "P6.6")
    @pytest.mark.refusal("P11.1")
    def test_in_good_order(self):
        game = at(FORCES.replace("i1 inf-us 0101", "i1 inf-us 0101 disrupted"))
        refuse(game, "dig i1", "P11.1", "disrupted-dig")

    @pytest.mark.rule("P11.1")
    @pytest.mark.refusal("P11.1", "P4.3")
    def test_it_takes_the_whole_activation(self):
        game = at()
        play(game, "move i2 0202")
        refuse(game, "dig i2", "P11.1", "moved-dig")
        play(game, "done")
        refuse(game, "dig i2", "P2.5", "finished")
        play(game, "unload c1")
        refuse(game, "dig i3", "P11.1", "moved-dig")

    @pytest.mark.rule("P11.1")
    @pytest.mark.refusal("P11.1")
    def test_one_position_a_hex(self):
        game = at(on_map={"positions": ["0101"]})
        refuse(game, "dig i1", "P11.1", "position-there")
        assert allows(game, "dig i2")

    @pytest.mark.rule("P11.1")
    def test_the_fire_that_follows_meets_it(self):
        forces = FORCES.replace("t9 t-72 1202 ops-complete", "t9 t-72 0501")
        game = at(forces, start={"cup": ["B", "eot"]})
        play(game, "dig i2 [1 1]")
        to_the_cup(game)
        # Range 3, HE 5/3/5: to hit on 5; the infantry has no save die.
        events = play(game, "draw [B]", "fire t9 i2 [5 1 1]")
        assert "position-cancels" in codes(events)
        assert hexes(game) == {"0201": {"position": True}}, "and stays"
        assert marks(game, "i2") == {"ops-complete"}

    @pytest.mark.rule("P11.1")
    def test_morale_that_none_can_miss_throws_nothing(self):
        game = at(FORCES.replace("morale 7", "morale 12"))
        assert facts(play(game, "dig i1"), "dug-in")["faces"] == []

    @pytest.mark.rule("P11.1")
    def test_it_is_written_with_one_unit(self):
        game = at()
        with pytest.raises(InvalidOrder):
            game.parse("dig")
        with pytest.raises(InvalidOrder):
            game.parse("dig i1,i2")
        assert str(game.parse("dig i1")) == "dig i1"


class TestWalls:
    """A T-72 at 0101 and infantry, seen along a row of hexes; the wall is where it is told to be."""

    FORCES = "blue A\n a m1 0102\n b m1 0202\nred B\n i inf-su 0502 ops-complete\n t t-72 0501 ops-complete\n"

    def saves(self, walls, order, wall_cover=True, row="......", **rest):
        game = begin("\n".join([row] * 4), self.FORCES, active="A", options={"wall_cover": wall_cover},
                     on_map={"walls": walls, **rest})  # fmt: skip
        parsed = game.parse(order)
        pos = game.position
        return save_dice(pos, parsed.target, pos.hex[parsed.target], pos.hex[parsed.firer])

    @pytest.mark.rule("D1")
    @pytest.mark.parametrize(("wall_cover", "dice"), [(True, 1), (False, 0)])
    def test_a_wall_before_the_target_gives_a_die_if_the_option_is_on(self, wall_cover, dice):
        assert self.saves(["0401/0502", "0402/0502"], "fire b i", wall_cover) == dice

    @pytest.mark.rule("D1")
    def test_a_wall_further_off_or_behind_gives_none(self):
        assert self.saves(["0302/0402", "0302/0401", "0502/0602", "0502/0503"], "fire b i") == 0

    @pytest.mark.rule("D1", "P6.4")
    def test_hard_targets_too_within_their_two_dice(self):
        walls = ["0401/0501", "0501/0502"]
        assert self.saves(walls, "fire b t") == 4
        assert self.saves([], "fire b t") == 3
        assert self.saves(walls, "fire b t", row="....c.") == 5

    @pytest.mark.rule("D1", "P10.5")
    def test_along_a_hexside_both_sides_must_have_one(self):
        # From 0302 to 0502 the line runs along the side of 0401 and 0402 and enters at their corner.
        self.FORCES = "blue A\n a m1 0302\nred B\n i inf-su 0502 ops-complete\n"
        assert self.saves(["0401/0502"], "fire a i") == 0
        assert self.saves(["0402/0502"], "fire a i") == 0
        assert self.saves(["0401/0502", "0402/0502"], "fire a i") == 1

    @pytest.mark.rule("D1")
    def test_adjacent_fire_across_it(self):
        self.FORCES = "blue A\n a m1 0401\nred B\n i inf-su 0502 ops-complete\n"
        assert self.saves(["0401/0502"], "fire a i") == 1
        assert self.saves(["0402/0502"], "fire a i") == 0

    @pytest.mark.rule("D1")
    def test_the_attack_throws_it(self):
        game = begin("......\n......", "blue A\n a m1 0101\nred B\n i inf-su 0201 ops-complete\n", active="A",
                     options={"wall_cover": True}, on_map={"walls": ["0101/0201"]})  # fmt: skip
        events = play(game, "fire a i [5 1 1 5]")
        assert facts(events, "save") | {"faces": 0} == {
            "target": "i", "dice": 1, "save": 5, "faces": 0, "saves": 1, "net": 0,
        }  # fmt: skip
        assert where(game, "i") == "0201"
