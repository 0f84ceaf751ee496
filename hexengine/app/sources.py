"""What commands are about: scenarios by name or path, and games at any entry of a log or script."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexengine.app.words import said

if TYPE_CHECKING:
    from hexengine.core.scenario import Scenario
    from hexengine.record.game import Game


BEGINNING = 64
"""Bytes that tell a log from a script."""


def scenario(name: str) -> Scenario:
    """A scenario by name or path; raises ContentError."""
    from hexengine.content.loader import load

    return load(name)


def is_record(name: str) -> bool:
    """Whether a name or path stands for a log or a script rather than for a scenario."""
    from hexengine.content.resources import shipped_scenarios

    if any(name == one.name for one in shipped_scenarios()):
        return False
    path = Path(name)
    try:
        return path.is_file() and path.suffix != ".toml" and not _reads_as_scenario(path)
    except (OSError, ValueError):
        return False


def _reads_as_scenario(path: Path) -> bool:
    """Whether a file begins as scenarios do, whatever it is called."""
    with path.open("rb") as file:
        return re.search(rb"^\s*(format|system)\s*=", file.read(4000), re.MULTILINE) is not None


def is_log(name: str) -> bool:
    """Whether a path is that of a saved game."""
    from hexengine.record import replay

    if not is_record(name):
        return False
    with suppress(OSError), Path(name).open("rb") as file:
        return replay.is_log(name, file.read(BEGINNING))
    return False


def game(name: str, at: int | None = None) -> Game:
    """The game of a scenario at its start, or of a log or script at its end or behind an entry.

    Raises ContentError, ReplayDivergence, RecordError or ScriptError, and BadParameter for an entry of a
    scenario.
    """
    from hexengine.record.game import Game
    from hexengine.saved import replay

    if is_record(name):
        return replay(name, at)
    loaded = scenario(name)
    if at:
        message = "{name} is a scenario: it has no entry {at}"
        raise click.BadParameter(said(message, name=name, at=at), param_hint="--at")
    return Game(loaded, 0)


at_option = click.option("--at", type=click.IntRange(0), metavar="N", help="Behind entry N of the log.")
"""``--at N``: where in a log."""
