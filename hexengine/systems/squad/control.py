"""Who controls a hex (S1.6): whoever has a squad or hero in good order there, or else was the last to."""

from __future__ import annotations

from hexengine.systems.squad.position import SquadPosition


def holders(pos: SquadPosition, side: int, where: int) -> int:
    """The units of a side that give it control of a hex, on whatever level of it they are.

    Those that a round of melee has killed, and that have yet to be taken off, are not among them.
    """
    board, stacks, base = pos.board, pos.stacks, side * pos.board.places.count
    found = 0
    for place in board.places.levels[where]:
        found |= stacks[base + place]
    return found & (board.men | board.heroes) & ~(pos.shaken | pos.doomed)


def settle(pos: SquadPosition, where: int) -> None:
    """Units of a hex have come, gone, or changed their order: the only side with holders there controls it.

    Where both have some, or neither, it stays as it was.
    """
    first, second = holders(pos, 0, where), holders(pos, 1, where)
    if first and not second:
        pos.control[where] = 1
    elif second and not first:
        pos.control[where] = 2


def leave(pos: SquadPosition, place: int) -> None:
    """Units have left a place: enemies on another level may have its hex to themselves."""
    where = pos.board.places.hex_of[place]
    if len(pos.board.places.levels[where]) > 1:
        settle(pos, where)


def come(pos: SquadPosition, side: int, members: int, place: int) -> None:
    """Units have entered a place: without enemies in it they are the last to pass through its hex."""
    where = pos.board.places.hex_of[place]
    if (pos.taken_0 if side else pos.taken_1) >> place & 1:
        settle(pos, where)
    elif members & (pos.board.men | pos.board.heroes) & ~pos.shaken:
        pos.control[where] = side + 1
