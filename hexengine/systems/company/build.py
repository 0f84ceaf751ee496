"""From a scenario file to a board and the position at its start, with every fault reported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from hexengine.core.formats import in_language
from hexengine.core.system import Report
from hexengine.hexes import HexMap, LabelError, Side
from hexengine.mechanics.maps import MapParts, MapReader
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


class Builder:
    """Checks the meaning of one scenario; every method reports what it finds wrong."""

    def __init__(self, document: ScenarioFile, data: Mapping[str, Any], report: Report) -> None:
        self.document = document
        self.data = data
        self._report = report
        self.faults = 0
        self.scale = Scale(document.options.hex_inches, self.report)
        self.reader = MapReader(document.map, [], self.report)

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
    ) -> None:
        """Pass a fault on, and remember that there was one."""
        self.faults += 1
        self._report(path, text, suggestion, rule=rule, row=row, column=column, file=file)

    def board(self) -> Board | None:
        """The compiled board with its starting position, or None after faults."""
        document, tables = self.document, self.data["tables"]
        if len(set(document.sides)) != len(document.sides):
            self.report(("sides",), "the two sides have the same name")
        for side in document.side_names:
            self.side(("side_names", side), side)
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
        hexmap, ground = self._ground(parts, chart, list(rows), grounds)
        board = Board(
            tuple(document.sides),
            tuple(in_language(document.side_names.get(side, side)) for side in document.sides),
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

    def known(
        self, path: Sequence[str | int], what: str, name: str, names: Sequence[str], rule: str | None = None
    ) -> int | None:
        """The number of a name among those there are; an unknown one is reported."""
        if name in names:
            return list(names).index(name)
        close = get_close_matches(name, names, 1, 0.5)
        listed = ", ".join(names) if len(names) <= 12 else f"{len(names)} are known"
        advice = f"did you mean {close[0]!r}?" if close else f"{what}s: {listed}"
        self.report(path, f"there is no {what} {name!r}", advice, rule=rule)
        return None

    def side(self, path: Sequence[str | int], name: str) -> int | None:
        """The number of a side."""
        return self.known(path, "side", name, self.document.sides)

    def place(self, path: Sequence[str | int], label: str) -> int | None:
        """A hex by its label; a wrong one is reported."""
        assert self.reader.grid is not None, "the map was read"
        return self.reader.hex(self.reader.grid, path, label)

    def hexside(self, path: Sequence[str | int], text: str) -> tuple[int, int] | None:
        """A hexside in the order written; a wrong one is reported."""
        grid = self.reader.grid
        assert grid is not None, "the map was read"
        try:
            a, b = [grid.index(label) for label in text.split("/")]
        except LabelError as error:
            self.report(path, str(error))
            return None
        if b not in grid.neighbours[a]:
            self.report(path, f"{grid.labels[a]} and {grid.labels[b]} are not neighbours")
            return None
        return a, b

    # -- the ground -----------------------------------------------------------------------------

    def _sides(self, key: str, listed: Sequence[str]) -> list[Side]:
        pairs = [self.hexside((key, number), text) for number, text in enumerate(listed)]
        return [(min(pair), max(pair)) for pair in pairs if pair is not None]

    def _ground(
        self, parts: MapParts, chart: Any, names: list[str], grounds: list[HexGround]
    ) -> tuple[HexMap, Ground]:
        document, terrain = self.document, self.data["terrain"]
        sides = {side: set(found) for side, found in parts.sides.items()}
        for side in self._sides("hedges", document.hedges):
            sides.setdefault(side, set()).add("hedge")
        numbers = {name: number for number, name in enumerate(names)}
        hexmap = HexMap(
            parts.grid, chart, [numbers[name] for name in parts.terrain], parts.levels, sides, parts.lines
        )
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
        """C6.3: openings, each in a wall between a room and a hex outside it, one on a hexside."""
        found: dict[Side, Opening] = {}
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
            side = (min(pair), max(pair))
            if side in found:
                self.report(path, f"{one.side} has an opening already", rule="C6.3")
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
        mask = 0
        for number, label in enumerate(self.document.platoon[platoon].hexes):
            place = self.place(("platoon", platoon, "hexes", number), label)
            if place is not None:
                mask |= 1 << place
        return mask

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
            hexes = [self.place((*path, "hexes", n), label) for n, label in enumerate(goal.hexes)]
            if goal.hex is not None:
                hexes.append(self.place((*path, "hex"), goal.hex))
            listed = sorted({place for place in hexes if place is not None})
            if goal.kind == "hold" and not hexes:
                self.report((*path, "kind"), "hold needs a hex or hexes")
            if goal.kind == "losses" and (hexes or goal.wins):
                self.report((*path, "kind"), "losses has only side and points")
            if side is not None:
                found.append(
                    Goal(
                        goal.kind, side, tuple(listed), goal.points, wins=goal.wins, from_turn=goal.from_turn
                    )
                )
        return found


def build(document: ScenarioFile, data: Mapping[str, Any], report: Report) -> Board | None:
    """Check a scenario's meaning and compile it; None if a fault was reported."""
    return Builder(document, data, report).board()
