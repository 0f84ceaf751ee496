"""What can be typed at the prompt beside orders."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexengine.app import paths
from hexengine.app.folding import folded
from hexengine.app.goals import goal_cells
from hexengine.app.look import Spot, explained, extras_for, line_of_sight, spot
from hexengine.app.shorthand import Shorthand, choose, without_gaps
from hexengine.app.words import said
from hexengine.core.conditions import conditions
from hexengine.core.errors import Refusal
from hexengine.record.formats import RecordError
from hexengine.view.scenes import score_lines, support_lines, unit_rows

if TYPE_CHECKING:
    from hexengine.app.session import Session

LOG_LINES = 20


def orders(session: Session, rest: str) -> None:
    """number the legal orders, or those that have these words; a number plays one"""
    chosen = session.game.orders()
    session.listed = chosen
    if rest:
        wanted = rest.lower().split()
        numbered = [
            (number, order)
            for number, order in enumerate(chosen, 1)
            if all(word in str(order).lower() for word in wanted)
        ]
    else:
        numbered = list(enumerate(chosen, 1))
    cells = [f"{number:>3} {order}" for number, order in numbered]
    if rest or session.terminal.has_room(cells):
        session.terminal.columns(cells)
    else:
        _tell_folded(session, [str(order) for order in chosen])
    if not numbered:
        session.terminal.say(said("no legal order has these words"))


def _tell_folded(session: Session, chosen: list[str]) -> None:
    """More orders than a screen holds, in as few rows as will do."""
    terminal, labels = session.terminal, session.shorthand().labels
    widest = max(len(pattern) for _, pattern, _ in folded(chosen, labels, 0))
    room = terminal.facts.width - widest - 2 * len(str(len(chosen))) - 8
    terminal.table(folded(chosen, labels, max(15, room)), frozenset({0}))
    word = next((words[1].split(",")[0] for order in chosen if len(words := order.split()) > 1), "WORD")
    message = "{count} orders; those of one unit are numbered one by one by: orders {word}"
    terminal.say(said(message, count=len(chosen), word=word), "dim")


def why(session: Session, rest: str) -> None:
    """say by which rule an order is legal or not"""
    if not rest:
        raise click.UsageError(said("it is written: {usage}", usage=pattern_of("why")))
    order, _ = session.read(rest)
    refusal = session.game.why_not(order)
    if refusal is not None:
        way = paths.answer(session.game, order, refusal)
        if isinstance(way, Refusal):
            session.refuse(way, order)
        else:
            paths.tell(session.terminal, session.game, way)
        return
    usage = session.game.system.usage(session.game.board).get(order.verb)
    text = f": {usage.text} [{usage.rule}]" if usage else ""
    session.terminal.say(said("{order} is legal", order=order) + text)


def odds(session: Session, rest: str) -> None:
    """exact chances of what an order may bring"""
    from hexengine.app.chances import tell_odds

    if not rest:
        raise click.UsageError(said("it is written: {usage}", usage=pattern_of("odds")))
    order, _ = session.read(rest)
    tell_odds(session.terminal, session.seen(), order)


def los(session: Session, rest: str) -> None:
    """whether two hexes, floors or units see each other, and what lies between"""
    from hexengine.app.show import tell_sight

    words = rest.split()
    if len(words) != 2:
        raise click.UsageError(said("it is written: {usage}", usage=pattern_of("los")))
    game, short = session.seen(), session.shorthand()
    a, b = [_spot(short, word) or spot(short.outlook, short.unit(word, "", word)) for word in words]
    tell_sight(session.terminal, game, line_of_sight(game, a, b))


def _spot(short: Shorthand, word: str) -> Spot | None:
    """A hex or a floor, from a label or a place name, shortened as in orders; None if it is neither."""
    if any(piece.unit == word for piece in short.outlook.pieces):
        return None
    place = short.named(word, "HEX/FLOOR", word)
    return spot(short.outlook, place) if place.partition("/")[0] in short.labels else None


def show(session: Session, rest: str) -> None:
    """the board; with a unit what it can reach, with a mode also why not more, with a hex what it sees"""
    from hexengine.app.barred import nowhere, tell_barred

    if not rest:
        session.show()
        return
    game, short = session.seen(), session.shorthand()
    where = _spot(short, rest)
    if where is not None:
        session.show(extras_for(game, sight=where), where.hex)
        return
    named, _, wanted = without_gaps(rest).partition(" ")
    units = short.named(rest, "UNITS", named)
    found = explained(game, units, wanted.strip()) if wanted else None
    extras = extras_for(game, reach=units, look=found[1] if found else None)
    session.show(extras, min(extras.selected, default=None))
    if found is not None:
        tell_barred(session.terminal, game, units, *found)
    elif not extras.chips:
        for line in nowhere(game, units):
            session.terminal.say(line)


def units(session: Session, rest: str) -> None:
    """all units, or those of a name, side or hex: where they are, their strength and state"""
    outlook = session.outlook()
    ids, sides = session.game.scenario.sides, outlook.ground.sides
    wanted = sides[ids.index(rest)].lower() if rest in ids else rest.lower()
    rows: list[tuple[str, ...]] = [
        (
            sides[row.side] if row.side < len(sides) else str(row.side),
            row.name,
            row.place,
            row.readout or row.strength,
            f"{row.steps}{'-' if row.reduced else ''}",
            row.state,
        )
        for row in unit_rows(outlook)
    ]
    rows = [row for row in rows if not wanted or any(cell.lower().startswith(wanted) for cell in row[:3])]
    if not rows:
        session.terminal.say(said("no units of this name, side or hex"))
        return
    heads = ("side", "unit", "hex", outlook.strength, "steps", "state")
    session.terminal.table([tuple(map(said, heads)), *rows], frozenset({3}))


def score(session: Session, _: str) -> None:
    """points, who holds what is fought for, what is worth points, and what may still be called"""
    outlook, game = session.outlook(), session.seen()
    ground, terminal = outlook.ground, session.terminal
    for line in (*score_lines(outlook), *support_lines(outlook)):
        terminal.say(line)
    terminal.table(
        [
            (ground.map.grid.label(place), ground.names.get(place, ""),
             said("nobody's") if holder is None else ground.sides[holder])
            for place, holder in sorted(outlook.objectives.items())
        ]
    )  # fmt: skip
    # Events that are worth points are found out by those who meet them.
    goals = [one for one in conditions(game.system, game.position) if one.kind != "event"]
    if goals:
        heads = ("side", "condition", "worth")
        rows = [(ground.sides[one.side], *goal_cells(one)) for one in goals]
        terminal.say(said("what is worth points:"))
        terminal.table([tuple(map(said, heads)), *rows])


def log(session: Session, rest: str) -> None:
    """the last orders, or the last N"""
    from hexengine.app.narration import order_line

    if rest and not (rest.isascii() and rest.isdigit() and len(rest) < 8):
        raise click.UsageError(said("it is written: {usage}", usage=pattern_of("log")))
    number = int(rest) if rest else LOG_LINES
    entries = session.game.log.entries
    for entry in entries[len(entries) - min(number, len(entries)) :]:
        session.terminal.say(f"{entry.n:>4} {order_line(entry.by, entry.order, entry.chance)}")
    if not entries:
        session.terminal.say(said("nothing has been played yet"))


def notes(session: Session, _: str) -> None:
    """what the scenario's designer says of it"""
    session.terminal.say(session.game.scenario.title, "bold")
    for line in (session.game.scenario.notes or said("the scenario has no notes")).splitlines():
        session.terminal.say(line, indent=2)


def save(session: Session, rest: str) -> None:
    """a copy of the game in a file (the game itself is saved with every order)"""
    if not rest:
        raise click.UsageError(said("it is written: {usage}", usage=pattern_of("save")))
    try:
        session.game.log.save(Path(rest).expanduser())
    except (RecordError, RuntimeError) as error:  # the copy failed; the game itself is kept all the same
        raise click.ClickException(str(error)) from None
    session.terminal.say(said("saved in {file}", file=rest))


def help_(session: Session, rest: str) -> None:
    """how orders and commands are written, and what a rule says"""
    from hexengine.app.rules import catalogue, tell_rule, tell_shortly

    usage = session.game.system.usage(session.game.board)
    terminal = session.terminal
    for rule in catalogue(session.game.scenario.system) if rest else ():
        if rule.id.lower() == rest.lower():
            tell_rule(terminal, rule)
            return
    if rest:
        verb = choose(rest, rest.split()[0], sorted({*usage, *COMMANDS, *OTHERS}))
        if verb in usage:
            terminal.say(usage[verb].pattern, "bold")
            terminal.say(f"{usage[verb].text} [{usage[verb].rule}]", indent=2)
            tell_shortly(terminal, session.game.scenario.system, usage[verb].rule)
        else:
            terminal.say(pattern_of(verb), "bold")
            terminal.say(said(OTHERS.get(verb) or COMMANDS[verb].__doc__ or ""), indent=2)
        return
    terminal.say(said("orders (words may be shortened; a hex stands for the units in it):"), "bold")
    terminal.table([(one.pattern, one.text) for one in usage.values()])
    terminal.say(said("and:"), "bold")
    described = {**OTHERS, **{name: command.__doc__ or "" for name, command in COMMANDS.items()}}
    terminal.table([(pattern_of(name), said(text)) for name, text in sorted(described.items())])


def pattern_of(command: str) -> str:
    """How a command is written."""
    return f"{command} {ARGUMENTS[command]}" if command in ARGUMENTS else command


def quit_(session: Session, _: str) -> None:
    """leave; the game is saved"""
    session.leaving = True


OTHERS = {
    "undo": "take back your last order, unless something was rolled, drawn or decided since",
}

ARGUMENTS = {
    "orders": "[WORD ...]",
    "why": "ORDER",
    "odds": "ORDER",
    "los": "HEX HEX",
    "show": "[HEX | UNITS [MODE]]",
    "board": "[HEX | UNITS [MODE]]",
    "units": "[WORD]",
    "log": "[N]",
    "save": "FILE",
    "help": "[VERB | RULE]",
}
"""What stands behind commands."""

COMMANDS: dict[str, Callable[[Session, str], None]] = {
    "orders": orders,
    "why": why,
    "odds": odds,
    "los": los,
    "show": show,
    "board": show,
    "units": units,
    "score": score,
    "log": log,
    "notes": notes,
    "save": save,
    "help": help_,
    "quit": quit_,
}
"""By name; what each does stands in its docstring."""
