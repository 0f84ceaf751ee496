"""Line of sight (C12.1): exact, and the same from both ends.

A line runs from the middle of one hex to that of another.  Terrain that blocks and higher ground end it,
and so does a building's wall, unless the line crosses it at an opening (C6.3, C6.6).  Rooms of the building
in which one end lies do not block.
"""

from __future__ import annotations

from typing import NamedTuple

from hexengine.hexes import SightLines
from hexengine.mechanics.masks import units as hexes
from hexengine.systems.company.ground import Ground

LINES_KEPT = 50_000


class Obstacle(NamedTuple):
    """What ends a line: its rule, a code, the hex, and the other one of a hexside or -1."""

    rule: str
    code: str
    hex: int
    other: int = -1


class Sight:
    """Lines of sight of one map."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._grid = ground.grid
        self._levels = ground.map.levels
        self._lines = SightLines(ground.grid)
        self._known = [0] * len(ground.hex_of)
        self._seen = [0] * len(ground.hex_of)
        self._between: dict[int, int] = {}

    def sees(self, a: int, b: int) -> bool:
        """Whether two spots, mostly hexes, see each other; see floors."""
        bit = 1 << b
        if not self._known[a] & bit:
            self._known[a] |= bit
            self._known[b] |= 1 << a
            if self.obstacle(a, b) is None:
                self._seen[a] |= bit
                self._seen[b] |= 1 << a
        return bool(self._seen[a] & bit)

    def among(self, a: int, places: int) -> int:
        """Of some spots those that see a spot."""
        unknown = places & ~self._known[a]
        if unknown:
            for b in hexes(unknown):
                self.sees(a, b)
        return self._seen[a] & places

    def line(self, a: int, b: int) -> list[tuple[int, ...]]:
        """The hexes touched between two hexes: one, or the two along whose side the line runs."""
        found: list[tuple[int, ...]] = []
        for x, y in self._lines.between(a, b):
            found.append((x,) if x == y else tuple([one for one in (x, y) if one >= 0]))
        return found

    def between(self, a: int, b: int) -> int:
        """The mask of hexes between two hexes."""
        key = a * self._grid.size + b
        found = self._between.get(key)
        if found is None:
            found = 0
            for stretch in self.line(a, b):
                for one in stretch:
                    found |= 1 << one
            if len(self._between) >= LINES_KEPT:
                self._between.clear()
            self._between[key] = found
        return found

    def obstacle(self, a: int, b: int) -> Obstacle | None:
        """What ends the line between two hexes first, or None; along a hexside both sides must be blocked."""
        if b < a:
            a, b = b, a
        ground = self._ground
        floors = ground.floor_of[a], ground.floor_of[b]
        a, b = ground.hex_of[a], ground.hex_of[b]
        if a == b:
            return None
        ends = {ground.building[a]: floors[0], ground.building[b]: floors[1]}
        if len(ends) == 1 and floors[0] != floors[1]:
            return Obstacle("C6.6", "floor", a, b)
        rise = self._levels[a] + floors[0], self._levels[b] + floors[1]
        alive = [a]
        first: Obstacle | None = None
        for stretch in [*self.line(a, b), (b,)]:
            following = []
            for place in stretch:
                found = None if place == b else self._hex(a, b, place, ends, rise)
                ways = [self._wall((a, b), origin, place, ends, rise) for origin in alive]
                if found is None and None in ways:
                    following.append(place)
                elif first is None:
                    first = found or ways[0]
            if not following:
                return first
            alive, first = following, None
        return None

    def _wall(
        self, line: tuple[int, int], a: int, b: int, ends: dict[int, int], rise: tuple[int, int]
    ) -> Obstacle | None:
        """C6.3, C6.6: a wall, where the line does not cross it at an opening of the floor it leads to.

        The line passes above the walls of a lower building in which it does not end (C12.1).
        """
        ground = self._ground
        if not ground.walled(a, b):
            return None
        room = a if ground.building[a] > ground.building[b] else b
        floor = ends.get(ground.building[room], 0)
        upstairs = ground.windows.get((a, b), 0) >> floor & 1
        if upstairs or (not floor and ground.opening_at(a, b) >= 0):
            return None
        if ground.building[room] not in ends and not self._rises(line, room, self._height(room), rise):
            return None
        return Obstacle("C6.2", "wall", a, b)

    def _height(self, place: int) -> int:
        """How high the terrain of a hex is: a building with upper floors, each a level, at least as they."""
        ground, number = self._ground, self._ground.building[place]
        height = ground.rows[place].height
        return max(height, ground.top[number] + 1) if number >= 0 and ground.top[number] else height

    def _rises(self, line: tuple[int, int], place: int, height: int, rise: tuple[int, int]) -> bool:
        """Whether something so high in a hex rises above a line, which runs from level to level."""
        near, far = self._grid.distance(line[0], place), self._grid.distance(place, line[1])
        return (self._levels[place] + height) * (near + far) > rise[0] * far + rise[1] * near

    def _hex(
        self, a: int, b: int, place: int, ends: dict[int, int], rise: tuple[int, int]
    ) -> Obstacle | None:
        """Whether ground or terrain between rises above the line; a floor is a level."""
        ground = self._ground
        row = ground.rows[place]
        number = ground.building[place]
        inside = number >= 0 and number in ends
        if not self._rises((a, b), place, self._height(place) if row.blocks and not inside else 0, rise):
            return None
        return Obstacle("C12.1", "ground" if self._levels[place] > max(rise) else "terrain", place)
