"""Transport (P5): loading and unloading, and their combinations.

BTR-70: 8 MP, half 4. Infantry: 2 MP. FV432: 7 MP, half 4 (P0.4).
"""

import pytest

from hexengine.core.errors import ContentError
from tests.rules.asking import codes, every, facts, marks, unit, where
from tests.rules.table import allows, begin, cup, play, refuse

ROW = "." * 16
FAR = "red B\n    t9 t-72 1602 ops-complete\n"
BOTH = "blue A\n c btr-70 0201\n i inf-su 0201\n z t-72 1401\n"
LOADED = "blue A\n c btr-70 0201\n i inf-su in c\n z t-72 1401\n"


def on(forces, row=ROW, enemies=FAR, **rest):
    """A's operations on a row of hexes, 0101 to 1601, with another row below it."""
    return begin(f"{row.ljust(16, '.')}\n{ROW}", forces + enemies, active="A", **rest)


def go(game, names, first, last):
    """Move along the row from column to column; all events."""
    step = 1 if last >= first else -1
    return play(game, *[f"move {names} {column:02}01" for column in range(first, last + step, step)])


def aboard(game, name):
    """The carrier of a unit, or None."""
    return unit(game, name)["carrier"]


class TestCapacity:
    @pytest.mark.rule("P5.1")
    @pytest.mark.parametrize("steps", [1, 2])
    @pytest.mark.parametrize("carrier", ["btr-70", "fv432"])
    def test_one_infantry_unit_and_one_support_weapon_also_when_reduced(self, carrier, steps):
        game = on(f"blue A\n c {carrier} 0201 steps={steps}\n i inf-su 0201\n s spg-9 in i\n")
        play(game, "load c i")
        assert unit(game, "c")["passengers"] == ["i", "s"]
        assert marks(game, "i") == {"carried"}
        assert where(game, "i") == where(game, "s") == "0201"

    @pytest.mark.rule("P5.1")
    def test_the_support_weapon_may_be_named(self):
        game = on("blue A\n c btr-70 0201\n i inf-su 0201\n s spg-9 in i\n")
        assert "load c i,s" in map(str, game.orders())
        assert game.why_not("load c i") is None
        assert game.parse("load c i") is game.parse("load c i,s"), "it goes with its infantry, named or not"
        play(game, "load c i,s")
        assert aboard(game, "i") == "c"

    @pytest.mark.rule("P5.1")
    @pytest.mark.refusal("P5.1")
    def test_no_second_unit(self):
        refuse(on(LOADED + " j inf-su 0201\n"), "load c j", "P5.1", "full")

    @pytest.mark.rule("P5.1")
    @pytest.mark.refusal("P5.1")
    def test_who_carries_and_who_rides(self):
        forces = "blue A\n t t-72 0201\n i inf-su 0201\n c btr-70 0101\n d btr-70 0101\n hq hq-su 0101\n"
        refuse(on(forces), "load t i", "P5.1", "not-a-carrier")
        refuse(on(forces), "load c d", "P5.1", "not-a-passenger")
        refuse(on(forces), "load c hq", "P5.1", "not-a-passenger")

    @pytest.mark.rule("P5.1")
    def test_a_team_rides_in_the_infantrys_place(self):
        game = on("blue A\n c m113 0201\n m mortar-120 0201\n")
        play(game, "load c m")
        assert unit(game, "c")["passengers"] == ["m"]

    @pytest.mark.rule("P5.1", "P9.1")
    def test_the_hq_goes_with_the_carrier_and_takes_no_room(self):
        game = on(BOTH + " hq hq-su 0201\n")
        play(game, "load c i")
        refuse(game, "move c 0301", "P9.1", "hq-left-alone")
        play(game, "move c,hq 0301")
        assert where(game, "hq") == where(game, "i") == "0301"

    @pytest.mark.rule("P5.1", "P3.4")
    def test_passengers_leave_room_in_the_hex(self):
        game = on(BOTH + " t t-72 0101\n")
        play(game, "load c i", "done", "move t 0201", "done")
        assert where(game, "t") == "0201"


class TestLoadingInPlace:
    @pytest.mark.rule("P5.2", "P5.10")
    def test_load_then_half_the_allowance(self):
        # P5.10 row 1, and the example: 4 road hexes (2 MP) and 2 clear ones (2 MP).
        game = on(BOTH, on_map={"roads": ["0201-0301-0401-0501-0601"]})
        play(game, "load c i")
        assert allows(game, "move c 0301")
        events = go(game, "c", 3, 8)
        assert every(events, "move")[-1]["left"] == 0
        assert where(game, "i") == "0801"
        assert {"finished"} <= marks(game, "c") & marks(game, "i")
        play(game, "end")
        assert {"ops-complete"} <= marks(game, "c") & marks(game, "i")

    @pytest.mark.rule("P5.2")
    @pytest.mark.refusal("P5.2")
    def test_the_fifth_mp_is_refused(self):
        game = on(BOTH, on_map={"roads": ["0201-0301", "0601-0602"]})
        play(game, "load c i")
        go(game, "c", 3, 6)
        refusal = refuse(game, "move c 0701", "P5.2", "too-few-mp")
        assert (refusal.facts["left"], str(refusal.alternative)) == (0.5, "move c 0602")

    @pytest.mark.rule("P5.2", "P0.4")
    def test_half_of_an_odd_allowance_is_rounded_up(self):
        game = on(BOTH.replace("btr-70", "fv432"))
        play(game, "load c i")
        assert len(every(go(game, "c", 3, 6), "move")) == 4
        assert game.decision.kind == "operations", "4 of 7 are spent, nothing is left"

    @pytest.mark.rule("P5.2", "P4.1")
    def test_both_have_acted_even_if_the_carrier_stays(self):
        # A13.
        game = on(BOTH)
        play(game, "load c i", "done", "end")
        assert marks(game, "c") == {"ops-complete"}
        assert marks(game, "i") == {"carried", "ops-complete"}

    @pytest.mark.rule("P5.2", "P5.7")
    @pytest.mark.refusal("P5.7")
    def test_a_carrier_that_loaded_does_not_fire(self):
        game = on(BOTH, enemies="red B\n i9 inf-su 0501\n")
        assert allows(game, "fire c i9")
        play(game, "load c i")
        refuse(game, "fire c i9", "P5.7", "shuttled-fire")

    @pytest.mark.rule("P5.2", "P4.3")
    def test_loading_opens_a_group_of_both(self):
        game = on(BOTH)
        play(game, "load c i")
        assert game.decision.kind == "group"
        assert facts(play(game, "done"), "group-closed")["units"] == ["c", "i"]


class TestLoadingInACrowd:
    """A carrier and its infantry drive and walk into a hex where two tanks stand."""

    FIELD = "\n".join(["." * 10] * 5)

    def crowd(self, tanks="t1 m1 0303\n t2 m1 0303", **rest):
        forces = f"blue A\n c m113 0304\n i inf-us 0304\n {tanks}\nred B\n e t-72 0801 ops-complete\n"
        game = begin(self.FIELD, forces, active="A", **rest)
        play(game, "move c,i 0303")
        return game

    @pytest.mark.rule("P3.4", "P5.3")
    @pytest.mark.refusal("P3.4")
    def test_who_loads_does_not_halt_the_last_that_could_leave(self):
        game = self.crowd()
        refuse(game, "load c i", "P3.4", "hex-full")
        assert not [order for order in game.orders() if order.verb == "load"]

    @pytest.mark.rule("P3.4", "P5.3")
    def test_where_the_rest_fits_it_may_load(self):
        game = self.crowd("t1 m1 0303")
        events = play(game, "load c i")
        assert codes(events)[0] == "load"
        assert (where(game, "c"), aboard(game, "i")) == ("0303", "c")


class TestLoadingAfterAnApproach:
    """Infantry in 0501 next to 0401, the carrier three hexes from there in 0101."""

    FORCES = "blue A\n c btr-70 0101\n i inf-su 0501\n z t-72 1401\n"

    def met(self):
        game = on(self.FORCES)
        play(game, "move i 0401", "done")
        go(game, "c", 2, 4)
        return game

    @pytest.mark.rule("P5.3", "P5.10")
    def test_both_approach_and_load(self):
        # P5.10 row 2.
        game = self.met()
        events = play(game, "load c i")
        assert facts(events, "load") == {"carrier": "c", "unit": "i", "hex": "0401"}
        assert [event.rule for event in events if event.code == "load"] == ["P5.3"]
        assert aboard(game, "i") == "c"

    @pytest.mark.rule("P5.3", "P5.10")
    @pytest.mark.refusal("P5.3")
    def test_then_neither_moves_any_more(self):
        # P5.10 row 7: half the allowance, load, other half is not possible.
        game = self.met()
        events = play(game, "load c i")
        assert codes(events)[-1] == "group-closed", "nothing is left to do"
        refuse(game, "move c 0501", "P2.5", "finished")
        refuse(game, "unload c", "P2.5", "finished")

    @pytest.mark.rule("P5.3")
    @pytest.mark.refusal("P5.3")
    def test_the_carrier_of_an_open_group_does_not_move_on_either(self):
        game = on(self.FORCES.replace("i inf-su 0501", "i inf-su 0501\n c2 btr-70 0101"))
        play(game, "move i 0401", "done")
        play(game, "move c,c2 0201", "move c,c2 0301", "move c 0401", "load c i")
        assert game.decision.kind == "group"
        refuse(game, "move c 0501", "P5.3", "halted")
        assert allows(game, "move c2 0201")

    @pytest.mark.rule("P5.3")
    def test_units_whose_groups_are_closed_may_still_load(self):
        for first in ("i", "c"):
            game = on(self.FORCES)
            if first == "i":
                play(game, "move i 0401", "done")
                go(game, "c", 2, 4)
            else:
                go(game, "c", 2, 4)
                play(game, "done", "move i 0401")
            play(game, "done")
            assert "finished" in marks(game, "c") & marks(game, "i")
            play(game, "load c i")
            assert aboard(game, "i") == "c"

    @pytest.mark.rule("P5.3")
    def test_only_the_carrier_approaches(self):
        game = on(self.FORCES)
        go(game, "c", 2, 5)
        play(game, "load c i")
        assert (where(game, "i"), aboard(game, "i")) == ("0501", "c")
        refuse(game, "move c 0601", "P2.5", "finished")

    @pytest.mark.rule("P5.3")
    def test_only_the_infantry_approaches(self):
        game = on("blue A\n c btr-70 0401\n i inf-su 0501\n z t-72 1401\n")
        play(game, "move i 0401", "load c i")
        assert aboard(game, "i") == "c"
        refuse(game, "move c 0501", "P2.5", "finished")

    @pytest.mark.rule("P5.3")
    @pytest.mark.refusal("P5.3")
    def test_infantry_that_used_two_mp_is_too_late(self):
        # 2 MP away; and 2 MP for one hex (A14).
        game = on("blue A\n c btr-70 0401\n i inf-su 0601\n")
        play(game, "move i 0501", "move i 0401")
        refuse(game, "load c i", "P5.3", "infantry-moved-too-far")
        game = on("blue A\n c m113 0401\n i inf-su 0501\n", row="...w............",
                  on_map={"levels": f"0001{'0' * 12}\\n{'0' * 16}"})  # fmt: skip
        play(game, "move i 0401")
        refuse(game, "load c i", "P5.3", "infantry-moved-too-far")

    @pytest.mark.rule("P5.3", "P5.10")
    @pytest.mark.refusal("P5.3")
    def test_a_carrier_that_used_more_than_half_is_too_late(self):
        game = on("blue A\n c btr-70 0101\n i inf-su 0601\n")
        go(game, "c", 2, 6)
        refusal = refuse(game, "load c i", "P5.3", "carrier-moved-too-far")
        assert (refusal.facts["spent"], refusal.facts["half"]) == (5, 4)

    @pytest.mark.rule("P5.3")
    def test_a_carrier_that_drove_and_came_back_counts_as_coming_from_elsewhere(self):
        game = on(BOTH)
        play(game, "move c 0301", "move c 0201", "load c i")
        assert aboard(game, "i") == "c"
        refuse(game, "move c 0301", "P2.5", "finished")
        game = on(BOTH)
        play(game, "move c 0301", "move c 0401", "move c 0501", "move c 0401", "move c 0301", "move c 0201")
        refuse(game, "load c i", "P5.3", "carrier-moved-too-far")

    @pytest.mark.rule("P5.3", "P3.5")
    def test_a_support_weapon_moves_and_loads_with_its_infantry(self):
        game = on("blue A\n c btr-70 0401\n i inf-su 0501\n s spg-9 in i\n")
        play(game, "move i 0401", "load c i")
        assert unit(game, "c")["passengers"] == ["i", "s"]

    @pytest.mark.rule("P5.3", "P4.5", "P8.1")
    def test_each_hex_entered_may_draw_fire_and_each_is_its_own_target(self):
        game = on(self.FORCES, enemies="red B\n t9 t-72 0901\n")
        play(game, "move i 0401")
        assert {str(order).split()[2] for order in game.orders() if str(order) != "pass"} == {"i"}
        play(game, "pass", "done", "move c 0201", "pass", "move c 0301")
        events = play(game, "fire t9 c [4 1 1 6]")
        assert facts(events, "save")["saves"] == 1
        play(game, "move c 0401", "load c i")
        assert aboard(game, "i") == "c"

    @pytest.mark.rule("P5.3", "P4.6")
    @pytest.mark.refusal("P5.4")
    @pytest.mark.parametrize(("target", "shot"), [("c", "fire t9 c [4 1 1 1]"), ("i", "fire t8 i [5 1 1]")])
    def test_who_is_hit_on_the_way_does_not_load(self, target, shot):
        game = on(self.FORCES, enemies="red B\n t9 t-72 0901\n t8 t-72 0901\n")
        play(game, "move i 0401", shot if target == "i" else "pass")
        if target == "i":
            play(game, "move c 0201", "pass", "move c 0301", "pass", "move c 0401", "pass")
        else:
            play(game, "done", "move c 0201", "pass", "move c 0301", "pass", "move c 0401", shot)
        refuse(game, "load c i", "P5.4", "disrupted-load")

    @pytest.mark.rule("P5.3")
    @pytest.mark.refusal("P5.3")
    @pytest.mark.parametrize(("lock", "moves"), [("activation", True), ("turn", False)])
    def test_this_turn_is_read_as_this_activation_but_by_option(self, lock, moves):
        # A4, option load_lock.
        game = on(self.FORCES.replace("blue A", "blue A markers 2"), options={"load_lock": lock},
                  start={"cup": ["A", "eot", "eot", "B"]})  # fmt: skip
        play(game, "move i 0401", "done")
        go(game, "c", 2, 4)
        play(game, "load c i", "end", "draw [A]")
        if moves:
            assert allows(game, "move c 0501")
            return
        refuse(game, "move c 0501", "P5.3", "locked")
        assert allows(game, "unload c")
        play(game, "unload c")
        assert game.decision.kind == "operations", "neither of them may move, so nothing is left to do"
        assert (where(game, "c"), where(game, "i")) == ("0401", "0401")

    @pytest.mark.rule("P5.3")
    def test_the_lock_of_the_option_ends_with_the_turn(self):
        game = on(self.FORCES, options={"load_lock": "turn"}, start={"cup": ["eot", "eot"]})
        play(game, "move i 0401", "done")
        go(game, "c", 2, 4)
        play(game, "load c i", "end", "draw [eot]", "draw [eot]", "draw [A]")
        assert allows(game, "move c 0501")

    @pytest.mark.rule("P5.3")
    def test_the_lock_of_the_option_does_not_touch_loading_in_place(self):
        game = on(BOTH.replace("blue A", "blue A markers 2"), options={"load_lock": "turn"},
                  start={"cup": ["A", "eot", "eot", "B"]})  # fmt: skip
        play(game, "load c i", "move c 0301", "done", "end", "draw [A]")
        assert allows(game, "move c 0401")


class TestWhoMayLoad:
    @pytest.mark.rule("P5.4", "P5.8")
    @pytest.mark.refusal("P5.4")
    @pytest.mark.parametrize("who", ["btr-70 0201", "inf-su 0201"])
    def test_nobody_who_is_disrupted(self, who):
        refuse(on(BOTH.replace(who, f"{who} disrupted")), "load c i", "P5.4", "disrupted-load")

    @pytest.mark.rule("P5.4")
    @pytest.mark.refusal("P5.4")
    def test_one_formation(self):
        game = on("blue A\n c btr-70 0201\nblue D\n i inf-su 0201\n")
        refuse(game, "load c i", "P2.5", "other-formation")

    @pytest.mark.rule("P5.4", "P4.1", "P2.2.4")
    @pytest.mark.refusal("P4.1", "P2.2.4")
    @pytest.mark.parametrize("who", ["btr-70 0201", "inf-su 0201"])
    def test_nobody_marked(self, who):
        refuse(on(BOTH.replace(who, f"{who} ops-complete")), "load c i", "P4.1", "ops-complete")
        refuse(on(BOTH.replace(who, f"{who} out-of-command")), "load c i", "P2.2.4", "out-of-command")

    @pytest.mark.rule("P5.4", "P5.3")
    @pytest.mark.refusal("P5.3")
    def test_only_in_one_hex(self):
        refuse(on("blue A\n c btr-70 0201\n i inf-su 0301\n"), "load c i", "P5.3", "not-in-hex")

    @pytest.mark.rule("P5.4", "P4.3")
    @pytest.mark.refusal("P4.3")
    def test_nobody_who_has_fired(self):
        game = on(BOTH, enemies="red B\n i9 inf-su 0401\n")
        play(game, "fire c i9 [1 1]")
        refuse(game, "load c i", "P2.5", "finished")

    @pytest.mark.rule("P5.4", "P5.1")
    @pytest.mark.refusal("P5.1")
    def test_one_passenger_an_order(self):
        refuse(on(BOTH + " j inf-su 0301\n"), "load c i,j", "P5.1", "one-passenger")

    @pytest.mark.rule("P5.4")
    @pytest.mark.refusal("P4.3")
    def test_while_a_group_is_open_one_of_the_two_belongs_to_it(self):
        game = on(BOTH)
        play(game, "move z 1301")
        refuse(game, "load c i", "P4.3", "group-closed")


class TestUnloading:
    @pytest.mark.rule("P5.5", "P5.10")
    def test_half_the_allowance_unload_one_hex(self):
        # P5.10 row 3; the counter is put on top, in the carrier's hex.
        game = on(LOADED, row="......w")
        go(game, "c", 3, 6)
        events = play(game, "unload c")
        assert facts(events, "unload") == {"carrier": "c", "units": ["i"], "hex": "0601"}
        assert aboard(game, "i") is None
        play(game, "move i 0701")
        assert (where(game, "c"), where(game, "i")) == ("0601", "0701")
        play(game, "end")
        assert marks(game, "c") == marks(game, "i") == {"ops-complete"}

    @pytest.mark.rule("P5.5")
    @pytest.mark.refusal("P5.5")
    def test_not_after_more_than_half(self):
        game = on(LOADED)
        go(game, "c", 3, 7)
        refusal = refuse(game, "unload c", "P5.5", "unload-too-far")
        assert (refusal.facts["spent"], refusal.facts["half"]) == (5, 4)

    @pytest.mark.rule("P5.5")
    @pytest.mark.refusal("P5.5")
    def test_the_carrier_moves_no_more(self):
        game = on(LOADED)
        play(game, "move c 0301", "unload c")
        refuse(game, "move c 0401", "P5.5", "halted")

    @pytest.mark.rule("P5.5")
    @pytest.mark.refusal("P5.5")
    def test_one_hex_and_no_second(self):
        game = on(LOADED)
        play(game, "unload c", "move i 0301")
        refuse(game, "move i 0401", "P5.5", "halted")

    @pytest.mark.rule("P5.5")
    @pytest.mark.parametrize("cost", [2, 9, 99])
    def test_one_hex_whatever_it_costs(self, cost):
        game = on(LOADED, row="...w", more=f'[[terrain]]\nid = "woods"\nleg = {cost}\n')
        play(game, "move c 0301", "unload c", "move i 0401")
        assert where(game, "i") == "0401"

    @pytest.mark.rule("P5.5")
    @pytest.mark.refusal("P4.2")
    def test_but_not_a_prohibited_one(self):
        game = on(LOADED, row="...l")
        play(game, "move c 0301", "unload c")
        refuse(game, "move i 0401", "P4.2", "prohibited")
        game = on(LOADED, on_map={"rivers": ["0301/0401"]})
        play(game, "move c 0301", "unload c")
        refuse(game, "move i 0401", "P4.2", "prohibited")

    @pytest.mark.rule("P5.5", "P8.1", "P8.6")
    def test_the_one_hex_draws_fire_and_getting_off_does_not(self):
        game = on(LOADED, enemies="red B\n t9 t-72 0501\n")
        play(game, "unload c")
        assert game.decision.kind == "group"
        play(game, "move i 0301")
        assert game.decision.kind == "reaction"
        play(game, "pass")

    @pytest.mark.rule("P5.5")
    @pytest.mark.refusal("P5.5")
    def test_who_is_aboard(self):
        game = on(BOTH + " j inf-su 0301\n")
        refuse(game, "unload c", "P5.5", "nobody-aboard")
        refuse(on(LOADED + " j inf-su 0301\n"), "unload c j", "P5.5", "not-aboard")
        refuse(on(LOADED), "unload z", "P5.5", "nobody-aboard")
        game = on(LOADED)
        assert game.why_not("unload c i") is None
        play(game, "unload c i")
        assert aboard(game, "i") is None


class TestUnloadingFirst:
    @pytest.mark.rule("P5.6", "P5.10")
    @pytest.mark.parametrize("infantry_first", [True, False])
    def test_infantry_one_hex_and_carrier_half_in_either_order(self, infantry_first):
        # P5.10 row 4; forward and 4 MP back.
        game = on(LOADED.replace("0201", "0601"))
        play(game, "unload c")
        if infantry_first:
            play(game, "move i 0701")
        go(game, "c", 5, 2)
        if not infantry_first:
            play(game, "move i 0701")
        assert (where(game, "c"), where(game, "i")) == ("0201", "0701")

    @pytest.mark.rule("P5.6")
    @pytest.mark.refusal("P5.6")
    def test_the_carrier_has_half_and_no_more(self):
        game = on(LOADED)
        play(game, "unload c")
        go(game, "c", 3, 6)
        refuse(game, "move c 0701", "P5.6", "too-few-mp")

    @pytest.mark.rule("P5.6")
    def test_both_together_into_the_same_hex(self):
        game = on(LOADED)
        play(game, "unload c", "move c,i 0301", "move c 0401")
        assert (where(game, "c"), where(game, "i")) == ("0401", "0301")


class TestUnloadingInPlace:
    ENEMY = "red B\n i9 inf-su 0401\n"

    @pytest.mark.rule("P5.7")
    def test_the_carrier_may_still_fire(self):
        game = on(LOADED, enemies=self.ENEMY)
        play(game, "unload c", "fire c i9 [1 1]")
        assert marks(game, "c") == {"finished"}
        play(game, "done", "end")
        assert marks(game, "c") == marks(game, "i") == {"ops-complete"}

    @pytest.mark.rule("P5.7")
    @pytest.mark.refusal("P5.7")
    def test_the_infantry_may_not(self):
        game = on(LOADED, enemies=self.ENEMY)
        play(game, "unload c")
        refuse(game, "fire i i9", "P5.7", "shuttled-fire")

    @pytest.mark.rule("P5.7", "P4.1", "P8.2")
    def test_the_infantry_gets_ops_complete_and_an_idle_carrier_does_not(self):
        game = on(LOADED, enemies=self.ENEMY)
        play(game, "unload c", "done", "end")
        assert marks(game, "i") == {"ops-complete"}
        assert marks(game, "c") == set()
        play(game, "draw [B]", "move i9 0301")
        assert allows(game, "fire c i9")

    @pytest.mark.rule("P5.7", "P5.10")
    def test_a_carrier_that_took_another_aboard_has_acted(self):
        game = on(LOADED + " j inf-su 0201\n", enemies=self.ENEMY)
        play(game, "unload c", "load c j")
        refuse(game, "fire c i9", "P5.7", "shuttled-fire")
        play(game, "done", "end")
        assert "ops-complete" in marks(game, "c") & marks(game, "i") & marks(game, "j")


class TestDisrupted:
    """P5.8: the founding text lets Disrupted infantry off, within the limits of its movement."""

    @pytest.mark.rule("P5.8", "P6.6")
    @pytest.mark.refusal("P6.6")
    def test_disrupted_infantry_gets_off_and_keeps_away(self):
        forces = LOADED.replace("in c", "in c disrupted")
        game = on(forces, enemies="red B\n t9 t-72 0501 ops-complete\n")
        play(game, "unload c")
        refuse(game, "move i 0301", "P6.6", "disrupted-move")
        play(game, "move i 0101")
        assert where(game, "i") == "0101"

    @pytest.mark.rule("P5.8")
    @pytest.mark.refusal("P5.4")
    def test_and_does_not_get_on_again(self):
        game = on(BOTH.replace("inf-su 0201", "inf-su 0201 disrupted"))
        refuse(game, "load c i", "P5.4", "disrupted-load")

    @pytest.mark.rule("P5.8", "P6.6")
    @pytest.mark.refusal("P5.8", "P6.6")
    def test_a_disrupted_carrier_may_unload_and_has_half_then(self):
        # A16.
        forces = LOADED.replace("btr-70 0201", "btr-70 0601 disrupted").replace("in c", "in c disrupted")
        game = on(forces, enemies="red B\n t9 t-72 1001 ops-complete\n")
        play(game, "unload c")
        refuse(game, "move c 0701", "P6.6", "disrupted-move")
        go(game, "c", 5, 2)
        refuse(game, "move c 0101", "P5.8", "too-few-mp")

    @pytest.mark.rule("P5.8", "P6.6")
    def test_a_disrupted_carrier_has_its_whole_allowance_otherwise(self):
        # A12.
        forces = LOADED.replace("btr-70 0201", "btr-70 0901 disrupted").replace("in c", "in c disrupted")
        game = on(forces, enemies="red B\n t9 t-72 1301 ops-complete\n")
        assert len(every(go(game, "c", 8, 1), "move")) == 8


@pytest.mark.rule("P5.9")
def test_a_carrier_that_only_drives_has_its_whole_allowance():
    game = on(LOADED)
    assert len(every(go(game, "c", 3, 10), "move")) == 8
    assert where(game, "i") == "1001"


class TestCombinations:
    """P5.10, the rows that are not above; rows 5 and 7 refuse."""

    TWO = LOADED + " j inf-su 0201\n"

    @pytest.mark.rule("P5.10")
    @pytest.mark.refusal("P5.10")
    def test_no_unloading_of_who_was_loaded(self):
        # Row 5.
        game = on(BOTH)
        play(game, "load c i")
        refuse(game, "unload c", "P5.10", "shuttled-unload")
        go(game, "c", 3, 5)
        refuse(game, "unload c", "P5.10", "shuttled-unload")

    @pytest.mark.rule("P5.10")
    @pytest.mark.refusal("P5.10")
    def test_no_loading_of_who_was_unloaded(self):
        game = on(LOADED)
        play(game, "unload c")
        refuse(game, "load c i", "P5.10", "shuttled-load")

    @pytest.mark.rule("P5.10")
    def test_unload_one_load_another_half_the_allowance(self):
        # Row 6; the one that got off may walk, before or after.
        game = on(self.TWO)
        play(game, "unload c", "load c j", "move i 0101")
        go(game, "c", 3, 6)
        assert where(game, "j") == "0601"
        assert game.decision.kind == "operations", "half of its allowance is all that it had"
        assert where(game, "i") == "0101"

    @pytest.mark.rule("P5.10", "P3.4")
    def test_unloading_the_first_may_fill_the_hex_until_the_other_is_aboard(self):
        game = on(self.TWO)
        play(game, "unload c")
        assert not allows(game, "done")
        legal = [str(order) for order in game.orders()]
        assert "load c j" in legal
        assert "fire" not in " ".join(legal)
        play(game, "load c j")
        assert allows(game, "done")

    @pytest.mark.rule("P5.10")
    @pytest.mark.refusal("P5.10")
    def test_half_unload_one_load_the_other_and_nobody_moves(self):
        # Amendment.
        game = on("blue A\n c btr-70 0201\n i inf-su in c\n j inf-su 0601\n z t-72 1401\n")
        go(game, "c", 3, 6)
        play(game, "unload c")
        events = play(game, "load c j")
        assert [event.rule for event in events if event.code == "load"] == ["P5.3"]
        assert codes(events)[-1] == "group-closed", "nobody has anything left to do"
        for name in ("c", "i"):
            refuse(game, f"move {name} 0701", "P2.5", "finished")

    @pytest.mark.rule("P5.10")
    def test_half_unload_one_which_walks_and_then_load_the_other(self):
        game = on("blue A\n c btr-70 0201\n i inf-su in c\n j inf-su 0601\n z t-72 1401\n")
        go(game, "c", 3, 6)
        play(game, "unload c", "move i 0701", "load c j")
        assert (where(game, "i"), aboard(game, "j")) == ("0701", "c")

    @pytest.mark.rule("P5.10", "P5.3")
    def test_who_was_to_be_loaded_may_come_along_one_mp(self):
        game = on("blue A\n c btr-70 0201\n i inf-su in c\n j inf-su 0701\n z t-72 1401\n")
        play(game, "move j 0601", "done")
        go(game, "c", 3, 6)
        play(game, "unload c", "load c j")
        assert aboard(game, "j") == "c"

    @pytest.mark.rule("P5.10", "P4.3")
    @pytest.mark.refusal("P4.3")
    def test_a_carrier_that_unloaded_is_finished_with_its_group(self):
        # It did more than approach, so it loads nobody after its group is closed.
        game = on("blue A\n c btr-70 0201\n i inf-su in c\n j inf-su 0401\n z t-72 1401\n")
        play(game, "unload c", "move c 0301", "move i 0101", "done", "move j 0301")
        refuse(game, "load c j", "P2.5", "finished")

    @pytest.mark.rule("P5.10", "P1.4")
    def test_load_in_the_first_activation_unload_in_the_second(self):
        # Row 9.
        game = on(BOTH.replace("blue A", "blue A markers 2"), start={"cup": ["A", "eot", "eot", "B"]})
        play(game, "load c i")
        go(game, "c", 3, 6)
        play(game, "end", "draw [A]", "unload c", "move i 0701")
        go(game, "c", 5, 2)
        assert (where(game, "c"), where(game, "i")) == ("0201", "0701")

    @pytest.mark.rule("P5.10", "P7.2")
    @pytest.mark.refusal("P4.4")
    def test_unload_and_assault_with_the_one_hex(self):
        # Row 8.
        game = on(LOADED, enemies="red B\n t9 t-72 0301 ops-complete\n")
        play(game, "unload c")
        refuse(game, "move i 0301", "P4.4", "enemy-held")
        play(game, "assault i 0301 [5 1 1 1 1 1 1]")
        assert where(game, "i") == "0301"
        assert allows(game, "move c 0101"), "the carrier still has half its allowance"


class TestCrossLoading:
    """Option ``cross_loading``: infantry of C aboard a carrier of A."""

    FORCES = """
    blue A
        c1 m113 0101
        t1 m1 0601
    blue C
        i2 inf-us 0101
        t2 m1 0701
    red B
        t9 t-72 1003 ops-complete
    """

    def begin(self, forces=FORCES, cross_loading=True):
        return begin("\n".join(["." * 10] * 3), forces, active="A", options={"cross_loading": cross_loading},
                     start={"cup": ["C", "eot"]})  # fmt: skip

    @pytest.mark.rule("P5.4")
    @pytest.mark.refusal("P5.4", "P2.5")
    def test_only_where_the_scenario_allows_it(self):
        refuse(self.begin(cross_loading=False), "load c1 i2", "P2.5", "other-formation")
        game = self.begin()
        play(game, "load c1 i2", "move c1 0201", "done", "end")
        assert where(game, "i2") == "0201"
        assert marks(game, "i2") == {"carried", "ops-complete"}

    @pytest.mark.rule("P5.4", "P5.6", "P4.1")
    def test_who_gets_off_walks_and_has_acted(self):
        game = self.begin(self.FORCES.replace("i2 inf-us 0101", "i2 inf-us in c1"))
        play(game, "unload c1", "move i2 0102", "done", "end")
        assert where(game, "i2") == "0102"
        assert marks(game, "i2") == {"ops-complete"}
        assert unit(game, "i2")["spent"] == 0

    @pytest.mark.rule("P5.4", "P2.1")
    def test_its_own_activation_is_its_own(self):
        game = self.begin()
        play(game, "load c1 i2", "done", "end")
        play(game, "draw [C]")
        assert marks(game, "i2") == {"carried"}, "its own housekeeping takes the marker off"
        refuse(game, "unload c1", "P2.5", "other-formation")

    @pytest.mark.rule("P5.4", "P2.5", "P4.1")
    @pytest.mark.refusal("P4.1", "P2.2.4")
    @pytest.mark.parametrize(
        ("marker", "rule", "code"),
        [("ops-complete", "P4.1", "ops-complete"), ("out-of-command", "P2.2.4", "out-of-command")],
    )
    def test_who_is_marked_stays_aboard(self, marker, rule, code):
        game = self.begin(self.FORCES.replace("i2 inf-us 0101", f"i2 inf-us in c1 {marker}"))
        refuse(game, "unload c1", rule, code)
        play(game, "move c1 0201")
        refuse(game, "unload c1", rule, code)

    @pytest.mark.rule("P5.4", "P1.1", "P1.6")
    def test_a_formation_that_leaves_the_map_aboard_leaves_the_cup(self):
        forces = self.FORCES.replace("i2 inf-us 0101", "i2 inf-us in c1").replace("t2 m1 0701\n", "\n")
        game = begin("\n".join(["." * 10] * 3), forces, active="A", options={"cross_loading": True},
                     more='[[victory]]\nkind = "exit"\nside = "blue"\nhexes = ["0101"]\npoints = 2\n',
                     start={"cup": ["C", "eot"], "held": ["blue"], "waiting": ["C"]})  # fmt: skip
        play(game, "exit c1")
        found = cup(game)
        assert (found["in"], found["held"], found["waiting"]) == ({"eot": 2}, [], [])

    @pytest.mark.rule("P5.4", "P9.1")
    @pytest.mark.refusal("P9.1", "P2.2.4")
    def test_it_does_not_leave_its_hq_alone(self):
        game = self.begin(self.FORCES.replace("i2 inf-us 0101", "i2 inf-us 0101\n hq hq-us 0101"))
        refuse(game, "load c1 i2", "P9.1", "leaves-hq")
        game = self.begin(self.FORCES.replace("i2 inf-us 0101", "i2 inf-us 0101 out-of-command"))
        refuse(game, "load c1 i2", "P2.2.4", "out-of-command")

    @pytest.mark.rule("P5.4", "P3.4", "P5.10")
    def test_a_carrier_passes_through_where_it_may_take_another_formations_infantry_aboard(self):
        """It has no MP to go on, but loading there is a legal way to bring the hex within the limit."""
        forces = """
        blue A
            c1 btr-70 0101
            i1 inf-su in c1
        blue C
            t2 m1 0201
            i2 inf-us 0201
        red B
            t9 t-72 1003 ops-complete
        """
        for cross_loading in (True, False):
            game = begin("." + "w" * 9 + ("\n" + "w" * 10) * 2, forces, active="A",
                         options={"cross_loading": cross_loading}, start={"cup": ["C", "eot"]})  # fmt: skip
            play(game, "unload c1", "move i1 0102")
            assert allows(game, "move c1 0201") is cross_loading
        game = begin("." + "w" * 9 + ("\n" + "w" * 10) * 2, forces, active="A",
                     options={"cross_loading": True}, start={"cup": ["C", "eot"]})  # fmt: skip
        play(game, "unload c1", "move i1 0102", "move c1 0201")
        play(game, "load c1 i2")
        assert where(game, "i2") == "0201"

    @pytest.mark.rule("P5.4")
    def test_a_scenario_may_begin_so_only_with_the_option(self):
        forces = self.FORCES.replace("i2 inf-us 0101", "i2 inf-us in c1")
        assert marks(self.begin(forces), "i2") == {"carried"}
        with pytest.raises(ContentError) as caught:
            self.begin(forces, cross_loading=False)
        assert "c1 is of another formation" in str(caught.value)
