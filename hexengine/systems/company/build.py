"""From a scenario file to a board and the position at its start, with every fault reported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hexengine.core.formats import in_language
from hexengine.core.system import Report
from hexengine.hexes import Chart, Grid, HexMap, Side
from hexengine.mechanics.checking import Checker
from hexengine.mechanics.maps import MapParts, MapReader
from hexengine.mechanics.masks import mask_of
from hexengine.mechanics.terrain import changed_rows
from hexengine.mechanics.victory import Goal
from hexengine.systems.company.board import (
    VEHICLE_WEIGHT,
    Board,
    Flights,
    Numbers,
    Reaches,
    Template,
    Weapon,
)
from hexengine.systems.company.chart import compile_chart, ground_of, sides_of
from hexengine.systems.company.format import ScenarioFile
from hexengine.systems.company.ground import Ground, HexGround, Opening
from hexengine.systems.company.roster import Roster
from hexengine.systems.company.scale import Scale
from hexengine.systems.company.setup import set_up


class Builder(Checker):
    """Checks the meaning of one scenario; every method reports what it finds wrong."""

    document: ScenarioFile

    def __init__(self, document: ScenarioFile, data: Mapping[str, Any], report: Report) -> None:
        super().__init__(document, data, report)
        self.scale = Scale(document.options.hex_inches, self.report)
        self.reader = MapReader(document.map, [], self.report)

    def board(self) -> Board | None:
        """The compiled board with its starting position, or None after faults."""
        document, tables = self.document, self.data["tables"]
        self.check_sides()
        rows = changed_rows(self.data["terrain"].terrain, document.terrain, self.report)
        for number, name in enumerate(document.options.no_dig):
            self.known(("options", "no_dig", number), "terrain", name, list(rows))
        chart = compile_chart(rows, self.data["terrain"])
        self.reader = MapReader(document.map, list(rows), self.report)
        parts = self.reader.read()
        roster = Roster(self)
        counters, platoons = roster.read()
        if parts is None or self.faults:
            return None
        grounds = [ground_of(rows[name]) for name in parts.terrain]
        barred = document.options.no_dig
        if barred:
            grounds = [
                one._replace(water=one.water or name in barred)
                for one, name in zip(grounds, parts.terrain, strict=True)
            ]
        hexmap, ground = self._ground(parts, chart, grounds)
        board = Board(
            tuple(document.sides),
            self.side_names(),
            document.turns,
            in_language(document.title),
            hexmap,
            ground,
            counters,
            [one._replace(hexes=self._entry(number)) for number, one in enumerate(platoons)],
            self._goals(),
            document.options,
            parts.names,
            self.data["words"],
            self._reaches(),
            [Template(one.guns, one.radius, one.again) for one in tables.template],
            self._flights(roster.numbers),
            self._numbers(),
        )
        if not self.faults:
            set_up(board, self)
        return None if self.faults else board

    # -- names --------------------------------------------------------------------------------

    @property
    def grid(self) -> Grid:
        """The grid of the map that was read."""
        assert self.reader.grid is not None, "the map was read"
        return self.reader.grid

    def place(self, path: Sequence[str | int], label: str) -> int | None:
        """A hex by its label; a wrong one is reported."""
        return self.located(path, label, self.grid.index)

    def hexside(self, path: Sequence[str | int], text: str) -> tuple[int, int] | None:
        """A hexside in the order written; a wrong one is reported."""
        grid = self.grid
        a, b = [self.located(path, label, grid.index) for label in text.split("/")]
        if a is None or b is None:
            return None
        if b not in grid.neighbours[a]:
            self.report(path, f"{grid.labels[a]} and {grid.labels[b]} are not neighbours")
            return None
        return a, b

    # -- the ground -----------------------------------------------------------------------------

    def _sides(self, key: str, listed: Sequence[str]) -> list[Side]:
        pairs = [self.hexside((key, number), text) for number, text in enumerate(listed)]
        return [(min(pair), max(pair)) for pair in pairs if pair is not None]

    def _ground(self, parts: MapParts, chart: Chart, grounds: list[HexGround]) -> tuple[HexMap, Ground]:
        document, terrain = self.document, self.data["terrain"]
        sides = {side: set(found) for side, found in parts.sides.items()}
        for side in self._sides("hedges", document.hedges):
            sides.setdefault(side, set()).add("hedge")
        hexmap = parts._replace(sides=sides).hexmap(chart)
        roads = {line.id for line in terrain.line if line.road}
        inner = frozenset(self._sides("inner_walls", document.inner_walls))
        for number, (a, b) in enumerate(sorted(inner)):
            if not (grounds[a].building and grounds[b].building):
                self.report(("inner_walls", number), "an inner wall stands between two rooms", rule="C6.1")
        ground = Ground(
            hexmap,
            grounds,
            sides_of(sides, terrain),
            frozenset(side for side, lines in parts.lines.items() if roads.intersection(lines)),
            inner,
            self._openings(grounds),
            document.options.buildings_are_difficult,
        )
        return hexmap, ground

    def _openings(self, grounds: list[HexGround]) -> list[Opening]:
        """C6.3: openings, each in a wall between a room and a hex outside it, one on a floor of a hexside."""
        found: dict[tuple[Side, int], Opening] = {}
        for number, one in enumerate(self.document.opening):
            path = ("opening", number, "side")
            pair = self.hexside(path, one.side)
            if pair is None:
                continue
            a, b = pair
            if grounds[a].building == grounds[b].building:
                text = f"{one.side} is no outer wall: an opening lies between a room and a hex outside"
                self.report(path, text, rule="C6.3")
                continue
            side = (min(pair), max(pair)), one.floor
            if side in found:
                self.report(path, f"{one.side} has an opening on floor {one.floor} already", rule="C6.3")
                continue
            inside, outside = (a, b) if grounds[a].building else (b, a)
            found[side] = Opening(inside, outside, one.kind, one.floor, one.width)
        return list(found.values())

    # -- other parts ------------------------------------------------------------------------------

    def _reaches(self) -> Reaches:
        distances = self.data["tables"].distances
        return Reaches(
            *[
                self.scale.hexes(("distances", name), getattr(distances, name), "tables")
                for name in Reaches._fields
            ]
        )

    def _numbers(self) -> Numbers:
        tables = self.data["tables"]
        stacking, more = tables.stacking, tables.more_to_hit
        # C1.3: teams alone, vehicles alone, or teams beside one vehicle.
        alone = range(stacking.teams + 1)
        beside = [VEHICLE_WEIGHT + number for number in range(stacking.beside_vehicle + 1)]
        vehicles = [VEHICLE_WEIGHT * number for number in range(1, stacking.vehicles + 1)]
        return Numbers(
            tables.pinning_hits,
            tables.pinned_rof,
            tables.reserves,
            tables.going,
            tables.ranging_tries,
            tables.company_losses,
            more.concealed,
            more.gone_to_ground,
            more.long_range,
            more.company_observer,
            tables.double.distance,
            tables.double.dice,
            tables.assault.rounds,
            tables.assault.firepower,
            (stacking.teams, stacking.vehicles, stacking.beside_vehicle),
            frozenset({*alone, *beside, *vehicles}),
        )

    def _entry(self, platoon: int) -> int:
        """The mask of hexes in which a platoon comes onto the map."""
        if platoon >= len(self.document.platoon):
            return 0
        labels = self.document.platoon[platoon].hexes
        return mask_of(self.listed(("platoon", platoon, "hexes"), labels, self.grid.index))

    def _flights(self, numbers: Mapping[str, int]) -> tuple[Flights | None, Flights | None]:
        """C13.7: each side's air support."""
        found: list[Flights | None] = [None, None]
        for number, one in enumerate(self.document.air):
            side = self.side(("air", number, "side"), one.side)
            if side is not None:
                if found[side] is not None:
                    self.report(("air", number, "side"), f"{one.side} has its air support already")
                weapon = Weapon(len(numbers), "air", 99, one.rof, one.rof, one.at, one.firepower)
                found[side] = Flights(one.calls, one.need, one.rof, weapon)
        return found[0], found[1]

    def _goals(self) -> list[Goal]:
        """The victory conditions."""
        found = []
        for number, goal in enumerate(self.document.victory):
            path = ("victory", number)
            side = self.side((*path, "side"), goal.side)
            hexes = self.goal_hexes(path, goal, self.grid.index)
            if goal.kind == "hold" and not goal.hex and not goal.hexes:
                self.report((*path, "kind"), "hold needs a hex or hexes")
            if goal.kind == "losses" and (hexes or goal.wins):
                self.report((*path, "kind"), "losses has only side and points")
            if side is not None:
                found.append(
                    Goal(goal.kind, side, hexes, goal.points, wins=goal.wins, from_turn=goal.from_turn)
                )
        return found


def build(document: ScenarioFile, data: Mapping[str, Any], report: Report) -> Board | None:
    """Check a scenario's meaning and compile it; None if a fault was reported."""
    return Builder(document, data, report).board()
