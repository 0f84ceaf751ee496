"""Artillery off the map (P12.1, P12.3): where a mission lands, and what high explosive does there."""

from __future__ import annotations

from hexengine.core.dice import COMBAT, Dice
from hexengine.core.events import Emit, Event
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.board import HARD, SOFT
from hexengine.systems.platoon.firing.fire import after_saves
from hexengine.systems.platoon.firing.losses import ELIMINATED, hurt, shake_hq
from hexengine.systems.platoon.firing.smoke import lay
from hexengine.systems.platoon.orders.support import HIGH_EXPLOSIVE
from hexengine.systems.platoon.position import PlatoonPosition

SCATTER = 5
"""The die from which on a mission scatters."""

HE_DICE = {HARD: 2, SOFT: 4}
HE_TO_HIT = 5
OFF_MAP = -1


def fall(pos: PlatoonPosition, shell: int, place: int, dice: Dice, emit: Emit) -> None:
    """A mission called on a hex: it lands, on target or beside it, and does what its shells do."""
    there = scatter(pos, place, dice, emit)
    if there == OFF_MAP:
        return
    if shell == HIGH_EXPLOSIVE:
        bombard(pos, there, dice, emit)
    else:
        lay(pos, there, emit)


def scatter(pos: PlatoonPosition, place: int, dice: Dice, emit: Emit) -> int:
    """The hex in which a mission lands, or OFF_MAP: one hex away on 5 and 6, as a second die says (P12.3).

    Direction 1 is north, the others follow clockwise; with pointy tops 1 is north-east.
    """
    board = pos.board
    if not dice.at_least(COMBAT, 1, SCATTER):
        if emit:
            emit(Event("P12.3", "on-target", {"hex": board.labels[place], "faces": dice.faces}))
        return place
    faces = dice.faces
    there = board.neighbours[place][dice.part(COMBAT, 6)]
    if emit:
        facts = {
            "hex": board.labels[place],
            "to": board.labels[there] if there >= 0 else "",
            "faces": [*faces, *dice.faces],
        }
        emit(Event("P12.3", "scatters" if there >= 0 else "scatters-away", facts))
    return there if there >= 0 else OFF_MAP


def bombard(pos: PlatoonPosition, place: int, dice: Dice, emit: Emit) -> None:
    """High explosive attacks every unit in a hex, friend and enemy, each by itself (P12.3, P6.7).

    It is one attack on the hex: passengers roll with their carriers, and the HQ rolls once, behind all (P0.3,
    P9.3).  Who only becomes a unit of the hex when its carrier is lost is not attacked.
    """
    board = pos.board
    for side in (0, 1):
        hurts: list[int] = []
        for unit in units(pos.at(place, side) & board.counted):
            number = HE_DICE[board.kind[unit]]
            hits = dice.at_least(COMBAT, number, HE_TO_HIT)
            if emit:
                facts = {
                    "target": board.ids[unit],
                    "hex": board.labels[place],
                    "dice": number,
                    "to_hit": HE_TO_HIT,
                    "faces": dice.faces,
                    "hits": hits,
                }
                emit(Event("P12.3", "bombarded", facts))
            net = after_saves(pos, unit, hits, dice, emit)
            if net:
                hurts.append(hurt(pos, unit, net, dice, emit))
        if hurts:
            shake_hq(pos, side, place, ELIMINATED in hurts, dice, emit)
