"""Many games take no more memory than few."""

from __future__ import annotations

import gc
import tracemalloc

import pytest

from hexengine.lab.batches import batch
from tests.lab.helpers import tiny
from tests.long import often

GAMES = often(400, 10_000)
"""Games of one turn that are played; 10,000 and more for a thorough run."""


@pytest.mark.slow
def test_memory_is_flat_over_many_games(tmp_path):
    """While games are played; in the end their results are handed over."""
    sizes = {}

    def measure(progress):
        if progress.done in (GAMES // 10, GAMES - 1):
            gc.collect()
            sizes[progress.done] = tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        result = batch(
            tiny(), ("random", "random"), GAMES, seed=1, out=tmp_path / "games.db", progress=measure
        )
    finally:
        tracemalloc.stop()
    assert result.games == GAMES
    first, last = sizes.values()
    assert last - first < 50_000
