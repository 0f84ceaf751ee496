"""The Assault Step (C13.1, C13.2): who charges, and defensive fire at the chargers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from hexengine.core.dice import Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.frames import Actor
from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest, units
from hexengine.mechanics.masks import units as hexes
from hexengine.systems.company.assaults.clash import Clash
from hexengine.systems.company.assaults.contact import (
    active_side,
    charge_ends,
    contacts,
    fighters,
    fighting,
    last_step,
    near,
)
from hexengine.systems.company.firing.shots import able, refuse_shot, shots
from hexengine.systems.company.firing.volley import open_fire
from hexengine.systems.company.moving import digging
from hexengine.systems.company.orders import DONE, END, Charge, Done, End, Shoot
from hexengine.systems.company.position import CompanyPosition, shift

ENDING: Actor = -1


def barred(pos: CompanyPosition) -> int:
    """Teams that do not charge in their own turn: doubled, out of command, or having shot with all their
    rate of fire.
    """
    return pos.doubled | pos.stray | pos.full


def chargers(pos: CompanyPosition, side: int) -> int:
    """Teams that may begin a charge: of platoons neither pinned nor having charged; not doubled, not out of
    command, and not having shot with all their rate of fire."""
    board = pos.board
    mask = fighters(pos, side) & ~barred(pos)
    for platoon in hexes((pos.pinned | pos.charged) & board.side_platoons[side]):
        if pos.charged >> platoon & 1 or held_down(pos, platoon):
            mask &= ~board.members[platoon]
    return mask


def held_down(pos: CompanyPosition, platoon: int) -> bool:
    """Whether a platoon does not charge since it is pinned down; one of armour alone is not (C11.2)."""
    return bool(pos.pinned >> platoon & 1 and pos.board.members[platoon] & ~pos.board.armoured)


def run_in(pos: CompanyPosition, unit: int, place: int, emit: Emit) -> None:
    """A team charges into a hex, and faces the way it went; that loses its foxhole (C5.2)."""
    before, opening = last_step(pos, unit, place)
    start = pos.place[unit]
    pos.origin[unit] = pos.spot(unit)
    pos.stirred |= 1 << unit
    pos.engaged |= 1 << unit
    pos.moved |= 1 << unit
    shift(pos, unit, place)
    pos.facing[unit] = pos.board.grid.direction(before, place)
    pos.contact[unit] = opening
    if opening < 0:
        outside = [n for n in pos.board.ground.beside[place] if pos.board.ground.openings[n].outside == place]
        enemies = pos.taken(1 - pos.board.side[unit])
        held = [n for n in outside if enemies >> pos.board.ground.openings[n].inside & 1]
        if pos.board.foot >> unit & 1 and (held or outside):
            pos.contact[unit] = (held or outside)[0]
    if emit:
        board = pos.board
        facts = {"unit": board.ids[unit], "from": board.labels[start], "hex": board.labels[place]}
        emit(Event("C13.1", "charges", facts))


def refuse_charge(pos: CompanyPosition, side: int, order: Charge, able: int, places: int) -> Refusal | None:
    """Why a team may not charge into a hex; ``able`` may charge now, ``places`` are those it may charge
    into.
    """
    board, unit = pos.board, order.unit
    bit = 1 << unit
    platoon = board.platoon[unit]
    facts: dict[str, Any] = {"unit": board.ids[unit], "hex": board.labels[order.place]}
    if board.side[unit] != side or not pos.placed & bit:
        return Refusal("C13.1", "not-yours", facts)
    if able & bit:
        if places >> order.place & 1:
            return None
        active = active_side(pos)
        strangers = pos.at(order.place, 1 - side)
        if side != active and strangers and not strangers & fighting(pos, active):
            return Refusal("C13.4", "not-in-assault", facts)
        return Refusal("C13.1", "out-of-charge", {**facts, "distance": board.reaches.charge})
    if pos.doubled & bit:
        return Refusal("C2.8", "doubled", facts)
    if held_down(pos, platoon):
        return Refusal("C11.2", "pinned-charge", facts)
    if pos.stray & bit:
        return Refusal("C10.3", "stray-charge", facts)
    if pos.full & bit:
        return Refusal("C12.1", "shot-in-full", facts)
    return Refusal("C13.1", "cannot-charge", facts)


class AssaultStep(NamedTuple):
    """A side's Assault Step: the first team of a platoon that charges makes contact."""

    side: int

    @property
    def kind(self) -> str:
        """The kind of the decision."""
        return "assault"

    def decider(self, pos: CompanyPosition) -> int:
        """The side whose turn it is."""
        return self.side

    def actors(self, pos: CompanyPosition) -> list[Actor]:
        """Teams that can charge, and ``end``."""
        able = units(chargers(pos, self.side))
        return [*[unit for unit in able if contacts(pos, unit)], ENDING]

    def orders(self, pos: CompanyPosition, actor: Actor) -> list[Order]:
        """The hexes of enemies that a team can charge."""
        if actor == ENDING:
            return [END]
        return [pos.board.orders.once(Charge, actor, place) for place in hexes(contacts(pos, actor))]

    def check(self, pos: CompanyPosition, order: Order) -> Refusal | None:
        """The only judge of legality in the Assault Step."""
        if isinstance(order, End):
            return None
        if not isinstance(order, Charge):
            return Refusal("C10.1", "wrong-step", {"order": str(order)})
        able = chargers(pos, self.side)
        places = contacts(pos, order.unit) if able >> order.unit & 1 else 0
        return refuse_charge(pos, self.side, order, able, places)

    def play(self, pos: CompanyPosition, order: Order, dice: Dice, emit: Emit) -> None:
        """A platoon begins its charge, or the step ends."""
        if not isinstance(order, Charge):
            pos.frames.pop()
            return
        platoon = 1 << pos.board.platoon[order.unit]
        pos.charged |= platoon
        pos.fighting = platoon
        pos.engaged = pos.stirred = pos.answered = pos.countering = pos.fleeing = 0
        run_in(pos, order.unit, order.place, emit)
        pos.frames.append(Clash(self.side, self.side, 0, 0, 0))
        pos.frames.append(Defence(1 - self.side))
        pos.frames.append(Charging(self.side, 0))

    def advance(self, pos: CompanyPosition, dice: Dice, emit: Emit) -> bool:
        """With nobody left who can charge the step ends by itself."""
        if any(contacts(pos, unit) for unit in units(chargers(pos, self.side))):
            return False
        pos.frames.pop()
        return True


class Charging(NamedTuple):
    """The other teams of a charging platoon, or those of platoons that counter-attack, run in; ``done``."""

    side: int
    counter: int

    @property
    def kind(self) -> str:
        """The kind of the decision."""
        return "charge"

    def decider(self, pos: CompanyPosition) -> int:
        """The side that runs in."""
        return self.side

    def _able(self, pos: CompanyPosition) -> int:
        mask = fighters(pos, self.side) & fighting(pos, self.side) & ~pos.stirred
        # C2.8, C10.3, C12.1: what bars the attacker's teams from charging bars them in each round.
        return mask & ~barred(pos) if self.side == active_side(pos) else mask

    def _places(self, pos: CompanyPosition, unit: int) -> int:
        contact, beside = charge_ends(pos, unit)
        return contact | beside

    def actors(self, pos: CompanyPosition) -> list[Actor]:
        """Teams that can still run in, and ``done``."""
        return [*[unit for unit in units(self._able(pos)) if self._places(pos, unit)], ENDING]

    def orders(self, pos: CompanyPosition, actor: Actor) -> list[Order]:
        """Hexes of enemies, and hexes next to them."""
        if actor == ENDING:
            return [DONE]
        return [pos.board.orders.once(Charge, actor, place) for place in hexes(self._places(pos, actor))]

    def check(self, pos: CompanyPosition, order: Order) -> Refusal | None:
        """The only judge of legality while a platoon runs in."""
        if isinstance(order, Done):
            return None
        if not isinstance(order, Charge):
            return Refusal("C13.1", "charge-first", {"order": str(order)})
        able = self._able(pos)
        places = self._places(pos, order.unit) if able >> order.unit & 1 else 0
        return refuse_charge(pos, self.side, order, able, places)

    def play(self, pos: CompanyPosition, order: Order, dice: Dice, emit: Emit) -> None:
        """One team runs in; a dug-in defender's position is marked (C5.3), who stays keeps his (C5.6)."""
        if not isinstance(order, Charge):
            pos.frames.pop()
            return
        unit = order.unit
        defends = self.side != active_side(pos)
        if defends:
            digging.mark_positions(pos, 1 << unit)
        run_in(pos, unit, order.place, emit)
        if defends:
            # C13.4: whoever of the attacker stands in that hex is in the assault from now on.
            for enemy in units(pos.at(order.place, 1 - self.side)):
                pos.fighting |= 1 << pos.board.platoon[enemy]

    def advance(self, pos: CompanyPosition, dice: Dice, emit: Emit) -> bool:
        """With nobody left who can run in it is over."""
        if any(self._places(pos, unit) for unit in units(self._able(pos))):
            return False
        pos.frames.pop()
        return True


class Defence(NamedTuple):
    """Defensive fire at a charging platoon, platoon by platoon (C13.2)."""

    side: int

    @property
    def kind(self) -> str:
        """The kind of the decision."""
        return "defensive-fire"

    def decider(self, pos: CompanyPosition) -> int:
        """The side that is charged."""
        return self.side

    def _target(self, pos: CompanyPosition) -> int:
        mask = pos.fighting & pos.board.side_platoons[1 - self.side]
        return lowest(mask) if mask else -1

    def _platoons(self, pos: CompanyPosition) -> list[tuple[int, int]]:
        """Platoons that have not fired yet and have a team near a charger, with the teams that may fire."""
        board = pos.board
        running = pos.engaged & pos.placed
        mask = able(pos, self.side, True)
        found = []
        for platoon in hexes(board.side_platoons[self.side] & ~pos.answered):
            mine = pos.alive(platoon)
            if any(near(pos, pos.place[unit], running, board.reaches.defence) for unit in units(mine)):
                found.append((platoon, mine & mask))
        return found

    def actors(self, pos: CompanyPosition) -> list[Actor]:
        """The platoons that can fire, and ``done``."""
        ready = [platoon for platoon, mine in self._platoons(pos) if self._shots(pos, mine)]
        return [*ready, ENDING]

    def _shots(self, pos: CompanyPosition, mine: int) -> list[Order]:
        return shots(pos, mine, [self._target(pos)], True) if mine else []

    def orders(self, pos: CompanyPosition, actor: Actor) -> list[Order]:
        """The shots of one platoon at the chargers."""
        if actor == ENDING:
            return [DONE]
        return next(self._shots(pos, mine) for platoon, mine in self._platoons(pos) if platoon == actor)

    def check(self, pos: CompanyPosition, order: Order) -> Refusal | None:
        """The only judge of legality in defensive fire."""
        if isinstance(order, Done):
            return None
        if not isinstance(order, Shoot):
            return Refusal("C13.2", "defensive-fire-only", {"order": str(order)})
        ready = 0
        for _, mine in self._platoons(pos):
            ready |= mine
        refusal = refuse_shot(pos, self.side, order, [self._target(pos)], True)
        if refusal is not None:
            return refusal
        wrong = order.units & ~ready
        if wrong:
            return Refusal("C13.2", "no-defensive-fire", {"unit": pos.board.ids[lowest(wrong)]})
        return None

    def play(self, pos: CompanyPosition, order: Order, dice: Dice, emit: Emit) -> None:
        """One platoon fires, or enough is done."""
        if not isinstance(order, Shoot):
            pos.frames.pop()
            return
        pos.answered |= 1 << pos.board.platoon[lowest(order.units)]
        open_fire(pos, self.side, order, True)

    def advance(self, pos: CompanyPosition, dice: Dice, emit: Emit) -> bool:
        """Over when the charge is stopped or gone, or nobody can fire."""
        target = self._target(pos)
        going = target >= 0 and pos.alive(target) & pos.engaged and not pos.pinned >> target & 1
        if going and any(self._shots(pos, mine) for _, mine in self._platoons(pos)):
            return False
        pos.frames.pop()
        return True

    def sample(self, pos: CompanyPosition, below: Callable[[int], int]) -> Order:
        """One order of one platoon, each as likely."""
        found = [orders for _, mine in self._platoons(pos) if (orders := self._shots(pos, mine))]
        at = below(len(found) + 1)
        return DONE if at == len(found) else found[at][below(len(found[at]))]
