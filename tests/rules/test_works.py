"""Defensive works: improved positions (P11.1) and wrecks (P11.4)."""

import pytest

from tests.rules.asking import codes, every, facts, marks, where
from tests.rules.table import allows, begin, play, refuse

ROW = "." * 12
M1 = "blue A\n a m1 0101\n d m1 0101\n e m1 0102\n"


def at(forces, active="A", enemies=M1, row=ROW, **rest):
    """M1s in 0101 and others where they are told to be; AP 4 dice on 4 at 6 hexes."""
    return begin(f"{row}\n{ROW}", enemies + forces, active=active, **rest)


def hexes(game):
    """What is not as printed."""
    return game.state()["hexes"]


POSITION = {"positions": ["0701"]}


class TestImprovedPosition:
    DUG_IN = "red B\n b t-72 0701 ops-complete\n i inf-su 0701 ops-complete\n hq hq-su 0701\n"

    @pytest.mark.rule("P11.1")
    @pytest.mark.parametrize(
        ("dice", "net", "status"),
        [
            ("4 1 1 1 1 1 1", 0, set()),
            ("4 4 1 1 1 1 1 6", 1, {"disrupted"}),
            ("4 4 4 1 1 1 1 6", 2, {"disrupted", "reduced"}),
            ("4 4 4 4 1 1 1 6", 3, {"eliminated"}),
        ],
    )
    def test_it_cancels_one_hit_of_an_attack(self, dice, net, status):
        game = at(self.DUG_IN, on_map=POSITION)
        events = play(game, f"fire a b [{dice}]")
        assert facts(events, "save")["net"] == net
        assert facts(events, "position-cancels") == {"target": "b", "hex": "0701"}
        assert marks(game, "b") - {"ops-complete"} == status

    @pytest.mark.rule("P11.1")
    def test_after_the_saves_and_only_a_hit_that_is_left(self):
        game = at(self.DUG_IN, on_map=POSITION)
        events = play(game, "fire a b [4 4 1 1 5 5 1]")
        assert "position-cancels" not in codes(events)
        game = at(self.DUG_IN, on_map=POSITION)
        events = play(game, "fire a b [4 4 1 1 5 1 1]")
        assert facts(events, "save")["net"] == 0

    @pytest.mark.rule("P11.1")
    def test_soft_units_too(self):
        game = at(self.DUG_IN, on_map=POSITION)
        assert facts(play(game, "fire a i [5 1 1]"), "save")["net"] == 0
        assert marks(game, "i") == {"ops-complete"}

    @pytest.mark.rule("P11.1")
    def test_one_hit_of_each_attack(self):
        game = at(self.DUG_IN, on_map=POSITION)
        play(game, "fire a b [4 1 1 1 1 1 1]", "fire d b [4 1 1 1 1 1 1]")
        assert marks(game, "b") == {"ops-complete"}

    @pytest.mark.rule("P11.1", "P9.3")
    def test_an_attack_without_effect_does_not_shake_the_hq(self):
        game = at(self.DUG_IN, on_map=POSITION)
        events = play(game, "fire a b [4 1 1 1 1 1 1]")
        assert not {"hq-hit", "hq-safe"} & set(codes(events))

    @pytest.mark.rule("P11.1")
    def test_it_gives_no_die_and_hides_nobody(self):
        game = at(self.DUG_IN, on_map={"positions": ["0701", "0401"]})
        assert facts(play(game, "fire a b [4 4 4 4 5 1 1 6]"), "save")["dice"] == 3

    @pytest.mark.rule("P11.1")
    def test_it_stays_and_serves_whoever_holds_the_hex(self):
        # A T-72 of the other side drives into an empty position and is covered by it there.
        game = at("red B\n b t-72 0801\n c t-72 1202\n", active="B", on_map=POSITION)
        play(game, "move b 0701")
        events = play(game, "fire a b [4 1 1 1 1 1 1]")
        assert "position-cancels" in codes(events)
        assert marks(game, "b") == set()
        assert hexes(game) == {"0701": {"position": True}}

    @pytest.mark.rule("P11.1", "P5.12")
    def test_for_a_carrier_it_covers_the_passengers_with_it(self):
        game = at("red B\n b btr-70 0701 ops-complete\n i inf-su in b\n", on_map=POSITION)
        play(game, "fire a b [4 1 1 1 1]")
        assert marks(game, "i") == {"carried"}


class TestWreck:
    WEAK = (
        "red B\n b t-72 0701 disrupted reduced\n c bmp-2 0701 disrupted reduced\n x t-72 1202 ops-complete\n"
    )

    @pytest.mark.rule("P11.4")
    def test_an_eliminated_hard_unit_leaves_one(self):
        game = at(self.WEAK)
        events = play(game, "fire a b [4 1 1 1 1 1]")
        assert facts(events, "wreck") == {"hex": "0701"}
        assert hexes(game) == {"0701": {"wreck": True}}

    @pytest.mark.rule("P11.4")
    def test_more_of_them_count_as_one(self):
        game = at(self.WEAK + " i inf-su 0702 ops-complete\n")
        play(game, "fire a b [4 1 1 1 1 1]")
        events = play(game, "fire d c [4 1 1 1 1 1]")
        assert "wreck" not in codes(events)
        assert hexes(game) == {"0701": {"wreck": True}}

    @pytest.mark.rule("P11.4", "P6.4")
    def test_one_save_die_more_for_who_stays_there(self):
        game = at(self.WEAK)
        play(game, "fire a b [4 1 1 1 1 1]")
        # The BMP-2, reduced: 1 armour die, and 1 for the wreck beside it.
        events = play(game, "fire d c [4 1 1 1 5 1]")
        assert (facts(events, "save")["dice"], facts(events, "save")["net"]) == (2, 0)

    @pytest.mark.rule("P11.4", "P6.4")
    def test_both_sides_and_all_kinds_have_the_die(self):
        game = at("red B\n i inf-su 0701 ops-complete\n", on_map={"wrecks": ["0701", "0101"]})
        assert facts(play(game, "fire a i [5 1 1 5]"), "save")["saves"] == 1
        game = at("red B\n b t-72 0701\n", active="B", on_map={"wrecks": ["0101"]})
        assert facts(play(game, "fire b a [4 1 1 1 1 1 1 4]"), "save")["dice"] == 5

    @pytest.mark.rule("P11.4", "D1")
    def test_it_costs_no_mp(self):
        game = at("red B\n b t-72 1202 ops-complete\n", on_map={"wrecks": ["0201"]})
        assert facts(play(game, "move a 0201"), "move")["cost"] == 1

    @pytest.mark.rule("P11.4")
    def test_none_for_soft_units_nor_for_a_lost_step(self):
        game = at("red B\n i inf-su 0701 disrupted reduced\n b t-72 0701 disrupted\n")
        play(game, "fire a i [5 1 1]")
        play(game, "fire d b [4 1 1 1 1 1 1]")
        assert marks(game, "i") >= {"eliminated"}
        assert marks(game, "b") == {"disrupted", "reduced"}
        assert hexes(game) == {}

    @pytest.mark.rule("P11.4", "P5.12")
    def test_a_carrier_leaves_one_and_its_survivors_use_it(self):
        game = at("red B\n b btr-70 0701 disrupted reduced\n i inf-su in b\n")
        play(game, "fire a b [4 1 1 1 1 1]")
        assert where(game, "i") == "0701"
        assert facts(play(game, "fire d i [5 1 1 5]"), "save")["dice"] == 1

    @pytest.mark.rule("P11.4", "P3.4")
    def test_one_that_was_driven_off_a_full_hex_leaves_one_too(self):
        # Stopped in a full hex with the hex it came from full as well: it is eliminated there.
        forces = "red B\n b t-72 0801\n e1 t-72 0701 ops-complete\n e2 t-72 0701 ops-complete\n"
        forces += " f1 t-72 0601 ops-complete\n f2 t-72 0601 ops-complete\n"
        game = at(forces, active="B")
        play(game, "move b 0701", "pass", "move b 0601")
        events = play(game, "fire a b [3 1 1 1 1 1 1]")
        assert [event.rule for event in events if event.code == "eliminated"] == ["P3.4"]
        assert hexes(game) == {"0601": {"wreck": True}}

    @pytest.mark.rule("P11.4", "P10.3")
    @pytest.mark.refusal("P10.1")
    def test_in_sight_it_is_half_an_obstacle(self):
        # In a column, where the line runs through every hex; 0104 is rough.
        game = begin("\n".join("...r...."), "blue A\n a m1 0101\nred B\n b t-72 0108\n", active="A")
        assert allows(game, "fire a b")
        game = begin("\n".join("...r...."), "blue A\n a m1 0101\n z m1 0106\nred B\n b t-72 0108\n",
                     active="A", on_map={"wrecks": ["0105"]})  # fmt: skip
        refuse(game, "fire a b", "P10.1", "no-line-of-sight")

    @pytest.mark.rule("P11.4")
    def test_it_stays_for_the_rest_of_the_game(self):
        game = at(self.WEAK)
        play(game, "fire a b [4 1 1 1 1 1]", "end", "draw [eot]", "draw [eot]")
        assert every(play(game, "draw [A]", "move e 0202"), "move")
        assert hexes(game) == {"0701": {"wreck": True}}
