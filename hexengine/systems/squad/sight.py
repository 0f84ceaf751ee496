"""Line of sight (S10): exact, and the same from both ends.

A line runs from the middle of one place to that of another.  Blocking terrain that reaches it ends it,
degrading terrain hinders, and more than two that hinder end it too.  The height of the line is taken at
the middle of its crossing of each hex, in exact fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from hexengine.hexes import SightLines
from hexengine.systems.squad.places import BELOW, Places

OPEN, DEGRADING, BLOCKING = range(3)
BLOCKED = -1
MOST_DEGRADING = 2
"""Hexes that hinder a line without ending it (S10.2)."""


class Obstacle(NamedTuple):
    """Something between: whether it blocks, its rule, a code, the hex, and the other one along a hexside."""

    blocks: bool
    rule: str
    code: str
    hex: int
    other: int = -1


class SightFacts(NamedTuple):
    """An answer: whether it is clear, how many hexes hinder it, what lies between, and its stretches."""

    clear: bool
    degrading: int
    obstacles: tuple[Obstacle, ...]
    stretches: tuple[tuple[int, int], ...]


def crossing(toward: tuple[int, int], hex_at: tuple[int, int]) -> Fraction:
    """Where the line from (0, 0) to ``toward`` is in the middle of its way through a hex, as a part of it.

    Both in axial coordinates; the line must touch the hex along more than a corner.
    """
    q, r = toward
    x, y = hex_at
    low, high = Fraction(0), Fraction(1)
    for growth, centre in ((2 * q + r, 2 * x + y), (q + 2 * r, x + 2 * y), (q - r, x - y)):
        if growth:
            first, last = sorted((Fraction(centre - 1, growth), Fraction(centre + 1, growth)))
            low, high = max(low, first), min(high, last)
    return (low + high) / 2


class Sight:
    """Lines of sight between the places of one map; ``levels`` by hex."""

    def __init__(self, places: Places, levels: Sequence[int]) -> None:
        self._places = places
        self._levels = levels
        self._lines = SightLines(places.grid)
        self._eye = [
            levels[where] + max(0, floor) for where, floor in zip(places.hex_of, places.floor, strict=True)
        ]
        self.rows: list[dict[int, int]] = [{} for _ in range(places.count)]
        """By place and other place, as far as asked for: BLOCKED, or the hexes that hinder plus four times
        the mask of hexes between, in which smoke might."""
        self._known = [0] * places.count
        self._seen = [0] * places.count

    def hindrance(self, a: int, b: int, smoke: int = 0) -> int:
        """How many hexes hinder the line between two places, with smoke in a mask of hexes; or BLOCKED."""
        line = self.rows[a].get(b)
        if line is None:
            line = self._look(a, b)
        if line < 0:
            return BLOCKED
        if smoke and smoke & (line >> 2):
            facts = self.facts(a, b, smoke)
            return facts.degrading if facts.clear else BLOCKED
        return line & 3

    def sees(self, a: int, b: int, smoke: int = 0) -> bool:
        """Whether two places see each other."""
        return self.hindrance(a, b, smoke) >= 0

    def in_view(self, place: int, others: int, smoke: int = 0) -> int:
        """Of a mask of places, those that a place sees."""
        unknown = others & ~self._known[place]
        while unknown:
            low = unknown & -unknown
            unknown ^= low
            if self.hindrance(place, low.bit_length() - 1) >= 0:
                self._seen[place] |= low
            self._known[place] |= low
        seen = others & self._seen[place]
        if not smoke or not seen:
            return seen
        left = seen
        while left:
            low = left & -left
            left ^= low
            if self.hindrance(place, low.bit_length() - 1, smoke) < 0:
                seen ^= low
        return seen

    def _look(self, a: int, b: int) -> int:
        facts = self.facts(a, b)
        line = BLOCKED
        if facts.clear:
            between = 0
            for x, y in facts.stretches:
                between |= (1 << x if x >= 0 else 0) | (1 << y if y >= 0 else 0)
            line = facts.degrading | between << 2
        self.rows[a][b] = self.rows[b][a] = line
        return line

    def facts(self, a: int, b: int, smoke: int = 0) -> SightFacts:
        """What lies between two places, and the verdict."""
        places = self._places
        start, end = places.hex_of[a], places.hex_of[b]
        if start == end:
            # S10.3: floors of one hex, and a bunker and the ground above it, do not see each other.
            obstacles = () if a == b else (Obstacle(True, "S10.3", "other-floor", start),)
            return SightFacts(a == b, 0, obstacles, ())
        if places.grid.distance(start, end) == 1:
            clear = places.beside(a, b)
            obstacles = () if clear else (Obstacle(True, "S10.3", "other-floor", end),)
            return SightFacts(clear, 0, obstacles, ())
        stretches = self._lines.between(start, end)
        found: list[Obstacle] = []
        for x, y in stretches:
            first = self._hex(a, b, x, smoke) if x >= 0 else None
            second = first if x == y else self._hex(a, b, y, smoke) if y >= 0 else None
            obstacle = self._lesser(first, second) if x != y else first
            if obstacle is not None:
                found.append(obstacle)
        degrading = sum(not obstacle.blocks for obstacle in found)
        blocked = degrading < len(found)
        return SightFacts(not blocked and degrading <= MOST_DEGRADING, degrading, tuple(found), stretches)

    def _hex(self, a: int, b: int, place: int, smoke: int) -> Obstacle | None:
        """What a hex between does to the line."""
        level, row = self._levels[place], self._places.ground[place]
        low, high = self._eye[a], self._eye[b]
        line: int | Fraction = low
        if low != high and (level or row.los or smoke):
            grid, places = self._places.grid, self._places
            (aq, ar), (bq, br) = grid.axial(places.hex_of[a]), grid.axial(places.hex_of[b])
            q, r = grid.axial(place)
            line = low + (high - low) * crossing((bq - aq, br - ar), (q - aq, r - ar))
        if level > line:
            return Obstacle(True, "S10.3", "ground", place)
        if row.los and level + row.height >= line:
            return Obstacle(row.los == BLOCKING, "S10.2", "terrain", place)
        if smoke >> place & 1 and level + 1 >= line:
            return Obstacle(False, "S8.12", "smoke", place)
        return None

    def _lesser(self, first: Obstacle | None, second: Obstacle | None) -> Obstacle | None:
        """A stretch along a hexside: blocked only if both hexes block, hindered if one of them obstructs."""
        one, two = first or second, second or first
        if one is None or two is None:
            return None
        if first is not None and second is not None and first.blocks and second.blocks:
            return first._replace(other=second.hex)
        hinders = next((each for each in (one, two) if not each.blocks), one)
        other = two.hex if hinders is one else one.hex
        return hinders._replace(blocks=False, other=other if other != hinders.hex else -1)


__all__ = ["BELOW", "BLOCKED", "BLOCKING", "DEGRADING", "OPEN", "Obstacle", "Sight", "SightFacts", "crossing"]
