"""The static side of a squad scenario, compiled to tables of small ints; ``scenario.build`` makes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from hexengine.core.rulebook import WordsFile
from hexengine.hexes import HexMap
from hexengine.mechanics.masks import units
from hexengine.mechanics.victory import Goal
from hexengine.mechanics.wording import Wording, side_facts
from hexengine.systems.squad.orders import MODE_NAMES, OrderBook
from hexengine.systems.squad.places import Places
from hexengine.systems.squad.scenario.format import Options
from hexengine.systems.squad.sight.lines import Sight

if TYPE_CHECKING:
    from hexengine.systems.squad.position import SquadPosition

SQUAD, HALF_SQUAD, LEADER, HERO, MEDIC, SCOUT, SNIPER, TEAM, WEAPON, VEHICLE = range(10)
KINDS = (
    "squad", "half-squad", "leader", "hero", "medic", "scout", "sniper", "team", "weapon", "vehicle",
)  # fmt: skip
SINGLES = (LEADER, HERO, MEDIC, SCOUT, SNIPER)
LEADER_LOAD = 2
"""MF that a weapon takes from a leader (S4.7)."""
MOBILITY = "leg"
DRIVING = "vehicle"
"""The movement classes."""


class Readout(NamedTuple):
    """What a counter prints of one size: firepower, range, MF, morale and Shaken morale."""

    fp: int
    range: int
    mf: int
    morale: int
    shaken: int

    def __str__(self) -> str:
        return f"{self.fp}-{self.range}-{self.mf}"


class OrdnanceData(NamedTuple):
    """Ordnance: to-hit numbers as (up to range, number), HE firepower, nearest range, penetration (S14)."""

    bands: tuple[tuple[int, int], ...]
    he: int
    minimum: int
    piercing: tuple[tuple[int, int], ...] = ()
    """Penetration as (up to range, number)."""

    def number(self, distance: int) -> int:
        """The to-hit number at a range, or 0 where it cannot fire."""
        if distance < self.minimum:
            return 0
        return next((number for reach, number in self.bands if distance <= reach), 0)

    def penetration(self, distance: int) -> int:
        """What is added to the die against armour at a range; 0 beyond the last band, or without any."""
        return next((number for reach, number in self.piercing if distance <= reach), 0)


class ArmourData(NamedTuple):
    """A vehicle's armour as (ahead, to the side); ``turret`` is None where it has none (S14.2)."""

    hull: tuple[int, int]
    turret: tuple[int, int] | None

    @property
    def lowest(self) -> int:
        """The thinnest of it (S13.1)."""
        return min(*self.hull, *(self.turret or self.hull))


class Counter(NamedTuple):
    """One unit's printed values and static facts; ``readouts`` by steps: of one, and of two for squads."""

    id: str
    type: str
    name: str
    side: int
    kind: int
    family: str
    readouts: tuple[Readout, Readout]
    lm: int
    smoke: int
    load: int
    flags: frozenset[str]
    ordnance: OrdnanceData | None
    armour: ArmourData | None = None
    seats: int = 0
    spare: bool = False
    """It is not in the scenario's file: the second half of a squad, or a hero still to be made."""


class EventData(NamedTuple):
    """A compiled event marker; ``units`` is the mask of those it brings, each with its place."""

    id: str
    place: int
    side: int
    text: str
    attack: int
    points: int
    check: int | None
    units: tuple[tuple[int, int], ...]


class Board:
    """All static tables of a scenario.

    Masks of units: ``squads`` (counters that are whole or half), ``halves``, ``men`` (both: MMC),
    ``singles`` (single men: SMC), ``leaders``, ``heroes``, ``medics``, ``scouts``, ``teams``, ``weapons``
    (carried, no units), ``units`` (all others), ``vehicles`` (of them ``armoured``: no side of them has 0,
    and ``fixed``: with a gun, but no turret), ``spares``; ``smokers`` (they may place smoke), ``callers``
    (they call fire missions), ``can_assault``, ``can_stealth``, ``self_rally``; ``gunners`` (all that are or
    have ordnance), ``guns`` (of them weapons and teams, which are nothing else), ``piercing`` (ordnance that
    pierces armour); by side ``side_units`` (weapons aside).
    """

    def __init__(
        self,
        sides: tuple[str, ...],
        side_names: tuple[str, ...],
        turns: int,
        title: str,
        hexmap: HexMap,
        places: Places,
        counters: Sequence[Counter],
        goals: Sequence[Goal],
        levels: Sequence[tuple[int, str]],
        options: Options,
        names: Mapping[int, str],
        words: WordsFile,
        wall_tm: Mapping[tuple[int, int], int],
        foxholes: int,
        missions: tuple[int, int],
    ) -> None:
        self.sides = sides
        self.side_names = side_names
        self.turns = turns
        self.title = title
        self.map = hexmap
        self.grid = hexmap.grid
        self.size = hexmap.grid.size
        self.places = places
        self.labels = places.labels
        self.sight = Sight(places, hexmap.levels)
        self.counters = list(counters)
        self.count = len(self.counters)
        self.ids = [counter.id for counter in self.counters]
        self.orders = OrderBook(self.ids, places)
        self.goals = list(goals)
        self.levels = list(levels)
        self.options = options
        self.names = dict(names)
        self.wording = Wording(words, {**side_facts(sides, side_names), "mode": MODE_NAMES})
        self.wall_tm = dict(wall_tm)
        self.foxholes = foxholes
        self.missions = missions
        """By side: the firepower of its fire missions, or 0."""
        self.lit = 0
        """The mask of hexes that are lit at night (S8.4)."""
        self.events: list[EventData] = []
        self.twin = [-1] * self.count
        """By squad: the spare counter for its other half."""
        self.start: SquadPosition
        """The position at the start; games begin with a copy."""
        self._roles()

    def _roles(self) -> None:
        counters = self.counters

        def mask(*kinds: int) -> int:
            return sum(1 << unit for unit, counter in enumerate(counters) if counter.kind in kinds)

        def flagged(flag: str) -> int:
            return sum(1 << unit for unit, counter in enumerate(counters) if flag in counter.flags)

        self.side = [counter.side for counter in counters]
        self.kind = [counter.kind for counter in counters]
        self.family = [counter.family for counter in counters]
        self.lm = [counter.lm for counter in counters]
        self.squads = mask(SQUAD)
        self.halves = mask(HALF_SQUAD)
        self.men = self.squads | self.halves
        self.singles = mask(*SINGLES)
        self.leaders = mask(LEADER)
        self.heroes = mask(HERO)
        self.medics = mask(MEDIC)
        self.scouts = mask(SCOUT)
        self.smokers = self.men & sum(1 << unit for unit, one in enumerate(counters) if one.smoke)
        self.teams = mask(TEAM)
        self.weapons = mask(WEAPON)
        self.vehicles = mask(VEHICLE)
        self.units = self.men | self.singles | self.teams | self.vehicles
        self.spares = sum(1 << unit for unit, counter in enumerate(counters) if counter.spare)
        self.can_assault = flagged("assault")
        self.can_stealth = flagged("stealth")
        self.callers = flagged("artillery") | self.leaders
        self.self_rally = flagged("self-rally") | self.singles | self.teams | self.vehicles
        """Who rallies without a leader (S11.1)."""
        self.side_units = [
            sum(1 << unit for unit, one in enumerate(self.side) if one == side) & self.units
            for side in (0, 1)
        ]
        # By steps, with nothing at 0.
        self.weights = [(0, *self._weights(unit)) for unit in range(self.count)]
        """What a unit takes of a place: half-squads, plus 16 for each single man (S3.1)."""
        self.fp = [(0, counter.readouts[0].fp, counter.readouts[1].fp) for counter in counters]
        self.range = [(0, counter.readouts[0].range, counter.readouts[1].range) for counter in counters]
        self.mf = [(0, counter.readouts[0].mf, counter.readouts[1].mf) for counter in counters]
        self.morale = [(0, counter.readouts[0].morale, counter.readouts[1].morale) for counter in counters]
        self.shaken_morale = [(0, c.readouts[0].shaken, c.readouts[1].shaken) for c in counters]
        self.ordnance = [counter.ordnance for counter in counters]
        ordnance = sum(1 << unit for unit, data in enumerate(self.ordnance) if data is not None)
        self.guns = ordnance & ~self.vehicles
        self.gunners = ordnance
        self.piercing = sum(1 << u for u, data in enumerate(self.ordnance) if data and data.piercing)
        self.armour = [counter.armour for counter in counters]
        self.armoured = sum(1 << unit for unit, data in enumerate(self.armour) if data and data.lowest)
        turrets = sum(1 << unit for unit, data in enumerate(self.armour) if data and data.turret)
        self.fixed = ordnance & self.vehicles & ~turrets
        self.seats = [counter.seats for counter in counters]
        self.zones: list[dict[int, int]] = [{} for _ in counters]
        """By ordnance: where it stands, as far as asked for, and the mask of places that it reaches."""
        self.full = [2 if counter.kind == SQUAD and not counter.spare else 1 for counter in counters]
        self.limit_men = 2 * self.options.squads_a_hex
        self.limit_singles = self.options.singles_a_hex
        self.limit_vehicles = self.options.vehicles_a_hex
        self._reaches()
        self.pace = [[self._paces(unit, steps) for steps in range(3)] for unit in range(self.count)]
        """By unit, steps, and the weapon that it carries or -1: its MF (S4.7)."""

    def gun(self, unit: int) -> OrdnanceData:
        """The numbers of a unit or weapon that is ordnance."""
        data = self.ordnance[unit]
        assert data is not None, "ordnance has its numbers"
        return data

    def plates(self, vehicle: int) -> ArmourData:
        """The armour of a vehicle."""
        data = self.armour[vehicle]
        assert data is not None, "every vehicle has its armour"
        return data

    def _paces(self, unit: int, steps: int) -> dict[int, int]:
        own, leader = self.mf[unit][steps], self.leaders >> unit & 1
        found = {-1: own}
        for weapon in units(self.weapons):
            found[weapon] = max(0, own - (LEADER_LOAD if leader else self.counters[weapon].load))
        return found

    def _weights(self, unit: int) -> tuple[int, int]:
        bit = 1 << unit
        if self.vehicles & bit:
            return 0, 0
        if self.singles & bit:
            return 16, 16
        if self.teams & bit:
            return 2, 2
        return (1, 2) if self.squads & bit else (1, 1)

    def _reaches(self) -> None:
        times = 2 if self.options.extended_range else 1

        def far(unit: int, steps: int) -> int:
            gun = self.guns >> unit & 1
            return self.range[unit][steps] * times if self.fp[unit][steps] and not gun else -1

        self.reach = [(-1, far(unit, 1), far(unit, 2)) for unit in range(self.count)]
        """By unit or weapon, and steps: how far its fire goes (S8.9); -1 for ordnance, and for none."""
