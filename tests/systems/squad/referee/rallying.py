"""The Rally Phase (S11)."""

from __future__ import annotations

from collections.abc import Iterator

from tests.systems.squad.referee.forces import Unit
from tests.systems.squad.referee.marching import Marching


class Rallying(Marching):
    """What units do before the impulses."""

    def against_rally(self, unit: Unit) -> Iterator[str]:
        place = str(unit.place)
        if unit.id in self.handled:
            yield "S11.1"
        if not unit.shaken:
            yield "S11.1"
            return
        if place in self.melees:
            yield "S11.1"
            yield "S12.1"
        mates = [u for u in self.at(place, unit.side) if u is not unit]
        if unit.kind != "leader" and any(
            u.kind == "leader" and u.shaken and u.id not in self.handled for u in mates
        ):
            yield "S11.1"
        alone = unit.vehicle or unit.single or unit.kind == "team" or "self-rally" in unit.flags
        if not alone and not any(u.kind in ("leader", "hero") and u.able for u in mates):
            yield "S11.1"

    def rally(self, unit: Unit) -> None:
        place = str(unit.place)
        cover = 2 if sum(self.ground.cover(place)) > 0 else 0
        lm = 0 if unit.kind == "leader" else self.leaders_here(place, unit.side)
        number = unit.morale + cover + lm
        faces = self.roll(2, number < 12)
        good = sum(faces) <= number
        self.tell(
            "rallied" if good else "not-rallied",
            unit=unit.id,
            faces=faces,
            morale=unit.morale,
            cover=cover,
            lm=lm,
        )
        self.handled.add(unit.id)
        if good:
            unit.shaken = False

    def against_treating(self, medic: Unit, other: Unit) -> Iterator[str]:
        if medic.kind != "medic" or not medic.able or medic.id in self.handled:
            yield "S11.2"
        if other is medic or other.weapon or other.side != medic.side or other.place != medic.place:
            yield "S11.2"
        if not ((other.wounded and other.single) or other.shaken):
            yield "S11.2"
        if medic.place in self.melees:
            yield "S12.1"
            yield "S11.1"

    def treat(self, medic: Unit, other: Unit) -> None:
        face = self.die()
        self.handled.add(medic.id)
        self.tell("treated" if face <= 4 else "not-treated", unit=medic.id, other=other.id, faces=[face])
        if face > 4:
            return
        if other.wounded:
            other.wounded = False
        else:
            other.shaken = False

    def against_taking(self, unit: Unit, weapon: Unit) -> Iterator[str]:
        if not weapon.weapon or weapon.dead or weapon.place != unit.place or weapon.carrier == unit.id:
            yield "S11.4"
            return
        if not unit.able or unit.vehicle or unit.kind == "team" or unit.id in self.handled:
            yield "S11.4"
        if self.weapons(unit) or weapon.id in self.taken:
            yield "S11.4"
        if weapon.carrier is not None:
            holder = self.units[weapon.carrier]
            if holder.side != unit.side or not holder.able:
                yield "S11.4"

    def take(self, unit: Unit, weapon: Unit) -> None:
        weapon.carrier, weapon.place, weapon.side = unit.id, unit.place, unit.side
        self.taken.add(weapon.id)
        self.tell("takes", unit=unit.id, other=weapon.id)

    def against_splitting(self, unit: Unit) -> Iterator[str]:
        if unit.kind != "squad" or not unit.able or unit.id in self.handled:
            yield "S11.3"
        if not self.leaders_in_order(str(unit.place), unit.side) or self.spare_for(unit) is None:
            yield "S11.3"

    def spare_for(self, unit: Unit) -> Unit | None:
        """A counter for its other half: its own, or another one of its type that is free."""
        free = [u for u in self.units.values() if u.spare and u.type is unit.type and u.side == unit.side]
        return next((u for u in free if u.id == f"{unit.id}-b"), free[0] if free else None)

    def split(self, unit: Unit) -> None:
        other = self.spare_for(unit)
        assert other is not None
        self.tell("splits", unit=unit.id, other=other.id)
        other.spare = False
        other.place, other.side = unit.place, unit.side
        unit.reduced = other.reduced = True
        self.handled |= {unit.id, other.id}

    def against_joining(self, unit: Unit, other: Unit) -> Iterator[str]:
        one = unit.type["id"] == other.type["id"] and unit.reduced and other.reduced and unit is not other
        if not one or unit.place != other.place or unit.side != other.side:
            yield "S11.3"
            return
        if other.carrier:
            yield "S8.4"
        if not unit.able or not other.able or {unit.id, other.id} & self.handled:
            yield "S11.3"
        if not self.leaders_in_order(str(unit.place), unit.side):
            yield "S11.3"

    def join(self, unit: Unit, other: Unit) -> None:
        self.tell("joins", unit=unit.id, other=other.id)
        for weapon in self.weapons(other):
            weapon.carrier = weapon.side = None
            self.tell("dropped", weapon=weapon.id, hex=unit.place)
        unit.reduced = False
        other.reduced = other.shaken = False
        other.spare, other.place, other.carrier = True, None, None
        self.handled.add(unit.id)
