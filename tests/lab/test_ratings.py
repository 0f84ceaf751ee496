"""Ratings: known strengths are found again, and errors are as large as they say."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest

from hexengine.lab.ratings import ELO, Met, _columns, chance, derivatives, ratings
from tests.long import often


def games(strengths, advantages, number, dice, draws=0.0):
    """Results of so many games of all, with either of two players on the first side."""
    found = []
    for place, advantage in enumerate(advantages):
        for one, two in combinations(range(len(strengths)), 2):
            for first, second in ((one, two), (two, one)):
                likely = float(chance((strengths[first] - strengths[second] + advantage) / ELO))
                score = 0.0
                for _ in range(number):
                    score += 0.5 if dice.random() < draws else float(dice.random() < likely)
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
    x = np.array([0.3, -0.2, 0.1, 0.5])
    columns = _columns(3, 1, games((50.0, -50.0, 0.0), (30.0,), 20, random.Random(3)))
    _, curve = derivatives(x, *columns)
    for i in range(4):
        step = 1e-5 * np.eye(4)[i]
        slopes = derivatives(x - step, *columns)[0] - derivatives(x + step, *columns)[0]
        assert curve[i] == pytest.approx(slopes / 2e-5, abs=1e-4)


def test_a_player_alone_has_no_strength():
    (alone,), (advantage,) = ratings(1, 1, [])
    assert (alone.elo, alone.error, advantage.elo) == (0, 0, 0)
    assert advantage.error > 500


def test_who_has_won_all_games_is_not_endlessly_strong():
    found, _ = ratings(2, 1, [Met(0, 0, 1, 20, 20.0), Met(0, 1, 0, 20, 0.0)])
    assert 200 < found[0].elo < 600
    assert found[0].error > 80


def test_even_players_are_even():
    found, advantages = ratings(2, 1, [Met(0, 0, 1, 50, 25.0), Met(0, 1, 0, 50, 25.0)])
    assert [rating.elo for rating in (*found, *advantages)] == pytest.approx([0, 0, 0], abs=1e-6)
