"""What ends an activation (P2.5): Ops Complete on all that acted (P4.1)."""

from __future__ import annotations

from hexengine.core.events import Emit, Event
from hexengine.mechanics.masks import mask_of, units
from hexengine.systems.platoon.moving.transport import idle_carriers
from hexengine.systems.platoon.position import PlatoonPosition


def end_activation(pos: PlatoonPosition, formation: int, emit: Emit) -> None:
    """Ops Complete falls on all that acted (P4.1, P5.7); what belongs to one activation is forgotten."""
    board = pos.board
    members = board.formations[formation].members
    partners = board.partners[formation]
    acted = pos.finished & partners & pos.placed & ~idle_carriers(pos)
    for unit in units(acted & board.transports):
        acted |= mask_of(pos.passengers(unit))
    pos.ops |= acted
    pos.fresh &= ~(members & pos.placed)
    pos.spent = [0] * board.count
    left = [-1] * board.count
    for unit in units(pos.gone):
        left[unit] = pos.left[unit]
    pos.left = left
    pos.finished = pos.fired = pos.moved = pos.shuttled = pos.dismounted = pos.halted = 0
    pos.led = pos.led_reaction = 0
    pos.active = -1
    if emit:
        emit(
            Event(
                "P4.1",
                "activation-ends",
                {
                    "formation": board.formations[formation].id,
                    "acted": [board.ids[unit] for unit in units(acted)],
                },
            )
        )
