"""Fire missions (P2.4): artillery and aircraft are called when an activation's operations begin.

A frame on top of the operations, only in formations that have something to call.
"""

from __future__ import annotations

from typing import NamedTuple

from hexengine.core.dice import Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.frames import Actor
from hexengine.core.orders import Order
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.firing.fire import not_a_target, visible_enemies
from hexengine.systems.platoon.firing.observers import observed, observers
from hexengine.systems.platoon.orders.book import DONE, Done
from hexengine.systems.platoon.orders.support import (
    HIGH_EXPLOSIVE,
    SHELLS,
    SMOKE,
    Mission,
    Strike,
    mission,
    strike,
)
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.support.artillery import fall
from hexengine.systems.platoon.support.strikes import Incoming

STRIKING: Actor = 2
"""The actor of air strikes; 0 and 1 are the shells of missions."""
CLOSING: Actor = -1


def missions_left(pos: PlatoonPosition, formation: int, shell: int) -> int:
    """How many missions of a kind a formation may still call in this game (P12.1)."""
    return pos.support[len(SHELLS) * formation + shell] if pos.support else 0


def strikes_left(pos: PlatoonPosition, side: int) -> int:
    """How many air strikes a side may still call in this game (P13.3)."""
    return pos.support[side - 2] if pos.support else 0


def open_missions(pos: PlatoonPosition, formation: int) -> None:
    """The start of operations: a decision if the formation has something to call."""
    if pos.board.supported >> formation & 1:
        pos.frames.append(Missions(formation, 0))


class Missions(NamedTuple):
    """The formation may call missions and strikes; ``called`` is a mask of hexes that had their mission."""

    formation: int
    called: int

    @property
    def kind(self) -> str:
        """The kind of the decision."""
        return "missions"

    def decider(self, pos: PlatoonPosition) -> int:
        """The active formation's side."""
        return pos.board.formations[self.formation].side

    def hexes(self, pos: PlatoonPosition) -> int:
        """The mask of hexes on which a mission may be called: seen by an observer, and not called on yet."""
        return observed(pos, self.formation, ((1 << pos.board.size) - 1) & ~self.called)

    def targets(self, pos: PlatoonPosition) -> list[int]:
        """The enemy units on the ground at which a strike may be called."""
        side = self.decider(pos)
        if not strikes_left(pos, side) or not observers(pos, self.formation):
            return []
        enemies = visible_enemies(pos, side) & pos.board.counted
        view = observed(pos, self.formation, pos.taken_0 if side else pos.taken_1)
        return [unit for unit in units(enemies) if view >> pos.hex[unit] & 1]

    def actors(self, pos: PlatoonPosition) -> list[Actor]:
        """Each shell that may be called, aircraft, and ``done``."""
        found: list[Actor] = []
        shells = [shell for shell in (HIGH_EXPLOSIVE, SMOKE) if missions_left(pos, self.formation, shell)]
        if shells and self.hexes(pos):
            found += shells
        if self.targets(pos):
            found.append(STRIKING)
        found.append(CLOSING)
        return found

    def orders(self, pos: PlatoonPosition, actor: Actor) -> list[Order]:
        """Missions by hex ascending, strikes by unit, or ``done``."""
        book = pos.board.orders
        if actor == CLOSING:
            return [DONE]
        if actor == STRIKING:
            return [strike(book, unit) for unit in self.targets(pos)]
        hexes = self.hexes(pos)
        return [mission(book, actor, place) for place in range(pos.board.size) if hexes >> place & 1]

    def check(self, pos: PlatoonPosition, order: Order) -> Refusal | None:
        """What may be called; everything else waits until ``done``."""
        if type(order) is Done:
            return None
        if isinstance(order, Mission):
            refusal = self._judge_mission(pos, order)
        elif isinstance(order, Strike):
            refusal = self._judge_strike(pos, order)
        else:
            refusal = Refusal("P2.4", "missions-first", {"order": str(order)})
        return refusal._replace(alternative=self._instead(pos, order)) if refusal is not None else None

    def _judge_mission(self, pos: PlatoonPosition, order: Mission) -> Refusal | None:
        board = pos.board
        facts = {
            "formation": board.formations[self.formation].id,
            "hex": board.labels[order.hex],
            "shell": SHELLS[order.shell],
        }
        if not missions_left(pos, self.formation, order.shell):
            return Refusal("P12.1", "no-missions-left", facts)
        if self.called >> order.hex & 1:
            return Refusal("P2.4", "already-called", facts)
        if not observed(pos, self.formation, 1 << order.hex):
            return Refusal("P12.2", "not-observed", facts)
        return None

    def _judge_strike(self, pos: PlatoonPosition, order: Strike) -> Refusal | None:
        board, target = pos.board, order.target
        side = self.decider(pos)
        facts = {"side": board.sides[side], "target": board.ids[target]}
        if not strikes_left(pos, side):
            return Refusal("P13.3", "no-strikes-left", facts)
        if not visible_enemies(pos, side) >> target & 1:
            return not_a_target(pos, target, side)
        if not board.counted >> target & 1:
            return Refusal("P13.3", "in-the-air", facts)
        if not observed(pos, self.formation, 1 << pos.hex[target]):
            name = board.formations[self.formation].id
            return Refusal("P12.2", "not-observed", {"formation": name, "hex": board.labels[pos.hex[target]]})
        return None

    def _instead(self, pos: PlatoonPosition, order: Order) -> Order:
        """The mission of the same shell that is nearest to the hex asked for, any strike, or ``done``."""
        actor = (
            order.shell if isinstance(order, Mission) else STRIKING if isinstance(order, Strike) else CLOSING
        )
        if actor == CLOSING or actor not in self.actors(pos):
            return DONE
        legal = self.orders(pos, actor)
        if isinstance(order, Mission):
            distances = pos.board.grid.distances(order.hex)
            return min(legal, key=lambda one: distances[one.hex])  # type: ignore[attr-defined]
        return legal[0]

    def play(self, pos: PlatoonPosition, order: Order, dice: Dice, emit: Emit) -> None:
        """Call a mission or a strike, or go on to operations."""
        if isinstance(order, Mission):
            self._shell(pos, order, dice, emit)
        elif isinstance(order, Strike):
            self._send(pos, order, emit)
        else:
            pos.frames.pop()

    def _shell(self, pos: PlatoonPosition, order: Mission, dice: Dice, emit: Emit) -> None:
        board = pos.board
        pos.support[len(SHELLS) * self.formation + order.shell] -= 1
        pos.frames[-1] = self._replace(called=self.called | 1 << order.hex)
        if emit:
            facts = {
                "formation": board.formations[self.formation].id,
                "shell": SHELLS[order.shell],
                "hex": board.labels[order.hex],
            }
            emit(Event("P2.4", "mission", facts))
        fall(pos, order.shell, order.hex, dice, emit)

    def _send(self, pos: PlatoonPosition, order: Strike, emit: Emit) -> None:
        board, side = pos.board, self.decider(pos)
        pos.support[side - 2] -= 1
        if emit:
            facts = {
                "formation": board.formations[self.formation].id,
                "target": board.ids[order.target],
                "hex": board.labels[pos.hex[order.target]],
            }
            emit(Event("P13.3", "strike", facts))
        pos.frames.append(Incoming(1 - side, order.target))

    def advance(self, pos: PlatoonPosition, dice: Dice, emit: Emit) -> bool:
        """Nothing that could be called, or nobody who could observe for it: on to operations."""
        if len(self.actors(pos)) > 1:
            return False
        pos.frames.pop()
        return True
