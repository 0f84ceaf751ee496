"""The steps of a group (P4): which ones there are, and why another is none (P4.2 to P4.4, P9.1)."""

from __future__ import annotations

from hexengine.core.errors import Refusal
from hexengine.core.orders import Order
from hexengine.mechanics.masks import lowest, units
from hexengine.systems.platoon.board import Board
from hexengine.systems.platoon.movement import budget, left_alone, ways
from hexengine.systems.platoon.orders import Move, MoveRow
from hexengine.systems.platoon.passing import may_crowd, may_thin_after
from hexengine.systems.platoon.position import STACKING_LIMIT, PlatoonPosition


def steps(
    pos: PlatoonPosition, formation: int, place: int, able: int, members: int, found: list[Order]
) -> None:
    """Append the legal moves of the units of ``able`` that stand in a hex, in canonical order.

    ``members`` are the units of the open group, or 0 if none is open.
    """
    board = pos.board
    if not able & (able - 1) and not board.around[place] & (pos.taken_0 | pos.taken_1):
        unit = able.bit_length() - 1
        if pos.here[board.base[formation] + place] == 1:
            # One unit alone with nobody around: every way it can pay for is open.
            directions = ways(pos, unit, place)
            row = board.orders.moves(able)
            ready = row.open.get(place << 6 | directions)
            found += ready if ready is not None else _open(board, row, place, directions)
            return
    hq = able & board.hqs
    subsets = _subsets(pos, able & ~hq, place)
    if not subsets:
        return
    own_base = board.base[formation]
    standing = pos.here[own_base + place]
    needs_hq = left_alone(pos, formation, place) if standing >= 16 else -1
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
                together = _targets(pos, own_base, mine | hq, members, place, directions)
                found += [row[target] for target in together]


def _open(board: Board, row: MoveRow, place: int, directions: int) -> list[Move]:
    """All moves of some units out of a hex, remembered."""
    row.open[place << 6 | directions] = made = [row[target] for target in board.targets[place][directions]]
    return made


def _targets(
    pos: PlatoonPosition, own_base: int, mine: int, members: int, place: int, directions: int
) -> list[int]:
    """Of the neighbours in some directions, those that enemies and stacking leave open to units and HQ."""
    board = pos.board
    here = pos.here
    side = 1 if own_base else 0
    enemy_base = board.size - own_base
    number = (mine & board.fighters).bit_count()
    room_for_hq = 256 if not mine & board.hqs else 16
    crowd = (here[own_base + place] & 15) - number > STACKING_LIMIT
    found = []
    for target in board.targets[place][directions]:
        if here[enemy_base + target] or here[own_base + target] >= room_for_hq:
            continue
        if (here[own_base + target] & 15) + number > STACKING_LIMIT and not may_crowd(
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
    needs_hq = left_alone(pos, formation, place) if present >= 16 else -1
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
        needs_hq = left_alone(pos, formation, place)
        if needs_hq >= 0 and not needs_hq & ~fighters:
            return Refusal("P9.1", "hq-left-alone", {"hq": board.ids[board.formations[formation].hq]})
    present = here[own_base + target]
    if hq and present >= 16:
        return Refusal("P3.4", "second-hq", {"hex": labels[target]})
    number = fighters.bit_count()
    if (present & 15) + number > STACKING_LIMIT and not may_crowd(
        pos, side, mine, members, place, target
    ):
        return Refusal("P3.4", "hex-full", {"hex": labels[target], "limit": STACKING_LIMIT})
    if (standing & 15) - number > STACKING_LIMIT and not may_thin_after(
        pos, side, mine, members, place, target
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
