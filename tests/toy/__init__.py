"""A rule system of a few lines, to test what stands on the core without any real rules.

Formations are drawn from a cup with End of Turn markers; the last of these ends the turn. An
activated unit takes two steps, or shoots at what is
within two hexes; whoever ends a step under the eyes of an enemy may be shot at by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any, ClassVar, NamedTuple

import msgspec

from hexengine.core.dice import COMBAT, CUP, MORALE, STREAMS, Dice
from hexengine.core.errors import InvalidOrder, Refusal
from hexengine.core.events import Contribution, Emit, Event
from hexengine.core.frames import Actor
from hexengine.core.orders import Order
from hexengine.core.position import Position
from hexengine.core.scenario import Scenario
from hexengine.core.system import Report, register
from hexengine.hexes.grid import Grid, LabelError

TEXT = """\
format = 1
system = "toy"
title = "Two against two"
turns = 2
sides = ["red", "blue"]
columns = 4
rows = 3
ends = 2
formation = [{ id = "reds", side = "red" }, { id = "blues", side = "blue" }]
unit = [
    { id = "r1", formation = "reds", hex = "0101" }, { id = "r2", formation = "reds", hex = "0202" },
    { id = "b1", formation = "blues", hex = "0401" }, { id = "b2", formation = "blues", hex = "0403" },
]
"""
RULES = {
    "T1.1": "whoever's turn it is draws a marker from the cup",
    "T1.2": "the last End of Turn marker ends the turn",
    "T1.3": "a drawn formation rallies, then acts",
    "T2.1": "only units of the active formation act, until they are done",
    "T2.2": "a step leads to an adjacent, empty hex",
    "T2.3": "a unit takes two steps an activation",
    "T2.4": "disrupted units do nothing",
    "T3.1": "a shot is at an enemy within two hexes, hits are saved with dice",
    "T3.2": "a unit that loses a step tests its morale",
    "T4.1": "a step in range of an enemy that is not done may be answered by a shot",
    "T5.1": "the game ends with the turns, or with one side",
}
WORDS = {
    "draw-first": "a marker must be drawn now", "no-decision": "that is not asked now", "not-active": "{unit} may not act",
    "disrupted": "{unit} is disrupted", "not-adjacent": "{unit} is not next to {hex}", "occupied": "{hex} is taken",
    "no-steps": "{unit} has no steps left", "no-target": "{unit} cannot shoot at {target}",
    "drawn": "{marker} is drawn", "turn-ends": "turn {turn} ends", "rally": "{unit} tries to rally: {good}",
    "step": "{unit} moves to {hex}", "shot": "{unit} shoots at {target}: {hits} hits, {saves} saved",
    "loss": "{unit} is down to {steps}", "morale": "{unit} tests its morale: {good}", "over": "the game is over",
}  # fmt: skip


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


class Verb(Order):
    """An order without names."""

    __slots__ = ()


class Draw(Verb):
    __slots__ = ()
    verb = "draw"


class Pass(Verb):
    __slots__ = ()
    verb = "pass"


class End(Verb):
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
        self.formations = [formation.id for formation in file.formation]
        self.markers = (*self.formations, "eot")
        self.formation_side = [file.sides.index(formation.side) for formation in file.formation]
        self.names = [unit.id for unit in file.unit]
        self.formation = [self.formations.index(unit.formation) for unit in file.unit]
        self.side = [self.formation_side[formation] for formation in self.formation]
        self.moves = [[Move(u, h, f"move {name} {grid.label(h)}") for h in range(grid.size)] for u, name in enumerate(self.names)]
        self.shots = [[Fire(u, t, f"fire {name} {to}") for t, to in enumerate(self.names)] for u, name in enumerate(self.names)]


class ToyPosition(Position):
    """What changes: hexes (-1 when dead), steps, steps taken; cup; who holds which hex (side + 1)."""

    COLUMNS = ("hex", "steps", "spent", "cup", "drawn")
    BYTES = ("control",)
    INTS = ("turn", "draws", "disrupted", "done")
    __slots__ = (*COLUMNS, *BYTES, *INTS)
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
        super().__init__(board, len(STREAMS))
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


def beaten(pos: ToyPosition) -> int:
    """The side that has lost all its units, or -1."""
    for side in range(len(pos.board.file.sides)):
        units = [unit for unit, of in enumerate(pos.board.side) if of == side]
        if units and all(pos.hex[unit] < 0 for unit in units):
            return side
    return -1


def cannot_act(pos: ToyPosition, unit: int) -> Refusal | None:
    name = {"unit": pos.board.names[unit]}
    if pos.hex[unit] < 0 or pos.done >> unit & 1:
        return Refusal("T2.1", "not-active", name)
    return Refusal("T2.4", "disrupted", name) if pos.disrupted >> unit & 1 else None


def cannot_move(pos: ToyPosition, unit: int, to: int) -> Refusal | None:
    facts = {"unit": pos.board.names[unit], "hex": pos.board.grid.label(to)}
    if pos.spent[unit] >= 2:
        return Refusal("T2.3", "no-steps", facts)
    if to not in pos.board.grid.neighbours[pos.hex[unit]]:
        return Refusal("T2.2", "not-adjacent", facts)
    return Refusal("T2.2", "occupied", facts) if to in pos.hex else None


def cannot_fire(pos: ToyPosition, unit: int, target: int) -> Refusal | None:
    board = pos.board
    if pos.hex[target] >= 0 and board.side[target] != board.side[unit]:
        if board.grid.distance(pos.hex[unit], pos.hex[target]) <= 2:
            return None
    return Refusal("T3.1", "no-target", {"unit": board.names[unit], "target": board.names[target]})


def fire(pos: ToyPosition, unit: int, target: int, dice: Dice, emit: Emit) -> bool:
    """Whether the target loses a step (T3.1, T3.2)."""
    names = pos.board.names
    pos.done |= 1 << unit
    far = pos.board.grid.distance(pos.hex[unit], pos.hex[target]) - 1
    hits = dice.at_least(COMBAT, 2, 4 + far)
    faces = dice.faces
    saves = dice.at_least(COMBAT, 1, 5) if hits else 0
    if emit:
        why = [Contribution("T3.1", "printed", 4), Contribution("T3.1", "range", far)]
        facts = {"unit": names[unit], "target": names[target], "hits": hits, "saves": saves, "dice": faces, "need": why}
        emit(Event("T3.1", "shot", facts))
    if hits <= saves:
        return False
    pos.steps[target] -= 1
    if emit:
        emit(Event("T3.1", "loss", {"unit": names[target], "steps": pos.steps[target]}))
    if not pos.steps[target]:
        pos.hex[target] = -1
        pos.disrupted &= ~(1 << target)
        return True
    good = dice.within(MORALE, 2, 7)
    if not good:
        pos.disrupted |= 1 << target
    if emit:
        emit(Event("T3.2", "morale", {"unit": names[target], "good": good, "dice": dice.faces}))
    return True


class Cup(NamedTuple):
    """A marker must be drawn; ``number`` counts the draws of the turn."""

    number: int
    kind: ClassVar[str] = "draw"

    def decider(self, pos: ToyPosition) -> int:
        return pos.draws

    def actors(self, pos: ToyPosition) -> list[Actor]:
        return [NOBODY]

    def orders(self, pos: ToyPosition, actor: Actor) -> list[Order]:
        return [DRAW]

    def check(self, pos: ToyPosition, order: Order) -> Refusal | None:
        return None if isinstance(order, Draw) else Refusal("T1.1", "draw-first", {}, DRAW)

    def play(self, pos: ToyPosition, order: Order, dice: Dice, emit: Emit) -> None:
        board = pos.board
        marker = dice.draw(CUP, pos.cup, board.markers)
        pos.cup[marker] -= 1
        pos.drawn[marker] += 1
        pos.draws = (pos.draws + 1) % len(board.file.sides)
        pos.frames[-1] = Cup(self.number + 1)
        if emit:
            emit(Event("T1.1", "drawn", {"marker": board.markers[marker]}))
        if marker < len(board.formations):
            self.rally(pos, marker, dice, emit)
            pos.frames.append(Operations(marker))
        elif not pos.cup[marker]:
            if emit:
                emit(Event("T1.2", "turn-ends", {"turn": pos.turn}))
            pos.turn += 1
            pos.cup = [here + out for here, out in zip(pos.cup, pos.drawn, strict=True)]
            pos.drawn = [0] * len(pos.cup)
            pos.done = 0
            pos.frames[-1] = Cup(0)

    def rally(self, pos: ToyPosition, formation: int, dice: Dice, emit: Emit) -> None:
        for unit, of in enumerate(pos.board.formation):
            if of == formation:
                pos.spent[unit] = 0
                if pos.disrupted >> unit & 1:
                    good = dice.even(MORALE)
                    pos.disrupted ^= good << unit
                    if emit:
                        emit(Event("T1.3", "rally", {"unit": pos.board.names[unit], "good": good}))

    def advance(self, pos: ToyPosition, dice: Dice, emit: Emit) -> bool:
        if pos.turn <= pos.board.file.turns and beaten(pos) < 0:
            return False
        pos.frames.clear()
        if emit:
            emit(Event("T5.1", "over", {}))
        return True


class Operations(NamedTuple):
    """A formation acts."""

    formation: int
    kind: ClassVar[str] = "operations"

    def decider(self, pos: ToyPosition) -> int:
        return pos.board.formation_side[self.formation]

    def actors(self, pos: ToyPosition) -> list[Actor]:
        return [unit for unit in range(len(pos.hex)) if self.possible(pos, unit)] + [NOBODY]

    def possible(self, pos: ToyPosition, unit: int) -> list[Order]:
        if pos.board.formation[unit] != self.formation or cannot_act(pos, unit):
            return []
        moves: list[Order] = [order for order in pos.board.moves[unit] if not cannot_move(pos, unit, order.other)]
        return moves + [order for order in pos.board.shots[unit] if not cannot_fire(pos, unit, order.other)]

    def orders(self, pos: ToyPosition, actor: Actor) -> list[Order]:
        return [END] if actor == NOBODY else self.possible(pos, actor)

    def check(self, pos: ToyPosition, order: Order) -> Refusal | None:
        if isinstance(order, End):
            return None
        if not isinstance(order, Pair):
            return Refusal("T2.1", "no-decision", {}, END)
        if pos.board.formation[order.unit] != self.formation:
            refusal: Refusal | None = Refusal("T2.1", "not-active", {"unit": pos.board.names[order.unit]})
        else:
            refusal = cannot_act(pos, order.unit)
        if refusal is None:
            judge = cannot_move if isinstance(order, Move) else cannot_fire
            refusal = judge(pos, order.unit, order.other)
        if refusal is None:
            return None
        same = [other for other in self.possible(pos, order.unit) if type(other) is type(order)]
        return refusal._replace(alternative=same[0]) if same else refusal

    def play(self, pos: ToyPosition, order: Order, dice: Dice, emit: Emit) -> None:
        if isinstance(order, Move):
            pos.hex[order.unit] = order.other
            pos.spent[order.unit] += 1
            pos.control[order.other] = self.decider(pos) + 1
            pos.frames.append(Reaction(order.unit))
            if emit:
                facts = {"unit": pos.board.names[order.unit], "hex": pos.board.grid.label(order.other)}
                emit(Event("T2.2", "step", facts))
        elif isinstance(order, Fire):
            fire(pos, order.unit, order.other, dice, emit)
        else:
            pos.frames.pop()

    def advance(self, pos: ToyPosition, dice: Dice, emit: Emit) -> bool:
        if beaten(pos) < 0 and len(self.actors(pos)) > 1:
            return False
        pos.frames.pop()
        return True


class Reaction(NamedTuple):
    """The other side may shoot at a unit that has taken a step."""

    unit: int
    kind: ClassVar[str] = "reaction"

    def decider(self, pos: ToyPosition) -> int:
        return 1 - pos.board.side[self.unit]

    def actors(self, pos: ToyPosition) -> list[Actor]:
        able = [u for u in range(len(pos.hex)) if not cannot_act(pos, u) and not cannot_fire(pos, u, self.unit)]
        return [*able, NOBODY]

    def orders(self, pos: ToyPosition, actor: Actor) -> list[Order]:
        return [PASS] if actor == NOBODY else [pos.board.shots[actor][self.unit]]

    def check(self, pos: ToyPosition, order: Order) -> Refusal | None:
        if isinstance(order, Pass):
            return None
        if not isinstance(order, Fire) or order.other != self.unit:
            return Refusal("T4.1", "no-decision", {}, PASS)
        refusal = cannot_act(pos, order.unit) or cannot_fire(pos, order.unit, self.unit)
        return refusal._replace(alternative=self.orders(pos, self.actors(pos)[0])[0]) if refusal else None

    def play(self, pos: ToyPosition, order: Order, dice: Dice, emit: Emit) -> None:
        pos.frames.pop()
        if isinstance(order, Fire) and fire(pos, order.unit, self.unit, dice, emit):
            pos.done |= 1 << self.unit

    def advance(self, pos: ToyPosition, dice: Dice, emit: Emit) -> bool:
        if len(self.actors(pos)) > 1:
            return False
        pos.frames.pop()
        return True


class Toy:
    """The system."""

    name = "toy"
    rules_version = 1
    scenario_type = ToyFile
    data_types: Mapping[str, type[Any]] = {}
    rule_ids = frozenset(RULES)

    def build(self, document: Any, data: Mapping[str, Any], report: Report) -> Board | None:
        grid = Grid(document.columns, document.rows)
        good = True
        for number, unit in enumerate(document.unit):
            try:
                grid.index(unit.hex)
            except LabelError as error:
                report(("unit", number, "hex"), str(error), rule="T2.2")
                good = False
            if unit.formation not in [formation.id for formation in document.formation]:
                report(("unit", number, "formation"), f"no formation is called {unit.formation!r}")
                good = False
        return Board(document) if good else None

    def start(self, board: Board) -> ToyPosition:
        pos = ToyPosition(board)
        pos.frames.append(Cup(0))
        return pos

    def parse(self, board: Board, text: str) -> Order:
        match text.split():
            case ["draw"]:
                return DRAW
            case ["pass"]:
                return PASS
            case ["end"]:
                return END
            case ["move" | "fire" as verb, name, other] if name in board.names:
                unit = board.names.index(name)
                if verb == "fire" and other in board.names:
                    return board.shots[unit][board.names.index(other)]
                if verb == "move" and other in board.grid.labels:
                    return board.moves[unit][board.grid.index(other)]
        raise InvalidOrder(text, "no such order", "draw, move UNIT HEX, fire UNIT TARGET, pass or end")

    def candidates(self, pos: ToyPosition) -> list[Order]:
        """Every order there can be at all."""
        pairs = [order for row in (*pos.board.moves, *pos.board.shots) for order in row]
        return [DRAW, PASS, END, *pairs]

    def invariants(self, pos: ToyPosition) -> None:
        """Raise AssertionError where the position cannot be."""
        alive = [where for where in pos.hex if where >= 0]
        assert len(alive) == len(set(alive)), f"two units in one hex: {pos.hex}"
        for unit, where in enumerate(pos.hex):
            assert (where >= 0) == (pos.steps[unit] > 0), f"{pos.board.names[unit]} is neither alive nor dead"
        total = [here + out for here, out in zip(pos.cup, pos.drawn, strict=True)]
        assert total == [1] * len(pos.board.formations) + [pos.board.file.ends], f"a marker is lost: {total}"

    def state(self, pos: ToyPosition) -> dict[str, Any]:
        board, sides = pos.board, pos.board.file.sides
        frame: Any = pos.frames[-1] if pos.frames else None
        acting = [frame.formation for frame in pos.frames if isinstance(frame, Operations)]
        held = [pos.control.count(side + 1) for side in range(len(sides))]
        score = dict(zip(sides, held, strict=True))
        result = None
        if frame is None:
            best = [side for side in sides if score[side] == max(held)]
            lost = beaten(pos)
            winner = sides[1 - lost] if lost >= 0 else best[0] if len(best) == 1 else None
            reason = "eliminated" if lost >= 0 else "turns"
            result = {"winner": winner, "margin": max(held) - min(held), "reason": reason}
        return {
            "turn": pos.turn,
            "phase": frame.kind if frame else "over",
            "active": board.formations[acting[-1]] if acting else None,
            "decision": {"side": sides[frame.decider(pos)], "kind": frame.kind} if frame else None,
            "units": {name: self._unit(pos, unit) for unit, name in enumerate(board.names)},
            "hexes": {},
            "cup": {
                "in": {name: n for name, n in zip(board.markers, pos.cup, strict=True) if n},
                "drawn": {name: n for name, n in zip(board.markers, pos.drawn, strict=True) if n},
                "held": [],
                "waiting": [],
                "draws": sides[pos.draws],
            },
            "control": {board.grid.label(h): sides[side - 1] for h, side in enumerate(pos.control) if side},
            "score": score,
            "result": result,
        }

    def _unit(self, pos: ToyPosition, unit: int) -> dict[str, Any]:
        where = pos.hex[unit]
        status = ["eliminated"] if where < 0 else ["disrupted"] if pos.disrupted >> unit & 1 else []
        return {
            "hex": pos.board.grid.label(where) if where >= 0 else None,
            "steps": pos.steps[unit],
            "status": status,
            "markers": ["ops-complete"] if pos.done >> unit & 1 else [],
            "spent": 2 * pos.spent[unit],
            "carrier": None,
            "passengers": [],
        }

    def describe(self, board: Board, refusal: Refusal) -> str:
        return WORDS[refusal.code].format(**refusal.facts)

    def narrate(self, board: Board, event: Event) -> str:
        return WORDS[event.code].format(**event.facts)

    def view(self, pos: ToyPosition) -> Any:
        return self.state(pos)

    def tactics(self, board: Board) -> Any:
        return None


SYSTEM = Toy()
register(SYSTEM)


def scenario(name: str = "toy", text: str = TEXT) -> Scenario:
    """A toy scenario, built from its text and never from a file."""
    file = msgspec.toml.decode(text, type=ToyFile)

    def report(path: Sequence[str | int], text: str, suggestion: str | None = None, **place: Any) -> None:
        raise AssertionError(f"{name}: {path}: {text}")

    return Scenario(
        name=name,
        title=file.title,
        system=SYSTEM.name,
        turns=file.turns,
        sides=tuple(file.sides),
        source=text,
        path=None,
        shipped=False,
        tiny=True,
        digest=blake2b(text.encode(), digest_size=8).hexdigest(),
        board=SYSTEM.build(file, {}, report),
    )


def cup(formations: int, ends: int = 2) -> Scenario:
    """One turn of drawing alone: that many formations without units."""
    rows = ", ".join(f'{{ id = "f{number}", side = "red" }}' for number in range(formations))
    text = f"""\
format = 1
system = "toy"
title = "A cup"
turns = 1
sides = ["red", "blue"]
columns = 1
rows = 1
ends = {ends}
formation = [{rows}]
"""
    return scenario(f"cup-{formations}", text)
