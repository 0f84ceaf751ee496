"""Going on with saved games: in new processes, after kills, after torn lines."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from pathlib import Path

import pytest

from hexengine.core.errors import ContentError, ReplayDivergence
from hexengine.record.formats import RecordError
from hexengine.record.log import read_log
from hexengine.record.replay import replay
from hexengine.record.session import resume
from tests.long import often
from tests.record.helpers import child, choose, find, long_scenario, play_out, played

KILLS = often(10, 50)
"""How often the game of the kill test is killed; 50 and more for a thorough run."""


@pytest.fixture
def log_file(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    game = played(long_scenario(), 7, 30)
    game.log.save(path)
    return path


def test_saved_at_every_step_and_gone_on_with_in_a_new_process(tmp_path: Path) -> None:
    """Every saved log becomes, byte for byte, the log of the game played in one go."""
    whole = played(long_scenario(), 7).log.to_bytes()
    lines = whole.splitlines(keepends=True)
    for number in range(1, len(lines) + 1):
        (tmp_path / f"{number:03}.jsonl").write_bytes(b"".join(lines[:number]))
    process = child("go-on-all", str(tmp_path))
    process.communicate(timeout=120)
    assert process.returncode == 0
    for path in tmp_path.iterdir():
        assert path.read_bytes() == whole, path.name


def test_in_one_process_again_and_again(log_file: Path) -> None:
    while True:
        game = resume(log_file, find, durable=False)
        if game.decision is None:
            break
        play_out(game, 3).close()
    game.close()
    assert log_file.read_bytes() == played(long_scenario(), 7).log.to_bytes()


@pytest.mark.slow
def test_killed_at_any_moment_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    """A game is killed again and again, gone on with, and is in the end the one played in one go.

    Every number that the player of the game has printed must be in the log, with its order.
    """
    dice = random.Random(1)
    whole = played(long_scenario(), 33).log
    path = tmp_path / "game.jsonl"
    kills = known = 0
    reached: set[int] = set()
    while kills < KILLS:
        acknowledged, ended = killed_run(path, dice.random() ** 3 * 0.06)
        if path.exists() and path.stat().st_size:
            log = read_log(path)
            assert log.fault is None
            known = max(known, acknowledged)
            assert len(log.entries) >= known
            assert whole.to_bytes().startswith(path.read_bytes()[: log.end])
            assert replay(path, find).entry == len(log.entries)
        else:
            assert not acknowledged
            path.unlink(missing_ok=True)
        kills += not ended
        reached.add(acknowledged)
        if ended:
            assert path.read_bytes() == whole.to_bytes()
            path.unlink()
            known = 0
    assert len(reached) > KILLS // 3, "the kills came too early or too late"


def killed_run(path: Path, delay: float) -> tuple[int, bool]:
    """Begin or go on with the game and kill it so long after it is ready: what it had said."""
    process = child("go-on", str(path)) if path.exists() else child("play", str(path), "33")
    assert process.stdout is not None
    said = process.stdout.readline()
    timer = threading.Timer(delay, process.send_signal, (signal.SIGKILL,))
    timer.start()
    lines = process.stdout.read().splitlines()
    process.wait(timeout=60)
    timer.cancel()
    process.stdout.close()
    assert said == "ready\n"
    numbers = [int(line) for line in lines if line.isdigit()]
    return max(numbers, default=0), lines[-1:] == ["end"]


class TestTorn:
    def test_at_every_byte_of_the_last_line(self, log_file: Path) -> None:
        data = log_file.read_bytes()
        entries = len(read_log(log_file).entries)
        start = data.rindex(b"\n", 0, -1) + 1
        whole = played(long_scenario(), 7).log.to_bytes()
        for length in range(start + 1, len(data)):
            log_file.write_bytes(data[:length])
            game = resume(log_file, find, durable=False)
            assert [notice.code for notice in game.notices] == ["torn"]
            assert str(log_file) in game.notices[0].text
            assert game.entry == entries - 1
            assert log_file.read_bytes() == data[:start]
            if length % 20 == 0:
                play_out(game)
                assert log_file.read_bytes() == whole
            game.close()

    def test_header_alone(self, log_file: Path) -> None:
        data = log_file.read_bytes()
        log_file.write_bytes(data[:100])
        with pytest.raises(ContentError, match="not complete"):
            resume(log_file, find)
        assert log_file.read_bytes() == data[:100]


class TestRefused:
    def test_a_log_with_a_wrong_line_is_left_alone(self, log_file: Path) -> None:
        data = log_file.read_bytes().replace(b'"n":12,', b'"n":13,')
        log_file.write_bytes(data)
        with pytest.raises(ReplayDivergence) as caught:
            resume(log_file, find)
        assert caught.value.entry == 12
        assert log_file.read_bytes() == data

    def test_who_is_refused_lets_go_of_the_file(self, log_file: Path) -> None:
        """Also while somebody still holds the error and all that it came from."""
        good = log_file.read_bytes()
        log_file.write_bytes(good.replace(b'"n":12,', b'"n":13,'))
        with pytest.raises(ReplayDivergence) as caught:
            resume(log_file, find)
        log_file.write_bytes(good)
        resume(log_file, find).close()
        assert caught.value.entry == 12

    def test_two_at_the_same_log(self, log_file: Path) -> None:
        game = resume(log_file, find)
        with pytest.raises(RecordError, match="still open"):
            resume(log_file, find)
        process = child("go-on", str(log_file))
        process.communicate(timeout=60)
        assert process.returncode != 0
        game.play(choose(game))
        game.close()
        resume(log_file, find).close()

    def test_files_that_are_no_logs(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        (tmp_path / "script").write_text("scenario toy\ndraw\n", encoding="utf-8")
        for name in ("absent", ".", "pipe", "script"):
            with pytest.raises(ContentError):
                resume(tmp_path / name, find)

    def test_files_that_may_not_be_written(self, log_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def denied(*_: object) -> int:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(os, "open", denied)
        with pytest.raises(RecordError, match="Permission denied"):
            resume(log_file, find)


def test_an_undo_before_the_kill_stays_undone(log_file: Path) -> None:
    game = resume(log_file, find)
    while game.why_not("undo") is not None:
        game.play(choose(game))
    game.undo()
    digest, entry = game.digest, game.entry
    game.close()
    again = resume(log_file, find)
    assert (again.digest, again.entry) == (digest, entry)
    again.close()


def test_going_on_appends_and_never_rewrites(log_file: Path) -> None:
    before, inode = log_file.read_bytes(), log_file.stat().st_ino
    game = resume(log_file, find)
    assert game.recording == log_file
    start = time.time()
    play_out(game, 5).close()
    assert log_file.read_bytes().startswith(before)
    assert log_file.stat().st_ino == inode
    assert time.time() - start < 30
