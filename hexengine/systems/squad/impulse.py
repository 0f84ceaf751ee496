"""The impulse (S1.3, S2): what a side activates, group by group, until it ends."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import NamedTuple

from hexengine.core.dice import Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.frames import Actor, Automatic
from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest, units
from hexengine.systems.squad import acts, choices, melee, turn, victory
from hexengine.systems.squad.firing import groups
from hexengine.systems.squad.firing.fire import check_fire, ready, refuse_unit, subsets
from hexengine.systems.squad.moving.movement import set_out
from hexengine.systems.squad.moving.steps import check_step, free, mode_bar, surely_steps
from hexengine.systems.squad.orders import (
    END,
    Activate,
    Call,
    End,
    Face,
    Fire,
    Load,
    Melee,
    Move,
    Smoke,
    Spot,
    Unload,
)
from hexengine.systems.squad.position import SquadPosition
from hexengine.systems.squad.sight.spotting import attempt, check_attempt, looks, reveal, spotted

PASSES = 3
"""Passes in a row that end the Operations Phase (S1.3)."""
ENDING: Actor = -1


class Impulse(NamedTuple):
    """A side's impulse, behind so many passes in a row.

    Units of different places that are active act and aim as they like (S2.3).
    """

    side: int
    passes: int

    @property
    def kind(self) -> str:
        """The kind of the decision."""
        return "operations"

    def decider(self, pos: SquadPosition) -> int:
        """The side whose impulse it is."""
        return self.side

    # -- what may be ordered ------------------------------------------------------------------

    def actors(self, pos: SquadPosition) -> list[Actor]:
        """Each set of units of one place that has an order, melees (as -2 less the place), and ``end``."""
        fresh, firing = choices.fresh_units(pos, self.side), choices.firing_units(pos, self.side)
        found = []
        for place, here in choices.by_place(pos, self.side, fresh | firing):
            view = looks(pos, self.side, place)
            for mask in subsets(here):
                if choices.orders_at(pos, self.side, place, mask, fresh, firing, view):
                    found.append(mask)
        return [*found, *(-2 - place for place in choices.melees(pos)), ENDING]

    def orders(self, pos: SquadPosition, actor: Actor) -> list[Order]:
        """The orders of some units, of a melee, or ``end``."""
        if actor == ENDING:
            return [END]
        if actor < 0:
            return [pos.board.orders.once(Melee, -2 - actor)]
        fresh, firing = choices.fresh_units(pos, self.side), choices.firing_units(pos, self.side)
        place = pos.place[lowest(actor)]
        return choices.orders_at(pos, self.side, place, actor, fresh, firing, looks(pos, self.side, place))

    def sample(self, pos: SquadPosition, below: Callable[[int], int]) -> Order:
        """One order of one actor, each as likely: sets without an order are drawn again."""
        side, stacks = self.side, pos.stacks
        fresh, firing = choices.fresh_units(pos, side), choices.firing_units(pos, side)
        able, base = fresh | firing, side * pos.board.places.count
        melees = choices.melees(pos) if pos.melee else []
        total = len(melees) + 1
        groups: list[tuple[int, int, int]] = []
        for place in units(choices.acting(pos, side)):
            here = stacks[base + place] & able
            if here:
                groups.append((total, place, here))
                total += (1 << here.bit_count()) - 1
        while True:
            at = below(total)
            if at == 0:
                return END
            if at <= len(melees):
                return pos.board.orders.once(Melee, melees[at - 1])
            first, place, here = groups[bisect_left(groups, (at + 1,)) - 1]
            mask = _chosen(here, at - first + 1) if here & (here - 1) else here
            order = choices.sample_at(pos, side, place, mask, fresh, firing, below)
            if order is not None:
                return order

    # -- what is legal ------------------------------------------------------------------------

    def check(self, pos: SquadPosition, order: Order) -> Refusal | None:
        """The only judge of legality in an impulse."""
        refusal = self._judge(pos, order)
        if refusal is None:
            return None
        return refusal._replace(alternative=self._alternative(pos, order))

    def _alternative(self, pos: SquadPosition, order: Order) -> Order | None:
        """Something legal of the same kind by the same units, or by one of those beside them."""
        mine = getattr(order, "units", 0) or (1 << order.unit if hasattr(order, "unit") else 0)
        mine &= pos.placed & pos.board.side_units[self.side]
        if not mine:
            return None
        fresh, firing = choices.fresh_units(pos, self.side), choices.firing_units(pos, self.side)
        place = pos.place[lowest(mine)]
        here, view = pos.at(place, self.side), looks(pos, self.side, place)
        for mask in (mine & here, *[1 << unit for unit in units(here & (fresh | firing))]):
            for each in choices.orders_at(pos, self.side, place, mask, fresh, firing, view):
                if type(each) is type(order):
                    return each
        return None

    def _judge(self, pos: SquadPosition, order: Order) -> Refusal | None:
        if isinstance(order, End):
            return None
        if isinstance(order, Move):
            return self._judge_move(pos, order)
        if isinstance(order, Fire):
            return self._judge_fire(pos, order)
        if isinstance(order, Melee):
            return self._judge_melee(pos, order)
        if isinstance(order, (Spot, Smoke, Call, Activate, Face, Load, Unload)):
            fresh = choices.fresh_units(pos, self.side)
            if not fresh >> order.unit & 1:
                return choices.refuse(pos, self.side, 1 << order.unit, fresh)
            if isinstance(order, Spot):
                return check_attempt(pos, self.side, order)
            return acts.check(pos, order)
        return Refusal("S2.1", "wrong-decision", {"order": str(order)})

    def _judge_move(self, pos: SquadPosition, order: Move) -> Refusal | None:
        board, mask = pos.board, order.units
        fresh = choices.fresh_units(pos, self.side)
        if mask & ~fresh:
            return choices.refuse(pos, self.side, mask, fresh)
        place = pos.place[lowest(mask)]
        apart = mask & ~pos.at(place, self.side)
        if apart or pos.moved_from >> place & 1:
            named = {"units": [board.ids[unit] for unit in units(mask)], "hex": board.labels[place]}
            return Refusal("S2.4", "different-places" if apart else "group-must-move-together", named)
        refusal = mode_bar(pos, mask, order.mode)
        if refusal is not None:
            return refusal
        return check_step(pos, choices.stride(pos, self.side, mask, order.mode), order)

    def _judge_fire(self, pos: SquadPosition, order: Fire) -> Refusal | None:
        board = pos.board
        firing = choices.firing_units(pos, self.side)
        wrong = order.units & ~firing
        if wrong:
            unit = lowest(wrong)
            if ready(pos, self.side, False) >> unit & 1:
                facts = {"unit": board.ids[unit], "hex": board.labels[pos.place[unit]]}
                return Refusal("S2.2" if pos.leader >= 0 else "S2.1", "not-active", facts)
            return refuse_unit(pos, self.side, unit, False)
        refusal = check_fire(pos, order, spotted(pos, self.side, 1 << order.place))
        return refusal if refusal is not None else groups.check_group(pos, order)

    def _judge_melee(self, pos: SquadPosition, order: Melee) -> Refusal | None:
        facts = {"hex": pos.board.labels[order.place]}
        if not pos.melee >> order.place & 1:
            return Refusal("S12.1", "no-melee", facts)
        if pos.fought >> order.place & 1:
            return Refusal("S12.2", "fought-already", facts)
        return Refusal("S2.1", "not-alone", facts) if pos.acted else None

    # -- carrying out -------------------------------------------------------------------------

    def play(self, pos: SquadPosition, order: Order, dice: Dice, emit: Emit) -> None:
        """Carry out a legal order; the first one says what is activated."""
        match order:
            case Move(units=mask, place=place, mode=mode):
                self._activate(pos, pos.place[lowest(mask)])
                set_out(pos, self.side, mask, place, mode, dice, emit)
            case Fire(units=mask):
                self._activate(pos, pos.place[lowest(mask)])
                groups.shoot(pos, order, dice, emit)
            case Spot():
                attempt(pos, order, dice, emit)
            case Melee(place=place):
                pos.acted = 1
                pos.active = 1 << place
                pos.frames[-1] = Spent(self.side, self.passes)
                melee.begin(pos, self.side, place, False, emit)
            case Smoke() | Call() | Activate() | Face() | Load() | Unload():
                if not isinstance(order, Activate):
                    self._activate(pos, pos.place[order.unit])
                acts.play(pos, order, dice, emit)
            case _:
                self.end(pos, emit)

    def _activate(self, pos: SquadPosition, place: int) -> None:
        pos.acted = 1
        if not pos.active:
            pos.active = 1 << place

    def end(self, pos: SquadPosition, emit: Emit) -> None:
        """The impulse is over: the other side's begins, or the Admin Phase (S1.3)."""
        passes = 0 if pos.acted else self.passes + 1
        if emit:
            code = "impulse-ends" if pos.acted else "impulse-passed"
            emit(Event("S1.3", code, {"side": pos.board.sides[self.side], "passes": passes}))
        acts.settle(pos)
        if pos.hidden:
            reveal(pos, emit)
        if victory.over(pos, emit):
            return
        if passes >= PASSES:
            pos.frames[-1] = turn.Admin(pos.turn)
        else:
            pos.frames[-1] = IMPULSES[1 - self.side][passes]

    def advance(self, pos: SquadPosition, dice: Dice, emit: Emit) -> bool:
        """Nothing is left to choose: the impulse ends by itself; one in which nothing was done is a pass."""
        if victory.over(pos, emit):
            return True
        if pos.melee and choices.melees(pos):
            return False
        there = choices.there(pos, self.side) if pos.active else -1
        fresh = free(pos, self.side) & there if there else 0
        rest = fresh & ~pos.shaken
        while rest:
            # Mostly the first one does: the others need not be listed.
            unit = lowest(rest)
            if not pos.moved_from >> pos.place[unit] & 1 and surely_steps(pos, self.side, unit):
                return False
            rest &= rest - 1
        if fresh and acts.surely_acts(pos, fresh):
            return False
        firing = choices.firing_units(pos, self.side)
        if not fresh | firing:
            self.end(pos, emit)
            return True
        seeing = firing if pos.looked else firing | fresh & ~pos.shaken
        for place, here in choices.by_place(pos, self.side, fresh | firing):
            view = looks(pos, self.side, place) if here & seeing else (0, 0)
            for unit in units(here):
                if choices.orders_at(pos, self.side, place, 1 << unit, fresh, firing, view):
                    return False
        self.end(pos, emit)
        return True


class _SpentFields(NamedTuple):
    side: int
    passes: int


class Spent(Automatic, _SpentFields):
    """An impulse that was a round of melee, and ends with it (S12.2)."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        """The kind of a decision that never comes."""
        return "operations"

    def decider(self, pos: SquadPosition) -> int:
        """The side whose impulse it was."""
        return self.side

    def check(self, pos: SquadPosition, order: Order) -> Refusal | None:
        """Nothing can be ordered."""
        return Refusal("S12.2", "wrong-decision", {"order": str(order)})

    def advance(self, pos: SquadPosition, dice: Dice, emit: Emit) -> bool:
        """The other side's impulse begins."""
        IMPULSES[self.side][self.passes].end(pos, emit)
        return True


IMPULSES = [[Impulse(side, passes) for passes in range(PASSES)] for side in (0, 1)]
"""All that there are, by side and passes: they are made once."""


def _chosen(mask: int, number: int) -> int:
    """The set of a mask's units that the bits of a number choose."""
    found = 0
    for at, unit in enumerate(units(mask)):
        if number >> at & 1:
            found |= 1 << unit
    return found
