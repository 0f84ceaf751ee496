"""The tables of a file of results, and what stands in their rows.

The table ``batch`` has one row, what was asked for; ``game`` one row a game, by its number, which stands for
the match-up, the seed and the seats.  ``players``, ``score`` and ``losses`` (steps and units) are JSON
objects by side, ``faults`` is a JSON array.  Files that ``balance`` writes have a table ``course`` too: how
each game went, as JSON.
"""

from __future__ import annotations

import sqlite3
from typing import Any, NamedTuple, NoReturn

import msgspec

from hexengine.lab.course import Course
from hexengine.lab.errors import StoreError
from hexengine.lab.play import GameResult, Losses
from hexengine.players.driver import Fault

APPLICATION = 0x68786C62
"""The application id of our files: "hxlb"."""

VERSION = 1

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
_COURSE = "CREATE TABLE IF NOT EXISTS course (number INTEGER PRIMARY KEY, course TEXT NOT NULL)"
_TABLES = {("table", "batch", _BATCH), ("table", "game", _GAME)}
INSERT = "INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (number) DO NOTHING"


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
_course = msgspec.json.Decoder(Course).decode
_names = msgspec.json.Decoder(tuple[str, ...]).decode


def row_of(result: GameResult) -> tuple[Any, ...]:
    """A result as a row of the table ``game``."""
    return (
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


def _text(value: Any) -> str:
    return _encode(value).decode()


INSERT_COURSE = "INSERT INTO course VALUES (?, ?) ON CONFLICT (number) DO UPDATE SET course = excluded.course"


def course_row(result: GameResult) -> tuple[int, str]:
    """How a game went as a row of the table ``course``."""
    return result.number, _text(result.course)


def course_of(text: str) -> Course:
    """What such a row says; MsgspecError where it cannot be one."""
    return _course(text)


def add_courses(connection: sqlite3.Connection) -> None:
    """The table ``course``, if the file has none yet."""
    connection.execute(_COURSE)


def result_of(values: tuple[Any, ...], sides: set[str]) -> GameResult:
    """The result in a row of ``game``; ValueError or MsgspecError where it cannot be one."""
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


def begun(connection: sqlite3.Connection, name: str) -> Settings | None:
    """The batch of a file, or None if the file holds nothing yet; StoreError if it holds something else."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    tables = set(connection.execute("SELECT type, name, sql FROM sqlite_master"))
    if not tables and not application:
        return None
    if application != APPLICATION:
        raise no_results(name)
    if version > VERSION:
        refuse(
            name, f"a newer version of the program has written this ({version}, and {VERSION} can be read)"
        )
    if not tables >= _TABLES or any(kind == "trigger" for kind, _, _ in tables):
        refuse(name, "the results are damaged: the tables in it are not those of a batch")
    rows = connection.execute("SELECT * FROM batch").fetchall()
    if len(rows) != 1:
        refuse(name, f"the results are damaged: it is of {len(rows)} batches")
    row = list(rows[0])
    row[4], row[5], row[6], row[8] = _names(row[4]), _names(row[5]), int(row[6]), bool(row[8])
    settings = msgspec.convert(row, Settings)
    if len(settings.players) != len(settings.sides):
        refuse(name, "the results are damaged: sides and players do not fit")
    return settings


def create(connection: sqlite3.Connection, settings: Settings) -> None:
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


def no_results(name: str) -> StoreError:
    """What is said of a file that is something else."""
    return StoreError(f"{name}: this is no file of results")


def refuse(name: str, text: str) -> NoReturn:
    """Raise StoreError for a file."""
    raise StoreError(f"{name}: {text}")
