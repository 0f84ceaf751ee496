"""Air strikes (P13.3): anti-aircraft units in range may fire first; then four dice at one unit."""

from __future__ import annotations

from typing import NamedTuple

from hexengine.core.dice import COMBAT, Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.frames import Actor
from hexengine.core.orders import Order
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.board import AIR
from hexengine.systems.platoon.firing.fire import (
    Strength,
    after_saves,
    lead_dice,
    leader_of,
    limited,
)
from hexengine.systems.platoon.firing.losses import suffer
from hexengine.systems.platoon.firing.reaction import PASSING, eligible, not_eligible
from hexengine.systems.platoon.firing.smoke import SMOKE_MODIFIER
from hexengine.systems.platoon.orders.book import PASS, Pass
from hexengine.systems.platoon.orders.support import Intercept, intercept
from hexengine.systems.platoon.position import PlatoonPosition

STRIKE_DICE = 4
STRIKE_TO_HIT = 4


def attack_strength(pos: PlatoonPosition, target: int) -> Strength:
    """Dice and to-hit of a strike at a unit; smoke in its hex hinders it (P12.4)."""
    smoke = pos.smoky >> pos.hex[target] & 1
    return Strength(STRIKE_DICE, STRIKE_TO_HIT + smoke * SMOKE_MODIFIER)


def defence_strength(pos: PlatoonPosition, firer: int, weapon: int, place: int, lead: int) -> Strength | None:
    """Dice and to-hit of anti-aircraft fire at a strike on a hex, or None if it cannot be made.

    It needs an AA block in range and no line of sight; in its own hex the firer is at range 1.
    """
    board = pos.board
    block = board.counters[weapon].blocks[AIR]
    if block is None or block.makeshift:
        return None
    row = board.attacks[weapon][1 if pos.steps[weapon] == 1 and weapon == firer else 0][AIR]
    distance = max(1, board.grid.distance(pos.hex[firer], place))
    entry = row[distance] if distance < len(row) else None
    return limited(entry[0] + lead, entry[1]) if entry is not None else None


def defences(pos: PlatoonPosition, firer: int, place: int) -> list[Order]:
    """The legal shots of an eligible unit at a strike on a hex."""
    board = pos.board
    found: list[Order] = []
    lead = lead_dice(pos, leader_of(pos, firer, pos.led_reaction))
    for weapon in (firer, board.weapon_of[firer]):
        if weapon >= 0 and board.anti_aircraft >> weapon & 1:
            named = weapon if weapon != firer else -1
            if defence_strength(pos, firer, weapon, place, 0):
                found.append(intercept(board.orders, firer, named))
            if lead and defence_strength(pos, firer, weapon, place, lead):
                found.append(intercept(board.orders, firer, named, True))
    return found


class Incoming(NamedTuple):
    """A strike is on its way to a unit: the other side may fire at it first, as it may react to movement."""

    side: int
    target: int

    @property
    def kind(self) -> str:
        """The kind of the decision."""
        return "reaction"

    def decider(self, pos: PlatoonPosition) -> int:
        """The side that is attacked."""
        return self.side

    def actors(self, pos: PlatoonPosition) -> list[Actor]:
        """Units that may fire, then passing."""
        place = pos.hex[self.target]
        return [*(unit for unit in self._firers(pos) if defences(pos, unit, place)), PASSING]

    def _firers(self, pos: PlatoonPosition) -> tuple[int, ...]:
        """Units in good order and unmarked that have an AA block, or a support weapon with one."""
        return units(eligible(pos, self.side) & pos.board.air_defenders)

    def orders(self, pos: PlatoonPosition, actor: Actor) -> list[Order]:
        """The shots of one unit, or ``pass``."""
        return [PASS] if actor == PASSING else defences(pos, actor, pos.hex[self.target])

    def check(self, pos: PlatoonPosition, order: Order) -> Refusal | None:
        """Only anti-aircraft fire, and ``pass``."""
        if type(order) is Pass:
            return None
        refusal = self._judge(pos, order)
        if refusal is None:
            return None
        legal = [shot for actor in self.actors(pos)[:-1] for shot in self.orders(pos, actor)]
        mine = [shot for shot in legal if isinstance(order, Intercept) and shot.firer == order.firer]  # type: ignore[attr-defined]
        return refusal._replace(alternative=(mine or legal or [PASS])[0])

    def _judge(self, pos: PlatoonPosition, order: Order) -> Refusal | None:
        board = pos.board
        place = pos.hex[self.target]
        if not isinstance(order, Intercept):
            return Refusal("P13.3", "strike-incoming", {"hex": board.labels[place]})
        firer = order.firer
        unit = board.ids[firer]
        if not eligible(pos, self.side) >> firer & 1:
            return not_eligible(pos, self.side, firer)
        if order.weapon >= 0 and board.weapon_of[firer] != order.weapon:
            return Refusal("P3.5", "not-its-weapon", {"unit": unit, "weapon": board.ids[order.weapon]})
        weapon = order.weapon if order.weapon >= 0 else firer
        if not board.anti_aircraft >> weapon & 1:
            return Refusal("P13.3", "no-anti-aircraft", {"unit": board.ids[weapon]})
        hq = leader_of(pos, firer, pos.led_reaction) if order.lead else -1
        if order.lead and hq < 0:
            return Refusal("P9.4", "no-leadership", {"unit": unit})
        if defence_strength(pos, firer, weapon, place, lead_dice(pos, hq)) is None:
            distance = board.grid.distance(pos.hex[firer], place)
            facts = {"unit": board.ids[weapon], "hex": board.labels[place], "distance": distance}
            return Refusal("P13.3", "strike-out-of-range", facts)
        return None

    def play(self, pos: PlatoonPosition, order: Order, dice: Dice, emit: Emit) -> None:
        """One shot, which costs Ops Complete at once; a hit turns the strike away.  Or the strike goes in."""
        board = pos.board
        if type(order) is Pass:
            if emit:
                where = board.labels[pos.hex[self.target]]
                emit(Event("P13.3", "strike-passed", {"side": board.sides[self.side], "hex": where}))
            self._attack(pos, dice, emit)
            return
        assert isinstance(order, Intercept)
        firer = order.firer
        weapon = order.weapon if order.weapon >= 0 else firer
        hq = leader_of(pos, firer, pos.led_reaction) if order.lead else -1
        power = defence_strength(pos, firer, weapon, pos.hex[self.target], lead_dice(pos, hq))
        assert power is not None, "a checked shot has dice"
        if hq >= 0:
            pos.led_reaction |= 1 << hq
        hits = dice.at_least(COMBAT, power.dice, power.to_hit)
        pos.ops |= 1 << firer
        if emit:
            facts = {
                "unit": board.ids[firer],
                "with": board.ids[weapon] if weapon != firer else "",
                "dice": power.dice,
                "to_hit": power.to_hit,
                "faces": dice.faces,
                "hits": hits,
            }
            emit(Event("P13.3", "intercepted" if hits else "not-intercepted", facts))
        if hits:
            pos.frames.pop()

    def _attack(self, pos: PlatoonPosition, dice: Dice, emit: Emit) -> None:
        """The strike attacks its unit, with saves as in fire (P6.4)."""
        pos.frames.pop()
        board, target = pos.board, self.target
        power = attack_strength(pos, target)
        hits = dice.at_least(COMBAT, power.dice, power.to_hit)
        if emit:
            facts = {
                "target": board.ids[target],
                "hex": board.labels[pos.hex[target]],
                "dice": power.dice,
                "to_hit": power.to_hit,
                "faces": dice.faces,
                "hits": hits,
            }
            emit(Event("P13.3", "strike-attacks", facts))
        net = after_saves(pos, target, hits, dice, emit)
        if net:
            suffer(pos, target, net, dice, emit)

    def advance(self, pos: PlatoonPosition, dice: Dice, emit: Emit) -> bool:
        """The strike goes in when nobody can fire at it any more."""
        place = pos.hex[self.target]
        for unit in self._firers(pos):
            if defences(pos, unit, place):
                return False
        self._attack(pos, dice, emit)
        return True
