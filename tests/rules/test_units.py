"""Units (P3): kinds, printed values, steps, stacking, support weapons."""

import pytest

from hexengine.core.errors import ContentError
from tests.rules.asking import codes, every, facts, marks, unit, where
from tests.rules.table import allows, begin, play, refuse

FIELD = "\n".join(["." * 10] * 3)
FAR = "red B\n    t9 t-72 1003 ops-complete\n"

TYPES = """
[[type]]
id = "slow"
kind = "hard"
mobility = "tracked"
ma = 2
armour = "1/6"

[[type]]
id = "fast"
kind = "hard"
mobility = "tracked"
ma = 5
armour = "1/6"
"""


def at(forces, terrain=FIELD, enemies=FAR, **rest):
    """A's operations on a map, or in a corner of one, with an enemy far off beyond impassable water."""
    if terrain != FIELD:
        rows = terrain.split()
        rows += [""] * (3 - len(rows))
        terrain = "\n".join(row.ljust(9, "l") + "." for row in rows)
    return begin(terrain, forces + enemies, active="A", more=TYPES + rest.pop("more", ""), **rest)


# -- kinds, values, steps -------------------------------------------------------------------------


@pytest.mark.rule("P3.1", "P3.2", "P6.3")
@pytest.mark.parametrize(("target", "dice"), [("t9 t-72", 4), ("i9 inf-su", 3)])
def test_ap_against_hard_targets_he_against_soft(target, dice):
    # M1: AP 10/4/4, HE 6/3/5.
    game = at("blue A\n t1 m1 0101\n", enemies=f"red B\n {target} 0501\n")
    name = target.split()[0]
    assert facts(play(game, f"fire t1 {name} [{'1 ' * dice}]"), "fire")["dice"] == dice


@pytest.mark.rule("P3.1", "P13.2")
def test_aa_or_what_stands_in_for_it_against_air_targets():
    # ZSU-23-4: AA 8/4/4, HE 5/3/4.
    game = at("blue A\n z1 zsu-23-4 0101\n", enemies="red B\n h9 mi-24 0501\n")
    assert facts(play(game, "fire z1 h9 [1 1 1 1]"), "fire")["dice"] == 4


@pytest.mark.rule("P3.1", "P9.1", "P3.5")
def test_hq_and_support_weapon_are_no_units_of_their_own():
    game = at("blue A\n hq hq-us 0101\n i1 inf-us 0101\n s1 dragon in i1\n t1 m1 0101\n")
    assert marks(game, "s1") == {"carried"}
    named = [order.split()[1].split(",") for order in map(str, game.orders()) if order != "end"]
    assert ["hq"] not in named, "the HQ goes along with others"
    assert not any("s1" in names for names in named)


@pytest.mark.rule("P3.2")
def test_every_value_is_read_from_the_counter():
    # A counter of the scenario's own: AP range 3, one die, to-hit 2; save on 3; allowance 4.
    more = """
[[type]]
id = "odd"
kind = "hard"
mobility = "wheeled"
ma = 4
ap = "3u/1/2"
armour = "2/3"
"""
    game = at("blue A\n o1 odd 0101\n", more=more, enemies="red B\n t9 t-72 0401\n")
    shot = facts(play(game, "fire o1 t9 [1]"), "fire")
    assert (shot["dice"], shot["to_hit"]) == (1, 2)
    game = at("blue A\n t1 m1 0101\n", more=more, enemies="red B\n o9 odd 0401\n")
    save = facts(play(game, "fire t1 o9 [3 1 1 1 2 3]"), "save")
    assert (save["dice"], save["save"], save["saves"]) == (2, 3, 1)
    assert unit(game, "o9")["steps"] == 1


@pytest.mark.rule("P3.3")
def test_the_reduced_side_has_its_own_values():
    # M1 reduced: three AP dice, three armour dice.
    game = at("blue A\n t1 m1 0101 reduced\n", enemies="red B\n t9 t-72 0501 reduced\n")
    events = play(game, "fire t1 t9 [3 1 1 1 6]")
    assert facts(events, "fire")["dice"] == 3
    assert facts(events, "save")["dice"] == 2


@pytest.mark.rule("P3.3", "P6.6")
def test_losing_the_second_step_eliminates():
    forces = "blue A\n t1 m1 0101\n"
    game = at(forces, enemies="red B\n t9 t-72 0501 disrupted\n t8 t-72 0901\n")
    events = play(game, "fire t1 t9 [6 1 1 1 1 1 1]")
    assert (unit(game, "t9")["steps"], marks(game, "t9")) == (1, {"disrupted", "reduced"})
    game = at(forces, enemies="red B\n t9 t-72 0501 disrupted reduced\n t8 t-72 0901\n")
    events = play(game, "fire t1 t9 [6 1 1 1 1 1]")
    assert "eliminated" in codes(events)
    assert (unit(game, "t9")["steps"], where(game, "t9"), marks(game, "t9")) == (0, None, {"eliminated"})


@pytest.mark.rule("P3.3")
def test_a_counter_without_a_reduced_side_has_one_step():
    game = at("blue A\n s1 slow 0101\n")
    assert unit(game, "s1")["steps"] == 1
    assert marks(game, "s1") == set(), "which is not reduced"
    with pytest.raises(ContentError, match="no reduced side"):
        at("blue A\n s1 slow 0101 reduced\n")
    with pytest.raises(ContentError, match="one step"):
        at("blue A\n s1 slow 0101 steps=2\n")


# -- stacking -------------------------------------------------------------------------------------

FULL = """
blue A
    t3 t-72 0101
    hq hq-su 0201
    t1 t-72 0201
    t2 t-72 0201
"""


class TestStacking:
    @pytest.mark.rule("P3.4", "D3")
    @pytest.mark.refusal("P3.4")
    def test_a_third_unit_may_not_end_its_move_there(self):
        game = at(FULL)
        assert allows(game, "move t3 0201")
        play(game, "move t3 0201")
        refuse(game, "done", "P3.4", "over-the-limit")
        play(game, "move t3 0301", "done")
        assert where(game, "t3") == "0301"

    @pytest.mark.rule("P3.4")
    def test_a_third_unit_drives_through_along_the_road(self):
        game = at(FULL, on_map={"roads": ["0101-0201-0301-0401"]})
        play(game, "move t3 0201", "move t3 0301", "move t3 0401", "done")
        assert (where(game, "t3"), unit(game, "t3")["spent"]) == ("0401", 3)

    @pytest.mark.rule("P3.4")
    @pytest.mark.refusal("P3.4")
    def test_no_entry_where_no_way_on_is_left(self):
        # The slow unit has 2 MP: one to get in, and one is too little for the woods all around.
        forces = FULL.replace("t3 t-72", "t3 slow")
        refusal = refuse(at(forces, "w.w\nwww\n"), "move t3 0201", "P3.4", "hex-full")
        assert refusal.facts == {"hex": "0201", "limit": 2}
        assert allows(at(forces, "w..\nwww\n"), "move t3 0201")

    @pytest.mark.rule("P3.4")
    def test_the_way_on_needs_room(self):
        forces = FULL.replace("t3 t-72", "t3 slow") + "    t4 t-72 0301\n    t5 t-72 0301\n"
        refuse(at(forces, "w..\nwww\n"), "move t3 0201", "P3.4", "hex-full")
        # A faster one passes through both.
        forces = forces.replace("t3 slow", "t3 fast")
        game = at(forces, "w...\nwwww\n")
        play(game, "move t3 0201", "move t3 0301", "move t3 0401")
        assert where(game, "t3") == "0401"

    @pytest.mark.rule("P3.4")
    def test_the_way_on_may_not_be_enemy_held(self):
        forces = FULL.replace("t3 t-72", "t3 slow")
        enemies = "red B\n x1 t-72 0301 ops-complete\n"
        refuse(at(forces, "w..\nwww\n", enemies), "move t3 0201", "P3.4", "hex-full")

    @pytest.mark.rule("P3.4")
    @pytest.mark.refusal("P3.4")
    def test_while_a_hex_is_over_the_limit_only_ways_out_of_it_are_legal(self):
        game = at(FULL.replace("t3 t-72", "t3 m1"), enemies="red B\n x1 t-72 0801 ops-complete\n")
        play(game, "move t3 0201")
        refuse(game, "fire t3 x1", "P3.4", "over-the-limit")
        assert {str(order) for order in game.orders()} == {
            f"move t3 {place}" for place in ("0101", "0102", "0202", "0301", "0302")
        }

    @pytest.mark.rule("P3.4")
    def test_hqs_do_not_count_and_one_fits(self):
        forces = FULL + "blue C\n    hq2 hq-su 0301\n    t4 t-72 0301\n"
        game = at(forces)
        assert where(game, "hq") == where(game, "t2") == "0201"
        with pytest.raises(ContentError, match="two HQs"):
            at(FULL.replace("    t2 t-72 0201\n", "") + "blue C\n hq2 hq-su 0201\n t4 t-72 0201\n")

    @pytest.mark.rule("P3.4")
    @pytest.mark.refusal("P3.4")
    def test_a_second_hq_does_not_enter(self):
        forces = "blue A\n hq hq-su 0101\n t1 t-72 0101\nblue C\n hq2 hq-su 0201\n t4 t-72 0201\n"
        refuse(at(forces), "move hq,t1 0201", "P3.4", "second-hq")
        assert not allows(at(forces), "move t1 0201"), "which would leave the HQ alone"

    @pytest.mark.rule("P3.4", "P3.5", "P5.1")
    def test_passengers_and_support_weapons_do_not_count(self):
        forces = """
        blue A
            c1 btr-70 0201
            i1 inf-su in c1
            s1 spg-9 in i1
            t1 t-72 0201
            t2 slow 0101
        """
        game = at(forces, "w.w\nwww\n")
        assert where(game, "i1") == where(game, "s1") == "0201"
        refuse(game, "move t2 0201", "P3.4", "hex-full")

    @pytest.mark.rule("P3.4")
    def test_both_sides_have_limits_of_their_own_and_setup_keeps_it(self):
        with pytest.raises(ContentError, match="more than 2 units"):
            at("blue A\n t1 m1 0101\n t2 m1 0101\n t3 m1 0101\n")
        at("blue A\n t1 m1 0101\n t2 m1 0101\n c1 m2 0102\n i1 inf-us in c1\n t3 m1 0102\n")

    @pytest.mark.rule("P3.4", "P4.3")
    def test_a_part_of_a_group_may_stop_where_there_is_room_for_it(self):
        game = at("blue A\n t1 t-72 0101\n t2 t-72 0101\n t3 t-72 0201\n")
        play(game, "move t1,t2 0201")
        refuse(game, "done", "P3.4", "over-the-limit")
        play(game, "move t2 0301", "done")
        assert [where(game, name) for name in ("t1", "t2", "t3")] == ["0201", "0301", "0201"]

    @pytest.mark.rule("P3.4")
    @pytest.mark.refusal("P3.4")
    def test_who_leaves_first_may_not_take_the_only_way_of_another(self):
        # Four in 0201; the slow one reaches only 0301, where one more fits; the fast one has other ways.
        forces = """
        blue A
            a1 slow 0101
            a2 fast 0101
            t1 t-72 0201
            t2 t-72 0201
            t3 t-72 0301
        """
        game = at(forces, "w..\nwwr\n")
        play(game, "move a1,a2 0201")
        refuse(game, "move a2 0301", "P3.4", "leaves-hex-full")
        play(game, "move a2 0302", "move a1 0301")
        assert [where(game, name) for name in ("a1", "a2")] == ["0301", "0302"]

    @pytest.mark.rule("P3.4", "P5.10")
    def test_unloading_one_before_loading_another(self):
        # A15 is struck: A may get off before B gets aboard.
        forces = "blue A\n c1 m2 0101\n i1 inf-us in c1\n i2 inf-us 0101\n"
        game = at(forces, ".l\nll\n")
        play(game, "unload c1")
        refuse(game, "done", "P3.4", "over-the-limit")
        play(game, "load c1 i2")
        assert unit(game, "c1")["passengers"] == ["i2"]

    @pytest.mark.rule("P3.4", "P5.5")
    @pytest.mark.refusal("P3.4")
    def test_unloading_needs_room_or_a_way_on(self):
        forces = "blue A\n c1 m2 0101\n i1 inf-us in c1\n t1 m1 0101\n"
        refuse(at(forces, ".l\nll\n"), "unload c1", "P3.4", "hex-full")
        game = at(forces, "..\nll\n")
        play(game, "unload c1", "move i1 0201")
        assert where(game, "i1") == "0201"


class TestStoppedOverTheLimit:
    """A unit that is hit where it may not stay goes back, or is lost."""

    ENEMY = "red B\n x1 t-72 0601\n"

    @pytest.mark.rule("P3.4", "P4.6")
    def test_it_goes_back_to_the_hex_it_left_last(self):
        game = at(FULL, enemies=self.ENEMY)
        play(game, "move t3 0201")
        # The last die is for the HQ in that hex.
        events = play(game, "fire x1 t3 [4 1 1 1 1 1 2]")
        assert [code for code in codes(events) if code in ("stopped", "goes-back")] == [
            "stopped",
            "goes-back",
        ]
        assert where(game, "t3") == "0101"
        assert marks(game, "t3") >= {"disrupted", "finished"}

    @pytest.mark.rule("P3.4")
    def test_it_is_eliminated_if_that_is_full_too(self):
        forces = FULL + "    t4 t-72 0301\n    t5 t-72 0301\n"
        game = at(forces, enemies="red B\n x1 t-72 0701\n")
        play(game, "move t3 0201")
        if game.decision.kind == "reaction":
            play(game, "pass")
        play(game, "move t3 0301")
        events = play(game, "fire x1 t3 [4 1 1 1 1 1]")
        assert [(event.rule, event.facts["unit"]) for event in events if event.code == "eliminated"] == [
            ("P3.4", "t3")
        ]
        assert where(game, "t3") is None

    @pytest.mark.rule("P3.4")
    def test_members_who_can_go_on_do_not_count_against_it(self):
        game = at("blue A\n t1 t-72 0101\n t2 t-72 0101\n t3 t-72 0201\n", enemies=self.ENEMY)
        play(game, "move t1,t2 0201")
        events = play(game, "fire x1 t1 [4 1 1 1 1 1]")
        assert "goes-back" not in codes(events)
        assert where(game, "t1") == "0201"
        refuse(game, "done", "P3.4", "over-the-limit")
        play(game, "move t2 0101")
        assert where(game, "t2") == "0101"

    @pytest.mark.rule("P3.4")
    def test_both_stopped_one_after_the_other(self):
        game = at(
            "blue A\n t1 t-72 0101\n t2 t-72 0101\n t3 t-72 0201\n", enemies=self.ENEMY + " x2 t-72 0602\n"
        )
        play(game, "move t1,t2 0201", "fire x1 t1 [4 1 1 1 1 1]")
        events = play(game, "fire x2 t2 [4 1 1 1 1 1]")
        assert facts(events, "goes-back")["unit"] == "t2"
        assert (where(game, "t1"), where(game, "t2")) == ("0201", "0101")

    @pytest.mark.rule("P3.4", "P9.1")
    def test_the_hq_of_a_stack_goes_back_along(self):
        forces = "blue A\n hq hq-su 0101\n t1 t-72 0101\nblue C\n t2 t-72 0201\n t3 t-72 0201\n"
        game = at(forces, enemies=self.ENEMY)
        play(game, "move hq,t1 0201")
        play(game, "fire x1 t1 [4 1 1 1 1 1 2]")
        assert where(game, "t1") == where(game, "hq") == "0101"

    @pytest.mark.rule("P3.4", "P5.13")
    def test_survivors_of_a_carrier_go_back_where_there_is_no_room(self):
        forces = "blue A\n c1 btr-70 0101 reduced\n i1 inf-su in c1\nblue C\n t2 t-72 0201\n t3 t-72 0201\n"
        game = at(forces, enemies=self.ENEMY)
        play(game, "move c1 0201")
        # The carrier's place is free for its passenger: it stood over the limit, and so does the passenger.
        events = play(game, "fire x1 c1 [4 4 1 1 3]")
        assert [fact["unit"] for fact in every(events, "eliminated")] == ["c1"]
        assert where(game, "i1") == "0101"


# -- support weapons ------------------------------------------------------------------------------


class TestSupportWeapon:
    FORCES = """
    blue A
        c1 m2 0101
        i1 inf-us 0102 reduced
        s1 dragon in i1
        i2 inf-us 0103
        s2 milan in i2
        c2 m113 0103
    """
    ENEMY = "red B\n x1 t-72 0201\n"

    @pytest.mark.rule("P3.5")
    def test_its_block_or_the_infantrys_and_never_both(self):
        game = at(self.FORCES, enemies=self.ENEMY)
        events = play(game, "fire i1 x1 with s1 [1 1]")
        assert facts(events, "fire")["weapon"] == "s1"
        refuse(game, "fire i1 x1", "P2.5", "finished")

    @pytest.mark.rule("P3.5")
    def test_reduced_infantry_fires_it_at_full_value(self):
        game = at(self.FORCES, enemies=self.ENEMY)
        assert facts(play(game.copy(), "fire i1 x1 [1]"), "fire")["dice"] == 1
        assert facts(play(game, "fire i1 x1 with s1 [1 1]"), "fire")["dice"] == 2

    @pytest.mark.rule("P3.5")
    @pytest.mark.refusal("P3.5")
    def test_orders_that_misuse_it(self):
        game = at(self.FORCES, enemies=self.ENEMY)
        refuse(game, "fire i1 x1 with s2", "P3.5", "not-its-weapon")
        refuse(game, "fire s1 x1", "P3.5", "weapon-not-named")
        refuse(game, "move s1 0202", "P3.5", "weapon-not-named")
        refuse(game, "move i1,s1 0101", "P3.5", "weapon-not-named")

    @pytest.mark.rule("P3.5")
    @pytest.mark.refusal("P3.5")
    def test_it_rides_only_with_its_infantry(self):
        # The text would let a carrier take it alone: here it does not.
        game = at(self.FORCES, enemies=self.ENEMY)
        refuse(game, "load c2 s2", "P3.5", "weapon-alone")
        refuse(game, "load c2 i2,s1", "P3.5", "weapon-elsewhere")
        play(game, "load c2 i2,s2")
        assert unit(game, "c2")["passengers"] == ["i2", "s2"]
        assert marks(game, "s2") >= {"carried"}

    @pytest.mark.rule("P3.5")
    def test_it_goes_where_the_infantry_goes(self):
        game = at(self.FORCES, enemies=FAR)
        play(game, "move i1 0202", "done")
        assert where(game, "s1") == "0202"
        play(game, "load c2 i2", "move c2 0203", "done")
        assert where(game, "s2") == where(game, "i2") == "0203"

    @pytest.mark.rule("P3.5")
    def test_it_is_lost_with_the_infantry(self):
        forces = self.FORCES.replace("0102 reduced", "0102 reduced disrupted")
        game = begin(FIELD, forces + self.ENEMY, active="B", more=TYPES)
        events = play(game, "fire x1 i1 [6 1 1]")
        assert facts(events, "eliminated")["unit"] == "i1"
        assert marks(game, "s1") == {"eliminated"}
        assert where(game, "s1") is None

    @pytest.mark.rule("P3.5")
    def test_it_shares_disruption_and_being_finished(self):
        game = at(self.FORCES.replace("0103\n        s2", "0103 disrupted\n        s2"), enemies=self.ENEMY)
        assert "disrupted" in marks(game, "s2")
        refuse(game, "fire i2 x1 with s2", "P6.6", "disrupted-fire")
        play(game, "fire i1 x1 with s1 [1 1]")
        assert "finished" in marks(game, "s1")

    @pytest.mark.rule("P3.5", "P5.11")
    def test_it_does_not_fire_while_it_is_carried(self):
        forces = self.FORCES.replace("i2 inf-us 0103", "i2 inf-us in c2")
        refuse(at(forces, enemies=self.ENEMY), "fire i2 x1 with s2", "P5.11", "carried")

    @pytest.mark.rule("P3.5")
    @pytest.mark.parametrize(
        ("forces", "said"),
        [
            ("s1 dragon 0101\n t1 m1 0101", "no infantry"),
            ("i1 inf-us 0101\n t1 m1 0101\n s1 dragon in t1", "t1 is no infantry"),
            ("i1 inf-us 0101\n c1 m113 0101\n s1 dragon in c1", "c1 has no infantry aboard"),
            ("c1 m113 0101\n i1 inf-us in c1\n s1 dragon in c1\n s2 milan in c1", "support weapon already"),
            ("i1 inf-us 0101\n s1 dragon in i1\n s2 milan in i1", "support weapon already"),
            ("i1 inf-us 0101\n blue C\n t1 m1 0102\n s1 dragon in i1", "another formation"),
        ],
    )
    def test_setup_gives_each_to_one_infantry_unit(self, forces, said):
        with pytest.raises(ContentError, match=said):
            at(f"blue A\n {forces}\n")

    @pytest.mark.rule("P3.5", "P5.1")
    @pytest.mark.parametrize("place", ["in i1", "in c1", "0101"])
    def test_setup_may_name_the_infantry_its_transport_or_the_hex(self, place):
        game = at(f"blue A\n c1 m113 0101\n i1 inf-us in c1\n s1 dragon {place}\n")
        units = game.state()["units"]
        assert units["s1"]["carrier"] == "i1"
        assert units["c1"]["passengers"] == ["i1", "s1"]

    @pytest.mark.rule("P3.5")
    def test_infantry_on_foot_takes_the_weapon_of_its_hex_before_infantry_aboard(self):
        game = at(
            "blue A\n c1 m113 0101\n i1 inf-us in c1\n i2 inf-us 0101\n s1 dragon 0101\n s2 milan 0101\n"
        )
        units = game.state()["units"]
        assert [units[name]["carrier"] for name in ("s1", "s2")] == ["i2", "i1"]
