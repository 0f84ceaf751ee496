"""What ground and shots are worth to a side, in hundredths of a victory point."""

from __future__ import annotations

from typing import Any

from hexengine.core.tactics import Weights
from hexengine.mechanics.masks import units
from hexengine.mechanics.masks import units as hexes
from hexengine.systems.company.board import Board, Weapon
from hexengine.systems.company.ground import DIFFICULT
from hexengine.systems.company.position import CompanyPosition
from hexengine.systems.company.sight.cover import bulletproof, concealed, gone_to_ground

TEAM = 100
"""What a team is worth in itself; where losses score more, they count for more."""
FAR = 99
PULLS_KEPT = 200
LURKING = 5
"""Enemies that come so near with one move are taken to have found a place to shoot from."""


class Tables:
    """What does not change in a game: what hexes and teams are worth, and how far they are."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.worth: dict[int, int] = {}
        """By objective hex, what holding it is worth."""
        lost = [0, 0]
        for goal in board.goals:
            if goal.kind == "losses":
                lost[1 - goal.side] += goal.points
            else:
                each = 100 * goal.points + (800 // len(goal.hexes) if goal.wins else 0)
                for place in goal.hexes:
                    self.worth[place] = self.worth.get(place, 0) + each
        self.team = [max(40, 100 * points) for points in lost]
        self.value = [self._value(unit) for unit in range(board.count)]
        self.way = {place: self._distances(place) for place in self.worth}
        """By objective, the steps to it from every hex on foot."""
        weapons = board.weapons
        self.farthest = [max([weapon.range for weapon in one], default=-1) for one in weapons]
        """By team, how far its weapons reach."""
        self.alike = self._kinds()
        """By team, a number that it has in common with those that shoot, are hit and count as it does."""
        self.pulls: dict[tuple[tuple[tuple[bool, bool], ...], int], Pulls] = {}
        """What the objectives are worth, by who holds them and by what objectives count for."""
        self._known: dict[int, Known] = {}

    def _kinds(self) -> list[int]:
        numbers: dict[tuple[object, ...], int] = {}
        found = []
        for unit, one in enumerate(self.board.counters):
            foot, digs = self.board.foot >> unit & 1, self.board.diggers >> unit & 1
            key = (one.to_hit, one.save, one.armour, one.weapons, foot, digs, self.value[unit])
            found.append(numbers.setdefault(key, len(numbers)))
        return found

    def known(self, side: int, enemies: tuple[object, ...]) -> Known:
        """What a side has worked out with the enemies as they are, if that was the last time as well."""
        found = self._known.get(side)
        if found is None or found.enemies != enemies:
            found = self._known[side] = Known(enemies)
        return found

    def _value(self, unit: int) -> int:
        counter = self.board.counters[unit]
        base = self.team[counter.side]
        if "company" in counter.flags:
            return 2 * base
        if "command" in counter.flags:
            return base * 3 // 2
        return base * (2 if counter.armour else 1) + 3 * sum(weapon.rof for weapon in counter.weapons)

    def _distances(self, place: int) -> list[int]:
        ways = self.board.ground.foot[DIFFICULT]
        found = [FAR] * self.board.size
        seen = frontier = 1 << place
        number = 0
        while frontier:
            for one in hexes(frontier):
                found[one] = number
            frontier = ways.spread(frontier) & ~seen
            seen |= frontier
            number += 1
        return found


class Known:
    """What was worked out about shots with the enemies standing as they do, and good while they do.

    It is kept from decision to decision, by everything that it depends on: a side that moves thinks of its
    enemies again and again.
    """

    def __init__(self, enemies: tuple[object, ...]) -> None:
        self.enemies = enemies
        self.threats: dict[int, list[tuple[Weapon, int, bool]]] = {}
        self.exposures: dict[tuple[int, int, bool, bool, bool], float] = {}
        self.prospects: dict[tuple[int, int, bool, int], float] = {}
        self.distinct: list[int] = []
        self.walks: dict[tuple[object, ...], Any] = {}


class Pulls(dict[int, float]):
    """By hex, what it is worth to be so near to the objectives, each worked out when it is asked for."""

    def __init__(self, tables: Tables, holding: tuple[tuple[bool, bool], ...], objective: int) -> None:
        super().__init__()
        self.goals = [
            (worth, tables.way[goal], others, held)
            for (goal, worth), (others, held) in zip(tables.worth.items(), holding, strict=True)
        ]
        self.objective = objective

    def __missing__(self, place: int) -> float:
        best = total = 0.0
        for worth, way, others, held in self.goals:
            steps = way[place]
            share = 0.15 if others else 0.5 if held and steps else 1.0
            value = share * worth * max(0.0, 1.0 - steps / 24.0) ** 3
            total += value
            best = max(best, value)
        found = self[place] = (best + 0.3 * (total - best)) * self.objective / 100
        return found


class View:
    """A position as one side sees it."""

    def __init__(self, tables: Tables, pos: CompanyPosition, side: int, weights: Weights) -> None:
        self.tables = tables
        self.pos = pos
        self.board = tables.board
        self.side = side
        self.weights = weights
        self.mine = pos.placed & self.board.side_units[side]
        self.enemies = units(pos.placed & self.board.side_units[1 - side])
        self.known = tables.known(side, self._enemies_now())
        self._shots: dict[tuple[int, int, int, int], float] = {}
        self._holders = [(pos.at(goal, side), pos.control[goal] == side + 1) for goal in tables.worth]
        self._pulls: dict[int, Pulls] = {}

    def _enemies_now(self) -> tuple[object, ...]:
        """Everything about the enemies that shots by them and at them depend on."""
        pos, board = self.pos, self.board
        foes = board.side_units[1 - self.side] & pos.placed
        marks = (pos.bailed, pos.moved, pos.doubled, pos.shot, pos.dug)
        pinned = pos.pinned & board.side_platoons[1 - self.side]
        places = tuple([pos.spot(enemy) for enemy in self.enemies])
        return foes, places, pinned, pos.smoke(), *[foes & mark for mark in marks]

    def _distinct(self) -> list[int]:
        """One each of the enemies that stand together and differ in nothing that matters to a shot."""
        found = self.known.distinct
        if not found:
            pos = self.pos
            marks = (pos.moved, pos.doubled, pos.shot, pos.dug)
            known: dict[tuple[object, ...], int] = {}
            for enemy in self.enemies:
                bits = tuple([mark >> enemy & 1 for mark in marks])
                counter = self.board.counters[enemy]
                key = (self.tables.alike[enemy], pos.spot(enemy), counter.size, counter.flags, bits)
                known.setdefault(key, enemy)
            found[:] = known.values()
        return found

    # -- shots --------------------------------------------------------------------------------------

    def kill(self, weapon: Weapon, target: int, sheltered: bool, front: bool = True) -> float:
        """The chance that a hit costs a team."""
        counter = self.board.counters[target]
        through = (7 - min(7, weapon.firepower)) / 6
        if counter.armour is not None:
            beaten = min(6, max(0, weapon.at - counter.armour[0 if front else 1] - 1)) / 6
            return beaten * (0.4 + 0.6 * through)
        return (counter.save - 1) / 6 * (through if sheltered else 1.0)

    def hit(self, target: int, hidden: bool, ground: bool, far: bool) -> float:
        """The chance that a die hits a team."""
        more = self.board.numbers
        need = self.board.counters[target].to_hit + (more.long_range if far else 0)
        if hidden:
            need += more.concealed + (more.gone_to_ground if ground else 0)
        if need <= 6:
            return (7 - need) / 6
        return {7: 2 / 36, 8: 1 / 36}.get(need, 0.0)

    def shot(self, unit: int, weapon: Weapon, dice: int, target: int) -> float:
        """What the dice of a team are expected to bring against a team as it stands now."""
        key = (self.pos.place[unit], weapon.number, dice, target)
        found = self._shots.get(key)
        if found is None:
            found = self._shots[key] = self._shot(self.pos.place[unit], weapon, dice, target)
        return found

    def _shot(self, origin: int, weapon: Weapon, dice: int, target: int) -> float:
        pos, board = self.pos, self.board
        far = board.grid.distance(origin, pos.place[target]) > board.reaches.long_range
        chance = self.hit(target, concealed(pos, target, origin), gone_to_ground(pos, target), far)
        front = True
        if board.armoured >> target & 1:
            front = board.ground.in_front(pos.place[target], pos.facing[target], origin)
        lost = self.kill(weapon, target, bulletproof(pos, target, [origin]), front)
        return dice * chance * lost * self.tables.value[target]

    def threats(self, place: int) -> list[tuple[Weapon, int, bool]]:
        """By enemy and weapon that can shoot into a hex, or spot, from where they are or near by: the weapon,
        its dice, and whether from afar.
        """
        found = self.known.threats.get(place)
        if found is None:
            pos, board = self.pos, self.board
            found = []
            hex_of = board.ground.hex_of[place]
            for enemy in self.enemies:
                if pos.bailed >> enemy & 1:
                    continue
                weapons = board.weapons[enemy]
                distance = board.grid.distance(pos.place[enemy], hex_of)
                if distance > self.tables.farthest[enemy]:
                    continue
                pinned = pos.pinned >> board.platoon[enemy] & 1
                if not board.sight.sees(pos.spot(enemy), place):
                    if not pinned and distance <= board.allowance[enemy][DIFFICULT] + LURKING:
                        found.append((weapons[0], weapons[0].moved, False))
                    continue
                for weapon in weapons:
                    if distance <= weapon.range:
                        far = distance > board.reaches.long_range
                        dice = min(weapon.rof, board.numbers.pinned_rof) if pinned else weapon.rof
                        found.append((weapon, dice, far))
            self.known.threats[place] = found
        return found

    def exposure(self, unit: int, place: int, still: bool, dug: bool = False, doubled: bool = False) -> float:
        """What a team may lose in a hex, or spot, in the enemy's turn."""
        key = (self.tables.alike[unit], place, still, dug, doubled)
        found = self.known.exposures.get(key)
        if found is None:
            found = self.known.exposures[key] = self._exposure(unit, place, still, dug, doubled)
        return found

    def _exposure(self, unit: int, place: int, still: bool, dug: bool, doubled: bool) -> float:
        board = self.board
        ground = board.ground
        spot, place = place, ground.hex_of[place]
        foot = board.foot >> unit & 1
        hidden = bool(ground.conceals >> place & 1 or (foot and still) or dug)
        low = bool(hidden and still and board.diggers >> unit & 1)
        sheltered = bool(ground.bulletproof >> place & 1 or dug)
        chances = (self.hit(unit, hidden, low, False), self.hit(unit, hidden, low, True))
        total = 0.0
        kills: dict[int, float] = {}
        for weapon, dice, far in self.threats(spot):
            kill = kills.get(weapon.number)
            if kill is None:
                kill = kills[weapon.number] = self.kill(weapon, unit, sheltered)
            total += dice * chances[far] * kill
        # Each enemy has others to shoot at as well.
        total *= 0.3 * (board.numbers.double_dice if doubled else 1)
        return min(1.0, total) * self.tables.value[unit]

    def prospects(self, unit: int, place: int, moved: bool) -> float:
        """What a team could shoot from a hex, or spot: the best target for its best weapon."""
        pinned = self.pos.pinned >> self.board.platoon[unit] & 1
        key = (self.tables.alike[unit], place, moved, pinned)
        found = self.known.prospects.get(key)
        if found is None:
            found = self.known.prospects[key] = self._prospects(unit, place, moved)
        return found

    def _prospects(self, unit: int, place: int, moved: bool) -> float:
        pos, board = self.pos, self.board
        spot, place = place, board.ground.hex_of[place]
        best = 0.0
        sees, distances = board.sight.sees, board.grid.distances(place)
        for weapon in board.weapons[unit]:
            dice = weapon.moved if moved else weapon.rof
            if pos.pinned >> board.platoon[unit] & 1:
                dice = min(board.numbers.pinned_rof, dice)
            if not dice:
                continue
            for enemy in self._distinct():
                there = pos.place[enemy]
                if distances[there] > weapon.range or not sees(spot, pos.spot(enemy)):
                    continue
                far = distances[there] > board.reaches.long_range
                chance = self.hit(enemy, concealed(pos, enemy, place), gone_to_ground(pos, enemy), far)
                value = dice * chance * self.kill(weapon, enemy, bulletproof(pos, enemy, [place]))
                best = max(best, value * self.tables.value[enemy])
        return best

    # -- ground ---------------------------------------------------------------------------------------

    def holding(self, unit: int) -> tuple[tuple[bool, bool], ...]:
        """By objective, whether others of the side than a team stand there, and whether the side holds it."""
        keep = ~(1 << unit)
        return tuple([(bool(there & keep), held) for there, held in self._holders])

    def pulls(self, unit: int) -> Pulls:
        """By hex, what it is worth for a team to be so near to the objectives."""
        found = self._pulls.get(unit)
        if found is None:
            known, key = self.tables.pulls, (self.holding(unit), self.weights.objective)
            found = known.get(key)
            if found is None:
                if len(known) >= PULLS_KEPT:
                    known.clear()
                found = known[key] = Pulls(self.tables, *key)
            self._pulls[unit] = found
        return found

    def pull(self, unit: int, place: int) -> float:
        """What a hex is worth to a team for that alone."""
        return self.pulls(unit)[place]
