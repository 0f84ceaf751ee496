"""The scale (C1.1): distances printed in inches, as whole hexes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from hexengine.core.system import Report
from hexengine.mechanics.checking import Path
from hexengine.systems.company.scenario.format import MobilityRow, TablesFile, TerrainFile, UnitsFile

SIZE = ("options", "hex_inches")
WIDEST = 12
"""The most inches of a hex; see format.Options."""


class Scale:
    """Converts distances; one of the scenario's own that does not come out whole is a fault."""

    def __init__(self, hex_inches: int, report: Report) -> None:
        self.hex_inches = hex_inches
        self._report = report

    def check(self, data: Mapping[str, Any]) -> None:
        """Report a size of hexes in which the distances of the rules do not come out whole."""
        printed = dict(_printed(data["tables"], data["terrain"], data["units"]))
        broken = [name for name, inches in printed.items() if inches % self.hex_inches]
        if not broken:
            return
        fit = [size for size in range(1, WIDEST + 1) if not any(n % size for n in printed.values())]
        first = broken[0]
        text = f"distances are not whole hexes of {self.hex_inches} in: {first}, {printed[first]} in"
        more = len(broken) - 1
        text += f", and {more} more" if more else ""
        self._report(SIZE, text, f"hex_inches may be {' or '.join(map(str, fit))}", rule="C1.1", rests_on=())

    def hexes(self, printed: str) -> int:
        """A distance such as ``12 in`` in whole hexes."""
        return _inches(printed) // self.hex_inches

    def own(self, path: Path, printed: str) -> int:
        """A distance of the scenario's own, checked; 0 where it could not be read."""
        inches = _inches(printed)
        whole, rest = divmod(inches, self.hex_inches)
        if rest:
            near = sorted({whole * self.hex_inches, (whole + 1) * self.hex_inches})
            text = f"{printed} are not whole hexes of {self.hex_inches} in"
            advice = f"such as {' or '.join(f'{size} in' for size in near)}"
            self._report(path, text, advice, rule="C1.1", rests_on=[SIZE])
        return whole


def _inches(printed: str) -> int:
    """The number of a distance; of one that could not be read, which is empty, 0."""
    return int(printed.split()[0]) if printed else 0


def _printed(tables: TablesFile, terrain: TerrainFile, units: UnitsFile) -> Iterator[tuple[str, int]]:
    """All distances of the data, each with what it is."""
    distances = tables.distances
    for name in distances.__struct_fields__:
        value = getattr(distances, name)
        if isinstance(value, str):
            yield name.replace("_", " "), _inches(value)
        else:
            for skill, inches in value.items():
                yield f"{name.replace('_', ' ')} of {skill}", _inches(inches)
    for row in terrain.mobility:
        yield from _allowances(row)
    for weapon in units.weapon:
        yield f"the range of {weapon.id}", _inches(weapon.range)
    for kind in units.type:
        if kind.bombardment is not None:
            yield f"the bombardment of {kind.id}", _inches(kind.bombardment.range)


def _allowances(row: MobilityRow) -> Iterable[tuple[str, int]]:
    for name in ("road", "cross", "difficult"):
        yield f"{row.id} {name}", _inches(getattr(row, name))
