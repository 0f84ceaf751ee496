"""Orders and what came of them, as lines for people; dice included."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hexengine.app.words import said
from hexengine.players.driver import STAND_IN, Fault

if TYPE_CHECKING:
    from hexengine.app.terminal import Terminal
    from hexengine.core.events import Event
    from hexengine.core.orders import Chance
    from hexengine.record.game import Game


def order_line(by: str, order: str, chance: Sequence[Chance]) -> str:
    """An order as logs and scripts hold it, with who gave it: ``nato: fire a b [4 5]``."""
    dice = f" [{' '.join(map(str, chance))}]" if chance else ""
    return f"{by}: {order}{dice}"


def title(game: Game) -> str:
    """A game as it is announced."""
    scenario = game.scenario
    return said("{title} ({name}), seed {seed}", title=scenario.title, name=scenario.name, seed=game.seed)


def sentences(game: Game, events: Sequence[Event]) -> list[str]:
    """What happened, in words; what nobody needs to read is left out."""
    told = [game.system.narrate(game.board, event) for event in events]
    return [text for text in told if text]


def tell_order(
    terminal: Terminal, game: Game, by: str, order: str, chance: Sequence[Chance], events: Sequence[Event]
) -> list[str]:
    """Print an order that was played and what came of it; returns the lines."""
    lines = [order_line(by, order, chance), *sentences(game, events)]
    terminal.say(lines[0], "bold")
    for line in lines[1:]:
        terminal.say(line, indent=2)
    return lines


def tell_fault(terminal: Terminal, fault: Fault) -> None:
    """Print that a player failed and who plays on."""
    facts = {"stand_in": STAND_IN, "side": fault.side, "player": fault.player, "reason": fault.text}
    terminal.say(said("{stand_in} plays on for {player} ({side}): {reason}", **facts), "bold red")


def outcome(game: Game) -> str:
    """How a finished game ended, or who is to decide."""
    result = game.result
    if result is None:
        decision = game.decision
        if decision is None:
            return ""
        return said(
            "entry {entry}: {side} to decide ({kind})",
            entry=game.entry,
            side=decision.side,
            kind=decision.kind,
        )
    winner = said("{side} wins", side=result["winner"]) if result["winner"] else said("a draw")
    level = f", {result['level']}" if result.get("level") else ""
    score = ", ".join(f"{side} {points}" for side, points in game.state()["score"].items())
    return said(
        "game over after {entries} orders: {winner} ({reason}); score: {score}",
        entries=game.entry,
        winner=winner,
        reason=f"{result['reason']}{level}",
        score=score,
    )
