"""Results in a SQLite file: each is committed as it arrives, and the file knows which batch it is of.

A file holds one batch: the table ``batch`` has one row, what was asked for; ``game`` one row a game, by its
number, which stands for the match-up, the seed and the seats.  ``players``, ``score`` and ``losses`` (steps
and units) are JSON objects by side, ``faults`` a JSON array.  The journal is a write-ahead log (WAL), so that
others may read while games are played; what is committed outlives the process.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, Self

import msgspec

from hexengine.lab.errors import StoreError
from hexengine.lab.play import Fault, GameResult, Losses
from hexengine.record.files import label

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

APPLICATION = 0x68786C62
"""The application id of our files: "hxlb"."""

VERSION = 1

PATIENCE = 5.0
"""Seconds to wait for somebody else's lock."""

_BATCH = (
    "CREATE TABLE batch (scenario TEXT NOT NULL, content TEXT NOT NULL, system TEXT NOT NULL, "
    "rules INTEGER NOT NULL, sides TEXT NOT NULL, players TEXT NOT NULL, seed TEXT NOT NULL, "
    "games INTEGER NOT NULL, swap INTEGER NOT NULL, max_orders INTEGER NOT NULL)"
)
_GAME = (
    "CREATE TABLE game (number INTEGER PRIMARY KEY, seed INTEGER NOT NULL, players TEXT NOT NULL, "
    "swapped INTEGER NOT NULL, winner TEXT, reason TEXT NOT NULL, margin INTEGER NOT NULL, "
    "score TEXT NOT NULL, turns INTEGER NOT NULL, orders INTEGER NOT NULL, digest TEXT NOT NULL, "
    "losses TEXT NOT NULL, faults TEXT NOT NULL)"
)
_TABLES = {("table", "batch", _BATCH), ("table", "game", _GAME)}
_INSERT = "INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (number) DO NOTHING"


class Settings(NamedTuple):
    """What a batch is: everything that its results depend on, and how many games are wanted.

    ``content`` is the digest of the scenario and the system's data, ``rules`` the version of the system's
    rules, ``players`` in the order of ``sides``.
    """

    scenario: str
    content: str
    system: str
    rules: int
    sides: tuple[str, ...]
    players: tuple[str, ...]
    seed: int
    games: int
    swap: bool
    max_orders: int


class _Row(msgspec.Struct, array_like=True, frozen=True):
    number: int
    seed: int
    players: str
    swapped: int
    winner: str | None
    reason: str
    margin: int
    score: str
    turns: int
    orders: int
    digest: str
    losses: str
    faults: str


_encode = msgspec.json.Encoder().encode
_players = msgspec.json.Decoder(dict[str, str]).decode
_score = msgspec.json.Decoder(dict[str, int]).decode
_losses = msgspec.json.Decoder(dict[str, Losses]).decode
_faults = msgspec.json.Decoder(tuple[Fault, ...]).decode
_names = msgspec.json.Decoder(tuple[str, ...]).decode


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
        _create(connection, settings)
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
                    known = _begun(connection, name)
                    if known is not None:
                        if any_seed:
                            settings = settings._replace(seed=known.seed)
                        _refuse_others(known, settings, connection, name, resume=resume)
                    connection.execute("PRAGMA journal_mode=WAL")
                    connection.execute("PRAGMA synchronous=NORMAL")
                    if known is None:
                        _create(connection, settings)
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
                settings = _begun(connection, name)
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
        row = (
            result.number,
            result.seed,
            _text(result.players),
            int(result.swapped),
            result.winner,
            result.reason,
            result.margin,
            _text(result.score),
            result.turns,
            result.orders,
            result.digest,
            _text(result.losses),
            _text(result.faults),
        )
        with _readable(self._name, "written"):
            if self._connection.execute(_INSERT, row).rowcount:
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

    def results(self) -> Iterator[GameResult]:
        """All results in the order of games; StoreError where the file is damaged."""
        sides = set(self.settings.sides)
        with _readable(self._name, "read"):
            for values in self._connection.execute("SELECT * FROM game ORDER BY number"):
                yield _result(values, sides)


def _text(value: Any) -> str:
    return _encode(value).decode()


def _result(values: tuple[Any, ...], sides: set[str]) -> GameResult:
    row = msgspec.convert(values, _Row)
    result = GameResult(
        row.number,
        row.seed,
        _players(row.players),
        bool(row.swapped),
        row.winner,
        row.reason,
        row.margin,
        _score(row.score),
        row.turns,
        row.orders,
        row.digest,
        _losses(row.losses),
        _faults(row.faults),
    )
    for by_side in (result.players, result.score, result.losses):
        if set(by_side) != sides:
            raise ValueError(f"game {row.number} is not between {' and '.join(sorted(sides))}")
    if row.winner is not None and row.winner not in sides:
        raise ValueError(f"game {row.number} was won by {row.winner!r}, who is no side")
    return result


# -- files ------------------------------------------------------------------------------------------


@contextmanager
def _readable(name: str, what: str) -> Iterator[None]:
    """Faults of SQLite and of what is in the file, in words."""
    try:
        yield
    except sqlite3.Error as error:
        text = str(error)
        if "not a database" in text:
            raise _no_results(name) from None
        if "locked" in text:
            text = "another program keeps it locked"
        raise StoreError(f"{name}: the results cannot be {what}: {text}") from None
    except (msgspec.MsgspecError, ValueError, OverflowError) as error:
        raise StoreError(f"{name}: the results are damaged: {label(str(error))}") from None


def _no_results(name: str) -> StoreError:
    return StoreError(f"{name}: this is no file of results")


def _refuse_odd_files(path: Path, name: str, *, new: bool) -> None:
    """Opening a pipe or a device might wait for ever."""
    try:
        if path.is_dir():
            _refuse(name, "this is a folder, not a file")
        if path.exists():
            if not path.is_file():
                _refuse(name, "this is not a plain file")
        elif not new:
            _refuse(name, "there is no such file")
        elif not path.absolute().parent.is_dir():
            _refuse(name, "there is no such folder to write it into")
    except (OSError, ValueError) as error:
        _refuse(name, f"it cannot be opened: {getattr(error, 'strerror', None) or error}")


def _refuse(name: str, text: str) -> NoReturn:
    raise StoreError(f"{name}: {text}")


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


def _begun(connection: sqlite3.Connection, name: str) -> Settings | None:
    """The batch of a file, or None if the file holds nothing yet; StoreError if it holds something else."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    tables = set(connection.execute("SELECT type, name, sql FROM sqlite_master"))
    if not tables and not application:
        return None
    if application != APPLICATION:
        raise _no_results(name)
    if version > VERSION:
        _refuse(
            name, f"a newer version of the program has written this ({version}, and {VERSION} can be read)"
        )
    if not tables >= _TABLES or any(kind == "trigger" for kind, _, _ in tables):
        _refuse(name, "the results are damaged: the tables in it are not those of a batch")
    rows = connection.execute("SELECT * FROM batch").fetchall()
    if len(rows) != 1:
        _refuse(name, f"the results are damaged: it is of {len(rows)} batches")
    row = list(rows[0])
    row[4], row[5], row[6], row[8] = _names(row[4]), _names(row[5]), int(row[6]), bool(row[8])
    settings = msgspec.convert(row, Settings)
    if len(settings.players) != len(settings.sides):
        _refuse(name, "the results are damaged: sides and players do not fit")
    return settings


def _create(connection: sqlite3.Connection, settings: Settings) -> None:
    """Tables and marks of a new file, all or nothing."""
    row = settings._replace(
        sides=_text(settings.sides),  # type: ignore[arg-type]
        players=_text(settings.players),  # type: ignore[arg-type]
        seed=str(settings.seed),  # type: ignore[arg-type]
    )
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(f"PRAGMA application_id={APPLICATION}")
    connection.execute(f"PRAGMA user_version={VERSION}")
    connection.execute(_BATCH)
    connection.execute(_GAME)
    connection.execute("INSERT INTO batch VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    connection.execute("COMMIT")


def _refuse_others(
    known: Settings, wanted: Settings, connection: sqlite3.Connection, name: str, *, resume: bool
) -> None:
    """Another batch's file is left alone, and so is this one's unless it is to be gone on with."""
    if not resume:
        (played,) = connection.execute("SELECT count(*) FROM game").fetchone()
        players = " against ".join(known.players)
        _refuse(
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
            _refuse(name, f"it is of another batch: {what} {there}, not {here}")
    if known.games > wanted.games:
        _refuse(name, f"it is of another batch: {known.games} games are wanted there, not {wanted.games}")


def _locked(path: Path, name: str) -> int:
    """A descriptor that keeps other batches from the file, where the system has such locks.

    Workers of a batch that was killed may hold its lock for a moment.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        _refuse(name, f"the results cannot be written: {error.strerror or error}")
    until = time.monotonic() + PATIENCE
    while fcntl is not None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                os.close(descriptor)
                _refuse(name, "another batch is writing into it")
            time.sleep(0.05)
        except OSError:
            break  # a file system without locks
        else:
            break
    return descriptor


def _unlock(descriptor: int) -> None:
    if descriptor >= 0:
        os.close(descriptor)
