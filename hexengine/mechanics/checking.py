"""What a scenario file says, checked: the names, sides and places that it speaks of; every fault is told."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Protocol

from hexengine.core.formats import in_language
from hexengine.core.system import Report

Path = Sequence[str | int]
MOST_LISTED = 12
"""So many names are listed where one of them is meant; of more only their number is said."""


class HeldGoal(Protocol):
    """A ``[[victory]]`` entry, as far as all are alike."""

    @property
    def side(self) -> str:
        """Whose it is."""
        ...

    @property
    def hex(self) -> str | None:
        """The one hex that it is about."""
        ...

    @property
    def hexes(self) -> list[str]:
        """The hexes that it is about."""
        ...


class Checker:
    """Base of what builds a board: every method reports what it finds wrong, and ``faults`` counts it.

    ``document`` is a scenario file with ``sides`` (their ids), ``side_names`` and, where margins have names,
    ``level``; ``data`` are the files of the system.
    """

    def __init__(self, document: Any, data: Mapping[str, Any], report: Report) -> None:
        self.document = document
        self.data = data
        self._report = report
        self.faults = 0

    def report(self, path: Path, text: str, suggestion: str | None = None, **where: Any) -> None:
        """Pass a fault on, and remember that there was one; ``where`` as core.system.Report has it."""
        self.faults += 1
        self._report(path, text, suggestion, **where)

    def failed(self) -> bool:
        """Whether any fault was reported."""
        return self.faults > 0

    def known(
        self,
        path: Path,
        what: str,
        name: str,
        names: Sequence[str],
        rule: str | None = None,
        rests_on: Collection[Path] = (),
    ) -> int | None:
        """The number of a name among those there are; an unknown one is reported.

        ``rests_on`` are the places where these names are given.
        """
        if name in names:
            return list(names).index(name)
        if "" in names and not rests_on:
            # One of them could not be read, which has been reported: this may be it.
            self.faults += 1
            return None
        close = get_close_matches(name, names, 1, 0.5)
        listed = ", ".join(names) if len(names) <= MOST_LISTED else f"{len(names)} are known"
        advice = f"did you mean {close[0]!r}?" if close else f"{what}s: {listed}"
        self.report(path, f"there is no {what} {name!r}", advice, rule=rule, rests_on=rests_on)
        return None

    def side(self, path: Path, name: str) -> int | None:
        """The number of a side; an unknown one is reported."""
        return self.known(path, "side", name, self.document.sides, rests_on=[("sides",)])

    def check_sides(self) -> None:
        """Report sides with the same name, and names of sides that there are not."""
        if len(set(self.document.sides)) != len(self.document.sides):
            self.report(("sides",), "the two sides have the same name")
        for side in self.document.side_names:
            self.side(("side_names", side), side)

    def side_names(self) -> tuple[str, ...]:
        """What people call the sides, in their order."""
        names = self.document.side_names
        return tuple([in_language(names.get(side, side)) for side in self.document.sides])

    def unique(self, kind: str, ids: Iterable[str]) -> None:
        """Report ids of a table's entries that are used twice."""
        seen: set[str] = set()
        for number, name in enumerate(ids):
            if name in seen:
                self.report((kind, number, "id"), f"the id {name!r} is used twice", rests_on=())
            seen.add(name)

    def orderable(self, kind: str, ids: Sequence[str], words: Container[str], labels: Container[str]) -> None:
        """Report ids of a table's entries that could not be told from something else in an order.

        ``words`` are those of orders, in small letters, ``labels`` those of places.
        """
        capitals: dict[str, str] = {}
        for number, name in enumerate(ids):
            path, advice = (kind, number, "id"), "give it another name"
            other = capitals.setdefault(name.lower(), name)
            if name.startswith("-"):
                self.report(path, f"the id {name!r} looks like an option", advice, rests_on=())
            elif name.lower() in words:
                self.report(path, f"the id {name!r} is a word of orders", advice, rests_on=())
            elif name in labels:
                self.report(path, f"the id {name!r} is the name of a hex", advice, rests_on=())
            elif other != name:
                text = f"the ids {other!r} and {name!r} differ in nothing but capitals"
                self.report(path, text, advice, rests_on=())

    def located(self, path: Path, label: str, locate: Callable[[str], int]) -> int | None:
        """A place by its label; what ``locate`` says of a wrong one is reported."""
        try:
            return locate(label)
        except ValueError as error:
            self.report(path, str(error), rests_on=())
            return None

    def listed(self, path: Path, labels: Iterable[str], locate: Callable[[str], int]) -> list[int]:
        """The places of a list of labels, as far as they are right."""
        found = [self.located((*path, number), label, locate) for number, label in enumerate(labels)]
        return [place for place in found if place is not None]

    def levels(self) -> list[tuple[int, str]]:
        """What margins of victory are called, ascending."""
        found: dict[int, str] = {}
        for number, level in enumerate(self.document.level):
            if level.margin in found:
                text = f"a margin of {level.margin} has its name already"
                self.report(("level", number, "margin"), text, rests_on=())
            found[level.margin] = in_language(level.name)
        return sorted(found.items())

    def goal_hexes(self, path: Path, goal: HeldGoal, locate: Callable[[str], int]) -> tuple[int, ...]:
        """The hexes of a victory condition, ascending."""
        hexes = {*self.listed((*path, "hexes"), goal.hexes, locate)}
        single = self.located((*path, "hex"), goal.hex, locate) if goal.hex is not None else None
        return tuple(sorted(hexes if single is None else hexes | {single}))
