"""Fire combat (P6): who may be shot at, how strong the attack is, and what it does."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from hexengine.core.dice import COMBAT, Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Contribution, Emit, Event
from hexengine.core.orders import Order
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.board import AIR, HARD, Board
from hexengine.systems.platoon.firing.losses import suffer
from hexengine.systems.platoon.firing.mortars import INDIRECT_MODIFIER, aim, in_view, may_fire_indirect
from hexengine.systems.platoon.firing.smoke import SMOKE_MODIFIER
from hexengine.systems.platoon.orders.book import Fire
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.sight.air import LANDED_SIGHT, seen_by, sees

MOVED_FIRE_MODIFIER = 1
HARD_BONUS_LIMIT = 2
HIGHEST_TO_HIT = 6
LOWEST_TO_HIT = 2


class Strength(NamedTuple):
    """An attack's dice and the number each must reach."""

    dice: int
    to_hit: int


def strength(
    pos: PlatoonPosition, firer: int, weapon: int, target: int, distance: int, lead: int
) -> Strength | None:
    """Dice and to-hit of an attack (P6.2, P6.3), or None if it cannot be made.

    ``weapon`` is the firer itself or its support weapon, ``lead`` the dice that leadership adds.
    A support weapon of a reduced unit fires at full value (P3.5).
    """
    board = pos.board
    row = board.attacks[weapon][1 if pos.steps[weapon] == 1 and weapon == firer else 0][board.kind[target]]
    if distance >= len(row):
        return None
    entry = row[distance]
    if entry is None:
        return None
    if board.kind[target] == HARD and (pos.depleted_1 | pos.depleted_2) & board.missile & (1 << weapon):
        return None
    dice, to_hit = entry
    dice += lead
    if pos.moved >> firer & 1 and not board.air >> firer & 1:
        to_hit += MOVED_FIRE_MODIFIER
    if pos.smoky or board.indirect >> firer & 1:
        indirect, smoke = aim(pos, firer, pos.hex[target])
        to_hit += indirect * INDIRECT_MODIFIER + smoke * SMOKE_MODIFIER
    return limited(dice, to_hit)


@cache
def limited(dice: int, to_hit: int) -> Strength | None:
    """An attack with its to-hit brought between its bounds (P6.3), or None if that leaves no dice."""
    if to_hit > HIGHEST_TO_HIT:
        dice -= to_hit - HIGHEST_TO_HIT
        to_hit = HIGHEST_TO_HIT
        if dice <= 0:
            return None
    return Strength(dice, to_hit if to_hit > LOWEST_TO_HIT else LOWEST_TO_HIT)


def contributions(pos: PlatoonPosition, order: Fire, distance: int) -> list[Contribution]:
    """The parts of an attack's to-hit number, for people who ask why."""
    board = pos.board
    weapon = order.weapon if order.weapon >= 0 else order.firer
    block = board.counters[weapon].blocks[board.kind[order.target]]
    assert block is not None, "an attack that was made has a block"
    parts = [Contribution("P3.2", "printed", block.to_hit)]
    if not block.limit:
        if distance <= max(1, block.range // 2):
            parts.append(Contribution("P6.2", "short-range", -1))
        elif distance > block.range:
            parts.append(Contribution("P6.2", "extended-range", 1))
    if block.makeshift:
        parts.append(Contribution("P13.2", "no-anti-air", block.makeshift))
    if pos.moved >> order.firer & 1 and not board.air >> order.firer & 1:
        parts.append(Contribution("P6.5", "moved", MOVED_FIRE_MODIFIER))
    indirect, smoke = aim(pos, order.firer, pos.hex[order.target])
    if indirect:
        parts.append(Contribution("P12.5", "indirect", INDIRECT_MODIFIER))
    if smoke:
        parts.append(Contribution("P12.4", "smoke", smoke * SMOKE_MODIFIER))
    return parts


def save_dice(pos: PlatoonPosition, target: int, place: int, origin: int = -1) -> int:
    """How many save dice a target rolls in a hex (P6.4, P11.4); ``origin``: where direct fire comes from.

    Helicopters have no cover (P13.2).
    """
    board = pos.board
    if board.kind[target] == AIR:
        return board.armour[target][1 if pos.steps[target] == 1 else 0]
    bonus = board.cover[place][0 if board.kind[target] == HARD else 1]
    if pos.wrecks >> place & 1:
        bonus += 1
    if origin >= 0 and board.side_cover:
        bonus += cover_across(board, origin, place)
    if board.kind[target] == HARD and bonus > HARD_BONUS_LIMIT:
        bonus = HARD_BONUS_LIMIT
    return board.armour[target][1 if pos.steps[target] == 1 else 0] + bonus


def cover_across(board: Board, origin: int, place: int) -> int:
    """Save dice for the walls that fire crosses as it enters the target's hex (D1, option ``wall_cover``).

    Of the two sides beside a line along a hexside the lesser counts, off the map none (P10.5).
    """
    stretches = board.sight.between(origin, place)
    last = stretches[-1] if stretches else (origin, origin)
    cover = board.side_cover
    return min([cover.get((x, place) if x < place else (place, x), 0) for x in last])


def shelter(pos: PlatoonPosition, target: int, place: int) -> int:
    """The hits that an improved position cancels for a target (P11.1): it serves who holds the hex.

    Units that have entered an enemy hex to fight for it do not hold it; helicopters hold none (P13.2).
    """
    if not pos.positions >> place & 1 or pos.board.kind[target] == AIR:
        return 0
    return 0 if pos.here[(1 - pos.board.side[target]) * pos.board.size + place] else 1


def leader_of(pos: PlatoonPosition, firer: int, used: int) -> int:
    """The HQ that may lend its leadership to a unit's attack, or -1 (P9.4)."""
    board = pos.board
    hq = board.formations[board.formation[firer]].hq
    if hq < 0 or not pos.placed >> hq & 1 or used >> hq & 1 or pos.hex[hq] != pos.hex[firer]:
        return -1
    return hq if board.counters[hq].leadership[1 if pos.steps[hq] == 1 else 0] else -1


def lead_dice(pos: PlatoonPosition, hq: int) -> int:
    """The dice that an HQ adds; 0 for none."""
    if hq < 0:
        return 0
    return pos.board.counters[hq].leadership[1 if pos.steps[hq] == 1 else 0]


def shots(pos: PlatoonPosition, firer: int, targets: int, used: int, found: list[Order]) -> None:
    """Append the legal attacks of a unit that may fire, on a mask of enemy units.

    The caller knows that it may fire; ``used`` are the HQs whose leadership is spent.
    """
    board = pos.board
    taken = pos.taken_0 if board.side[firer] else pos.taken_1
    wrecks = pos.wrecks
    if board.indirect and may_fire_indirect(pos, firer):
        view, wrecks = in_view(pos, firer, taken), 0
    elif board.air:
        targets, view, wrecks = seen_by(pos, firer, targets), -1, 0
    else:
        view = board.sight.in_view(pos.hex[firer], taken)
    if view:
        shots_at_seen(pos, firer, targets, used, found, view, wrecks)


def shots_at_seen(
    pos: PlatoonPosition, firer: int, targets: int, used: int, found: list[Order], view: int, wrecks: int
) -> None:
    """The same where a mask of hexes holds those in ``view``, as far as none of some ``wrecks`` hinders."""
    board = pos.board
    place = pos.hex[firer]
    distances = board.grid.distances(place)
    reach = board.reach[firer]
    where = pos.hex
    support = board.weapon_of[firer]
    hq = -2
    for target in units(targets):
        there = where[target]
        if not view >> there & 1:
            continue
        distance = distances[there]
        if distance > reach or (wrecks and not board.sight.sees(place, there, wrecks)):
            continue
        if hq == -2:
            hq = leader_of(pos, firer, used)
            lead = lead_dice(pos, hq)
        for weapon in (firer,) if support < 0 else (firer, support):
            named = weapon if weapon != firer else -1
            if strength(pos, firer, weapon, target, distance, 0):
                found.append(board.orders.fire(firer, target, named))
            if lead and strength(pos, firer, weapon, target, distance, lead):
                found.append(board.orders.fire(firer, target, named, True))


def visible_enemies(pos: PlatoonPosition, side: int) -> int:
    """The mask of enemy units that can be targets of fire at all: on the map and not carried."""
    return pos.placed & pos.board.shooters[1 - side] & ~pos.carried


def check_shot(pos: PlatoonPosition, order: Fire, side: int, used: int) -> Refusal | None:
    """Whether a unit that may fire may make this very attack (P6.1 to P6.3, P9.4)."""
    board = pos.board
    firer, target = order.firer, order.target
    if not visible_enemies(pos, side) >> target & 1:
        return not_a_target(pos, order.target, side)
    if order.weapon >= 0 and board.weapon_of[firer] != order.weapon:
        return Refusal(
            "P3.5", "not-its-weapon", {"unit": board.ids[firer], "weapon": board.ids[order.weapon]}
        )
    hq = -1
    if order.lead:
        hq = leader_of(pos, firer, used)
        if hq < 0:
            return Refusal("P9.4", "no-leadership", {"unit": board.ids[firer]})
    place, there = pos.hex[firer], pos.hex[target]
    distance = board.grid.distance(place, there) or 1
    if distance > 1 and not (
        sees(pos, firer, target) if board.air else board.sight.sees(place, there, pos.wrecks)
    ):
        if not may_fire_indirect(pos, firer):
            return _unseen(pos, order, distance)
        if not in_view(pos, firer, 1 << there):
            name = board.formations[board.formation[firer]].id
            return Refusal("P12.2", "not-observed", {"formation": name, "hex": board.labels[there]})
    weapon = order.weapon if order.weapon >= 0 else firer
    if strength(pos, firer, weapon, target, distance, lead_dice(pos, hq)) is None:
        return _too_weak(pos, firer, weapon, target, distance)
    return None


def not_a_target(pos: PlatoonPosition, unit: int, side: int) -> Refusal:
    """Why a unit is none of :func:`visible_enemies`."""
    board = pos.board
    target = board.ids[unit]
    if board.side[unit] == side:
        return Refusal("P6.1", "own-target", {"target": target})
    if not board.fighters >> unit & 1:
        return Refusal("P6.1", "not-a-unit", {"target": target})
    if pos.carried >> unit & 1:
        return Refusal("P5.12", "carried-target", {"target": target})
    return Refusal("P6.1", "target-off-map", {"target": target})


def _unseen(pos: PlatoonPosition, order: Fire, distance: int) -> Refusal:
    board = pos.board
    firer, target = order.firer, order.target
    if pos.landed >> target & 1 and distance > LANDED_SIGHT:
        return Refusal("P13.1", "landed-unseen", {"target": board.ids[target], "limit": LANDED_SIGHT})
    labels = board.labels
    facts = {"unit": board.ids[firer], "from": labels[pos.hex[firer]], "to": labels[pos.hex[target]]}
    in_the_air = board.air & ~pos.landed & (1 << firer | 1 << target)
    return Refusal("P10.6" if in_the_air else "P10.1", "no-line-of-sight", facts)


def _too_weak(pos: PlatoonPosition, firer: int, weapon: int, target: int, distance: int) -> Refusal:
    board = pos.board
    kind = board.kind[target]
    facts: dict[str, Any] = {
        "unit": board.ids[firer],
        "weapon": board.ids[weapon],
        "target": board.ids[target],
        "kind": ("hard", "soft", "air")[kind],
        "distance": distance,
    }
    block = board.counters[weapon].blocks[kind]
    if kind == HARD and (pos.depleted_1 | pos.depleted_2) & board.missile & (1 << weapon):
        return Refusal("P6.9", "depleted", facts)
    side_up = 1 if pos.steps[weapon] == 1 and weapon == firer else 0
    if block is None or not block.dice[side_up]:
        return Refusal("P6.3", "no-block", facts)
    if distance > block.reach:
        return Refusal("P6.2", "out-of-range", {**facts, "reach": block.reach})
    if distance < block.minimum:
        return Refusal("P12.5", "too-near", {**facts, "minimum": block.minimum})
    return Refusal("P6.3", "no-dice-left", facts)


def attack(pos: PlatoonPosition, order: Fire, dice: Dice, emit: Emit) -> bool:
    """Resolve an attack (P6.3 to P6.9, P5.12, P9.3, P11.1); whether the target took a hit."""
    board = pos.board
    firer, target = order.firer, order.target
    weapon = order.weapon if order.weapon >= 0 else firer
    there = pos.hex[target]
    distance = board.grid.distance(pos.hex[firer], there) or 1
    hq = board.formations[board.formation[firer]].hq if order.lead else -1
    lead = lead_dice(pos, hq)
    power = strength(pos, firer, weapon, target, distance, lead)
    assert power is not None, "a checked attack has dice"
    hits = dice.at_least(COMBAT, power.dice, power.to_hit)
    if emit:
        emit(
            Event(
                "P6.3",
                "fire",
                {
                    "unit": board.ids[firer],
                    "weapon": board.ids[weapon],
                    "with": board.ids[weapon] if weapon != firer else "",
                    "target": board.ids[target],
                    "from": board.labels[pos.hex[firer]],
                    "to": board.labels[there],
                    "distance": distance,
                    "dice": power.dice,
                    "to_hit": power.to_hit,
                    "parts": contributions(pos, order, distance),
                    "lead": lead,
                    "faces": dice.faces,
                    "hits": hits,
                },
            )
        )
        if lead:
            emit(Event("P9.4", "leadership", {"hq": board.ids[hq], "unit": board.ids[firer], "dice": lead}))
    net = after_saves(pos, target, hits, dice, emit, pos.hex[firer])
    if not hits and board.kind[target] == HARD and board.missile >> weapon & 1:
        pos.depleted_2 |= 1 << weapon
        if emit:
            emit(Event("P6.9", "depleted", {"unit": board.ids[weapon]}))
    if net:
        suffer(pos, target, net, dice, emit)
    return net > 0


def after_saves(
    pos: PlatoonPosition, target: int, hits: int, dice: Dice, emit: Emit, origin: int = -1
) -> int:
    """The hits of an attack roll on a unit that its saves and an improved position leave (P6.4, P11.1).

    ``origin`` is the hex that direct fire comes from.
    """
    if not hits:
        return 0
    board = pos.board
    there = pos.hex[target]
    number = save_dice(pos, target, there, origin)
    saves = dice.at_least(COMBAT, number, board.save[target])
    cancelled = shelter(pos, target, there) if hits > saves else 0
    net = max(0, hits - saves - cancelled)
    if emit:
        emit(
            Event(
                "P6.4",
                "save",
                {
                    "target": board.ids[target],
                    "dice": number,
                    "save": board.save[target],
                    "faces": dice.faces,
                    "saves": saves,
                    "net": net,
                },
            )
        )
        if cancelled:
            emit(
                Event("P11.1", "position-cancels", {"target": board.ids[target], "hex": board.labels[there]})
            )
    return net


_BARS = {
    "disrupted-fire": "P6.6",
    "hq-fire": "P9.1",
    "weapon-fire": "P3.5",
    "moved-fire": "P4.1",
    "moved-too-far-to-fire": "P6.5",
    "has-fought": "P6.1",
    "shuttled-fire": "P5.7",
    "landed": "P13.1",
}


def fire_bar(pos: PlatoonPosition, unit: int) -> str:
    """Why a unit that may act may not fire now (P6.1, P6.5): a code, or "" if it may."""
    board = pos.board
    bit = 1 << unit
    if pos.disrupted & bit:
        return "disrupted-fire"
    if not board.fighters & bit:
        return "hq-fire" if board.hqs & bit else "weapon-fire"
    if pos.landed & bit:
        return "landed"
    if pos.shuttled & bit and not board.transports & bit:
        return "shuttled-fire"
    if pos.moved & bit:
        if pos.fired & bit:
            return "has-fought"
        if not board.fire_on_move & bit:
            return "moved-fire"
        if pos.spent[unit] > board.fire_limit[unit]:
            return "moved-too-far-to-fire"
    elif pos.shuttled & bit and pos.passengers(unit):
        # A carrier that only let its passengers off has not moved; one that loaded has (A13).
        return "shuttled-fire"
    return ""


def refuse_fire(pos: PlatoonPosition, unit: int, bar: str) -> Refusal:
    """The refusal for a code of :func:`fire_bar`."""
    board = pos.board
    facts = {"unit": board.ids[unit], "spent": pos.spent[unit] / 2, "half": board.fire_limit[unit] / 2}
    return Refusal(_BARS[bar], bar, facts)
