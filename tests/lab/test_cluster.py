"""Games on a dask cluster: a real scheduler and real workers, one of which is killed."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, contextmanager

import pytest

pytest.importorskip("distributed", reason="the extra cluster is not installed")

from hexengine.core.errors import UnknownPlayer
from hexengine.lab import cluster as module
from hexengine.lab.balance import balance
from hexengine.lab.batches import batch
from hexengine.lab.cluster import Cluster
from hexengine.lab.errors import LabError
from hexengine.players import register
from hexengine.players.random import Random
from tests.lab.helpers import ROOT, document, small

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="kills processes by signals"),
    pytest.mark.filterwarnings("ignore"),
]


def start(*words, folder):
    """A process of the cluster, which may import the tests."""
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "DASK_DISTRIBUTED__ADMIN__LOG_LENGTH": "10"},
        stdout=subprocess.DEVNULL,
        stderr=(folder / f"{words[0]}.err").open("ab"),
    )


def worker(folder, number):
    words = {
        "--scheduler-file": folder / "scheduler.json",
        "--local-directory": folder / f"worker-{number}",
        "--nthreads": 2,
        "--host": "127.0.0.1",
        "--death-timeout": 60,
    }
    options = [str(word) for pair in words.items() for word in pair]
    return start("worker", *options, "--no-nanny", "--no-dashboard", folder=folder)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A scheduler and two workers: the folder they run in, its address and the workers' processes."""
    folder = tmp_path_factory.mktemp("cluster")
    file = folder / "scheduler.json"
    processes = [start("scheduler", "--scheduler-file", str(file), "--host", "127.0.0.1", "--port", "0",
                       "--no-dashboard", folder=folder)]  # fmt: skip
    workers = [worker(folder, number) for number in range(2)]
    try:
        yield folder, workers
    finally:
        for process in (*processes, *workers):
            process.kill()
        for process in (*processes, *workers):
            process.wait()


@contextmanager
def cluster(place, workers=2):
    folder, processes = place
    file = folder / "scheduler.json"
    until = time.monotonic() + 60
    while not file.exists() and time.monotonic() < until:
        time.sleep(0.05)
    address = json.loads(file.read_text())["address"]
    for number, process in enumerate(processes):
        if process.poll() is not None:
            processes[number] = worker(folder, time.monotonic_ns())
    while time.monotonic() < until:
        try:
            found = Cluster(address)
            if found.workers() >= workers:
                break
            found.shutdown()
        except LabError:
            pass
        time.sleep(0.05)
    with found:
        yield found, processes


def rows(path):
    """Everything that a file of results holds."""
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.execute("SELECT * FROM game ORDER BY number"))


def test_a_worker_killed_midway_costs_nothing(place, tmp_path):
    """The same results, files and logs as those of this process alone."""
    players, games = ("slow", "random"), 80
    killed = []

    with cluster(place) as (found, processes):

        def kill(progress):
            if progress.done >= 20 and not killed:
                os.kill(processes[0].pid, signal.SIGKILL)
                killed.append(progress.done)

        result = batch(small(), players, games, 7, swap=True, out=tmp_path / "far.db", logs=tmp_path / "far",
                       executor=found, workers=found.workers(), progress=kill)  # fmt: skip
        assert found.workers() == 1
    assert killed
    assert killed[0] < games
    alone = batch(small(), players, games, 7, swap=True, out=tmp_path / "near.db", logs=tmp_path / "near")
    assert document(result) == document(alone)
    assert rows(tmp_path / "far.db") == rows(tmp_path / "near.db")
    far, near = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("far", "near")
    )
    assert far == near


def test_balance_on_a_cluster_is_balance_here(place):
    with cluster(place) as (found, _):
        far = balance(small(), ("random", "slow"), margin=0.2, seed=3, executor=found, workers=2)
    near = balance(small(), ("random", "slow"), margin=0.2, seed=3)
    assert far.results == near.results


def test_players_that_the_workers_do_not_know(place):
    register("here-only", Random)
    with cluster(place) as (found, _), pytest.raises(UnknownPlayer, match="here-only"):
        batch(small(), ("here-only", "random"), 3, seed=2, executor=found, workers=2)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense://x", "127.0.0.1:notaport", ""])
def test_nobody_answers(address, monkeypatch):
    monkeypatch.setattr(module, "CONNECT_SECONDS", 1.0)
    with pytest.raises(LabError, match="no cluster answers at"):
        Cluster(address)
