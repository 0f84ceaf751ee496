"""Games one after the other until enough is known: planned looks, in the order of games.

Whoever plays the games, and in whatever order they come in, they are looked at in the order of their
numbers and only at numbers fixed beforehand.  So where it ends depends on the games alone.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import closing
from typing import NamedTuple

from hexengine.lab.errors import GameFailed
from hexengine.lab.play import GameResult
from hexengine.lab.seeds import Task
from hexengine.lab.workers import Failure, Job, Outcomes, play_here, play_in_processes, play_on

FIRST_LOOK = 60
"""Games before the first look: fewer say too little of how much games differ."""

GROWTH = 1.15
"""From look to look so many times the games: a few per cent more are played than were needed."""

Z_LOOKS = 2.1
"""Standard errors on either side that a 95 % interval has at planned looks.  For a number of games fixed
beforehand 1.96 would do; stopping at the first look that is content takes a little of what these hold."""


class Crew(NamedTuple):
    """Who plays the games: this process, so many worker processes, or an executor's workers."""

    workers: int = 1
    executor: Executor | None = None
    start_method: str = "spawn"

    def play(self, job: Job, tasks: Iterator[Task]) -> Outcomes:
        """Play games; outcomes come in any order."""
        if self.executor is not None:
            return play_on(job, tasks, self.workers, self.executor)
        if self.workers <= 1:
            return play_here(job, tasks)
        return play_in_processes(job, tasks, self.workers, self.start_method)


def looks(limit: int, first: int = FIRST_LOOK) -> Iterator[int]:
    """The numbers of games after which is looked: even ones, the last of them the limit."""
    number = float(first)
    while (games := int(number) + int(number) % 2) < limit:
        yield games
        number = max(number * GROWTH, games + 2)
    yield limit


def in_order(
    crew: Crew,
    job: Job,
    tasks: Iterator[Task],
    known: Mapping[int, GameResult],
    keep: Callable[[GameResult], None],
) -> Generator[GameResult, None, None]:
    """Results in the order of tasks, which are numbered from 1 without gaps.

    Those that are ``known``, by number, are taken from there as far as no game is missing; the others are
    played, and ``keep`` is told of each, in order, before it is given.  Closing this ends the workers.

    Raises GameFailed for a game that broke in its rules.
    """
    number = 1
    while number in known:
        next(tasks)
        yield known[number]
        number += 1
    waiting: dict[int, GameResult | Failure] = {}
    with closing(crew.play(job, tasks)) as outcomes:
        for outcome in outcomes:
            waiting[outcome.number] = outcome
            while number in waiting:
                ready = waiting.pop(number)
                if isinstance(ready, Failure):
                    raise GameFailed(ready.text)
                keep(ready)
                yield ready
                number += 1
