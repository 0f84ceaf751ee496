"""Which turns and hexes decide, on games made up so that the answers can be counted by hand."""

from __future__ import annotations

from statistics import NormalDist

import pytest

from hexengine.lab.course import CounterLosses, Course, TurnEnd, labels
from hexengine.lab.decisive import decisive, in_bins, span_of
from hexengine.lab.play import GameResult, Losses
from tests.lab.helpers import small

LOST = {
    "red": {"r1": CounterLosses(1, 0), "r2": CounterLosses(0, 0)},
    "blue": {"b1": CounterLosses(2, 1), "b2": CounterLosses(0, 0)},
}


def made_up(number, winner, *ends):
    """A game with such ends of turns: the lead of red, and the hexes that red and blue hold."""
    places = labels(small())
    turns = []
    for turn, (lead, red, blue) in enumerate(ends, 1):
        control = "".join("0" if name in red else "1" if name in blue else "." for name in places)
        turns.append(TurnEnd(turn, (max(lead, 0), max(-lead, 0)), control))
    score = dict(zip(("red", "blue"), turns[-1].score, strict=True))
    losses = {"red": Losses(1, 0), "blue": Losses(2, 1)}
    players = {"red": "fox", "blue": "owl"}
    course = Course(tuple(turns), LOST)
    return GameResult(
        number, number, players, False, winner, "turns", 1, score, len(turns), 9, "", losses, course=course
    )


def games():
    """Forty games: who holds 0202 after turn 1 wins; 0303 says nothing; 0101 is always red's."""
    found = []
    for number in range(40):
        red_wins, luck = number % 2 == 0, number % 4 < 2
        key = ("0202",) if red_wins else ()
        hill = ("0303",) if luck else ()
        red = {*key, *hill, "0101"}
        blue = {"0202", "0303"} - red
        first = 2 if luck else -1
        found.append(
            made_up(
                number, "red" if red_wins else "blue", (first, red, blue), (3 if red_wins else -2, red, blue)
            )
        )
    return found


def test_a_hex_that_decides_is_found_and_no_other():
    found = decisive(small(), games())
    (row,) = found.hexes
    assert (row.hex, row.turn, row.held) == ("0202", 1, (20, 20))
    assert row.correlation == pytest.approx(1)
    assert row.swing == 1
    assert 0.7 < row.low < 1 == row.high
    assert row.by_turn == pytest.approx((1, 1))
    assert found.map["0202"] == pytest.approx(1)
    assert abs(found.map.get("0303", 0)) < 1e-9
    assert "0101" not in found.map
    assert 0.3 < found.threshold < 0.6
    # Two hexes, each after two turns: one false alarm in twenty among four looks, in forty games.
    assert found.threshold == pytest.approx(NormalDist().inv_cdf(1 - 0.025 / 4) / 40**0.5)


def test_turns():
    one, two = decisive(small(), games()).turns
    assert (one.turn, one.games, one.changes) == (1, 40, 0)
    assert one.lead == pytest.approx(0.5)
    assert one.correlation == pytest.approx(0, abs=1e-9)
    assert one.leader_wins == 0.5
    assert one.decided == 0.5, "half of the winners were ahead from the first turn on"
    assert two.correlation == pytest.approx(1)
    assert (two.leader_wins, two.decided) == (1, 1)
    assert two.changes == 0.5


def test_a_tie_does_not_end_a_lead():
    some = [made_up(number, "red", (1, (), ()), (0, (), ()), (2, (), ())) for number in range(10)]
    turns = decisive(small(), some).turns
    assert [row.changes for row in turns] == [0, 0, 0]
    assert [row.decided for row in turns] == [1, 1, 1]
    assert turns[1].leader_wins is None
    assert turns[0].correlation is None, "of so few games nothing is said"


def test_who_was_behind_and_won_all_the_same_was_never_ahead():
    """Where nobody of the other side is left points do not tell the winner: no turn decided such a game."""
    some = [made_up(number, "red" if number else "blue", (1, (), ()), (2, (), ())) for number in range(20)]
    assert [row.decided for row in decisive(small(), some).turns] == [0.95, 0.95]


def test_the_more_is_compared_the_more_it_takes_to_stand_out():
    """Two hexes after two turns are four comparisons: 2.5 % over four on either side, of forty games."""
    assert decisive(small(), games()).threshold == pytest.approx(2.4977 / 40**0.5, abs=1e-4)


def test_games_that_ended_early_are_not_in_later_turns():
    some = [*games(), *[made_up(50 + number, "red", (1, (), ())) for number in range(10)]]
    assert [row.games for row in decisive(small(), some).turns] == [50, 40]


def test_losses_and_leads():
    found = decisive(small(), games())
    assert [
        (row.side, row.name, row.fielded, row.all_steps, row.units, row.steps) for row in found.losses
    ] == [
        ("red", "r1", 1, 2, 0, 1),
        ("red", "r2", 1, 2, 0, 0),
        ("blue", "b1", 1, 2, 1, 2),
        ("blue", "b2", 1, 2, 0, 0),
    ]
    assert found.lead.games == {-2: 20, 3: 20}
    assert found.lead.mean == 0.5


def test_bins():
    assert in_bins({-1: 2, 0: 1, 2: 5}, 9) == [(-1, -1, 2), (0, 0, 1), (1, 1, 0), (2, 2, 5)]
    bins = in_bins({-9: 1, -8: 1, 0: 4, 1: 1, 3: 2}, 5)
    assert bins == [(-9, -7, 2), (-6, -4, 0), (-3, -1, 0), (0, 0, 4), (1, 3, 3)]
    assert span_of(-9, -7, " .. ") == "-9 .. -7"
    assert (span_of(0, 0, "-"), span_of(2, 2, "-")) == ("0", "+2")


def test_one_game_is_enough():
    found = decisive(small(), games()[:1])
    assert found.hexes == ()
    assert found.lead.deviation == 0
