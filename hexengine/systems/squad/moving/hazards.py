"""Fire for effect and mines (S13.1 to S13.3): what strikes units as they enter a hex."""

from __future__ import annotations

from hexengine.core.dice import COMBAT, Dice
from hexengine.core.events import Contribution, Emit, Event
from hexengine.mechanics.masks import lowest, mask_of, units
from hexengine.systems.squad import control
from hexengine.systems.squad.firing.armour import pierce
from hexengine.systems.squad.firing.damage import strike
from hexengine.systems.squad.firing.fire import cover
from hexengine.systems.squad.orders import Call
from hexengine.systems.squad.position import SquadPosition

NOBODY = -1


def on_entry(pos: SquadPosition, side: int, members: int, place: int, dice: Dice, emit: Emit) -> None:
    """What strikes units that enter a place: a fire-for-effect marker, then each mine marker (S5.1).

    Mines stay, and strike nobody who leaves (S13.2).
    """
    where = pos.board.places.hex_of[place]
    afoot = members & ~pos.aboard
    if pos.ffe[where]:
        _struck(pos, "S13.3", members, place, "shell", pos.ffe[where], True, dice, emit)
    if (pos.mines_0 if side else pos.mines_1)[where]:
        mines(pos, afoot, place, dice, emit)


def mines(pos: SquadPosition, members: int, place: int, dice: Dice, emit: Emit) -> None:
    """The enemy's mines strike units of one side that come, get out or bail out there (S13.1)."""
    board = pos.board
    where = board.places.hex_of[place]
    laid = (pos.mines_0 if board.side[lowest(members)] else pos.mines_1)[where]
    if not laid or place >= board.size:
        return
    pos.known_mines |= 1 << where
    for fp in (laid // 10, laid % 10):
        if not fp:
            continue
        for vehicle in units(members & board.vehicles & pos.placed):
            pierce(pos, vehicle, fp, board.plates(vehicle).lowest, "S13.1", dice, emit)
        _struck(pos, "S13.1", members & ~board.vehicles, place, "mine", fp, False, dice, emit)


def _struck(
    pos: SquadPosition, rule: str, members: int, place: int, what: str, fp: int, covered: bool, dice: Dice,
    emit: Emit,
) -> None:  # fmt: skip
    targets = members & pos.placed
    if targets:
        defence = cover(pos, NOBODY, place) if covered else []
        # Moving adds nothing: all that is on the hex is struck (S13.3).
        strike(pos, rule, place, targets, [Contribution(rule, what, fp)], defence, 0, dice, emit)


def call(pos: SquadPosition, order: Call, dice: Dice, emit: Emit) -> None:
    """A fire mission: the spotting round drifts, then it fires for effect on all who are there (S13.3)."""
    board = pos.board
    side = board.side[order.unit]
    pos.rounds[side] -= 1
    pos.ops |= 1 << order.unit
    direction = dice.part(COMBAT, 6)
    faces = dice.faces
    lm = board.lm[order.unit] if board.leaders >> order.unit & 1 else 0
    drift = max(0, dice.part(COMBAT, 6) + 1 - lm)
    where = board.places.hex_of[order.place]
    for _ in range(drift):
        where = board.grid.neighbours[where][direction] if where >= 0 else where
    if emit:
        facts = {
            "unit": board.ids[order.unit], "hex": board.labels[order.place], "faces": faces + dice.faces,
            "lands": board.labels[where] if where >= 0 else "",
        }  # fmt: skip
        emit(Event("S13.3", "mission" if where >= 0 else "mission-lost", facts))
    if where < 0:
        return
    pos.ffe[where] = fp = board.missions[side]
    pos.old_ffe &= ~(1 << where)
    held = pos.control[where]
    for place in board.places.levels[where]:
        for each in (side, 1 - side):
            _struck(pos, "S13.3", pos.at(place, each), place, "shell", fp, True, dice, emit)
    # All are struck at the same time: nobody holds the hex between one attack and the next.
    pos.control[where] = held
    control.settle(pos, where)


def clear_up(pos: SquadPosition) -> None:
    """In the Admin Phase: smoke thins, and fire for effect goes when it is a turn old (S1.5, S13.3)."""
    pos.smoke_2, pos.smoke_1 = pos.smoke_1, 0
    for where in units(pos.old_ffe):
        pos.ffe[where] = 0
    pos.old_ffe = 0
    if any(pos.ffe):
        pos.old_ffe = mask_of([where for where, fp in enumerate(pos.ffe) if fp])
