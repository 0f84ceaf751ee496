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
from hexengine.systems.squad.sight.lines import BLOCKING

EASY, HARD = 4, 3
"""Numbers on a die to spot what is in degrading, and in blocking terrain (S10.6)."""


def places_of(pos: SquadPosition, mask: int) -> int:
    """The mask of places where units of a mask stand."""
    where, found = pos.place, 0
    for unit in units(mask):
        found |= 1 << where[unit]
    return found


def spotted(pos: SquadPosition, side: int, among: int = -1) -> int:
    """The mask of places with enemy units that a side has spotted; of all, or among some of them."""
    among &= pos.taken_0 if side else pos.taken_1
    found = among & ((pos.spotted_0 if side else pos.spotted_1) | pos.melee)
    base, stacks = 0 if side else pos.board.places.count, pos.stacks
    loud = pos.moved | pos.assault | pos.fired
    for place in units(among & ~found):
        there = stacks[base + place]
        if there & loud or notices(pos, side, place, there):
            found |= 1 << place
    return found


def looks(pos: SquadPosition, side: int, place: int) -> tuple[int, int]:
    """Of the enemy's places that a side sees from a place, melees aside: those spotted, and the others."""
    enemies = (pos.taken_0 if side else pos.taken_1) & ~pos.melee
    if not enemies:
        return 0, 0
    view = pos.board.sight.in_view(place, enemies, pos.smoke_1 | pos.smoke_2)
    known = spotted(pos, side, view) if view else 0
    return known, view & ~known


def spots(pos: SquadPosition, side: int, place: int) -> bool:
    """Whether there are enemy units in a place that a side has spotted (S10.4, S7.8, S7.13).

    It is asked anew for each order: Shaken units spot nothing (S5.4), and what units see that come next to
    an enemy helps those who act after them (S5.6).
    """
    there = pos.stacks[place if side else pos.board.places.count + place]
    if there & (pos.moved | pos.assault | pos.fired):
        return True
    if not there or ((pos.spotted_0 if side else pos.spotted_1) | pos.melee) >> place & 1:
        return bool(there)
    return notices(pos, side, place, there)


def notices(pos: SquadPosition, side: int, place: int, there: int) -> bool:
    """Whether a side sees units that have neither given themselves away nor a marker, where they stand."""
    board = pos.board
    mine = pos.taken_1 if side else pos.taken_0
    close = mine & board.places.near[place]
    if close:
        beside = _holders(pos, side, close)
        # S7.13: that they are next to it is not enough where all are on a stealth move.
        if beside & ~pos.shaken and there & ~pos.stealth:
            return True
        # S7.8: Shaken enemies give a low crawling unit away too.
        if there & pos.crawl and beside & pos.shaken and not board.options.lc_adjacent_needs_go:
            return True
    if not board.places.open >> place & 1:
        return False
    base, stacks, steady = side * board.places.count, pos.stacks, ~pos.shaken
    for where in units(board.sight.in_view(place, mine, pos.smoke_1 | pos.smoke_2)):
        if stacks[base + where] & steady:
            return True
    return False


def _holders(pos: SquadPosition, side: int, places: int) -> int:
    """The mask of a side's units in some places."""
    base, stacks, found = side * pos.board.places.count, pos.stacks, 0
    for place in units(places):
        found |= stacks[base + place]
    return found


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


def attempts(pos: SquadPosition, side: int, unit: int, unspotted: int, found: list[Order]) -> None:
    """Append the legal spotting attempts of a unit that may make one, at unspotted places that it sees."""
    if pos.looked or (pos.shaken | pos.smoked) >> unit & 1:
        return
    if pos.hidden:
        unspotted &= in_sight(pos, side)
    for place in units(unspotted):
        found.append(pos.board.orders.once(Spot, unit, place))


def check_attempt(pos: SquadPosition, side: int, order: Spot) -> Refusal | None:
    """Whether a unit that may act may try to spot a place; one impulse has one attempt."""
    board = pos.board
    unit, place = order.unit, order.place
    facts = {"unit": board.ids[unit], "hex": board.labels[place]}
    if pos.looked:
        return Refusal("S10.6", "looked", facts)
    if pos.shaken >> unit & 1:
        return Refusal("S11.6", "shaken-spot", facts)
    if pos.smoked >> unit & 1:
        return Refusal("S8.12", "smoked-acts", facts)
    if not (in_sight(pos, side) & ~pos.melee) >> place & 1 or spots(pos, side, place):
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
        if board.side[order.unit]:
            pos.spotted_0 |= 1 << order.place
        else:
            pos.spotted_1 |= 1 << order.place
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
