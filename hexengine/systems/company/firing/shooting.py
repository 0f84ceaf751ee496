"""Shooting (C12): who may shoot at whom, with how many dice, and what they need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from hexengine.core.dice import COMBAT, Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Contribution, Emit, Event
from hexengine.core.frames import Actor, Automatic
from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest, units
from hexengine.mechanics.masks import units as hexes
from hexengine.systems.company.board import Weapon
from hexengine.systems.company.firing import artillery
from hexengine.systems.company.firing.hits import Blow, pending, resolve, share
from hexengine.systems.company.morale import pin
from hexengine.systems.company.orders import END, Bombard, End, Shoot, Strike
from hexengine.systems.company.position import CompanyPosition
from hexengine.systems.company.sight import floors
from hexengine.systems.company.sight.cover import concealed, gone_to_ground

MG, AIMED, DEFENSIVE, AIR = 1, 2, 4, 8
"""Flags of a volley: with machine guns, at doubled teams only, in defence, from the air."""
ENDING: Actor = -1


def weapon_of(pos: CompanyPosition, unit: int, mg: bool) -> Weapon | None:
    """The weapon that a team uses: its first, or with ``mg`` its second."""
    weapons = pos.board.weapons[unit]
    return weapons[mg] if len(weapons) > mg else None


def rate(pos: CompanyPosition, unit: int, weapon: Weapon, mg: bool, defensive: bool) -> int:
    """C12.1: the dice of a team: fewer after moving or digging (C3.7), one when pinned but for vehicles'
    MGs.
    """
    board, bit = pos.board, 1 << unit
    dice = weapon.rof
    if not defensive and (pos.moved | pos.tried) & bit:
        dice = weapon.moved
    if pos.pinned >> board.platoon[unit] & 1 and not (mg and board.vehicles & bit):
        dice = min(dice, board.numbers.pinned_rof)
    return dice


def covered(pos: CompanyPosition, unit: int, weapon: Weapon, places: int) -> int:
    """Of some hexes those in a team's range, line of sight and arc (C1.4, C12.1)."""
    if pos.aloft:
        return floors.covered(pos, unit, weapon, places)
    board, here = pos.board, pos.place[unit]
    ground = board.ground
    places &= ground.disc(weapon.range)[here]
    if not places:
        return 0
    places = board.sight.among(here, places)
    if board.arcs >> unit & 1:
        facing = pos.facing[unit]
        for place in hexes(places):
            if not ground.in_front(here, facing, place):
                places &= ~(1 << place)
    return places


def targets(pos: CompanyPosition, unit: int, weapon: Weapon, pool: int) -> int:
    """Of a pool of enemy teams those that a team can shoot at."""
    places = covered(pos, unit, weapon, pos.places(pool))
    found = 0
    for target in units(pool) if places else ():
        if places >> pos.spot(target) & 1:
            found |= 1 << target
    return found


def needed(pos: CompanyPosition, unit: int, target: int) -> list[Contribution]:
    """C12.2: the parts of the score to hit a team."""
    board = pos.board
    more = board.numbers
    parts = [Contribution("C12.2", "skill", board.counters[target].to_hit)]
    if concealed(pos, target, pos.place[unit]):
        parts.append(Contribution("C4.4", "concealed", more.concealed))
        if gone_to_ground(pos, target):
            parts.append(Contribution("C4.4", "gone-to-ground", more.gone_to_ground))
    if board.grid.distance(pos.place[unit], pos.place[target]) > board.reaches.long_range:
        parts.append(Contribution("C12.2", "long-range", more.long_range))
    return parts


def score(pos: CompanyPosition, unit: int, pool: int) -> list[Contribution]:
    """The score of a team against those it can hit: protection counts if half or more of them have it."""
    found = [needed(pos, unit, target) for target in units(pool)]
    found.sort(key=lambda parts: sum([part.value for part in parts]))
    return found[len(found) // 2]


def throw(dice: Dice, number: int, need: int) -> int:
    """C12.2: dice to hit: 7 is a 6 and then 5 or more, 8 a 6 and then a 6, more is impossible."""
    if need > 8:
        dice.faces = []
        return 0
    if need > 6:
        return dice.chained(COMBAT, number, 6, need - 2)
    return dice.at_least(COMBAT, number, need)


def mixed(pos: CompanyPosition, platoon: int) -> bool:
    """Whether a platoon holds both teams that moved at the double and others (C2.12)."""
    there = pos.alive(platoon)
    return bool(there & pos.doubled) and bool(there & ~pos.doubled)


def flags_of(order: Shoot, defensive: bool) -> int:
    """The flags of the volley that an order asks for."""
    return (MG if order.mg else 0) | (AIMED if order.doubled else 0) | (DEFENSIVE if defensive else 0)


def pool_of(pos: CompanyPosition, platoon: int, flags: int) -> int:
    """The teams of a platoon that may be hit: with ``AIMED`` those that doubled (C2.12)."""
    there = pos.alive(platoon)
    return there & pos.doubled if flags & AIMED else there


def able(pos: CompanyPosition, side: int, defensive: bool = False) -> int:
    """The teams of a side that may shoot: once, and not after the double (C2.8)."""
    mask = pos.board.side_units[side] & pos.placed & ~pos.bailed
    return mask if defensive else mask & ~(pos.shot | pos.doubled)


def fields(pos: CompanyPosition, mask: int, places: int, mg: bool, defensive: bool) -> list[tuple[int, int]]:
    """Of some teams those that can shoot into some hexes, as masks of one, each with those of the hexes."""
    found = []
    for unit in units(mask & pos.board.double_armed if mg else mask):
        weapon = weapon_of(pos, unit, mg)
        if weapon is not None and rate(pos, unit, weapon, mg, defensive):
            field = covered(pos, unit, weapon, places)
            if field:
                found.append((1 << unit, field))
    return found


def can_shoot(pos: CompanyPosition, mask: int, places: int, defensive: bool) -> bool:
    """Whether any of some teams can shoot into any of some hexes."""
    return bool(fields(pos, mask, places, False, defensive) or fields(pos, mask, places, True, defensive))


def shots(pos: CompanyPosition, mask: int, enemies: list[int], defensive: bool) -> list[Order]:
    """The shots of a platoon's teams at some platoons: of all that can together, then one by one."""
    book = pos.board.orders
    places = [pos.places(pos.alive(platoon)) for platoon in enemies]
    everywhere = 0
    for mask_of_places in places:
        everywhere |= mask_of_places
    by_weapon = [(mg, fields(pos, mask, everywhere, mg, defensive)) for mg in (False, True)]
    found: list[Order] = []
    for number, platoon in enumerate(enemies):
        aims = [(False, places[number])]
        if mixed(pos, platoon):
            aims.append((True, pos.places(pool_of(pos, platoon, AIMED))))
        for mg, firing in by_weapon:
            for aimed, pool in aims if firing else ():
                each = [bit for bit, field in firing if field & pool]
                if each:
                    found.append(book.once(Shoot, sum(each), platoon, mg, aimed))
                    if len(each) > 1:
                        found += [book.once(Shoot, bit, platoon, mg, aimed) for bit in each]
    return found


def refuse_shot(
    pos: CompanyPosition, side: int, order: Shoot, enemies: list[int], defensive: bool
) -> Refusal | None:
    """Why some teams may not shoot at a platoon."""
    board = pos.board
    first = board.platoon[lowest(order.units)]
    facts: dict[str, Any] = {"platoon": board.platoons[order.platoon].id}
    if order.platoon not in enemies:
        return Refusal("C12.1", "no-target", facts)
    for unit in units(order.units):
        refusal = _refuse_team(pos, side, unit, first, defensive, {**facts, "unit": board.ids[unit]})
        if refusal is not None:
            return refusal
    if order.doubled and not mixed(pos, order.platoon):
        return Refusal("C2.12", "not-mixed", facts)
    pool = pool_of(pos, order.platoon, flags_of(order, defensive))
    places = pos.places(pool)
    for unit in units(order.units):
        facts["unit"] = board.ids[unit]
        weapon = weapon_of(pos, unit, order.mg)
        if weapon is None:
            return Refusal("C12.1", "no-weapon", facts)
        if not rate(pos, unit, weapon, order.mg, defensive):
            return Refusal("C12.1", "cannot-shoot-moved", facts)
        if not covered(pos, unit, weapon, places):
            return _refuse_target(pos, unit, weapon, pool, facts)
    return None


def _refuse_team(
    pos: CompanyPosition, side: int, unit: int, platoon: int, defensive: bool, facts: dict[str, Any]
) -> Refusal | None:
    board, bit = pos.board, 1 << unit
    if board.side[unit] != side:
        return Refusal("C12.1", "not-yours", facts)
    if not pos.placed & bit:
        return Refusal("C12.1", "off-map", facts)
    if board.platoon[unit] != platoon:
        return Refusal("C12.1", "other-platoon", facts)
    if pos.bailed & bit:
        return Refusal("C12.4", "bailed-out", facts)
    if not defensive and pos.doubled & bit:
        return Refusal("C2.8", "doubled", facts)
    if not defensive and pos.shot & bit:
        return Refusal("C12.1", "shot-already", facts)
    return None


def _refuse_target(
    pos: CompanyPosition, unit: int, weapon: Weapon, pool: int, facts: dict[str, Any]
) -> Refusal:
    board, here = pos.board, pos.place[unit]
    near = [target for target in units(pool) if board.grid.distance(here, pos.place[target]) <= weapon.range]
    facts["range"] = weapon.range
    if not near:
        return Refusal("C12.1", "out-of-range", facts)
    if not any(board.sight.sees(pos.spot(unit), pos.spot(target)) for target in near):
        return Refusal("C12.1", "no-line-of-sight", facts)
    return Refusal("C1.4", "out-of-arc", facts)


class Shooting(NamedTuple):
    """A side's Shooting Step."""

    side: int

    @property
    def kind(self) -> str:
        """The kind of the decision."""
        return "shooting"

    def decider(self, pos: CompanyPosition) -> int:
        """The side whose turn it is."""
        return self.side

    def enemies(self, pos: CompanyPosition) -> list[int]:
        """The enemy platoons on the map."""
        return [one for one in hexes(pos.board.side_platoons[1 - self.side]) if pos.alive(one)]

    def _platoons(self, pos: CompanyPosition) -> list[tuple[int, int]]:
        """The platoons with teams that may still shoot, with these."""
        board, mask = pos.board, able(pos, self.side)
        return [
            (platoon, board.members[platoon] & mask)
            for platoon in hexes(board.side_platoons[self.side])
            if board.members[platoon] & mask
        ]

    def actors(self, pos: CompanyPosition) -> list[Actor]:
        """Platoons that can shoot or bombard, aircraft as the number after the last platoon, and ``end``."""
        found = [platoon for platoon, mask in self._platoons(pos) if self._acts(pos, platoon, mask)]
        if pos.flights[self.side] and self.enemies(pos):
            found.append(len(pos.board.platoons))
        return [*found, ENDING]

    def _acts(self, pos: CompanyPosition, platoon: int, mask: int) -> bool:
        """Whether some teams of a platoon, or its guns together, have something to shoot at."""
        if can_shoot(pos, mask, pos.stands(1 - self.side), False):
            return True
        return bool(artillery.bombardments(pos, platoon))

    def orders(self, pos: CompanyPosition, actor: Actor) -> list[Order]:
        """The orders of one of them."""
        board = pos.board
        if actor == ENDING:
            return [END]
        enemies = self.enemies(pos)
        if actor == len(board.platoons):
            return [board.orders.once(Strike, one) for one in enemies] if pos.flights[self.side] else []
        found = shots(pos, board.members[actor] & able(pos, self.side), enemies, False)
        return found + artillery.bombardments(pos, actor)

    def sample(self, pos: CompanyPosition, below: Callable[[int], int]) -> Order:
        """One order of one actor, each as likely: actors without an order are drawn again."""
        wanting = [platoon for platoon, _ in self._platoons(pos)]
        if pos.flights[self.side]:
            wanting.append(len(pos.board.platoons))
        wanting.append(ENDING)
        while True:
            actor = wanting[below(len(wanting))]
            if actor == ENDING:
                return END
            orders = self.orders(pos, actor)
            if orders:
                return orders[below(len(orders))]
            wanting.remove(actor)

    def check(self, pos: CompanyPosition, order: Order) -> Refusal | None:
        """The only judge of legality in the Shooting Step."""
        match order:
            case End():
                return None
            case Shoot():
                return refuse_shot(pos, self.side, order, self.enemies(pos), False)
            case Bombard():
                return artillery.check(pos, self.side, order)
            case Strike(platoon=platoon):
                facts = {"platoon": pos.board.platoons[platoon].id}
                if not pos.flights[self.side]:
                    return Refusal("C13.7", "no-aircraft", facts)
                return None if platoon in self.enemies(pos) else Refusal("C13.7", "no-target", facts)
        return Refusal("C10.1", "wrong-step", {"order": str(order)})

    def play(self, pos: CompanyPosition, order: Order, dice: Dice, emit: Emit) -> None:
        """Carry out a legal order."""
        match order:
            case Shoot():
                open_fire(pos, self.side, order, False)
            case Bombard():
                artillery.bombard(pos, self.side, order, dice, emit)
            case Strike(platoon=platoon):
                pos.flights[self.side] -= 1
                pos.frames.append(Volley(self.side, 0, platoon, AIR, -1))
            case _:
                pos.frames.pop()

    def advance(self, pos: CompanyPosition, dice: Dice, emit: Emit) -> bool:
        """With nothing left to choose the step ends by itself."""
        if any(self._acts(pos, platoon, mask) for platoon, mask in self._platoons(pos)):
            return False
        if pos.flights[self.side] and self.enemies(pos):
            return False
        pos.frames.pop()
        return True


def open_fire(pos: CompanyPosition, side: int, order: Shoot, defensive: bool) -> None:
    """Teams shoot: a frame resolves their weapons, one type after another."""
    if not defensive:
        for unit in units(order.units):
            weapon = weapon_of(pos, unit, order.mg)
            if weapon is not None and rate(pos, unit, weapon, order.mg, False) > weapon.moved:
                pos.full |= 1 << unit
    pos.frames.append(Volley(side, order.units, order.platoon, flags_of(order, defensive), -1))
    if not defensive:
        # Before the dice: whoever shoots has not gone to ground from now on (C11.3).
        pos.shot |= order.units


class _VolleyFields(NamedTuple):
    side: int
    shooters: int
    platoon: int
    flags: int
    weapon: int


class Volley(Automatic, _VolleyFields):
    """Shots at a platoon under way: ``weapon`` is the type that is being resolved, -1 before the first."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        """Nobody decides here."""
        return "volley"

    def decider(self, pos: CompanyPosition) -> int:
        """The side that shoots."""
        return self.side

    def check(self, pos: CompanyPosition, order: Order) -> Refusal | None:
        """Nothing is legal while dice roll."""
        return Refusal("C12.1", "wrong-step", {"order": str(order)})

    def _weapons(self, pos: CompanyPosition) -> dict[int, tuple[Weapon, int]]:
        """The types of weapons that shoot, in order, each with its shooters."""
        if self.flags & AIR:
            flights = pos.board.flights[self.side]
            assert flights is not None, "it has aircraft"
            return {flights.weapon.number: (flights.weapon, 0)}
        found: dict[int, tuple[Weapon, int]] = {}
        for unit in units(self.shooters & pos.placed):
            weapon = weapon_of(pos, unit, bool(self.flags & MG))
            assert weapon is not None, "it was checked"
            found[weapon.number] = (weapon, found.get(weapon.number, (weapon, 0))[1] | 1 << unit)
        return dict(sorted(found.items()))

    def advance(self, pos: CompanyPosition, dice: Dice, emit: Emit) -> bool:
        """Resolve what was hit, then go on with the next type of weapon."""
        weapons = self._weapons(pos)
        if pending(pos):
            weapon, mask = weapons[self.weapon]
            origins = sorted({pos.place[unit] for unit in units(mask)})
            resolve(pos, Blow(weapon.at, weapon.firepower, origins), dice, emit)
            # The next type's dice are a step of their own: by then many ways to the same losses have met.
            return True
        following = next((number for number in weapons if number > self.weapon), -1)
        if following < 0 or not pos.alive(self.platoon):
            pos.frames.pop()
            if pos.struck[self.platoon] >= pos.board.numbers.pinning_hits:
                pin(pos, self.platoon, "C11.2", emit)
            return True
        pos.frames[-1] = self._replace(weapon=following)
        self._roll(pos, *weapons[following], dice, emit)
        return True

    def _roll(self, pos: CompanyPosition, weapon: Weapon, mask: int, dice: Dice, emit: Emit) -> None:
        board = pos.board
        pool = pool_of(pos, self.platoon, self.flags)
        thrown: dict[int, tuple[int, list[Contribution]]] = {}
        scores: dict[tuple[int, int], list[Contribution]] = {}
        hit = 0
        if self.flags & AIR:
            flights = board.flights[self.side]
            assert flights is not None, "it has aircraft"
            parts = artillery.score_from_above(pos, pool)
            thrown[sum([part.value for part in parts])] = (flights.rof, parts)
            hit = pool
        for unit in units(mask):
            seen = targets(pos, unit, weapon, pool)
            if not seen:
                continue
            hit |= seen
            # Teams in one hex have the same score against the same teams.
            parts = scores.get((pos.place[unit], seen)) or score(pos, unit, seen)
            scores[pos.place[unit], seen] = parts
            need = sum([part.value for part in parts])
            number = rate(pos, unit, weapon, bool(self.flags & MG), bool(self.flags & DEFENSIVE))
            if not pool & ~pos.doubled:
                number *= board.numbers.double_dice  # C2.9
            before = thrown.get(need, (0, parts))
            thrown[need] = (before[0] + number, before[1])
        hits = 0
        for need in sorted(thrown):
            number, parts = thrown[need]
            got = throw(dice, number, need)
            hits += got
            if emit:
                facts: dict[str, Any] = {
                    "units": [board.ids[unit] for unit in units(mask)],
                    "weapon": weapon.id,
                }
                facts.update(platoon=board.platoons[self.platoon].id, dice=number, need=need, parts=parts)
                facts.update(faces=list(dice.faces), hits=got, side=board.sides[self.side])
                emit(Event("C13.7" if self.flags & AIR else "C12.1", "volley", facts))
        pos.struck[self.platoon] += hits
        if hits:
            share(pos, 1 - self.side, hit, hits)
