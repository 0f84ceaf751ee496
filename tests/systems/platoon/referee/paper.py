"""What is printed: counters, formations and the scenario, read from TOML."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

DATA = Path(__file__).parents[4] / "data" / "platoon"
FIRE = ("ap", "he", "aa")
DEAD_SHOT = 6
"""A number to reach where none is printed: it is never asked for."""


class Difference(Exception):
    """The referee and the engine do not agree."""


class Block(NamedTuple):
    """One way to fire, on the side of the counter that is up (P3.2)."""

    range: int
    dice: int
    to_hit: int
    limit: bool
    missile: bool


@cache
def printed(name: str) -> dict[str, Any]:
    """A file of the platoon system's data."""
    return tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8"))


class Unit:
    """A counter and all that is marked on it; ``carrier`` is its carrier, of a support weapon its infantry.

    Half MP everywhere.  What ``forget`` clears belongs to one activation: ``acted`` forbids everything
    further, ``struck`` says that it fired, fought or was hit; ``rode`` that it got on or off; ``walks``
    that it may still walk its one hex (P5.5).
    """

    def __init__(self, number: int, given: dict[str, Any], kind: dict[str, Any], side: str) -> None:
        self.number, self.id, self.type, self.side = number, given["id"], kind, side
        self.formation: str = given["formation"]
        self.kind: str = kind["kind"]
        self.mobility: str = kind.get("mobility", "")
        self.flags = frozenset(kind.get("flags", ()))
        self.two_sided = "reduced" in kind
        status, markers = given.get("status", ()), given.get("markers", ())
        whole = 2 if self.two_sided else 1
        self.steps = given.get("steps", 1 if "reduced" in status else whole)
        self.steps_before = self.steps
        self.pictured = given.get("pictured", kind.get("pictured", []))
        self.turn: int | None = given.get("turn")
        self.entry: list[str] = given.get("hexes", [])
        self.arrival: int = given.get("arrival", 0)
        self.hex: str | None = given.get("hex")
        self.carrier: Unit | None = None
        self.disrupted, self.fresh = "disrupted" in status, "fresh" in status
        self.landed = "landed" in status
        self.ops, self.ooc = "ops-complete" in markers, "out-of-command" in markers
        self.depleted = 2 if "depleted-2" in markers else 1 if "depleted-1" in markers else 0
        self.lost = self.gone = self.due = False
        self.exit: str | None = None
        self.locked = False
        self.forget()

    def forget(self) -> None:
        """The activation is over."""
        self.spent = 0
        self.acted = self.struck = self.moved = self.rode = self.walks = self.halted = False
        self.left: str | None = None

    @property
    def ground(self) -> bool:
        """Whether it counts for stacking (P3.4)."""
        return self.kind in ("hard", "soft")

    @property
    def fights(self) -> bool:
        """Whether it is a unit in the sense of orders to fire: no HQ and no support weapon."""
        return self.kind in ("hard", "soft", "air")

    @property
    def rider(self) -> bool:
        """Whether it may be carried (P5.1)."""
        return bool(self.flags & {"infantry", "team"})

    @property
    def allowance(self) -> int:
        """Half MP of an activation."""
        return int(2 * self.type.get("ma", 0))

    @property
    def half(self) -> int:
        """Half of the allowance, rounded up to whole MP (P0.4)."""
        return 2 * -(-int(2 * self.type.get("ma", 0)) // 4)

    def value(self, key: str) -> int:
        """Dice or another number on the side that is up."""
        if self.two_sided and self.steps == 1 and key in self.type["reduced"]:
            return int(self.type["reduced"][key])
        if key not in self.type:
            return 0
        return int(str(self.type[key]).split("/")[1 if key in FIRE else 0])

    def reaches(self, key: str) -> int:
        """The number that its armour or assault dice must reach."""
        return int(self.type[key].split("/")[1]) if key in self.type else DEAD_SHOT

    def block(self, key: str) -> Block | None:
        """Its AP, HE or AA block."""
        if key not in self.type:
            return None
        reach, _, to_hit = self.type[key].split("/")
        return Block(int(reach.rstrip("um")), self.value(key), int(to_hit), "u" in reach, "m" in reach)

    def __repr__(self) -> str:
        return self.id


def units_of(scenario: dict[str, Any]) -> list[Unit]:
    """The units of a scenario in its order, carriers linked."""
    kinds = {kind["id"]: kind for kind in [*printed("units")["type"], *scenario.get("type", ())]}
    sides = {one["id"]: one["side"] for one in scenario["formation"]}
    given = scenario.get("unit", [])
    units = [
        Unit(number, one, kinds[one["type"]], sides[one["formation"]]) for number, one in enumerate(given)
    ]
    by_id = {unit.id: unit for unit in units}
    for unit, one in zip(units, given, strict=True):
        if "carrier" in one:
            unit.carrier = by_id[one["carrier"]]
    for unit in units:
        if unit.kind == "sw" and unit.carrier is not None and "transport" in unit.carrier.flags:
            aboard = [one for one in units if one.carrier is unit.carrier and one.kind == "soft"]
            unit.carrier = aboard[0]
    for _ in range(2):
        for unit in units:
            if unit.carrier is not None:
                unit.hex = unit.carrier.hex
    return units
