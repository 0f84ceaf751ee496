"""Games of the engine under the referee's eyes."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from hexengine.content.loader import loads
from hexengine.core.errors import InvalidOrder
from hexengine.core.game import Game
from tests.systems.squad.referee.ledger import Wrong
from tests.systems.squad.referee.proposals import proposals
from tests.systems.squad.referee.referee import Referee

OFFERED = 8
"""Of the orders that the engine offers, so many are put to the referee at each decision."""
PROPOSED = 6
"""So many texts, made without asking the engine, are put to both."""

Chooser = Callable[[Game], str]


class Watched(NamedTuple):
    """How much was watched."""

    orders: int
    proposals: int


def watch(text: str, seed: int, most: int = 2000, choose: Chooser | None = None) -> Watched:
    """Play a game of a scenario's text to its end, or so many orders; raises Wrong where anything differs."""
    chance = Random(f"watched/{seed}")
    game = Game(loads(text, "watched"), seed)
    referee = Referee(text)
    referee.compare(game.state())
    orders = asked = 0
    while game.decision is not None and orders < most:
        offered = [str(order) for order in game.orders()]
        for order in chance.sample(offered, min(OFFERED, len(offered))):
            if not referee.legal(order):
                raise Wrong(f"{order} is offered: the referee refuses it by {sorted(referee.against(order))}")
        asked += sum(
            _propose(game, referee, order, offered) for order in proposals(referee, chance, PROPOSED)
        )
        order = choose(game) if choose else _any(offered, chance)
        events = game.play(order)
        referee.follow(order, events)
        referee.compare(game.state())
        orders += 1
    return Watched(orders, asked)


def _any(offered: list[str], chance: Random) -> str:
    """An order by chance: mostly each verb is as likely, since there are so many moves."""
    if chance.random() < 0.3:
        return chance.choice(offered)
    verb = chance.choice(sorted({order.split()[0] for order in offered}))
    return chance.choice([order for order in offered if order.split()[0] == verb])


def _propose(game: Game, referee: Referee, text: str, offered: list[str]) -> bool:
    """Ask both about a text; False if it cannot be read as an order."""
    try:
        refusal = game.why_not(text)
    except InvalidOrder:
        return False
    listed = str(game.parse(text)) in offered
    objections = referee.against(text)
    if refusal is None:
        if objections or not listed:
            raise Wrong(
                f"{text} is legal{'' if listed else ' and not offered'}: the referee has {objections}"
            )
        return True
    if listed or not objections:
        raise Wrong(f"{text} is refused by {refusal.rule} ({refusal.code}): the referee has {objections}")
    if "*" not in objections and refusal.rule not in objections:
        raise Wrong(f"{text} is refused by {refusal.rule} ({refusal.code}), not by {sorted(objections)}")
    return True
