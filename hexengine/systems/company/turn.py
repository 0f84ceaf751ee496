"""The turn (C10): a side's Starting, Movement, Shooting and Assault Steps, one after the other."""

from __future__ import annotations

from typing import Any, NamedTuple

from hexengine.core.dice import MORALE, Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.frames import Actor, Automatic
from hexengine.core.orders import Order
from hexengine.mechanics.masks import units
from hexengine.mechanics.masks import units as hexes
from hexengine.systems.company import morale, victory
from hexengine.systems.company.assaults.assault import AssaultStep
from hexengine.systems.company.firing.shooting import Shooting
from hexengine.systems.company.moving.digging import Regain
from hexengine.systems.company.moving.movement import Movement, entries
from hexengine.systems.company.moving.walking import contact_at, mark_cleared
from hexengine.systems.company.orders import DONE, Done, Reveal
from hexengine.systems.company.position import CompanyPosition, put

STARTING, ARRIVING, MOVED, SHOT, ASSAULTED, ENDED = range(6)
"""What comes next, or is over, when the turn's own frame is on top."""
ENDING: Actor = -1


class _TurnFields(NamedTuple):
    side: int
    stage: int


class Turn(Automatic, _TurnFields):
    """The frame at the bottom: a side's turn; the frames of its steps lie on it while they last."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        """Nobody decides here."""
        return "turn"

    def decider(self, pos: CompanyPosition) -> int:
        """The side whose turn it is."""
        return self.side

    def check(self, pos: CompanyPosition, order: Order) -> Refusal | None:
        """Nothing is legal between the steps."""
        return Refusal("C10.1", "wrong-step", {"order": str(order)})

    def advance(self, pos: CompanyPosition, dice: Dice, emit: Emit) -> bool:
        """On to the next step."""
        match self.stage:
            case 0:
                self._start(pos, dice, emit)
            case 1:
                self._arrive(pos, dice, emit)
            case 2:
                morale.mark_strays(pos, self.side)
                self._next(pos, SHOT, Shooting(self.side), emit)
            case 3:
                morale.platoon_morale(pos, dice, emit)
                if not victory.annihilated(pos, emit):
                    self._next(pos, ASSAULTED, AssaultStep(self.side), emit)
            case 4:
                pos.frames[-1] = Turn(self.side, ENDED)
                pos.frames.append(Regain(1 - self.side))
            case _:
                self._end(pos, dice, emit)
        return True

    def _next(self, pos: CompanyPosition, stage: int, frame: Any, emit: Emit) -> None:
        """A new step begins: what holds for one step only is over (C7.4, C8.6, C11.2)."""
        pos.blockers = pos.turned = pos.touched = 0
        pos.struck = [0] * len(pos.board.platoons)
        pos.bled = 0
        mark_cleared(pos)
        if emit:
            emit(Event("C10.1", "step-begins", {"side": pos.board.sides[self.side], "step": frame.kind}))
        pos.frames[-1] = Turn(self.side, stage)
        pos.frames.append(frame)

    def _start(self, pos: CompanyPosition, dice: Dice, emit: Emit) -> None:
        """C10.2, the first half: marks (C2.11) of the side's last turn go, morale, victory; then ambushes."""
        board, side = pos.board, self.side
        keep = ~board.side_units[side]
        pos.moved &= keep
        pos.doubled &= keep
        pos.tried &= keep
        pos.shot &= keep
        pos.full &= keep
        pos.charged &= ~board.side_platoons[side]
        pos.flights[side] = 0
        if emit:
            emit(Event("C10.1", "turn-begins", {"side": board.sides[side], "turn": pos.turn}))
        pos.bled = 0
        morale.lone_infantry(pos, side, dice, emit)
        if victory.annihilated(pos, emit):
            return
        if morale.company_broken(pos, side, dice, emit):
            victory.finish(pos, "company-morale", 1 - side, emit)
            return
        if victory.at_start(pos, side, emit):
            return
        pos.frames[-1] = Turn(side, ARRIVING)
        if pos.hiding & board.side_units[side]:
            pos.frames.append(Ambush(side))

    def _arrive(self, pos: CompanyPosition, dice: Dice, emit: Emit) -> None:
        """C10.2, the second half: aircraft, reserves, rallying, crews, bogged vehicles, smoke; then
        movement.
        """
        board, side = pos.board, self.side
        self._aircraft(pos, dice, emit)
        self._reserves(pos, dice, emit)
        morale.rally(pos, side, dice, emit)
        for unit in units(pos.bailed & board.side_units[side]):
            if morale.motivated(pos, board.platoon[unit], "C10.2", dice, emit, 1 << unit):
                pos.bailed &= ~(1 << unit)
        for unit in units(pos.bogged & board.side_units[side] & ~pos.bailed):
            freed = bool(dice.at_least(MORALE, 1, board.skill[unit]))
            if freed:
                pos.bogged &= ~(1 << unit)
            if emit:
                facts = {"unit": board.ids[unit], "need": board.skill[unit], "faces": dice.faces}
                emit(Event("C10.2", "freed" if freed else "stays-bogged", facts))
        if side:
            pos.smoke_1 = 0
        else:
            pos.smoke_0 = 0
        self._next(pos, MOVED, Movement(side), emit)

    def _aircraft(self, pos: CompanyPosition, dice: Dice, emit: Emit) -> None:
        """C13.7: a die for each turn's call, as long as calls are left."""
        flights = pos.board.flights[self.side]
        if flights is None or not pos.calls[self.side]:
            return
        pos.calls[self.side] -= 1
        pos.flights[self.side] = dice.at_least(MORALE, 1, flights.need)
        if emit:
            facts = {"side": pos.board.sides[self.side], "need": flights.need, "faces": dice.faces}
            emit(Event("C13.7", "aircraft-come" if pos.flights[self.side] else "aircraft-stay", facts))

    def _reserves(self, pos: CompanyPosition, dice: Dice, emit: Emit) -> None:
        """C10.2: as many dice as the turn has; one that reaches the number brings the next platoon."""
        board = pos.board
        held = pos.waiting & board.side_units[self.side]
        if not held:
            return
        need = board.numbers.reserves
        if not dice.at_least(MORALE, pos.turn, need):
            if emit:
                emit(Event("C10.2", "no-reserves", {"side": board.sides[self.side], "faces": dice.faces}))
            return
        platoon = board.platoon[units(held)[0]]
        released = held & board.members[platoon]
        pos.waiting &= ~released
        pos.due |= released
        if emit:
            emit(Event("C10.2", "reserves", {"platoon": board.platoons[platoon].id, "faces": dice.faces}))

    def _end(self, pos: CompanyPosition, dice: Dice, emit: Emit) -> None:
        morale.platoon_morale(pos, dice, emit)
        if victory.annihilated(pos, emit):
            return
        if self.side == 1:
            if pos.turn >= pos.board.turns:
                victory.by_points(pos, emit)
                return
            pos.turn += 1
        pos.frames[-1] = Turn(1 - self.side, STARTING)


class Ambush(NamedTuple):
    """Teams in ambush may show themselves, one after another; ``done`` (C10.2)."""

    side: int

    @property
    def kind(self) -> str:
        """The kind of the decision."""
        return "ambush"

    def decider(self, pos: CompanyPosition) -> int:
        """The side whose turn it is."""
        return self.side

    def places(self, pos: CompanyPosition, unit: int) -> int:
        """The hexes in which a team may be revealed: not too close to an enemy."""
        board = pos.board
        found = entries(pos, unit)
        discs = board.ground.disc(board.reaches.ambush)
        for place in hexes(pos.taken(1 - self.side)):
            found &= ~discs[place]
        return found

    def actors(self, pos: CompanyPosition) -> list[Actor]:
        """Hidden teams that may be revealed, and ``done``."""
        hidden = units(pos.hiding & pos.board.side_units[self.side])
        return [*[unit for unit in hidden if self.places(pos, unit)], ENDING]

    def orders(self, pos: CompanyPosition, actor: Actor) -> list[Order]:
        """Where one of them may appear."""
        if actor == ENDING:
            return [DONE]
        return [pos.board.orders.once(Reveal, actor, place) for place in hexes(self.places(pos, actor))]

    def check(self, pos: CompanyPosition, order: Order) -> Refusal | None:
        """The only judge of legality here."""
        if isinstance(order, Done):
            return None
        if not isinstance(order, Reveal):
            return Refusal("C10.2", "ambush-first", {"order": str(order)})
        board = pos.board
        facts = {"unit": board.ids[order.unit], "hex": board.labels[order.place]}
        if not (pos.hiding & board.side_units[self.side]) >> order.unit & 1:
            return Refusal("C10.2", "not-hidden", facts)
        return (
            None if self.places(pos, order.unit) >> order.place & 1 else Refusal("C10.2", "no-ambush", facts)
        )

    def play(self, pos: CompanyPosition, order: Order, dice: Dice, emit: Emit) -> None:
        """One team appears, or that is all."""
        if not isinstance(order, Reveal):
            pos.frames.pop()
            return
        board = pos.board
        put(pos, order.unit, order.place)
        pos.contact[order.unit] = contact_at(pos, order.unit)
        if emit:
            emit(
                Event("C10.2", "revealed", {"unit": board.ids[order.unit], "hex": board.labels[order.place]})
            )

    def advance(self, pos: CompanyPosition, dice: Dice, emit: Emit) -> bool:
        """With nobody left who can appear it is over."""
        if any(self.places(pos, unit) for unit in units(pos.hiding & pos.board.side_units[self.side])):
            return False
        pos.frames.pop()
        return True
