"""Assaults of the company system counted by a model of their own: no word of the engine's rules is used.

On the two hexes of these positions an assault needs no map. Whoever attacks reaches whatever defends, a team
has just one other hex to go to, nobody can break off anywhere, and guns do not run in. What is left is how
many there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import pytest

from tests.perft.modelled import agree

LAST_ROUND = 8
"""After so many counter-attacks whoever is struck breaks off."""
PINNING = 5


class Fight(NamedTuple):
    """A decision: what is to be decided, and of how many teams and guns.

    ``fresh``: the teams that have not moved yet, where they may move one by one.
    """

    asks: str
    teams: int
    guns: int
    fresh: int = 0
    rounds: int = 0


OVER = Fight("over", 0, 0)


def answers(fight: Fight, rate: int) -> Iterator[Fight]:
    """What may come of each order with each answer of the dice; ``rate``: dice of defensive fire."""
    teams, guns, fresh, rounds = fight[1:]
    match fight.asks:
        case "step":
            yield OVER  # end
            for _ in range(teams):
                yield from come_in(Fight("charge", teams, guns, teams - 1, 0), rate)
        case "charge":
            yield from strike(teams, guns, rounds)  # done
            for _ in range(fresh):
                yield from come_in(fight._replace(fresh=fresh - 1), rate)
        case "fire":
            yield from strike(teams, guns, rounds)  # done
            for hits in range(rate + 1):
                for saved in range(hits + 1):
                    stopped = saved < hits or hits >= PINNING
                    yield from [OVER] if stopped else strike(teams, guns, rounds)
        case "guns answer":
            yield won(teams)  # they break off, which is nowhere
            yield from strike_back(teams, guns, rounds + 1)
        case "teams answer":
            yield OVER  # they break off, which is nowhere
            yield Fight("charge", teams, guns, teams, rounds + 1)
        case "share":
            for _ in range(teams):
                yield from struck(teams - 1, guns, rounds, tested=True)
        case _:
            yield OVER  # done
            for _ in range(fresh):
                yield won(teams, fresh - 1)


def come_in(fight: Fight, rate: int) -> Iterator[Fight]:
    """Behind a team that came in: the next one may, or there may be fire, or they strike."""
    if fight.fresh:
        yield fight
    elif rate and not fight.rounds:
        yield fight._replace(asks="fire")
    else:
        yield from strike(fight.teams, fight.guns, fight.rounds)


def won(teams: int, fresh: int | None = None) -> Fight:
    """The teams have won, and consolidate one by one."""
    fresh = teams if fresh is None else fresh
    return Fight("won", teams, 0, fresh) if fresh else OVER


def strike(teams: int, guns: int, rounds: int) -> Iterator[Fight]:
    """The teams strike, each once: guns are alike, so that nobody chooses which of them are hit."""
    for hits in range(teams + 1):
        left = max(0, guns - hits)
        if not left or rounds >= LAST_ROUND:
            yield won(teams)
            continue
        if hits:
            yield won(teams)  # the test is failed: they must break off
        yield Fight("guns answer", teams, left, rounds=rounds)


def strike_back(teams: int, guns: int, rounds: int) -> Iterator[Fight]:
    """The guns strike: of two teams the owner chooses who takes the only hit."""
    for hits in range(guns + 1):
        if 0 < hits < teams:
            yield Fight("share", teams, guns, rounds=rounds)
        else:
            yield from struck(teams if not hits else 0, guns, rounds, tested=False)


def struck(teams: int, guns: int, rounds: int, tested: bool) -> Iterator[Fight]:
    """The teams that are left answer, after losses if their Motivation holds."""
    if not teams or tested:
        yield OVER
    if teams:
        yield Fight("teams answer", teams, guns, rounds=rounds)


@pytest.mark.parametrize(
    ("name", "teams", "rate", "whole"),
    [
        ("company-assault", 1, 0, (14, 155)),
        ("company-storm", 1, 0, (14, 155)),
        ("company-defence", 1, 5, (15, 941)),
        ("company-assault-of-two", 2, 0, (20, 327149)),
    ],
)
def test_assaults_are_counted_alike(name, teams, rate, whole):
    if rate:
        assert teams == 1, "the model shares out no hits of fire"
    agree(name, Fight("step", teams, teams), partial(answers, rate=rate), OVER, whole)
