"""The cup and the turn (P1): what goes in, the draw, the held End of Turn marker, the turn's end."""

from __future__ import annotations

from typing import NamedTuple

from hexengine.core.dice import CUP, Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.frames import Actor
from hexengine.core.orders import Order
from hexengine.mechanics.masks import units
from hexengine.mechanics.victory import ONGOING
from hexengine.systems.platoon import victory
from hexengine.systems.platoon.activation import activate
from hexengine.systems.platoon.firing.losses import release
from hexengine.systems.platoon.firing.smoke import thin
from hexengine.systems.platoon.moving.entry import arrivals
from hexengine.systems.platoon.orders.book import DRAW, Draw
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.replacement import replace_hqs


class Cup(NamedTuple):
    """At the cup: the next marker is to be drawn."""

    level: int = 0

    @property
    def kind(self) -> str:
        """The kind of the decision."""
        return "draw"

    def decider(self, pos: PlatoonPosition) -> int:
        """The sides draw in turn (P1.2)."""
        return pos.draws

    def actors(self, pos: PlatoonPosition) -> list[Actor]:
        """One: whoever draws."""
        return [0]

    def orders(self, pos: PlatoonPosition, actor: Actor) -> list[Order]:
        """``draw``, and nothing else."""
        return [DRAW]

    def check(self, pos: PlatoonPosition, order: Order) -> Refusal | None:
        """Only ``draw`` is legal at the cup."""
        if type(order) is Draw:
            return None
        return Refusal("P1.2", "draw-first", {"order": str(order)}, DRAW)

    def play(self, pos: PlatoonPosition, order: Order, dice: Dice, emit: Emit) -> None:
        """Draw a marker; activate its formation (P1.2, P1.4), or count the End of Turn marker (P1.3)."""
        board = pos.board
        if board.first_draw >= 0 and pos.turn == 1 and not any(pos.drawn):
            counts = [0] * len(pos.cup)
            counts[board.first_draw] = pos.cup[board.first_draw]
            kind = dice.draw(CUP, counts if any(counts) else pos.cup, board.marker_names)
        else:
            kind = dice.draw(CUP, pos.cup, board.marker_names)
        if emit:
            emit(Event("P1.2", "draw", {"marker": board.marker_names[kind], "side": board.sides[pos.draws]}))
        pos.draws = 1 - pos.draws
        pos.cup[kind] -= 1
        pos.drawn[kind] += 1
        if kind != board.eot:
            pos.waiting &= ~(1 << kind)
            release(pos, emit)
            activate(pos, kind, dice, emit)
        elif not pos.cup[kind] and not pos.held:
            end_turn(pos, dice, emit)

    def advance(self, pos: PlatoonPosition, dice: Dice, emit: Emit) -> bool:
        """A scenario without End of Turn markers ends its turn when the cup is empty (P1.6)."""
        if any(pos.cup):
            return False
        end_turn(pos, dice, emit)
        return True


def fill(pos: PlatoonPosition, overlooked: int, emit: Emit) -> None:
    """Put the markers in for a new turn (P1.1, P1.5); ``overlooked`` is a mask of formations."""
    board = pos.board
    present = pos.placed | pos.due
    pos.drawn = [0] * len(pos.drawn)
    pos.entered = 0
    for number, formation in enumerate(board.formations):
        in_play = bool(present & formation.fighters)
        pos.cup[number] = formation.markers if in_play else 0
        if in_play:
            pos.entered |= 1 << number
    pos.waiting = overlooked & pos.entered
    pos.held = 0
    for side in (0, 1):
        if pos.waiting & board.side_formations[side]:
            pos.held |= 1 << side
            if emit:
                emit(
                    Event(
                        "P1.5",
                        "marker-held",
                        {
                            "side": board.sides[side],
                            "formations": [
                                board.formations[f].id
                                for f in units(pos.waiting & board.side_formations[side])
                            ],
                        },
                    )
                )
    pos.cup[board.eot] = 2 - pos.held.bit_count()


def overlooked(pos: PlatoonPosition) -> int:
    """The formations that had a marker in this turn's cup and were not activated (P1.5, A1)."""
    board = pos.board
    result = 0
    for number in units(pos.entered):
        formation = board.formations[number]
        enough = formation.markers if board.options.overlooked_rule == "literal" else 1
        if pos.drawn[number] < enough and (pos.placed | pos.due) & formation.fighters:
            result |= 1 << number
    return result


def end_turn(pos: PlatoonPosition, dice: Dice, emit: Emit) -> None:
    """The second End of Turn marker is out (P1.3): markers come off, victory is checked, on we go."""
    board = pos.board
    missed = overlooked(pos)
    if emit:
        names = [board.formations[formation].id for formation in units(missed)]
        emit(Event("P1.3", "turn-ends", {"turn": pos.turn, "overlooked": names}))
    remove_markers(pos, emit)
    victory.at_turn_end(pos, emit)
    if pos.winner != ONGOING:
        pos.frames.clear()
        return
    pos.turn += 1
    arrivals(pos, dice, emit)
    fill(pos, missed, emit)
    if emit:
        emit(Event("P1.1", "turn-begins", {"turn": pos.turn}))


def remove_markers(pos: PlatoonPosition, emit: Emit) -> None:
    """P1.7: missile depletion and smoke step down, Ops Complete comes off, HQs that were lost come back."""
    if emit and pos.depleted_1 | pos.depleted_2:
        emit(Event("P1.7", "markers-removed", {}))
    pos.depleted_1 = pos.depleted_2
    pos.depleted_2 = 0
    pos.locked = 0
    thin(pos, emit)
    if pos.board.options.ops_complete_clears_at_turn_end:
        pos.ops = 0
    if pos.fallen:
        replace_hqs(pos, emit)
