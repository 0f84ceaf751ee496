"""``odds`` and ``perft``: what may happen, exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from hexengine.app import paths, way_odds
from hexengine.app.sources import at_option
from hexengine.app.words import said
from hexengine.core.path_odds import path_odds

if TYPE_CHECKING:
    from hexengine.app.terminal import Terminal
    from hexengine.core.odds import Outcome
    from hexengine.core.orders import Order
    from hexengine.core.tactics import Route
    from hexengine.record.game import Game

UNSAID = ("phase", "active", "decision", "control")
"""Parts of the state that follow from what else is said."""

MOST = 12
"""Outcomes that a screen shows one by one; in a pipe there are all of them, and in --json."""


@click.command()
@click.argument("source", metavar="SCENARIO_OR_LOG")
@click.argument("order", nargs=-1, required=True, metavar="ORDER")
@at_option
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def odds(source: str, order: tuple[str, ...], at: int | None, as_json: bool) -> None:
    """Chances of what an ORDER may bring, at that point of a game; one to a far hex is a whole way."""
    from hexengine.app import sources
    from hexengine.app.terminal import Terminal, print_json

    game = sources.game(source, at)
    parsed = game.read(" ".join(order))  # dice behind it would be one of its outcomes
    if as_json:
        print_json(_document(game, parsed))
    else:
        tell_odds(Terminal(), game, parsed)


def _document(game: Game, order: Order) -> dict[str, Any]:
    """The answer of ``odds --json``."""
    route = _way(game, order)
    if route is not None:
        return way_odds.document(order, path_odds(game, route.orders))
    found = game.reckoned(order)
    document: dict[str, Any] = {"order": str(order), "outcomes": _rows(found.outcomes)}
    if found.unanswered:
        document["unanswered"] = _rows(found.unanswered)
        document["answered"] = way_odds.answered(path_odds(game, [order]))
    return document


def _rows(outcomes: list[Outcome]) -> list[dict[str, Any]]:
    return [{"p": str(one.probability), "result": one.result} for one in outcomes]


def _way(game: Game, order: Order) -> Route | None:
    """The way that an order to a far hex stands for; None if it is legal as it is, or stands for none."""
    return paths.find(game, order) if game.why_not(order) is not None else None


def tell_odds(terminal: Terminal, game: Game, order: Order) -> None:
    """What an order may bring, and if others have something to say to it, also what if they do or do not."""
    route = _way(game, order)
    if route is not None:
        way_odds.tell(terminal, game, f"{order}: {paths.written(game, route)}", path_odds(game, route.orders))
        return
    found = game.reckoned(order)
    _tell(terminal, game, str(order), found.outcomes)
    if found.unanswered:
        _tell(terminal, game, said("if nobody answers it"), found.unanswered)
        shot_at = path_odds(game, [order])
        _tell(terminal, game, way_odds.supposing(shot_at), shot_at.outcomes)


def _tell(terminal: Terminal, game: Game, title: str, outcomes: list[Outcome]) -> None:
    """Outcomes as a table; those that read alike are one, and what all have in common is not repeated."""
    before = game.state()
    told = [changes(before, outcome.result) for outcome in outcomes]
    common = set.intersection(*map(set, told)) if len(told) > 1 else set()
    merged: dict[str, Fraction] = {}
    for outcome, parts in zip(outcomes, told, strict=True):
        text = "; ".join(part for part in parts if part not in common) or said("nothing more")
        merged[text] = merged.get(text, Fraction(0)) + outcome.probability
    terminal.say(title, "bold")
    if common:
        always = "; ".join(part for part in told[0] if part in common)
        terminal.say(said("in any case: {changes}", changes=always), indent=2)
    rows = sorted(merged.items(), key=lambda row: -row[1])
    if terminal.facts.is_terminal and len(rows) > MOST:
        unlikely = sum([chance for _, chance in rows[MOST - 1 :]], Fraction(0))
        rows[MOST - 1 :] = [(said("{count} more, each less likely", count=len(rows) - MOST + 1), unlikely)]
    terminal.table(
        [(f"{float(chance):.2%}", short(chance), text) for text, chance in rows], frozenset({0, 1})
    )


def short(chance: Fraction) -> str:
    """A fraction, where it is short enough to mean something."""
    text = str(chance)
    return text if len(text) <= 11 else ""


def changes(before: dict[str, Any], result: dict[str, Any]) -> list[str]:
    """What an outcome changes, as far as people want to read it: a part a unit, then the rest."""
    parts = []
    for unit, changed in result["units"].items():
        fields = [_change(before["units"][unit], name, value, changed) for name, value in changed.items()]
        told = ", ".join(text for text in fields if text)
        if told:
            parts.append(f"{unit} {told}")
    for name, value in result.items():
        if name not in ("units", *UNSAID):
            parts.append(_part(before.get(name), name, value))
    return [part for part in parts if part]


def _change(before: dict[str, Any], name: str, value: Any, changed: dict[str, Any]) -> str:
    """One changed field of a unit."""
    if name in ("status", "markers"):
        from hexengine.view.scenes import state_word

        hidden = {"reduced", "carried"} | ({"disrupted"} if "eliminated" in value else set())
        new = [state_word(one) for one in value if one not in before[name] and one not in hidden]
        old = [
            said("no longer {state}", state=state_word(one))
            for one in before[name]
            if one not in (*value, *hidden)
        ]
        return ", ".join(new + ([] if "eliminated" in value else old))
    if name == "steps":
        lost = before[name] - value
        return (
            said("loses {lost} of {steps} steps", lost=lost, steps=before[name]) if value and lost > 0 else ""
        )
    if name == "hex":
        return said("to {hex}", hex=value) if value is not None and before[name] is not None else ""
    if name == "carrier":
        if value:
            return said("aboard {carrier}", carrier=value)
        return "" if changed.get("steps") == 0 else said("gets off")
    return ""


def _part(before: Any, name: str, value: Any) -> str:
    """Another changed part of the state, as far as it can be said shortly."""
    if name == "cup" and isinstance(before, dict):
        drawn = [
            marker
            for marker, number in value.get("drawn", {}).items()
            if number > before.get("drawn", {}).get(marker, 0)
        ]
        return said("draws {markers}", markers=", ".join(drawn)) if drawn else ""
    if name == "hexes":
        new = [
            said("{marks} in {hex}", marks=", ".join(value[place]), hex=place)
            for place in value
            if place not in (before or {})
        ]
        return "; ".join(new)
    if name == "score":
        points = ", ".join(f"{side} {points}" for side, points in value.items())
        return said("score {points}", points=points)
    if name == "result" and value:
        if value["winner"]:
            return said("the game ends: {side} wins", side=value["winner"])
        return said("the game ends: a draw")
    if name == "turn":
        return said("turn {turn}", turn=value)
    return f"{name} {value}" if isinstance(value, int | str) else ""


@click.command()
@click.argument("source", metavar="SCENARIO")
@click.option("--depth", type=click.IntRange(0), required=True, metavar="N", help="Plies to look ahead.")
@click.option("--divide", is_flag=True, help="Split the counts by the first ply.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def perft(source: str, depth: int, divide: bool, as_json: bool) -> None:
    """Exact counts of everything that can happen, N plies deep.

    A ply is one order with one distinct answer to what it asks of the dice or the cup.
    """
    from hexengine.app import sources
    from hexengine.app.terminal import Terminal, print_json
    from hexengine.testing import perft as counting

    game = sources.game(source)
    total = counting.perft(game, depth)
    rows = counting.divide(game, depth) if divide and depth else []
    if as_json:
        document = total.json()
        if divide:
            document["divide"] = [{"order": order, **row.json()} for order, row in rows]
        print_json(document)
        return
    terminal = Terminal()
    if rows:
        terminal.table([(str(row.leaves), order) for order, row in rows], frozenset({0}))
    terminal.say(
        said(
            "depth {depth}: {leaves} leaves, {ends} of them finished games",
            depth=total.depth,
            leaves=total.leaves,
            ends=total.ends,
        ),
        "bold",
    )
    for rule, hits in total.hits.items():
        expected = total.expect[rule]
        terminal.say(
            said("{rule}: {hits} hits, {expected} expected", rule=rule, hits=hits, expected=expected),
            indent=2,
        )
    terminal.say(said("digest {digest}, mass {mass}", digest=total.digest, mass=total.mass), indent=2)
