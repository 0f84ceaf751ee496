"""Work in the field where it pays: digging in (P11.1), laying mines (P11.2) and clearing them (P11.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hexengine.core.orders import Order
from hexengine.core.tactics import Candidate, Reason
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.fieldworks.mines import Laying, clear_bar
from hexengine.systems.platoon.fieldworks.works import dig_bar
from hexengine.systems.platoon.orders.book import PASS
from hexengine.systems.platoon.orders.work import clear, dig, mine
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.tactics.view import MINE_HITS, RALLIES_OF_36, Tables, View
from hexengine.systems.platoon.tactics.worth import HIT

if TYPE_CHECKING:
    from hexengine.systems.platoon.tactics.goals import Mission

LEAST = 3
"""What being marked for it costs, in hundredths of a point."""

SPARED = 50
"""Percent of the enemy's fire at a hex that an improved position is taken to spare, for some turns."""


def works(view: View, fighters: int, place: int) -> Iterator[tuple[Order, float, Reason]]:
    """What able units in a hex may do there beside fighting and moving: orders, scores and reasons."""
    pos, board = view.pos, view.board
    mined = units(pos.mines & board.around[place])
    for unit in units(fighters):
        for there in mined:
            if not clear_bar(pos, unit, there):
                score = _clearing(view, unit, place, there) - LEAST
                reason = Reason("clear-mines", score, (("hex", board.labels[there]),))
                yield clear(board.orders, unit, there), score, reason
        if not dig_bar(pos, unit):
            stays = _stays(view.missions.get(unit), place)
            score = (_digging(view, unit, place) if stays else 0) - LEAST
            yield dig(board.orders, unit), score, Reason("dig-in", score, (("hex", board.labels[place]),))


def _stays(mission: Mission | None, place: int) -> bool:
    return mission is None or mission.hex == place


def _clearing(view: View, unit: int, place: int, there: int) -> float:
    """What an entry through the mines would cost a unit, if they lie on its way."""
    mission = view.missions.get(unit)
    if mission is None or mission.hex == place:
        return 0
    board = view.board
    towards = view.tables.paths.towards(board.mobility[unit], mission.hex)
    if towards[there] >= towards[place]:
        return 0
    chance = 75 if board.engineers >> unit & 1 else 50
    return view.parts(unit)[0].a_hit * MINE_HITS * chance * view.weights.risk / (HIT * 10_000)


def laying(tables: Tables, pos: PlatoonPosition, frame: Laying, explain: bool) -> list[Candidate]:
    """Mines under units that have just entered a hex, and ``pass``.

    Worth it where they cost more than usual, or where little time is left to wait for better.
    """
    board, worth = tables.board, tables.worth
    entered = units(frame.entered & pos.placed & board.counted & ~pos.carried)
    enemies = units(pos.placed & board.counted & board.side_units[1 - frame.side] & ~pos.carried)
    gain = sum([worth.target(pos, unit).a_hit for unit in entered]) / len(entered)
    usual = sum([worth.target(pos, unit).a_hit for unit in enemies]) / len(enemies)
    chances = pos.pool[frame.side] / max(1, board.turns - pos.turn)
    wait = usual * max(0.0, 1 - chances)
    score = (gain - wait) * MINE_HITS / HIT
    reasons = (Reason("mines", gain * MINE_HITS / HIT), Reason("patience", -wait * MINE_HITS / HIT))
    lay = Candidate(mine(board.orders, frame.hex), score, reasons if explain else ())
    keep = Candidate(PASS, 0)
    return [lay, keep] if score > 0 else [keep, lay]


def _digging(view: View, unit: int, place: int) -> float:
    """What a position would spare a unit that stays, by how likely it is to be made."""
    danger = view.foe.at(view.parts(unit)[0], place)
    morale = view.board.formations[view.board.formation[unit]].morale
    chance = sum(RALLIES_OF_36[: morale + 1])
    return danger * view.weights.exposure * SPARED * chance / 360_000
