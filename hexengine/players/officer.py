"""The rule-based player: weighs what its system's tactics find by how its side stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast, overload

from hexengine.core.errors import GameOver, HexEngineError
from hexengine.core.tactics import Candidate, Courses, Reason, Standing, Tactics, Weights
from hexengine.players import Choice

if TYPE_CHECKING:
    from hexengine.core.game import Game
    from hexengine.core.orders import Order


UNDER_WAY = 10_000_000
"""The score of what was begun before: nothing else counts until that is done, or something has changed."""

LAST_TURNS = 5
"""Turns before the end in which objectives weigh more and more."""


class NoTactics(HexEngineError):
    """A rule system does not say which orders are worth a thought."""


class Officer:
    """Plays by rules of thumb and exact odds, the same on every machine.

    It thinks when there is something to weigh.  What it has set out on then it goes on with, as its tactics
    say, until that is done or something has changed.  That is all it keeps, as a note of the game, and it is
    no more than the course of the game tells: asked about a game for the first time it looks back.  (So it is
    for whoever is asked at each decision of its side; an adviser who is asked now and then is to be handed
    ``game.copy()``.)
    Nothing is left to chance, so ``seed`` makes no difference.  ``caution`` is in percent of what its own
    losses count for.
    """

    name = "officer"

    def __init__(self, seed: int = 0, caution: int = 100) -> None:
        self.seed = seed
        self.caution = caution
        self._known: tuple[object, Tactics] | None = None
        self._weights: dict[Standing, Weights] = {}

    @overload
    def choose(self, game: Game, *, explain: Literal[False] = False) -> Order: ...
    @overload
    def choose(self, game: Game, *, explain: Literal[True]) -> Choice: ...
    def choose(self, game: Game, *, explain: bool = False) -> Order | Choice:
        """The best candidate for the open decision; with ``explain`` all of them.  Raises GameOver."""
        pos = game.position
        if not pos.frames:
            raise GameOver(self.name)
        tactics = self.tactics(game)
        if not explain:
            forced = tactics.forced(pos)
            if forced is not None:
                return forced
        side = pos.frames[-1].decider(pos)
        begun: dict[int, object] | None = game.notes.get(self)
        if begun is None:
            begun = game.notes[self] = {}
        if side not in begun:
            # Noted when all is seen: whoever is interrupted before looks back once more.
            begun[side] = self._look_back(game, side)
        course = begun[side]
        if course is not None:
            # Only tactics that can go on with courses set any.
            order = cast(Courses, tactics).going_on(pos, course)
            if order is not None:
                return self._under_way(game, order) if explain else order
        found = self.think(game, explain)
        begun[side] = found[0].course
        return Choice(found[0].order, tuple(found), leading(found[0])) if explain else found[0].order

    def think(self, game: Game, explain: bool = False) -> list[Candidate]:
        """What could be ordered, the best first, as if nothing had been begun before; nothing is noted.

        Without ``explain`` perhaps only the best, and no reasons.
        """
        tactics, pos = self.tactics(game), game.position
        standing = tactics.standing(pos)
        weights = self._weights.get(standing)
        if weights is None:
            weights = self._weights[standing] = self.weights(standing)
        return tactics.candidates(pos, weights, explain)

    def _look_back(self, game: Game, side: int) -> object:
        """What a side would have begun, had this officer been asked from the first order on."""
        begun: dict[int, object] = {side: None}
        tactics = self.tactics(game)
        if isinstance(tactics, Courses):
            chapter = tactics.chapter
            now = chapter(game.position)
            for earlier in game.earlier(lambda position: chapter(position) != now):
                pos = earlier.position
                if pos.frames[-1].decider(pos) == side:
                    earlier.notes[self] = begun
                    self.choose(earlier)
        return begun[side]

    def _under_way(self, game: Game, order: Order) -> Choice:
        """Going on with what was begun, before everything else that could be done now."""
        others = [candidate for candidate in self.think(game, True) if candidate.order != order]
        best = Candidate(order, UNDER_WAY, (Reason("under-way", UNDER_WAY),))
        return Choice(order, (best, *others), "under-way")

    def tactics(self, game: Game) -> Tactics:
        """The tactics of a game's board, with all that they have worked out about it; raises NoTactics."""
        known = self._known
        if known is None or known[0] is not game.board:
            tactics = game.system.tactics(game.board)
            if tactics is None:
                raise NoTactics(f"the rule system {game.system.name} has no tactics to ask; random plays any")
            known = self._known = (game.board, tactics)
        return known[1]

    def weights(self, standing: Standing) -> Weights:
        """What counts for how much.

        At first a side looks after its strength; in the last turns what scores comes before losses.
        Who is behind dares more, the more so as time runs out.
        """
        played = 100 * standing.turn // standing.turns
        left = standing.turns - standing.turn
        hurry = 100 * max(0, LAST_TURNS - left) // LAST_TURNS
        exposure = 40
        if standing.lead < 0:
            exposure -= played // 5
        elif standing.lead > 0:
            exposure += played // 5
        return Weights(
            objective=40 + 120 * hurry // 100,
            exposure=exposure * self.caution // 100,
            risk=(120 - 40 * hurry // 100) * self.caution // 100,
        )


def leading(candidate: Candidate) -> str:
    """The reason that weighs most."""
    if not candidate.reasons:
        return "nothing-better"
    return max(candidate.reasons, key=lambda reason: abs(reason.value)).code
