"""A group on the move (S2.4, S2.5, S5): one step after another, and what happens in each hex."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from hexengine.core.dice import Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.frames import Actor
from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest, units
from hexengine.mechanics.orders import first_alike
from hexengine.systems.squad import control, melee, victory
from hexengine.systems.squad.firing import groups
from hexengine.systems.squad.firing.fire import (
    check_fire,
    reaching,
    ready,
    refuse_unit,
    subsets,
    targets_from,
)
from hexengine.systems.squad.firing.reaction import Reaction
from hexengine.systems.squad.moving import happenings, hazards
from hexengine.systems.squad.moving.steps import (
    Stride,
    allowance,
    any_step,
    cap_of,
    check_step,
    cost_of,
    spent_by,
    steps,
)
from hexengine.systems.squad.moving.transport import check_unload, unload
from hexengine.systems.squad.moving.vehicles import entering
from hexengine.systems.squad.orders import ASSAULT, CRAWL, DONE, STEALTH, Done, Fire, Move, Unload
from hexengine.systems.squad.position import SquadPosition, passengers, shift
from hexengine.systems.squad.sight.spotting import reveal, spots, spotted

CLOSING: Actor = -1


class Group(NamedTuple):
    """Units that move together, how, and the MF of the leaders that hurry them on (S7.2)."""

    side: int
    members: int
    mode: int
    cap: int

    @property
    def kind(self) -> str:
        """The kind of the decision."""
        return "group"

    def decider(self, pos: SquadPosition) -> int:
        """The side that moves."""
        return self.side

    def able(self, pos: SquadPosition) -> int:
        """The members that can go on: nothing has stopped them (S2.5, S5.5, S9.8)."""
        return self.members & pos.placed & ~pos.stopped

    def _stride(self, pos: SquadPosition, able: int) -> Stride:
        return Stride(pos, self.side, able, self.mode, self.cap, True)

    def _steps(self, pos: SquadPosition, able: int) -> list[Order]:
        found: list[Order] = []
        if able and not self.mode & CRAWL:
            steps(pos, self._stride(pos, able), found, 0)
        return found

    def firing(self, pos: SquadPosition, able: int) -> tuple[int, int]:
        """The members that may fire after their assault or stealth move, and at what (S6.5, S7.16)."""
        if not able or not self.mode & (ASSAULT | STEALTH):
            return 0, 0
        mask = able & ready(pos, self.side, False)
        place = pos.place[lowest(able)]
        return mask, targets_from(pos, self.side, place) if mask else 0

    def actors(self, pos: SquadPosition) -> list[Actor]:
        """The group, smaller groups of it that can fire, and ``done``."""
        able = self.able(pos)
        found = [able] if able and self.orders(pos, able) else []
        firing, targets = self.firing(pos, able)
        if targets:
            found += [mask for mask in subsets(firing) if mask != able and self._fires(pos, mask, targets)]
        return [*found, CLOSING]

    def _fires(self, pos: SquadPosition, mask: int, targets: int) -> list[Order]:
        found: list[Order] = []
        groups.fires(pos, mask, targets, found)
        return found

    def orders(self, pos: SquadPosition, actor: Actor) -> list[Order]:
        """The steps of the whole group, and the fire of some of it (S5.3); or ``done``."""
        if actor == CLOSING:
            return [DONE]
        able = self.able(pos)
        found = self._steps(pos, able) if actor == able else []
        firing, targets = self.firing(pos, able)
        if targets and not actor & ~firing:
            found += self._fires(pos, actor, targets)
        if actor == able and self._unloads(pos, able):
            found.append(pos.board.orders.once(Unload, lowest(able)))
        return found

    @staticmethod
    def _unloads(pos: SquadPosition, able: int) -> bool:
        """Whether a vehicle on the move has passengers that may get out (S8.4)."""
        return bool(pos.aboard and able and not able & pos.shaken and not check_unload(pos, lowest(able)))

    def sample(self, pos: SquadPosition, below: Callable[[int], int]) -> Order:
        """One order of one actor, each actor as likely."""
        plain = not self.mode & (ASSAULT | STEALTH)
        actors = [self.able(pos), CLOSING] if plain else self.actors(pos)
        actor = actors[below(len(actors))]
        orders = self.orders(pos, actor) if actor != CLOSING else []
        return orders[below(len(orders))] if orders else DONE

    def check(self, pos: SquadPosition, order: Order) -> Refusal | None:
        """The only judge of legality while a group is on the move."""
        refusal = self._judge(pos, order)
        return refusal and refusal._replace(alternative=first_alike(pos, self, order))

    def _judge(self, pos: SquadPosition, order: Order) -> Refusal | None:
        board = pos.board
        able = self.able(pos)
        if isinstance(order, Done):
            return None
        if isinstance(order, Fire):
            return self._judge_fire(pos, order, able)
        if isinstance(order, Unload) and able == 1 << order.unit:
            if able & pos.shaken:
                return Refusal("S11.6", "shaken-acts", {"unit": board.ids[order.unit]})
            return check_unload(pos, order.unit)
        if not isinstance(order, Move):
            return Refusal("S2.6", "group-open", {"order": str(order)})
        if order.units != able or not able:
            facts = {"units": [board.ids[unit] for unit in units(able)]}
            outside = order.units & ~able
            if outside & self.members:
                return Refusal(
                    "S2.5", "stopped", {**facts, "unit": board.ids[lowest(outside & self.members)]}
                )
            if outside:
                return Refusal("S2.4", "group-must-move-together", facts)
            return Refusal("S2.5", "no-split", facts)
        if order.mode:
            return Refusal("S6.3", "declared-already", {})
        if self.mode & CRAWL:
            return Refusal("S7.10", "crawled-already", {"units": [board.ids[unit] for unit in units(able)]})
        return check_step(pos, self._stride(pos, able), order)

    def _judge_fire(self, pos: SquadPosition, order: Fire, able: int) -> Refusal | None:
        board = pos.board
        outside = order.units & ~able
        if outside & ~self.members or not self.mode & (ASSAULT | STEALTH):
            return Refusal("S2.6", "group-open", {"order": str(order)})
        if outside:
            return Refusal("S2.5", "stopped", {"unit": board.ids[lowest(outside)]})
        wrong = order.units & ~ready(pos, self.side, False)
        if wrong:
            return refuse_unit(pos, self.side, lowest(wrong), False)
        refusal = check_fire(pos, order, spotted(pos, self.side, 1 << order.place))
        return refusal if refusal is not None else groups.check_group(pos, order)

    def play(self, pos: SquadPosition, order: Order, dice: Dice, emit: Emit) -> None:
        """A step; or fire, or getting out, which end the move; or the end of it."""
        if isinstance(order, Move):
            self.step(pos, order.place, dice, emit)
            return
        self._close(pos, emit)
        if isinstance(order, Fire):
            groups.shoot(pos, order, dice, emit)
        elif isinstance(order, Unload):
            unload(pos, order.unit, dice, emit)

    def step(self, pos: SquadPosition, place: int, dice: Dice, emit: Emit) -> None:
        """One step of all who are able, and what happens there, in its fixed order (S5.1).

        They are in the hex; fire for effect and mines; events; opportunity fire or melee; who can, goes on.
        """
        board = pos.board
        side, able = self.side, self.able(pos)
        origin = pos.place[lowest(able)]
        cost = paid = cost_of(pos, able, origin, place)
        left = allowance(pos, able, self.mode, self.cap) - spent_by(pos, able)
        if not self.mode & CRAWL:
            paid = min(cost, max(left, 0))
        enemies = (pos.taken_0 if side else pos.taken_1) >> place & 1
        known, unseen = 0, False
        if enemies:
            known = spotted(pos, side)
            unseen = not spots(pos, 1 - side, origin)
        for unit in units(able):
            pos.spent[unit] += paid
        coming = entering(pos, able, origin, place)
        shift(pos, coming, place)
        control.leave(pos, origin)
        control.come(pos, side, coming, place)
        if emit:
            facts = {
                "units": [board.ids[unit] for unit in units(able)], "from": board.labels[origin],
                "hex": board.labels[place], "cost": cost / 2, "left": (left - paid) / 2,
            }  # fmt: skip
            emit(Event("S4.1", "move", facts))
        hazards.on_entry(pos, side, coming, place, dice, emit)
        if pos.events:
            happenings.on_entry(pos, side, coming, place, dice, emit)
        if pos.hidden:
            reveal(pos, emit)
        there = coming & pos.placed
        if not there:
            return
        if (pos.taken_0 if side else pos.taken_1) >> place & 1:
            # S9.7: no window at this step.
            melee.enter(pos, side, there, place, known, unseen, emit)
        else:
            # It closes by itself where nobody can fire.
            pos.frames.append(Reaction(1 - side, place, there, 0))

    def _close(self, pos: SquadPosition, emit: Emit) -> None:
        pos.frames.pop()
        pos.stopped = 0
        if emit:
            members = self.members & pos.placed
            emit(Event("S2.5", "group-closed", {"units": [pos.board.ids[unit] for unit in units(members)]}))

    def advance(self, pos: SquadPosition, dice: Dice, emit: Emit) -> bool:
        """Nobody of the group can do anything more: it closes by itself."""
        if victory.over(pos, emit):
            return True
        able = self.able(pos)
        if able and not self.mode & CRAWL and any_step(pos, self._stride(pos, able)):
            return False
        if self._unloads(pos, able):
            return False
        firing, targets = self.firing(pos, able)
        if targets and pos.aims:
            if len(self.actors(pos)) > 1:
                return False
        elif targets:
            place, apart = pos.place[lowest(firing)], pos.board.places.distance
            for target in units(targets):
                if reaching(pos, firing, place, target, apart(place, target)):
                    return False
        self._close(pos, emit)
        return True


def set_out(pos: SquadPosition, side: int, mask: int, place: int, mode: int, dice: Dice, emit: Emit) -> None:
    """A group's first step: its marker is placed as it begins (S4.8, S6.3), so it moves first (S6.9)."""
    origin = pos.place[lowest(mask)]
    pos.moved_from |= 1 << origin
    going = 0
    if mode & ASSAULT:
        pos.assault |= mask
        going = mask
    elif mode & CRAWL:
        pos.crawl |= mask
    elif mode & STEALTH:
        pos.stealth |= mask
        going = mask
    else:
        pos.moved |= mask
    if pos.aboard and mask & pos.board.vehicles:
        going |= passengers(pos, lowest(mask))
    groups.move_on(pos, going, origin)
    if emit and mode:
        facts = {"units": [pos.board.ids[unit] for unit in units(mask)], "mode": mode}
        emit(Event("S6.3", "declared", facts))
    pos.stopped = 0
    group = Group(side, mask, mode, cap_of(pos, mask, mode))
    pos.frames.append(group)
    group.step(pos, place, dice, emit)
