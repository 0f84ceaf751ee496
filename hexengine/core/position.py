"""Positions: everything that changes, as columns of small integers.

A system subclasses :class:`Position` and names its columns; copying and digests are generic,
so that no field can be forgotten by one of them.
"""

from __future__ import annotations

from hashlib import blake2b
from operator import attrgetter
from struct import Struct
from typing import Any, ClassVar, Self

from hexengine.core.frames import Frame


def _getter(names: tuple[str, ...]) -> Any:
    """A function from an object to the tuple of its attributes of these names."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda pos: tuple([getattr(pos, name) for name in names])


class Position:
    """Base of all positions.

    ``COLUMNS``: names of lists of ints (-32768 to 32767); ``BYTES``: names of bytearrays;
    ``INTS``: names of plain ints (flags as masks of units, counters).  ``frames`` is the stack
    of frames, the top last; ``streams`` are the dice counters, which digests leave out;
    ``board`` is the static side of the scenario, shared by all copies.
    """

    COLUMNS: ClassVar[tuple[str, ...]] = ()
    BYTES: ClassVar[tuple[str, ...]] = ()
    INTS: ClassVar[tuple[str, ...]] = ()
    _ints: ClassVar[Any]
    _columns: ClassVar[Any]

    __slots__ = ("_packer", "board", "frames", "streams")

    board: Any
    frames: list[Frame]
    streams: list[int]

    def __init_subclass__(cls) -> None:
        cls._ints = _getter(cls.INTS)
        cls._columns = _getter(cls.COLUMNS)

    def __init__(self, board: Any, streams: int) -> None:
        self.board = board
        self.frames = []
        self.streams = [0] * streams
        self._packer: Struct | None = None

    def copy(self) -> Self:
        """An independent position: the same columns, the same frames, the same counters."""
        cls = type(self)
        new = cls.__new__(cls)
        new.board = self.board
        new.frames = self.frames[:]
        new.streams = self.streams[:]
        new._packer = self._packer
        for name, value in zip(cls.INTS, cls._ints(self), strict=True):
            setattr(new, name, value)
        for name, column in zip(cls.COLUMNS, cls._columns(self), strict=True):
            setattr(new, name, column[:])
        for name in cls.BYTES:
            setattr(new, name, getattr(self, name)[:])
        return new

    def digest(self) -> str:
        """16 hexadecimal digits over everything but the dice counters."""
        cls = type(self)
        values: list[int] = []
        for column in cls._columns(self):
            values += column
        packer = self._packer
        if packer is None:
            packer = self._packer = Struct(f"<{len(values)}h")
        state = blake2b(packer.pack(*values), digest_size=8)
        for name in cls.BYTES:
            state.update(getattr(self, name))
        frames = [(type(frame).__name__, *frame) for frame in self.frames]
        state.update(repr((cls._ints(self), frames)).encode())
        return state.hexdigest()
