"""What a rule-based player asks of the company system; see hexengine.core.tactics.

``tactics.view``: what ground and shots are worth to a side.  ``tactics.barred``: why hexes are out of reach.
``tactics.plans``: the orders worth a thought in each kind of decision.  Teams in
ambush and reserves of the enemy are never looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hexengine.core.errors import Refusal
from hexengine.core.tactics import Candidate, ReachLook, Reason, Route, StepRisk, Weights
from hexengine.mechanics.tactics import BoardTactics, best_legal
from hexengine.systems.company.board import Board
from hexengine.systems.company.moving.reach import Walker
from hexengine.systems.company.orders import Move
from hexengine.systems.company.position import CompanyPosition
from hexengine.systems.company.tactics import close, plans
from hexengine.systems.company.tactics.barred import MODES, MOVE, costs_of, explain, refuse_all
from hexengine.systems.company.tactics.view import Tables, View
from hexengine.systems.company.victory import score

PLANS: dict[str, Any] = {
    "movement": plans.movement,
    "shooting": plans.shooting,
    "hits": plans.hits,
    "ambush": plans.ambush,
    "assault": close.assault,
    "charge": close.charge,
    "defensive-fire": close.defence,
    "answer": close.answer,
    "break-off": close.flight,
    "consolidation": close.consolidation,
    "positions": close.positions,
}


class CompanyTactics(BoardTactics[Tables]):
    """The questions of hexengine.core.tactics.Tactics, for one board."""

    board: Board

    def __init__(self, board: Board) -> None:
        super().__init__(board, Tables, score)

    # -- facts ----------------------------------------------------------------------------------

    def reach(self, pos: CompanyPosition, units: Sequence[int]) -> dict[int, int]:
        """Where a team may move and stay: half MP by hex; teams move one by one, so nothing for several."""
        if len(units) != 1 or refuse_all(pos, units[0], MOVE) is not None:
            return {}
        return costs_of(Walker(pos, units[0]))

    def route(self, pos: CompanyPosition, units: Sequence[int], goal: int) -> Route | None:
        """The way of a team to a hex: one order for all of it; nobody shoots at a team on the move."""
        reach = self.reach(pos, units)
        if goal not in reach:
            return None
        walker = Walker(pos, units[0])
        path = walker.path(goal) if goal != walker.start else []
        orders = (self.board.orders.once(Move, units[0], goal),) if path else ()
        risk = tuple([StepRisk(self.board.labels[place], (), 0.0, 0.0) for place in path])
        return Route(orders, (walker.start, *path), reach[goal], risk)

    def modes(self, pos: CompanyPosition) -> Sequence[str]:
        """An ordinary move, and the double."""
        return MODES

    def explain(self, pos: CompanyPosition, units: Sequence[int], mode: str) -> ReachLook:
        """Where a team may go in a mode, and why not elsewhere; teams move one by one."""
        if len(units) != 1:
            names = ", ".join(self.board.ids[unit] for unit in units)
            return ReachLook({}, {}, Refusal("C1.5", "one-by-one", {"units": names}))
        return explain(pos, units[0], mode)

    # -- judgement ------------------------------------------------------------------------------

    def candidates(self, pos: CompanyPosition, weights: Weights, explain: bool = False) -> list[Candidate]:
        """Legal orders worth a thought, the best first; never empty while somebody must decide."""
        frame: Any = pos.frames[-1]
        view = View(self.tables(), pos, frame.decider(pos), weights)
        found: list[Candidate] = PLANS[frame.kind](view, frame)
        legal = best_legal(pos, frame, found, explain)
        known = {candidate.order.verb for candidate in legal}
        rest: list[Candidate] = []
        if explain or not legal:
            for actor in frame.actors(pos):
                for order in frame.orders(pos, actor):
                    if order.verb not in known or not legal:
                        known.add(order.verb)
                        rest.append(Candidate(order, -1000.0, (Reason("not-worth-it", -1000),)))
        return legal + rest
