"""Shares with their intervals, and means."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import NamedTuple

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


class Share(NamedTuple):
    """A share in 0 to 1, and the bounds of its interval."""

    share: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


def share_of(scores: Sequence[float], z: float = Z95) -> Share:
    """The mean of scores that lie in 0 to 1 each, with its interval, 95 % by default.

    A score is that of one independent trial: a game (1 won, a half drawn, 0 lost), or the mean of two games
    that belong together.  For games without draws this is the Wilson interval.  Draws and pairs make the
    mean more certain than so many tosses of a coin: by how much is told by their variance as a part of
    s (1 - s), the variance of a coin of the same share s, both with one win and one loss added, so that few
    trials never look too certain.  The interval is Wilson's for as many tosses as would be as certain.
    """
    count = len(scores)
    if not count:
        return Share(0.5, 0.0, 1.0)
    total = sum(scores)
    middle = (total + 1) / (count + 2)
    coin = middle * (1 - middle)
    squares = sum([score * score for score in scores]) + 1
    spread = squares / (count + 2) - middle * middle
    tosses = count * coin / spread
    share = total / count
    square = z * z / tosses
    centre = (share + square / 2) / (1 + square)
    half = z * sqrt(share * (1 - share) / tosses + square / (4 * tosses)) / (1 + square)
    return Share(share, max(0.0, centre - half), min(1.0, centre + half))


def mean(values: Iterable[int]) -> float | None:
    """The arithmetic mean, or None of nothing."""
    total = count = 0
    for value in values:
        total += value
        count += 1
    return total / count if count else None
