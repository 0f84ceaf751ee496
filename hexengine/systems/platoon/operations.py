"""Operations (P2.5): the choice of who acts, and the group on the move (P4.3)."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from hexengine.core.dice import Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.frames import Actor
from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest, units
from hexengine.systems.platoon import entry, movement, transport
from hexengine.systems.platoon.board import STACKING_LIMIT
from hexengine.systems.platoon.fire import attack, check_shot, fire_bar, refuse_fire, shots, visible_enemies
from hexengine.systems.platoon.orders import (
    DONE,
    END,
    CarrierUnits,
    Done,
    End,
    Enter,
    Exit,
    Fire,
    Load,
    Move,
    Unload,
    UnitsHex,
)
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.reaction import Reaction, watched
from hexengine.systems.platoon.stacking import counted, crowded, settle

CLOSING: Actor = -1
"""The actor whose only order is ``end`` or ``done``."""
ENTERING: Actor = -2
"""The actor of units that wait off the map."""


def free(pos: PlatoonPosition, formation: int) -> int:
    """The units of a formation that can still act in this activation."""
    board = pos.board
    return (
        pos.placed
        & board.formations[formation].members
        & board.movers
        & ~(pos.ops | pos.ooc | pos.finished | pos.carried)
    )


def orders_at(pos: PlatoonPosition, formation: int, place: int, able: int, members: int) -> list[Order]:
    """Every legal order of the able units in a hex, in canonical order.

    ``members`` are the able units of the open group, or -1 if none is open.
    """
    board = pos.board
    here = 0
    where = pos.hex
    for unit in units(able):
        if where[unit] == place:
            here |= 1 << unit
    found: list[Order] = []
    group = max(members, 0)
    movement.steps(pos, formation, place, here, group, found)
    _loads(pos, formation, place, members, found)
    if counted(pos, board.formations[formation].side, place) > STACKING_LIMIT and group:
        return found
    for unit in units(here & board.transports):
        _unloads(pos, unit, group, found)
    entry.exits(pos, formation, place, here, found)
    enemies = visible_enemies(pos, board.formations[formation].side)
    for unit in units(here & board.fighters):
        if not fire_bar(pos, unit):
            shots(pos, unit, enemies, pos.led, found)
    return found


def _loads(pos: PlatoonPosition, formation: int, place: int, members: int, found: list[Order]) -> None:
    board = pos.board
    mine = pos.placed & board.formations[formation].fighters & ~pos.carried
    riders = mine & board.riders
    carriers = mine & board.transports
    if not riders or not carriers:
        return
    where = pos.hex
    for carrier in units(carriers):
        if where[carrier] != place:
            continue
        for rider in units(riders):
            if where[rider] == place and not transport.load_bar(pos, carrier, rider, members):
                weapon = board.weapon_of[rider]
                found.append(board.orders.load(carrier, 1 << rider | (1 << weapon if weapon >= 0 else 0)))


def _unloads(pos: PlatoonPosition, carrier: int, group: int, found: list[Order]) -> None:
    riders = [r for r in pos.passengers(carrier) if not transport.unload_bar(pos, carrier, r)]
    if riders and len(riders) == len(pos.passengers(carrier)):
        mask = sum(1 << rider for rider in riders)
        if unload_crowds(pos, carrier, mask, group) is None:
            found.append(pos.board.orders.unload(carrier))


def unload_crowds(pos: PlatoonPosition, carrier: int, riders: int, group: int) -> Refusal | None:
    """Unloading may overfill the hex only while a legal way on is left (P3.4, P5.10)."""
    board = pos.board
    side, place = board.side[carrier], pos.hex[carrier]
    if counted(pos, side, place) + riders.bit_count() <= STACKING_LIMIT:
        return None
    trial = pos.copy()
    transport.unload(trial, carrier, riders, None)
    if movement.can_thin(trial, side, place, group | riders | 1 << carrier):
        return None
    return Refusal("P3.4", "hex-full", {"hex": board.labels[place], "limit": STACKING_LIMIT})


def has_orders(pos: PlatoonPosition, formation: int, place: int, able: int, members: int) -> bool:
    """Whether :func:`orders_at` would give anything, answered early where that is easy."""
    board = pos.board
    side = board.formations[formation].side
    enemy_base, own_base = (1 - side) * board.size, side * board.size
    here, where = pos.here, pos.hex
    if here[own_base + place] <= STACKING_LIMIT:
        for unit in units(able & ~board.hqs):
            if where[unit] != place:
                continue
            neighbours = board.neighbours[place]
            for direction in units(movement.ways(pos, unit, place)):
                target = neighbours[direction]
                if not here[enemy_base + target] and here[own_base + target] & 15 < STACKING_LIMIT:
                    return True
    return bool(orders_at(pos, formation, place, able, members))


def places_of(pos: PlatoonPosition, mask: int) -> list[int]:
    """The hexes where some units stand, ascending."""
    where = pos.hex
    found = {where[unit] for unit in units(mask)}
    return sorted(found) if len(found) > 1 else list(found)


def check_actors(pos: PlatoonPosition, formation: int, mine: int, able: int) -> Refusal | None:
    """Whether all named units can act now; if not, why the first one cannot (P2.5)."""
    wrong = mine & ~able
    if not wrong:
        return None
    board = pos.board
    unit = lowest(wrong)
    bit = 1 << unit
    facts = {"unit": board.ids[unit], "formation": board.formations[formation].id}
    if board.formation[unit] != formation:
        return Refusal("P2.5", "other-formation", facts)
    if board.weapons & bit:
        return Refusal("P3.5", "weapon-not-named", facts)
    if pos.lost & bit:
        return Refusal("P6.6", "lost", facts)
    if not pos.placed & bit:
        return Refusal("P15", "off-map", facts)
    if pos.carried & bit:
        return Refusal("P5.11", "carried", facts)
    if pos.ops & bit:
        return Refusal("P4.1", "ops-complete", facts)
    if pos.ooc & bit:
        return Refusal("P2.2.4", "out-of-command", facts)
    if pos.finished & bit:
        return Refusal("P4.6" if pos.fired & bit and pos.disrupted & bit else "P4.3", "finished", facts)
    return Refusal("P4.3", "not-in-group", facts)


class _Acting:
    """What the choice of who acts and the open group have in common."""

    __slots__ = ()

    formation: int

    def decider(self, pos: PlatoonPosition) -> int:
        """The active formation's side."""
        return pos.board.formations[self.formation].side

    def able(self, pos: PlatoonPosition) -> int:
        """The units that can act in this frame."""
        raise NotImplementedError

    def group(self, pos: PlatoonPosition) -> int:
        """The able units of the open group, or -1 if none is open."""
        raise NotImplementedError

    def orders(self, pos: PlatoonPosition, actor: Actor) -> list[Order]:
        """The legal orders of the units in one hex, of waiting units, or ``end`` or ``done``."""
        if actor == CLOSING:
            return [self.closing()]
        if actor == ENTERING:
            found: list[Order] = []
            entry.entries(pos, self.formation, found)
            return found
        return orders_at(pos, self.formation, actor, self.able(pos), self.group(pos))

    def closing(self) -> Order:
        """The order that closes this frame."""
        raise NotImplementedError

    def check(self, pos: PlatoonPosition, order: Order) -> Refusal | None:
        """The only judge of legality in operations."""
        refusal = self._judge(pos, order)
        if refusal is None:
            return None
        return refusal._replace(alternative=self._alternative(pos, order))

    def _judge(self, pos: PlatoonPosition, order: Order) -> Refusal | None:
        kind = type(order)
        formation = self.formation
        able = self.able(pos)
        if kind is Move:
            assert isinstance(order, Move)
            if order.units & ~able:
                return check_actors(pos, formation, order.units, able)
            return movement.check_step(pos, formation, order.units, max(self.group(pos), 0), order.hex)
        if kind is type(self.closing()):
            return self._may_close(pos)
        if kind is Load or kind is Unload:
            assert isinstance(order, CarrierUnits)
            return self._judge_transport(pos, order, able)
        if kind is Enter:
            assert isinstance(order, Enter)
            if self.group(pos) >= 0:
                return Refusal("P4.3", "group-open", {"order": str(order)})
            return entry.check_entry(pos, formation, order.units, order.hex)
        if kind is Exit:
            assert isinstance(order, Exit)
            return check_actors(pos, formation, order.units, able) or (
                self._crowded_first(pos, pos.hex[lowest(order.units)])
                or entry.check_exit(pos, formation, order.units)
            )
        if kind is Fire:
            assert isinstance(order, Fire)
            return self._judge_fire(pos, order, able)
        if isinstance(order, UnitsHex):
            return Refusal("P4.4", "no-close-combat", {"hex": pos.board.labels[order.hex]})
        return Refusal("P2.5", "wrong-decision", {"order": str(order)})

    def _judge_fire(self, pos: PlatoonPosition, order: Fire, able: int) -> Refusal | None:
        firer = order.firer
        if not able >> firer & 1:
            return check_actors(pos, self.formation, 1 << firer, able)
        bar = fire_bar(pos, firer)
        if bar:
            return refuse_fire(pos, firer, bar)
        return self._crowded_first(pos, pos.hex[firer]) or check_shot(pos, order, self.decider(pos), pos.led)

    def _judge_transport(self, pos: PlatoonPosition, order: CarrierUnits, able: int) -> Refusal | None:
        carrier = order.carrier
        if type(order) is Load:
            outsiders = (1 << carrier | order.units) & ~pos.board.formations[self.formation].members
            if outsiders:
                return check_actors(pos, self.formation, outsiders, 0)
            return self._other_crowd(pos, carrier) or transport.check_load(
                pos, carrier, order.units, self.group(pos)
            )
        if not able >> carrier & 1:
            return check_actors(pos, self.formation, 1 << carrier, able)
        refusal = transport.check_unload(pos, carrier, order.units)
        if refusal is not None:
            return refusal
        riders = transport.unload_mask(pos, carrier, order.units)
        return self._crowded_first(pos, pos.hex[carrier]) or unload_crowds(
            pos, carrier, riders, max(self.group(pos), 0)
        )

    def _crowded_first(self, pos: PlatoonPosition, place: int) -> Refusal | None:
        """In a hex over the limit only ways out of it are legal (P3.4)."""
        return None

    def _other_crowd(self, pos: PlatoonPosition, unit: int) -> Refusal | None:
        return None

    def _may_close(self, pos: PlatoonPosition) -> Refusal | None:
        return None

    def _alternative(self, pos: PlatoonPosition, order: Order) -> Order | None:
        """Something legal of the same kind, nearest to what was asked."""
        legal = [o for actor in self.actors(pos) for o in self.orders(pos, actor)]
        same = [o for o in legal if type(o) is type(order)]
        if isinstance(order, (UnitsHex, Exit)):
            shared = [o for o in same if o.units & order.units]  # type: ignore[attr-defined]
            if isinstance(order, UnitsHex):
                distance = pos.board.grid.distance
                shared.sort(key=lambda o: (distance(o.hex, order.hex), -(o.units & order.units).bit_count()))  # type: ignore[attr-defined]
            same = shared or same
        elif isinstance(order, Fire):
            same = [o for o in same if o.firer == order.firer] or [  # type: ignore[attr-defined]
                o for o in same if o.target == order.target  # type: ignore[attr-defined]
            ]
        elif isinstance(order, CarrierUnits):
            same = [o for o in same if o.carrier == order.carrier] or same  # type: ignore[attr-defined]
        return same[0] if same else None

    def actors(self, pos: PlatoonPosition) -> list[Actor]:
        """Hexes with able units that have legal orders, then the rest."""
        raise NotImplementedError

    # -- carrying out ---------------------------------------------------------------------------

    def play(self, pos: PlatoonPosition, order: Order, dice: Dice, emit: Emit) -> None:
        """Carry out a legal order; what happens last is pushed first."""
        match order:
            case Move(units=mine, hex=target):
                self._open(pos, mine)
                movement.take_step(pos, mine, target, emit)
                self._react(pos, mine, target)
            case Fire(firer=firer):
                if order.lead:
                    pos.led |= 1 << pos.board.formations[self.formation].hq
                pos.finished |= 1 << firer
                pos.fired |= 1 << firer
                attack(pos, order, dice, emit)
            case Load(carrier=carrier, units=named):
                rider = lowest(named & ~pos.board.weapons)
                self._open(pos, 1 << carrier | 1 << rider)
                transport.load(pos, carrier, rider, emit)
            case Unload(carrier=carrier, units=named):
                riders = transport.unload_mask(pos, carrier, named)
                self._open(pos, 1 << carrier | riders)
                transport.unload(pos, carrier, riders, emit)
            case Enter(units=mine, hex=target):
                self._open(pos, mine)
                entry.enter(pos, mine, target, emit)
                self._react(pos, mine, target)
            case Exit(units=mine):
                self._open(pos, mine)
                entry.leave(pos, self.formation, mine, emit)
            case _:
                self._close(pos, emit)

    def _open(self, pos: PlatoonPosition, mine: int) -> None:
        raise NotImplementedError

    def _close(self, pos: PlatoonPosition, emit: Emit) -> None:
        raise NotImplementedError

    def _react(self, pos: PlatoonPosition, mine: int, target: int) -> None:
        enemy = 1 - self.decider(pos)
        targets = mine & pos.board.fighters
        if watched(pos, enemy, targets, target):
            pos.frames.append(Reaction(enemy, target, targets))


class _OperationsFields(NamedTuple):
    formation: int


class Operations(_Acting, _OperationsFields):
    """Nobody is on the move: any unit or stack of the formation may begin, or the activation ends."""

    __slots__ = ()
    kind: ClassVar[str] = "operations"

    def able(self, pos: PlatoonPosition) -> int:
        return free(pos, self.formation)

    def group(self, pos: PlatoonPosition) -> int:
        return -1

    def closing(self) -> Order:
        return END

    def actors(self, pos: PlatoonPosition) -> list[Actor]:
        able = self.able(pos)
        formation = self.formation
        found = [p for p in self._places(pos, able) if has_orders(pos, formation, p, able, -1)]
        if entry.due_units(pos, formation) and self.orders(pos, ENTERING):
            found.append(ENTERING)
        found.append(CLOSING)
        return found

    def _places(self, pos: PlatoonPosition, able: int) -> list[int]:
        """Where orders may be found: able units, and carriers and infantry that only approached."""
        board = pos.board
        mine = pos.placed & board.formations[self.formation].fighters & ~pos.carried
        waiting = mine & pos.finished & ~pos.fired & board.transports
        return places_of(pos, able | waiting)

    def _open(self, pos: PlatoonPosition, mine: int) -> None:
        pos.frames.append(Group(self.formation, mine))

    def _close(self, pos: PlatoonPosition, emit: Emit) -> None:
        from hexengine.systems.platoon.activation import end_activation

        pos.frames.pop()
        end_activation(pos, self.formation, emit)

    def advance(self, pos: PlatoonPosition, dice: Dice, emit: Emit) -> bool:
        """Nothing left to choose: the activation ends by itself."""
        able = self.able(pos)
        for place in self._places(pos, able):
            if has_orders(pos, self.formation, place, able, -1):
                return False
        if entry.due_units(pos, self.formation) and self.orders(pos, ENTERING):
            return False
        self._close(pos, emit)
        return True


class _GroupFields(NamedTuple):
    formation: int
    members: int


class Group(_Acting, _GroupFields):
    """A group is on the move: its members act until ``done`` closes it (P4.3)."""

    __slots__ = ()
    kind: ClassVar[str] = "group"

    def able(self, pos: PlatoonPosition) -> int:
        return self.members & pos.placed & ~(pos.finished | pos.carried)

    def group(self, pos: PlatoonPosition) -> int:
        return self.able(pos)

    def closing(self) -> Order:
        return DONE

    def _open(self, pos: PlatoonPosition, mine: int) -> None:
        if mine & ~self.members:
            pos.frames[-1] = Group(self.formation, self.members | mine)

    def _close(self, pos: PlatoonPosition, emit: Emit) -> None:
        """P4.3, P4.1: the members are finished; whoever is over the limit goes back (P3.4)."""
        pos.frames.pop()
        members = self.members & pos.placed
        pos.finished |= members
        settle(pos, members, 0, emit)
        if emit:
            emit(Event("P4.3", "group-closed", {"units": [pos.board.ids[u] for u in units(members)]}))

    def actors(self, pos: PlatoonPosition) -> list[Actor]:
        able = self.able(pos)
        over = self._over(pos)
        found = [
            place
            for place in places_of(pos, over or able)
            if has_orders(pos, self.formation, place, able, able)
        ]
        if not over or not found:
            found.append(CLOSING)
        return found

    def _over(self, pos: PlatoonPosition) -> int:
        return crowded(pos, self.able(pos))

    def _crowded_first(self, pos: PlatoonPosition, place: int) -> Refusal | None:
        over = self._over(pos)
        if not over:
            return None
        crowd = pos.hex[lowest(over)]
        facts = {"hex": pos.board.labels[crowd], "limit": STACKING_LIMIT}
        return Refusal("P3.4", "over-the-limit", facts)

    def _other_crowd(self, pos: PlatoonPosition, unit: int) -> Refusal | None:
        """Loading in one hex while another is over the limit must wait."""
        over = self._over(pos)
        if over and pos.hex[unit] not in {pos.hex[u] for u in units(over)}:
            return self._crowded_first(pos, pos.hex[unit])
        return None

    def _judge(self, pos: PlatoonPosition, order: Order) -> Refusal | None:
        if type(order) is Move:
            assert isinstance(order, Move)
            mover = order.units & self.able(pos)
            if mover:
                refusal = self._other_crowd(pos, lowest(mover))
                if refusal is not None:
                    return refusal
        return super()._judge(pos, order)

    def _may_close(self, pos: PlatoonPosition) -> Refusal | None:
        over = self._over(pos)
        if over and CLOSING not in self.actors(pos):
            return self._crowded_first(pos, pos.hex[lowest(over)])
        return None

    def advance(self, pos: PlatoonPosition, dice: Dice, emit: Emit) -> bool:
        """Nobody of the group can do anything more: it closes by itself."""
        able = self.able(pos)
        for place in places_of(pos, self._over(pos) or able):
            if has_orders(pos, self.formation, place, able, able):
                return False
        self._close(pos, emit)
        return True
