"""Hits and Disrupted units (P6.6): the ladder of results, and the limits of Disrupted movement."""

import pytest

from tests.rules.asking import marks, unit, where
from tests.rules.table import allows, begin, play, refuse
from tests.rules.test_fire import ROW, duel


class TestResults:
    """P6.6: the ladder, and what Disrupted units may not do."""

    STATES = (("", 2), ("disrupted", 2), ("reduced", 1), ("disrupted reduced", 1))

    @pytest.mark.rule("P6.6", "P3.3")
    @pytest.mark.parametrize(("status", "steps"), STATES)
    @pytest.mark.parametrize("hits", range(5))
    def test_hit_by_hit(self, status, steps, hits):
        dice = " ".join(
            ["6"] * hits + ["1"] * (4 - hits) + (["1"] * (3 if steps == 2 else 2) if hits else [])
        )
        game, _ = duel("m1 {place}", "t-72 {place} " + status, 6, dice)
        disrupted = "disrupted" in status
        for _ in range(hits):
            if not disrupted:
                disrupted = True
            else:
                steps = max(0, steps - 1)
        assert unit(game, "b")["steps"] == steps
        if steps:
            assert ("disrupted" in marks(game, "b")) == disrupted
            assert ("reduced" in marks(game, "b")) == (steps == 1)
        else:
            assert marks(game, "b") == {"eliminated"}
            assert where(game, "b") is None

    @pytest.mark.rule("P6.6")
    def test_a_counter_of_one_step_falls_with_the_second_hit(self):
        more = '[[type]]\nid = "single"\nkind = "soft"\nmobility = "leg"\nma = 2\narmour = "0/5"\n'
        game, _ = duel("m1 {place}", "single {place}", 6, "5 5 1", more=more)
        assert marks(game, "b") == {"eliminated"}

    @pytest.mark.rule("P6.6", "P11.4")
    def test_soft_units_leave_no_wreck(self):
        game, _ = duel("m1 {place}", "inf-su {place} disrupted reduced", 5, "5 1 1")
        assert where(game, "b") is None
        assert game.state()["hexes"] == {}

    @pytest.mark.rule("P6.6", "P8.2")
    @pytest.mark.refusal("P8.2")
    def test_no_opportunity_fire_either(self):
        text = "blue A\n a t-72 0101\nred B\n b t-72 0901 disrupted\n c t-72 0902\n"
        game = begin(f"{ROW}\n{ROW}", text, active="A")
        play(game, "move a 0201")
        refuse(game, "fire b a", "P8.2", "disrupted-fire")


class TestDisruptedMovement:
    """P6.6, with the limits of the amendment: enemies in sight before the step, Disrupted ones too."""

    FIELD = "\n".join(["." * 9] * 7)

    def game(self, enemies, place="0404", terrain=FIELD, kind="t-72", **rest):
        text = f"blue A\n a {kind} {place} disrupted\n z t-72 0101\nred B\n"
        text += "".join(f" x{n} {enemy}\n" for n, enemy in enumerate(enemies))
        return begin(terrain, text, active="A", **rest)

    def ways(self, game, name="a"):
        return {str(order).split()[2] for order in game.orders() if str(order).startswith(f"move {name} ")}

    @pytest.mark.rule("P6.6")
    @pytest.mark.refusal("P6.6")
    def test_not_nearer_to_an_enemy_that_sees_it(self):
        game = self.game(["t-72 0407"])
        refuse(game, "move a 0405", "P6.6", "disrupted-move")
        # It is 3 hexes off, and so are 0305 and 0505; 0304, 0403 and 0504 are further away.
        assert self.ways(game) == {"0304", "0305", "0403", "0504", "0505"}

    @pytest.mark.rule("P6.6")
    def test_an_enemy_out_of_sight_does_not_matter(self):
        rows = self.FIELD.split("\n")
        rows[4] = "wwwwwwwww"
        rows[5] = "wwwwwwwww"
        game = self.game(["t-72 0407"], terrain="\n".join(rows))
        assert len(self.ways(game)) == 6

    @pytest.mark.rule("P6.6")
    def test_disrupted_enemies_and_those_that_acted_count(self):
        for status in ("disrupted", "ops-complete", "out-of-command"):
            assert "0405" not in self.ways(self.game([f"t-72 0407 {status}"]))

    @pytest.mark.rule("P6.6")
    @pytest.mark.refusal("P6.6")
    def test_not_next_to_an_enemy_even_if_no_nearer(self):
        game = self.game(["t-72 0405"])
        refuse(game, "move a 0305", "P6.6", "disrupted-move")
        refuse(game, "move a 0505", "P6.6", "disrupted-move")
        assert self.ways(game) == {"0304", "0403", "0504"}

    @pytest.mark.rule("P6.6")
    def test_next_to_an_enemy_it_may_go_away(self):
        game = self.game(["t-72 0405 ops-complete"])
        play(game, "move a 0403", "move a 0402")
        assert where(game, "a") == "0402"

    @pytest.mark.rule("P6.6")
    def test_between_two_enemies_there_may_be_no_way(self):
        assert self.ways(self.game(["t-72 0403", "t-72 0405"])) == set()

    @pytest.mark.rule("P6.6", "P5.11")
    def test_passengers_are_no_enemies_of_their_own(self):
        one = self.ways(self.game(["btr-70 0407"]))
        two = self.ways(self.game(["btr-70 0407", "inf-su in x0"]))
        assert one == two

    @pytest.mark.rule("P6.6")
    def test_its_whole_allowance(self):
        # A12: no halving.
        game = self.game(["t-72 0907 ops-complete"], place="0107", terrain="\n".join(["." * 7 + "w."] * 7))
        play(game, *[f"move a 01{row:02}" for row in range(6, 0, -1)])
        assert unit(game, "a")["spent"] == 12

    @pytest.mark.rule("P6.6")
    def test_in_a_stack_each_keeps_its_own_limits(self):
        text = "blue A\n a t-72 0404 disrupted\n b t-72 0404\nred B\n x0 t-72 0407\n"
        game = begin(self.FIELD, text, active="A")
        assert not allows(game, "move a,b 0405")
        assert allows(game, "move b 0405")
        assert allows(game, "move a,b 0403")
