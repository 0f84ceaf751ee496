"""The orders worth a thought in each kind of decision, with what they are expected to bring."""

from __future__ import annotations

from hexengine.core.orders import Order
from hexengine.core.tactics import Candidate, Reason
from hexengine.mechanics.masks import lowest, units
from hexengine.systems.squad.choices import by_place, firing_units, fresh_units
from hexengine.systems.squad.firing.damage import in_motion
from hexengine.systems.squad.firing.fire import cover, group_fires, parts, subsets, targets_from
from hexengine.systems.squad.firing.groups import check_group
from hexengine.systems.squad.firing.ordnance import highest_hit, modifiers, shooter
from hexengine.systems.squad.firing.reaction import Reaction, watchers
from hexengine.systems.squad.impulse import Impulse
from hexengine.systems.squad.melee import KILLS, Round, need, odds_of, resistance, strength
from hexengine.systems.squad.moving.movement import Group
from hexengine.systems.squad.moving.steps import free, mode_bar
from hexengine.systems.squad.orders import (
    ASSAULT,
    CRAWL,
    DONE,
    DOUBLE,
    END,
    NORMAL,
    PASS,
    STEALTH,
    Activate,
    Call,
    Fire,
    Melee,
    Smoke,
    Spot,
    Strike,
)
from hexengine.systems.squad.rally import RallyPhase
from hexengine.systems.squad.sight.spotting import number_to_spot
from hexengine.systems.squad.tactics import armour
from hexengine.systems.squad.tactics.chances import sum_reached, sum_within
from hexengine.systems.squad.tactics.reach import search
from hexengine.systems.squad.tactics.view import View

READINESS = 12.0
"""What it costs to use a unit up: it might have fired in reaction."""


def fire_value(view: View, order: Fire, reaction: bool) -> float:
    """What an attack is expected to bring."""
    pos, board = view.pos, view.board
    origin = pos.place[lowest(order.units)]
    defenders = pos.at(order.place, 1 - view.side)
    moving = in_motion(pos, defenders)
    shield = sum([part.value for part in cover(pos, origin, order.place)])
    gun = shooter(board, order)
    chance = 1.0
    if gun >= 0:
        data = board.gun(gun)
        if order.target >= 0:
            return armour.shot_value(view, order, gun, reaction)
        number = data.number(board.places.distance(origin, order.place))
        number -= sum([part.value for part in modifiers(pos, order, bool(moving), reaction)])
        chance = sum_within(highest_hit(number))
        plus = data.he
    else:
        plus = sum([part.value for part in parts(pos, order.units, order.place, reaction)])
    base = plus - shield
    return chance * (view.damage(defenders & ~moving, base) + view.damage(moving, base + 1))


def group_fire(view: View, mask: int, targets: int, reaction: bool) -> list[Candidate]:
    """Fire of a whole group, and of its ordnance, at each target."""
    orders: list[Order] = []
    plain = mask & ~view.board.guns
    for target in units(targets):
        if plain:
            group_fires(view.pos, plain, 1 << target, orders)
        for unit in units(mask):
            if 1 << unit != plain:
                group_fires(view.pos, 1 << unit, 1 << target, orders)
    found = []
    for order in orders:
        assert isinstance(order, Fire)
        if not reaction and check_group(view.pos, order) is not None:
            continue
        value = fire_value(view, order, reaction)
        cost = READINESS * order.units.bit_count() * (0.5 if reaction else 1.0)
        reasons = (Reason("damage", round(value)), Reason("readiness", -round(cost)))
        found.append(Candidate(order, value - cost, reasons))
    return found


# -- an impulse ---------------------------------------------------------------------------------------


def impulse(view: View, frame: Impulse) -> list[Candidate]:
    """What the side may activate, the best of each kind for each place."""
    pos = view.pos
    fresh, firing = fresh_units(pos, frame.side), firing_units(pos, frame.side)
    found = [Candidate(END, 0.0, (Reason("nothing-better", 0),))]
    for place, mask in by_place(pos, frame.side, fresh | firing):
        targets = targets_from(pos, view.side, place)
        shooters = mask & firing
        if targets and shooters:
            found += group_fire(view, shooters, targets, False)
        movers = mask & fresh
        if movers and not pos.moved_from >> place & 1:
            found += moves(view, movers)
        if movers:
            found += _others(view, movers, place)
    if not pos.acted:
        found += [_melee(view, place) for place in units(pos.melee & ~pos.fought)]
    return found


def _melee(view: View, place: int) -> Candidate:
    """A round of a melee that goes on: striking first is worth it where the odds are good."""
    best = max([value for _, value in strikes(view, place)], default=0.0)
    return Candidate(view.board.orders.once(Melee, place), best - 20.0, (Reason("melee", round(best)),))


def _others(view: View, movers: int, place: int) -> list[Candidate]:
    """Spotting, fire missions, smoke and leading."""
    pos, board, once = view.pos, view.board, view.board.orders.once
    found: list[Candidate] = []
    good = movers & ~pos.shaken
    if not pos.looked:
        found += _spotting(view, good & ~pos.smoked, place)
    if pos.rounds[view.side] and good & board.callers:
        unit = lowest(good & board.callers)
        for target, there in view.targets.items():
            where = board.places.hex_of[target]
            if where != place and board.sight.sees(place, where, view.smoke):
                value = 0.5 * view.damage(there, board.missions[view.side] - view.cover(target)) - READINESS
                found.append(Candidate(once(Call, unit, where), value, (Reason("mission", round(value)),)))
    if not pos.active and not pos.acted:
        for leader in units(good & board.leaders & ~pos.wounded):
            order = once(Activate, leader)
            if view.pos.frames[-1].check(pos, order) is None:
                value = _leading(view, leader)
                found.append(Candidate(order, value, (Reason("lead", round(value)),)))
    found += _smoke(view, good, place)
    if board.vehicles:
        found += armour.orders(view, good, place)
    return found


def _leading(view: View, leader: int) -> float:
    """What spreading an activation is worth: more units act before the enemy does."""
    pos, board = view.pos, view.board
    near = 0
    fresh = free(pos, view.side)
    for unit in units(fresh & ~(1 << leader)):
        if pos.place[unit] != pos.place[leader]:
            near += board.places.distance(pos.place[unit], pos.place[leader]) <= board.options.leader_range
    return 4.0 * near - 6.0


def _smoke(view: View, good: int, place: int) -> list[Candidate]:
    """Smoke where a place is under heavy fire and nothing is to be hit from it."""
    pos, board = view.pos, view.board
    able = good & board.smokers & ~pos.smoked
    where = board.places.hex_of[place]
    if not able or pos.smoke() >> where & 1:
        return []
    danger = view.danger(good, place, False)
    unit = lowest(able)
    value = 0.15 * danger * board.counters[unit].smoke / 6 - READINESS
    return [Candidate(board.orders.once(Smoke, unit, where), value, (Reason("smoke", round(value)),))]


def _spotting(view: View, good: int, place: int) -> list[Candidate]:
    """An attempt on a place that others beside the spotter could then fire at."""
    pos, board = view.pos, view.board
    found = []
    for target in view.targets:
        hidden = not (view.known | pos.melee) >> target & 1
        if not hidden or not board.sight.sees(place, target, view.smoke):
            continue
        spotters = sorted(units(good), key=lambda unit: (board.fp[unit][pos.steps[unit]], unit))
        best = spotters[0] if spotters else -1
        if best < 0:
            continue
        chance = max(0, number_to_spot(pos, best, target)) / 6
        hope = view.prospect(good & ~(1 << best), place) if good & ~(1 << best) else 0.0
        value = chance * 0.6 * hope - READINESS
        found.append(Candidate(board.orders.once(Spot, best, target), value, (Reason("spot", round(value)),)))
    return found


# -- moves --------------------------------------------------------------------------------------------


def parties(view: View, movers: int) -> list[int]:
    """Groups that may go together: all, those without teams, leaders aside, and the Shaken by themselves."""
    pos, board = view.pos, view.board
    driven = [1 << unit for unit in units(movers & board.vehicles)]
    movers &= ~board.vehicles
    good, shaken = movers & ~pos.shaken, movers & pos.shaken
    found = [good, good & ~board.teams, good & ~board.teams & ~board.leaders & ~board.medics, shaken]
    squads = [1 << unit for unit in units(good & board.men)]
    if len(squads) > 1:
        found += [squads[0], good & ~squads[0] & ~board.teams]
    found += [good & board.teams, *driven]
    return [mask for mask in dict.fromkeys(found) if mask]


def moves(view: View, movers: int) -> list[Candidate]:
    """The best way of each group and mode, told by its first step."""
    pos = view.pos
    found = []
    for mask in parties(view, movers):
        stay = sum(view.value(mask, pos.place[lowest(mask)], False))
        for mode in (NORMAL, DOUBLE, ASSAULT, CRAWL, STEALTH):
            if mode_bar(pos, mask, mode) is None:
                best = _best_way(view, mask, mode, stay)
                if best is not None:
                    found.append(best)
    return found


def _best_way(view: View, mask: int, mode: int, stay: float) -> Candidate | None:
    """The way in a mode that gains most over staying, or None."""
    pos, board = view.pos, view.board
    ways = search(pos, mask, mode)
    enemies = pos.taken(1 - view.side)
    quiet = bool(mode & (CRAWL | STEALTH))
    best: tuple[float, int, tuple[float, float, float]] | None = None
    for place in ways.costs:
        if place == ways.start:
            continue
        if enemies >> place & 1:
            worth = (0.0, assault_value(view, mask, place), 0.0)
        else:
            worth = view.value(mask, place, not quiet)
        gain = sum(worth) - stay
        if mode & (ASSAULT | STEALTH):
            gain += 0.25 * view.prospect(mask, place)
        if best is None or gain > best[0]:
            best = (gain, place, worth)
    if best is None:
        return None
    way = ways.places(best[1])
    risk = view.weights.risk / 100 * sum([0.5 * view.danger(mask, place, not quiet) for place in way[1:-1]])
    used = 4.0 if mask & ~pos.shaken else 0.0
    score = best[0] - risk - used
    order = board.orders.move(mask, way[1], mode)
    reasons = (
        Reason("objective", round(best[2][0])),
        Reason("exposure", round(best[2][1])),
        Reason("outlook", round(best[2][2])),
        Reason("staying", -round(stay)),
        Reason("risk", -round(risk), (("hex", board.labels[best[1]]),)),
    )
    return Candidate(order, score, reasons)


def assault_value(view: View, mask: int, place: int) -> float:
    """What entering a melee is worth: what both sides are expected to lose, and what lies there."""
    pos, board, worth = view.pos, view.board, view.tables.worth
    foes = pos.at(place, 1 - view.side)
    ours, theirs = strength(pos, mask), strength(pos, foes)
    attack, defence = odds_of(ours, resistance(pos, foes)), odds_of(theirs, resistance(pos, mask))
    win = sum_reached(KILLS[attack]) if attack[0] else 0.0
    lose = sum_reached(KILLS[defence]) if defence[0] else 0.0
    gained = sum([worth[unit][pos.steps[unit]] for unit in units(foes)])
    lost = sum([worth[unit][pos.steps[unit]] for unit in units(mask)])
    hold = dict(view.wanted).get(board.places.hex_of[place], 0.0)
    return win * (gained + hold) - lose * lost * 1.1


# -- the other decisions ------------------------------------------------------------------------------


def group(view: View, frame: Group) -> list[Candidate]:
    """Going on to the best place within reach, firing after an assault move, or being done."""
    pos, board = view.pos, view.board
    able = frame.able(pos)
    found = [Candidate(DONE, 0.0, (Reason("nothing-better", 0),))]
    if not able:
        return found
    firing, targets = frame.firing(pos, able)
    if targets:
        fires = group_fire(view, firing, targets, False)
        found += [candidate._replace(score=candidate.score + READINESS) for candidate in fires]
    quiet = bool(frame.mode & (CRAWL | STEALTH))
    here = pos.place[lowest(able)]
    stay = sum(view.value(able, here, not quiet))
    best = _best_way(view, able, frame.mode, stay)
    if best is not None:
        order = board.orders.move(able, best.order.place)  # type: ignore[attr-defined]
        found.append(best._replace(order=order, score=best.score + 3.0))
    if pos.aboard and able & board.vehicles & ~pos.shaken:
        found += armour.unloading(view, lowest(able), best is not None and best.score > 0)
    return found


def reaction(view: View, frame: Reaction) -> list[Candidate]:
    """Fire of each place that can, or holding it."""
    found = [Candidate(PASS, 0.0, (Reason("nothing-better", 0),))]
    for _, mask in watchers(view.pos, frame.side, frame.place, frame.shot):
        found += group_fire(view, mask, 1 << frame.place, True)
    return found


def strikes(view: View, place: int) -> list[tuple[int, float]]:
    """The target groups of a melee with what striking them is expected to bring."""
    pos, worth = view.pos, view.tables.worth
    found = []
    for mask in subsets(pos.at(place, 1 - view.side)):
        number = need(pos, view.side, place, mask)
        if number:
            gain = sum([worth[unit][pos.steps[unit]] for unit in units(mask)])
            found.append((mask, sum_reached(number) * gain))
    return found


def melee(view: View, frame: Round) -> list[Candidate]:
    """Whom to strike."""
    once = view.board.orders.once
    return [
        Candidate(once(Strike, mask), value, (Reason("damage", round(value)),))
        for mask, value in strikes(view, frame.place)
    ]


def rally(view: View, frame: RallyPhase) -> list[Candidate]:
    """Everybody who can rally does; weapons are taken up; halves join."""
    scores = {"rally": 50.0, "treat": 60.0, "take": 30.0, "join": 5.0}
    found = [Candidate(DONE, 0.0, (Reason("nothing-better", 0),))]
    pos = view.pos
    for actor in frame.actors(pos):
        for order in frame.orders(pos, actor):
            score = scores.get(order.verb, -10.0)
            if order.verb == "take" and pos.carrier[order.other] >= 0:  # type: ignore[attr-defined]
                score = -5.0
            found.append(Candidate(order, score, (Reason(order.verb, score),)))
    return found
