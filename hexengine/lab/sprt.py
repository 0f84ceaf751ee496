"""Is B better than A: a test that ends as soon as it knows (A. Wald's sequential probability ratio test).

Two shares of wins are weighed against each other: under the first hypothesis B has ``share0``, under the
second ``share1``, draws as halves.  After each pair of games (one seed, sides swapped) the logarithm of how
much likelier the second makes the results is known; at log((1 - beta) / alpha) the second is accepted, at
log(beta / (1 - alpha)) the first.  Then ``alpha`` is the chance to accept the second where the first is true,
and ``beta`` the other way round.

Pairs, not games, are counted, since the two games of a seed belong together.  Their scores are taken as
normal with the variance that they have shown so far, one pair won and one pair lost added: the generalised
test, whose chances of error are alpha and beta as nearly as matters (tests measure them).
"""

from __future__ import annotations

from math import log, log10
from typing import NamedTuple

FEWEST_PAIRS = 8
"""Pairs before the test may end: fewer do not tell how much pairs differ."""


def share_of_elo(elo: float) -> float:
    """The share of wins that goes with a lead in Elo points."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def elo_of_share(share: float) -> float:
    """The lead in Elo points that goes with a share of wins, between 0 and 1."""
    return 400 * log10(share / (1 - share))


class Hypotheses(NamedTuple):
    """What is weighed, and how often either error may be made."""

    share0: float
    share1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def lower(self) -> float:
        """The ratio at which the first is accepted."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The ratio at which the second is accepted."""
        return log((1 - self.beta) / self.alpha)


class Sprt:
    """The test while games are played: :meth:`add` takes the mean score of B in the two games of a pair."""

    __slots__ = ("hypotheses", "pairs", "squares", "total")

    def __init__(self, hypotheses: Hypotheses) -> None:
        self.hypotheses = hypotheses
        self.pairs = 0
        self.total = 0.0
        self.squares = 0.0

    def add(self, score: float) -> None:
        """Take in a pair."""
        self.pairs += 1
        self.total += score
        self.squares += score * score

    @property
    def ratio(self) -> float:
        """The log likelihood ratio so far."""
        if not self.pairs:
            return 0.0
        middle = (self.total + 1) / (self.pairs + 2)
        variance = (self.squares + 1) / (self.pairs + 2) - middle * middle
        share0, share1 = self.hypotheses.share0, self.hypotheses.share1
        return (share1 - share0) * (2 * self.total - self.pairs * (share0 + share1)) / (2 * variance)

    @property
    def decision(self) -> int | None:
        """0 or 1: the hypothesis that is accepted; None while it is open."""
        if self.pairs < FEWEST_PAIRS:
            return None
        ratio = self.ratio
        if ratio >= self.hypotheses.upper:
            return 1
        return 0 if ratio <= self.hypotheses.lower else None
