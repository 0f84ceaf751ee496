"""Checks of a position: nothing forgotten in its copy, nothing unseen by its digest."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from hexengine.core.position import Position
from hexengine.testing.decisions import fail

_BASE = frozenset({"board", "frames", "streams", "_packer"})


def fields(kind: type[Position]) -> set[str]:
    """The names of everything that changes, from the slots of all base classes, compiled or not."""
    names: set[str] = set()
    for base in kind.__mro__:
        slots: Any = base.__dict__.get("__slots__") or base.__dict__.get("__mypyc_attrs__", ())
        names |= {slots} if isinstance(slots, str) else set(slots)
    return names - _BASE


def check_position(pos: Position, random: Random, sample: int = 40) -> None:
    """A position's columns are all it has; its copy is whole and independent; its digest sees all.

    Digests are asked about ``sample`` changed elements of each long column, chosen by ``random``.
    """
    _check_fields(pos)
    _check_copy(pos)
    _check_digest(pos, random, sample)


def _check_fields(pos: Position) -> None:
    kind = type(pos)
    declared = [*kind.COLUMNS, *kind.BYTES, *kind.INTS, *kind.SCRATCH]
    if len(set(declared)) != len(declared):
        fail(f"{kind.__name__} names a column twice: {declared}")
    if fields(kind) != set(declared):
        odd = fields(kind) ^ set(declared)
        fail(
            f"{kind.__name__}: {', '.join(sorted(odd))} must be slots, and in COLUMNS, BYTES, INTS or SCRATCH"
        )
    if getattr(pos, "__dict__", None):
        fail(f"{kind.__name__} keeps {', '.join(vars(pos))} outside its slots, where copies miss them")
    for name in kind.COLUMNS:
        column = getattr(pos, name)
        if type(column) is not list or not all(type(value) is int for value in column):
            fail(f"the column {name} must be a list of ints: {column!r}")
        # What follows from other columns is never packed for a digest.
        if name not in kind.DERIVED and not all(-32768 <= value <= 32767 for value in column):
            fail(f"a value of the column {name} is out of range: {column!r}")
    for name in kind.BYTES:
        if type(getattr(pos, name)) is not bytearray:
            fail(f"{name} must be a bytearray: {getattr(pos, name)!r}")
    for name in kind.INTS:
        if type(getattr(pos, name)) is not int:
            fail(f"{name} must be an int: {getattr(pos, name)!r}")
    for frame in pos.frames:
        if not frame or not all(type(value) is int for value in frame):
            fail(f"a frame must hold ints, and at least one: {frame!r}")


def _values(pos: Position) -> list[Any]:
    kind = type(pos)
    names = [*kind.COLUMNS, *kind.BYTES, *kind.INTS, "frames", "streams"]
    return [(name, getattr(pos, name)) for name in names]


def _check_copy(pos: Position) -> None:
    copy = pos.copy()
    if (
        type(copy) is not type(pos)
        or getattr(copy, "board", None) is not getattr(pos, "board", None)
        or _values(copy) != _values(pos)
    ):
        fail("a copy differs from its position")
    if copy.digest() != pos.digest():
        fail("a copy has another digest")
    for name in type(pos).SCRATCH:
        if getattr(copy, name) is not None:
            fail(f"a copy has taken over {name}, which was worked out for its original")
    for name, value in _values(pos):
        if not isinstance(value, int) and getattr(copy, name) is value:
            fail(f"a copy shares {name} with its position")


def _check_digest(pos: Position, random: Random, sample: int) -> None:
    digest = pos.digest()
    if pos.digest() != digest or len(digest) != 16:
        fail(f"the digest is not a steady one of 16 digits: {digest}")

    for what, changed in _changed(pos, random, sample):
        if changed.digest() == digest:
            fail(f"the digest does not see {what}")
    for at in range(len(pos.streams)):
        copy = pos.copy()
        copy.streams[at] += 1
        if copy.digest() != digest:
            fail(f"the digest depends on the dice counter {at}")


def _changed(pos: Position, random: Random, sample: int) -> Iterator[tuple[str, Position]]:
    """Copies with one thing changed, and what that is."""
    kind = type(pos)
    for name in (*kind.COLUMNS, *kind.BYTES):
        if name in kind.DERIVED:
            continue
        length = len(getattr(pos, name))
        for at in sorted(random.sample(range(length), min(sample, length))):
            copy = pos.copy()
            getattr(copy, name)[at] ^= 1
            yield f"{name}[{at}]", copy
    for name in kind.INTS:
        if name in kind.DERIVED:
            continue
        copy = pos.copy()
        setattr(copy, name, getattr(copy, name) ^ 1)
        yield name, copy
    if pos.frames:
        copy = pos.copy()
        copy.frames.pop()
        yield "that the top frame is gone", copy
        copy = pos.copy()
        copy.frames.append(copy.frames[-1])
        yield "one frame more", copy
