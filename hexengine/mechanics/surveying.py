"""Checks of scenarios that go on where a map is not wholly known, or not there at all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from hexengine.core.system import Report
from hexengine.hexes import Grid
from hexengine.mechanics.checking import Checker, Path
from hexengine.mechanics.maps import LINES, SIDES, MapParts, MapReader


class Surveyor(Checker):
    """A checker that reads the map.

    ``mapped``: there is a map on which hexes can be found; ``unknown``: the hexes whose terrain is not known;
    ``unsure``: these, and those around faults in lines and hexsides.  Nothing may be concluded from what
    stands in for it.
    """

    def __init__(self, document: Any, data: Mapping[str, Any], report: Report) -> None:
        super().__init__(document, data, report)
        self.mapped = True
        self.unknown: frozenset[int] = frozenset()
        self.unsure: frozenset[int] = frozenset()

    def survey(self, terrains: Sequence[str], unused: Mapping[str, str]) -> MapParts:
        """The map; where there is none, a single hex that no label names.

        ``unused`` are keys of ``[map]`` that mean nothing in this system, each with what is written instead.
        """
        section = self.document.map
        for key, advice in unused.items():
            if getattr(section, key):
                text = f"[map] has no {key} in the {self.document.system} system"
                self.report(("map", key), text, advice or None, rests_on=())
        parts = MapReader(section, terrains, self.report).read()
        if parts is None:
            self.mapped = False
            parts = MapParts(Grid(1, 1), [terrains[0]], [0], {}, {}, frozenset(), frozenset(), {})
        self.unsure = self.unknown = parts.unsure
        if parts.unsure:
            drawn = [*LINES, *SIDES, "bridges", "blown", "crests"]
            bare = msgspec.structs.replace(section, levels="", names={}, **{key: [] for key in drawn})
            read = MapReader(bare, terrains, _in_silence).read()
            self.unknown = read.unsure if read is not None else parts.unsure
        return parts

    def located(self, path: Path, label: str, locate: Callable[[str], int]) -> int | None:
        """A place by its label, where there is a map to find it on."""
        return super().located(path, label, locate) if self.mapped else None

    def ground(self, places: Collection[int], *keys: str) -> list[Path]:
        """What says which terrain some hexes have, and more keys of the map, as far as that is not known."""
        lines = [("map", key) for key in keys if not self.unsure.isdisjoint(places)]
        if self.unknown.isdisjoint(places):
            return [*lines]
        return [("map", "terrain"), ("map", "legend"), *lines]

    def changing(self, *keys: str) -> list[Path]:
        """What the scenario's ``[[terrain]]`` say, or might say, of some columns of the chart."""
        found: list[Path] = []
        for number, change in enumerate(self.document.terrain):
            path = ("terrain", number)
            found += [(*path, key) for key in keys]
            if any(getattr(change, key) is not None for key in keys):
                found.append((*path, "id"))
        return found

    def check_listed(self, path: Path, labels: Iterable[str | None]) -> None:
        """A way to score by holding hexes needs one at least."""
        if all(label is None for label in labels):
            rests_on = [(*path, "hex"), (*path, "hexes")]
            self.report((*path, "kind"), "hold needs a hex or hexes", 'hex = "0101"', rests_on=rests_on)

    def check_unused(self, path: Path, goal: Any, keys: Mapping[str, Any]) -> None:
        """A way to score by losses has nothing else; ``keys`` have what they are where they are not given."""
        for key, absent in keys.items():
            if getattr(goal, key) != absent:
                text = f"{goal.kind} has only side and points"
                self.report((*path, key), text, f"leave {key} out", rests_on=[(*path, "kind")])


def _in_silence(*_fault: Any, **_where: Any) -> None:
    """Takes a fault that has been told."""
