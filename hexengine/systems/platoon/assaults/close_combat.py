"""Close combat (P7.3, P7.4): both sides' dice, the hits they share out, and who holds the hex."""

from __future__ import annotations

from typing import NamedTuple

from hexengine.core.dice import COMBAT, Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Contribution, Emit, Event
from hexengine.core.frames import Actor
from hexengine.core.orders import Order
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.assaults import retreat
from hexengine.systems.platoon.board import SOFT
from hexengine.systems.platoon.firing.fire import HIGHEST_TO_HIT, LOWEST_TO_HIT, lead_dice, leader_of
from hexengine.systems.platoon.firing.losses import ELIMINATED, NOTHING, hurt, shake_hq
from hexengine.systems.platoon.position import PlatoonPosition

OVERRUN = Contribution("P7.4", "overrun", -1)
VEHICLES = Contribution("P7.3.2", "vehicles", -1)
CITY = Contribution("P7.3.3", "city", -1)
DISRUPTED_TO_HIT = 6


class Power(NamedTuple):
    """What one unit brings into a fight: its dice, leadership included, and what each must reach.

    ``modifiers`` are what changes the printed to-hit number.
    """

    unit: int
    dice: int
    to_hit: int
    printed: int
    modifiers: tuple[Contribution, ...]
    lead: int


def printed(pos: PlatoonPosition, unit: int, overruns: bool) -> tuple[int, int]:
    """A unit's dice and to-hit number in close combat: of its HE block if it overruns (P7.4), else printed
    for assaults (P7.3.1)."""
    board = pos.board
    side_up = 1 if pos.steps[unit] == 1 else 0
    if not overruns:
        return board.assault[unit][side_up], board.assault_to_hit[unit]
    block = board.counters[unit].blocks[SOFT]
    return (block.dice[side_up], block.to_hit) if block is not None else (0, HIGHEST_TO_HIT)


def has_dice(pos: PlatoonPosition, fighters: int, overrun: bool) -> bool:
    """Whether units that attack have any dice to do it with (P7.2)."""
    return any(printed(pos, unit, overrun)[0] for unit in units(fighters))


def powers(
    pos: PlatoonPosition, fighters: int, foes: int, place: int, attacking: bool, overrun: bool
) -> list[Power]:
    """What the fighters of one side bring into a fight for a hex, from the top of the stack down."""
    board = pos.board
    against: tuple[Contribution, ...] = ()
    if overrun and attacking:
        against = (OVERRUN,)
    elif not overrun and foes and not foes & ~board.hard:
        against = (VEHICLES,)
        if board.streets >> place & 1:
            against = (VEHICLES, CITY)
    found: list[Power] = []
    for unit in units(fighters):
        dice, number = printed(pos, unit, overrun and attacking)
        modifiers = against if overrun or board.infantry >> unit & 1 else ()
        if pos.disrupted >> unit & 1:
            modifiers = (Contribution("P7.3.4", "disrupted", DISRUPTED_TO_HIT - number),)
        to_hit = max(LOWEST_TO_HIT, number + sum([part.value for part in modifiers]))
        found.append(Power(unit, dice, to_hit, number, modifiers, 0))
    _lead(pos, found)
    return found


def _lead(pos: PlatoonPosition, found: list[Power]) -> None:
    """P9.4, P7.3.1: an HQ adds its leadership to the unit that makes the most of it: one of its own
    formation with dice and without Ops Complete."""
    best = -1
    for number, power in enumerate(found):
        if (
            power.dice
            and not pos.ops >> power.unit & 1
            and leader_of(pos, power.unit, 0) >= 0
            and (best < 0 or power.to_hit < found[best].to_hit)
        ):
            best = number
    if best >= 0:
        power = found[best]
        lead = lead_dice(pos, leader_of(pos, power.unit, 0))
        found[best] = power._replace(dice=power.dice + lead, lead=lead)


def roll(pos: PlatoonPosition, side: list[Power], dice: Dice, emit: Emit) -> int:
    """One side's hits: units that hit alike roll together, from the top of the stack down (P7.3.1)."""
    hits = at = 0
    while at < len(side):
        first = side[at]
        number, lead, together = first.dice, first.lead, [first.unit]
        at += 1
        while at < len(side) and side[at][2:5] == first[2:5]:
            number += side[at].dice
            lead += side[at].lead
            together.append(side[at].unit)
            at += 1
        if not number:
            continue
        scored = dice.at_least(COMBAT, number, first.to_hit)
        hits += scored
        if emit:
            _tell_roll(pos, first, together, number, scored, dice.faces, emit)
            if lead:
                led = next(power for power in side if power.lead)
                hq = pos.board.ids[leader_of(pos, led.unit, 0)]
                emit(Event("P9.4", "leadership", {"hq": hq, "unit": pos.board.ids[led.unit], "dice": lead}))
    return hits


def _tell_roll(
    pos: PlatoonPosition,
    first: Power,
    together: list[int],
    number: int,
    scored: int,
    faces: list[int],
    emit: Emit,
) -> None:
    assert emit is not None
    facts = {
        "units": [pos.board.ids[unit] for unit in together],
        "dice": number,
        "to_hit": first.to_hit,
        "parts": [Contribution("P3.2", "printed", first.printed), *first.modifiers],
        "faces": faces,
        "hits": scored,
    }
    emit(Event("P7.3.1", "close-combat-dice", facts))


def share_out(pos: PlatoonPosition, fighters: int, hits: int, dice: Dice, emit: Emit) -> list[int]:
    """P7.3.6: hits of each unit, from the top down: equal shares, what is left to different ones by dice."""
    members = units(fighters)
    share, left = divmod(hits, len(members))
    found = [share] * len(members)
    rest = list(range(len(members)))
    while left and any(share < toughness(pos, members[one]) for one in rest):
        chosen = rest.pop(dice.part(COMBAT, len(rest)))
        found[chosen] += 1
        left -= 1
        if emit:
            emit(Event("P7.3.6", "hit-left-over", {"unit": pos.board.ids[members[chosen]],
                                                   "faces": dice.faces}))  # fmt: skip
    return found


def toughness(pos: PlatoonPosition, unit: int) -> int:
    """How many hits eliminate a unit (P6.6)."""
    return pos.steps[unit] + (0 if pos.disrupted >> unit & 1 else 1)


class CloseCombat(NamedTuple):
    """Units that have entered an enemy hex, and fight for it as soon as nobody fires at them any more."""

    side: int
    hex: int
    origin: int
    overrun: int

    @property
    def kind(self) -> str:
        """The name of a frame that never asks anybody."""
        return "close-combat"

    def decider(self, pos: PlatoonPosition) -> int:
        """The attackers' side."""
        return self.side

    def actors(self, pos: PlatoonPosition) -> list[Actor]:
        """Nobody: nothing is decided here."""
        return []

    def orders(self, pos: PlatoonPosition, actor: Actor) -> list[Order]:
        """None."""
        return []

    def check(self, pos: PlatoonPosition, order: Order) -> Refusal | None:
        """Nothing can be ordered."""
        return Refusal("P7.2", "wrong-decision", {"order": str(order)})

    def play(self, pos: PlatoonPosition, order: Order, dice: Dice, emit: Emit) -> None:
        """Never called."""

    def halt(self, pos: PlatoonPosition, stopped: int, emit: Emit) -> None:
        """Units that fire has stopped take no part and return to the hex they left (P4.5, P7.5)."""
        retreat.turn_back(pos, stopped, self.hex, self.origin, emit)
        below = next(number for number, frame in enumerate(pos.frames) if frame is self) - 1
        pos.frames[below].halt(pos, stopped, emit)  # type: ignore[attr-defined]

    def advance(self, pos: PlatoonPosition, dice: Dice, emit: Emit) -> bool:
        """Once it is on top the fight is fought (P7.2)."""
        pos.frames.pop()
        board = pos.board
        mine = pos.at(self.hex, self.side) & board.counted
        if mine:
            self._fight(pos, mine, pos.at(self.hex, 1 - self.side) & board.counted, dice, emit)
        return True

    def _fight(self, pos: PlatoonPosition, mine: int, foes: int, dice: Dice, emit: Emit) -> None:
        """P7.3.5: all dice before any loss.  First what is the attackers', then the defenders'."""
        board, place, side, overrun = pos.board, self.hex, self.side, bool(self.overrun)
        made = roll(pos, powers(pos, mine, foes, place, True, overrun), dice, emit)
        taken = roll(pos, powers(pos, foes, mine, place, False, overrun), dice, emit)
        if made and pos.positions >> place & 1:
            made -= 1
            if emit:
                emit(Event("P11.1", "position-helps", {"hex": board.labels[place]}))
        on_foes = share_out(pos, foes, made, dice, emit)
        on_mine = share_out(pos, mine, taken, dice, emit)
        stopped, worst_mine = _suffer(pos, mine, on_mine, dice, emit)
        _, worst_foes = _suffer(pos, foes, on_foes, dice, emit)
        if worst_mine:
            shake_hq(pos, side, place, worst_mine == ELIMINATED, dice, emit)
        if worst_foes:
            shake_hq(pos, 1 - side, place, worst_foes == ELIMINATED, dice, emit)
        won = self._result(pos, made, taken, emit)
        self._finish(pos, mine & ~stopped if overrun and won else 0)
        self._move_out(pos, won, dice, emit)

    def _finish(self, pos: PlatoonPosition, going_on: int) -> None:
        """P7.3.9: attackers have acted, those that go on after an overrun, and their HQ, apart (P7.4)."""
        left = pos.at(self.hex, self.side)
        pos.fired |= left
        pos.finished |= left & ~(going_on | pos.board.hqs if going_on else 0)

    def _result(self, pos: PlatoonPosition, made: int, taken: int, emit: Emit) -> bool:
        """P7.3.7, P7.3.10: whether the attackers have won."""
        board, place, side = pos.board, self.hex, self.side
        attackers = pos.at(place, side) & board.counted
        foes = pos.at(place, 1 - side) & board.counted
        won = bool(attackers) and (not foes or made > taken)
        if emit:
            rule = "P7.3.7" if attackers and foes else "P7.3.10"
            code = "assault-won" if won else "assault-lost"
            if not attackers and not foes:
                code = "nobody-left"
            emit(Event(rule, code, {"side": board.sides[side], "hex": board.labels[place],
                                    "made": made, "taken": taken}))  # fmt: skip
        return won

    def _move_out(self, pos: PlatoonPosition, won: bool, dice: Dice, emit: Emit) -> None:
        """P7.3.8: the beaten side leaves the hex; whoever is over the limit anywhere goes back (P3.4)."""
        if won:
            direction = pos.board.direction[self.origin][self.hex]
            retreat.retreat(pos, 1 - self.side, self.hex, direction, dice, emit)
            mine = retreat.hold(pos, self.side, self.hex, self.origin)
        else:
            mine = retreat.throw_back(pos, self.side, self.hex, self.origin, emit)
        pos.frames[-1].halt(pos, mine, emit)  # type: ignore[attr-defined]


def _suffer(pos: PlatoonPosition, fighters: int, hits: list[int], dice: Dice, emit: Emit) -> tuple[int, int]:
    """Each unit's hits, from the top down: who was hit, and the worst that happened to anybody."""
    struck, worst = 0, NOTHING
    for unit, number in zip(units(fighters), hits, strict=True):
        if number:
            struck |= 1 << unit
            worst = max(worst, hurt(pos, unit, number, dice, emit))
    return struck, worst
