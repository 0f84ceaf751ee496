"""Reinforcements (P15) and leaving the map (P4.8)."""

from __future__ import annotations

from itertools import combinations

from hexengine.core.dice import MORALE, Dice
from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest, mask_of, units
from hexengine.systems.platoon.firing.losses import remove, retire_if_gone
from hexengine.systems.platoon.moving.helicopters import TOGETHER, check_group
from hexengine.systems.platoon.moving.movement import EXIT_COST, budget, joins_late, may_leave, take_control
from hexengine.systems.platoon.moving.stacking import counted, place_at
from hexengine.systems.platoon.orders.book import Enter
from hexengine.systems.platoon.position import STACKING_LIMIT, PlatoonPosition


def arrivals(pos: PlatoonPosition, dice: Dice, emit: Emit) -> None:
    """At a turn's start: who may enter from now on.  Random arrivals roll a die each turn."""
    board = pos.board
    for unit in board.late:
        counter, bit = board.counters[unit], 1 << unit
        if counter.due > pos.turn or (pos.due | pos.placed | pos.lost | pos.gone) & bit:
            continue
        arrives = not counter.arrival or dice.at_least(MORALE, 1, counter.arrival)
        if arrives:
            pos.due |= bit
        if emit:
            faces = dice.faces if counter.arrival else []
            facts = {"unit": counter.id, "turn": pos.turn, "faces": faces, "need": counter.arrival}
            emit(Event("P15", "due" if arrives else "delayed", facts))


def due_units(pos: PlatoonPosition, formation: int) -> int:
    """The units of a formation that wait off the map and may enter now."""
    return pos.due & pos.board.formations[formation].members & pos.board.movers


def entries(pos: PlatoonPosition, formation: int, found: list[Order]) -> None:
    """Append every legal way for waiting units to enter, in canonical order."""
    board = pos.board
    waiting = due_units(pos, formation)
    fighters = units(waiting & ~board.hqs)
    hqs = waiting & board.hqs
    choices = [
        mask_of(group) for number in range(1, STACKING_LIMIT + 1) for group in combinations(fighters, number)
    ]
    for mine in choices + ([0] if hqs else []):
        for chosen in (mine, mine | hqs) if hqs and mine else (mine | hqs,):
            shared = frozenset[int].intersection(*[board.counters[unit].entry for unit in units(chosen)])
            for place in sorted(shared):
                if check_entry(pos, formation, chosen, place) is None:
                    found.append(board.orders.to_hex(Enter, chosen, place))


def check_entry(pos: PlatoonPosition, formation: int, mine: int, place: int) -> Refusal | None:
    """Whether waiting units of the active formation may enter at a hex (P15, P3.4, P9.1)."""
    board = pos.board
    ids, label = board.ids, board.labels[place]
    side = board.formations[formation].side
    waiting = due_units(pos, formation)
    for unit in units(mine):
        if not waiting >> unit & 1:
            return Refusal("P15", "not-waiting", {"unit": ids[unit]})
        if place not in board.counters[unit].entry:
            listed = [board.labels[hex_] for hex_ in sorted(board.counters[unit].entry)]
            return Refusal("P15", "not-an-entry-hex", {"unit": ids[unit], "hex": label, "hexes": listed})
    flies = board.air_formations >> formation & 1  # over whoever stands there (P13.2)
    if pos.here[(1 - side) * board.size + place] and not flies:
        return Refusal("P15", "entry-held", {"hex": label})
    hq = mine & board.hqs
    fighters = mine & ~hq
    if flies and fighters.bit_count() > TOGETHER:
        return Refusal("P13.1", "too-many-together", {"limit": TOGETHER})
    if not flies and counted(pos, side, place) + fighters.bit_count() > STACKING_LIMIT:
        return Refusal("P3.4", "hex-full", {"hex": label, "limit": STACKING_LIMIT})
    for unit in units(fighters):
        cost = board.entry_costs[board.mobility[unit]][place]
        if cost is None:
            return Refusal("P15", "prohibited", {"unit": ids[unit], "hex": label})
        if cost > board.allowance[unit]:
            return Refusal(
                "P15", "too-few-mp",
                {"unit": ids[unit], "hex": label, "cost": cost / 2, "left": board.allowance[unit] / 2},
            )  # fmt: skip
    if hq:
        if pos.here[side * board.size + place] >= 16:
            return Refusal("P3.4", "second-hq", {"hex": label})
        company = fighters | pos.at(place, side) & board.formations[formation].fighters
        if not company:
            return Refusal("P9.1", "hq-alone", {"hq": ids[lowest(hq)]})
    return None


def enter(pos: PlatoonPosition, mine: int, place: int, emit: Emit) -> None:
    """Units come onto the map: they pay the hex's terrain, no road and no hexside, and are fresh."""
    board = pos.board
    for unit in units(mine):
        if not board.hqs >> unit & 1:
            cost = board.entry_costs[board.mobility[unit]][place]
            assert cost is not None, "a checked entry can be paid"
            pos.spent[unit] = cost
        place_at(pos, unit, place)
        for rider in pos.passengers(unit):
            pos.fresh |= 1 << rider
    pos.due &= ~mine
    pos.fresh |= mine
    pos.moved |= mine
    take_control(pos, mine, place)
    if emit:
        emit(
            Event("P15", "enter", {"units": [board.ids[unit] for unit in units(mine)],
                                   "hex": board.labels[place]})
        )  # fmt: skip


def check_exit(pos: PlatoonPosition, formation: int, mine: int) -> Refusal | None:
    """Whether able units may leave the map together (P4.8, P9.1)."""
    board = pos.board
    place = pos.hex[lowest(mine)]
    side = board.formations[formation].side
    for unit in units(mine):
        if pos.hex[unit] != place:
            return Refusal("P4.3", "different-hexes", {"units": [board.ids[u] for u in units(mine)]})
    if place not in board.exits[side]:
        return Refusal("P4.8", "no-exit-hex", {"hex": board.labels[place]})
    if board.air_formations >> formation & 1:
        refusal = check_group(pos, mine)
        if refusal is not None:
            return refusal
    hq = mine & board.hqs
    fighters = mine & ~hq
    if not fighters:
        return Refusal("P9.1", "hq-alone", {"hq": board.ids[lowest(hq)]})
    if joins_late(pos, hq, fighters):
        return Refusal("P4.3", "hq-late", {"hq": board.ids[lowest(hq)]})
    for unit in units(fighters):
        if not may_leave(pos, unit, place):
            facts = {
                "unit": board.ids[unit],
                "hex": board.labels[place],
                "cost": EXIT_COST / 2,
                "left": max(0, budget(pos, unit)) / 2,
            }
            return Refusal("P4.8", "too-few-mp", facts)
    own_hq = board.formations[formation].hq
    stays = own_hq >= 0 and pos.placed >> own_hq & 1 and pos.hex[own_hq] == place and not hq
    if stays and not pos.at(place, side) & board.formations[formation].fighters & ~fighters:
        return Refusal("P9.1", "hq-left-alone", {"hq": board.ids[own_hq]})
    if counted(pos, side, place) - fighters.bit_count() > STACKING_LIMIT:
        return Refusal("P3.4", "leaves-hex-full", {"hex": board.labels[place], "limit": STACKING_LIMIT})
    return None


def exits(pos: PlatoonPosition, formation: int, place: int, able: int, found: list[Order]) -> None:
    """Append the legal ways for able units in a hex to leave the map."""
    board = pos.board
    if place not in board.exits[board.formations[formation].side]:
        return
    subsets = [0]
    for unit in units(able):
        subsets += [mine | 1 << unit for mine in subsets]
    for mine in sorted(subsets[1:]):
        if check_exit(pos, formation, mine) is None:
            found.append(board.orders.exit(mine))


def leave(pos: PlatoonPosition, formation: int, mine: int, emit: Emit) -> None:
    """Units leave the map for good, with all that they carry."""
    board = pos.board
    place = pos.hex[lowest(mine)]
    leaving = {formation}
    for unit in units(mine):
        for leaver in (unit, *pos.passengers(unit)):
            leaving.add(board.formation[leaver])
            pos.gone |= 1 << leaver
            if board.weapon_of[leaver] >= 0:
                pos.gone |= 1 << board.weapon_of[leaver]
            remove(pos, leaver)
            pos.left[leaver] = place
    if emit:
        emit(
            Event("P4.8", "exit", {"units": [board.ids[unit] for unit in units(mine)],
                                   "hex": board.labels[place]})
        )  # fmt: skip
    for each in sorted(leaving):
        retire_if_gone(pos, each, emit)
