"""Who plays the games of a batch: this process, worker processes, or any executor.

Results come as they are done, in any order.  Worker processes that die cost nothing but time: what they had
in hand is played again by others.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from functools import lru_cache
from itertools import islice
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, NamedTuple

from hexengine.core.errors import HexEngineError
from hexengine.lab.cluster import Cluster
from hexengine.lab.errors import GameFailed, LabError
from hexengine.lab.play import GameResult, play_game
from hexengine.lab.seeds import Task
from hexengine.players.driver import in_words

if TYPE_CHECKING:
    from hexengine.core.scenario import Scenario

CHUNK_SECONDS = 0.1
"""Work handed to a worker at a time; what it has not delivered when it dies is played again."""

LARGEST_CHUNK = 64

GARBAGE = 20_000
"""Objects made beyond those dropped, at which a worker looks for cycles."""

COUNT_SECONDS = 2.0
"""How often the workers of a cluster are counted."""

DEATHS_OF_A_GAME = 2
"""So often a game may be alone with a worker that dies before it is given up."""

DEATHS_IN_A_ROW = 4
"""Deaths without a single result between them after which there is no point in going on."""


class Job(NamedTuple):
    """What all games have in common: the scenarios they are of, and what is wanted of them."""

    scenarios: tuple[Scenario, ...]
    max_orders: int
    logs: bool = False
    budget: float | None = None
    courses: bool = False


class Failure(NamedTuple):
    """A game that could not be played."""

    number: int
    text: str


Outcome = GameResult | Failure

Outcomes = Generator[Outcome, None, None]


def play_task(job: Job, task: Task) -> Outcome:
    """Play one game."""
    scenario = job.scenarios[task.scenario]
    players = dict(zip(scenario.sides, task.players, strict=True))
    try:
        result = play_game(
            scenario,
            players,
            task.seed,
            job.max_orders,
            log=job.logs,
            budget=job.budget,
            course=job.courses,
        )
    except GameFailed as error:
        return Failure(task.number, str(error))
    return result._replace(number=task.number, swapped=task.swapped)


def play_here(job: Job, tasks: Iterator[Task]) -> Outcomes:
    """Play games in this process, one by one."""
    for task in tasks:
        yield play_task(job, task)


def play_in_processes(job: Job, tasks: Iterator[Task], workers: int, start_method: str) -> Outcomes:
    """Play games in worker processes of our own; closing the iterator ends them at once.

    Raises LabError where no worker stays alive.
    """
    return _Dispatcher(job, tasks, workers, lambda: _pool(workers, start_method)).run()


def play_on(job: Job, tasks: Iterator[Task], workers: int, executor: Executor) -> Outcomes:
    """Play games on somebody else's executor, with ``2 * workers`` tasks in its queue.

    Of a cluster the workers are counted again and again.  Raises LabError if the executor breaks; it is not
    shut down.
    """
    return _Dispatcher(job, tasks, workers, lambda: executor, own=False).run()


# -- in the workers ---------------------------------------------------------------------------------


def _play_chunk(packed: bytes, tasks: Sequence[Task]) -> tuple[list[Outcome], float]:
    """The outcomes of some games, and the seconds they took."""
    with _ONE_AT_A_TIME:
        return _played(_unpacked(packed), tasks)


_ONE_AT_A_TIME = threading.Lock()
"""A cluster's worker may have several threads; they would only be in each other's way."""


def _played(job: Job, tasks: Sequence[Task]) -> tuple[list[Outcome], float]:
    start = perf_counter()
    return [play_task(job, task) for task in tasks], perf_counter() - start


@lru_cache(maxsize=4)
def _unpacked(packed: bytes) -> Job:
    """The job, made once a process: its scenario comes as text."""
    job: Job = pickle.loads(packed)  # noqa: S301 - packed by the process that started this one
    return job


def _begin_worker() -> None:
    """An interrupt is for the process that plays the batch; when that one ends, so do its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Games make much that lasts and hardly any cycles: looking for them costs a tenth of the time.
    gc.set_threshold(GARBAGE, 20, 50)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    # A worker waits for work on a pipe that it holds open itself: it would wait for ever.
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


# -- in the process that plays the batch -------------------------------------------------------------


def _pool(workers: int, start_method: str) -> ProcessPoolExecutor:
    context = multiprocessing.get_context(start_method)
    return ProcessPoolExecutor(workers, mp_context=context, initializer=_begin_worker)


@contextmanager
def _interrupts_kept_out() -> Iterator[None]:
    """Processes that are started here never see an interrupt, not even before they run our code."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _deadly(task: Task) -> Failure:
    players = ", ".join(task.players)
    return Failure(task.number, f"seed {task.seed}, players {players}: it ended the process that played it")


_Hands = dict[Future[tuple[list[Outcome], float]], list[Task]]


class _Dispatcher:
    """Hands out games and takes in results; survives the death of workers.

    When a worker dies nobody knows which game killed it.  So all games that were in hand are suspects, and
    each is played alone: only a game that is alone with a dying worker is to blame.
    """

    def __init__(
        self, job: Job, tasks: Iterator[Task], workers: int, make: Callable[[], Executor], *, own: bool = True
    ) -> None:
        self.packed = pickle.dumps(job)
        self.tasks = tasks
        self.workers = workers
        self.make = make
        self.own = own
        self.executor = make()
        self.cluster = self.executor if isinstance(self.executor, Cluster) else None
        self.counted = monotonic()
        self.hands: _Hands = {}
        self.suspects: deque[Task] = deque()
        self.deaths: dict[int, int] = {}
        self.in_a_row = 0
        self.size = 1
        self.seconds = 0.0
        self.played = 0

    def run(self) -> Outcomes:
        """The outcomes as they come; all workers are gone when this ends or is closed."""
        try:
            while True:
                lost = self.hand_out()
                if not self.hands and not lost:
                    break
                for future in self.done():
                    chunk = self.hands.pop(future)
                    try:
                        outcomes, seconds = future.result()
                    except BrokenExecutor:
                        lost += chunk
                        continue
                    except Exception as error:
                        if self.cluster is None:
                            raise
                        yield from self.cluster_failed(self.cluster, chunk, error)
                        continue
                    self.count(len(chunk), seconds)
                    yield from outcomes
                if lost:
                    yield from self.after_a_death(lost)
        finally:
            self.stop()

    def done(self) -> set[Future[tuple[list[Outcome], float]]]:
        """Wait for work that is done.  With a cluster see from time to time whether it is still there."""
        if not self.hands:
            return set()
        patience = None if self.cluster is None else COUNT_SECONDS
        done = wait(self.hands, patience, return_when=FIRST_COMPLETED).done
        if self.cluster is not None and monotonic() - self.counted >= COUNT_SECONDS:
            self.workers = self.cluster.workers()
            self.counted = monotonic()
        return done

    def cluster_failed(self, cluster: Cluster, chunk: list[Task], error: Exception) -> Outcomes:
        """What was given to a cluster has failed; games that killed workers together are suspects."""
        if not isinstance(error, cluster.killed):
            if isinstance(error, HexEngineError):
                raise error
            cluster.workers()
            raise LabError(f"a worker of the cluster cannot play: {in_words(error)}") from error
        if len(chunk) == 1:
            yield _deadly(chunk[0])
        else:
            self.suspects.extend(chunk)

    def hand_out(self) -> list[Task]:
        """Keep every worker busy; returns the tasks that nobody could be given."""
        while self.suspects or len(self.hands) < 2 * self.workers:
            if self.suspects:
                if self.hands:
                    break
                chunk = [self.suspects.popleft()]
            else:
                chunk = list(islice(self.tasks, self.size))
                if not chunk:
                    break
            try:
                with _interrupts_kept_out():
                    future = self.executor.submit(_play_chunk, self.packed, chunk)
            except BrokenExecutor:
                return chunk
            self.hands[future] = chunk
        return []

    def count(self, games: int, seconds: float) -> None:
        """Chunks as large as a worker plays in a tenth of a second."""
        self.in_a_row = 0
        self.played += games
        self.seconds += seconds
        rate = self.played / max(self.seconds, 1e-9)
        self.size = max(1, min(LARGEST_CHUNK, int(rate * CHUNK_SECONDS)))

    def after_a_death(self, lost: list[Task]) -> Outcomes:
        """Take in what else was in hand, then start new workers; those games lost come first."""
        for future, chunk in self.hands.items():
            try:
                outcomes, seconds = future.result()
            except BrokenExecutor:
                lost += chunk
            else:
                self.count(len(chunk), seconds)
                yield from outcomes
        self.hands.clear()
        if not self.own:
            raise LabError("the executor is broken: its workers have died; a new one can go on")
        self.in_a_row += 1
        if self.in_a_row > DEATHS_IN_A_ROW:
            raise LabError(
                "the worker processes die as soon as they are given work; perhaps memory is short, or the "
                "program that plays the batch does so without asking if __name__ == '__main__', or a player "
                "ends its process; with one worker the games are played in this process"
            )
        if len(lost) == 1:
            task = lost.pop()
            self.deaths[task.number] = deaths = self.deaths.get(task.number, 0) + 1
            if deaths >= DEATHS_OF_A_GAME:
                yield _deadly(task)
            else:
                self.suspects.append(task)
        lost.sort()
        self.suspects.extendleft(reversed(lost))
        self.stop()
        self.executor = self.make()

    def stop(self) -> None:
        """End what still runs: our own workers at once, others' after the games they have in hand."""
        executor = self.executor
        if isinstance(executor, ProcessPoolExecutor) and self.own:
            for process in list((executor._processes or {}).values()):
                process.kill()
            executor.shutdown(wait=True, cancel_futures=True)
        for future in self.hands:
            future.cancel()
        self.hands.clear()
