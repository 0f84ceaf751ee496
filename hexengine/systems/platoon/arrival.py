"""What meets units that enter a hex (P4.5): mines, then opportunity fire."""

from __future__ import annotations

from hexengine.core.dice import Dice
from hexengine.core.events import Emit
from hexengine.systems.platoon.fieldworks import mines
from hexengine.systems.platoon.firing.reaction import Reaction, standing_in, watched_from
from hexengine.systems.platoon.position import PlatoonPosition


def met(pos: PlatoonPosition, enemy: int, entered: int, place: int, dice: Dice, emit: Emit) -> None:
    """Mines that lie there strike; then the enemy is asked for mines of its own, and for fire.

    What is asked last is pushed first.
    """
    board = pos.board
    targets = entered & board.fighters
    mined = board.mined
    if mined:
        mines.meet(pos, entered, place, dice, emit)
        targets = standing_in(pos, targets & pos.placed & ~pos.carried, place)
    view = -1 if board.air else board.sight.in_view(place, pos.taken_1 if enemy else pos.taken_0)
    if view and targets and watched_from(pos, enemy, targets, place, view):
        pos.frames.append(Reaction(enemy, place, targets, targets))
    if mined:
        mines.offer(pos, enemy, entered, place)
