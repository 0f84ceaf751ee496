"""Opportunity fire (P8): when it comes, who may shoot, at whom, and how often in a turn."""

import pytest

from tests.rules.asking import codes, facts, marks, where
from tests.rules.table import allows, begin, play, refuse, to_the_cup

FIELD = "\n".join(["." * 12] * 3)
MISS = "[1 1 1 1]"

FORCES = """
red B
    t1 t-72 0801
    t2 t-72 0801
    t3 t-72 1203
blue A
    a m1 0101
    b m1 0102
    q m1 0103 ops-complete
"""


def moving(forces=FORCES, active="B", terrain=FIELD, **rest):
    """The operations of the side that moves; red's unless something else is said."""
    return begin(terrain, forces, active=active, **rest)


def shots(game):
    """The shots that are offered."""
    return [str(order) for order in game.orders() if str(order).startswith("fire")]


# -- when it comes --------------------------------------------------------------------------------


class TestTrigger:
    @pytest.mark.rule("P8.1", "P4.5")
    def test_at_every_hex_entered(self):
        game = moving()
        for place in ("0701", "0601", "0501"):
            play(game, f"move t1 {place}")
            assert (game.decision.kind, game.decision.side) == ("reaction", "blue")
            play(game, "pass")
        assert game.decision.kind == "group"

    @pytest.mark.rule("P8.1")
    def test_only_where_a_shot_is_legal(self):
        # Woods all along row 2 and 1: the mover is seen again when it comes out.
        game = moving(terrain="....wwww....\n....wwww....\n....wwww....\n")
        play(game, "move t3 1202")
        assert game.decision.kind == "group", "nobody sees it"

    @pytest.mark.rule("P8.1")
    def test_only_within_range(self):
        forces = "red B\n t1 t-72 0801\nblue A\n i1 inf-us 0201\n"
        game = moving(forces)
        play(game, "move t1 0701", "move t1 0601", "move t1 0501")
        assert game.decision.kind == "group"
        play(game, "move t1 0401")
        assert shots(game) == ["fire i1 t1"], "two hexes are its AP range, and a limit"

    @pytest.mark.rule("P8.1")
    @pytest.mark.refusal("P8.1")
    def test_only_at_units_that_have_just_entered(self):
        game = moving()
        play(game, "move t1 0701")
        refuse(game, "fire a t2", "P8.1", "did-not-enter")
        refuse(game, "fire a t3", "P8.1", "did-not-enter")

    @pytest.mark.rule("P8.1", "P8.4")
    @pytest.mark.refusal("P8.1")
    def test_a_unit_that_entered_before_and_stayed_did_not_enter_now(self):
        game = moving()
        play(game, "move t1 0701", "pass", "done", "move t2 0701")
        refuse(game, "fire a t1", "P8.1", "did-not-enter")
        assert allows(game, "fire a t2")

    @pytest.mark.rule("P8.1")
    def test_by_entering_only_not_by_leaving_sight(self):
        # A22: from 0301, in sight, into the woods of 0302 behind which nobody sees it.
        forces = "red B\n t1 t-72 0401\n t2 t-72 1203\nblue A\n a m1 0101\n"
        game = moving(forces, terrain="............\n.ww.........\n............\n")
        assert allows(game, "fire t1 a"), "it is in sight where it stands"
        play(game, "move t1 0402")
        assert game.decision.kind == "group"

    @pytest.mark.rule("P8.1", "P15")
    def test_reinforcements_that_enter_are_shot_at(self):
        forces = "red B\n r1 t-72 due 1 1201\nblue A\n a m1 0101\n"
        game = moving(forces)
        play(game, "enter r1 1201")
        assert shots(game) == ["fire a r1"]

    @pytest.mark.rule("P8.1", "P3.4")
    def test_going_back_is_no_entry(self):
        forces = "red B\n t1 t-72 0801\n t2 t-72 0701\n t3 t-72 0701\nblue A\n a m1 0101\n b m1 0102\n"
        game = moving(forces)
        play(game, "move t1 0701")
        events = play(game, "fire a t1 [4 1 1 1 1 1 1]")
        assert "goes-back" in codes(events)
        assert where(game, "t1") == "0801"
        assert game.decision.kind != "reaction"


class TestWhatDrawsNoFire:
    FORCES = """
    red B
        c1 btr-70 0701
        i1 inf-su 0701
        c2 btr-70 0702
        i2 inf-su in c2
        t1 t-72 0703 disrupted
    blue A
        a m1 0101
    """

    @pytest.mark.rule("P8.6")
    def test_loading_and_unloading_in_place(self):
        game = moving(self.FORCES)
        play(game, "load c1 i1")
        assert game.decision.kind == "group"
        play(game, "done", "unload c2")
        assert game.decision.kind == "group"

    @pytest.mark.rule("P8.6", "P5.5")
    def test_the_one_hex_after_unloading_does(self):
        game = moving(self.FORCES)
        play(game, "unload c2")
        play(game, "move i2 0602")
        assert game.decision.kind == "reaction"

    @pytest.mark.rule("P8.6", "P5.3")
    def test_the_approach_before_loading_does_and_the_infantry_is_its_own_target(self):
        game = moving(self.FORCES.replace("i1 inf-su 0701", "i1 inf-su 0601"))
        play(game, "move c1 0601")
        assert shots(game) == ["fire a c1"]
        play(game, "pass", "load c1 i1")
        assert game.decision.side == "red"

    @pytest.mark.rule("P8.6")
    def test_firing_and_rallying(self):
        game = begin(FIELD, self.FORCES + "red C\n    x t-72 0601\n")
        play(game, "draw [B 1 1]")
        assert (game.decision.kind, game.decision.side) == ("operations", "red"), "t1 has rallied"
        play(game, "fire t1 a [1 1 1]")
        assert (game.decision.kind, game.decision.side) == ("operations", "red")


# -- who may shoot --------------------------------------------------------------------------------


class TestFirer:
    FORCES = """
    red B
        t1 t-72 0801
    blue A
        hq hq-us 0101
        a m1 0101 out-of-command
        d m1 0102 disrupted
        q m1 0103 ops-complete
        c m2 0201 disrupted
        i inf-us in c
        j inf-us 0202
        s milan in j
        r m1 due 5 0101
    blue C
        e m1 0203
    """

    def game(self):
        game = moving(self.FORCES)
        play(game, "move t1 0701")
        return game

    @pytest.mark.rule("P8.2", "P2.2.4")
    def test_also_units_out_of_command_and_of_any_formation(self):
        assert shots(self.game()) == ["fire a t1", "fire a t1 lead", "fire j t1 with s", "fire e t1"]

    @pytest.mark.rule("P8.2")
    @pytest.mark.refusal("P8.2")
    @pytest.mark.parametrize(
        ("firer", "code"),
        [
            ("d", "disrupted-fire"),
            ("q", "ops-complete-reaction"),
            ("i", "carried"),
            ("hq", "hq-fire"),
            ("s", "weapon-fire"),
            ("r", "off-map"),
            ("t1", "not-yours"),
        ],
    )
    def test_who_may_not(self, firer, code):
        refuse(self.game(), f"fire {firer} t1", "P8.2", code)

    @pytest.mark.rule("P8.2", "P8.3")
    def test_who_moved_in_its_own_activation_may_not(self):
        game = begin(FIELD, "red B\n t1 t-72 0801\nblue A\n a m1 0101\n b m1 0102\n", active="A")
        play(game, "move a 0201")
        to_the_cup(game)
        play(game, "draw [B]", "move t1 0701")
        assert shots(game) == ["fire b t1"]
        refuse(game, "fire a t1", "P8.2", "ops-complete-reaction")

    @pytest.mark.rule("P8.5")
    @pytest.mark.refusal("P8.5")
    def test_the_mover_waits(self):
        game = self.game()
        refuse(game, "move t1 0601", "P8.5", "reaction-open")
        refuse(game, "done", "P8.5", "reaction-open")
        refuse(game, "draw", "P8.5", "reaction-open")


# -- the shot -------------------------------------------------------------------------------------


class TestShot:
    @pytest.mark.rule("P8.3", "P6.3")
    def test_a_normal_attack_at_the_hex_just_entered(self):
        game = moving()
        play(game, "move t1 0701")
        events = play(game, "fire a t1 [4 3 1 6 5 5 1]")
        shot = facts(events, "fire")
        assert (shot["to"], shot["distance"], shot["dice"], shot["to_hit"]) == ("0701", 6, 4, 4)
        assert facts(events, "save")["net"] == 0
        assert marks(game, "a") == {"ops-complete"}, "at once, whatever it hit"

    @pytest.mark.rule("P8.3", "P3.5")
    def test_the_support_weapon_is_marked_with_its_infantry(self):
        game = moving(TestFirer.FORCES)
        play(game, "move t1 0701", "fire j t1 with s [1 1]")
        assert marks(game, "j") == {"ops-complete"}
        assert marks(game, "s") >= {"ops-complete"}

    @pytest.mark.rule("P8.3", "P2.1")
    def test_own_housekeeping_makes_it_free_to_act(self):
        game = moving(FORCES, cup=["A", "eot", "eot"])
        play(game, "move t1 0701", f"fire a t1 {MISS}")
        to_the_cup(game)
        play(game, "draw [A]")
        assert marks(game, "a") == set()
        assert allows(game, "fire a t1")
        assert allows(game, "move a 0201")

    @pytest.mark.rule("P8.4", "P8.5", "P8.3")
    def test_two_tanks_under_the_guns_of_two(self):
        # The first two examples of the rule, in one move.
        game = moving()
        play(game, "move t1,t2 0701")
        assert shots(game) == ["fire a t1", "fire a t2", "fire b t1", "fire b t2"]
        play(game, f"fire a t1 {MISS}")
        assert shots(game) == ["fire b t2"]
        play(game, "pass", "move t1,t2 0601")
        assert shots(game) == ["fire b t1", "fire b t2"]
        play(game, f"fire b t1 {MISS}")
        assert game.decision.kind == "group", "nobody is left to shoot"

    @pytest.mark.rule("P8.4")
    @pytest.mark.refusal("P8.4")
    def test_a_unit_is_shot_at_once_in_a_hex(self):
        # A23: by unit, not by hex; and by different firers.
        game = moving()
        play(game, "move t1,t2 0701", f"fire a t1 {MISS}")
        assert str(refuse(game, "fire b t1", "P8.4", "already-shot-at").alternative) == "fire b t2"
        assert str(refuse(game, "fire a t2", "P8.2", "ops-complete-reaction").alternative) == "fire b t2"
        assert str(refuse(game, "end", "P8.5", "reaction-open").alternative) == "pass"

    @pytest.mark.rule("P8.5")
    def test_one_after_another_and_then_passing(self):
        game = moving()
        play(game, "move t1,t2 0701")
        play(game, f"fire b t2 {MISS}", f"fire a t1 {MISS}")
        assert game.decision.side == "red"
        game = moving()
        play(game, "move t1,t2 0701")
        events = play(game, "pass")
        assert facts(events, "pass") == {"side": "blue", "hex": "0701"}
        assert game.decision.side == "red"
        assert marks(game, "a") == set(), "holding fire costs nothing"

    @pytest.mark.rule("P8.5", "P4.6")
    def test_who_is_hit_stops_and_the_other_goes_on(self):
        game = moving()
        play(game, "move t1,t2 0701", "fire a t1 [4 1 1 1 1 1 1]", "pass")
        assert marks(game, "t1") == {"disrupted", "finished"}
        play(game, "move t2 0601")
        assert game.decision.kind == "reaction"

    @pytest.mark.rule("P8.4", "P5.12")
    def test_who_survives_its_carrier_is_no_target_in_this_window(self):
        forces = """
        red B
            c btr-70 0801 disrupted reduced
            i inf-su in c
            t2 t-72 1203
        blue A
            a m1 0401
            b m1 0402
        """
        game = moving(forces)
        play(game, "move c 0901", "fire a c [6 1 1 1 1 3]")
        assert where(game, "i") == "0901"
        assert game.decision.side == "red"
        refuse(game, "move i 1001", "P4.6", "finished")

    @pytest.mark.rule("P9.4", "P8.3")
    @pytest.mark.refusal("P9.4")
    def test_leadership_helps_one_shot_in_each_enemy_activation(self):
        forces = """
        red B markers 2
            t1 t-72 0801
            t2 t-72 0801
        blue A
            hq hq-us 0101
            a m1 0101
            b m1 0101
        """
        game = moving(forces, cup=["B", "eot", "eot"])
        play(game, "move t1,t2 0701")
        assert facts(play(game, "fire a t1 lead [1 1 1 1 1 1]"), "fire")["lead"] == 2
        refuse(game, "fire b t2 lead", "P9.4", "no-leadership")
        assert allows(game, "fire b t2")
        to_the_cup(game)
        play(game, "draw [B]", "move t1 0601")
        assert allows(game, "fire b t1 lead"), "again in the next activation"


# -- how often ------------------------------------------------------------------------------------


class TestShotsInATurn:
    FORCES = """
    red B
        t1 t-72 0901
    red C
        t2 t-72 0902
    red D
        t3 t-72 0903
    blue A markers {markers}
        a m1 0101
    """

    def play_interval(self, game, formation, tank, place):
        """A red formation moves one step, a shoots if it can, and the activation ends."""
        play(game, f"draw [{formation}]", f"move {tank} {place}")
        shot = game.decision.kind == "reaction"
        if shot:
            play(game, f"fire a {tank} {MISS}")
        to_the_cup(game)
        return shot

    def pass_by(self, game):
        """A is drawn and does nothing."""
        play(game, "draw [A]", "end")

    @pytest.mark.rule("P8.7", "P1.4")
    def test_two_markers_give_three_intervals(self):
        # A5: the founding text's three phases of opportunity fire, literally.
        game = begin(FIELD, self.FORCES.format(markers=2))
        assert self.play_interval(game, "B", "t1", "0801")
        self.pass_by(game)
        assert self.play_interval(game, "C", "t2", "0802")
        self.pass_by(game)
        assert self.play_interval(game, "D", "t3", "0803")

    @pytest.mark.rule("P8.7")
    def test_one_marker_gives_two(self):
        game = begin(FIELD, self.FORCES.format(markers=1))
        assert self.play_interval(game, "B", "t1", "0801")
        assert not self.play_interval(game, "D", "t3", "0803"), "the marker stays on until housekeeping"
        self.pass_by(game)
        assert self.play_interval(game, "C", "t2", "0802")

    @pytest.mark.rule("P8.7", "P4.1")
    def test_who_acted_has_no_shot_in_the_interval_after_it(self):
        game = begin(FIELD, self.FORCES.format(markers=2))
        play(game, "draw [A]", f"fire a t1 {MISS}")
        assert marks(game, "a") == {"ops-complete"}
        assert not self.play_interval(game, "B", "t1", "0801")
        self.pass_by(game)
        assert self.play_interval(game, "C", "t2", "0802")
