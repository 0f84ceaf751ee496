"""The sequential test: errors are no more frequent than was asked for."""

from __future__ import annotations

import random

import pytest

from hexengine.lab.sprt import FEWEST_PAIRS, Hypotheses, Sprt, elo_of_share, share_of_elo
from tests.long import often


def decided(hypotheses, share, dice, *, apart=0.0, draws=0.0):
    """The decision on pairs of games in which B has such a share, more on one side than on the other."""
    test = Sprt(hypotheses)
    while test.decision is None:
        scores = [
            0.5 if dice.random() < draws else float(dice.random() < chance)
            for chance in (share + apart, share - apart)
        ]
        test.add(sum(scores) / 2)
    return test.decision


@pytest.mark.parametrize(("apart", "draws"), [(0, 0), (0.3, 0), (0, 0.4)])
def test_errors_are_as_rare_as_was_asked_for(apart, draws):
    hypotheses = Hypotheses(0.5, 0.5 + 0.14 * (1 - draws))
    runs = often(300, 3000)
    dice = random.Random(4)
    wrong = sum(decided(hypotheses, 0.5, dice, apart=apart, draws=draws) == 1 for _ in range(runs))
    missed = sum(decided(hypotheses, 0.64, dice, apart=apart, draws=draws) == 0 for _ in range(runs))
    assert wrong / runs < 0.08
    assert missed / runs < 0.08


def test_the_bounds_are_walds():
    hypotheses = Hypotheses(0.5, 0.6, 0.05, 0.1)
    assert hypotheses.upper == pytest.approx(2.890, abs=1e-3)
    assert hypotheses.lower == pytest.approx(-2.251, abs=1e-3)


def test_the_ratio():
    test = Sprt(Hypotheses(0.5, 0.6))
    assert test.ratio == 0
    for score in (1, 0.5, 0.5, 0):
        test.add(score)
    variance = (1 + 0.25 + 0.25 + 1) / 6 - 0.25
    assert test.ratio == pytest.approx(0.1 * (2 * 2 - 4 * 1.1) / (2 * variance))


def test_it_takes_some_pairs_to_know_anything():
    test = Sprt(Hypotheses(0.1, 0.9))
    for _ in range(FEWEST_PAIRS - 1):
        test.add(1)
        assert test.decision is None
    test.add(1)
    assert test.decision == 1


def test_elo_and_shares():
    assert share_of_elo(0) == 0.5
    assert share_of_elo(400) == pytest.approx(10 / 11)
    assert elo_of_share(share_of_elo(123)) == pytest.approx(123)
