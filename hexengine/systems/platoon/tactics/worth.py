"""What units are worth, and what a shot is expected to bring: in hundredths of a victory point.

A side's units are together worth about what there is to win on the map, beside the points that
their steps score; the shares follow from what the counters can do.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from hexengine.systems.platoon.board import AIR, HARD, HEADQUARTERS, SOFT, WEAPON, Board, Counter
from hexengine.systems.platoon.firing.fire import (
    HARD_BONUS_LIMIT,
    limited,
)
from hexengine.systems.platoon.firing.losses import HQ_LOSS_ROLL, HQ_LOSS_ROLL_UNIT_DIED
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.tactics.odds import net_hits, outcome

REDUCED_SHARE = Fraction(55, 100)
DISRUPTED_SHARE = Fraction(70, 100)
"""Of its worth, what a unit keeps with one of two steps, and while it is Disrupted."""

HIT = 64
"""Expected hits in rows are counted in this part of a hit."""

LARGEST = 1 << 15
"""The highest worth of a hit, in hundredths of a point: rows must keep within their numbers."""

STAKES_SHARE = Fraction(60, 100)
"""How much of what there is to win a side's units are worth together."""

Power = tuple[int, int] | None
"""Dice and to-hit of an attack."""


@dataclass(frozen=True, slots=True, eq=False)
class Shooter:
    """A unit as a shooter: for each kind of target its best attack by distance, if it has not moved.

    One object for all that shoot alike, known by its identity.
    """

    powers: tuple[tuple[Power, ...], ...]
    aloft: bool = False
    """Whether it fires from the air."""


class Defence(NamedTuple):
    """What of a target decides how many hits it takes: its kind, armour dice and save number.

    ``low``: a helicopter that has landed.
    """

    kind: int
    armour: int
    save: int
    low: bool = False

    @property
    def aloft(self) -> bool:
        """Whether it is shot at in the air."""
        return self.kind == AIR and not self.low


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """A unit as a target: what of it matters for a shot, and what its losses are worth.

    One object for all that are alike, known by its identity.
    """

    defence: Defence
    steps: int
    disrupted: bool
    worth: tuple[int, int, int]
    """What is lost when it becomes Disrupted, loses a step, is eliminated."""
    a_hit: int
    """What each hit costs it on the average, until it is eliminated."""


def _ability(counter: Counter) -> Fraction:
    """A counter's share before scaling: mostly its best expected hits."""

    def hits(kind: int) -> Fraction:
        block = counter.blocks[kind]
        if block is None:
            return Fraction(0)
        return Fraction(block.dice[0] * (7 - block.to_hit) * min(20, 4 + block.range), 60)

    if counter.kind == HEADQUARTERS:
        return Fraction(60)
    if counter.kind == WEAPON:
        return 15 * (hits(HARD) + hits(SOFT))
    armour = Fraction(counter.armour[0] * (7 - counter.save), 6)
    carries = 10 if "transport" in counter.flags else 0
    return 15 + 20 * hits(HARD) + 12 * hits(SOFT) + 8 * hits(AIR) + 6 * armour + carries


class Worth:
    """The worth of everything on one board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.step_points = [0, 0]
        self.hq_points = [0, 0]
        stakes = 0
        for goal in board.goals:
            if goal.kind == "steps":
                self.step_points[1 - goal.side] += 100 * goal.points
            elif goal.kind == "hq":
                self.hq_points[1 - goal.side] += 100 * goal.points
            else:
                places = 1 if goal.kind == "exit" or goal.at_least else len(goal.hexes)
                stakes += 100 * goal.points * places * (board.turns if goal.each_turn else 1)
        self.stakes = stakes
        abilities = [_ability(counter) for counter in board.counters]
        army = sum(abilities, Fraction(0)) / 2
        scale = max(Fraction(1), STAKES_SHARE * stakes / army) if army else Fraction(1)
        self.values = [self._values(counter, scale * ability)
                       for counter, ability in zip(board.counters, abilities, strict=True)]  # fmt: skip
        self._alike = self._groups()
        self._shooters: dict[tuple[int, ...], Shooter] = {}
        self._targets: dict[tuple[Any, ...], Target] = {}
        self._defences: dict[Defence, Defence] = {}
        self.prime = [
            self._made(unit, len(values) - 1, False, [Fraction(values[-1][0])] * 3)
            for unit, values in enumerate(self.values)
        ]
        """Each unit as a target at full strength, alone."""
        self._losses: dict[tuple[Target, int, int, int, int], int] = {}

    def _values(self, counter: Counter, full: Fraction) -> tuple[tuple[int, int], ...]:
        """Worth by steps left, in good order and Disrupted."""
        points = self.step_points[counter.side] if counter.kind not in (HEADQUARTERS, WEAPON) else 0
        lost = self.hq_points[counter.side] if counter.kind == HEADQUARTERS else 0
        found = [(0, 0)]
        for steps in range(1, counter.steps + 1):
            share = full if steps == counter.steps else full * REDUCED_SHARE
            found.append((round(share) + points * steps + lost,
                          round(share * DISRUPTED_SHARE) + points * steps + lost))  # fmt: skip
        return tuple(found)

    def _groups(self) -> list[int]:
        """For each unit a number shared by all that are alike in print and worth."""
        known: dict[object, int] = {}
        return [
            known.setdefault(
                (
                    c.kind,
                    c.blocks,
                    c.armour,
                    c.save,
                    c.steps,
                    c.mobility,
                    c.allowance,
                    c.flags,
                    self.values[unit],
                ),
                len(known),
            )
            for unit, c in enumerate(self.board.counters)
        ]

    def value(self, pos: PlatoonPosition, unit: int) -> int:
        """What a unit is worth now."""
        return self.values[unit][pos.steps[unit]][pos.disrupted >> unit & 1]

    # -- shooting -------------------------------------------------------------------------------

    def shooter(self, pos: PlatoonPosition, unit: int, smoke: int = 0) -> Shooter:
        """A unit as a shooter, with its support weapon; ``smoke`` is 1 if it stands in smoke (P12.4)."""
        board = self.board
        weapon = board.weapon_of[unit]
        depleted = pos.depleted_1 | pos.depleted_2
        if weapon >= 0 and pos.lost >> weapon & 1:
            weapon = -1
        key = (
            self._alike[unit],
            pos.steps[unit],
            depleted >> unit & 1,
            self._alike[weapon] if weapon >= 0 else -1,
            depleted >> weapon & 1 if weapon >= 0 else 0,
            smoke,
        )
        found = self._shooters.get(key)
        if found is None:
            found = self._shooters[key] = self._shooter(unit, weapon, *key[1:3], key[4], smoke)
        return found

    def _shooter(
        self, unit: int, weapon: int, steps: int, depleted: int, weapon_depleted: int, smoke: int
    ) -> Shooter:
        board = self.board
        standing = []
        for kind in (HARD, SOFT, AIR):
            rows = []
            for weapon_, spent, side_up in (
                (unit, depleted, 1 if steps == 1 else 0),
                (weapon, weapon_depleted, 0),
            ):
                if weapon_ >= 0 and not (kind == HARD and spent and board.missile >> weapon_ & 1):
                    rows.append(board.attacks[weapon_][side_up][kind])
            length = max((len(row) for row in rows), default=0)
            standing.append(
                tuple([max((row[d] for row in rows if d < len(row)), key=_strength, default=None)
                       for d in range(length)])
            )  # fmt: skip
        powers = tuple([tuple([_bounded(power, smoke) for power in row]) for row in standing])
        return Shooter(powers, board.kind[unit] == AIR)

    # -- being shot at --------------------------------------------------------------------------

    def target(self, pos: PlatoonPosition, unit: int, loaded: bool = True, aloft: bool = False) -> Target:
        """A unit as a target, with its passengers (if ``loaded``) and an HQ that stands by it.

        ``aloft``: a helicopter as if it had not landed.
        """
        board = self.board
        rider = -1
        if loaded and pos.carried and board.transports >> unit & 1:
            rider = next(iter(pos.passengers(unit)), -1)
        company = 0
        place = pos.hex[unit]
        if place >= 0 and not board.air >> unit & 1:
            here = pos.here[board.own_base[unit] + place]
            if here >= 16:
                company = 1 if here & 15 == 1 else 2
        low = bool(pos.landed >> unit & 1) and not aloft
        state = (self._alike[unit], pos.steps[unit], pos.disrupted >> unit & 1, company, low)
        key = (state, self._alike[rider], pos.steps[rider]) if rider >= 0 else state
        found = self._targets.get(key)
        if found is None:
            side = board.side[unit]
            hq = next((h for h in range(board.count) if board.hqs >> h & 1 and board.side[h] == side), -1)
            staff = hq if company else -1
            found = self._targets[key] = self._target(pos, unit, rider, staff, company == 1, low)
        return found

    def _target(self, pos: PlatoonPosition, unit: int, rider: int, hq: int, alone: bool, low: bool) -> Target:
        steps, disrupted = pos.steps[unit], bool(pos.disrupted >> unit & 1)
        table = self.values[unit]
        now = table[steps][disrupted]
        worth = [
            Fraction(now - table[steps][1]),
            Fraction(now - table[max(0, steps - 1)][1]),
            Fraction(now),
        ]
        if rider >= 0:
            worth = [a + b for a, b in zip(worth, self._riders_share(pos, rider, disrupted), strict=True)]
        if hq >= 0:
            # P9.3: a die reduces the HQ; with the last unit of the hex it is lost.
            reduced = self.values[hq][-1][0] - self.values[hq][1][0] or self.values[hq][-1][0]
            worth[0] += Fraction(HQ_LOSS_ROLL * reduced, 6)
            worth[1] += Fraction(HQ_LOSS_ROLL * reduced, 6)
            worth[2] += self.values[hq][-1][0] if alone else Fraction(HQ_LOSS_ROLL_UNIT_DIED * reduced, 6)
        return self._made(unit, steps, disrupted, worth, low)

    def _made(
        self, unit: int, steps: int, disrupted: bool, worth: list[Fraction], low: bool = False
    ) -> Target:
        board = self.board
        armour = board.armour[unit][1 if steps == 1 else 0]
        defence = Defence(board.kind[unit], armour, board.save[unit], low)
        whole = round(worth[2])
        return Target(
            self._defences.setdefault(defence, defence),
            steps,
            disrupted,
            (round(worth[0]), round(worth[1]), whole),
            min(LARGEST, max(1, whole // (steps if disrupted else steps + 1))),
        )

    def _riders_share(self, pos: PlatoonPosition, rider: int, disrupted: bool) -> list[Fraction]:
        """P5.12: what a passenger loses with its carrier, on the average."""
        table = self.values[rider]
        steps = pos.steps[rider]
        now = table[steps][disrupted]
        shaken, fewer = now - table[steps][1], now - table[steps - 1][1]
        dies = Fraction(now) if steps == 1 else Fraction(now + fewer, 2)
        return [Fraction(shaken), Fraction(shaken + fewer, 2), dies]

    def loss(self, target: Target, dice: int, to_hit: int, bonus: int, cancelled: int) -> int:
        """What an attack is expected to cost a target in cover that gives ``bonus`` save dice."""
        key = (target, dice, to_hit, bonus, cancelled)
        found = self._losses.get(key)
        if found is None:
            defence = target.defence
            saves = defence.armour + _useful(defence.kind, bonus)
            chances = outcome(dice, to_hit, saves, defence.save, cancelled, target.steps, target.disrupted)
            found = self._losses[key] = round(
                sum((p * w for p, w in zip(chances[1:], target.worth, strict=True)), Fraction(0))
            )
        return found

    def hits(self, defence: Defence, dice: int, to_hit: int, bonus: int, cancelled: int) -> int:
        """The hits that an attack is expected to score, up to three, in HITths."""
        saves = defence.armour + _useful(defence.kind, bonus)
        return _expected(dice, to_hit, saves, defence.save, cancelled)


@cache
def _expected(dice: int, to_hit: int, saves: int, save: int, cancelled: int) -> int:
    chances = net_hits(dice, to_hit, saves, save, cancelled)
    return round(HIT * (chances[1] + 2 * chances[2] + 3 * chances[3]))


def _useful(kind: int, bonus: int) -> int:
    """Bonus save dice up to what a kind of target may use (P6.4)."""
    return min(bonus, HARD_BONUS_LIMIT) if kind == HARD else bonus


def _strength(power: Power) -> int:
    power = _bounded(power)
    return power[0] * (7 - power[1]) if power else 0


def _bounded(power: Power, worse: int = 0) -> Power:
    """An attack with its to-hit, made worse by so much, brought between its bounds (P6.3)."""
    return limited(power[0], power[1] + worse) if power is not None else None
