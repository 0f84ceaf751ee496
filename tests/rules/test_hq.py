"""Headquarters (P9): company, values, loss, leadership, stacks that split."""

import pytest

from hexengine.core.errors import ChanceError, ContentError
from tests.rules.asking import codes, every, facts, marks, unit, where
from tests.rules.table import allows, begin, play, refuse, to_the_cup

FIELD = "\n".join(["." * 10] * 3)
FAR = "red B\n    t9 t-72 1003 ops-complete\n"
STACK = """
blue A
    hq hq-us 0101
    t1 m1 0101
    t2 m1 0101
    t3 m1 0301
"""


def at(forces=STACK, enemies=FAR, active="A", **rest):
    return begin(FIELD, forces + enemies, active=active, **rest)


# -- company --------------------------------------------------------------------------------------


class TestCompany:
    @pytest.mark.rule("P9.1")
    def test_it_is_named_along_with_whom_it_goes(self):
        game = at()
        play(game, "move hq,t1 0201", "done")
        assert [where(game, name) for name in ("hq", "t1", "t2")] == ["0201", "0201", "0101"]
        assert "finished" in marks(game, "hq")

    @pytest.mark.rule("P9.1")
    def test_it_may_stay_with_another_unit_of_its_formation(self):
        game = at()
        play(game, "move t1 0201", "done")
        assert where(game, "hq") == "0101"

    @pytest.mark.rule("P9.1")
    @pytest.mark.refusal("P9.1")
    def test_it_goes_nowhere_alone(self):
        refuse(at(), "move hq 0201", "P9.1", "hq-alone")

    @pytest.mark.rule("P9.1")
    @pytest.mark.refusal("P9.1")
    def test_it_is_not_left_alone(self):
        game = at()
        refuse(game, "move t1,t2 0201", "P9.1", "hq-left-alone")
        play(game, "move t1 0201", "done")
        refusal = refuse(game, "move t2 0201", "P9.1", "hq-left-alone")
        assert str(refusal.alternative).startswith("move")
        assert allows(game, "move hq,t2 0201")

    @pytest.mark.rule("P9.1")
    @pytest.mark.refusal("P9.1")
    def test_units_of_other_formations_are_no_company(self):
        game = at(STACK.replace("    t2 m1 0101\n", "") + "blue C\n    t4 m1 0101\n")
        refuse(game, "move t1 0201", "P9.1", "hq-left-alone")

    @pytest.mark.rule("P9.1")
    def test_it_pays_nothing_and_may_go_with_any_part(self):
        # Infantry walks one hex with it, then tanks of the formation could not take it on: it has acted.
        game = at("blue A\n hq hq-us 0101\n i1 inf-us 0101\n t1 m1 0201\n")
        play(game, "move hq,i1 0201", "done")
        assert unit(game, "hq")["spent"] == 0
        refuse(game, "move hq,t1 0301", "P2.5", "finished")

    @pytest.mark.rule("P9.1")
    @pytest.mark.refusal("P9.1")
    def test_it_leaves_and_enters_the_map_with_others(self):
        more = '[[victory]]\nkind = "exit"\nside = "blue"\nhexes = ["0101"]\n'
        game = at(STACK.replace("    t2 m1 0101\n", ""), more=more)
        refuse(game, "exit hq", "P9.1", "hq-alone")
        refuse(game, "exit t1", "P9.1", "hq-left-alone")
        play(game, "exit hq,t1")
        assert where(game, "hq") is None
        game = at("blue A\n hq hq-us due 1 0101\n t1 m1 due 1 0101\n t3 m1 0301\n")
        refuse(game, "enter hq 0101", "P9.1", "hq-alone")
        play(game, "enter hq,t1 0101")
        assert where(game, "hq") == "0101"

    @pytest.mark.rule("P9.1")
    def test_it_may_enter_behind_a_unit_that_is_there(self):
        game = at("blue A\n hq hq-us due 1 0101\n t1 m1 0101\n t3 m1 0301\n")
        assert allows(game, "enter hq 0101")

    @pytest.mark.rule("P9.1", "P6.1")
    def test_it_has_no_fire_and_is_no_target(self):
        game = at(enemies="red B\n hq9 hq-su 0801\n t9 t-72 0801\n")
        refuse(game, "fire hq t9", "P9.1", "hq-fire")
        refuse(game, "fire t1 hq9", "P6.1", "not-a-unit")

    @pytest.mark.rule("P9.1")
    @pytest.mark.parametrize(
        ("forces", "said"),
        [
            ("hq hq-us 0201\n t1 m1 0101", "stands alone"),
            ("hq hq-us 0101\n hq2 hq-us 0102\n t1 m1 0101\n t2 m1 0102", "has an HQ already"),
            ("t1 m1 0102\nblue C\n hq hq-us 0101", "no unit that can fight"),
        ],
    )
    def test_setup_keeps_it_in_company(self, forces, said):
        with pytest.raises(ContentError, match=said):
            at(f"blue A\n {forces}\n")

    @pytest.mark.rule("P9.6", "P4.3")
    def test_when_the_stack_splits_the_owner_says_who_keeps_it(self):
        game = at()
        play(game, "move hq,t1,t2 0201")
        assert allows(game, "move t1 0301")
        assert allows(game, "move hq,t1 0301")
        play(game, "move hq,t1 0301", "move t2 0202", "done")
        assert (where(game, "hq"), where(game, "t2")) == ("0301", "0202")


# -- values ---------------------------------------------------------------------------------------


@pytest.mark.rule("P9.2", "P9.4")
@pytest.mark.parametrize(("status", "dice"), [("", 6), ("reduced", 5)])
def test_leadership_of_both_sides(status, dice):
    # M1: four AP dice; leadership 2, reduced 1 (the example of the rule: 5 dice).
    game = at(STACK.replace("hq hq-us 0101", f"hq hq-us 0101 {status}"), "red B\n t9 t-72 0901\n")
    events = play(game, f"fire t1 t9 lead [{'1 ' * dice}]")
    assert facts(events, "fire")["dice"] == dice
    assert facts(events, "leadership") == {"hq": "hq", "unit": "t1", "dice": dice - 4}


# -- loss -----------------------------------------------------------------------------------------


class TestLoss:
    FORCES = """
    blue A
        t1 m1 0101
    red B
        hq hq-su 0701
        a t-72 0701
        b t-72 0701
        c t-72 1003
    """

    def shoot(self, dice, forces=FORCES, target="a"):
        game = begin(FIELD, forces, active="A")
        return game, play(game, f"fire t1 {target} [{dice}]")

    @pytest.mark.rule("P9.3")
    @pytest.mark.parametrize(("die", "reduced"), [(1, True), (2, False), (6, False)])
    def test_a_unit_of_its_hex_is_disrupted(self, die, reduced):
        game, events = self.shoot(f"4 1 1 1 1 1 1 {die}")
        assert ("reduced" in marks(game, "hq")) == reduced
        assert ("hq-hit" in codes(events)) == reduced

    @pytest.mark.rule("P9.3")
    @pytest.mark.parametrize(("die", "reduced"), [(1, True), (2, False)])
    def test_a_unit_of_its_hex_loses_a_step(self, die, reduced):
        game, _ = self.shoot(f"4 4 1 1 1 1 1 {die}")
        assert marks(game, "a") == {"disrupted", "reduced"}
        assert ("reduced" in marks(game, "hq")) == reduced

    @pytest.mark.rule("P9.3")
    @pytest.mark.parametrize(("die", "reduced"), [(1, True), (3, True), (4, False)])
    def test_one_of_several_is_eliminated(self, die, reduced):
        # Two less on the die.
        game, _ = self.shoot(f"4 4 4 1 1 1 1 {die}")
        assert where(game, "a") is None
        assert ("reduced" in marks(game, "hq")) == reduced

    @pytest.mark.rule("P9.3")
    def test_a_reduced_hq_is_eliminated(self):
        game, events = self.shoot("4 1 1 1 1 1 1 1", self.FORCES.replace("hq-su 0701", "hq-su 0701 reduced"))
        assert where(game, "hq") is None
        assert facts(events, "eliminated")["unit"] == "hq"

    @pytest.mark.rule("P9.3")
    def test_the_last_unit_takes_it_along_without_a_die(self):
        game, events = self.shoot("4 4 4 1 1 1 1", self.FORCES.replace("        b t-72 0701\n", ""))
        assert [fact["unit"] for fact in every(events, "eliminated")] == ["a", "hq"]
        assert marks(game, "hq") == {"eliminated"}

    @pytest.mark.rule("P9.3")
    def test_no_die_without_an_effect(self):
        with pytest.raises(ChanceError, match="too many"):
            self.shoot("4 1 1 1 5 1 1 1")
        self.shoot("4 1 1 1 5 1 1")

    @pytest.mark.rule("P9.3")
    def test_units_of_other_formations_in_the_hex_count_as_well(self):
        forces = self.FORCES.replace("        b t-72 0701\n", "") + "red C\n    x t-72 0701\n"
        game, _ = self.shoot("4 1 1 1 1 1 1 1", forces, "x")
        assert "reduced" in marks(game, "hq")

    @pytest.mark.rule("P9.3", "P5.12", "P0.3")
    def test_passenger_dice_come_first_and_a_survivor_is_a_unit_of_the_hex(self):
        forces = """
        blue A
            t1 m1 0101
        red B
            hq hq-su 0701
            c btr-70 0701 disrupted reduced
            i inf-su in c
            z t-72 1003
        """
        # Passenger 3: it survives, so the HQ rolls: 3 - 2 is a loss, 4 is none.
        game, events = self.shoot("4 1 1 1 1 3 3", forces, "c")
        assert (where(game, "i"), marks(game, "hq")) == ("0701", {"reduced"})
        thrown = [event.code for event in events if event.facts.get("faces")]
        assert thrown == ["fire", "save", "passenger-safe", "hq-hit"]
        game, events = self.shoot("4 1 1 1 1 4", forces, "c")
        assert [fact["unit"] for fact in every(events, "eliminated")] == ["c", "i", "hq"]

    @pytest.mark.rule("P9.3", "P9.1")
    def test_with_its_last_own_unit_it_is_lost_beside_strangers(self):
        forces = self.FORCES.replace("        b t-72 0701\n", "") + "red C\n    x t-72 0701\n"
        _, events = self.shoot("4 4 4 1 1 1 1", forces)
        assert [fact["unit"] for fact in every(events, "eliminated")] == ["a", "hq"]


# -- leadership in combat -------------------------------------------------------------------------


class TestLeadership:
    ENEMY = "red B\n    t9 t-72 0901\n    t8 t-72 0902\n"

    @pytest.mark.rule("P9.4")
    @pytest.mark.refusal("P9.4")
    def test_one_attack_in_each_activation(self):
        game = at(STACK.replace("blue A", "blue A markers 2"), self.ENEMY, cup=["A", "eot", "eot"])
        play(game, "fire t1 t9 lead [1 1 1 1 1 1]")
        refuse(game, "fire t2 t9 lead", "P9.4", "no-leadership")
        play(game, "fire t2 t9 [1 1 1 1]", "end", "draw [A]")
        assert allows(game, "fire t2 t9 lead")

    @pytest.mark.rule("P9.4")
    @pytest.mark.refusal("P9.4")
    def test_units_of_its_formation_in_its_hex_only(self):
        forces = STACK.replace("    t2 m1 0101\n", "") + "blue C\n    t4 m1 0101\n"
        refuse(at(forces, self.ENEMY), "fire t3 t9 lead", "P9.4", "no-leadership")
        refuse(at(forces, self.ENEMY, active="C"), "fire t4 t9 lead", "P9.4", "no-leadership")

    @pytest.mark.rule("P9.4", "P9.2")
    @pytest.mark.refusal("P9.4")
    def test_an_hq_without_leadership_leads_nobody(self):
        forces = "blue A\n hq hq-su 0101 reduced\n t1 t-72 0101\n"
        refuse(at(forces, self.ENEMY), "fire t1 t9 lead", "P9.4", "no-leadership")

    @pytest.mark.rule("P9.4", "P3.5")
    def test_it_helps_a_support_weapon_too(self):
        forces = "blue A\n hq hq-us 0101\n i1 inf-us 0101\n s1 milan in i1\n"
        game = at(forces, self.ENEMY)
        assert facts(play(game, "fire i1 t9 with s1 lead [1 1 1 1]"), "fire")["dice"] == 4

    @pytest.mark.rule("P9.4", "P6.3")
    def test_it_adds_to_a_block_and_makes_none(self):
        # An M113 has no AP block to lead.
        game = at("blue A\n hq hq-us 0101\n c1 m113 0101\n", self.ENEMY)
        refuse(game, "fire c1 t9 lead", "P6.3", "no-block")

    @pytest.mark.rule("P9.4")
    def test_it_leads_a_shot_on_the_move_too(self):
        # On the move with its unit it leads the shot on the move.
        game = at(STACK, self.ENEMY)
        play(game, "move hq,t1 0201", "pass")
        assert allows(game, "fire t1 t9 lead")


# -- replacement ----------------------------------------------------------------------------------


class TestReplacement:
    LOST = """
    blue A
        hq hq-us 0101
        t1 m1 0101 disrupted reduced ops-complete
        t2 m1 0301 disrupted ops-complete
        t3 m1 0401 ops-complete
        i1 inf-us 0501 ops-complete
    red B morale 7
        t9 t-72 1001
    """

    def lost(self, forces=LOST, extra="", **rest):
        """B's T-72 kills t1 in 0101 at nine hexes, and with it the HQ; then both End of Turn markers."""
        game = begin(FIELD, forces + extra, active="B", **rest)
        play(game, "fire t9 t1 [5 5 5 1 1 1]")
        assert marks(game, "hq") == {"eliminated"}
        return game

    def next_turn(self, game):
        """The events of the turn's end, whoever decides before it."""
        return to_the_cup(game) + play(game, "draw [eot]", "draw [eot]")

    @pytest.mark.rule("P9.5", "P1.7")
    def test_it_comes_back_reduced_with_a_unit_that_is_left(self):
        game = self.lost()
        events = self.next_turn(game)
        # t2 comes first in the scenario, but it is Disrupted.
        assert facts(events, "hq-replaced") == {"hq": "hq", "unit": "t3", "hex": "0401"}
        assert marks(game, "hq") == {"reduced", "fresh"}
        assert unit(game, "hq")["hex"] == "0401"

    @pytest.mark.rule("P9.5")
    def test_a_disrupted_unit_will_do_where_there_is_no_other(self):
        game = self.lost(
            self.LOST.replace("0401 ops", "0401 disrupted ops").replace("0501 ops", "0501 disrupted ops")
        )
        assert facts(self.next_turn(game), "hq-replaced")["unit"] == "t2"

    @pytest.mark.rule("P9.5")
    def test_it_leads_and_commands_with_its_reduced_values(self):
        game = self.lost()
        self.next_turn(game)
        # Its radius is 3 on the reduced side: 0301 and 0501 are within it.
        events = play(game, "draw [A 6 6]")
        assert every(events, "command-failed") == [] and facts(events, "not-rallied")["leadership"] == 0

    @pytest.mark.rule("P9.5", "P9.1")
    def test_with_the_type_that_it_pictures_alone(self):
        forces = self.LOST.replace("hq hq-us 0101", "hq hq-us 0101 pictured=inf-us")
        game = self.lost(forces)
        assert facts(self.next_turn(game), "hq-replaced")["unit"] == "i1"

    @pytest.mark.rule("P9.5", "P2.2.3")
    def test_without_one_it_is_gone_for_good(self):
        forces = self.LOST.replace("hq hq-us 0101", "hq hq-us 0101 pictured=m2")
        game = self.lost(
            forces.replace("t3 m1 0401 ops-complete", "t3 m1 0401 ops-complete\n m m2 due 2 0103")
        )
        assert facts(self.next_turn(game), "hq-gone") == {"hq": "hq"}
        play(game, "draw [A 1 1 1 1 1 1 6 6]", "enter m 0103")
        events = self.next_turn(game)
        assert not {"hq-gone", "hq-replaced"} & set(codes(events))
        assert marks(game, "hq") == {"eliminated"}
        assert len(every(play(game, "draw [A 1 1 1 1 1 1 1 1 6 6]"), "command-passed")) == 4

    @pytest.mark.rule("P9.5", "P3.4")
    def test_a_hex_with_another_hq_has_no_room_and_it_waits(self):
        forces = self.LOST.replace(
            "        t3 m1 0401 ops-complete\n        i1 inf-us 0501 ops-complete\n", ""
        )
        game = self.lost(forces + "blue C\n h2 hq-us 0301\n x m1 0301\n")
        assert not {"hq-gone", "hq-replaced"} & set(codes(self.next_turn(game)))
        play(game, "draw [A 1 1 6 6]", "end", "draw [C]", "move h2,x 0302", "pass")
        assert facts(self.next_turn(game), "hq-replaced")["hex"] == "0301"

    @pytest.mark.rule("P9.5")
    def test_passengers_do_not_take_it_along_and_units_of_others_neither(self):
        forces = """
    blue A
        hq hq-us 0101
        t1 m1 0101 disrupted reduced ops-complete
        c1 m2 due 4 0103
        i1 inf-us in c1
    blue C
        x m1 0301
    red B
        t9 t-72 1001
    """
        game = self.lost(forces)
        assert facts(self.next_turn(game), "hq-gone") == {"hq": "hq"}

    @pytest.mark.rule("P9.5")
    def test_as_often_as_there_is_a_unit(self):
        forces = (
            self.LOST.replace("t3 m1 0401 ops-complete", "t3 m1 0401 reduced disrupted ops-complete")
            .replace("        i1 inf-us 0501 ops-complete\n", "")
            .replace("t2 m1 0301 disrupted", "t2 m1 0301 disrupted reduced")
        )
        game = self.lost(forces, extra="t8 t-72 1001\n")
        assert facts(self.next_turn(game), "hq-replaced")["unit"] == "t2"
        play(game, "draw [A 6 6 6 6]", "end", "draw [B]", "fire t9 t2 [4 4 4 1 1 1]")
        assert marks(game, "hq") == {"eliminated"}
        assert facts(self.next_turn(game), "hq-replaced")["unit"] == "t3"

    @pytest.mark.rule("P9.5", "P16.2")
    def test_each_loss_counts_for_victory(self):
        more = '[[victory]]\nkind = "hq"\nside = "red"\npoints = 5\n'
        game = self.lost(more=more)
        self.next_turn(game)
        assert game.state()["score"] == {"blue": 0, "red": 5}

    @pytest.mark.rule("P9.5")
    @pytest.mark.parametrize(
        ("forces", "said"),
        [
            ("blue A\n hq hq-us 0101 pictured=m99\n t1 m1 0101\n", "there is no unit type 'm99'"),
            ("blue A\n hq hq-us 0101\n t1 m1 0101 pictured=m1\n", "t1 is no HQ"),
        ],
    )
    def test_what_it_pictures_is_checked(self, forces, said):
        with pytest.raises(ContentError) as caught:
            at(forces)
        assert said in str(caught.value)
