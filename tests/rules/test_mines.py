"""Minefields (P11.2) and clearing them (P11.3)."""

import pytest

from hexengine.core.errors import ContentError, InvalidOrder
from tests.rules.asking import codes, every, facts, marks, unit, where
from tests.rules.table import allows, begin, play, refuse, to_the_cup

FIELD = "\n".join(["." * 10] * 3)
FORCES = """
    blue A
        t1 m1 0101
        t2 m1 0101
        i1 engineers 0201
        i2 inf-us 0301
    red B
        t9 t-72 1003 ops-complete
"""
POOL = {"mines": {"red": 2}}
LAID = {"mines": ["0102"]}


def at(forces=FORCES, active="A", **rest):
    return begin(FIELD, forces, active=active, **rest)


def mined(game):
    """The hexes where mines lie."""
    return sorted(label for label, facts in game.state()["hexes"].items() if facts.get("mines"))


class TestFireAtWhoeverMinesStruck:
    """Two tanks come out of 0801 into mines in 0701, under a gun that sees both hexes."""

    FIELD = "\n".join(["." * 12] * 4)

    @pytest.mark.rule("P8.3", "P11.2", "P7.5")
    @pytest.mark.refusal("P8.1")
    def test_who_was_turned_back_from_an_assault_is_no_target(self):
        forces = "red B\n t1 t-72 0801\n t2 t-72 0801\nblue A\n a m1 0701\n b m1 0101\n"
        game = begin(self.FIELD, forces, active="B", on_map={"mines": ["0701"]})
        play(game, "assault t1,t2 0701 [5 1 1]")
        assert where(game, "t1") == "0801"
        assert {str(order) for order in game.orders()} == {"fire a t2", "fire b t2", "pass"}
        refuse(game, "fire a t1", "P8.1", "did-not-enter")

    @pytest.mark.rule("P8.3", "P11.2", "P3.4")
    def test_nor_is_who_went_back_over_the_limit(self):
        forces = "red B\n t1 t-72 0801\nred C\n f1 t-72 0701\n f2 t-72 0701\nblue A\n a m1 0101\n"
        game = begin(self.FIELD, forces, active="B", on_map={"mines": ["0701"]})
        play(game, "move t1 0701 [5 1]")
        assert where(game, "t1") == "0801"
        assert game.decision.kind != "reaction"


class TestLaying:
    @pytest.mark.rule("P11.2", "P4.6")
    def test_the_owner_lays_them_as_units_enter(self):
        game = at(head=POOL)
        play(game, "move t1,t2 0102")
        assert (game.decision.kind, game.decision.side) == ("reaction", "red")
        assert [str(order) for order in game.orders()] == ["mine 0102", "pass"]
        assert game.state()["mines"] == {"red": 2}
        events = play(game, "mine 0102 [5 6]")
        assert facts(events, "mines-laid") == {"side": "red", "hex": "0102"}
        assert marks(game, "t1") == marks(game, "t2") == {"disrupted", "finished"}, (
            "one hit each, and they stop"
        )
        assert mined(game) == ["0102"]
        assert game.position.pool == [0, 1]

    @pytest.mark.rule("P11.2")
    @pytest.mark.parametrize(("dice", "hit"), [("5 1 1", "t1"), ("1 6 4", "t2"), ("5 1 3", "t1")])
    def test_one_hit_goes_to_a_unit_chosen_by_a_die(self, dice, hit):
        game = at(head=POOL)
        events = play(game, "move t1,t2 0102", f"mine 0102 [{dice}]")
        assert facts(events, "mines-choose")["unit"] == hit
        assert [name for name in ("t1", "t2") if "disrupted" in marks(game, name)] == [hit]

    @pytest.mark.rule("P11.2", "P6.6")
    def test_a_single_unit_takes_both(self):
        game = at(head=POOL)
        play(game, "move t1 0102", "mine 0102 [5 6]")
        assert marks(game, "t1") == {"disrupted", "reduced", "finished"}

    @pytest.mark.rule("P11.2")
    def test_no_saves_and_no_hit_below_five(self):
        game = at(head=POOL)
        events = play(game, "move t1 0102", "mine 0102 [4 4]")
        assert facts(events, "mines-strike")["hits"] == 0
        assert game.decision.kind == "group", "and it goes on"

    @pytest.mark.rule("P11.2")
    def test_the_owner_may_let_them_go(self):
        game = at(head=POOL)
        play(game, "move t1 0102", "pass")
        assert mined(game) == []
        play(game, "move t1 0202")
        assert game.position.pool == [0, 2]
        assert game.decision.side == "red"

    @pytest.mark.rule("P11.2")
    @pytest.mark.refusal("P11.2", "P1.2", "P2.5")
    def test_only_there_and_only_then(self):
        game = at(head=POOL)
        refuse(game, "mine 0102", "P2.5", "wrong-decision")
        play(game, "move t1 0102")
        assert str(refuse(game, "mine 0103", "P11.2", "mine-elsewhere").alternative) == "mine 0102"
        refuse(game, "move t1 0202", "P11.2", "laying-open")

    @pytest.mark.rule("P11.2")
    def test_not_in_a_hex_that_was_not_empty(self):
        game = at(head=POOL)
        play(game, "move t1 0201")
        assert game.decision.kind == "group"
        game = at(FORCES.replace("t2 m1 0101", "hq hq-us 0101"), head=POOL)
        play(game, "move t1,hq 0102")
        assert game.decision.kind == "reaction", "the HQ has come along"

    @pytest.mark.rule("P11.2")
    def test_not_where_part_of_the_group_is_already(self):
        game = at(head=POOL)
        play(game, "move t1,t2 0102", "pass", "move t1 0103", "pass", "move t2 0103")
        assert game.decision.kind == "group"

    @pytest.mark.rule("P11.2")
    def test_not_where_mines_lie_and_not_from_an_empty_pool(self):
        game = at(head=POOL, on_map=LAID)
        play(game, "move t1 0102 [1 1]")
        assert game.decision.kind == "group"
        game = at(head={"mines": {"red": 1}})
        play(game, "move t1 0102", "mine 0102 [1 1]", "move t1 0202")
        assert game.decision.kind == "group"
        game = at(head={"mines": {"blue": 1}})
        play(game, "move t1 0102")
        assert game.decision.kind == "group", "its own side lays none"

    @pytest.mark.rule("P11.2", "P15")
    def test_reinforcements_meet_them_too(self):
        game = at(FORCES.replace("t2 m1 0101", "t2 m1 due 1 0103"), head=POOL)
        play(game, "enter t2 0103", "mine 0103 [5 1]")
        assert marks(game, "t2") >= {"disrupted"}

    @pytest.mark.rule("P11.2", "P4.5", "P8.1")
    def test_before_opportunity_fire_at_whoever_is_left(self):
        game = at(FORCES.replace("1003 ops-complete", "0803"), head=POOL)
        play(game, "move t1 0102", "mine 0102 [5 6]")
        assert "fire t9 t1" in map(str, game.orders())
        weak = FORCES.replace("1003 ops-complete", "0803").replace(
            "t1 m1 0101", "t1 m1 0101 disrupted reduced"
        )
        game = at(weak, head=POOL, start={"cup": ["eot", "eot"]})
        play(game, "move t1 0102", "mine 0102 [5 1]")
        assert marks(game, "t1") == {"eliminated"}
        assert game.decision.kind == "operations", "nobody is left to shoot at"


class TestLying:
    @pytest.mark.rule("P11.2")
    def test_they_attack_every_entry_by_either_side(self):
        forces = FORCES.replace("1003 ops-complete", "0202").replace("i1 engineers 0201", "i1 engineers 1001")
        game = at(forces, on_map=LAID, start={"cup": ["B", "eot", "eot"]})
        events = play(game, "move t1 0102 [1 1]")
        assert facts(events, "mines-strike") == {"hex": "0102", "units": ["t1"], "faces": [1, 1], "hits": 0}
        play(game, "pass", "move t1 0101", "pass")
        to_the_cup(game)
        events = play(game, "draw [B]", "move t9 0102 [6 5]")
        assert facts(events, "mines-strike")["units"] == ["t9"]
        assert mined(game) == ["0102"], "and stay"

    @pytest.mark.rule("P11.2")
    def test_whoever_stands_there_already_is_not_attacked_again(self):
        game = at(on_map=LAID)
        play(game, "move t1 0102 [1 1]", "done")
        events = play(game, "move t2 0102 [5 6]")
        assert facts(events, "mines-strike")["units"] == ["t2"]
        assert "disrupted" not in marks(game, "t1")

    @pytest.mark.rule("P11.2", "P9.3")
    @pytest.mark.parametrize(("die", "left"), [("1", {"reduced"}), ("2", set())])
    def test_an_hq_is_not_attacked_but_shaken_once(self, die, left):
        game = at(FORCES.replace("i1 eng", "hq hq-us 0101\n i1 eng"), on_map=LAID)
        events = play(game, f"move hq,t1,t2 0102 [5 6 {die}]")
        assert len(every(events, "disrupted")) == 2
        assert marks(game, "hq") & {"reduced", "eliminated"} == left

    @pytest.mark.rule("P11.2", "P5.12")
    def test_passengers_share_it(self):
        forces = "blue A\n c1 m113 0101\n i1 inf-us in c1\n t1 m1 0101\nred B\n t9 t-72 1003 ops-complete\n"
        game = at(forces, on_map=LAID)
        play(game, "move c1 0102 [5 6 2]")
        assert marks(game, "c1") == {"disrupted", "reduced", "finished"}
        assert {"disrupted", "reduced"} <= marks(game, "i1"), "on an even die"

    @pytest.mark.rule("P11.2", "P5.12", "P4.6")
    def test_passengers_that_survive_their_carrier_stop(self):
        forces = "blue A\n c1 m113 0101 disrupted reduced\n i1 inf-us in c1\n t1 m1 0201\n"
        forces += "red B\n t9 t-72 1003 ops-complete\n"
        game = at(forces, on_map=LAID)
        play(game, "move c1 0102 [5 1 3]")
        assert marks(game, "c1") == {"eliminated"}
        assert marks(game, "i1") == {"disrupted", "reduced", "finished"}
        assert where(game, "i1") == "0102"

    @pytest.mark.rule("P11.2", "P4.6", "P3.4")
    def test_one_stopped_over_the_limit_goes_back(self):
        forces = FORCES.replace("i2 inf-us 0301", "i2 inf-us 0102\n i3 inf-us 0102")
        game = at(forces, on_map=LAID)
        events = play(game, "move t1 0102 [5 1]")
        assert facts(events, "goes-back")["hex"] == "0101"
        assert marks(game, "t1") == {"disrupted", "finished"}

    @pytest.mark.rule("P11.2", "P4.6")
    def test_others_of_the_group_go_on(self):
        game = at(on_map=LAID)
        play(game, "move t1,t2 0102 [5 1 1]", "move t2 0202")
        assert (where(game, "t1"), where(game, "t2")) == ("0102", "0202")

    @pytest.mark.rule("P11.2")
    def test_who_is_set_up_there_is_not_attacked(self):
        game = at(FORCES.replace("t1 m1 0101", "t1 m1 0102"), on_map=LAID)
        events = play(game, "move t1 0202")
        assert "mines-strike" not in codes(events)


class TestCloseCombat:
    FORCES = """
    blue A
        t1 m1 0202
        t2 m1 0202
    red B
        t9 t-72 0302 ops-complete
        t8 t-72 1003 ops-complete
    """

    @pytest.mark.rule("P11.2", "P4.5", "P7.2")
    def test_they_strike_attackers_before_the_fight(self):
        game = at(self.FORCES, on_map={"mines": ["0302"]})
        events = play(game, "assault t1,t2 0302 [5 1 1 1 1 1 1 1 1 1]")
        told = [code for code in codes(events) if code in ("mines-strike", "turned-back", "assault-lost")]
        assert told == ["mines-strike", "turned-back", "assault-lost"]
        assert where(game, "t1") == "0202" and "disrupted" in marks(game, "t1")

    @pytest.mark.rule("P11.2", "P7.3.8")
    def test_a_retreat_is_an_entry_too(self):
        game = at(self.FORCES, on_map={"mines": ["0401"]})
        events = play(game, "assault t1 0302 [4 1 1 1 1 1 1 5 1]")
        assert facts(events, "retreat")["unit"] == "t9"
        assert facts(events, "mines-strike")["units"] == ["t9"]
        assert marks(game, "t9") >= {"disrupted", "reduced"}
        assert "finished" not in marks(game, "t9")


class TestClearing:
    @pytest.mark.rule("P11.3")
    @pytest.mark.parametrize(
        ("order", "dice", "cleared"),
        [
            ("clear i2 0302", "2", True),
            ("clear i2 0302", "3", False),
            ("clear i1 0202", "3 4", True),
            ("clear i1 0202", "4 3", True),
            ("clear i1 0202", "3 5", False),
        ],
    )
    def test_infantry_on_an_even_die_engineers_on_one_of_two(self, order, dice, cleared):
        there = order.split()[2]
        game = at(on_map={"mines": [there]})
        events = play(game, f"{order} [{dice}]")
        assert codes(events)[0] == ("mines-cleared" if cleared else "mines-stay")
        assert mined(game) == ([] if cleared else [there])
        assert "finished" in marks(game, order.split()[1])
        to_the_cup(game)
        assert marks(game, order.split()[1]) == {"ops-complete"}

    @pytest.mark.rule("P11.3")
    @pytest.mark.refusal("P11.3")
    def test_only_infantry_and_engineers_beside_them(self):
        game = at(on_map={"mines": ["0202"]})
        refuse(game, "clear t1 0202", "P11.3", "cannot-clear")
        refuse(game, "clear i1 0102", "P11.3", "no-mines")
        assert str(refuse(game, "clear i2 0102", "P11.3", "no-mines").alternative).startswith("clear")
        refuse(at(on_map={"mines": ["0503"]}), "clear i1 0503", "P11.3", "mines-not-adjacent")

    @pytest.mark.rule("P11.3")
    @pytest.mark.refusal("P11.3")
    def test_before_moving_and_in_good_order(self):
        game = at(on_map={"mines": ["0202"]})
        play(game, "move i2 0302")
        refuse(game, "clear i2 0202", "P11.3", "moved-clear")
        game = at(FORCES.replace("i2 inf-us 0301", "i2 inf-us 0301 disrupted"), on_map={"mines": ["0202"]})
        refuse(game, "clear i2 0202", "P11.3", "disrupted-clear")

    @pytest.mark.rule("P11.3", "P2.2.4")
    @pytest.mark.refusal("P5.11", "P4.3")
    def test_nobody_else_works(self):
        forces = (
            "blue A\n c1 m113 0101\n i1 inf-us in c1\n i2 inf-us 0101\nred B\n t9 t-72 1003 ops-complete\n"
        )
        game = at(forces, on_map=LAID)
        refuse(game, "clear i1 0102", "P5.11", "carried")
        play(game, "clear i2 0102 [1]")
        refuse(game, "clear i2 0102", "P2.5", "finished")

    @pytest.mark.rule("P11.3")
    def test_cleared_mines_strike_nobody_and_may_be_laid_anew(self):
        game = at(on_map=LAID, head=POOL)
        play(game, "clear i1 0102 [2 2]")
        play(game, "move t1 0102")
        assert allows(game, "mine 0102")

    @pytest.mark.rule("P11.2", "P11.3")
    def test_how_they_are_written(self):
        game = at()
        for wrong in ("mine", "mine 0102 0103", "clear i1", "clear i1,i2 0102", "mine 9999"):
            with pytest.raises(InvalidOrder):
                game.parse(wrong)
        assert [str(game.parse(text)) for text in ("mine 0102", "clear i1 0102")] == [
            "mine 0102",
            "clear i1 0102",
        ]


class TestFiles:
    @pytest.mark.rule("P11.2")
    @pytest.mark.parametrize(
        ("parts", "said"),
        [
            ({"head": {"mines": {"rad": 2}}}, "there is no side 'rad' (did you mean 'red'?)"),
            ({"head": {"mines": {"red": -1}}}, "0"),
            ({"on_map": {"mines": ["9901"]}}, "9901"),
        ],
    )
    def test_faults_are_told(self, parts, said):
        with pytest.raises(ContentError) as caught:
            at(**parts)
        assert said in str(caught.value)

    @pytest.mark.rule("P11.2")
    def test_a_scenario_may_lay_some(self):
        assert mined(at(on_map={"mines": ["0102", "0503"]})) == ["0102", "0503"]
        assert unit(at(on_map=LAID), "t1")["hex"] == "0101"
