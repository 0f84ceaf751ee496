"""Ratings: known strengths are found again, and errors are as large as they say."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from hexengine.lab.ratings import ELO, Met, _chance, _derivatives, inverted, ratings
from tests.long import often


def games(strengths, advantages, number, dice, draws=0.0):
    """Results of so many games of all, with either of two players on the first side."""
    found = []
    for place, advantage in enumerate(advantages):
        for one, two in combinations(range(len(strengths)), 2):
            for first, second in ((one, two), (two, one)):
                chance = _chance((strengths[first] - strengths[second] + advantage) / ELO)
                score = 0.0
                for _ in range(number):
                    score += 0.5 if dice.random() < draws else float(dice.random() < chance)
                found.append(Met(place, first, second, number, score))
    return found


def test_known_strengths_are_found_again():
    truth, sides = (-150.0, 0.0, 150.0), (80.0, -200.0)
    found, advantages = ratings(3, 2, games(truth, sides, 4000, random.Random(1)))
    for rating, strength in zip((*found, *advantages), (*truth, *sides), strict=True):
        assert rating.elo == pytest.approx(strength, abs=1.5 * rating.error)
        assert rating.error < 12
    assert sum(rating.elo for rating in found) == pytest.approx(0, abs=1e-6)


def test_errors_hold_the_truth_in_95_of_100_cases():
    truth, sides = (-60.0, -20.0, 80.0), (100.0,)
    dice = random.Random(2)
    held = 0
    runs = often(150, 1000)
    for _ in range(runs):
        found, _ = ratings(3, 1, games(truth, sides, 60, dice))
        held += sum(
            abs(rating.elo - strength) <= rating.error for rating, strength in zip(found, truth, strict=True)
        )
    assert 0.92 < held / (3 * runs) < 0.98


def test_the_information_is_the_curvature():
    """Against differences of the slope."""
    x, met = [0.3, -0.2, 0.1, 0.5], games((50.0, -50.0, 0.0), (30.0,), 20, random.Random(3))
    _, curve = _derivatives(3, x, met)
    for i in range(4):
        up, down = ([*x[:i], x[i] + step, *x[i + 1 :]] for step in (1e-5, -1e-5))
        slopes = _derivatives(3, up, met)[0], _derivatives(3, down, met)[0]
        for j in range(4):
            assert curve[i][j] == pytest.approx((slopes[1][j] - slopes[0][j]) / 2e-5, abs=1e-4)


def test_who_has_won_all_games_is_not_endlessly_strong():
    found, _ = ratings(2, 1, [Met(0, 0, 1, 20, 20.0), Met(0, 1, 0, 20, 0.0)])
    assert 200 < found[0].elo < 600
    assert found[0].error > 80


def test_even_players_are_even():
    found, advantages = ratings(2, 1, [Met(0, 0, 1, 50, 25.0), Met(0, 1, 0, 50, 25.0)])
    assert [rating.elo for rating in (*found, *advantages)] == pytest.approx([0, 0, 0], abs=1e-6)


def test_inverted():
    matrix = [[0.0, 2.0, 1.0], [1.0, 0.0, 3.0], [4.0, 1.0, 0.0]]
    inverse = inverted(matrix)
    for i in range(3):
        for j in range(3):
            assert sum(matrix[i][k] * inverse[k][j] for k in range(3)) == pytest.approx(float(i == j))
    with pytest.raises(ZeroDivisionError):
        inverted([[1.0, 2.0], [2.0, 4.0]])
