"""Dice: rules ask for what matters, and the source decides how it is answered.

A rule asks for a count of dice that reach a number (or two in turn), whether a sum stays within a number or
which of some limits it reaches, by how much one die beats another, whether a die is even, in which part of
its faces it falls, or which marker is drawn.  Seeded dice roll faces; scripted dice take dictated ones;
enumerating dice give each distinct answer in turn with its exact weight.

Randomness is a keyed counter stream: die ``k`` of a stream is a function of the seed, the stream's name and
``k`` alone, the same on every platform and in every version.  Positions keep only the counters.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from hashlib import blake2b
from math import comb
from operator import index
from struct import Struct
from typing import SupportsIndex

from mypy_extensions import mypyc_attr

from hexengine.core.errors import ChanceError, quoted_start, start_of
from hexengine.core.orders import Chance

STREAMS = ("cup", "combat", "morale")
CUP, COMBAT, MORALE = range(3)

_WORDS = Struct("<8Q")
_BLOCK = 64
"""Dice a block of a stream holds."""


def _key(seed: int, stream: str) -> bytes:
    return blake2b(f"{seed}/{stream}".encode(), digest_size=32).digest()


def _block_faces(key: bytes, block: int) -> list[int]:
    """The faces of one block: bytes below 252 taken modulo 6, so every face is equally likely."""
    faces: list[int] = []
    part = 0
    while len(faces) < _BLOCK:
        message = block.to_bytes(8, "little") + part.to_bytes(4, "little")
        faces += [byte % 6 + 1 for byte in blake2b(message, key=key).digest() if byte < 252]
        part += 1
    return faces[:_BLOCK]


def uniform_below(key: bytes, counter: int, limit: int) -> int:
    """Draw number ``counter`` of a stream, uniform in ``range(limit)``, without bias.

    Draws and dice of one stream have nothing in common, though they share its counter.
    """
    ceiling = (1 << 64) // limit * limit
    part = 0
    while True:
        message = counter.to_bytes(8, "little") + part.to_bytes(4, "little")
        for word in _WORDS.unpack(blake2b(message, key=key, person=b"draw").digest()):
            if word < ceiling:
                return int(word) % limit
        part += 1


@mypyc_attr(allow_interpreted_subclasses=True)
class Dice:
    """What rules see.

    ``streams`` are the counters of the position in play (one for each of :data:`STREAMS`);
    ``used`` collects what chance decided since it was last cleared; ``faces`` are the dice of
    the last question (empty where a source does not roll faces).
    """

    __slots__ = ("faces", "streams", "used")

    def __init__(self) -> None:
        self.streams: list[int] = [0] * len(STREAMS)
        self.used: list[Chance] = []
        self.faces: list[int] = []

    def roll(self, stream: int, number: int) -> list[int]:
        """Roll ``number`` dice of a stream and note them as used."""
        raise NotImplementedError

    def at_least(self, stream: int, number: int, need: int) -> int:
        """How many of ``number`` dice show ``need`` or more."""
        if number <= 0:
            self.faces = []
            return 0
        self.faces = faces = self.roll(stream, number)
        count = 0
        for face in faces:
            if face >= need:
                count += 1
        return count

    def chained(self, stream: int, number: int, need: int, again: int) -> int:
        """Of ``number`` dice, how many show ``need`` or more and then, thrown at once anew, ``again`` or
        more.
        """
        shown: list[int] = []
        count = 0
        for _ in range(number):
            first = self.roll(stream, 1)
            shown += first
            if first[0] >= need:
                second = self.roll(stream, 1)
                shown += second
                count += second[0] >= again
        self.faces = shown
        return count

    def within(self, stream: int, number: int, limit: int) -> bool:
        """Whether the sum of ``number`` dice is ``limit`` or less; certain answers roll nothing."""
        if limit >= 6 * number or limit < number:
            self.faces = []
            return limit >= number
        self.faces = faces = self.roll(stream, number)
        return sum(faces) <= limit

    def even(self, stream: int) -> bool:
        """Whether one die is even."""
        self.faces = faces = self.roll(stream, 1)
        return faces[0] % 2 == 0

    def evens(self, stream: int, number: int) -> int:
        """How many of ``number`` dice are even."""
        self.faces = faces = self.roll(stream, number)
        return sum([1 - face % 2 for face in faces])

    def part(self, stream: int, parts: int) -> int:
        """In which of ``parts`` equal ranges of its faces (2, 3 or 6 of them) one die falls, from 0."""
        self.faces = faces = self.roll(stream, 1)
        return (faces[0] - 1) * parts // 6

    def band(self, stream: int, number: int, limits: Sequence[int]) -> int:
        """How many of some ascending limits the sum of dice reaches; certain answers roll nothing."""
        certain = _certain_band(number, limits)
        if certain >= 0:
            self.faces = []
            return certain
        self.faces = faces = self.roll(stream, number)
        return bisect_right(limits, sum(faces))

    def duel(self, stream: int, least: int = -5, most: int = 5) -> int:
        """One die less another, cut to ``least`` to ``most``; certain answers roll nothing."""
        if least >= 5 or most <= -5 or least >= most:
            self.faces = []
            return least if least >= 5 else most
        self.faces = faces = self.roll(stream, 2)
        return min(most, max(least, faces[0] - faces[1]))

    def draw(self, stream: int, counts: Sequence[int], names: Sequence[str]) -> int:
        """Draw one marker, uniformly over all markers; returns the index of its kind."""
        raise NotImplementedError


@mypyc_attr(allow_interpreted_subclasses=True)
class SeededDice(Dice):
    """Dice of a seeded game."""

    __slots__ = ("_block", "_faces", "_keys", "seed")

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.seed = seed
        self._keys = [_key(seed, name) for name in STREAMS]
        self._block = [-1] * len(STREAMS)
        self._faces: list[list[int]] = [[] for _ in STREAMS]

    def roll(self, stream: int, number: int) -> list[int]:
        start = self.streams[stream]
        self.streams[stream] = end = start + number
        block, offset = divmod(start, _BLOCK)
        if self._block[stream] != block:
            self._block[stream] = block
            self._faces[stream] = _block_faces(self._keys[stream], block)
        faces = self._faces[stream][offset : offset + number]
        while len(faces) < number:
            block += 1
            self._block[stream] = block
            self._faces[stream] = _block_faces(self._keys[stream], block)
            faces += self._faces[stream][: end - block * _BLOCK]
        self.used += faces
        return faces

    def draw(self, stream: int, counts: Sequence[int], names: Sequence[str]) -> int:
        counter = self.streams[stream]
        self.streams[stream] = counter + 1
        left = uniform_below(self._keys[stream], counter, sum(counts))
        for kind, count in enumerate(counts):
            if left < count:
                self.used.append(names[kind])
                return kind
            left -= count
        raise AssertionError("the draw lies beyond the cup")


def _whole(value: object) -> int:
    """A whole number of whatever kind as an int; 0 for anything else."""
    return index(value) if isinstance(value, SupportsIndex) and not isinstance(value, bool) else 0


class ScriptedDice(Dice):
    """Dictated dice and markers, taken in order; every one used advances its stream."""

    __slots__ = ("_at", "_values")

    def __init__(self, values: Sequence[Chance], streams: list[int]) -> None:
        super().__init__()
        self.streams = streams
        self._values: list[object] = list(values)
        self._at = 0

    def _next(self, what: str) -> object:
        if self._at >= len(self._values):
            given = start_of(" ".join(map(str, self._values))) or "none"
            raise ChanceError(f"too few dice or markers are given ({given}): {what} is wanted next")
        value = self._values[self._at]
        self._at += 1
        return value

    def roll(self, stream: int, number: int) -> list[int]:
        faces: list[int] = []
        for _ in range(number):
            value = self._next("a die")
            face = _whole(value)
            if not 1 <= face <= 6:
                raise ChanceError(f"{start_of(repr(value))} is no face of a die: 1 to 6 are")
            faces.append(face)
        self.streams[stream] += number
        self.used += faces
        return faces

    def draw(self, stream: int, counts: Sequence[int], names: Sequence[str]) -> int:
        inside = [name for name, count in zip(names, counts, strict=True) if count]
        value = str(self._next(f"a marker ({', '.join(inside)})"))
        for kind, count in enumerate(counts):
            if names[kind] == value and count:
                self.streams[stream] += 1
                self.used.append(names[kind])
                return kind
        raise ChanceError(f"no marker {quoted_start(value)} can be drawn: the cup holds {', '.join(inside)}")

    def finish(self) -> None:
        """Raise ChanceError if anything dictated was not used."""
        rest = self._values[self._at :]
        if rest:
            left = start_of(" ".join(map(str, rest)))
            raise ChanceError(f"too many dice or markers are given: {left} left over")


@mypyc_attr(allow_interpreted_subclasses=True)
class EnumeratingDice(Dice):
    """Dice that give every distinct answer in turn.

    Run the same rules again and again, calling :meth:`advance` between the runs until it returns
    False; the weights of all runs sum to 1.  ``answers`` names the answers of the run.
    """

    __slots__ = ("_at", "_choices", "_options", "answers", "weight")

    def __init__(self) -> None:
        super().__init__()
        self._choices: list[int] = []
        self._options: list[list[tuple[int, Fraction, str]]] = []
        self.start()

    def start(self) -> None:
        """Begin a run."""
        self._at = 0
        self.weight = Fraction(1)
        self.answers: list[str] = []
        self.used = []

    def advance(self) -> bool:
        """Turn to the next run; False when all are done."""
        while self._choices:
            if self._choices[-1] + 1 < len(self._options[-1]):
                self._choices[-1] += 1
                self.start()
                return True
            self._choices.pop()
            self._options.pop()
        return False

    def _answer(self, options: list[tuple[int, Fraction, str]]) -> int:
        if self._at == len(self._choices):
            self._choices.append(0)
            self._options.append(options)
        answer, weight, name = self._options[self._at][self._choices[self._at]]
        self._at += 1
        self.weight *= weight
        self.answers.append(name)
        return answer

    def roll(self, stream: int, number: int) -> list[int]:
        raise ChanceError("rules ask for counts, sums and parities, not for faces")

    def at_least(self, stream: int, number: int, need: int) -> int:
        if number <= 0:
            return 0
        return self._answer(_counts(number, need))

    def chained(self, stream: int, number: int, need: int, again: int) -> int:
        if number <= 0:
            return 0
        return self._answer(_chains(number, need, again))

    def within(self, stream: int, number: int, limit: int) -> bool:
        if limit >= 6 * number or limit < number:
            return limit >= number
        return bool(self._answer(_sums(number, limit)))

    def even(self, stream: int) -> bool:
        return bool(self._answer(_PARITIES))

    def evens(self, stream: int, number: int) -> int:
        # As many dice are even as would show 4 or more: half of all faces.
        answers = [(count, weight, f"{count} of {number} even") for count, weight, _ in _counts(number, 4)]
        return self._answer(answers)

    def part(self, stream: int, parts: int) -> int:
        return self._answer(_parts(parts))

    def band(self, stream: int, number: int, limits: Sequence[int]) -> int:
        certain = _certain_band(number, limits)
        return certain if certain >= 0 else self._answer(_bands(number, tuple(limits)))

    def duel(self, stream: int, least: int = -5, most: int = 5) -> int:
        if least >= 5 or most <= -5 or least >= most:
            return least if least >= 5 else most
        return self._answer(_duels(least, most))

    def draw(self, stream: int, counts: Sequence[int], names: Sequence[str]) -> int:
        total = sum(counts)
        return self._answer(
            [(kind, Fraction(count, total), names[kind]) for kind, count in enumerate(counts) if count]
        )


_Answers = list[tuple[int, Fraction, str]]
_PARITIES: _Answers = [(1, Fraction(1, 2), "even"), (0, Fraction(1, 2), "odd")]


@cache
def _counts(number: int, need: int) -> _Answers:
    """How many of ``number`` dice may show ``need`` or more."""
    good = min(6, max(0, 7 - need))
    answers: _Answers = []
    for count in range(number + 1):
        ways = comb(number, count) * good**count * (6 - good) ** (number - count)
        if ways:
            answers.append((count, Fraction(ways, 6**number), f"{count} of {number} at {need}+"))
    return answers


@cache
def _chains(number: int, need: int, again: int) -> _Answers:
    """How many of ``number`` dice may show ``need`` or more and then ``again`` or more."""
    good = min(6, max(0, 7 - need)) * min(6, max(0, 7 - again))
    answers: _Answers = []
    for count in range(number + 1):
        ways = comb(number, count) * good**count * (36 - good) ** (number - count)
        if ways:
            answers.append(
                (count, Fraction(ways, 36**number), f"{count} of {number} at {need}+ then {again}+")
            )
    return answers


def _certain_band(number: int, limits: Sequence[int]) -> int:
    """The answer to ``band`` where no dice can change it, or -1."""
    low = bisect_right(limits, number)
    return low if low == bisect_right(limits, 6 * number) else -1


@cache
def _parts(parts: int) -> _Answers:
    """The equal ranges of faces in which a die may fall."""
    wide = 6 // parts
    lowest = [part * wide + 1 for part in range(parts)]
    names = [f"{face}" if wide == 1 else f"{face}-{face + wide - 1}" for face in lowest]
    return [(part, Fraction(1, parts), name) for part, name in enumerate(names)]


@cache
def _ways(number: int) -> tuple[tuple[int, int], ...]:
    """The sums that dice may show, ascending, each with the number of ways to it."""
    ways = {0: 1}
    for _ in range(number):
        following: dict[int, int] = {}
        for total, count in ways.items():
            for face in range(1, 7):
                following[total + face] = following.get(total + face, 0) + count
        ways = following
    return tuple(sorted(ways.items()))


@cache
def _bands(number: int, limits: tuple[int, ...]) -> _Answers:
    """How many of the limits the sum of dice may reach."""
    shares: dict[int, int] = {}
    for total, count in _ways(number):
        reached = bisect_right(limits, total)
        shares[reached] = shares.get(reached, 0) + count
    names = ["sum below " + str(limits[0]), *(f"sum {limit} or more" for limit in limits)]
    return [(reached, Fraction(count, 6**number), names[reached]) for reached, count in shares.items()]


@cache
def _duels(least: int, most: int) -> _Answers:
    """What one die less another may be, cut to a range."""
    shares: dict[int, int] = {}
    for difference in range(-5, 6):
        cut = min(most, max(least, difference))
        shares[cut] = shares.get(cut, 0) + 6 - abs(difference)
    return [(cut, Fraction(count, 36), f"difference {cut:+d}") for cut, count in shares.items()]


@cache
def _sums(number: int, limit: int) -> _Answers:
    """Whether the sum of ``number`` dice may be ``limit`` or less."""
    good = Fraction(sum(count for total, count in _ways(number) if total <= limit), 6**number)
    return [(1, good, f"sum {limit} or less"), (0, 1 - good, f"sum above {limit}")]
