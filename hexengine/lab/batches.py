"""Many games: played here or by worker processes, kept as they come, gone on with after a kill."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass
from math import inf
from multiprocessing import get_all_start_methods
from pathlib import Path
from time import perf_counter
from typing import Any

from hexengine.core.errors import why
from hexengine.core.game import seed_of
from hexengine.core.scenario import Scenario
from hexengine.core.system import get_system
from hexengine.lab.errors import GamesFailed, LabError
from hexengine.lab.play import MAX_ORDERS, GameResult
from hexengine.lab.progress import Progress
from hexengine.lab.seeds import Task, tasks
from hexengine.lab.statistics import mean
from hexengine.lab.store import Store
from hexengine.lab.tables import Settings
from hexengine.lab.workers import Failure, Job, Outcomes, play_here, play_in_processes, play_on
from hexengine.players import player
from hexengine.record.files import label

MOST = 1_000_000_000
"""Games, workers and orders of a game: more are a slip of the finger, and files of results have 64 bits."""
MOST_FAILURES = 20
"""Broken games after which a batch is given up."""


@dataclass(frozen=True, slots=True)
class BatchResult:
    """All results of a batch, in the order of games.

    ``players`` are in the order of sides, as they were named; ``planned`` is the number of games asked for;
    ``seconds`` is how long this run took, and the only thing in which two runs may differ.
    """

    scenario: str
    sides: tuple[str, ...]
    players: tuple[str, ...]
    seed: int
    swap: bool
    planned: int
    results: tuple[GameResult, ...]
    seconds: float

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.results)

    @property
    def wins(self) -> dict[str, int]:
        """Games won, by side."""
        count = Counter(result.winner for result in self.results)
        return {side: count[side] for side in self.sides}

    @property
    def wins_by_player(self) -> dict[str, int]:
        """Games won, by player's name.

        A player against itself wins every game that is decided, on one side or the other.
        """
        count = Counter(result.players[result.winner] for result in self.results if result.winner)
        return {name: count[name] for name in self.players}

    @property
    def draws(self) -> int:
        """Games that nobody won, those broken off among them."""
        return sum(1 for result in self.results if result.winner is None)

    @property
    def orders(self) -> int:
        """Orders in all games together."""
        return sum(result.orders for result in self.results)

    @property
    def turns(self) -> float:
        """The mean number of the turn in which a game ended; 0 of no games."""
        return mean(result.turns for result in self.results) or 0.0

    @property
    def faulty(self) -> tuple[GameResult, ...]:
        """The games in which a player failed and ``random`` played on."""
        return tuple(result for result in self.results if result.faults)

    def as_json(self) -> dict[str, Any]:
        """What ``batch --json`` prints."""
        return {
            "scenario": self.scenario,
            "games": self.games,
            "seed": self.seed,
            "players": list(self.players),
            "wins": self.wins,
            "wins_by_player": self.wins_by_player,
            "draws": self.draws,
            "orders": self.orders,
            "turns": self.turns,
            "seconds": self.seconds,
            "results": [result.as_json() for result in self.results],
        }


def batch(
    scenario: Scenario,
    players: Sequence[str] | Mapping[str, str],
    games: int,
    seed: int | None = None,
    *,
    swap: bool = False,
    workers: int = 1,
    out: str | Path | None = None,
    resume: bool = False,
    logs: str | Path | None = None,
    progress: Callable[[Progress], None] | None = None,
    start_method: str = "spawn",
    executor: Executor | None = None,
    max_orders: int = MAX_ORDERS,
    budget: float | None = None,
) -> BatchResult:
    """Play ``games`` games of a scenario; ``players`` are names, by side or in the scenario's order of sides.

    Each game has a seed derived from ``seed`` (fresh if None, and then part of the result) and its number;
    with ``swap`` each seed is played twice, sides swapped.  Results depend on scenario, players and seed
    alone, not on who plays the games: this process (``workers=1``), worker processes, begun by
    ``start_method``, or an ``executor`` of yours, to which ``workers`` says how many work there.  Worker
    processes load the program that calls this, which must therefore ask ``if __name__ == "__main__"``.

    ``out`` is a SQLite file: each result is committed to it before ``progress`` is told of it.  A file that
    holds results already is refused, unless ``resume``: then only what is missing is played, with the
    file's seed if none is given.  ``logs`` is a folder for the games' logs, named by their numbers.

    ``budget`` is in seconds for one order of a player; who overruns it is replaced, and the result says so.
    Such games depend on the machine's speed too, though their logs replay the same everywhere.

    Raises LabError for settings that cannot be, StoreError where ``out`` is not this batch's or cannot be
    written, UnknownPlayer, BrokenPlayer, and GamesFailed, when all others are played, for games that broke in
    the rules.  An interrupt leaves what was committed.
    """
    began = perf_counter()
    players = seated(scenario, players)
    check_settings(scenario, players, games, workers, start_method, max_orders)
    seed = seed if seed is None else seed_of(seed)
    if budget is not None and not 0 < budget < inf:  # nor is it nan
        raise LabError(f"a budget is a number of seconds, more than 0, not {budget}")
    if resume and out is None:
        raise LabError("to resume, the file of results must be named")
    settings = Settings(
        scenario=scenario.name,
        content=scenario.digest,
        system=scenario.system,
        rules=get_system(scenario.system).rules_version,
        sides=scenario.sides,
        players=tuple(players),
        seed=secrets.randbits(32) if seed is None else seed,
        games=games,
        swap=swap,
        max_orders=max_orders,
    )
    folder = _Logs(Path(logs), resume=resume) if logs is not None else None
    if out is None:
        store = Store.unnamed(settings)
    else:
        store = Store.open(out, settings, resume=resume, any_seed=seed is None)
    with store:
        run = _Run(scenario, store, folder, progress, began, budget)
        failures = run.play(workers, start_method, executor)
        result = run.result()
    if failures:
        raise GamesFailed(failures, result)
    return result


def seated(scenario: Scenario, players: Sequence[str] | Mapping[str, str]) -> Sequence[str]:
    """Players that were named by side in the order of sides; raises LabError where sides are wrong."""
    if not isinstance(players, Mapping) or not isinstance(scenario, Scenario):
        return players
    if set(players) != set(scenario.sides):
        named, wanted = ", ".join(map(str, players)), ", ".join(scenario.sides)
        raise LabError(
            f"the sides that are given players are {named or 'none'}, and those there are {wanted}"
        )
    return [players[side] for side in scenario.sides]


def check_settings(
    scenario: Scenario, players: Sequence[str], games: int, workers: int, start_method: str, max_orders: int
) -> None:
    """Refuse at once what cannot be played: raises LabError, UnknownPlayer or BrokenPlayer."""
    if not isinstance(scenario, Scenario):
        raise LabError(f"a scenario is wanted, as load() gives it, not {scenario!r}")
    if isinstance(players, str) or not isinstance(players, Sequence) or len(players) != len(scenario.sides):
        wanted = f"{len(scenario.sides)} players are wanted ({', '.join(scenario.sides)})"
        given = ", ".join(map(str, players)) if isinstance(players, (list, tuple)) else str(players)
        raise LabError(f"{wanted}, not {given or 'none'}")
    for one in players:
        if not isinstance(one, str):
            raise LabError(f"players go by their names (register() gives one a name), not {one!r}")
    for number, name in ((games, "games"), (workers, "workers"), (max_orders, "orders")):
        if type(number) is not int or number < 1:
            raise LabError(f"{number!r} {name} cannot be: at least 1 is wanted")
        if number > MOST:
            raise LabError(f"so many {name} cannot be: {MOST:,} are the most")
    if start_method not in get_all_start_methods():
        methods = ", ".join(get_all_start_methods())
        raise LabError(f"workers cannot be started by {start_method!r}; there are: {methods}")
    for name in sorted(set(players)):
        player(name)


class _Logs:
    """A folder for the logs of a batch."""

    __slots__ = ("folder", "resume")

    def __init__(self, folder: Path, *, resume: bool) -> None:
        self.folder = folder
        self.resume = resume
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for torn in folder.glob("game-*.part"):  # of a batch that was killed
                torn.unlink()
            old = next(folder.glob("game-*.jsonl"), None)
        except (OSError, ValueError) as error:
            raise self._cannot_write(error) from None
        if old is not None and not resume:
            raise LabError(
                f"{label(folder)}: there are logs of games in this folder already: {label(old.name)}"
            )

    def path(self, number: int) -> Path:
        return self.folder / f"game-{number:06}.jsonl"

    def missing(self, number: int) -> bool:
        return not self.path(number).exists()

    def save(self, number: int, data: bytes) -> None:
        """Write a log whole; a log that is there already must be the same."""
        path = self.path(number)
        part = path.with_suffix(".part")
        try:
            if path.exists() and path.read_bytes() != data:
                raise LabError(f"{label(path)}: this is the log of another game, and is not overwritten")
            part.write_bytes(data)
            part.replace(path)
        except OSError as error:
            raise self._cannot_write(error) from None

    def _cannot_write(self, error: Exception) -> LabError:
        return LabError(f"{label(self.folder)}: the logs cannot be written: {why(error)}")


class _Run:
    """One run of a batch."""

    def __init__(
        self,
        scenario: Scenario,
        store: Store,
        logs: _Logs | None,
        progress: Callable[[Progress], None] | None,
        began: float,
        budget: float | None,
    ) -> None:
        self.scenario = scenario
        self.store = store
        self.logs = logs
        self.progress = progress
        self.began = began
        self.budget = budget
        self.stored = store.numbers()
        self.done = len(self.stored)
        self.wins: Counter[str] = Counter(dict.fromkeys(store.settings.players, 0))
        self.draws = 0

    def play(self, workers: int, start_method: str, executor: Executor | None) -> list[Failure]:
        """Play what is missing; returns the games that broke."""
        failures: list[Failure] = []
        numbers = self.missing()
        if self.progress is not None and self.stored:
            for result in self.store.results():
                self.count(result)
            self.tell()
        with closing(self.outcomes(numbers, workers, start_method, executor)) as outcomes:
            for outcome in outcomes:
                if isinstance(outcome, Failure):
                    failures.append(outcome)
                    if len(failures) >= MOST_FAILURES:
                        break
                else:
                    self.keep(outcome)
        assert failures or self.done == self.store.settings.games, "every game was played"
        return sorted(failures)

    def missing(self) -> Sequence[int]:
        """The numbers of the games to be played: without result, or without the log that is wanted."""
        numbers = range(1, self.store.settings.games + 1)
        if not self.stored:
            return numbers
        logs = self.logs
        return [
            number
            for number in numbers
            if number not in self.stored or (logs is not None and logs.missing(number))
        ]

    def outcomes(
        self, numbers: Sequence[int], workers: int, start_method: str, executor: Executor | None
    ) -> Outcomes:
        settings = self.store.settings
        job = Job((self.scenario,), settings.max_orders, self.logs is not None, self.budget)
        plan: Iterator[Task] = tasks(settings.seed, numbers, settings.players, swap=settings.swap)
        if executor is not None:
            return play_on(job, plan, workers, executor)
        workers = min(workers, len(numbers))
        if workers <= 1:
            return play_here(job, plan)
        return play_in_processes(job, plan, workers, start_method)

    def keep(self, result: GameResult) -> None:
        """Log first, then result: what has a result has its log."""
        if self.logs is not None and result.log is not None:
            self.logs.save(result.number, result.log)
        self.store.add(result._replace(log=None))
        if result.number not in self.stored:
            self.done += 1
            self.count(result)
        self.tell()

    def count(self, result: GameResult) -> None:
        if result.winner is None:
            self.draws += 1
        else:
            self.wins[result.players[result.winner]] += 1

    def tell(self) -> None:
        if self.progress is not None:
            games = self.store.settings.games
            seconds = perf_counter() - self.began
            self.progress(
                Progress(self.done, games, self.done - len(self.stored), dict(self.wins), self.draws, seconds)
            )

    def result(self) -> BatchResult:
        settings = self.store.settings
        return BatchResult(
            scenario=settings.scenario,
            sides=settings.sides,
            players=settings.players,
            seed=settings.seed,
            swap=settings.swap,
            planned=settings.games,
            results=tuple(self.store.results()),
            seconds=perf_counter() - self.began,
        )
