"""The changing side of a squad game, in columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexengine.core.dice import STREAMS
from hexengine.core.position import Position
from hexengine.mechanics.masks import lowest, units
from hexengine.mechanics.victory import ONGOING

if TYPE_CHECKING:
    from hexengine.systems.squad.board import Board


WOUND = 2
"""MF that a wound takes (S8.7)."""


class SquadPosition(Position):
    """Everything that changes.

    Columns by unit: ``place`` (-1: not on the map; a carried weapon's is its carrier's), ``steps`` (of a
    squad 2, of its half and of all others 1; 0: eliminated or not yet there), ``carrier`` (of a weapon: who
    has it, of a passenger: the vehicle, or -1), ``spent`` (half MP this turn).  By side: ``points`` (scored
    at turns' ends), ``rounds`` (fire missions left).  By hex: ``ffe`` (firepower of a fire-for-effect
    marker), ``mines_0`` and ``mines_1`` (firepowers of up to two mine markers, each as ten times the first
    plus the second).

    At ``side * places + place``: ``here``, what counts for stacking (half-squads, plus 16 for each single
    man), and ``stacks``, the mask of units.  ``arms``: the weapon that a unit carries, or -1.  ``control``:
    for each hex 0, or the side that controls it plus 1.

    Masks of units.  ``placed`` (on the map), ``lost``, ``waiting`` (come by an event), ``shaken``,
    ``wounded``, ``hidden`` (not seen by the enemy at all).  Markers (S15): ``moved``, ``assault`` (Assault
    Move), ``crawl`` (Low Crawl), ``stealth``, ``fired``, ``ops`` (Ops Complete).  ``smoked`` (placed smoke:
    MF less 1), ``handled`` (tried or changed hands in this Rally Phase).
    Masks of places: ``spotted_0``, ``spotted_1`` (Spotted markers on the units of a side),
    ``melee`` (Melee markers), ``fought`` (had their round
    this turn); of hexes: ``smoke_1``, ``smoke_2`` (Smoke markers), ``old_ffe`` (fell in an earlier turn),
    ``known_mines`` (found).  ``events``: mask of event markers that still lie.
    Of the impulse: ``active`` (places whose units may act), ``moved_from``, ``fired_from`` (places whose move
    group, or fire group, has acted), ``fired_on`` (places whose units have fired where they moved on to),
    ``marched`` (units that have left an active place and may still fire), ``origins`` and ``aims`` (see
    ``firing.groups``), ``leader`` (who spread the activation, or -1), ``looked`` (a spotting
    attempt was made), ``acted`` (something was activated), ``stopped`` (units that a result has stopped on
    the move), ``doomed`` (units killed in a melee round that may still strike).
    ``armed``: the units that carry a weapon; ``aboard``: the passengers of vehicles; ``taken_0``,
    ``taken_1``: the places in which a side has units.
    Where vehicles are in the scenario, else empty: by unit ``facing`` (of a vehicle: its direction) and
    ``turned`` (1: it has turned in place); by hex ``wrecks`` (1: there is one).
    Of a copy for one side: ``unseen`` (the enemy's units that it may not see).
    """

    COLUMNS = ("place", "steps", "carrier", "spent", "points", "rounds", "stacks", "arms")
    BYTES = ("here", "control", "ffe", "mines_0", "mines_1", "facing", "turned", "wrecks")
    DERIVED = ("here", "stacks", "arms", "taken_0", "taken_1", "armed", "aboard")
    INTS = (
        "turn",
        "initiative",
        "placed",
        "lost",
        "waiting",
        "shaken",
        "wounded",
        "hidden",
        "moved",
        "assault",
        "crawl",
        "stealth",
        "fired",
        "ops",
        "smoked",
        "handled",
        "spotted_0",
        "spotted_1",
        "melee",
        "fought",
        "smoke_1",
        "smoke_2",
        "old_ffe",
        "known_mines",
        "events",
        "active",
        "moved_from",
        "fired_from",
        "fired_on",
        "marched",
        "origins",
        "aims",
        "leader",
        "looked",
        "acted",
        "stopped",
        "doomed",
        "unseen",
        "taken_0",
        "taken_1",
        "armed",
        "aboard",
        "winner",
        "reason",
    )
    __slots__ = ("board", *COLUMNS, *BYTES, *INTS)

    board: Board
    place: list[int]
    steps: list[int]
    carrier: list[int]
    spent: list[int]
    points: list[int]
    rounds: list[int]
    stacks: list[int]
    arms: list[int]
    here: bytearray
    control: bytearray
    ffe: bytearray
    mines_0: bytearray
    mines_1: bytearray
    facing: bytearray
    turned: bytearray
    wrecks: bytearray
    turn: int
    initiative: int
    placed: int
    lost: int
    waiting: int
    shaken: int
    wounded: int
    hidden: int
    moved: int
    assault: int
    crawl: int
    stealth: int
    fired: int
    ops: int
    smoked: int
    handled: int
    spotted_0: int
    spotted_1: int
    melee: int
    fought: int
    smoke_1: int
    smoke_2: int
    old_ffe: int
    known_mines: int
    events: int
    active: int
    moved_from: int
    fired_from: int
    fired_on: int
    marched: int
    origins: int
    aims: int
    leader: int
    looked: int
    acted: int
    stopped: int
    doomed: int
    unseen: int
    taken_0: int
    taken_1: int
    armed: int
    aboard: int
    winner: int
    reason: int

    def __init__(self, board: Board) -> None:
        super().__init__(len(STREAMS))
        self.board = board
        count, size = board.count, board.size
        self.place = [-1] * count
        self.steps = [0] * count
        self.carrier = [-1] * count
        self.spent = [0] * count
        self.points = [0, 0]
        self.rounds = [0, 0]
        self.stacks = [0] * (2 * board.places.count)
        self.arms = [-1] * count
        self.here = bytearray(2 * board.places.count)
        self.control = bytearray(size)
        self.ffe = bytearray(size)
        self.mines_0 = bytearray(size)
        self.mines_1 = bytearray(size)
        driven = bool(board.vehicles)
        self.facing = bytearray(count * driven)
        self.turned = bytearray(count * driven)
        self.wrecks = bytearray(size * driven)
        for name in self.INTS:
            setattr(self, name, 0)
        self.turn = 1
        self.leader = -1
        self.winner = ONGOING

    def at(self, place: int, side: int) -> int:
        """The mask of a side's units that stand in a place; weapons aside."""
        return self.stacks[side * self.board.places.count + place]

    def taken(self, side: int) -> int:
        """The mask of places in which a side has units."""
        return self.taken_1 if side else self.taken_0

    def smoke(self) -> int:
        """The mask of hexes with smoke."""
        return self.smoke_1 | self.smoke_2

    def weapon(self, unit: int) -> int:
        """The weapon that a unit carries, or -1."""
        return self.arms[unit]


def give(pos: SquadPosition, weapon: int, unit: int) -> None:
    """A weapon changes hands; ``unit`` -1: it lies where it is."""
    holder = pos.carrier[weapon]
    if holder >= 0:
        pos.armed &= ~(1 << holder)
        pos.arms[holder] = -1
    pos.carrier[weapon] = unit
    if unit >= 0:
        pos.armed |= 1 << unit
        pos.arms[unit] = weapon


def weight(pos: SquadPosition, unit: int) -> int:
    """What a unit adds to ``here``: half-squads, or 16 for a single man (S3.1)."""
    return pos.board.weights[unit][pos.steps[unit]]


def mf(pos: SquadPosition, unit: int) -> int:
    """A unit's MF as it is now: less for a wound, for a weapon carried, and after placing smoke."""
    paces = pos.board.pace[unit][pos.steps[unit]]
    found = paces[pos.arms[unit]]
    if not (pos.wounded | pos.smoked) >> unit & 1:
        return found
    own = paces[-1]
    less = own - found
    if pos.wounded >> unit & 1 and own:
        own = max(1, own - WOUND)
    return max(0, own - less - (pos.smoked >> unit & 1))


def stand(pos: SquadPosition, side: int, place: int, amount: int) -> None:
    """Note that so much (negative: less) stands in a place."""
    at = side * pos.board.places.count + place
    pos.here[at] += amount
    bit = 1 << place
    if side:
        pos.taken_1 = pos.taken_1 | bit if pos.stacks[at] else pos.taken_1 & ~bit
    else:
        pos.taken_0 = pos.taken_0 | bit if pos.stacks[at] else pos.taken_0 & ~bit


def put(pos: SquadPosition, unit: int, place: int) -> None:
    """Put a unit, with the weapon it carries, onto the map."""
    side = pos.board.side[unit]
    pos.place[unit] = place
    pos.placed |= 1 << unit
    pos.stacks[side * pos.board.places.count + place] |= 1 << unit
    stand(pos, side, place, weight(pos, unit))
    weapon = pos.arms[unit]
    if weapon >= 0:
        pos.place[weapon] = place
        pos.placed |= 1 << weapon


def leave(pos: SquadPosition, unit: int) -> None:
    """Take a unit out of its place, its marks and its weapon aside."""
    side, place = pos.board.side[unit], pos.place[unit]
    pos.place[unit] = -1
    pos.placed &= ~(1 << unit)
    pos.stacks[side * pos.board.places.count + place] &= ~(1 << unit)
    stand(pos, side, place, -weight(pos, unit))


def shift(pos: SquadPosition, mask: int, place: int) -> None:
    """Move units of one side that stand together into another place, weapons with them."""
    board, where, arms, steps = pos.board, pos.place, pos.arms, pos.steps
    first = lowest(mask)
    side, left = board.side[first], where[first]
    amount = 0
    for unit in units(mask):
        amount += board.weights[unit][steps[unit]]
        where[unit] = place
        if arms[unit] >= 0:
            where[arms[unit]] = place
    base, here, stacks = side * board.places.count, pos.here, pos.stacks
    here[base + left] -= amount
    here[base + place] += amount
    stacks[base + left] &= ~mask
    stacks[base + place] |= mask
    gone, come = 0 if stacks[base + left] else 1 << left, 1 << place
    if side:
        pos.taken_1 = pos.taken_1 & ~gone | come
    else:
        pos.taken_0 = pos.taken_0 & ~gone | come
    if gone and (pos.spotted_0 | pos.spotted_1) & gone:
        unspot(pos, side, left)


def unspot(pos: SquadPosition, side: int, place: int) -> None:
    """The last unit of a side has left a place, and with it the Spotted marker on them (S10.6)."""
    if side:
        pos.spotted_1 &= ~(1 << place)
    else:
        pos.spotted_0 &= ~(1 << place)


def passengers(pos: SquadPosition, vehicle: int) -> int:
    """The mask of units aboard a vehicle."""
    return sum([1 << unit for unit in units(pos.aboard) if pos.carrier[unit] == vehicle])


def step_down(pos: SquadPosition, unit: int) -> None:
    """A passenger, or all of a vehicle's, are on their feet where they are."""
    for rider in units(passengers(pos, unit) | pos.aboard & 1 << unit):
        pos.carrier[rider] = -1
        pos.aboard &= ~(1 << rider)


def take_off(pos: SquadPosition, unit: int) -> None:
    """Take a unit off the map with all its marks; its weapon stays where it was (S8.11)."""
    place = pos.place[unit]
    leave(pos, unit)
    weapon = pos.weapon(unit)
    if weapon >= 0:
        give(pos, weapon, -1)
    if pos.aboard:
        step_down(pos, unit)
    pos.spent[unit] = 0
    keep = ~(1 << unit)
    pos.shaken &= keep
    pos.wounded &= keep
    pos.hidden &= keep
    pos.moved &= keep
    pos.assault &= keep
    pos.crawl &= keep
    pos.stealth &= keep
    pos.fired &= keep
    pos.ops &= keep
    pos.smoked &= keep
    pos.handled &= keep
    side = pos.board.side[unit]
    if not pos.taken(side) >> place & 1:
        unspot(pos, side, place)
