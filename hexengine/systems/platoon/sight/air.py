"""Lines of sight from and to the air (P10.6), and who sees whom where helicopters are about.

A helicopter is one level above the ground, or above the woods or houses on it; one that has landed
is on the ground like everybody else, and seen only close by (P13.1).  Levels are asked here only:
lines between units on the ground stay what hexengine.systems.platoon.sight.ground makes of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hexengine.hexes import HexMap, SightLines
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.sight.ground import BLOCKING, Obstacle, SightFacts

if TYPE_CHECKING:
    from hexengine.systems.platoon.position import PlatoonPosition

NOTHING, HILL, SHADOW = range(3)
LANDED_SIGHT = 3
"""Hexes within which a helicopter that has landed is seen (P13.1)."""
WOODS_SHADOW = 1
BUILT_SHADOW = 2
"""Hexes behind woods, and behind houses, in which the air sees no ground unit (P10.6)."""


class AirSight:
    """Lines of sight of one map of which at least one end is in the air.

    ``weights``: of each hex as for lines on the ground; ``built``: for each hex whether houses stand on
    it.  Partial obstacles and wrecks do not matter here, nor do drawn crests.
    """

    def __init__(self, hexmap: HexMap, weights: Sequence[int], built: Sequence[bool]) -> None:
        self._grid = hexmap.grid
        self._lines = SightLines(hexmap.grid)
        self._ground = hexmap.levels
        self._covered = [weight == BLOCKING for weight in weights]
        self.levels = [
            level + (2 if covered else 1) for level, covered in zip(hexmap.levels, self._covered, strict=True)
        ]
        """The level of a helicopter over each hex."""
        self._heights = [
            level + 1 if level and covered else level
            for level, covered in zip(hexmap.levels, self._covered, strict=True)
        ]
        """How high each hex stands in the way: a hill its level, a wooded one more."""
        self._shadows = [
            (BUILT_SHADOW if houses else WOODS_SHADOW) if covered else 0
            for covered, houses in zip(self._covered, built, strict=True)
        ]
        size = hexmap.grid.size
        self._known = [[0] * size for _ in range(3)]
        self._seen = [[0] * size for _ in range(3)]

    def sees(self, a: int, b: int, above_a: bool, above_b: bool) -> bool:
        """Whether two hexes see each other, ``above`` of which somebody is in the air."""
        if above_a and above_b:
            kind = 2
        elif above_a:
            kind = 0
        else:
            # The same line as from the air down: kind 0 is by the hex in the air, kind 1 by the other.
            kind, a, b = 0, b, a
        bit = 1 << b
        if not self._known[kind][a] & bit:
            self._look(kind, a, b)
        return bool(self._seen[kind][a] & bit)

    def in_view(self, place: int, hexes: int, above: bool, above_there: bool) -> int:
        """Of a mask of hexes, those that a hex sees, from the air or from the ground, in the air or on it."""
        kind = 2 if above and above_there else 0 if above else 1
        known = self._known[kind]
        for other in units(hexes & ~known[place]):
            if kind == 1:
                self._look(0, other, place)
            else:
                self._look(kind, place, other)
        return hexes & self._seen[kind][place]

    def _look(self, kind: int, a: int, b: int) -> None:
        """Work out a line and its mirror image, once for both."""
        clear = self._is_clear(a, b, kind == 2)
        for one, near, far in ((kind, a, b), (2 if kind == 2 else 1, b, a)):
            self._known[one][near] |= 1 << far
            if clear:
                self._seen[one][near] |= 1 << far

    def _is_clear(self, a: int, b: int, both: bool) -> bool:
        if self._grid.distance(a, b) <= 1:
            return True
        first, last = self.levels[a], self.levels[b] if both else self._ground[b]
        grounded = () if both else (b,)
        for x, y in self._lines.between(a, b):
            # Off the map there is nothing; along a hexside only what stands on both sides blocks (P10.5).
            if x < 0 or y < 0 or not self._blocks(x, first, last, grounded):
                continue
            if x == y or self._blocks(y, first, last, grounded):
                return False
        return True

    def _blocks(self, place: int, first: int, last: int, grounded: tuple[int, ...]) -> int:
        """What of a hex between blocks a line between two levels: NOTHING, HILL or SHADOW.

        A hill blocks those who are no higher than it, unless both are level with its open top; woods on
        it block them in any case.  Ground units are hidden close behind woods and houses.
        """
        height = self._heights[place]
        if height and height >= max(first, last) and (self._covered[place] or height > min(first, last)):
            return HILL
        reach = self._shadows[place]
        if reach:
            for end in grounded:
                if self._ground[end] <= self._ground[place] and self._grid.distance(end, place) <= reach:
                    return SHADOW
        return NOTHING

    def facts(self, a: int, b: int, above_a: bool, above_b: bool) -> SightFacts:
        """What lies between two hexes at least one of which is meant in the air, and the verdict."""
        distance = self._grid.distance(a, b)
        stretches = self._lines.between(a, b) if distance > 1 else ()
        first = self.levels[a] if above_a else self._ground[a]
        last = self.levels[b] if above_b else self._ground[b]
        grounded = tuple([end for end, above in ((a, above_a), (b, above_b)) if not above])
        obstacles = []
        for x, y in stretches:
            codes = [self._blocks(one, first, last, grounded) if one >= 0 else NOTHING for one in (x, y)]
            if NOTHING in codes:
                continue
            other = -1 if x == y else y
            if codes[0] == HILL:
                obstacles.append(Obstacle(BLOCKING, "P10.6", "hill", x, other))
            else:
                obstacles.append(Obstacle(BLOCKING, "P10.6", "shadow", x, other))
        return SightFacts(not obstacles, distance, tuple(obstacles), tuple(stretches))


def sees(pos: PlatoonPosition, a: int, b: int, place: int = -1) -> bool:
    """Whether two units on the map see each other, wherever they are; the same both ways.

    ``place``: the hex in which the first is meant to be, if not where it is.
    """
    board = pos.board
    here, there = pos.hex[a] if place < 0 else place, pos.hex[b]
    distance = board.grid.distance(here, there)
    if distance <= 1:
        return True
    if (pos.landed >> a | pos.landed >> b) & 1 and distance > LANDED_SIGHT:
        return False
    above = board.air & ~pos.landed
    above_a, above_b = bool(above >> a & 1), bool(above >> b & 1)
    if above_a or above_b:
        return board.air_sight.sees(here, there, above_a, above_b)
    return board.sight.sees(here, there, pos.wrecks)


def seen_by(pos: PlatoonPosition, unit: int, others: int) -> int:
    """Of a mask of units on the map, those within a unit's range that it sees."""
    distances = pos.board.grid.distances(pos.hex[unit])
    reach = pos.board.reach[unit]
    where = pos.hex
    found = 0
    for other in units(others):
        if distances[where[other]] <= reach and sees(pos, unit, other):
            found |= 1 << other
    return found
