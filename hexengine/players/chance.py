"""What a player leaves to chance: numbers that depend on (seed, side, entry) alone."""

from __future__ import annotations

from hashlib import blake2b
from struct import Struct

_WORDS = Struct("<8Q")


class Chance:
    """The numbers of one player on one side: word ``entry`` is uniform in ``range(2**64)``.

    Choosing below ``n`` by the remainder favours none by more than ``n`` in 2**64.
    """

    __slots__ = ("_block", "_key", "_words")

    def __init__(self, seed: int, side: str) -> None:
        self._key = blake2b(f"{seed}/{side}".encode(), digest_size=32).digest()
        self._block = -1
        self._words: tuple[int, ...] = ()

    def word(self, entry: int) -> int:
        """The number for an entry of the game."""
        block = entry >> 3
        if block != self._block:
            self._block = block
            message = block.to_bytes(8, "little")
            self._words = _WORDS.unpack(blake2b(message, key=self._key, person=b"player").digest())
        return self._words[entry & 7]
