"""A scenario as loaded: everything that does not change while a game is played."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Scenario:
    """A validated scenario.

    ``board`` is what its rule system compiled from it (map, tables, units); ``source`` is the
    file's text, carried along in logs of scenarios that are not shipped; ``digest`` covers the
    text and the system's data files.
    """

    name: str
    title: str
    system: str
    turns: int
    sides: tuple[str, ...]
    source: str = field(repr=False)
    path: Path | None
    shipped: bool
    tiny: bool
    digest: str
    board: Any = field(repr=False, compare=False)
