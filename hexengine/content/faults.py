"""Collecting the faults of a file, and of the data files beside it, until all are placed at once."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from hexengine.content.convert import Converted
from hexengine.content.words import Path, printable
from hexengine.core.errors import Problem

MOST = 200
"""Faults after which a file is no longer looked at."""

ALIKE = 3
"""Faults of one value in the same words that are listed: a letter without a terrain may stand in any hex."""

LONGEST = 400
"""Characters of what is said of one fault."""


class Enough(Exception):
    """A file has so many faults that finding more helps nobody."""


class Source(NamedTuple):
    """A file as problems name it, and its normalised text."""

    file: str
    text: str


_Alike = tuple[str | None, Path, str]


class _Fault(NamedTuple):
    path: Path
    text: str
    suggestion: str | None
    rule: str | None
    row: int | None
    column: int | None
    file: str | None
    at_key: bool
    alike: _Alike
    """What it has in common with faults at other letters of the same text."""


class Faults:
    """The faults of a scenario (file None) and of its system's data files (by name).

    ``report`` is what the converter and the rule systems are handed; it raises Enough after MOST faults.
    """

    def __init__(self, source: Source) -> None:
        self.sources: dict[str | None, Source] = {None: source}
        self.elsewhere: list[Problem] = []
        """Problems that have their place already."""
        self._faults: list[_Fault] = []
        self._alike: Counter[_Alike] = Counter()
        self._aliases: Mapping[Path, Path] = {}
        self._silenced: set[Path] = set()
        self._mended: frozenset[Path] = frozenset()
        """Where something stands in place of a faulty value."""
        self._doubtful: frozenset[Path] = frozenset()
        """These, and the tables that lack a key."""
        self._shaken: set[Path] = set()
        """All that holds something mended, or something in whose meaning a fault was found, told or not."""
        self._guessed: frozenset[Path] = frozenset()
        self._means = False

    def __bool__(self) -> bool:
        return bool(self._faults or self.elsewhere)

    def report(
        self,
        path: Sequence[str | int],
        text: str,
        suggestion: str | None = None,
        *,
        rule: str | None = None,
        row: int | None = None,
        column: int | None = None,
        file: str | None = None,
        at_key: bool = False,
        rests_on: Iterable[Sequence[str | int]] | None = None,
    ) -> None:
        """Note a fault; see hexengine.core.system.Report for the parts."""
        place = tuple(path)
        alike = (file, place, text)
        self._alike[alike] += 1
        if self._alike[alike] > ALIKE:
            return
        if file is None:
            follows = self._follows(place, rests_on)
            place = self._as_written(place)
            if self._means:
                self._shaken.update(_beginnings(place))
            if follows:
                return
        if len(self._faults) >= MOST:
            raise Enough
        # what a file holds is quoted in what is said of it
        text, advice = printable(text, LONGEST), suggestion and printable(suggestion, LONGEST)
        self._faults.append(_Fault(place, text, advice, rule, row, column, file, at_key, alike))

    def go_on_with(self, mended: Converted) -> None:
        """From here on the meaning of mended data is looked at.

        What is said about a value that was put in place of a faulty one, or rests on one, would only repeat
        the first fault, and is dropped.  Of a fault that does not tell what it rests on this is taken to be
        all of its table.
        """
        self._means = True
        self._aliases = mended.aliases
        self._guessed = mended.guessed
        self._mended = self._doubtful = mended.doubtful | mended.filled
        self._doubtful |= {path[:-1] for path in mended.filled if len(path) > 1 and isinstance(path[-1], str)}
        self._silenced = {path[:-1] for path in self._doubtful}
        self._shaken = {part for path in self._mended for part in _beginnings(path)}

    def problems(self) -> list[Problem]:
        """All problems by file and place, the scenario first."""
        if not self:
            return []
        from hexengine.content.locate import Places

        placed: dict[tuple[str, int, int, str], Problem] = {}
        for file, source in self.sources.items():
            own = [fault for fault in self._faults if fault.file == file]
            places = Places(source.text) if own else None
            for fault in own:
                assert places is not None
                line, column = places.find(fault.path, fault.row, fault.column, at_key=fault.at_key)
                advice = self._with_number(fault)
                problem = Problem(source.file, line, column, fault.text, advice, fault.rule)
                placed.setdefault((source.file, line, column, fault.text), problem)
        files = [source.file for source in self.sources.values()]
        found = sorted(placed.values(), key=lambda p: (files.index(p.file), p.line, p.column))
        if len(self._faults) >= MOST:
            text = f"more than {MOST} faults; the rest will be looked for when these are mended"
            found.append(Problem(files[0], 0, 0, text))
        return found + self.elsewhere

    def _with_number(self, fault: _Fault) -> str | None:
        """The suggestion, and how many faults like this one are not told of."""
        alike = self._alike[fault.alike]
        if alike <= ALIKE:
            return fault.suggestion
        more = f"{alike} such places, the first {ALIKE} are listed"
        return f"{fault.suggestion}; {more}" if fault.suggestion else more

    def _as_written(self, path: Path) -> Path:
        for length in range(1, len(path) + 1):
            actual = self._aliases.get(path[:length])
            if actual is not None:
                path = actual + path[length:]
        return path

    def _follows(self, path: Path, rests_on: Iterable[Sequence[str | int]] | None) -> bool:
        """Whether a fault says no more than another one that has been told."""
        written = self._as_written(path)
        if path in self._guessed or written in self._guessed:
            return True
        if rests_on is None:
            return any(
                place in self._silenced or _is_inside(place, self._doubtful) for place in (path, written)
            )
        others = [place for rest in map(tuple, rests_on) for place in (rest, self._as_written(rest))]
        if not self._shaken.isdisjoint(others):
            return True
        return any(_is_inside(place, self._mended) for place in (path, written, *others))


def _beginnings(path: Path) -> list[Path]:
    """The path and all that it leads through, the whole document aside."""
    return [path[:length] for length in range(1, len(path) + 1)]


def _is_inside(path: Path, places: frozenset[Path]) -> bool:
    return any(path[:length] in places for length in range(len(path) + 1))
