"""Which games a batch consists of: the seed and the seats of each, from one master seed.

Game number ``n`` (from 1) depends on the master seed, ``n`` and the players alone: never on how many games
are asked for, on who plays them or in which order.  Players are made with the seed of their game: what they
leave to chance is a function of (seed, side, entry), so the two sides differ, and ``watch`` or ``play`` with
the same seed and players shows the same game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple

SEED_BITS = 48
"""Seeds of games have so many bits: short enough for every JSON reader, enough for millions of games."""


class Task(NamedTuple):
    """One game to be played: its number from 1, its seed, and the players in the order of sides.

    ``scenario`` is an index, for those who play games of several.
    """

    number: int
    seed: int
    players: tuple[str, ...]
    swapped: bool
    scenario: int = 0


def game_seed(master: int, number: int) -> int:
    """Seed ``number`` (from 0) of a master seed: blake2b over both, 48 bits."""
    message = f"{master}/{number}".encode()
    digest = blake2b(message, digest_size=SEED_BITS // 8, person=b"game seeds").digest()
    return int.from_bytes(digest, "little")


def task(master: int, number: int, players: Sequence[str], *, swap: bool) -> Task:
    """Game ``number`` (from 1) of a batch.

    With ``swap`` each seed is played twice: odd games with the players as given, even ones with their
    seats the other way round.  So the last seed of an odd number of games is played once.
    """
    if not swap:
        return Task(number, game_seed(master, number - 1), tuple(players), False)
    pair, second = divmod(number - 1, 2)
    seats = tuple(reversed(players)) if second else tuple(players)
    return Task(number, game_seed(master, pair), seats, bool(second))


def tasks(master: int, numbers: Sequence[int], players: Sequence[str], *, swap: bool) -> Iterator[Task]:
    """The games of these numbers, made as they are asked for."""
    for number in numbers:
        yield task(master, number, players, swap=swap)
