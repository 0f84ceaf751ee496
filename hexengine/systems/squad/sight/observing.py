"""What a side may see of a position: not the hidden units, mines and events of the enemy."""

from __future__ import annotations

from hexengine.mechanics.masks import units
from hexengine.systems.squad.position import SquadPosition, leave


def observed(pos: SquadPosition, side: int) -> SquadPosition | None:
    """A copy without what is hidden from a side (S10.4, S13.1, S13.4); None if nothing is.

    Units that are not seen are neither on the map nor lost in it: they are ``unseen``.
    """
    board = pos.board
    theirs = board.side_units[1 - side]
    hidden = pos.hidden & theirs
    waiting = pos.waiting & theirs
    mines = pos.mines_0 if side else pos.mines_1
    buried = [where for where, fp in enumerate(mines) if fp and not pos.known_mines >> where & 1]
    events = 0
    for number in units(pos.events):
        if board.events[number].side == side:
            events |= 1 << number
    if not (hidden | waiting or buried or events):
        return None
    copy = pos.copy()
    for unit in units(hidden):
        if pos.aboard >> unit & 1:
            copy.carrier[unit] = -1
        leave(copy, unit)
    carried = 0
    for weapon in units(board.weapons & ~pos.lost):
        if pos.carrier[weapon] >= 0 and (hidden | waiting) >> pos.carrier[weapon] & 1:
            carried |= 1 << weapon
            copy.place[weapon] = -1
    gone = hidden | carried
    copy.unseen = gone | waiting
    copy.waiting |= hidden
    for name in ("placed", "hidden", "shaken", "wounded", "ops", "crawl", "stealth", "aboard"):
        setattr(copy, name, getattr(copy, name) & ~gone)
    marked = copy.mines_0 if side else copy.mines_1
    for where in buried:
        marked[where] = 0
    copy.events &= ~events
    return copy
