"""Opportunity fire (P8): an interrupt at every hex that a moving unit enters, and nowhere else (P8.6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from hexengine.core.dice import Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.frames import Actor
from hexengine.core.orders import Order
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.firing.fire import attack, check_shot, shots
from hexengine.systems.platoon.orders.book import PASS, Fire, Pass
from hexengine.systems.platoon.position import PlatoonPosition

PASSING: Actor = -1


def eligible(pos: PlatoonPosition, side: int) -> int:
    """The units of a side that may make an opportunity shot (P8.2): also those Out of Command.

    How often in a turn follows from Ops Complete alone (P8.7).
    """
    return pos.placed & pos.board.shooters[side] & ~(pos.ops | pos.disrupted | pos.carried | pos.landed)


def standing_in(pos: PlatoonPosition, mask: int, place: int) -> int:
    """Those units of a mask that are in a hex: whoever mines or fire sent back is no target there (P8.3)."""
    where = pos.hex
    for unit in units(mask):
        if where[unit] != place:
            mask &= ~(1 << unit)
    return mask


def watched(pos: PlatoonPosition, side: int, targets: int, place: int) -> bool:
    """Whether any unit of a side has a legal opportunity shot at units that entered a hex."""
    board = pos.board
    view = -1 if board.air else board.sight.in_view(place, pos.taken_1 if side else pos.taken_0)
    return bool(view) and watched_from(pos, side, targets, place, view)


def watched_from(pos: PlatoonPosition, side: int, targets: int, place: int, view: int) -> bool:
    """The same where a mask of hexes holds all that are in view of that hex and held by the side; -1: all."""
    board = pos.board
    distances = board.grid.distances(place)
    reach, where = board.reach, pos.hex
    found: list[Order] = []
    for unit in units(eligible(pos, side)):
        from_where = where[unit]
        if view >> from_where & 1 and distances[from_where] <= reach[unit]:
            shots(pos, unit, targets, pos.led_reaction, found)
            if found:
                return True
    return False


def not_eligible(pos: PlatoonPosition, side: int, unit: int) -> Refusal:
    """Why a unit may not make an opportunity shot of a side (P8.2)."""
    board = pos.board
    bit, facts = 1 << unit, {"unit": board.ids[unit]}
    code = "not-yours"
    if board.side[unit] == side:
        if not board.fighters & bit:
            code = "hq-fire" if board.hqs & bit else "weapon-fire"
        elif not pos.placed & bit:
            code = "off-map"
        elif pos.carried & bit:
            code = "carried"
        elif pos.ops & bit:
            code = "ops-complete-reaction"
        elif pos.landed & bit:
            return Refusal("P13.1", "landed", facts)
        else:
            code = "disrupted-fire"
    return Refusal("P8.2", code, facts)


class Reaction(NamedTuple):
    """One side's window at one hex: whom it may still shoot at."""

    side: int
    hex: int
    entered: int
    """The units that entered the hex."""
    left: int
    """Those of them that were not yet shot at here (P8.4)."""

    @property
    def kind(self) -> str:
        """The kind of the decision."""
        return "reaction"

    def decider(self, pos: PlatoonPosition) -> int:
        """The side that does not move."""
        return self.side

    def _targets(self, pos: PlatoonPosition) -> int:
        return standing_in(pos, self.left & pos.placed & ~pos.carried, self.hex)

    def actors(self, pos: PlatoonPosition) -> list[Actor]:
        """Units with a legal shot, then passing."""
        return [*[unit for unit, _ in self._all_shots(pos)], PASSING]

    def _all_shots(self, pos: PlatoonPosition) -> list[tuple[int, list[Order]]]:
        """The units that have a legal shot, each with its shots."""
        targets = self._targets(pos)
        reach, where = pos.board.reach, pos.hex
        distances = pos.board.grid.distances(self.hex)
        every: list[tuple[int, list[Order]]] = []
        for unit in units(eligible(pos, self.side)):
            if distances[where[unit]] <= reach[unit]:
                found = self._shots(pos, unit, targets)
                if found:
                    every.append((unit, found))
        return every

    def every(self, pos: PlatoonPosition) -> list[Order]:
        """The shots of all units, and ``pass``."""
        every: list[Order] = []
        for _, found in self._all_shots(pos):
            every += found
        every.append(PASS)
        return every

    def sample(self, pos: PlatoonPosition, below: Callable[[int], int]) -> Order:
        """A shot of one of the units, or ``pass``."""
        every = self._all_shots(pos)
        at = below(len(every) + 1)
        if at == len(every):
            return PASS
        found = every[at][1]
        return found[below(len(found))]

    def _shots(self, pos: PlatoonPosition, unit: int, targets: int) -> list[Order]:
        found: list[Order] = []
        shots(pos, unit, targets, pos.led_reaction, found)
        return found

    def orders(self, pos: PlatoonPosition, actor: Actor) -> list[Order]:
        """The shots of one unit, or ``pass``."""
        return [PASS] if actor == PASSING else self._shots(pos, actor, self._targets(pos))

    def check(self, pos: PlatoonPosition, order: Order) -> Refusal | None:
        """Only shots at units that just entered, and ``pass`` (P8)."""
        if type(order) is Pass:
            return None
        refusal = self._judge(pos, order)
        if refusal is None:
            return None
        return refusal._replace(alternative=self._instead(pos, order))

    def _judge(self, pos: PlatoonPosition, order: Order) -> Refusal | None:
        if not isinstance(order, Fire):
            return Refusal("P8.5", "reaction-open", {"hex": pos.board.labels[self.hex]})
        if not eligible(pos, self.side) >> order.firer & 1:
            return not_eligible(pos, self.side, order.firer)
        if not self._targets(pos) >> order.target & 1:
            return self._not_a_target(pos, order.target)
        return check_shot(pos, order, self.side, pos.led_reaction)

    def _instead(self, pos: PlatoonPosition, order: Order) -> Order:
        """A legal shot in place of a refused one: by the same unit, else at the same target, else any;
        ``pass`` where a shot was not meant."""
        if not isinstance(order, Fire):
            return PASS
        legal = [shot for actor in self.actors(pos) for shot in self.orders(pos, actor) if type(shot) is Fire]
        mine = [shot for shot in legal if shot.firer == order.firer]
        same = mine or [shot for shot in legal if shot.target == order.target] or legal
        return same[0] if same else PASS

    def _not_a_target(self, pos: PlatoonPosition, unit: int) -> Refusal:
        board = pos.board
        facts = {"target": board.ids[unit], "hex": board.labels[self.hex]}
        if self.entered >> unit & 1:
            return Refusal("P8.4", "already-shot-at", facts)
        return Refusal("P8.1", "did-not-enter", facts)

    def play(self, pos: PlatoonPosition, order: Order, dice: Dice, emit: Emit) -> None:
        """One shot, which costs Ops Complete at once (P8.3), or the end of the window."""
        if type(order) is Pass:
            pos.frames.pop()
            if emit:
                emit(Event("P8.5", "pass", {"side": pos.board.sides[self.side],
                                            "hex": pos.board.labels[self.hex]}))  # fmt: skip
            return
        assert isinstance(order, Fire)
        board = pos.board
        target = order.target
        pos.frames[-1] = self._replace(left=self.left & ~(1 << target))
        if emit:
            emit(Event("P8.3", "opportunity-fire", {"unit": board.ids[order.firer],
                                                    "target": board.ids[target]}))  # fmt: skip
        if order.lead:
            pos.led_reaction |= 1 << board.formations[board.formation[order.firer]].hq
        riders = 0
        for rider in pos.passengers(target):
            riders |= 1 << rider
        hit = attack(pos, order, dice, emit)
        pos.ops |= 1 << order.firer
        if hit:
            self._stop(pos, target, riders, emit)

    def _stop(self, pos: PlatoonPosition, target: int, riders: int, emit: Emit) -> None:
        """P4.6: a unit that is hit while it moves stops; others of its group may go on.

        So do passengers whose carrier is lost; over the limit, they go back where it came from (P5.13).
        """
        stopped = (1 << target | riders) & pos.placed
        pos.finished |= stopped & ~pos.carried
        pos.fired |= stopped & ~pos.carried
        if emit and pos.placed >> target & 1:
            emit(Event("P4.6", "stopped", {"unit": pos.board.ids[target],
                                           "hex": pos.board.labels[pos.hex[target]]}))  # fmt: skip
        pos.frames[-2].halt(pos, stopped, emit)  # type: ignore[attr-defined]

    def advance(self, pos: PlatoonPosition, dice: Dice, emit: Emit) -> bool:
        """The window closes when no legal shot is left."""
        targets = self._targets(pos)
        if targets and watched(pos, self.side, targets, self.hex):
            return False
        pos.frames.pop()
        return True
