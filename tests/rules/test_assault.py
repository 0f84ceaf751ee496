"""Assault (P7.1 to P7.3, P7.5): entering an enemy hex, both sides' dice, hits, and who leaves the hex.

Everything happens in column 2 of a small map: attackers in 0202, defenders in 0203, and 0204 beyond.
"""

import pytest

from hexengine.core.errors import ChanceError
from tests.rules.asking import codes, every, facts, marks, unit, where
from tests.rules.table import allows, begin, play, refuse

FIELD = ["...", "...", "...", "...", "..."]
SPARE = "red Z\n z t-72 0105 ops-complete\n"
T72, M1 = "blue A\n a t-72 0202\n", "red B\n d m1 0203 ops-complete\n"


def at(attackers=T72, defenders=M1, *, ground=".", beyond=".", behind=".", spare=SPARE, **rest):
    """The operations of A, about to attack 0203; no defender of the default may fire first."""
    rows = list(FIELD)
    rows[0], rows[2], rows[3] = f".{behind}.", f".{ground}.", f".{beyond}."
    return begin("\n".join(rows), attackers + defenders + spare, active="A", **rest)


def dice(events):
    """Of each roll of a fight: dice, to-hit number, hits."""
    return [(one["dice"], one["to_hit"], one["hits"]) for one in every(events, "close-combat-dice")]


def parts(events):
    """Of each roll of a fight: what its to-hit number is made of."""
    return [[(part.code, part.value) for part in one["parts"]] for one in every(events, "close-combat-dice")]


def control(game, place="0203"):
    return game.state()["control"].get(place)


def kind(name, **keys):
    """A type of a counter for one test."""
    values = {"mobility": "tracked", "armour": "1/5", "assault": "3/4", **keys}
    lines = [
        f"{key} = {value if isinstance(value, (int, list)) else repr(value)}" for key, value in values.items()
    ]
    return "\n".join(["[[type]]", f'id = "{name}"', *lines, ""])


# -- the examples of the rules --------------------------------------------------------------------


class TestExamples:
    @pytest.mark.rule("P7.3", "P7.3.1", "P7.3.7", "P7.3.8")
    def test_an_attacker_wins_and_the_defender_cannot_retreat_into_a_lake(self):
        game = at(beyond="l")
        events = play(game, "assault a 0203 [5 2 1 3 1 2 3]")
        assert dice(events) == [(3, 4, 1), (4, 4, 0)]
        assert facts(events, "assault-won") == {"side": "blue", "hex": "0203", "made": 1, "taken": 0}
        assert marks(game, "d") == {"eliminated"}
        assert (where(game, "a"), marks(game, "a")) == ("0203", {"ops-complete"})

    @pytest.mark.rule("P7.3.7", "P7.3.8", "P7.3.9")
    def test_a_tie_is_the_defenders(self):
        game = at()
        events = play(game, "assault a 0203 [5 2 1 4 1 2 3]")
        assert facts(events, "assault-lost")["made"] == facts(events, "assault-lost")["taken"] == 1
        assert (where(game, "a"), where(game, "d")) == ("0202", "0203")
        assert marks(game, "a") == {"disrupted", "ops-complete"}
        assert marks(game, "d") == {"disrupted", "ops-complete"}

    @pytest.mark.rule("P7.3.2", "P7.3.3")
    def test_infantry_in_a_city_against_a_tank(self):
        game = at(defenders="red B\n d inf-us 0203 ops-complete steps=1\n", ground="c")
        events = play(game, "assault a 0203 [1 1 1 2 1]")
        assert dice(events)[1] == (2, 2, 1), "to hit 4-1-1, and a 1 never hits"
        assert parts(events)[1] == [("printed", 4), ("vehicles", -1), ("city", -1)]

    @pytest.mark.rule("P7.3.6")
    @pytest.mark.parametrize(("die", "twice", "once"), [(3, "d", "e"), (4, "e", "d")])
    def test_two_defenders_and_three_hits(self, die, twice, once):
        game = at(defenders="red B\n d m1 0203 ops-complete\n e m1 0203 ops-complete\n")
        events = play(game, f"assault a 0203 [4 4 4 1 1 1 1 1 1 1 1 {die}]")
        assert facts(events, "hit-left-over") == {"unit": twice, "faces": [die]}
        assert (unit(game, twice)["steps"], unit(game, once)["steps"]) == (1, 2)
        assert "disrupted" in marks(game, twice) & marks(game, once)


# -- who may, and how -----------------------------------------------------------------------------


class TestEntering:
    @pytest.mark.rule("P4.4", "P7.2")
    @pytest.mark.refusal("P7.2", "P4.4")
    def test_an_empty_hex_is_moved_into_and_an_enemy_hex_assaulted(self):
        game = at()
        refuse(game, "assault a 0201", "P7.2", "nobody-to-fight")
        refusal = refuse(game, "move a 0203", "P4.4", "enemy-held")
        assert str(refusal.alternative) == "assault a 0203"
        assert allows(game, "assault a 0203")

    @pytest.mark.rule("P7.2")
    @pytest.mark.parametrize("state", ["disrupted", "ops-complete", "reduced"])
    def test_whatever_the_state_of_the_defenders(self, state):
        assert allows(at(defenders=f"red B\n d t-72 0203 {state}\n"), "assault a 0203")

    @pytest.mark.rule("P7.2")
    @pytest.mark.refusal("P7.2")
    def test_not_by_disrupted_units(self):
        game = at("blue A\n a t-72 0202 disrupted\n b t-72 0202\n")
        refuse(game, "assault a 0203", "P7.2", "disrupted-assault")
        refuse(game, "assault a,b 0203", "P7.2", "disrupted-assault")
        assert allows(game, "assault b 0203")

    @pytest.mark.rule("P2.2.4", "P7.2")
    @pytest.mark.refusal("P2.2.4")
    def test_not_out_of_command(self):
        game = at("blue A\n a t-72 0202 out-of-command\n b t-72 0201\n")
        refuse(game, "assault a 0203", "P2.2.4", "out-of-command")

    @pytest.mark.rule("P7.2", "P5.11")
    @pytest.mark.refusal("P5.11")
    def test_not_by_passengers(self):
        game = at("blue A\n a btr-70 0202\n i inf-su in a\n")
        refuse(game, "assault i 0203", "P5.11", "carried")

    @pytest.mark.rule("P7.2")
    @pytest.mark.refusal("P7.2")
    def test_not_without_a_die_but_along_with_one(self):
        game = at("blue A\n a m901 0202\n b m1 0202\n")
        refuse(game, "assault a 0203", "P7.2", "no-assault-dice")
        assert allows(game, "assault a,b 0203")

    @pytest.mark.rule("P7.2", "P9.1")
    @pytest.mark.refusal("P9.1")
    def test_the_hq_goes_along_with_the_last_unit(self):
        game = at("blue A\n h hq-us 0202\n a m1 0202\n")
        refuse(game, "assault h 0203", "P9.1", "hq-alone")
        refuse(game, "assault a 0203", "P9.1", "hq-left-alone")
        assert allows(game, "assault h,a 0203")

    @pytest.mark.rule("P7.2")
    @pytest.mark.refusal("P4.2", "P4.3")
    def test_one_step_by_units_of_one_hex(self):
        game = at("blue A\n a t-72 0202\n b t-72 0103\n")
        refuse(game, "assault a 0204", "P4.2", "not-adjacent")
        refuse(game, "assault a,b 0203", "P4.3", "different-hexes")

    @pytest.mark.rule("P7.2", "P4.2")
    @pytest.mark.refusal("P4.2")
    def test_the_hex_is_paid_for_as_always(self):
        game = at("blue A\n a t-72 0101\n", ground="w", defenders="red B\n d t-72 0203 ops-complete\n")
        play(game, "move a 0102", "move a 0101", "move a 0102", "move a 0202")
        assert facts(play(game.copy(), "assault a 0203 [1 1 1 1 1 1]"), "assault")["cost"] == 3
        play(game, "move a 0201")
        refuse(game, "assault a 0203", "P4.2", "not-adjacent")
        play(game, "move a 0202")
        refuse(game, "assault a 0203", "P4.2", "too-few-mp")

    @pytest.mark.rule("P7.2", "P4.2")
    @pytest.mark.refusal("P4.2")
    def test_not_over_a_river(self):
        refuse(at(on_map={"rivers": ["0202/0203"]}), "assault a 0203", "P4.2", "prohibited")

    @pytest.mark.rule("P7.2", "P4.4")
    @pytest.mark.refusal("P4.3")
    def test_it_ends_the_move(self):
        game = at("blue A\n a t-72 0202\n b t-72 0201\n")
        play(game, "assault a 0203 [4 4 4 1 1 1 1]")
        assert game.decision.kind == "operations"
        refuse(game, "move a 0204", "P2.5", "finished")
        assert allows(game, "move b 0202")

    @pytest.mark.rule("P7.2")
    def test_after_a_move_and_with_a_part_of_the_group(self):
        game = at("blue A\n a t-72 0201\n b t-72 0201\n")
        play(game, "move a,b 0202", "assault a 0203 [4 4 4 1 1 1 1]")
        assert game.decision.kind == "group"
        play(game, "move b 0102", "move b 0103")
        assert where(game, "b") == "0103"

    @pytest.mark.rule("P7.2")
    def test_units_of_two_hexes_fight_one_after_the_other(self):
        game = at("blue A\n a t-72 0201\n b t-72 0201\n")
        play(game, "move a,b 0102", "move a 0202", "move b 0103")
        first = play(game, "assault a 0203 [1 1 1 1 1 1 1]")
        second = play(game, "assault b 0203 [4 4 4 1 1 1 1]")
        assert (dice(first)[0][0], dice(second)[0][0]) == (3, 3)
        assert (where(game, "a"), where(game, "b")) == ("0202", "0203")

    @pytest.mark.rule("P5.10", "P7.2")
    def test_with_the_one_hex_after_unloading(self):
        # Infantry of MA 2 in woods that cost it 1; its carrier has driven and stays behind.
        game = at("blue A\n c bmp-2 0201\n i inf-su in c\n")
        play(game, "move c 0202", "unload c")
        play(game, "assault i 0203 [5 5 1 1 1 1 1 1]")
        assert (where(game, "i"), where(game, "c")) == ("0203", "0202")

    @pytest.mark.rule("P5.10", "P7.2")
    def test_the_one_hex_whatever_it_costs(self):
        # Infantry whose MA of 1 would not do for the marsh.
        more = kind("foot", kind="soft", mobility="leg", ma=1, flags=["infantry"])
        attackers = "blue A\n c bmp-2 0202\n i foot in c\n"
        game = at(attackers, ground="m", defenders="red B\n d inf-us 0203 ops-complete\n", more=more)
        play(game, "unload c")
        assert facts(play(game, f"assault i 0203 [{' '.join('1' * 7)}]"), "assault")["cost"] == 2
        assert marks(game, "i") == {"finished"}


# -- dice -----------------------------------------------------------------------------------------


class TestDice:
    @pytest.mark.rule("P7.3.1")
    def test_each_side_rolls_for_all_its_units(self):
        game = at("blue A\n a t-72 0202\n b bmp-2 0202\n", "red B\n d m1 0203 ops-complete steps=1\n")
        events = play(game, "assault a,b 0203 [1 1 1 1 1 1 1]")
        assert dice(events) == [(3, 4, 0), (2, 5, 0), (2, 4, 0)]

    @pytest.mark.rule("P7.3.1", "P7.3.5")
    @pytest.mark.parametrize("thrown", ["1 1 1 1 1 1", "1 1 1 1 1 1 1 1"])
    def test_no_dice_but_these(self, thrown):
        game = at(ground="w")
        before = game.digest
        with pytest.raises(ChanceError):
            play(game, f"assault a 0203 [{thrown}]")
        assert game.digest == before

    @pytest.mark.rule("P7.3.2")
    @pytest.mark.parametrize(
        ("defenders", "to_hit"),
        [("d m1 0203 ops-complete", 4), ("d inf-us 0203 ops-complete", 5),
         ("d m1 0203 ops-complete\n e inf-us 0203 ops-complete", 5)],
    )  # fmt: skip
    def test_infantry_that_assaults_vehicles_only(self, defenders, to_hit):
        game = at("blue A\n a inf-su 0202\n", f"red B\n {defenders}\n")
        events = play(game, f"assault a 0203 [{' '.join('1' * (4 + 4 * defenders.count('ops')))}]")
        assert dice(events)[0] == (4, to_hit, 0)

    @pytest.mark.rule("P7.3.2")
    @pytest.mark.parametrize(
        ("attackers", "to_hit"), [("a t-72 0202", 3), ("a t-72 0202\n b inf-su 0202", 4)]
    )
    def test_infantry_that_defends_against_vehicles_only(self, attackers, to_hit):
        game = at(f"blue A\n {attackers}\n", "red B\n d inf-us 0203 ops-complete\n", ground="w")
        names = ",".join(line.split()[0] for line in attackers.splitlines())
        number = 3 + 4 + (4 if "b" in names else 0)
        events = play(game, f"assault {names} 0203 [{' '.join('1' * number)}]")
        assert dice(events)[-1] == (4, to_hit, 0)

    @pytest.mark.rule("P7.3.2")
    def test_guns_are_no_infantry(self):
        game = at(defenders="red B\n d mortar-120 0203 ops-complete\n", ground="w")
        assert dice(play(game, "assault a 0203 [1 1 1 1]"))[1] == (1, 5, 0)

    @pytest.mark.rule("P7.3.3")
    @pytest.mark.parametrize(("ground", "to_hit"), [("c", 3), ("t", 4), ("u", 4)])
    def test_only_a_city_helps_and_both_sides_infantry(self, ground, to_hit):
        game = at("blue A\n a inf-su 0202\n", ground=ground)
        assert dice(play(game, "assault a 0203 [1 1 1 1 1 1 1 1]"))[0][1] == to_hit

    @pytest.mark.rule("P7.3.4")
    def test_disrupted_defenders_hit_on_6_only(self):
        game = at(
            defenders="red B\n d inf-us 0203 disrupted ops-complete\n e m1 0203 ops-complete\n", ground="c"
        )
        events = play(game, "assault a 0203 [1 1 1 5 5 5 6 1 1 1 1]")
        assert dice(events)[1:] == [(4, 6, 1), (4, 4, 0)]
        assert parts(events)[1] == [("printed", 4), ("disrupted", 2)], "and no help against vehicles"

    @pytest.mark.rule("P7.3.5")
    def test_both_sides_hits_count_at_the_same_time(self):
        game = at("blue A\n a t-72 0202 steps=1\n", "red B\n d m1 0203 disrupted steps=1 ops-complete\n")
        events = play(game, "assault a 0203 [4 1 6 6]")
        assert (marks(game, "a"), marks(game, "d")) == ({"eliminated"}, {"eliminated"})
        assert facts(events, "nobody-left")["hex"] == "0203"

    @pytest.mark.rule("P7.3.5", "P11.1")
    def test_no_saves_and_no_dice_for_cover(self):
        events = play(at(ground="u"), "assault a 0203 [4 1 1 1 1 1 1]")
        assert "save" not in codes(events)

    @pytest.mark.rule("P11.1", "P7.3.7")
    def test_an_improved_position_cancels_one_hit(self):
        game = at(on_map={"positions": ["0203"]})
        events = play(game, "assault a 0203 [4 1 1 1 1 1 1]")
        assert facts(events, "position-helps") == {"hex": "0203"}
        assert facts(events, "assault-lost")["made"] == 0
        assert marks(game, "d") == {"ops-complete"}

    @pytest.mark.rule("P11.1")
    def test_it_serves_the_defenders_alone(self):
        game = at(on_map={"positions": ["0203", "0202"]})
        assert facts(play(game, "assault a 0203 [1 1 1 4 1 1 1]"), "assault-lost")["taken"] == 1


class TestLeadership:
    @pytest.mark.rule("P9.4", "P7.3.1")
    def test_it_adds_dice_to_the_unit_that_makes_most_of_it(self):
        game = at("blue A\n h hq-us 0202\n a m113 0202\n b m2 0202\n")
        events = play(game, f"assault a,b,h 0203 [{' '.join('1' * 9)}]")
        assert dice(events) == [(1, 5, 0), (4, 4, 0), (4, 4, 0)]
        assert facts(events, "leadership") == {"hq": "h", "unit": "b", "dice": 2}

    @pytest.mark.rule("P9.4")
    def test_in_each_assault_whatever_else_it_has_done(self):
        game = at("blue A\n h hq-us 0202\n a m1 0202\n b m1 0202\n")
        play(game, "fire a d lead [1 1 1 1 1 1]")
        assert dice(play(game, "assault b,h 0203 [1 1 1 1 1 1 1 1 1 1]"))[0] == (6, 4, 0)

    @pytest.mark.rule("P9.4", "P7.3.1")
    def test_defenders_are_led_unless_they_are_marked(self):
        game = at(defenders="red B\n h hq-us 0203\n d m1 0203\n")
        assert dice(play(game, "assault a 0203", "pass [1 1 1 1 1 1 1 1 1]"))[1] == (6, 4, 0)
        game = at(defenders="red B\n h hq-us 0203\n d m1 0203 ops-complete\n")
        assert dice(play(game, "assault a 0203 [1 1 1 1 1 1 1]"))[1] == (4, 4, 0)
        game = at(defenders="red B\n h hq-us 0203\n d m1 0203 disrupted\n")
        assert dice(play(game, "assault a 0203 [1 1 1 1 1 1 1 1 1]"))[1] == (6, 6, 0)

    @pytest.mark.rule("P9.4")
    def test_only_by_the_hq_of_the_own_formation(self):
        game = at(
            defenders="red B\n h hq-us 0203\n d m113 0203 ops-complete\nred C\n e m1 0203 ops-complete\n"
        )
        assert dice(play(game, f"assault a 0203 [{' '.join('1' * 8)}]"))[1:] == [(1, 5, 0), (4, 4, 0)]


# -- hits -----------------------------------------------------------------------------------------


class TestHits:
    PAIR = "blue A\n a t-72 0202\n b t-72 0202\n"

    @pytest.mark.rule("P7.3.6")
    def test_equal_shares_take_no_die(self):
        game = at(self.PAIR, "red B\n d m1 0203 ops-complete\n e m1 0203 ops-complete\n")
        play(game, f"assault a,b 0203 [4 4 1 1 1 1 {' '.join('1' * 8)}]")
        assert marks(game, "d") == marks(game, "e") == {"disrupted", "ops-complete"}

    @pytest.mark.rule("P7.3.6", "P7.3.7")
    def test_surplus_hits_decide_but_no_die_is_thrown_for_them(self):
        weak = "d m1 0203 disrupted steps=1 ops-complete\n e m1 0203 disrupted steps=1 ops-complete\n"
        game = at(defenders=f"red B\n {weak}")
        events = play(game, "assault a 0203 [4 4 4 1 1 1 1]")
        assert facts(events, "assault-won")["made"] == 3
        assert marks(game, "d") == marks(game, "e") == {"eliminated"}

    @pytest.mark.rule("P7.3.10")
    def test_who_is_wiped_out_has_lost_whatever_the_hits(self):
        game = at(defenders="red B\n d m1 0203 disrupted steps=1 ops-complete\n")
        events = play(game, "assault a 0203 [4 1 1 6 6]")
        assert facts(events, "assault-won") == {"side": "blue", "hex": "0203", "made": 1, "taken": 2}
        assert where(game, "a") == "0203"

    @pytest.mark.rule("P7.3.10")
    def test_attackers_wiped_out_have_lost(self):
        game = at("blue A\n a t-72 0202 steps=1\n b t-72 0201\n")
        events = play(game, "assault a 0203 [4 4 4 4 1 1]")
        assert facts(events, "assault-lost") == {"side": "blue", "hex": "0203", "made": 2, "taken": 2}
        assert [event.rule for event in events if event.code == "assault-lost"] == ["P7.3.10"]
        assert (marks(game, "a"), where(game, "d")) == ({"eliminated"}, "0203")

    @pytest.mark.rule("P5.11", "P5.12")
    def test_passengers_do_not_fight_but_share_the_losses(self):
        game = at("blue A\n c btr-70 0202 disrupted\n a btr-70 0202\n i inf-su in a\n")
        events = play(game, "assault a 0203 [1 4 4 1 1 2]")
        assert dice(events)[0] == (1, 5, 0)
        assert facts(events, "passenger-hit")["faces"] == [2]
        assert marks(game, "i") == {"carried", "disrupted", "reduced", "finished"}


# -- HQs ------------------------------------------------------------------------------------------


class TestHeadquarters:
    DEFENDED = "red B\n h hq-us 0203\n d m1 0203 ops-complete\n e m1 0203 ops-complete\n"

    @pytest.mark.rule("P9.3", "P6.8")
    def test_one_die_for_an_attack_however_many_are_hit(self):
        game = at(defenders=self.DEFENDED)
        events = play(game, f"assault a 0203 [4 4 1 {' '.join('1' * 8)} 1]")
        assert facts(events, "hq-hit") == {"hq": "h", "hex": "0203", "faces": [1], "limit": 1}

    @pytest.mark.rule("P9.3")
    def test_three_or_less_if_a_unit_has_died(self):
        game = at(defenders=self.DEFENDED.replace("d m1 0203", "d m1 0203 disrupted steps=1"))
        events = play(game, f"assault a 0203 [4 4 1 {' '.join('1' * 6)} 3]")
        assert facts(events, "hq-hit")["limit"] == 3

    @pytest.mark.rule("P9.3")
    def test_without_any_unit_it_is_lost(self):
        game = at(defenders="red B\n h hq-us 0203\n d m1 0203 disrupted steps=1 ops-complete\n")
        play(game, "assault a 0203 [4 1 1 1 1]")
        assert marks(game, "h") == {"eliminated"}

    @pytest.mark.rule("P7.3.8", "P9.1")
    def test_it_retreats_with_its_unit(self):
        game = at(defenders="red B\n h hq-us 0203\n d m1 0203 ops-complete\n")
        events = play(game, "assault a 0203 [4 1 1 1 1 1 1 6]")
        assert (where(game, "h"), where(game, "d")) == ("0204", "0204")
        assert [told["unit"] for told in every(events, "retreat")] == ["d", "h"], "each change is an event"

    @pytest.mark.rule("P7.3.8", "P3.4", "P9.1")
    def test_beside_another_hq_there_is_no_room_for_it(self):
        spare = "red C\n k hq-us 0204\n x m1 0204 ops-complete\n"
        game = at(defenders="red B\n h hq-us 0203\n d m1 0203 ops-complete\n", spare=spare)
        play(game, "assault a 0203 [4 1 1 1 1 1 1 6]")
        assert (where(game, "d"), marks(game, "h")) == ("0204", {"eliminated"})

    @pytest.mark.rule("P9.1", "P7.3.8")
    def test_the_attackers_hq_goes_in_and_comes_back_with_them(self):
        game = at("blue A\n h hq-us 0202\n a m60a3 0202\n")
        play(game, f"assault a,h 0203 [{' '.join('1' * 9)}]")
        assert (where(game, "h"), where(game, "a")) == ("0202", "0202")


# -- leaving the hex ------------------------------------------------------------------------------


class TestLeaving:
    WON = "assault a 0203 [4 1 1 1 1 1 1]"

    @pytest.mark.rule("P7.3.8")
    def test_beaten_defenders_go_straight_on(self):
        game = at()
        events = play(game, self.WON)
        assert facts(events, "retreat") == {"unit": "d", "from": "0203", "hex": "0204"}
        assert (where(game, "a"), where(game, "d")) == ("0203", "0204")

    @pytest.mark.rule("P7.3.8")
    def test_in_the_direction_of_the_attack(self):
        game = at("blue A\n a t-72 0303\n")
        play(game, "assault a 0203 [4 1 1 1 1 1 1]")
        assert where(game, "d") == "0104"

    @pytest.mark.rule("P7.3.8")
    @pytest.mark.parametrize("beyond", ["lake", "river", "enemy", "full", "edge"])
    def test_eliminated_where_they_cannot(self, beyond):
        attackers, defenders, rest = T72, M1, {}
        if beyond == "lake":
            rest["beyond"] = "l"
        elif beyond == "river":
            rest["on_map"] = {"rivers": ["0203/0204"]}
        elif beyond == "enemy":
            attackers = T72 + " n t-72 0204\n"
        elif beyond == "full":
            defenders = M1 + " y m1 0204 ops-complete\n x m1 0204 ops-complete\n"
        else:
            game = at("blue A\n a t-72 0202\n", "red B\n d m1 0201 ops-complete\n")
            play(game, "assault a 0201 [4 1 1 1 1 1 1]")
            assert marks(game, "d") == {"eliminated"}
            return
        game = at(attackers, defenders, **rest)
        events = play(game, self.WON)
        assert marks(game, "d") == {"eliminated"}
        assert [event.rule for event in events if event.code == "eliminated"] == ["P7.3.8"]
        assert game.state()["hexes"]["0203"] == {"wreck": True}

    @pytest.mark.rule("P7.3.8", "P14.3")
    def test_nobody_swims_in_a_retreat(self):
        game = at(defenders="red B\n d btr-70 0203 ops-complete\n", beyond="l")
        play(game, "assault a 0203 [4 1 1 1]")
        assert marks(game, "d") == {"eliminated"}

    @pytest.mark.rule("P7.3.8", "P3.4")
    def test_room_for_one_is_for_the_upper(self):
        defenders = M1 + " e m1 0203 ops-complete\n x m1 0204 ops-complete\n"
        game = at(defenders=defenders)
        play(game, f"assault a 0203 [4 1 1 {' '.join('1' * 8)} 6]")
        assert (where(game, "d"), marks(game, "e")) == ("0204", {"eliminated"})

    @pytest.mark.rule("P7.3.8", "P5.11")
    def test_passengers_retreat_with_their_carrier(self):
        game = at(defenders="red B\n d m2 0203 ops-complete\n i inf-us in d\n")
        play(game, "assault a 0203 [4 1 1 1 1]")
        assert (where(game, "d"), where(game, "i")) == ("0204", "0204")

    @pytest.mark.rule("P7.3.9")
    def test_defenders_neither_gain_nor_lose_a_marker(self):
        game = at(defenders="red B\n d m1 0203 disrupted\n e m1 0203 ops-complete\n")
        play(game, f"assault a 0203 [1 1 1 {' '.join('1' * 8)}]")
        assert marks(game, "d") == {"disrupted"}
        assert marks(game, "e") == {"ops-complete"}

    @pytest.mark.rule("P3.4", "P7.3.8")
    def test_over_the_limit_where_they_are_thrown_back_to_they_go_on_back(self):
        # a passes through the full hex 0202, whose units have acted, and could go on to 0103.
        full = "blue A\n a t-72 0201\n b t-72 0202 ops-complete\n c t-72 0202 ops-complete\n"
        game = at(full)
        play(game, "move a 0202")
        events = play(game, f"assault a 0203 [{' '.join('1' * 7)}]")
        assert facts(events, "goes-back") == {"unit": "a", "from": "0202", "hex": "0201"}

    @pytest.mark.rule("P3.4", "P7.2")
    @pytest.mark.refusal("P3.4")
    def test_a_hex_over_the_limit_may_be_left_by_assault_but_that_is_no_way_on(self):
        full = "blue A\n a t-72 0201\n b t-72 0202 ops-complete\n c t-72 0202 ops-complete\n"
        game = at(full)
        play(game, "move a 0202")
        refuse(game, "done", "P3.4", "over-the-limit")
        assert allows(game, "assault a 0203")
        # With MA 2 a comes to 0202 with 1 MP left: it could only attack, for the woods behind cost 3.
        more = kind("slow", kind="hard", ma=2)
        rivers = {"rivers": ["0202/0102", "0202/0302", "0202/0103", "0202/0303"]}
        game = at(full.replace("a t-72", "a slow"), more=more, on_map=rivers, behind="w")
        refuse(game, "move a 0202", "P3.4", "hex-full")

    @pytest.mark.rule("P16.1")
    def test_the_winner_controls_the_hex_and_the_beaten_the_one_beyond(self):
        game = at(on_map={"control": {"0203": "red", "0204": "blue"}})
        play(game, self.WON)
        assert (control(game), control(game, "0204")) == ("blue", "red")

    @pytest.mark.rule("P16.1")
    def test_who_was_thrown_back_was_not_in_the_hex(self):
        game = at(on_map={"control": {"0203": "red"}})
        play(game, "assault a 0203 [1 1 1 1 1 1 1]")
        assert control(game) == "red"

    @pytest.mark.rule("P7.3.10", "P16.1")
    def test_an_empty_hex_stays_with_whom_it_was(self):
        game = at(
            "blue A\n a t-72 0202 steps=1\n b t-72 0201\n",
            "red B\n d m1 0203 disrupted steps=1 ops-complete\n",
            on_map={"control": {"0203": "red"}},
        )
        play(game, "assault a 0203 [4 1 6 6]")
        assert control(game) == "red"


# -- opportunity fire before ----------------------------------------------------------------------


class TestFireBefore:
    """The defender may shoot: its AP has 4 dice, 3 at range 1; T-72 saves 3 dice on 5."""

    READY = "red B\n d m1 0203\n"

    @pytest.mark.rule("P7.5", "P4.5")
    def test_the_window_opens_when_the_cost_is_paid(self):
        game = at(defenders=self.READY)
        events = play(game, "assault a 0203")
        assert (codes(events), game.decision.kind, game.decision.side) == (["assault"], "reaction", "red")
        assert unit(game, "a")["spent"] == 2

    @pytest.mark.rule("P7.5")
    def test_defenders_shoot_at_range_1_and_still_defend(self):
        game = at(defenders=self.READY)
        events = play(game, "assault a 0203", "fire d a [2 2 2 2 4 1 1 1 1 1 1]")
        assert (facts(events, "fire")["distance"], facts(events, "fire")["to_hit"]) == (1, 3)
        assert dice(events) == [(3, 4, 1), (4, 4, 0)]
        assert where(game, "a") == "0203"

    @pytest.mark.rule("P7.5")
    def test_others_shoot_at_the_range_of_the_entered_hex(self):
        game = at(defenders=M1 + " o m1 0205\n")
        events = play(game, "assault a 0203", "fire o a [2 2 2 2 4 1 1 1 1 1 1]")
        assert facts(events, "fire")["distance"] == 2
        assert facts(events, "fire")["to"] == "0203"

    @pytest.mark.rule("P7.5", "P4.6")
    def test_who_is_hit_takes_no_part_and_returns(self):
        game = at("blue A\n a t-72 0202\n b t-72 0202\n", self.READY)
        events = play(game, "assault a,b 0203", "fire d a [3 1 1 1 1 1 1 4 1 1 1 1 1 1]")
        assert facts(events, "turned-back") == {"units": ["a"], "from": "0203", "hex": "0202"}
        assert dice(events)[0] == (3, 4, 1), "b alone fights"
        assert (where(game, "a"), where(game, "b")) == ("0202", "0203")
        assert {"disrupted", "ops-complete"} == marks(game, "a")

    @pytest.mark.rule("P7.5")
    def test_without_anybody_left_there_is_no_fight(self):
        game = at("blue A\n a t-72 0202\n b t-72 0201\n", self.READY, on_map={"control": {"0203": "red"}})
        events = play(game, "assault a 0203", "fire d a [3 1 1 1 1 1 1]")
        assert not dice(events)
        assert (where(game, "a"), control(game)) == ("0202", "red")

    @pytest.mark.rule("P7.5", "P9.1")
    def test_the_hq_returns_with_its_last_unit(self):
        game = at("blue A\n h hq-us 0202\n a m60a3 0202\n", self.READY)
        play(game, "assault a,h 0203", "fire d a [3 1 1 1 1 1 1 6]")
        assert (where(game, "h"), where(game, "a")) == ("0202", "0202")

    @pytest.mark.rule("P7.5", "P5.12")
    def test_a_passenger_that_survives_its_carrier_returns(self):
        game = at("blue A\n c btr-70 0202\n i inf-su in c\n", self.READY)
        play(game, "assault c 0203", "fire d c [3 3 3 1 1 3]")
        assert (marks(game, "c"), where(game, "i")) == ({"eliminated"}, "0202")
        assert {"disrupted", "reduced"} <= marks(game, "i")

    @pytest.mark.rule("P7.5", "P6.4")
    def test_the_cover_of_the_hex_counts_but_not_its_improved_position(self):
        game = at(defenders=self.READY, ground="w", on_map={"positions": ["0203"]})
        events = play(game, "assault a 0203", "fire d a [3 1 1 1 1 1 1 1]")
        assert facts(events, "save")["dice"] == 4
        assert "position-cancels" not in codes(events)
        assert "disrupted" in marks(game, "a")

    @pytest.mark.rule("P8.1", "P7.3.8")
    def test_retreats_draw_no_fire(self):
        game = at("blue A\n a t-72 0202\n w t-72 0205\n")
        play(game, "assault a 0203 [4 1 1 1 1 1 1]")
        assert game.decision.side == "blue"

    @pytest.mark.rule("P7.5", "P12.5")
    @pytest.mark.refusal("P12.5")
    def test_nearest_ranges_hold_in_the_hex_too(self):
        game = at("blue A\n a inf-su 0202\n", self.READY + " m mortar-120 0203\n")
        play(game, "assault a 0203")
        refuse(game, "fire m a", "P12.5", "too-near")
