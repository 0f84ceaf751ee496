"""Who may fire at what, and what an attack is made of (S8, S9, S14)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.systems.squad.referee.forces import Unit, by_range, half
from tests.systems.squad.referee.ground import AROUND, hex_of
from tests.systems.squad.referee.harm import Harm
from tests.systems.squad.referee.ledger import Window

ACTED = {"moved", "low-crawl", "fired"}


class Shooting(Harm):
    """Direct fire, opportunity fire and ordnance."""

    said_with = False
    """Whether the fire that is judged names its ordnance: only a vehicle names itself."""

    # -- what is in the way -------------------------------------------------------------------

    def against_fire(
        self, units: Sequence[Unit], place: str, weapon: str | None, target: str | None
    ) -> Iterator[str]:
        """The rules against units of one place firing at another, apart from whose turn it is."""
        for unit in units:
            yield from self.against_firer(unit)
        if len({u.place for u in units}) > 1:
            yield "S8.3"
            return
        start = str(units[0].place)
        side = units[0].side
        targets = self.at(place, self.foe(side))
        if not targets or not self.is_spotted(place, self.foe(side)) or all(u.hidden for u in targets):
            yield "S8.1"
        if place in self.melees:
            yield "S12.1"
        if self.hindrance(start, place) is None:
            yield "S10.1"
        distance = self.ground.distance(start, place)
        if weapon is not None:
            yield from self._against_ordnance(units, distance, weapon, target, place)
            return
        for unit in units:
            yield from self._against_reach(unit, distance)

    def against_firer(self, unit: Unit) -> Iterator[str]:
        if unit.shaken:
            yield "S11.6"
        if unit.place in self.melees:
            yield "S12.1"
        if "fired" in unit.markers:
            yield "S8.10"
            yield "S6.7"
        if "moved" in unit.markers:
            yield "S15"
            yield "S8.10"
            yield "S1.4"
        if "low-crawl" in unit.markers:
            yield "S7.7"
        if "stealth" in unit.markers and not self.stealthy_fire(unit):
            yield "S7.16"

    def _against_reach(self, unit: Unit, distance: int) -> Iterator[str]:
        """A unit takes part if it, or a weapon that it carries, has firepower that reaches."""
        guns = [g for g in (unit, *self.weapons(unit)) if g.fp > 0]
        if not guns:
            yield "S8.3"
            if unit.ordnance:
                yield "S14.4"
        elif all(distance > self.reach(gun) for gun in guns):
            yield "S8.1"
            yield "S8.9"

    def reach(self, gun: Unit) -> int:
        """How far a gun fires at all (S8.1, S8.9)."""
        return gun.value(1) * (2 if self.options["extended_range"] else 1)

    def _against_ordnance(
        self, units: Sequence[Unit], distance: int, weapon: str, target: str | None, place: str
    ) -> Iterator[str]:
        firer, gun = units[0], self.units.get(weapon)
        if len(units) > 1:
            yield "S14.4"
        own = gun is firer and (firer.vehicle or not self.said_with)
        # What a vehicle carries are passengers, which fire for themselves.
        carried = gun is not None and gun.carrier == firer.id and not firer.vehicle
        if gun is None or gun.ordnance is None or not (own or carried):
            yield "S14.4"
            return
        ordnance = gun.ordnance
        if distance < ordnance.get("minimum", 0) or by_range(ordnance["to_hit"], distance) is None:
            yield "S14.1"
            yield "S8.1"
        fixed = firer.vehicle and "turret" not in firer.armour and not self.ahead(firer, place)
        aim = self.units[target] if target else None
        missed = aim is not None and not (aim.vehicle and aim.side != firer.side and aim.place == place)
        blunt = aim is not None and by_range(ordnance.get("penetration", []), distance) is None
        if fixed or missed or blunt:
            yield "S14.2"

    def ahead(self, vehicle: Unit, place: str) -> bool:
        """Whether a place is in the half-circle that a vehicle faces (S14.2)."""
        ground = self.ground
        (q0, r0), (q1, r1) = ground.cell[hex_of(str(vehicle.place))], ground.cell[hex_of(place)]
        q, r = q1 - q0, r1 - r0
        x, y = 3 * q, 2 * r + q
        dq, dr = AROUND[vehicle.facing]
        fx, fy = 3 * dq, 2 * dr + dq
        return x * fx + 3 * y * fy >= 0

    # -- opportunity fire ---------------------------------------------------------------------

    def against_reaction(
        self, window: Window, units: Sequence[Unit], place: str, weapon: str | None, target: str | None
    ) -> Iterator[str]:
        """The rules against opportunity fire (S9)."""
        if place != window.place:
            yield "S9.1"
        if any(u.place in window.fired for u in units):
            yield "S9.5"
        yield from self.against_fire(units, place, weapon, target)

    # -- the attack ---------------------------------------------------------------------------

    def shoot(self, units: Sequence[Unit], place: str, *, reacting: bool) -> None:
        """Direct fire: everything that counts, by code (S8.2 to S8.4, S8.9, S9.6)."""
        start, side = str(units[0].place), units[0].side
        distance = self.ground.distance(start, place)
        parts = self._strength(units, distance, reacting)
        parts["leader"] = self.leaders_here(start, side)
        parts["adjacent"] = 2 if distance <= 1 and self.adjacent(start, place) else 0
        parts["degrading"] = -(self.hindrance(start, place) or 0)
        parts["after-moving"] = -2 if any(self._loses_two(u) for u in units) else 0
        parts["out-of-smoke"] = -1 if self.smoke.get(hex_of(start)) else 0
        parts["passenger"] = self._from_vehicles(units)
        parts["turned"] = -1 if any(u.vehicle and "turned" in u.markers for u in units) else 0
        dark = self.options["night"] and distance > 2 and hex_of(place) not in self.ground.lit
        parts["night"] = -3 if dark else 0
        targets = self.at(place, self.foe(side))
        for unit in units:
            self.mark(unit, "fired")
        self.attack(targets, {code: value for code, value in parts.items() if value}, start=start)

    def _strength(self, units: Sequence[Unit], distance: int, reacting: bool) -> dict[str, int]:
        """The lead in full, others at half, carried weapons in full (S8.3)."""
        reaching = [u for u in units if u.fp > 0 and distance <= self.reach(u)]
        own = {u.id: self._own_fp(u, reacting) for u in reaching}
        best = 0
        for lead in reaching:
            total = sum(
                self._at_range(u, own[u.id] if u is lead else half(own[u.id]), distance) for u in reaching
            )
            best = max(best, total)
        parts = {"strength": best, "weapon": 0}
        for unit in units:
            for weapon in self.weapons(unit):
                if weapon.fp > 0 and distance <= self.reach(weapon):
                    fp = half(weapon.fp) if reacting else weapon.fp
                    parts["weapon"] += self._at_range(weapon, fp, distance)
        return parts

    def _own_fp(self, unit: Unit, reacting: bool) -> int:
        if reacting and "ops-complete" in unit.markers:
            return half(unit.fp) if self.options["ops_complete_of"] == "half" else unit.fp - 1
        return unit.fp

    def _at_range(self, gun: Unit, fp: int, distance: int) -> int:
        return half(fp) if distance > gun.value(1) else fp

    def _loses_two(self, unit: Unit) -> bool:
        """Fire after an assault move, or a stealth move but for scouts, loses 2 (S6.5, S7.17)."""
        return "assault-move" in unit.markers or ("stealth" in unit.markers and unit.kind != "scout")

    def _from_vehicles(self, units: Sequence[Unit]) -> int:
        found = [self.units[u.carrier] for u in units if u.carrier]
        return min((-2 if self.in_motion(v) else -1 for v in found), default=0)

    def fire_ordnance(
        self, firer: Unit, weapon: str, place: str, target: str | None, *, reacting: bool
    ) -> None:
        """A roll to hit, and then the shell or the armour (S14)."""
        gun = self.units[weapon]
        assert gun.ordnance is not None
        start = str(firer.place)
        distance = self.ground.distance(start, place)
        foes = self.at(place, self.foe(firer.side))
        number = by_range(gun.ordnance["to_hit"], distance)
        assert number is not None
        aims = [self.units[target]] if target else foes
        parts = {
            "degrading": self.hindrance(start, place) or 0,
            "after-moving": int(bool(firer.markers & {"assault-move", "stealth"})),
            "reaction": 2 if reacting else 0,
            "moving-target": int(not reacting and any(self.in_motion(u) for u in aims)),
        }
        parts = {code: value for code, value in parts.items() if value}
        faces = [self.die(), self.die()]
        natural = sum(faces)
        hit = natural == 2 or (natural != 12 and natural + sum(parts.values()) <= number)
        self.mark(firer, "fired")
        self.tell(
            "ordnance-hits" if hit else "ordnance-misses",
            weapon=weapon,
            hex=place,
            number=number,
            parts=parts,
            faces=faces,
        )
        if not hit:
            return
        if target:
            self._at_armour(firer, gun, self.units[target], natural, distance)
        else:
            self.attack(foes, {"shell": gun.ordnance["he"]}, start=start)

    def _at_armour(self, firer: Unit, gun: Unit, aim: Unit, natural: int, distance: int) -> None:
        assert gun.ordnance is not None
        penetration = by_range(gun.ordnance["penetration"], distance)
        assert penetration is not None
        turret = "turret" in aim.armour and natural % 2 == 0 and natural > 2
        ahead, side = (int(n) for n in aim.armour["turret" if turret else "hull"].split("/"))
        front = self.ahead(aim, str(firer.place))
        self.pierced(aim, penetration, ahead if front else side)
