"""The counters of a scenario: one a unit of the file, whatever is wrong with it, and those not listed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from hexengine.core.formats import in_language
from hexengine.core.system import Report
from hexengine.mechanics.checking import Path
from hexengine.systems.squad.board import KINDS, SQUAD, ArmourData, Counter, OrdnanceData, Readout
from hexengine.systems.squad.scenario.format import Armour, Unit, UnitType

if TYPE_CHECKING:
    from hexengine.systems.squad.scenario.build import Builder

SPARE_HEROES = 2
"""Heroes of each family that damage checks may make (S8.8)."""
STAND_IN = UnitType(id="?", kind="team", values="0-0-1")
"""What a unit is taken for whose type is not known, so that all others keep their numbers."""


class Roster:
    """Reads ``[[type]]`` and ``[[unit]]``.

    Masks of units: ``untyped``, of an unknown type, and ``sideless``, of an unknown side.
    """

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.document = builder.document
        self._own = {kind.id: number for number, kind in enumerate(self.document.type)}
        self.types = {kind.id: kind for kind in builder.data["units"].type}
        self.types.update({kind.id: _readable(kind) for kind in self.document.type})
        self.untyped = 0
        self.sideless = 0

    def read(self) -> list[Counter]:
        """All counters: the scenario's units, then spare halves and heroes."""
        builder, document = self.builder, self.document
        builder.unique("unit", [unit.id for unit in document.unit])
        builder.unique("type", [kind.id for kind in document.type])
        builder.unique("event", [event.id for event in document.event])
        check_types(document.type, builder.report)
        found = [self._counter(number, unit) for number, unit in enumerate(document.unit)]
        return found + self._spares(found)

    def says_kind(self, unit: int) -> list[Path]:
        """The places that say of which kind a unit is."""
        return [("unit", unit, "type"), *self.says_type(unit, "id", "kind")]

    def says_type(self, unit: int, *keys: str) -> list[Path]:
        """The places of some keys of a unit's type, if it is one of the scenario's own."""
        own = self._own.get(self.document.unit[unit].type)
        return [] if own is None else [("type", own, key) for key in keys]

    def _counter(self, number: int, unit: Unit) -> Counter:
        builder, path = self.builder, ("unit", number)
        kind = STAND_IN
        if builder.known((*path, "type"), "unit type", unit.type, list(self.types)) is None:
            self.untyped |= 1 << number
        else:
            kind = self.types[unit.type]
        side = self._side_of(number, unit, kind)
        if side is None:
            self.sideless |= 1 << number
            side = 0
        if kind.kind != "vehicle" and unit.facing is not None and kind is not STAND_IN:
            builder.report(
                (*path, "facing"),
                f"{unit.id} is no vehicle and faces nowhere",
                rule="S14.2",
                rests_on=self.says_kind(number),
            )
        return make_counter(unit.id, in_language(unit.name), kind, side)

    def _side_of(self, number: int, unit: Unit, kind: UnitType) -> int | None:
        path = ("unit", number, "side")
        weapon = kind.kind == "weapon"
        side = None if unit.side is None else self.builder.side(path, unit.side)
        if weapon:
            return -1
        if unit.side is None and kind is not STAND_IN:
            sides = " or ".join(f'"{one}"' for one in self.document.sides)
            rests_on = [path, *self.says_kind(number)]
            self.builder.report(
                ("unit", number), f"{unit.id} has no side", f"add side = {sides}", rests_on=rests_on
            )
        return side

    def _spares(self, counters: Sequence[Counter]) -> list[Counter]:
        """Counters that no scenario lists: a second half for every squad, and heroes if they can be made."""
        used = {counter.id for counter in counters}

        def free(name: str) -> str:
            while name in used:
                name += "x"
            used.add(name)
            return name

        found = [
            counter._replace(id=free(f"{counter.id}-b"), spare=True)
            for counter in counters
            if counter.kind == SQUAD
        ]
        if self.document.options.hero_creation:
            for side in (0, 1):
                for family in sorted({c.family for c in counters if c.side == side}):
                    kinds = self.types.values()
                    kind = next((t for t in kinds if t.kind == "hero" and t.family == family), None)
                    for number in range(SPARE_HEROES if kind is not None else 0):
                        assert kind is not None
                        name = free(f"hero-{self.document.sides[side]}-{number + 1}")
                        found.append(make_counter(name, "", kind, side)._replace(spare=True))
        return found


def check_types(types: Iterable[UnitType], report: Report) -> None:
    """Report what does not go together on the counters of a file, used or not."""
    for number, kind in enumerate(types):
        _check_type(("type", number), kind, report)


def _check_type(path: Path, kind: UnitType, report: Report) -> None:
    def wrong(key: str, text: str, advice: str | None = None, rule: str | None = None) -> None:
        report((*path, key), f"{kind.id}: {text}", advice, rule=rule, rests_on=[(*path, "kind")])

    if kind.kind == "squad" and kind.half is None:
        wrong("half", "a squad needs its half", 'half = { values = "…" }')
    if kind.kind != "squad" and kind.half is not None:
        wrong("half", "only squads have a half", rule="S8.5")
    if kind.kind != "weapon" and kind.load:
        wrong("load", "only weapons are a load", rule="S4.7")
    if kind.kind != "leader" and kind.lm:
        wrong("lm", "only leaders have a leadership modifier", rule="S8.2")
    if kind.kind not in ("squad", "half-squad") and kind.smoke:
        wrong("smoke", "only squads and half-squads place smoke", rule="S8.12")
    for key in ("armour", "seats") if kind.kind != "vehicle" else ():
        if getattr(kind, key):
            wrong(key, "only vehicles have armour and seats", rule="S14.2")


def _readable(kind: UnitType) -> UnitType:
    """A type without texts that could not be read, which are empty; what is wrong with them has been told."""
    changes: dict[str, object] = {}
    if not kind.values:
        changes["values"] = STAND_IN.values
    if kind.ordnance is not None and not all([*kind.ordnance.to_hit, *kind.ordnance.penetration]):
        changes["ordnance"] = None
    return msgspec.structs.replace(kind, **changes)


def _readout(values: str, morale: int, shaken: int | None) -> Readout:
    fp, reach, mf = map(int, values.split("-"))
    return Readout(fp, reach, mf, morale, morale if shaken is None else shaken)


def _pair(text: str) -> tuple[int, int]:
    """Two numbers with a stroke between."""
    first, second = map(int, text.split("/"))
    return first, second


def _bands(texts: Iterable[str]) -> tuple[tuple[int, int], ...]:
    """Range bands, the nearest first."""
    return tuple(sorted(_pair(text) for text in texts))


def make_counter(name: str, title: str, kind: UnitType, side: int) -> Counter:
    """A unit's printed values."""
    whole = _readout(kind.values, kind.morale, kind.shaken_morale)
    half = whole
    if kind.half is not None:
        half = _readout(
            kind.half.values or kind.values,
            kind.half.morale or kind.morale,
            kind.half.shaken_morale or kind.shaken_morale,
        )
    ordnance = None
    if kind.ordnance is not None:
        data = kind.ordnance
        ordnance = OrdnanceData(_bands(data.to_hit), data.he, data.minimum, _bands(data.penetration))
    armour = None
    if kind.kind == "vehicle":
        given = kind.armour or Armour()
        armour = ArmourData(_pair(given.hull), None if given.turret is None else _pair(given.turret))
    return Counter(
        name,
        kind.id,
        title or in_language(kind.name) or kind.id,
        side,
        KINDS.index(kind.kind),
        kind.family,
        (half, whole) if kind.kind == "squad" else (whole, whole),
        kind.lm,
        kind.smoke,
        kind.load,
        frozenset(kind.flags),
        ordnance,
        armour,
        kind.seats,
    )
