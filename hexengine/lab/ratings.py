"""How strong players are, from games between them: the model of Bradley and Terry.

Player *i* on the first side beats *j* on the second in scenario *k* with the chance 1 / (1 + exp(-x)), where
x = strength(i) - strength(j) + advantage(k): the advantage is that of the scenario's first side.  A draw
counts as half a win and half a loss.  Strengths and advantages are those that make the results likeliest,
with one drawn game against an average opponent added for each of them: so who has won all games is not
endlessly strong.

Errors are from the Fisher information (the second derivatives of the likelihood) at that point: 1.96 standard
errors either way hold the truth in 95 of 100 cases.  Draws make results more certain than the model knows, so
with many of them errors are a little too large.  Strengths are in Elo points: 400 / ln 10 times x, relative
to the mean of all players.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt
from typing import NamedTuple

from hexengine.lab.statistics import Z95

ELO = 400 / log(10)
"""Elo points that make one unit of x."""

STEPS = 50
"""Newton steps at most; a few are enough."""


class Met(NamedTuple):
    """Games of two players with the same seats in one scenario, by index; ``score`` is the first's."""

    scenario: int
    first: int
    second: int
    games: int
    score: float


class Rating(NamedTuple):
    """A strength or an advantage in Elo points, and half the width of its 95 % interval."""

    elo: float
    error: float


def ratings(players: int, scenarios: int, met: Sequence[Met]) -> tuple[list[Rating], list[Rating]]:
    """The strengths of the players around their mean, and the advantages of the scenarios' first sides."""
    size = players + scenarios
    x = [0.0] * size
    for _ in range(STEPS):
        slope, curve = _derivatives(players, x, met)
        inverse = inverted(curve)
        step = [sum(row[j] * slope[j] for j in range(size)) for row in inverse]
        x = [old + max(-2.0, min(2.0, change)) for old, change in zip(x, step, strict=True)]
        if max(map(abs, step)) < 1e-9:
            break
    covariance = inverted(_derivatives(players, x, met)[1])
    mean = sum(x[:players]) / players
    strengths = []
    for player in range(players):
        weights = [(index == player) - 1 / players for index in range(players)] + [0.0] * scenarios
        strengths.append(Rating(ELO * (x[player] - mean), ELO * Z95 * _deviation(covariance, weights)))
    advantages = [
        Rating(ELO * x[index], ELO * Z95 * sqrt(max(0.0, covariance[index][index])))
        for index in range(players, size)
    ]
    return strengths, advantages


def _derivatives(
    players: int, x: Sequence[float], met: Sequence[Met]
) -> tuple[list[float], list[list[float]]]:
    """The slope of the log likelihood, and its curvature with the sign turned: the Fisher information."""
    size = len(x)
    slope = [0.0] * size
    curve = [[0.0] * size for _ in range(size)]
    for index in range(size):
        chance = _chance(x[index])
        slope[index] += 0.5 - chance
        curve[index][index] += chance * (1 - chance)
    for one in met:
        signs = ((one.first, 1), (one.second, -1), (players + one.scenario, 1))
        chance = _chance(x[one.first] - x[one.second] + x[players + one.scenario])
        surplus, weight = one.score - one.games * chance, one.games * chance * (1 - chance)
        for i, sign in signs:
            slope[i] += sign * surplus
            for j, other in signs:
                curve[i][j] += sign * other * weight
    return slope, curve


def _chance(x: float) -> float:
    return 1 / (1 + exp(-max(-700.0, min(700.0, x))))


def _deviation(covariance: Sequence[Sequence[float]], weights: Sequence[float]) -> float:
    size = len(weights)
    variance = sum(weights[i] * weights[j] * covariance[i][j] for i in range(size) for j in range(size))
    return sqrt(max(0.0, variance))


def inverted(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """The inverse of a small matrix (Gauss and Jordan); ZeroDivisionError where it has none."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for column in range(size):
        best = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[best] = rows[best], rows[column]
        divisor = rows[column][column]
        rows[column] = [value / divisor for value in rows[column]]
        for row in range(size):
            factor = rows[row][column]
            if row != column and factor:
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[column], strict=True)]
    return [row[size:] for row in rows]
