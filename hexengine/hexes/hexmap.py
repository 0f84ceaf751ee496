"""Terrain on a grid, and what it costs to step from one hex to the next.

Costs are whole numbers of half movement points (MP), so that a road at half a point is exact. What costs
what is a table handed in (``Chart``, the terrain effects chart); this module knows how its rows combine:

* a step costs the terrain of the hex entered plus every feature of the side crossed;
* a feature may replace others on the same side (a ridge replaces the slope, a bridge the river);
* the slope is never drawn: every side between a lower and a higher level has it, and only going up costs;
* a road, trail or railway that is followed across the side replaces the terrain of the hex entered and
  those features of the side that it crosses;
* among the ways there are, the cheapest is taken; what prohibits a way prohibits all of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from hexengine.hexes.grid import Grid

if TYPE_CHECKING:
    import networkx

# The most half MP that one row may ask: searches count cost by cost, so an absurd figure would cost time.
MOST = 1000

Side = tuple[int, int]
"""The side between two adjacent hexes, the lower number first."""

Steps = list[tuple[tuple[int, int], ...]]
"""For each hex, the neighbours that may be entered from it, each with its cost in half MP."""

Parts = tuple[tuple[str, int | None], ...]
"""What a step pays, row by row of the chart: ids and half MP, None where the row prohibits the step."""


class TerrainRow(NamedTuple):
    """Terrain of a hex: for each movement class the half MP to enter it, or None where that is prohibited."""

    id: str
    costs: Mapping[str, int | None]


class SideRow(NamedTuple):
    """A feature of a hex side: for each movement class the half MP it adds, or None where it prohibits.

    ``uphill``: it counts only from a lower to a higher level. ``overrides``: the ids of the features that it
    replaces where both are present.
    """

    id: str
    costs: Mapping[str, int | None]
    uphill: bool = False
    overrides: tuple[str, ...] = ()


class LineRow(NamedTuple):
    """A road, trail or railway: for each movement class the half MP of a step along it.

    A movement class that is left out has no use of it. ``crosses``: the ids of the side features that do not
    count for a step along it, ``("*",)`` for all of them.
    """

    id: str
    costs: Mapping[str, int]
    crosses: tuple[str, ...] = ()


class Chart:
    """A terrain effects chart: the rows, and the movement classes they have figures for.

    ``slope`` is the id of the side row that every side between a lower and a higher level has, or None.

    Raises ValueError for an id that is used twice or not known, for rows that replace each other, for a
    terrain or side row without a figure for one of the classes, and for figures out of range: a step must
    cost at least one half MP, and no row may ask more than ``MOST``.
    """

    __slots__ = (
        "classes",
        "line_rows",
        "lines",
        "side_rows",
        "sides",
        "slope",
        "terrain_numbers",
        "terrains",
    )

    def __init__(
        self,
        terrains: Sequence[TerrainRow],
        sides: Sequence[SideRow],
        lines: Sequence[LineRow],
        classes: Sequence[str],
        slope: str | None = None,
    ) -> None:
        self.terrains = tuple(terrains)
        self.sides = tuple(sides)
        self.lines = tuple(lines)
        self.classes = tuple(classes)
        self.slope = slope
        self.terrain_numbers = {row.id: number for number, row in enumerate(self.terrains)}
        self.side_rows = {row.id: row for row in self.sides}
        self.line_rows = {row.id: row for row in self.lines}
        self._check()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Chart):
            return NotImplemented
        return self._content() == other._content()

    def __hash__(self) -> int:
        return hash((tuple(self.terrain_numbers), tuple(self.side_rows), tuple(self.line_rows), self.classes))

    def _content(self) -> tuple[Any, ...]:
        return self.terrains, self.sides, self.lines, self.classes, self.slope

    def _check(self) -> None:
        for what, rows, known in (
            ("terrain", self.terrains, self.terrain_numbers),
            ("side", self.sides, self.side_rows),
            ("line", self.lines, self.line_rows),
        ):
            if len(rows) != len(known):
                raise ValueError(f"two {what} rows have the same id")
        for row in self.terrains:
            self._check_costs(row.id, row.costs, 1)
        for side in self.sides:
            self._check_costs(side.id, side.costs, 0)
            self._check_known(side.id, side.overrides)
            for name in side.overrides:
                if side.id in self.side_rows[name].overrides:
                    raise ValueError(f"{side.id} and {name} replace each other")
        for line in self.lines:
            self._check_known(line.id, [name for name in line.crosses if name != "*"])
            for name, cost in line.costs.items():
                if name not in self.classes or not 1 <= cost <= MOST:
                    raise ValueError(f"{line.id}: {name} = {cost} half MP is no figure for a line")
        if self.slope is not None:
            self._check_known("slope", [self.slope])

    def _check_costs(self, row: str, costs: Mapping[str, int | None], least: int) -> None:
        for name in self.classes:
            if name not in costs:
                raise ValueError(f"{row}: no figure for {name}")
            cost = costs[name]
            if cost is not None and not least <= cost <= MOST:
                raise ValueError(f"{row}: {name} = {cost} half MP is not within {least} to {MOST}")

    def _check_known(self, row: str, names: Iterable[str]) -> None:
        for name in names:
            if name not in self.side_rows:
                raise ValueError(f"{row}: there is no side row {name}")


class HexMap:
    """A grid with terrain, levels, side features and lines, under one terrain effects chart.

    ``terrain`` and ``levels`` have one entry a hex: a row number of ``chart.terrains`` and a height.
    ``sides`` and ``lines`` give, for the side between two adjacent hexes (lower number first), the ids of the
    features drawn on it and of the lines that run across it. Treat all of it as fixed: what is worked out
    from it is kept.

    Raises ValueError where an entry does not fit the grid or the chart.
    """

    __slots__ = ("__weakref__", "_graphs", "_steps", "chart", "grid", "levels", "lines", "sides", "terrain")

    def __init__(
        self,
        grid: Grid,
        chart: Chart,
        terrain: Sequence[int],
        levels: Sequence[int] | None = None,
        sides: Mapping[Side, Collection[str]] | None = None,
        lines: Mapping[Side, Sequence[str]] | None = None,
    ) -> None:
        self.grid = grid
        self.chart = chart
        self.terrain = tuple(terrain)
        self.levels = tuple(levels) if levels is not None else (0,) * grid.size
        self.sides = {side: tuple(sorted(names)) for side, names in sorted((sides or {}).items())}
        self.lines = {side: tuple(names) for side, names in sorted((lines or {}).items())}
        self._steps: dict[str, Steps] = {}
        self._graphs: dict[str, networkx.DiGraph[int]] = {}
        self._check()

    def _check(self) -> None:
        size = self.grid.size
        if len(self.terrain) != size or len(self.levels) != size:
            given = f"{len(self.terrain)} and {len(self.levels)}"
            raise ValueError(f"{size} hexes need as many terrains and levels, not {given}")
        for h, row in enumerate(self.terrain):
            if not 0 <= row < len(self.chart.terrains):
                raise ValueError(f"{self.grid.label(h)}: there is no terrain row {row}")
        for drawn, known in ((self.sides, self.chart.side_rows), (self.lines, self.chart.line_rows)):
            for (a, b), names in drawn.items():
                if not (0 <= a < b < size and b in self.grid.neighbours[a]):
                    raise ValueError(f"({a}, {b}) is no side between two hexes, the lower number first")
                for name in names:
                    if name not in known:
                        raise ValueError(f"({a}, {b}): there is no row {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        return HexMap, self._content()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HexMap):
            return NotImplemented
        return self._content() == other._content()

    def __hash__(self) -> int:
        return hash((self.grid, self.terrain, self.levels))

    def _content(self) -> tuple[Any, ...]:
        return self.grid, self.chart, self.terrain, self.levels, self.sides, self.lines

    def features(self, a: int, b: int) -> tuple[str, ...]:
        """The side features that hold between two adjacent hexes: with the slope, less what is replaced."""
        names = self.sides.get((a, b) if a < b else (b, a), ())
        slope = self.chart.slope
        if slope is not None and self.levels[a] != self.levels[b] and slope not in names:
            names = (*names, slope)
        if len(names) < 2:
            return names
        rows = self.chart.side_rows
        replaced = {name for present in names for name in rows[present].overrides}
        return tuple([name for name in names if name not in replaced])

    def lines_across(self, a: int, b: int) -> tuple[str, ...]:
        """The ids of the lines that run across the side between two hexes."""
        return self.lines.get((a, b) if a < b else (b, a), ())

    def entry_cost(self, h: int, movement_class: str) -> int | None:
        """Half MP for the terrain of a hex alone, as for entering from off the map; None where prohibited."""
        return self.chart.terrains[self.terrain[h]].costs[movement_class]

    def step_parts(self, a: int, b: int, movement_class: str) -> Parts:
        """What the cheapest way from ``a`` into the adjacent ``b`` pays, row by row.

        A way along a line begins with the line's row, the plain way with the terrain's. Of equally cheap ways
        the first counts, lines in their order before the plain way. Where every way is prohibited the parts
        are those of the plain way, with None for each row that prohibits it.

        Raises ValueError for hexes that are not adjacent and for an unknown movement class.
        """
        if movement_class not in self.chart.classes:
            raise ValueError(f"there is no movement class {movement_class!r}")
        self.grid.direction(a, b)
        rows = self.chart.side_rows
        up = self.levels[a] < self.levels[b]
        sides = [
            (name, rows[name].costs[movement_class])
            for name in self.features(a, b)
            if up or not rows[name].uphill
        ]
        ways: list[Parts] = []
        for name in self.lines_across(a, b):
            line = self.chart.line_rows[name]
            if movement_class in line.costs:
                kept = () if "*" in line.crosses else [side for side in sides if side[0] not in line.crosses]
                ways.append(((name, line.costs[movement_class]), *kept))
        terrain = self.chart.terrains[self.terrain[b]]
        plain: Parts = ((terrain.id, terrain.costs[movement_class]), *sides)
        best, least = plain, None
        for way in (*ways, plain):
            cost = total(way)
            if cost is not None and (least is None or cost < least):
                best, least = way, cost
        return best

    def step_cost(self, a: int, b: int, movement_class: str) -> int | None:
        """Half MP for the step from ``a`` into the adjacent ``b``, None where it is prohibited.

        Raises ValueError as ``step_parts`` does.
        """
        return total(self.step_parts(a, b, movement_class))

    def steps(self, movement_class: str) -> Steps:
        """For each hex the (neighbour, half MP) pairs in direction order, without the prohibited ones.

        Worked out once for each movement class. Raises ValueError for an unknown one.
        """
        found = self._steps.get(movement_class)
        if found is None:
            if movement_class not in self.chart.classes:
                raise ValueError(f"there is no movement class {movement_class!r}")
            found = []
            # Equal pairs are stored once: kinder to the cache.
            shared: dict[tuple[int, int], tuple[int, int]] = {}
            bare = [row.costs[movement_class] for row in self.chart.terrains]
            levels = self.levels if self.chart.slope is not None else (0,) * self.grid.size
            for h, around in enumerate(self.grid.neighbours):
                pairs = []
                for there in around:
                    if there < 0:
                        continue
                    side = (h, there) if h < there else (there, h)
                    if side in self.sides or side in self.lines or levels[h] != levels[there]:
                        cost = self.step_cost(h, there, movement_class)
                    else:  # with nothing on the side the terrain is all that a step pays
                        cost = bare[self.terrain[there]]
                    if cost is not None:
                        pairs.append(shared.setdefault((there, cost), (there, cost)))
                found.append(tuple(pairs))
            self._steps[movement_class] = found
        return found

    def graph(self, movement_class: str) -> networkx.DiGraph[int]:
        """The map as a networkx graph for one movement class; worked out once, directed because of slopes.

        Nodes are hexes with ``label``, ``terrain`` (an id) and ``level``; edges are the steps that are not
        prohibited, with ``weight`` (half MP), ``sides`` and ``lines`` (ids of the features of the side).
        Raises ValueError for an unknown movement class.
        """
        found = self._graphs.get(movement_class)
        if found is None:
            steps = self.steps(movement_class)
            import networkx

            found = networkx.DiGraph()
            for h, row in enumerate(self.terrain):
                found.add_node(
                    h, label=self.grid.labels[h], terrain=self.chart.terrains[row].id, level=self.levels[h]
                )
            for h, pairs in enumerate(steps):
                for there, cost in pairs:
                    found.add_edge(
                        h,
                        there,
                        weight=cost,
                        sides=self.features(h, there),
                        lines=self.lines_across(h, there),
                    )
            self._graphs[movement_class] = found
        return found


def total(parts: Parts) -> int | None:
    """The sum of a step's parts in half MP, None when one of them prohibits it."""
    cost = 0
    for _, part in parts:
        if part is None:
            return None
        cost += part
    return cost
