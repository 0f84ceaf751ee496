"""Orders worth a thought in an assault, with what they are expected to bring."""

from __future__ import annotations

from typing import Any

from hexengine.core.orders import Order
from hexengine.core.tactics import Candidate, Reason
from hexengine.mechanics.masks import units
from hexengine.mechanics.masks import units as hexes
from hexengine.systems.company.assaults.assault import AssaultStep, Charging, Defence, chargers
from hexengine.systems.company.assaults.clash import Answer, Consolidation, Flight
from hexengine.systems.company.assaults.contact import charge_ends, fighting, refuges, steps_on, strikers
from hexengine.systems.company.firing.shots import rate
from hexengine.systems.company.orders import (
    DONE,
    END,
    BreakOff,
    Charge,
    Consolidate,
    Counter,
    Shoot,
    Withdraw,
)
from hexengine.systems.company.tactics.plans import fire
from hexengine.systems.company.tactics.view import View


def _chance(view: View, mask: int) -> float:
    """Hits that some teams are expected to strike."""
    return sum((7 - min(7, view.board.skill[unit])) / 6 for unit in units(mask))


def assault(view: View, step: AssaultStep) -> list[Candidate]:
    """Charges that are likely to get home and win."""
    pos, board = view.pos, view.board
    found = [Candidate(END, 0.0, (Reason("nothing-better", 0),))]
    ready = chargers(pos, step.side)
    for platoon in hexes(board.side_platoons[view.side]):
        able = board.members[platoon] & ready
        if not able:
            continue
        ends = {unit: charge_ends(pos, unit) for unit in units(able)}
        joining = sum(1 << unit for unit, (contact, beside) in ends.items() if contact | beside)
        for unit, (contact, _) in ends.items():
            for place in hexes(contact):
                value = _charge_value(view, joining, place)
                if value > 0:
                    reasons = (Reason("assault", round(value)),)
                    found.append(Candidate(board.orders.once(Charge, unit, place), value, reasons))
    return found


def _charge_value(view: View, joining: int, place: int) -> float:
    """Kills less losses of a charge into a hex, with the chance that defensive fire stops it."""
    pos, board = view.pos, view.board
    disc = board.ground.disc(1)[place]
    struck = [enemy for enemy in view.enemies if disc >> pos.place[enemy] & 1]
    ours = _chance(view, joining)
    dice = 0.0
    for enemy in view.enemies:
        distance = board.grid.distance(pos.place[enemy], place)
        if distance > board.reaches.defence or not board.weapons[enemy]:
            continue
        weapon = board.weapons[enemy][0]
        if board.sight.sees(pos.spot(enemy), place) or distance <= 1:
            dice += rate(pos, enemy, weapon, False, True)
    first = units(joining)[0]
    hits = dice * view.hit(first, False, False, False)
    stopped = min(1.0, max(0.0, (hits - 2.5) / 4.0))
    soft = sum(1 for enemy in struck if not board.armoured >> enemy & 1)
    kills = min(ours, soft + 0.3 * (len(struck) - soft))
    back = _chance(view, sum(1 << enemy for enemy in struck)) - kills / 2
    worth = view.tables.worth.get(place, 0) * view.weights.objective / 100
    average = sum(view.tables.value[enemy] for enemy in struck) / max(1, len(struck))
    win = ours / (ours + max(0.1, back))
    value = (1 - stopped) * (kills * average + win * worth - max(0.0, back) * 0.4 * view.tables.value[first])
    return value - hits * (board.counters[first].save - 1) / 6 * view.tables.value[first] * 0.8


def charge(view: View, frame: Charging) -> list[Candidate]:
    """All others join, as near to the enemy as they come."""
    pos, board = view.pos, view.board
    found = [Candidate(DONE, 0.0, (Reason("nothing-better", 0),))]
    for actor in frame.actors(pos):
        if actor < 0:
            continue
        contact, beside = charge_ends(pos, actor)
        touching = any(board.grid.distance(pos.place[actor], pos.place[enemy]) <= 1 for enemy in view.enemies)
        if touching and frame.counter:
            continue
        for place in hexes(contact | beside):
            value = 30.0 + (10 if contact >> place & 1 else 0)
            near = sum(board.grid.distance(place, pos.place[enemy]) <= 1 for enemy in view.enemies)
            value += near + view.tables.worth.get(place, 0) / 100
            if "command" in board.counters[actor].flags:
                value -= 15
            found.append(
                Candidate(board.orders.once(Charge, actor, place), value, (Reason("assault", round(value)),))
            )
    return found


def defence(view: View, frame: Defence) -> list[Candidate]:
    """Every shot at chargers is worth it."""
    pos = view.pos
    found = [Candidate(DONE, 0.0, (Reason("nothing-better", 0),))]
    for actor in frame.actors(pos):
        if actor >= 0:
            for order in frame.orders(pos, actor):
                if isinstance(order, Shoot):
                    one = fire(view, order, True)
                    found.append(one._replace(score=one.score + 1))
    return found


def answer(view: View, frame: Answer) -> list[Candidate]:
    """Fight on if that is likely to win, or if the ground is worth it."""
    pos, board = view.pos, view.board
    found = []
    active: Any = next(one for one in pos.frames if one.kind == "clash")
    theirs = _chance(view, fighting(pos, 1 - view.side))
    for platoon in hexes(frame.may):
        ours = _chance(view, pos.alive(platoon) & ~pos.bailed)
        struck = len(units(strikers(pos, 1 - view.side, active.active)[1]))
        held = sum(view.tables.worth.get(pos.place[unit], 0) for unit in units(pos.alive(platoon)))
        value = 60 * (ours - 0.8 * theirs) + 0.3 * held - 5 * struck
        if view.side != active.active:
            value += 20
        reasons = (Reason("assault", round(value)),)
        found.append(Candidate(board.orders.once(Counter, platoon), value, reasons))
        found.append(Candidate(board.orders.once(BreakOff, platoon), 0.0, (Reason("nothing-better", 0),)))
    return found


def _best(view: View, kind: type[Any], unit: int, places: int, base: float) -> list[Candidate]:
    best: tuple[float, Order | None] = (base, None)
    for place in hexes(places):
        value = view.pull(unit, place) - 0.5 * view.exposure(unit, place, False)
        if value > best[0]:
            best = (value, view.board.orders.once(kind, unit, place))
    value, order = best
    return [Candidate(order, value - base, (Reason("ground", round(value)),))] if order is not None else []


def flight(view: View, frame: Flight) -> list[Candidate]:
    """Where the ground is best."""
    found: list[Candidate] = []
    for unit in frame.actors(view.pos):
        found += _best(view, Withdraw, unit, refuges(view.pos, unit, frame.active), -10_000.0)
    return found


def consolidation(view: View, frame: Consolidation) -> list[Candidate]:
    """Onto better ground, where there is any."""
    pos = view.pos
    found = [Candidate(DONE, 0.0, (Reason("nothing-better", 0),))]
    for unit in frame.actors(pos):
        if unit >= 0:
            here = view.pull(unit, pos.place[unit]) - 0.5 * view.exposure(unit, pos.place[unit], False)
            found += _best(view, Consolidate, unit, steps_on(pos, unit), here + 5)
    return found


def positions(view: View, frame: Any) -> list[Candidate]:
    """The team that is worth most takes a position."""
    pos = view.pos
    return [
        Candidate(order, float(view.tables.value[actor]), (Reason("cover", view.tables.value[actor]),))
        for actor in frame.actors(pos)
        for order in frame.orders(pos, actor)
    ]
