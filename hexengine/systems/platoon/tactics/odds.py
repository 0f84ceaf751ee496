"""Exact chances of a shot (P6.3, P6.4, P6.6, P11.1), and what opportunity fire may do along a way."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import comb
from typing import NamedTuple

from hexengine.core.orders import Order
from hexengine.core.tactics import StepRisk
from hexengine.mechanics.masks import mask_of, units
from hexengine.systems.platoon.firing.fire import lead_dice, save_dice, shelter, shots, strength
from hexengine.systems.platoon.firing.reaction import eligible
from hexengine.systems.platoon.moving.stacking import place_at
from hexengine.systems.platoon.orders.book import Fire
from hexengine.systems.platoon.position import PlatoonPosition

ONE = Fraction(1)


class Chances(NamedTuple):
    """What a shot does to its target; the four sum to 1.

    ``disrupted`` and ``step`` are what is new: a unit that was Disrupted before can only lose steps.
    """

    nothing: Fraction
    disrupted: Fraction
    step: Fraction
    eliminated: Fraction


@cache
def _binomial(number: int, need: int) -> tuple[Fraction, ...]:
    """How likely each count of dice that reach a number is."""
    good = min(6, max(0, 7 - need))
    total = 6**number
    return tuple(
        [
            Fraction(comb(number, count) * good**count * (6 - good) ** (number - count), total)
            for count in range(number + 1)
        ]
    )


@cache
def net_hits(dice: int, to_hit: int, saves: int, save: int, cancelled: int) -> tuple[Fraction, ...]:
    """How likely 0, 1, 2, and 3 or more uncancelled hits are (P6.4, P11.1)."""
    found = [Fraction(0)] * 4
    for hits, likely in enumerate(_binomial(dice, to_hit)):
        for saved, also in enumerate(_binomial(saves, save)):
            net = max(0, hits - saved - cancelled)
            found[min(net, 3)] += likely * also
    return tuple(found)


@cache
def outcome(
    dice: int, to_hit: int, saves: int, save: int, cancelled: int, steps: int, disrupted: bool
) -> Chances:
    """What an attack does to a unit of so many steps (P6.6)."""
    result = [Fraction(0)] * 4
    for net, likely in enumerate(net_hits(dice, to_hit, saves, save, cancelled)):
        beyond = net if disrupted else net - 1
        if not net:
            result[0] += likely
        elif beyond >= steps:
            result[3] += likely
        elif beyond:
            result[2] += likely
        else:
            result[1] += likely
    return Chances(*result)


def shot_chances(pos: PlatoonPosition, order: Fire) -> Chances:
    """The exact chances of a legal shot for its target, at this point of the game."""
    board = pos.board
    firer, target = order.firer, order.target
    there = pos.hex[target]
    weapon = order.weapon if order.weapon >= 0 else firer
    hq = board.formations[board.formation[firer]].hq if order.lead else -1
    power = strength(
        pos, firer, weapon, target, board.grid.distance(pos.hex[firer], there), lead_dice(pos, hq)
    )
    assert power is not None, "a legal shot has dice"
    return outcome(
        power.dice,
        power.to_hit,
        save_dice(pos, target, there, pos.hex[firer]),
        board.save[target],
        shelter(pos, target, there),
        pos.steps[target],
        bool(pos.disrupted >> target & 1),
    )


# -- along a way --------------------------------------------------------------------------------


def way_risk(pos: PlatoonPosition, chosen: Sequence[int], hexes: Sequence[int]) -> tuple[StepRisk, ...]:
    """What opportunity fire may do at each hex of a way after the first (P8).

    At each hex as if nobody had shot before: a unit shoots only once, but where, its side decides.
    """
    board = pos.board
    trial = pos.copy()
    side = board.side[chosen[0]]
    targets = mask_of(chosen) & board.fighters
    trial.moved |= mask_of(chosen)
    found: list[StepRisk] = []
    for place in hexes[1:]:
        for unit in chosen:
            place_at(trial, unit, place)
        found.append(_window(trial, 1 - side, targets, place))
    return tuple(found)


def _window(pos: PlatoonPosition, side: int, targets: int, place: int) -> StepRisk:
    """A window at one hex: each target is shot at once, by the best shooter that is still free."""
    board = pos.board
    best: dict[tuple[int, int], tuple[Fraction, Fraction]] = {}
    shooters: list[int] = []
    for unit in units(eligible(pos, side)):
        legal: list[Order] = []
        shots(pos, unit, targets, pos.led_reaction, legal)
        if legal:
            shooters.append(unit)
        for order in legal:
            assert isinstance(order, Fire)
            chance = shot_chances(pos, order)
            hit = (ONE - chance.nothing, chance.eliminated)
            key = (unit, order.target)
            best[key] = max(best.get(key, hit), hit)
    unhurt = whole = ONE
    free, left = set(shooters), set(units(targets))
    for key in sorted(best, key=lambda pair: (-best[pair][0], -best[pair][1], pair)):
        if key[0] in free and key[1] in left:
            free.remove(key[0])
            left.remove(key[1])
            unhurt *= ONE - best[key][0]
            whole *= ONE - best[key][1]
    return StepRisk(
        board.labels[place],
        tuple([board.ids[unit] for unit in shooters]),
        float(ONE - unhurt),
        float(ONE - whole),
    )
