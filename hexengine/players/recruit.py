"""The beginner: sees the shot at hand and the nearest objective, and not all that could be done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, overload

from hexengine.core.errors import GameOver
from hexengine.core.tactics import Candidate, Standing, Weights
from hexengine.players import Choice
from hexengine.players.chance import Chance
from hexengine.players.officer import Officer, leading

if TYPE_CHECKING:
    from hexengine.core.game import Game
    from hexengine.core.orders import Order

WEIGHTS = Weights(objective=60, damage=100, outlook=0, exposure=0, risk=0, command=0, patience=0)
"""What a beginner makes of things, from the first turn to the last."""

OVERLOOKED = 3
"""Of eight things that could be done, how many a beginner overlooks on the average."""

_DIGITS = 21
"""Numbers from 0 to 7 in one word of chance."""


class Recruit(Officer):
    """Goes straight for its objectives, takes every shot at once, and overlooks what it could do beside.

    It knows what shots may do to others, but minds neither the enemy's fire nor opportunity fire on its
    way, keeps no units in command, and plays on alike whether it is ahead or behind.  What it overlooks is
    chance, a function of (seed, side, entry).
    """

    name = "recruit"

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._chances: dict[str, Chance] = {}

    @overload
    def choose(self, game: Game, *, explain: Literal[False] = False) -> Order: ...
    @overload
    def choose(self, game: Game, *, explain: Literal[True]) -> Choice: ...
    def choose(self, game: Game, *, explain: bool = False) -> Order | Choice:
        """The best of what it sees; with ``explain`` all of that.  Raises GameOver."""
        tactics, pos = self.tactics(game), game.position
        if not pos.frames:
            raise GameOver(self.name)
        forced = tactics.forced(pos)
        if forced is not None and not explain:
            return forced
        found = tactics.candidates(pos, WEIGHTS, True)
        seen = self._seen(game, found)
        return Choice(seen[0].order, tuple(seen), leading(seen[0])) if explain else seen[0].order

    def _seen(self, game: Game, found: list[Candidate]) -> list[Candidate]:
        """The candidates that it does not overlook; the last and worst if it overlooks all."""
        decision = game.decision
        assert decision is not None, "somebody must decide"
        chance = self._chances.get(decision.side)
        if chance is None:
            chance = self._chances[decision.side] = Chance(self.seed, decision.side)
        word = chance.word(game.entry)
        seen = [
            candidate
            for number, candidate in enumerate(found)
            if word >> 3 * (number % _DIGITS) & 7 >= OVERLOOKED
        ]
        return seen or found[-1:]

    def weights(self, standing: Standing) -> Weights:
        """The same in every position."""
        return WEIGHTS
