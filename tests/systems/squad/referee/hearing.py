"""Whether an order is legal, and if not by which rules it may be refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tests.systems.squad.referee.brawling import Brawling
from tests.systems.squad.referee.forces import MOVING_MARKERS, Unit
from tests.systems.squad.referee.ground import floor_of, hex_of
from tests.systems.squad.referee.ledger import Group

MODES = ("assault", "double", "crawl", "stealth")
ANY = "*"
"""Stands for whatever rule: the order is one for another time."""
VERBS = {
    "rally": {"rally", "treat", "take", "split", "join", "done"},
    "operations": {
        "move",
        "fire",
        "activate",
        "spot",
        "smoke",
        "call",
        "face",
        "load",
        "unload",
        "melee",
        "end",
    },
    "group": {"move", "fire", "unload", "done"},
    "reaction": {"fire", "pass"},
    "melee": {"strike"},
}


class Hearing(Brawling):
    """Objections to orders."""

    @property
    def decision(self) -> tuple[str, str] | None:
        """Whose decision it is, and of what kind; None when the game is over."""
        if self.result is not None:
            return None
        if self.brawl is not None:
            return self.striker(self.brawl), "melee"
        if self.window is not None:
            return self.foe(self.window.side), "reaction"
        if self.group is not None:
            return self.side, "group"
        return self.side, self.phase

    def against(self, text: str) -> set[str]:
        """The rules by which an order may be refused; none if it is legal."""
        return set(self._objections(text))

    def legal(self, text: str) -> bool:
        return next(self._objections(text), None) is None

    def _objections(self, text: str) -> Iterator[str]:
        assert self.decision is not None
        side, kind = self.decision
        verb, *words = text.split()
        if kind == "group" and verb in VERBS["operations"] - VERBS["group"]:
            yield "S2.6"
        elif verb not in VERBS[kind]:
            yield ANY
        elif verb not in ("done", "pass", "end"):
            yield from getattr(self, f"_{kind}_{verb}")(side, words)

    def named(self, names: str) -> list[Unit]:
        """Units by their ids, in the order of the scenario."""
        wanted = set(names.split(","))
        return [u for u in self.units.values() if u.id in wanted]

    # -- rally and melee ----------------------------------------------------------------------

    def _mine(self, side: str, *units: Unit) -> Iterator[str]:
        if any(not u.here or u.event or u.spare or u.side != side for u in units):
            yield ANY

    def _of_the_phase(self, side: str, unit: Unit) -> Iterator[str]:
        """The rules against a unit that would do something in the Rally Phase."""
        yield from self._mine(side, unit)
        if unit.id in self.handled:
            yield "S11.1"
        if unit.place in self.melees:
            yield "S12.1"

    def _rally_rally(self, side: str, words: list[str]) -> Iterator[str]:
        unit = self.units[words[0]]
        yield from self._of_the_phase(side, unit)
        yield from self.against_rally(unit)

    def _rally_treat(self, side: str, words: list[str]) -> Iterator[str]:
        yield from self._by_one_able(side, words, self.against_treating)

    def _rally_take(self, side: str, words: list[str]) -> Iterator[str]:
        yield from self._by_one_able(side, words, self.against_taking)

    def _rally_join(self, side: str, words: list[str]) -> Iterator[str]:
        yield from self._by_one_able(side, words, self.against_joining)

    def _by_one_able(
        self, side: str, words: list[str], rules: Callable[[Unit, Unit], Iterator[str]]
    ) -> Iterator[str]:
        unit, other = self.units[words[0]], self.units[words[1]]
        yield from self._of_the_phase(side, unit)
        if unit.shaken:
            yield "S11.6"
        if unit.carrier:
            yield "S8.4"
        yield from rules(unit, other)

    def _rally_split(self, side: str, words: list[str]) -> Iterator[str]:
        unit = self.units[words[0]]
        yield from self._of_the_phase(side, unit)
        if unit.shaken:
            yield "S11.6"
        if unit.carrier:
            yield "S8.4"
        yield from self.against_splitting(unit)

    def _melee_strike(self, side: str, words: list[str]) -> Iterator[str]:
        assert self.brawl is not None
        yield from self.against_striking(self.brawl, self.named(words[0]))

    # -- acting in an impulse -----------------------------------------------------------------

    def against_acting(self, unit: Unit) -> Iterator[str]:
        """The rules against a unit that would be activated now (S1.4, S2.1, S2.8, S12.1)."""
        yield from self._mine(self.side, unit)
        if unit.place in self.melees:
            yield "S12.1"
        if unit.carrier:
            yield "S8.4"
        if self.active and unit.place not in self.active:
            yield "S2.2" if self.led else "S2.1"
        if "ops-complete" in unit.markers:
            yield "S2.8"
        if unit.markers & {"moved", "low-crawl", "stealth", "assault-move", "fired"}:
            yield "S6.7" if {"assault-move", "fired"} <= unit.markers else "S1.4"

    def _doing(self, unit: Unit) -> Iterator[str]:
        """Acts that are neither a move nor fire: not of passengers, Shaken units, or who placed smoke."""
        yield from self.against_acting(unit)
        if unit.shaken:
            yield "S11.6"
        if unit.smoked:
            yield "S8.12"

    def _operations_move(self, side: str, words: list[str]) -> Iterator[str]:
        units, place, modes = self.named(words[0]), words[1], set(words[2:])
        for unit in units:
            yield from self.against_acting(unit)
        if len({u.place for u in units}) > 1:
            yield "S2.4"
            return
        if units[0].place in self.moved_from:
            yield "S2.4"
        yield from self.against_ways(units, modes)
        yield from self.against_step(units, place, modes, self.cap(units, modes), first=True)

    def _group_move(self, side: str, words: list[str]) -> Iterator[str]:
        group = self.group
        assert group is not None
        if len(words) > 2:
            yield "S6.3"
        going = self.going_on(group)
        if words[0] and set(words[0].split(",")) != {u.id for u in going}:
            yield from ("S2.4", "S2.5", "S5.4", "S2.1")
        if going:
            yield from self.against_step(going, words[1], group.modes, group.cap, first=False)

    def _fire_words(self, words: list[str]) -> tuple[list[Unit], str, str | None, str | None]:
        units, place = self.named(words[0]), words[1]
        weapon = words[words.index("with") + 1] if "with" in words else None
        target = words[words.index("at") + 1] if "at" in words else None
        alone = units[0]
        self.said_with = weapon is not None
        if weapon is None and alone.kind == "team" and alone.ordnance and len(units) == 1:
            weapon = alone.id
        return units, place, weapon, target

    def _reaction_fire(self, side: str, words: list[str]) -> Iterator[str]:
        assert self.window is not None
        units, place, weapon, target = self._fire_words(words)
        yield from self._mine(side, *units)
        if all(u.here for u in units):
            yield from self.against_reaction(self.window, units, place, weapon, target)

    def _group_fire(self, side: str, words: list[str]) -> Iterator[str]:
        assert self.group is not None
        if not self.group.modes & {"assault", "stealth"}:
            yield "S2.6"
        if any(u.id in self.stopped for u in self.named(words[0])):
            yield "S2.5"
        yield from self._own_fire(words)

    def _operations_fire(self, side: str, words: list[str]) -> Iterator[str]:
        yield from self._own_fire(words)

    def _own_fire(self, words: list[str]) -> Iterator[str]:
        units, place, weapon, target = self._fire_words(words)
        yield from self._mine(self.side, *units)
        if any(not u.here for u in units):
            return
        for unit in units:
            yield from self._against_activation_to_fire(unit)
        yield from self._against_another_target(units, place, weapon)
        yield from self.against_fire(units, place, weapon, target)

    def _against_activation_to_fire(self, unit: Unit) -> Iterator[str]:
        if self.fire_group(unit) is None and (
            (self.active and unit.place not in self.active) or self.group is not None
        ):
            yield "S2.2" if self.led else "S2.1"
        if self.group is not None and unit.id not in self.group.units:
            yield from ("S2.6", "S2.4", "S2.1")
        if "ops-complete" in unit.markers:
            yield "S2.8"
        if unit.smoked and not unit.markers & set(MOVING_MARKERS):
            yield "S8.12"

    def fire_group(self, unit: Unit) -> Group | None:
        """The group with which a unit has moved, or ridden, in this impulse."""
        for group in self.groups:
            if unit.id in group.units or unit.id in group.aboard:
                return group
        return None

    def fire_key(self, unit: Unit) -> tuple[str, str]:
        """As whose unit one fires (S2.4): of the place where it stood, gone from there or not."""
        group = self.fire_group(unit)
        return (str(unit.place), "stood") if group is None else (group.origin, "moved")

    def _against_another_target(self, units: Sequence[Unit], place: str, weapon: str | None) -> Iterator[str]:
        if weapon is not None:
            return
        for key in {self.fire_key(u) for u in units}:
            if key in self.fired_from or self.fired_at.get(key[0], place) != place:
                yield "S2.4"

    # -- other acts ---------------------------------------------------------------------------

    def _operations_activate(self, side: str, words: list[str]) -> Iterator[str]:
        unit = self.units[words[0]]
        yield from self._doing(unit)
        if unit.kind != "leader":
            yield "S2.2"
            return
        if unit.wounded or self.active:
            yield "S2.2"
        if unit.here and len(self.led_places(unit)) < 2:
            yield "S2.2"

    def led_places(self, leader: Unit) -> list[str]:
        """The places to which a leader spreads an activation (S2.1, S2.2)."""
        reach = self.options["leader_range"]
        place = str(leader.place)
        found = set()
        for unit in self.on_map(leader.side):
            spot = str(unit.place)
            same = hex_of(spot) == hex_of(place)
            level = floor_of(spot) == floor_of(place)
            if same or (level and self.ground.distance(spot, place) <= reach):
                found.add(spot)
        return sorted(found)

    def _operations_spot(self, side: str, words: list[str]) -> Iterator[str]:
        unit, place = self.units[words[0]], words[1]
        yield from self._doing(unit)
        if self.looked:
            yield "S10.6"
        if not unit.here:
            return
        targets = [u for u in self.at(place, self.foe(side)) if not u.hidden]
        if not targets or self.is_spotted(place, self.foe(side)) or place in self.melees:
            yield "S10.6"
        if self.hindrance(str(unit.place), place) is None:
            yield "S10.1"

    def _operations_smoke(self, side: str, words: list[str]) -> Iterator[str]:
        unit, place = self.units[words[0]], words[1]
        yield from self._doing(unit)
        if not unit.squads or not unit.type.get("smoke"):
            yield "S8.12"
        if unit.here and self.ground.distance(str(unit.place), place) > 1:
            yield "S8.12"
        if self.smoke.get(hex_of(place)) == 2:
            yield "S8.12"

    def _operations_call(self, side: str, words: list[str]) -> Iterator[str]:
        unit, place = self.units[words[0]], words[1]
        yield from self._doing(unit)
        if unit.kind != "leader" and "artillery" not in unit.flags:
            yield "S13.3"
        if not self.missions[side]:
            yield "S13.3"
        if unit.here and (unit.place == place or self.hindrance(str(unit.place), place) is None):
            yield "S10.1"

    def _operations_face(self, side: str, words: list[str]) -> Iterator[str]:
        unit, place = self.units[words[0]], words[1]
        yield from self.against_acting(unit)
        if unit.shaken:
            yield "S11.6"
        if not unit.vehicle or "turned" in unit.markers:
            yield "S4.10"
            return
        if unit.here:
            start = str(unit.place)
            if place not in self.ground.next_to(start):
                yield "S4.10"
                return
            turns = self.turns(unit, self.ground.direction(start, place))
            if not turns or turns > self.mf(unit) - unit.spent:
                yield "S4.10"

    def _operations_load(self, side: str, words: list[str]) -> Iterator[str]:
        unit, vehicle = self.units[words[0]], self.units[words[1]]
        yield from self.against_acting(unit)
        if unit.shaken:
            yield "S11.6"
        yield from self._mine(side, vehicle)
        if unit.vehicle or unit.weapon or self.mf(unit) < 1:
            yield from ("S8.4", "S4.3")
        if not vehicle.vehicle or unit.place != vehicle.place or vehicle.place in self.melees:
            yield "S8.4"
            return
        taken = sum(self.seats(p) for p in self.passengers(vehicle))
        if taken + self.seats(unit) > vehicle.type.get("seats", 0):
            yield "S8.4"

    def seats(self, unit: Unit) -> int:
        return 2 if unit.kind in ("squad", "team") else 1

    def _operations_unload(self, side: str, words: list[str]) -> Iterator[str]:
        vehicle = self.units[words[0]]
        yield from self.against_acting(vehicle)
        if not vehicle.vehicle or not self.passengers(vehicle):
            yield "S8.4"
        if vehicle.shaken:
            yield "S11.6"

    def _group_unload(self, side: str, words: list[str]) -> Iterator[str]:
        assert self.group is not None
        vehicle = self.units[words[0]]
        if self.going_on(self.group) != [vehicle]:
            yield "S2.6"
        if vehicle.id not in self.group.units or not vehicle.vehicle or not self.passengers(vehicle):
            yield "S8.4"
        if vehicle.shaken:
            yield "S11.6"

    def _operations_melee(self, side: str, words: list[str]) -> Iterator[str]:
        place = words[0]
        if place not in self.melees or not self.at(place, side):
            yield "S12.1"
        if place in self.fought:
            yield "S12.2"
        if self.acted:
            yield "S2.1"
