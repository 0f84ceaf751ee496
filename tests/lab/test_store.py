"""Files of results: one batch each, gone on with, and clear about everything that is wrong with them."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from hexengine.lab import store as stores
from hexengine.lab.batches import batch
from hexengine.lab.errors import StoreError
from hexengine.lab.reports import report
from hexengine.lab.store import Store
from hexengine.lab.tables import Settings
from tests.lab.helpers import MARK, document, small, tiny

RANDOM = ("random", "random")


@pytest.fixture
def out(tmp_path):
    """The file of a batch of eight games."""
    path = tmp_path / "games.db"
    batch(small(), RANDOM, 8, seed=1, out=path)
    return path


def again(path, **changes):
    arguments = {"scenario": small(), "players": RANDOM, "games": 8, "seed": 1, "resume": True, **changes}
    return batch(out=path, **arguments)


def change(path, *statements):
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


# -- going on ---------------------------------------------------------------------------------------


def test_a_finished_batch_is_there_at_once(out, monkeypatch):
    whole = document(batch(small(), RANDOM, 8, seed=1))
    monkeypatch.setattr("hexengine.lab.workers.play_game", None)
    assert document(again(out)) == whole


def test_only_what_is_missing_is_played(tmp_path, monkeypatch):
    monkeypatch.setenv(MARK, str(tmp_path / "marks"))
    (tmp_path / "marks").mkdir()
    path = tmp_path / "games.db"
    players = ("counts", "counts")
    whole = batch(small(), players, 9, seed=1, out=path)
    change(path, "DELETE FROM game WHERE number IN (2, 3, 9)")
    for mark in (tmp_path / "marks").iterdir():
        mark.unlink()
    assert document(batch(small(), players, 9, seed=1, out=path, resume=True)) == document(whole)
    asked = {int(mark.name) for mark in (tmp_path / "marks").iterdir()}
    assert asked == {whole.results[number - 1].seed for number in (2, 3, 9)}


@pytest.mark.parametrize("swap", [False, True])
def test_a_batch_may_be_made_longer(tmp_path, swap):
    path = tmp_path / "games.db"
    batch(small(), ("officer", "random"), 5, seed=1, out=path, swap=swap)
    longer = batch(small(), ("officer", "random"), 8, seed=1, out=path, swap=swap, resume=True)
    assert document(longer) == document(batch(small(), ("officer", "random"), 8, seed=1, swap=swap))
    assert report(path).planned == 8


def test_a_file_that_is_not_there_yet_is_begun(tmp_path):
    path = tmp_path / "games.db"
    assert again(path).games == 8
    assert report(path).games == 8


@pytest.mark.parametrize("content", ["nothing", "no tables"])
def test_a_file_that_was_killed_before_it_began(tmp_path, content):
    path = tmp_path / "games.db"
    path.touch()
    if content == "no tables":
        change(path, "PRAGMA journal_mode=WAL")
        assert path.stat().st_size > 0
    with pytest.raises(StoreError, match="no results in this file"):
        report(path)
    assert batch(small(), RANDOM, 2, seed=1, out=path).games == 2


def test_without_a_seed_the_files_own_is_used(out):
    assert again(out, seed=None).seed == 1


def test_a_seed_of_any_size(tmp_path):
    for number, seed in enumerate((-(2**70), 2**200)):
        path = tmp_path / f"{number}.db"
        first = batch(tiny(), RANDOM, 2, seed=seed, out=path)
        assert document(batch(tiny(), RANDOM, 2, out=path, resume=True)) == document(first)
        assert first.seed == seed


def test_results_come_back_as_they_were(tmp_path):
    """Everything of a result, faults with all their signs too."""
    path = tmp_path / "games.db"
    players = ("raises", "random")
    first = batch(small(), players, 6, seed=1, out=path, swap=True, max_orders=12)
    assert any(result.faults for result in first.results)
    assert any(result.reason == "stalemate" for result in first.results)
    assert first.results == batch(small(), players, 6, seed=1, swap=True, max_orders=12).results
    with Store.read(path) as store:
        assert tuple(store.results()) == first.results
        assert store.numbers() == {1, 2, 3, 4, 5, 6}


def test_results_are_there_for_others_as_they_come(tmp_path):
    """Committed before progress is told, and readable while the batch goes on."""
    path = tmp_path / "games.db"
    seen = []
    batch(
        tiny(), RANDOM, 5, seed=1, out=path, progress=lambda now: seen.append((now.done, report(path).games))
    )
    assert seen == [(number, number) for number in range(1, 6)]


def test_the_journal_is_a_write_ahead_log_and_is_gone_at_the_end(out):
    with closing(sqlite3.connect(out)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert [path.name for path in out.parent.iterdir()] == ["games.db"]


# -- other batches ----------------------------------------------------------------------------------


def test_without_resume_results_are_left_alone(out):
    before = out.read_bytes()
    with pytest.raises(StoreError) as caught:
        batch(small(), RANDOM, 8, seed=1, out=out)
    assert "it holds 8 of 8 games of random against random in small, seed 1; resume" in str(caught.value)
    assert out.read_bytes() == before


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"seed": 2}, "seed 1, not 2"),
        ({"players": ("officer", "random")}, "players random, random, not officer, random"),
        ({"games": 7}, "8 games are wanted there, not 7"),
        ({"swap": True}, "swap no, not yes"),
        ({"max_orders": 99}, "limit of orders 20000, not 99"),
        ({"scenario": tiny()}, "scenario small, not tiny"),
        ({"scenario": replace(small(), digest="f" * 16)}, "content of scenario and data [0-9a-f]{16}, not f"),
    ],
)
def test_another_batch_is_told_apart(out, changes, text):
    before = out.read_bytes()
    with pytest.raises(StoreError, match=f"games.db: it is of another batch: .*{text}|{text}"):
        again(out, **changes)
    assert out.read_bytes() == before


def test_other_rules_are_told_apart(out, monkeypatch):
    monkeypatch.setattr("tests.toy.SYSTEM.rules_version", 2, raising=False)
    with pytest.raises(StoreError, match="version of the rules 1, not 2"):
        again(out)


def test_a_game_that_ends_otherwise_is_noticed(out):
    with Store.read(out) as store:
        first = next(store.results())
        settings = store.settings
    with Store.open(out, settings, resume=True) as store:
        store.add(first)
        with pytest.raises(StoreError, match="game 1 was played again and ended otherwise"):
            store.add(first._replace(digest="f" * 16))


def test_two_batches_do_not_write_into_one_file(out, monkeypatch):
    monkeypatch.setattr(stores, "PATIENCE", 0.1)
    with Store.read(out) as store:
        settings = store.settings
    with Store.open(out, settings, resume=True):
        with pytest.raises(StoreError, match="another batch is writing into it"):
            again(out)
        assert report(out).games == 8
    assert again(out).games == 8


# -- files that are something else ------------------------------------------------------------------


def made(tmp_path, kind):
    """A file that holds no results, and what is said of it."""
    path = tmp_path / f"{kind}.db"
    if kind == "text":
        path.write_text("[map]\nterrain = nothing\n" * 99)
        return path, "this is no file of results"
    if kind == "other database":
        change(path, "CREATE TABLE recipes (name)", "INSERT INTO recipes VALUES ('soup')")
        return path, "this is no file of results"
    if kind == "folder":
        path.mkdir()
        return path, "this is a folder, not a file"
    if kind == "pipe":
        os.mkfifo(path)
        return path, "this is not a plain file"
    batch(small(), RANDOM, 3, seed=1, out=path)
    if kind == "newer":
        change(path, "PRAGMA user_version=2")
        return path, "a newer version of the program has written this"
    if kind == "other tables":
        change(path, "ALTER TABLE game ADD COLUMN luck")
        return path, "the results are damaged: the tables"
    if kind == "trigger":
        change(path, "CREATE TRIGGER t AFTER INSERT ON game BEGIN DELETE FROM game; END")
        return path, "the results are damaged: the tables"
    if kind == "two batches":
        change(path, "INSERT INTO batch SELECT * FROM batch")
        return path, "it is of 2 batches"
    if kind == "half":
        path.write_bytes(path.read_bytes()[:5000])
        return path, "the results cannot be"
    assert kind == "view"
    change(
        path,
        "DROP TABLE game",
        "CREATE VIEW game AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n",
    )
    return path, "the results are damaged: the tables"


@pytest.mark.parametrize(
    "kind",
    [
        "text",
        "other database",
        "folder",
        "pipe",
        "newer",
        "other tables",
        "trigger",
        "two batches",
        "half",
        "view",
    ],
)
def test_what_is_no_file_of_results_is_said_and_left_alone(tmp_path, kind):
    path, text = made(tmp_path, kind)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(StoreError, match=text):
        report(path)
    for resume in (False, True):
        with pytest.raises(StoreError, match=text):
            again(path, resume=resume)
    assert not path.is_file() or path.read_bytes() == before


@pytest.mark.parametrize(
    "assignment",
    [
        "winner = 'green'",
        "score = '{}'",
        "score = 'red'",
        "score = NULL",
        'players = \'{"red": "random"}\'',
        'losses = \'{"red": [1], "blue": [0, 0]}\'',
        "faults = '[[1]]'",
        "turns = 1.5",
        "turns = 'many'",
        "digest = x'ff'",
        "reason = CAST(x'ff' AS TEXT)",
    ],
)
def test_damaged_results_are_told(out, assignment):
    try:
        change(out, f"UPDATE game SET {assignment} WHERE number = 3")
    except sqlite3.IntegrityError:
        return
    with pytest.raises(StoreError, match=r"the results are damaged|the results cannot be read"):
        report(out)


@pytest.mark.parametrize(
    "assignment", ["sides = '[\"red\"]'", "players = '7'", "seed = 'one'", "games = 'many'", "sides = x'ff'"]
)
def test_damaged_settings_are_told(out, assignment):
    change(out, f"UPDATE batch SET {assignment}")
    with pytest.raises(StoreError, match="the results are damaged"):
        report(out)
    with pytest.raises(StoreError, match="the results are damaged"):
        again(out)


def test_every_byte_of_a_file_may_be_wrong(out):
    """Whatever stands in a file, it is read, or something is said."""
    whole = out.read_bytes()
    read = 0
    for place in range(0, len(whole), 61):
        for value in (0, 0xFF):
            out.write_bytes(whole[:place] + bytes([value]) + whole[place + 1 :])
            try:
                report(out)
                read += 1
            except StoreError:
                pass
    assert read


def test_own_tables_beside_the_results_do_no_harm(out):
    change(out, "CREATE TABLE notes (text)", "CREATE INDEX by_winner ON game (winner)", "ANALYZE")
    assert report(out).games == again(out).games == 8


def test_missing_files_and_folders_are_told(tmp_path):
    with pytest.raises(StoreError, match="there is no such file"):
        report(tmp_path / "games.db")
    with pytest.raises(StoreError, match="there is no such folder"):
        batch(small(), RANDOM, 2, out=tmp_path / "none" / "games.db")
    with pytest.raises(StoreError, match=r"cannot be opened|no such file"):
        report("a\0b")
    with pytest.raises(StoreError, match=r"cannot be opened|no such file"):
        report("x" * 5000)
    assert list(tmp_path.iterdir()) == []


def test_odd_names_are_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in (":memory:", "file:games.db?mode=memory", "a b%20?#.db", "игры.db"):
        assert batch(tiny(), RANDOM, 2, seed=1, out=name).games == 2
        assert report(name).games == 2


def test_a_locked_file_is_told(out, monkeypatch):
    monkeypatch.setattr(stores, "PATIENCE", 0.1)
    holder = sqlite3.connect(out, isolation_level=None)
    holder.execute("PRAGMA locking_mode=EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    try:
        with pytest.raises(StoreError, match="another program keeps it locked"):
            report(out)
        with pytest.raises(StoreError, match="another program keeps it locked"):
            again(out)
    finally:
        holder.close()
    assert report(out).games == 8


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_results_on_a_medium_that_cannot_be_written(out):
    out.parent.chmod(0o500)
    out.chmod(0o400)
    try:
        assert report(out).games == 8
        with pytest.raises(StoreError, match="cannot be written"):
            again(out)
    finally:
        out.parent.chmod(0o700)


def test_a_full_disk_loses_nothing_that_was_committed(tmp_path, monkeypatch):
    path = tmp_path / "games.db"
    opened = Store.open.__func__

    def small_disk(*arguments, **options):
        store = opened(*arguments, **options)
        store._connection.execute("PRAGMA max_page_count=4")
        return store

    monkeypatch.setattr(Store, "open", classmethod(small_disk))
    with pytest.raises(StoreError, match=r"the results cannot be written: .*full"):
        batch(tiny(), RANDOM, 500, seed=1, out=path)
    monkeypatch.undo()
    kept = report(path).games
    assert 1 < kept < 500
    assert batch(tiny(), RANDOM, 500, seed=1, out=path, resume=True).games == 500


def test_a_file_may_be_moved_with_its_journal(out, tmp_path):
    """Killed in mid-batch, a file is its database and its journal; both together are whole."""
    (tmp_path / "there").mkdir()
    with Store.read(out) as store:
        settings = store.settings
    with Store.open(out, settings._replace(games=9), resume=True) as store:
        with Store.read(out) as reader:
            ninth = next(reader.results())._replace(number=9)
        store.add(ninth)
        for path in out.parent.glob("games.db*"):
            shutil.copy(path, tmp_path / "there")
    assert report(tmp_path / "there" / "games.db").games == 9


def test_settings_name_everything_that_results_depend_on():
    assert Settings._fields == (
        "scenario",
        "content",
        "system",
        "rules",
        "sides",
        "players",
        "seed",
        "games",
        "swap",
        "max_orders",
    )
