"""Groups, finished units, what nobody is asked, saves, survivors: what orders mean exactly."""

import pytest

from hexengine.core.errors import IllegalOrder
from tests.rules.asking import codes, every, facts, marks, unit, where
from tests.rules.table import allows, begin, play, refuse

ROW = "." * 16
FAR = "red B\n    t9 t-72 1602 ops-complete\n"


def on(forces, enemies=FAR, **rest):
    """A's operations on two rows of hexes."""
    return begin(f"{ROW}\n{ROW}", forces + enemies, active="A", **rest)


class TestAGroup:
    FORCES = """
    blue A
        c btr-70 0201
        i inf-su in c
        d btr-70 0201
        z t-72 1401
    """

    @pytest.mark.rule("P4.3")
    @pytest.mark.parametrize(
        "first", ["move c 0301", "move c,d 0301", "unload c", "load e j", "enter r 0101"]
    )
    def test_the_first_move_entry_loading_or_unloading_opens_one(self, first):
        game = on(self.FORCES + " e btr-70 0501\n j inf-su 0501\n r m1 due 1 0101\n")
        assert game.decision.kind == "operations"
        play(game, first)
        assert game.decision.kind == "group"

    @pytest.mark.rule("P4.3", "P5.6")
    def test_units_unloaded_while_it_is_open_belong_to_it(self):
        game = on(self.FORCES)
        play(game, "move c,d 0301", "unload c", "move i 0401")
        assert facts(play(game, "done"), "group-closed")["units"] == ["c", "i", "d"]

    @pytest.mark.rule("P4.3", "P5.3")
    def test_so_does_who_is_loaded(self):
        game = on("blue A\n c btr-70 0201\n j inf-su 0301\n d btr-70 0201\n z t-72 1401\n")
        play(game, "move c,d 0301", "load c j")
        assert facts(play(game, "done"), "group-closed")["units"] == ["c", "j", "d"]

    @pytest.mark.rule("P4.3", "P6.5", "P5.5")
    def test_inside_it_members_move_fire_load_and_unload_in_any_order(self):
        more = '[[type]]\nid = "quick"\nkind = "hard"\nmobility = "tracked"\nma = 8\nap = "8/3/4"\n'
        more += 'armour = "2/5"\nflags = ["fire-on-move", "transport"]\n'
        forces = "blue A\n c quick 0201\n i inf-su in c\n d quick 0201\n j inf-su 0301\n z t-72 1401\n"
        game = on(forces, "red B\n t9 t-72 0801 ops-complete\n", more=more)
        play(game, "move c,d 0301")
        assert "done" not in map(str, game.orders()), "two carriers and the infantry: over the limit"
        play(game, "load d j", "unload c", "move i 0401", "fire d t9 [1 1 1]", "fire c t9 [1 1 1]")
        assert marks(game, "i") == {"finished"}
        assert game.decision.kind == "operations", "nobody has anything left to do"

    @pytest.mark.rule("P4.3")
    @pytest.mark.refusal("P4.3")
    def test_nobody_else_acts_before_done_and_anybody_after_it(self):
        game = on(self.FORCES)
        play(game, "move c 0301")
        for order in ("move z 1301", "move d 0301", "fire z t9"):
            assert not allows(game, order)
        refuse(game, "move z 1301", "P4.3", "not-in-group")
        play(game, "done", "move d 0301", "done", "move z 1301")
        assert where(game, "z") == "1301"

    @pytest.mark.rule("P4.3", "P2.5")
    @pytest.mark.refusal("P2.5")
    def test_end_is_no_order_while_it_is_open(self):
        game = on(self.FORCES)
        play(game, "move c 0301")
        with pytest.raises(IllegalOrder):
            play(game, "end")
        assert "end" not in map(str, game.orders())


class TestFinished:
    @pytest.mark.rule("P2.5", "P4.3", "P4.1", "P6.1", "P4.6")
    @pytest.mark.refusal("P2.5", "P4.6")
    def test_by_a_closed_group_by_firing_and_by_a_hit(self):
        enemies = "red B\n x t-72 1001\n i9 inf-su 0601 ops-complete\n"
        game = on("blue A\n a t-72 0101\n b t-72 0102\n c t-72 0202\n z t-72 1602\n", enemies)
        play(game, "move a 0201", "pass", "done")
        play(game, "fire b i9 [1 1 1]")
        play(game, "move c 0302", "fire x c [6 1 1 1 1 1]")
        for name, rule in (("a", "P2.5"), ("b", "P2.5"), ("c", "P4.6")):
            assert "finished" in marks(game, name)
            refuse(game, f"move {name} 0101", rule, "finished")
            refuse(game, f"fire {name} i9", rule, "finished")

    @pytest.mark.rule("P5.3", "P4.3")
    def test_but_carrier_and_infantry_that_only_approached_may_load(self):
        game = on("blue A\n c btr-70 0101\n i inf-su 0501\n z t-72 1401\n")
        play(game, "move i 0401", "done", "move c 0201", "move c 0301", "move c 0401", "done")
        loads = [str(order) for order in game.orders() if str(order).startswith("load")]
        assert loads == ["load c i"]
        play(game, "load c i")
        assert game.decision.kind == "operations", "that group closed by itself"
        assert "finished" in marks(game, "c") & marks(game, "i")

    @pytest.mark.rule("P4.1", "P8.3", "P3.5")
    def test_ops_complete_falls_at_the_end_of_the_activation_for_shots_in_reaction_at_once(self):
        enemies = "red B\n i9 inf-us 0301\n s9 dragon in i9\n"
        game = on("blue A\n a t-72 0101\n b t-72 0101\n", enemies)
        play(game, "move a 0201", "fire i9 a with s9 [1 1]")
        assert "ops-complete" in marks(game, "i9") & marks(game, "s9")
        assert "ops-complete" not in marks(game, "a")
        play(game, "done", "end")
        assert marks(game, "a") == {"ops-complete"}
        assert marks(game, "b") == set()


class TestNothingToChoose:
    @pytest.mark.rule("P4.3", "P2.5", "P8.5")
    def test_a_decision_of_one_order_is_taken_without_an_entry(self):
        # The only unit fires: its activation ends. Its MP run out: its group closes and the activation ends.
        game = on("blue A\n a t-72 0101\n", "red B\n x t-72 0401 ops-complete\n")
        events = play(game, "fire a x [1 1 1]")
        assert codes(events)[-1] == "activation-ends"
        assert (game.decision.kind, game.entry) == ("draw", 1)
        game = on("blue A\n a t-72 0101\n")
        events = play(game, *[f"move a {column:02}01" for column in range(2, 9)])
        assert codes(events)[-2:] == ["group-closed", "activation-ends"]
        assert (game.decision.kind, game.entry) == ("draw", 7)

    @pytest.mark.rule("P8.5")
    def test_a_window_closes_with_its_last_legal_shot(self):
        game = on("blue A\n a t-72 0101\n z t-72 0102\n", "red B\n x t-72 0901\n")
        play(game, "move a 0201", "fire x a [1 1 1]")
        assert game.decision.kind == "group"

    @pytest.mark.rule("P1.2")
    def test_a_draw_is_always_an_entry(self):
        game = on("blue A\n a t-72 0101\n", cup=["eot"])
        play(game, "end")
        assert [str(order) for order in game.orders()] == ["draw"]


class TestWhoIsNamed:
    FORCES = """
    blue A
        hq hq-us 0201
        c m113 0201
        i inf-us 0201
        s dragon in i
        z m1 1401
    """

    @pytest.mark.rule("P3.5", "P5.11")
    @pytest.mark.refusal("P3.5", "P5.11")
    def test_support_weapons_and_passengers_are_not(self):
        game = on(self.FORCES)
        refuse(game, "move i,s 0301", "P3.5", "weapon-not-named")
        play(game, "load c i,s")
        refuse(game, "move hq,c,i 0301", "P5.11", "carried")
        play(game, "move hq,c 0301")
        assert [where(game, name) for name in ("i", "s")] == ["0301", "0301"]

    @pytest.mark.rule("P3.5", "P5.11")
    def test_they_share_being_finished(self):
        game = on(self.FORCES)
        play(game, "load c i", "done")
        assert {"finished"} <= marks(game, "c") & marks(game, "i") & marks(game, "s")

    @pytest.mark.rule("P9.1")
    @pytest.mark.refusal("P9.1")
    def test_the_hq_is_named_along_and_not_left_alone(self):
        game = on(self.FORCES.replace("        i inf-us 0201\n        s dragon in i\n", ""))
        refusal = refuse(game, "move c 0301", "P9.1", "hq-left-alone")
        assert str(refusal.alternative) == "move hq,c 0301"

    @pytest.mark.rule("P9.1", "P5.2", "P5.6")
    @pytest.mark.parametrize("aboard", [False, True])
    def test_after_loading_or_unloading_it_may_still_go_along(self, aboard):
        # Those orders do not name it, so it joins the group with the first step.
        forces = self.FORCES.replace("i inf-us 0201", "i inf-us in c") if aboard else self.FORCES
        for leaver in ("c", "i") if aboard else ("c",):
            game = on(forces)
            play(game, "unload c" if aboard else "load c i", f"move hq,{leaver} 0301")
            assert where(game, "hq") == where(game, leaver) == "0301"
            assert "hq" in facts(play(game, "done"), "group-closed")["units"]

    @pytest.mark.rule("P9.1", "P4.3")
    @pytest.mark.refusal("P4.3")
    def test_but_nobody_who_came_from_elsewhere_picks_it_up(self):
        game = on(self.FORCES + " d m113 0301\n")
        play(game, "move d 0201")
        refuse(game, "move hq,d 0301", "P4.3", "not-in-group")
        # Nor does infantry that was driven there and got off.
        game = on("blue A\n hq hq-us 0201\n t m1 0201\n d m113 0301\n j inf-us in d\n")
        play(game, "move d 0201", "unload d")
        refuse(game, "move hq,j 0301", "P4.3", "not-in-group")

    @pytest.mark.rule("P9.1", "P4.3")
    @pytest.mark.refusal("P4.3")
    def test_nor_does_who_has_been_away_and_comes_back(self):
        forces = self.FORCES.replace("i inf-us 0201", "i inf-us in c")
        more = {
            "more": '[[victory]]\nkind = "exit"\nside = "blue"\nhexes = ["0201"]\n',
            "enemies": FAR + " x m113 0101 ops-complete\n",
        }
        game = on(forces, **more)
        play(game, "unload c", "move c 0202", "move c 0201")
        for order in ("move hq,c 0301", "exit hq,c", "assault hq,c 0101"):
            refuse(game, order, "P4.3", "hq-late")
        # The infantry has been with it all the time, and may take it along; so it may go on with both.
        play(game, "move hq,c,i 0301")
        assert where(game, "hq") == where(game, "c") == "0301"
        assert allows(game, "move hq,c 0401")

    @pytest.mark.rule("P9.1", "P4.1")
    def test_an_hq_that_stayed_is_not_finished_with_the_group(self):
        game = on(self.FORCES.replace("i inf-us 0201", "i inf-us in c"))
        play(game, "unload c", "move c 0301", "done")
        assert "finished" not in marks(game, "hq")


class TestSavesAndSurvivors:
    @pytest.mark.rule("P6.4", "P0.3")
    def test_all_save_dice_are_thrown_with_at_least_one_hit(self):
        game = on("blue A\n a m1 0101\n", "red B\n x t-72 0701 ops-complete\n")
        events = play(game, "fire a x [4 1 1 1 6 6 6]")
        assert facts(events, "save")["faces"] == [6, 6, 6]

    @pytest.mark.rule("P5.12", "P5.13")
    @pytest.mark.refusal("P8.1")
    def test_a_passenger_that_survives_its_carrier(self):
        forces = "blue A\n c m113 0101\n i inf-us in c\n d m113 0101\n"
        game = on(forces, "red B\n x t-72 0901\n y t-72 0901\n")
        play(game, "move c,d 0201", "fire x c [6 6 6 1 1]")
        assert {"disrupted", "reduced", "finished"} <= marks(game, "i")
        refuse(game, "fire y i", "P8.1", "did-not-enter")
        play(game, "pass")
        assert not [order for order in map(str, game.orders()) if " i " in f"{order} "]


class TestOpportunityFire:
    @pytest.mark.rule("P8.5", "P8.1")
    @pytest.mark.refusal("P8.5")
    def test_it_is_an_entry_of_the_other_side_with_its_own_dice(self):
        game = on("blue A\n a t-72 0101\n b t-72 0101\n", "red B\n x t-72 0901\n")
        play(game, "move a,b 0201")
        assert (game.decision.side, game.decision.kind) == ("red", "reaction")
        assert str(refuse(game, "move a 0301", "P8.5", "reaction-open").alternative) == "pass"
        events = play(game, "fire x a [6 6 1 5 5 5]")
        assert facts(events, "fire")["faces"] == [6, 6, 1]
        assert game.entry == 2

    @pytest.mark.rule("P8.1")
    def test_a_window_opens_only_where_a_shot_is_legal(self):
        # Infantry reaches 2 hexes with AP: no window at 3, one at 2.
        game = on("blue A\n a t-72 0101\n", "red B\n i9 inf-us 0501\n")
        play(game, "move a 0201")
        assert game.decision.kind == "group"
        play(game, "move a 0301")
        assert game.decision.kind == "reaction"


@pytest.mark.rule("P4.3", "P5.10", "P3.4")
def test_a_column_of_march_in_one_group():
    """Two carriers with their HQ drive, one unloads and its infantry walks, the other drives on."""
    forces = "blue A\n hq hq-us 0201\n c m113 0201\n i inf-us in c\n d m113 0201\n j inf-us in d\n"
    game = on(forces)
    play(game, "move hq,c,d 0301", "move c,d,hq 0401", "unload c", "move i 0501")
    refuse(game, "move c 0501", "P5.5", "halted")
    play(game, "move d,hq 0501", "move d,hq 0601")
    events = play(game, "unload d", "move j 0701")
    assert facts(events, "group-closed")["units"] == ["hq", "c", "i", "d", "j"]
    assert [where(game, name) for name in ("hq", "c", "i", "d", "j")] == [
        "0601",
        "0401",
        "0501",
        "0601",
        "0701",
    ]
    assert not every(events, "eliminated")
    assert unit(game, "d")["carrier"] is None
