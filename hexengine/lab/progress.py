"""How far a batch is, told in few lines."""

from __future__ import annotations

from collections.abc import Mapping
from shutil import get_terminal_size
from time import monotonic
from typing import NamedTuple, Protocol, TextIO

LINES = 20
"""Lines at most, and one more for where a run begins, where progress goes into a file."""

PAUSE = 0.1
"""Seconds between two changes of the line that a terminal shows."""


class Progress(NamedTuple):
    """A batch under way: games done of all, how many of them in this run, and how they ended so far.

    ``wins`` are by player; ``seconds`` are those of this run.
    """

    done: int
    games: int
    fresh: int
    wins: Mapping[str, int]
    draws: int
    seconds: float

    def __str__(self) -> str:
        wins = "".join(f", {player} {count}" for player, count in self.wins.items())
        draws = f", draws {self.draws}" if self.draws else ""
        rate = self.fresh / self.seconds if self.seconds > 0 else 0.0
        pace = f"; {rate:.3g} a second" if self.fresh else ""
        left = (self.games - self.done) / rate if rate else 0.0
        ends = f", {_duration(left)} to go" if left >= 1 else ""
        return f"{self.done} of {self.games} games{wins}{draws}{pace}{ends}"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class Step(Protocol):
    """What is told: how much of how much is done, how much of it in this run; ``str()`` says the rest."""

    @property
    def done(self) -> int:
        """Games that are done."""
        ...

    @property
    def games(self) -> int:
        """All games, or the most there may be."""
        ...

    @property
    def fresh(self) -> int:
        """Games done in this run."""
        ...


class ProgressLines:
    """Tells progress to a stream: one line that changes on a terminal, a few lines elsewhere.

    Call it with each :class:`Progress` or the like, and :meth:`end` when the batch is over, however it ended.
    """

    __slots__ = ("_last", "_shown", "_stream", "_terminal", "_width")

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._terminal = stream.isatty()
        self._shown = -1
        self._last = 0.0
        self._width = 0

    def __call__(self, progress: Step) -> None:
        if self._terminal:
            self._change_line(progress)
            return
        step = progress.done * LINES // progress.games
        goes_on = self._shown < 0 and not progress.fresh
        if goes_on or step > max(self._shown, 0):
            self._stream.write(f"{progress}\n")
            self._stream.flush()
        self._shown = max(step, self._shown)

    def _change_line(self, progress: Step) -> None:
        now = monotonic()
        if progress.done < progress.games and now - self._last < PAUSE:
            return
        self._last = now
        text = str(progress)[: get_terminal_size().columns - 1]
        self._stream.write(f"\r{text:<{self._width}}")
        self._stream.flush()
        self._width = len(text)

    def end(self) -> None:
        """Leave the line that was changed on a terminal."""
        if self._terminal and self._width:
            self._stream.write("\n")
            self._stream.flush()
            self._width = 0
