"""What the tactics of systems have in common that weigh one decision at a time: see core.tactics.Tactics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from hexengine.core.frames import Frame
from hexengine.core.orders import Order
from hexengine.core.tactics import Candidate, Standing

OfBoard = TypeVar("OfBoard")


class BoardTactics(Generic[OfBoard]):
    """Base of a system's tactics for one board.

    ``make`` works out from the board what does not change in a game; ``score`` gives the points of both
    sides in a position.
    """

    def __init__(
        self, board: Any, make: Callable[[Any], OfBoard], score: Callable[[Any], tuple[int, int]]
    ) -> None:
        self.board = board
        self._make = make
        self._score = score
        self._tables: OfBoard | None = None

    def tables(self) -> OfBoard:
        """What does not change in a game, worked out when it is first needed."""
        if self._tables is None:
            self._tables = self._make(self.board)
        return self._tables

    def standing(self, pos: Any) -> Standing:
        """How the side that decides stands."""
        first, second = self._score(pos)
        side = pos.frames[-1].decider(pos) if pos.frames else 0
        return Standing(second - first if side else first - second, pos.turn, self.board.turns)

    def forced(self, pos: Any) -> Order | None:
        """Nothing is plain without a look."""
        return None


def best_legal(pos: Any, frame: Frame, found: list[Candidate], every: bool) -> list[Candidate]:
    """Of what was weighed the legal orders, the best first: ``every`` one, or no more than the best."""
    found.sort(key=lambda candidate: -candidate.score)
    if every:
        return [candidate for candidate in found if frame.check(pos, candidate.order) is None]
    for candidate in found:
        if frame.check(pos, candidate.order) is None:
            return [candidate]
    return []
