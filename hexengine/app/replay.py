"""``replay``: a log or a script once more, step by step or at once; as a state, a script or a log."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from hexengine.app.exits import DONE, FAILED
from hexengine.app.words import said

if TYPE_CHECKING:
    from hexengine.app.terminal import Terminal
    from hexengine.core.events import Event
    from hexengine.core.orders import Chance
    from hexengine.record.game import Game
    from hexengine.record.replay import Replay
    from hexengine.record.script import Script


TOO_FAR = "{file} ends with entry {entries}: there is no entry {to}"


class Step(NamedTuple):
    """One entry played again."""

    game: Game
    by: str
    order: str
    chance: list[Chance]
    events: list[Event]
    notes: tuple[str, ...] = ()


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--verify", is_flag=True, help="Only see whether everything comes out as it is written.")
@click.option("--to", type=click.IntRange(0), metavar="N", help="Stop behind entry N.")
@click.option("--step", is_flag=True, help="Wait for Enter after every entry, and draw the board.")
@click.option("--state", type=click.Choice(["json"]), help="Print the position that it comes to.")
@click.option("--as", "form", type=click.Choice(["script"]), help="Print the game as a script.")
@click.option(
    "--save", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Save the game."
)
def replay(
    file: Path,
    verify: bool,
    to: int | None,
    step: bool,
    state: str | None,
    form: str | None,
    save: Path | None,
) -> int:
    """Replay a log or a script.

    Every order is judged by today's rules and every digest compared; the first difference ends it, and
    what comes before is kept.  --save writes the game as a log, or with --as script as a script.
    """
    from hexengine.core.errors import ReplayDivergence
    from hexengine.record.game import Game

    if step and (state or form):
        raise click.UsageError(
            said("--step shows the game on the board; it goes with neither --state nor --as")
        )
    silent = verify or bool(state or form)
    try:
        game = _run(file, to, verify) if silent else _tell(file, to, step)
    except ReplayDivergence as error:
        click.echo(str(error), err=True)
        if save is not None and isinstance(error.game, Game):
            _save(error.game, save, form)
            message = "the valid part, {entries} entries, is saved in {file}"
            click.echo(said(message, entries=error.game.entry, file=save), err=True)
        return FAILED
    for notice in game.notices:
        click.echo(notice.text, err=True)
    if save is not None:
        _save(game, save, form)
    _print(game, verify, state, None if save else form)
    return DONE


def _run(file: Path, to: int | None, verify: bool) -> Game:
    from hexengine.saved import replay as replay_file

    return replay_file(file, to, verify=verify)


def _print(game: Game, verify: bool, state: str | None, form: str | None) -> None:
    from hexengine.app.terminal import print_json

    if state:
        print_json(game.state())
    elif form:
        sys.stdout.write(_script(game))
    elif verify:
        click.echo(
            said("verified: {entries} entries, digest {digest}", entries=game.entry, digest=game.digest)
        )


def _script(game: Game) -> str:
    """The game as a script; a scenario that took the name of a shipped one is called by its file's name."""
    from hexengine.content.resources import shipped_scenarios
    from hexengine.record.script import to_script

    scenario = game.scenario
    taken = not scenario.shipped and any(one.name == scenario.name for one in shipped_scenarios())
    return to_script(game.log, f"{scenario.name}.toml" if taken else None)


def _save(game: Game, path: Path, form: str | None) -> None:
    if form:
        from hexengine.record.files import save_bytes

        save_bytes(path, _script(game).encode(), overwrite=False)
    else:
        game.log.save(path)


def _tell(file: Path, to: int | None, step: bool) -> Game:
    """Replay before the eyes of people; returns the game."""
    from hexengine.app.narration import outcome, tell_order, title
    from hexengine.app.terminal import Terminal
    from hexengine.record.formats import RecordError

    terminal = Terminal()
    game, steps = _steps(file, to)
    terminal.say(title(game), "bold")
    if step:
        _draw(terminal, game, [])
    for one in steps if to != 0 else ():
        game = one.game
        for note in one.notes:
            terminal.say(note, "bold red")
        told = tell_order(terminal, game, one.by, one.order, one.chance, one.events)
        if step:
            _draw(terminal, game, told)
            if not _go_on():
                break
        if to is not None and game.entry >= to:
            break
    else:
        if to is not None and game.entry < to:
            raise RecordError(said(TOO_FAR, file=file, entries=game.entry, to=to))
    terminal.say(outcome(game), "bold")
    terminal.say(said("digest {digest}", digest=game.digest))
    return game


def _steps(file: Path, to: int | None) -> tuple[Game, Iterator[Step]]:
    """The game at its start, and its entries as they are played again."""
    from hexengine.record.formats import RecordError
    from hexengine.record.log import Log
    from hexengine.record.replay import Replay, read
    from hexengine.record.script import start
    from hexengine.saved import find

    record = read(file)
    if isinstance(record, Log):
        if to is not None and to > len(record.entries) and record.fault is None:
            raise RecordError(said(TOO_FAR, file=file, entries=len(record.entries), to=to))
        run = Replay(record, find, events=True)
        return run.game, _log_steps(run)
    game = start(record, find)
    return game, _script_steps(game, record)


def _log_steps(run: Replay) -> Iterator[Step]:
    from hexengine.record.formats import Replaced

    while True:
        number = run.game.entry
        events = run.step()
        if events is None:
            return
        entry = run.log.entries[number]
        notes = (f"{entry.by}: {entry.replaced}",) if isinstance(entry.replaced, Replaced) else ()
        yield Step(run.game, entry.by, entry.order, list(entry.chance), events, notes)


def _script_steps(game: Game, script: Script) -> Iterator[Step]:
    from hexengine.record.script import play_script

    by = game.by
    for played in play_script(game, script):
        yield Step(game, by, played.order, list(game.dice.used), played.events)
        by = game.by


def _draw(terminal: Terminal, game: Game, told: list[str]) -> None:
    from hexengine.view.scenes import Extras, scene

    terminal.board(scene(game.system.view(game.position), Extras(log=tuple(told))), fit=True)


def _go_on() -> bool:
    """Wait for Enter; False when the input has ended or somebody wants no more."""
    sys.stdout.write(said("Enter goes on, q ends: "))
    sys.stdout.flush()
    answer = sys.stdin.readline()
    sys.stdout.write("\n" if not answer.endswith("\n") else "")
    return bool(answer) and not answer.strip().lower().startswith("q")
