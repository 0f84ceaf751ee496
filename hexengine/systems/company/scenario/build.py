"""From a scenario file to a board and the position at its start, with every fault reported.

What could not be read is left out, or something stands in for it, and the checks go on: the map is there even
if nothing is known of a hex, and every unit has its counter.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from hexengine.core.formats import in_language
from hexengine.core.system import Report
from hexengine.hexes import Chart, Grid, HexMap, LabelError, Side
from hexengine.mechanics.checking import Path
from hexengine.mechanics.maps import LAYOUT, MapParts
from hexengine.mechanics.surveying import Surveyor
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
from hexengine.systems.company.ground import IMPASSABLE, Ground, HexGround, Opening
from hexengine.systems.company.orders import VERBS
from hexengine.systems.company.scenario.chart import compile_chart, ground_of, sides_of
from hexengine.systems.company.scenario.format import ScenarioFile, Victory
from hexengine.systems.company.scenario.roster import Roster
from hexengine.systems.company.scenario.scale import Scale
from hexengine.systems.company.scenario.setup import set_up

UNUSED = {
    "positions": 'write status = ["dug-in"]',
    "wrecks": "",
    "mines": "",
    "smoke": "",
    "crests": "heights come from levels",
}
"""Keys of the map that say nothing here, and what is written instead."""
NO_LOSSES: dict[str, Any] = {"hex": None, "hexes": [], "wins": False, "from_turn": 1}
"""Keys that do not go with ``losses``, as they are where they are not given."""


class Builder(Surveyor):
    """Checks the meaning of one scenario; every method reports what it finds wrong."""

    document: ScenarioFile

    def __init__(self, document: ScenarioFile, data: Mapping[str, Any], report: Report) -> None:
        super().__init__(document, data, report)
        self.scale = Scale(document.options.hex_inches, self.report)
        self.roster = Roster(self)
        self.grid: Grid
        self.standing = [0, 0]
        """By side, the mask of hexes in which it has teams, of whatever type."""

    def board(self) -> Board | None:
        """The compiled board with its starting position, or None after faults."""
        document, tables = self.document, self.data["tables"]
        self.check_sides()
        self.scale.check(self.data)
        rows = changed_rows(self.data["terrain"].terrain, document.terrain, self.report)
        for number, name in enumerate(document.options.no_dig):
            self.known(("options", "no_dig", number), "terrain", name, list(rows))
        chart = compile_chart(rows, self.data["terrain"])
        parts = self.survey(list(rows), UNUSED)
        self.grid = parts.grid
        counters, platoons = self.roster.read()
        words = {*VERBS, "mg", "doubled", "smoke"}
        for table, entries in (("unit", document.unit), ("platoon", document.platoon)):
            self.orderable(table, [one.id for one in entries], words, set(parts.grid.labels))
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
            [one._replace(hexes=self._entry(number, grounds)) for number, one in enumerate(platoons)],
            self._goals(),
            document.options,
            parts.names,
            self.data["words"],
            self._reaches(),
            [Template(one.guns, one.radius, one.again) for one in tables.template],
            self._flights(self.roster.arsenal.numbers),
            self._numbers(),
        )
        set_up(board, self)
        return None if self.faults else board

    # -- names --------------------------------------------------------------------------------

    def place(self, path: Path, label: str) -> int | None:
        """A hex by its label; a wrong one is reported."""
        return self.located(path, label, self.grid.index)

    def hexside(self, path: Path, text: str) -> tuple[int, int] | None:
        """A hexside in the order written; a wrong one is reported."""
        labels = text.split("/")
        places = [self.located(path, label, self.grid.index) for label in labels]
        if len(places) != 2 or places[0] is None or places[1] is None:
            return None
        a, b = places[0], places[1]
        if b not in self.grid.neighbours[a]:
            first, second = labels
            self.report(path, f"{first} and {second} are not neighbours", rests_on=LAYOUT)
            return None
        return a, b

    # -- the ground -----------------------------------------------------------------------------

    def _sides(self, key: str, listed: Sequence[str]) -> dict[Side, int]:
        """The hexsides of a list, each with its number in it."""
        found: dict[Side, int] = {}
        for number, text in enumerate(listed):
            pair = self.hexside((key, number), text)
            if pair is None:
                continue
            side = min(pair), max(pair)
            if side in found:
                self.report((key, number), f"{text} is given twice", "leave one out", rests_on=())
            found.setdefault(side, number)
        return found

    def _ground(self, parts: MapParts, chart: Chart, grounds: list[HexGround]) -> tuple[HexMap, Ground]:
        document, terrain = self.document, self.data["terrain"]
        sides = {side: set(found) for side, found in parts.sides.items()}
        for side in self._sides("hedges", document.hedges):
            sides.setdefault(side, set()).add("hedge")
        hexmap = parts._replace(sides=sides).hexmap(chart)
        roads = {line.id for line in terrain.line if line.road}
        inner = self._sides("inner_walls", document.inner_walls)
        for (a, b), number in inner.items():
            if not (grounds[a].building and grounds[b].building):
                text = "an inner wall stands between two rooms"
                self.report(("inner_walls", number), text, rule="C6.1", rests_on=self.ground((a, b)))
        ground = Ground(
            hexmap,
            grounds,
            sides_of(sides, terrain),
            frozenset(side for side, lines in parts.lines.items() if roads.intersection(lines)),
            frozenset(inner),
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
                self.report(path, text, rule="C6.3", rests_on=self.ground(pair))
                continue
            side = (min(pair), max(pair)), one.floor
            if side in found:
                text = f"{one.side} has an opening on floor {one.floor} already"
                self.report(path, text, rule="C6.3", rests_on=[("opening", number, "floor")])
                continue
            inside, outside = (a, b) if grounds[a].building else (b, a)
            found[side] = Opening(inside, outside, one.kind, one.floor, one.width)
        return list(found.values())

    def openings_near(self, places: Collection[int], floors: Collection[int]) -> list[Path]:
        """What places the openings on some floors that lie, or may have been meant to, at some hexes."""
        found: list[Path] = []
        for number, one in enumerate(self.document.opening):
            path = ("opening", number)
            ends = [self.found(label) for label in one.side.split("/")]
            if None in ends or not set(places).isdisjoint(ends):
                found.append((*path, "floor"))
                if one.floor in floors:
                    found.append((*path, "side"))
        return found

    def found(self, label: str) -> int | None:
        """A hex by its label; None for a wrong one, of which nothing is said."""
        try:
            return self.grid.index(label) if self.mapped else None
        except LabelError:
            return None

    # -- other parts ------------------------------------------------------------------------------

    def _reaches(self) -> Reaches:
        distances = self.data["tables"].distances
        return Reaches(*[self.scale.hexes(getattr(distances, name)) for name in Reaches._fields])

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

    def _entry(self, platoon: int, grounds: Sequence[HexGround]) -> int:
        """The mask of hexes in which a platoon comes onto the map."""
        if platoon >= len(self.document.platoon):
            return 0
        found = 0
        for number, label in enumerate(self.document.platoon[platoon].hexes):
            path = ("platoon", platoon, "hexes", number)
            place = self.place(path, label)
            if place is None:
                continue
            if grounds[place].column == IMPASSABLE:
                text = f"nobody can come in in {label}: it is impassable"
                rests_on = [*self.ground([place]), *self.changing("going")]
                self.report(path, text, rule="C1.5", rests_on=rests_on)
            found |= 1 << place
        return found

    def _flights(self, numbers: Mapping[str, int]) -> tuple[Flights | None, Flights | None]:
        """C13.7: each side's air support."""
        found: list[Flights | None] = [None, None]
        for number, one in enumerate(self.document.air):
            side = self.side(("air", number, "side"), one.side)
            if side is not None:
                if found[side] is not None:
                    text = f"{one.side} has its air support already"
                    self.report(("air", number, "side"), text, rests_on=[("sides",)])
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
            self._check_goal(path, goal)
            if side is not None:
                found.append(
                    Goal(goal.kind, side, hexes, goal.points, wins=goal.wins, from_turn=goal.from_turn)
                )
        return found

    def _check_goal(self, path: Path, goal: Victory) -> None:
        if goal.kind == "losses":
            self.check_unused(path, goal, NO_LOSSES)
            return
        self.check_listed(path, [goal.hex, *goal.hexes])
        if goal.from_turn > 1 and not goal.wins:
            text = "from_turn says from when on holding wins: hexes score at the end alone"
            rests_on = [(*path, "wins"), (*path, "kind")]
            self.report((*path, "from_turn"), text, "add wins = true", rests_on=rests_on)
        elif goal.from_turn > self.document.turns:
            text = f"the last turn is {self.document.turns}"
            self.report((*path, "from_turn"), text, rests_on=[("turns",), (*path, "kind")])


def build(document: ScenarioFile, data: Mapping[str, Any], report: Report) -> Board | None:
    """Check a scenario's meaning and compile it; None if a fault was reported."""
    return Builder(document, data, report).board()
