"""The toy's rules: what forbids an order, and the frames that ask for orders and carry them out."""

from __future__ import annotations

from typing import NamedTuple

from hexengine.core.dice import COMBAT, CUP, MORALE, Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Contribution, Emit, Event
from hexengine.core.frames import Actor
from hexengine.core.orders import Order
from tests.toy.board import DRAW, END, NOBODY, PASS, Draw, End, Fire, Move, Pair, Pass, ToyPosition

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
    "draw-first": "a marker must be drawn now",
    "no-decision": "that is not asked now",
    "not-active": "{unit} may not act",
    "disrupted": "{unit} is disrupted",
    "not-adjacent": "{unit} is not next to {hex}",
    "occupied": "{hex} is taken",
    "no-steps": "{unit} has no steps left",
    "no-target": "{unit} cannot shoot at {target}",
    "drawn": "{marker} is drawn",
    "turn-ends": "turn {turn} ends",
    "rally": "{unit} tries to rally: {good}",
    "step": "{unit} moves to {hex}",
    "shot": "{unit} shoots at {target}: {hits} hits, {saves} saved",
    "loss": "{unit} is down to {steps}",
    "morale": "{unit} tests its morale: {good}",
    "over": "the game is over",
}


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
    enemy = pos.hex[target] >= 0 and board.side[target] != board.side[unit]
    if enemy and board.grid.distance(pos.hex[unit], pos.hex[target]) <= 2:
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
        facts = {
            "unit": names[unit],
            "target": names[target],
            "hits": hits,
            "saves": saves,
            "dice": faces,
            "need": why,
        }
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

    @property
    def kind(self) -> str:
        return "draw"

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

    @property
    def kind(self) -> str:
        return "operations"

    def decider(self, pos: ToyPosition) -> int:
        return pos.board.formation_side[self.formation]

    def actors(self, pos: ToyPosition) -> list[Actor]:
        return [unit for unit in range(len(pos.hex)) if self.possible(pos, unit)] + [NOBODY]

    def possible(self, pos: ToyPosition, unit: int) -> list[Order]:
        if pos.board.formation[unit] != self.formation or cannot_act(pos, unit):
            return []
        moves: list[Order] = [
            order for order in pos.board.moves[unit] if not cannot_move(pos, unit, order.other)
        ]
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

    @property
    def kind(self) -> str:
        return "reaction"

    def decider(self, pos: ToyPosition) -> int:
        return 1 - pos.board.side[self.unit]

    def actors(self, pos: ToyPosition) -> list[Actor]:
        able = [
            u for u in range(len(pos.hex)) if not cannot_act(pos, u) and not cannot_fire(pos, u, self.unit)
        ]
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
