"""A position as one side sees it: who may hurt whom where, and what places are worth to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hexengine.core.tactics import Weights
from hexengine.mechanics.masks import lowest, units
from hexengine.systems.squad.board import Board
from hexengine.systems.squad.firing.damage import best_lm
from hexengine.systems.squad.firing.fire import NIGHT_FIRE, in_the_dark
from hexengine.systems.squad.position import SquadPosition, passengers
from hexengine.systems.squad.sight.spotting import spotted
from hexengine.systems.squad.tactics import armour
from hexengine.systems.squad.tactics.chances import combined, firepowers, loss

NEARER = 0.86
"""What a step less to an objective is worth: each MP costs so much of it."""
NONE = -99
"""What stands for an attack that cannot be made."""
UNREADY = 0.5
"""How much the fire of those counts who have fired already, and may again next turn."""


UNKNOWN = -100
"""What stands for an attack that was not looked at yet."""

Guns = tuple[tuple[int, int], ...]
"""(Firepower, range) of each weapon of a place, the strongest first."""
Rows = dict[tuple[int, Guns], list[int]]
"""By one end of attacks and the guns: by how much they are ahead, by place at the other end."""
PULLS_KEPT, ROWS_KEPT = 2_000, 8_000
"""When more are asked for, it starts afresh."""


class Tables:
    """What does not change in a game: worth of units, ways to objectives."""

    def __init__(self, board: Board) -> None:
        self.board = board
        step = [100.0, 100.0]
        for goal in board.goals:
            if goal.kind == "losses":
                step[1 - goal.side] += 100.0 * goal.points
        self.worth = [self._worth(board, unit, step) for unit in range(board.count)]
        self.far: dict[int, list[int]] = {}
        self.close: dict[int, list[float]] = {}
        self.fields: Rows = {}
        self.aims: Rows = {}
        """Attacks from a place, and at a place, where there is no smoke; see View.base."""
        self.pulls: dict[tuple[tuple[int, float, float], ...], list[float]] = {}
        """What standing in each place is worth, by what near and what in each objective is; see View.pull."""

    @staticmethod
    def _worth(board: Board, unit: int, step: list[float]) -> tuple[float, float, float]:
        counter = board.counters[unit]
        if not board.units >> unit & 1:
            return 0.0, 0.0, 0.0
        one = step[counter.side] + 40 * counter.readouts[0].fp + 120 * counter.lm
        if counter.armour is not None and counter.ordnance is not None:
            one += 60 * counter.ordnance.he
        return 0.0, one, 2 * step[counter.side] + 40 * counter.readouts[1].fp

    def distances(self, place: int) -> list[int]:
        """Half MP from every place to this one; 999 where there is no way."""
        known = self.far.get(place)
        if known is None:
            known = self.far[place] = self._measure(place)
        return known

    def closeness(self, place: int) -> list[float]:
        """How much of what a place is worth counts in every other one."""
        known = self.close.get(place)
        if known is None:
            far = self.distances(place)
            known = self.close[place] = [float(NEARER ** (halves / 2 + 1)) for halves in far]
        return known

    def pull(self, case: Sequence[tuple[int, float, float]]) -> list[float]:
        """What each place is worth: of (objective, worth near it, worth in it or -1) the best."""
        row = [0.0] * self.board.places.count
        for goal, near, there in case:
            for place, close in enumerate(self.closeness(goal)):
                value = there if there >= 0 and self.board.places.hex_of[place] == goal else near * close
                if value > row[place]:
                    row[place] = value
        return row

    def _measure(self, goal: int) -> list[int]:
        places = self.board.places
        into: list[list[tuple[int, int]]] = [[] for _ in range(places.count)]
        for start, steps in enumerate(places.steps):
            for to, cost in steps:
                into[to].append((start, cost))
        found = [999] * places.count
        found[goal] = 0
        rows: list[list[int]] = [[goal]]
        for cost, row in enumerate(rows):
            for place in row:
                if found[place] != cost:
                    continue
                for start, step in into[place]:
                    if cost + step < found[start]:
                        found[start] = cost + step
                        while len(rows) <= cost + step:
                            rows.append([])
                        rows[cost + step].append(start)
        return found


class Threat(NamedTuple):
    """Units of one place that may fire: how strongly, and whether they still may this turn."""

    place: int
    mask: int
    guns: Guns
    lm: int
    share: float


class View:
    """One side's view of a position, for the decision that is open."""

    def __init__(self, tables: Tables, pos: SquadPosition, side: int, weights: Weights) -> None:
        self.tables = tables
        self.board = board = tables.board
        self.pos = pos
        self.side = side
        self.weights = weights
        self.known = spotted(pos, side)
        self.enemies = pos.placed & board.side_units[1 - side] & ~pos.hidden
        self.mine = pos.placed & board.side_units[side]
        self.smoke = pos.smoke_1 | pos.smoke_2
        self.threats = self._threats()
        self.targets: dict[int, int] = {}
        for unit in units(self.enemies):
            place = pos.place[unit]
            self.targets[place] = self.targets.get(place, 0) | 1 << unit
        self.wanted = self._wanted()
        self._guards: dict[int, int] = {}
        """By hex: own men in good order who stand there, whatever the floor."""
        for unit in units(self.mine & ~pos.shaken & board.men):
            where = board.places.hex_of[pos.place[unit]]
            self._guards[where] = self._guards.get(where, 0) | 1 << unit
        self._fields: Rows = {} if self.smoke else tables.fields
        self._aims: Rows = {} if self.smoke else tables.aims
        self._rows = [(one, self._row(self._fields, one.place, one.guns)) for one in self.threats]
        self._fires: dict[int, list[tuple[int, float]]] = {}
        self._damages: dict[int, dict[int, float]] = {}
        self._dangers: dict[tuple[int, int, bool], float] = {}
        self._prospects: dict[tuple[int, int], float] = {}
        self._pulls: dict[int, list[float]] = {}
        self._shots: dict[int, list[tuple[int, int, dict[int, float], list[int]]]] = {}
        self._guns: dict[int, Guns] = {}

    def _threats(self) -> list[Threat]:
        pos, side = self.pos, 1 - self.side
        able, spent = self.enemies & ~pos.shaken, pos.fired | pos.moved | pos.crawl
        found = []
        for place in units(pos.taken(side) & ~pos.melee):
            here = pos.at(place, side) & able
            guns = firepowers(pos, here)
            if guns:
                lm = best_lm(pos, side, place)
                found.append(Threat(place, here, tuple(guns), lm, UNREADY if not here & ~spent else 1.0))
        return found

    def _wanted(self) -> list[tuple[int, float]]:
        """The hexes that are fought for, each with what having it is worth to this side."""
        found: dict[int, float] = {}
        turns = self.board.turns - self.pos.turn + 1
        for goal in self.board.goals:
            if goal.kind != "hold":
                continue
            times = turns if goal.each_turn else 1
            worth = 100.0 * goal.points * times / (len(goal.hexes) if goal.at_least else 1)
            for place in goal.hexes:
                found[place] = found.get(place, 0.0) + worth + (300.0 if goal.wins else 0.0)
        return sorted(found.items())

    # -- fire ---------------------------------------------------------------------------------

    def base(self, threat: Threat, place: int, moving: bool) -> int:
        """By how much a threat's attack on a place is ahead before the dice; -5 or less is nothing."""
        row = self._row(self._fields, threat.place, threat.guns)
        base = row[place]
        if base == UNKNOWN:
            base = row[place] = self._base(threat.place, place, threat.guns)
        return base + threat.lm + moving

    def _row(self, rows: Rows, place: int, guns: Guns) -> list[int]:
        row = rows.get((place, guns))
        if row is None:
            if len(rows) >= ROWS_KEPT:
                rows.clear()
            row = rows[place, guns] = [UNKNOWN] * self.board.places.count
        return row

    def _base(self, origin: int, place: int, guns: Guns) -> int:
        places = self.board.places
        hindrance = self.board.sight.hindrance(origin, place, self.smoke)
        if hindrance < 0 or origin == place:
            return NONE
        fp = combined(guns, places.distance(origin, place))
        if fp < 0:
            return NONE
        near = 2 if places.near[origin] >> place & 1 else 0
        if self.board.options.night and in_the_dark(self.pos, places.distance(origin, place), place):
            near += NIGHT_FIRE
        return fp + near - hindrance - self.cover(place)

    def cover(self, place: int) -> int:
        """TM of a place, without hexsides."""
        where = self.board.places.hex_of[place]
        works = self.board.foxholes >> where & 1 if place < self.board.size else 0
        return min(4, self.board.places.tm[place] + works) + (self.smoke >> where & 1)

    def danger(self, mask: int, place: int, moving: bool) -> float:
        """What enemy fire is expected to cost units in a place until they act again."""
        key = (mask, place, moving)
        known = self._dangers.get(key)
        if known is not None:
            return known
        fires = self._fires.get(place)
        if fires is None:
            fires = self._fires[place] = self._fires_at(place)
        costs = self._costs(mask)
        worst = total = 0.0
        for base, share in fires:
            base += moving
            if base > -5:
                cost = share * (costs[base] if base in costs else self.damage(mask, base))
                total += cost
                if cost > worst:
                    worst = cost
        found = worst + 0.4 * (total - worst)
        for vehicle in units(mask & self.board.vehicles):
            found += armour.danger(self, vehicle, place, moving)
        self._dangers[key] = found
        return found

    def _fires_at(self, place: int) -> list[tuple[int, float]]:
        """The attacks that threats can make on a place: by how much each is ahead, and how far it counts."""
        found = []
        for threat, row in self._rows:
            base = row[place]
            if base == UNKNOWN:
                base = row[place] = self._base(threat.place, place, threat.guns)
            base += threat.lm
            if base > -6:
                found.append((base, threat.share))
        return found

    def damage(self, mask: int, base: int) -> float:
        """What an attack ahead by ``base`` is expected to cost some units."""
        costs = self._costs(mask)
        known = costs.get(base)
        if known is None:
            worth, steps = self.tables.worth, self.pos.steps
            known = sum([loss(self.pos, unit, base, worth[unit][steps[unit]]) for unit in units(mask)])
            costs[base] = known
        return known

    def _costs(self, mask: int) -> dict[int, float]:
        """What attacks are expected to cost some units, as far as asked for."""
        costs = self._damages.get(mask)
        if costs is None:
            costs = self._damages[mask] = {}
        return costs

    def prospect(self, mask: int, place: int) -> float:
        """What fire from a place may bring later: the best target that can be seen from it."""
        known = self._prospects.get((mask, place))
        if known is not None:
            return known
        shots = self._shots.get(mask)
        if shots is None:
            guns = self._guns[mask] = tuple(firepowers(self.pos, mask))
            aims = self._aims
            targets = self.targets.items() if guns else ()
            shots = [(to, there, self._costs(there), self._row(aims, to, guns)) for to, there in targets]
            self._shots[mask] = shots
        best = armour.prospect(self, mask, place) if self.board.vehicles else 0.0
        for target, there, costs, row in shots:
            base = row[place]
            if base == UNKNOWN:
                base = row[place] = self._base(place, target, self._guns[mask])
            if base > -5:
                value = costs[base] if base in costs else self.damage(there, base)
                if value > best:
                    best = value
        self._prospects[mask, place] = best
        return best

    # -- ground -------------------------------------------------------------------------------

    def pull(self, mask: int, place: int) -> float:
        """What standing in a place is worth for objectives: having one, or being near one that is open."""
        row = self._pulls.get(mask)
        if row is None:
            row = self._pulls[mask] = self._pull(mask)
        return row[place]

    def _pull(self, mask: int) -> list[float]:
        """What standing in each place is worth to units: a row that all in the same case share."""
        board, pos = self.board, self.pos
        if not self.wanted:
            return self._towards_enemies()
        if pos.aboard and mask & board.vehicles:
            mask |= passengers(pos, lowest(mask))
        holds = bool(mask & (board.men | board.heroes) & ~pos.shaken)
        case = []
        for goal, worth in self.wanted:
            ours = pos.control[goal] == self.side + 1
            guards = self._guards.get(goal, 0) & ~mask
            need = 0.85 if not ours else (0.6 if not guards else 0.3)
            there = worth * (1.0 if not ours or not guards else 0.5) if holds else -1.0
            case.append((goal, worth * need, there))
        key = tuple(case)
        pulls = self.tables.pulls
        row = pulls.get(key)
        if row is None:
            if len(pulls) >= PULLS_KEPT:
                pulls.clear()
            row = pulls[key] = self.tables.pull(key)
        return row

    def _towards_enemies(self) -> list[float]:
        """Where nothing is fought for, the enemy is."""
        places, targets = self.board.places, list(self.targets)
        if not targets:
            return [0.0] * places.count
        near = [min([places.distance(place, to) for to in targets]) for place in range(places.count)]
        return [60.0 * NEARER**distance for distance in near]

    def value(self, mask: int, place: int, moving: bool) -> tuple[float, float, float]:
        """What a place is worth to units: objectives, danger (negative), and later fire."""
        weights = self.weights
        return (
            weights.objective / 60 * self.pull(mask, place),
            -weights.exposure / 100 * self.danger(mask, place, moving),
            0.35 * weights.outlook / 100 * self.prospect(mask, place),
        )
