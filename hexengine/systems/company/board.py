"""The static side of a company scenario, compiled to tables of small ints; ``scenario.build`` makes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from hexengine.core.rulebook import WordsFile
from hexengine.hexes import HexMap
from hexengine.mechanics.victory import Goal
from hexengine.mechanics.wording import Wording, side_facts
from hexengine.systems.company.ground import Ground
from hexengine.systems.company.orders import OrderBook
from hexengine.systems.company.scenario.format import Options
from hexengine.systems.company.sight.lines import Sight

if TYPE_CHECKING:
    from hexengine.systems.company.position import CompanyPosition

INFANTRY, GUN, VEHICLE, CAVALRY = range(4)
KINDS = ("infantry", "gun", "vehicle", "cavalry")
NO_SIZE, MAN_PACKED, LIGHT, MEDIUM, HEAVY, IMMOBILE = range(6)
VEHICLE_WEIGHT = 8
"""What a vehicle counts in ``here``; any other team counts 1."""
SIZES = ("", "man-packed", "light", "medium", "heavy", "immobile")


class Weapon(NamedTuple):
    """A weapon in whole hexes; ``number`` tells the types apart that share out their hits separately."""

    number: int
    id: str
    range: int
    rof: int
    moved: int
    at: int
    firepower: int


class Barrage(NamedTuple):
    """What a gun adds to a bombardment: range in hexes, anti-tank, Firepower, whether it has smoke."""

    range: int
    at: int
    firepower: int
    smoke: bool


class Counter(NamedTuple):
    """One team's printed values.

    ``skill`` and ``motivation`` are the numbers a die must reach, ``to_hit`` the score against it;
    ``allowance`` is in hexes on road, cross-country and difficult ground; ``armour`` front, side, top.
    """

    id: str
    type: str
    name: str
    side: int
    platoon: int
    kind: int
    size: int
    skill: int
    motivation: int
    to_hit: int
    save: int
    allowance: tuple[int, int, int]
    checks: bool
    armour: tuple[int, int, int] | None
    weapons: tuple[Weapon, ...]
    assault_at: int
    barrage: Barrage | None
    flags: frozenset[str]


class PlatoonData(NamedTuple):
    """One platoon: its teams as a mask, and the numbers of its tests, which are the worst of its teams."""

    id: str
    name: str
    side: int
    members: int
    skill: int
    motivation: int
    command: int
    """Its command distance in hexes (C10.3)."""
    independent: bool
    reserve: bool
    ambush: bool
    hexes: int
    """Where it comes onto the map, as a mask."""


class Reaches(NamedTuple):
    """Distances of the rules in hexes; see format.Distances."""

    standoff: int
    charge: int
    contact: int
    defence: int
    breakoff: int
    long_range: int
    supply: int
    joined: int
    ambush: int


class Flights(NamedTuple):
    """A side's air support: calls, the die that a call must reach, and its attack."""

    calls: int
    need: int
    rof: int
    weapon: Weapon


class Template(NamedTuple):
    """A bombardment by so many guns or more; ``again``: "none", "hits" or "misses" are thrown again."""

    guns: int
    radius: int
    again: str


class Numbers(NamedTuple):
    """Numbers of the rules; see format.TablesFile.  ``fits``: what may stand in a hex of a side, as ``here``
    counts it.
    """

    pinning_hits: int
    pinned_rof: int
    reserves: int
    going: int
    ranging_tries: int
    company_losses: int
    concealed: int
    gone_to_ground: int
    long_range: int
    company_observer: int
    double_distance: int
    double_dice: int
    assault_rounds: int
    assault_firepower: int
    stacking: tuple[int, int, int]
    """Teams, vehicles, teams beside a vehicle."""
    fits: frozenset[int]


class Board:
    """All static tables of a scenario.

    Masks of units: ``infantry``, ``vehicles``, ``cavalry``, ``foot`` (infantry and man-packed guns: they may
    use buildings), ``diggers`` (infantry and guns), ``armoured``, ``faced`` (they have a facing), ``arcs``,
    ``mobile`` (they can move at all), ``checks`` (they take going checks, C1.6), ``guns`` (barrage weapons),
    ``double_armed`` (with more than one weapon), ``commands``, ``companies``, ``observers``, ``supplies``; by
    side ``side_units``.  ``side_platoons`` are masks of platoons, by side.
    """

    def __init__(
        self,
        sides: tuple[str, ...],
        side_names: tuple[str, ...],
        turns: int,
        title: str,
        hexmap: HexMap,
        ground: Ground,
        counters: Sequence[Counter],
        platoons: Sequence[PlatoonData],
        goals: Sequence[Goal],
        options: Options,
        names: Mapping[int, str],
        words: WordsFile,
        reaches: Reaches,
        templates: Sequence[Template],
        flights: tuple[Flights | None, Flights | None],
        numbers: Numbers,
    ) -> None:
        self.sides = sides
        self.side_names = side_names
        self.turns = turns
        self.title = title
        self.map = hexmap
        self.grid = hexmap.grid
        self.size = hexmap.grid.size
        self.labels = hexmap.grid.labels
        self.ground = ground
        self.sight = Sight(ground)
        self.counters = list(counters)
        self.count = len(self.counters)
        self.platoons = list(platoons)
        self.ids = [counter.id for counter in self.counters]
        self.orders = OrderBook(self.ids, [platoon.id for platoon in self.platoons], hexmap.grid)
        self.goals = list(goals)
        self.levels: Sequence[tuple[int, str]] = ()
        """Margins of victory have no names."""
        self.options = options
        self.names = dict(names)
        self.wording = Wording(words, side_facts(sides, side_names))
        self.reaches = reaches
        self.templates = list(templates)
        self.flights = flights
        self.numbers = numbers
        self.fits = numbers.fits
        self.start: CompanyPosition
        """The position at the start; games begin with a copy."""
        self._roles()

    def _roles(self) -> None:
        counters = self.counters

        def mask(*kinds: int) -> int:
            return sum(1 << unit for unit, counter in enumerate(counters) if counter.kind in kinds)

        def flagged(flag: str) -> int:
            return sum(1 << unit for unit, counter in enumerate(counters) if flag in counter.flags)

        self.side = [counter.side for counter in counters]
        self.platoon = [counter.platoon for counter in counters]
        self.skill = [counter.skill for counter in counters]
        self.weapons = [counter.weapons for counter in counters]
        self.infantry = mask(INFANTRY)
        self.vehicles = mask(VEHICLE)
        self.cavalry = mask(CAVALRY)
        self.diggers = mask(INFANTRY, GUN)
        man_packed = sum(1 << unit for unit, one in enumerate(counters) if one.size == MAN_PACKED)
        self.foot = self.infantry | man_packed
        self.armoured = sum(1 << unit for unit, one in enumerate(counters) if one.armour is not None)
        self.faced = self.vehicles | (mask(GUN) & ~man_packed)
        self.arcs = self.faced & ~(flagged("turret") | self.infantry | self.cavalry)
        """Teams that shoot into the half-circle ahead alone (C1.4)."""
        self.mobile = sum(1 << unit for unit, one in enumerate(counters) if any(one.allowance))
        self.guns = sum(1 << unit for unit, one in enumerate(counters) if one.barrage is not None)
        self.commands = flagged("command")
        self.companies = flagged("company")
        self.observers = flagged("observer") | self.commands
        self.supplies = flagged("pioneer-supply")
        self.side_units = [
            sum(1 << unit for unit, one in enumerate(self.side) if one == side) for side in (0, 1)
        ]
        self.side_platoons = [
            sum(1 << number for number, one in enumerate(self.platoons) if one.side == side)
            for side in (0, 1)
        ]
        self.members = [platoon.members for platoon in self.platoons]
        self.weight = [VEHICLE_WEIGHT if one.kind == VEHICLE else 1 for one in counters]
        """What a team adds to ``here``: 1 for infantry, guns and cavalry, more for a vehicle (C1.3)."""
        self.allowance = [one.allowance for one in counters]
        self.checks = sum(1 << unit for unit, one in enumerate(counters) if one.checks)
        self.double_armed = sum(1 << unit for unit, one in enumerate(counters) if len(one.weapons) > 1)
        amounts, fits = range(256), self.fits
        self.full = [amount + 1 not in fits for amount in amounts]
        """By what stands in a hex, whether there is no room for another team that is no vehicle (C1.3)."""
        self.tight = [amount + VEHICLE_WEIGHT not in fits for amount in amounts]
        """The same for another vehicle."""
