"""A whole rule system in one short file: the example of docs/adding-a-system.md.

Two sides of riflemen take turns: a step to an adjacent empty hex, or a shot, which at up to three hexes needs
a die above the range.  A side without riflemen has lost; after so many turns the side with more of them wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, NamedTuple

import msgspec

from hexengine.core.dice import COMBAT, STREAMS, Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.orders import Order
from hexengine.core.outlook import Ground, Outlook, Piece, SightLook
from hexengine.core.position import Position
from hexengine.core.rulebook import WordsFile
from hexengine.core.system import Report, register
from hexengine.hexes import Chart, Grid, HexMap, TerrainRow
from hexengine.mechanics.checking import Checker
from hexengine.mechanics.orders import TwoUnits, UnitPlace, readers
from hexengine.mechanics.reading import OrderReader
from hexengine.mechanics.state import decision, of_sides, true_of
from hexengine.mechanics.system import BoardSystem
from hexengine.mechanics.wording import Wording, side_facts

RANGE = 3
RULES = {
    "K1": "the sides take turns, an order each",
    "K2": "a step leads to an adjacent empty hex",
    "K3": "a shot reaches three hexes and needs a die above the range",
    "K4": "the game ends with its turns, or with a side",
}
WORDS = WordsFile(
    refusal={
        "not-yours": "{unit} is not on your side, or is gone",
        "not-adjacent": "{hex} is not next to {unit}",
        "taken": "somebody is in {hex}",
        "out-of-range": "{target} is no enemy within three hexes of {unit}",
    },
    event={
        "move": "{unit} moves to {hex}",
        "hit": "{unit} hits {target}",
        "miss": "{unit} misses {target}",
        "over": "the game is over",
    },
    contribution={},
    value={"help": {"move": RULES["K2"], "fire": RULES["K3"]}},
)


# -- 1. files -----------------------------------------------------------------------------------------


class Rifleman(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``[[unit]]``."""

    id: str
    side: str
    hex: str


class SkirmishFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A scenario."""

    format: int
    system: str
    title: str
    turns: int
    sides: list[str]
    columns: int
    rows: int
    unit: list[Rifleman]


# -- 2. what does not change --------------------------------------------------------------------------


class Step(UnitPlace):
    """``move UNIT HEX``."""

    __slots__ = ()
    verb = "move"


class Shot(TwoUnits):
    """``fire UNIT TARGET``."""

    __slots__ = ()
    verb = "fire"


class OrderBook(OrderReader):
    """One object for each order, by what it is made of or by its text."""

    USAGE: ClassVar = {"move": ("move UNIT HEX", "K2"), "fire": ("fire UNIT TARGET", "K3")}
    READERS: ClassVar = readers(Step, Shot)


class Board:
    """Tables of small ints; the orders, the words and the first position."""

    def __init__(self, file: SkirmishFile) -> None:
        self.file = file
        self.sides = tuple(file.sides)
        self.grid = grid = Grid(file.columns, file.rows)
        plain = HexMap(grid, Chart([TerrainRow("clear", {})], [], [], []), [0] * grid.size)
        self.ground = Ground(plain, sides=self.sides, turns=file.turns)
        self.ids = [unit.id for unit in file.unit]
        self.side = [file.sides.index(unit.side) for unit in file.unit]
        self.orders = OrderBook(self.ids, grid.labels, grid.index)
        self.wording = Wording(WORDS, side_facts(self.sides, self.sides))
        self.start = SkirmishPosition(self)


# -- 3. what changes ----------------------------------------------------------------------------------


class SkirmishPosition(Position):
    """``hex`` by unit (-1: gone); the turn."""

    COLUMNS = ("hex",)
    INTS = ("turn",)
    __slots__ = ("board", *COLUMNS, *INTS)
    board: Board
    hex: list[int]
    turn: int

    def __init__(self, board: Board) -> None:
        super().__init__(len(STREAMS))
        self.board, self.turn = board, 1
        self.hex = [board.grid.index(unit.hex) for unit in board.file.unit]
        self.frames = [Turn(0)]

    def left(self, side: int) -> int:
        """How many of a side are left."""
        return sum(place >= 0 and self.board.side[unit] == side for unit, place in enumerate(self.hex))


# -- 4. decisions -------------------------------------------------------------------------------------


def every(board: Board, unit: int) -> Iterator[Order]:
    """All orders of a unit there can be."""
    once = board.orders.once
    yield from [once(Step, unit, place) for place in range(board.grid.size)]
    yield from [once(Shot, unit, other) for other in range(len(board.ids))]


class Turn(NamedTuple):
    """A side's turn to give one order."""

    side: int

    @property
    def kind(self) -> str:
        return "turn"

    def decider(self, pos: SkirmishPosition) -> int:
        return self.side

    def actors(self, pos: SkirmishPosition) -> list[int]:
        mine = [unit for unit, side in enumerate(pos.board.side) if side == self.side]
        return [unit for unit in mine if pos.hex[unit] >= 0 and self.orders(pos, unit)]

    def orders(self, pos: SkirmishPosition, actor: int) -> list[Order]:
        return [order for order in every(pos.board, actor) if self.check(pos, order) is None]

    def check(self, pos: SkirmishPosition, order: Order) -> Refusal | None:
        assert isinstance(order, Step | Shot)
        board, unit = pos.board, order.unit
        facts = {"unit": board.ids[unit]}
        if board.side[unit] != self.side or pos.hex[unit] < 0:
            return Refusal("K1", "not-yours", facts)
        if isinstance(order, Shot):
            there = pos.hex[order.other]
            enemy = board.side[order.other] != self.side and there >= 0
            if enemy and board.grid.distance(pos.hex[unit], there) <= RANGE:
                return None
            return Refusal("K3", "out-of-range", {**facts, "target": board.ids[order.other]})
        facts["hex"] = board.grid.labels[order.place]
        if order.place not in board.grid.neighbours[pos.hex[unit]]:
            return Refusal("K2", "not-adjacent", facts)
        return Refusal("K2", "taken", facts) if order.place in pos.hex else None

    def play(self, pos: SkirmishPosition, order: Order, dice: Dice, emit: Emit) -> None:
        assert isinstance(order, Step | Shot)
        board, unit = pos.board, order.unit
        facts = {"unit": board.ids[unit]}
        if isinstance(order, Shot):
            distance = board.grid.distance(pos.hex[unit], pos.hex[order.other])
            hit = dice.at_least(COMBAT, 1, distance + 1)
            if hit:
                pos.hex[order.other] = -1
            if emit:
                emit(Event("K3", "hit" if hit else "miss", {**facts, "target": board.ids[order.other]}))
        else:
            pos.hex[unit] = order.place
            if emit:
                emit(Event("K2", "move", {**facts, "hex": board.grid.labels[order.place]}))
        pos.frames[-1] = Turn(1 - self.side)
        pos.turn += self.side

    def advance(self, pos: SkirmishPosition, dice: Dice, emit: Emit) -> bool:
        """The end of the game; and a side that cannot do anything lets the other go on."""
        if pos.turn > pos.board.file.turns or not pos.left(0) or not pos.left(1):
            pos.frames.clear()
            if emit:
                emit(Event("K4", "over", {}))
            return True
        if self.actors(pos):
            return False
        pos.frames[-1] = Turn(1 - self.side)
        pos.turn += self.side
        return True


# -- 5. the system ------------------------------------------------------------------------------------


class Skirmish(BoardSystem):
    """See hexengine.core.system.RuleSystem."""

    name, rules_version, scenario_type, rule_ids = "skirmish", 1, SkirmishFile, frozenset(RULES)
    data_types: Mapping[str, type[Any]] = {}

    def build(self, document: Any, data: Mapping[str, Any], report: Report) -> Board | None:
        grid, checker = Grid(document.columns, document.rows), Checker(document, data, report)
        for number, unit in enumerate(document.unit):
            checker.side(("unit", number, "side"), unit.side)
            checker.located(("unit", number, "hex"), unit.hex, grid.index)
        return None if checker.faults else Board(document)

    def state(self, pos: SkirmishPosition) -> dict[str, Any]:
        board, sides = pos.board, pos.board.sides
        left = [pos.left(0), pos.left(1)]
        winner = None if left[0] == left[1] else sides[left[1] > left[0]]
        result = {"winner": winner, "margin": abs(left[0] - left[1]), "reason": "points"}
        return {
            "turn": min(pos.turn, board.file.turns),
            "phase": "turn" if pos.frames else "over",
            "active": None,
            "decision": decision(pos),
            "units": {name: self._unit(pos, unit) for unit, name in enumerate(board.ids)},
            "hexes": {}, "cup": {}, "control": {},
            "score": of_sides(board, left),
            "result": None if pos.frames else result,
        }  # fmt: skip

    def _unit(self, pos: SkirmishPosition, unit: int) -> dict[str, Any]:
        place = pos.hex[unit]
        return {
            "hex": pos.board.grid.labels[place] if place >= 0 else None, "steps": int(place >= 0),
            "status": true_of([("eliminated", place < 0)]), "markers": [], "spent": 0, "carrier": None,
            "passengers": [],
        }  # fmt: skip

    def view(self, pos: SkirmishPosition) -> Outlook:
        facts, board = self.state(pos), pos.board
        pieces = [
            Piece(name, name, board.side[unit], "infantry", hex=pos.hex[unit], ready=pos.hex[unit] >= 0)
            for unit, name in enumerate(board.ids)
        ]
        score = tuple(facts["score"].values())
        return Outlook(board.ground, facts["turn"], facts["phase"], pieces=tuple(pieces), score=score)

    def sight(self, pos: SkirmishPosition, a: int, b: int) -> SightLook:
        return SightLook(a, b, pos.board.grid.distance(a, b), True, "K3", (a, b) if a != b else (a,))

    def tactics(self, board: Board) -> Any:
        return None

    def candidates(self, pos: SkirmishPosition) -> Iterator[Order]:
        """For the kit: every order there can be."""
        for unit in range(len(pos.board.ids)):
            yield from every(pos.board, unit)

    def invariants(self, pos: SkirmishPosition) -> None:
        alive = [place for place in pos.hex if place >= 0]
        assert len(alive) == len(set(alive))


register(Skirmish())
