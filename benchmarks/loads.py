"""What is played in benchmarks: a standard load of a system, its forces on a larger map, and more units."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any

import hexengine as hx
from hexengine.core.scenario import Scenario
from hexengine.hexes import Grid

STANDARD = "bench"
"""24 by 16 hexes, 24 units, 12 turns, full rules."""

OPEN_GROUND = "."


def standard(system: str = "platoon") -> Scenario:
    """The standard load of a system."""
    return LOADS[system]()


def platoons() -> Scenario:
    """The standard load of the platoon system."""
    return hx.load(STANDARD)


def squads() -> Scenario:
    """The standard load of the squad system: 16 by 12 hexes, 20 units with weapons, 8 turns."""
    text = _stretched(hx.load("village").source, 16, 12).replace("turns = 9", "turns = 8")
    return hx.loads(text, "squad-bench")


def companies() -> Scenario:
    """The standard load of the company system: 16 by 12 hexes, 30 teams, 6 turns."""
    text = hx.load("first-orders").source
    for side, team in (("first", "0105"), ("bravo", "1609")):
        unit = {"id": f"{side}-8", "type": "rifle-mg", "platoon": side, "hex": team}
        text += _written(unit)
    return hx.loads(text, "company-bench")


LOADS: dict[str, Callable[[], Scenario]] = {"platoon": platoons, "squad": squads, "company": companies}


def on_a_larger_map(columns: int, rows: int) -> Scenario:
    """The standard forces in one corner of a map of that size, over which the landscape is repeated.

    ``columns`` must be even or that of the standard map, so that the columns' offset goes on.
    """
    return hx.loads(_stretched(standard().source, columns, rows), f"{STANDARD}-{columns}x{rows}")


def _stretched(text: str, columns: int, rows: int) -> str:
    for key in ("terrain", "levels"):
        before, start, rest = text.partition(f'{key} = """\n')
        grid, end, after = rest.partition('"""')
        if start:
            text = before + start + _repeated(grid, columns, rows) + end + after
    return text


def _repeated(grid: str, columns: int, rows: int) -> str:
    lines = grid.split()
    tall = [lines[row % len(lines)] for row in range(rows)]
    return "".join((line * (columns // len(line) + 1))[:columns] + "\n" for line in tall)


def with_units(count: int) -> Scenario:
    """The standard load with so many units: copies of its own, HQs aside, in free hexes near their models."""
    document = tomllib.loads(standard().source)
    units: list[dict[str, Any]] = document["unit"]
    groups = _groups(units)
    lines = document["map"]["terrain"].split()
    grid = Grid(len(lines[0]), len(lines))
    free = {place for place in range(grid.size) if _letter(lines, grid, place) == OPEN_GROUND} - {
        grid.index(unit["hex"]) for unit in units if "hex" in unit
    }
    copies: list[dict[str, Any]] = []
    number = 0
    while len(units) + len(copies) < count:
        group = groups[number % len(groups)][: count - len(units) - len(copies)]
        model = grid.index(group[0]["hex"])
        place = min(free, key=lambda other: (grid.distance(model, other), other))
        free.remove(place)
        copies += [_copy(unit, f"-{number // len(groups) + 2}", grid.label(place)) for unit in group]
        number += 1
    text = standard().source + "".join(_written(unit) for unit in copies)
    return hx.loads(text, f"{STANDARD}-{count}-units")


def _groups(units: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Units on the map, each with those that it carries; HQs and reinforcements left out."""
    groups = []
    for unit in units:
        if "hex" in unit and not unit["type"].startswith("hq"):
            group = [unit]
            for one in group:
                group += [other for other in units if other.get("carrier") == one["id"]]
            groups.append(group)
    return groups


def _letter(lines: list[str], grid: Grid, place: int) -> str:
    label = grid.label(place)
    half = len(label) // 2
    return lines[int(label[half:]) - 1][int(label[:half]) - 1]


def _copy(unit: dict[str, Any], ending: str, place: str) -> dict[str, Any]:
    copy = {**unit, "id": unit["id"] + ending}
    if "carrier" in unit:
        copy["carrier"] = unit["carrier"] + ending
    else:
        copy["hex"] = place
    return copy


def _written(unit: dict[str, Any]) -> str:
    """A unit as TOML; plain values only."""
    lines = []
    for key, value in unit.items():
        if isinstance(value, dict):
            value = next(iter(value.values()))
        shown = value if isinstance(value, int) else f'"{value}"' if isinstance(value, str) else repr(value)
        lines.append(f"{key} = {shown}\n")
    return "\n[[unit]]\n" + "".join(lines)
