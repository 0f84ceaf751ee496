"""Entering enemy hexes (P4.4, P7.1, P7.2): who may, by assault or by overrun, and the step itself."""

from __future__ import annotations

from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest, units
from hexengine.systems.platoon.assaults.close_combat import CloseCombat, has_dice
from hexengine.systems.platoon.assaults.overrun import EXTRA_COST, barred_by, in_the_open, overrun_cost
from hexengine.systems.platoon.moving.movement import joins_late, left_alone, ways
from hexengine.systems.platoon.moving.stacking import shift
from hexengine.systems.platoon.moving.steps import no_way
from hexengine.systems.platoon.orders.book import Assault, Overrun, UnitsHex
from hexengine.systems.platoon.position import PlatoonPosition


def defenders(pos: PlatoonPosition, side: int, place: int) -> int:
    """The units of a side that would defend a hex: HQs and passengers take no part (P5.11, P9.1)."""
    return pos.at(place, side) & pos.board.counted


def attacks(pos: PlatoonPosition, formation: int, place: int, able: int, found: list[Order]) -> None:
    """Append the assaults and overruns of able units out of a hex, in canonical order: by hex, then by
    the units.

    Whoever stays behind in a hex over the stacking limit still has the way on that let it come there
    (P3.4): nobody takes it away by attacking.
    """
    board = pos.board
    enemy = 1 - board.formations[formation].side
    near = board.around[place] & (pos.taken_1 if enemy else pos.taken_0)
    fighters = units(able & board.counted & ~pos.disrupted)
    if not near or not fighters:
        return
    hq = able & board.hqs
    reach = [(unit, ways(pos, unit, place)) for unit in fighters]
    for direction, target in enumerate(board.neighbours[place]):
        if target < 0 or not near >> target & 1:
            continue
        groups = [0]
        for unit, open_ways in reach:
            if open_ways >> direction & 1:
                groups += [group | 1 << unit for group in groups]
        foes = defenders(pos, enemy, target)
        for mine in groups[1:]:
            overrun = in_the_open(pos, mine, foes, target) and not barred_by(pos, mine, place, direction)[0]
            if not has_dice(pos, mine, overrun):
                continue
            kind: type[UnitsHex] = Overrun if overrun else Assault
            if not _hq_is_left(pos, formation, mine, place):
                found.append(board.orders.to_hex(kind, mine, target))
            if hq and not joins_late(pos, hq, mine):
                found.append(board.orders.to_hex(kind, mine | hq, target))


def check_attack(pos: PlatoonPosition, formation: int, order: UnitsHex) -> Refusal | None:
    """Whether able units of one formation may enter a hex by assault or overrun (P7.1, P7.2, P7.4)."""
    board = pos.board
    mine, target = order.units, order.hex
    place = pos.hex[lowest(mine)]
    for unit in units(mine):
        if pos.hex[unit] != place:
            return Refusal("P4.3", "different-hexes", {"units": board.orders.names(mine)})
    facts = {"from": board.labels[place], "hex": board.labels[target]}
    direction = board.direction[place].get(target)
    if direction is None:
        return Refusal("P4.2", "not-adjacent", facts)
    fighters = mine & ~board.hqs
    if not fighters:
        return Refusal("P9.1", "hq-alone", {"hq": board.ids[lowest(mine)]})
    if joins_late(pos, mine & board.hqs, fighters):
        return Refusal("P4.3", "hq-late", {"hq": board.ids[lowest(mine & board.hqs)]})
    foes = defenders(pos, 1 - board.formations[formation].side, target)
    if not foes:
        return Refusal("P7.2", "nobody-to-fight", facts)
    if fighters & pos.disrupted:
        return Refusal("P7.2", "disrupted-assault", {"unit": board.ids[lowest(fighters & pos.disrupted)]})
    for unit in units(fighters):
        if not ways(pos, unit, place) >> direction & 1:
            return no_way(pos, unit, place, direction)
    overrun = in_the_open(pos, fighters, foes, target)
    if type(order) is Overrun:
        if not overrun:
            return Refusal("P7.1", "not-in-the-open", facts)
        refusal = _no_way_through(pos, fighters, place, direction)
        if refusal is not None:
            return refusal
    elif overrun and not barred_by(pos, fighters, place, direction)[0]:
        return Refusal("P7.1", "overrun-instead", facts)
    if not has_dice(pos, fighters, type(order) is Overrun):
        return Refusal("P7.2", "no-assault-dice", {"units": board.orders.names(fighters)})
    if not mine & board.hqs and _hq_is_left(pos, formation, fighters, place):
        return Refusal("P9.1", "hq-left-alone", {"hq": board.ids[board.formations[formation].hq]})
    return None


def _no_way_through(pos: PlatoonPosition, fighters: int, place: int, direction: int) -> Refusal | None:
    """Why vehicles cannot overrun a hex: they could not get out of it on the far side (P7.4)."""
    board = pos.board
    code, unit = barred_by(pos, fighters, place, direction)
    if not code:
        return None
    facts = {"unit": board.ids[unit], "hex": board.labels[board.neighbours[place][direction]]}
    if code == "far-side-too-far":
        cost = overrun_cost(pos, unit, place, direction) / 2
        left = (board.allowance[unit] - pos.spent[unit]) / 2
        return Refusal("P7.4", "far-side-too-far", {**facts, "cost": cost, "left": left})
    return Refusal("P7.4", "far-side-full" if code == "far-side-full" else "no-far-side", facts)


def _hq_is_left(pos: PlatoonPosition, formation: int, mine: int, place: int) -> bool:
    """Whether the formation's HQ would be alone in a hex that units leave without it (P9.1)."""
    board = pos.board
    if pos.here[board.base[formation] + place] < 16:
        return False
    company = left_alone(pos, formation, place)
    return company >= 0 and not company & ~mine


def enter(pos: PlatoonPosition, order: UnitsHex, emit: Emit) -> None:
    """Units enter an enemy hex: the cost is paid, and the fight awaits what fire there is at them (P7.5).

    The hex they left last stays what it was until they have won: who is thrown back never left.
    """
    board = pos.board
    mine, target = order.units, order.hex
    place = pos.hex[lowest(mine)]
    direction = board.direction[place][target]
    overrun = type(order) is Overrun
    extra = EXTRA_COST if overrun else 0
    leader = lowest(mine & ~board.hqs)
    for unit in units(mine & ~board.hqs):
        pos.spent[unit] += board.costs[board.mobility[unit]][place][direction] + extra
    walked = mine & pos.dismounted
    pos.dismounted &= ~walked
    pos.halted |= walked
    shift(pos, mine, place, target)
    pos.moved |= mine
    if emit:
        facts = {
            "units": [board.ids[unit] for unit in units(mine)],
            "from": board.labels[place],
            "hex": board.labels[target],
            "cost": (board.costs[board.mobility[leader]][place][direction] + extra) / 2,
        }
        emit(Event("P7.4", "overrun", facts) if overrun else Event("P7.2", "assault", facts))
    pos.frames.append(CloseCombat(board.side[leader], target, place, 1 if overrun else 0))
