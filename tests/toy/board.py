"""The toy's scenario file, orders, board and position."""

from __future__ import annotations

import msgspec

from hexengine.core.dice import STREAMS
from hexengine.core.orders import Order
from hexengine.core.outlook import Ground
from hexengine.core.position import Position
from hexengine.hexes.grid import Grid
from hexengine.hexes.hexmap import Chart, HexMap, TerrainRow


class Formation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A marker in the cup."""

    id: str
    side: str


class Unit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A counter."""

    id: str
    formation: str
    hex: str
    steps: int = 2


class ToyFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario of the toy."""

    format: int
    system: str
    title: str
    turns: int
    sides: list[str]
    columns: int
    rows: int
    ends: int = 2
    formation: list[Formation] = []
    unit: list[Unit] = []


class Draw(Order):
    __slots__ = ()
    verb = "draw"


class Pass(Order):
    __slots__ = ()
    verb = "pass"


class End(Order):
    __slots__ = ()
    verb = "end"


class Pair(Order):
    """An order of a unit with something: a hex or a target."""

    __slots__ = ("other", "text", "unit")

    def __init__(self, unit: int, other: int, text: str) -> None:
        self.unit = unit
        self.other = other
        self.text = text

    def __str__(self) -> str:
        return self.text


class Move(Pair):
    __slots__ = ()
    verb = "move"


class Fire(Pair):
    __slots__ = ()
    verb = "fire"


DRAW, PASS, END = Draw(), Pass(), End()
NOBODY = -1


class Board:
    """What does not change."""

    def __init__(self, file: ToyFile) -> None:
        self.file = file
        self.grid = grid = Grid(file.columns, file.rows)
        plain = HexMap(grid, Chart([TerrainRow("clear", {})], [], [], []), [0] * grid.size)
        self.ground = Ground(plain, sides=tuple(file.sides), turns=file.turns)
        self.formations = [formation.id for formation in file.formation]
        self.markers = (*self.formations, "eot")
        self.formation_side = [file.sides.index(formation.side) for formation in file.formation]
        self.names = [unit.id for unit in file.unit]
        self.formation = [self.formations.index(unit.formation) for unit in file.unit]
        self.side = [self.formation_side[formation] for formation in self.formation]
        self.moves = [
            [Move(u, h, f"move {name} {grid.label(h)}") for h in range(grid.size)]
            for u, name in enumerate(self.names)
        ]
        self.shots = [
            [Fire(u, t, f"fire {name} {to}") for t, to in enumerate(self.names)]
            for u, name in enumerate(self.names)
        ]


class ToyPosition(Position):
    """What changes: hexes (-1 when dead), steps, steps taken; cup; who holds which hex (side + 1)."""

    COLUMNS = ("hex", "steps", "spent", "cup", "drawn")
    BYTES = ("control",)
    INTS = ("turn", "draws", "disrupted", "done")
    __slots__ = ("board", *COLUMNS, *BYTES, *INTS)
    board: Board
    hex: list[int]
    steps: list[int]
    spent: list[int]
    cup: list[int]
    drawn: list[int]
    control: bytearray
    turn: int
    draws: int
    disrupted: int
    done: int

    def __init__(self, board: Board) -> None:
        super().__init__(len(STREAMS))
        self.board = board
        units = board.file.unit
        self.hex = [board.grid.index(unit.hex) for unit in units]
        self.steps = [unit.steps for unit in units]
        self.spent = [0] * len(units)
        self.cup = [1] * len(board.formations) + [board.file.ends]
        self.drawn = [0] * len(self.cup)
        self.control = bytearray(board.grid.size)
        for unit, where in enumerate(self.hex):
            self.control[where] = board.side[unit] + 1
        self.turn, self.draws, self.disrupted, self.done = 1, 0, 0, 0
