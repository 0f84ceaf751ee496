"""What a decision of operations offers, as far as it was worked out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hexengine.core.frames import Actor
    from hexengine.core.orders import Order
    from hexengine.systems.platoon.position import PlatoonPosition


class Offer:
    """What a frame found out about its decision: good until the next order is played.

    A frame that comes to the top has to look whether anything is left to do; what it saw then is kept
    beside the position, so that nobody looks twice.  It is no part of the position: copies begin
    without one.

    ``places``: the hexes where orders may be found, each with its able units; ``members``: the able units of
    the open group, or -1 if none is open; ``over``: those of them that are over the stacking limit;
    ``found``: by actor the orders, as far as they were asked for; ``chosen``: one that was drawn from them,
    or found to be legal.
    """

    __slots__ = ("chosen", "found", "frame", "members", "over", "places")

    def __init__(self) -> None:
        self.of(None, [], -1, 0)

    def of(self, frame: object, places: list[tuple[int, int]], members: int, over: int) -> Offer:
        """What this frame saw now, in place of all that was kept: cheaper than a new one for each order."""
        self.frame = frame
        self.places = places
        self.members = members
        self.over = over
        self.found: dict[Actor, list[Order]] = {}
        self.chosen: Order | None = None
        return self


def kept_by(pos: PlatoonPosition) -> Offer:
    """The offer that a position keeps, to be filled anew."""
    offer = pos.offer
    if offer is None:
        offer = pos.offer = Offer()
    return offer
