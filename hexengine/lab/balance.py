"""How even a scenario is: games until the first side's share of the wins is known well enough.

Between two different players every seed is played twice, sides swapped, and the two games count as one trial.
A player against itself would play the same game twice: then every game has a seed of its own.

**Where it stops.**  After planned numbers of games (see sequence.py) the share's interval is looked at; it
ends at the first look where the interval's half-width is within the margin.  A rule that looks at the
*width* alone keeps the interval's coverage: the width depends on how much games differ and hardly on which
side of the truth the share happens to lie.  (A rule that stops when the interval leaves one half would not:
it waits for the chance to be wrong.)  benchmarks/coverage.py measures it; the interval is made a little wider
than that of a fixed number of games, so that what is called 95 % is at least that.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from hexengine.core.scenario import Scenario
from hexengine.core.system import get_system
from hexengine.lab.batches import check_settings
from hexengine.lab.errors import LabError
from hexengine.lab.play import MAX_ORDERS, GameResult, score_of
from hexengine.lab.seeds import tasks
from hexengine.lab.sequence import Z_LOOKS, Crew, in_order, looks
from hexengine.lab.statistics import Share, share_of
from hexengine.lab.store import Store
from hexengine.lab.tables import Settings
from hexengine.lab.workers import Job

MARGIN = 0.05
LEAST_MARGIN = 0.005
LIMIT = 2000
"""Games after which it ends in any case; 5 % of margin take about 400."""


class Looking(NamedTuple):
    """How far it is: games done, the most there may be, those played in this run, and what is known."""

    done: int
    games: int
    fresh: int
    share: Share
    side: str

    def __str__(self) -> str:
        share = f"{self.side} {self.share.share:.1%} ± {self.share.half:.1%}"
        return f"{self.done} games (at most {self.games}): {share}"


@dataclass(frozen=True, slots=True)
class Balance:
    """What the games say; ``share`` is the first side's share of the wins, draws as halves.

    ``players`` are in the order of sides as they were named; with ``swap`` two games make a trial.
    ``reached`` says whether the interval came within the margin before the games ran out.
    """

    scenario: Scenario
    players: tuple[str, ...]
    seed: int
    swap: bool
    target: float
    margin: float
    limit: int
    share: Share
    reached: bool
    looks: int
    results: tuple[GameResult, ...]
    seconds: float

    @property
    def games(self) -> int:
        """How many games count."""
        return len(self.results)

    @property
    def verdict(self) -> str:
        """``even`` where the interval holds the target, else which side has more: ``first`` or ``second``."""
        if self.share.low <= self.target <= self.share.high:
            return "even"
        return "first" if self.share.low > self.target else "second"


def trials(results: Sequence[GameResult], side: str, *, paired: bool) -> list[float]:
    """The scores of independent trials: games, or pairs of them that share a seed; an odd one is left out."""
    scores = [score_of(result, side) for result in results]
    if not paired:
        return scores
    return [(one + two) / 2 for one, two in zip(scores[::2], scores[1::2], strict=False)]


def balance(
    scenario: Scenario,
    players: Sequence[str] = ("officer", "officer"),
    *,
    target: float = 0.5,
    margin: float = MARGIN,
    seed: int | None = None,
    limit: int = LIMIT,
    workers: int = 1,
    db: str | Path | None = None,
    progress: Callable[[Looking], None] | None = None,
    start_method: str = "spawn",
    executor: Executor | None = None,
    budget: float | None = None,
    max_orders: int = MAX_ORDERS,
) -> Balance:
    """Play games of a scenario until the first side's share of wins is known to ``margin``.

    ``players`` are names in the order of sides.  ``margin`` is half the width of the 95 % interval, at least
    0.005; ``target`` the share that is compared with it.  ``limit`` games are the most.  ``db`` keeps the
    games; a file that has some of this match-up already is gone on with.  Where it stops and what it finds
    does not depend on who plays the games; see :func:`hexengine.lab.batch` for ``seed``, ``workers``,
    ``executor`` and ``budget``.

    Raises LabError for settings that cannot be, StoreError for a file that is of something else,
    UnknownPlayer, and GameFailed for a game that broke in its rules.
    """
    began = perf_counter()
    check_settings(scenario, players, limit, workers, start_method, max_orders)
    _check(target, margin, limit)
    swap = len(set(players)) > 1
    settings = Settings(
        scenario=scenario.name,
        content=scenario.digest,
        system=scenario.system,
        rules=get_system(scenario.system).rules_version,
        sides=scenario.sides,
        players=tuple(players),
        seed=secrets.randbits(32) if seed is None else seed,
        games=limit,
        swap=swap,
        max_orders=max_orders,
    )
    if db is None:
        store = Store.unnamed(settings)
    else:
        store = Store.open(db, settings, resume=True, any_seed=seed is None)
    with store:
        store.keep_courses()
        crew = Crew(workers, executor, start_method)
        job = Job((scenario,), max_orders, budget=budget, courses=True)
        found, looked, reached = _play(store, crew, job, margin, progress)
        store.settle(len(found))
        seed = store.settings.seed
    share = share_of(trials(found, scenario.sides[0], paired=swap), Z_LOOKS)
    return Balance(
        scenario,
        tuple(players),
        seed,
        swap,
        target,
        margin,
        limit,
        share,
        reached,
        looked,
        tuple(found),
        perf_counter() - began,
    )


def _check(target: float, margin: float, limit: int) -> None:
    if not 0 < target < 1:
        raise LabError(f"a target is a share of wins between 0 and 1, not {target:g}")
    if not LEAST_MARGIN <= margin < 0.5:
        raise LabError(f"a margin is {LEAST_MARGIN:g} to less than 0.5, not {margin:g}")
    if limit < 2 or limit % 2:
        raise LabError(f"games are played in pairs: a limit of {limit} games cannot be")


def _play(
    store: Store, crew: Crew, job: Job, margin: float, progress: Callable[[Looking], None] | None
) -> tuple[list[GameResult], int, bool]:
    """The games up to the look that is content, how often was looked, and whether it was content."""
    settings = store.settings
    side = settings.sides[0]
    known = {result.number: result for result in store.courses()}
    fresh = 0

    def keep(result: GameResult) -> None:
        nonlocal fresh
        store.add(result)
        store.add_course(result)
        fresh += 1

    plan = tasks(settings.seed, range(1, settings.games + 1), settings.players, swap=settings.swap)
    found: list[GameResult] = []
    looked = 0
    with closing(in_order(crew, job, plan, known, keep)) as results:
        for games in looks(settings.games):
            while len(found) < games:
                found.append(next(results))
                if progress is not None and len(found) % 10 == 0:
                    share = share_of(trials(found, side, paired=settings.swap), Z_LOOKS)
                    progress(Looking(len(found), settings.games, fresh, share, side))
            looked += 1
            if share_of(trials(found, side, paired=settings.swap), Z_LOOKS).half <= margin:
                return found, looked, True
    return found, looked, False
