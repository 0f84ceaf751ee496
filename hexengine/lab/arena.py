"""Players against each other: ratings over scenarios, or one question: is B better than A?

Every pair of games has one seed and swapped sides, so that neither a scenario's favourite side nor the luck
of a seed is anybody's merit.  Seeds are the same for all pairings.  Results depend on scenarios, players and
the master seed alone, not on who plays the games.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from hexengine.core.scenario import Scenario
from hexengine.lab.batches import check_settings
from hexengine.lab.errors import LabError
from hexengine.lab.play import MAX_ORDERS, GameResult, score_of
from hexengine.lab.seeds import Task, game_seed
from hexengine.lab.sequence import Crew, in_order
from hexengine.lab.sprt import Hypotheses, Sprt, elo_of_share
from hexengine.lab.statistics import Share, share_of
from hexengine.lab.workers import Job

if TYPE_CHECKING:
    from hexengine.lab.ratings import Rating


class Arranged(NamedTuple):
    """Games so far, of how many at most, how many of them in this run, and what is known."""

    done: int
    games: int
    fresh: int
    text: str

    def __str__(self) -> str:
        return f"{self.done} of {self.games} games{self.text}"


class Pairing(NamedTuple):
    """Two players in a scenario: games, wins of the first and of the second, draws, and the first's share."""

    scenario: str
    first: str
    second: str
    games: int
    wins: int
    losses: int
    draws: int
    share: Share


@dataclass(frozen=True, slots=True)
class Arena:
    """Ratings by player, in Elo points around their mean; the first side's advantage by scenario; and all
    pairings.  ``faulty`` counts games in which a player failed."""

    players: dict[str, Rating]
    scenarios: dict[str, Rating]
    pairings: tuple[Pairing, ...]
    seed: int
    games: int
    faulty: int
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """What ``arena --json`` prints."""
        return {
            "seed": self.seed,
            "games": self.games,
            "players": {name: rating._asdict() for name, rating in self.players.items()},
            "scenarios": {name: rating._asdict() for name, rating in self.scenarios.items()},
            "pairings": [{**one._asdict(), "share": one.share._asdict()} for one in self.pairings],
            "faulty": self.faulty,
            "seconds": self.seconds,
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether B is better than A: ``accepted`` is 1 if it is, 0 if not, None where the games ran out.

    ``share`` is that of B over all pairs; its interval is that of a fixed number of games, and so only a
    help: the test is the ratio.
    """

    a: str
    b: str
    scenarios: tuple[str, ...]
    hypotheses: Hypotheses
    accepted: int | None
    ratio: float
    share: Share
    pairs: dict[float, int]
    seed: int
    games: int
    faulty: int
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """What ``arena --sprt --json`` prints."""
        hypotheses = self.hypotheses
        return {
            "a": self.a,
            "b": self.b,
            "scenarios": list(self.scenarios),
            **hypotheses._asdict(),
            "elo0": elo_of_share(hypotheses.share0),
            "elo1": elo_of_share(hypotheses.share1),
            "lower": hypotheses.lower,
            "upper": hypotheses.upper,
            "ratio": self.ratio,
            "accepted": self.accepted,
            "share": self.share._asdict(),
            "pairs": {f"{score:g}": count for score, count in self.pairs.items()},
            "seed": self.seed,
            "games": self.games,
            "faulty": self.faulty,
            "seconds": self.seconds,
        }


def arena(
    scenarios: Sequence[Scenario],
    players: Sequence[str],
    games: int,
    seed: int | None = None,
    *,
    crew: Crew = Crew(),  # noqa: B008  it never changes
    progress: Callable[[Arranged], None] | None = None,
    budget: float | None = None,
    max_orders: int = MAX_ORDERS,
) -> Arena:
    """Rate players: every two of them play ``games`` games (an even number) in every scenario.

    Raises LabError for settings that cannot be, UnknownPlayer, and GameFailed for a game that broke.
    """
    began = perf_counter()
    if len(players) < 2 or len(set(players)) < len(players):
        raise LabError(f"two different players or more are wanted, not {', '.join(players) or 'none'}")
    _check(scenarios, players, games, crew, max_orders)
    seed = secrets.randbits(32) if seed is None else seed
    pairs = list(combinations(players, 2))
    total = games * len(pairs) * len(scenarios)
    job = Job(tuple(scenarios), max_orders, budget=budget)
    tasks = list(_rounds(seed, len(scenarios), pairs, games))
    met: dict[tuple[int, str, str], list[GameResult]] = {}
    faulty = 0
    with closing(in_order(crew, job, iter(tasks), {}, lambda _: None)) as results:
        for task, result in zip(tasks, results, strict=True):
            first, second = task.players
            met.setdefault((task.scenario, first, second), []).append(result)
            faulty += bool(result.faults)
            if progress is not None:
                progress(Arranged(task.number, total, task.number, ""))
    # Only who rates pays for the library that it takes.
    from hexengine.lab.ratings import Met, ratings

    numbers = {name: number for number, name in enumerate(players)}
    sides = [scenario.sides[0] for scenario in scenarios]
    counts = [
        Met(
            place,
            numbers[first],
            numbers[second],
            len(some),
            sum(score_of(one, sides[place]) for one in some),
        )
        for (place, first, second), some in met.items()
    ]
    strengths, advantages = ratings(len(players), len(scenarios), counts)
    return Arena(
        dict(zip(players, strengths, strict=True)),
        {scenario.name: one for scenario, one in zip(scenarios, advantages, strict=True)},
        tuple(_pairing(scenarios, place, pair, met) for place in range(len(scenarios)) for pair in pairs),
        seed,
        total,
        faulty,
        perf_counter() - began,
    )


def _check(
    scenarios: Sequence[Scenario], players: Sequence[str], games: int, crew: Crew, max_orders: int
) -> None:
    if not scenarios:
        raise LabError("no scenario is named to play")
    if games < 2 or games % 2:
        raise LabError(f"games are played in pairs, sides swapped: {games} games cannot be")
    for scenario in scenarios:
        for name in players:
            check_settings(scenario, (name, name), games, crew.workers, crew.start_method, max_orders)


def _rounds(seed: int, scenarios: int, pairs: Sequence[tuple[str, str]], games: int) -> Iterator[Task]:
    """All games: pairing by pairing within a seed, so that what is known grows evenly."""
    number = 0
    for pair in range(games // 2):
        for place in range(scenarios):
            chosen = game_seed(seed, pair * scenarios + place)
            for one, two in pairs:
                for seats in ((one, two), (two, one)):
                    number += 1
                    yield Task(number, chosen, seats, seats[0] != one, place)


def _pairing(
    scenarios: Sequence[Scenario],
    place: int,
    pair: tuple[str, str],
    met: dict[tuple[int, str, str], list[GameResult]],
) -> Pairing:
    one, two = pair
    side, other = scenarios[place].sides
    there, back = met[place, one, two], met[place, two, one]
    winners = Counter(result.players[result.winner] for result in (*there, *back) if result.winner)
    scores = [
        (score_of(first, side) + score_of(second, other)) / 2
        for first, second in zip(there, back, strict=True)
    ]
    games = len(there) + len(back)
    draws = games - winners[one] - winners[two]
    return Pairing(
        scenarios[place].name, one, two, games, winners[one], winners[two], draws, share_of(scores)
    )


def better(
    scenarios: Sequence[Scenario],
    a: str,
    b: str,
    hypotheses: Hypotheses,
    limit: int,
    seed: int | None = None,
    *,
    crew: Crew = Crew(),  # noqa: B008  it never changes
    progress: Callable[[Arranged], None] | None = None,
    budget: float | None = None,
    max_orders: int = MAX_ORDERS,
) -> Verdict:
    """Whether ``b`` is better than ``a``: pairs of games, scenario after scenario, until the test knows.

    ``limit`` games are the most.  Raises LabError for settings that cannot be, UnknownPlayer, and GameFailed.
    """
    began = perf_counter()
    if a == b:
        raise LabError(f"{a} cannot be better than itself: two different players are wanted")
    share0, share1, alpha, beta = hypotheses
    if not (0 < share0 < share1 < 1 and 0 < alpha < 0.5 and 0 < beta < 0.5):
        raise LabError(
            "the second share must be larger than the first, both between 0 and 1, and either chance of "
            f"error between 0 and 0.5; these are {share0:g}, {share1:g}, {alpha:g} and {beta:g}"
        )
    _check(scenarios, (a, b), limit, crew, max_orders)
    seed = secrets.randbits(32) if seed is None else seed
    test = Sprt(hypotheses)
    scores: list[float] = []
    faulty = 0
    job = Job(tuple(scenarios), max_orders, budget=budget)
    plan = _turns(seed, len(scenarios), (b, a), limit)
    with closing(in_order(crew, job, plan, {}, lambda _: None)) as results:
        while test.decision is None and 2 * len(scores) < limit:
            first, second = next(results), next(results)
            side, other = scenarios[len(scores) % len(scenarios)].sides
            scores.append((score_of(first, side) + score_of(second, other)) / 2)
            test.add(scores[-1])
            faulty += bool(first.faults) + bool(second.faults)
            if progress is not None:
                games = 2 * len(scores)
                progress(Arranged(games, limit, games, f": log likelihood ratio {test.ratio:+.2f}"))
    return Verdict(
        a,
        b,
        tuple(scenario.name for scenario in scenarios),
        hypotheses,
        test.decision,
        test.ratio,
        share_of(scores),
        dict(sorted(Counter(scores).items())),
        seed,
        2 * len(scores),
        faulty,
        perf_counter() - began,
    )


def _turns(seed: int, scenarios: int, players: tuple[str, str], limit: int) -> Iterator[Task]:
    """Pairs of games, each in the next scenario; in the first of a pair the players sit as they are named."""
    one, two = players
    for pair in range(limit // 2):
        chosen, place = game_seed(seed, pair), pair % scenarios
        yield Task(2 * pair + 1, chosen, (one, two), False, place)
        yield Task(2 * pair + 2, chosen, (two, one), True, place)
