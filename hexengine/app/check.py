"""``check``: every fault of scenarios, data files, logs and scripts, at its place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexengine.app.exits import DONE, WRONG
from hexengine.app.words import said

if TYPE_CHECKING:
    from hexengine.core.errors import Problem

THEME = "theme.toml"


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
def check(files: tuple[str, ...]) -> int:
    """Check scenarios, data files, logs and scripts.

    Every fault is told as file:line:column: what is wrong, and a suggestion.  Logs and scripts are played
    through under today's rules.
    """
    problems: list[Problem] = []
    for name in files:
        problems += faults_of(name)
    for problem in problems:
        click.echo(str(problem))
    return WRONG if problems else DONE


def faults_of(name: str) -> list[Problem]:
    """The faults of one file, whatever it is."""
    from hexengine.app.sources import is_record
    from hexengine.content.loader import check as check_content

    if is_record(name):
        return _faults_of_record(name)
    if Path(name).name == THEME and Path(name).is_file():
        return _faults_of_theme(Path(name))
    return check_content([name])


def _faults_of_record(name: str) -> list[Problem]:
    from hexengine.core.errors import ContentError, HexEngineError, Problem, ReplayDivergence
    from hexengine.record.script import ScriptError
    from hexengine.saved import replay

    try:
        game = replay(name, verify=True)
    except ContentError as error:
        return list(error.problems)
    except ScriptError as error:
        return [error.problem]
    except ReplayDivergence as error:
        line = error.entry + 1
        reason = error.reason.partition(f":{line}: ")[2] or error.reason or said("the replay differs")
        return [
            Problem(
                name,
                line,
                1,
                said(
                    "{reason}: expected {expected}, got {got}",
                    reason=reason,
                    expected=error.expected,
                    got=error.got,
                ),
            )
        ]
    except HexEngineError as error:
        return [Problem(name, 0, 0, str(error))]
    for notice in game.notices:
        click.echo(f"{name}: {notice.text}", err=True)
    return []


def _faults_of_theme(path: Path) -> list[Problem]:
    from hexengine.core.errors import Problem
    from hexengine.view.theme import Theme, ThemeError

    try:
        Theme.from_toml(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ThemeError) as error:
        return [Problem(str(path), 0, 0, str(error))]
    return []
