"""The Rally Phase (S11): rally, medics, half-squads, and weapons that change hands."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from hexengine.core.dice import MORALE, Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.frames import Actor
from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest, units
from hexengine.mechanics.orders import TwoUnits, first_alike
from hexengine.systems.squad import control
from hexengine.systems.squad.firing.damage import best_lm, tell_dropped
from hexengine.systems.squad.firing.fire import locked
from hexengine.systems.squad.impulse import IMPULSES
from hexengine.systems.squad.orders import DONE, Done, Join, Load, Rally, Split, Take, Treat
from hexengine.systems.squad.position import SquadPosition, give, put, stand, take_off
from hexengine.systems.squad.sight.spotting import reveal

COVER = 2
"""What a place with a TM adds to the morale of who rallies there (S11.1)."""
MEDIC = 4
"""The highest die with which a medic helps (S11.2)."""
CLOSING: Actor = -1


class RallyPhase(NamedTuple):
    """One side's part of the phase; ``second``: the other has had its own."""

    side: int
    second: int

    @property
    def kind(self) -> str:
        """The kind of the decision."""
        return "rally"

    def decider(self, pos: SquadPosition) -> int:
        """The side that rallies."""
        return self.side

    def _able(self, pos: SquadPosition) -> int:
        """The units that have not tried, or changed hands, in this phase, and are in no melee."""
        mask = pos.placed & pos.board.side_units[self.side] & ~pos.handled
        return mask & ~locked(pos) if pos.melee else mask

    def actors(self, pos: SquadPosition) -> list[Actor]:
        """The units that can do something, and ``done``."""
        return [*[unit for unit in units(self._able(pos)) if self.orders(pos, unit)], CLOSING]

    def orders(self, pos: SquadPosition, actor: Actor) -> list[Order]:
        """What one unit can do; or ``done``."""
        if actor == CLOSING:
            return [DONE]
        board, once = pos.board, pos.board.orders.once
        found: list[Order] = []
        if pos.shaken >> actor & 1:
            if self._check_rally(pos, actor) is None:
                found.append(once(Rally, actor))
            return found
        if pos.aboard >> actor & 1:
            return found
        where = pos.place
        place = where[actor]
        here = pos.stacks[self.side * board.places.count + place]
        if board.medics >> actor & 1 and here & (pos.shaken | pos.wounded):
            hurt = [unit for unit in units(here) if self._check_treat(pos, actor, unit) is None]
            found += [once(Treat, actor, unit) for unit in hurt]
        hands = not (pos.armed | board.teams) >> actor & 1
        for weapon in units(board.weapons & pos.placed & ~pos.handled) if hands else ():
            if where[weapon] == place and self._check_take(pos, actor, weapon) is None:
                found.append(once(Take, actor, weapon))
        if board.squads >> actor & 1 and here & board.leaders & ~pos.shaken:
            if pos.steps[actor] == 2:
                if spare_half(pos, actor) >= 0:
                    found.append(once(Split, actor))
                return found
            halves = [unit for unit in units(here) if self._check_join(pos, actor, unit) is None]
            found += [once(Join, actor, unit) for unit in halves]
        return found

    def sample(self, pos: SquadPosition, below: Callable[[int], int]) -> Order:
        """One order of one actor, each as likely: whoever turns out to have none is left out."""
        actors: list[Actor] = [*units(self._able(pos)), CLOSING]
        while True:
            at = below(len(actors))
            orders = self.orders(pos, actors[at])
            if orders:
                return orders[below(len(orders))]
            del actors[at]

    # -- what is legal ------------------------------------------------------------------------

    def check(self, pos: SquadPosition, order: Order) -> Refusal | None:
        """The only judge of legality in the Rally Phase."""
        refusal = self._judge(pos, order)
        return refusal and refusal._replace(alternative=first_alike(pos, self, order))

    def _judge(self, pos: SquadPosition, order: Order) -> Refusal | None:
        if isinstance(order, Done):
            return None
        if not isinstance(order, (Rally, Split, TwoUnits)) or isinstance(order, Load):
            return Refusal("S1.1", "rally-phase", {"order": str(order)})
        refusal = self._unit_bar(pos, order.unit)
        if refusal is not None:
            return refusal
        if isinstance(order, Rally):
            return self._check_rally(pos, order.unit)
        facts = {"unit": pos.board.ids[order.unit]}
        if pos.shaken >> order.unit & 1:
            return Refusal("S11.6", "shaken-acts", facts)
        if pos.aboard >> order.unit & 1:
            return Refusal("S8.4", "aboard", facts)
        if isinstance(order, Split):
            return self._check_split(pos, order.unit)
        if isinstance(order, Treat):
            return self._check_treat(pos, order.unit, order.other)
        if isinstance(order, Take):
            return self._check_take(pos, order.unit, order.other)
        return self._check_join(pos, order.unit, order.other)

    def _unit_bar(self, pos: SquadPosition, unit: int) -> Refusal | None:
        board, facts = pos.board, {"unit": pos.board.ids[unit]}
        if not board.side_units[self.side] >> unit & 1:
            return Refusal("S1.2", "not-yours-to-rally", facts)
        if not pos.placed >> unit & 1:
            return Refusal("S2.1", "off-map", facts)
        if pos.handled >> unit & 1:
            return Refusal("S11.1", "handled", facts)
        if not self._able(pos) >> unit & 1:
            return Refusal("S12.1", "locked", facts)
        return None

    def _check_rally(self, pos: SquadPosition, unit: int) -> Refusal | None:
        """S11.1: a leader or hero in good order must be there, for those who do not rally by themselves."""
        board = pos.board
        bit = 1 << unit
        if not pos.shaken & bit:
            return Refusal("S11.1", "not-shaken", {"unit": board.ids[unit]})
        here = pos.stacks[self.side * board.places.count + pos.place[unit]]
        first = here & board.leaders & pos.shaken & ~pos.handled
        if first and not board.leaders & bit:
            facts = {"unit": board.ids[unit], "leader": board.ids[lowest(first)]}
            return Refusal("S11.1", "leaders-first", facts)
        if not board.self_rally & bit and not here & (board.leaders | board.heroes) & ~pos.shaken:
            return Refusal("S11.1", "nobody-rallies", {"unit": board.ids[unit]})
        return None

    def _check_treat(self, pos: SquadPosition, medic: int, unit: int) -> Refusal | None:
        board = pos.board
        facts = {"unit": board.ids[medic], "other": board.ids[unit]}
        if not board.medics >> medic & 1:
            return Refusal("S11.2", "no-medic", facts)
        if not self._beside(pos, medic, unit):
            return Refusal("S11.2", "not-there", facts)
        if unit == medic or not (pos.shaken | pos.wounded) >> unit & 1:
            return Refusal("S11.2", "not-hurt", facts)
        return None

    def _check_take(self, pos: SquadPosition, unit: int, weapon: int) -> Refusal | None:
        board = pos.board
        facts = {"unit": board.ids[unit], "other": board.ids[weapon]}
        if not board.weapons >> weapon & 1:
            return Refusal("S11.4", "no-weapon", facts)
        if not pos.placed >> weapon & 1 or pos.place[weapon] != pos.place[unit]:
            return Refusal("S11.4", "not-there", facts)
        if pos.handled >> weapon & 1:
            return Refusal("S11.4", "handled", {"unit": board.ids[weapon]})
        if (board.teams | board.vehicles) >> unit & 1 or pos.weapon(unit) >= 0:
            return Refusal("S11.4", "hands-full", facts)
        holder = pos.carrier[weapon]
        if holder >= 0 and not board.side_units[self.side] & pos.placed & ~pos.shaken & 1 << holder:
            return Refusal("S11.4", "held", {**facts, "holder": board.ids[holder]})
        return None

    def _check_split(self, pos: SquadPosition, unit: int) -> Refusal | None:
        board = pos.board
        facts = {"unit": board.ids[unit]}
        if not board.squads >> unit & 1 or pos.steps[unit] != 2:
            return Refusal("S11.3", "no-squad", facts)
        if not self._led(pos, unit):
            return Refusal("S11.3", "no-leader-here", facts)
        return None if spare_half(pos, unit) >= 0 else Refusal("S11.3", "no-counter", facts)

    def _check_join(self, pos: SquadPosition, unit: int, other: int) -> Refusal | None:
        board = pos.board
        facts = {"unit": board.ids[unit], "other": board.ids[other]}
        if not self._beside(pos, unit, other) or pos.shaken >> other & 1:
            return Refusal("S11.3", "not-there", facts)
        halves = [board.squads >> each & 1 and pos.steps[each] == 1 for each in (unit, other)]
        same = board.counters[unit].type == board.counters[other].type
        if not all(halves) or not same or unit == other or pos.handled >> other & 1:
            return Refusal("S11.3", "no-halves", facts)
        if pos.aboard >> other & 1:
            return Refusal("S8.4", "aboard", {"unit": board.ids[other]})
        return None if self._led(pos, unit) else Refusal("S11.3", "no-leader-here", facts)

    def _beside(self, pos: SquadPosition, unit: int, other: int) -> bool:
        mine = pos.placed & pos.board.side_units[self.side]
        return bool(mine >> other & 1) and pos.place[unit] == pos.place[other]

    def _led(self, pos: SquadPosition, unit: int) -> bool:
        here = pos.at(pos.place[unit], self.side)
        return here & pos.board.leaders & ~pos.shaken != 0

    # -- carrying out -------------------------------------------------------------------------

    def play(self, pos: SquadPosition, order: Order, dice: Dice, emit: Emit) -> None:
        """Carry out one act of the phase, or go on to the other side."""
        match order:
            case Rally(unit=unit):
                self._rally(pos, unit, dice, emit)
            case Treat(unit=medic, other=unit):
                self._treat(pos, medic, unit, dice, emit)
            case Take(unit=unit, other=weapon):
                give(pos, weapon, unit)
                pos.handled |= 1 << weapon
                self._tell(pos, "S11.4", "takes", unit, weapon, emit)
            case Split(unit=unit):
                self._split(pos, unit, emit)
            case Join(unit=unit, other=other):
                self._tell(pos, "S11.3", "joins", unit, other, emit)
                tell_dropped(pos, other, emit)
                take_off(pos, other)
                pos.steps[other] = 0
                stand(pos, self.side, pos.place[unit], 1)
                pos.steps[unit] = 2
                pos.handled |= 1 << unit
            case _:
                self._close(pos, emit)

    def _close(self, pos: SquadPosition, emit: Emit) -> None:
        if self.second:
            pos.handled = 0
            if pos.hidden:
                reveal(pos, emit)
            pos.frames[-1] = IMPULSES[pos.initiative][0]
        else:
            pos.frames[-1] = RallyPhase(1 - self.side, 1)

    @staticmethod
    def _tell(pos: SquadPosition, rule: str, code: str, unit: int, other: int, emit: Emit) -> None:
        if emit:
            emit(Event(rule, code, {"unit": pos.board.ids[unit], "other": pos.board.ids[other]}))

    def _rally(self, pos: SquadPosition, unit: int, dice: Dice, emit: Emit) -> None:
        """Two dice within the Shaken morale, +2 in cover, + the LM of a leader (not for leaders)."""
        board = pos.board
        place = pos.place[unit]
        cover = COVER if board.places.tm[place] or board.foxholes >> board.places.hex_of[place] & 1 else 0
        lm = 0 if board.leaders >> unit & 1 else best_lm(pos, self.side, place)
        morale = board.shaken_morale[unit][pos.steps[unit]]
        rallied = dice.within(MORALE, 2, morale + cover + lm)
        pos.handled |= 1 << unit
        if rallied:
            pos.shaken &= ~(1 << unit)
            control.settle(pos, board.places.hex_of[place])
        if emit:
            facts = {"unit": board.ids[unit], "faces": dice.faces, "morale": morale, "cover": cover, "lm": lm}
            emit(Event("S11.1", "rallied" if rallied else "not-rallied", facts))

    def _treat(self, pos: SquadPosition, medic: int, unit: int, dice: Dice, emit: Emit) -> None:
        """S11.2: a wound is removed, or else a Shaken unit is in good order again."""
        helped = dice.within(MORALE, 1, MEDIC)
        pos.handled |= 1 << medic
        if helped:
            bit = 1 << unit
            if pos.wounded & bit:
                pos.wounded &= ~bit
            else:
                pos.shaken &= ~bit
                control.settle(pos, pos.board.places.hex_of[pos.place[unit]])
        if emit:
            facts = {"unit": pos.board.ids[medic], "other": pos.board.ids[unit], "faces": dice.faces}
            emit(Event("S11.2", "treated" if helped else "not-treated", facts))

    def _split(self, pos: SquadPosition, unit: int, emit: Emit) -> None:
        half = spare_half(pos, unit)
        self._tell(pos, "S11.3", "splits", unit, half, emit)
        stand(pos, self.side, pos.place[unit], -1)
        pos.steps[unit] = pos.steps[half] = 1
        put(pos, half, pos.place[unit])
        pos.handled |= 1 << unit | 1 << half

    def advance(self, pos: SquadPosition, dice: Dice, emit: Emit) -> bool:
        """Nothing is left to choose: the other side's part, or the Operations Phase, begins."""
        for unit in units(self._able(pos)):
            if self.orders(pos, unit):
                return False
        self._close(pos, emit)
        return True


def spare_half(pos: SquadPosition, unit: int) -> int:
    """A counter for a squad's other half: its own, or that of a half that joined another; -1 for none."""
    board = pos.board
    twin = board.twin[unit]
    if twin >= 0 and not pos.steps[twin]:
        return twin
    kind = board.counters[unit].type
    for other in units(board.squads & ~pos.placed & ~pos.lost & ~pos.waiting):
        if (
            board.side[other] == board.side[unit]
            and board.counters[other].type == kind
            and not pos.steps[other]
        ):
            return other
    return -1
