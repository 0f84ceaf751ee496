"""Whether to fight for a hex (P7): what both sides are expected to lose, from the exact odds of their dice.

Two simplifications: leadership stays with its unit when fire has turned others back, and whoever may
fire at those who enter does so.
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import comb
from typing import NamedTuple

from hexengine.core.orders import Order
from hexengine.core.tactics import Reason
from hexengine.mechanics.masks import lowest, units
from hexengine.systems.platoon.assaults.assault import attacks, defenders
from hexengine.systems.platoon.assaults.close_combat import Power, powers, toughness
from hexengine.systems.platoon.assaults.retreat import can_retreat
from hexengine.systems.platoon.firing.fire import save_dice
from hexengine.systems.platoon.moving.stacking import shift
from hexengine.systems.platoon.orders.book import Overrun, UnitsHex
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.tactics.moves import WATCH_SHARE
from hexengine.systems.platoon.tactics.view import SCALE, View
from hexengine.systems.platoon.tactics.worth import HIT, Target

GROUND_WEIGHT = 2
"""What a hex is worth to a unit counts so often: it is taken, and it is taken from the enemy."""

WORTH_A_FIGHT = 5
"""Hundredths of a point below which no fight is begun."""

CERTAIN = 1000
"""Chances of being turned back are counted in this part."""

EXCHANGES_KEPT = 4000
"""Rounds of fighting that are kept: the same units meet again and again."""

Pools = tuple[tuple[int, int], ...]
"""The dice that a side rolls: numbers of dice with what each must reach, in ascending order."""

CHANCES_OF_A_SHOT = 900
"""The most, in CERTAINths, that a shot's chance to turn a unit back is taken for."""


class Fight(NamedTuple):
    """An attack and what it is expected to bring, in hundredths of a point.

    ``damage`` is what the enemy loses, ``loss`` what one's own side does, ``ground`` what the hex is worth.
    """

    order: UnitsHex
    gain: int
    damage: int
    loss: int
    ground: int

    def reasons(self, view: View) -> tuple[Reason, ...]:
        """The parts of its score."""
        facts = (("hex", view.board.labels[self.order.hex]),)
        return (
            Reason("assault", self.damage, facts),
            Reason("losses", -self.loss),
            Reason("ground", self.ground),
        )


class _Party(NamedTuple):
    """One side of a fight: its units as targets, how many hits each bears, and who cannot retreat."""

    targets: tuple[Target, ...]
    tough: tuple[int, ...]
    trapped: tuple[bool, ...]


def best_fights(view: View, formation: int, place: int, here: int) -> dict[int, Fight]:
    """The best attack worth making of each able unit in a hex, by unit."""
    pos, board = view.pos, view.board
    if not board.around[place] & (pos.taken_0 if view.side else pos.taken_1):
        return {}
    legal: list[Order] = []
    attacks(pos, formation, place, here, legal)
    found: dict[int, Fight] = {}
    for order in legal:
        assert isinstance(order, UnitsHex)
        fight = weighed(view, order, place)
        if fight.gain < WORTH_A_FIGHT:
            continue
        for unit in units(order.units & board.fighters):
            if unit not in found or fight.gain > found[unit].gain:
                found[unit] = fight
    return found


def weighed(view: View, order: UnitsHex, place: int) -> Fight:
    """An attack with what it is expected to bring."""
    pos, board = view.pos, view.board
    side, target = view.side, order.hex
    mine = order.units & board.fighters
    key = (
        "fight",
        place,
        type(order),
        order.units,
        target,
        tuple([(view.kin(unit, -1), pos.ops >> unit & 1) for unit in units(mine)]),
        order.units & board.hqs and pos.steps[lowest(order.units & board.hqs)],
        pos.ops & board.side_units[1 - side],
        pos.here[side * board.size + place],
        pos.here[side * board.size + board.neighbours[target][board.direction[place][target]]],
        pos.moved & mine,
        pos.positions >> target & 1,
        pos.wrecks >> target & 1,
        view.ready,
    )
    known: Fight | None = view.memo.get(key)
    if known is None:
        known = view.memo[key] = _expected(view, order, place, mine)
    return known


def _expected(view: View, order: UnitsHex, place: int, mine: int) -> Fight:
    pos, board = view.pos, view.board
    side, target = view.side, order.hex
    foes = defenders(pos, 1 - side, target)
    direction = board.direction[place][target]
    trial = pos.copy()
    shift(trial, order.units, place, target)
    overrun = type(order) is Overrun
    attackers = powers(trial, mine, foes, target, True, overrun)
    against = powers(trial, foes, mine, target, False, overrun)
    worth = view.tables.worth
    theirs = _Party(
        tuple([worth.target(pos, unit) for unit in units(foes)]),
        tuple([toughness(pos, unit) for unit in units(foes)]),
        tuple([not can_retreat(trial, unit, target, direction) for unit in units(foes)]),
    )
    ours = [
        (power, worth.target(pos, power.unit), toughness(pos, power.unit), _ground(view, power.unit, target))
        for power in attackers
    ]
    shelter = pos.positions >> target & 1
    their_dice = _pools(against)
    stopped = _stopped(view, trial, mine, foes, target)
    damage = loss = ground = 0.0
    for number in range(1 << len(ours)):
        chance = 1.0
        for index, likely in enumerate(stopped):
            chance *= (likely if number >> index & 1 else CERTAIN - likely) / CERTAIN
        left = [one for index, one in enumerate(ours) if not number >> index & 1]
        if not chance or not left:
            continue
        party = _Party(tuple([one[1] for one in left]), tuple([one[2] for one in left]), (False,) * len(left))
        fight = _exchange(_pools([one[0] for one in left]), their_dice, party, theirs, shelter)
        damage += chance * fight[0]
        loss += chance * fight[1]
        ground += chance * fight[2] * sum(one[3] for one in left)
    loss += sum(likely * one[1].worth[0] / CERTAIN for likely, one in zip(stopped, ours, strict=True))
    if not pos.moved & mine:
        loss += sum(view.best_shot_from(unit, place) * WATCH_SHARE / 100 for unit in units(mine))
    weights = view.weights
    parts = (round(damage * weights.damage / 100), round(loss * weights.risk / 100), round(ground))
    return Fight(order, parts[0] - parts[1] + parts[2], *parts)


def _ground(view: View, unit: int, target: int) -> float:
    """What being in the hex is worth to a unit, in hundredths of a point."""
    prices = view.prices(unit, -1)
    return GROUND_WEIGHT * (prices[view.pos.hex[unit]] - prices[target]) / SCALE


def _stopped(view: View, trial: PlatoonPosition, mine: int, foes: int, place: int) -> list[int]:
    """For each unit that enters, the chance (in CERTAINths) that fire turns it back: from one of the
    defenders each, else from the best of the others that may fire."""
    worth = view.tables.worth
    ready = [unit for unit in units(foes) if view.ready >> unit & 1]
    found = []
    for unit in units(mine):
        thing = worth.target(view.pos, unit)
        hits = 0
        outside = view.risk(unit)
        if outside is not None:
            hits = outside[place]
        if ready:
            row = worth.shooter(view.pos, ready[0]).powers[thing.defence.kind]
            power = row[1] if len(row) > 1 else None
            if power is not None:
                bonus = save_dice(trial, unit, place, place) - thing.defence.armour
                hits = max(hits, worth.hits(thing.defence, *power, bonus, 0))
                del ready[0]
        found.append(min(CHANCES_OF_A_SHOT, hits * CERTAIN * 3 // (4 * HIT)))
    return found


# -- the exchange -------------------------------------------------------------------------------


def _pools(side: list[Power]) -> Pools:
    return tuple(sorted([(power.dice, power.to_hit) for power in side if power.dice]))


@cache
def _ways(pools: Pools) -> tuple[int, ...]:
    """Of all faces of some dice (number, to-hit), how many give each number of hits."""
    found = [1]
    for number, to_hit in pools:
        good = 7 - to_hit
        one = [comb(number, hits) * good**hits * (6 - good) ** (number - hits) for hits in range(number + 1)]
        both = [0] * (len(found) + number)
        for a, ways in enumerate(found):
            for b, more in enumerate(one):
                both[a + b] += ways * more
        found = both
    return tuple(found)


def _chances(pools: Pools) -> list[float]:
    """How likely each number of hits is that units make in a fight."""
    ways = _ways(pools)
    total = sum(ways)
    return [one / total for one in ways]


@lru_cache(maxsize=EXCHANGES_KEPT)
def _exchange(
    attackers: Pools, against: Pools, ours: _Party, theirs: _Party, shelter: int
) -> tuple[float, float, float]:
    """What the defenders lose, what the attackers lose, and how likely these win (P7.3.6 to P7.3.10)."""
    damage = loss = won = 0.0
    taking = [(likely, *_shared(ours, hits)) for hits, likely in enumerate(_chances(against))]
    for scored, likely in enumerate(_chances(attackers)):
        made = scored - shelter if scored else 0
        costs, gone, rest = _shared(theirs, made)
        for taken, (chance, own, own_gone, _) in enumerate(taking):
            both = likely * chance
            alive = 1.0 - own_gone
            wins = alive if made > taken else alive * gone
            won += both * wins
            loss += both * own
            damage += both * (costs + wins * rest)
    return damage, loss, won


def _shared(party: _Party, hits: int) -> tuple[float, float, float]:
    """Hits shared out over a side: what it loses, how likely all are eliminated, and what is lost
    besides if those that are left and cannot retreat must."""
    number = len(party.targets)
    share, left = divmod(hits, number)
    choices: list[tuple[int, ...]] = [(share,) * number]
    if left:
        choices = [tuple([share + (one == lucky) for one in range(number)]) for lucky in range(number)]
    lost = gone = trapped = 0.0
    for choice in choices:
        dead = 0
        for target, tough, stuck, each in zip(*party, choice, strict=True):
            cost = _cost(target, tough, each)
            lost += cost
            dead += each >= tough
            if stuck:
                trapped += target.worth[2] - cost
        gone += dead == number
    return lost / len(choices), gone / len(choices), trapped / len(choices)


def _cost(target: Target, tough: int, hits: int) -> int:
    """What a unit loses by some hits (P6.6)."""
    if hits >= tough:
        return target.worth[2]
    beyond = hits if target.disrupted else hits - 1
    if beyond < 0 or not hits:
        return 0
    return target.worth[1] if beyond else target.worth[0]
