"""Spotting (S10.4, S10.6): whom a side sees well enough to fire at, and attempts to see more."""

from __future__ import annotations

from hexengine.core.dice import COMBAT, Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.orders import Order
from hexengine.mechanics.masks import units
from hexengine.systems.squad.orders import Spot
from hexengine.systems.squad.places import BELOW
from hexengine.systems.squad.position import SquadPosition
from hexengine.systems.squad.sight import BLOCKING

EASY, HARD = 4, 3
"""Numbers on a die to spot what is in degrading, and in blocking terrain (S10.6)."""


def places_of(pos: SquadPosition, mask: int) -> int:
    """The mask of places where units of a mask stand."""
    where, found = pos.place, 0
    for unit in units(mask):
        found |= 1 << where[unit]
    return found


def spotted(pos: SquadPosition, side: int) -> int:
    """The mask of places with enemy units that a side has spotted (S10.4, S7.8, S7.13).

    It is asked anew for each order: Shaken units spot nothing (S5.4), and what units see that come next to
    an enemy helps those who act after them (S5.6).
    """
    board = pos.board
    enemies = pos.placed & board.side_units[1 - side]
    taken = pos.taken_0 if side else pos.taken_1
    loud = enemies & (pos.moved | pos.assault | pos.fired)
    found = taken & (pos.spotted | pos.melee)
    if loud:
        found |= places_of(pos, loud)
    left = taken & ~found
    if not left:
        return found
    watchers = places_of(pos, pos.placed & board.side_units[side] & ~pos.shaken)
    found |= _close(pos, side, left, watchers, enemies)
    left = taken & ~found & board.places.open
    if left:
        smoke = pos.smoke_1 | pos.smoke_2
        for place in units(left):
            if board.sight.in_view(place, watchers, smoke):
                found |= 1 << place
    return found


def _close(pos: SquadPosition, side: int, left: int, watchers: int, enemies: int) -> int:
    """Of the places left, those next to an enemy: not where all are on a stealth move (S7.13)."""
    board = pos.board
    near, beside = 0, board.places.near
    for place in units(watchers):
        near |= beside[place]
    close = left & near
    if close and pos.stealth:
        plain = enemies & ~pos.stealth
        close &= places_of(pos, plain)
    if pos.crawl and not board.options.lc_adjacent_needs_go:
        # S7.8: Shaken enemies give a low crawling unit away too.
        around = 0
        for place in units(places_of(pos, pos.placed & board.side_units[side] & pos.shaken)):
            around |= beside[place]
        close |= left & around & places_of(pos, enemies & pos.crawl)
    return close


def in_sight(pos: SquadPosition, side: int) -> int:
    """The mask of places with enemy units that a side knows to be there: all but hidden ones."""
    taken = pos.taken_0 if side else pos.taken_1
    if not pos.hidden:
        return taken
    return places_of(pos, pos.placed & pos.board.side_units[1 - side] & ~pos.hidden)


def reveal(pos: SquadPosition, emit: Emit) -> None:
    """Hidden units are seen at once when they are spotted, or an enemy is one step away (S10.4)."""
    board = pos.board
    for side in (0, 1):
        mine = pos.hidden & pos.placed & board.side_units[side]
        if not mine:
            continue
        seen = spotted(pos, 1 - side)
        for place in units(pos.taken(1 - side)):
            seen |= board.places.linked[place] | board.places.near[place]
        for unit in units(mine):
            if seen >> pos.place[unit] & 1:
                pos.hidden &= ~(1 << unit)
                if emit:
                    facts = {"unit": board.ids[unit], "hex": board.labels[pos.place[unit]]}
                    emit(Event("S10.4", "revealed", facts))


def number_to_spot(pos: SquadPosition, unit: int, place: int) -> int:
    """The highest die that spots a place from where a unit stands; a 6 always fails (S10.6)."""
    board = pos.board
    row = board.places.ground[board.places.hex_of[place]]
    hard = row.los == BLOCKING or board.places.floor[place] == BELOW
    number = HARD if hard else EASY
    number -= board.sight.hindrance(pos.place[unit], place, pos.smoke())
    if board.scouts >> unit & 1:
        number += 1
    if board.leaders >> unit & 1:
        number += board.lm[unit]
    return min(5, number)


def attempts(pos: SquadPosition, side: int, unit: int, known: int, found: list[Order]) -> None:
    """Append the legal spotting attempts of a unit that may make one.

    ``known`` are the spotted places, or -1 if they have not been asked for.
    """
    board = pos.board
    if pos.looked or pos.shaken >> unit & 1:
        return
    unknown = in_sight(pos, side) & ~pos.melee
    if known >= 0:
        unknown &= ~known
    view = board.sight.in_view(pos.place[unit], unknown, pos.smoke()) if unknown else 0
    if view and known < 0:
        view &= ~spotted(pos, side)
    for place in units(view):
        found.append(board.orders.other(Spot, unit, place))


def check_attempt(pos: SquadPosition, side: int, order: Spot) -> Refusal | None:
    """Whether a unit that may act may try to spot a place; one impulse has one attempt."""
    board = pos.board
    unit, place = order.unit, order.place
    facts = {"unit": board.ids[unit], "hex": board.labels[place]}
    if pos.looked:
        return Refusal("S10.6", "looked", facts)
    if pos.shaken >> unit & 1:
        return Refusal("S11.6", "shaken-spot", facts)
    if not (in_sight(pos, side) & ~pos.melee & ~spotted(pos, side)) >> place & 1:
        return Refusal("S10.6", "nothing-to-spot", facts)
    if not board.sight.sees(pos.place[unit], place, pos.smoke()):
        return Refusal("S10.1", "no-line-of-sight", {**facts, "from": board.labels[pos.place[unit]]})
    return None


def attempt(pos: SquadPosition, order: Spot, dice: Dice, emit: Emit) -> None:
    """Try to spot a place: the spotter has Ops Complete either way (S10.6)."""
    board = pos.board
    number = number_to_spot(pos, order.unit, order.place)
    success = dice.within(COMBAT, 1, number)
    pos.looked = 1
    pos.ops |= 1 << order.unit
    if success:
        pos.spotted |= 1 << order.place
    if emit:
        emit(
            Event(
                "S10.6",
                "spotted" if success else "not-spotted",
                {
                    "unit": board.ids[order.unit],
                    "hex": board.labels[order.place],
                    "number": number,
                    "faces": dice.faces,
                },
            )
        )
