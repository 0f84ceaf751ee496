"""Dice the slow way: every face of every die, as the check of exact odds."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from hexengine.core.dice import Dice, EnumeratingDice
from hexengine.core.orders import Order
from hexengine.core.position import Position

_FACES = [(face, Fraction(1, 6), str(face)) for face in range(1, 7)]


class FaceDice(EnumeratingDice):
    """Dice that give every sequence of faces, and every single marker, in turn.

    The questions are answered from faces as in play, so that nothing of how
    :class:`~hexengine.core.dice.EnumeratingDice` reckons is taken for granted.
    """

    __slots__ = ()

    at_least = Dice.at_least
    chained = Dice.chained
    within = Dice.within
    even = Dice.even
    evens = Dice.evens
    part = Dice.part
    band = Dice.band
    duel = Dice.duel

    def roll(self, stream: int, number: int) -> list[int]:
        return [self._answer(_FACES) for _ in range(number)]

    def draw(self, stream: int, counts: Sequence[int], names: Sequence[str]) -> int:
        single = [kind for kind, count in enumerate(counts) for _ in range(count)]
        return self._answer([(kind, Fraction(1, len(single)), names[kind]) for kind in single])


def by_faces(pos: Position, order: Order, limit: int = 10_000) -> dict[str, Fraction] | None:
    """The probability of each digest that a legal order may lead to, from all faces of all dice.

    None if that takes more than ``limit`` runs of the rules.
    """
    dice = FaceDice()
    found: dict[str, Fraction] = {}
    for _ in range(limit):
        branch = pos.copy()
        dice.streams = branch.streams
        branch.frames[-1].play(branch, order, dice, None)
        while branch.frames and branch.frames[-1].advance(branch, dice, None):
            pass
        key = branch.digest()
        found[key] = found.get(key, Fraction(0)) + dice.weight
        if not dice.advance():
            return found
    return None
