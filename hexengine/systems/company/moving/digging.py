"""Digging in (C3), and positions kept through an assault (C5)."""

from __future__ import annotations

from typing import Any, NamedTuple

from hexengine.core.dice import MORALE, Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.frames import Actor
from hexengine.core.orders import Order
from hexengine.mechanics.masks import units
from hexengine.systems.company.firing.hits import groups
from hexengine.systems.company.morale import worst
from hexengine.systems.company.moving.reach import command_team
from hexengine.systems.company.orders import Occupy
from hexengine.systems.company.position import CompanyPosition
from hexengine.systems.company.sight.cover import shelters


def diggers(pos: CompanyPosition, platoon: int) -> int:
    """The teams that must try if a platoon digs in: infantry and guns not yet in bulletproof cover (C3.6,
    C3.10).
    """
    board = pos.board
    barred = board.ground.water
    found = 0
    for unit in units(pos.alive(platoon) & board.diggers):
        if not barred >> pos.place[unit] & 1 and not shelters(pos, unit):
            found |= 1 << unit
    return found


def ready(pos: CompanyPosition, side: int) -> int:
    """The platoons of the side that moves that may dig in, as ``check`` says, at less cost."""
    board = pos.board
    barred = board.ground.undug & pos.taken(side)
    acted = pos.moved | pos.doubled | pos.tried
    able = pos.placed & board.side_units[side] & board.diggers & ~pos.dug
    if barred:
        for unit in units(able):
            if barred >> pos.place[unit] & 1:
                able &= ~(1 << unit)
    found = 0
    for platoon in units(board.side_platoons[side]):
        trying = able & board.members[platoon]
        if trying and not trying & acted:
            found |= 1 << platoon
    return found


def check(pos: CompanyPosition, side: int, platoon: int) -> Refusal | None:
    """Whether a platoon, pinned or not (C3.2), or an Independent team (C3.11) may dig in."""
    board = pos.board
    data = board.platoons[platoon]
    facts: dict[str, Any] = {"platoon": data.id}
    if data.side != side:
        return Refusal("C3.1", "not-yours", facts)
    if not pos.alive(platoon):
        return Refusal("C3.1", "off-map", facts)
    trying = diggers(pos, platoon)
    if not trying:
        dry = pos.alive(platoon) & board.diggers
        if dry and all(board.ground.water >> pos.place[unit] & 1 for unit in units(dry)):
            return Refusal("C3.10", "no-digging-here", facts)
        return Refusal("C3.6", "nobody-digs", facts)
    for unit in units(trying):
        facts["unit"] = board.ids[unit]
        if pos.tried >> unit & 1:
            return Refusal("C3.1", "tried-already", facts)
        if (pos.moved | pos.doubled) >> unit & 1:
            return Refusal("C3.1", "moved-already", facts)
    return None


def resupplied(pos: CompanyPosition, platoon: int) -> bool:
    """C3.9: a pioneer supply vehicle stands next to the Command team, or to an Independent
    team.
    """
    board = pos.board
    data = board.platoons[platoon]
    base = command_team(pos, platoon)
    if data.independent:
        base = (pos.alive(platoon) & -pos.alive(platoon)).bit_length() - 1
    if base < 0:
        return False
    able = board.supplies & board.side_units[data.side] & pos.placed & ~(pos.bogged | pos.bailed)
    here, reach = pos.place[base], board.reaches.supply
    return any(board.grid.distance(here, pos.place[unit]) <= reach for unit in units(able))


def dig(pos: CompanyPosition, platoon: int, dice: Dice, emit: Emit) -> None:
    """One Skill test for all who try, of the worst Skill among them (C3.3); success digs them in."""
    board = pos.board
    trying = diggers(pos, platoon)
    need = worst(pos, trying, True)
    passed = bool(dice.at_least(MORALE, 1, need))
    faces = list(dice.faces)
    if not passed and resupplied(pos, platoon):
        passed = bool(dice.at_least(MORALE, 1, need))
        faces += dice.faces
    pos.tried |= trying
    if passed:
        pos.dug |= trying
    if emit:
        facts = {"platoon": board.platoons[platoon].id, "need": need, "faces": faces}
        facts["units"] = [board.ids[unit] for unit in units(trying)]
        emit(Event("C3.4" if passed else "C3.5", "dug-in" if passed else "dig-failed", facts))


def mark_positions(pos: CompanyPosition, mask: int) -> None:
    """C5.3: before dug-in defenders move for a counter-attack, their positions are marked."""
    for unit in units(mask & pos.dug):
        pos.hole[unit] = pos.place[unit]


def free_positions(pos: CompanyPosition, platoon: int) -> dict[int, int]:
    """The marked positions of a platoon that nobody has yet, by hex (C5.4)."""
    found: dict[int, int] = {}
    for unit in units(pos.board.members[platoon]):
        place = pos.hole[unit]
        if place >= 0:
            found[place] = found.get(place, 0) + 1
    return found


def claimants(pos: CompanyPosition, platoon: int, place: int) -> int:
    """The teams of a platoon that may take a marked position in a hex."""
    found = 0
    for unit in units(pos.alive(platoon) & pos.board.diggers & ~pos.dug):
        if pos.place[unit] == place:
            found |= 1 << unit
    return found


def take_position(pos: CompanyPosition, unit: int, emit: Emit) -> None:
    """A team takes a marked position of its platoon in its hex: it is dug in again (C5.3, C5.4)."""
    board = pos.board
    place, platoon = pos.place[unit], board.platoon[unit]
    for other in units(board.members[platoon]):
        if pos.hole[other] == place:
            pos.hole[other] = -1
            break
    pos.dug |= 1 << unit
    if emit:
        emit(Event("C5.3", "position-retaken", {"unit": board.ids[unit], "hex": board.labels[place]}))


def clear_positions(pos: CompanyPosition) -> None:
    """C5.5: positions that are still empty at the end of the Assault Step are removed."""
    pos.hole = [-1] * pos.board.count


class Regain(NamedTuple):
    """At the end of the Assault Step teams on marked positions are dug in again (C5.3 to C5.5)."""

    side: int

    @property
    def kind(self) -> str:
        """The kind of the decision."""
        return "positions"

    def decider(self, pos: CompanyPosition) -> int:
        """The side that was charged."""
        return self.side

    @staticmethod
    def _open(pos: CompanyPosition) -> tuple[int, int]:
        """Teams of the first platoon and hex that want a marked position, and how many there are."""
        for platoon in range(len(pos.board.platoons)):
            for place, number in sorted(free_positions(pos, platoon).items()):
                wanting = claimants(pos, platoon, place)
                if wanting:
                    return wanting, number
        return 0, 0

    def actors(self, pos: CompanyPosition) -> list[Actor]:
        """The teams that want the same positions."""
        return list(units(self._open(pos)[0]))

    def orders(self, pos: CompanyPosition, actor: Actor) -> list[Order]:
        """One order each."""
        return [pos.board.orders.once(Occupy, actor)]

    def check(self, pos: CompanyPosition, order: Order) -> Refusal | None:
        """One of them takes a position."""
        if not isinstance(order, Occupy):
            return Refusal("C5.5", "positions-first", {"order": str(order)})
        if self._open(pos)[0] >> order.unit & 1:
            return None
        return Refusal("C5.5", "no-position", {"unit": pos.board.ids[order.unit]})

    def play(self, pos: CompanyPosition, order: Order, dice: Dice, emit: Emit) -> None:
        """One team takes a position."""
        assert isinstance(order, Occupy)
        take_position(pos, order.unit, emit)

    def advance(self, pos: CompanyPosition, dice: Dice, emit: Emit) -> bool:
        """Where all fit, or are alike, nobody is asked; then what is empty is cleared away."""
        wanting, number = self._open(pos)
        if not wanting:
            clear_positions(pos)
            pos.frames.pop()
            return True
        if wanting.bit_count() > number and len(groups(pos, wanting)) > 1:
            return False
        for unit in units(wanting)[:number]:
            take_position(pos, unit, emit)
        return True
