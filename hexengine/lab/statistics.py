"""Shares with their intervals, and means."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt

Z95 = 1.959963984540054
"""Standard deviations on either side that hold 95 % of a normal distribution."""


def wilson(wins: int, games: int, z: float = Z95) -> tuple[float, float]:
    """The Wilson score interval of a share, 95 % by default: lower and upper bound in 0 to 1.

    Those shares p from which ``wins / games`` is at most ``z`` standard errors, sqrt(p (1 - p) / games),
    away (E. B. Wilson, 1927).  Of no games nothing is known: 0 to 1.  Raises ValueError unless
    0 <= wins <= games.
    """
    if not 0 <= wins <= games:
        raise ValueError(f"{wins} wins in {games} games cannot be")
    if not games:
        return 0.0, 1.0
    share = wins / games
    square = z * z / games
    middle = share + square / 2
    spread = z * sqrt(share * (1 - share) / games + square / (4 * games))
    low = (middle - spread) / (1 + square) if wins else 0.0
    high = (middle + spread) / (1 + square) if wins < games else 1.0
    return low, high


def mean(values: Iterable[int]) -> float | None:
    """The arithmetic mean, or None of nothing."""
    total = count = 0
    for value in values:
        total += value
        count += 1
    return total / count if count else None
