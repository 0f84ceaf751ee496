"""``odds`` and ``perft``: what may happen, exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from hexengine.app.sources import at_option

if TYPE_CHECKING:
    from hexengine.app.terminal import Terminal
    from hexengine.core.odds import Outcome
    from hexengine.record.game import Game

SILENT = ("spent",)
"""What changes with every order, and is left out where people read."""


@click.command()
@click.argument("source", metavar="SCENARIO_OR_LOG")
@click.argument("order", nargs=-1, required=True, metavar="ORDER")
@at_option
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def odds(source: str, order: tuple[str, ...], at: int | None, as_json: bool) -> None:
    """Exact chances of what an ORDER may bring, at that point of a game."""
    from hexengine.app import sources
    from hexengine.app.terminal import Terminal, print_json

    game = sources.game(source, at)
    text = " ".join(order)
    parsed = game.parse(text)
    outcomes = game.odds(parsed)
    if as_json:
        rows = [{"p": str(one.probability), "result": one.result} for one in outcomes]
        print_json({"order": str(parsed), "outcomes": rows})
        return
    tell_odds(Terminal(), game, str(parsed), outcomes)


def tell_odds(terminal: Terminal, game: Game, order: str, outcomes: list[Outcome]) -> None:
    """Outcomes as a table; those that read alike are one."""
    before = game.state()
    merged: dict[str, Fraction] = {}
    for outcome in outcomes:
        text = in_words(before, outcome.result)
        merged[text] = merged.get(text, Fraction(0)) + outcome.probability
    terminal.say(order, "bold")
    rows = sorted(merged.items(), key=lambda row: -row[1])
    terminal.table(
        [(f"{float(chance):.2%}", short(chance), text) for text, chance in rows], frozenset({0, 1})
    )


def short(chance: Fraction) -> str:
    """A fraction, where it is short enough to mean something."""
    text = str(chance)
    return text if len(text) <= 11 else ""


def in_words(before: dict[str, Any], result: dict[str, Any]) -> str:
    """What an outcome changes, unit by unit."""
    parts = []
    for unit, changed in result["units"].items():
        said = [_change(before["units"][unit], name, value) for name, value in changed.items()]
        told = ", ".join(text for text in said if text)
        if told:
            parts.append(f"{unit} {told}")
    for name, value in result.items():
        if name in ("units", "phase", "active", "decision", "control"):
            continue
        parts.append(_part(before.get(name), name, value))
    return "; ".join(part for part in parts if part) or "nothing changes"


def _change(before: dict[str, Any], name: str, value: Any) -> str:
    """One changed field of a unit."""
    if name in SILENT:
        return ""
    if name in ("status", "markers"):
        from hexengine.view.scenes import state_word

        new = [state_word(one) for one in value if one not in before[name]]
        old = [f"no longer {state_word(one)}" for one in before[name] if one not in value]
        return ", ".join(word for word in new + old if word)
    if name == "steps":
        return f"steps {before[name]} to {value}"
    if name == "hex":
        return f"to {value}" if value is not None else ""
    if name == "carrier":
        return f"aboard {value}" if value else "off its carrier"
    if name == "passengers":
        return ""
    return f"{name} {value}"


def _part(before: Any, name: str, value: Any) -> str:
    """Another changed part of the state, as far as it can be said shortly."""
    if name == "cup" and isinstance(before, dict):
        drawn = [
            marker
            for marker, number in value.get("drawn", {}).items()
            if number > before.get("drawn", {}).get(marker, 0)
        ]
        return f"draws {', '.join(drawn)}" if drawn else ""
    if name == "hexes":
        new = [place for place in value if place not in (before or {})]
        return f"marked: {', '.join(new)}" if new else ""
    if name == "score":
        return "score " + ", ".join(f"{side} {points}" for side, points in value.items())
    if name == "result" and value:
        return f"the game ends: {value['winner'] or 'a draw'}"
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
    terminal.say(f"depth {total.depth}: {total.leaves} leaves, {total.ends} of them finished games", "bold")
    for rule, hits in total.hits.items():
        terminal.say(f"{rule}: {hits} hits, {total.expect[rule]} expected", indent=2)
    terminal.say(f"digest {total.digest}, mass {total.mass}", indent=2)
