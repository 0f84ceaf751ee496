"""The books themselves: where everybody is, what lies in the hexes, whose turn it is, and the told dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.systems.squad.referee.forces import MOVING_MARKERS, SINGLES, Unit, half, muster
from tests.systems.squad.referee.ground import Ground, hex_of

OPTIONS: dict[str, Any] = {
    "leader_range": 1,
    "squads_a_hex": 3,
    "singles_a_hex": 2,
    "vehicles_a_hex": 2,
    "shaken_move": "closer",
    "am_may_enter_melee": False,
    "lc_adjacent_needs_go": False,
    "shaken_twice": "casualty",
    "hero_creation": False,
    "extended_range": True,
    "night": False,
    "ops_complete_of": "half",
}


class Wrong(AssertionError):
    """The engine did, told or holds something that the referee does not."""


@dataclass
class Group:
    """Units on the move."""

    units: list[str]
    origin: str
    modes: set[str]
    aboard: set[str]
    cap: int


@dataclass
class Window:
    """A chance for opportunity fire at units that have made a step."""

    units: list[str]
    place: str
    side: str
    fired: set[str] = field(default_factory=set)


@dataclass
class Brawl:
    """A round of a melee: who strikes when, and whom the first strike killed."""

    place: str
    first: str
    ambush: bool
    admin: bool = False
    struck: list[str] = field(default_factory=list)
    doomed: list[str] = field(default_factory=list)


class Ledger:
    """All that the referee knows of a game, and how it writes down what happens."""

    def __init__(self, scenario: Mapping[str, Any]) -> None:
        self.scenario = scenario
        self.ground = Ground(scenario)
        self.units = muster(scenario, self.ground)
        self.options = OPTIONS | dict(scenario.get("options", {}))
        self.lines: dict[tuple[str, str], list[tuple[bool, list[str]]] | None] = {}
        self.memo: dict[tuple[str, str | None], bool] | None = None
        """Who is spotted, while nothing changes."""
        self.fighters = [u for u in self.units.values() if not u.weapon]
        self.guns = [u for u in self.units.values() if u.weapon]
        self.sides: list[str] = list(scenario["sides"])
        self.turn = 1
        self.phase = "rally"
        self.initiative: str = scenario.get("initiative", self.sides[0])
        self.side = self.initiative
        self.control: dict[str, str] = dict(self.ground.control)
        self.lost: dict[str, int] = dict.fromkeys(self.sides, 0)
        self.points: dict[str, int] = dict.fromkeys(self.sides, 0)
        self.result: dict[str, Any] | None = None
        # What lies in the hexes.
        self.smoke: dict[str, int] = {}
        self.spotted: set[tuple[str, str]] = set()
        """Places, and the side that is spotted there."""
        self.melees: set[str] = set()
        self.fought: set[str] = set()
        self.wrecks: set[str] = set()
        self.mines = [dict(one) for one in scenario.get("mines", ())]
        self.shells: dict[str, list[int]] = {}
        for one in scenario.get("ffe", ()):
            self.shells[one["hex"]] = [one["fp"], scenario.get("start", {}).get("turn", 1)]
        self.missions = dict.fromkeys(self.sides, 0)
        self.mission_fp = dict.fromkeys(self.sides, 0)
        for one in scenario.get("mission", ()):
            self.missions[one["side"]] = one.get("rounds", 1)
            self.mission_fp[one["side"]] = one["fp"]
        self.events = {one["id"]: one for one in scenario.get("event", ())}
        # The Rally Phase.
        self.handled: set[str] = set()
        self.taken: set[str] = set()
        self.rallied_sides = 0
        # The impulse.
        self.passes = 0
        self.active: set[str] = set()
        self.acted = False
        self.looked = False
        self.led: set[str] = set()
        self.brawled = False
        self.fired_at: dict[str, str] = {}
        self.fired_from: set[tuple[str, str]] = set()
        self.moved_from: set[str] = set()
        self.stopped: set[str] = set()
        self.groups: list[Group] = []
        self.group: Group | None = None
        self.window: Window | None = None
        self.brawl: Brawl | None = None
        self.told: list[tuple[str, dict[str, Any]]] = []
        self.heard: list[tuple[str, int]] = []
        self._begin()

    def _begin(self) -> None:
        self.hold_ground()
        start = self.scenario.get("start", {})
        self.turn = start.get("turn", 1)
        if start.get("phase") == "operations":
            self.phase = "operations"
            self.side = start.get("impulse", self.initiative)
            self.passes = start.get("passes", 0)

    # -- looking up ---------------------------------------------------------------------------

    def foe(self, side: str | None) -> str:
        return self.sides[1 - self.sides.index(side)] if side in self.sides else ""

    def on_map(self, side: str | None = None) -> list[Unit]:
        """Units, without weapons, that stand somewhere; of one side or all."""
        return [
            u
            for u in self.fighters
            if u.place and (side is None or u.side == side) and not (u.dead or u.event or u.spare)
        ]

    def at(self, place: str, side: str | None = None) -> list[Unit]:
        return [
            u
            for u in self.fighters
            if u.place == place and (side is None or u.side == side) and not (u.dead or u.event or u.spare)
        ]

    def weapons(self, unit: Unit) -> list[Unit]:
        """What a unit carries and fires."""
        return [w for w in self.guns if w.carrier == unit.id]

    def passengers(self, unit: Unit) -> list[Unit]:
        return [u for u in self.on_map(unit.side) if u.carrier == unit.id]

    def holds(self, unit: Unit) -> bool:
        """Squads, half-squads and heroes in good order control hexes (S1.6)."""
        return unit.squads or unit.kind == "hero"

    def mf(self, unit: Unit) -> int:
        """MF as it is now: wounds, load, smoke (S4.7, S8.7, S8.12)."""
        mf = unit.value(2)
        if unit.wounded:
            mf = max(1, mf - 2) if mf else 0
        for weapon in self.weapons(unit):
            mf -= 2 if unit.kind == "leader" else int(weapon.type.get("load", 0))
        if unit.smoked:
            mf -= 1
        return max(0, mf)

    def leaders_here(self, place: str, side: str | None) -> int:
        """The best LM of leaders in good order in a place."""
        lms = [u.lm for u in self.at(place, side) if u.kind == "leader" and u.able]
        return max(lms, default=0)

    def leaders_in_order(self, place: str, side: str | None) -> bool:
        return any(u.kind == "leader" and u.able for u in self.at(place, side))

    def room(self, place: str, side: str | None, coming: Iterable[Unit]) -> bool:
        """Whether the stacking limit is kept with those who come (S3.1, S3.2)."""
        all_units = {u.id: u for u in [*self.at(place, side), *coming]}
        for unit in list(all_units.values()):
            all_units |= {p.id: p for p in self.passengers(unit)}
        found = list(all_units.values())
        squads = sum({"squad": 2, "half-squad": 1, "team": 2}.get(u.kind, 0) for u in found)
        return bool(
            squads <= 2 * self.options["squads_a_hex"]
            and sum(u.kind in SINGLES for u in found) <= self.options["singles_a_hex"]
            and sum(u.vehicle for u in found) <= self.options["vehicles_a_hex"]
        )

    def stealthy_fire(self, unit: Unit) -> bool:
        """Whether a unit on a stealth move has spent half its MF at most (S7.16)."""
        return unit.spent <= half(self.mf(unit))

    def mark(self, unit: Unit, marker: str) -> None:
        unit.markers.add(marker)

    def has_moved(self, unit: Unit) -> bool:
        return bool(unit.markers & set(MOVING_MARKERS))

    # -- writing down -------------------------------------------------------------------------

    def tell(self, code: str, **facts: Any) -> None:
        """What an event should say."""
        self.told.append((code, facts))

    def die(self) -> int:
        """The next of the dice that the engine's events tell."""
        if not self.heard:
            raise Wrong(f"a die more is needed than was rolled, after {self.told[-3:]}")
        return self.heard.pop(0)[1]

    def roll(self, count: int, matters: bool) -> list[int]:
        """So many dice; none where every roll comes to the same, since then nobody rolls."""
        return [self.die() for _ in range(count)] if matters else []

    @property
    def next_event(self) -> str:
        """The event that tells the next die."""
        return self.heard[0][0] if self.heard else ""

    def hold_ground(self) -> None:
        """A hex is held by the side that alone has squads or heroes in good order there (S1.6)."""
        there: dict[str, set[str]] = {}
        for unit in self.on_map():
            if not unit.shaken and self.holds(unit):
                there.setdefault(hex_of(str(unit.place)), set()).add(str(unit.side))
        self.control |= {name: side for name, (side, *others) in there.items() if not others}

    def remove(self, unit: Unit, *, quiet: bool = False) -> None:
        """A unit is eliminated; what it carried lies where it was (S8.11)."""
        assert unit.place is not None
        if not quiet:
            self.tell("eliminated", unit=unit.id, hex=unit.place)
        place = unit.place
        if not unit.id.startswith("hero-"):
            self.lost[str(unit.side)] += unit.steps
        unit.spare = unit.id.endswith("-b") or unit.id.startswith("hero-")
        unit.dead = not unit.spare
        if not self.at(place, unit.side):
            self.melees.discard(place)
            self.spotted.discard((place, str(unit.side)))
        unit.place = None
        unit.carrier = None
        unit.markers.clear()
        unit.spent = 0
        unit.shaken = unit.wounded = unit.smoked = unit.hidden = False
        for weapon in self.weapons(unit):
            weapon.carrier, weapon.place, weapon.side = None, place, None
            self.tell("dropped", weapon=weapon.id, hex=place)
        if unit.vehicle:
            self.wrecks.add(hex_of(place))

    def move_to(self, unit: Unit, place: str) -> None:
        """A unit goes to a place with all that it carries."""
        unit.place = place
        for other in self.units.values():
            if other.carrier == unit.id and not other.dead and other is not unit:
                self.move_to(other, place)
