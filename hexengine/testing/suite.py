"""Perft numbers in files: read, checked, and counted anew when a rule was changed on purpose.

One word, then its values, a line; ``#`` begins a comment::

    id cup-1
    scenario cup-1
    why one formation and two End of Turn markers: f e e, e f e, e e
    perft 3 3 3 480f8f794a8804f7
    hits T1.1 7
    expect T1.1 8/3

``perft`` gives depth, leaves, ends and digest; ``hits`` and ``expect`` belong to the ``perft``
above them, and rules that are not listed are not checked.  ``why`` tells where the numbers come
from and may take several lines.  If it begins with ``regression only``, they were counted by the
engine itself; otherwise they were derived without it, and only the digest was not.  ``?`` stands
for a number still to be counted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from hexengine.core.errors import ContentError, Problem
from hexengine.core.game import Game
from hexengine.core.scenario import Scenario
from hexengine.testing.perft import Perft, perft

Load = Callable[[str], Scenario]
"""How a suite gets a scenario by its name."""

REGRESSION = "regression only"
UNKNOWN = "?"


class Line(NamedTuple):
    """A line with numbers: where it stands (from 1), its word, and the values as written."""

    number: int
    word: str
    values: tuple[str, ...]


@dataclass
class Count:
    """A ``perft`` line with the ``hits`` and ``expect`` lines below it."""

    depth: int
    line: Line
    rules: list[Line] = field(default_factory=list)

    def differences(self, got: Perft) -> list[tuple[Line, tuple[str, ...]]]:
        """The lines whose values are not those that were counted, with the right ones."""
        right: list[tuple[Line, tuple[str, ...]]] = [
            (self.line, (str(self.depth), str(got.leaves), str(got.ends), got.digest))
        ]
        for line in self.rules:
            rule = line.values[0]
            value = got.hits.get(rule, 0) if line.word == "hits" else got.expect.get(rule, Fraction(0))
            right.append((line, (rule, str(value))))
        return [(line, values) for line, values in right if line.values != values]


@dataclass
class Entry:
    """A position of a suite and what is known of it."""

    id: str
    line: int
    scenario: str = ""
    why: str = ""
    counts: list[Count] = field(default_factory=list)

    @property
    def derived(self) -> bool:
        """Whether the numbers were found without the engine."""
        return not self.why.startswith(REGRESSION)


_VALUES = {"perft": 4, "hits": 2, "expect": 2}


def _is_number(text: str) -> bool:
    return text == UNKNOWN or (text.isascii() and text.isdigit() and len(text) < 1000)


def _is_fraction(text: str) -> bool:
    above, bar, below = text.partition("/")
    return _is_number(above) and (not bar or (_is_number(below) and below.strip("0") != ""))


class _Reader:
    """Reads a suite line by line and notes every fault."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.entries: list[Entry] = []
        self.problems: list[Problem] = []
        self.counted: set[str] = set()

    def fault(self, line: int, text: str, suggestion: str | None = None) -> None:
        self.problems.append(Problem(self.file, line, 1, text, suggestion))

    def read(self, text: str) -> None:
        for number, row in enumerate(text.splitlines(), start=1):
            word, _, rest = row.partition("#")[0].strip().partition(" ")
            if word:
                self.line(number, word, rest.strip())
        for entry in self.entries:
            counted = entry.id in self.counted
            for what, there in (("scenario", entry.scenario), ("why", entry.why), ("perft", counted)):
                if not there:
                    self.fault(entry.line, f"the entry {entry.id} has no line {what!r}")

    def line(self, number: int, word: str, rest: str) -> None:
        if word == "id":
            if rest in [entry.id for entry in self.entries]:
                self.fault(number, f"there are two entries {rest!r}")
            self.entries.append(Entry(rest, number))
        elif not self.entries:
            self.fault(number, "an entry must begin with its id", "id NAME")
        elif word == "scenario":
            self.entries[-1].scenario = rest
        elif word == "why":
            self.entries[-1].why = f"{self.entries[-1].why} {rest}".strip()
        elif word in _VALUES:
            self.numbers(Line(number, word, tuple(rest.split())))
        else:
            known = ", ".join(("id", "scenario", "why", *_VALUES))
            self.fault(number, f"no line begins with {word!r}", f"there are: {known}")

    def numbers(self, line: Line) -> None:
        counts = self.entries[-1].counts
        if line.word == "perft":
            self.counted.add(self.entries[-1].id)
        values = line.values
        if len(values) != _VALUES[line.word]:
            forms = {"perft": "DEPTH LEAVES ENDS DIGEST", "hits": "RULE NUMBER", "expect": "RULE FRACTION"}
            self.fault(
                line.number, f"{line.word} has {len(values)} values", f"{line.word} {forms[line.word]}"
            )
        elif line.word == "perft":
            if not all(map(_is_number, values[:3])) or values[0] == UNKNOWN:
                self.fault(line.number, "depth, leaves and ends are whole numbers")
            else:
                counts.append(Count(int(values[0]), line))
        elif not (_is_number if line.word == "hits" else _is_fraction)(values[1]):
            self.fault(line.number, f"{values[1]!r} is no number for {line.word}")
        elif not counts:
            self.fault(line.number, f"{line.word} must stand below a line 'perft'")
        else:
            counts[-1].rules.append(line)


def read_suite(path: Path) -> list[Entry]:
    """The entries of a file; raises ContentError listing all its faults."""
    reader = _Reader(str(path))
    reader.read(path.read_text(encoding="utf-8", errors="replace"))
    if reader.problems:
        raise ContentError(reader.problems)
    return reader.entries


def check_suite(path: Path, load: Load) -> list[str]:
    """Count everything in a file again: one line of text for each number that differs."""
    found: list[str] = []
    for entry in read_suite(path):
        game = Game(load(entry.scenario))
        for count in entry.counts:
            found += [
                f"{path.name}:{line.number}: {entry.id}: {line.word} {' '.join(line.values)}"
                f" was expected, {' '.join(values)} was counted"
                for line, values in count.differences(perft(game, count.depth))
            ]
    return found


def regenerate(path: Path, load: Load) -> list[str]:
    """Write the numbers as counted now, and return the differences that were *not* taken over.

    In entries marked ``regression only`` every number is replaced, and below a ``perft`` line
    whose leaves are ``?`` all rules that occur are added.  In derived entries only digests are
    replaced: a derived number that is not met is a fault of the engine or of the derivation.
    """
    rows = path.read_text(encoding="utf-8", errors="replace").splitlines()
    more: dict[int, list[str]] = {}
    left: list[str] = []
    for entry in read_suite(path):
        game = Game(load(entry.scenario))
        for count in entry.counts:
            got = perft(game, count.depth)
            if count.line.values[1] == UNKNOWN and not entry.derived:
                last = max(line.number for line in (count.line, *count.rules))
                listed = {(line.word, line.values[0]) for line in count.rules}
                rules = [("hits", rule, str(value)) for rule, value in got.hits.items()]
                rules += [("expect", rule, str(value)) for rule, value in got.expect.items()]
                more[last] = [" ".join(new) for new in rules if new[:2] not in listed]
            for line, values in count.differences(got):
                if entry.derived and (line.word != "perft" or line.values[1:3] != values[1:3]):
                    left.append(
                        f"{path.name}:{line.number}: {entry.id}: {line.word} {' '.join(values)} was counted"
                    )
                else:
                    _, mark, comment = rows[line.number - 1].partition("#")
                    rows[line.number - 1] = f"{line.word} {' '.join(values)}" + (
                        mark and f"  {mark}{comment}"
                    )
    text = "\n".join(new for number, row in enumerate(rows, start=1) for new in (row, *more.get(number, [])))
    beside = path.with_name(path.name + ".new")
    beside.write_text(text + "\n", encoding="utf-8")
    beside.replace(path)
    return left
