"""What attacks may do: chances of the rules' dice, worked out once for each set of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from hexengine.mechanics.masks import units
from hexengine.systems.squad.firing.damage import (
    ELIMINATED,
    HALVED,
    SHAKEN,
    STUNNED,
    WOUNDED,
    best_lm,
    column,
    lead_over,
)
from hexengine.systems.squad.moving.vehicles import underway
from hexengine.systems.squad.position import SquadPosition

SHARE = {SHAKEN: 0.4, WOUNDED: 0.3, STUNNED: 0.7, HALVED: 0.8, ELIMINATED: 1.0}
"""What a result costs, as a part of a unit's worth."""


@cache
def bands(base: int, morale: int, lm: int) -> tuple[float, float, float]:
    """The chances of results beyond a morale, twice and three times it, of an attack ahead by ``base``."""
    found = [0.0, 0.0, 0.0]
    for duel in range(-5, 6):
        margin = duel + base
        if margin <= 0:
            continue
        for die in range(1, 7):
            total = die + margin - lm
            at = 2 if total >= 3 * morale else 1 if total >= 2 * morale else 0 if total > morale else -1
            if at >= 0:
                found[at] += (6 - abs(duel)) / 216
    return found[0], found[1], found[2]


@cache
def sum_reached(number: int) -> float:
    """The chance that two dice come to a number."""
    return sum(first + second >= number for first in range(1, 7) for second in range(1, 7)) / 36


@cache
def sum_within(number: int) -> float:
    """The chance that two dice stay within a number."""
    return 1 - sum_reached(number + 1)


def loss(pos: SquadPosition, unit: int, base: int, worth: float) -> float:
    """What an attack ahead by ``base`` is expected to cost a unit."""
    if base <= -5:
        return 0.0
    board = pos.board
    if board.vehicles >> unit & 1:
        base = lead_over(pos, unit, base, underway(pos, 1 << unit))
        if base <= -5:
            return 0.0
    shaken = pos.shaken >> unit & 1
    morale = (board.shaken_morale if shaken else board.morale)[unit][pos.steps[unit]]
    lm = 0 if board.leaders >> unit & 1 else best_lm(pos, board.side[unit], pos.place[unit])
    chances = bands(base, morale, lm)
    results = column(pos, unit)
    share = 0.0
    for chance, result in zip(chances, results, strict=True):
        part = SHARE[result]
        if shaken and result == SHAKEN:
            part = 0.8 if not (board.singles | board.vehicles) >> unit & 1 else 0.0
        share += chance * part
    return share * worth


def combined(guns: Sequence[tuple[int, int]], distance: int) -> int:
    """Firepower of one place at a range, of (firepower, range) with the strongest first; -1 for none."""
    total = -1
    for fp, reach in guns:
        if distance > 2 * reach:
            continue
        value = fp if total < 0 else (fp + 1) // 2
        total = max(total, 0) + ((value + 1) // 2 if distance > reach else value)
    return total


def firepowers(pos: SquadPosition, mask: int) -> list[tuple[int, int]]:
    """(Firepower, range) of units, with what they carry, the strongest first."""
    board = pos.board
    found = []
    for unit in units(mask):
        data = board.ordnance[unit]
        if data is not None:
            found.append((max(1, data.he - 1, board.fp[unit][1]), data.bands[-1][0]))
            continue
        fp = board.fp[unit][pos.steps[unit]]
        if fp:
            found.append((fp, board.range[unit][pos.steps[unit]]))
        weapon = pos.weapon(unit)
        if weapon >= 0:
            data = board.ordnance[weapon]
            if data is None:
                found.append((board.fp[weapon][1], board.range[weapon][1]))
            else:
                found.append((data.he - 1, data.bands[-1][0] // 2))
    return sorted(found, reverse=True)
