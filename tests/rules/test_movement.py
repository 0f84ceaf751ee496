"""Movement (P4): costs, stacks that move and split, enemy hexes, fire at moving units."""

import pytest

from tests.rules.asking import codes, every, facts, marks, unit, where
from tests.rules.table import allows, begin, play, refuse

FAR = "red B\n    t9 t-72 1601 ops-complete\n"
ROW = "." * 16


def on(row, forces, enemies=FAR, more="", **rest):
    """A's operations on a row of hexes, 0101 to 1601, each next to the one before and the one behind."""
    return begin(row.ljust(16, "."), forces + enemies, active="A", more=more, **rest)


def column(*rows):
    """The same as a column, 0101 to 0112: here lines of sight run through every hex."""
    return "\n".join([*rows, *["."] * (12 - len(rows))])


def spent(events):
    """What was paid and what is left, step by step."""
    return [(fact["cost"], fact["left"]) for fact in every(events, "move")]


def walk(game, name, *places):
    """The unit steps from hex to hex; all events."""
    return play(game, *[f"move {name} {place}" for place in places])


class TestBasics:
    @pytest.mark.rule("P4.1", "P4.2")
    def test_a_path_is_paid_hex_by_hex(self):
        # T-72 with 7 MP: clear 1, clear 1, woods 3, clear 1: 6 spent and 1 left.
        game = on("...w.w", "blue A\n a t-72 0101\n z t-72 1201\n")
        events = walk(game, "a", "0201", "0301", "0401")
        assert spent(events) == [(1, 6), (1, 5), (3, 2)]
        assert unit(game, "a")["spent"] == 10, "in half MP"
        assert spent(walk(game, "a", "0501")) == [(1, 1)]

    @pytest.mark.rule("P4.2")
    @pytest.mark.refusal("P4.2")
    def test_too_few_mp_for_the_next_hex(self):
        game = on("..w..w", "blue A\n a t-72 0101\n b scimitar 0101\n")
        for place in ("0201", "0301", "0401", "0501"):
            play(game, f"move a,b {place}")
        # A Scimitar has 10 MP and goes on with the 4 that are left; the T-72 has 1, and woods cost 3.
        refusal = refuse(game, "move a 0601", "P4.2", "too-few-mp")
        assert (refusal.facts["cost"], refusal.facts["left"]) == (3, 1)
        assert str(refusal.alternative) == "move a 0401"
        assert allows(game, "move b 0601")

    @pytest.mark.rule("P4.1")
    def test_who_moved_gets_ops_complete_when_the_activation_ends_and_is_finished_before(self):
        game = on(ROW, "blue A\n a t-72 0101\n z t-72 1201\n")
        play(game, "move a 0201")
        assert marks(game, "a") == set()
        play(game, "done")
        assert marks(game, "a") == {"finished"}
        play(game, "end")
        assert marks(game, "a") == {"ops-complete"}

    @pytest.mark.rule("P4.1")
    @pytest.mark.refusal("P4.3")
    def test_what_is_left_is_lost(self):
        game = on(ROW, "blue A\n a t-72 0101\n z t-72 1201\n")
        play(game, "move a 0201", "done")
        refuse(game, "move a 0301", "P2.5", "finished")

    @pytest.mark.rule("P4.1", "P1.4")
    def test_the_allowance_does_not_depend_on_earlier_activations(self):
        game = on(ROW, "blue A markers 2\n a t-72 0101\n", start={"cup": ["A", "eot", "eot"]})
        walk(game, "a", *[f"{column:02}01" for column in range(2, 9)])
        events = play(game, "draw [A]", "move a 0901")
        assert spent(events) == [(1, 6)]

    @pytest.mark.rule("P4.1", "P8.2")
    def test_a_unit_that_moved_does_not_fire_in_reaction(self):
        # BTR moves one hex: Ops Complete. A unit that stays and does nothing keeps its reaction.
        forces = "blue A\n a btr-70 0101\n b btr-70 0102\n"
        game = begin(f"{ROW}\n{ROW}", forces + "red B\n i9 inf-su 0501\n", active="A")
        play(game, "move a 0201", "done", "end")
        assert (marks(game, "a"), marks(game, "b")) == ({"ops-complete"}, set())
        play(game, "draw [B]", "move i9 0401")
        assert not allows(game, "fire a i9")
        assert allows(game, "fire b i9")

    @pytest.mark.rule("P4.1", "P6.5")
    @pytest.mark.refusal("P4.1")
    def test_who_moved_does_not_fire(self):
        game = on(ROW, "blue A\n a t-72 0101\n", "red B\n t9 t-72 0601 ops-complete\n")
        assert allows(game, "fire a t9")
        play(game, "move a 0201")
        refuse(game, "fire a t9", "P4.1", "moved-fire")

    @pytest.mark.rule("P4.1")
    def test_movement_is_voluntary(self):
        game = on(ROW, "blue A\n a t-72 0101\n")
        play(game, "end")
        assert marks(game, "a") == set()


class TestCost:
    @pytest.mark.rule("P4.2")
    def test_each_pays_for_its_own_class(self):
        game = on(".w.", "blue A\n a t-72 0101\n b btr-70 0101\n")
        play(game, "move a,b 0201")
        assert (unit(game, "a")["spent"], unit(game, "b")["spent"]) == (6, 8)

    @pytest.mark.rule("P4.2")
    @pytest.mark.refusal("P4.2")
    def test_the_poorest_of_a_group_decides_whether_it_may_enter_together(self):
        # Two woods hexes: all 8 MP of the BTR, 6 of the Scimitar's 10.
        game = on(".www", "blue A\n a scimitar 0101\n b btr-70 0101\n")
        play(game, "move a,b 0201", "move a,b 0301")
        refusal = refuse(game, "move a,b 0401", "P4.2", "too-few-mp")
        assert refusal.facts["unit"] == "b"
        assert str(refusal.alternative) == "move a 0401"

    @pytest.mark.rule("P4.2", "D1")
    @pytest.mark.refusal("P4.2")
    @pytest.mark.parametrize("terrain", "Fml")
    def test_prohibited_terrain(self, terrain):
        game = on(f".{terrain}.", "blue A\n a t-72 0101\n z t-72 1001\n")
        refuse(game, "move a 0201", "P4.2", "prohibited")

    @pytest.mark.rule("P4.2")
    @pytest.mark.refusal("P4.2")
    def test_only_adjacent_hexes(self):
        game = on(ROW, "blue A\n a t-72 0101\n")
        refusal = refuse(game, "move a 0401", "P4.2", "not-adjacent")
        assert str(refusal.alternative) == "move a 0201"

    @pytest.mark.rule("P4.2", "P9.1")
    def test_an_hq_pays_nothing_of_its_own(self):
        game = on(".wr", "blue A\n hq hq-su 0101\n a t-72 0101\n")
        play(game, "move hq,a 0201", "move hq,a 0301")
        assert (unit(game, "hq")["spent"], unit(game, "a")["spent"]) == (0, 10)
        assert where(game, "hq") == where(game, "a") == "0301"

    @pytest.mark.rule("P4.2")
    def test_halves_add_up_exactly(self):
        # Along the road 13 half points and one whole: the T-72 has 7 MP.
        game = on(ROW, "blue A\n a t-72 0101\n z t-72 1601\n", "red B\n t9 t-72 1501 ops-complete\n",
                  on_map={"roads": ["-".join(f"{c:02}01" for c in range(1, 15))]})  # fmt: skip
        events = walk(game, "a", *[f"{c:02}01" for c in range(2, 15)])
        assert [left for _, left in spent(events)] == [7 - steps / 2 for steps in range(1, 14)]


SLOW = """
[[type]]
id = "slow"
kind = "hard"
mobility = "tracked"
ma = 2
armour = "1/6"
flags = ["transport"]
"""


class TestMinimumMove:
    FORCES = "blue A\n a slow 0201\n z t-72 1001\n"

    def game(self, forces=FORCES, row=".wW.", **rest):
        options = {"minimum_move": rest.pop("minimum_move", True)}
        return on(row.replace("W", "w"), forces, more=SLOW, options=options, **rest)

    @pytest.mark.rule("P4.2")
    @pytest.mark.refusal("P4.2")
    def test_there_is_none_by_default(self):
        game = on(".ww.", self.FORCES, more=SLOW)
        refuse(game, "move a 0301", "P4.2", "too-few-mp")

    @pytest.mark.rule("P4.2")
    def test_one_hex_by_option_and_no_more(self):
        game = self.game()
        events = play(game, "move a 0301")
        assert unit(game, "a")["spent"] == 6
        assert codes(events) == ["move", "group-closed"]
        assert where(game, "a") == "0301"

    @pytest.mark.rule("P4.2")
    @pytest.mark.refusal("P4.2")
    def test_not_for_who_has_moved(self):
        game = self.game(row="...ww")
        play(game, "move a 0301")
        refuse(game, "move a 0401", "P4.2", "too-few-mp")

    @pytest.mark.rule("P4.2", "P6.6")
    @pytest.mark.refusal("P4.2")
    def test_not_for_disrupted_units(self):
        game = self.game(self.FORCES.replace("0201", "0201 disrupted"))
        refuse(game, "move a 0301", "P4.2", "too-few-mp")

    @pytest.mark.rule("P4.2")
    @pytest.mark.refusal("P4.2")
    def test_not_into_prohibited_terrain(self):
        refuse(self.game(row=".wF."), "move a 0301", "P4.2", "prohibited")

    @pytest.mark.rule("P4.2", "P5.2")
    @pytest.mark.refusal("P5.2")
    def test_not_for_who_loaded(self):
        game = self.game(self.FORCES + " i inf-us 0201\n")
        play(game, "load a i")
        refuse(game, "move a 0301", "P5.2", "too-few-mp")


class TestStacks:
    TWO = "blue A\n a t-72 0101\n b t-72 0101\n z t-72 1201\n"

    @pytest.mark.rule("P4.3")
    def test_two_move_together_and_split(self):
        game = on(ROW, self.TWO)
        play(game, "move a,b 0201", "move a,b 0301")
        walk(game, "a", "0401", "0501", "0601")
        play(game, "move b 0401")
        assert (where(game, "a"), where(game, "b")) == ("0601", "0401")
        assert (unit(game, "a")["spent"], unit(game, "b")["spent"]) == (10, 6)

    @pytest.mark.rule("P4.3")
    def test_parts_take_turns_until_the_group_is_closed(self):
        # A17: a part that was left behind may resume while the group is open.
        game = on(ROW, self.TWO)
        play(game, "move a,b 0201", "move a 0301", "move b 0301", "move a 0401", "move b 0201", "move a 0501")
        events = play(game, "done")
        assert facts(events, "group-closed")["units"] == ["a", "b"]
        assert "finished" in marks(game, "a") & marks(game, "b")

    @pytest.mark.rule("P4.3")
    @pytest.mark.refusal("P4.3")
    def test_who_was_not_chosen_does_not_join(self):
        game = on(ROW, self.TWO)
        play(game, "move a 0201")
        refuse(game, "move b 0201", "P4.3", "not-in-group")
        refuse(game, "move z 1101", "P4.3", "not-in-group")

    @pytest.mark.rule("P4.3")
    @pytest.mark.refusal("P4.3")
    def test_the_activation_ends_behind_the_group(self):
        game = on(ROW, self.TWO)
        play(game, "move a 0201")
        refuse(game, "end", "P4.3", "end-in-group")
        play(game, "done", "end")

    @pytest.mark.rule("P4.3")
    def test_who_was_not_chosen_may_act_later(self):
        game = on(ROW, self.TWO)
        play(game, "move a 0201", "done", "move b 0201", "move b 0301")
        assert where(game, "b") == "0301"

    @pytest.mark.rule("P4.3")
    @pytest.mark.refusal("P4.3")
    def test_a_group_picks_up_nobody_on_the_way(self):
        game = on(ROW, self.TWO + " c t-72 0201\n")
        play(game, "move a 0201")
        refuse(game, "move a,c 0301", "P4.3", "not-in-group")

    @pytest.mark.rule("P4.3")
    @pytest.mark.refusal("P4.3")
    def test_units_from_different_hexes_do_not_move_together(self):
        refuse(on(ROW, self.TWO), "move a,z 0201", "P4.3", "different-hexes")
        game = on(ROW, self.TWO)
        play(game, "move a,b 0201", "move a 0301")
        refuse(game, "move a,b 0301", "P4.3", "different-hexes")

    @pytest.mark.rule("P4.3")
    def test_a_part_that_meets_the_other_goes_on_with_it(self):
        game = on(ROW, self.TWO)
        play(game, "move a,b 0201", "move a 0301", "move b 0301", "move a,b 0401")
        assert where(game, "a") == where(game, "b") == "0401"

    @pytest.mark.rule("P4.3", "P9.6")
    def test_the_owner_says_which_part_keeps_the_hq(self):
        for part, other in (("a", "b"), ("b", "a")):
            game = on(ROW, "blue A\n hq hq-su 0101\n a t-72 0101\n b t-72 0101\n")
            play(game, "move hq,a,b 0201", f"move hq,{part} 0301", f"move {other} 0101")
            assert where(game, "hq") == where(game, part) == "0301"


class TestEnemies:
    BLOCKED = "red B\n t9 t-72 0301 ops-complete\n t8 t-72 0301 disrupted\n"

    @pytest.mark.rule("P4.4", "P7.1")
    @pytest.mark.refusal("P4.4")
    @pytest.mark.parametrize("status", ["", "disrupted", "ops-complete", "reduced"])
    def test_a_hex_with_enemies_is_not_entered_by_moving(self, status):
        game = on(ROW, "blue A\n a t-72 0201\n", f"red B\n t9 t-72 0301 {status}\n")
        refusal = refuse(game, "move a 0301", "P4.4", "enemy-held")
        assert str(refusal.alternative) == "assault a 0301"

    @pytest.mark.rule("P4.4")
    @pytest.mark.refusal("P4.4")
    def test_the_road_beyond_an_enemy_stack_is_not_reached_through_it(self):
        game = on(ROW, "blue A\n a t-72 0101\n", self.BLOCKED, on_map={"roads": ["0101-0201-0301-0401"]})
        play(game, "move a 0201")
        assert [str(order) for order in game.orders()] == ["move a 0101", "assault a 0301", "done"]
        refuse(game, "move a 0401", "P4.2", "not-adjacent")

    @pytest.mark.rule("P4.4", "P11.4")
    def test_what_an_eliminated_enemy_leaves_is_no_enemy(self):
        game = on(
            ROW, "blue A\n a m1 0201\n b t-72 0101\n", "red B\n t8 t-72 0301 disrupted reduced\n" + FAR[6:]
        )
        play(game, "fire a t8 [6 1 1 1 1 1]")
        assert allows(game, "move b 0201")
        play(game, "move b 0201", "move b 0301")
        assert where(game, "b") == "0301"

    @pytest.mark.rule("P4.7")
    def test_enemies_next_to_the_way_neither_stop_nor_slow(self):
        rows = f"{ROW}\n{ROW}"
        enemies = "red B\n" + "".join(f" x{n} inf-su {n:02}02 ops-complete\n" for n in range(1, 8))
        game = begin(rows, "blue A\n a t-72 0101\n" + enemies, active="A")
        events = walk(game, "a", *[f"{c:02}01" for c in range(2, 9)])
        assert {cost for cost, _ in spent(events)} == {1}
        assert len(spent(events)) == 7


class TestFireAtMovement:
    WATCH = "red B\n" + "".join(f" x{n} t-72 01{row:02}\n" for n, row in enumerate((11, 11, 12, 12)))

    def game(self, forces="blue A\n a t-72 0101\n b t-72 0101\n z t-72 0104\n", *rows):
        return begin(column(*rows), forces + self.WATCH, active="A")

    @pytest.mark.rule("P4.5", "P8.1")
    def test_a_window_opens_at_every_hex_entered(self):
        # T-72 10 hexes off: AP range 8, twice that by extended range.
        game = self.game()
        for place in ("0102", "0103", "0102"):
            before = unit(game, "a")["spent"]
            play(game, f"move a,b {place}")
            assert (game.decision.kind, game.decision.side) == ("reaction", "red")
            assert where(game, "a") == place, "it has entered"
            assert unit(game, "a")["spent"] == before + 2, "and paid"
            play(game, "pass")
            assert game.decision.kind == "group"

    @pytest.mark.rule("P4.5", "P8.1")
    def test_a_split_group_has_a_window_for_each_part(self):
        game = self.game()
        play(game, "move a 0102")
        assert {str(order).split()[2] for order in game.orders() if str(order) != "pass"} == {"a"}
        play(game, "pass", "done", "move b 0102")
        assert {str(order).split()[2] for order in game.orders() if str(order) != "pass"} == {"b"}

    @pytest.mark.rule("P4.5", "P8.1")
    def test_no_window_where_nobody_can_shoot(self):
        game = self.game("blue A\n a t-72 0101\n", ".", ".", "w")
        play(game, "move a 0102")
        assert game.decision.kind == "group"

    @pytest.mark.rule("P4.6")
    @pytest.mark.refusal("P4.6")
    def test_a_hit_stops_one_and_the_others_go_on(self):
        game = self.game()
        events = play(game, "move a,b 0102", "fire x0 a [6 1 1 1 1 1]", "pass")
        assert facts(events, "stopped") == {"unit": "a", "hex": "0102"}
        assert marks(game, "a") == {"disrupted", "finished"}
        refusal = refuse(game, "move a 0103", "P4.6", "finished")
        assert str(refusal.alternative).startswith("move b")
        play(game, "move b 0103", "pass")
        assert (where(game, "a"), where(game, "b")) == ("0102", "0103")
        play(game, "done", "end")
        assert marks(game, "a") == {"disrupted", "ops-complete"}

    @pytest.mark.rule("P4.6")
    def test_a_hit_that_was_saved_does_not_stop(self):
        game = self.game()
        play(game, "move a,b 0102", "fire x0 a [6 1 1 5 1 1]", "pass")
        assert allows(game, "move a 0103")

    @pytest.mark.rule("P4.6", "P11.1")
    def test_a_hit_that_a_position_cancelled_does_not_stop(self):
        game = begin(
            column(), "blue A\n a t-72 0101\n" + self.WATCH, active="A", on_map={"positions": ["0102"]}
        )
        events = play(game, "move a 0102", "fire x0 a [6 1 1 1 1 1]")
        assert "position-cancels" in codes(events)
        assert allows(game, "move a 0103")

    @pytest.mark.rule("P4.6", "P6.6")
    def test_who_was_disrupted_before_is_stopped_too(self):
        forces = "blue A\n a t-72 0202 disrupted\n z t-72 0101\nred B\n x t-72 0302\n"
        game = begin("\n".join(["..."] * 3), forces, active="A")
        assert not allows(game, "move a 0201"), "that hex is next to the enemy too"
        events = play(game, "move a 0102", "fire x a [6 1 1 1 1 1]")
        assert facts(events, "step-lost") == {"unit": "a"}
        assert facts(events, "stopped")["unit"] == "a"
        assert marks(game, "a") == {"disrupted", "reduced", "finished"}

    @pytest.mark.rule("P4.6")
    def test_the_last_of_a_group_to_be_stopped_closes_it(self):
        game = self.game()
        events = play(game, "move a 0102", "fire x0 a [6 1 1 1 1 1]")
        assert codes(events)[-2:] == ["stopped", "group-closed"]
        assert game.decision.kind == "operations"
