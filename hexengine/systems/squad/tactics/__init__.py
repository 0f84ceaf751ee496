"""What a rule-based player asks of the squad system; see hexengine.core.tactics.

``tactics.reach``: where units may go; ``tactics.barred``: why not elsewhere.
``tactics.chances``: what attacks may do. ``tactics.view``: what a side sees, and what places are worth to
it. ``tactics.plans``: the candidates of a decision. Hidden units, unknown mines and event markers of the
enemy are never looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hexengine.core.tactics import Candidate, ReachLook, Route, StepRisk, Weights
from hexengine.mechanics.masks import lowest, mask_of, units
from hexengine.mechanics.tactics import BoardTactics, best_legal
from hexengine.mechanics.victory import DRAW, ONGOING
from hexengine.systems.squad.board import Board
from hexengine.systems.squad.firing.reaction import Reaction
from hexengine.systems.squad.impulse import Impulse
from hexengine.systems.squad.melee import Round
from hexengine.systems.squad.moving.movement import Group
from hexengine.systems.squad.orders import NORMAL
from hexengine.systems.squad.position import SquadPosition
from hexengine.systems.squad.rally import RallyPhase
from hexengine.systems.squad.tactics import plans
from hexengine.systems.squad.tactics.barred import NAMES, PLAIN, explain, mode_now, on_the_move, refuse_all
from hexengine.systems.squad.tactics.chances import bands
from hexengine.systems.squad.tactics.reach import search
from hexengine.systems.squad.tactics.view import Tables, View
from hexengine.systems.squad.victory import score

PLANS: dict[type[Any], Any] = {
    Impulse: plans.impulse,
    Group: plans.group,
    Reaction: plans.reaction,
    Round: plans.melee,
    RallyPhase: plans.rally,
}
EVEN = Weights()
VICTORY = 100_000
"""A game that is won, in hundredths of a point."""


class SquadTactics(BoardTactics[Tables]):
    """The questions of hexengine.core.tactics.Tactics, for one board."""

    board: Board

    def __init__(self, board: Board) -> None:
        super().__init__(board, Tables, score)

    # -- facts ----------------------------------------------------------------------------------

    def reach(self, pos: SquadPosition, units: Sequence[int]) -> dict[int, int]:
        """Where units that stand together may go together and stay: half MP by hex."""
        mask = mask_of(units)
        mode = mode_now(pos, mask)
        if refuse_all(pos, mask, mode) is not None:
            return {}
        return search(pos, mask, mode).ends(pos, self.board.side[units[0]])

    def route(self, pos: SquadPosition, units: Sequence[int], goal: int) -> Route | None:
        """The cheapest way of units that stand together to a hex, with what opportunity fire may do."""
        return self._route(pos, mask_of(units), goal, mode_now(pos, mask_of(units)))

    def route_in(self, pos: SquadPosition, units: Sequence[int], goal: int, mode: str) -> Route | None:
        """The same in a way of moving; units on the move go on as they began."""
        if mode == PLAIN:
            return self.route(pos, units, goal)
        return self._route(pos, mask_of(units), goal, NAMES[mode])

    def _route(self, pos: SquadPosition, mask: int, goal: int, mode: int) -> Route | None:
        if not mask or refuse_all(pos, mask, mode) is not None:
            return None
        ways, side = search(pos, mask, mode), self.board.side[lowest(mask)]
        if goal not in ways.ends(pos, side):
            return None
        places = ways.places(goal)
        # How a group moves is said with its first step.
        said = NORMAL if on_the_move(pos, mask) else mode
        orders = [self.board.orders.move(mask, place) for place in places[1:]]
        orders[:1] = [self.board.orders.move(mask, place, said) for place in places[1:2]]
        hexes = tuple([self.board.places.hex_of[place] for place in places])
        view = View(self.tables(), pos, side, EVEN)
        risk = tuple([_risk(view, mask, place) for place in places[1:]])
        return Route(tuple(orders), hexes, ways.costs[goal], risk)

    def modes(self, pos: SquadPosition) -> Sequence[str]:
        """Plain moves, assault moves, double time, low crawl, stealth."""
        return list(NAMES)

    def explain(self, pos: SquadPosition, units: Sequence[int], mode: str) -> ReachLook:
        """Where units that stand together may go in a mode, and why not elsewhere."""
        return explain(pos, units, mode)

    def value(self, pos: SquadPosition, side: int) -> int:
        """How a position stands for a side: points, and the worth of who is left, Shaken ones for less."""
        if pos.winner != ONGOING:
            return 0 if pos.winner == DRAW else VICTORY if pos.winner == side else -VICTORY
        worth = self.tables().worth
        totals = [100.0 * points for points in score(pos)]
        for unit in units(pos.placed & self.board.units):
            part = 0.7 if pos.shaken >> unit & 1 else 1.0
            totals[self.board.side[unit]] += part * worth[unit][pos.steps[unit]]
        return round(totals[side] - totals[1 - side])

    def chapter(self, pos: SquadPosition) -> object:
        """One impulse, or one side's part of a Rally Phase."""
        return pos.turn, tuple(pos.frames[0]) if pos.frames else ()

    # -- judgement ------------------------------------------------------------------------------

    def candidates(self, pos: SquadPosition, weights: Weights, explain: bool = False) -> list[Candidate]:
        """Legal orders worth a thought, the best first; never empty while somebody must decide."""
        frame: Any = pos.frames[-1]
        view = View(self.tables(), pos, frame.decider(pos), weights)
        found: list[Candidate] = PLANS[type(frame)](view, frame)
        legal = best_legal(pos, frame, found, explain)
        if legal:
            return legal
        return [Candidate(order, 0.0) for actor in frame.actors(pos) for order in frame.orders(pos, actor)]


def _risk(view: View, mask: int, place: int) -> StepRisk:
    """What opportunity fire may do to units that come into a place."""
    pos, board = view.pos, view.board
    shooters: list[str] = []
    unhurt = whole = 1.0
    for threat in view.threats:
        base = view.base(threat, place, True)
        if base <= -5 or threat.share < 1:
            continue
        shooters += [board.ids[unit] for unit in units(threat.mask & ~pos.fired)]
        for unit in units(mask):
            hit = bands(base, board.morale[unit][pos.steps[unit]], 0)
            unhurt *= 1 - sum(hit)
            whole *= 1 - hit[2]
    return StepRisk(board.labels[board.places.hex_of[place]], tuple(shooters), 1 - unhurt, 1 - whole)
