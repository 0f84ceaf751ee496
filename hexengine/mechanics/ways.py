"""Steps between hexes, kept so that a whole mask of hexes takes them at once.

A step changes the number of a hex by one of eight differences at most.  So the steps allowed on a map are
eight masks, of the hexes from which each difference may be taken, and a search goes on layer by layer in
eight shifts, however many hexes a layer has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hexengine.mechanics.masks import units as hexes


class Ways:
    """Steps that are allowed: ``sources`` has, by difference of numbers, the hexes that it may start from."""

    __slots__ = ("_down", "_up", "sources")

    def __init__(self, sources: Mapping[int, int]) -> None:
        self.sources = {step: mask for step, mask in sources.items() if mask}
        self._up = [(mask, step) for step, mask in self.sources.items() if step > 0]
        self._down = [(mask, -step) for step, mask in self.sources.items() if step < 0]

    @classmethod
    def of(cls, table: Sequence[int]) -> Ways:
        """From a table with, by hex, the mask of hexes to which a step is allowed."""
        sources: dict[int, int] = {}
        for place, around in enumerate(table):
            for to in hexes(around):
                sources[to - place] = sources.get(to - place, 0) | 1 << place
        return cls(sources)

    def spread(self, places: int) -> int:
        """The hexes to which one step leads from some hexes."""
        found = 0
        for mask, step in self._up:
            found |= (places & mask) << step
        for mask, step in self._down:
            found |= (places & mask) >> step
        return found

    def leads(self, a: int, b: int) -> bool:
        """Whether a step leads from one hex to another, which need not lie next to it."""
        return bool(self.sources.get(b - a, 0) >> a & 1)

    def without(self, barred: Mapping[int, int]) -> Ways:
        """These less some other steps."""
        return Ways({step: mask & ~barred.get(step, 0) for step, mask in self.sources.items()})

    def into(self, places: int) -> dict[int, int]:
        """Of these steps those that end in some hexes; as the ``sources`` are."""
        return {
            step: mask & (places >> step if step > 0 else places << -step)
            for step, mask in self.sources.items()
        }

    def towards(self, place: int, within: int) -> dict[int, int]:
        """Of these steps, which must be all those of the map, the ones that end nearer to a hex than they
        begin, and nearer than ``within``; as the ``sources`` are.
        """
        found = dict.fromkeys(self.sources, 0)
        seen = ring = 1 << place
        for _ in range(within):
            outer = self.spread(ring) & ~seen
            if not outer:
                break
            for step, mask in self.into(ring).items():
                found[step] |= outer & mask
            seen |= outer
            ring = outer
        return found
