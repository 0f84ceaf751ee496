"""Fire missions (P2.4): artillery off the map (P12.1, P12.3), who observes for it (P12.2), and when."""

from fractions import Fraction

import pytest

from hexengine.core.errors import ContentError
from tests.rules.asking import codes, every, facts, marks, where
from tests.rules.table import allows, begin, play, refuse, to_the_cup

FIELD = "\n".join(["." * 12] * 5)
FORCES = """
blue A he 2 smoke 1
    hq hq-us 0103
    a  m1    0103
red B
    i inf-su 0803
    t t-72   0803
"""


def at(forces=FORCES, active="A", terrain=FIELD, **rest):
    """Blue's fire missions are open, unless something else is said."""
    return begin(terrain, forces, active=active, **rest)


def left(game):
    """Missions left by formation."""
    return game.state()["missions"]


def called(game, shell):
    """The hexes on which a mission is offered."""
    return {str(order).split()[2] for order in game.orders() if str(order).startswith(f"mission {shell}")}


# -- when they are called -------------------------------------------------------------------------


class TestPhase:
    @pytest.mark.rule("P2.4", "P12.1")
    def test_they_come_behind_rally_and_before_operations(self):
        game = begin(FIELD, FORCES + " u t-72 1205\n")
        events = play(game, "draw [A]")
        assert codes(events)[-1] == "activation"
        assert (game.decision.kind, game.decision.side) == ("missions", "blue")
        assert game.state()["phase"] == "operations"
        play(game, "mission he 0803 [1 1 1 1 1 1 1]", "done")
        assert game.decision.kind == "operations"
        assert left(game) == {"A": {"he": 1, "smoke": 1}}

    @pytest.mark.rule("P2.4")
    @pytest.mark.refusal("P2.4")
    def test_nothing_else_may_be_ordered_until_they_are_done(self):
        game = at()
        for order in ("fire a t", "move a 0203", "end", "pass", "draw"):
            refusal = refuse(game, order, "P2.4", "missions-first")
            assert str(refusal.alternative) == "done"
        play(game, "done")
        refuse(game, "mission he 0803", "P2.4", "missions-over")
        refuse(game, "strike t", "P2.4", "missions-over")
        assert allows(game, "fire a t")

    @pytest.mark.rule("P2.4")
    def test_who_has_none_is_not_asked(self):
        game = begin(FIELD, FORCES)
        play(game, "draw [B]")
        assert game.decision.kind == "operations"

    @pytest.mark.rule("P2.4")
    def test_nobody_is_asked_when_all_are_used_up(self):
        game = at(FORCES.replace("he 2 smoke 1", "he 1"))
        play(game, "mission he 0803 [1 1 1 1 1 1 1]")
        assert game.decision.kind == "operations"
        assert left(game) == {"A": {"he": 0, "smoke": 0}}

    @pytest.mark.rule("P12.1")
    @pytest.mark.refusal("P12.1")
    def test_the_scenario_says_how_many(self):
        game = at()
        play(game, "mission smoke 0803 [1]")
        assert not called(game, "smoke")
        refusal = refuse(game, "mission smoke 0703", "P12.1", "no-missions-left")
        assert str(refusal.alternative) == "done"
        refuse(game, "mission he 0803", "P2.4", "already-called")

    @pytest.mark.rule("P2.4", "P12.1")
    @pytest.mark.refusal("P2.4")
    def test_one_mission_for_a_hex_in_an_activation(self):
        game = at()
        play(game, "mission he 0803 [1 1 1 1 1 1 1]")
        refusal = refuse(game, "mission smoke 0803", "P2.4", "already-called")
        assert str(refusal.alternative) == "mission smoke 0703"
        assert called(game, "smoke") == called(game, "he") == set(game.board.labels) - {"0803"}

    @pytest.mark.rule("P2.4", "P1.4")
    def test_in_each_activation_anew(self):
        game = begin(FIELD, FORCES.replace("blue A", "blue A markers 2") + " u t-72 1205\n")
        play(game, "draw [A]", "mission he 0803 [1 1 1 1 1 1 1]", "done", "end")
        play(game, "draw [A]", "mission he 0803 [1 1 1 1 1 1 1]")
        assert left(game)["A"]["he"] == 0

    @pytest.mark.rule("P2.4")
    def test_they_are_listed_by_shell_and_hex(self):
        orders = [str(order) for order in at().orders()]
        labels = at().board.labels
        assert orders == [*(f"mission {s} {h}" for s in ("he", "smoke") for h in labels), "done"]


# -- who observes ---------------------------------------------------------------------------------


class TestObservers:
    @pytest.mark.rule("P12.2")
    def test_the_hq_at_any_range(self):
        game = at()
        assert called(game, "he") == set(game.board.labels), "on an open field all hexes, its own too"

    @pytest.mark.rule("P12.2")
    @pytest.mark.refusal("P12.2")
    def test_a_line_of_sight_is_needed(self):
        walled = "\n".join(["......w....."] * 5)
        game = at(terrain=walled)
        refusal = refuse(game, "mission he 0803", "P12.2", "not-observed")
        assert str(refusal.alternative).startswith("mission he 07")
        assert allows(game, "mission he 0703"), "the woods themselves are seen"

    @pytest.mark.rule("P12.2", "P11.4")
    @pytest.mark.refusal("P12.2")
    def test_wrecks_hide_too(self):
        column = "\n".join("." * 9)
        forces = "blue A he 1\n hq hq-us 0101\n a m1 0101\nred B\n t t-72 0109\n"
        game = at(forces, terrain=column, on_map={"wrecks": ["0104", "0106"]})
        assert called(game, "he") == {"0101", "0102", "0103", "0104", "0105", "0106"}
        refuse(game, "mission he 0107", "P12.2", "not-observed")

    SCOUTED = "blue A he 1\n r scimitar 0103{}\n a m1 0103\nred B\n t t-72 0803\n"

    @pytest.mark.rule("P12.2")
    def test_reconnaissance_units(self):
        assert at(self.SCOUTED.format("")).decision.kind == "missions"

    @pytest.mark.rule("P12.2")
    @pytest.mark.parametrize("mark", ["disrupted", "out-of-command"])
    def test_only_in_good_order_and_in_command(self, mark):
        assert at(self.SCOUTED.format(f" {mark}")).decision.kind == "operations"

    @pytest.mark.rule("P12.2")
    def test_only_those_of_the_formation(self):
        forces = self.SCOUTED.format(" disrupted") + "blue C\n s scimitar 0101\n"
        assert at(forces).decision.kind == "operations"

    @pytest.mark.rule("P12.2")
    def test_observing_is_no_action(self):
        game = at(FORCES + "blue C\n s scimitar 0101\n")
        play(game, "mission he 0803 [1 1 1 1 1 1 1]", "done")
        assert allows(game, "move hq,a 0203")
        to_the_cup(game)
        assert marks(game, "hq") == set()


# -- what they do ---------------------------------------------------------------------------------


class TestHighExplosive:
    @pytest.mark.rule("P12.3")
    def test_the_worked_example(self):
        # Infantry in a city, save 5, 3 dice: 3 hits, 2 saved, 1 left.
        city = "\n".join(["............", "............", ".......c....", "............"])
        forces = "blue A he 2\n hq hq-us 0103\n a m1 0103\nred B\n i inf-su 0803\n"
        game = at(forces, terrain=city)
        events = play(game, "mission he 0803 [3 5 6 1 5 5 2 6]")
        assert facts(events, "on-target") == {"hex": "0803", "faces": [3]}
        assert (facts(events, "bombarded")["dice"], facts(events, "bombarded")["hits"]) == (4, 3)
        assert (facts(events, "save")["saves"], facts(events, "save")["net"]) == (2, 1)
        assert marks(game, "i") == {"disrupted"}

    @pytest.mark.rule("P12.3", "P0.3", "P6.7")
    def test_every_unit_of_the_hex_with_its_own_roll(self):
        game = at()
        # Scatter; the infantry's four dice, no save; the tank's two, three saves.
        events = play(game, "mission he 0803 [4 5 1 1 1 6 1 1 1 1]")
        assert [one["target"] for one in every(events, "bombarded")] == ["i", "t"]
        assert [one["dice"] for one in every(events, "bombarded")] == [4, 2]
        assert marks(game, "i") == marks(game, "t") == {"disrupted"}

    @pytest.mark.rule("P12.3")
    def test_friends_too(self):
        game = at()
        play(game, "mission he 0103 [1 5 6 1 1 1 1 6]")
        assert marks(game, "a") == {"disrupted", "reduced"}

    @pytest.mark.rule("P12.3", "P11.1")
    def test_an_improved_position_cancels_a_hit_of_each_roll(self):
        game = at(on_map={"positions": ["0803"]})
        events = play(game, "mission he 0803 [1 5 5 1 1 6 6 1 1 1]")
        assert [one["target"] for one in every(events, "position-cancels")] == ["i", "t"]
        assert marks(game, "i") == marks(game, "t") == {"disrupted"}

    @pytest.mark.rule("P12.3", "P12.4")
    def test_no_modifier_of_fire_counts(self):
        game = at(on_map={"smoke": {"0803": 2, "0103": 2}})
        assert facts(play(game, "mission he 0803 [1 5 1 1 1 1 1]")[:4], "bombarded")["to_hit"] == 5

    @pytest.mark.rule("P12.3", "P5.12")
    def test_passengers_share_what_their_carrier_suffers(self):
        forces = "blue A he 1\n hq hq-us 0103\n a m1 0103\nred B\n c btr-70 0803\n i inf-su in c\n"
        game = at(forces)
        events = play(game, "mission he 0803 [1 5 5 1 2]")
        assert codes(events)[-3:] == ["disrupted", "passenger-hit", "step-lost"]
        assert marks(game, "i") == {"carried", "disrupted", "reduced"}

    @pytest.mark.rule("P12.3", "P9.3")
    @pytest.mark.parametrize(("die", "hit"), [(1, True), (2, False)])
    def test_the_hq_of_the_hex_rolls_once_behind_all(self, die, hit):
        forces = FORCES + " hr hq-su 0803\n"
        game = at(forces)
        events = play(game, f"mission he 0803 [1 5 1 1 1 6 1 1 1 1 {die}]")
        assert codes(events)[-(2 if hit else 1)] == ("hq-hit" if hit else "hq-safe")
        assert ("reduced" in marks(game, "hr")) == hit

    @pytest.mark.rule("P12.3", "P9.3")
    def test_a_unit_eliminated_shakes_it_more_and_the_last_one_takes_it_along(self):
        forces = FORCES.replace("i inf-su 0803", "i inf-su 0803 disrupted reduced") + " hr hq-su 0803\n"
        game = at(forces)
        events = play(game, "mission he 0803 [1 5 1 1 1 1 1 3]")
        assert facts(events, "hq-hit")["limit"] == 3
        forces = forces.replace("t t-72   0803", "t t-72 0803 disrupted reduced")
        game = at(forces + " u t-72 1205\n")
        play(game, "mission he 0803 [1 5 1 1 1 5 1 1 1]")
        assert {"eliminated"} <= marks(game, "i") & marks(game, "t") & marks(game, "hr")

    @pytest.mark.rule("P12.3")
    def test_an_empty_hex_takes_one_die(self):
        game = at()
        assert codes(play(game, "mission he 0603 [4]")) == ["mission", "on-target"]

    @pytest.mark.rule("P12.3", "P1.6")
    def test_a_formation_wiped_out_by_its_own_guns(self):
        forces = "blue A he 1\n r scimitar 0103 reduced\nblue C\n z m1 0101\nred B\n t t-72 0803\n"
        game = at(forces)
        play(game, "mission he 0103 [1 6 6 1]")
        assert where(game, "r") is None
        assert game.decision.kind == "draw"
        assert "A" not in game.state()["cup"]["in"]


class TestScatter:
    @pytest.mark.rule("P12.3")
    def test_the_worked_example(self):
        # Own troops stand one hex in direction 2, north-east of the target.
        game = at(FORCES + "blue C\n z inf-us 0903\n")
        events = play(game, "mission he 0803 [6 2 5 1 1 1]")
        assert facts(events, "scatters") == {"hex": "0803", "to": "0903", "faces": [6, 2]}
        assert marks(game, "z") == {"disrupted"}
        assert marks(game, "i") == marks(game, "t") == set()

    @pytest.mark.rule("P12.3")
    @pytest.mark.parametrize(
        ("direction", "place"),
        [(1, "0802"), (2, "0903"), (3, "0904"), (4, "0804"), (5, "0704"), (6, "0703")],
    )
    def test_direction_one_is_north_then_clockwise(self, direction, place):
        events = play(at(), f"mission smoke 0803 [5 {direction}]")
        assert facts(events, "scatters")["to"] == place

    @pytest.mark.rule("P12.3")
    def test_off_the_map_it_is_lost(self):
        game = at()
        events = play(game, "mission smoke 0801 [5 1]")
        assert codes(events) == ["mission", "scatters-away"]
        assert game.state()["hexes"] == {}
        assert left(game)["A"]["smoke"] == 0

    @pytest.mark.rule("P12.3")
    def test_chances(self):
        # Two of three land on target; each neighbour has one of eighteen.
        outcomes = at().odds("mission smoke 0803")
        chances = {next(iter(one.result["hexes"])): one.probability for one in outcomes}
        assert chances.pop("0803") == Fraction(2, 3)
        assert set(chances.values()) == {Fraction(1, 18)}
        assert len(chances) == 6

    @pytest.mark.rule("P12.3")
    def test_chances_of_high_explosive(self):
        # Two dice to hit on 5: 4/9 miss; a T-72 saves with three dice on 5.
        forces = "blue A he 1\n hq hq-us 0103\n a m1 0103\nred B\n t t-72 0803\n"
        outcomes = at(forces).odds("mission he 0803")
        harmless = sum(one.probability for one in outcomes if not one.result["units"])
        missed = Fraction(4, 9)
        none_of_three, one_of_three = Fraction(8, 27), Fraction(12, 27)
        one, two = Fraction(4, 9), Fraction(1, 9)
        saved = one * (1 - none_of_three) + two * (1 - none_of_three - one_of_three)
        assert harmless == Fraction(1, 3) + Fraction(2, 3) * (missed + saved)


# -- files ----------------------------------------------------------------------------------------


class TestScenario:
    @pytest.mark.rule("P12.1")
    def test_a_scenario_without_any_has_no_word_of_it(self):
        game = begin(FIELD, FORCES.replace(" he 2 smoke 1", ""), active="A")
        assert game.decision.kind == "operations"
        assert not {"missions", "strikes"} & game.state().keys()

    @pytest.mark.rule("P12.2")
    @pytest.mark.parametrize(
        ("forces", "head", "fault"),
        [
            (
                "blue A he 1\n a m1 0103\nred B\n t t-72 0803\n",
                {},
                "the formation 'A' has missions but nobody",
            ),
            (
                "blue A\n a m1 0103\nred B\n t t-72 0803\n",
                {"strikes": {"blue": 1}},
                "blue has air strikes but nobody",
            ),
            ("blue A\n a m1 0103\nred B\n t t-72 0803\n", {"strikes": {"green": 1}}, "no side 'green'"),
            (FORCES.replace("he 2", "he 100"), {}, "99"),
        ],
    )
    def test_faults(self, forces, head, fault):
        with pytest.raises(ContentError, match=fault):
            at(forces, head=head)

    def test_faults_of_smoke_on_the_map(self):
        with pytest.raises(ContentError, match="1301"):
            at(on_map={"smoke": {"1301": 1}})
        with pytest.raises(ContentError, match="3"):
            at(on_map={"smoke": {"0101": 3}})
