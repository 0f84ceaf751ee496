"""The static side of a platoon scenario, compiled to tables of small ints.

Everything the rules read while a game runs; ``scenario.build`` makes it from files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from hexengine.core.rulebook import WordsFile
from hexengine.hexes import Grid, HexMap
from hexengine.hexes.hexmap import Steps
from hexengine.mechanics.victory import Goal
from hexengine.mechanics.wording import Names, Wording, side_facts
from hexengine.systems.platoon.orders.book import OrderBook
from hexengine.systems.platoon.scenario.format import Options
from hexengine.systems.platoon.sight.air import AirSight
from hexengine.systems.platoon.sight.ground import Sight
from hexengine.systems.platoon.tables import Targets, Weights, open_ways

if TYPE_CHECKING:
    from hexengine.systems.platoon.position import PlatoonPosition
    from hexengine.systems.platoon.tactics import PlatoonTactics

HARD, SOFT, AIR, HEADQUARTERS, WEAPON = range(5)
KINDS = ("hard", "soft", "air", "hq", "sw")
CLASSES = ("leg", "tracked", "wheeled", "air")
AIR_CLASS = CLASSES.index("air")
END_OF_TURN = "eot"
FORMATION_FACTS = ("formation", "formations", "overlooked", "marker")
"""Facts of refusals and events that hold a formation."""
FULL, REDUCED = 0, 1
MAKESHIFT_AA_MODIFIER = 2
"""Added to the to-hit number of HE at helicopters (P13.2)."""
HELICOPTER_FIRE_LIMIT = 24
"""Half MP that a helicopter may spend and still fire: 12 hexes (P6.5, D3)."""


class Block(NamedTuple):
    """A fire block: printed range, dice of both sides, to-hit; underlined; a missile; nearest range.

    ``makeshift`` is added to the to-hit number of HE that stands in for an AA block (P13.2).
    """

    range: int
    dice: tuple[int, int]
    to_hit: int
    limit: bool = False
    missile: bool = False
    minimum: int = 0
    makeshift: int = 0

    @property
    def reach(self) -> int:
        """The furthest range at which it may fire (P6.2)."""
        return self.range if self.limit else 2 * self.range


@dataclass(frozen=True, slots=True)
class Counter:
    """One unit's printed values and static facts."""

    id: str
    type: str
    name: str
    mark: str
    side: int
    formation: int
    kind: int
    mobility: int
    """Index in CLASSES; -1 where it moves with others."""
    allowance: int
    """Half MP."""
    half: int
    """Half MP of half its allowance, rounded up to whole MP (P0.4)."""
    blocks: tuple[Block | None, Block | None, Block | None]
    """Against hard, soft and air targets: AP, HE, AA, or HE in its place (P13.2)."""
    armour: tuple[int, int]
    save: int
    assault: tuple[int, int]
    assault_to_hit: int
    flags: frozenset[str]
    steps: int
    """Steps of an unharmed unit: 2, or 1 for a counter without a reduced side."""
    leadership: tuple[int, int]
    radius: tuple[int, int]
    pictured: frozenset[str]
    """Of an HQ: the types it may come back with; empty: any."""
    due: int
    """Turn of arrival; 0 for units on the map at the start."""
    entry: frozenset[int]
    arrival: int
    """Die needed each turn to arrive; 0: arrives without a die."""


@dataclass(frozen=True, slots=True)
class FormationData:
    """A formation's static facts; ``members`` and ``fighters`` are masks of units."""

    id: str
    name: str
    side: int
    markers: int
    morale: int
    members: int
    fighters: int
    """Members that are units proper: neither HQ nor support weapon."""
    hq: int
    """Its HQ, or -1 if it never had one."""


def known_names(
    sides: tuple[str, ...], side_names: tuple[str, ...], formations: list[FormationData]
) -> Names:
    """What the scenario calls its sides and formations, for the facts that hold one."""
    names = {formation.id: formation.name for formation in formations}
    return {**side_facts(sides, side_names), **dict.fromkeys(FORMATION_FACTS, names)}


class Board:
    """All static tables of a scenario.

    Masks of units by role: ``fighters`` (hard, soft and air), ``counted`` (those that count for
    stacking), ``hqs``, ``weapons`` (support weapons), ``infantry``, ``transports``, ``riders``
    (may be passengers), ``movers`` (fighters and HQs), ``air`` (helicopters); by side:
    ``side_units``, ``standing`` (counted units and HQs), ``watchers`` (those and helicopters),
    ``side_formations`` (masks of formations).  ``air_formations``: the formations of helicopters.
    """

    support: Sequence[int] = ()
    """HE and smoke missions of each formation in turn, then the air strikes of each side; or empty."""
    supported: int = 0
    """The formations that may ever have a mission or a strike to call, as a mask."""
    has_smoke: bool = False

    def __init__(
        self,
        sides: tuple[str, ...],
        side_names: tuple[str, ...],
        turns: int,
        title: str,
        hexmap: HexMap,
        counters: list[Counter],
        weapon_of: list[int],
        formations: list[FormationData],
        cover: list[tuple[int, int]],
        sight: Sight,
        positions: int,
        exits: tuple[frozenset[int], frozenset[int]],
        goals: list[Goal],
        levels: list[tuple[int, str]],
        options: Options,
        first_draw: int,
        names: dict[int, str],
        words: WordsFile,
    ) -> None:
        self.sides = sides
        self.side_names = side_names
        self.turns = turns
        self.title = title
        self.map = hexmap
        self.grid: Grid = hexmap.grid
        self.size = hexmap.grid.size
        self.labels = hexmap.grid.labels
        self.neighbours = hexmap.grid.neighbours
        self.counters = counters
        self.count = len(counters)
        self.ids = [counter.id for counter in counters]
        self.weapon_of = weapon_of
        self.formations = formations
        self.cover = cover
        self.sight = sight
        self.positions = positions
        self.exits = exits
        self.has_exits = bool(exits[0] or exits[1])
        self.goals = goals
        self.sudden = [goal for goal in goals if goal.at_once]
        """The goals that end the game as soon as they are fulfilled."""
        self.levels = levels
        self.options = options
        self.first_draw = first_draw
        self.names = names
        self.wording = Wording(words, known_names(sides, side_names, formations))
        self.tactics: PlatoonTactics | None = None
        """What was worked out about this board for rule-based players, once one asked."""
        self.marker_names = [formation.id for formation in formations] + [END_OF_TURN]
        self.eot = len(formations)
        self.orders = OrderBook(self.ids, hexmap.grid, weapon_of)
        self.owner_of = [-1] * self.count
        for unit, weapon in enumerate(weapon_of):
            if weapon >= 0:
                self.owner_of[weapon] = unit
        self.crests: frozenset[tuple[int, int]] = frozenset()
        self.blown: frozenset[tuple[int, int]] = frozenset()
        self.start: PlatoonPosition
        """The position at the start; games begin with a copy."""
        self.start_steps: list[int] = []
        self.air_sight: AirSight
        """Lines of sight from and to the air; only asked where there are helicopters."""
        self.late = [unit for unit, counter in enumerate(counters) if counter.due]
        """The units that come as reinforcements."""
        self._roles()
        self._movement()
        self._attacks()
        self._works()

    def _roles(self) -> None:
        counters = self.counters

        def mask(test: list[bool]) -> int:
            return sum(1 << unit for unit, true in enumerate(test) if true)

        self.side = [counter.side for counter in counters]
        self.own_base = [counter.side * self.size for counter in counters]
        """By unit: where its side's part of ``here`` begins."""
        self.formation = [counter.formation for counter in counters]
        self.kind = [counter.kind for counter in counters]
        self.save = [counter.save for counter in counters]
        self.armour = [counter.armour for counter in counters]
        self.hqs = mask([c.kind == HEADQUARTERS for c in counters])
        self.weapons = mask([c.kind == WEAPON for c in counters])
        self.fighters = mask([c.kind in (HARD, SOFT, AIR) for c in counters])
        self.counted = mask([c.kind in (HARD, SOFT) for c in counters])
        self.hard = mask([c.kind == HARD for c in counters])
        self.movers = self.fighters | self.hqs
        self.air = mask([c.kind == AIR for c in counters])
        self.air_formations = sum(
            1 << number for number, formation in enumerate(self.formations) if formation.members & self.air
        )
        self.infantry = mask(["infantry" in c.flags for c in counters])
        self.riders = mask(["infantry" in c.flags or "team" in c.flags for c in counters])
        self.transports = mask(["transport" in c.flags for c in counters])
        self.engineers = mask(["engineer" in c.flags for c in counters])
        self.amphibious = mask(["amphibious" in c.flags for c in counters]) & ~self.riders
        self.fire_on_move = mask(["fire-on-move" in c.flags for c in counters]) | self.air
        self.fire_limit = [
            HELICOPTER_FIRE_LIMIT if counter.kind == AIR else counter.half for counter in counters
        ]
        """By unit: half MP that it may spend and still fire, if it may fire on the move (P6.5)."""
        self.recon = mask(["recon" in c.flags for c in counters])
        self.indirect = mask(["indirect" in c.flags for c in counters])
        against_air = [c.blocks[AIR] for c in counters]
        self.anti_aircraft = mask([block is not None and not block.makeshift for block in against_air])
        """Counters with an AA block, support weapons among them."""
        self.air_defenders = self.fighters & self.anti_aircraft | mask(
            [weapon >= 0 and bool(self.anti_aircraft >> weapon & 1) for weapon in self.weapon_of]
        )
        """Units that have an AA block, or a support weapon with one."""
        self.side_units = [mask([c.side == side for c in counters]) for side in (0, 1)]
        self.standing = [units & (self.counted | self.hqs) for units in self.side_units]
        self.shooters = [units & self.fighters for units in self.side_units]
        self.watchers = [self.standing[side] | self.air & self.side_units[side] for side in (0, 1)]
        self.side_formations = [
            sum(1 << f for f, formation in enumerate(self.formations) if formation.side == side)
            for side in (0, 1)
        ]
        self.bearers = self.transports | sum(
            1 << unit for unit, weapon in enumerate(self.weapon_of) if weapon >= 0
        )
        """Units that may have others with them: carriers, and infantry with a support weapon."""
        self.acts_on = self.fire_on_move
        """Units that may do something else than to move on or to unload once they have moved; -1: all."""
        self.weight = [
            1 if self.counted >> unit & 1 else 16 if self.hqs >> unit & 1 else 0 for unit in range(self.count)
        ]
        """By unit: what it adds to ``here``."""
        self.weights = Weights(self.weight)
        """By mask of units: what they add to ``here``."""
        self.pictured = [
            mask([not counter.pictured or other.type in counter.pictured for other in counters])
            if counter.kind == HEADQUARTERS
            else 0
            for counter in counters
        ]
        """By HQ: the units that it may come back with, as far as type goes (P9.5)."""
        self._groups()

    def _groups(self) -> None:
        """Per formation: where its side stands in ``here``, and who has to do with whose carriers."""
        self.base = [formation.side * self.size for formation in self.formations]
        """By formation: where its side's part of ``here`` begins."""
        self.acting = [formation.members & self.movers for formation in self.formations]
        """By formation: the units that act in its activation."""
        self.partners = [
            self.side_units[formation.side] if self.options.cross_loading else formation.members
            for formation in self.formations
        ]
        """By formation: the units that its carriers may have to do with (P5.4)."""
        self.formation_riders = [partners & self.fighters & self.riders for partners in self.partners]
        self.formation_carriers = [formation.fighters & self.transports for formation in self.formations]

    def _movement(self) -> None:
        """Per movement class: cost by hex and direction, and a mask of directions by half MP left."""
        hexmap = self.map
        neighbours = self.neighbours
        self.mobility = [counter.mobility for counter in self.counters]
        self.allowance = [counter.allowance for counter in self.counters]
        self.half = [counter.half for counter in self.counters]
        self.costs: list[list[tuple[int, ...]]] = []
        """By class, hex and direction: half MP, 0 where the step is prohibited."""
        self.open_ways: list[list[tuple[int, ...]]] = []
        self.entry_costs: list[list[int | None]] = []
        self.land: list[int] = []
        """By class: the one it is but for crossing water; those of CLASSES come first."""
        self.water = 0
        """The mask of hexes in which nobody is but who swims."""
        ground = [counter.allowance for counter in self.counters if counter.kind != AIR]
        self.plenty = max(ground, default=0) + 1
        """Half MP, more than any unit has, that stand for a step whatever it costs (P5.5, P4.2)."""
        used = {mobility for mobility in self.mobility if mobility >= 0}
        for number, name in enumerate(CLASSES):
            costs: list[tuple[int, ...]] = []
            for place, steps in enumerate(hexmap.steps(name) if number in used else ()):
                by_hex = dict(steps)
                costs.append(tuple([by_hex.get(neighbour, 0) for neighbour in neighbours[place]]))
            self._class(number, costs, [hexmap.entry_cost(place, name) for place in range(self.size)])
        nothing = [(0,) * len(row) for row in neighbours]
        self.unit_costs = [self.costs[mobility] if mobility >= 0 else nothing for mobility in self.mobility]
        """By unit, hex and direction: half MP of a step, 0 where it is prohibited and for HQs."""
        self.unit_ways = [self.open_ways[mobility] if mobility >= 0 else [] for mobility in self.mobility]
        """By unit and hex: the mask of directions it can pay for, by half MP left (0 to ``plenty``)."""
        self.minimum_move = self.options.minimum_move
        self.targets = [Targets(row) for row in self.neighbours]
        self.direction = [
            {there: direction for direction, there in enumerate(row) if there >= 0} for row in self.neighbours
        ]
        """By hex: the direction of each neighbour."""
        self.around = [sum(1 << there for there in row if there >= 0) for row in self.neighbours]
        """By hex: the mask of its neighbours."""

    def _class(self, land: int, costs: list[tuple[int, ...]], entry: list[int | None]) -> None:
        """Note the tables of one more movement class."""
        self.costs.append(costs)
        # In the air every way is open to those who can pay for one (P13.1).
        self.open_ways.append([open_ways(row, self.plenty) for row in costs] if land != AIR_CLASS else [])
        self.entry_costs.append(entry)
        self.land.append(land)

    def add_class(self, land: int, steps: list[tuple[int, int]], cost: int) -> int:
        """A movement class that can take further steps, from hex to hex, at a cost in half MP; its number."""
        rows = [list(row) for row in self.costs[land]]
        for place, there in steps:
            rows[place][self.neighbours[place].index(there)] = cost
        self._class(land, [tuple(row) for row in rows], self.entry_costs[land])
        return len(self.costs) - 1

    def use_class(self, unit: int, mobility: int) -> None:
        """Let a unit move by one of the movement classes."""
        self.mobility[unit] = mobility
        self.unit_costs[unit] = self.costs[mobility]
        self.unit_ways[unit] = self.open_ways[mobility]

    def steps(self, mobility: int) -> Steps:
        """For each hex the (neighbour, half MP) pairs of a class in direction order."""
        if mobility < len(CLASSES):
            return self.map.steps(CLASSES[mobility])
        return [
            tuple([(there, cost) for there, cost in zip(around, row, strict=True) if cost])
            for around, row in zip(self.neighbours, self.costs[mobility], strict=True)
        ]

    def _works(self) -> None:
        """What the ground may become, and what it shelters from."""
        self.side_cover: dict[tuple[int, int], int] = {}
        """Save dice against fire across a hexside (D1); empty without the option ``wall_cover``."""
        self.mined = False
        """Whether there are mines, or there may be some."""
        self.has_works = self.options.dig_in
        """Whether there may be orders to work in the field."""

    def _attacks(self) -> None:
        """Per firing counter, side up and target kind: (dice, to-hit) by range, before other modifiers."""
        self.attacks: list[tuple[tuple[tuple[tuple[int, int] | None, ...], ...], ...]] = []
        self.open_ground = 0
        """Mask of the hexes where vehicles overrun soft targets (P7.1)."""
        self.streets = 0
        """Mask of the hexes where infantry has the better of vehicles in an assault (P7.3.3)."""
        self.assault = [counter.assault for counter in self.counters]
        self.assault_to_hit = [counter.assault_to_hit for counter in self.counters]
        self.reach = [0] * self.count
        self.missile = 0
        for unit, counter in enumerate(self.counters):
            self.attacks.append(
                tuple(
                    tuple(_by_range(block, side_up) for block in counter.blocks)
                    for side_up in (FULL, REDUCED)
                )
            )
            armour_piercing = counter.blocks[HARD]
            if armour_piercing is not None and armour_piercing.missile:
                self.missile |= 1 << unit
        for unit in range(self.count):
            own = [unit] if self.weapon_of[unit] < 0 else [unit, self.weapon_of[unit]]
            blocks = [block for weapon in own for block in self.counters[weapon].blocks if block]
            self.reach[unit] = max((block.reach for block in blocks), default=0)


def _by_range(block: Block | None, side_up: int) -> tuple[tuple[int, int] | None, ...]:
    """Dice and to-hit by range (P6.2): short range one better, beyond the printed range one worse.

    Range 0 is that of defenders at units that have entered their hex (P7.5), and of helicopters and those
    below them (P13.2); it counts as 1.
    """
    if block is None or not block.dice[side_up]:
        return ()
    dice = block.dice[side_up]
    short = max(1, block.range // 2)
    row: list[tuple[int, int] | None] = []
    for distance in range(1, block.reach + 1):
        if distance < block.minimum:
            row.append(None)
        elif block.limit:
            row.append((dice, block.to_hit + block.makeshift))
        elif distance <= short:
            row.append((dice, block.to_hit - 1))
        elif distance <= block.range:
            row.append((dice, block.to_hit))
        else:
            row.append((dice, block.to_hit + 1))
    return (row[0], *row) if row else ()
