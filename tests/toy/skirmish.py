"""A whole rule system in one short file: the example of docs/adding-a-system.md, which shows all of it.

Two sides of riflemen take turns: a step to an adjacent empty hex, or a shot, which at up to three hexes needs
a die above the range.  A side without riflemen has lost; after so many turns the side with more of them wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import msgspec

from hexengine.core.dice import COMBAT, STREAMS, Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.formats import HexLabel, MapSection, Name, ScenarioHead
from hexengine.core.orders import Order
from hexengine.core.outlook import Outlook, Piece, SightLook
from hexengine.core.position import Position
from hexengine.core.rulebook import WordsFile
from hexengine.core.system import Report
from hexengine.hexes import Chart, TerrainRow
from hexengine.mechanics.maps import MapParts
from hexengine.mechanics.orders import TwoUnits, UnitPlace, readers
from hexengine.mechanics.outlook import printed
from hexengine.mechanics.reading import OrderReader
from hexengine.mechanics.state import decision, of_sides, true_of
from hexengine.mechanics.surveying import Surveyor
from hexengine.mechanics.system import BoardSystem
from hexengine.mechanics.wording import Wording, side_facts

RANGE = 3
RULES = {
    "K1": "the sides take turns, an order each",
    "K2": "a step leads to an adjacent empty hex that is no lake",
    "K3": "a shot reaches three hexes and needs a die above the range",
    "K4": "the game ends with its turns, or with a side",
}

# -- 1. files -----------------------------------------------------------------------------------------


class Rifleman(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``[[unit]]``."""

    id: Name
    side: Name
    hex: HexLabel


class SkirmishFile(ScenarioHead, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A scenario: what all begin with, and the riflemen."""

    system: Literal["skirmish"]
    unit: Annotated[list[Rifleman], msgspec.Meta(min_length=2)]


READ = ("orientation", "stagger", "terrain", "legend", "names")
UNUSED = {key: f"it reads {', '.join(READ)}" for key in MapSection.__struct_fields__ if key not in READ}


def build(document: SkirmishFile, data: Mapping[str, Any], report: Report) -> Board | None:
    """Check what a scenario means and compile it; None if a fault was reported."""
    checker, ids = Surveyor(document, data, report), [unit.id for unit in document.unit]
    checker.check_sides()
    checker.unique("unit", ids)
    parts = checker.survey(list(CHART.terrain_numbers), UNUSED)
    checker.orderable("unit", ids, OrderBook.USAGE, parts.grid.labels)
    taken: set[int | None] = set()
    for number, unit in enumerate(document.unit):
        checker.side(("unit", number, "side"), unit.side)
        path = ("unit", number, "hex")
        place = checker.located(path, unit.hex, parts.grid.index)
        if place is not None and (place in taken or parts.terrain[place] == "lake"):
            text, ground = f"{unit.hex} must be empty, and no lake", checker.ground([place])
            checker.report(path, text, rule="K2", rests_on=ground)
        taken.add(place)
    return None if checker.faults else Board(document, parts, checker.side_names())


# -- 2. the board: what does not change ---------------------------------------------------------------

CHART = Chart(
    terrains=[TerrainRow("clear", {"foot": 2}), TerrainRow("lake", {"foot": None})],
    sides=[],
    lines=[],
    classes=["foot"],
)


class Board:
    """Tables of small ints; the orders, the words and the first position."""

    def __init__(self, file: SkirmishFile, parts: MapParts, side_names: tuple[str, ...]) -> None:
        self.sides, self.side_names, self.turns = tuple(file.sides), side_names, file.turns
        self.map, self.names, self.grid = parts.hexmap(CHART), parts.names, parts.grid
        self.labels = parts.grid.labels
        self.steps = [{there for there, _ in steps} for steps in self.map.steps("foot")]
        self.ids = [unit.id for unit in file.unit]
        self.side = [file.sides.index(unit.side) for unit in file.unit]
        self.orders = OrderBook(self.ids, self.labels, self.grid.index)
        self.wording = Wording(WORDS, side_facts(self.sides, side_names))
        self.start = SkirmishPosition(self, [self.grid.index(unit.hex) for unit in file.unit])


# -- 3. the position: what changes --------------------------------------------------------------------


class SkirmishPosition(Position):
    """``hex`` by unit (-1: gone); the turn."""

    COLUMNS = ("hex",)
    INTS = ("turn",)
    __slots__ = ("board", *COLUMNS, *INTS)
    board: Board
    hex: list[int]
    turn: int

    def __init__(self, board: Board, places: list[int]) -> None:
        super().__init__(len(STREAMS))
        self.board, self.hex, self.turn = board, places, 1
        self.frames = [Turn(0)]

    def left(self, side: int) -> int:
        """How many of a side are left."""
        return sum(place >= 0 and self.board.side[unit] == side for unit, place in enumerate(self.hex))


# -- 4. orders ----------------------------------------------------------------------------------------


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


def every(board: Board, unit: int) -> Iterator[Order]:
    """All orders of a unit there can be, always in the same order."""
    once = board.orders.once
    yield from [once(Step, unit, place) for place in range(board.grid.size)]
    yield from [once(Shot, unit, other) for other in range(len(board.ids))]


# -- 5. frames: decisions and what happens ------------------------------------------------------------


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
        facts["hex"] = board.labels[order.place]
        if order.place not in board.steps[pos.hex[unit]]:
            return Refusal("K2", "no-step", facts)
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
                facts |= {"target": board.ids[order.other]}
                emit(Event("K3", "hit" if hit else "miss", {**facts, "faces": dice.faces}))
        else:
            pos.hex[unit] = order.place
            if emit:
                emit(Event("K2", "move", {**facts, "hex": board.labels[order.place]}))
        self.end(pos)

    def end(self, pos: SkirmishPosition) -> None:
        """The other side's turn; after the second side's the next game turn."""
        pos.frames[-1] = Turn(1 - self.side)
        pos.turn += self.side

    def advance(self, pos: SkirmishPosition, dice: Dice, emit: Emit) -> bool:
        """The end of the game; and a side that cannot do anything lets the other go on."""
        if pos.turn > pos.board.turns or not pos.left(0) or not pos.left(1):
            pos.frames.clear()
            if emit:
                emit(Event("K4", "over", {}))
            return True
        if self.actors(pos):
            return False
        self.end(pos)
        return True


# -- 6. what people see -------------------------------------------------------------------------------

WORDS = WordsFile(
    refusal={
        "not-yours": "{unit} is not on your side, or is gone",
        "no-step": "{unit} cannot step to {hex}: it is not adjacent, or a lake",
        "taken": "somebody is in {hex}",
        "out-of-range": "{target} is no enemy within three hexes of {unit}",
    },
    event={
        "move": "{unit} moves to {hex}",
        "hit": "{unit} rolls {faces} and hits {target}",
        "miss": "{unit} rolls {faces} and misses {target}",
        "over": "the game is over",
    },
    contribution={},
    value={"help": {"move": RULES["K2"], "fire": RULES["K3"]}},
)


def state(pos: SkirmishPosition) -> dict[str, Any]:
    """The position as plain JSON values."""
    board, left = pos.board, [pos.left(0), pos.left(1)]
    winner = None if left[0] == left[1] else board.sides[left[1] > left[0]]
    return {
        "turn": min(pos.turn, board.turns),
        "phase": "turn" if pos.frames else "over",
        "active": None,
        "decision": decision(pos),
        "units": {name: unit_state(pos, unit) for unit, name in enumerate(board.ids)},
        "hexes": {}, "cup": {}, "control": {},
        "score": of_sides(board, left),
        "result": None if pos.frames else {
            "winner": winner, "margin": abs(left[0] - left[1]), "reason": "points",
        },
    }  # fmt: skip


def unit_state(pos: SkirmishPosition, unit: int) -> dict[str, Any]:
    """One rifleman, who has a step as long as he is there."""
    place = pos.hex[unit]
    return {
        "hex": pos.board.labels[place] if place >= 0 else None, "steps": int(place >= 0),
        "status": true_of([("eliminated", place < 0)]), "markers": [], "spent": 0,
        "carrier": None, "passengers": [],
    }  # fmt: skip


def view(pos: SkirmishPosition) -> Outlook:
    """What a board shows."""
    facts, board = state(pos), pos.board
    able = pos.frames[-1].actors(pos) if pos.frames else []
    pieces = [
        Piece(name, name, board.side[unit], "infantry", hex=place, steps=int(place >= 0), ready=unit in able)
        for unit, (name, place) in enumerate(zip(board.ids, pos.hex, strict=True))
    ]
    score = tuple(facts["score"].values())
    return Outlook(printed(board), facts["turn"], facts["phase"], pieces=tuple(pieces), score=score)


# -- 7. the system ------------------------------------------------------------------------------------


class Skirmish(BoardSystem):
    """See hexengine.core.system.RuleSystem."""

    name, rules_version, scenario_type, rule_ids = "skirmish", 1, SkirmishFile, frozenset(RULES)
    data_types: Mapping[str, type[Any]] = {}
    build, state, view = staticmethod(build), staticmethod(state), staticmethod(view)

    def sight(self, pos: SkirmishPosition, a: int, b: int) -> SightLook:
        return SightLook(a, b, pos.board.grid.distance(a, b), True, "K3", (a, b) if a != b else (a,))

    def tactics(self, board: Board) -> Any:
        return None

    def candidates(self, pos: SkirmishPosition) -> Iterator[Order]:
        """For the conformance kit: every order there can be."""
        for unit in range(len(pos.board.ids)):
            yield from every(pos.board, unit)

    def invariants(self, pos: SkirmishPosition) -> None:
        """For the conformance kit: what must be true of every position."""
        alive = [place for place in pos.hex if place >= 0]
        assert len(alive) == len(set(alive))


SYSTEM = Skirmish()
