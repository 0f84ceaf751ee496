"""Overrun (P7.1, P7.4): vehicles that drive through soft targets, and whether they go on.

Everything happens in column 2: vehicles in 0202, infantry in 0203, and 0204 on the far side.
"""

import pytest

from tests.rules.asking import codes, every, facts, marks, unit, where
from tests.rules.table import allows, begin, play, refuse

SPARE = "red Z\n z t-72 0106 ops-complete\n"
T72, INFANTRY = "blue A\n a t-72 0202\n", "red B\n d inf-us 0203 ops-complete\n"


def at(attackers=T72, defenders=INFANTRY, *, ground=".", beyond=".", spare=SPARE, **rest):
    """The operations of A, with MA 7 and one step from the infantry."""
    rows = ["...", "...", f".{ground}.", f".{beyond}.", "...", "..."]
    return begin("\n".join(rows), attackers + defenders + spare, active="A", **rest)


def dice(events):
    """Of each roll of a fight: dice, to-hit number, hits."""
    return [(one["dice"], one["to_hit"], one["hits"]) for one in every(events, "close-combat-dice")]


def few(mp, name="low"):
    """A vehicle with so many MP: HE 3 dice on 5, assault 2 on 5."""
    return (
        f'[[type]]\nid = "{name}"\nkind = "hard"\nmobility = "tracked"\nma = {mp}\narmour = "1/5"\n'
        'he = "5/3/5"\nassault = "2/5"\nflags = ["transport"]\n'
    )


class TestWhich:
    @pytest.mark.rule("P7.1", "P7.4")
    @pytest.mark.refusal("P7.1")
    @pytest.mark.parametrize("ground", [".", "s"])
    def test_vehicles_alone_against_soft_targets_alone_in_the_open(self, ground):
        game = at(ground=ground)
        assert allows(game, "overrun a 0203")
        refusal = refuse(game, "assault a 0203", "P7.1", "overrun-instead")
        assert str(refusal.alternative) == "overrun a 0203"

    @pytest.mark.rule("P7.1")
    @pytest.mark.refusal("P7.1")
    @pytest.mark.parametrize("ground", ["f", "r", "w", "t", "c", "u", "b"])
    def test_elsewhere_they_assault(self, ground):
        game = at(ground=ground)
        refusal = refuse(game, "overrun a 0203", "P7.1", "not-in-the-open")
        assert str(refusal.alternative) == "assault a 0203"

    @pytest.mark.rule("P7.1")
    def test_a_clear_hill_is_open(self):
        levels = "000\n000\n010\n000\n000\n000\n"
        game = at(on_map={"levels": levels.replace("\n", "\\n")})
        assert allows(game, "overrun a 0203")

    @pytest.mark.rule("P7.1")
    @pytest.mark.refusal("P7.1")
    @pytest.mark.parametrize(
        ("attackers", "defenders", "names"),
        [
            ("blue A\n a t-72 0202\n i inf-su 0202\n", INFANTRY, "a,i"),
            ("blue A\n i inf-su 0202\n", INFANTRY, "i"),
            (T72, INFANTRY + " e m1 0203 ops-complete\n", "a"),
            (T72, "red B\n e m113 0203 ops-complete\n i inf-us in e\n", "a"),
        ],
    )
    def test_mixed_forces_assault(self, attackers, defenders, names):
        game = at(attackers, defenders)
        refuse(game, f"overrun {names} 0203", "P7.1", "not-in-the-open")
        assert allows(game, f"assault {names} 0203")

    @pytest.mark.rule("P7.1", "P5.11")
    def test_loaded_carriers_are_vehicles_and_guns_soft_targets(self):
        game = at("blue A\n a bmp-2 0202\n i inf-su in a\n", "red B\n m mortar-120 0203 ops-complete\n")
        assert allows(game, "overrun a 0203")


class TestFarSide:
    @pytest.mark.rule("P7.4")
    @pytest.mark.refusal("P7.4")
    @pytest.mark.parametrize(("mp", "enough"), [(2, False), (3, True)])
    def test_the_mp_to_leave_again(self, mp, enough):
        game = at("blue A\n a low 0202\n b low 0202\n", more=few(mp))
        if enough:
            assert allows(game, "overrun a,b 0203")
            return
        refusal = refuse(game, "overrun a,b 0203", "P7.4", "far-side-too-far")
        assert (refusal.facts["cost"], refusal.facts["left"]) == (3, 2)
        assert allows(game, "assault a,b 0203"), "then it is fought as an assault"

    @pytest.mark.rule("P7.4", "P5.5")
    @pytest.mark.refusal("P7.4")
    def test_of_every_vehicle_and_of_half_the_allowance_after_loading(self):
        game = at("blue A\n a low 0202\n i inf-su 0202\n", more=few(4))
        assert allows(game, "overrun a 0203")
        play(game, "load a i")
        refuse(game, "overrun a 0203", "P7.4", "far-side-too-far")

    @pytest.mark.rule("P7.4")
    @pytest.mark.refusal("P7.4")
    @pytest.mark.parametrize("what", ["lake", "river", "edge", "full"])
    def test_a_far_side_that_cannot_be_left_to(self, what):
        attackers, defenders, place, rest = T72, INFANTRY, "0203", {}
        if what == "lake":
            rest["beyond"] = "l"
        elif what == "river":
            rest["on_map"] = {"rivers": ["0203/0204"]}
        elif what == "edge":
            defenders, place = "red B\n d inf-us 0201 ops-complete\n", "0201"
        else:
            attackers += " x t-72 0204 ops-complete\n y t-72 0204 ops-complete\n"
        game = at(attackers, defenders, **rest)
        code = "far-side-full" if what == "full" else "no-far-side"
        refusal = refuse(game, f"overrun a {place}", "P7.4", code)
        assert str(refusal.alternative) == f"assault a {place}"

    @pytest.mark.rule("P7.4")
    def test_an_enemy_held_far_side_takes_the_mp_of_another_fight(self):
        beyond = " e inf-us 0204 ops-complete\n"
        assert allows(at("blue A\n a low 0202\n", INFANTRY + beyond, more=few(3)), "overrun a 0203")
        game = at("blue A\n a low 0202\n", INFANTRY + beyond, beyond="r", more=few(3))
        assert allows(game, "assault a 0203")


class TestFight:
    @pytest.mark.rule("P7.4")
    def test_he_dice_one_better_against_assault_dice(self):
        # T-72 HE 5/3/5; infantry 4 dice on 4, with no help against vehicles in the open.
        game = at()
        events = play(game, "overrun a 0203 [4 3 1 4 3 1 1]")
        assert facts(events, "overrun") == {"units": ["a"], "from": "0202", "hex": "0203", "cost": 2}
        assert dice(events) == [(3, 4, 1), (4, 4, 1)]
        rolls = every(events, "close-combat-dice")
        assert [(part.code, part.value) for part in rolls[0]["parts"]] == [("printed", 5), ("overrun", -1)]

    @pytest.mark.rule("P7.4", "P7.3.4")
    def test_disrupted_infantry_hits_on_6(self):
        game = at(defenders="red B\n d inf-us 0203 disrupted\n")
        assert dice(play(game, "overrun a 0203 [1 1 1 5 5 5 6]"))[1] == (4, 6, 1)

    @pytest.mark.rule("P7.4", "P9.4")
    def test_leadership_helps(self):
        game = at("blue A\n h hq-us 0202\n a m60a3 0202\n")
        assert dice(play(game, "overrun a,h 0203 [1 1 1 1 1 1 1 1 1]"))[0] == (5, 4, 0)

    @pytest.mark.rule("P7.4", "P7.2")
    @pytest.mark.refusal("P7.2")
    def test_not_without_he(self):
        game = at("blue A\n a brdm-2-at-5 0202\n")
        refuse(game, "overrun a 0203", "P7.2", "no-assault-dice")

    @pytest.mark.rule("P7.4", "P5.11")
    def test_passengers_take_no_part(self):
        game = at("blue A\n a bmp-2 0202\n i inf-su in a\n")
        assert len(dice(play(game, "overrun a 0203 [1 1 1 1 1 1 1]"))) == 2

    @pytest.mark.rule("P7.4", "P11.1")
    def test_an_improved_position_helps_the_infantry(self):
        game = at(on_map={"positions": ["0203"]})
        assert facts(play(game, "overrun a 0203 [4 1 1 1 1 1 1]"), "assault-lost")["made"] == 0


class TestAfterwards:
    WON = "overrun a 0203 [4 1 1 1 1 1 1]"

    @pytest.mark.rule("P4.4", "P7.4", "P16.1")
    def test_winners_drive_on(self):
        game = at(on_map={"control": {"0203": "red"}})
        play(game, "move a 0102", "move a 0202", self.WON)
        assert (game.decision.kind, unit(game, "a")["spent"]) == ("group", 8)
        assert where(game, "d") == "0204", "the infantry retreats to the far side"
        play(game, "move a 0303", "move a 0304")
        assert where(game, "a") == "0304"
        assert game.state()["control"]["0203"] == "blue"

    @pytest.mark.rule("P7.4")
    def test_further_overruns_included(self):
        game = at()
        play(game, self.WON)
        events = play(game, "overrun a 0204 [4 1 1 1 1 1 1]")
        assert dice(events)[1] == (4, 6, 0), "the infantry is Disrupted by now"
        assert marks(game, "d") >= {"reduced"}
        assert (where(game, "a"), where(game, "d")) == ("0204", "0205")

    @pytest.mark.rule("P7.4", "P7.3.10")
    def test_wiped_out_infantry_is_out_of_the_way(self):
        game = at(defenders="red B\n d inf-us 0203 disrupted steps=1\n")
        play(game, "overrun a 0203 [4 1 1 1 1]", "move a 0204")
        assert where(game, "a") == "0204"

    @pytest.mark.rule("P7.4", "P6.1")
    @pytest.mark.refusal("P6.1")
    def test_who_has_overrun_does_not_fire_as_well(self):
        game = at("blue A\n a m1 0202\n", spare=SPARE + "red Y\n y t-72 0105 ops-complete\n")
        play(game, self.WON)
        refuse(game, "fire a y", "P6.1", "has-fought")
        assert allows(game, "move a 0303")

    @pytest.mark.rule("P7.4", "P4.6")
    @pytest.mark.refusal("P4.6")
    def test_a_vehicle_that_was_hit_stops_in_the_hex(self):
        game = at("blue A\n a t-72 0202\n b t-72 0202\n")
        play(game, "overrun a,b 0203 [4 4 1 1 1 1 4 1 1 1 4]")
        assert (where(game, "a"), where(game, "b")) == ("0203", "0203")
        refuse(game, "move b 0303", "P4.6", "finished")
        assert allows(game, "move a 0303")

    @pytest.mark.rule("P7.4", "P7.3.8")
    @pytest.mark.refusal("P4.3")
    def test_losers_go_back_and_stop(self):
        game = at("blue A\n a t-72 0202\n b t-72 0201\n")
        events = play(game, "overrun a 0203 [1 1 1 1 1 1 1]")
        assert facts(events, "thrown-back") == {"units": ["a"], "from": "0203", "hex": "0202"}
        refuse(game, "move a 0102", "P2.5", "finished")

    @pytest.mark.rule("P7.4", "P7.3.9", "P4.1")
    def test_ops_complete_at_the_end(self):
        game = at()
        play(game, self.WON, "done")
        assert marks(game, "a") == {"ops-complete"}

    @pytest.mark.rule("P7.4", "P9.1")
    def test_the_hq_drives_on_with_them(self):
        game = at("blue A\n h hq-us 0202\n a m60a3 0202\n")
        play(game, "overrun a,h 0203 [4 1 1 1 1 1 1 1 1]")
        assert allows(game, "move h,a 0303")

    @pytest.mark.rule("P7.5", "P7.4")
    def test_fire_comes_first_and_who_is_hit_returns(self):
        game = at("blue A\n a t-72 0202\n b t-72 0202\n", "red B\n d inf-us 0203\n")
        events = play(game, "overrun a,b 0203", "fire d a [4 1 1 1 1 4 1 1 1 1 1 1]")
        assert "turned-back" in codes(events)
        assert dice(events)[0] == (3, 4, 1)
        assert (where(game, "a"), where(game, "b")) == ("0202", "0203")
        assert allows(game, "move b 0303")
