"""Clusters whose workers die or go, played by a stand-in: what becomes of the games that were in hand."""

from __future__ import annotations

import sys
from concurrent.futures import Future

import pytest

from hexengine.lab import workers
from hexengine.lab.batches import batch
from hexengine.lab.cluster import Cluster
from hexengine.lab.errors import GamesFailed, LabError
from tests.lab.helpers import document, small


class Killed(Exception):
    """What a scheduler says of work whose workers have died again and again."""


class StandIn(Cluster):
    """A cluster that plays at once, in this process; some seeds kill its workers."""

    def __init__(self, deadly=lambda seed: False, error=None):
        self.killed = Killed
        self.deadly = deadly
        self.error = error
        self.given = []

    def workers(self):
        if self.error is not None and not isinstance(self.error, RuntimeError):
            raise self.error
        return 2

    def submit(self, function, packed, tasks):
        self.given.append([task.number for task in tasks])
        future = Future()
        if self.error is not None:
            future.set_exception(RuntimeError("lost"))
        elif any(self.deadly(task.seed) for task in tasks):
            future.set_exception(Killed())
        else:
            future.set_result(function(packed, tasks))
        return future


@pytest.fixture(autouse=True)
def counted_at_once(monkeypatch):
    monkeypatch.setattr(workers, "COUNT_SECONDS", 0.0)


def test_a_game_that_kills_workers_is_named_and_its_companions_are_played():
    alone = batch(small(), ("random", "random"), 40, seed=1)
    bad = {alone.results[8].seed, alone.results[30].seed}
    cluster = StandIn(bad.__contains__)
    with pytest.raises(GamesFailed) as caught:
        batch(small(), ("random", "random"), 40, seed=1, executor=cluster, workers=2)
    assert [failure.number for failure in caught.value.failures] == [9, 31]
    assert "it ended the process that played it" in str(caught.value)
    assert [game.number for game in caught.value.result.results] == [
        n for n in range(1, 41) if n not in (9, 31)
    ]
    assert max(map(len, cluster.given)) > 1, "these games are handed out one by one anyway"


def test_a_cluster_that_plays_gives_what_is_played_here():
    far = batch(small(), ("random", "random"), 30, seed=1, executor=StandIn(), workers=2)
    assert document(far) == document(batch(small(), ("random", "random"), 30, seed=1))


def test_a_cluster_that_is_gone_is_told():
    gone = StandIn(error=LabError("the cluster is gone"))
    with pytest.raises(LabError, match="the cluster is gone"):
        batch(small(), ("random", "random"), 30, seed=1, executor=gone, workers=2)


def test_workers_that_cannot_play_are_told():
    broken = StandIn(error=RuntimeError("lost"))
    with pytest.raises(LabError, match="a worker of the cluster cannot play: RuntimeError: lost"):
        batch(small(), ("random", "random"), 30, seed=1, executor=broken, workers=2)


def test_without_dask_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(LabError, match=r"hexengine\[cluster\]"):
        Cluster("tcp://127.0.0.1:8786")
