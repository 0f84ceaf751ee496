"""Operations (P2.5): the choice of who acts, and the group on the move (P4.3)."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from mypy_extensions import mypyc_attr

from hexengine.core.dice import Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.frames import Actor
from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest, units
from hexengine.systems.platoon import victory
from hexengine.systems.platoon.acting import CLOSING, ENTERING, Acting
from hexengine.systems.platoon.choices import (
    by_place,
    free,
    has_orders,
    joining_hq,
    orders_at,
)
from hexengine.systems.platoon.ending import end_activation
from hexengine.systems.platoon.moving import entry
from hexengine.systems.platoon.moving.stacking import crowded, settle
from hexengine.systems.platoon.offer import Offer, kept_by
from hexengine.systems.platoon.orders.book import DONE, END
from hexengine.systems.platoon.position import STACKING_LIMIT, PlatoonPosition


class _OperationsFields(NamedTuple):
    formation: int


@mypyc_attr(native_class=False)
class Operations(Acting, _OperationsFields):
    """Nobody is on the move: any unit or stack of the formation may begin, or the activation ends."""

    __slots__ = ()
    kind: ClassVar[str] = "operations"
    closing: ClassVar[Order] = END

    def able(self, pos: PlatoonPosition) -> int:
        return free(pos, self.formation)

    def group(self, pos: PlatoonPosition) -> int:
        return -1

    def actors(self, pos: PlatoonPosition) -> list[Actor]:
        formation = self.formation
        places = self.offer(pos).places
        found = [place for place, here in places if has_orders(pos, formation, place, here, -1)]
        if entry.due_units(pos, formation) and self.orders(pos, ENTERING):
            found.append(ENTERING)
        found.append(CLOSING)
        return found

    def _look(self, pos: PlatoonPosition, offer: Offer) -> Offer:
        """Where orders may be found: able units, and carriers that only approached infantry."""
        able = self.able(pos)
        waiting = pos.finished and (
            pos.finished & ~(pos.fired | pos.carried) & pos.board.formation_carriers[self.formation]
        )
        if not waiting:
            places = by_place(pos, able)
        else:
            places = [(place, here & able) for place, here in by_place(pos, able | waiting)]
        return offer.of(self, places, -1, 0)

    def _open(self, pos: PlatoonPosition, mine: int) -> None:
        pos.frames.append(Group(self.formation, mine))

    def _close(self, pos: PlatoonPosition, emit: Emit) -> None:
        pos.frames.pop()
        end_activation(pos, self.formation, emit)

    def advance(self, pos: PlatoonPosition, dice: Dice, emit: Emit) -> bool:
        """Nothing left to choose: the activation ends by itself."""
        if pos.board.sudden and victory.sudden(pos, emit):
            return True
        offer = self._look(pos, kept_by(pos))
        for place, here in offer.places:
            if has_orders(pos, self.formation, place, here, -1):
                return False
        if entry.due_units(pos, self.formation) and self.orders(pos, ENTERING):
            return False
        self._close(pos, emit)
        return True


class _GroupFields(NamedTuple):
    formation: int
    members: int


@mypyc_attr(native_class=False)
class Group(Acting, _GroupFields):
    """A group is on the move: its members act until ``done`` closes it (P4.3)."""

    __slots__ = ()
    kind: ClassVar[str] = "group"
    closing: ClassVar[Order] = DONE

    def able(self, pos: PlatoonPosition) -> int:
        able = self.members & pos.placed & ~(pos.finished | pos.carried)
        return able | joining_hq(pos, self.formation, able) if pos.shuttled else able

    def group(self, pos: PlatoonPosition) -> int:
        return self.able(pos)

    def _open(self, pos: PlatoonPosition, mine: int) -> None:
        if mine & ~self.members:
            pos.frames[-1] = Group(self.formation, self.members | mine)

    def _close(self, pos: PlatoonPosition, emit: Emit) -> None:
        """P4.3, P4.1: the members are finished; whoever is over the limit goes back (P3.4)."""
        pos.frames.pop()
        members = self.members & pos.placed
        pos.finished |= members
        if pos.over:
            settle(pos, members, 0, emit)
        if emit:
            emit(Event("P4.3", "group-closed", {"units": [pos.board.ids[u] for u in units(members)]}))

    def actors(self, pos: PlatoonPosition) -> list[Actor]:
        offer = self.offer(pos)
        places, over = offer.places, offer.over
        if len(places) == 1:
            # A group without orders closes by itself, so here somebody has some.
            return [places[0][0]] if over else [places[0][0], CLOSING]
        able = offer.members
        found = [place for place, here in places if has_orders(pos, self.formation, place, here, able)]
        if not over or not found:
            found.append(CLOSING)
        return found

    def _look(self, pos: PlatoonPosition, offer: Offer) -> Offer:
        able = self.able(pos)
        if not pos.over:
            where = pos.hex
            place = where[able.bit_length() - 1] if able else -1
            if not able & (able - 1):
                return offer.of(self, [(place, able)] if able else [], able, 0)
            for unit in units(able):
                if where[unit] != place:
                    break
            else:
                return offer.of(self, [(place, able)], able, 0)
        return self._look_apart(pos, able, offer)

    def _look_apart(self, pos: PlatoonPosition, able: int, offer: Offer) -> Offer:
        """The same for a group in several hexes, or over the limit: then that hex must be left first."""
        over = crowded(pos, able)
        places = by_place(pos, able)
        if over and len(places) > 1:
            crowds = {pos.hex[unit] for unit in units(over)}
            places = [(place, here) for place, here in places if place in crowds]
        return offer.of(self, places, able, over)

    def _members(self, able: int) -> int:
        return able

    def _crowded_first(self, pos: PlatoonPosition, able: int) -> Refusal | None:
        over = crowded(pos, able)
        if not over:
            return None
        crowd = pos.hex[lowest(over)]
        return Refusal("P3.4", "over-the-limit", {"hex": pos.board.labels[crowd], "limit": STACKING_LIMIT})

    def _other_crowd(self, pos: PlatoonPosition, unit: int, able: int) -> Refusal | None:
        over = crowded(pos, able)
        if over and pos.hex[unit] not in {pos.hex[other] for other in units(over)}:
            return self._crowded_first(pos, able)
        return None

    def _may_close(self, pos: PlatoonPosition, able: int) -> Refusal | None:
        if crowded(pos, able) and CLOSING not in self.actors(pos):
            return self._crowded_first(pos, able)
        return None

    def advance(self, pos: PlatoonPosition, dice: Dice, emit: Emit) -> bool:
        """Nobody of the group can do anything more: it closes by itself."""
        offer = self._look(pos, kept_by(pos))
        for place, here in offer.places:
            found = offer.found[place] = orders_at(pos, self.formation, place, here, offer.members)
            if found:
                return False
        self._close(pos, emit)
        return True
