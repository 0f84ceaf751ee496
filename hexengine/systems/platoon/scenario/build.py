"""From a scenario file to a board and the position at its start, with every fault reported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hexengine.core.formats import in_language
from hexengine.core.system import Report
from hexengine.hexes import HexMap
from hexengine.mechanics.checking import Checker
from hexengine.mechanics.maps import MapParts, MapReader
from hexengine.mechanics.masks import mask_of
from hexengine.mechanics.terrain import changed_rows
from hexengine.mechanics.victory import Goal
from hexengine.systems.platoon.board import (
    CLASSES,
    END_OF_TURN,
    HEADQUARTERS,
    KINDS,
    MAKESHIFT_AA_MODIFIER,
    Block,
    Board,
    Counter,
    FormationData,
)
from hexengine.systems.platoon.moving.crossing import let_swim
from hexengine.systems.platoon.scenario.allotment import allotted, provide
from hexengine.systems.platoon.scenario.chart import compile_chart
from hexengine.systems.platoon.scenario.format import Formation, ScenarioFile, TerrainRow, Unit, UnitType
from hexengine.systems.platoon.scenario.references import check_references
from hexengine.systems.platoon.scenario.setup import set_up
from hexengine.systems.platoon.scenario.weapons import weapons
from hexengine.systems.platoon.sight.air import AirSight
from hexengine.systems.platoon.sight.ground import BLOCKING, OPEN, PARTIAL, Sight

ON_THE_GROUND = ("transport", "amphibious", "infantry", "team", "engineer", "recon", "indirect")
"""Flags that mean nothing for helicopters: they carry nobody, nor are they carried (P13.1)."""

LOS = {"open": OPEN, "partial": PARTIAL, "blocking": BLOCKING}


class Builder(Checker):
    """Checks the meaning of one scenario; every method reports what it finds wrong."""

    document: ScenarioFile

    def __init__(self, document: ScenarioFile, data: Mapping[str, Any], report: Report) -> None:
        super().__init__(document, data, report)
        self.reader = MapReader(document.map, [], self.report)

    def board(self) -> Board | None:
        """The compiled board with its starting position, or None after faults."""
        document = self.document
        self.check_sides()
        rows = changed_rows(self.data["terrain"].terrain, document.terrain, self.report)
        chart = compile_chart(rows, self.data["terrain"], self.report)
        self.reader = MapReader(document.map, list(rows), self.report)
        parts = self.reader.read()
        formations = self.formations()
        counters, weapon_of = self.counters(formations, parts)
        if parts is None or chart is None or self.failed():
            check_references(self, self.reader.grid)
            return None
        hexmap, chosen = self._hexmap(parts, rows, chart)
        goals = self.goals(parts)
        levels = sorted((level.margin, in_language(level.name)) for level in document.level)
        first_draw = self.first_draw(formations)
        support = allotted(self, formations, counters)
        positions = mask_of(self.listed(("map", "positions"), document.map.positions, parts.grid.index))
        if self.failed():
            return None
        # A bare hill is no obstacle in itself: its level and its crests are (P10.3, P10.4).
        weights = [
            OPEN if rows[name].los == "open" else LOS[row.los]
            for name, row in zip(parts.terrain, chosen, strict=True)
        ]
        sight = Sight(hexmap, weights, parts.crests)
        exits = [
            frozenset(
                place for goal in goals if goal.kind == "exit" and goal.side == side for place in goal.hexes
            )
            for side in (0, 1)
        ]
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
            sight,
            positions,
            (exits[0], exits[1]),
            goals,
            levels,
            document.options,
            first_draw,
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
        provide(board, support, bool(document.map.smoke))
        board.open_ground = mask_of(place for place, row in enumerate(chosen) if row.overrun)
        board.streets = mask_of(place for place, row in enumerate(chosen) if row.streets)
        side_water = frozenset([row.id for row in self.data["terrain"].side if row.water])
        let_swim(board, [row.water for row in chosen], side_water)
        set_up(board, self, parts)
        return None if self.failed() else board

    # -- names ----------------------------------------------------------------------------------

    # -- parts ----------------------------------------------------------------------------------

    def formations(self) -> list[FormationData]:
        """The formations; their members are filled in with the units."""
        document = self.document
        self.unique("formation", [formation.id for formation in document.formation])
        found = []
        for number, formation in enumerate(document.formation):
            if formation.id == END_OF_TURN:
                self.report(
                    ("formation", number, "id"), f"{END_OF_TURN!r} is the name of the End of Turn marker"
                )
            side = self.side(("formation", number, "side"), formation.side)
            members = [u for u, unit in enumerate(document.unit) if unit.formation == formation.id]
            found.append(self._formation(formation, side or 0, members))
            if not members:
                self.report(("formation", number, "id"), f"the formation {formation.id!r} has no units")
            elif not found[-1].fighters and all(self._kind(document.unit[unit]) for unit in members):
                self.report(
                    ("formation", number, "id"),
                    f"the formation {formation.id!r} has no unit that can fight",
                    rule="P9.1",
                )
            kinds = {self._kind(document.unit[unit]) for unit in members}
            if "air" in kinds and kinds - {"air", ""}:
                self.report(
                    ("formation", number, "id"),
                    f"the formation {formation.id!r} has helicopters and others",
                    "helicopters have formations of their own",
                    rule="P13.1",
                )
        return found

    def _formation(self, formation: Formation, side: int, members: list[int]) -> FormationData:
        kinds = {unit: self._kind(self.document.unit[unit]) for unit in members}
        hqs = [unit for unit, kind in kinds.items() if kind == "hq"]
        for unit in hqs[1:]:
            self.report(
                ("unit", unit, "type"), f"the formation {formation.id!r} has an HQ already", rule="P9.1"
            )
        fighters = mask_of(unit for unit, kind in kinds.items() if kind in ("hard", "soft", "air"))
        return FormationData(
            formation.id,
            in_language(formation.name) or formation.id,
            side,
            formation.markers,
            formation.morale,
            mask_of(members),
            fighters,
            hqs[0] if hqs else -1,
        )

    def types(self) -> dict[str, UnitType]:
        """The counters by id: those of the data, and the scenario's own."""
        known = {kind.id: kind for kind in self.data["units"].type}
        known.update({kind.id: kind for kind in self.document.type})
        return known

    def _kind(self, unit: Unit) -> str:
        kind = self.types().get(unit.type)
        return kind.kind if kind else ""

    def counters(
        self, formations: list[FormationData], parts: MapParts | None
    ) -> tuple[list[Counter], list[int]]:
        """All counters, and for each unit its support weapon or -1."""
        document = self.document
        self.unique("unit", [unit.id for unit in document.unit])
        self.unique("type", [kind.id for kind in document.type])
        types = self.types()
        names = [formation.id for formation in document.formation]
        counters: list[Counter] = []
        for number, unit in enumerate(document.unit):
            formation = self.known(("unit", number, "formation"), "formation", unit.formation, names)
            if self.known(("unit", number, "type"), "unit type", unit.type, list(types)) is None:
                continue
            if formation is None:
                continue
            entry = self._entry(number, unit, parts)
            kind = types[unit.type]
            path: tuple[str | int, ...] = ("unit", number, "type")
            self._check_type(path, kind)
            self._check_pictured(number, unit, kind, list(types))
            if unit.steps is not None and unit.steps > (2 if kind.reduced else 1):
                self.report(("unit", number, "steps"), f"a {unit.type} has one step", rule="P3.3")
            counters.append(make_counter(unit, kind, formations[formation].side, formation, entry))
        if self.failed():
            return counters, []
        return counters, weapons(self, counters)

    def _check_type(self, path: tuple[str | int, ...], kind: UnitType) -> None:
        if kind.kind == "air":
            if kind.mobility != "air":
                self.report(path, f"{kind.id}: an air unit flies", 'mobility = "air"', rule="P13.1")
            grounded = [flag for flag in kind.flags if flag in ON_THE_GROUND]
            if grounded:
                self.report(path, f"{kind.id}: an air unit cannot be {grounded[0]}", rule="P13.1")
        elif kind.mobility == "air":
            self.report(path, f"{kind.id}: only air units fly", "leg, tracked or wheeled", rule="P13.1")
        if kind.kind in ("hard", "soft") and kind.mobility is None:
            self.report(path, f"{kind.id}: a {kind.kind} unit needs a mobility", "leg, tracked or wheeled")
        if kind.kind in ("hard", "soft", "air") and kind.armour is None:
            what = f"{'an' if kind.kind == 'air' else 'a'} {kind.kind} unit"
            self.report(path, f"{kind.id}: {what} needs armour", 'such as armour = "0/5"')

    def _check_pictured(self, number: int, unit: Unit, kind: UnitType, types: list[str]) -> None:
        """What an HQ pictures are types that there are (P9.5); nothing else pictures any."""
        path: tuple[str | int, ...] = ("unit", number, "type" if unit.pictured is None else "pictured")
        pictured = kind.pictured if unit.pictured is None else unit.pictured
        if pictured and kind.kind != "hq":
            text = f"{unit.id} is no HQ: only an HQ comes back with a type that it pictures"
            self.report(path, text, "leave pictured out", rule="P9.5")
            return
        for place, name in enumerate(pictured):
            self.known(path if unit.pictured is None else (*path, place), "unit type", name, types)

    def _entry(self, number: int, unit: Unit, parts: MapParts | None) -> list[int]:
        if unit.turn is not None and unit.turn > self.document.turns:
            self.report(
                ("unit", number, "turn"),
                f"{unit.id} arrives in turn {unit.turn}, after the last turn ({self.document.turns})",
            )
        if unit.arrival is not None and (unit.turn is None or unit.turn < 2):
            self.report(("unit", number, "arrival"), "a die for arrival needs turn = 2 or later", rule="P15")
        if parts is None:
            return []
        return self.listed(("unit", number, "hexes"), unit.hexes, parts.grid.index)

    def _hexmap(
        self, parts: MapParts, rows: dict[str, TerrainRow], chart: Any
    ) -> tuple[HexMap, list[TerrainRow]]:
        """The map, and the chart's row of each hex: level 1 and above raises a terrain (P10.2)."""
        chosen = []
        for place, name in enumerate(parts.terrain):
            row = rows[name]
            if parts.levels[place] and row.raised is not None and row.raised in rows:
                row = rows[row.raised]
            chosen.append(row)
        return parts._replace(terrain=[row.id for row in chosen]).hexmap(chart), chosen

    def goals(self, parts: MapParts) -> list[Goal]:
        """The victory conditions (P16.2)."""
        found = []
        for number, goal in enumerate(self.document.victory):
            side = self.side(("victory", number, "side"), goal.side)
            hexes = self.goal_hexes(("victory", number), goal, parts.grid.index)
            if goal.kind in ("hold", "exit") and not goal.hex and not goal.hexes:
                self.report(("victory", number, "kind"), f"{goal.kind} needs a hex or hexes")
            if goal.wins and goal.kind != "hold":
                self.report(("victory", number, "wins"), "only hold can win at once")
            if goal.at_once and not goal.wins:
                self.report(
                    ("victory", number, "at_once"), "only what wins can win at once", "add wins = true"
                )
            if goal.when == "turn" and goal.kind != "hold":
                self.report(("victory", number, "when"), "only hold can score each turn")
            if goal.at_least is not None and goal.at_least > len(hexes):
                self.report(("victory", number, "at_least"), f"only {len(hexes)} hexes are listed")
            if side is not None:
                found.append(
                    Goal(goal.kind, side, hexes, goal.points, goal.at_least or 0,
                         goal.when == "turn", goal.wins, goal.at_once)
                )  # fmt: skip
        return found

    def first_draw(self, formations: list[FormationData]) -> int:
        """The marker drawn first in the game, or -1 (P1.8)."""
        name = self.document.first_draw
        if name is None:
            return -1
        number = self.known(("first_draw",), "formation", name, [formation.id for formation in formations])
        return -1 if number is None else number


def make_counter(unit: Unit, kind: UnitType, side: int, formation: int, entry: list[int]) -> Counter:
    """A unit's printed values."""
    reduced = kind.reduced
    armour, save = _pair(kind.armour, (0, 6))
    assault, assault_to_hit = _pair(kind.assault, (0, 6))

    def both(name: str, full: int) -> tuple[int, int]:
        lower = getattr(reduced, name) if reduced is not None else None
        return full, full if lower is None else lower

    half = -(-kind.ma // 2) * 2
    return Counter(
        unit.id,
        unit.type,
        in_language(unit.name) or in_language(kind.name) or unit.type,
        kind.mark or default_mark(kind),
        side,
        formation,
        KINDS.index(kind.kind),
        CLASSES.index(kind.mobility) if kind.mobility is not None else -1,
        kind.ma * 2,
        half,
        (
            _block(kind.ap, both, "ap", 0),
            _block(kind.he, both, "he", kind.minimum),
            _block(kind.aa, both, "aa", 0) or _makeshift(kind, both),
        ),
        both("armour", armour),
        save,
        both("assault", assault),
        assault_to_hit,
        frozenset(kind.flags),
        2 if reduced is not None else 1,
        both("leadership", kind.leadership),
        both("radius", kind.radius),
        frozenset(kind.pictured if unit.pictured is None else unit.pictured),
        unit.turn or 0,
        frozenset(entry),
        unit.arrival or 0,
    )


def default_mark(kind: UnitType) -> str:
    """The sign on a counter that does not name one."""
    if kind.kind == "hq":
        return "hq"
    if kind.kind == "air":
        return "helicopter"
    for flag, mark in (("recon", "recon"), ("indirect", "artillery"), ("transport", "mechanised")):
        if flag in kind.flags:
            return mark
    if kind.kind == "hard":
        return "armour"
    return "anti-tank" if kind.kind == "sw" else "infantry"


def _pair(text: str | None, default: tuple[int, int]) -> tuple[int, int]:
    if text is None:
        return default
    dice, number = text.split("/")
    return int(dice), int(number)


def _block(text: str | None, both: Any, name: str, minimum: int) -> Block | None:
    if text is None:
        return None
    reach, dice, to_hit = text.split("/")
    limit = reach.endswith(("u", "um"))
    missile = reach.endswith("um")
    return Block(int(reach.rstrip("um")), both(name, int(dice)), int(to_hit), limit, missile, minimum)


def _makeshift(kind: UnitType, both: Any) -> Block | None:
    """HE in place of an AA block: within its printed range, without range modifiers (P13.2)."""
    block = _block(kind.he, both, "he", kind.minimum)
    if block is None or "indirect" in kind.flags:
        return None
    return block._replace(limit=True, missile=False, makeshift=MAKESHIFT_AA_MODIFIER)


def build(document: ScenarioFile, data: Mapping[str, Any], report: Report) -> Board | None:
    """Check a scenario's meaning and compile it; None if a fault was reported."""
    return Builder(document, data, report).board()


__all__ = ["HEADQUARTERS", "Builder", "build", "make_counter"]
