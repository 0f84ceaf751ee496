"""Where games are kept: a folder for the user's state, or another place if that cannot be written."""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexengine.app.failures import in_words
from hexengine.app.words import said
from hexengine.record.formats import RecordError

if TYPE_CHECKING:
    from hexengine.record.game import Game

NAME = "hexengine"
TRIES = 100


def state_folder() -> Path:
    """The folder of the user's state on this system."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / NAME
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / NAME
    given = os.environ.get("XDG_STATE_HOME", "")
    return (Path(given) if Path(given).is_absolute() else Path.home() / ".local" / "state") / NAME


def record(game: Game, path: Path | None) -> Path:
    """Write a game down from here on; returns the file.

    Without a path it gets a name of its own in the state folder; where that cannot be written, in the
    folder for temporary files, and this is said.  Raises RecordError.
    """
    if path is not None:
        game.record(path)
        return path
    try:
        return _record_in(game, state_folder())
    except (RecordError, OSError, RuntimeError) as error:
        kept = "{error}; the log is kept with the temporary files"
        click.echo(said(kept, error=in_words(error)), err=True)
    try:
        return _record_in(game, Path(tempfile.gettempdir()) / NAME)
    except OSError as error:
        message = "no log can be written: {error}; say where with --log FILE"
        raise RecordError(said(message, error=in_words(error))) from None


def _record_in(game: Game, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    stem = re.sub(r"[^A-Za-z0-9_.+-]", "_", game.scenario.name)[:60] or "game"
    stem = f"{stem}-{time.strftime('%Y%m%d-%H%M%S')}"
    for number in range(1, TRIES):
        path = folder / (f"{stem}.jsonl" if number == 1 else f"{stem}-{number}.jsonl")
        if not path.exists():
            game.record(path)
            return path
    raise RecordError(said("{folder} holds too many games of this second", folder=folder))
