"""The turn (S1): the Admin Phase that ends it, and the initiative of the next."""

from __future__ import annotations

from typing import NamedTuple

from hexengine.core.dice import MORALE, Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.frames import Automatic
from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest, units
from hexengine.mechanics.victory import ONGOING
from hexengine.systems.squad import melee, victory
from hexengine.systems.squad.moving import hazards
from hexengine.systems.squad.position import SquadPosition


class _AdminFields(NamedTuple):
    turn: int


class Admin(Automatic, _AdminFields):
    """The Admin Phase of a turn: nobody decides anything but where to strike in melees."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        """The kind of a decision that never comes."""
        return "admin"

    def decider(self, pos: SquadPosition) -> int:
        """Nobody decides; the side with the initiative comes first."""
        return pos.initiative

    def check(self, pos: SquadPosition, order: Order) -> Refusal | None:
        """Nothing can be ordered."""
        return Refusal("S1.5", "wrong-decision", {"order": str(order)})

    def advance(self, pos: SquadPosition, dice: Dice, emit: Emit) -> bool:
        """Melees that had no round this turn have it now (S12.2); then the turn ends."""
        waiting = pos.melee & ~pos.fought
        if waiting:
            melee.begin(pos, pos.initiative, lowest(waiting), False, emit)
        else:
            end_turn(pos, dice, emit)
        return True


def end_turn(pos: SquadPosition, dice: Dice, emit: Emit) -> None:
    """Markers come off, victory is looked at, and the next turn begins with its initiative (S1.1, S1.2)."""
    from hexengine.systems.squad.rally import RallyPhase

    board = pos.board
    remove_markers(pos)
    if emit:
        emit(Event("S1.5", "turn-ends", {"turn": pos.turn}))
    victory.at_turn_end(pos, emit)
    if pos.winner != ONGOING:
        pos.frames.clear()
        return
    pos.turn += 1
    duel = dice.duel(MORALE, -1, 1)
    if duel:
        pos.initiative = 0 if duel > 0 else 1
    if emit:
        facts = {"turn": pos.turn, "side": board.sides[pos.initiative], "faces": dice.faces}
        emit(Event("S1.2", "turn-begins", facts))
    pos.frames[-1] = RallyPhase(pos.initiative, 0)


def remove_markers(pos: SquadPosition) -> None:
    """S1.5: all markers of action and Spotted go; Shaken, Wounded, Melee, mines and events stay."""
    pos.moved = pos.assault = pos.crawl = pos.stealth = pos.fired = pos.ops = 0
    pos.smoked = pos.spotted_0 = pos.spotted_1 = pos.fought = pos.handled = 0
    for unit in units(pos.placed):
        pos.spent[unit] = 0
    if pos.turned:
        pos.turned[:] = bytes(len(pos.turned))
    hazards.clear_up(pos)
