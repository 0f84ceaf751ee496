"""Control and victory (P16)."""

import pytest

from hexengine.core.errors import ContentError, GameOver
from tests.rules.asking import codes, facts, where
from tests.rules.table import begin, play, to_the_cup

FIELD = "\n".join(["." * 8] * 3)
FORCES = """
blue A
    t1 m1 0101
red B
    t9 t-72 0801
"""


def goal(kind, side, **keys):
    """A ``[[victory]]`` table."""
    rows = [
        f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {str(value).lower()}"
        for key, value in keys.items()
    ]
    return "\n".join(["[[victory]]", f'kind = "{kind}"', f'side = "{side}"', *rows, ""]).replace("'", '"')


def at(*goals, forces=FORCES, **rest):
    return begin(FIELD, forces, more="\n".join(goals) + rest.pop("more", ""), **rest)


def end_turn(game):
    to_the_cup(game)
    return play(game, "draw [eot]", "draw [eot]")


def control(game):
    return game.state()["control"]


# -- control --------------------------------------------------------------------------------------


class TestControl:
    @pytest.mark.rule("P16.1")
    def test_the_side_that_last_moved_through_keeps_it(self):
        game = at(active="B", on_map={"control": {"0501": "blue"}})
        assert control(game)["0501"] == "blue"
        for place in ("0701", "0601", "0501", "0401"):
            play(game, f"move t9 {place}")
            if game.decision.kind == "reaction":
                play(game, "pass")
        assert [control(game)[place] for place in ("0501", "0401")] == ["red", "red"]
        end_turn(game)
        assert control(game)["0501"] == "red", "though nobody is there"

    @pytest.mark.rule("P16.1")
    def test_start_control_is_the_scenarios_and_where_units_stand(self):
        game = at(on_map={"control": {"0303": "red", "0101": "red"}})
        assert control(game) == {"0101": "blue", "0303": "red", "0801": "red"}

    @pytest.mark.rule("P16.1", "P15")
    def test_reinforcements_take_the_hex_they_enter(self):
        game = at(forces=FORCES.replace("red B", "    r1 m1 due 1 0103\nred B"), active="A")
        assert "0103" not in control(game)
        play(game, "enter r1 0103")
        assert control(game)["0103"] == "blue"

    @pytest.mark.rule("P16.1")
    def test_who_is_lost_in_a_hex_was_there(self):
        forces = "blue A\n t1 m1 0101\n t2 m1 0103\nred B\n t9 t-72 0401 disrupted reduced\n t8 t-72 0803\n"
        game = at(forces=forces, active="B")
        play(game, "move t9 0501")
        events = play(game, "fire t1 t9 [4 1 1 1 1 1]")
        assert "eliminated" in codes(events)
        assert control(game)["0501"] == "red"

    @pytest.mark.rule("P16.1")
    def test_an_enemy_that_sees_it_does_not_take_it(self):
        game = at(active="B")
        play(game, "move t9 0701", "fire t1 t9 [1 1 1 1]")
        assert control(game)["0701"] == "red"


# -- victory --------------------------------------------------------------------------------------


class TestPoints:
    @pytest.mark.rule("P16.2")
    def test_hold_gives_points_for_each_hex(self):
        game = at(
            goal("hold", "red", hexes=["0801", "0802"], points=3), goal("hold", "blue", hex="0101"), turns=1
        )
        assert game.state()["score"] == {"blue": 1, "red": 3}
        assert game.result is None
        events = end_turn(game)
        assert facts(events, "game-over") == {"winner": "red", "reason": "points", "margin": 2}
        assert game.result == {"winner": "red", "margin": 2, "reason": "points"}

    @pytest.mark.rule("P16.2")
    @pytest.mark.parametrize(("least", "points"), [(1, 5), (2, 0)])
    def test_hold_of_at_least_so_many_gives_them_once(self, least, points):
        game = at(goal("hold", "red", hexes=["0801", "0802", "0803"], at_least=least, points=5))
        assert game.state()["score"]["red"] == points

    @pytest.mark.rule("P16.2")
    def test_points_of_each_turn_add_up(self):
        game = at(goal("hold", "red", hex="0801", points=2, when="turn"), turns=3)
        for turn in (1, 2):
            end_turn(game)
            # Whoever was overlooked is waited for, so both formations are drawn in between.
            assert game.state()["score"]["red"] == 2 * turn
            play(game, "draw [A]", "end", "draw [B]", "end")
        play(game, "draw [eot]", "draw [eot]")
        assert game.result == {"winner": "red", "margin": 6, "reason": "points"}

    @pytest.mark.rule("P16.2")
    def test_steps_lost_since_the_start(self):
        forces = FORCES + "    t8 t-72 0301 reduced disrupted\n    t7 t-72 0302 disrupted\n"
        game = at(goal("steps", "blue", points=2), forces=forces, active="A")
        assert game.state()["score"] == {"blue": 0, "red": 0}, "what is reduced at the start is no loss"
        play(game, "fire t1 t8 [3 1 1 1 1 1]")
        assert game.state()["score"]["blue"] == 2
        game = at(goal("steps", "blue", points=2), forces=forces, active="A")
        play(game, "fire t1 t7 [3 3 1 1 1 1 1]")
        assert (where(game, "t7"), game.state()["score"]["blue"]) == (None, 4), "two steps"

    @pytest.mark.rule("P16.2", "P4.8")
    def test_a_step_lost_before_leaving_the_map_stays_lost(self):
        goals = goal("steps", "blue"), goal("exit", "red", hexes=["0801"])
        game = at(
            *goals, forces="blue A\n t1 m1 0101\nred B\n t9 t-72 0801 disrupted\n t8 t-72 0803\n", active="A"
        )
        play(game, "fire t1 t9 [4 1 1 1 1 1 1]", "draw [B 1 1]", "exit t9")
        assert game.state()["score"] == {"blue": 1, "red": 1}

    @pytest.mark.rule("P16.2", "P9.3")
    def test_hqs_eliminated(self):
        forces = FORCES + "    hq hq-su 0301\n    t8 t-72 0301 reduced disrupted\n"
        goals = goal("hq", "blue", points=4), goal("steps", "blue")
        game = at(*goals, forces=forces, active="A")
        play(game, "fire t1 t8 [3 1 1 1 1 1]")
        assert game.state()["score"]["blue"] == 5, "four for the HQ, one for the step, none for the HQ's own"

    @pytest.mark.rule("P16.2", "P4.8")
    def test_units_that_left_by_a_listed_hex(self):
        forces = "blue A\n c1 m2 0101\n i1 inf-us in c1\n hq hq-us 0101\n t2 m1 0103\nred B\n t9 t-72 0803\n"
        game = at(
            goal("exit", "blue", hexes=["0101"], points=2), goal("steps", "red"), forces=forces, active="A"
        )
        play(game, "exit hq,c1")
        assert game.state()["score"] == {"blue": 4, "red": 0}, "carrier and passenger; the HQ is no unit"

    @pytest.mark.rule("P16.2", "P4.8")
    def test_each_exit_counts_those_that_left_by_its_own_hexes(self):
        """Also later, when the activation in which they left is forgotten."""
        forces = "blue A\n t1 m1 0101\n c1 m2 0103\n i1 inf-us in c1\n t2 m1 0201\nred B\n t9 t-72 0803\n"
        near, far = goal("exit", "blue", hexes=["0101"], points=2), goal("exit", "blue", hex="0103", points=5)
        game = at(near, far, forces=forces, active="A")
        play(game, "exit t1")
        assert game.state()["score"]["blue"] == 2
        play(game, "exit c1")
        assert game.state()["score"]["blue"] == 2 + 2 * 5
        to_the_cup(game)
        assert game.state()["score"]["blue"] == 2 + 2 * 5

    @pytest.mark.rule("P16.2")
    def test_equal_points_and_no_conditions_are_a_draw(self):
        for goals in ([], [goal("hold", "red", hex="0801"), goal("hold", "blue", hex="0101")]):
            game = at(*goals, turns=1)
            end_turn(game)
            assert game.result == {"winner": None, "margin": 0, "reason": "points"}

    @pytest.mark.rule("P16.2")
    @pytest.mark.parametrize(
        ("points", "level"), [(1, None), (2, "marginal"), (4, "marginal"), (5, "decisive")]
    )
    def test_margins_have_names(self, points, level):
        levels = '[[level]]\nmargin = 5\nname = "decisive"\n[[level]]\nmargin = 2\nname = "marginal"\n'
        game = at(goal("hold", "red", hex="0801", points=points), more=levels, turns=1)
        end_turn(game)
        assert game.result.get("level") == level

    @pytest.mark.rule("P16.2")
    def test_after_the_end_there_is_nothing_to_order(self):
        game = at(turns=1)
        end_turn(game)
        assert (game.decision, game.orders()) == (None, [])
        assert game.state()["phase"] == "over"
        with pytest.raises(GameOver):
            game.play("draw")


class TestEarlyEnd:
    @pytest.mark.rule("P16.2")
    def test_an_objective_may_win_as_soon_as_nobody_is_on_the_move(self):
        game = at(goal("hold", "red", hex="0701", wins=True, at_once=True), active="B")
        play(game, "move t9 0701")
        if game.decision is not None and game.decision.kind == "reaction":
            play(game, "pass")
        assert game.decision is not None, "the group is still on the move"
        play(game, "done")
        assert game.decision is None
        assert (game.result["winner"], game.result["reason"]) == ("red", "objective")

    @pytest.mark.rule("P16.2")
    def test_at_once_for_both_is_for_nobody(self):
        """Where the same step fulfils both sides' objectives, neither has been first."""
        theirs = goal("hold", "red", hex="0801", wins=True, at_once=True)
        ours = goal("hold", "blue", hex="0101", wins=True, at_once=True)
        game = at(theirs, ours, active="B")
        assert game.decision is not None
        play(game, "end")
        assert game.decision is not None

    @pytest.mark.rule("P16.2")
    def test_an_objective_that_wins_does_so_at_the_turns_end(self):
        game = at(goal("hold", "red", hex="0701", wins=True), active="B")
        events = play(game, "move t9 0701", "pass")
        assert game.decision is not None
        events = end_turn(game)
        assert facts(events, "game-over")["reason"] == "objective"
        assert (game.result["winner"], game.state()["turn"]) == ("red", 1)

    @pytest.mark.rule("P16.2")
    def test_if_both_reach_theirs_the_game_goes_on(self):
        game = at(goal("hold", "red", hex="0801", wins=True), goal("hold", "blue", hex="0101", wins=True))
        end_turn(game)
        assert game.result is None

    LAST = """
    blue A
        t1 m1 0101
    red B
        t9 t-72 0401 disrupted reduced
    """

    @pytest.mark.rule("P16.2")
    def test_a_side_without_units_loses_at_the_turns_end(self):
        game = at(forces=self.LAST, active="A")
        play(game, "fire t1 t9 [3 1 1 1 1 1]")
        assert game.decision is not None, "not before"
        events = end_turn(game)
        assert facts(events, "game-over")["reason"] == "last-units"
        assert game.result["winner"] == "blue"

    @pytest.mark.rule("P16.2")
    def test_whatever_the_points_say(self):
        game = at(goal("hold", "red", hex="0401", points=50), forces=self.LAST, active="A")
        play(game, "fire t1 t9 [3 1 1 1 1 1]")
        end_turn(game)
        assert game.result == {"winner": "blue", "margin": 50, "reason": "last-units"}

    @pytest.mark.rule("P16.2")
    @pytest.mark.parametrize(("side", "level"), [("red", None), ("blue", "decisive")])
    def test_a_level_is_for_the_side_that_leads(self, side, level):
        decisive = '[[level]]\nmargin = 5\nname = "decisive"\n'
        place = {"red": "0401", "blue": "0101"}[side]
        game = at(goal("hold", side, hex=place, points=50), forces=self.LAST, more=decisive, active="A")
        play(game, "fire t1 t9 [3 1 1 1 1 1]")
        end_turn(game)
        assert (game.result["winner"], game.result.get("level")) == ("blue", level)

    @pytest.mark.rule("P16.2", "P15")
    @pytest.mark.parametrize("turn", [1, 2, 5])
    def test_not_while_units_are_due(self, turn):
        # Waiting off the map, due next turn, or later in the game.
        forces = self.LAST + f"        r1 t-72 due {turn} 0801\n"
        game = at(forces=forces, active="A")
        play(game, "fire t1 t9 [3 1 1 1 1 1]")
        end_turn(game)
        assert game.result is None


@pytest.mark.rule("P16.2")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (goal("hold", "red"), "needs a hex"),
        (goal("exit", "red"), "needs a hex"),
        (goal("hold", "green", hex="0101"), "no side 'green'"),
        (goal("hold", "red", hex="0901"), "column 09"),
        (goal("hold", "red", hexes=["0101"], at_least=2), "only one hex is listed"),
        (goal("steps", "red", wins=True), "only hold can win"),
        (goal("hold", "red", hex="0701", at_once=True), "only what wins can win at once"),
        (goal("steps", "red", when="turn"), "only hold can score each turn"),
    ],
)
def test_conditions_that_make_no_sense_are_faults(text, said):
    with pytest.raises(ContentError, match=said):
        at(text)
