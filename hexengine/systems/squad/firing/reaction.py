"""Opportunity fire (S9): a window for the other side at each step that it sees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from hexengine.core.dice import Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.frames import Actor
from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest, units
from hexengine.systems.squad import victory
from hexengine.systems.squad.firing.fire import (
    check_fire,
    fire,
    group_fires,
    reaching,
    ready,
    refuse_unit,
    together,
)
from hexengine.systems.squad.orders import PASS, Fire, Pass
from hexengine.systems.squad.position import SquadPosition
from hexengine.systems.squad.sight.spotting import spots

PASSING: Actor = -1


def watchers(pos: SquadPosition, side: int, place: int, shot: int) -> list[tuple[int, int]]:
    """The places from which a side can fire at units in a spotted place, each with its units that can (S9.2).

    ``shot`` are the places that have fired in this window.
    """
    return list(_watching(pos, side, place, shot))


def watched(pos: SquadPosition, side: int, place: int, shot: int) -> bool:
    """Whether the place is spotted (S9.3) and :func:`watchers` would give anything, answered early."""
    if pos.melee >> place & 1:
        return False
    return next(_watching(pos, side, place, shot), None) is not None and spots(pos, side, place)


def _watching(pos: SquadPosition, side: int, place: int, shot: int) -> Iterator[tuple[int, int]]:
    """What :func:`watchers` lists, one by one."""
    able = ready(pos, side, True)
    if not able:
        return
    places, stacks = pos.board.places, pos.stacks
    base, hexes = side * places.count, places.hex_of
    distances = places.grid.distances(hexes[place])
    for where in units(_views(pos, side, place, shot)):
        here = able & stacks[base + where]
        if here:
            here = reaching(pos, here, where, place, distances[hexes[where]])
            if here:
                yield where, here


def _views(pos: SquadPosition, side: int, place: int, shot: int) -> int:
    """The places of a side that see a place and have not fired in this window."""
    mine = (pos.taken_1 if side else pos.taken_0) & ~shot
    return pos.board.sight.in_view(place, mine, pos.smoke_1 | pos.smoke_2)


class Reaction(NamedTuple):
    """A side's window at one step; ``shot`` are the places that have fired in it (S9.5)."""

    side: int
    place: int
    entered: int
    shot: int

    @property
    def kind(self) -> str:
        """The kind of the decision."""
        return "reaction"

    def decider(self, pos: SquadPosition) -> int:
        """The side that does not move."""
        return self.side

    def actors(self, pos: SquadPosition) -> list[Actor]:
        """Each group that can fire together, then passing."""
        found: list[Actor] = []
        for _, here in watchers(pos, self.side, self.place, self.shot):
            found += together(pos, here, self.place)
        found.append(PASSING)
        return found

    def orders(self, pos: SquadPosition, actor: Actor) -> list[Order]:
        """The fire of one group at the place, or ``pass``."""
        if actor == PASSING:
            return [PASS]
        found: list[Order] = []
        group_fires(pos, actor, 1 << self.place, found)
        return found

    def sample(self, pos: SquadPosition, below: Callable[[int], int]) -> Order:
        """One order of one group, each group as likely."""
        actors = self.actors(pos)
        orders = self.orders(pos, actors[below(len(actors))])
        return orders[below(len(orders))]

    def check(self, pos: SquadPosition, order: Order) -> Refusal | None:
        """Only fire at the place that was entered, and ``pass``."""
        if type(order) is Pass:
            return None
        refusal = self._judge(pos, order)
        if refusal is None:
            return None
        actors = self.actors(pos) if isinstance(order, Fire) else [PASSING]
        return refusal._replace(alternative=self.orders(pos, actors[0])[0])

    def _judge(self, pos: SquadPosition, order: Order) -> Refusal | None:
        facts = {"hex": pos.board.labels[self.place]}
        if not isinstance(order, Fire):
            return Refusal("S9.1", "reaction-open", facts)
        wrong = order.units & ~ready(pos, self.side, True)
        if wrong:
            return refuse_unit(pos, self.side, lowest(wrong), True)
        if order.place != self.place:
            return Refusal("S9.1", "not-the-mover", facts)
        if self.shot >> pos.place[lowest(order.units)] & 1:
            return Refusal("S9.5", "fired-in-window", facts)
        # The window is open because the place is spotted.
        return check_fire(pos, order, 1 << self.place)

    def play(self, pos: SquadPosition, order: Order, dice: Dice, emit: Emit) -> None:
        """One attack, which uses the firers up (S9.4), or the end of the window."""
        if type(order) is Pass:
            pos.frames.pop()
            if emit:
                facts = {"side": pos.board.sides[self.side], "hex": pos.board.labels[self.place]}
                emit(Event("S9.1", "pass", facts))
            return
        assert isinstance(order, Fire)
        shot = self.shot | 1 << pos.place[lowest(order.units)]
        pos.frames[-1] = Reaction(self.side, self.place, self.entered, shot)
        fire(pos, order, True, dice, emit)

    def advance(self, pos: SquadPosition, dice: Dice, emit: Emit) -> bool:
        """The window closes when nobody who entered is left, or nobody can fire."""
        if victory.over(pos, emit):
            return True
        if self.entered & pos.placed and watched(pos, self.side, self.place, self.shot):
            return False
        pos.frames.pop()
        return True
