"""Moves to far hexes: the cheapest way, its price and its danger, and the steps it is made of."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import click

from hexengine.app.look import NoTactics, explained, tactics, unit_numbers
from hexengine.app.words import said
from hexengine.core.outlook import OFF_MAP
from hexengine.core.path_odds import TooMany, path_odds

if TYPE_CHECKING:
    from hexengine.app.terminal import Terminal
    from hexengine.core.errors import Refusal
    from hexengine.core.orders import Order
    from hexengine.core.tactics import Route
    from hexengine.record.game import Game

QUICK = 200
"""Runs of the rules for which nobody at a prompt has to wait; a way that takes more is told less exactly."""


def is_far(game: Game, order: Order) -> bool:
    """Whether an order is written VERB UNITS HEX and its hex is not next to the units."""
    words = str(order).split()
    usage = game.system.usage(game.board).get(order.verb)
    pattern = usage.pattern.split() if usage is not None else []
    outlook = game.system.view(game.position)
    grid = outlook.ground.map.grid
    if len(words) != 3 or pattern[1:3] != ["UNITS", "HEX"] or words[2] not in grid.labels:
        return False
    named = set(words[1].split(","))
    places = {piece.hex for piece in outlook.pieces if piece.unit in named}
    return OFF_MAP not in places and all(grid.distance(place, grid.index(words[2])) > 1 for place in places)


def find(game: Game, order: Order) -> Route | None:
    """The way that an order to a far hex stands for, or None if its first step is not legal now."""
    decision = game.decision
    if decision is None:
        return None
    words = str(order).split()
    goal = game.system.view(game.position).ground.map.grid.index(words[2])
    try:
        units = unit_numbers(game, words[1].split(","))
        seen = game.seen_by(game.scenario.sides.index(decision.side)).position
        route: Route | None = tactics(game).route(seen, tuple(sorted(units)), goal)
    except NoTactics:
        return None
    if route is None or not route.orders or route.orders[0].verb != order.verb:
        return None
    return route if game.why_not(route.orders[0]) is None else None


def barred(game: Game, order: Order) -> Refusal | None:
    """Why units do not get to the far hex that an order names; None where the rule system does not say."""
    decision = game.decision
    if decision is None:
        return None
    words = str(order).split()
    seen = game.seen_by(game.scenario.sides.index(decision.side))
    try:
        _, look = explained(seen, words[1], None)
    except click.ClickException:
        return None
    goal = seen.system.view(seen.position).ground.map.grid.index(words[2])
    refusal = look.refusal or look.barred.get(goal)
    return refusal._replace(text=game.system.describe(game.board, refusal)) if refusal is not None else None


def tell(terminal: Terminal, game: Game, route: Route) -> None:
    """A way before it is gone: its hexes, its cost, and where it may be shot at."""
    unhurt = whole = 1.0
    terminal.say(said("way: {way}", way=written(game, route)), "bold")
    for step in route.risk:
        unhurt *= 1 - step.hit
        whole *= 1 - step.lost
        if step.shooters:
            message = "{hex}: fire from {units} (hit {hit:.0%}, lost {lost:.0%})"
            units = ", ".join(step.shooters)
            terminal.say(said(message, hex=step.hex, units=units, hit=step.hit, lost=step.lost), indent=2)
    found = None
    with suppress(TooMany):
        found = path_odds(game, route.orders, limit=QUICK, samples=0, results=False)
    if found is not None and found.whole < 1:
        message = "if every shot is taken: all arrive unhurt {whole:.0%}, one or more lost {lost:.0%}"
        terminal.say(said(message, whole=float(found.whole), lost=float(found.lost)), indent=2)
    elif unhurt < 1:
        message = "on the whole at worst: hit {hit:.0%}, lost {lost:.0%}"
        terminal.say(said(message, hit=1 - unhurt, lost=1 - whole), indent=2)
    elif found is not None:
        terminal.say(said("nobody can fire at it"), indent=2)


def written(game: Game, route: Route) -> str:
    """The hexes of a way and its cost."""
    from hexengine.view.scenes import half_points

    labels = game.system.view(game.position).ground.map.grid.labels
    hexes = " ".join(labels[place] for place in route.hexes)
    return said("{hexes}, {cost} MP", hexes=hexes, cost=half_points(route.cost))
