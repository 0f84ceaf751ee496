"""Minefields (P11.2, P11.3): laid when the enemy enters an empty hex, striking whoever enters, cleared.

What a side may still lay is its own secret: nothing that the other side is given tells it.
"""

from __future__ import annotations

from typing import NamedTuple

from hexengine.core.dice import COMBAT, Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.frames import Actor
from hexengine.core.orders import Order
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.firing.losses import ELIMINATED, hurt, shake_hq
from hexengine.systems.platoon.orders.book import PASS, Pass
from hexengine.systems.platoon.orders.work import Clear, Mine, mine
from hexengine.systems.platoon.orders.work import clear as clear_order
from hexengine.systems.platoon.position import PlatoonPosition

MINE_DICE = 2
MINE_HIT = 5
ENGINEER_DICE = 2
PASSING: Actor = -1


# -- striking -----------------------------------------------------------------------------------


def meet(pos: PlatoonPosition, entered: int, place: int, dice: Dice, emit: Emit) -> None:
    """Units have entered a hex: mines that lie there strike them, whosever they are."""
    if pos.mines >> place & 1:
        _stop(pos, strike(pos, entered, place, dice, emit), emit)


def strike(pos: PlatoonPosition, entered: int, place: int, dice: Dice, emit: Emit) -> int:
    """The mines of a hex attack the ground units that have just entered it; the mask of those they hit.

    Passengers share what happens to their carrier, and the HQ is shaken once for all (P9.3).
    """
    board = pos.board
    targets = units(entered & pos.placed & board.counted & ~pos.carried)
    if not targets:
        return 0
    hits = dice.at_least(COMBAT, MINE_DICE, MINE_HIT)
    if emit:
        facts = {"hex": board.labels[place], "units": [board.ids[unit] for unit in targets],
                 "faces": dice.faces, "hits": hits}  # fmt: skip
        emit(Event("P11.2", "mines-strike", facts))
    if not hits:
        return 0
    side = board.side[targets[0]]
    died = False
    hit = 0
    for unit, share in _shares(pos, targets, hits, dice, emit):
        hit |= 1 << unit
        for rider in pos.passengers(unit):
            hit |= 1 << rider
        died |= hurt(pos, unit, share, dice, emit) == ELIMINATED
    shake_hq(pos, side, place, died, dice, emit)
    return hit


def _shares(
    pos: PlatoonPosition, targets: tuple[int, ...], hits: int, dice: Dice, emit: Emit
) -> list[tuple[int, int]]:
    """Who takes how many hits: equal shares, one that is left over to a unit chosen by a die.

    No more than two units enter a hex together, since no more stand together (P3.4).
    """
    share, left = divmod(hits, len(targets))
    chosen = targets[dice.part(COMBAT, len(targets))] if left else -1
    if emit and left:
        emit(Event("P11.2", "mines-choose", {"unit": pos.board.ids[chosen], "faces": dice.faces}))
    return [(unit, more) for unit in targets if (more := share + (unit == chosen))]


def _stop(pos: PlatoonPosition, hit: int, emit: Emit) -> None:
    """P4.6: whoever is hit stops; others of the group may go on."""
    if not hit:
        return
    board = pos.board
    stopped = hit & pos.placed
    pos.finished |= stopped & ~pos.carried
    pos.fired |= stopped & ~pos.carried
    if emit:
        for unit in units(stopped & ~pos.carried):
            facts = {"unit": board.ids[unit], "hex": board.labels[pos.hex[unit]]}
            emit(Event("P4.6", "stopped", facts))
    for frame in reversed(pos.frames):
        halt = getattr(frame, "halt", None)
        if halt is not None:
            halt(pos, stopped, emit)
            return


# -- laying -------------------------------------------------------------------------------------


def offer(pos: PlatoonPosition, side: int, entered: int, place: int) -> None:
    """Ask a side whether it lays mines where enemy units have just entered, if it may."""
    if pos.pool[side] and may_lay(pos, side, entered, place):
        pos.frames.append(Laying(side, place, entered))


def may_lay(pos: PlatoonPosition, side: int, entered: int, place: int) -> bool:
    """Whether mines may be laid where ground units have just entered: the hex was empty and has none."""
    board = pos.board
    if pos.mines >> place & 1 or not entered & pos.placed & board.counted:
        return False
    weight = 0
    for unit in units(entered & pos.placed & ~pos.carried):
        weight += board.weight[unit]
    here = pos.here
    other = place if side else board.size + place
    return here[other] == weight and not here[side * board.size + place]


class Laying(NamedTuple):
    """The window in which a side may lay mines under units that have just entered a hex, before any fire."""

    side: int
    hex: int
    entered: int

    @property
    def kind(self) -> str:
        """The kind of the decision."""
        return "reaction"

    def decider(self, pos: PlatoonPosition) -> int:
        """The side that does not move."""
        return self.side

    def actors(self, pos: PlatoonPosition) -> list[Actor]:
        """The hex, and passing."""
        return [self.hex, PASSING]

    def orders(self, pos: PlatoonPosition, actor: Actor) -> list[Order]:
        """``mine`` in that hex, or ``pass``."""
        return [PASS] if actor == PASSING else [mine(pos.board.orders, self.hex)]

    def check(self, pos: PlatoonPosition, order: Order) -> Refusal | None:
        """Only mines in that very hex, and ``pass``."""
        if type(order) is Pass:
            return None
        board = pos.board
        facts = {"hex": board.labels[self.hex]}
        lay = mine(board.orders, self.hex)
        if not isinstance(order, Mine):
            return Refusal("P11.2", "laying-open", facts, PASS)
        return None if order is lay else Refusal("P11.2", "mine-elsewhere", facts, lay)

    def play(self, pos: PlatoonPosition, order: Order, dice: Dice, emit: Emit) -> None:
        """Lay a minefield, which strikes at once; or none."""
        board = pos.board
        pos.frames.pop()
        side, label = board.sides[self.side], board.labels[self.hex]
        if type(order) is Pass:
            if emit:
                emit(Event("P11.2", "no-mines-laid", {"side": side, "hex": label}))
            return
        pos.pool[self.side] -= 1
        pos.mines |= 1 << self.hex
        if emit:
            emit(Event("P11.2", "mines-laid", {"side": side, "hex": label}))
        _stop(pos, strike(pos, self.entered, self.hex, dice, emit), emit)

    def advance(self, pos: PlatoonPosition, dice: Dice, emit: Emit) -> bool:
        """There is always something to decide."""
        return False


def observed(pos: PlatoonPosition, side: int) -> PlatoonPosition | None:
    """The position as a side may see it, without what the other may still lay; None: nothing is hidden.

    Whether anything is left is hidden as well.
    """
    if not pos.board.start.pool[1 - side]:
        return None
    seen = pos.copy()
    seen.pool[1 - side] = 0
    return seen


# -- clearing -----------------------------------------------------------------------------------


_CLEAR_RULES = {
    "no-mines": "P11.3",
    "cannot-clear": "P11.3",
    "disrupted-clear": "P11.3",
    "moved-clear": "P11.3",
    "mines-not-adjacent": "P11.3",
}


def clear_bar(pos: PlatoonPosition, unit: int, place: int) -> str:
    """Why a unit that may act may not clear mines in a hex now: a code, or "" if it may."""
    board = pos.board
    bit = 1 << unit
    if not pos.mines >> place & 1:
        return "no-mines"
    if not (board.infantry | board.engineers) & bit:
        return "cannot-clear"
    if pos.disrupted & bit:
        return "disrupted-clear"
    if (pos.moved | pos.shuttled) & bit:
        return "moved-clear"
    if not board.around[place] >> pos.hex[unit] & 1:
        return "mines-not-adjacent"
    return ""


def check_clear(pos: PlatoonPosition, order: Clear) -> Refusal | None:
    """Whether a unit that may act may clear mines in a hex."""
    bar = clear_bar(pos, order.unit, order.hex)
    if not bar:
        return None
    facts = {"unit": pos.board.ids[order.unit], "hex": pos.board.labels[order.hex]}
    return Refusal(_CLEAR_RULES[bar], bar, facts)


def clears(pos: PlatoonPosition, place: int, here: int, found: list[Order]) -> None:
    """Append the orders to clear mines of able units in a hex."""
    board = pos.board
    mined = units(pos.mines & board.around[place])
    if mined:
        for unit in units(here & (board.infantry | board.engineers)):
            found += [
                clear_order(board.orders, unit, there) for there in mined if not clear_bar(pos, unit, there)
            ]


def clear(pos: PlatoonPosition, order: Clear, dice: Dice, emit: Emit) -> None:
    """Infantry clears mines on an even die, engineers on one of two (P11.3); either way it has acted."""
    board = pos.board
    unit, place = order.unit, order.hex
    number = ENGINEER_DICE if board.engineers >> unit & 1 else 1
    cleared = dice.evens(COMBAT, number) > 0
    if cleared:
        pos.mines &= ~(1 << place)
    if emit:
        facts = {"unit": board.ids[unit], "hex": board.labels[place], "faces": dice.faces}
        emit(Event("P11.3", "mines-cleared" if cleared else "mines-stay", facts))
