"""Which turns and hexes decide games, what margins there are, and what is lost: counts over many games.

All of it is seen from the first side: a game's *result* is 1 if it won, a half if drawn, 0 if it lost.

* **A turn** is looked at over the games that came to its end.  Its *correlation* is that of the lead in
  points after it with the result; *leader wins* is how often the side then ahead won, of the games that had
  a side ahead and a winner; a *change* is a game in which another side is ahead than was last; *decided* are
  the games, of those with a winner, in which the winner is ahead from this turn's end to the last.
* **A hex** after a turn has a *swing*: the first side's share of wins in games in which it held the hex then,
  less that in games in which the second side did.  It has a *correlation* too, of who held it (1, 0, -1) with
  the result.  A hex that one side always holds has none: it may be vital, but it does not part games.
  Of many hexes and turns some stand out by chance.  So a hex is listed only if its correlation, at the turn
  where it is strongest, is so large that without any connection not even one of all hexes and turns together
  would come to it in 19 of 20 scenarios (Bonferroni's correction).

Correlation is not cause: who is winning anyway also holds more hexes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist, fmean, stdev
from typing import TYPE_CHECKING, NamedTuple

from hexengine.lab.course import NOBODY, labels, roster
from hexengine.lab.play import score_of
from hexengine.lab.statistics import Z95

if TYPE_CHECKING:
    from hexengine.core.scenario import Scenario
    from hexengine.lab.play import GameResult

FEWEST = 10
"""Games that must be on each side of a comparison."""


class Lead(NamedTuple):
    """The first side's lead in points at the end of games: mean, standard deviation, and games by lead."""

    mean: float
    deviation: float
    games: dict[int, int]


class Lost(NamedTuple):
    """Counters of one name: how many there are, and units and steps of them lost in a game on average."""

    side: str
    name: str
    fielded: int
    all_steps: int
    units: float
    steps: float


class TurnRow(NamedTuple):
    """What the end of a turn says of the result; None where too few games differ.

    ``games`` came to it; ``lead`` is the first side's mean lead; ``changes`` and ``decided`` are shares.
    """

    turn: int
    games: int
    lead: float
    correlation: float | None
    leader_wins: float | None
    changes: float
    decided: float | None


class HexRow(NamedTuple):
    """A hex at the turn at which it tells most: correlation; swing with its 95 % bounds; games in which each
    side held it then; and its correlations after each turn, 0 where it tells nothing."""

    hex: str
    turn: int
    correlation: float
    swing: float
    low: float
    high: float
    held: tuple[int, int]
    by_turn: tuple[float, ...]


class Decisive(NamedTuple):
    """Everything together.

    ``hexes`` are those that stand out, the strongest first; ``threshold`` is the correlation that takes, over
    all games; ``map`` has the strongest correlation, with its sign, of every hex that both sides held.
    """

    lead: Lead
    losses: tuple[Lost, ...]
    turns: tuple[TurnRow, ...]
    hexes: tuple[HexRow, ...]
    map: dict[str, float]
    threshold: float


def decisive(scenario: Scenario, results: Sequence[GameResult]) -> Decisive:
    """Count over games that have their courses; at least one."""
    scores = [score_of(game, scenario.sides[0]) for game in results]
    threshold, rows, clear = _hexes(scenario, results, scores)
    return Decisive(
        _lead(results, scenario.sides),
        _losses(scenario, results),
        _turns(results, scores),
        tuple(clear),
        {row.hex: row.correlation for row in rows},
        threshold,
    )


def _lead(results: Sequence[GameResult], sides: Sequence[str]) -> Lead:
    leads = [game.score[sides[0]] - game.score[sides[1]] for game in results]
    deviation = stdev(leads) if len(leads) > 1 else 0.0
    return Lead(fmean(leads), deviation, dict(sorted(Counter(leads).items())))


def _losses(scenario: Scenario, results: Sequence[GameResult]) -> tuple[Lost, ...]:
    fielded: dict[tuple[str, str], list[int]] = {}
    for side, name, steps in roster(scenario).values():
        both = fielded.setdefault((side, name), [0, 0])
        both[0] += 1
        both[1] += steps
    rows = []
    for (side, name), (count, steps) in sorted(
        fielded.items(), key=lambda item: scenario.sides.index(item[0][0])
    ):
        lost = [game.course.losses[side][name] for game in results if game.course is not None]
        units, gone = fmean(one.units for one in lost), fmean(one.steps for one in lost)
        rows.append(Lost(side, name, count, steps, units, gone))
    return tuple(rows)


# -- turns ------------------------------------------------------------------------------------------


def _turns(results: Sequence[GameResult], scores: Sequence[float]) -> tuple[TurnRow, ...]:
    """A row a turn.  A side stays ahead as long as the other is not."""
    leads: dict[int, list[tuple[int, float]]] = {}
    changes: Counter[int] = Counter()
    decided: Counter[int] = Counter()
    winners = sum(score != 0.5 for score in scores)
    for game, score in zip(results, scores, strict=True):
        assert game.course is not None
        ahead, since = 0, 0
        for end in game.course.turns:
            lead = end.score[0] - end.score[1]
            leads.setdefault(end.turn, []).append((lead, score))
            now = (lead > 0) - (lead < 0)
            if now and now != ahead:
                changes[end.turn] += ahead != 0
                ahead, since = now, end.turn
        if score != 0.5 and ahead == (1 if score else -1):
            decided[since] += 1
    rows = []
    known = 0
    for turn, ends in sorted(leads.items()):
        known += decided[turn]
        clear = [(lead > 0) == (score == 1) for lead, score in ends if lead and score != 0.5]
        rows.append(
            TurnRow(
                turn,
                len(ends),
                fmean(lead for lead, _ in ends),
                _correlation([float(lead) for lead, _ in ends], [score for _, score in ends]),
                fmean(clear) if len(clear) >= FEWEST else None,
                changes[turn] / len(ends),
                known / winners if winners >= FEWEST else None,
            )
        )
    return tuple(rows)


def _correlation(one: Sequence[float], two: Sequence[float]) -> float | None:
    """Pearson's correlation; None of fewer than 20 pairs, or where nothing varies."""
    if len(one) < 2 * FEWEST:
        return None
    mean_one, mean_two = fmean(one), fmean(two)
    product = sum((a - mean_one) * (b - mean_two) for a, b in zip(one, two, strict=True))
    squares = sum((a - mean_one) ** 2 for a in one) * sum((b - mean_two) ** 2 for b in two)
    return product / sqrt(squares) if squares > 0 else None


# -- hexes ------------------------------------------------------------------------------------------


class _Count:
    """Games after one turn by who held one hex (1, 0, -1) and by their result: sums for the statistics."""

    __slots__ = ("by_holder", "games")

    def __init__(self, column: Sequence[str], scores: Sequence[float]) -> None:
        self.games = len(column)
        self.by_holder: dict[int, list[tuple[float, int]]] = {1: [], 0: [], -1: []}
        for (holder, score), games in Counter(zip(column, scores, strict=True)).items():
            self.by_holder[_HOLDERS[holder]].append((score, games))

    def held(self, holder: int) -> int:
        """Games in which it was held so."""
        return sum(games for _, games in self.by_holder[holder])

    def correlation(self) -> float:
        """Of holder and result; 0 where either never differs."""
        rows = [(holder, score, games) for holder, some in self.by_holder.items() for score, games in some]
        mean_holder = sum(holder * games for holder, _, games in rows) / self.games
        mean_score = sum(score * games for _, score, games in rows) / self.games
        product = sum((holder - mean_holder) * (score - mean_score) * games for holder, score, games in rows)
        holders = sum((holder - mean_holder) ** 2 * games for holder, _, games in rows)
        results = sum((score - mean_score) ** 2 * games for _, score, games in rows)
        return product / sqrt(holders * results) if holders > 0 and results > 0 else 0.0

    def mean(self, holder: int) -> tuple[float, float]:
        """The mean result where it was held so, and the variance of that mean.

        For the variance one win and one loss are added, so that it is never 0.
        """
        count = self.held(holder)
        total = sum(score * games for score, games in self.by_holder[holder])
        middle = (total + 1) / (count + 2)
        squares = sum(score * score * games for score, games in self.by_holder[holder]) + 1
        return total / count, (squares / (count + 2) - middle * middle) / count


_HOLDERS = {"0": 1, "1": -1, NOBODY: 0}


def _hexes(
    scenario: Scenario, results: Sequence[GameResult], scores: Sequence[float]
) -> tuple[float, list[HexRow], list[HexRow]]:
    """How large a correlation must be, all hexes that can be compared, the strongest first, and those that
    stand out."""
    ends: dict[int, list[tuple[str, float]]] = {}
    for game, score in zip(results, scores, strict=True):
        for end in game.course.turns if game.course is not None else ():
            ends.setdefault(end.turn, []).append((end.control, score))
    counts: dict[int, dict[int, _Count]] = {}
    tests = 0
    for turn, some in sorted(ends.items()):
        after = [score for _, score in some]
        for place, column in enumerate(zip(*[control for control, _ in some], strict=True)):
            if column.count("0") >= FEWEST and column.count("1") >= FEWEST:
                counts.setdefault(place, {})[turn] = _Count(column, after)
                tests += 1
    names = labels(scenario)
    last = max(ends, default=0)
    rows = [_row(names[place], by_turn, last) for place, by_turn in counts.items()]
    rows.sort(key=lambda row: (-abs(row.correlation), row.hex))
    deviations = NormalDist().inv_cdf(1 - 0.025 / max(1, tests))
    clear = [row for row in rows if abs(row.correlation) * sqrt(len(ends[row.turn])) >= deviations]
    return min(1.0, deviations / sqrt(len(results))), rows, clear


def _row(name: str, by_turn: dict[int, _Count], last: int) -> HexRow:
    strengths = {turn: count.correlation() for turn, count in by_turn.items()}
    turn = max(strengths, key=lambda turn: (abs(strengths[turn]), -turn))
    count = by_turn[turn]
    first, second = count.mean(1), count.mean(-1)
    swing = first[0] - second[0]
    half = Z95 * sqrt(first[1] + second[1])
    return HexRow(
        name,
        turn,
        strengths[turn],
        swing,
        max(-1.0, swing - half),
        min(1.0, swing + half),
        (count.held(1), count.held(-1)),
        tuple(strengths.get(number, 0.0) for number in range(1, last + 1)),
    )


def span_of(low: int, high: int, between: str) -> str:
    """A bin in words: its leads with their signs."""
    return between.join([f"{lead:+d}" if lead else "0" for lead in sorted({low, high})])


def in_bins(games: dict[int, int], most: int) -> list[tuple[int, int, int]]:
    """Games by lead in at most so many bins of equal width: lowest and highest lead, and how many.

    Bins below 0 and above it are apart from 0, which has one of its own.
    """
    size = 1
    while True:
        counts: Counter[int] = Counter()
        for lead, number in games.items():
            counts[(abs(lead) + size - 1) // size * (1 if lead > 0 else -1)] += number
        first, last = min(counts), max(counts)
        if last - first < most:
            break
        size += 1
    bins = []
    for number in range(first, last + 1):
        near, far = (abs(number) - 1) * size + 1, abs(number) * size
        low, high = (near, far) if number > 0 else (-far, -near) if number < 0 else (0, 0)
        bins.append((low, high, counts[number]))
    return bins
