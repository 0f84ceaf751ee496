"""Fire groups (S2.4): those of a hex who fire in an impulse do so at one target, also after moving on.

Units that an impulse has activated stay so when they leave their hex: by assault or stealth (S6.5, S7.16), or
as passengers.  ``origins`` holds for each of them the hex that was theirs, ``aims`` for each hex the target
of those who have fired; both are numbers in whose digits of ``places.digits`` bits stand places plus 1.
"""

from __future__ import annotations

from hexengine.core.dice import Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit
from hexengine.core.orders import Order
from hexengine.mechanics.masks import units
from hexengine.systems.squad.firing.fire import fire, group_fires
from hexengine.systems.squad.firing.ordnance import shooter
from hexengine.systems.squad.orders import Fire
from hexengine.systems.squad.position import SquadPosition


def move_on(pos: SquadPosition, members: int, origin: int) -> None:
    """Units leave a place that is active, and may still fire in this impulse."""
    members &= ~pos.marched
    for unit in units(members):
        pos.origins |= origin + 1 << unit * pos.board.places.digits
    pos.marched |= members


def _digit(pos: SquadPosition, number: int, at: int) -> int:
    """A place out of a number that holds one for each unit or place, or -1."""
    digits = pos.board.places.digits
    return (number >> at * digits & (1 << digits) - 1) - 1


def home(pos: SquadPosition, unit: int) -> int:
    """The place as whose unit a unit acts in this impulse."""
    return _digit(pos, pos.origins, unit) if pos.marched >> unit & 1 else pos.place[unit]


def barred(pos: SquadPosition, mask: int, target: int) -> int:
    """The place whose units have fired already, so that these of it may not fire at a target; -1 for none.

    Those who stand together fire once; those who have moved on do so apart from them, but at the same target.
    """
    if not pos.aims:
        return -1
    for unit in units(mask):
        place = home(pos, unit)
        done = pos.fired_on if pos.marched >> unit & 1 else pos.fired_from
        if done >> place & 1 or _digit(pos, pos.aims, place) not in (-1, target):
            return place
    return -1


def check_group(pos: SquadPosition, order: Fire) -> Refusal | None:
    """Whether the target is that of the group; ordnance has its own (S14.4)."""
    if shooter(pos.board, order) >= 0:
        return None
    place = barred(pos, order.units, order.place)
    if place < 0:
        return None
    return Refusal("S2.4", "one-target-per-hex", {"hex": pos.board.labels[place]})


def fires(pos: SquadPosition, mask: int, targets: int, found: list[Order]) -> None:
    """Append the fire of units of one place, all together, in their own impulse."""
    before = len(found)
    group_fires(pos, mask, targets, found)
    if pos.aims:
        found[before:] = [
            each for each in found[before:] if isinstance(each, Fire) and check_group(pos, each) is None
        ]


def shoot(pos: SquadPosition, order: Fire, dice: Dice, emit: Emit) -> None:
    """Carry out a legal attack in the own impulse: it is that of the group, unless it is by ordnance."""
    if shooter(pos.board, order) < 0:
        for unit in units(order.units):
            place = home(pos, unit)
            if pos.marched >> unit & 1:
                pos.fired_on |= 1 << place
            else:
                pos.fired_from |= 1 << place
            if _digit(pos, pos.aims, place) < 0:
                pos.aims |= order.place + 1 << place * pos.board.places.digits
    fire(pos, order, False, dice, emit)
