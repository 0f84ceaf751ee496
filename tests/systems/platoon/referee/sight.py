"""Lines of sight on the ground and from the air (P10), by the geometry of hexes in whole numbers."""

from __future__ import annotations

from functools import cache
from math import lcm
from typing import NamedTuple

from tests.systems.platoon.referee.ground import Ground

CORNERS = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))
"""The corners of a hex around its centre, counterclockwise; a hex is 4 wide and 2 high."""
OPEN, PARTIAL, BLOCKING = range(3)
WEIGHTS = {"open": OPEN, "partial": PARTIAL, "blocking": BLOCKING}
LANDED_SIGHT = 3


class Stretch(NamedTuple):
    """A part of a line: the hex that it runs through, or the two that it runs between; None: off the map."""

    start: int
    hexes: tuple[str | None, ...]


class Sight:
    """Who sees whom on a map."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.between = cache(self._between)
        self.fixed = cache(self._fixed)
        self.from_the_air = cache(self._from_the_air)

    def _weight(self, label: str) -> int:
        """What the terrain of a hex does; a bare hill is no obstacle in itself, its crests are."""
        return OPEN if label in self.ground.bare else WEIGHTS[self.ground.row[label].get("los", "open")]

    # -- the geometry -------------------------------------------------------------------------------

    def _between(self, a: str, b: str) -> list[Stretch]:
        """The stretches of the line from centre to centre, in order, without the ends' own."""
        if self.ground.distance(a, b) <= 1:
            return []
        (first, y), (last, end) = self.ground.place(a), self.ground.place(b)
        x, dx, dy = 3 * first, 3 * (last - first), end - y
        whole = lcm(*[abs(over * dy - up * dx) or 1 for over, up in ((1, -1), (2, 0), (1, 1))])
        inside: list[Stretch] = []
        along: dict[tuple[int, int], list[str | None]] = {}
        for column in range(min(first, last) - 1, max(first, last) + 2):
            for height in self._heights(column, (x, y), (dx, dy)):
                if (column, height) in ((first, y), (last, end)):
                    continue
                corners = [(3 * column + over, height + up) for over, up in CORNERS]
                beside = [dx * (v - y) - dy * (u - x) for u, v in corners]
                part = self._clip(corners, x, y, dx, dy, whole) if min(beside) <= 0 <= max(beside) else None
                if part is None:
                    continue
                label = self.ground.label(column, height)
                if min(beside) < 0 < max(beside):
                    inside.append(Stretch(part[0], (label,)))
                else:
                    along.setdefault(part, []).append(label)
        return sorted(inside + [Stretch(part[0], tuple(hexes)) for part, hexes in along.items()])

    def _heights(self, column: int, start: tuple[int, int], way: tuple[int, int]) -> list[int]:
        """Where in a column the hexes lie that a line may touch."""
        (x, y), (dx, dy) = start, way
        if dx == 0:
            ends = [y, y + dy]
        else:
            ends = [y + dy * (edge - x) // dx for edge in (3 * column - 2, 3 * column + 2)]
        lowered = column % 2 == self.ground.lowered
        return [height for height in range(min(ends) - 1, max(ends) + 3) if height % 2 == lowered]

    @staticmethod
    def _clip(
        corners: list[tuple[int, int]], x: int, y: int, dx: int, dy: int, whole: int
    ) -> tuple[int, int] | None:
        """Which part of a line lies within a hex, in parts of ``whole``; None: no more than a point."""
        start, stop = 0, whole
        for (u, v), (after, above) in zip(corners, corners[1:] + corners[:1], strict=True):
            over, up = after - u, above - v
            here, more = over * (y - v) - up * (x - u), over * dy - up * dx
            if more == 0:
                if here < 0:
                    return None
            elif more > 0:
                start = max(start, -here * whole // more)
            else:
                stop = min(stop, -here * whole // more)
        return (start, stop) if start < stop else None

    # -- on the ground ------------------------------------------------------------------------------

    def sees(self, a: str, b: str, wrecks: set[str]) -> bool:
        """Whether two hexes see each other, as far as ground units are concerned."""
        if self.ground.distance(a, b) <= 1:
            return True
        burnt = wrecks.intersection(one for stretch in self.between(a, b) for one in stretch.hexes)
        return self.fixed(a, b, frozenset(burnt))

    def _fixed(self, a: str, b: str, wrecks: frozenset[str]) -> bool:
        chain = [(a,), *(stretch.hexes for stretch in self.between(a, b)), (b,)]
        partial = 0
        for number in range(1, len(chain)):
            before, here = chain[number - 1], chain[number]
            if len(before) == len(here) == 1 and self._crest(before[0], here[0], a, b):
                return False
            if number == len(chain) - 1:
                break
            after = chain[number + 1]
            weights = [
                self._obstacle(one, a, b, wrecks)
                if len(here) == 1
                else max(
                    self._obstacle(one, a, b, wrecks),
                    BLOCKING
                    if self._crest(before[0], one, a, b) or self._crest(one, after[0], a, b)
                    else OPEN,
                )
                for one in here
            ]
            lesser = min(weights)
            if lesser == BLOCKING:
                return False
            partial += lesser == PARTIAL
        return partial < 2

    def _obstacle(self, label: str | None, a: str, b: str, wrecks: frozenset[str]) -> int:
        """What a hex between does to a line (P10.3, P10.4)."""
        if label is None:
            return OPEN
        level = self.ground.level[label]
        low, high = sorted((self.ground.level[a], self.ground.level[b]))
        weight = self._weight(label)
        if high == 0:
            if level:
                return BLOCKING
            return max(weight, PARTIAL if label in wrecks else OPEN)
        if weight != BLOCKING:
            return OPEN
        in_front = any(self.ground.level[e] <= level and self.ground.distance(e, label) == 1 for e in (a, b))
        return BLOCKING if level >= high or (level >= low and in_front) else OPEN

    def _crest(self, x: str | None, y: str | None, a: str, b: str) -> bool:
        """Whether a crest between x and y blocks (P10.4): it touches neither end, nor lies below both."""
        if x is None or y is None or {x, y} & {a, b}:
            return False
        level = self.ground.level
        if level[x] == level[y] and frozenset((x, y)) not in self.ground.crests:
            return False
        upper, (low, high) = max(level[x], level[y]), sorted((level[a], level[b]))
        return high > 0 and low < upper

    # -- from the air -------------------------------------------------------------------------------

    def _from_the_air(self, a: str, b: str, above_a: bool, above_b: bool) -> bool:
        """Whether two hexes see each other, in the air above one of which at least somebody is (P10.6)."""
        if self.ground.distance(a, b) <= 1:
            return True
        first, last = self._height(a, above_a), self._height(b, above_b)
        hidden = [end for end, above in ((a, above_a), (b, above_b)) if not above]
        return not any(
            all(one is not None and self._hides(one, first, last, hidden) for one in stretch.hexes)
            for stretch in self.between(a, b)
        )

    def _height(self, label: str, above: bool) -> int:
        level = self.ground.level[label]
        return level if not above else level + (2 if self._weight(label) == BLOCKING else 1)

    def _hides(self, label: str, first: int, last: int, hidden: list[str]) -> bool:
        level, covered = self.ground.level[label], self._weight(label) == BLOCKING
        top = level + covered if level else 0
        if top and top >= max(first, last) and (covered or top > min(first, last)):
            return True
        shadow = (2 if self.ground.row[label].get("built") else 1) if covered else 0
        return any(
            self.ground.level[end] <= level and self.ground.distance(end, label) <= shadow for end in hidden
        )

    # -- smoke --------------------------------------------------------------------------------------

    def smoke(self, a: str, b: str, smoke: dict[str, int]) -> int:
        """The hexes with smoke that fire between two hexes meets, its ends included (P12.4)."""
        on_the_way = sum(all(one in smoke for one in stretch.hexes) for stretch in self.between(a, b))
        return on_the_way + len({a, b} & smoke.keys())
