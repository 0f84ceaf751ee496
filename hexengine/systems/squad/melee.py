"""Melee (S12): rounds in a place that both sides are in."""

from __future__ import annotations

from typing import NamedTuple

from hexengine.core.dice import COMBAT, Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.frames import Actor
from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest, units
from hexengine.systems.squad import victory
from hexengine.systems.squad.firing.damage import best_lm, eliminate
from hexengine.systems.squad.firing.fire import subsets
from hexengine.systems.squad.orders import Strike
from hexengine.systems.squad.position import SquadPosition

KILLS = {(1, 4): 11, (1, 3): 10, (1, 2): 9, (1, 1): 8, (2, 1): 6, (3, 1): 5, (4, 1): 4, (5, 1): 3}
"""By odds, the sum of two dice that kills (S12.3)."""


def firepower(pos: SquadPosition, unit: int) -> int:
    """A unit's firepower in melee: Shaken at half, with what it carries; AM costs nothing (S11.6, S12.5)."""
    board = pos.board
    fp = 0 if board.guns >> unit & 1 else board.fp[unit][pos.steps[unit]]
    if pos.shaken >> unit & 1:
        fp = (fp + 1) // 2
    weapon = pos.weapon(unit)
    return fp + (board.fp[weapon][1] if weapon >= 0 and not board.guns >> weapon & 1 else 0)


def odds_of(own: int, target: int) -> tuple[int, int]:
    """Odds in favour of the target (3:2 is 1-1, 2:3 is 1-2); (0, 0) below 1-4: no strike (S12.3)."""
    if own >= target:
        return min(5, own // target), 1
    against = -(-target // own) if own else 5
    return (1, against) if against <= 4 else (0, 0)


def strength(pos: SquadPosition, mask: int) -> int:
    """What a side's units strike with."""
    return sum([firepower(pos, unit) for unit in units(mask)])


def resistance(pos: SquadPosition, mask: int) -> int:
    """What units are worth as a target: those without firepower count 1 (S12.4), armour is added."""
    worth = sum([max(1, firepower(pos, unit)) for unit in units(mask)])
    armour = [pos.board.armour[unit] for unit in units(mask & pos.board.vehicles)]
    return worth + sum([data.lowest for data in armour if data is not None])


def need(pos: SquadPosition, side: int, place: int, targets: int) -> int:
    """The sum of two dice, its LM counted, that kills a target group; 0 where no strike is possible."""
    odds = odds_of(strength(pos, pos.at(place, side)), resistance(pos, targets))
    return KILLS[odds] - best_lm(pos, side, place) if odds[0] else 0


class Round(NamedTuple):
    """One side's strike in a round; ``strike`` counts from 0, ``ambush`` says that the first one takes effect
    at once."""

    side: int
    place: int
    strike: int
    ambush: int

    @property
    def kind(self) -> str:
        """The kind of the decision."""
        return "melee"

    def decider(self, pos: SquadPosition) -> int:
        """The side that strikes."""
        return self.side

    def actors(self, pos: SquadPosition) -> list[Actor]:
        """One: the side's units there."""
        return [0]

    def orders(self, pos: SquadPosition, actor: Actor) -> list[Order]:
        """A strike at each group of enemy units that odds allow."""
        once = pos.board.orders.once
        enemies = pos.at(self.place, 1 - self.side)
        return [once(Strike, mask) for mask in subsets(enemies) if need(pos, self.side, self.place, mask)]

    def check(self, pos: SquadPosition, order: Order) -> Refusal | None:
        """Only strikes at enemies in the place, at 1-4 at least (S12.3)."""
        refusal = self._judge(pos, order)
        return refusal and refusal._replace(alternative=self.orders(pos, 0)[0])

    def _judge(self, pos: SquadPosition, order: Order) -> Refusal | None:
        board = pos.board
        facts = {"hex": board.labels[self.place]}
        if not isinstance(order, Strike):
            return Refusal("S12.3", "strike-first", facts)
        outside = order.units & ~pos.at(self.place, 1 - self.side)
        if outside:
            return Refusal("S12.3", "no-melee-target", {**facts, "unit": board.ids[lowest(outside)]})
        if not need(pos, self.side, self.place, order.units):
            return Refusal("S12.3", "odds-too-low", facts)
        return None

    def play(self, pos: SquadPosition, order: Order, dice: Dice, emit: Emit) -> None:
        """Roll; who is killed still strikes, unless it was an ambush (S12.3, S12.4)."""
        assert isinstance(order, Strike)
        board = pos.board
        number = need(pos, self.side, self.place, order.units)
        own, target = strength(pos, pos.at(self.place, self.side)), resistance(pos, order.units)
        killed = dice.band(COMBAT, 2, (number,))
        if emit:
            facts = {
                "side": board.sides[self.side], "hex": board.labels[self.place], "own": own, "target": target,
                "units": [board.ids[unit] for unit in units(order.units)], "number": number,
                "lm": best_lm(pos, self.side, self.place), "faces": dice.faces,
            }  # fmt: skip
            emit(Event("S12.3", "strike-kills" if killed else "strike-fails", facts))
        if killed:
            pos.doomed |= order.units
            if self.ambush and not self.strike:
                _bury(pos, emit)
        self._go_on(pos, emit)

    def _go_on(self, pos: SquadPosition, emit: Emit) -> None:
        if self.strike:
            pos.frames.pop()
            _bury(pos, emit)
            if emit and not pos.melee >> self.place & 1:
                emit(Event("S12.1", "melee-ends", {"hex": pos.board.labels[self.place]}))
        else:
            pos.frames[-1] = Round(1 - self.side, self.place, 1, self.ambush)

    def advance(self, pos: SquadPosition, dice: Dice, emit: Emit) -> bool:
        """A side that cannot strike lets the other do so."""
        if victory.over(pos, emit):
            return True
        enemies = pos.at(self.place, 1 - self.side)
        if any(need(pos, self.side, self.place, 1 << unit) for unit in units(enemies)):
            return False
        self._go_on(pos, emit)
        return True


def _bury(pos: SquadPosition, emit: Emit) -> None:
    for unit in units(pos.doomed):
        eliminate(pos, unit, "S12.3", emit)
    pos.doomed = 0


def begin(pos: SquadPosition, side: int, place: int, ambush: bool, emit: Emit) -> None:
    """Begin a round in a place with both sides in it, ``side`` striking first (S12.2)."""
    pos.fought |= 1 << place
    if emit:
        facts = {"hex": pos.board.labels[place], "side": pos.board.sides[side], "ambush": int(ambush)}
        emit(Event("S12.4" if ambush else "S12.2", "melee-ambush" if ambush else "melee", facts))
    pos.frames.append(Round(side, place, 0, int(ambush)))


def enter(
    pos: SquadPosition, side: int, members: int, place: int, known: int, unseen: bool, emit: Emit
) -> None:
    """Units have entered a place of the enemy: they stop, and fight at once (S4.6).

    Where a melee goes on, or a round was fought this turn, they take part in the next (S12.6, S12.2), and
    surprise nobody (S12.4).

    ``known`` are the places that their side had spotted before; ``unseen``: the enemy had not spotted theirs.
    """
    going = (pos.melee | pos.fought) >> place & 1
    pos.melee |= 1 << place
    pos.stopped |= members
    if going:
        return
    surprised = not known >> place & 1
    unnoticed = unseen and not members & ~pos.stealth
    first = 1 - side if surprised and not unnoticed else side
    begin(pos, first, place, surprised != unnoticed, emit)
