"""Going on with a saved game: the log is the save."""

from __future__ import annotations

from pathlib import Path

from hexengine.record.formats import Find
from hexengine.record.game import Game
from hexengine.record.log import LogWriter
from hexengine.record.replay import Replay


def resume(path: str | Path, find: Find, *, durable: bool = True, events: bool = True) -> Game:
    """The game of a log, at its end, which is written on into the same file.

    A torn last line is cut off; ``game.notices`` says so, and whether rules, scenario or data
    have changed since.  Raises ContentError, RecordError (the log of an open game, a file that
    cannot be written) or ReplayDivergence, and then the file is as it was.
    """
    writer, log = LogWriter.reopen(path, durable=durable)
    try:
        game = Replay(log, find).run()
        writer.keep(len(log.entries))
    except BaseException:
        writer.close()
        raise
    game.events = events
    game.write_to(writer)
    return game
