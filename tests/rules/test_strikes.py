"""Air strikes (P13.3): who is attacked, who may fire at the aircraft first, and what a strike does."""

import pytest

from tests.rules.asking import codes, facts, marks
from tests.rules.table import allows, begin, play, refuse

FIELD = "\n".join(["." * 12] * 5)
FORCES = """
blue A
    hq hq-us 0103
    a  m1    0103
red B
    t t-72 0803
    i inf-su 0804
"""
STRIKES = {"strikes": {"blue": 2}}


def at(forces=FORCES, terrain=FIELD, **rest):
    """Blue may call two strikes."""
    return begin(terrain, forces, active="A", head=rest.pop("head", STRIKES), **rest)


class TestStrike:
    @pytest.mark.rule("P13.3", "P2.4")
    def test_four_dice_on_four_with_saves(self):
        game = at()
        assert game.decision.kind == "missions"
        events = play(game, "strike t [4 5 6 1 5 1 1]")
        attack = facts(events, "strike-attacks")
        assert (attack["dice"], attack["to_hit"], attack["hits"]) == (4, 4, 3)
        assert marks(game, "t") == {"disrupted", "reduced"}
        assert game.state()["strikes"] == {"blue": 1}

    @pytest.mark.rule("P13.3")
    def test_one_unit_alone(self):
        game = at(FORCES.replace("0804", "0803"))
        play(game, "strike i [4 1 1 1]")
        assert (marks(game, "i"), marks(game, "t")) == ({"disrupted"}, set())

    @pytest.mark.rule("P13.3", "P6.4", "P11.1")
    def test_cover_and_position_help(self):
        woods = "\n".join(["............", "............", ".......w....", "............"])
        game = at(FORCES.replace("0804", "0904"), terrain=woods, on_map={"positions": ["0803"]})
        events = play(game, "strike t [4 1 1 1 1 1 1 1]")
        assert facts(events, "save")["dice"] == 4
        assert marks(game, "t") == set()

    @pytest.mark.rule("P13.3", "P12.4")
    def test_smoke_over_the_target_hinders(self):
        game = at(on_map={"smoke": {"0803": 2, "0503": 2}})
        assert facts(play(game, "strike t [1 1 1 1]"), "strike-attacks")["to_hit"] == 5

    @pytest.mark.rule("P13.3")
    def test_any_formation_of_the_side_and_as_often_as_there_are_strikes(self):
        game = at()
        play(game, "strike t [1 1 1 1]", "strike t [1 1 1 1]")
        assert game.decision.kind == "operations"
        assert game.state()["strikes"] == {"blue": 0}

    @pytest.mark.rule("P13.3")
    @pytest.mark.refusal("P13.3")
    def test_none_left(self):
        forces = FORCES.replace("blue A", "blue A he 1") + "    hr hq-su 0804\n"
        game = at(forces, head={"strikes": {"red": 1}})
        refuse(game, "strike t", "P13.3", "no-strikes-left")

    @pytest.mark.rule("P13.3", "P6.1")
    @pytest.mark.refusal("P6.1")
    def test_at_enemy_units_only(self):
        game = at(FORCES + "    hr hq-su 0803\n    b btr-70 0805\n    p inf-su in b\n")
        refuse(game, "strike a", "P6.1", "own-target")
        refuse(game, "strike hr", "P6.1", "not-a-unit")
        refuse(game, "strike p", "P5.12", "carried-target")

    @pytest.mark.rule("P13.3", "P12.2")
    @pytest.mark.refusal("P12.2")
    def test_an_observer_must_see_the_hex(self):
        walled = "\n".join(["......w....."] * 5)
        game = at(FORCES + "    n t-72 0603\n", terrain=walled)
        refusal = refuse(game, "strike t", "P12.2", "not-observed")
        assert str(refusal.alternative) == "strike n"

    @pytest.mark.rule("P13.3", "P9.3")
    def test_the_hq_with_the_unit_may_suffer(self):
        game = at(FORCES + "    hr hq-su 0803\n")
        events = play(game, "strike t [4 1 1 1 1 1 1 1]")
        assert "hq-hit" in codes(events)

    @pytest.mark.rule("P13.3")
    def test_nobody_to_attack_is_nothing_to_choose(self):
        walled = "\n".join(["......w....."] * 5)
        assert at(terrain=walled).decision.kind == "operations"


AA = """
blue A
    hq hq-us 0103
    a  m1    0103
red B
    t t-72 0803
    z zsu-23-4 {}
    u t-72 1205
"""


class TestAirDefence:
    @pytest.mark.rule("P13.3", "P8.3")
    def test_one_hit_turns_the_strike_away(self):
        game = at(AA.format("1105"))
        events = play(game, "strike t")
        assert codes(events) == ["strike"]
        assert (game.decision.kind, game.decision.side) == ("reaction", "red")
        assert game.state()["phase"] == "reaction"
        events = play(game, "intercept z [3 1 1 1]")
        assert facts(events, "intercepted")["to_hit"] == 3, "4, short range -1"
        assert marks(game, "t") == set()
        assert marks(game, "z") == {"ops-complete"}
        assert (game.decision.kind, game.decision.side) == ("missions", "blue")
        assert game.state()["strikes"] == {"blue": 1}

    @pytest.mark.rule("P13.3")
    def test_without_a_hit_it_goes_in(self):
        game = at(AA.format("1105"))
        play(game, "strike t")
        events = play(game, "intercept z [1 1 1 2 4 4 1 1 1 1 1]")
        assert codes(events)[:2] == ["not-intercepted", "strike-attacks"]
        assert marks(game, "t") == {"disrupted", "reduced"}

    @pytest.mark.rule("P13.3", "P8.5")
    def test_it_may_be_let_through(self):
        game = at(AA.format("1105"))
        play(game, "strike t")
        play(game, "pass [4 1 1 1 1 1 1]")
        assert marks(game, "t") == {"disrupted"}
        assert marks(game, "z") == set()

    @pytest.mark.rule("P13.3")
    def test_each_unit_in_range_may_fire(self):
        game = at(AA.format("1105") + "    y zsu-23-4 1005\n")
        play(game, "strike t", "intercept z [1 1 1 1]")
        assert game.decision.kind == "reaction"
        play(game, "intercept y [6 1 1 1]")
        assert marks(game, "t") == set()

    @pytest.mark.rule("P13.3", "P8.2")
    @pytest.mark.parametrize("mark", ["ops-complete", "disrupted"])
    def test_only_unmarked_and_in_good_order(self, mark):
        game = at(AA.format(f"1105 {mark}"))
        assert "strike-attacks" in codes(play(game, "strike t [1 1 1 1]"))

    @pytest.mark.rule("P13.3")
    @pytest.mark.refusal("P13.3")
    def test_what_is_refused(self):
        game = at(AA.format("1105") + "    y zsu-23-4 1005 ops-complete\n")
        play(game, "strike t")
        refuse(game, "move t 0903", "P13.3", "strike-incoming")
        refuse(game, "fire z a", "P13.3", "strike-incoming")
        refusal = refuse(game, "intercept u", "P13.3", "no-anti-aircraft")
        assert str(refusal.alternative) == "intercept z"
        refuse(game, "intercept y", "P8.2", "ops-complete-reaction")
        refuse(game, "intercept a", "P8.2", "not-yours")
        refuse(game, "intercept z with y", "P3.5", "not-its-weapon")
        refuse(game, "intercept z lead", "P9.4", "no-leadership")

    @pytest.mark.rule("P13.3")
    @pytest.mark.refusal("P13.3")
    def test_range_is_that_of_the_aa_block_and_no_sight_is_needed(self):
        row = "\n".join(["....w" + "." * 23] * 3)
        forces = (
            "blue A\n hq hq-us 0102\n a m1 0102\nred B\n t t-72 0402\n z zsu-23-4 2002\n y zsu-23-4 2102\n"
        )
        game = at(forces, terrain=row)
        play(game, "strike t")
        assert allows(game, "intercept z"), "twice the printed range, at a penalty"
        refuse(game, "intercept y", "P13.3", "strike-out-of-range")
        assert facts(play(game, "intercept z [5 1 1 1]"), "intercepted")["to_hit"] == 5

    @pytest.mark.rule("P13.3")
    def test_in_its_own_hex_it_is_at_short_range(self):
        game = at(AA.format("0803"))
        play(game, "strike t")
        assert facts(play(game, "intercept z [3 1 1 1]"), "intercepted")["to_hit"] == 3

    @pytest.mark.rule("P13.3", "P3.5")
    def test_missile_teams_fire_with_their_infantry(self):
        forces = AA.format("1105 ops-complete") + "    p inf-su 1005 reduced\n    s sa-7 in p\n"
        game = at(forces)
        play(game, "strike t")
        assert [str(order) for order in game.orders()] == ["intercept p with s", "pass"]
        events = play(game, "intercept p with s [4 1]")
        assert facts(events, "intercepted") == {
            "unit": "p", "with": "s", "dice": 2, "to_hit": 4, "faces": [4, 1], "hits": 1,
        }  # fmt: skip
        assert marks(game, "p") == {"reduced", "ops-complete"}

    @pytest.mark.rule("P13.3", "P9.4")
    def test_an_hq_may_lead(self):
        game = at(AA.format("1105") + "    hr hq-su 1105\n")
        play(game, "strike t")
        assert [str(order) for order in game.orders()] == ["intercept z", "intercept z lead", "pass"]
        assert facts(play(game, "intercept z lead [1 1 1 1 3]"), "intercepted")["dice"] == 5

    @pytest.mark.rule("P13.3")
    def test_chances_with_a_decision_between(self):
        game = at(AA.format("1105"))
        assert [one.probability for one in game.odds("strike t")] == [1]
        play(game, "strike t")
        # Four dice on 3 and more: one in 81 misses with all.
        away = next(one for one in game.odds("intercept z") if not one.result["units"].get("t"))
        assert away.probability > 1 - 1 / 81


@pytest.mark.rule("P13.3")
def test_strikes_are_shown():
    game = at()
    assert [(one.side, one.group, one.kind, one.left) for one in game.system.view(game.position).support] == [
        (0, "", "strike", 2)
    ]
