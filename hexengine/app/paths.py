"""Moves to far hexes: the cheapest way, its price and its danger, and the steps it is made of."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from hexengine.app.look import NoModes, NoTactics, explained, modes_of, tactics, unit_numbers
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


class Far(NamedTuple):
    """An order ``VERB UNITS HEX`` to a hex that is not next to the units, with words for how they move."""

    units: str
    goal: int
    mode: str
    """The mode of movement; "" where the rule system has none."""


def far(game: Game, order: Order) -> Far | None:
    """The way that an order asks for, or None if it is not written so, is no movement, or its hex is near."""
    words = str(order).split()
    usage = game.system.usage(game.board).get(order.verb)
    pattern = usage.pattern.split() if usage is not None else []
    outlook = game.system.view(game.position)
    grid = outlook.ground.map.grid
    if len(words) < 3 or pattern[1:3] != ["UNITS", "HEX"] or words[2] not in grid.labels:
        return None
    mode = _mode(game, order.verb, words[3:])
    goal = grid.index(words[2])
    named = set(words[1].split(","))
    places = {piece.hex for piece in outlook.pieces if piece.unit in named}
    if mode is None or OFF_MAP in places or any(grid.distance(place, goal) <= 1 for place in places):
        return None
    return Far(words[1], goal, mode)


def _mode(game: Game, verb: str, tail: list[str]) -> str | None:
    """The mode of movement of an order with some words behind its hex; None if it is no movement.

    Modes are called as these words are, and the usual one as the verb is.
    """
    try:
        modes = modes_of(game).modes(game.position)
    except NoTactics:
        return None
    except NoModes:
        return None if tail else ""
    wanted = "-".join(tail) or verb
    return wanted if verb == modes[0] and wanted in modes else None


def find(game: Game, order: Order) -> Route | None:
    """The way that an order to a far hex stands for, or None if its first step is not legal now."""
    decision, wanted = game.decision, far(game, order)
    if decision is None or wanted is None:
        return None
    units = tuple(sorted(unit_numbers(game, wanted.units.split(","))))
    seen = game.seen_by(game.scenario.sides.index(decision.side)).position
    known: Any = tactics(game)
    route: Route | None
    if wanted.mode and hasattr(known, "route_in"):
        route = known.route_in(seen, units, wanted.goal, wanted.mode)
    else:
        route = known.route(seen, units, wanted.goal)
    if route is None or not route.orders or route.orders[0].verb != order.verb:
        return None
    return route if game.why_not(route.orders[0]) is None else None


def barred(game: Game, order: Order) -> Refusal | None:
    """Why units do not get to the far hex that an order names; None where the rule system does not say, or
    where they could not go to a near one either, for the same reason.
    """
    decision, wanted = game.decision, far(game, order)
    if decision is None or wanted is None or not wanted.mode or _anywhere(game, order, wanted):
        return None
    seen = game.seen_by(game.scenario.sides.index(decision.side))
    _, look = explained(seen, wanted.units, wanted.mode)
    refusal = look.refusal or look.barred.get(wanted.goal)
    return refusal._replace(text=game.system.describe(game.board, refusal)) if refusal is not None else None


def answer(game: Game, order: Order, refusal: Refusal) -> Route | Refusal:
    """What is said to an order that is refused as it is: the way that it stands for, or why there is none."""
    return find(game, order) or barred(game, order) or refusal


def _anywhere(game: Game, order: Order, wanted: Far) -> bool:
    """Whether an order is refused as one to the next hex would be: it is not the time, or not one's unit."""
    outlook = game.system.view(game.position)
    grid = outlook.ground.map.grid
    first = wanted.units.split(",")[0]
    place = next((piece.hex for piece in outlook.pieces if piece.unit == first), OFF_MAP)
    near = next((to for to in grid.neighbours[place] if to >= 0), OFF_MAP) if place >= 0 else OFF_MAP
    refusal = game.why_not(order)
    if near < 0 or refusal is None:
        return False
    words = str(order).split()
    words[2] = grid.labels[near]
    other = game.why_not(" ".join(words))
    return other is not None and (other.rule, other.code) == (refusal.rule, refusal.code)


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
