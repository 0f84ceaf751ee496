"""Scenes for the tests of the board: made-up country, no game behind it."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path

from hexengine.hexes.grid import Grid
from hexengine.view.scene import Cell, Counter, Header, Landscape, Pair, Scene, Sight, UnitRow
from hexengine.view.theme import Theme

LETTERS = {
    ".": "clear",
    "f": "fields",
    "w": "woods",
    "F": "forest",
    "t": "town",
    "c": "city",
    "r": "rough",
    "m": "marsh",
    "l": "lake",
    "s": "sand",
    "b": "burnt-woods",
    "u": "ruins",
}
TERRAIN = (
    "..ww.......ff...",
    ".www...r..fff.F.",
    "..w.....tt.f.FFF",
    "........tt....F.",
    ".f...w..t..r....",
    "fff.ww......w...",
    ".f..........ww..",
    "....m.....cc....",
    "..lmm..s..cub...",
    "..ll...ss.......",
)
LEVELS = (
    "0000111100000000",
    "0001122100000011",
    "0000122100000111",
    "0000011000000011",
    "0000000000000000",
    "0011000000000000",
    "0121000000001100",
    "0110000000001210",
    "0000000000000110",
    "0000000000000000",
)
NAMES = {"0903": "Neudorf", "1108": "Hohenburg", "1404": "Ried"}
ROADS = (
    "0105-0205-0304-0404-0504-0604-0704-0804-0904-1003-1103-1203-1302-1402",
    "0904-0905-0906-1006-1107-1108-1109",
)
TRAILS = ("0404-0503-0602-0702",)
RAILWAYS = ("1601-1602-1603-1604-1605-1606-1607",)
RIVER = ("0601", "0602", "0603", "0604", "0605", "0606", "0607", "0608", "0609", "0610")


@cache
def theme() -> Theme:
    """The shipped theme."""
    return Theme.from_toml((Path(__file__).parents[2] / "data" / "theme.toml").read_text(encoding="utf-8"))


def pair(a: int, b: int) -> Pair:
    """Two hexes in the order scenes want."""
    return (a, b) if a < b else (b, a)


def country(orientation: str = "flat") -> Landscape:
    """Sixteen by ten hexes with everything that can be printed on a map."""
    grid = Grid(16, 10, orientation)  # type: ignore[arg-type]
    names = {grid.index(label): name for label, name in NAMES.items()}
    cells = []
    for h in range(grid.size):
        column, row = grid.column_row(h)
        terrain = LETTERS[TERRAIN[row - 1][column - 1]]
        cells.append(Cell(terrain, int(LEVELS[row - 1][column - 1]), names.get(h)))
    lines: dict[Pair, tuple[str, ...]] = {}
    for kind, chains in (("road", ROADS), ("trail", TRAILS), ("railway", RAILWAYS)):
        for chain in chains:
            hexes = [grid.index(label) for label in chain.split("-")]
            for a, b in pairwise(hexes):
                if b in grid.neighbours[a]:
                    lines[pair(a, b)] = (kind,)
    sides: dict[Pair, tuple[str, ...]] = {}
    for label in RIVER:
        h = grid.index(label)
        for other in grid.neighbours[h]:
            if other >= 0 and grid.column_row(other)[0] == 7:
                sides[pair(h, other)] = ("river", "bridge") if pair(h, other) in lines else ("river",)
    for feature, one, two in (
        ("stream", "0206", "0207"),
        ("stream", "0207", "0307"),
        ("stream", "0307", "0308"),
        ("wall", "1405", "1406"),
        ("cliff", "1501", "1502"),
        ("slope", "1201", "1202"),
        ("ridge", "1209", "1210"),
        ("ridge", "1309", "1310"),
    ):
        a, b = grid.index(one), grid.index(two)
        if b in grid.neighbours[a]:
            sides[pair(a, b)] = (feature,)
    if orientation == "flat":
        sides[pair(grid.index("0602"), grid.index("0702"))] = ("river", "blown-bridge")
        sides[pair(grid.index("0608"), grid.index("0708"))] = ("river", "ford")
    return Landscape(grid, tuple(cells), sides, lines)


@cache
def landscape(orientation: str = "flat") -> Landscape:
    """One and the same country for every scene of a test run."""
    return country(orientation)


def battle(orientation: str = "flat") -> Scene:
    """A position with stacks, disrupted units, wrecks, objectives, a selection and its reach."""
    land = landscape(orientation)
    at = land.grid.index
    return Scene(
        land,
        sides=("NATO", "WP"),
        counters=(
            Counter(at("0304"), 0, "○", "A", "M1", "5", 2, stack=2, hq=True),
            Counter(at("0404"), 0, "Ø", "M", "M2", "4", 2, ops_complete=True),
            Counter(at("0206"), 0, "●", "R", "M109", "5", 1),
            Counter(at("0502"), 0, "×", "I", "Inf", "3", 1, reduced=True, disrupted=True),
            Counter(at("0903"), 0, "Λ", "T", "TOW", "6", 1),
            Counter(at("0904"), 1, "○", "A", "T-80", "4", 2, stack=3),
            Counter(at("1205"), 1, "○", "A", "T-72", "4", 2, out_of_command=True, disrupted=True),
            Counter(at("1306"), 1, "Ø", "M", "BMP-2", "3", 1, True, ops_complete=True, stack=2),
            Counter(at("1402"), 1, "■", "H", "HQ", "1", 1, hq=True),
            Counter(at("1109"), 1, "●", "R", "2S1", "4", 2),
            Counter(at("1008"), 1, "/", "S", "BRM", "2", 1, disrupted=True, stack=2, out_of_command=True),
            Counter(at("1504"), 1, "∞", "H", "Mi-24", "6", 2),
        ),
        chips={
            at("0305"): "1",
            at("0405"): "2",
            at("0303"): "1½",
            at("0204"): "½",
            at("0205"): "½",
            at("0404"): "½",
            at("0504"): "1",
            at("0503"): "2½",
            at("0505"): "3",
            at("0105"): "1",
            at("0403"): "3",
        },
        marks={
            at("0804"): ("wreck",),
            at("1006"): ("wreck", "smoke"),
            at("0904"): ("wreck",),
            at("1105"): ("smoke",),
            at("1109"): ("position",),
            at("0708"): ("mines",),
        },
        selected=frozenset({at("0304")}),
        objectives={at("0903"): 0, at("1108"): 1, at("1404"): None, at("0202"): 0},
        header=Header(3, 8, "Operations", "11 ACR", 0, ((0, 2), (1, 3), (None, 2))),
        units=(
            UnitRow(0, "○", "A", "M1", "0304", "5", 2, False, ""),
            UnitRow(0, "Ø", "M", "M2", "0404", "4", 2, False, "done"),
            UnitRow(0, "×", "I", "Inf", "0502", "3", 1, True, "disrupted"),
            UnitRow(0, "●", "R", "M109", "0206", "5", 1),
            UnitRow(1, "○", "A", "T-80", "0904", "4", 2),
            UnitRow(1, "○", "A", "T-72", "1205", "4", 2, False, "disrupted, out of command"),
            UnitRow(1, "Ø", "M", "BMP-2", "1306", "3", 1, True),
        ),
        log=(
            "draw  11 ACR",
            "move  M1 0204 to 0304, 1 MP, road",
            "fire  T-80 0904 at M2: 6 5 3 2 1, 2 hits, 1 save",
            "check M2 2d6 = 9 > 7, disrupted",
        ),
    )


def looking(orientation: str = "flat") -> Scene:
    """What one hex sees, and a line that is blocked."""
    scene = battle(orientation)
    at = scene.land.grid.index
    line = tuple(at(label) for label in ("0304", "0404", "0504", "0603", "0703", "0803", "0903"))
    near = frozenset(h for h in range(scene.land.grid.size) if scene.land.grid.distance(h, line[0]) <= 4)
    return Scene(
        scene.land,
        scene.sides,
        scene.counters,
        sight=Sight(line[0], near, frozenset(range(scene.land.grid.size)) - near, line[-1], line, line[4]),
        header=scene.header,
    )


def blank(columns: int, rows: int, orientation: str = "flat", stagger: str = "even") -> Scene:
    """A map of that size with woods, a counter in every third hex and no panel."""
    grid = Grid(columns, rows, orientation, stagger)  # type: ignore[arg-type]
    cells = tuple(Cell("woods" if h % 5 == 0 else "clear", h % 7 // 6) for h in range(grid.size))
    land = Landscape(grid, cells)
    counters = tuple(Counter(h, h & 1, "○", "A", "T-72", "4", 2) for h in range(0, grid.size, 3))
    return Scene(land, ("A", "B"), counters, header=Header(1, 9, "Operations"))
