"""``play``: a game at the terminal, from its start, from a script, or from where it was left."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from hexengine.app import options
from hexengine.app.exits import DONE, FAILED
from hexengine.app.words import said

if TYPE_CHECKING:
    from hexengine.app.terminal import Terminal
    from hexengine.core.scenario import Scenario
    from hexengine.players import Player
    from hexengine.record.game import Game
    from hexengine.record.script import Script

NOBODY = "none"
"""The opponent of those who play both sides themselves."""

PERSON = "human"
"""What logs call somebody at the terminal."""

OPPONENT, STAND_IN = "officer", "random"

OTHER_SCENARIO = "the script is for the scenario {given}, not for {name}"


class Seats(NamedTuple):
    """Who plays which side."""

    names: dict[str, str]
    machines: dict[str, Player]


@click.command()
@click.argument("scenario", required=False)
@click.option("--side", metavar="S", help="The side to play; by default the first.")
@click.option("--opponent", metavar="PLAYER", help="Who plays the other side, or none: both are yours.")
@click.option("--seed", type=int, metavar="N", help="The seed of the dice; by default a fresh one.")
@click.option(
    "--log", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Where to keep it."
)
@click.option("--sandbox", is_flag=True, help="Let undo take back everything; the log says so.")
@click.option(
    "--script", type=click.Path(path_type=Path), metavar="FILE", help="Play the orders of a script."
)
@click.option("--resume", type=click.Path(path_type=Path), metavar="FILE", help="Go on with a saved game.")
@options.budget
def play(
    scenario: str | None,
    side: str | None,
    opponent: str | None,
    seed: int | None,
    log: Path | None,
    sandbox: bool,
    script: Path | None,
    resume: Path | None,
    budget: float | None,
) -> int:
    """Play a SCENARIO at the terminal.

    The log is the save: every order is in it before it is shown as done.  Orders may be piped in.  A script
    plays the orders of all sides and then stops, unless --side or --opponent says who goes on.
    """
    from hexengine.app.saves import record
    from hexengine.app.terminal import Terminal

    read = _read_script(script) if script is not None else None
    if resume is not None:
        if scenario is not None or seed is not None or log is not None or sandbox:
            message = "--resume goes on in its own file: no scenario, --seed, --log or --sandbox"
            raise click.UsageError(said(message))
        game, file = _resumed(resume, read), resume
        seats = _seats(game.scenario, side, opponent, _before(game), game.seed)
    else:
        loaded = _scenario(scenario, read)
        stays = read is None or side is not None or opponent is not None
        wanted = seed if seed is not None else (read.seed if read is not None else None)
        game, seats = _new_game(loaded, wanted, sandbox, read, (side, opponent) if stays else None)
        file = record(game, log)
    stop = script is not None and not (side or opponent)
    try:
        return _play(Terminal(), game, seats, read, file, budget, stop=stop)
    finally:
        game.close()


def _play(
    terminal: Terminal,
    game: Game,
    seats: Seats,
    script: Script | None,
    file: Path,
    budget: float | None,
    *,
    stop: bool,
) -> int:
    """Tell what is played, run the script, and then let the seats go on."""
    from hexengine.app.narration import outcome, title
    from hexengine.app.session import Session

    terminal.say(title(game), "bold")
    terminal.say_whole(said("log:"), str(file))
    for notice in game.notices:
        click.echo(notice.text, err=True)
    if script is not None and not _run_script(terminal, game, script):
        message = "the game is kept up to entry {entry}: {command}"
        click.echo(said(message, entry=game.entry, command=_again(file)), err=True)
        return FAILED
    if stop:
        terminal.say(outcome(game), "bold")
        return DONE
    mine = f" {said('and')} ".join(side for side in game.scenario.sides if side not in seats.machines)
    others = [
        said("{player} plays {side}", player=machine.name, side=side)
        for side, machine in seats.machines.items()
    ]
    who = [said("you play {sides}", sides=mine)] if mine else []
    terminal.say(said("{who}; help lists what can be typed", who=", ".join(who + others)))
    return Session(game, terminal, seats.machines, _again(file), budget).run()


def _again(file: Path) -> str:
    """The command that goes on with a game."""
    import shlex

    name = click.get_current_context().find_root().info_name or "hexengine"
    program = f"python {name}" if name.endswith(".py") else name
    return f"{program} play --resume {shlex.quote(str(file))}"


def _run_script(terminal: Terminal, game: Game, script: Script) -> bool:
    """Play a script's lines and tell them; False at one that is refused."""
    from hexengine.app.narration import tell_order
    from hexengine.record.script import ScriptError, play_script

    by = game.by
    try:
        for played in play_script(game, script):
            tell_order(terminal, game, by, played.order, game.dice.used, played.events)
            by = game.by
    except ScriptError as error:
        click.echo(str(error), err=True)
        return False
    return True


# -- games ------------------------------------------------------------------------------------


def _read_script(path: Path) -> Script:
    from hexengine.app.sources import is_log
    from hexengine.record.files import read_record
    from hexengine.record.script import parse_script

    if is_log(str(path)):
        message = "{file} is a saved game, not a script: replay FILE --as script makes one of it"
        raise click.UsageError(said(message, file=path))
    return parse_script(read_record(path), path)


def _scenario(name: str | None, script: Script | None) -> Scenario:
    """The scenario that is named, or that the script names; both must mean the same."""
    from hexengine.app.sources import is_log
    from hexengine.app.sources import scenario as load
    from hexengine.record.formats import Wanted
    from hexengine.saved import find

    given = script.scenario if script is not None else None
    if name is None:
        if script is None:
            raise click.UsageError(said("which SCENARIO? list shows those that come with the program"))
        if given is None:
            raise click.UsageError(
                said("{file} does not say which scenario it is for: name it", file=script.name)
            )
        return find(Wanted(given, None, None, None, script.folder))
    if is_log(name):
        raise click.UsageError(said("{file} is a saved game: play --resume goes on with it", file=name))
    loaded = load(name)
    if given is not None and loaded.name != Path(given).stem:
        raise click.UsageError(said(OTHER_SCENARIO, given=given, name=loaded.name))
    return loaded


def _new_game(
    scenario: Scenario,
    seed: int | None,
    sandbox: bool,
    script: Script | None,
    who: tuple[str | None, str | None] | None,
) -> tuple[Game, Seats]:
    """A game at its start; ``who`` is the side and the opponent asked for, None if nobody goes on."""
    from hexengine.core.errors import ContentError, Problem
    from hexengine.record.formats import RecordError
    from hexengine.record.game import Game

    sandbox = sandbox or (script is not None and script.sandbox)
    if who is None:
        assert script is not None
        try:
            return Game(scenario, seed, players=script.players, sandbox=sandbox), Seats({}, {})
        except RecordError as error:
            place = script.places.get("players")
            line, column = (place.number, place.column) if place else (0, 0)
            raise ContentError([Problem(script.name, line, column, str(error))]) from None
    seed = secrets.randbits(32) if seed is None else seed
    seats = _seats(scenario, *who, {}, seed)
    return Game(scenario, seed, players=seats.names, sandbox=sandbox), seats


def _resumed(file: Path, script: Script | None) -> Game:
    from hexengine.saved import resume

    game = resume(file)
    given = script.scenario if script is not None else None
    if given is not None and Path(given).stem != game.scenario.name:
        game.close()
        raise click.UsageError(said(OTHER_SCENARIO, given=given, name=game.scenario.name))
    return game


# -- who plays --------------------------------------------------------------------------------


def _seats(
    scenario: Scenario, side: str | None, opponent: str | None, before: dict[str, str], seed: int
) -> Seats:
    """Who plays which side, from what was asked for and, in a game that goes on, from who played before."""
    if side is not None and side not in scenario.sides:
        sides = ", ".join(scenario.sides)
        raise click.UsageError(
            said("there is no side {side!r}; sides are {sides}", side=side[:40], sides=sides)
        )
    if before and side is None and opponent is None:
        names = dict(before)
    else:
        mine = side or next((one for one, name in before.items() if name == PERSON), scenario.sides[0])
        names = {
            one: PERSON if one == mine else opponent or _played_before(before, one) for one in scenario.sides
        }
    names = {one: PERSON if name == NOBODY else name for one, name in names.items()}
    machines = {
        one: _player(name, seed, asked=opponent is not None) for one, name in names.items() if name != PERSON
    }
    return Seats({one: machines[one].name if one in machines else PERSON for one in names}, machines)


def _before(game: Game) -> dict[str, str]:
    """Who played which side of a game when it was left: those who were replaced do not come back."""
    return game.players | {side: replaced.by for side, replaced in game.stand_ins.items()}


def _played_before(before: dict[str, str], side: str) -> str:
    name = before.get(side, PERSON)
    return OPPONENT if name == PERSON else name


def _player(name: str, seed: int, *, asked: bool) -> Player:
    """A player by name; one that nobody asked for may be replaced, which is said.  Raises UnknownPlayer."""
    from hexengine.core.errors import UnknownPlayer
    from hexengine.players import player

    try:
        return player(name, seed=seed)
    except UnknownPlayer as error:
        if asked:
            raise
        click.echo(said("{error}; {player} plays instead", error=error, player=STAND_IN), err=True)
        return player(STAND_IN, seed=seed)
