"""Positions: everything that changes, as columns of small integers.

A system subclasses :class:`Position` and names its columns; copying and digests are generic,
so that no field can be forgotten by one of them.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any, ClassVar, Self

import msgspec
from mypy_extensions import mypyc_attr

from hexengine.core.frames import Frame


def _write(name: str, arguments: str, lines: list[str]) -> Callable[..., Any]:
    """A function over positions, from the lines of its body: columns by name, without loops."""
    space: dict[str, Any] = {}
    exec(f"def {name}({arguments}):\n    " + "\n    ".join(lines), space)  # noqa: S102  the lines hold only names of columns
    function: Callable[..., Any] = space[name]
    return function


class _FrameWords(dict[tuple[type, Frame], str]):
    """Frames as digests hold them, remembered: the lower ones stay as they are for many orders."""

    def __missing__(self, key: tuple[type, Frame]) -> str:
        if len(self) >= _FRAMES_KEPT:
            self.clear()
        kind, frame = key
        word = self[key] = f"/{kind.__name__}{tuple(frame)}"
        return word


_FRAMES_KEPT = 10_000
_frame_words = _FrameWords()
_encode = msgspec.json.Encoder().encode


@mypyc_attr(allow_interpreted_subclasses=True)
class Position:
    """Base of all positions.

    ``COLUMNS``: names of lists of ints; ``BYTES``: names of bytearrays;
    ``INTS``: names of plain ints (flags as masks of units, counters).  ``frames`` is the stack
    of frames, the top last; ``streams`` are the dice counters, which digests leave out, as they
    do the columns of ``DERIVED``, which follow from the others.  ``SCRATCH``: names of what is worked out
    for the decision in hand, which is None in copies and in no digest.  A subclass also has ``board``,
    the static side of its scenario, which all copies share.
    """

    COLUMNS: ClassVar[tuple[str, ...]] = ()
    BYTES: ClassVar[tuple[str, ...]] = ()
    INTS: ClassVar[tuple[str, ...]] = ()
    DERIVED: ClassVar[tuple[str, ...]] = ()
    SCRATCH: ClassVar[tuple[str, ...]] = ()
    _fill: ClassVar[Callable[[Any, Any], None]]
    _written: ClassVar[Callable[..., bytes]]

    __slots__ = ("frames", "streams")

    frames: list[Frame]
    streams: list[int]

    def __init_subclass__(cls) -> None:
        lists = (*cls.COLUMNS, *cls.BYTES)
        body = [f"new.{name} = pos.{name}" for name in ("board", *cls.INTS)]
        body += [f"new.{name} = pos.{name}[:]" for name in lists]
        body += [f"new.{name} = None" for name in cls.SCRATCH]
        cls._fill = staticmethod(_write("fill", "pos, new", body))
        named = "".join(f"pos.{name}, " for name in (*lists, *cls.INTS) if name not in cls.DERIVED)
        body = ["text = ''", "for frame in pos.frames:", "    text += words[type(frame), frame]"]
        body += [f"return encode(({named}text))"]
        cls._written = staticmethod(_write("written", "pos, encode, words", body))

    def __init__(self, streams: int) -> None:
        self.frames = []
        self.streams = [0] * streams

    def copy(self) -> Self:
        """An independent position: the same columns, the same frames, the same counters."""
        cls = type(self)
        new = cls.__new__(cls)
        new.frames = self.frames[:]
        new.streams = self.streams[:]
        cls._fill(self, new)
        return new

    def digest(self) -> str:
        """16 hexadecimal digits over everything but the dice counters and derived columns."""
        # JSON is the same whatever writes it, holds numbers of any size, and no list can run into the next.
        data = type(self)._written(self, _encode, _frame_words)
        return blake2b(data, digest_size=8).hexdigest()
