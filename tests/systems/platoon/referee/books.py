"""The books of a game: units, what lies on the map, the cup; and the questions that all rules ask of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from tests.systems.platoon.referee.ground import Ground
from tests.systems.platoon.referee.paper import Unit, units_of
from tests.systems.platoon.referee.sight import LANDED_SIGHT, Sight
from tests.systems.platoon.referee.telling import Telling

STACKING_LIMIT = 2


class Window(NamedTuple):
    """Opportunity fire at units that have entered a hex (P8): who they are, and who was not yet shot at."""

    side: str
    hex: str
    entered: list[Unit]
    left: list[Unit]


class Fight(NamedTuple):
    """An assault or overrun that awaits what fire there is at those who entered (P7.5)."""

    side: str
    hex: str
    origin: str
    overrun: bool


class Books:
    """Everything that is known of a game.

    ``group``: the units on the move, None when nobody is.  What must be settled before anything else is
    ordered: ``laying`` (mines at this hex under these units), ``window``, ``fight``, ``strike`` (its target),
    ``calling`` (the hexes that had their fire mission).
    """

    def __init__(self, scenario: dict[str, Any], ground: Ground, sight: Sight) -> None:
        self.scenario = scenario
        self.options: dict[str, Any] = scenario.get("options", {})
        self.sides: list[str] = scenario["sides"]
        self.formations: dict[str, dict[str, Any]] = {one["id"]: one for one in scenario["formation"]}
        self.ground, self.sight = ground, sight
        self.units = units_of(scenario)
        self.by_id = {unit.id: unit for unit in self.units}
        self.telling = Telling()
        given = scenario["map"]
        self.wrecks, self.positions = set(given.get("wrecks", ())), set(given.get("positions", ()))
        self.mines: set[str] = set(given.get("mines", ()))
        self.smoke: dict[str, int] = dict(given.get("smoke", {}))
        self.control: dict[str, str] = dict(given.get("control", {}))
        self.pool = {side: scenario.get("mines", {}).get(side, 0) for side in self.sides}
        self.strikes = {side: scenario.get("strikes", {}).get(side, 0) for side in self.sides}
        self.missions = {
            name: {shell: one.get("missions", {}).get(shell, 0) for shell in ("he", "smoke")}
            for name, one in self.formations.items()
        }
        self.flying = {unit.formation for unit in self.units if unit.kind == "air"}
        self.turn = 1
        self.cup: dict[str, int] = {}
        self.drawn: dict[str, int] = {}
        self.held: set[str] = set()
        self.waiting: set[str] = set()
        self.entered: set[str] = set()
        self.draws = self.sides[0]
        self.points = dict.fromkeys(self.sides, 0)
        self.hqs_lost = dict.fromkeys(self.sides, 0)
        self.fallen: list[Unit] = []
        self.result: dict[str, Any] | None = None
        self.active: str | None = None
        self.forget()

    def forget(self) -> None:
        """An activation is over, or none was."""
        self.group: list[Unit] | None = None
        self.laying: tuple[str, list[Unit]] | None = None
        self.window: Window | None = None
        self.fight: Fight | None = None
        self.strike: Unit | None = None
        self.calling: set[str] | None = None
        self.led: set[Unit] = set()
        self.led_reaction: set[Unit] = set()
        for unit in self.units:
            unit.forget()

    # -- who is where -------------------------------------------------------------------------------

    def foe(self, side: str) -> str:
        """The other side."""
        return self.sides[1 - self.sides.index(side)]

    def mover(self) -> str:
        """The side of the active formation."""
        assert self.active is not None
        return str(self.formations[self.active]["side"])

    def on_map(self, unit: Unit) -> bool:
        """Whether a unit is on the map, carried or not."""
        return unit.hex is not None and not unit.lost and not unit.gone

    def standing(self, label: str | None, side: str | None = None) -> list[Unit]:
        """Ground units and HQs that stand in a hex, from the top of the stack down; passengers are none."""
        return [
            unit
            for unit in self.units
            if unit.hex == label
            and unit.kind in ("hard", "soft", "hq")
            and unit.carrier is None
            and (side is None or unit.side == side)
            and self.on_map(unit)
        ]

    def counted(self, label: str | None, side: str) -> list[Unit]:
        """Of them those that count for stacking."""
        return [unit for unit in self.standing(label, side) if unit.ground]

    def hq_at(self, label: str | None, side: str) -> Unit | None:
        """A side's HQ in a hex."""
        return next((unit for unit in self.standing(label, side) if unit.kind == "hq"), None)

    def hq_of(self, formation: str) -> Unit | None:
        """The HQ that a formation has or had."""
        return next((one for one in self.units if one.formation == formation and one.kind == "hq"), None)

    def company(self, hq: Unit) -> list[Unit]:
        """The units of its formation that stand in an HQ's hex (P9.1)."""
        return [one for one in self.counted(hq.hex, hq.side) if one.formation == hq.formation]

    def enemies(self, side: str) -> list[Unit]:
        """Enemy units that can be seen and shot at: neither carried nor support weapons."""
        return [
            one
            for one in self.units
            if one.side != side and one.kind != "sw" and one.carrier is None and self.on_map(one)
        ]

    def held_by(self, label: str, side: str) -> bool:
        """Whether a side has anybody on the ground in a hex."""
        return bool(self.standing(label, side))

    def weapon(self, unit: Unit) -> Unit | None:
        """The support weapon of an infantry unit."""
        return next(
            (one for one in self.units if one.kind == "sw" and one.carrier is unit and not one.lost), None
        )

    def aboard(self, carrier: Unit) -> list[Unit]:
        """The passengers of a carrier."""
        return [one for one in self.units if one.carrier is carrier and one.kind != "sw" and not one.lost]

    def move_to(self, unit: Unit, label: str | None) -> None:
        """A unit is in a hex from now on, with all that it carries."""
        unit.hex = label
        for rider in self.units:
            if rider.carrier is unit and not rider.lost:
                self.move_to(rider, label)

    def partners(self, a: Unit, b: Unit) -> bool:
        """Whether a carrier of one may carry the other (P5.4)."""
        return a.side == b.side if self.options.get("cross_loading") else a.formation == b.formation

    # -- sight --------------------------------------------------------------------------------------

    def sees(self, a: Unit, b: Unit, there: str | None = None) -> bool:
        """Whether a unit sees another, in a hex where that is or is meant to be."""
        assert a.hex is not None
        there = there or b.hex
        assert there is not None
        far = self.ground.distance(a.hex, there)
        if far > LANDED_SIGHT and (a.landed or b.landed):
            return False
        above = [one.kind == "air" and not one.landed for one in (a, b)]
        if any(above):
            return self.sight.from_the_air(a.hex, there, *above)
        return self.sight.sees(a.hex, there, self.wrecks)

    def observers(self, formation: str) -> list[str]:
        """The hexes of those who observe for a formation (P12.2)."""
        return [
            one.hex
            for one in self.units
            if one.formation == formation
            and one.hex is not None
            and self.on_map(one)
            and one.carrier is None
            and (one.kind == "hq" or ("recon" in one.flags and not one.disrupted and not one.ooc))
        ]

    def observed(self, formation: str, label: str) -> bool:
        """Whether anybody observes a hex for a formation."""
        return any(self.sight.sees(eye, label, self.wrecks) for eye in self.observers(formation))

    # -- who may act --------------------------------------------------------------------------------

    def able(self, unit: Unit) -> bool:
        """Whether a unit can do anything now (P2.5, P4.3)."""
        if unit.kind == "sw" or unit.carrier is not None or unit.acted or not self.on_map(unit):
            return False
        if self.group is not None:
            return unit in self.group or self._joins(unit)
        return unit.formation == self.active and not unit.ops and not unit.ooc

    def _joins(self, hq: Unit) -> bool:
        """Whether an HQ may go along with a group that loading or unloading has opened (P4.3)."""
        if hq.kind != "hq" or hq.formation != self.active or hq.moved or hq.ops or hq.ooc:
            return False
        return any(
            one.hex == hq.hex and not one.moved and one.left is None and self.able(one) and one.kind != "hq"
            for one in self.group or ()
            if any(other.rode for other in self.units)
        )

    def abled(self) -> list[Unit]:
        """All that can do anything now."""
        return [unit for unit in self.units if self.able(unit)]

    def crowds(self) -> set[str]:
        """The hexes over the limit that the group on the move must leave first (P3.4)."""
        if self.group is None:
            return set()
        return {
            one.hex
            for one in self.abled()
            if one.ground and one.hex and len(self.counted(one.hex, one.side)) > STACKING_LIMIT
        }

    def open_group(self, units: Iterable[Unit]) -> None:
        """Units take part in the group on the move from now on."""
        self.group = self.group or []
        self.group += [one for one in units if one not in self.group]

    @contextmanager
    def trial(self) -> Iterator[None]:
        """What is done to units and the group inside is undone afterwards."""
        group = None if self.group is None else list(self.group)
        kept = [(unit, unit.__dict__.copy()) for unit in self.units]
        try:
            yield
        finally:
            self.group = group
            for unit, before in kept:
                unit.__dict__ = before
