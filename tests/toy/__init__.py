"""A rule system of a few lines, to test what stands on the core without any real rules.

Formations are drawn from a cup with End of Turn markers; the last of these ends the turn.  An
activated unit takes two steps, or shoots at what is within two hexes; whoever ends a step under
the eyes of an enemy may be shot at by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from itertools import chain
from typing import Any

import msgspec

from hexengine.core.errors import InvalidOrder, Refusal
from hexengine.core.events import Event
from hexengine.core.orders import Order
from hexengine.core.outlook import Outlook, Piece
from hexengine.core.scenario import Scenario
from hexengine.core.system import Report, register
from hexengine.hexes.grid import Grid, LabelError
from tests.toy.board import DRAW, END, PASS, Board, ToyFile, ToyPosition
from tests.toy.rules import RULES, WORDS, Cup, Operations, beaten

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
        moves = chain.from_iterable(pos.board.moves)
        return [DRAW, PASS, END, *moves, *chain.from_iterable(pos.board.shots)]

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
            "turn": min(pos.turn, board.file.turns),
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

    def view(self, pos: ToyPosition) -> Outlook:
        board, facts = pos.board, self.state(pos)
        pieces = [
            Piece(
                name,
                name,
                board.side[unit],
                "unit",
                board.formations[board.formation[unit]],
                pos.hex[unit],
                steps=pos.steps[unit],
                full=board.file.unit[unit].steps,
                states=(*facts["units"][name]["status"], *facts["units"][name]["markers"]),
            )
            for unit, name in enumerate(board.names)
        ]
        score = tuple(facts["score"].values())
        return Outlook(board.ground, facts["turn"], facts["phase"], pieces=tuple(pieces), score=score)

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
        remake=_remake,
    )


def _remake(text: str, name: str) -> Scenario:
    return scenario(name, text)


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
