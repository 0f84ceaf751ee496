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
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hexengine.lab.statistics import Z95

Vector = NDArray[np.float64]

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
    seats, games, scores = _columns(players, scenarios, met)
    x = np.zeros(players + scenarios)
    for _ in range(STEPS):
        slope, curve = derivatives(x, seats, games, scores)
        step = np.linalg.solve(curve, slope)
        x += np.clip(step, -2.0, 2.0)
        if np.abs(step).max() < 1e-9:
            break
    covariance = np.linalg.inv(derivatives(x, seats, games, scores)[1])
    # Strengths are looked at relative to their mean, advantages as they are.
    relative = np.eye(len(x))
    relative[:players, :players] -= 1 / players
    errors = np.sqrt(np.maximum(0.0, np.diagonal(relative @ covariance @ relative.T)))
    found = [
        Rating(float(elo), float(error))
        for elo, error in zip(ELO * (relative @ x), ELO * Z95 * errors, strict=True)
    ]
    return found[:players], found[players:]


def _columns(players: int, scenarios: int, met: Sequence[Met]) -> tuple[Vector, Vector, Vector]:
    """By row of results: who plays (1, -1) and where (1), the games, and the first player's score.

    The games against an average opponent, one drawn one for each strength and advantage, come first.
    """
    size = players + scenarios
    seats = np.vstack([np.eye(size), np.zeros((len(met), size))])
    for row, one in enumerate(met, size):
        seats[row, [one.first, players + one.scenario]] = 1
        seats[row, one.second] = -1
    games = np.array([1.0] * size + [float(one.games) for one in met])
    scores = np.array([0.5] * size + [one.score for one in met])
    return seats, games, scores


def derivatives(x: Vector, seats: Vector, games: Vector, scores: Vector) -> tuple[Vector, Vector]:
    """The slope of the log likelihood, and its curvature with the sign turned: the Fisher information."""
    chances = chance(seats @ x)
    weights = games * chances * (1 - chances)
    return seats.T @ (scores - games * chances), seats.T @ (weights[:, None] * seats)


def chance(x: Vector) -> Vector:
    """The first side's chance to win."""
    return 1 / (1 + np.exp(-np.clip(x, -700.0, 700.0)))
