"""The fight of an assault (C13.3 to C13.5): strikes, counter-attacks, breaking off, consolidation."""

from __future__ import annotations

from typing import Any, NamedTuple

from hexengine.core.dice import COMBAT, MORALE, Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.frames import Actor, Automatic
from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest, units
from hexengine.mechanics.masks import units as hexes
from hexengine.systems.company.assaults.contact import (
    active_side,
    advance,
    drive,
    fighters,
    fighting,
    foes,
    near,
    pressed,
    refuges,
    retreat,
    steps_on,
    strikers,
)
from hexengine.systems.company.firing.hits import Blow, pending, resolve, share
from hexengine.systems.company.morale import destroy, pin, worst
from hexengine.systems.company.moving.walking import contact_at
from hexengine.systems.company.orders import DONE, BreakOff, Consolidate, Counter, Done, Withdraw
from hexengine.systems.company.position import CompanyPosition, shift

FIRED, STRUCK, ANSWERED, FLED, WON, OVER = range(6)
"""What is done already when a clash goes on."""
ENDING: Actor = -1


class _ClashFields(NamedTuple):
    active: int
    striker: int
    stage: int
    hits: int
    rounds: int


class Clash(Automatic, _ClashFields):
    """An assault that goes on: ``active`` charged, ``striker`` strikes, ``stage`` is what comes next."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        """Nobody decides here."""
        return "clash"

    def decider(self, pos: CompanyPosition) -> int:
        """The side that strikes."""
        return self.striker

    def check(self, pos: CompanyPosition, order: Order) -> Refusal | None:
        """Nothing is legal while dice roll."""
        return Refusal("C10.1", "wrong-step", {"order": str(order)})

    def advance(self, pos: CompanyPosition, dice: Dice, emit: Emit) -> bool:
        """The next part of the fight."""
        stages = (self._strike, self._answer, self._flee, self._counter, self._consolidate)
        if self.stage < OVER:
            stages[self.stage](pos, dice, emit)
        else:
            for unit in units(pos.engaged & pos.placed):
                # C6.4: who came from room to room touches an opening when all is over.
                if pos.contact[unit] < 0:
                    pos.contact[unit] = contact_at(pos, unit)
            pos.fighting = pos.engaged = pos.stirred = pos.answered = 0
            pos.origin = [-1] * pos.board.count
            pos.frames.pop()
        return True

    def _go(self, pos: CompanyPosition, stage: int, hits: int = 0) -> None:
        pos.frames[-1] = self._replace(stage=stage, hits=hits)

    def _strike(self, pos: CompanyPosition, dice: Dice, emit: Emit) -> None:
        """C13.3: each team that reaches an enemy rolls its Skill; a charge that was stopped goes back
        (C13.2).
        """
        board, side = pos.board, self.striker
        if side == self.active and self.rounds == 0 and self._stopped(pos, emit):
            return
        striking, struck = strikers(pos, side, self.active)
        if not striking:
            # C13.4: a side that reaches nobody has to break off.
            pos.fleeing = pressed(pos, side, self.active)
            pos.countering = 0
            pos.frames[-1] = Clash(self.active, 1 - side, ANSWERED, 0, self.rounds)
            return
        hits = 0
        by_skill: dict[int, int] = {}
        for unit in units(striking):
            by_skill[board.skill[unit]] = by_skill.get(board.skill[unit], 0) | 1 << unit
        for need, mask in sorted(by_skill.items()):
            got = dice.at_least(COMBAT, mask.bit_count(), need)
            hits += got
            if emit:
                facts = {"units": [board.ids[unit] for unit in units(mask)], "need": need, "hits": got}
                emit(Event("C13.3", "strike", {**facts, "faces": dice.faces}))
        self._go(pos, STRUCK, hits)
        if hits:
            share(pos, 1 - side, struck, hits)

    def _stopped(self, pos: CompanyPosition, emit: Emit) -> bool:
        """C13.2: a platoon pinned by defensive fire, or without a charger left, charges no farther."""
        board = pos.board
        mask = pos.fighting & board.side_platoons[self.active]
        if mask and pos.engaged & pos.placed and not pos.pinned & mask:
            return False
        for unit in units(pos.engaged & pos.placed):
            self._back(pos, unit)
        if emit and mask:
            emit(Event("C13.2", "charge-stopped", {"platoon": board.platoons[lowest(mask)].id}))
        self._go(pos, OVER)
        return True

    @staticmethod
    def _back(pos: CompanyPosition, unit: int) -> None:
        """A team goes back to the hex and floor from which it charged."""
        ground, spot = pos.board.ground, pos.origin[unit]
        shift(pos, unit, ground.hex_of[spot])
        pos.floor[unit] = ground.floor_of[spot]
        pos.aloft |= 1 << unit if pos.floor[unit] else 0
        pos.contact[unit] = contact_at(pos, unit)

    def _answer(self, pos: CompanyPosition, dice: Dice, emit: Emit) -> None:
        """Losses; then who of the struck side still may fight (C13.4)."""
        board, other = pos.board, 1 - self.striker
        self._losses(pos, dice, emit)
        pos.countering = pos.fleeing = 0
        candidates = pressed(pos, other, self.active)
        if not candidates:
            self._go(pos, WON)
            return
        bound = 0
        for platoon in hexes(candidates):
            mine = pos.alive(platoon)
            if board.platoons[platoon].independent or not mine & ~(board.vehicles & ~board.armoured):
                bound |= 1 << platoon
        if self.rounds >= board.numbers.assault_rounds:
            bound = candidates
        may = candidates & ~bound
        if may and self.hits:
            may = self._test(pos, may, dice, emit)
        pos.fleeing = candidates & ~may
        self._go(pos, ANSWERED)
        if may:
            pos.frames.append(Answer(other, may))

    def _losses(self, pos: CompanyPosition, dice: Dice, emit: Emit) -> None:
        """C13.3: infantry and guns hit are destroyed; armoured teams are struck at their top armour."""
        board = pos.board
        armoured = pending(pos) & board.armoured
        # As they struck: nobody has been lost or moved since.
        striking = strikers(pos, self.striker, self.active)[0] if armoured else 0
        for unit in units(pending(pos) & ~board.armoured):
            pos.hits[unit] = 0
            destroy(pos, unit, "C13.3", emit)
        if armoured:
            at = max(board.counters[unit].assault_at for unit in units(striking))
            resolve(pos, Blow(at, board.numbers.assault_firepower, []), dice, emit)

    @staticmethod
    def _test(pos: CompanyPosition, may: int, dice: Dice, emit: Emit) -> int:
        """One die for all platoons, each by its own Motivation."""
        board = pos.board
        needs = {platoon: worst(pos, pos.alive(platoon), False) for platoon in hexes(may)}
        limits = sorted(set(needs.values()))
        reached = dice.band(MORALE, 1, limits)
        passed = sum(1 << platoon for platoon, need in needs.items() if need in limits[:reached])
        if emit:
            facts: dict[str, Any] = {"faces": dice.faces}
            facts["passed"] = [board.platoons[platoon].id for platoon in hexes(passed)]
            facts["failed"] = [board.platoons[platoon].id for platoon in hexes(may & ~passed)]
            emit(Event("C13.4", "counter-test", facts))
        return passed

    def _flee(self, pos: CompanyPosition, dice: Dice, emit: Emit) -> None:
        self._go(pos, FLED)
        if pos.fleeing:
            pos.frames.append(Flight(1 - self.striker, self.active))

    def _counter(self, pos: CompanyPosition, dice: Dice, emit: Emit) -> None:
        """C13.4: the platoons that counter-attack run in and strike; the sides have swapped their parts."""
        from hexengine.systems.company.assaults.assault import Charging

        other = 1 - self.striker
        if not pos.countering:
            self._go(pos, WON)
            return
        pos.fighting |= pos.countering
        pos.countering = pos.stirred = 0
        pos.frames[-1] = Clash(self.active, other, FIRED, 0, self.rounds + 1)
        pos.frames.append(Charging(other, 1))

    def _consolidate(self, pos: CompanyPosition, dice: Dice, emit: Emit) -> None:
        pos.stirred = 0
        self._go(pos, OVER)
        if emit:
            emit(Event("C13.5", "assault-won", {"side": pos.board.sides[self.striker]}))
        pos.frames.append(Consolidation(self.striker))


class Answer(NamedTuple):
    """A platoon that was struck may counter-attack or break off (C13.4)."""

    side: int
    may: int

    @property
    def kind(self) -> str:
        """The kind of the decision."""
        return "answer"

    def decider(self, pos: CompanyPosition) -> int:
        """The side that was struck."""
        return self.side

    def actors(self, pos: CompanyPosition) -> list[Actor]:
        """The platoons that have not chosen yet."""
        return list(hexes(self.may))

    def orders(self, pos: CompanyPosition, actor: Actor) -> list[Order]:
        """Both choices."""
        book = pos.board.orders
        return [book.once(Counter, actor), book.once(BreakOff, actor)]

    def check(self, pos: CompanyPosition, order: Order) -> Refusal | None:
        """A platoon that may choose does."""
        if not isinstance(order, (Counter, BreakOff)):
            return Refusal("C13.4", "answer-first", {"order": str(order)})
        facts = {"platoon": pos.board.platoons[order.platoon].id}
        return None if self.may >> order.platoon & 1 else Refusal("C13.4", "no-choice", facts)

    def play(self, pos: CompanyPosition, order: Order, dice: Dice, emit: Emit) -> None:
        """Note the choice."""
        assert isinstance(order, (Counter, BreakOff))
        bit = 1 << order.platoon
        if isinstance(order, Counter):
            pos.countering |= bit
        else:
            pos.fleeing |= bit
        if emit:
            code = "counter-attacks" if isinstance(order, Counter) else "breaks-off"
            emit(Event("C13.4", code, {"platoon": pos.board.platoons[order.platoon].id}))
        pos.frames[-1] = Answer(self.side, self.may & ~bit)

    def advance(self, pos: CompanyPosition, dice: Dice, emit: Emit) -> bool:
        """Over when all have chosen."""
        if self.may:
            return False
        pos.frames.pop()
        return True


class Flight(NamedTuple):
    """Platoons break off: each of their teams near the enemy goes away, or is lost (C13.5)."""

    side: int
    active: int

    @property
    def kind(self) -> str:
        """The kind of the decision."""
        return "break-off"

    def decider(self, pos: CompanyPosition) -> int:
        """The side that breaks off."""
        return self.side

    def _going(self, pos: CompanyPosition) -> int:
        """The teams that still are too near."""
        against, reach = foes(pos, self.side, self.active), pos.board.reaches.breakoff
        found = 0
        for platoon in hexes(pos.fleeing):
            for unit in units(pos.alive(platoon)):
                if near(pos, pos.place[unit], against, reach):
                    found |= 1 << unit
        return found

    def actors(self, pos: CompanyPosition) -> list[Actor]:
        """The teams that have to go."""
        return [unit for unit in units(self._going(pos)) if refuges(pos, unit, self.active)]

    def orders(self, pos: CompanyPosition, actor: Actor) -> list[Order]:
        """Where one of them may go."""
        book = pos.board.orders
        return [book.once(Withdraw, actor, place) for place in hexes(refuges(pos, actor, self.active))]

    def check(self, pos: CompanyPosition, order: Order) -> Refusal | None:
        """Away from the enemy, at up to double distance."""
        if not isinstance(order, Withdraw):
            return Refusal("C13.5", "break-off-first", {"order": str(order)})
        board = pos.board
        facts = {"unit": board.ids[order.unit], "hex": board.labels[order.place]}
        if not self._going(pos) >> order.unit & 1:
            return Refusal("C13.5", "stays-put", facts)
        if refuges(pos, order.unit, self.active) >> order.place & 1:
            return None
        return Refusal("C13.5", "no-refuge", facts)

    def play(self, pos: CompanyPosition, order: Order, dice: Dice, emit: Emit) -> None:
        """One team goes."""
        assert isinstance(order, Withdraw)
        board, unit = pos.board, order.unit
        drive(retreat(pos, unit), order.place)
        pos.moved |= 1 << unit
        if emit:
            emit(Event("C13.5", "withdraws", {"unit": board.ids[unit], "hex": board.labels[order.place]}))

    def advance(self, pos: CompanyPosition, dice: Dice, emit: Emit) -> bool:
        """Teams that cannot get away are lost; when all are gone their platoons are pinned."""
        going = self._going(pos)
        for unit in units(going):
            if not refuges(pos, unit, self.active):
                destroy(pos, unit, "C13.5", emit)
                return True
        if going:
            return False
        for platoon in hexes(pos.fleeing):
            pin(pos, platoon, "C13.5", emit)
        pos.fighting &= ~pos.fleeing
        pos.fleeing = 0
        pos.frames.pop()
        return True


class Consolidation(NamedTuple):
    """The winner's teams move up to the distance of a charge; ``done`` (C13.5)."""

    side: int

    @property
    def kind(self) -> str:
        """The kind of the decision."""
        return "consolidation"

    def decider(self, pos: CompanyPosition) -> int:
        """The winner."""
        return self.side

    def _able(self, pos: CompanyPosition) -> int:
        mask = fighters(pos, self.side) & fighting(pos, self.side) & ~pos.stirred
        # C2.8: the double binds in one's own turn.
        return mask & ~pos.doubled if self.side == active_side(pos) else mask

    def actors(self, pos: CompanyPosition) -> list[Actor]:
        """Teams that have not moved yet, and ``done``."""
        return [*[unit for unit in units(self._able(pos)) if steps_on(pos, unit)], ENDING]

    def orders(self, pos: CompanyPosition, actor: Actor) -> list[Order]:
        """Where one of them may go."""
        if actor == ENDING:
            return [DONE]
        return [pos.board.orders.once(Consolidate, actor, place) for place in hexes(steps_on(pos, actor))]

    def check(self, pos: CompanyPosition, order: Order) -> Refusal | None:
        """Teams of the winner, once each, and not into the enemy."""
        if isinstance(order, Done):
            return None
        if not isinstance(order, Consolidate):
            return Refusal("C13.5", "consolidate-first", {"order": str(order)})
        board = pos.board
        facts = {"unit": board.ids[order.unit], "hex": board.labels[order.place]}
        if not self._able(pos) >> order.unit & 1:
            return Refusal("C13.5", "stays-put", facts)
        if steps_on(pos, order.unit) >> order.place & 1:
            return None
        return Refusal("C13.5", "out-of-charge", {**facts, "distance": board.reaches.charge})

    def play(self, pos: CompanyPosition, order: Order, dice: Dice, emit: Emit) -> None:
        """One team moves, or it is over."""
        if not isinstance(order, Consolidate):
            pos.frames.pop()
            return
        board, unit = pos.board, order.unit
        pos.stirred |= 1 << unit
        pos.moved |= 1 << unit
        drive(advance(pos, unit), order.place)
        if emit:
            emit(Event("C13.5", "consolidates", {"unit": board.ids[unit], "hex": board.labels[order.place]}))

    def advance(self, pos: CompanyPosition, dice: Dice, emit: Emit) -> bool:
        """With nobody left who may move it is over."""
        if any(steps_on(pos, unit) for unit in units(self._able(pos))):
            return False
        pos.frames.pop()
        return True
