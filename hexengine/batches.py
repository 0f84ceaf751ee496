"""Batches of games of a scenario that is loaded, named, or in a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

from hexengine.content.loader import load
from hexengine.core.scenario import Scenario
from hexengine.lab import BatchResult
from hexengine.lab import batch as _batch


@wraps(_batch, assigned=())
def batch(
    scenario: Scenario | str | Path,
    players: Sequence[str] | Mapping[str, str],
    games: int,
    seed: int | None = None,
    **settings: Any,
) -> BatchResult:
    """Play many games; see :func:`hexengine.lab.batch` for all that can be set, and what is raised.

    ``scenario`` may also be a name or a path, as :func:`hexengine.load` takes them; raises ContentError.
    """
    if isinstance(scenario, str | Path):
        scenario = load(scenario)
    return _batch(scenario, players, games, seed, **settings)
