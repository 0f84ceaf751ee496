"""What a rule-based player asks of the platoon system; see hexengine.core.tactics.

``tactics.reach``: where units may go; ``tactics.barred``: why not elsewhere.
``tactics.odds``: what shots may do.  ``tactics.worth``,
``tactics.rows``, ``tactics.foe``: what fire is expected to bring, hex by hex.  ``tactics.goals``:
objectives and who sees to them.  ``tactics.view``, ``tactics.moves``, ``tactics.fire``,
``tactics.acts``, ``tactics.support``: the candidates of a decision.  ``tactics.course``: what may be
gone on with at the next decision without weighing it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hexengine.core.orders import Order
from hexengine.core.tactics import Candidate, ReachLook, Route, Standing, Weights
from hexengine.mechanics.masks import mask_of, reader
from hexengine.systems.platoon.board import Board
from hexengine.systems.platoon.cup import Cup
from hexengine.systems.platoon.fieldworks.mines import Laying
from hexengine.systems.platoon.firing.reaction import Reaction
from hexengine.systems.platoon.operations import Group, Operations
from hexengine.systems.platoon.orders.book import DRAW, Fire
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.support.missions import Missions
from hexengine.systems.platoon.support.strikes import Incoming
from hexengine.systems.platoon.tactics.acts import Acts
from hexengine.systems.platoon.tactics.barred import MOVE, explain
from hexengine.systems.platoon.tactics.course import Course, going_on, set_out
from hexengine.systems.platoon.tactics.fire import reactions
from hexengine.systems.platoon.tactics.odds import Chances, shot_chances, way_risk
from hexengine.systems.platoon.tactics.reach import search
from hexengine.systems.platoon.tactics.support import Calls, interceptions
from hexengine.systems.platoon.tactics.value import value
from hexengine.systems.platoon.tactics.view import Tables, View
from hexengine.systems.platoon.tactics.works import laying
from hexengine.systems.platoon.victory import score

GROUNDS_KEPT = 8
"""Arrangements of improved positions and mines whose tables are kept."""


class PlatoonTactics:
    """The questions of hexengine.core.tactics.Tactics, for one board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._tables: Tables | None = None
        self._grounds: dict[tuple[int, int], Tables] = {}
        self._owners: tuple[int, ...] = ()
        self._steps: list[int] = []
        self._time = (-1, 0)
        self._points: list[int] = []
        self._lead = 0
        self._owners_of = reader(sorted({place for goal in board.goals for place in goal.hexes}))

    # -- facts ----------------------------------------------------------------------------------

    def reach(self, pos: PlatoonPosition, units: Sequence[int]) -> dict[int, int]:
        """Where units that stand together may go together and stay: half MP by hex."""
        return dict(search(pos, units).costs)

    def route(self, pos: PlatoonPosition, units: Sequence[int], goal: int) -> Route | None:
        """The cheapest way of units that stand together to a hex, with what opportunity fire may do."""
        ways = search(pos, units)
        if goal not in ways.costs:
            return None
        hexes = ways.hexes(goal)
        mine = mask_of(units)
        orders = tuple([self.board.orders.move(mine, place) for place in hexes[1:]])
        return Route(orders, tuple(hexes), ways.costs[goal], way_risk(pos, units, hexes))

    def modes(self, pos: PlatoonPosition) -> Sequence[str]:
        """There is one way of moving."""
        return (MOVE,)

    def explain(self, pos: PlatoonPosition, units: Sequence[int], mode: str) -> ReachLook:
        """Where units that stand together may go together, and why not elsewhere."""
        return explain(pos, units)

    def chances(self, pos: PlatoonPosition, order: Fire) -> Chances:
        """The exact chances of a legal shot for its target."""
        return shot_chances(pos, order)

    def standing(self, pos: PlatoonPosition) -> Standing:
        """How the side that decides stands."""
        owners = self._owners_of(pos.control)
        if (
            owners != self._owners
            or pos.steps != self._steps
            or (pos.turn, pos.gone) != self._time
            or pos.points != self._points
        ):
            self._owners, self._steps, self._time, self._points = (
                owners,
                list(pos.steps),
                (pos.turn, pos.gone),
                list(pos.points),
            )
            points = score(pos)
            self._lead = points[0] - points[1]
        side = pos.frames[-1].decider(pos) if pos.frames else 0
        return Standing(-self._lead if side else self._lead, pos.turn, self.board.turns)

    def forced(self, pos: PlatoonPosition) -> Order | None:
        """The order that is the only one there can be, where that is plain without a search."""
        return DRAW if isinstance(pos.frames[-1], Cup) else None

    def chapter(self, pos: PlatoonPosition) -> object:
        """The activation that a position is in: the formation, and which draw of the turn it was."""
        return pos.turn, pos.active, tuple(pos.drawn)

    def _tables_for(self, pos: PlatoonPosition) -> Tables:
        """The tables for the ground as it is now; some are kept, for whoever looks ahead."""
        key = (pos.positions, pos.mines)
        found = self._grounds.get(key)
        if found is None:
            if len(self._grounds) == GROUNDS_KEPT:
                del self._grounds[next(iter(self._grounds))]
            found = self._grounds[key] = Tables(self.board, *key)
        return found

    # -- judgement ------------------------------------------------------------------------------

    def value(self, pos: PlatoonPosition, side: int) -> int:
        """How a position stands for a side, in hundredths of a point."""
        return value(self._tables or self._tables_for(pos), pos, side)

    def candidates(self, pos: PlatoonPosition, weights: Weights, explain: bool = False) -> list[Candidate]:
        """Legal orders worth a thought, the best first; never empty while somebody must decide."""
        frame: Any = pos.frames[-1]
        if isinstance(frame, Cup):
            return [Candidate(DRAW, 0.0)]
        tables = self._tables
        if tables is None or tables.positions != pos.positions or tables.mines != pos.mines:
            tables = self._tables = self._tables_for(pos)
        if isinstance(frame, Laying):
            found = laying(tables, pos, frame, explain)
        elif isinstance(frame, Reaction):
            found = reactions(tables, pos, frame, weights, explain)
        elif isinstance(frame, Incoming):
            found = interceptions(tables, pos, frame, explain)
        elif isinstance(frame, Missions):
            found = Calls(View(tables, pos, frame.decider(pos), weights), frame).candidates()
        else:
            return _to_act(View(tables, pos, frame.decider(pos), weights), frame, explain)
        return _legal(pos, frame, found)

    def going_on(self, pos: PlatoonPosition, course: Course) -> Order | None:
        """The next order of a group that has set out on a way; None if it is time to think again."""
        return going_on(pos, course)


def _to_act(view: View, frame: Operations | Group, explain: bool) -> list[Candidate]:
    """The candidates of who acts, or of a group on the move; the best one with the course that it begins."""
    pos = view.pos
    acts = Acts(view, frame, explain)
    found = acts.candidates()
    if explain:
        found = _legal(pos, frame, found)
    elif frame.check(pos, found[0].order) is None:
        del found[1:]
    else:
        acts = Acts(view, frame, True)
        found = _legal(pos, frame, acts.candidates())
    best = found[0]
    for order, way in acts.ways:
        if order is best.order:
            found[0] = best._replace(course=set_out(pos, frame.formation, order, way))
    return found


def _legal(pos: PlatoonPosition, frame: Any, found: list[Candidate]) -> list[Candidate]:
    """Those of the candidates that are legal; all legal orders if none is."""
    # A hex over the limit must be left, whatever that costs.
    return [candidate for candidate in found if frame.check(pos, candidate.order) is None] or [
        Candidate(order, 0.0) for actor in frame.actors(pos) for order in frame.orders(pos, actor)
    ]
