"""Results in a SQLite file: each is committed as it arrives, and the file knows which batch it is of.

A file holds one batch, in the tables that tables.py describes.  The journal is a write-ahead log (WAL), so
that others may read while games are played; what is committed outlives the process.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

import msgspec

from hexengine.core.errors import why
from hexengine.lab.errors import StoreError
from hexengine.lab.play import GameResult
from hexengine.lab.tables import (
    INSERT,
    INSERT_COURSE,
    Settings,
    add_courses,
    begun,
    course_of,
    course_row,
    create,
    no_results,
    refuse,
    result_of,
    row_of,
)
from hexengine.record.files import label

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

PATIENCE = 5.0
"""Seconds to wait for somebody else's lock."""


class Store:
    """An open file of results, or a place in memory for those that nobody keeps.

    Use it in a ``with`` statement, which closes it.
    """

    __slots__ = ("_connection", "_descriptor", "_name", "settings")

    def __init__(
        self, connection: sqlite3.Connection, name: str, settings: Settings, descriptor: int
    ) -> None:
        self._connection = connection
        self._name = name
        self._descriptor = descriptor
        self.settings = settings

    # -- opening ------------------------------------------------------------------------------

    @classmethod
    def unnamed(cls, settings: Settings) -> Self:
        """Results that are dropped when the store is closed; large ones go to disk, not to memory."""
        connection = sqlite3.connect("", isolation_level=None)
        connection.execute("PRAGMA journal_mode=OFF")
        create(connection, settings)
        return cls(connection, "the results", settings, -1)

    @classmethod
    def open(cls, path: str | Path, settings: Settings, *, resume: bool, any_seed: bool = False) -> Self:
        """A file to write results into: a new one, or with ``resume`` also one that this batch began.

        A batch that goes on may have more games than it began with; all else must be the same, with
        ``any_seed`` but for the seed, which then is the file's.  Raises StoreError where the file holds
        something else, is in use, or cannot be written.
        """
        path = Path(path)
        name = label(path)
        _refuse_odd_files(path, name, new=True)
        descriptor = _locked(path, name)
        try:
            with _readable(name, "written"):
                connection = sqlite3.connect(path.absolute(), timeout=PATIENCE, isolation_level=None)
            try:
                with _readable(name, "written"):
                    known = begun(connection, name)
                    if known is not None:
                        if any_seed:
                            settings = settings._replace(seed=known.seed)
                        _refuse_others(known, settings, connection, name, resume=resume)
                    connection.execute("PRAGMA journal_mode=WAL")
                    connection.execute("PRAGMA synchronous=NORMAL")
                    if known is None:
                        create(connection, settings)
                    elif known.games < settings.games:
                        connection.execute("UPDATE batch SET games = ?", (settings.games,))
            except BaseException:
                connection.close()
                raise
        except BaseException:
            _unlock(descriptor)
            raise
        return cls(connection, name, settings, descriptor)

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """A file to read results from; a batch may be writing it.  Raises StoreError."""
        path = Path(path)
        name = label(path)
        _refuse_odd_files(path, name, new=False)
        with _readable(name, "read"):
            connection = _read_only(path)
            try:
                settings = begun(connection, name)
            except BaseException:
                connection.close()
                raise
        if settings is None:
            connection.close()
            raise StoreError(f"{name}: there are no results in this file")
        return cls(connection, name, settings, -1)

    def close(self) -> None:
        """Let go of the file."""
        # The lock goes last: closing another descriptor of a file drops the locks that SQLite has on it.
        with suppress(sqlite3.Error):
            self._connection.close()
        _unlock(self._descriptor)
        self._descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- results ------------------------------------------------------------------------------

    def add(self, result: GameResult) -> None:
        """Commit a result.  One that is there already must be the same; StoreError if it is not."""
        row = row_of(result)
        with _readable(self._name, "written"):
            if self._connection.execute(INSERT, row).rowcount:
                return
            there = self._connection.execute("SELECT * FROM game WHERE number = ?", row[:1]).fetchone()
        if tuple(there) != row:
            raise StoreError(
                f"{self._name}: game {result.number} was played again and ended otherwise: players or "
                "rules are no longer those that the file was written with"
            )

    def numbers(self) -> set[int]:
        """The numbers of the games that are there."""
        with _readable(self._name, "read"):
            return {number for (number,) in self._connection.execute("SELECT number FROM game")}

    def settle(self, games: int) -> None:
        """So many games are all that were wanted."""
        with _readable(self._name, "written"):
            self._connection.execute("UPDATE batch SET games = ?", (games,))
        self.settings = self.settings._replace(games=games)

    def keep_courses(self) -> None:
        """From now on results are kept with how the games went."""
        with _readable(self._name, "written"):
            add_courses(self._connection)

    def add_course(self, result: GameResult) -> None:
        """Commit how a game went; :meth:`add` its result first."""
        with _readable(self._name, "written"):
            self._connection.execute(INSERT_COURSE, course_row(result))

    def courses(self) -> Iterator[GameResult]:
        """Those results that say how their game went, in the order of games.

        Files of former versions say less of it: such games are left out, and played again by whoever asks.
        """
        sides = set(self.settings.sides)
        query = "SELECT game.*, course.course FROM game JOIN course USING (number) ORDER BY number"
        with _readable(self._name, "read"):
            for *values, course in self._connection.execute(query):
                result = result_of(tuple(values), sides)._replace(course=course_of(course))
                if result.course is not None and result.course.gains is not None:
                    yield result

    def results(self) -> Iterator[GameResult]:
        """All results in the order of games; StoreError where the file is damaged."""
        sides = set(self.settings.sides)
        with _readable(self._name, "read"):
            for values in self._connection.execute("SELECT * FROM game ORDER BY number"):
                yield result_of(values, sides)


# -- files ------------------------------------------------------------------------------------------


@contextmanager
def _readable(name: str, what: str) -> Iterator[None]:
    """Faults of SQLite and of what is in the file, in words."""
    try:
        yield
    except sqlite3.Error as error:
        text = str(error)
        if "not a database" in text:
            raise no_results(name) from None
        if "locked" in text:
            text = "another program keeps it locked"
        raise StoreError(f"{name}: the results cannot be {what}: {text}") from None
    except (msgspec.MsgspecError, ValueError, OverflowError) as error:
        raise StoreError(f"{name}: the results are damaged: {label(str(error))}") from None


def _refuse_odd_files(path: Path, name: str, *, new: bool) -> None:
    """Opening a pipe or a device might wait for ever."""
    try:
        if path.is_dir():
            refuse(name, "this is a folder, not a file")
        if path.exists():
            if not path.is_file():
                refuse(name, "this is not a plain file")
        elif not new:
            refuse(name, "there is no such file")
        elif not path.absolute().parent.is_dir():
            refuse(name, "there is no such folder to write it into")
    except (OSError, ValueError) as error:
        refuse(name, f"it cannot be opened: {why(error)}")


def _read_only(path: Path) -> sqlite3.Connection:
    """A connection that writes nothing, on read-only media too."""
    place = path.absolute().as_uri()
    connection = sqlite3.connect(f"{place}?mode=ro", uri=True, timeout=PATIENCE, isolation_level=None)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        connection.close()
        beside = path.with_name(f"{path.name}-wal")
        if "locked" in str(error) or beside.exists():
            raise
        # Beside a file in a folder that cannot be written there is no room for the index of its journal.
        return sqlite3.connect(f"{place}?mode=ro&immutable=1", uri=True, isolation_level=None)
    except BaseException:
        connection.close()
        raise
    return connection


def _refuse_others(
    known: Settings, wanted: Settings, connection: sqlite3.Connection, name: str, *, resume: bool
) -> None:
    """Another batch's file is left alone, and so is this one's unless it is to be gone on with."""
    if not resume:
        (played,) = connection.execute("SELECT count(*) FROM game").fetchone()
        players = " against ".join(known.players)
        refuse(
            name,
            f"it holds {played} of {known.games} games of {players} in {known.scenario}, seed {known.seed}; "
            "resume goes on with them, or name another file",
        )
    for what, there, here in (
        ("scenario", known.scenario, wanted.scenario),
        ("sides", ", ".join(known.sides), ", ".join(wanted.sides)),
        ("players", ", ".join(known.players), ", ".join(wanted.players)),
        ("seed", known.seed, wanted.seed),
        ("swap", "yes" if known.swap else "no", "yes" if wanted.swap else "no"),
        ("limit of orders", known.max_orders, wanted.max_orders),
        ("system", known.system, wanted.system),
        ("version of the rules", known.rules, wanted.rules),
        ("content of scenario and data", known.content, wanted.content),
    ):
        if there != here:
            refuse(name, f"it is of another batch: {what} {there}, not {here}")
    if known.games > wanted.games:
        refuse(name, f"it is of another batch: {known.games} games are wanted there, not {wanted.games}")


def _locked(path: Path, name: str) -> int:
    """A descriptor that keeps other batches from the file, where the system has such locks.

    Workers of a batch that was killed may hold its lock for a moment.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except (OSError, ValueError) as error:
        refuse(name, f"the results cannot be written: {why(error)}")
    until = time.monotonic() + PATIENCE
    while fcntl is not None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                os.close(descriptor)
                refuse(name, "another batch is writing into it")
            time.sleep(0.05)
        except OSError:
            break  # a file system without locks
        else:
            break
    return descriptor


def _unlock(descriptor: int) -> None:
    if descriptor >= 0:
        os.close(descriptor)
