"""Games under the eyes of the referee."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from hexengine import Game, InvalidOrder
from tests.systems.platoon.referee import orders
from tests.systems.platoon.referee.battles import loaded
from tests.systems.platoon.referee.paper import Difference
from tests.systems.platoon.referee.referee import Referee
from tests.systems.platoon.referee.texts import unoffered


def watch(text: str, seed: int, *, bound: int = 100_000, probes: int = 3, seen: Counter[str] | None = None,
          player: Any = None) -> int:  # fmt: skip
    """Play a scenario at random, or as a player does, and compare after every order; the orders watched.

    ``probes``: how many orders that are not offered are asked about at each decision; ``seen`` counts events.
    Raises Difference, with the way to it in its notes.
    """
    game, random = Game(loaded(text), seed), Random(f"watched/{seed}")
    played: list[str] = []
    try:
        referee = Referee(text)
        _compare(referee, game, random, probes)
        while game.decision is not None and len(played) < bound:
            order = str(player(game) if player else _choose(game, random))
            played.append(order)
            events = game.play(order)
            if seen is not None:
                seen.update(event.code for event in events)
            referee.follow(order, events)
            _compare(referee, game, random, probes)
    except Difference as difference:
        difference.add_note(f"seed {seed}, after {len(played)} orders: {played[-6:]}")
        raise
    return len(played)


def _choose(game: Game, random: Random) -> Any:
    """An order of a random verb by a random unit, so that rare ones come up; closing is left for last."""
    by_verb: dict[str, dict[str, list[Any]]] = {}
    for order in game.orders():
        verb, who, *_ = [*str(order).split(), ""]
        by_verb.setdefault(verb, {}).setdefault(who, []).append(order)
    closing = {"done", "end", "pass"} & by_verb.keys()
    if closing and len(by_verb) > 1 and random.random() < 0.8:
        for verb in closing:
            del by_verb[verb]
    by_unit = by_verb[random.choice(sorted(by_verb))]
    return random.choice(by_unit[random.choice(sorted(by_unit))])


def _compare(referee: Referee, game: Game, random: Random, probes: int) -> None:
    referee.compare(game.state())
    offered, allowed = set(map(str, game.orders())), referee.allowed
    if offered != allowed:
        more, less = sorted(offered - allowed), sorted(allowed - offered)
        why = [(text, sorted(orders.bars_of(referee.books, text))) for text in more[:4]]
        refused = [(text, game.why_not(text)) for text in less[:4]]
        raise Difference(f"offered, but forbidden: {why}; allowed, but not offered: {refused}")
    for text in unoffered(referee.books, random, probes if game.decision else 0):
        if text not in offered:
            _ask(referee, game, text)


def _ask(referee: Referee, game: Game, text: str) -> None:
    """An order that is not offered is refused, by a rule that the referee finds broken too."""
    try:
        refusal = game.why_not(text)
    except InvalidOrder as error:
        raise Difference(f"{text!r} cannot be read: {error}") from error
    bars = orders.bars_of(referee.books, text)
    if refusal is None and bars:
        raise Difference(f"{text!r} is accepted though not offered, and is against {sorted(bars)}")
    if refusal is not None and refusal.rule not in bars:
        raise Difference(
            f"{text!r} is refused by {refusal.rule} ({refusal.code}), not by one of {sorted(bars)}"
        )
