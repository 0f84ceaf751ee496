"""Amphibious units (P14.3): crossing rivers and entering lakes for a whole activation."""

import pytest

from hexengine.core.errors import ContentError
from tests.rules.asking import codes, facts, marks, unit, where
from tests.rules.table import allows, begin, play, refuse, to_the_cup

RIVER = {"rivers": ["0201/0301", "0201/0302", "0202/0302", "0202/0303", "0203/0303"]}
FORCES = """
    blue A
        hq hq-us 0201
        c1 m113 0201
        i1 inf-us in c1
        c2 m113 0101
        t1 m1 0202
    red B
        t9 t-72 0903 ops-complete
"""


FIELD = "\n".join(["." * 9] * 3)


def at(forces=FORCES, terrain=FIELD, on_map=RIVER, active="A", **rest):
    return begin(terrain, forces, active=active, on_map=on_map, **rest)


def lake(forces, terrain="...ll....\n...ll....\n.........", on_map=None, **rest):
    return at(forces, terrain, on_map or {}, **rest)


def next_turn(game):
    """To A's activation in the next turn."""
    to_the_cup(game)
    play(game, "draw [B]")
    to_the_cup(game)
    play(game, "draw [eot]", "draw [eot]", "draw [A]")


class TestRivers:
    @pytest.mark.rule("P14.3")
    def test_it_takes_the_whole_activation(self):
        game = at()
        events = play(game, "move c1,hq 0301")
        assert facts(events, "move")["cost"] == 8
        assert facts(events, "swims") == {"units": ["hq", "c1"], "hex": "0301"}
        assert unit(game, "c1")["spent"] == 16
        assert marks(game, "c1") == {"finished"}, "nothing is left, so the group has closed"
        assert where(game, "i1") == "0301", "loaded"
        to_the_cup(game)
        assert marks(game, "c1") == {"ops-complete"}

    @pytest.mark.rule("P14.3")
    @pytest.mark.refusal("P14.3")
    def test_it_begins_next_to_the_water(self):
        game = at()
        play(game, "move c2 0201")
        refuse(game, "move c2 0301", "P14.3", "swim-late")
        next_turn(game)
        assert allows(game, "move c2 0301")

    @pytest.mark.rule("P14.3", "P5.2")
    @pytest.mark.refusal("P14.3")
    def test_loading_or_unloading_before_it_is_too_much(self):
        game = at(FORCES.replace("i1 inf-us in c1", "i1 inf-us 0201"))
        play(game, "load c1 i1")
        refuse(game, "move c1 0301", "P14.3", "swim-late")
        game = at(FORCES.replace("hq hq-us 0201", "hq hq-us 0101"))
        play(game, "unload c1")
        refuse(game, "move c1 0301", "P14.3", "swim-late")

    @pytest.mark.rule("P14.3", "P5.5")
    @pytest.mark.refusal("P5.5")
    def test_nor_is_there_anything_left_for_unloading_after_it(self):
        game = at(
            FORCES.replace("c2 m113 0101", "c2 m113 0201").replace(
                "hq hq-us 0201", "hq hq-us 0101 \n x m1 0101"
            )
        )
        play(game, "move c1,c2 0301")
        assert not any(order.verb == "unload" for order in game.orders())

    @pytest.mark.rule("P14.3", "P4.2")
    @pytest.mark.refusal("P4.2")
    def test_others_do_not_swim(self):
        game = at()
        refuse(game, "move t1 0302", "P4.2", "prohibited")
        refuse(game, "move t1 0303", "P4.2", "prohibited")
        game = at(FORCES.replace("c2 m113 0101", "c2 m2 0101").replace("0101", "0202"))
        refuse(game, "move c2 0302", "P4.2", "prohibited")

    @pytest.mark.rule("P14.3", "P14.2")
    def test_fords_and_bridges_are_crossed_as_by_all(self):
        for extra, cost in (({"fords": ["0201/0301"]}, 2), ({"bridges": ["0201/0301"]}, 0.5)):
            assert facts(play(at(on_map={**RIVER, **extra}), "move c1,hq 0301"), "move")["cost"] == cost

    @pytest.mark.rule("P14.3", "P14.2")
    def test_a_blown_bridge_is_swum_past(self):
        on_map = {**RIVER, "roads": ["0101-0201-0301-0401"], "blown": ["0201/0301"]}
        assert facts(play(at(on_map=on_map), "move c1,hq 0301"), "move")["cost"] == 8

    @pytest.mark.rule("P14.3")
    @pytest.mark.refusal("P4.2")
    def test_what_else_is_prohibited_stays_so(self):
        for extra, terrain in (
            ({"cliffs": ["0201/0301"]}, "\n".join(["." * 9] * 3)),
            ({}, "..F......\n.........\n........."),
        ):
            refuse(at(terrain=terrain, on_map={**RIVER, **extra}), "move c1,hq 0301", "P4.2", "prohibited")

    @pytest.mark.rule("P14.3", "P6.6")
    @pytest.mark.refusal("P6.6")
    def test_disrupted_units_swim_within_their_limits(self):
        forces = FORCES.replace("c2 m113 0101", "c2 m113 0202 disrupted")
        game = at(forces)
        refuse(game, "move c2 0302", "P6.6", "disrupted-move")
        game = at(forces.replace("0903", "0101"))
        assert allows(game, "move c2 0302")

    @pytest.mark.rule("P14.3", "P8.1")
    def test_it_is_shot_at_like_any_step(self):
        game = at(FORCES.replace(" ops-complete", ""))
        play(game, "move c1,hq 0301")
        assert game.decision.kind == "reaction"

    @pytest.mark.rule("P14.3", "P6.5")
    @pytest.mark.refusal("P4.3")
    def test_no_fire_after_it(self):
        more = '[[type]]\nid = "pt"\nname = "PT"\nkind = "hard"\nmobility = "tracked"\nma = 8\nap = "9/2/4"\n'
        more += 'armour = "1/6"\nflags = ["amphibious", "fire-on-move"]\n'
        game = at(FORCES.replace("c2 m113 0101", "p pt 0203"), more=more)
        assert allows(game, "fire p t9")
        play(game, "move p 0303")
        refuse(game, "fire p t9", "P2.5", "finished")


class TestLakes:
    FORCES = "blue A\n c1 m113 0301\n i1 inf-us in c1\n t1 m1 0303\nred B\n t9 t-72 0903 ops-complete\n"

    @pytest.mark.rule("P14.3")
    def test_into_the_lake_across_it_and_out(self):
        game = lake(self.FORCES)
        assert facts(play(game, "move c1 0401"), "move")["cost"] == 8
        next_turn(game)
        assert facts(play(game, "move c1 0501"), "move")["cost"] == 8, "from lake to lake"
        next_turn(game)
        events = play(game, "move c1 0601")
        assert facts(events, "move")["cost"] == 1, "leaving water costs what the land costs"
        assert "swims" not in codes(events)
        play(game, "pass", "move c1 0701")
        assert where(game, "i1") == "0701"

    @pytest.mark.rule("P14.3", "P5.5")
    @pytest.mark.refusal("P14.3")
    def test_nobody_gets_off_in_the_water(self):
        game = lake(self.FORCES.replace("c1 m113 0301", "c1 m113 0401"))
        refuse(game, "unload c1", "P14.3", "unload-water")

    @pytest.mark.rule("P14.3")
    def test_a_scenario_may_begin_in_it(self):
        assert where(lake(self.FORCES.replace("c1 m113 0301", "c1 m113 0401")), "c1") == "0401"
        with pytest.raises(ContentError) as caught:
            lake(self.FORCES.replace("t1 m1 0303", "t1 m1 0401"))
        assert "prohibited" in str(caught.value)

    @pytest.mark.rule("P14.3", "P14.1")
    def test_a_road_through_the_lake_is_no_water(self):
        on_map = {"roads": ["0302-0402-0502-0602"]}
        forces = self.FORCES.replace("c1 m113 0301", "c1 m113 0302")
        game = lake(forces, on_map=on_map)
        assert facts(play(game, "move c1 0402"), "move")["cost"] == 0.5
        assert allows(game, "unload c1")

    @pytest.mark.rule("P14.3")
    def test_a_river_into_a_lake_is_one_crossing(self):
        game = lake(self.FORCES, on_map={"rivers": ["0301/0401"]})
        assert facts(play(game, "move c1 0401"), "move")["cost"] == 8
