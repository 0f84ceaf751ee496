"""The teams and platoons of a scenario: printed values, ratings, whole hexes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hexengine.core.formats import in_language
from hexengine.systems.company.board import KINDS, SIZES, Barrage, Counter, PlatoonData, Weapon
from hexengine.systems.company.format import MobilityRow, TeamType, Unit, WeaponRow

if TYPE_CHECKING:
    from hexengine.systems.company.build import Builder


class Roster:
    """Reads ``[[platoon]]`` and ``[[unit]]``; Independent teams become platoons of their own."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.document = builder.document
        self.tables = builder.data["tables"]
        units = builder.data["units"]
        self.types: dict[str, TeamType] = {one.id: one for one in units.type}
        self.types.update({one.id: one for one in self.document.type})
        weapons: dict[str, WeaponRow] = {one.id: one for one in units.weapon}
        self._own = {one.id for one in self.document.weapon}
        weapons.update({one.id: one for one in self.document.weapon})
        self.numbers = {name: number for number, name in enumerate(weapons)}
        self._rows = weapons
        self._mobility: dict[str, MobilityRow] = {one.id: one for one in builder.data["terrain"].mobility}
        self._allowances: dict[str, tuple[int, int, int]] = {}
        self._weapons: dict[str, Weapon] = {}

    def read(self) -> tuple[list[Counter], list[PlatoonData]]:
        """All counters and platoons, as far as they are right."""
        document, builder = self.document, self.builder
        builder.unique("unit", [unit.id for unit in document.unit])
        builder.unique("type", [one.id for one in document.type])
        builder.unique("platoon", [one.id for one in document.platoon])
        names = [one.id for one in document.platoon]
        sides = [builder.side(("platoon", n, "side"), one.side) for n, one in enumerate(document.platoon)]
        counters: list[Counter] = []
        alone: list[tuple[str, int]] = []
        for number, unit in enumerate(document.unit):
            path = ("unit", number)
            if builder.known((*path, "type"), "team type", unit.type, list(self.types)) is None:
                continue
            if unit.platoon is not None:
                platoon = builder.known((*path, "platoon"), "platoon", unit.platoon, names)
                side = sides[platoon] if platoon is not None else None
            else:
                platoon, side = len(names) + len(alone), self._independent(number, unit, names)
                if side is not None:
                    alone.append((unit.id, side))
            if platoon is not None and side is not None:
                counters.append(self._counter(number, unit, side, platoon))
        if builder.faults:
            return [], []
        return counters, self._platoons(counters, alone)

    def _independent(self, number: int, unit: Unit, names: Sequence[str]) -> int | None:
        path = ("unit", number)
        if unit.id in names:
            self.builder.report((*path, "id"), f"{unit.id!r} is the id of a platoon")
        missing = [key for key in ("side", "skill", "motivation") if getattr(unit, key) is None]
        if missing:
            text = f"{unit.id} belongs to no platoon: an Independent team needs {', '.join(missing)}"
            self.builder.report(path, text, f"or give platoon = {names[0]!r}" if names else None)
            return None
        assert unit.side is not None
        return self.builder.side((*path, "side"), unit.side)

    def _counter(self, number: int, unit: Unit, side: int, platoon: int) -> Counter:
        kind, tables = self.types[unit.type], self.tables
        section = self.document.platoon[platoon] if platoon < len(self.document.platoon) else None
        skill = unit.skill or (section.skill if section else "trained")
        motivation = unit.motivation or (section.motivation if section else "confident")
        if kind.kind == "gun" and kind.size is None:
            self.builder.report(
                ("unit", number, "type"), f"{kind.id}: a gun needs its size", 'size = "light"'
            )
        armour = None
        if kind.armour is not None:
            front, flank, top = map(int, kind.armour.split("/"))
            armour = (front, flank, top)
        barrage = None
        if kind.bombardment is not None:
            path = ("type", self._type_number(kind.id), "bombardment", "range")
            reach = self.builder.scale.hexes(path, kind.bombardment.range, self._file(kind.id))
            barrage = Barrage(reach, kind.bombardment.at, kind.bombardment.firepower, kind.bombardment.smoke)
        mobility = self._allowance(number, kind)
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
            mobility,
            self._mobility[kind.mobility].checks if kind.mobility in self._mobility else False,
            armour,
            tuple(found for name in kind.weapons if (found := self._weapon(kind, name)) is not None),
            kind.assault_at,
            barrage,
            frozenset(kind.flags),
        )

    def _save(self, kind: TeamType) -> int:
        saves = self.tables.saves
        if kind.kind == "vehicle":
            return int(saves["unarmoured"])
        return int(saves["man-packed" if kind.size == "man-packed" else kind.kind])

    def _file(self, name: str) -> str | None:
        return None if any(one.id == name for one in self.document.type) else "units"

    def _type_number(self, name: str) -> int:
        own = [one.id for one in self.document.type]
        return own.index(name) if name in own else list(self.types).index(name)

    def _allowance(self, number: int, kind: TeamType) -> tuple[int, int, int]:
        """C1.5: allowances on road, cross-country and difficult ground, in hexes."""
        row = self._mobility.get(kind.mobility)
        if row is None:
            where = (
                ("unit", number, "type")
                if self._file(kind.id)
                else ("type", self._type_number(kind.id), "mobility")
            )
            self.builder.known(where, "mobility", kind.mobility, list(self._mobility))
            return (0, 0, 0)
        found = self._allowances.get(row.id)
        if found is None:
            at = list(self._mobility).index(row.id)
            road, cross, difficult = [
                self.builder.scale.hexes(("mobility", at, name), getattr(row, name), "terrain")
                for name in ("road", "cross", "difficult")
            ]
            found = self._allowances[row.id] = (road, cross, difficult)
        return found

    def _weapon(self, kind: TeamType, name: str) -> Weapon | None:
        row = self._rows.get(name)
        if row is None:
            path = ("type", self._type_number(kind.id), "weapons")
            if self._file(kind.id) is None:
                self.builder.known(path, "weapon", name, list(self._rows))
            return None
        found = self._weapons.get(name)
        if found is None:
            own = [one.id for one in self.document.weapon]
            at = own.index(name) if name in own else list(self._rows).index(name)
            path = ("weapon", at, "range")
            reach = self.builder.scale.hexes(path, row.range, None if name in own else "units")
            found = self._weapons[name] = Weapon(
                self.numbers[name], name, reach, row.rof, row.moved, row.at, row.firepower
            )
        return found

    def _platoons(self, counters: Sequence[Counter], alone: Sequence[tuple[str, int]]) -> list[PlatoonData]:
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
                if not members:
                    self.builder.report(("platoon", number, "id"), f"{one.id} has no teams")
                if (one.reserve or one.ambush) and not one.hexes:
                    self.builder.report(
                        ("platoon", number, "id"), f"{one.id} needs hexes to come in", rule="C10.2"
                    )
                side = self.document.sides.index(one.side)
                distance = self._command(one.skill, tanks)
                name = in_language(one.name) or one.id
                found.append(
                    PlatoonData(one.id, name, side, mask, skill, motivation, distance, False, one.reserve,
                                one.ambush, 0)
                )  # fmt: skip
            else:
                name, side = alone[number - len(sections)]
                found.append(PlatoonData(name, name, side, mask, skill, motivation, 0, True, False, False, 0))
        return found

    def _command(self, skill: str, tanks: bool) -> int:
        """C10.3: the command distance of a platoon in hexes."""
        key = "command_tanks" if tanks else "command"
        printed = getattr(self.tables.distances, key)[skill]
        return self.builder.scale.hexes(("distances", key, skill), printed, "tables")
