"""Types of teams and their weapons: those of the data and of the scenario, checked where they stand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from hexengine.core.system import Report
from hexengine.mechanics.checking import Path
from hexengine.systems.company.board import Barrage, Weapon
from hexengine.systems.company.scenario.format import Bombardment, MobilityRow, TeamType, WeaponRow

if TYPE_CHECKING:
    from hexengine.systems.company.scenario.build import Builder


class Arsenal:
    """What is printed of types and weapons, in whole hexes.

    ``types`` by id; ``numbers``, by weapon: they tell the weapons apart that share out their hits separately.
    """

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._document = builder.document
        units = builder.data["units"]
        self._own = {one.id: number for number, one in enumerate(self._document.type)}
        self.types: dict[str, TeamType] = {one.id: one for one in units.type}
        self.types.update({one.id: one for one in self._document.type})
        self._rows: dict[str, WeaponRow] = {one.id: one for one in units.weapon}
        self._rows.update({one.id: one for one in self._document.weapon})
        self.numbers = {name: number for number, name in enumerate(self._rows)}
        self._mobility: dict[str, MobilityRow] = {one.id: one for one in builder.data["terrain"].mobility}

    def says(self, name: str, *keys: str) -> list[Path]:
        """The places that say something of a type, if it is one of the scenario's own."""
        own = self._own.get(name)
        return [] if own is None else [("type", own, key) for key in ("id", *keys)]

    # -- checks -------------------------------------------------------------------------------

    def check(self) -> None:
        """Report what is wrong with the scenario's own types and weapons, used or not."""
        document, scale = self._document, self._builder.scale
        self._builder.unique("type", [one.id for one in document.type])
        self._builder.unique("weapon", [one.id for one in document.weapon])
        for number, row in enumerate(document.weapon):
            scale.own(("weapon", number, "range"), row.range)
        check_types(document.type, self._builder.report)
        for number, kind in enumerate(document.type):
            path = ("type", number)
            self._builder.known((*path, "mobility"), "mobility", kind.mobility, list(self._mobility))
            for item, name in enumerate(kind.weapons):
                self._builder.known((*path, "weapons", item), "weapon", name, list(self._rows))
            if kind.bombardment is not None:
                scale.own((*path, "bombardment", "range"), kind.bombardment.range)

    # -- values -------------------------------------------------------------------------------

    def allowance(self, kind: TeamType) -> tuple[int, int, int]:
        """C1.5: allowances on road, cross-country and difficult ground, in hexes."""
        row = self._mobility.get(kind.mobility)
        if row is None:
            return (0, 0, 0)
        hexes = self._builder.scale.hexes
        return hexes(row.road), hexes(row.cross), hexes(row.difficult)

    def takes_checks(self, kind: TeamType) -> bool:
        """C1.6: whether a type takes going checks; infantry and cavalry never do, however they move."""
        row = self._mobility.get(kind.mobility)
        return row is not None and row.checks and kind.kind in ("vehicle", "gun")

    def armour(self, kind: TeamType) -> tuple[int, int, int] | None:
        """Armour ahead, to the side and above; None for what has none."""
        if kind.armour is None:
            return None
        front, flank, top = map(int, kind.armour.split("/"))
        return front, flank, top

    def barrage(self, kind: TeamType) -> Barrage | None:
        """C13.6: what a type adds to a bombardment."""
        one: Bombardment | None = kind.bombardment
        if one is None:
            return None
        return Barrage(self._builder.scale.hexes(one.range), one.at, one.firepower, one.smoke)

    def weapons(self, kind: TeamType) -> tuple[Weapon, ...]:
        """The weapons of a type, as far as there are such."""
        rows = [self._rows[name] for name in kind.weapons if name in self._rows]
        return tuple([self._weapon(row) for row in rows])

    def _weapon(self, row: WeaponRow) -> Weapon:
        reach = self._builder.scale.hexes(row.range)
        return Weapon(self.numbers[row.id], row.id, reach, row.rof, row.moved, row.at, row.firepower)


def check_types(types: Iterable[TeamType], report: Report) -> None:
    """Report what does not go together in the types of a file, used or not."""
    for number, kind in enumerate(types):
        path = ("type", number)
        rests_on = [(*path, "kind")]
        if kind.kind == "gun" and kind.size is None:
            text = f"{kind.id}: a gun needs its size"
            report((*path, "size"), text, 'size = "light"', rests_on=rests_on)
        if kind.kind != "gun" and kind.size is not None:
            report((*path, "size"), f"{kind.id}: only guns have a size", rests_on=rests_on)
        if kind.kind != "vehicle" and kind.armour is not None:
            report((*path, "armour"), f"{kind.id}: only vehicles are armoured", rests_on=rests_on)
