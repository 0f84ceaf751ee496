"""Reinforcements (P15) and leaving the map (P4.8)."""

import pytest

from tests.rules.asking import codes, every, facts, marks, unit, where
from tests.rules.table import allows, begin, cup, play, refuse

ROW = "." * 12
FOE = "red B\n    x t-72 1202 ops-complete\n"


def at(forces, row=ROW, enemies=FOE, **rest):
    """A's operations in turn 3, or whatever is said, on two rows of hexes."""
    rest.setdefault("turn", 3)
    rest.setdefault("active", "A")
    return begin(f"{row.ljust(12, '.')}\n{ROW}", forces + enemies, **rest)


def entries(game):
    """The legal entries, as text."""
    return [str(order) for order in game.orders() if str(order).startswith("enter")]


class TestTurnOfArrival:
    """The examples: a formation due in turn 3, all of it off the map."""

    FORCES = "blue A\n hq hq-us due 3 0101\n r m1 due 3 0101 0102\nblue C\n c m1 1001\n" + FOE

    def game(self, **rest):
        return begin(f"{ROW}\n{ROW}", self.FORCES, turns=8, **rest)

    @pytest.mark.rule("P15", "P1.1")
    def test_before_it_the_marker_is_not_in_the_cup(self):
        game = self.game()
        for turn in (1, 2):
            assert game.state()["turn"] == turn
            assert "A" not in cup(game)["in"]
            play(game, "draw [C]", "end", "draw [B]", "end", "draw [eot]", "draw [eot]")
        assert cup(game)["in"]["A"] == 1

    @pytest.mark.rule("P15", "P1.5")
    def test_it_cannot_be_overlooked_before_and_can_from_then_on(self):
        game = self.game(turn=2)
        play(game, "draw [C]", "end", "draw [B]", "end", "draw [eot]", "draw [eot]")
        assert (cup(game)["held"], cup(game)["waiting"]) == ([], [])
        # Turn 3: its marker is not drawn, so in turn 4 the owner holds his marker.
        play(game, "draw [C]", "end", "draw [B]", "end", "draw [eot]", "draw [eot]")
        assert (cup(game)["held"], cup(game)["waiting"]) == (["blue"], ["A"])

    @pytest.mark.rule("P15", "P2.2.1")
    def test_drawn_in_turn_four_it_enters_in_command_without_a_roll(self):
        game = self.game(turn=4)
        events = play(game, "draw [A]")
        assert not {"command-passed", "command-failed"} & set(codes(events))
        play(game, "enter r 0102")
        assert where(game, "hq") is None, "the HQ stays behind"
        assert marks(game, "r") == {"fresh"}
        assert allows(game, "move r 0202")

    @pytest.mark.rule("P15")
    @pytest.mark.refusal("P15")
    def test_who_is_not_due_yet_does_not_enter(self):
        game = at("blue A\n a m1 0501\n r m1 due 4 0101\n")
        refuse(game, "enter r 0101", "P15", "not-waiting")
        assert unit(game, "r")["status"] == []


class TestEntering:
    @pytest.mark.rule("P15", "P4.2")
    @pytest.mark.parametrize(("terrain", "cost"), [(".", 1), ("r", 2), ("w", 3), ("c", 2)])
    def test_the_terrain_of_the_hex_is_paid_without_road_or_hexside(self, terrain, cost):
        game = at("blue A\n a m1 0501\n r m1 due 3 0101\n", row=terrain,
                  on_map={"roads": ["0101-0201"], "streams": ["0101/0102"]})  # fmt: skip
        play(game, "enter r 0101")
        assert unit(game, "r")["spent"] == 2 * cost
        assert facts(play(game, "move r 0201"), "move")["left"] == 8 - cost - 0.5

    @pytest.mark.rule("P15", "P14.4")
    def test_a_hill_at_the_edge_costs_no_slope(self):
        game = at("blue A\n a m1 0501\n r m1 due 3 0101\n", on_map={"levels": f"1{'0' * 11}\\n{'0' * 12}"})
        play(game, "enter r 0101")
        assert unit(game, "r")["spent"] == 2

    @pytest.mark.rule("P15")
    @pytest.mark.refusal("P15")
    def test_what_cannot_be_entered_is_refused(self):
        game = at("blue A\n a m1 0501\n r btr-70 due 3 0101 0102\n", row="F")
        assert str(refuse(game, "enter r 0101", "P15", "prohibited").alternative) == "enter r 0102"
        more = '[[type]]\nid = "slow"\nkind = "hard"\nmobility = "tracked"\nma = 2\narmour = "1/6"\n'
        game = at("blue A\n a m1 0501\n r slow due 3 0101 0102\n", row="w", more=more)
        refusal = refuse(game, "enter r 0101", "P15", "too-few-mp")
        assert (refusal.facts["cost"], refusal.facts["left"]) == (3, 2)

    @pytest.mark.rule("P15")
    @pytest.mark.refusal("P15")
    def test_only_on_a_listed_hex(self):
        game = at("blue A\n a m1 0501\n r m1 due 3 0101 0102\n")
        assert entries(game) == ["enter r 0101", "enter r 0102"]
        refuse(game, "enter r 0201", "P15", "not-an-entry-hex")

    @pytest.mark.rule("P15", "P8.1", "P4.5")
    def test_it_draws_opportunity_fire(self):
        game = at("blue A\n a m1 0501\n r m1 due 3 0101\n", enemies="red B\n x t-72 0801\n")
        play(game, "enter r 0101")
        assert game.decision.kind == "reaction"
        play(game, "fire x r [6 1 1 1 1 1 1]")
        assert {"disrupted", "finished", "fresh"} <= marks(game, "r")

    @pytest.mark.rule("P15", "P4.3")
    @pytest.mark.refusal("P4.3")
    def test_two_enter_together_as_one_group(self):
        game = at("blue A\n a m1 0501\n r m1 due 3 0101\n s m1 due 3 0101\n t m1 due 3 0102\n")
        play(game, "enter r,s 0101")
        assert game.decision.kind == "group"
        refuse(game, "enter t 0102", "P4.3", "group-open")
        play(game, "move r 0201", "move s 0102", "done", "enter t 0102")
        assert where(game, "t") == "0102"

    @pytest.mark.rule("P15", "P4.1", "P2.2.1")
    def test_who_entered_has_acted_and_is_fresh_until_the_activation_ends(self):
        game = at("blue A markers 2\n a m1 0501\n r m1 due 3 0101\n", cup=["A", "eot", "eot"])
        play(game, "enter r 0101", "done", "end")
        assert marks(game, "r") == {"ops-complete"}

    @pytest.mark.rule("P15", "P5.5")
    def test_a_carrier_enters_loaded_and_may_unload(self):
        game = at("blue A\n a m1 0501\n c btr-70 due 3 0101\n i inf-us in c\n s dragon in i\n")
        play(game, "enter c 0101")
        assert where(game, "i") == where(game, "s") == "0101"
        assert {"fresh", "carried"} <= marks(game, "i")
        play(game, "move c 0201", "unload c", "move i 0301")
        assert (where(game, "c"), where(game, "i")) == ("0201", "0301")
        refuse(game, "move c 0301", "P2.5", "finished")

    @pytest.mark.rule("P15", "P9.1")
    @pytest.mark.refusal("P9.1")
    def test_the_hq_enters_with_a_unit_or_to_one(self):
        game = at("blue A\n a m1 0501\n hq hq-us due 3 0101\n r m1 due 3 0101\n")
        refuse(game, "enter hq 0101", "P9.1", "hq-alone")
        play(game, "enter r 0101", "done")
        assert allows(game, "enter hq 0101")
        play(game, "enter hq 0101")
        assert where(game, "hq") == "0101"

    @pytest.mark.rule("P15", "P6.5")
    def test_entering_is_moving(self):
        enemies = "red B\n x t-72 0801 ops-complete\n"
        game = at("blue A\n a m1 0501\n r m1 due 3 0101\n t m60a3 due 3 0102\n", enemies=enemies)
        play(game, "enter t 0102")
        refuse(game, "fire t x", "P4.1", "moved-fire")
        play(game, "done", "enter r 0101")
        assert facts(play(game, "fire r x [1 1 1 1]"), "fire")["to_hit"] == 5, "on the move, at 7 hexes"

    @pytest.mark.rule("P15", "P16.1")
    def test_the_entry_hex_is_taken(self):
        game = at("blue A\n a m1 0501\n r m1 due 3 0101\n", on_map={"control": {'"0101"': "red"}})
        play(game, "enter r 0101")
        assert game.state()["control"]["0101"] == "blue"


class TestOccupiedEntryHexes:
    @pytest.mark.rule("P15")
    @pytest.mark.refusal("P15")
    def test_an_enemy_held_one_is_closed_and_any_other_listed_one_is_open(self):
        game = at("blue A\n a m1 0501\n r m1 due 3 0101 0102\n", enemies="red B\n x t-72 0101 ops-complete\n")
        refusal = refuse(game, "enter r 0101", "P15", "entry-held")
        assert str(refusal.alternative) == "enter r 0102"
        assert entries(game) == ["enter r 0102"]

    @pytest.mark.rule("P15", "P3.4")
    @pytest.mark.refusal("P3.4")
    def test_a_full_one_is_closed(self):
        game = at("blue A\n a m1 0101\n b m1 0101\n r m1 due 3 0101 0102\n")
        refuse(game, "enter r 0101", "P3.4", "hex-full")
        assert entries(game) == ["enter r 0102"]

    @pytest.mark.rule("P15", "P3.4")
    def test_room_for_one_is_no_room_for_two(self):
        game = at("blue A\n a m1 0101\n r m1 due 3 0101\n s m1 due 3 0101\n")
        assert entries(game) == ["enter r 0101", "enter s 0101"]

    @pytest.mark.rule("P15", "P3.4")
    @pytest.mark.refusal("P3.4")
    def test_a_second_hq_does_not_enter(self):
        forces = "blue C\n hq2 hq-us 0101\n c m1 0101\n"
        forces += "blue A\n a m1 0501\n hq hq-us due 3 0101\n r m1 due 3 0101\n"
        refuse(at(forces), "enter hq,r 0101", "P3.4", "second-hq")

    @pytest.mark.rule("P15", "P2.2.1")
    def test_with_none_free_it_waits_and_stays_fresh(self):
        enemies = "red B\n x t-72 0101 ops-complete\n y t-72 1202\n"
        game = at("blue A\n r m1 due 3 0101\n hq hq-us due 3 0101\n", enemies=enemies)
        # Nothing can be done, so the activation ended by itself; the units are still due.
        assert game.decision.kind == "draw"
        assert marks(game, "r") == {"due"}
        play(game, "draw [B]", "move x 0201", "done", "end")
        play(game, "draw [eot]", "draw [eot]")
        events = play(game, "draw [A]")
        assert "command-failed" not in codes(events)
        play(game, "enter r 0101")
        assert "fresh" in marks(game, "r")

    @pytest.mark.rule("P15", "P2.2.1")
    def test_units_kept_off_may_enter_in_a_later_activation_still_fresh(self):
        game = at("blue A markers 2\n a m1 0501\n r m1 due 3 0101\n hq hq-us 0501\n", cup=["A", "eot", "eot"])
        play(game, "end", "draw [A]", "enter r 0101")
        assert marks(game, "r") == {"fresh"}


class TestRandomArrival:
    FORCES = "blue A\n a m1 0501\n r m1 due 2 0101 arrival=6\n"

    @pytest.mark.rule("P15")
    def test_from_its_turn_on_a_die_decides_each_turn(self):
        game = begin(f"{ROW}\n{ROW}", self.FORCES + FOE, turns=8)
        events = play(game, "draw [eot]", "draw [eot 5]")
        assert facts(events, "delayed") == {"unit": "r", "turn": 2, "faces": [5], "need": 6}
        events = play(game, "draw [A]", "end", "draw [B]", "end", "draw [eot]", "draw [eot 6]")
        assert facts(events, "due")["unit"] == "r"
        play(game, "draw [A]")
        assert entries(game) == ["enter r 0101"]

    @pytest.mark.rule("P15", "P1.1")
    def test_a_formation_that_has_not_arrived_is_not_in_the_cup(self):
        game = begin(
            f"{ROW}\n{ROW}", "blue A\n r m1 due 2 0101 arrival=6\nblue C\n c m1 0501\n" + FOE, turns=8
        )
        play(game, "draw [eot]", "draw [eot 1]")
        assert "A" not in cup(game)["in"]
        play(game, "draw [C]", "end", "draw [B]", "end", "draw [eot]", "draw [eot 6]")
        assert cup(game)["in"]["A"] == 1


class TestExit:
    """P4.8: red's far edge is 0101 and 0102."""

    GOAL = '[[victory]]\nkind = "exit"\nside = "blue"\nhexes = ["1101", "1102"]\npoints = 2\n'
    FOE = "red B\n x t-72 0102 ops-complete\n"

    def game(self, forces, enemies=FOE, **rest):
        return at(forces, enemies=enemies, more=self.GOAL + rest.pop("more", ""), **rest)

    @pytest.mark.rule("P4.8", "P16.2")
    def test_a_unit_leaves_where_the_scenario_says_so(self):
        game = self.game("blue A\n a m1 1101\n z m1 0501\n")
        events = play(game, "exit a")
        assert facts(events, "exit") == {"units": ["a"], "hex": "1101"}
        assert where(game, "a") is None
        assert game.state()["score"]["blue"] == 2

    @pytest.mark.rule("P4.8")
    @pytest.mark.refusal("P4.8")
    def test_nowhere_else_and_for_the_side_that_is_named(self):
        game = self.game("blue A\n a m1 1001\n z m1 1101\n")
        assert str(refuse(game, "exit a", "P4.8", "no-exit-hex").alternative) == "exit z"
        game = at("blue A\n a m1 0501\n", enemies="red B\n x t-72 1101\n", more=self.GOAL, active="B")
        refuse(game, "exit x", "P4.8", "no-exit-hex")

    @pytest.mark.rule("P4.8")
    @pytest.mark.refusal("P4.8")
    def test_it_costs_one_mp(self):
        # M1: 8 MP; seven clear hexes and out, or eight and not.
        game = self.game("blue A\n a m1 0401\n z m1 0501\n")
        play(game, *[f"move a {column:02}01" for column in range(5, 12)])
        assert allows(game, "exit a")
        game = self.game("blue A\n a m1 0301\n b m1 0301\n")
        play(game, *[f"move a,b {column:02}01" for column in range(4, 11)], "move a 1101")
        assert game.decision.kind == "group"
        refusal = refuse(game, "exit a", "P4.8", "too-few-mp")
        assert (refusal.facts["cost"], refusal.facts["left"]) == (1, 0)

    @pytest.mark.rule("P4.8", "P4.3")
    def test_a_group_may_leave_together_or_in_part(self):
        game = self.game("blue A\n a m1 1001\n b m1 1001\n")
        play(game, "move a,b 1101")
        assert {"exit a", "exit b", "exit a,b"} <= set(map(str, game.orders()))
        play(game, "exit a", "move b 1001")
        assert (where(game, "a"), where(game, "b")) == (None, "1001")

    @pytest.mark.rule("P4.8", "P5.9")
    def test_passengers_leave_with_their_carrier(self):
        game = self.game("blue A\n c m2 1101\n i inf-us in c\n s dragon in i\n z m1 0501\n")
        play(game, "exit c")
        assert [where(game, name) for name in "cis"] == [None, None, None]
        assert marks(game, "i") == set()
        assert game.state()["score"]["blue"] == 4, "carrier and infantry"

    @pytest.mark.rule("P4.8", "P9.1")
    @pytest.mark.refusal("P9.1")
    def test_an_hq_is_not_left_alone(self):
        game = self.game("blue A\n a m1 1101\n hq hq-us 1101\n z m1 0501\n")
        refuse(game, "exit a", "P9.1", "hq-left-alone")
        refuse(game, "exit hq", "P9.1", "hq-alone")
        play(game, "exit a,hq")
        assert where(game, "hq") is None

    @pytest.mark.rule("P4.8", "P5.5")
    def test_the_one_hex_of_infantry_that_got_off_may_lead_out(self):
        game = self.game("blue A\n c m2 1001\n i inf-us in c\n z m1 0501\n")
        play(game, "move c 1101", "unload c", "exit i")
        assert where(game, "i") is None

    @pytest.mark.rule("P4.8", "P5.3")
    @pytest.mark.refusal("P4.8")
    def test_not_of_infantry_that_may_not_move_this_turn(self):
        # Option load_lock: who loaded after an approach does not move in a second activation either.
        forces = "blue A markers 2\n c m2 1001\n i inf-us 1101\n z m1 0501\n"
        game = self.game(forces, cup=["A", "eot", "eot"], options={"load_lock": "turn"})
        play(game, "move c 1101", "load c i", "end", "draw [A]", "unload c")
        assert not allows(game, "exit i")
        assert not allows(game, "exit c")

    @pytest.mark.rule("P4.8", "P3.4")
    @pytest.mark.refusal("P3.4")
    def test_a_full_hex_at_the_edge_may_be_passed_on_the_way_out(self):
        # Behind it woods that cost too much, beside it a cliff and water: the only way on is off the map.
        more = '[[type]]\nid = "slow"\nkind = "hard"\nmobility = "tracked"\nma = {}\narmour = "1/6"\n'
        forces = "blue A\n a slow 1001\n z slow 0501\nblue C\n c m1 1101\n d m1 1101\n"
        edge = {"row": ".........w.l", "on_map": {"cliffs": ["1101/1102"]}}
        game = self.game(forces, more=more.format(2), **edge)
        play(game, "move a 1101")
        assert [str(order) for order in game.orders()] == ["exit a"]
        play(game, "exit a")
        assert where(game, "a") is None
        refuse(self.game(forces, more=more.format(1), **edge), "move a 1101", "P3.4", "hex-full")

    @pytest.mark.rule("P4.8", "P1.6")
    def test_the_last_unit_of_a_formation_takes_its_marker_along(self):
        game = self.game("blue A markers 2\n a m1 1101\nblue C\n c m1 0501\n", cup=["A", "C", "eot", "eot"])
        events = play(game, "exit a")
        assert "activation-ends" in codes(events)
        assert "A" not in cup(game)["in"]
        assert not every(events, "eliminated")
