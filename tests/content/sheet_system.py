"""A rule system of one printed sheet and a few counters: enough for every kind of fault a file can have."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

Name = Annotated[str, Meta(pattern=r"^[a-z0-9-]+$", max_length=20, description="small letters, digits and -")]
Label = Annotated[str, Meta(pattern=r"^\d{4}$", description="column and row, such as 0301")]


class Hold(Struct, tag="hold", tag_field="kind", kw_only=True, forbid_unknown_fields=True):
    """A hex to hold."""

    side: str
    hex: Label


class Losses(Struct, tag="losses", tag_field="kind", kw_only=True, forbid_unknown_fields=True):
    """Enemy steps to eliminate."""

    side: str
    steps: Annotated[int, Meta(ge=1)]


class Kind(Struct, kw_only=True, forbid_unknown_fields=True):
    """A row of kinds.toml."""

    id: Name
    armour: Literal["hard", "soft"]
    cost: Annotated[float, Meta(ge=0, le=99)] | Literal["no"]


class Kinds(Struct, forbid_unknown_fields=True):
    """kinds.toml."""

    kind: list[Kind]


class Unit(Struct, kw_only=True, forbid_unknown_fields=True):
    """A counter."""

    id: Name
    kind: Name = msgspec.field(name="type")
    hex: Label | None = None
    steps: Annotated[int, Meta(ge=1, le=2)] = 1
    status: list[Literal["disrupted", "reduced"]] = []


class Sheet(Struct, kw_only=True, forbid_unknown_fields=True):
    """The map."""

    terrain: str
    legend: dict[Annotated[str, Meta(min_length=1, max_length=1)], str]
    names: dict[Label, str | dict[Literal["en", "ru"], str]] = {}


class SheetFile(Struct, kw_only=True, forbid_unknown_fields=True):
    """A scenario."""

    format: Annotated[int, Meta(ge=1, le=1)]
    system: Literal["sheet"]
    title: str | dict[Literal["en", "ru"], str]
    turns: Annotated[int, Meta(ge=1, le=40)]
    sides: Annotated[list[Name], Meta(min_length=2, max_length=2)]
    map: Sheet
    unit: Annotated[list[Unit], Meta(min_length=1)]
    victory: list[Hold | Losses] = []
    night: bool = False
    scale: float = 1.0
    corner: tuple[int, int] = (0, 0)


KINDS = """\
[[kind]]
id = "tank"
armour = "hard"
cost = 1.5

[[kind]]
id = "truck"
armour = "soft"
cost = "no"
"""

GOOD = '''\
format = 1
system = "sheet"
title = "The crossroads"
turns = 8
sides = ["nato", "wp"]
night = true
scale = 0.5
corner = [1, 2]

[map]
terrain = """
..ww.t
.ffw..
"""
legend = { "." = "clear", w = "woods", t = "town", f = "fields" }
names = { 0601 = "Neudorf", 0102 = { en = "Old mill", ru = "Старая мельница" } }

[[unit]]
id = "m1-1"
type = "tank"
hex = "0301"
status = ["disrupted"]

[[unit]]
id = "t72-1"
type = "truck"
hex = "0602"
steps = 2

[[victory]]
kind = "hold"
side = "wp"
hex = "0601"

[[victory]]
kind = "losses"
side = "nato"
steps = 3
'''


class SheetSystem:
    """Reports what a real system would: ragged grids, strange letters, unknown names, hexes off the sheet."""

    name = "sheet"
    rules_version = 1
    scenario_type = SheetFile
    data_types: Mapping[str, type[Any]] = {"kinds": Kinds}

    def __init__(self, data_folder: Path) -> None:
        self.data_folder = data_folder
        (data_folder / "kinds.toml").write_text(KINDS, encoding="utf-8")

    def build(self, document: SheetFile, data: Mapping[str, Any], report: Any) -> Any:
        grid = self._grid(document, report)
        kinds = {kind.id for kind in data["kinds"].kind}
        seen: set[str] = set()
        for i, unit in enumerate(document.unit):
            if unit.kind not in kinds:
                report(("unit", i, "type"), f"unknown type {unit.kind}")
            if unit.id in seen:
                report(("unit", i, "id"), f"a second unit {unit.id}")
            seen.add(unit.id)
            if unit.hex is None:
                report(("unit", i), f"{unit.id} is nowhere")
            elif not on_sheet(grid, unit.hex):
                report(("unit", i, "hex"), f"{unit.hex} is off the map", rule="T1")
        for i, goal in enumerate(document.victory):
            if goal.side not in document.sides:
                report(("victory", i, "side"), f"unknown side {goal.side}")
        return grid

    def _grid(self, document: SheetFile, report: Any) -> list[str]:
        lines = document.map.terrain.split("\n")
        rows = [(row, line) for row, line in enumerate(lines) if line]
        if not rows:
            report(("map", "terrain"), "the map has no hexes")
            return []
        for row, line in rows:
            if len(line) != len(rows[0][1]):
                text = f"this row has {len(line)} hexes, the first {len(rows[0][1])}"
                report(("map", "terrain"), text, row=row, column=min(len(line), len(rows[0][1])))
            for column, letter in enumerate(line):
                if letter not in document.map.legend:
                    report(("map", "terrain"), f"no terrain {letter}", row=row, column=column)
        return [line for _, line in rows]


def on_sheet(grid: list[str], label: str) -> bool:
    """True where the sheet has a hex of that label."""
    column, row = int(label[:2]), int(label[2:])
    return 1 <= row <= len(grid) and 1 <= column <= len(grid[0])
