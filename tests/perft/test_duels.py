"""Duels of two squads counted by a model of their own: no word of the squad system's rules is used.

A squad of each side, of morale 5, on a row of hexes, that see each other all the time. The blue one begins at
the end of the row with 1 MF or none, so that it has one step at most, towards the enemy; the red one none.
What is left are dice.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import pytest

from tests.perft.modelled import agree

DIE = range(1, 7)
CHECK = (6, 10, 15)
"""Sums of a damage check from which on morale 5 is passed by, doubled, and trebled (S8.5)."""
PASSES = 3


class Squad(NamedTuple):
    """A squad: its hex on the row, steps, and what has become of it; ``done``: "", "moved" or "fired"."""

    hex: int
    steps: int = 2
    shaken: bool = False
    done: str = ""


class Row(NamedTuple):
    """What does not change: firepower and MF of both, the hexes of woods and of a mine."""

    firepower: tuple[int, int]
    mf: tuple[int, int] = (0, 0)
    woods: frozenset[int] = frozenset()
    mine: int = -1


class Duel(NamedTuple):
    """A decision of a side: its impulse behind so many passes, its window, or its strike."""

    asks: str
    side: int
    passes: int
    squads: tuple[Squad, Squad]


OVER = Duel("over", 0, 0, (Squad(0), Squad(0)))


def struck(squad: Squad, ahead: int) -> Iterator[Squad]:
    """What each answer of the dice makes of a squad, with an attack ahead by so much before both dice."""
    for margin in {max(0, ahead + one - other) for one in DIE for other in DIE}:
        bands = {sum(margin + die >= limit for limit in CHECK) for die in DIE} if margin else {0}
        for band in bands:
            worse = squad.shaken and band == 1
            lost = (0, int(worse), 1, 2)[band] if squad.steps == 2 else (0, int(worse), 1, 1)[band]
            yield squad._replace(steps=squad.steps - lost, shaken=squad.shaken or band > 0)


def with_one(squads: tuple[Squad, Squad], side: int, squad: Squad) -> tuple[Squad, Squad]:
    """Both squads, of which one has changed."""
    return (squads[0], squad) if side else (squad, squads[1])


def able(squad: Squad) -> bool:
    """Whether it can act: who is Shaken cannot fire, and can only come closer to the enemy (S4.4)."""
    return not squad.shaken and not squad.done


def next_impulse(side: int, passes: int, squads: tuple[Squad, Squad]) -> Duel:
    """The next decision: who has nothing left to do passes; with a squad lost or three passes it is over."""
    while passes < PASSES and all(squad.steps for squad in squads):
        if able(squads[side]):
            return Duel("impulse", side, passes, squads)
        side, passes = 1 - side, passes + 1
    return OVER


def fire(row: Row, duel: Duel) -> Iterator[Duel]:
    """One squad's fire at the other: adjacent 2 more, on the move 1 more, for woods between 1 less (S8.4)."""
    mine, other = duel.squads[duel.side], duel.squads[1 - duel.side]
    near, far = sorted((mine.hex, other.hex))
    ahead = row.firepower[duel.side] + 2 * (far - near == 1) + (other.done == "moved")
    ahead -= len(row.woods & set(range(near + 1, far)))
    squads = with_one(duel.squads, duel.side, mine._replace(done="fired"))
    # Fire in the window of a step, which ends the other side's impulse, is followed by an own one.
    side = duel.side if duel.asks == "window" else 1 - duel.side
    for after in struck(other, ahead):
        yield next_impulse(side, 0, with_one(squads, 1 - duel.side, after))


def step(row: Row, duel: Duel) -> Iterator[Duel]:
    """A step towards the enemy: into a melee; or a mine strikes, then the enemy has its window."""
    mine, other = duel.squads[duel.side], duel.squads[1 - duel.side]
    there = mine.hex + (1 if other.hex > mine.hex else -1)
    mine = mine._replace(hex=there, done="moved")
    if there == other.hex:
        yield Duel("strike", duel.side, 0, with_one(duel.squads, duel.side, mine))
        return
    for after in struck(mine, 1) if there == row.mine else [mine]:
        squads = with_one(duel.squads, duel.side, after)
        if able(other):
            yield Duel("window", 1 - duel.side, 0, squads)
        else:
            yield next_impulse(1 - duel.side, 0, squads)


def answers(row: Row, duel: Duel) -> Iterator[Duel]:
    """What may come of each order with each answer of the dice."""
    match duel.asks:
        case "impulse":
            yield next_impulse(1 - duel.side, duel.passes + 1, duel.squads)
            yield from fire(row, duel)
            if row.mf[duel.side]:
                yield from step(row, duel)
        case "window":
            yield next_impulse(duel.side, 0, duel.squads)
            yield from fire(row, duel)
        case "strike":
            # Killed or not: who is killed strikes back too.
            yield from 2 * [Duel("strike back", 1 - duel.side, 0, duel.squads)]
        case _:
            yield from 2 * [OVER]  # a round a turn is fought, and nobody can leave


@pytest.mark.parametrize(
    ("name", "row", "squads", "whole"),
    [
        ("squad-shot", Row((1, 1)), (Squad(0), Squad(2)), (5, 463)),
        ("squad-reaction", Row((1, 1), (1, 0), frozenset({1})), (Squad(3), Squad(0)), (6, 493)),
        ("squad-steps", Row((1, 1), (1, 0), mine=1), (Squad(2), Squad(0)), (6, 2311)),
        ("squad-melee", Row((2, 1), (1, 0)), (Squad(0), Squad(1, shaken=True)), (4, 49)),
    ],
)
def test_duels_are_counted_alike(name, row, squads, whole):
    agree(name, Duel("impulse", 0, 0, squads), partial(answers, row), OVER, whole)
