"""The teams and platoons of a scenario: printed values, ratings, whole hexes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hexengine.core.formats import in_language
from hexengine.mechanics.checking import Path
from hexengine.systems.company.board import KINDS, SIZES, Counter, PlatoonData
from hexengine.systems.company.scenario.arsenal import Arsenal
from hexengine.systems.company.scenario.format import PlatoonSection, TeamType, Unit

if TYPE_CHECKING:
    from hexengine.systems.company.scenario.build import Builder

STAND_IN = TeamType(id="?", name="?", kind="infantry", mobility="infantry")
"""What a team is taken for whose type is not known, so that all others keep their numbers."""
RATINGS = ("skill", "motivation")
"""What an Independent team needs beside its side."""


class Roster:
    """Reads ``[[platoon]]`` and ``[[unit]]``; Independent teams become platoons of their own.

    Every unit of the file has its counter, whatever is wrong with it.  Masks of units: ``untyped``, of an
    unknown type; ``homeless``, of an unknown platoon, which then stand as Independent teams; ``sideless``,
    of an unknown side.
    """

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.document = builder.document
        self.tables = builder.data["tables"]
        self.arsenal = Arsenal(builder)
        self.names = [one.id for one in self.document.platoon]
        self.untyped = 0
        self.homeless = 0
        self.sideless = 0

    def read(self) -> tuple[list[Counter], list[PlatoonData]]:
        """All counters and platoons."""
        document, builder = self.document, self.builder
        builder.unique("unit", [unit.id for unit in document.unit])
        builder.unique("platoon", self.names)
        self.arsenal.check()
        sides = [builder.side(("platoon", n, "side"), one.side) for n, one in enumerate(document.platoon)]
        counters: list[Counter] = []
        alone: list[tuple[str, int]] = []
        for number, unit in enumerate(document.unit):
            platoon = self._platoon_of(number, unit)
            if platoon is None:
                side = self._independent(number, unit) if unit.platoon is None else None
                platoon = len(self.names) + len(alone)
                alone.append((unit.id, side or 0))
            else:
                side = sides[platoon]
                self._check_own_side(number, unit, side)
            if side is None:
                self.sideless |= 1 << number
            counters.append(self._counter(number, unit, side or 0, platoon))
        for number, one in enumerate(document.platoon):
            self._check_platoon(number, one)
        return counters, self._platoons(counters, [side or 0 for side in sides], alone)

    def says_kind(self, unit: int, *keys: str) -> list[Path]:
        """The places that say of which kind a team is, and more of its type."""
        name = self.document.unit[unit].type
        return [("unit", unit, "type"), *self.arsenal.says(name, "kind", "size", *keys)]

    def _says_platoon(self, unit: int) -> list[Path]:
        """The places that say to which platoon a team belongs, or that it belongs to none."""
        keys = ("side", *RATINGS) if self.document.unit[unit].platoon is None else ()
        return [("unit", unit, key) for key in ("platoon", *keys)]

    def says_when(self, unit: int, *keys: str) -> list[Path]:
        """The places that say whether a team comes later, with its platoon, and more of that."""
        name = self.document.unit[unit].platoon
        found = self._says_platoon(unit)
        if name in self.names:
            number = self.names.index(name)
            found += [("platoon", number, key) for key in ("reserve", "ambush", *keys)]
        return found

    def says_side(self, unit: int) -> list[Path]:
        """The places that say of which side a team is."""
        given = self.document.unit[unit]
        found: list[Path] = [("unit", unit, "platoon"), ("unit", unit, "side")]
        if given.platoon in self.names:
            found.append(("platoon", self.names.index(given.platoon), "side"))
        return found

    def _platoon_of(self, number: int, unit: Unit) -> int | None:
        """The number of a team's platoon; None for an Independent team, and for an unknown one."""
        if unit.platoon is None:
            return None
        # of two platoons with one name either may have been meant to have the missing one
        given: list[Path] = [("platoon", other, "id") for other in range(len(self.names))]
        path = ("unit", number, "platoon")
        found = self.builder.known(path, "platoon", unit.platoon, self.names, rests_on=given)
        if found is None:
            self.homeless |= 1 << number
        return found

    def _independent(self, number: int, unit: Unit) -> int | None:
        """The side of an Independent team."""
        path = ("unit", number)
        if unit.id in self.names:
            text = f"{unit.id!r} is the id of a platoon"
            self.builder.report((*path, "id"), text, rests_on=[(*path, "platoon")])
        missing = [key for key in ("side", *RATINGS) if getattr(unit, key) is None]
        if missing:
            text = f"{unit.id} belongs to no platoon: an Independent team needs {', '.join(missing)}"
            rests_on = [(*path, "platoon"), *[(*path, key) for key in missing]]
            advice = f"or give platoon = {self.names[0]!r}" if self.names else None
            self.builder.report((*path, missing[0]), text, advice, rests_on=rests_on)
        return None if unit.side is None else self.builder.side((*path, "side"), unit.side)

    def _check_own_side(self, number: int, unit: Unit, side: int | None) -> None:
        """A team of a platoon is of its side, and need not say so."""
        path = ("unit", number, "side")
        own = None if unit.side is None else self.builder.side(path, unit.side)
        if own is not None and side is not None and own != side:
            text = f"{unit.id} is of the side of its platoon {unit.platoon}"
            self.builder.report(path, text, "leave it out", rests_on=[("unit", number, "platoon")])

    def _check_platoon(self, number: int, one: PlatoonSection) -> None:
        path = ("platoon", number)
        places = [place for unit in range(len(self.document.unit)) for place in self._says_platoon(unit)]
        if one.id and not any(unit.platoon == one.id for unit in self.document.unit):
            self.builder.report((*path, "id"), f"{one.id} has no teams", rests_on=places)
        comes = [(*path, "reserve"), (*path, "ambush")]
        if one.reserve and one.ambush:
            text = f"{one.id} is a reserve or an ambush, not both"
            self.builder.report((*path, "ambush"), text, rule="C10.2", rests_on=comes)
        if (one.reserve or one.ambush) and not one.hexes:
            rests_on = [*comes, (*path, "hexes")]
            advice = 'hexes = ["0101"]'
            text = f"{one.id} needs hexes to come in"
            self.builder.report((*path, "id"), text, advice, rule="C10.2", rests_on=rests_on)
        if one.hexes and not (one.reserve or one.ambush):
            text = f"{one.id} is neither reserve nor ambush and comes in no hexes"
            self.builder.report((*path, "hexes"), text, rule="C10.2", rests_on=comes)

    def _counter(self, number: int, unit: Unit, side: int, platoon: int) -> Counter:
        arsenal, tables = self.arsenal, self.tables
        names = list(arsenal.types)
        kind = STAND_IN
        if self.builder.known(("unit", number, "type"), "team type", unit.type, names) is None:
            self.untyped |= 1 << number
        else:
            kind = arsenal.types[unit.type]
        section = self.document.platoon[platoon] if platoon < len(self.names) else None
        skill = unit.skill or (section.skill if section else "trained")
        motivation = unit.motivation or (section.motivation if section else "confident")
        return Counter(
            unit.id,
            kind.id,
            in_language(unit.name) or in_language(kind.name),
            side,
            platoon,
            KINDS.index(kind.kind),
            SIZES.index(kind.size or ""),
            tables.skill[skill],
            tables.motivation[motivation],
            tables.to_hit[skill],
            self._save(kind),
            arsenal.allowance(kind),
            arsenal.takes_checks(kind),
            arsenal.armour(kind),
            arsenal.weapons(kind),
            kind.assault_at,
            arsenal.barrage(kind),
            frozenset(kind.flags),
        )

    def _save(self, kind: TeamType) -> int:
        saves = self.tables.saves
        if kind.kind == "vehicle":
            return int(saves["unarmoured"])
        return int(saves["man-packed" if kind.size == "man-packed" else kind.kind])

    def _platoons(
        self, counters: Sequence[Counter], sides: Sequence[int], alone: Sequence[tuple[str, int]]
    ) -> list[PlatoonData]:
        sections = self.document.platoon
        found = []
        for number in range(len(sections) + len(alone)):
            members = [unit for unit, counter in enumerate(counters) if counter.platoon == number]
            mask = sum(1 << unit for unit in members)
            skill = max((counters[unit].skill for unit in members), default=7)
            motivation = max((counters[unit].motivation for unit in members), default=7)
            tanks = any("tank" in counters[unit].flags for unit in members)
            if number < len(sections):
                one = sections[number]
                distance = self._command(one.skill, tanks)
                name = in_language(one.name) or one.id
                found.append(
                    PlatoonData(one.id, name, sides[number], mask, skill, motivation, distance, False,
                                one.reserve, one.ambush, 0)
                )  # fmt: skip
            else:
                name, side = alone[number - len(sections)]
                found.append(PlatoonData(name, name, side, mask, skill, motivation, 0, True, False, False, 0))
        return found

    def _command(self, skill: str, tanks: bool) -> int:
        """C10.3: the command distance of a platoon in hexes."""
        distances = self.tables.distances
        return self.builder.scale.hexes((distances.command_tanks if tanks else distances.command)[skill])
