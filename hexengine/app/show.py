"""``show`` and ``los``: the board, and who sees whom on it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexengine.app.sources import at_option
from hexengine.app.words import said

if TYPE_CHECKING:
    from hexengine.app.terminal import Terminal
    from hexengine.core.outlook import SightLook
    from hexengine.record.game import Game
    from hexengine.view.scene import Scene
    from hexengine.view.scenes import Extras

STYLES = ("hex", "compact", "outline")


@click.command()
@click.argument("source", metavar="SCENARIO_OR_LOG")
@at_option
@click.option("--style", type=click.Choice(STYLES), help="How to draw; by default what suits the terminal.")
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Write a picture instead.")
@click.option("--reach", metavar="UNIT", help="What a unit (or units, with commas) can reach, in MP.")
@click.option("--mode", metavar="MODE", help="How it moves: then also why hexes are out of reach.")
@click.option("--to", "goal", metavar="HEX", help="Why this one hex is out of reach.")
@click.option("--sight", metavar="HEX", help="What can be seen from a hex, a floor (0302/1), or by a unit.")
@click.option("--centre", metavar="HEX", help="A hex to have in the middle, where the map does not fit.")
def show(
    source: str,
    at: int | None,
    style: str | None,
    svg: Path | None,
    reach: str | None,
    mode: str | None,
    goal: str | None,
    sight: str | None,
    centre: str | None,
) -> None:
    """The board of a scenario at its start, or of a log at its end or behind an entry."""
    from hexengine.app import sources
    from hexengine.app.barred import nowhere, tell_barred, tell_why
    from hexengine.app.look import explained, extras_for, hex_number, spot
    from hexengine.app.terminal import Terminal
    from hexengine.view.scenes import scene

    if reach is None and (mode is not None or goal is not None):
        option = "--mode" if mode is not None else "--to"
        raise click.UsageError(said("{option} goes with --reach UNIT", option=option))
    game = sources.game(source, at)
    wanted = hex_number(game, goal) if goal is not None else None
    found = None
    if reach is not None and (mode is not None or goal is not None):
        found = explained(game, reach, mode)
    origin = spot(game.system.view(game.position), sight) if sight else None
    extras = extras_for(game, reach=reach, sight=origin, look=found[1] if found else None)
    drawing = scene(game.system.view(game.position), extras)
    middle = hex_number(game, centre) if centre else _middle(extras)
    if svg is not None:
        _write_picture(svg, drawing, style or "hex", game.scenario.title)
        return
    terminal = Terminal()
    terminal.board(drawing, style, centre=middle)  # type: ignore[arg-type]
    for notice in game.notices:
        click.echo(notice.text, err=True)
    if reach and found is not None:
        if wanted is not None:
            tell_why(terminal, game, reach, *found, wanted)
        else:
            tell_barred(terminal, game, reach, *found)
    elif reach and not extras.chips:
        for line in nowhere(game, reach):
            click.echo(line, err=True)


def _middle(extras: Extras) -> int | None:
    if extras.sight is not None:
        return extras.sight.origin
    return min(extras.selected, default=None)


def _write_picture(path: Path, drawing: Scene, style: str, title: str) -> None:
    from hexengine.app.pictures import write_picture
    from hexengine.app.terminal import load_theme
    from hexengine.view.board import map_width
    from hexengine.view.panels import PANEL_WIDTH
    from hexengine.view.picture import to_svg

    width = map_width(drawing, style) + PANEL_WIDTH + 2 if style != "outline" else None  # type: ignore[arg-type]
    panel = True if style != "outline" else None
    picture = to_svg(drawing, load_theme(), style, width, title=title, panel=panel)  # type: ignore[arg-type]
    write_picture(path, picture)


@click.command()
@click.argument("source", metavar="SCENARIO_OR_LOG")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@at_option
def los(source: str, a: str, b: str, at: int | None) -> None:
    """Whether two hexes see each other, and what lies between.

    A and B are hexes, floors (0302/1), or units: these are meant where they are, be it in the air.
    """
    from hexengine.app import sources
    from hexengine.app.look import line_of_sight, spot
    from hexengine.app.terminal import Terminal

    game = sources.game(source, at)
    outlook = game.system.view(game.position)
    tell_sight(Terminal(), game, line_of_sight(game, spot(outlook, a), spot(outlook, b)))


def tell_sight(terminal: Terminal, game: Game, look: SightLook) -> None:
    """A line of sight in words: the verdict, then everything between in order."""
    from hexengine.view.words import words

    labels = game.system.view(game.position).ground.map.grid.labels
    verdict = said("clear") if look.clear else said("blocked")
    a, b = [floor or labels[at] for floor, at in zip(look.floors, (look.origin, look.target), strict=True)]
    ends = {"a": a, "b": b, "verdict": verdict}
    distance = words("{distance} hex", "{distance} hexes", look.distance).format(distance=look.distance)
    message = "{a} to {b}: {verdict}, {distance} [{rule}]"
    terminal.say(said(message, **ends, distance=distance, rule=look.rule), "bold")
    if len(look.line) > 2:
        touched = " ".join(labels[place] for place in look.line[1:-1])
        terminal.say(said("touches {hexes}", hexes=touched), indent=2)
    for one in look.between:
        message = "blocks: {what} [{rule}]" if one.blocks else "hinders: {what} [{rule}]"
        terminal.say(said(message, what=one.text, rule=one.rule), indent=2)
    if not look.between:
        message = "nothing lies between" if look.distance <= 1 else "nothing between hinders"
        terminal.say(said(message), indent=2)
    elif not look.clear and not any(one.blocks for one in look.between):
        terminal.say(said("what hinders blocks together [{rule}]", rule=look.rule), indent=2)
