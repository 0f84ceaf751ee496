"""An activation (P2): housekeeping, command, rally, operations."""

import pytest

from hexengine.core.errors import ChanceError
from tests.rules.asking import codes, every, facts, marks, where
from tests.rules.table import allows, begin, play, refuse

FIELD = "\n".join(["." * 12] * 3)
ENEMY = "red B\n    t9 t-72 1203 ops-complete\n"


def draw(forces, order="draw [A]", terrain=FIELD, **rest):
    """A game in which A has just been drawn, with the events of the draw."""
    game = begin(terrain, forces + ENEMY, **rest)
    return game, play(game, order)


# -- housekeeping ---------------------------------------------------------------------------------


@pytest.mark.rule("P2.1")
def test_ops_complete_and_out_of_command_come_off_and_nothing_else():
    game, events = draw(
        """
        blue A morale 6
            a t-72 0101 ops-complete
            b btr-70 0102 out-of-command
            c t-72 0103 disrupted
            d bmp-2 0201 depleted-2
        """,
        "draw [A 6 6]",
    )
    assert facts(events, "housekeeping")["units"] == ["a", "b"]
    assert [marks(game, name) for name in "abcd"] == [set(), set(), {"disrupted"}, {"depleted-2"}]


@pytest.mark.rule("P2.1")
def test_markers_come_off_passengers_too_and_not_off_other_formations():
    game, _ = draw(
        """
        blue A
            c1 m2 0101 ops-complete out-of-command
            i1 inf-us in c1 ops-complete
        blue C
            t1 m1 0102 ops-complete out-of-command
        """
    )
    assert marks(game, "i1") == {"carried"}
    assert marks(game, "c1") == set()
    assert marks(game, "t1") == {"ops-complete", "out-of-command"}


# -- command --------------------------------------------------------------------------------------

REGIMENT = """
blue 62mrr morale 6
    hq hq-su 0101
    first t-72 0101
    btr btr-70 0801
    inf inf-su 0801
"""


class TestCommand:
    @pytest.mark.rule("P2.2", "P2.2.2", "P2.2.4")
    def test_one_roll_for_the_hex_fails(self):
        # The founding text's own example: a 7 fails morale 6, for the carrier and the infantry beside it.
        game, events = draw(REGIMENT, "draw [62mrr 4 3]")
        assert facts(events, "command-failed") == {
            "formation": "62mrr",
            "hex": "0801",
            "units": ["btr", "inf"],
            "faces": [4, 3],
            "morale": 6,
        }
        assert marks(game, "btr") == marks(game, "inf") == {"out-of-command"}
        assert marks(game, "first") == set()

    @pytest.mark.rule("P2.2.2")
    def test_one_roll_for_the_hex_passes(self):
        game, events = draw(REGIMENT, "draw [62mrr 2 4]")
        assert facts(events, "command-passed")["units"] == ["btr", "inf"]
        assert marks(game, "btr") == marks(game, "inf") == set()

    @pytest.mark.rule("P2.2.2")
    def test_hexes_roll_in_the_order_of_their_labels(self):
        forces = REGIMENT + "    far t-72 1001\n    near t-72 0703\n"
        _, events = draw(forces, "draw [62mrr 1 1 1 2 1 3]")
        rolled = [(fact["hex"], fact["faces"]) for fact in every(events, "command-passed")]
        assert rolled == [("0703", [1, 1]), ("0801", [1, 2]), ("1001", [1, 3])]

    @pytest.mark.rule("P2.2.1", "P9.2")
    @pytest.mark.parametrize(
        ("status", "place", "rolls"),
        [("", "0501", False), ("", "0601", True), ("reduced", "0301", False), ("reduced", "0401", True)],
    )
    def test_up_to_the_command_radius_nobody_rolls(self, status, place, rolls):
        # The radius of this HQ is 4, and 2 on its reduced side.
        forces = f"blue A\n hq hq-su 0101 {status}\n t1 t-72 0101\n t2 t-72 {place}\n"
        _, events = draw(forces, "draw [A 1 1]" if rolls else "draw [A]")
        assert ("command-passed" in codes(events)) == rolls

    @pytest.mark.rule("P2.2.1")
    def test_the_radius_is_plain_distance(self):
        # A10: water, woods and enemies between do not matter.
        forces = "blue A\n hq hq-su 0102\n t1 t-72 0102\n t2 t-72 0502\nred C\n x1 t-72 0302\n x2 t-72 0301\n"
        _, events = draw(forces, terrain=".l.l........\n.l.l........\n.l.l........\n")
        assert "command-passed" not in codes(events)

    @pytest.mark.rule("P2.2.1")
    def test_another_formations_hq_does_not_command(self):
        forces = REGIMENT + "blue C\n    hq2 hq-su 0802\n    t2 t-72 0802\n"
        _, events = draw(forces, "draw [62mrr 1 1]")
        assert facts(events, "command-passed")["hex"] == "0801"

    @pytest.mark.rule("P2.2.1")
    def test_who_enters_is_in_command_in_the_first_activation_only(self):
        # A25: the first activation after being placed.
        forces = """
        blue A markers 2
            hq hq-su 0101
            t1 t-72 0101
            r1 t-72 due 1 1101
        """
        game, events = draw(forces, terrain=FIELD)
        assert "command-passed" not in codes(events)
        play(game, "enter r1 1101")
        assert marks(game, "r1") == {"fresh"}
        assert allows(game, "move r1 1001")
        play(game, "end" if game.decision.kind == "operations" else "done", "end")
        assert marks(game, "r1") == {"ops-complete"}
        events = play(game, "draw [A 6 6]")
        assert facts(events, "command-failed")["units"] == ["r1"]

    @pytest.mark.rule("P2.2.1")
    def test_units_set_up_at_the_start_are_not_newly_placed_but_by_option(self):
        _, events = draw(REGIMENT, "draw [62mrr 6 6]")
        assert "command-failed" in codes(events)
        game, events = draw(REGIMENT, "draw [62mrr]", options={"setup_units_fresh": True})
        assert "command-failed" not in codes(events)
        assert marks(game, "btr") == {"fresh"}

    @pytest.mark.rule("P2.2.1")
    def test_a_formation_that_never_had_an_hq_is_always_in_command(self):
        _, events = draw("blue A morale 2\n t1 t-72 0101\n t2 t-72 0901\n")
        assert not {"command-passed", "command-failed"} & set(codes(events))

    @pytest.mark.rule("P2.2.3", "P9.3")
    def test_without_its_hq_every_hex_rolls_against_the_same_morale(self):
        # A6, A7: morale is the formation's; a lost HQ has neither radius nor leadership.
        forces = """
        blue A morale 8
            hq hq-us 0101 reduced
            t1 m1 0101 disrupted reduced
            t2 m1 0102 disrupted
            t3 m1 0103
        red C
            x1 t-72 0201
        """
        game = begin(FIELD, forces + ENEMY, active="C", cup=["A", "A", "eot", "eot"][1:])
        play(game, "fire x1 t1 [6 1 1 1 1 1]")
        assert where(game, "hq") is None
        events = play(game, "draw [A 6 2 6 3 4 5]")
        assert facts(events, "command-passed")["hex"] == "0102"
        assert facts(events, "command-failed")["hex"] == "0103"
        assert facts(events, "not-rallied")["leadership"] == 0

    @pytest.mark.rule("P2.2.5")
    def test_new_and_old_units_in_one_hex(self):
        forces = """
        blue A
            hq hq-su 0101
            t1 t-72 0101
            t2 t-72 0901 fresh
            t3 t-72 0901
        """
        game, events = draw(forces, "draw [A 6 6]")
        assert facts(events, "command-failed")["units"] == ["t3"]
        assert marks(game, "t2") == {"fresh"}

    @pytest.mark.rule("P2.2.6")
    def test_other_formations_in_the_hex_are_not_touched(self):
        game, events = draw(
            REGIMENT.replace("    inf inf-su 0801\n", "") + "blue C\n    x t-72 0801\n", "draw [62mrr 6 6]"
        )
        assert facts(events, "command-failed")["units"] == ["btr"]
        assert marks(game, "x") == set()

    @pytest.mark.rule("P2.2.6")
    def test_passengers_share_the_roll_of_their_hex(self):
        game, events = draw(REGIMENT.replace("inf-su 0801", "inf-su in btr"), "draw [62mrr 6 6]")
        assert facts(events, "command-failed")["units"] == ["btr", "inf"]
        assert marks(game, "inf") == {"carried", "out-of-command"}

    @pytest.mark.rule("P2.2.2")
    def test_the_marker_binds_to_the_units_that_were_there(self):
        # A24: who arrives later is not out of command.
        forces = """
        blue A
            hq hq-su 0101
            t1 t-72 0101
            t2 t-72 0501
            t3 t-72 0601
        """
        game, _ = draw(forces, "draw [A 6 6]")
        assert marks(game, "t3") == {"out-of-command"}
        play(game, "move t2 0601")
        assert marks(game, "t2") == set()
        assert allows(game, "move t2 0701")

    @pytest.mark.rule("P2.2.7")
    @pytest.mark.parametrize(("double", "rolls"), [(True, 1), (False, 2)])
    def test_reconnaissance_may_have_twice_the_radius_by_option(self, double, rolls):
        forces = "blue A\n hq hq-su 0101\n t1 t-72 0101\n r1 brdm-2 0901\n t2 t-72 0902\n"
        _, events = draw(forces, f"draw [A{' 1 1' * rolls}]", options={"recon_double_radius": double})
        assert len(every(events, "command-passed")) == rolls


class TestOutOfCommand:
    FORCES = """
    blue A
        hq hq-su 0101
        t1 t-72 0101
        t2 t-72 0801
        c2 btr-70 0802
        i2 inf-su in c2
        c3 btr-70 0803
        i3 inf-su 0803
    red C
        x1 t-72 1001
    """

    def game(self):
        game, _ = draw(self.FORCES, "draw [A 6 6 6 5 6 4]")
        return game

    @pytest.mark.rule("P2.2.4", "P2.5")
    @pytest.mark.refusal("P2.2.4")
    @pytest.mark.parametrize("order", ["move t2 0701", "fire t2 x1", "unload c2", "move c2 0701"])
    def test_may_not_move_fire_or_unload(self, order):
        refuse(self.game(), order, "P2.2.4", "out-of-command")

    @pytest.mark.rule("P2.2.4", "P5.4")
    @pytest.mark.refusal("P2.2.4")
    def test_may_not_load(self):
        refuse(self.game(), "load c3 i3", "P2.2.4", "out-of-command")

    @pytest.mark.rule("P2.2.4", "P8.2")
    def test_may_fire_in_reaction(self):
        game = self.game()
        play(game, "end", "draw [C]", "move x1 0901")
        assert game.decision.kind == "reaction"
        assert allows(game, "fire t2 x1")

    @pytest.mark.rule("P2.2.4", "P2.3")
    def test_who_is_disrupted_as_well_can_only_try_to_rally(self):
        # A11.
        forces = self.FORCES.replace("t2 t-72 0801", "t2 t-72 0801 disrupted")
        game, events = draw(forces, "draw [A 6 6 1 1 1 1 4 3]")
        assert facts(events, "not-rallied") == {
            "unit": "t2",
            "faces": [4, 3],
            "morale": 7,
            "ooc": 1,
            "leadership": 0,
        }
        assert not [order for order in map(str, game.orders()) if "t2" in order.split()[1:2]]


# -- rally ----------------------------------------------------------------------------------------


class TestRally:
    """Morale 7: the table of examples, and who rolls."""

    @pytest.mark.rule("P2.3")
    @pytest.mark.parametrize(
        ("dice", "rallied"), [("3 4", True), ("3 5", False), ("6 6", False), ("1 1", True)]
    )
    def test_in_command_without_hq(self, dice, rallied):
        game, events = draw("blue A\n t1 m1 0101 disrupted\n", f"draw [A {dice}]")
        assert ("rallied" in codes(events)) == rallied
        assert marks(game, "t1") == (set() if rallied else {"disrupted"})

    @pytest.mark.rule("P2.3")
    @pytest.mark.parametrize(("dice", "rallied"), [("3 4", False), ("3 3", True)])
    def test_out_of_command_adds_one(self, dice, rallied):
        forces = "blue A\n hq hq-us 0101\n t1 m1 0101\n t2 m1 0801 disrupted\n"
        game, events = draw(forces, f"draw [A 6 6 {dice}]")
        assert ("rallied" in codes(events)) == rallied
        assert marks(game, "t2") == {"out-of-command"} | (set() if rallied else {"disrupted"})

    @pytest.mark.rule("P2.3", "P9.4")
    @pytest.mark.parametrize(
        ("status", "dice", "rallied"),
        [("", "4 5", True), ("", "5 5", False), ("reduced", "4 4", True), ("reduced", "4 5", False)],
    )
    def test_leadership_in_the_hex_helps(self, status, dice, rallied):
        # A9: leadership 2, and 1 on the reduced side, is taken off the roll.
        forces = f"blue A\n hq hq-us 0101 {status}\n t1 m1 0101 disrupted\n"
        _, events = draw(forces, f"draw [A {dice}]")
        assert ("rallied" in codes(events)) == rallied

    @pytest.mark.rule("P2.3")
    def test_leadership_does_not_reach_other_hexes_or_formations(self):
        forces = """
        blue A
            hq hq-us 0101
            t1 m1 0101
            t2 m1 0102 disrupted
        blue C
            t3 m1 0101 disrupted
        """
        game, events = draw(forces, "draw [A 4 4]")
        assert facts(events, "not-rallied")["leadership"] == 0
        play(game, "end")
        assert facts(play(game, "draw [C 4 4]"), "not-rallied")["leadership"] == 0

    @pytest.mark.rule("P2.3")
    def test_each_unit_rolls_for_itself_in_the_scenarios_order(self):
        # A8: per unit, unlike command.
        forces = "blue A\n t2 m1 0102 disrupted\n t1 m1 0101 disrupted\n t3 m1 0101 disrupted\n"
        game, events = draw(forces, "draw [A 6 6 1 1 6 5]")
        assert [fact["unit"] for fact in every(events, "not-rallied")] == ["t2", "t3"]
        assert [fact["unit"] for fact in every(events, "rallied")] == ["t1"]
        assert marks(game, "t1") == set()

    @pytest.mark.rule("P2.3", "P5.12")
    def test_passengers_rally_with_their_carrier(self):
        forces = "blue A morale 6\n c1 btr-70 0101 disrupted\n i1 inf-su in c1 disrupted\n"
        game, _ = draw(forces, "draw [A 2 4]")
        assert (marks(game, "c1"), marks(game, "i1")) == (set(), {"carried"})
        game, _ = draw(forces, "draw [A 3 4]")
        assert (marks(game, "c1"), marks(game, "i1")) == ({"disrupted"}, {"carried", "disrupted"})

    @pytest.mark.rule("P2.3")
    def test_one_try_in_each_activation(self):
        game, _ = draw("blue A markers 2\n t1 m1 0101 disrupted\n", "draw [A 6 6]")
        with pytest.raises(ChanceError):
            play(game, "end [1 1]")
        play(game, "end")
        play(game, "draw [A 1 1]")
        assert marks(game, "t1") == set()

    @pytest.mark.rule("P2.3", "P2.5")
    def test_who_rallies_may_act_at_once(self):
        # A28.
        game, _ = draw("blue A\n t1 m1 0101 disrupted\nred C\n x1 t-72 0401\n", "draw [A 1 1]")
        assert allows(game, "fire t1 x1")
        assert allows(game, "move t1 0201")

    @pytest.mark.rule("P2.3", "P0.3")
    def test_command_rolls_come_before_rally_rolls(self):
        forces = "blue A\n hq hq-us 0101\n t1 m1 0101 disrupted\n t2 m1 0801\n"
        _, events = draw(forces, "draw [A 1 2 3 4]")
        thrown = [(event.code, event.facts["faces"]) for event in events if "faces" in event.facts]
        assert thrown == [("command-passed", [1, 2]), ("rallied", [3, 4])]


# -- operations -----------------------------------------------------------------------------------


class TestOperations:
    FORCES = """
    blue A
        t1 m1 0101
        t2 m1 0102
        c1 m2 0103
        i1 inf-us in c1
    blue C
        t3 m1 0201
    red D
        x1 t-72 0501
    """

    def game(self, forces=FORCES):
        return draw(forces)[0]

    @pytest.mark.rule("P2.5")
    def test_fire_and_movement_of_different_units_in_any_order(self):
        game = self.game()
        play(game, "fire t2 x1 [1 1 1 1]", "move t1 0201", "pass", "done")
        assert "finished" in marks(game, "t1") & marks(game, "t2")
        events = play(game, "fire c1 x1 [1 1 1]")
        assert facts(events, "activation-ends")["acted"] == ["t1", "t2", "c1", "i1"]

    @pytest.mark.rule("P2.5")
    @pytest.mark.refusal("P2.5")
    def test_only_units_of_the_drawn_formation(self):
        refuse(self.game(), "move t3 0202", "P2.5", "other-formation")
        refuse(self.game(), "fire x1 t1", "P2.5", "other-formation")

    @pytest.mark.rule("P2.5")
    @pytest.mark.refusal("P2.5")
    @pytest.mark.parametrize("order", ["draw", "pass", "done"])
    def test_orders_of_other_decisions(self, order):
        refuse(self.game(), order, "P2.5", "wrong-decision")

    @pytest.mark.rule("P2.5", "P4.1")
    def test_an_action_that_finishes_is_the_last(self):
        game = self.game()
        play(game, "fire t1 x1 [1 1 1 1]")
        refuse(game, "move t1 0201", "P2.5", "finished")
        refuse(game, "fire t1 x1", "P2.5", "finished")

    @pytest.mark.rule("P2.5", "P4.1", "P8.2")
    def test_the_owner_may_end_at_any_time_and_who_did_nothing_may_fire_later(self):
        game = self.game()
        play(game, "fire t1 x1 [1 1 1 1]", "end")
        assert marks(game, "t1") == {"ops-complete"}
        assert marks(game, "t2") == set()
        play(game, "draw [D]", "move x1 0401")
        assert not allows(game, "fire t1 x1")
        assert allows(game, "fire t2 x1")

    @pytest.mark.rule("P2.5")
    def test_ops_complete_forbids_everything(self):
        # The table of states, begun with the marker on; housekeeping would have taken it off.
        game = begin(FIELD, self.FORCES.replace("m1 0101", "m1 0101 ops-complete") + ENEMY, active="A")
        refuse(game, "move t1 0202", "P4.1", "ops-complete")
        refuse(game, "fire t1 x1", "P4.1", "ops-complete")

    @pytest.mark.rule("P2.5", "P6.6", "P5.8")
    def test_disrupted_in_command_moves_and_unloads_but_does_not_fire(self):
        forces = self.FORCES.replace("m2 0103", "m2 0103 disrupted").replace("in c1", "in c1 disrupted")
        game, _ = draw(forces, "draw [A 6 6]")
        refuse(game, "fire c1 x1", "P6.6", "disrupted-fire")
        assert allows(game, "unload c1")
        refuse(game, "move c1 0202", "P6.6", "disrupted-move")

    @pytest.mark.rule("P2.5", "P5.11")
    def test_passengers_do_nothing_of_their_own(self):
        game = self.game()
        refuse(game, "fire i1 x1", "P5.11", "carried")
        refuse(game, "move i1 0202", "P5.11", "carried")

    @pytest.mark.rule("P2.5")
    def test_an_activation_with_nothing_left_to_do_ends_by_itself(self):
        game = begin("..\n..", "blue A\n t1 m1 0101\nred B\n t9 t-72 0202", active="A")
        events = play(game, "fire t1 t9 [1 1 1 1]")
        assert "activation-ends" in codes(events)
        assert game.decision.kind == "draw"
