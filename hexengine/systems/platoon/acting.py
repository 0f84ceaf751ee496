"""What the choice of who acts and the group on the move have in common (P2.5, P4.3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from mypy_extensions import mypyc_attr

from hexengine.core.dice import Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit
from hexengine.core.frames import Actor
from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest
from hexengine.systems.platoon.alternatives import nearest
from hexengine.systems.platoon.arrival import met
from hexengine.systems.platoon.assaults import assault
from hexengine.systems.platoon.choices import (
    check_actors,
    load_crowds,
    orders_at,
    unload_crowds,
)
from hexengine.systems.platoon.fieldworks import works
from hexengine.systems.platoon.firing.fire import attack, check_shot, fire_bar, refuse_fire
from hexengine.systems.platoon.moving import entry, helicopters, passing, steps, transport
from hexengine.systems.platoon.moving.movement import tell_step, walk
from hexengine.systems.platoon.moving.stacking import settle
from hexengine.systems.platoon.offer import Offer
from hexengine.systems.platoon.orders.book import (
    DONE,
    END,
    Assault,
    CarrierUnits,
    Done,
    End,
    Enter,
    Exit,
    Fire,
    Load,
    Move,
    Overrun,
    UnitsHex,
    Unload,
)
from hexengine.systems.platoon.orders.flight import Flight, Rise
from hexengine.systems.platoon.orders.support import Mission, Strike
from hexengine.systems.platoon.orders.work import Work
from hexengine.systems.platoon.position import PlatoonPosition

CLOSING: Actor = -1
"""The actor whose only order is ``end`` or ``done``."""
ENTERING: Actor = -2
"""The actor of units that wait off the map."""


@mypyc_attr(native_class=False)
class Acting:
    """What the choice of who acts and the open group have in common."""

    __slots__ = ()

    formation: int
    closing: ClassVar[Order]
    """The order that closes this frame."""

    def decider(self, pos: PlatoonPosition) -> int:
        """The active formation's side."""
        return pos.board.formations[self.formation].side

    def able(self, pos: PlatoonPosition) -> int:
        """The units that can act in this frame."""
        raise NotImplementedError

    def group(self, pos: PlatoonPosition) -> int:
        """The able units of the open group, or -1 if none is open."""
        raise NotImplementedError

    def orders(self, pos: PlatoonPosition, actor: Actor) -> list[Order]:
        """The legal orders of the units in one hex, of waiting units, or ``end`` or ``done``."""
        return self._orders_of(pos, self.offer(pos), actor)[:]

    def every(self, pos: PlatoonPosition) -> list[Order]:
        """The orders of all actors, in canonical order."""
        offer = self.offer(pos)
        known = offer.found
        found: list[Order] = []
        for place, here in offer.places:
            if place not in known:
                known[place] = orders_at(pos, self.formation, place, here, offer.members)
            found += known[place]
        if pos.due and offer.members < 0 and entry.due_units(pos, self.formation):
            found += self._orders_of(pos, offer, ENTERING)
        if not offer.over or not found:
            found.append(self.closing)
        return found

    def sample(self, pos: PlatoonPosition, below: Callable[[int], int]) -> Order:
        """One order of one of the actors: whoever turns out to have none is left out."""
        offer = self.offer(pos)
        places = offer.places
        number = len(places)
        others = 0 if offer.over else 1
        if pos.due and offer.members < 0 and entry.due_units(pos, self.formation):
            others += 1
        at = below(number + others)
        if at < number:
            place, here = places[at]
            found = offer.found.get(place)
            if found is None:
                found = orders_at(pos, self.formation, place, here, offer.members)
                offer.found[place] = found
            order = found[below(len(found))] if found else self._sample_but(pos, offer, at, below)
        elif at == number and not offer.over:
            order = self.closing
        else:
            order = self._sample_but(pos, offer, at, below)
        offer.chosen = order
        return order

    def _sample_but(self, pos: PlatoonPosition, offer: Offer, at: int, below: Callable[[int], int]) -> Order:
        """The same where the actor that was drawn is no hex with orders."""
        choices: list[Actor] = [place for place, _ in offer.places]
        if not offer.over:
            choices.append(CLOSING)
        if offer.members < 0 and entry.due_units(pos, self.formation):
            choices.append(ENTERING)
        while choices[at] != CLOSING:
            found = self._orders_of(pos, offer, choices[at])
            if found:
                return found[below(len(found))]
            del choices[at]
            if not choices:
                break
            at = below(len(choices))
        return self.closing

    def offer(self, pos: PlatoonPosition) -> Offer:
        """What is known of this decision: what was seen when the frame came to the top, or a new look."""
        offer = pos.offer
        if offer is not None and offer.frame is self:
            return offer
        return self._look(pos, Offer())

    def _look(self, pos: PlatoonPosition, offer: Offer) -> Offer:
        """Fill an offer with what may be done now, none of its orders asked for yet."""
        raise NotImplementedError

    def _orders_of(self, pos: PlatoonPosition, offer: Offer, actor: Actor) -> list[Order]:
        """The orders of an actor.

        What is kept in the offer is legal: nothing that somebody asks about who is no actor now.
        """
        found = offer.found.get(actor)
        if found is not None:
            return found
        if actor == CLOSING:
            return [self.closing]
        if actor == ENTERING:
            found = []
            entry.entries(pos, self.formation, found)
            if offer.members < 0:
                offer.found[actor] = found
            return found
        here = dict(offer.places).get(actor)
        found = orders_at(pos, self.formation, actor, here or 0, offer.members)
        if here is not None:
            offer.found[actor] = found
        return found

    def check(self, pos: PlatoonPosition, order: Order) -> Refusal | None:
        """The only judge of legality in operations.

        What was offered is legal: it was found by the same predicates; and so is what was judged last.
        """
        offer = pos.offer
        if offer is not None and offer.frame is self:
            if order is offer.chosen:
                return None
            for found in offer.found.values():
                for each in found:
                    if each is order:
                        return None
        refusal = self._judge(pos, order)
        if refusal is None:
            if offer is not None and offer.frame is self:
                offer.chosen = order
            return None
        return refusal._replace(alternative=nearest(pos, order, self.every(pos)))

    def _judge(self, pos: PlatoonPosition, order: Order) -> Refusal | None:
        formation = self.formation
        able = self.able(pos)
        if type(order) is Move:
            mine = order.units
            if mine & ~able:
                return check_actors(pos, formation, mine, able)
            if pos.board.air and pos.board.air_formations >> formation & 1:
                return helicopters.check_step(pos, mine, order.hex)
            if pos.over:
                refusal = self._other_crowd(pos, lowest(mine), able)
                if refusal is not None:
                    return refusal
            return steps.check_step(pos, formation, mine, self._members(able), order.hex)
        kind = type(order)
        if kind is type(self.closing):
            return self._may_close(pos, able)
        if kind is Load or kind is Unload:
            assert isinstance(order, CarrierUnits)
            return self._judge_transport(pos, order, able)
        if kind is Enter:
            assert isinstance(order, Enter)
            if self.group(pos) >= 0:
                return Refusal("P4.3", "group-open", {"order": str(order)})
            return entry.check_entry(pos, formation, order.units, order.hex)
        if kind is Exit:
            assert isinstance(order, Exit)
            return check_actors(pos, formation, order.units, able) or (
                self._other_crowd(pos, lowest(order.units), able)
                or entry.check_exit(pos, formation, order.units)
            )
        if kind is Fire:
            assert isinstance(order, Fire)
            return self._judge_fire(pos, order, able)
        if isinstance(order, Work):
            crowd = self._crowded_first(pos, able)
            return check_actors(pos, formation, 1 << order.unit, able) or crowd or works.check(pos, order)
        if isinstance(order, Flight):
            return check_actors(pos, formation, order.units, able) or helicopters.check(pos, order)
        if isinstance(order, UnitsHex) and pos.board.air_formations >> formation & 1:
            return check_actors(pos, formation, order.units, able) or Refusal(
                "P13.2", "no-assault-from-the-air", {"hex": pos.board.labels[order.hex]}
            )
        if kind is Mission or kind is Strike:
            return Refusal("P2.4", "missions-over", {"order": str(order)})
        if kind is Assault or kind is Overrun:
            assert isinstance(order, UnitsHex)
            return check_actors(pos, formation, order.units, able) or (
                self._other_crowd(pos, lowest(order.units), able)
                or assault.check_attack(pos, formation, order)
            )
        if order is END and self.closing is DONE:
            return Refusal("P4.3", "end-in-group", {})
        return Refusal("P2.5", "wrong-decision", {"order": str(order)})

    def _members(self, able: int) -> int:
        """The able units of the open group, or 0 if none is open."""
        return 0

    def _judge_fire(self, pos: PlatoonPosition, order: Fire, able: int) -> Refusal | None:
        firer = order.firer
        if not able >> firer & 1:
            return check_actors(pos, self.formation, 1 << firer, able)
        bar = fire_bar(pos, firer)
        if bar:
            return refuse_fire(pos, firer, bar)
        return self._crowded_first(pos, able) or check_shot(pos, order, self.decider(pos), pos.led)

    def _judge_transport(self, pos: PlatoonPosition, order: CarrierUnits, able: int) -> Refusal | None:
        carrier = order.carrier
        if type(order) is Load:
            board, formation = pos.board, self.formation
            outsiders = 1 << carrier & ~board.formations[formation].members
            outsiders |= order.units & ~board.partners[formation]
            if outsiders:
                return check_actors(pos, self.formation, outsiders, 0)
            group = self.group(pos)
            refusal = self._other_crowd(pos, carrier, able) or transport.check_load(
                pos, carrier, order.units, group
            )
            rider = lowest(order.units & ~board.weapons)
            return load_crowds(pos, carrier, rider, group) if refusal is None else refusal
        if not able >> carrier & 1:
            return check_actors(pos, self.formation, 1 << carrier, able)
        refusal = transport.check_unload(pos, carrier, order.units)
        if refusal is not None:
            return refusal
        riders = transport.unload_mask(pos, carrier, order.units)
        return self._crowded_first(pos, able) or unload_crowds(pos, carrier, riders, self._members(able))

    def _crowded_first(self, pos: PlatoonPosition, able: int) -> Refusal | None:
        """While the group is over the limit somewhere, only ways out of that hex are legal (P3.4)."""
        return None

    def _other_crowd(self, pos: PlatoonPosition, unit: int, able: int) -> Refusal | None:
        """Whether another hex than the unit's must be left first."""
        return None

    def _may_close(self, pos: PlatoonPosition, able: int) -> Refusal | None:
        return None

    def actors(self, pos: PlatoonPosition) -> list[Actor]:
        """Hexes with able units that have legal orders, then the rest."""
        raise NotImplementedError

    def halt(self, pos: PlatoonPosition, stopped: int, emit: Emit) -> None:
        """Units were stopped: who is over the limit goes back, whoever can still go on apart (P3.4)."""
        if pos.over:
            settle(pos, stopped, passing.going_on(pos, self.able(pos)), emit)

    # -- carrying out ---------------------------------------------------------------------------

    def play(self, pos: PlatoonPosition, order: Order, dice: Dice, emit: Emit) -> None:
        """Carry out a legal order; what happens last is pushed first."""
        if type(order) is Move:
            mine, target = order.units, order.hex
            self._open(pos, mine)
            board = pos.board
            side = board.side[mine.bit_length() - 1]
            if board.air & mine:
                helicopters.fly(pos, mine, target, emit)
            else:
                place = pos.hex[mine.bit_length() - 1]
                walk(pos, mine, place, target)
                pos.control[target] = side + 1
                if emit:
                    tell_step(pos, mine, place, target, emit)
            met(pos, 1 - side, mine, target, dice, emit)
            return
        if type(order) is Done or type(order) is End:
            self._close(pos, emit)
            return
        match order:
            case Fire(firer=firer):
                if order.lead:
                    pos.led |= 1 << pos.board.formations[self.formation].hq
                pos.finished |= 1 << firer
                pos.fired |= 1 << firer
                attack(pos, order, dice, emit)
            case Assault(units=mine, hex=target) | Overrun(units=mine, hex=target):
                self._open(pos, mine)
                assault.enter(pos, order, emit)
                met(pos, 1 - self.decider(pos), mine, target, dice, emit)
            case Load(carrier=carrier, units=named):
                rider = lowest(named & ~pos.board.weapons)
                self._open(pos, 1 << carrier | 1 << rider)
                transport.load(pos, carrier, rider, emit)
            case Unload(carrier=carrier, units=named):
                riders = transport.unload_mask(pos, carrier, named)
                self._open(pos, 1 << carrier | riders)
                transport.unload(pos, carrier, riders, emit)
            case Enter(units=mine, hex=target):
                self._open(pos, mine)
                entry.enter(pos, mine, target, emit)
                met(pos, 1 - self.decider(pos), mine, target, dice, emit)
            case Exit(units=mine):
                self._open(pos, mine)
                entry.leave(pos, self.formation, mine, emit)
            case Flight(units=mine):
                if type(order) is Rise:
                    self._open(pos, mine)
                helicopters.change(pos, order, emit)
            case Work():
                works.carry_out(pos, order, dice, emit)

    def _open(self, pos: PlatoonPosition, mine: int) -> None:
        raise NotImplementedError

    def _close(self, pos: PlatoonPosition, emit: Emit) -> None:
        raise NotImplementedError
