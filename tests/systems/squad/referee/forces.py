"""The counters of a scenario, and what is true of each as the game goes on."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.systems.squad.referee.ground import DATA, Ground

SINGLES = ("leader", "hero", "medic", "scout", "sniper")
MOVING_MARKERS = ("moved", "assault-move", "low-crawl", "stealth")


def half(value: int) -> int:
    """Half, rounded up."""
    return -(-value // 2)


@dataclass
class Unit:
    """One counter."""

    id: str
    type: Mapping[str, Any]
    side: str | None
    place: str | None = None
    carrier: str | None = None
    event: str | None = None
    reduced: bool = False
    shaken: bool = False
    wounded: bool = False
    hidden: bool = False
    dead: bool = False
    spare: bool = False
    smoked: bool = False
    facing: int = 0
    spent: int = 0
    markers: set[str] = field(default_factory=set)

    @property
    def kind(self) -> str:
        """Squads that have lost a half are half-squads."""
        return "half-squad" if self.reduced else str(self.type["kind"])

    @property
    def squads(self) -> bool:
        """Squads and half-squads."""
        return self.kind in ("squad", "half-squad")

    @property
    def single(self) -> bool:
        return self.kind in SINGLES

    @property
    def vehicle(self) -> bool:
        return self.kind == "vehicle"

    @property
    def weapon(self) -> bool:
        return bool(self.type["kind"] == "weapon")

    @property
    def family(self) -> str:
        return str(self.type.get("family", "any"))

    @property
    def flags(self) -> set[str]:
        return set(self.type.get("flags", ()))

    @property
    def lm(self) -> int:
        return int(self.type.get("lm", 0))

    @property
    def here(self) -> bool:
        """On the map."""
        return self.place is not None and not self.dead

    @property
    def able(self) -> bool:
        """On the map and in good order."""
        return self.here and not self.shaken

    def value(self, which: int) -> int:
        """Firepower (0), range (1) or MF (2) as printed on the side that is up."""
        side = self.type["half"] if self.reduced and "values" in self.type["half"] else self.type
        return int(side["values"].split("-")[which])

    @property
    def fp(self) -> int:
        return self.value(0)

    @property
    def morale(self) -> int:
        """The number that counts now: Shaken units may have another one (S8.6)."""
        sides = (self.type["half"], self.type) if self.reduced else (self.type,)
        normal = next((s["morale"] for s in sides if "morale" in s), 5)
        if not self.shaken:
            return int(normal)
        return int(next((s["shaken_morale"] for s in sides if "shaken_morale" in s), normal))

    @property
    def steps(self) -> int:
        if self.dead or self.spare:
            return 0
        return 2 if self.kind == "squad" else 1

    @property
    def armour(self) -> Mapping[str, str]:
        found: Mapping[str, str] = self.type.get("armour", {"hull": "0/0"})
        return found

    @property
    def thinnest(self) -> int:
        """The least armour of a vehicle."""
        return min(int(number) for one in self.armour.values() for number in one.split("/"))

    @property
    def ordnance(self) -> Mapping[str, Any] | None:
        found: Mapping[str, Any] | None = self.type.get("ordnance")
        return found


def by_range(bands: list[str], distance: int) -> int | None:
    """The number of a band such as ``"6/8"`` that reaches so far; None beyond."""
    for band in bands:
        reach, number = band.split("/")
        if distance <= int(reach):
            return int(number)
    return None


def muster(scenario: Mapping[str, Any], ground: Ground) -> dict[str, Unit]:
    """All counters as the scenario sets them up, with the spare ones for squads that split."""
    types = {one["id"]: one for one in tomllib.loads((DATA / "units.toml").read_text("utf-8"))["type"]}
    types |= {one["id"]: one for one in scenario.get("type", ())}
    units: dict[str, Unit] = {}
    for entry in scenario["unit"]:
        status = set(entry.get("status", ()))
        units[entry["id"]] = unit = Unit(
            id=entry["id"],
            type=types[entry["type"]],
            side=entry.get("side"),
            carrier=entry.get("carrier"),
            event=entry.get("event"),
            place=entry.get("hex"),
            reduced="half" in status,
            shaken="shaken" in status,
            wounded="wounded" in status,
            hidden="hidden" in status,
            markers=set(entry.get("markers", ())),
        )
        if unit.vehicle and "facing" in entry:
            unit.facing = ground.direction(entry["hex"], entry["facing"])
    for unit in units.values():
        if unit.carrier:
            carrier = units[unit.carrier]
            while carrier.carrier:
                carrier = units[carrier.carrier]
            unit.place = carrier.place
            unit.event = carrier.event
            unit.side = unit.side or carrier.side
    for unit in [one for one in units.values() if one.type["kind"] == "squad"]:
        units[f"{unit.id}-b"] = Unit(f"{unit.id}-b", unit.type, unit.side, spare=True)
    if scenario.get("options", {}).get("hero_creation"):
        for side in scenario["sides"]:
            families = {u.family for u in units.values() if u.side == side}
            kinds = [
                one
                for one in types.values()
                if one["kind"] == "hero" and one.get("family", "any") in families
            ]
            for number in (1, 2):
                units[f"hero-{side}-{number}"] = Unit(f"hero-{side}-{number}", kinds[0], side, spare=True)
    return units
