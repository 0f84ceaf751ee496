"""Which shots are worth it: in operations, and as opportunity fire."""

from __future__ import annotations

from typing import NamedTuple

from hexengine.core.orders import Order
from hexengine.core.tactics import Candidate, Reason, Weights
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.board import HARD
from hexengine.systems.platoon.firing.fire import (
    lead_dice,
    leader_of,
    save_dice,
    shelter,
    shots,
    strength,
    visible_enemies,
)
from hexengine.systems.platoon.firing.observers import standpoints
from hexengine.systems.platoon.firing.reaction import Reaction, eligible
from hexengine.systems.platoon.orders.book import PASS, Fire
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.tactics.air import kept_for_helicopters
from hexengine.systems.platoon.tactics.odds import net_hits
from hexengine.systems.platoon.tactics.view import Tables, View

WORTH_A_MARKER = 3
"""Hundredths of a point below which no shot is worth being marked for."""

DEPLETION = 15
"""What a missile weapon loses when it is depleted, in hundredths of a point."""


class Shot(NamedTuple):
    """An attack and what it is expected to bring, in hundredths of a point."""

    order: Fire
    gain: int


def gain(tables: Tables, pos: PlatoonPosition, order: Fire) -> int:
    """What a legal shot is expected to cost the enemy, less what it may cost the shooter."""
    board, worth = tables.board, tables.worth
    firer, target = order.firer, order.target
    weapon = order.weapon if order.weapon >= 0 else firer
    there = pos.hex[target]
    lead = lead_dice(pos, leader_of(pos, firer, 0)) if order.lead else 0
    power = strength(pos, firer, weapon, target, board.grid.distance(pos.hex[firer], there), lead)
    assert power is not None, "a legal shot has dice"
    thing = worth.target(pos, target)
    bonus = save_dice(pos, target, there, pos.hex[firer]) - thing.defence.armour
    found = worth.loss(thing, power.dice, power.to_hit, bonus, shelter(pos, target, there))
    if board.kind[target] == HARD and board.missile >> weapon & 1:
        found -= round(DEPLETION * net_hits(power.dice, power.to_hit, 0, 6, 0)[0])
    return found


def best_shot(view: View, unit: int, used: int) -> Shot | None:
    """The best shot of a unit that may fire in operations, if one is worth it."""
    pos = view.pos
    hq = leader_of(pos, unit, used)
    key = (
        "shot",
        unit,
        pos.hex[unit],
        pos.steps[unit],
        pos.moved >> unit & 1,
        (pos.depleted_1 | pos.depleted_2) & view.board.missile & view.board.side_units[view.side],
        hq,
        lead_dice(pos, hq),
        pos.wrecks,
        pos.smoky,
        standpoints(pos, view.board.formation[unit]) if view.board.indirect >> unit & 1 else 0,
    )
    if key in view.memo:
        found: Shot | None = view.memo[key]
        return found
    legal: list[Order] = []
    shots(pos, unit, visible_enemies(pos, view.side), used, legal)
    found = None
    for order in legal:
        assert isinstance(order, Fire)
        expected = gain(view.tables, pos, order)
        expected -= kept_for_helicopters(view.tables, pos, unit, order.target)
        if expected >= WORTH_A_MARKER and (found is None or expected > found.gain):
            found = Shot(order, expected)
    view.memo[key] = found
    return found


def reactions(
    tables: Tables, pos: PlatoonPosition, frame: Reaction, weights: Weights, explain: bool
) -> list[Candidate]:
    """Opportunity fire: shots that are good enough not to wait for a better one, and ``pass``."""
    board, worth = tables.board, tables.worth
    targets = frame.left & pos.placed & ~pos.carried
    found: list[Candidate] = []
    distances = board.grid.distances(frame.hex)
    for unit in units(eligible(pos, frame.side)):
        if distances[pos.hex[unit]] > board.reach[unit]:
            continue
        legal: list[Order] = []
        shots(pos, unit, targets, pos.led_reaction, legal)
        for order in legal:
            assert isinstance(order, Fire)
            expected = gain(tables, pos, order)
            best = tables.at_best(worth.shooter(pos, unit), worth.target(pos, order.target))
            kept = kept_for_helicopters(tables, pos, unit, order.target)
            wait = max(WORTH_A_MARKER, best * weights.patience // 100, kept)
            reasons: tuple[Reason, ...] = ()
            if explain:
                reasons = (
                    Reason("damage", expected, (("target", board.ids[order.target]),)),
                    Reason("patience", -wait, (("best", best),)),
                )
            found.append(Candidate(order, expected - wait, reasons))
    found.append(Candidate(PASS, 0))
    found.sort(key=_score)
    return found


def _score(candidate: Candidate) -> float:
    return -candidate.score
