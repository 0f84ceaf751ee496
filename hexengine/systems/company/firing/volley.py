"""A volley (C12.1, C12.2): the score to hit, the dice, and the hits, one type of weapon after another."""

from __future__ import annotations

from typing import Any, NamedTuple

from hexengine.core.dice import COMBAT, Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Contribution, Emit, Event
from hexengine.core.frames import Automatic
from hexengine.core.orders import Order
from hexengine.mechanics.masks import units
from hexengine.systems.company.board import Weapon
from hexengine.systems.company.firing import artillery
from hexengine.systems.company.firing.hits import Blow, pending, resolve, share
from hexengine.systems.company.firing.shots import (
    AIR,
    DEFENSIVE,
    MG,
    flags_of,
    pool_of,
    rate,
    targets,
    weapon_of,
)
from hexengine.systems.company.morale import pin
from hexengine.systems.company.orders import Shoot
from hexengine.systems.company.position import CompanyPosition
from hexengine.systems.company.sight.cover import concealed, gone_to_ground


def needed(pos: CompanyPosition, unit: int, target: int) -> list[Contribution]:
    """C12.2: the parts of the score to hit a team."""
    board = pos.board
    more = board.numbers
    parts = [Contribution("C12.2", "skill", board.counters[target].to_hit)]
    if concealed(pos, target, pos.place[unit]):
        parts.append(Contribution("C4.4", "concealed", more.concealed))
        if gone_to_ground(pos, target):
            parts.append(Contribution("C4.4", "gone-to-ground", more.gone_to_ground))
    if board.grid.distance(pos.place[unit], pos.place[target]) > board.reaches.long_range:
        parts.append(Contribution("C12.2", "long-range", more.long_range))
    return parts


def score(pos: CompanyPosition, unit: int, pool: int) -> list[Contribution]:
    """The score of a team against those it can hit: protection counts if half or more of them have it."""
    found = [needed(pos, unit, target) for target in units(pool)]
    found.sort(key=lambda parts: sum([part.value for part in parts]))
    return found[len(found) // 2]


def throw(dice: Dice, number: int, need: int) -> int:
    """C12.2: dice to hit: 7 is a 6 and then 5 or more, 8 a 6 and then a 6, more is impossible."""
    if need > 8:
        dice.faces = []
        return 0
    if need > 6:
        return dice.chained(COMBAT, number, 6, need - 2)
    return dice.at_least(COMBAT, number, need)


def open_fire(pos: CompanyPosition, side: int, order: Shoot, defensive: bool) -> None:
    """Teams shoot: a frame resolves their weapons, one type after another."""
    if not defensive:
        for unit in units(order.units):
            weapon = weapon_of(pos, unit, order.mg)
            if weapon is not None and rate(pos, unit, weapon, order.mg, False) > weapon.moved:
                pos.full |= 1 << unit
    pos.frames.append(Volley(side, order.units, order.platoon, flags_of(order, defensive), -1))
    if not defensive:
        # Before the dice: whoever shoots has not gone to ground from now on (C11.3).
        pos.shot |= order.units


class _VolleyFields(NamedTuple):
    side: int
    shooters: int
    platoon: int
    flags: int
    weapon: int


class Volley(Automatic, _VolleyFields):
    """Shots at a platoon under way: ``weapon`` is the type that is being resolved, -1 before the first."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        """Nobody decides here."""
        return "volley"

    def decider(self, pos: CompanyPosition) -> int:
        """The side that shoots."""
        return self.side

    def check(self, pos: CompanyPosition, order: Order) -> Refusal | None:
        """Nothing is legal while dice roll."""
        return Refusal("C12.1", "wrong-step", {"order": str(order)})

    def _weapons(self, pos: CompanyPosition) -> dict[int, tuple[Weapon, int]]:
        """The types of weapons that shoot, in order, each with its shooters."""
        if self.flags & AIR:
            flights = pos.board.flights[self.side]
            assert flights is not None, "it has aircraft"
            return {flights.weapon.number: (flights.weapon, 0)}
        found: dict[int, tuple[Weapon, int]] = {}
        for unit in units(self.shooters & pos.placed):
            weapon = weapon_of(pos, unit, bool(self.flags & MG))
            assert weapon is not None, "it was checked"
            found[weapon.number] = (weapon, found.get(weapon.number, (weapon, 0))[1] | 1 << unit)
        return dict(sorted(found.items()))

    def advance(self, pos: CompanyPosition, dice: Dice, emit: Emit) -> bool:
        """Resolve what was hit, then go on with the next type of weapon."""
        weapons = self._weapons(pos)
        if pending(pos):
            weapon, mask = weapons[self.weapon]
            # Nobody has been lost since the dice: who sees nobody of the pool had none.
            shooting = self._shooting(pos, weapon, mask)
            origins = sorted({pos.place[unit] for unit in units(shooting)})
            resolve(pos, Blow(weapon.at, weapon.firepower, origins), dice, emit)
            # The next type's dice are a step of their own: by then many ways to the same losses have met.
            return True
        following = next((number for number in weapons if number > self.weapon), -1)
        if following < 0 or not pos.alive(self.platoon):
            pos.frames.pop()
            if pos.struck[self.platoon] >= pos.board.numbers.pinning_hits:
                pin(pos, self.platoon, "C11.2", emit)
            return True
        pos.frames[-1] = self._replace(weapon=following)
        self._roll(pos, *weapons[following], dice, emit)
        return True

    def _shooting(self, pos: CompanyPosition, weapon: Weapon, mask: int) -> int:
        """Of the shooters with a weapon those that still have somebody to shoot at."""
        pool = pool_of(pos, self.platoon, self.flags)
        return sum([1 << unit for unit in units(mask) if targets(pos, unit, weapon, pool)])

    def _roll(self, pos: CompanyPosition, weapon: Weapon, mask: int, dice: Dice, emit: Emit) -> None:
        board = pos.board
        pool = pool_of(pos, self.platoon, self.flags)
        thrown: dict[int, tuple[int, list[Contribution]]] = {}
        scores: dict[tuple[int, int], list[Contribution]] = {}
        hit = 0
        if self.flags & AIR:
            flights = board.flights[self.side]
            assert flights is not None, "it has aircraft"
            parts = artillery.score_from_above(pos, pool)
            thrown[sum([part.value for part in parts])] = (flights.rof, parts)
            hit = pool
        aims = {unit: seen for unit in units(mask) if (seen := targets(pos, unit, weapon, pool))}
        for unit, seen in aims.items():
            hit |= seen
            # Teams in one hex have the same score against the same teams.
            parts = scores.get((pos.place[unit], seen)) or score(pos, unit, seen)
            scores[pos.place[unit], seen] = parts
            need = sum([part.value for part in parts])
            number = rate(pos, unit, weapon, bool(self.flags & MG), bool(self.flags & DEFENSIVE))
            if not pool & ~pos.doubled:
                number *= board.numbers.double_dice  # C2.9
            before = thrown.get(need, (0, parts))
            thrown[need] = (before[0] + number, before[1])
        hits = 0
        for need in sorted(thrown):
            number, parts = thrown[need]
            got = throw(dice, number, need)
            hits += got
            if emit:
                facts: dict[str, Any] = {
                    "units": [board.ids[unit] for unit in aims],
                    "weapon": weapon.id,
                }
                facts.update(platoon=board.platoons[self.platoon].id, dice=number, need=need, parts=parts)
                facts.update(faces=list(dice.faces), hits=got, side=board.sides[self.side])
                emit(Event("C13.7" if self.flags & AIR else "C12.1", "volley", facts))
        pos.struck[self.platoon] += hits
        if hits:
            share(pos, 1 - self.side, hit, hits)
