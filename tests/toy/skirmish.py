"""A whole rule system in one short file: the example of docs/adding-a-system.md.

Two sides of riflemen take turns: a step to an adjacent empty hex, or a shot, which at up to three hexes needs
a die above the range.  A side without riflemen has lost; after so many turns the side with more of them wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from hexengine.core.dice import COMBAT, STREAMS, Dice
from hexengine.core.errors import InvalidOrder, Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.orders import Order, Usage
from hexengine.core.outlook import Ground, Outlook, Piece, SightLook
from hexengine.core.position import Position
from hexengine.core.system import Report, register
from hexengine.hexes import Chart, Grid, HexMap, LabelError, TerrainRow

RANGE = 3
RULES = {
    "K1": "the sides take turns, an order each",
    "K2": "a step leads to an adjacent empty hex",
    "K3": "a shot reaches three hexes and needs a die above the range",
    "K4": "the game ends with its turns, or with a side",
}
WORDS = {
    "not-yours": "{unit} is not on your side, or is gone",
    "not-adjacent": "{hex} is not next to {unit}",
    "taken": "somebody is in {hex}",
    "out-of-range": "{target} is no enemy within three hexes of {unit}",
    "move": "{unit} moves to {hex}",
    "hit": "{unit} hits {target}",
    "miss": "{unit} misses {target}",
    "over": "the game is over",
}


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


class Step(Order):
    """``move UNIT HEX``."""

    __slots__ = ("other", "text", "unit")
    verb = "move"

    def __init__(self, unit: int, other: int, text: str) -> None:
        self.unit, self.other, self.text = unit, other, text

    def __str__(self) -> str:
        return self.text


class Shot(Step):
    """``fire UNIT TARGET``."""

    __slots__ = ()
    verb = "fire"


class Board:
    """Tables of small ints, and one object for each order."""

    def __init__(self, file: SkirmishFile) -> None:
        self.file = file
        self.grid = grid = Grid(file.columns, file.rows)
        plain = HexMap(grid, Chart([TerrainRow("clear", {})], [], [], []), [0] * grid.size)
        self.ground = Ground(plain, sides=tuple(file.sides), turns=file.turns)
        self.ids = ids = [unit.id for unit in file.unit]
        self.side = [file.sides.index(unit.side) for unit in file.unit]
        self.moves = [[Step(u, h, f"move {ids[u]} {label}") for h, label in enumerate(grid.labels)]
                      for u in range(len(ids))]  # fmt: skip
        self.shots = [[Shot(u, t, f"fire {one} {other}") for t, other in enumerate(ids)]
                      for u, one in enumerate(ids)]  # fmt: skip


# -- 3. what changes ----------------------------------------------------------------------------------


class SkirmishPosition(Position):
    """``hex`` by unit (-1: gone); the turn."""

    COLUMNS = ("hex",)
    INTS = ("turn",)
    __slots__ = (*COLUMNS, *INTS)
    board: Board
    hex: list[int]
    turn: int

    def __init__(self, board: Board) -> None:
        super().__init__(board, len(STREAMS))
        self.hex = [board.grid.index(unit.hex) for unit in board.file.unit]
        self.turn = 1
        self.frames = [Turn(0)]

    def left(self, side: int) -> int:
        """How many of a side are left."""
        return sum(place >= 0 and self.board.side[unit] == side for unit, place in enumerate(self.hex))


# -- 4. decisions -------------------------------------------------------------------------------------


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
        every = [*pos.board.moves[actor], *pos.board.shots[actor]]
        return [order for order in every if self.check(pos, order) is None]

    def check(self, pos: SkirmishPosition, order: Order) -> Refusal | None:
        assert isinstance(order, Step)
        board, unit, other = pos.board, order.unit, order.other
        facts = {"unit": board.ids[unit]}
        if board.side[unit] != self.side or pos.hex[unit] < 0:
            return Refusal("K1", "not-yours", facts)
        if isinstance(order, Shot):
            there = pos.hex[other]
            if (
                board.side[other] == self.side
                or there < 0
                or board.grid.distance(pos.hex[unit], there) > RANGE
            ):
                return Refusal("K3", "out-of-range", {**facts, "target": board.ids[other]})
            return None
        facts["hex"] = board.grid.labels[other]
        if other not in board.grid.neighbours[pos.hex[unit]]:
            return Refusal("K2", "not-adjacent", facts)
        return Refusal("K2", "taken", facts) if other in pos.hex else None

    def play(self, pos: SkirmishPosition, order: Order, dice: Dice, emit: Emit) -> None:
        assert isinstance(order, Step)
        board, unit, other = pos.board, order.unit, order.other
        if isinstance(order, Shot):
            distance = board.grid.distance(pos.hex[unit], pos.hex[other])
            hit = dice.at_least(COMBAT, 1, distance + 1)
            if hit:
                pos.hex[other] = -1
            if emit:
                facts = {"unit": board.ids[unit], "target": board.ids[other]}
                emit(Event("K3", "hit" if hit else "miss", facts))
        else:
            pos.hex[unit] = other
            if emit:
                emit(Event("K2", "move", {"unit": board.ids[unit], "hex": board.grid.labels[other]}))
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


class Skirmish:
    """See hexengine.core.system.RuleSystem."""

    name, rules_version, scenario_type, rule_ids = "skirmish", 1, SkirmishFile, frozenset(RULES)
    data_types: Mapping[str, type[Any]] = {}

    def build(self, document: Any, data: Mapping[str, Any], report: Report) -> Board | None:
        grid, good = Grid(document.columns, document.rows), True
        for number, unit in enumerate(document.unit):
            if unit.side not in document.sides:
                report(("unit", number, "side"), f"there is no side {unit.side!r}")
                good = False
            try:
                grid.index(unit.hex)
            except LabelError as error:
                report(("unit", number, "hex"), str(error))
                good = False
        return Board(document) if good else None

    def start(self, board: Board) -> SkirmishPosition:
        return SkirmishPosition(board)

    def parse(self, board: Board, text: str) -> Order:
        match text.split():
            case ["move", one, label] if one in board.ids and label in board.grid.labels:
                return board.moves[board.ids.index(one)][board.grid.index(label)]
            case ["fire", one, other] if one in board.ids and other in board.ids:
                return board.shots[board.ids.index(one)][board.ids.index(other)]
        raise InvalidOrder(text, "no such order", "move UNIT HEX, or fire UNIT TARGET")

    def usage(self, board: Board) -> Mapping[str, Usage]:
        return {
            "move": Usage("move UNIT HEX", RULES["K2"], "K2"),
            "fire": Usage("fire UNIT TARGET", RULES["K3"], "K3"),
        }

    def describe(self, board: Board, refusal: Refusal) -> str:
        return WORDS[refusal.code].format(**refusal.facts)

    def narrate(self, board: Board, event: Event) -> str:
        return WORDS[event.code].format(**event.facts)

    def state(self, pos: SkirmishPosition) -> dict[str, Any]:
        board, sides = pos.board, pos.board.file.sides
        frame: Any = pos.frames[-1] if pos.frames else None
        left = [pos.left(0), pos.left(1)]
        winner = None if left[0] == left[1] else sides[left[1] > left[0]]
        result = {"winner": winner, "margin": abs(left[0] - left[1]), "reason": "points"}
        return {
            "turn": min(pos.turn, board.file.turns),
            "phase": "turn" if frame else "over",
            "active": None,
            "decision": {"side": sides[frame.side], "kind": "turn"} if frame else None,
            "units": {name: self._unit(pos, unit) for unit, name in enumerate(board.ids)},
            "hexes": {}, "cup": {}, "control": {},
            "score": dict(zip(sides, left, strict=True)),
            "result": None if frame else result,
        }  # fmt: skip

    def _unit(self, pos: SkirmishPosition, unit: int) -> dict[str, Any]:
        place = pos.hex[unit]
        return {
            "hex": pos.board.grid.labels[place] if place >= 0 else None, "steps": int(place >= 0),
            "status": [] if place >= 0 else ["eliminated"], "markers": [], "spent": 0, "carrier": None,
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
            yield from (*pos.board.moves[unit], *pos.board.shots[unit])

    def invariants(self, pos: SkirmishPosition) -> None:
        alive = [place for place in pos.hex if place >= 0]
        assert len(alive) == len(set(alive))


register(Skirmish())
