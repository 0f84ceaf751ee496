"""Movement (P4): steps of a group, what they cost, and where a step may go."""

from __future__ import annotations

from hexengine.core.errors import Refusal
from hexengine.core.events import Emit, Event
from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest, units
from hexengine.systems.platoon.board import Board
from hexengine.systems.platoon.orders import Move, MoveRow
from hexengine.systems.platoon.position import STACKING_LIMIT, PlatoonPosition
from hexengine.systems.platoon.stacking import counted, place_at
from hexengine.systems.platoon.transport import load_bar


def budget(pos: PlatoonPosition, unit: int) -> int:
    """Half MP that a unit may still spend in this activation (P4.1, P5)."""
    bit = 1 << unit
    if (pos.halted | pos.locked) & bit:
        return 0
    limit = pos.board.half[unit] if pos.shuttled & bit else pos.board.allowance[unit]
    return limit - pos.spent[unit]


def ways(pos: PlatoonPosition, unit: int, place: int) -> int:
    """The mask of directions in which a unit may step from a hex, enemies and stacking apart.

    Cost and prohibited terrain (P4.2, D1), halves of transport (P5), the limits of Disrupted
    movement (P6.6).
    """
    bit = 1 << unit
    board = pos.board
    left = board.allowance[unit] - pos.spent[unit]
    if (pos.shuttled | pos.disrupted | pos.halted | pos.locked) & bit:
        if (pos.halted | pos.locked) & bit:
            return 0
        if pos.shuttled & bit:
            left = board.plenty if pos.dismounted & bit else board.half[unit] - pos.spent[unit]
        if left <= 0:
            return 0
        mask = board.unit_ways[unit][place][left]
        return shy_ways(pos, unit, place, mask) if pos.disrupted & bit else mask
    if board.minimum_move and not (pos.moved | pos.shuttled) & bit:
        left = board.plenty
    return board.unit_ways[unit][place][left] if left > 0 else 0


def shy_ways(pos: PlatoonPosition, unit: int, place: int, mask: int) -> int:
    """Of some directions, those that Disrupted movement allows (P6.6).

    No step nearer to an enemy that sees the unit before the step, nor next to one; adjacent
    enemies always see it, and Disrupted ones count.
    """
    board = pos.board
    taken = pos.taken_0 if board.side[unit] else pos.taken_1
    if not board.sight.in_view(place, taken):
        return mask
    enemies = pos.placed & board.standing[1 - board.side[unit]] & ~pos.carried
    where = pos.hex
    neighbours = board.neighbours[place]
    for enemy in units(enemies):
        there = where[enemy]
        if not board.sight.sees(place, there, pos.wrecks):
            continue
        distances = board.grid.distances(there)
        now = distances[place]
        for direction in units(mask):
            then = distances[neighbours[direction]]
            if then < now or then == 1:
                mask &= ~(1 << direction)
        if not mask:
            return 0
    return mask


# -- where a step may go ------------------------------------------------------------------------


def steps(
    pos: PlatoonPosition, formation: int, place: int, able: int, members: int, found: list[Order]
) -> None:
    """Append the legal moves of the units of ``able`` that stand in a hex, in canonical order.

    ``members`` are the units of the open group, or 0 if none is open.
    """
    board = pos.board
    hq = able & board.hqs
    subsets = _subsets(pos, able & ~hq, place)
    if not subsets:
        return
    own_base = board.base[formation]
    standing = pos.here[own_base + place]
    needs_hq = _left_alone(pos, formation, place) if standing >= 16 else -1
    # Nobody stands around and nobody is left too many: every way is open.
    free = standing & 15 <= STACKING_LIMIT and not board.around[place] & (pos.taken_0 | pos.taken_1)
    moves = board.orders.moves
    for mine, directions in subsets:
        alone = needs_hq >= 0 and not needs_hq & ~mine
        if not alone:
            row = moves(mine)
            if free:
                ready = row.open.get(place << 6 | directions)
                found += ready if ready is not None else _open(board, row, place, directions)
            else:
                found += [row[target] for target in _targets(pos, own_base, mine, members, place, directions)]
        if hq:
            row = moves(mine | hq)
            if free:
                ready = row.open.get(place << 6 | directions)
                found += ready if ready is not None else _open(board, row, place, directions)
            else:
                found += [
                    row[target]
                    for target in _targets(pos, own_base, mine, members, place, directions)
                    if pos.here[own_base + target] < 16
                ]


def _open(board: Board, row: MoveRow, place: int, directions: int) -> list[Move]:
    """All moves of some units out of a hex, remembered."""
    row.open[place << 6 | directions] = made = [row[target] for target in board.targets[place][directions]]
    return made


def _targets(
    pos: PlatoonPosition, own_base: int, mine: int, members: int, place: int, directions: int
) -> list[int]:
    """Of the neighbours in some directions, those that enemies and stacking leave open."""
    board = pos.board
    here = pos.here
    side = 1 if own_base else 0
    enemy_base = board.size - own_base
    number = mine.bit_count()
    crowd = (here[own_base + place] & 15) - number > STACKING_LIMIT
    found = []
    for target in board.targets[place][directions]:
        if here[enemy_base + target]:
            continue
        if (here[own_base + target] & 15) + number > STACKING_LIMIT and not _may_crowd(
            pos, side, mine, members, place, target
        ):
            continue
        if crowd and not may_thin_after(pos, side, mine, members, place, target):
            continue
        found.append(target)
    return found


def _subsets(pos: PlatoonPosition, fighters: int, place: int) -> list[tuple[int, int]]:
    """The sets of units that may step out of a hex together, ascending, with their directions."""
    if not fighters & (fighters - 1):
        if not fighters:
            return []
        mask = ways(pos, lowest(fighters), place)
        return [(fighters, mask)] if mask else []
    subsets = [(0, -1)]
    for unit in units(fighters):
        mask = ways(pos, unit, place)
        if mask:
            bit = 1 << unit
            subsets += [(mine | bit, both & mask) for mine, both in subsets if both & mask]
    del subsets[0]
    if len(subsets) > 3:
        subsets.sort()
    return subsets


def any_step(pos: PlatoonPosition, formation: int, place: int, able: int) -> bool | None:
    """Whether able units that stand in a hex have a plain step: True, False, or None if it is not plain."""
    board = pos.board
    if not board.around[place] & (pos.taken_0 | pos.taken_1) and (
        able & board.hqs or pos.here[board.base[formation] + place] <= STACKING_LIMIT
    ):
        # Nobody stands around: any way that can be paid is a step, unless it leaves the HQ alone.
        for unit in units(able & board.fighters):  # noqa: SIM110  a loop costs less than a generator here
            if ways(pos, unit, place):
                return True
        return False
    return _any_step_near_others(pos, formation, place, able)


def _any_step_near_others(pos: PlatoonPosition, formation: int, place: int, able: int) -> bool | None:
    board = pos.board
    own_base = board.base[formation]
    enemy_base = board.size - own_base
    here = pos.here
    present = here[own_base + place]
    if present & 15 > STACKING_LIMIT:
        return None
    hq = able & board.hqs
    needs_hq = _left_alone(pos, formation, place) if present >= 16 else -1
    unsure = False
    for unit in units(able & board.fighters):
        mask = ways(pos, unit, place)
        if not mask:
            continue
        alone = needs_hq >= 0 and not needs_hq & ~(1 << unit)
        for target in board.targets[place][mask]:
            if here[enemy_base + target]:
                continue
            there = here[own_base + target]
            if there & 15 < STACKING_LIMIT and (not alone or (hq and there < 16)):
                return True
            unsure = True
    return None if unsure else False


def _left_alone(pos: PlatoonPosition, formation: int, place: int) -> int:
    """If the formation's HQ stands in a hex: the mask of its units there, one of which it needs; else -1.

    Which of them it goes or stays with is the owner's choice (P9.6).
    """
    board = pos.board
    hq = board.formations[formation].hq
    if hq < 0 or not pos.placed >> hq & 1 or pos.hex[hq] != place:
        return -1
    where = pos.hex
    mask = 0
    for unit in units(pos.placed & board.formations[formation].fighters & ~pos.carried):
        if where[unit] == place:
            mask |= 1 << unit
    return mask


def _may_crowd(pos: PlatoonPosition, side: int, mine: int, members: int, place: int, target: int) -> bool:
    """Whether a group may enter a hex that it will overfill, since it has a way on (P3.4)."""
    board = pos.board
    if counted(pos, side, target) + mine.bit_count() == STACKING_LIMIT + 1:
        # One too many: it is enough that one of them has a plain way on to a hex with room.
        direction = board.neighbours[place].index(target)
        for unit in units(mine & ~(pos.disrupted | pos.dismounted)):
            mobility = board.mobility[unit]
            left = budget(pos, unit) - board.costs[mobility][place][direction]
            if left <= 0:
                continue
            onward = board.open_ways[mobility][target][left]
            for beyond in board.targets[target][onward]:
                if beyond != place and not pos.here[(1 - side) * board.size + beyond] and (
                    counted(pos, side, beyond) < STACKING_LIMIT
                ):
                    return (pos.here[side * board.size + place] & 15) - mine.bit_count() <= (
                        STACKING_LIMIT
                    ) or may_thin_after(pos, side, mine, members, place, target)
    return may_thin_after(pos, side, mine, members, place, target)


def may_thin_after(pos: PlatoonPosition, side: int, mine: int, members: int, place: int, target: int) -> bool:
    """Whether after a step every hex that is over the limit still has a legal way on."""
    trial = pos.copy()
    walk(trial, mine, place, target)
    group = (members | mine) & trial.placed & ~(trial.finished | trial.carried)
    return can_thin(trial, side, target, group) and can_thin(trial, side, place, group)


def can_thin(pos: PlatoonPosition, side: int, place: int, group: int) -> bool:
    """Whether units of a group can leave a hex, or load there, so that it is within the limit.

    Others in the hex can help by getting aboard a carrier of the group (P5.10).
    """
    over = counted(pos, side, place) - STACKING_LIMIT
    if over <= 0:
        return True
    board = pos.board
    choices: list[list[int]] = []
    for unit in units(board.counted & (group | board.riders) & pos.at(place, side)):
        resting = _resting_places(pos, unit, place) if group >> unit & 1 else []
        choices.append(resting + _seats(pos, unit, place, group))
    return _assign(pos, side, choices, 0, over, {})


def _assign(
    pos: PlatoonPosition, side: int, choices: list[list[int]], at: int, over: int, taken: dict[int, int]
) -> bool:
    """Whether ``over`` of the units from ``at`` on find room, no place taking more than it has."""
    if over == 0:
        return True
    if len(choices) - at < over:
        return False
    for place in choices[at]:
        room = 1 if place < 0 else STACKING_LIMIT - counted(pos, side, place)
        if taken.get(place, 0) < room and _assign(
            pos, side, choices, at + 1, over - 1, {**taken, place: taken.get(place, 0) + 1}
        ):
            return True
    return _assign(pos, side, choices, at + 1, over, taken)


def _resting_places(pos: PlatoonPosition, unit: int, start: int) -> list[int]:
    """Hexes within its MP where a unit would find room, passing through full ones if need be."""
    board = pos.board
    side = board.side[unit]
    mobility = board.mobility[unit]
    best = {start: pos.spent[unit]}
    todo = [start]
    found: list[int] = []
    spent_now = pos.spent[unit]
    while todo:
        place = todo.pop()
        pos.spent[unit] = best[place]
        for direction in units(ways(pos, unit, place)):
            target = board.neighbours[place][direction]
            if pos.here[(1 - side) * board.size + target]:
                continue
            cost = best[place] + board.costs[mobility][place][direction]
            if counted(pos, side, target) < STACKING_LIMIT:
                found.append(target)
            elif cost < best.get(target, 1 << 30) and not pos.dismounted >> unit & 1:
                best[target] = cost
                todo.append(target)
    pos.spent[unit] = spent_now
    return sorted(set(found))


def _seats(pos: PlatoonPosition, unit: int, place: int, group: int) -> list[int]:
    """Carriers in the hex that could take a unit aboard, as negative numbers."""
    board = pos.board
    if not board.riders >> unit & 1:
        return []
    carriers = pos.placed & board.formations[board.formation[unit]].fighters & board.transports
    return [
        -1 - carrier
        for carrier in units(carriers)
        if pos.hex[carrier] == place and not load_bar(pos, carrier, unit, group)
    ]


# -- taking a step ------------------------------------------------------------------------------


def walk(pos: PlatoonPosition, mine: int, place: int, target: int) -> None:
    """Pay for a step and take it; nothing else happens yet."""
    board = pos.board
    direction = board.neighbours[place].index(target)
    hqs, dismounted = board.hqs, pos.dismounted
    for unit in units(mine):
        bit = 1 << unit
        if not hqs & bit:
            pos.spent[unit] += board.costs[board.mobility[unit]][place][direction]
            if dismounted & bit:
                pos.dismounted &= ~bit
                pos.halted |= bit
        pos.left[unit] = place
        place_at(pos, unit, target)
    pos.moved |= mine


def take_step(pos: PlatoonPosition, mine: int, target: int, emit: Emit) -> None:
    """A group steps into an adjacent hex: pay, enter, take control (P4.2, P4.5, P16.1)."""
    board = pos.board
    place = pos.hex[lowest(mine)]
    walk(pos, mine, place, target)
    take_control(pos, mine, target)
    if emit:
        leader = lowest(mine & ~board.hqs)
        direction = board.neighbours[place].index(target)
        emit(
            Event(
                "P4.2",
                "move",
                {
                    "units": [board.ids[unit] for unit in units(mine)],
                    "from": board.labels[place],
                    "hex": board.labels[target],
                    "cost": board.costs[board.mobility[leader]][place][direction] / 2,
                    "spent": pos.spent[leader] / 2,
                    "left": budget(pos, leader) / 2,
                },
            )
        )


def take_control(pos: PlatoonPosition, mine: int, place: int) -> None:
    """Ground units control what they enter (P16.1)."""
    board = pos.board
    if mine & board.counted:
        pos.control[place] = board.side[lowest(mine)] + 1


# -- judging a step -----------------------------------------------------------------------------


def check_step(pos: PlatoonPosition, formation: int, mine: int, members: int, target: int) -> Refusal | None:
    """Whether able units of one formation may step together into a hex (P4, P3.4, P9.1)."""
    board = pos.board
    labels = board.labels
    place = pos.hex[lowest(mine)]
    if mine & (mine - 1):
        for unit in units(mine):
            if pos.hex[unit] != place:
                return Refusal("P4.3", "different-hexes", {"units": board.orders.names(mine)})
    if target not in board.neighbours[place]:
        return Refusal("P4.2", "not-adjacent", {"from": labels[place], "hex": labels[target]})
    hq = mine & board.hqs
    fighters = mine ^ hq
    if not fighters:
        return Refusal("P9.1", "hq-alone", {"hq": board.ids[lowest(hq)]})
    direction = board.neighbours[place].index(target)
    own_base = board.base[formation]
    side = 1 if own_base else 0
    for unit in units(fighters):
        if not ways(pos, unit, place) >> direction & 1:
            return _no_way(pos, unit, place, direction)
    here = pos.here
    if here[board.size - own_base + target]:
        return Refusal("P4.4", "enemy-held", {"hex": labels[target]})
    standing = here[own_base + place]
    if standing >= 16 and not hq:
        needs_hq = _left_alone(pos, formation, place)
        if needs_hq >= 0 and not needs_hq & ~fighters:
            return Refusal("P9.1", "hq-left-alone", {"hq": board.ids[board.formations[formation].hq]})
    present = here[own_base + target]
    if hq and present >= 16:
        return Refusal("P3.4", "second-hq", {"hex": labels[target]})
    number = fighters.bit_count()
    if (present & 15) + number > STACKING_LIMIT and not _may_crowd(
        pos, side, fighters, members, place, target
    ):
        return Refusal("P3.4", "hex-full", {"hex": labels[target], "limit": STACKING_LIMIT})
    if (standing & 15) - number > STACKING_LIMIT and not may_thin_after(
        pos, side, fighters, members, place, target
    ):
        return Refusal("P3.4", "leaves-hex-full", {"hex": labels[place], "limit": STACKING_LIMIT})
    return None


def _no_way(pos: PlatoonPosition, unit: int, place: int, direction: int) -> Refusal:
    """Why a unit cannot take a step, enemies and stacking apart."""
    board = pos.board
    bit = 1 << unit
    target = board.neighbours[place][direction]
    facts = {"unit": board.ids[unit], "from": board.labels[place], "hex": board.labels[target]}
    if pos.locked & bit:
        return Refusal("P5.3", "locked", facts)
    if pos.halted & bit:
        # After an approach and loading, after unloading or the one hex, or since others loaded (P5.10).
        rule = "P5.3" if pos.passengers(unit) else "P5.5" if pos.moved & bit else "P5.10"
        return Refusal(rule, "halted", facts)
    cost = board.costs[board.mobility[unit]][place][direction]
    if not cost:
        return Refusal("P4.2", "prohibited", facts)
    left = budget(pos, unit)
    if cost > left and not pos.dismounted & bit:
        rule = "P5.2" if pos.shuttled & bit else "P4.2"
        return Refusal(rule, "too-few-mp", {**facts, "cost": cost / 2, "left": max(0, left) / 2})
    return Refusal("P6.6", "disrupted-move", facts)
