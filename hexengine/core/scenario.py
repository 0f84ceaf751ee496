"""A scenario as loaded: everything that does not change while a game is played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hexengine.core.errors import HexEngineError


@dataclass(frozen=True, slots=True)
class Scenario:
    """A validated scenario.

    ``board`` is what its rule system compiled from it (map, tables, units); ``source`` is the
    file's text, carried along in logs of scenarios that are not shipped; ``digest`` covers the
    text and the system's data files.  ``remake`` makes a scenario from its source and name: a function
    of a module, so that other processes find it too.  ``notes`` are the designer's.

    A scenario is pickled as its text, never as its board, and made anew where it arrives.
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
    remake: Callable[[str, str], Scenario] | None = field(default=None, repr=False, compare=False)
    notes: str = field(default="", repr=False, compare=False)

    def __reduce__(self) -> tuple[Any, ...]:
        if self.remake is None:
            raise HexEngineError(f"{self.name}: nothing says how this scenario is made in another process")
        return _again, (
            self.remake,
            self.source,
            self.name,
            self.digest,
            self.path,
            self.shipped,
            self.tiny,
        )


def _again(
    remake: Callable[[str, str], Scenario],
    source: str,
    name: str,
    digest: str,
    path: Path | None,
    shipped: bool,
    tiny: bool,
) -> Scenario:
    """A scenario from what was pickled of it; HexEngineError if it does not come out the same."""
    scenario = remake(source, name)
    if scenario.digest != digest:
        raise HexEngineError(f"{name}: the data files have changed since the scenario was loaded")
    return replace(scenario, path=path, shipped=shipped, tiny=tiny)
