"""Tables of a board that fill as they are asked."""

from __future__ import annotations

from functools import lru_cache

from hexengine.mechanics.masks import units


class Targets(dict[int, tuple[int, ...]]):
    """The neighbours of one hex in a mask of directions, in direction order."""

    __slots__ = ("_neighbours",)

    def __init__(self, neighbours: tuple[int, ...]) -> None:
        super().__init__()
        self._neighbours = neighbours

    def __missing__(self, directions: int) -> tuple[int, ...]:
        found = self[directions] = tuple(
            [there for direction, there in enumerate(self._neighbours) if directions >> direction & 1]
        )
        return found


class Weights(dict[int, int]):
    """Sums of weights by mask of units, remembered."""

    __slots__ = ("_weight",)

    def __init__(self, weight: list[int]) -> None:
        super().__init__()
        self._weight = weight

    def __missing__(self, mask: int) -> int:
        found = self[mask] = sum([self._weight[unit] for unit in units(mask)])
        return found


@lru_cache(maxsize=4096)
def open_ways(costs: tuple[int, ...], plenty: int) -> tuple[int, ...]:
    """For each number of half MP left the mask of directions that can be paid; all ways for ``plenty``."""
    masks = [
        sum(1 << direction for direction, cost in enumerate(costs) if 0 < cost <= left)
        for left in range(plenty)
    ]
    return (*masks, sum(1 << direction for direction, cost in enumerate(costs) if cost))
