"""Saved games: records and the scenarios they are of, brought together; replayed, or gone on with."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from hexengine.content.loader import load, loads
from hexengine.content.resources import find_scenario, shipped_scenarios
from hexengine.content.text import label
from hexengine.content.words import did_you_mean, quoted
from hexengine.core.errors import ContentError, Problem
from hexengine.core.scenario import Scenario
from hexengine.record.formats import Wanted
from hexengine.record.game import Game
from hexengine.record.replay import replay as _replay
from hexengine.record.session import resume as _resume


def find(wanted: Wanted) -> Scenario:
    """The scenario that a record asks for; raises ContentError.

    A log's is one that comes with the program, or the text that the log carries.  A script's may be a path
    too, with or without its ``.toml``, seen from the script's folder or from the current one: so a log
    written out as a script beside its scenario finds it.
    """
    if wanted.source is not None:
        return loads(wanted.source, wanted.scenario, f"{wanted.scenario} (carried by the log)")
    shipped = {scenario.name: scenario.path for scenario in shipped_scenarios()}
    if wanted.scenario in shipped:
        return load(shipped[wanted.scenario])
    if wanted.content is not None:
        advice = did_you_mean(wanted.scenario, list(shipped))
        text = f"the scenario {quoted(wanted.scenario)} of this log does not come with this version"
        raise ContentError([Problem(label(wanted.scenario), 0, 0, text, advice)])
    for folder in (wanted.folder, Path()):
        for name in (wanted.scenario, f"{wanted.scenario}.toml"):
            with suppress(OSError, ValueError):
                if (folder / name).is_file():
                    return load(folder / name)
    return load(find_scenario(wanted.scenario))


def replay(file: str | Path, to: int | None = None, *, verify: bool = False) -> Game:
    """The game that a log or a script tells, at its end or behind entry number ``to``.

    With ``verify`` a torn last line is an error, and a script is played twice.  Raises ReplayDivergence
    (``entry``, ``expected``, ``got``, and ``game``, the valid part), ContentError, RecordError, or
    ScriptError for a script's line.
    """
    return _replay(file, find, to, verify=verify)


def resume(file: str | Path) -> Game:
    """The game of a log at its end, ready to go on, which is written on into the same file until ``close``.

    A torn last line is cut off; ``game.notices`` says so, and whether rules, scenario or data have changed
    since.  Raises ReplayDivergence at the first wrong line (its ``game`` is the valid part), ContentError for
    a file that is no log or whose scenario cannot be read, and RecordError for the log of an open game or a
    file that cannot be written; then the file is as it was.
    """
    return _resume(file, find)
