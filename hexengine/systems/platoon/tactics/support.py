"""What is worth calling: fire missions (P12), smoke, air strikes and the fire at them (P13.3)."""

from __future__ import annotations

from fractions import Fraction

from hexengine.core.orders import Order
from hexengine.core.tactics import Candidate, Reason
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.firing.fire import Strength, lead_dice, leader_of, save_dice
from hexengine.systems.platoon.firing.reaction import eligible
from hexengine.systems.platoon.firing.smoke import SMOKE_TURNS
from hexengine.systems.platoon.orders.book import DONE, PASS
from hexengine.systems.platoon.orders.support import HIGH_EXPLOSIVE, SMOKE, Intercept, mission, strike
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.support.artillery import HE_DICE, HE_TO_HIT
from hexengine.systems.platoon.support.missions import Missions, missions_left, strikes_left
from hexengine.systems.platoon.support.strikes import (
    STRIKE_DICE,
    STRIKE_TO_HIT,
    Incoming,
    attack_strength,
    defence_strength,
    defences,
)
from hexengine.systems.platoon.tactics.fire import WORTH_A_MARKER
from hexengine.systems.platoon.tactics.goals import ACTIVATIONS_A_TURN, ATTACK, TAKE
from hexengine.systems.platoon.tactics.odds import net_hits
from hexengine.systems.platoon.tactics.view import Tables, View
from hexengine.systems.platoon.tactics.worth import HIT

ON_TARGET = 2 / 3
"""How likely a mission lands where it was called; each neighbour has a sixth of the rest."""

FRIENDS_COUNT = 2
"""How much more than an enemy's an own loss weighs, where a mission may scatter."""

SMOKE_HINDERS = 3
"""Smoke before a gun takes about one of so many of its hits."""


def loss(tables: Tables, pos: PlatoonPosition, unit: int, power: Strength) -> int:
    """What an attack of so many dice is expected to cost a unit where it is, in hundredths of a point."""
    place = pos.hex[unit]
    thing = tables.worth.target(pos, unit)
    bonus = save_dice(pos, unit, place) - thing.defence.armour
    return tables.worth.loss(thing, power.dice, power.to_hit, bonus, pos.positions >> place & 1)


class Calls:
    """The candidates of a formation that may call support."""

    def __init__(self, view: View, frame: Missions) -> None:
        self.view = view
        self.pos = view.pos
        self.tables = view.tables
        self.board = view.board
        self.frame = frame
        self.side = view.side
        pos = self.pos
        self.enemies = pos.placed & self.board.side_units[1 - self.side] & self.board.counted & ~pos.carried
        self._blasts: dict[int, float] = {}

    def candidates(self) -> list[Candidate]:
        """The best of each kind that may be called, and ``done``; what gains nothing comes behind it."""
        found = [Candidate(DONE, 0.0)]
        pos, formation = self.pos, self.frame.formation
        open_hexes = self.frame.hexes(pos) & (pos.taken_0 if self.side else pos.taken_1)
        places = [place for place in range(self.board.size) if open_hexes >> place & 1]
        if places and missions_left(pos, formation, HIGH_EXPLOSIVE):
            found.append(self._barrage(places))
        if places and missions_left(pos, formation, SMOKE):
            found.append(self._smoke(places))
        targets = self.frame.targets(pos)
        if targets:
            found.append(self._strike(targets))
        found.sort(key=lambda candidate: -candidate.score)
        return found

    def _patience(self, best: float, left: int) -> float:
        """What a call must bring now: the less, the fewer occasions are left for those that are not used."""
        formation = self.board.formations[self.frame.formation]
        turns = self.board.turns - self.pos.turn
        occasions = turns * formation.markers * ACTIVATIONS_A_TURN / 2
        wait = max(0.0, 1 - left / occasions) if occasions else 0.0
        return max(float(WORTH_A_MARKER), best * self.view.weights.patience / 100 * wait)

    def _prime(self, dice: dict[int, int], to_hit: int) -> float:
        """What an attack may bring at its best, at an enemy at full strength in the open."""
        prime, worth = self.tables.worth.prime, self.tables.worth
        return max(
            (
                float(worth.loss(prime[unit], dice[self.board.kind[unit]], to_hit, 0, 0))
                for unit in units(self.enemies)
            ),
            default=0.0,
        )

    # -- high explosive -------------------------------------------------------------------------

    def _blast(self, place: int) -> float:
        """What high explosive brings where it lands: losses of the enemy less, doubly, our own."""
        found = self._blasts.get(place)
        if found is None:
            found = 0.0
            for side in (0, 1):
                for unit in units(self.pos.at(place, side) & self.board.counted):
                    power = Strength(HE_DICE[self.board.kind[unit]], HE_TO_HIT)
                    cost = loss(self.tables, self.pos, unit, power)
                    found += -FRIENDS_COUNT * cost if side == self.side else cost
            self._blasts[place] = found
        return found

    def _barrage(self, places: list[int]) -> Candidate:
        """High explosive where it brings most, on hexes of the enemy alone: what scatters is reckoned in."""

        def worth(place: int) -> float:
            around = [self._blast(there) for there in self.board.neighbours[place] if there >= 0]
            return self._blast(place) * ON_TARGET + sum(around) * (1 - ON_TARGET) / 6

        place = max(places, key=worth)
        gain = worth(place)
        left = missions_left(self.pos, self.frame.formation, HIGH_EXPLOSIVE)
        wait = self._patience(ON_TARGET * self._prime(HE_DICE, HE_TO_HIT), left)
        order = mission(self.board.orders, HIGH_EXPLOSIVE, place)
        return self._candidate(order, "barrage", gain, wait, self.board.labels[place])

    def _candidate(self, order: Order, code: str, gain: float, wait: float, where: str) -> Candidate:
        reasons = (Reason(code, round(gain, 1), (("at", where),)), Reason("patience", -round(wait, 1)))
        return Candidate(order, gain - wait, reasons)

    # -- smoke ----------------------------------------------------------------------------------

    def _smoke(self, places: list[int]) -> Candidate:
        """Smoke before the enemies whose fire the formation's advance has to fear most."""
        pos = self.pos
        movers = self._movers()

        def worth(place: int) -> float:
            if pos.smoky >> place & 1 and pos.smoke[place] == SMOKE_TURNS:
                return 0.0
            return ON_TARGET * (self._feared(place, movers) - self._foregone(place)) / SMOKE_HINDERS

        place = max(places, key=worth)
        dearest = max((self.view.parts(unit)[0].a_hit for unit, _ in movers), default=0)
        wait = self._patience(float(dearest), missions_left(pos, self.frame.formation, SMOKE))
        order = mission(self.board.orders, SMOKE, place)
        return self._candidate(order, "screen", worth(place), wait, self.board.labels[place])

    def _movers(self) -> list[tuple[int, list[int]]]:
        """Units that are to go forward now, each with the hexes that may be on its way in this activation."""
        pos, board, view = self.pos, self.board, self.view
        members = board.formations[self.frame.formation].fighters & board.counted & pos.placed
        found = []
        for unit in units(members & ~(pos.ooc | pos.disrupted | pos.carried)):
            task = view.missions.get(unit)
            if task is None or task.kind not in (TAKE, ATTACK):
                continue
            costs = self.tables.paths.towards(board.mobility[unit], task.hex)
            here, reach = costs[pos.hex[unit]], board.allowance[unit]
            distances = board.grid.distances(pos.hex[unit])
            way = [
                place
                for place, cost in enumerate(costs)
                if here - reach <= cost < here and distances[place] <= reach
            ]
            if way:
                found.append((unit, way))
        return found

    def _feared(self, place: int, movers: list[tuple[int, list[int]]]) -> float:
        """What enemies in a hex may cost our movers on their ways, at the worst hex of each."""
        fire_from, at = self.tables.fields.fire_from, self.tables.rows.at
        guns = [enemy for enemy in self.view.foe.enemies if enemy.hex == place and not enemy.disrupted]
        total = 0.0
        for unit, way in movers:
            target = self.view.parts(unit)[0]
            rows = [fire_from(gun.shooter, place, target.defence) for gun in guns]
            worst = max((sum(at(row, there) for row in rows) for there in way), default=0)
            total += worst * target.a_hit / HIT
        return total

    def _foregone(self, place: int) -> float:
        """What our own units that may fire could do to enemies in a hex: smoke hinders that, too."""
        pos, board = self.pos, self.board
        fire_at, at = self.tables.fields.fire_at, self.tables.rows.at
        prey = [enemy for enemy in self.view.foe.enemies if enemy.hex == place]
        total = 0.0
        for unit in units(pos.placed & board.shooters[self.side] & ~(pos.carried | pos.disrupted | pos.ops)):
            shooter = self.view.parts(unit)[1]
            shots = [
                at(fire_at(shooter, place, one.target.defence, HIT), pos.hex[unit]) * one.target.a_hit / HIT
                for one in prey
            ]
            total += max(shots, default=0.0)
        return total

    # -- strikes --------------------------------------------------------------------------------

    def _strike(self, targets: list[int]) -> Candidate:
        """A strike at the dearest target, the guns on its way reckoned in."""
        pos = self.pos

        def worth(unit: int) -> float:
            through = 1 - turned_away(pos, 1 - self.side, pos.hex[unit])
            return loss(self.tables, pos, unit, attack_strength(pos, unit)) * float(through)

        unit = max(targets, key=worth)
        dice = dict.fromkeys(HE_DICE, STRIKE_DICE)
        wait = self._patience(self._prime(dice, STRIKE_TO_HIT), strikes_left(pos, self.side))
        order = strike(self.board.orders, unit)
        return self._candidate(order, "damage", worth(unit), wait, self.board.ids[unit])


def turned_away(pos: PlatoonPosition, side: int, place: int) -> Fraction:
    """How likely a strike on a hex is turned away if all units of a side that may fire at it do."""
    through = Fraction(1)
    for unit in units(eligible(pos, side) & pos.board.air_defenders):
        chances = [hit_chance(pos, shot, place) for shot in defences(pos, unit, place)]
        through *= 1 - max(chances, default=Fraction(0))
    return 1 - through


def hit_chance(pos: PlatoonPosition, order: Order, place: int) -> Fraction:
    """How likely a legal shot at a strike on a hex hits."""
    assert isinstance(order, Intercept)
    firer = order.firer
    weapon = order.weapon if order.weapon >= 0 else firer
    lead = lead_dice(pos, leader_of(pos, firer, pos.led_reaction)) if order.lead else 0
    power = defence_strength(pos, firer, weapon, place, lead)
    assert power is not None, "a legal shot has dice"
    return 1 - net_hits(power.dice, power.to_hit, 0, 6, 0)[0]


def interceptions(tables: Tables, pos: PlatoonPosition, frame: Incoming, explain: bool) -> list[Candidate]:
    """Fire at a strike on its way, where what it saves is worth a marker, and ``pass``."""
    place = pos.hex[frame.target]
    feared = loss(tables, pos, frame.target, attack_strength(pos, frame.target))
    found = [Candidate(PASS, 0.0)]
    for actor in frame.actors(pos)[:-1]:
        for order in frame.orders(pos, actor):
            saved = float(hit_chance(pos, order, place)) * feared
            reasons = (Reason("saved", round(saved, 1), (("at", tables.board.labels[place]),)),)
            found.append(Candidate(order, saved - WORTH_A_MARKER, reasons if explain else ()))
    found.sort(key=lambda candidate: -candidate.score)
    return found
