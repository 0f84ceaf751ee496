"""What ground and shots are worth to a side, in hundredths of a victory point."""

from __future__ import annotations

from hexengine.core.tactics import Weights
from hexengine.mechanics.masks import units
from hexengine.mechanics.masks import units as hexes
from hexengine.systems.company.board import Board, Weapon
from hexengine.systems.company.cover import bulletproof, concealed, gone_to_ground
from hexengine.systems.company.ground import DIFFICULT
from hexengine.systems.company.position import CompanyPosition

TEAM = 100
"""What a team is worth in itself; where losses score more, they count for more."""
FAR = 99


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
        self._threats: dict[int, list[tuple[int, Weapon, int]]] = {}
        self._holders: dict[int, int] = {}

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
        pos, board = self.pos, self.board
        origin = pos.place[unit]
        far = board.grid.distance(origin, pos.place[target]) > board.reaches.long_range
        chance = self.hit(target, concealed(pos, target, origin), gone_to_ground(pos, target), far)
        front = True
        if board.armoured >> target & 1:
            front = board.ground.in_front(pos.place[target], pos.facing[target], origin)
        lost = self.kill(weapon, target, bulletproof(pos, target, [origin]), front)
        return dice * chance * lost * self.tables.value[target]

    def threats(self, place: int) -> list[tuple[int, Weapon, int]]:
        """The enemies that can shoot into a hex, or spot, from where they are: weapon, dice, and whether from
        afar.
        """
        found = self._threats.get(place)
        if found is None:
            pos, board = self.pos, self.board
            found = []
            hex_of = board.ground.hex_of[place]
            for enemy in self.enemies:
                if pos.bailed >> enemy & 1:
                    continue
                weapons = board.weapons[enemy]
                distance = board.grid.distance(pos.place[enemy], hex_of)
                if not weapons or distance > max(weapon.range for weapon in weapons):
                    continue
                if not board.sight.sees(pos.spot(enemy), place):
                    continue
                pinned = pos.pinned >> board.platoon[enemy] & 1
                for weapon in weapons:
                    if distance <= weapon.range:
                        far = int(distance > board.reaches.long_range)
                        dice = min(weapon.rof, board.numbers.pinned_rof) if pinned else weapon.rof
                        found.append((enemy, weapon, dice + 16 * far))
            self._threats[place] = found
        return found

    def exposure(self, unit: int, place: int, still: bool, dug: bool = False, doubled: bool = False) -> float:
        """What a team may lose in a hex, or spot, in the enemy's turn."""
        board = self.board
        ground = board.ground
        spot, place = place, ground.hex_of[place]
        foot = board.foot >> unit & 1
        hidden = bool(ground.conceals >> place & 1 or (foot and still) or dug)
        low = bool(hidden and still and board.diggers >> unit & 1)
        sheltered = bool(ground.bulletproof >> place & 1 or dug)
        chances = (self.hit(unit, hidden, low, False), self.hit(unit, hidden, low, True))
        total = 0.0
        seen = 0
        for enemy, weapon, dice in self.threats(spot):
            seen |= 1 << enemy
            total += (dice & 15) * chances[dice >> 4] * self.kill(weapon, unit, sheltered)
        # Each enemy has others to shoot at as well.
        total *= 0.3 * (board.numbers.double_dice if doubled else 1)
        return min(1.0, total) * self.tables.value[unit]

    def prospects(self, unit: int, place: int, moved: bool) -> float:
        """What a team could shoot from a hex, or spot: the best target for its best weapon."""
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
            for enemy in self.enemies:
                there = pos.place[enemy]
                if distances[there] > weapon.range or not sees(spot, pos.spot(enemy)):
                    continue
                far = distances[there] > board.reaches.long_range
                chance = self.hit(enemy, concealed(pos, enemy, place), gone_to_ground(pos, enemy), far)
                value = dice * chance * self.kill(weapon, enemy, bulletproof(pos, enemy, [place]))
                best = max(best, value * self.tables.value[enemy])
        return best

    # -- ground ---------------------------------------------------------------------------------------

    def holders(self, place: int) -> int:
        """The side's teams in an objective hex."""
        found = self._holders.get(place)
        if found is None:
            found = self._holders[place] = self.pos.at(place, self.side)
        return found

    def pull(self, unit: int, place: int) -> float:
        """What it is worth for a team to be so near to the objectives."""
        pos = self.pos
        best = total = 0.0
        for goal, worth in self.tables.worth.items():
            steps = self.tables.way[goal][place]
            others = self.holders(goal) & ~(1 << unit)
            held = pos.control[goal] == self.side + 1
            share = 0.15 if others else 0.5 if held and steps else 1.0
            value = share * worth * max(0.0, 1.0 - steps / 24.0) ** 3
            total += value
            best = max(best, value)
        return (best + 0.3 * (total - best)) * self.weights.objective / 100
