"""Workers that die, batches that are killed or interrupted: nothing that was told is lost."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import active_children, get_all_start_methods, get_context
from pathlib import Path

import pytest

from hexengine.lab.batches import batch
from hexengine.lab.errors import GamesFailed, LabError, StoreError
from hexengine.lab.reports import report
from tests.lab.helpers import MARK, ROOT, child, document, small
from tests.long import often

METHODS = [method for method in ("spawn", "fork") if method in get_all_start_methods()]

KILLS = often(10, 50)
"""How often the batch of the kill test is killed; 50 and more for a thorough run."""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills processes by signals")


@pytest.fixture
def marks(tmp_path, monkeypatch):
    folder = tmp_path / "marks"
    folder.mkdir()
    monkeypatch.setenv(MARK, str(folder))
    return folder


def as_random(result, name):
    """What a batch would be if its players were called random."""
    return json.loads(json.dumps(document(result)).replace(name, "random"))


# -- workers that die -------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_a_worker_that_dies_costs_nothing(marks, method, tmp_path):
    arguments = {"seed": 1, "workers": 2, "start_method": method}
    result = batch(small(), ("dies-once", "random"), 20, out=tmp_path / "games.db", **arguments)
    assert (marks / "died").exists()
    alone = batch(small(), ("random", "random"), 20, seed=1)
    expected = {**document(alone), "players": None, "wins_by_player": None}
    assert {**as_random(result, "dies-once"), "players": None, "wins_by_player": None} == expected
    assert report(tmp_path / "games.db").games == 20
    assert not active_children()


def test_workers_killed_from_outside(marks):
    """One after the other, while games are played; others take over."""
    killed = []

    def kill(progress):
        if progress.done in (5, 40, 80):
            worker = active_children()[0]
            os.kill(worker.pid, signal.SIGKILL)
            killed.append(worker.pid)

    result = batch(small(), ("slow", "slow"), 120, seed=1, workers=2, start_method=METHODS[-1], progress=kill)
    assert len(killed) == 3
    alone = batch(small(), ("random", "random"), 120, seed=1)
    assert as_random(result, "slow") == document(alone)


def test_a_game_that_kills_every_worker_is_named_and_the_others_are_played():
    with pytest.raises(GamesFailed) as caught:
        batch(small(), ("dies", "random"), 12, seed=1, workers=2, start_method=METHODS[-1])
    seeds = [one.seed for one in batch(small(), ("random", "random"), 12, seed=1).results]
    deadly = [number for number, seed in enumerate(seeds, 1) if seed % 5 == 0]
    assert deadly
    assert [failure.number for failure in caught.value.failures] == deadly
    played = [result.number for result in caught.value.result.results]
    assert played == [number for number in range(1, 13) if number not in deadly]
    text = f"seed {seeds[deadly[0] - 1]}, players dies, random: it ended the process that played it"
    assert text in str(caught.value)


def test_workers_that_always_die_are_not_started_for_ever():
    began = time.monotonic()
    with pytest.raises(LabError, match="processes die as soon as"):
        batch(small(), ("dies-at-once", "random"), 500, seed=1, workers=2, start_method=METHODS[-1])
    assert time.monotonic() - began < 30
    assert not active_children()


def test_a_program_that_does_not_ask_whether_it_is_the_main_one(tmp_path):
    """Every worker would run it again: that ends, and the message says what to do."""
    program = tmp_path / "program.py"
    program.write_text(
        "from hexengine.lab import batch\n"
        "from tests.lab.helpers import small\n"
        "batch(small(), ('random', 'random'), 9, seed=1, workers=2)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, str(program)], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 1
    assert "if __name__ == '__main__'" in done.stderr


def test_somebody_elses_executor_that_breaks():
    executor = ProcessPoolExecutor(1, mp_context=get_context(METHODS[-1]))
    with executor, pytest.raises(LabError, match="the executor is broken"):
        batch(small(), ("dies-at-once", "random"), 9, seed=1, executor=executor)


def test_errors_of_a_worker_are_raised_here_and_workers_end():
    with pytest.raises(ZeroDivisionError):
        batch(small(), ("random", "random"), 200, seed=1, workers=2, progress=lambda _: 1 / 0)
    assert not active_children()


# -- batches that are killed ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole():
    return document(batch(small(), ("slow", "random"), 60, seed=7, swap=True))


def arguments(path):
    return {
        "scenario": "small",
        "players": ("slow", "random"),
        "games": 60,
        "seed": 7,
        "swap": True,
        "out": str(path),
        "resume": True,
    }


def run_and_kill(number, path, seconds):
    """Start or go on with the batch, and kill it so many seconds later.

    Two times of three these are counted from when it first told anything, else from its start.  Returns the
    games that were told, the last line, and the processes it had.
    """
    method = METHODS[number % len(METHODS)]
    logs, told = str(path.parent / "logs"), path.parent / "told"
    with told.open("w") as out:
        process = child(stdout=out, workers=1 + number % 3, start_method=method, logs=logs, **arguments(path))
    if number % 3 < 2:
        until = time.monotonic() + 30
        while not told.stat().st_size and process.poll() is None and time.monotonic() < until:
            time.sleep(0.005)
    time.sleep(seconds)
    process.kill()
    process.wait()
    process.stderr.close()
    lines = told.read_text().splitlines()
    numbers = [int(line) for line in lines if line.isdigit()]
    return max(numbers, default=0), lines[-1] if lines else "", process.pid


def left_over(group):
    """The processes of a group that have not ended within some seconds."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        alive = []
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                words = path.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if words[0] != "Z" and int(words[2]) == group:
                alive.append(int(path.parent.name))
        if not alive:
            break
        time.sleep(0.05)
    return alive


def kept_in(path):
    """The games in a file, which may have been killed before it held anything."""
    try:
        return report(path).games
    except StoreError as error:
        assert "no results in this file" in str(error) or not path.exists()
        return 0


@pytest.mark.slow
def test_killed_at_any_moment_nothing_that_was_told_is_lost(tmp_path, whole):
    """Killed and gone on with again and again, with one to three workers, spawned and forked.

    In the end results and logs are those of a batch that nobody has killed, and no worker is left over.
    """
    dice = random.Random(4)
    path = tmp_path / "games.db"
    kills = 0
    while kills < KILLS:
        told, last, group = run_and_kill(kills, path, dice.random() ** 2 * 0.4)
        assert not left_over(group), "a worker outlives its batch"
        kills += 1
        kept = kept_in(path)
        assert kept >= told, "a game that was told is lost"
        if last.startswith("{"):
            assert json.loads(last) == whole
        if kept == 60:
            path.unlink()
            for log in (tmp_path / "logs").iterdir():
                log.unlink()
    end = child(workers=2, logs=str(tmp_path / "logs"), **arguments(path))
    out, err = end.communicate(timeout=120)
    assert end.returncode == 0, err
    assert json.loads(out.splitlines()[-1]) == whole
    assert len(list((tmp_path / "logs").iterdir())) == 60


# -- batches that are interrupted -------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("moment", ["at once", "later"])
def test_an_interrupt_keeps_what_is_done_and_ends_all_workers(tmp_path, whole, method, moment):
    """As at a terminal: the whole group of processes is interrupted; the workers say nothing."""
    path = tmp_path / "games.db"
    process = child(workers=2, start_method=method, **arguments(path))
    if moment == "later":
        told = int(process.stdout.readline())
    else:
        while not path.exists():
            time.sleep(0.001)
        time.sleep(0.05)
        told = 0
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGINT
    assert err.count("Traceback") == 1, err
    assert err.rstrip().endswith("KeyboardInterrupt")
    kept = kept_in(path)
    assert kept >= max([told, *map(int, out.split())])
    assert kept < 60
    assert not left_over(process.pid)
    again = dict(arguments(path), scenario=small())
    assert document(batch(**again)) == whole
