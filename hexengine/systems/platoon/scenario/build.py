"""From a scenario file to a board and the position at its start, with every fault reported.

A file with faults is compiled as far as it goes, with stand-ins for what could not be read, so that all of it
is looked at in one run.  Each check says what it rests on: where that is faulty, it is not told of.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from hexengine.core.formats import in_language
from hexengine.core.system import Report
from hexengine.hexes import Chart, Grid, HexMap
from hexengine.mechanics.checking import Checker, Path
from hexengine.mechanics.maps import MapParts, MapReader
from hexengine.mechanics.masks import mask_of
from hexengine.mechanics.terrain import changed_rows
from hexengine.mechanics.victory import Goal
from hexengine.systems.platoon.board import Board, Counter, FormationData
from hexengine.systems.platoon.moving.crossing import let_swim
from hexengine.systems.platoon.orders.book import VERBS
from hexengine.systems.platoon.scenario.allotment import allotted, provide
from hexengine.systems.platoon.scenario.chart import ChartReader
from hexengine.systems.platoon.scenario.counters import read_counters
from hexengine.systems.platoon.scenario.format import ScenarioFile, TerrainRow
from hexengine.systems.platoon.scenario.formations import check_formations, read_formations
from hexengine.systems.platoon.scenario.goals import read_goals
from hexengine.systems.platoon.scenario.own_types import check_types
from hexengine.systems.platoon.scenario.pictured import check_pictured
from hexengine.systems.platoon.scenario.setup import set_up
from hexengine.systems.platoon.scenario.weapons import weapons
from hexengine.systems.platoon.sight.air import AirSight
from hexengine.systems.platoon.sight.ground import BLOCKING, OPEN, PARTIAL, Sight

LOS = {"open": OPEN, "partial": PARTIAL, "blocking": BLOCKING}


class Builder(Checker):
    """Checks the meaning of one scenario, and knows what is known of it."""

    document: ScenarioFile

    def __init__(self, document: ScenarioFile, data: Mapping[str, Any], report: Report) -> None:
        super().__init__(document, data, report)
        self.rows: dict[str, TerrainRow] = changed_rows(
            data["terrain"].terrain, document.terrain, self.report
        )
        """The rows of the terrain chart by id, as this scenario has them."""
        self.reader = MapReader(document.map, list(self.rows), self.report)
        self.own_types = {kind.id: number for number, kind in enumerate(document.type)}
        self.types = {kind.id: kind for kind in [*data["units"].type, *document.type]}
        """The counters by id: those of the data, and the scenario's own."""
        self.unit_ids = [unit.id for unit in document.unit]
        self.formation_ids = [formation.id for formation in document.formation]
        self.members = [
            [number for number, unit in enumerate(document.unit) if unit.formation == name]
            for name in self.formation_ids
        ]
        """By formation: the units that name it."""
        self.hex_of: list[int | None] = []
        """By unit: its ``hex``, where it has a right one."""
        self.unknown = 0
        """Units of which type or formation is unknown, as a mask."""

    def board(self) -> Board | None:
        """The compiled board with its starting position, or None after faults."""
        document = self.document
        self.check_sides()
        for table in ("formation", "unit", "type"):
            self.unique(table, [entry.id for entry in getattr(document, table)])
        check_types(document.type, self.report)
        chart = ChartReader(self.data["terrain"], document.terrain, self.report).read(self.rows)
        parts = self.reader.read() or self._no_map()
        self.orderable("unit", self.unit_ids, {*VERBS, "with", "lead"}, set(parts.grid.labels))
        self.hex_of = [
            None if unit.hex is None else self.place(("unit", number, "hex"), unit.hex)
            for number, unit in enumerate(document.unit)
        ]
        formations = read_formations(self)
        counters = read_counters(self, formations)
        check_formations(self)
        check_pictured(self)
        weapon_of = weapons(self, counters)
        board = self._compile(parts, chart, formations, counters, weapon_of)
        set_up(board, self, parts)
        return None if self.failed() else board

    def _compile(
        self,
        parts: MapParts,
        chart: Chart,
        formations: list[FormationData],
        counters: list[Counter],
        weapon_of: list[int],
    ) -> Board:
        document = self.document
        hexmap, chosen = self._hexmap(parts, chart)
        # A bare hill is no obstacle in itself: its level and its crests are (P10.3, P10.4).
        weights = [
            OPEN if self.rows[name].los == "open" else LOS[row.los]
            for name, row in zip(parts.terrain, chosen, strict=True)
        ]
        goals = read_goals(self, formations)
        board = Board(
            tuple(document.sides),
            self.side_names(),
            document.turns,
            in_language(document.title),
            hexmap,
            counters,
            weapon_of,
            formations,
            [(row.hard, row.soft) for row in chosen],
            Sight(hexmap, weights, parts.crests),
            mask_of(self.places(("map", "positions"), document.map.positions)),
            (_exits(goals, 0), _exits(goals, 1)),
            goals,
            self.levels(),
            document.options,
            self._first_draw(),
            parts.names,
            self.data["words"],
        )
        board.air_sight = AirSight(hexmap, weights, [row.built for row in chosen])
        board.crests = parts.crests
        if document.options.wall_cover:
            cover = {row.id: row.cover for row in self.data["terrain"].side}
            best = {side: max([cover[name] for name in names]) for side, names in parts.sides.items()}
            board.side_cover = {side: dice for side, dice in best.items() if dice}
        board.blown = parts.blown
        provide(board, allotted(self, formations, counters), bool(document.map.smoke))
        board.open_ground = mask_of(place for place, row in enumerate(chosen) if row.overrun)
        board.streets = mask_of(place for place, row in enumerate(chosen) if row.streets)
        side_water = frozenset([row.id for row in self.data["terrain"].side if row.water])
        let_swim(board, [row.water for row in chosen], side_water)
        return board

    # -- what is known ----------------------------------------------------------------------------

    def kind(self, unit: int) -> str:
        """Of which kind a unit is, or "" where its type is not known."""
        found = self.types.get(self.document.unit[unit].type)
        return found.kind if found else ""

    def locate(self, label: str) -> int:
        """The hex of a label; raises LabelError. Only where there is a map."""
        assert self.reader.grid is not None, "there is a map"
        return self.reader.grid.index(label)

    def place(self, path: Path, label: str) -> int | None:
        """A hex by its label; a wrong one is reported. Without a map no hex is known, and none is wrong."""
        return None if self.reader.grid is None else self.located(path, label, self.locate)

    def places(self, path: Path, labels: Iterable[str]) -> list[int]:
        """The hexes of a list of labels, as far as they are right."""
        return [] if self.reader.grid is None else self.listed(path, labels, self.locate)

    def formation_named(self, path: Path, name: str) -> int | None:
        """The number of a formation; an unknown one is reported."""
        ids = self.formation_ids
        return (
            ids.index(name)
            if name in ids
            else self.known(path, "formation", name, ids, rests_on=self.formation_paths(name))
        )

    def unit_named(self, path: Path, name: str) -> int | None:
        """The number of a unit; an unknown one is reported."""
        ids = self.unit_ids
        return (
            ids.index(name)
            if name in ids
            else self.known(path, "unit", name, ids, rests_on=self.unit_paths(name))
        )

    def kind_paths(self, units: Iterable[int], *keys: str) -> list[Path]:
        """Where it stands of which kind some units are, and what else of their types is asked for."""
        found: list[Path] = []
        for unit in units:
            found.append(("unit", unit, "type"))
            own = self.own_types.get(self.document.unit[unit].type)
            if own is not None:
                found += [("type", own, key) for key in ("kind", *keys)]
        return found

    def terrain_paths(self, board: Board, place: int) -> list[Path]:
        """Where the scenario changes the chart's row of a hex."""
        row = board.map.chart.terrains[board.map.terrain[place]].id
        return [("terrain", number) for number, one in enumerate(self.document.terrain) if one.id == row]

    def formation_paths(self, name: str) -> list[Path]:
        """Where it is given which formation has a name; for one that there is not, where all are named."""
        return _id_paths("formation", self.formation_ids, name)

    def unit_paths(self, name: str) -> list[Path]:
        """The same for a unit."""
        return _id_paths("unit", self.unit_ids, name)

    @cached_property
    def membership_paths(self) -> list[Path]:
        """Where it stands of which formation each unit is."""
        return [("unit", number, "formation") for number in range(len(self.document.unit))]

    # -- parts ----------------------------------------------------------------------------------

    def _no_map(self) -> MapParts:
        """In place of a map that cannot be read: one hex, in which nothing is placed."""
        nothing: frozenset[tuple[int, int]] = frozenset()
        grid = Grid(1, 1)
        return MapParts(grid, [next(iter(self.rows))], [0], {}, {}, nothing, nothing, {}, frozenset([0]))

    def _hexmap(self, parts: MapParts, chart: Chart) -> tuple[HexMap, list[TerrainRow]]:
        """The map, and the chart's row of each hex: level 1 and above raises a terrain (P10.2)."""
        rows = self.rows
        raised = {row.raised: name for name, row in rows.items() if row.raised is not None}
        for letter, name in self.document.map.legend.items():
            if name in raised:
                advice = f"write {raised[name]!r} here, and the height in levels"
                text = f"{name} is what {raised[name]} is at level 1 and above"
                self.report(("map", "legend", letter), text, advice, rule="P10.2", rests_on=())
        chosen = []
        for place, name in enumerate(parts.terrain):
            row = rows[name]
            if parts.levels[place] and row.raised is not None and row.raised in rows:
                row = rows[row.raised]
            chosen.append(row)
        return parts._replace(terrain=[row.id for row in chosen]).hexmap(chart), chosen

    def _first_draw(self) -> int:
        """The marker drawn first in the game, or -1 (P1.8)."""
        name = self.document.first_draw
        if name is None:
            return -1
        number = self.formation_named(("first_draw",), name)
        return -1 if number is None else number


def _id_paths(table: str, ids: Sequence[str], name: str) -> list[Path]:
    found = [number for number, one in enumerate(ids) if one == name] or range(len(ids))
    return [(table, number, "id") for number in found]


def _exits(goals: Iterable[Goal], side: int) -> frozenset[int]:
    """The hexes by which a side may leave the map."""
    return frozenset(
        place for goal in goals if goal.kind == "exit" and goal.side == side for place in goal.hexes
    )


def build(document: ScenarioFile, data: Mapping[str, Any], report: Report) -> Board | None:
    """Check a scenario's meaning and compile it; None if a fault was reported."""
    return Builder(document, data, report).board()
