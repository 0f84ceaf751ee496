"""The steps of a group (P4): which ones there are, and why another is none (P4.2 to P4.4, P9.1)."""

from __future__ import annotations

from hexengine.core.errors import Refusal
from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest, units
from hexengine.systems.platoon.moving.crossing import swims
from hexengine.systems.platoon.moving.movement import budget, joins_late, left_alone, ways
from hexengine.systems.platoon.moving.passing import may_crowd, may_thin_after
from hexengine.systems.platoon.orders.book import Move, MoveRow
from hexengine.systems.platoon.position import STACKING_LIMIT, PlatoonPosition

NOBODY = (0, 0, 0, 0)


def around(pos: PlatoonPosition, own_base: int, place: int, near: int) -> tuple[int, int, int, int]:
    """Who stands around a hex, seen from the side whose part of ``here`` begins at ``own_base``.

    ``near`` are the taken hexes next to it.  Four masks of directions: enemies; one unit of one's own that
    counts for stacking; as many as the limit, or more; an HQ of one's own.
    """
    if not near:
        return NOBODY
    here = pos.here
    directions = pos.board.direction[place]
    foe = one = full = hq = 0
    while near:
        low = near & -near
        near ^= low
        target = low.bit_length() - 1
        present = here[own_base + target]
        bit = 1 << directions[target]
        if not present:
            foe |= bit
            continue
        if present >= 16:
            hq |= bit
            present &= 15
        if present == 1:
            one |= bit
        elif present:
            full |= bit
    return foe, one, full, hq


def steps(
    pos: PlatoonPosition, formation: int, place: int, able: int, members: int, near: int
) -> list[Order]:
    """The legal moves of the units of ``able`` that stand in a hex, in canonical order.

    By subset: the steps into hexes with room, then those that pass through full ones; the same
    with the HQ along.  ``members`` are the units of the open group, or 0 if none is open; ``near`` are the
    taken hexes next to this one.
    """
    found: list[Order] = []
    board = pos.board
    hq = able & board.hqs
    subsets = _subsets(pos, able ^ hq, place)
    if not subsets:
        return found
    own_base = board.base[formation]
    standing = pos.here[own_base + place]
    needs_hq = -1
    if standing >= 16:
        # Where all that stand there are able, they are its HQ's company.
        needs_hq = able ^ hq
        if not hq or needs_hq.bit_count() != standing & 15:
            needs_hq = left_alone(pos, formation, place)
    foe, one, full, other_hq = around(pos, own_base, place, near)
    moves = board.orders.moves
    for mine, directions in subsets:
        number = mine.bit_count()
        ways_on = directions & ~foe
        if number == 1:
            tight = ways_on & full
        elif number == STACKING_LIMIT:
            tight = ways_on & (full | one)
        else:
            tight = ways_on
        if (standing & 15) - number > STACKING_LIMIT:
            tight = ways_on
        ways_on ^= tight
        if needs_hq < 0 or needs_hq & ~mine:
            row = moves[mine]
            if ways_on:
                found += row.open[place << 6 | ways_on]
            if tight:
                found += _through(pos, own_base, row, mine, members, place, tight)
        if hq and not joins_late(pos, hq, mine):
            row = moves[mine | hq]
            if ways_on & ~other_hq:
                with_hq = ways_on & ~other_hq
                found += row.open[place << 6 | with_hq]
            if tight & ~other_hq:
                found += _through(pos, own_base, row, mine | hq, members, place, tight & ~other_hq)
    return found


def steps_alone(
    pos: PlatoonPosition, own_base: int, place: int, mine: int, members: int, near: int
) -> list[Order]:
    """The legal moves of a unit that stands alone in a hex: as :func:`steps`, at less cost."""
    board = pos.board
    mask = ways(pos, mine.bit_length() - 1, place)
    row = board.orders.moves[mine]
    if not near:
        return row.open[place << 6 | mask].copy()
    here = pos.here
    directions = board.direction[place]
    tight = 0
    while near:
        low = near & -near
        near ^= low
        target = low.bit_length() - 1
        present = here[own_base + target]
        if not present:
            mask &= ~(1 << directions[target])
        elif present & 15 >= STACKING_LIMIT:
            tight |= 1 << directions[target]
    found: list[Order] = row.open[place << 6 | mask & ~tight].copy()
    if tight & mask:
        found += _through(pos, own_base, row, mine, members, place, tight & mask)
    return found


def _through(
    pos: PlatoonPosition, own_base: int, row: MoveRow, mine: int, members: int, place: int, directions: int
) -> list[Move]:
    """The moves that leave a hex over the limit for a while, here or there (P3.4)."""
    side = 1 if own_base else 0
    board = pos.board
    number = (mine & board.fighters).bit_count()
    leaves_crowd = (pos.here[own_base + place] & 15) - number > STACKING_LIMIT
    found = []
    for target in board.targets[place][directions]:
        if (pos.here[own_base + target] & 15) + number > STACKING_LIMIT and not may_crowd(
            pos, side, mine, members, place, target
        ):
            continue
        if leaves_crowd and not may_thin_after(pos, side, mine, members, place, target):
            continue
        found.append(row[target])
    return found


def _subsets(pos: PlatoonPosition, fighters: int, place: int) -> list[tuple[int, int]]:
    """The sets of units that may step out of a hex together, ascending, with their directions."""
    if not fighters & (fighters - 1):
        if not fighters:
            return []
        mask = ways(pos, fighters.bit_length() - 1, place)
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
    own_base = board.base[formation]
    here = pos.here
    present = here[own_base + place]
    near = board.around[place] & (pos.taken_0 | pos.taken_1)
    if not near and (present <= STACKING_LIMIT or able & board.hqs):
        # Nobody stands around: any way that can be paid is a step.
        for unit in units(able & board.fighters):  # noqa: SIM110  a loop costs less than a generator here
            if ways(pos, unit, place):
                return True
        return False
    if present & 15 > STACKING_LIMIT:
        return None
    enemy_base = board.size - own_base
    hq = able & board.hqs
    needs_hq = left_alone(pos, formation, place) if present >= 16 else -1
    unsure = False
    for unit in units(able & board.fighters):
        mask = ways(pos, unit, place)
        if not mask:
            continue
        alone = needs_hq >= 0 and not needs_hq & ~(1 << unit)
        for target in board.targets[place][mask]:
            there = here[own_base + target]
            if there & 15 < STACKING_LIMIT and (
                not near >> target & 1 or not (here[enemy_base + target] or (hq and there >= 16))
            ):
                if not alone or hq:
                    return True
                unsure = True
            elif not here[enemy_base + target]:
                unsure = True
    return None if unsure else False


def check_step(pos: PlatoonPosition, formation: int, mine: int, members: int, target: int) -> Refusal | None:
    """Whether able units of one formation may step together into a hex (P4, P3.4, P9.1)."""
    board = pos.board
    labels = board.labels
    place = pos.hex[lowest(mine)]
    if mine & (mine - 1):
        for unit in units(mine):
            if pos.hex[unit] != place:
                return Refusal("P4.3", "different-hexes", {"units": board.orders.names(mine)})
    direction = board.direction[place].get(target)
    if direction is None:
        return Refusal("P4.2", "not-adjacent", {"from": labels[place], "hex": labels[target]})
    hq = mine & board.hqs
    fighters = mine ^ hq
    if not fighters:
        return Refusal("P9.1", "hq-alone", {"hq": board.ids[lowest(hq)]})
    if joins_late(pos, hq, fighters):
        return Refusal("P4.3", "hq-late", {"hq": board.ids[lowest(hq)]})
    own_base = board.base[formation]
    side = 1 if own_base else 0
    for unit in units(fighters):
        if not ways(pos, unit, place) >> direction & 1:
            return no_way(pos, unit, place, direction)
    here = pos.here
    if here[board.size - own_base + target]:
        return Refusal("P4.4", "enemy-held", {"hex": labels[target]})
    standing = here[own_base + place]
    if standing >= 16 and not hq:
        needs_hq = left_alone(pos, formation, place)
        if needs_hq >= 0 and not needs_hq & ~fighters:
            return Refusal("P9.1", "hq-left-alone", {"hq": board.ids[board.formations[formation].hq]})
    present = here[own_base + target]
    if hq and present >= 16:
        return Refusal("P3.4", "second-hq", {"hex": labels[target]})
    number = fighters.bit_count()
    if (present & 15) + number > STACKING_LIMIT and not may_crowd(pos, side, mine, members, place, target):
        return Refusal("P3.4", "hex-full", {"hex": labels[target], "limit": STACKING_LIMIT})
    if (standing & 15) - number > STACKING_LIMIT and not may_thin_after(
        pos, side, mine, members, place, target
    ):
        return Refusal("P3.4", "leaves-hex-full", {"hex": labels[place], "limit": STACKING_LIMIT})
    return None


def no_way(pos: PlatoonPosition, unit: int, place: int, direction: int) -> Refusal:
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
    if cost > left and swims(board, unit, place, target):
        return Refusal("P14.3", "swim-late", facts)
    if cost > left and not pos.dismounted & bit:
        rule = "P4.2"
        if pos.shuttled & bit:
            rule = "P5.2" if pos.passengers(unit) else "P5.8" if pos.disrupted & bit else "P5.6"
        return Refusal(rule, "too-few-mp", {**facts, "cost": cost / 2, "left": max(0, left) / 2})
    return Refusal("P6.6", "disrupted-move", facts)
