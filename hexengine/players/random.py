"""The yardstick: a uniform choice of who acts, then of what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, overload

from mypy_extensions import mypyc_attr

from hexengine.core.errors import GameOver
from hexengine.players import Candidate, Choice, Reason
from hexengine.players.chance import Chance

if TYPE_CHECKING:
    from hexengine.core.game import Game
    from hexengine.core.orders import Order


@mypyc_attr(allow_interpreted_subclasses=True)
class Random:
    """Chooses an actor uniformly, then one of its orders uniformly."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self._chances: dict[str, Chance] = {}
        self._word = 0

    @overload
    def choose(self, game: Game, *, explain: Literal[False] = False) -> Order: ...
    @overload
    def choose(self, game: Game, *, explain: Literal[True]) -> Choice: ...
    def choose(self, game: Game, *, explain: bool = False) -> Order | Choice:
        """A legal order; its score is the probability with which it is chosen.  Raises GameOver."""
        decision = game.decision
        if decision is None:
            raise GameOver(self.name)
        side = decision.side
        chance = self._chances.get(side)
        if chance is None:
            chance = self._chances[side] = Chance(self.seed, side)
        self._word = chance.word(game.entry)
        order = decision.sample(self._below)
        return self._explained(game, order) if explain else order

    def _below(self, limit: int) -> int:
        """A number below ``limit``, from the part of this entry's chance that is not used up."""
        self._word, number = divmod(self._word, limit)
        return number

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
