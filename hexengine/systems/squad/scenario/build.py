"""From a scenario file to a board and the position at its start, with every fault reported.

What could not be read is left out, or something stands in for it, and the checks go on: the map is there even
if nothing is known of a hex, and every unit has its counter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hexengine.core.formats import in_language
from hexengine.core.system import Report
from hexengine.hexes import HexMap
from hexengine.mechanics.checking import Path
from hexengine.mechanics.masks import mask_of
from hexengine.mechanics.surveying import Surveyor
from hexengine.mechanics.terrain import changed_rows
from hexengine.mechanics.victory import Goal
from hexengine.systems.squad.board import DRIVING, MOBILITY, SQUAD, VEHICLE, Board, EventData
from hexengine.systems.squad.orders import MODE_WORDS, VERBS
from hexengine.systems.squad.places import PlaceError, Places
from hexengine.systems.squad.scenario.chart import check_changes, compile_chart, ground_of
from hexengine.systems.squad.scenario.format import ScenarioFile, Victory
from hexengine.systems.squad.scenario.roster import Roster
from hexengine.systems.squad.scenario.setup import set_up

UNUSED = {
    "positions": "list foxholes at the top of the file",
    "wrecks": "",
    "mines": "write [[mines]]",
    "smoke": "",
    "crests": "heights come from levels",
}
"""Keys of the map that say nothing here, and what is written instead."""
NO_LOSSES: dict[str, Any] = {"hex": None, "hexes": [], "at_least": None, "when": "end", "wins": False}
"""Keys that do not go with ``losses``, as they are where they are not given."""


class Builder(Surveyor):
    """Checks the meaning of one scenario; every method reports what it finds wrong."""

    document: ScenarioFile

    def __init__(self, document: ScenarioFile, data: Mapping[str, Any], report: Report) -> None:
        super().__init__(document, data, report)
        self.roster = Roster(self)
        self.places: Places
        self.brought: dict[str, list[tuple[int, int]]] = {}
        """By event, the units that it brings, each with its place."""

    def board(self) -> Board | None:
        """The compiled board with its starting position, or None after faults."""
        document = self.document
        self.check_sides()
        changes = check_changes(document.terrain, self.report)
        rows = changed_rows(self.data["terrain"].terrain, changes, self.report)
        parts = self.survey(list(rows), UNUSED)
        counters = self.roster.read()
        hexmap = parts.hexmap(compile_chart(rows, self.data["terrain"]))
        driving = DRIVING if any(counter.kind == VEHICLE for counter in counters) else None
        self.places = Places(hexmap, [ground_of(rows[name]) for name in parts.terrain], MOBILITY, driving)
        words = {*VERBS, *MODE_WORDS, "with", "at"}
        self.orderable("unit", [unit.id for unit in document.unit], words, set(self.places.labels))
        board = Board(
            tuple(document.sides),
            self.side_names(),
            document.turns,
            in_language(document.title),
            hexmap,
            self.places,
            counters,
            self._goals(),
            self.levels(),
            document.options,
            parts.names,
            self.data["words"],
            self._walls(hexmap),
            mask_of(self._hexes("foxholes", document.foxholes)),
            self._missions(),
        )
        self._twins(board)
        board.lit = mask_of(self._hexes("lit", document.lit))
        set_up(board, self)
        board.events = self._events()
        return None if self.faults else board

    # -- the map ------------------------------------------------------------------------------

    def place(self, path: Path, label: str) -> int | None:
        """A place by its label; a wrong one is reported, unless nothing is known of the hex."""
        head, floor, _ = label.partition("/")
        where = self.located(path, head, self.places.grid.index)
        if where is None or not floor:
            return where
        try:
            return self.places.index(label)
        except PlaceError as error:
            rests_on = [*self.ground([where]), *self.changing("floors", "below")]
            self.report(path, str(error), rests_on=rests_on)
            return None

    def found(self, label: str) -> int | None:
        """A place by its label; None for a wrong one, of which nothing is said."""
        try:
            return self.places.index(label) if self.mapped else None
        except ValueError:
            return None

    def _hexes(self, key: str, labels: Sequence[str]) -> list[int]:
        """The hexes of a list at the top of the file, as far as they are right."""
        found = [self.place((key, number), label) for number, label in enumerate(labels)]
        return [place for place in found if place is not None]

    def _walls(self, hexmap: HexMap) -> dict[tuple[int, int], int]:
        """TM of hexsides, by the hex fired from and the hex fired into (S4.10)."""
        tm = {row.id: row.tm for row in self.data["terrain"].side if row.tm}
        found: dict[tuple[int, int], int] = {}
        for a, b in hexmap.sides:
            most = max((tm.get(name, 0) for name in hexmap.features(a, b)), default=0)
            if most:
                found[a, b] = found[b, a] = most
        return found

    # -- parts --------------------------------------------------------------------------------

    @staticmethod
    def _twins(board: Board) -> None:
        """Which spare counter is a squad's other half."""
        squads = [u for u, c in enumerate(board.counters) if c.kind == SQUAD and not c.spare]
        spares = [u for u, c in enumerate(board.counters) if c.kind == SQUAD and c.spare]
        for squad, spare in zip(squads, spares, strict=True):
            board.twin[squad] = spare

    def _missions(self) -> tuple[int, int]:
        fp = [0, 0]
        for number, mission in enumerate(self.document.mission):
            side = self.side(("mission", number, "side"), mission.side)
            if side is not None:
                if fp[side]:
                    text = f"{mission.side} has its fire missions already"
                    self.report(("mission", number, "side"), text, rests_on=[("sides",)])
                fp[side] = mission.fp
        return fp[0], fp[1]

    def _goals(self) -> list[Goal]:
        """The victory conditions (S1.6)."""
        found = []
        for number, goal in enumerate(self.document.victory):
            path = ("victory", number)
            side = self.side((*path, "side"), goal.side)
            hexes = self.goal_hexes(path, goal, self.places.index)
            self._check_goal(path, goal)
            if side is not None:
                found.append(
                    Goal(goal.kind, side, hexes, goal.points, goal.at_least or 0,
                         goal.when == "turn", goal.wins)
                )  # fmt: skip
        return found

    def _check_goal(self, path: Path, goal: Victory) -> None:
        """What a way to score needs, and what does not go with it."""
        if goal.kind == "losses":
            self.check_unused(path, goal, NO_LOSSES)
            return
        self.check_listed(path, [goal.hex, *goal.hexes])
        # what could not be read is empty, and was some hex
        count = len({goal.hex, *goal.hexes} - {None, ""}) + goal.hexes.count("")
        if goal.at_least is not None and goal.at_least > count > 0:
            text = "only 1 hex is listed" if count == 1 else f"only {count} hexes are listed"
            self.report((*path, "at_least"), text, rests_on=[(*path, "kind")])

    def _events(self) -> list[EventData]:
        """The event markers (S13.4)."""
        found = []
        for number, event in enumerate(self.document.event):
            place = self.place(("event", number, "hex"), event.hex)
            side = self.side(("event", number, "side"), event.side)
            if place is not None and side is not None:
                found.append(
                    EventData(event.id, place, side, in_language(event.text), event.attack, event.points,
                              event.check, tuple(self.brought.get(event.id, ())))
                )  # fmt: skip
        return found


def build(document: ScenarioFile, data: Mapping[str, Any], report: Report) -> Board | None:
    """Check a scenario's meaning and compile it; None if a fault was reported."""
    return Builder(document, data, report).board()
