"""Whether anybody can come to the objectives that a scenario names (S1.6)."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING

from hexengine.mechanics.checking import Path
from hexengine.mechanics.maps import WAYS
from hexengine.mechanics.masks import mask_of
from hexengine.mechanics.reachable import Access, check_held
from hexengine.systems.squad.position import SquadPosition

if TYPE_CHECKING:
    from hexengine.systems.squad.scenario.build import Builder


def check_goals(pos: SquadPosition, builder: Builder) -> None:
    """Report hexes to be held that nobody in the game can ever come to, and nobody holds at the start."""
    board = pos.board
    found = [builder.found(unit.hex) for unit in builder.document.unit if unit.hex is not None]
    begin = {board.places.hex_of[place] for place in found if place is not None}
    onward = _onward(pos)
    access = Access(
        board.grid.neighbours,
        begin | builder.unsure if begin else begin,
        lambda a, b: bool(onward[a] >> b & 1),
    )
    held = {place for place, side in enumerate(pos.control) if side}
    check_held(builder, access, builder.found, held, lambda _: "S4.10", lambda near: _hidden(builder, near))


def _onward(pos: SquadPosition) -> list[int]:
    """By hex, the mask of hexes to which one step leads somebody on foot, or a vehicle."""
    board = pos.board
    movers = mask_of([unit for unit, paces in enumerate(board.mf) if any(paces)])
    afoot = movers & ~(board.weapons | board.vehicles)
    found = [board.places.linked[place] if afoot else 0 for place in range(board.size)]
    if movers & board.vehicles:
        for place in range(board.size):
            found[place] |= mask_of([to for to, _, _ in board.places.drive[place]])
    return found


def _hidden(builder: Builder, near: Set[int]) -> list[Path]:
    """Where somebody who can come there might be hidden: in units that are nowhere, in unclear ground."""
    found = [*builder.ground(near, *WAYS), *builder.changing("leg", "vehicle")]
    for unit, given in enumerate(builder.document.unit):
        found += [*builder.roster.says_kind(unit), *builder.roster.says_type(unit, "values", "half")]
        if given.hex is None or builder.found(given.hex) is None:
            found += [("unit", unit, key) for key in ("id", "hex", "carrier")]
    return found
