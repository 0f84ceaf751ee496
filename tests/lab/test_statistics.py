"""Intervals and means, against answers known from elsewhere and against what defines them."""

from __future__ import annotations

from math import isclose, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexengine.lab.statistics import Z95, mean, wilson


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        (5, 10, 0.236593, 0.763407),
        (8, 10, 0.490162, 0.943318),
        (0, 10, 0.0, 0.277533),
        (10, 10, 0.722467, 1.0),
        (1, 1, 0.206549, 1.0),
    ],
)
def test_known_intervals(wins, games, low, high):
    assert wilson(wins, games) == pytest.approx((low, high), abs=1e-6)


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_published_intervals(wins, games, low, high):
    """R. G. Newcombe, Statistics in Medicine 17 (1998), method 3."""
    assert wilson(wins, games) == pytest.approx((low, high), abs=6e-5)


@given(st.integers(1, 100_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_each_bound_is_as_many_standard_errors_away(case):
    """What defines the interval: its bounds p solve |p - wins / games| = z sqrt(p (1 - p) / games)."""
    wins, games = case
    share = wins / games
    low, high = wilson(wins, games)
    assert 0 <= low <= share <= high <= 1
    for bound in (low, high):
        error = Z95 * sqrt(bound * (1 - bound) / games)
        assert isclose(abs(bound - share), error, rel_tol=1e-6, abs_tol=1e-9)


@pytest.mark.parametrize("games", [1, 7, 50, 333, 1000])
def test_who_never_or_always_wins_may_do_so_for_ever(games):
    """These bounds are exact, without what rounding leaves."""
    assert wilson(0, games)[0] == 0
    assert wilson(games, games)[1] == 1


@given(st.integers(0, 500), st.integers(0, 500))
def test_who_loses_has_the_mirror_image(wins, losses):
    low, high = wilson(wins, wins + losses)
    other_low, other_high = wilson(losses, wins + losses)
    assert (low, high) == pytest.approx((1 - other_high, 1 - other_low), abs=1e-9)


def test_a_wider_interval_holds_more():
    low, high = wilson(12, 20, 2.5758293035489)
    assert low < wilson(12, 20)[0]
    assert high > wilson(12, 20)[1]


def test_of_no_games_nothing_is_known():
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(("wins", "games"), [(1, 0), (-1, 5), (6, 5)])
def test_impossible_counts_are_refused(wins, games):
    with pytest.raises(ValueError, match="cannot be"):
        wilson(wins, games)


def test_means():
    assert mean([1, 2, 6]) == 3.0
    assert mean(iter([4])) == 4.0
    assert mean([]) is None
