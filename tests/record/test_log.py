"""Log files: their bytes, their checksums, and what happens to them when something goes wrong."""

from __future__ import annotations

import errno
import os
import stat
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
import pytest

from hexengine.core.errors import ContentError
from hexengine.record import files
from hexengine.record.formats import Entry, Header, RecordError
from hexengine.record.game import Game
from hexengine.record.log import Log, LogWriter, parse_log, read_log
from hexengine.record.replay import replay
from tests.record.helpers import choose, find, long_scenario, play_out, played, shipped
from tests.toy import scenario


@pytest.fixture
def log_file(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    played(long_scenario(), 7).log.save(path)
    return path


class TestBytes:
    def test_header_says_what_was_played(self) -> None:
        game = Game(scenario(), 5, players=["one", "two"])
        header = msgspec.json.decode(game.log.to_bytes().splitlines()[0])
        assert list(header) == [
            "format", "system", "rules", "scenario", "content", "seed", "players", "sandbox", "source", "sum"
        ]  # fmt: skip
        assert header["source"] == scenario().source
        assert (header["seed"], header["players"]) == (5, {"red": "one", "blue": "two"})
        assert (header["system"], header["rules"], header["content"]) == ("toy", 1, scenario().digest)

    def test_shipped_scenarios_are_named_and_not_carried_along(self) -> None:
        log = Game(shipped(scenario()), 5).log
        assert b'"source"' not in log.to_bytes()

    def test_entries_hold_orders_chance_and_digests(self) -> None:
        game = Game(scenario(), 1)
        game.play("draw [blues]")
        digest = game.digest
        line = msgspec.json.decode(game.log.to_bytes().splitlines()[1])
        assert list(line) == ["n", "by", "order", "chance", "digest", "sum"]
        del line["sum"]
        assert line == {"n": 1, "by": "red", "order": "draw", "chance": ["blues"], "digest": digest}

    def test_sums_cover_all_bytes_before_their_key(self, log_file: Path) -> None:
        data = log_file.read_bytes()
        start = 0
        for line in data.splitlines(keepends=True):
            key = start + line.rindex(b'"sum"')
            expected = blake2b(data[:key], digest_size=8).hexdigest()
            start += len(line)
            assert data[key:start] == b'"sum":"%b"}\n' % expected.encode()

    def test_a_log_that_is_read_and_written_is_the_same(self, log_file: Path) -> None:
        log = read_log(log_file)
        assert (log.fault, log.torn, log.end) == (None, 0, log_file.stat().st_size)
        assert log.to_bytes() == log_file.read_bytes()

    def test_written_as_it_goes_on_or_at_the_end(self, tmp_path: Path) -> None:
        for begin in (0, 5, 40):
            path = tmp_path / f"{begin}.jsonl"
            game = played(long_scenario(), 7, begin)
            game.record(path)
            play_out(game).close()
            assert path.read_bytes() == game.log.to_bytes() == played(long_scenario(), 7).log.to_bytes()

    def test_text_of_every_kind_survives(self) -> None:
        text = scenario().source.replace("Two against two", 'Zwei \\"gegen\\" zwei \\\\ \u2028 \u0416')
        game = Game(scenario("strange", text), 1)
        assert read_back(game.log.to_bytes()).header.source == text


def read_back(data: bytes) -> Log:
    return parse_log(data, Path("game.jsonl"))


@pytest.mark.slow
def test_every_change_of_a_single_byte_is_found_and_located() -> None:
    """All 255 other values at every place of a small log."""
    game = play_out(Game(shipped(scenario()), 3), 3)
    data = game.log.to_bytes()
    assert len(game.log.entries) == 3
    changed = bytearray(data)
    for place, old in enumerate(data):
        line = data.count(b"\n", 0, place) + 1
        for value in range(256):
            if value == old:
                continue
            changed[place] = value
            try:
                log = read_back(bytes(changed))
            except ContentError as error:
                assert (line, error.problems[0].line) == (1, 1)
            else:
                if place == len(data) - 1:
                    assert log.torn
                else:
                    assert log.fault is not None, (place, value)
                    assert (log.fault.line, log.fault.entry) == (line, line - 1), (place, value)
        changed[place] = old


class TestCannotBeRead:
    @pytest.mark.parametrize(
        ("data", "says"),
        [
            (b"", "empty"),
            (b'{"format":2,', "not complete"),
            (b"{}\n", "missing required field"),
            (b"[]\n", "object"),
            (b'"log"\n', "object"),
            (b"\xff\xfe\n", "malformed"),
            (b'{"format":1,"more":[]}\n', "its format is 1, and format 2 can be read"),
            (b"[" * 100_000 + b"\n", "header"),
        ],
    )
    def test_bad_heads(self, tmp_path: Path, data: bytes, says: str) -> None:
        path = tmp_path / "game.jsonl"
        path.write_bytes(data)
        with pytest.raises(ContentError) as caught:
            replay(path, find)
        assert says in str(caught.value)
        assert str(caught.value).startswith(f"{path}:1:1: ")

    def test_files_that_are_none(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        for name in ("absent", ".", "pipe", "nul\0"):
            with pytest.raises(ContentError):
                read_log(tmp_path / name)

    def test_files_without_end(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log_file: Path) -> None:
        monkeypatch.setattr(files, "LARGEST_RECORD", 100)
        with pytest.raises(ContentError, match="too large"):
            read_log(log_file)

    def test_names_that_no_terminal_should_see(self, tmp_path: Path) -> None:
        with pytest.raises(ContentError) as caught:
            read_log(tmp_path / "evil\x1b[2J\udcff")
        assert str(caught.value).isprintable()


class TestSaving:
    def test_never_overwrites_unless_told(self, log_file: Path) -> None:
        before = log_file.read_bytes()
        game = played(long_scenario(), 8)
        with pytest.raises(RecordError, match="exists already"):
            game.log.save(log_file)
        with pytest.raises(RecordError, match="exists already"):
            game.record(log_file)
        assert log_file.read_bytes() == before
        game.log.save(log_file, overwrite=True)
        assert log_file.read_bytes() == game.log.to_bytes()
        assert list(log_file.parent.iterdir()) == [log_file]

    def test_a_file_that_is_a_beginning_of_the_log_is_written_anew(self, tmp_path: Path) -> None:
        """An empty file, or the same game saved before: nothing is lost, so nothing is refused."""
        path = tmp_path / "game.jsonl"
        path.touch()
        game = played(long_scenario(), 7, 10)
        game.log.save(path)
        game.log.save(path)
        play_out(game, 2)
        game.log.save(path)
        assert path.read_bytes() == game.log.to_bytes()
        shorter = played(long_scenario(), 7, 10)
        with pytest.raises(RecordError, match="exists already"):
            shorter.log.save(path)
        assert path.read_bytes() == game.log.to_bytes()

    def test_recording_into_an_empty_file(self, tmp_path: Path) -> None:
        path = tmp_path / "game.jsonl"
        path.touch()
        game = played(long_scenario(), 7, 3)
        game.record(path)
        play_out(game, 2)
        game.close()
        assert path.read_bytes() == game.log.to_bytes()

    def test_a_pipe_is_not_waited_for(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(RecordError):
            played(long_scenario(), 7).log.save(tmp_path / "pipe")

    def test_recording_over_a_longer_log(self, log_file: Path) -> None:
        game = played(long_scenario(), 8, 3)
        game.record(log_file, overwrite=True)
        play_out(game, 2)
        game.close()
        assert log_file.read_bytes() == game.log.to_bytes()

    def test_the_log_of_an_open_game_is_out_of_bounds(self, tmp_path: Path) -> None:
        path = tmp_path / "game.jsonl"
        game = played(long_scenario(), 7, 10)
        game.record(path)
        other = played(long_scenario(), 8, 10)
        for attempt in (
            lambda: game.log.save(path, overwrite=True),
            lambda: other.log.save(path, overwrite=True),
            lambda: other.record(path, overwrite=True),
            lambda: LogWriter.reopen(path),
        ):
            with pytest.raises(RecordError, match="still open"):
                attempt()
        with pytest.raises(RecordError, match="written down already"):
            game.record(tmp_path / "other.jsonl")
        play_out(game).close()
        assert path.read_bytes() == game.log.to_bytes()
        other.log.save(path, overwrite=True)

    def test_folders_that_are_not_there(self, tmp_path: Path) -> None:
        game = played(long_scenario(), 7, 3)
        for path in (tmp_path / "no" / "game.jsonl", tmp_path / "nul\0", tmp_path / ("x" * 300)):
            with pytest.raises(RecordError, match="cannot write"):
                game.log.save(path)
            with pytest.raises(RecordError, match="cannot write"):
                game.record(path)
        assert game.recording is None

    def test_a_game_dropped_without_closing_lets_go_of_its_file(self, tmp_path: Path) -> None:
        path = tmp_path / "game.jsonl"
        game = played(long_scenario(), 7, 10)
        game.record(path)
        log = game.log
        del game
        log.save(path, overwrite=True)


class Disk:
    """Stands in for writing: after some bytes the disk is full."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left: float = float("inf")
        self.syncs = 0
        self.synced = os.fsync
        self.write = os.write
        monkeypatch.setattr(os, "write", self.full_write)
        monkeypatch.setattr(os, "fsync", self.full_sync)

    def full_write(self, descriptor: int, data: bytes) -> int:
        if not self.left:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = self.write(descriptor, data[: int(min(self.left, len(data)))])
        self.left -= written
        return written

    def full_sync(self, descriptor: int) -> None:
        self.syncs += 1
        if self.left < 0:
            raise OSError(errno.EIO, "Input/output error")
        self.synced(descriptor)


class TestFullDisk:
    @pytest.mark.parametrize("sandbox", [False, True])
    def test_the_order_is_not_played_and_the_file_stays_whole(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sandbox: bool
    ) -> None:
        path = tmp_path / "game.jsonl"
        game = Game(long_scenario(), 7, sandbox=sandbox)
        disk = Disk(monkeypatch)
        game.record(path)
        play_out(game, 20)
        for number in range(3):
            order = "undo" if sandbox and number == 1 else choose(game)
            before = (game.digest, game.entry, path.read_bytes(), game.log.to_bytes())
            disk.left = 10
            with pytest.raises(RecordError, match="No space left"):
                game.play(order)
            assert (game.digest, game.entry, path.read_bytes(), game.log.to_bytes()) == before
            disk.left = float("inf")
            game.play(order)
        play_out(game).close()
        assert path.read_bytes() == game.log.to_bytes()
        assert replay(path, find, verify=True).digest == game.digest

    def test_what_could_not_be_cut_off_is_before_the_next_order(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "game.jsonl"
        game = Game(long_scenario(), 7)
        disk = Disk(monkeypatch)
        game.record(path)
        play_out(game, 20)
        whole = path.read_bytes()
        cut = os.ftruncate

        def broken(descriptor: int, length: int) -> None:
            raise OSError(errno.EIO, "Input/output error")

        monkeypatch.setattr(os, "ftruncate", broken)
        disk.left = 10
        for says in ("No space left", "Input/output error"):
            with pytest.raises(RecordError, match=says):
                game.play(choose(game))
            assert path.read_bytes() != whole
            assert read_log(path).torn == 10
        monkeypatch.setattr(os, "ftruncate", cut)
        disk.left = float("inf")
        play_out(game).close()
        assert path.read_bytes() == game.log.to_bytes()

    def test_a_failed_sync_takes_the_order_back(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "game.jsonl"
        game = Game(long_scenario(), 7)
        disk = Disk(monkeypatch)
        game.record(path)
        play_out(game, 20)
        while len(game.position.frames) < 2:
            game.play(choose(game))
        failed = 0
        while game.decision is not None and not failed:
            before = (game.digest, path.read_bytes())
            order = choose(game)
            syncs = disk.syncs
            game.copy().play(order)
            disk.synced = lambda _: (_ for _ in ()).throw(OSError(errno.EIO, "Input/output error"))
            try:
                game.play(order)
            except RecordError as error:
                assert "Input/output error" in str(error)
                assert (game.digest, path.read_bytes()) == before
                failed += 1
            else:
                assert disk.syncs == syncs
        assert failed
        disk.synced = lambda _: None
        play_out(game).close()
        assert path.read_bytes() == game.log.to_bytes()

    def test_a_file_that_could_not_be_begun_is_removed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        game = Game(long_scenario(), 7)
        Disk(monkeypatch).left = 10
        with pytest.raises(RecordError, match="No space left"):
            game.record(tmp_path / "game.jsonl")
        with pytest.raises(RecordError, match="No space left"):
            game.log.save(tmp_path / "game.jsonl")
        assert not list(tmp_path.iterdir())

    def test_overwriting_leaves_the_old_file_if_it_fails(
        self, log_file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before = log_file.read_bytes()
        Disk(monkeypatch).left = 10
        with pytest.raises(RecordError, match="No space left"):
            played(long_scenario(), 8).log.save(log_file, overwrite=True)
        assert log_file.read_bytes() == before
        assert list(log_file.parent.iterdir()) == [log_file]


class TestSync:
    def test_whenever_an_activation_ends(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        disk = Disk(monkeypatch)
        game = Game(long_scenario(), 7)
        game.record(tmp_path / "game.jsonl")
        ends = 0
        begun = disk.syncs
        while game.decision is not None:
            game.play(choose(game))
            ends += len(game.position.frames) < 2
            assert disk.syncs == begun + ends
        assert 5 < ends < game.entry

    def test_not_at_all_where_nobody_wants_it(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        disk = Disk(monkeypatch)
        game = Game(long_scenario(), 7)
        game.record(tmp_path / "game.jsonl", durable=False)
        play_out(game).close()
        assert not disk.syncs

    def test_when_it_is_closed_in_the_midst_of_an_activation(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        disk = Disk(monkeypatch)
        game = Game(long_scenario(), 7)
        game.record(tmp_path / "game.jsonl")
        game.play(choose(game))
        while len(game.position.frames) < 2:
            game.play(choose(game))
        before = disk.syncs
        game.close()
        assert disk.syncs == before + 1

    def test_the_name_of_a_saved_copy_too(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The folder that holds the name is synced behind the file."""
        kinds: list[bool] = []
        sync = os.fsync

        def watched(descriptor: int) -> None:
            kinds.append(stat.S_ISDIR(os.fstat(descriptor).st_mode))
            sync(descriptor)

        monkeypatch.setattr(os, "fsync", watched)
        played(long_scenario(), 7, 5).log.save(tmp_path / "copy.jsonl")
        assert kinds == [False, True]


@pytest.mark.parametrize("kind", [Header, Entry])
def test_types_give_schemas_that_the_lines_satisfy(kind: Any, log_file: Path) -> None:
    schema = msgspec.json.schema(kind)["$defs"][kind.__name__]
    for line in (
        log_file.read_bytes().splitlines()[:1] if kind is Header else log_file.read_bytes().splitlines()[1:]
    ):
        record = msgspec.json.decode(line)
        assert set(schema["required"]) <= set(record) <= set(schema["properties"])
        msgspec.convert(record, kind)
