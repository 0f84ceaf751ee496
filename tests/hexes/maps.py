"""A terrain effects chart and random maps for the tests of costs, reach and ways."""

from __future__ import annotations

import random

from hexengine.hexes import Chart, Grid, HexMap, LineRow, Orientation, SideRow, Stagger, TerrainRow

ORIENTATIONS: tuple[Orientation, ...] = ("flat", "pointy")
STAGGERS: tuple[Stagger, ...] = ("even", "odd")
SHEETS = [(orientation, stagger) for orientation in ORIENTATIONS for stagger in STAGGERS]

CLASSES = ("leg", "tracked", "wheeled")


def costs(*figures: int | None) -> dict[str, int | None]:
    """Half MP for leg, tracked and wheeled movers."""
    return dict(zip(CLASSES, figures, strict=True))


CHART = Chart(
    terrains=[
        TerrainRow("clear", costs(2, 2, 2)),
        TerrainRow("woods", costs(2, 6, 8)),
        TerrainRow("town", costs(2, 4, 4)),
        TerrainRow("forest", costs(4, None, None)),
        TerrainRow("lake", costs(None, None, None)),
    ],
    sides=[
        SideRow("stream", costs(0, 2, 4)),
        SideRow("river", costs(None, None, None)),
        SideRow("ford", costs(2, 2, 4), overrides=("river", "stream")),
        SideRow("bridge", costs(0, 0, 0), overrides=("river", "stream")),
        SideRow("slope", costs(0, 2, 2), uphill=True),
        SideRow("ridge", costs(2, 4, None), overrides=("slope",)),
        SideRow("wall", costs(0, 2, 2)),
    ],
    lines=[
        LineRow("road", {"leg": 2, "tracked": 1, "wheeled": 1}, crosses=("*",)),
        LineRow("trail", {"leg": 2, "tracked": 2, "wheeled": 2}, crosses=("slope",)),
        LineRow("railway", {"leg": 2, "tracked": 3}, crosses=("slope",)),
    ],
    classes=CLASSES,
    slope="slope",
)

TERRAIN = CHART.terrain_numbers


def random_map(
    seed: int,
    largest: int = 7,
    hills: bool = True,
    lines: bool = True,
    orientation: Orientation | None = None,
) -> HexMap:
    """A map of at most ``largest`` by ``largest`` hexes with a bit of everything."""
    chance = random.Random(seed)
    grid = Grid(
        chance.randint(1, largest),
        chance.randint(1, largest),
        chance.choice(ORIENTATIONS) if orientation is None else orientation,
        chance.choice(STAGGERS),
    )
    terrain = chance.choices(range(5), (50, 20, 10, 10, 10), k=grid.size)
    levels = [chance.choice((0, 0, 1, 2)) if hills else 0 for _ in range(grid.size)]
    names = [row.id for row in CHART.sides if row.id != "slope"]
    sides, roads = {}, {}
    for a, around in enumerate(grid.neighbours):
        for b in around:
            if b > a:
                if chance.random() < 0.3:
                    sides[a, b] = frozenset(chance.sample(names, chance.randint(1, 3)))
                if lines and chance.random() < 0.3:
                    roads[a, b] = tuple(chance.sample(sorted(CHART.line_rows), chance.randint(1, 2)))
    return HexMap(grid, CHART, terrain, levels, sides, roads)
