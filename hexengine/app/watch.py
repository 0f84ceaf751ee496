"""``watch``: players against each other, on the board."""

from __future__ import annotations

import secrets
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexengine.app import options
from hexengine.app.exits import DONE, INTERRUPTED
from hexengine.app.words import said

if TYPE_CHECKING:
    from hexengine.app.terminal import Terminal
    from hexengine.players.driver import Driver
    from hexengine.record.game import Game

DELAY = 0.5
TOLD = 12
"""Lines of what happened that stand beside the board."""

LONGEST_DELAY = 3600.0


def _seconds(_: click.Context, __: click.Parameter, value: float | None) -> float | None:
    """A time to wait, from 0 to an hour."""
    if value is not None and not 0 <= value <= LONGEST_DELAY:  # also what is not a number at all
        message = "a delay is 0 to {most:g} seconds, not {value}"
        raise click.BadParameter(said(message, most=LONGEST_DELAY, value=value))
    return value


@click.command()
@click.argument("scenario")
@click.option("--players", nargs=2, required=True, metavar="A B", help="Who plays, in the order of sides.")
@click.option("--seed", type=int, metavar="N", help="The seed of the dice; by default a fresh one.")
@click.option(
    "--delay",
    type=float,
    callback=_seconds,
    metavar="S",
    help="Seconds between orders; by default half of one.",
)
@click.option("--log", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Keep the game.")
@options.budget
def watch(
    scenario: str,
    players: tuple[str, str],
    seed: int | None,
    delay: float | None,
    log: Path | None,
    budget: float | None,
) -> int:
    """Let two players play a SCENARIO on the board.

    On a terminal the board is drawn after every order; elsewhere the orders are told, and the board is
    drawn at the end.
    """
    from hexengine.app.narration import tell_fault, title
    from hexengine.app.sources import scenario as load
    from hexengine.app.terminal import Terminal
    from hexengine.players import player
    from hexengine.players.driver import Driver
    from hexengine.record.game import Game

    loaded = load(scenario)
    seed = secrets.randbits(32) if seed is None else seed
    machines = {side: player(name, seed=seed) for side, name in zip(loaded.sides, players, strict=False)}
    game = Game(loaded, seed, players=players)
    if log is not None:
        game.record(log)
    terminal = Terminal()
    terminal.say(title(game), "bold")
    wait = delay if delay is not None else DELAY if terminal.facts.is_terminal else 0.0
    try:
        tell = partial(tell_fault, terminal)
        _play(terminal, game, Driver(game, machines, game.players, budget=budget, tell=tell), wait)
    except KeyboardInterrupt:
        click.echo("\n" + said("interrupted at entry {entry}", entry=game.entry), err=True)
        return INTERRUPTED
    finally:
        game.close()
    return DONE


def _play(terminal: Terminal, game: Game, driver: Driver, wait: float) -> None:
    from hexengine.app.narration import order_line, outcome, sentences, tell_order

    drawn = terminal.facts.is_terminal
    told: list[str] = []
    while (decision := game.decision) is not None:
        by = decision.side
        events = driver.play()
        order = driver.order
        if drawn:
            terminal.clear()
            told = [*told, order_line(by, str(order), game.dice.used), *sentences(game, events)][-TOLD:]
            _draw(terminal, game, told)
            for line in told[-3:]:
                terminal.say(line)
        else:
            tell_order(terminal, game, by, str(order), game.dice.used, events)
        time.sleep(wait)
    if not drawn:
        _draw(terminal, game, [])
    terminal.say(outcome(game), "bold")


def _draw(terminal: Terminal, game: Game, told: list[str]) -> None:
    from hexengine.view.scenes import Extras, scene

    outlook = game.system.view(game.position)
    ready = [piece.hex for piece in outlook.pieces if piece.ready and piece.hex >= 0]
    terminal.board(
        scene(outlook, Extras(log=tuple(told))),
        centre=ready[0] if ready else None,
        fit=terminal.facts.is_terminal,
    )
