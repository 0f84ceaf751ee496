"""From a scenario file to a board and the position at its start, with every fault reported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hexengine.core.formats import in_language
from hexengine.core.system import Report
from hexengine.hexes import HexMap
from hexengine.mechanics.checking import Checker
from hexengine.mechanics.maps import MapParts, MapReader
from hexengine.mechanics.masks import mask_of
from hexengine.mechanics.terrain import changed_rows
from hexengine.mechanics.victory import Goal
from hexengine.systems.squad.board import (
    DRIVING,
    KINDS,
    MOBILITY,
    SQUAD,
    VEHICLE,
    ArmourData,
    Board,
    Counter,
    EventData,
    OrdnanceData,
    Readout,
)
from hexengine.systems.squad.chart import check_changes, compile_chart, ground_of
from hexengine.systems.squad.format import Armour, ScenarioFile, Unit, UnitType
from hexengine.systems.squad.places import Places
from hexengine.systems.squad.setup import set_up

SPARE_HEROES = 2
"""Heroes of each family that damage checks may make (S8.8)."""


class Builder(Checker):
    """Checks the meaning of one scenario; every method reports what it finds wrong."""

    document: ScenarioFile

    def __init__(self, document: ScenarioFile, data: Mapping[str, Any], report: Report) -> None:
        super().__init__(document, data, report)
        self.places: Places

    def board(self) -> Board | None:
        """The compiled board with its starting position, or None after faults."""
        document = self.document
        self.check_sides()
        rows = changed_rows(self.data["terrain"].terrain, document.terrain, self.report)
        check_changes(document.terrain, self.report)
        parts = MapReader(document.map, list(rows), self.report).read()
        counters = self.counters()
        if parts is None or self.faults:
            return None
        chart = compile_chart(rows, self.data["terrain"])
        hexmap = parts.hexmap(chart)
        driving = DRIVING if any(counter.kind == VEHICLE for counter in counters) else None
        ground = [ground_of(rows[name]) for name in parts.terrain]
        self.places = Places(hexmap, ground, MOBILITY, driving)
        goals = self.goals(parts)
        board = Board(
            tuple(document.sides),
            self.side_names(),
            document.turns,
            in_language(document.title),
            hexmap,
            self.places,
            counters,
            goals,
            sorted((level.margin, in_language(level.name)) for level in document.level),
            document.options,
            parts.names,
            self.data["words"],
            self._walls(hexmap),
            mask_of(self.listed(("foxholes",), document.foxholes, self.places.index)),
            self._missions(),
        )
        self._twins(board)
        board.lit = mask_of(self.listed(("lit",), document.lit, self.places.index))
        set_up(board, self)
        board.events = self.events(board)
        return None if self.faults else board

    # -- names --------------------------------------------------------------------------------

    def place(self, path: Sequence[str | int], label: str) -> int | None:
        """A place by its label; a wrong one is reported."""
        return self.located(path, label, self.places.index)

    # -- parts --------------------------------------------------------------------------------

    def counters(self) -> list[Counter]:
        """All counters: the scenario's units, then spare halves and heroes."""
        document = self.document
        self.unique("unit", [unit.id for unit in document.unit])
        self.unique("type", [kind.id for kind in document.type])
        self.unique("event", [event.id for event in document.event])
        types = {kind.id: kind for kind in self.data["units"].type}
        types.update({kind.id: kind for kind in document.type})
        found: list[Counter] = []
        for number, unit in enumerate(document.unit):
            path = ("unit", number)
            if self.known((*path, "type"), "unit type", unit.type, list(types)) is None:
                continue
            kind = types[unit.type]
            side = self._side_of(number, unit, kind)
            if kind.kind == "squad" and kind.half is None:
                self.report((*path, "type"), f"{kind.id}: a squad needs its half", 'half = { values = "…" }')
            if kind.kind != "vehicle" and (kind.armour is not None or kind.seats):
                self.report((*path, "type"), f"{kind.id}: only vehicles have armour and seats", rule="S14.2")
            if kind.kind != "vehicle" and unit.facing is not None:
                self.report((*path, "facing"), f"{unit.id} is no vehicle and faces nowhere", rule="S14.2")
            if side is not None:
                found.append(make_counter(unit.id, in_language(unit.name), kind, side))
        return found if self.faults else found + self._spares(found, types)

    def _side_of(self, number: int, unit: Unit, kind: UnitType) -> int | None:
        if unit.side is not None:
            return self.side(("unit", number, "side"), unit.side)
        if kind.kind == "weapon":
            return -1
        sides = " or ".join(f'"{side}"' for side in self.document.sides)
        self.report(("unit", number), f"{unit.id} has no side", f"add side = {sides}")
        return None

    def _spares(self, counters: Sequence[Counter], types: Mapping[str, UnitType]) -> list[Counter]:
        """Counters that no scenario lists: a second half for every squad, and heroes if they can be made."""
        used = {counter.id for counter in counters}

        def free(name: str) -> str:
            while name in used:
                name += "x"
            used.add(name)
            return name

        found = [
            counter._replace(id=free(f"{counter.id}-b"), spare=True)
            for counter in counters
            if counter.kind == SQUAD
        ]
        if self.document.options.hero_creation:
            for side in (0, 1):
                for family in sorted({c.family for c in counters if c.side == side}):
                    kind = next((t for t in types.values() if t.kind == "hero" and t.family == family), None)
                    for number in range(SPARE_HEROES if kind is not None else 0):
                        assert kind is not None
                        name = free(f"hero-{self.document.sides[side]}-{number + 1}")
                        found.append(make_counter(name, "", kind, side)._replace(spare=True))
        return found

    @staticmethod
    def _twins(board: Board) -> None:
        """Which spare counter is a squad's other half."""
        squads = [u for u, c in enumerate(board.counters) if c.kind == SQUAD and not c.spare]
        spares = [u for u, c in enumerate(board.counters) if c.kind == SQUAD and c.spare]
        for squad, spare in zip(squads, spares, strict=True):
            board.twin[squad] = spare

    def _walls(self, hexmap: HexMap) -> dict[tuple[int, int], int]:
        """TM of hexsides, by the hex fired from and the hex fired into (S4.10)."""
        tm = {row.id: row.tm for row in self.data["terrain"].side if row.tm}
        found: dict[tuple[int, int], int] = {}
        for a, b in hexmap.sides:
            most = max((tm.get(name, 0) for name in hexmap.features(a, b)), default=0)
            if most:
                found[a, b] = found[b, a] = most
        return found

    def _missions(self) -> tuple[int, int]:
        fp = [0, 0]
        for number, mission in enumerate(self.document.mission):
            side = self.side(("mission", number, "side"), mission.side)
            if side is not None:
                if fp[side]:
                    self.report(("mission", number, "side"), f"{mission.side} has its fire missions already")
                fp[side] = mission.fp
        return fp[0], fp[1]

    def goals(self, parts: MapParts) -> list[Goal]:
        """The victory conditions (S1.6)."""
        found = []
        for number, goal in enumerate(self.document.victory):
            path = ("victory", number)
            side = self.side((*path, "side"), goal.side)
            hexes = self.goal_hexes(path, goal, parts.grid.index)
            if goal.kind == "hold" and not goal.hex and not goal.hexes:
                self.report((*path, "kind"), "hold needs a hex or hexes")
            if goal.kind == "losses" and (hexes or goal.wins or goal.at_least or goal.when == "turn"):
                self.report((*path, "kind"), "losses has only side and points")
            if goal.at_least is not None and goal.at_least > len(hexes):
                self.report((*path, "at_least"), f"only {len(hexes)} hexes are listed")
            if side is not None:
                found.append(
                    Goal(goal.kind, side, hexes, goal.points, goal.at_least or 0,
                         goal.when == "turn", goal.wins)
                )  # fmt: skip
        return found

    def events(self, board: Board) -> list[EventData]:
        """The event markers (S13.4)."""
        found = []
        for number, event in enumerate(self.document.event):
            place = self.place(("event", number, "hex"), event.hex)
            side = self.side(("event", number, "side"), event.side)
            brought = []
            for unit, given in enumerate(self.document.unit):
                if given.event == event.id and given.hex is not None:
                    where = self.place(("unit", unit, "hex"), given.hex)
                    if where is not None:
                        brought.append((unit, where))
            if place is not None and side is not None:
                found.append(
                    EventData(event.id, place, side, in_language(event.text), event.attack, event.points,
                              event.check, tuple(brought))
                )  # fmt: skip
        return found


def _readout(values: str, morale: int, shaken: int | None) -> Readout:
    fp, reach, mf = map(int, values.split("-"))
    return Readout(fp, reach, mf, morale, morale if shaken is None else shaken)


def _pair(text: str) -> tuple[int, int]:
    """Two numbers with a stroke between."""
    first, second = map(int, text.split("/"))
    return first, second


def _bands(texts: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Range bands, the nearest first."""
    return tuple(sorted(_pair(text) for text in texts))


def make_counter(name: str, title: str, kind: UnitType, side: int) -> Counter:
    """A unit's printed values."""
    whole = _readout(kind.values, kind.morale, kind.shaken_morale)
    half = whole
    if kind.half is not None:
        half = _readout(
            kind.half.values or kind.values,
            kind.half.morale or kind.morale,
            kind.half.shaken_morale or kind.shaken_morale,
        )
    ordnance = None
    if kind.ordnance is not None:
        data = kind.ordnance
        ordnance = OrdnanceData(_bands(data.to_hit), data.he, data.minimum, _bands(data.penetration))
    armour = None
    if kind.kind == "vehicle":
        given = kind.armour or Armour()
        armour = ArmourData(_pair(given.hull), None if given.turret is None else _pair(given.turret))
    return Counter(
        name,
        kind.id,
        title or in_language(kind.name) or kind.id,
        side,
        KINDS.index(kind.kind),
        kind.family,
        (half, whole) if kind.kind == "squad" else (whole, whole),
        kind.lm,
        kind.smoke,
        kind.load,
        frozenset(kind.flags),
        ordnance,
        armour,
        kind.seats,
    )


def build(document: ScenarioFile, data: Mapping[str, Any], report: Report) -> Board | None:
    """Check a scenario's meaning and compile it; None if a fault was reported."""
    return Builder(document, data, report).board()
