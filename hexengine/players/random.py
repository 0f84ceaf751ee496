"""The yardstick: a uniform choice of who acts, then of what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, overload

from hexengine.players import Candidate, Choice, Reason
from hexengine.players.chance import Chance

if TYPE_CHECKING:
    from hexengine.core.game import Game
    from hexengine.core.orders import Order


class Random:
    """Chooses an actor uniformly, then one of its orders uniformly."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self._chances: dict[str, Chance] = {}

    @overload
    def choose(self, game: Game, *, explain: Literal[False] = False) -> Order: ...
    @overload
    def choose(self, game: Game, *, explain: Literal[True]) -> Choice: ...
    def choose(self, game: Game, *, explain: bool = False) -> Order | Choice:
        """A legal order; its score is the probability with which it is chosen."""
        decision = game.decision
        assert decision is not None, "somebody must decide"
        actors = decision.actors()
        chance = self._chances.get(decision.side)
        if chance is None:
            chance = self._chances[decision.side] = Chance(self.seed, decision.side)
        word = chance.word(game.entry)
        orders = decision.orders(actors[word % len(actors)])
        order = orders[word // len(actors) % len(orders)]
        return self._explained(game, order) if explain else order

    def _explained(self, game: Game, order: Order) -> Choice:
        decision = game.decision
        assert decision is not None
        candidates = []
        actors = decision.actors()
        for actor in actors:
            orders = decision.orders(actor)
            share = 1 / (len(actors) * len(orders))
            candidates += [Candidate(each, share, (Reason("uniform", share),)) for each in orders]
        candidates.sort(key=lambda candidate: -candidate.score)
        return Choice(order, tuple(candidates), "uniform")
