"""Cover (C4): who is concealed, who has gone to ground, and who is in bulletproof cover."""

from __future__ import annotations

from hexengine.systems.company.board import INFANTRY, LIGHT, MAN_PACKED, MEDIUM
from hexengine.systems.company.ground import SideGround
from hexengine.systems.company.position import CompanyPosition


def hides_dug_in(pos: CompanyPosition, unit: int) -> bool:
    """Whether a foxhole conceals a team: not light and medium AA guns, nor heavy and immobile ones (C4.1)."""
    counter = pos.board.counters[unit]
    if counter.kind == INFANTRY or counter.size == MAN_PACKED:
        return True
    return counter.size in (LIGHT, MEDIUM) and "aa" not in counter.flags


def concealed(pos: CompanyPosition, unit: int, origin: int) -> bool:
    """Whether a team is concealed from shots out of a hex (C4.1, C4.2, C6.7), or from above (-1)."""
    board, bit, place = pos.board, 1 << unit, pos.place[unit]
    if pos.doubled & bit and board.options.double_negates_concealment:
        return False
    if board.ground.conceals >> place & 1 or pos.smoke() >> place & 1:
        return True
    if pos.dug & bit and hides_dug_in(pos, unit):
        return True
    if board.foot & bit and not (pos.moved | pos.doubled) & bit:
        # C4.2: infantry and man-packed guns that did not move are concealed in the open.
        return True
    if origin < 0 or origin == place:
        return False
    if board.ground.hedged >> place & 1 and any(side.conceals for side in _sides(pos, origin, place)):
        return True
    smoke = pos.smoke()
    return bool(smoke and smoke & board.sight.between(origin, place))


def _sides(pos: CompanyPosition, origin: int, place: int) -> list[SideGround]:
    """The hexsides over which a shot may come into the target's hex: linear cover is that of the target."""
    board = pos.board
    line = board.sight.line(origin, place)
    last = line[-1] if line else (origin,)
    return [board.ground.side(one, place) for one in last]


def bulletproof(pos: CompanyPosition, unit: int, origins: list[int]) -> bool:
    """Whether a team is in bulletproof cover against shots out of some hexes (C4.1, C4.4, C6.7, C12.5): only
    infantry and guns are.
    """
    board, place = pos.board, pos.place[unit]
    if not board.diggers >> unit & 1:
        return False
    if pos.dug >> unit & 1 or board.ground.bulletproof >> place & 1:
        return True
    if not board.ground.lined >> place & 1:
        return False
    return bool(origins) and all(
        origin != place and any(side.bulletproof for side in _sides(pos, origin, place)) for origin in origins
    )


def shelters(pos: CompanyPosition, unit: int) -> bool:
    """Whether a team is in bulletproof cover already, whoever shoots, so that it need not dig in (C3.6)."""
    board, place = pos.board, pos.place[unit]
    return bool(pos.dug >> unit & 1 or (board.ground.bulletproof | board.ground.lined) >> place & 1)


def gone_to_ground(pos: CompanyPosition, unit: int) -> bool:
    """C4.3, C11.3: infantry and guns that neither moved nor shot in their side's own last turn."""
    bit = 1 << unit
    return bool(pos.board.diggers & bit & ~(pos.moved | pos.doubled | pos.shot))
