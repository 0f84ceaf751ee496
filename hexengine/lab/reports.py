"""What the results of a batch say: shares with their intervals, lengths, losses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from hexengine.lab.play import STALEMATE, GameResult
from hexengine.lab.statistics import wilson
from hexengine.lab.store import Store
from hexengine.lab.tables import Settings


@dataclass(slots=True)
class Tally:
    """One side, or one player: games it played, won and what it lost in all of them."""

    games: int = 0
    wins: int = 0
    steps: int = 0
    units: int = 0

    @property
    def share(self) -> float:
        """Games won of those played; draws count as not won."""
        return self.wins / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of the share."""
        return wilson(self.wins, self.games)

    @property
    def losses(self) -> float:
        """Steps lost in a game, on average."""
        return self.steps / self.games if self.games else 0.0

    @property
    def units_lost(self) -> float:
        """Units wholly lost in a game, on average."""
        return self.units / self.games if self.games else 0.0

    def as_json(self) -> dict[str, Any]:
        """Wins, their share with its interval, and the steps lost in a game on average."""
        low, high = self.interval
        return {"wins": self.wins, "share": self.share, "low": low, "high": high, "losses": self.losses}


class Row(NamedTuple):
    """A row of the table: name, games, wins, share and interval in per cent, steps and units lost."""

    name: str
    games: str
    wins: str
    share: str
    interval: str
    steps: str
    units: str


@dataclass(slots=True)
class Report:
    """The results of a batch so far.

    ``planned`` is how many games are wanted.  A player that played both sides of a game counts twice in
    it: once as the winner, once not.  ``shortest`` and ``longest`` are turns, None before the first game.
    """

    scenario: str
    names: tuple[str, ...]
    seed: int
    planned: int
    swap: bool
    sides: dict[str, Tally]
    players: dict[str, Tally]
    games: int = 0
    draws: int = 0
    stalemates: int = 0
    faulty: int = 0
    orders: int = 0
    turns: int = 0
    shortest: int | None = None
    longest: int | None = None
    reasons: dict[str, int] = field(default_factory=dict)

    @property
    def mean_turns(self) -> float | None:
        """The mean turn in which a game ended; None before the first game."""
        return self.turns / self.games if self.games else None

    def count(self, result: GameResult) -> None:
        """Take in one game."""
        self.games += 1
        self.draws += result.winner is None
        self.stalemates += result.reason == STALEMATE
        self.faulty += bool(result.faults)
        self.orders += result.orders
        self.turns += result.turns
        self.shortest = result.turns if self.shortest is None else min(self.shortest, result.turns)
        self.longest = result.turns if self.longest is None else max(self.longest, result.turns)
        self.reasons[result.reason] = self.reasons.get(result.reason, 0) + 1
        for side, player in result.players.items():
            for tally in (self.sides[side], self.players.setdefault(player, Tally())):
                tally.games += 1
                tally.wins += result.winner == side
                tally.steps += result.losses[side].steps
                tally.units += result.losses[side].units

    def as_json(self) -> dict[str, Any]:
        """What ``report --json`` prints."""
        return {
            "games": self.games,
            "sides": {side: tally.as_json() for side, tally in self.sides.items()},
            "players": {player: tally.as_json() for player, tally in self.players.items()},
            "draws": self.draws,
            "turns": {"mean": self.mean_turns, "min": self.shortest, "max": self.longest},
        }

    def side_rows(self) -> list[Row]:
        """A row a side, in the scenario's order."""
        return [_row(name, tally) for name, tally in self.sides.items()]

    def player_rows(self) -> list[Row]:
        """A row a player, in the order they were named."""
        return [_row(name, tally) for name, tally in self.players.items()]


def _row(name: str, tally: Tally) -> Row:
    low, high = tally.interval
    return Row(
        name,
        str(tally.games),
        str(tally.wins),
        f"{tally.share:.1%}",
        f"{low:.1%} - {high:.1%}",
        f"{tally.losses:.2f}",
        f"{tally.units_lost:.2f}",
    )


def report(path: str | Path) -> Report:
    """What is in a file of results, which a batch may still be writing.

    Raises StoreError where the file is missing, locked, damaged, of a newer version or no file of results.
    """
    with Store.read(path) as store:
        return report_on(store.settings, store.results())


def report_on(settings: Settings, results: Iterable[GameResult]) -> Report:
    """The report on some results of a batch."""
    found = Report(
        scenario=settings.scenario,
        names=settings.players,
        seed=settings.seed,
        planned=settings.games,
        swap=settings.swap,
        sides=_tallies(settings.sides),
        players=_tallies(settings.players),
    )
    for result in results:
        found.count(result)
    return found


def _tallies(names: Sequence[str]) -> dict[str, Tally]:
    return {name: Tally() for name in names}
