"""Passengers (P5.11 to P5.13): they do not fight, share what happens to their carrier, and may survive it."""

import pytest

from tests.rules.asking import codes, every, facts, marks, unit, where
from tests.rules.table import allows, begin, play, refuse

ROW = "." * 16
FAR = "red B\n    t9 t-72 1602 ops-complete\n"
LOADED = "blue A\n c btr-70 0201\n i inf-su in c\n z t-72 1401\n"


def on(forces, row=ROW, enemies=FAR, **rest):
    """A's operations on a row of hexes, 0101 to 1601, with another row below it."""
    return begin(f"{row.ljust(16, '.')}\n{ROW}", forces + enemies, active="A", **rest)


def aboard(game, name):
    """The carrier of a unit, or None."""
    return unit(game, name)["carrier"]


class TestPassengersDoNotFight:
    @pytest.mark.rule("P5.11")
    @pytest.mark.refusal("P5.11")
    def test_passengers_do_nothing_and_the_carrier_fires(self):
        game = on(LOADED + " s spg-9 in i\n", enemies="red B\n i9 inf-su 0401\n")
        refuse(game, "fire i i9", "P5.11", "carried")
        refuse(game, "fire i i9 with s", "P5.11", "carried")
        refuse(game, "move i 0301", "P5.11", "carried")
        assert allows(game, "fire c i9")

    @pytest.mark.rule("P5.11", "P8.2")
    @pytest.mark.refusal("P8.2")
    def test_no_opportunity_fire_from_under_a_carrier(self):
        game = begin(f"{ROW}\n{ROW}", LOADED + "red B\n i9 inf-su 0501\n", active="B")
        play(game, "move i9 0401")
        refuse(game, "fire i i9", "P8.2", "carried")
        assert allows(game, "fire c i9")


class TestCarrierAsTarget:
    """M1 (AP 4 dice on 4, 3 close by) at a BTR-70 (1 save die at 6)."""

    M1 = "blue A\n a m1 0201\n b m1 0201\n"

    def shot(self, dice, carrier="", infantry="", more="", weapon=""):
        forces = (
            f"{self.M1}red B morale 6\n c btr-70 0901 {carrier}\n i inf-su in c {infantry}\n{weapon}{more}"
        )
        game = begin(f"{ROW}\n{ROW}", forces, active="A")
        return game, play(game, f"fire a c [{dice}]")

    @pytest.mark.rule("P5.12", "P6.6")
    def test_passengers_are_disrupted_with_their_carrier(self):
        game, _ = self.shot("4 1 1 1 1")
        assert marks(game, "c") == {"disrupted"}
        assert marks(game, "i") == {"carried", "disrupted"}

    @pytest.mark.rule("P5.12", "P2.3")
    @pytest.mark.parametrize(("roll", "rallied"), [("2 4", True), ("3 4", False)])
    def test_and_rally_with_it_with_one_roll(self, roll, rallied):
        game, _ = self.shot("4 1 1 1 1")
        play(game, "end", f"draw [B {roll}]")
        assert ("disrupted" in marks(game, "c")) != rallied
        assert ("disrupted" in marks(game, "i")) != rallied

    @pytest.mark.rule("P5.12")
    @pytest.mark.parametrize(("die", "steps"), [(1, 2), (2, 1), (3, 2), (4, 1), (5, 2), (6, 1)])
    def test_a_step_lost_by_the_carrier_costs_one_on_an_even_die(self, die, steps):
        game, events = self.shot(f"4 4 1 1 1 {die}")
        assert unit(game, "c")["steps"] == 1
        assert unit(game, "i")["steps"] == steps
        assert ("passenger-hit" in codes(events)) == (steps == 1)
        assert "disrupted" in marks(game, "i")

    @pytest.mark.rule("P5.12")
    @pytest.mark.parametrize(("die", "survives"), [(1, True), (3, True), (5, True), (2, False), (4, False)])
    def test_a_carrier_eliminated(self, die, survives):
        game, _ = self.shot(f"4 4 4 1 1 {die}")
        assert where(game, "c") is None
        assert where(game, "i") == ("0901" if survives else None)
        if survives:
            assert marks(game, "i") == {"disrupted", "reduced"}
            assert aboard(game, "i") is None
        else:
            assert marks(game, "i") == {"eliminated"}

    @pytest.mark.rule("P5.12", "P0.3")
    def test_reduced_infantry_is_lost_with_its_carrier_without_a_die(self):
        game, events = self.shot("4 4 4 1 1", infantry="reduced")
        assert marks(game, "i") >= {"eliminated"}
        assert not {"passenger-hit", "passenger-safe"} & set(codes(events))

    @pytest.mark.rule("P5.12")
    @pytest.mark.parametrize(("die", "lost"), [(1, False), (2, True)])
    def test_reduced_infantry_loses_its_last_step_with_the_carriers(self, die, lost):
        game, _ = self.shot(f"4 4 1 1 1 {die}", infantry="reduced")
        assert ("eliminated" in marks(game, "i")) == lost

    @pytest.mark.rule("P5.12")
    def test_one_die_for_the_worst_result_of_the_attack(self):
        # Disrupted and a step in one attack, or all three: one die each time.
        for dice in ("4 4 1 1 1 1", "4 4 4 1 1 1", "4 4 4 4 1 1"):
            _, events = self.shot(dice)
            assert len(every(events, "passenger-safe")) == 1

    @pytest.mark.rule("P5.12", "P3.5")
    def test_the_support_weapon_shares_disruption_and_elimination_and_no_step(self):
        game, events = self.shot("4 4 1 1 1 2", weapon=" s spg-9 in i\n")
        assert unit(game, "s")["steps"] == 1
        assert marks(game, "s") == {"carried", "disrupted"}
        assert len(every(events, "passenger-hit")) == 1
        game, _ = self.shot("4 4 4 1 1 2", weapon=" s spg-9 in i\n")
        assert marks(game, "s") == {"eliminated"}
        game, _ = self.shot("4 4 4 1 1 1", weapon=" s spg-9 in i\n")
        assert (where(game, "s"), aboard(game, "s")) == ("0901", "i")

    @pytest.mark.rule("P5.12")
    def test_passengers_disrupted_before_lose_nothing_more_by_disruption(self):
        game, events = self.shot("4 1 1 1 1", infantry="disrupted")
        assert unit(game, "i")["steps"] == 2
        assert [fact["unit"] for fact in every(events, "disrupted")] == ["c"]

    @pytest.mark.rule("P5.12")
    @pytest.mark.refusal("P5.12")
    def test_passengers_are_no_targets(self):
        game = begin(f"{ROW}\n{ROW}", self.M1 + "red B\n c btr-70 0901\n i inf-su in c\n", active="A")
        refuse(game, "fire a i", "P5.12", "carried-target")

    @pytest.mark.rule("P5.12", "P6.8", "P9.3", "P0.3")
    def test_dice_fall_in_order_attacker_defender_passenger_hq(self):
        _, events = self.shot("4 4 1 1 2 3 6", more=" hq hq-su 0901\n")
        thrown = [(event.code, event.facts["faces"]) for event in events if event.facts.get("faces")]
        assert thrown == [("fire", [4, 4, 1, 1]), ("save", [2]), ("passenger-safe", [3]), ("hq-safe", [6])]

    @pytest.mark.rule("P5.12", "P9.3")
    def test_a_survivor_keeps_the_hq_on_the_map(self):
        game, events = self.shot("4 4 4 1 1 1 4", more=" hq hq-su 0901\n")
        assert facts(events, "hq-safe")["limit"] == 3
        assert where(game, "hq") == where(game, "i") == "0901"
        game, _ = self.shot("4 4 4 1 1 2", more=" hq hq-su 0901\n")
        assert where(game, "hq") is None


class TestSurvivorsOnTheMove:
    """A carrier with infantry aboard drives under the guns of two M1."""

    FORCES = "red B\n c btr-70 {} \n i inf-su in c\n d btr-70 0102\n"
    GUNS = "blue A\n a m1 1001\n b m1 1001\n"

    def game(self, place="0101", more=""):
        return begin(f"{ROW}\n{ROW}", self.GUNS + self.FORCES.format(place) + more, active="B")

    @pytest.mark.rule("P5.12", "P5.13")
    @pytest.mark.refusal("P8.1", "P4.6")
    def test_a_survivor_is_no_target_in_this_window_and_does_not_move_on(self):
        game = self.game()
        play(game, "move c 0201")
        play(game, "fire a c [4 4 4 1 1 1]")
        assert where(game, "i") == "0201"
        assert {"disrupted", "reduced", "finished"} <= marks(game, "i")
        assert game.decision.kind == "operations", "the window closed with its only target"
        refuse(game, "move i 0101", "P4.6", "finished")
        refuse(game, "load d i", "P5.3", "not-in-hex")

    @pytest.mark.rule("P5.12")
    @pytest.mark.refusal("P8.1")
    def test_while_another_target_keeps_the_window_open_the_survivor_is_safe(self):
        game = self.game("0102")
        play(game, "move c,d 0202", "fire a c [4 4 4 1 1 1]")
        assert game.decision.kind == "reaction"
        refuse(game, "fire b i", "P8.1", "did-not-enter")
        assert allows(game, "fire b d")

    @pytest.mark.rule("P5.13", "P3.4")
    def test_survivors_over_the_limit_go_to_the_hex_that_the_group_came_from(self):
        # 0201 is full and driven through; the carrier dies there.
        game = self.game(more=" e t-72 0201 ops-complete\n f t-72 0201 ops-complete\n")
        events = play(game, "move c 0201", "fire a c [4 4 4 1 1 1]")
        assert facts(events, "goes-back") == {"unit": "i", "from": "0201", "hex": "0101"}
        assert where(game, "i") == "0101"

    @pytest.mark.rule("P5.13", "P3.4")
    def test_or_are_eliminated_if_there_is_no_room(self):
        # Driving through one full hex after another, the carrier dies in the second.
        places = {"e": "0201", "f": "0201", "g": "0301", "h": "0301"}
        full = [f" {name} t-72 {place} ops-complete\n" for name, place in places.items()]
        game = self.game(more="".join(full))
        play(game, "move c 0201", "pass", "move c 0301")
        events = play(game, "fire a c [4 4 4 1 1 1]")
        assert [fact["unit"] for fact in every(events, "eliminated")] == ["c", "i"]
        assert [event.rule for event in events if event.code == "eliminated"] == ["P6.6", "P3.4"]

    @pytest.mark.rule("P5.12", "P4.6")
    def test_a_carrier_that_is_hit_keeps_its_passengers_from_getting_off(self):
        game = self.game("0102")
        play(game, "move c,d 0202", "fire a c [4 1 1 1 1]", "pass")
        assert marks(game, "i") == {"carried", "disrupted", "finished"}
        refuse(game, "unload c", "P4.6", "finished")

    @pytest.mark.rule("P5.12", "P4.6", "P4.1")
    def test_a_survivor_gets_ops_complete_when_the_activation_ends(self):
        game = self.game()
        play(game, "move c 0201", "fire a c [4 4 4 1 1 1]", "end")
        assert marks(game, "i") == {"disrupted", "reduced", "ops-complete"}
