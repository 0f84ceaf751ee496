"""Who may move where and how, and what a step costs (S3 to S7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.systems.squad.referee.forces import Unit, half
from tests.systems.squad.referee.ground import hex_of
from tests.systems.squad.referee.ledger import Group
from tests.systems.squad.referee.shooting import Shooting

NO_CAP = 99


class Marching(Shooting):
    """Steps of groups."""

    # -- allowances ---------------------------------------------------------------------------

    def hurriers(self, unit: Unit, along: Sequence[Unit]) -> list[Unit]:
        """Leaders in good order of its family who go along (S7.1)."""
        return [
            u for u in along if u.kind == "leader" and u.able and u.family == unit.family and u is not unit
        ]

    def cap(self, units: Sequence[Unit], modes: set[str]) -> int:
        """The MF of the slowest leader of a group at the double; it stays when he is lost (S7.2, S7.3)."""
        leaders = [self.mf(u) for u in units if u.kind == "leader" and u.able]
        return min(leaders) if "double" in modes and leaders else NO_CAP

    def allowance(self, unit: Unit, along: Sequence[Unit], modes: set[str], cap: int) -> int:
        """What a unit may spend in its activation (S4.2, S6.4, S7.1 to S7.4)."""
        mf = min(self.mf(unit) + self.bonus(unit, along, modes), cap)
        return half(mf) if "assault" in modes else mf

    def bonus(self, unit: Unit, along: Sequence[Unit], modes: set[str]) -> int:
        """What double time adds to the MF."""
        if "double" not in modes or unit.kind in ("team", "leader", "vehicle"):
            return 0
        return 2 if self.hurriers(unit, along) else 0

    def left(self, units: Sequence[Unit], modes: set[str], cap: int) -> int:
        """MP that a group has left: those of its slowest member."""
        return min(self.allowance(u, units, modes, cap) - u.spent for u in units)

    def price(self, unit: Unit, place: str) -> int | None:
        """MP of a step, a vehicle's turns included; None where it is prohibited (S4.1, S4.10)."""
        start = str(unit.place)
        cost = self.ground.cost(start, place, "vehicle" if unit.vehicle else "leg")
        if cost is None or not unit.vehicle:
            return cost
        if hex_of(start) == hex_of(place):
            return None
        return cost + self.turns(unit, self.ground.direction(start, place))

    def turns(self, vehicle: Unit, direction: int) -> int:
        off = (direction - vehicle.facing) % 6
        return min(off, 6 - off)

    # -- what is in the way -------------------------------------------------------------------

    def against_ways(self, units: Sequence[Unit], modes: set[str]) -> Iterator[str]:
        """The rules against moving in this way at all (S6, S7)."""
        if len(modes & {"assault", "crawl", "stealth"}) > 1:
            yield "S2.4"
        if {"double", "crawl"} <= modes or {"double", "stealth"} <= modes:
            yield "S7.6"
        if any(u.vehicle for u in units) and len(units) > 1:
            yield "S2.4"
        for unit in units:
            if "assault" in modes and not self._assaults(unit):
                yield "S6.2" if unit.kind == "leader" else "S6.1"
                yield "S7.18"
            if "crawl" in modes and unit.kind == "team":
                yield "S7.11"
                yield "S7.18"
            if "crawl" in modes and unit.vehicle:
                yield "S7.7"
            if "stealth" in modes and "stealth" not in unit.flags:
                yield "S7.12"
                yield "S7.18"
        leaders = [u for u in units if u.kind == "leader" and u.able]
        if "double" in modes and (not leaders or len(leaders) == len(units)):
            yield "S7.1"

    def _assaults(self, unit: Unit) -> bool:
        """A red box, or a leader beside units of his family that have one (S6.1, S6.2)."""
        if "assault" in unit.flags:
            return True
        return unit.kind == "leader" and any(
            "assault" in u.flags and u.family == unit.family and u is not unit
            for u in self.at(str(unit.place), unit.side)
        )

    def against_step(
        self, units: Sequence[Unit], place: str, modes: set[str], cap: int, *, first: bool
    ) -> Iterator[str]:
        """The rules against one step of a group (S3.2, S4, S6.11, S11.6, S12.1)."""
        start = str(units[0].place)
        if place not in self.ground.steps(start):
            yield from ("S4.1", "S7.10")
            return
        prices = [self.price(u, place) for u in units]
        if any(price is None for price in prices):
            yield "S4.10"
        if not self.room(place, units[0].side, units):
            yield "S3.2"
        foes = self.at(place, self.foe(units[0].side))
        if foes:
            if any(u.shaken for u in units):
                yield from ("S11.6", "S12.1")
            if "assault" in modes and not self.options["am_may_enter_melee"]:
                yield "S6.11"
            if any(u.vehicle for u in units):
                yield "S12.1"
        yield from self._against_shaken(units, start, place)
        if not first and "crawl" in modes:
            yield "S7.7"
        if any(price is None for price in prices):
            return
        cost = max(p for p in prices if p is not None)
        yield from self._against_spending(units, cost, modes, self.left(units, modes, cap), first)

    def _against_spending(
        self, units: Sequence[Unit], cost: int, modes: set[str], left: int, first: bool
    ) -> Iterator[str]:
        whole = min(u.value(2) + self.bonus(u, units, modes) for u in units)
        if modes & {"assault", "crawl"} and cost >= whole:
            yield "S4.5"
        if any(self.mf(u) < 1 for u in units):
            yield "S4.3"
            return
        if cost > left:
            if "assault" in modes:
                yield "S6.4"
            elif not first:
                yield "S4.1"

    def _against_shaken(self, units: Sequence[Unit], start: str, place: str) -> Iterator[str]:
        """Who is Shaken does not come closer to an enemy that he sees (S4.4)."""
        if not any(u.shaken for u in units):
            return
        side = units[0].side
        for foe in self.on_map(self.foe(side)):
            spot = str(foe.place)
            if foe.hidden or not self.is_spotted(spot, foe.side):
                continue
            seen_there = self.hindrance(spot, place) is not None
            if self.options["shaken_move"] == "out_of_los":
                if seen_there:
                    yield "S4.4"
                continue
            seen = seen_there or self.hindrance(spot, start) is not None
            if seen and self.ground.distance(spot, place) < self.ground.distance(spot, start):
                yield "S4.4"

    # -- the step -----------------------------------------------------------------------------

    def step(self, group: Group, place: str) -> None:
        """A group makes a step: it pays, it is there, and then the five steps run (S5.1)."""
        units = self.going_on(group)
        start, side = str(units[0].place), str(units[0].side)
        prices = [self.price(u, place) for u in units]
        cost = max(p for p in prices if p is not None)
        left = self.left(units, group.modes, group.cap)
        paid = cost if "crawl" in group.modes else min(cost, max(0, left))
        for unit in units:
            unit.spent += paid
            unit.markers |= self._markers(group.modes)
            if unit.vehicle:
                unit.facing = self.ground.direction(start, place)
        seen = self.is_spotted(start, side)
        caught = not self.is_spotted(place, self.foe(side))
        for unit in units:
            self.move_to(unit, place)
        self.tell(
            "move",
            units=[u.id for u in units],
            **{"from": start},
            hex=place,
            cost=float(cost),
            left=float(left - paid),
        )
        came = [one for unit in units for one in (unit, *self.passengers(unit))]
        if any(one.able and self.holds(one) for one in came) and not self.at(place, self.foe(side)):
            self.control[hex_of(place)] = side
        self.hold_ground()
        if not self.at(start, side):
            self.spotted.discard((start, side))
        self.arrive(units, place, seen=seen, caught=caught)

    def _markers(self, modes: set[str]) -> set[str]:
        if "crawl" in modes:
            return {"low-crawl"}
        if "stealth" in modes:
            return {"stealth"}
        if "assault" in modes:
            return {"assault-move"}
        return {"moved"}

    def arrive(self, units: Sequence[Unit], place: str, *, seen: bool, caught: bool) -> None:
        """Fire for effect and mines, events, melee, who is revealed; then the window (S5.1, S9.7)."""
        raise NotImplementedError

    def going_on(self, group: Group) -> list[Unit]:
        """Those of a group who are not stopped (S2.5, S5.5)."""
        found = []
        for name in group.units:
            unit = self.units[name]
            if unit.here and name not in self.stopped and unit.place not in self.melees:
                found.append(unit)
        return found
