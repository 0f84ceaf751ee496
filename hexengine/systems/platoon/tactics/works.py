"""Work in the field that is worth an activation: digging in (P11.1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hexengine.core.orders import Order
from hexengine.core.tactics import Reason
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.tactics.view import RALLIES_OF_36, View
from hexengine.systems.platoon.works import dig_bar

if TYPE_CHECKING:
    from hexengine.systems.platoon.tactics.goals import Mission

LEAST = 3
"""What being marked for it costs, in hundredths of a point."""

SPARED = 50
"""Percent of the enemy's fire at a hex that an improved position is taken to spare, for some turns."""


def works(view: View, fighters: int, place: int) -> Iterator[tuple[Order, float, Reason]]:
    """What able units in a hex may do there beside fighting and moving: orders, scores and reasons."""
    pos, board = view.pos, view.board
    for unit in units(fighters):
        if not dig_bar(pos, unit):
            stays = _stays(view.missions.get(unit), place)
            score = (_digging(view, unit, place) if stays else 0) - LEAST
            yield board.orders.dig(unit), score, Reason("dig-in", score, (("hex", board.labels[place]),))


def _stays(mission: Mission | None, place: int) -> bool:
    return mission is None or mission.hex == place


def _digging(view: View, unit: int, place: int) -> float:
    """What a position would spare a unit that stays, by how likely it is to be made."""
    danger = view.foe.at(view.parts(unit)[0], place)
    morale = view.board.formations[view.board.formation[unit]].morale
    chance = sum(RALLIES_OF_36[: morale + 1])
    return danger * view.weights.exposure * SPARED * chance / 360_000
