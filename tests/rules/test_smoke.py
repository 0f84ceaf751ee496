"""Smoke (P12.4): how long it lies, and what it does to fire into, out of and through it."""

import pytest

from tests.rules.asking import codes, facts
from tests.rules.table import allows, begin, play, refuse

COLUMN = "\n".join("." * 12)
FIELD = "\n".join(["." * 12] * 3)
TANKS = "blue A\n a m1 0101\nred B\n t t-72 0107 ops-complete\n"


def to_hit(game, order):
    """The number that a shot must reach, and the parts of it that are due to smoke."""
    shot = facts(play(game, order), "fire")
    return shot["to_hit"], [part.value for part in shot["parts"] if part.code == "smoke"]


def column(smoke, forces=TANKS, **rest):
    """An M1 in 0101, a T-72 six hexes south of it; AP 4 dice on 4."""
    return begin(COLUMN, forces, active="A", on_map={"smoke": smoke, **rest})


def lying(game):
    """Smoke by hex."""
    return {place: what["smoke"] for place, what in game.state()["hexes"].items() if "smoke" in what}


class TestFire:
    @pytest.mark.rule("P12.4", "P6.3")
    @pytest.mark.parametrize(
        ("smoke", "more"),
        [
            ({"0101": 2}, 1),
            ({"0104": 2}, 1),
            ({"0107": 2}, 1),
            ({"0107": 1}, 1),
            ({"0108": 2}, 0),
            ({"0102": 2, "0105": 1}, 2),
        ],
    )
    def test_one_for_each_hex_out_of_through_and_into(self, smoke, more):
        game = column(smoke)
        assert to_hit(game, "fire a t [1 1 1 1]") == (4 + more, [more] if more else [])

    @pytest.mark.rule("P12.4", "P6.3")
    def test_beyond_six_it_takes_dice(self):
        game = column({"0101": 2, "0103": 2, "0107": 2})
        shot = facts(play(game, "fire a t [1 1 1]"), "fire")
        assert (shot["dice"], shot["to_hit"]) == (3, 6)

    @pytest.mark.rule("P12.4")
    @pytest.mark.refusal("P6.3")
    def test_enough_of_it_leaves_no_dice(self):
        game = column({f"01{row:02}": 2 for row in range(1, 8)})
        refuse(game, "fire a t", "P6.3", "no-dice-left")

    @pytest.mark.rule("P12.4")
    def test_adjacent_fire_too(self):
        game = column({"0101": 2, "0102": 1}, "blue A\n a m1 0101\nred B\n t t-72 0102 ops-complete\n")
        assert to_hit(game, "fire a t [1 1 1 1]") == (5, [2]), "4, short range -1, smoke +2"

    @pytest.mark.rule("P12.4", "P8.3")
    def test_opportunity_fire_too(self):
        game = begin(COLUMN, "blue A\n a m1 0101\nred B\n t t-72 0108\n", active="B",
                     on_map={"smoke": {"0104": 2}})  # fmt: skip
        play(game, "move t 0107")
        assert to_hit(game, "fire a t [1 1 1 1]") == (5, [1])

    @pytest.mark.rule("P12.4", "P10.1")
    def test_it_hides_nobody(self):
        game = column({"0103": 2, "0104": 2})
        assert allows(game, "fire a t")

    @pytest.mark.rule("P12.4", "P10.5")
    @pytest.mark.parametrize(
        ("smoke", "more"), [({"0201": 2}, 0), ({"0202": 2}, 0), ({"0201": 2, "0202": 2}, 1)]
    )
    def test_along_a_hexside_both_hexes_must_have_it(self, smoke, more):
        # From 0102 the line to 0302 runs along the side between 0201 and 0202.
        game = begin(FIELD, "blue A\n a m1 0102\nred B\n t t-72 0302 ops-complete\n", active="A",
                     on_map={"smoke": smoke})  # fmt: skip
        assert to_hit(game, "fire a t [1 1 1 1]")[1] == ([more] if more else [])

    @pytest.mark.rule("P12.4", "D1")
    def test_it_costs_no_mp(self):
        game = column({"0102": 2})
        assert facts(play(game, "move a 0102"), "move")["cost"] == 1

    @pytest.mark.rule("P12.4")
    def test_it_gives_no_save_dice(self):
        shot = play(column({"0107": 2}), "fire a t [5 1 1 1 1 1 1]")
        assert facts(shot, "save")["dice"] == 3


class TestTime:
    CALLED = "blue A smoke 2\n hq hq-us 0101\n a m1 0101\nred B\n t t-72 1203\n"

    @pytest.mark.rule("P12.4", "P1.7")
    def test_two_marker_removals(self):
        game = begin(FIELD, self.CALLED, active="A")
        play(game, "mission smoke 0502 [1]")
        assert lying(game) == {"0502": 2}
        play(game, "done", "end", "draw [B]", "end")
        events = play(game, "draw [eot]", "draw [eot]")
        assert "smoke-thins" in codes(events)
        assert lying(game) == {"0502": 1}
        play(game, "draw [eot]", "draw [eot]")
        assert lying(game) == {}
        assert game.state()["hexes"] == {}

    @pytest.mark.rule("P12.4")
    def test_new_smoke_renews_the_old(self):
        game = begin(FIELD, self.CALLED, active="A", on_map={"smoke": {"0502": 1}})
        play(game, "mission smoke 0502 [4]")
        assert lying(game) == {"0502": 2}

    @pytest.mark.rule("P12.4", "P12.3")
    def test_it_scatters_as_high_explosive_does(self):
        game = begin(FIELD, self.CALLED, active="A")
        play(game, "mission smoke 0502 [6 4]")
        assert lying(game) == {"0503": 2}


def test_what_is_told_of_a_line_through_smoke():
    game = column({"0101": 1, "0104": 2})
    at = game.board.grid.index
    look = game.system.sight(game.position, at("0101"), at("0107"))
    assert look.clear
    assert [(one.text, one.rule, one.blocks) for one in look.between] == [
        ("smoke in 0101: +1 to hit", "P12.4", False),
        ("smoke in 0104: +1 to hit", "P12.4", False),
    ]


def test_smoke_is_shown_by_its_age():
    game = column({"0103": 1, "0104": 2}, wrecks=["0104"])
    at = game.board.grid.index
    shown = game.system.view(game.position).marks
    assert shown == {at("0103"): ("thin-smoke",), at("0104"): ("smoke", "wreck")}
