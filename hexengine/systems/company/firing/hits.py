"""Hits (C12.3, C12.4): shared out evenly, saved against, and what comes through."""

from __future__ import annotations

from typing import NamedTuple

from hexengine.core.dice import COMBAT, Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.frames import Actor
from hexengine.core.orders import Order
from hexengine.mechanics.masks import units
from hexengine.systems.company.morale import destroy
from hexengine.systems.company.orders import Take
from hexengine.systems.company.position import CompanyPosition
from hexengine.systems.company.sight.cover import bulletproof

FRONT, SIDE, TOP = range(3)
NOTHING, GLANCE, PENETRATE = 2, 1, 0
"""An armoured team's die against a hit, as how many of two limits it reaches."""


class Blow(NamedTuple):
    """What hits: anti-tank, Firepower, and the hexes it comes from; none means from above."""

    at: int
    firepower: int
    origins: list[int]


def alike(pos: CompanyPosition, one: int, other: int) -> bool:
    """Whether two teams differ in nothing but their names."""
    a, b = pos.board.counters[one], pos.board.counters[other]
    if a.type != b.type or pos.place[one] != pos.place[other]:
        return False
    # C1.4: which way those went that face all ways means nothing.
    if pos.board.faced >> one & 1 and pos.facing[one] != pos.facing[other]:
        return False
    if (
        a.skill != b.skill
        or a.motivation != b.motivation
        or a.platoon != b.platoon
        or pos.hits[one] != pos.hits[other]
    ):
        return False
    marks = (
        pos.dug,
        pos.moved,
        pos.doubled,
        pos.shot,
        pos.tried,
        pos.bailed,
        pos.bogged,
        pos.stray,
        pos.full,
    )
    if any((mask >> one ^ mask >> other) & 1 for mask in marks):
        return False
    return (
        pos.contact[one] == pos.contact[other]
        and pos.floor[one] == pos.floor[other]
        and pos.origin[one] == pos.origin[other]
    )


def groups(pos: CompanyPosition, mask: int) -> list[list[int]]:
    """Teams that differ in nothing but their names together."""
    found: list[list[int]] = []
    for unit in units(mask):
        for group in found:
            if alike(pos, group[0], unit):
                group.append(unit)
                break
        else:
            found.append([unit])
    return found


class Sharing(NamedTuple):
    """Hits left over after an even share: the owner says which of a pool of teams take one more (C12.3)."""

    side: int
    pool: int
    left: int

    @property
    def kind(self) -> str:
        """The kind of the decision."""
        return "hits"

    def decider(self, pos: CompanyPosition) -> int:
        """The side that is hit."""
        return self.side

    def actors(self, pos: CompanyPosition) -> list[Actor]:
        """The teams that may take one."""
        return list(units(self.pool))

    def orders(self, pos: CompanyPosition, actor: Actor) -> list[Order]:
        """One order each."""
        return [pos.board.orders.once(Take, actor)]

    def check(self, pos: CompanyPosition, order: Order) -> Refusal | None:
        """A team of the pool takes a hit, and none a second one."""
        if not isinstance(order, Take):
            return Refusal("C12.3", "share-hits-first", {"order": str(order)})
        if not self.pool >> order.unit & 1:
            return Refusal("C12.3", "takes-none", {"unit": pos.board.ids[order.unit]})
        return None

    def play(self, pos: CompanyPosition, order: Order, dice: Dice, emit: Emit) -> None:
        """One hit goes to one team."""
        assert isinstance(order, Take)
        pos.hits[order.unit] += 1
        if emit:
            emit(Event("C12.3", "takes-hit", {"unit": pos.board.ids[order.unit]}))
        pos.frames[-1] = Sharing(self.side, self.pool & ~(1 << order.unit), self.left - 1)

    def advance(self, pos: CompanyPosition, dice: Dice, emit: Emit) -> bool:
        """Where nothing is to be chosen, the last of the teams that are alike take them."""
        if not self.left:
            pos.frames.pop()
            return True
        if self.left < self.pool.bit_count() and len(groups(pos, self.pool)) > 1:
            return False
        for unit in units(self.pool)[-self.left :]:
            pos.hits[unit] += 1
        pos.frames.pop()
        return True


def share(pos: CompanyPosition, owner: int, pool: int, hits: int) -> None:
    """Share hits out among a pool of teams; a frame asks who takes those that are left over."""
    each, left = divmod(hits, pool.bit_count())
    for unit in units(pool):
        pos.hits[unit] = each
    if left:
        pos.frames.append(Sharing(owner, pool, left))


def pending(pos: CompanyPosition) -> int:
    """The mask of teams with hits that are not resolved yet."""
    if not any(pos.hits):
        return 0
    return sum(1 << unit for unit, hits in enumerate(pos.hits) if hits)


def armour_of(pos: CompanyPosition, unit: int, origins: list[int]) -> int:
    """Which armour counts: the front if any shot comes from ahead, else the side; the top against all
    others.
    """
    if not origins:
        return TOP
    ground, place, facing = pos.board.ground, pos.place[unit], pos.facing[unit]
    return FRONT if any(ground.in_front(place, facing, origin) for origin in origins) else SIDE


def resolve(pos: CompanyPosition, blow: Blow, dice: Dice, emit: Emit) -> None:
    """All saves, then all Firepower tests (C12.4, C4.4); teams are lost in the order of the scenario."""
    board = pos.board
    hit = pending(pos)
    through: list[tuple[list[int], int, int]] = []
    for group in groups(pos, hit):
        first = board.counters[group[0]]
        number = pos.hits[group[0]]
        if first.armour is not None:
            for unit in group:
                for _ in range(number):
                    through.append(([unit], 1, _armour(pos, unit, blow, dice, emit)))
        elif number == 1:
            failed = len(group) - _saved(pos, group, len(group), dice, emit)
            through.append((group, failed, PENETRATE))
        else:
            for unit in group:
                through.append(([unit], number - _saved(pos, [unit], number, dice, emit), PENETRATE))
    for unit in units(hit):
        pos.hits[unit] = 0
    for group, failed, result in through:
        if failed and result != NOTHING and pos.placed >> group[0] & 1:
            _through(pos, group, failed, result, blow, dice, emit)


def _saved(pos: CompanyPosition, group: list[int], number: int, dice: Dice, emit: Emit) -> int:
    board = pos.board
    need = board.counters[group[0]].save
    saved = dice.at_least(COMBAT, number, need)
    if emit:
        facts = {"units": [board.ids[unit] for unit in group], "need": need, "faces": dice.faces}
        emit(Event("C12.4", "saves", {**facts, "saved": saved, "hits": number}))
    return saved


def _armour(pos: CompanyPosition, unit: int, blow: Blow, dice: Dice, emit: Emit) -> int:
    """C12.4: a die plus armour against the anti-tank strength."""
    board = pos.board
    printed = board.counters[unit].armour
    assert printed is not None, "it is armoured"
    which = armour_of(pos, unit, blow.origins)
    limit = blow.at - printed[which]
    result = dice.band(COMBAT, 1, (limit, limit + 1))
    if emit:
        facts = {"unit": board.ids[unit], "armour": printed[which], "at": blow.at, "faces": dice.faces}
        facts["result"] = ("penetrated", "glanced", "bounced")[result]
        emit(Event("C12.4", "armour", facts))
    return result


def _through(
    pos: CompanyPosition, group: list[int], failed: int, result: int, blow: Blow, dice: Dice, emit: Emit
) -> None:
    """What failed saves bring: armoured teams are bailed out or destroyed, others lost, in cover by
    Firepower.
    """
    board = pos.board
    armoured = board.counters[group[0]].armour is not None
    lost = failed
    if armoured or bulletproof(pos, group[0], blow.origins):
        lost = dice.at_least(COMBAT, failed, blow.firepower)
        if emit:
            facts = {"units": [board.ids[unit] for unit in group], "need": blow.firepower}
            facts["faces"] = dice.faces
            emit(Event("C12.4" if armoured else "C4.4", "firepower", facts))
    if armoured and not (lost and result == PENETRATE):
        if lost or result == PENETRATE:
            _bail_out(pos, group[0], emit)
        return
    for unit in group[-min(lost, len(group)) :] if lost else []:
        destroy(pos, unit, "C12.4", emit)


def _bail_out(pos: CompanyPosition, unit: int, emit: Emit) -> None:
    pos.bailed |= 1 << unit
    if emit:
        emit(Event("C12.4", "bailed-out", {"unit": pos.board.ids[unit]}))
