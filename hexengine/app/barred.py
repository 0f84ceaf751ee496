"""Why hexes are out of reach, in words: all of them by rule, or one of them."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from hexengine.app.look import NoModes, NoTactics, explained
from hexengine.app.rules import catalogue, tell_shortly
from hexengine.app.words import said

if TYPE_CHECKING:
    from hexengine.app.terminal import Terminal
    from hexengine.core.errors import Refusal
    from hexengine.core.tactics import ReachLook
    from hexengine.record.game import Game

MOST_HEXES = 40
"""Of a rule that bars more hexes than this only their number is told."""


def tell_barred(terminal: Terminal, game: Game, units: str, mode: str, look: ReachLook) -> None:
    """By rule, the hexes that are out of reach of units in a mode of movement."""
    from hexengine.view.words import words

    number = len([place for place, cost in look.costs.items() if cost])
    hexes = words("{number} hex", "{number} hexes", number).format(number=number)
    if look.refusal is not None:
        terminal.say(said("{units}, {mode}: not at all", units=units, mode=mode), "bold")
    else:
        terminal.say(said("{units}, {mode}: {hexes} in reach", units=units, mode=mode, hexes=hexes), "bold")
    for head, rest in _reasons(game, look):
        terminal.say_after(head, rest, 2) if rest else terminal.say(head, indent=2)


def nowhere(game: Game, units: str) -> list[str]:
    """What is said of units that reach no hex: that they do not, and why, where the rule system says it."""
    if "," in units:
        lines = [said("{units} can go nowhere together", units=units)]
    else:
        lines = [said("{unit} can go nowhere by itself", unit=units)]
    with suppress(NoTactics, NoModes):
        _, look = explained(game, units, None)
        lines += [f"  {head} {rest}".rstrip() for head, rest in _reasons(game, look)]
    return lines


def _reasons(game: Game, look: ReachLook) -> list[tuple[str, str]]:
    """Why hexes are out of reach: one reason for all, or by rule a heading and the hexes."""
    from hexengine.view.words import words

    if look.refusal is not None:
        return [(_reason(game, look.refusal), "")]
    alike = {_reason(game, refusal) for refusal in look.barred.values()}
    if len(alike) == 1:
        return [(alike.pop(), "")]
    labels = game.system.view(game.position).ground.map.grid.labels
    titles = {rule.id: rule.title for rule in catalogue(game.scenario.system)}
    by_rule: dict[str, list[str]] = {}
    for place, refusal in sorted(look.barred.items()):
        by_rule.setdefault(refusal.rule, []).append(labels[place])
    found = []
    for rule, barred in sorted(by_rule.items(), key=lambda pair: len(pair[1])):
        listed = " ".join(barred)
        if len(barred) > MOST_HEXES:
            listed = words("{number} hex", "{number} hexes", len(barred)).format(number=len(barred))
        head = said("out of reach by {rule} {title}:", rule=rule, title=titles.get(rule, ""))
        found.append((head, listed))
    return found


def tell_why(terminal: Terminal, game: Game, units: str, mode: str, look: ReachLook, place: int) -> None:
    """Why one hex is out of reach, or what it costs to get there."""
    label = game.system.view(game.position).ground.map.grid.labels[place]
    facts = {"units": units, "mode": mode, "hex": label}
    refusal = look.refusal or look.barred.get(place)
    if refusal is None:
        from hexengine.view.scenes import half_points

        cost = half_points(look.costs.get(place, 0))
        terminal.say(said("{hex} is in reach of {units}, {mode}: {cost} MP", **facts, cost=cost), "bold")
        return
    terminal.say(said("{hex} is out of reach of {units}, {mode}", **facts), "bold")
    terminal.say(_reason(game, refusal), indent=2)
    tell_shortly(terminal, game.scenario.system, refusal.rule)


def _reason(game: Game, refusal: Refusal) -> str:
    return f"{game.system.describe(game.board, refusal)} [{refusal.rule}]"
