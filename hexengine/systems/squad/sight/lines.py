"""Line of sight (S10): exact, and the same from both ends.

A line runs from the middle of one place to that of another.  Blocking terrain that reaches it ends it,
degrading terrain hinders, and more than two that hinder end it too.  The height of the line is taken at
the middle of its crossing of each hex, in exact fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from hexengine.hexes import SightLines
from hexengine.mechanics.masks import units
from hexengine.systems.squad.places import Places

OPEN, DEGRADING, BLOCKING = range(3)
BLOCKED = -1
MOST_DEGRADING = 2
"""Hexes that hinder a line without ending it (S10.2)."""

NOTHING, VEIL, HINDERS, BLOCKS, RISES = range(5)
"""What a hex does to a line over it: nothing even with smoke in it, nothing without smoke, hinders it by its
terrain, blocks it by its terrain, or by its bare ground."""


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


@lru_cache(maxsize=1 << 16)
def crossing(toward: tuple[int, int], hex_at: tuple[int, int]) -> tuple[int, int]:
    """Where the line from (0, 0) to ``toward`` is in the middle of its way through a hex.

    As a part of the line: the numerator and the denominator of a fraction.  Both hexes are in axial
    coordinates; the line must touch the hex along more than a corner.
    """
    q, r = toward
    x, y = hex_at
    pairs = ((2 * q + r, 2 * x + y), (q + 2 * r, x + 2 * y), (q - r, x - y))
    whole = 1
    for growth, _ in pairs:
        whole *= abs(growth) or 1
    low, high = 0, whole
    for growth, centre in pairs:
        if growth:
            one, other = (centre - 1) * whole // growth, (centre + 1) * whole // growth
            low, high = max(low, min(one, other)), min(high, max(one, other))
    return low + high, 2 * whole


class Sight:
    """Lines of sight between the places of one map; ``levels`` by hex.

    Each line is worked out when it is first asked for, and kept with what smoke may do to it: smoke comes
    and goes, and only has to be counted.
    """

    def __init__(self, places: Places, levels: Sequence[int]) -> None:
        self._places = places
        self._levels = levels
        self._lines = SightLines(places.grid)
        self._eye = [
            levels[where] + max(0, floor) for where, floor in zip(places.hex_of, places.floor, strict=True)
        ]
        self._rows: list[dict[int, int]] = [{} for _ in range(places.count)]
        """By place and other place, as far as asked for: BLOCKED, or the hexes that hinder plus four times
        the mask of hexes in which smoke would."""
        self._veils: dict[tuple[int, int], tuple[int, ...]] = {}
        """By place and other place, the lower first: for each stretch in which nothing hinders, the mask of
        its hexes in which smoke would."""
        self._known = [0] * places.count
        self._seen = [0] * places.count
        self._veiled = [0] * places.count
        """By place: the hexes in which smoke matters to a line that was asked for."""

    def hindrance(self, a: int, b: int, smoke: int = 0) -> int:
        """How many hexes hinder the line between two places, with smoke in a mask of hexes; or BLOCKED."""
        line = self._rows[a].get(b)
        if line is None:
            line = self._look(a, b)
        if line < 0:
            return BLOCKED
        hinders = line & 3
        if smoke & (line >> 2):
            for veil in self._veils[(a, b) if a < b else (b, a)]:
                if veil & smoke:
                    hinders += 1
            if hinders > MOST_DEGRADING:
                return BLOCKED
        return hinders

    def sees(self, a: int, b: int, smoke: int = 0) -> bool:
        """Whether two places see each other."""
        return self.hindrance(a, b, smoke) >= 0

    def in_view(self, place: int, others: int, smoke: int = 0) -> int:
        """Of a mask of places, those that a place sees."""
        unknown = others & ~self._known[place]
        if unknown:
            self._look_at(place, unknown)
        seen = others & self._seen[place]
        if smoke & self._veiled[place]:
            row = self._rows[place]
            for other in units(seen):
                if smoke & row[other] >> 2 and self.hindrance(place, other, smoke) < 0:
                    seen &= ~(1 << other)
        return seen

    def _look_at(self, place: int, others: int) -> None:
        """Note what a place sees of some others."""
        for other in units(others):
            line = self._look(place, other)
            if line >= 0:
                self._seen[place] |= 1 << other
                self._veiled[place] |= line >> 2
        self._known[place] |= others

    def _look(self, a: int, b: int) -> int:
        """A line as it is kept."""
        line = self._rows[a].get(b)
        if line is None:
            line = self._rows[a][b] = self._rows[b][a] = self._line(a, b)
        return line

    def _line(self, a: int, b: int) -> int:
        places = self._places
        start, end = places.hex_of[a], places.hex_of[b]
        if start == end:
            return 0 if a == b else BLOCKED
        if places.grid.distance(start, end) == 1:
            return 0 if places.beside(a, b) else BLOCKED
        hinders = between = 0
        veils: list[int] = []
        for x, y in self._lines.between(start, end):
            one, two = self._effects(a, b, x, y)
            if one >= BLOCKS and two >= BLOCKS:
                return BLOCKED
            if one >= HINDERS or two >= HINDERS:
                hinders += 1
                continue
            veil = (1 << x if one == VEIL else 0) | (1 << y if two == VEIL else 0)
            if veil:
                veils.append(veil)
                between |= veil
        if hinders > MOST_DEGRADING:
            return BLOCKED
        if veils:
            self._veils[(a, b) if a < b else (b, a)] = tuple(veils)
        return hinders | between << 2

    def _effects(self, a: int, b: int, x: int, y: int) -> tuple[int, int]:
        """What the two hexes of a stretch do, which may be one; off the map there is nothing."""
        one = self._effect(a, b, x) if x >= 0 else NOTHING
        return one, one if x == y else self._effect(a, b, y) if y >= 0 else NOTHING

    def _effect(self, a: int, b: int, place: int) -> int:
        """What a hex between does to the line: heights are over the eye at ``a`` (S10.3)."""
        places = self._places
        level, row = self._levels[place], places.ground[place]
        low = self._eye[a]
        line, part = self._eye[b] - low, 1
        if line:
            (aq, ar), (bq, br) = places.grid.axial(places.hex_of[a]), places.grid.axial(places.hex_of[b])
            q, r = places.grid.axial(place)
            at, part = crossing((bq - aq, br - ar), (q - aq, r - ar))
            line *= at
        if (level - low) * part > line:
            return RISES
        if row.los and (level + row.height - low) * part >= line:
            return BLOCKS if row.los == BLOCKING else HINDERS
        return VEIL if (level + 1 - low) * part >= line else NOTHING

    def facts(self, a: int, b: int, smoke: int = 0) -> SightFacts:
        """What lies between two places, and the verdict, for those who want to read it."""
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
            one, two = self._effects(a, b, x, y)
            first = _obstacle(one, x, smoke)
            obstacle = first if x == y else _lesser(first, _obstacle(two, y, smoke))
            if obstacle is not None:
                found.append(obstacle)
        degrading = sum(not obstacle.blocks for obstacle in found)
        blocked = degrading < len(found)
        return SightFacts(not blocked and degrading <= MOST_DEGRADING, degrading, tuple(found), stretches)

    def last(self, a: int, b: int) -> tuple[int, int]:
        """The last stretch of the line between two hexes that are not adjacent."""
        return self._lines.between(a, b)[-1]


def _lesser(first: Obstacle | None, second: Obstacle | None) -> Obstacle | None:
    """A stretch along a hexside: blocked only if both hexes block, hindered if one of them obstructs."""
    one, two = first or second, second or first
    if one is None or two is None:
        return None
    if first is not None and second is not None and first.blocks and second.blocks:
        return first._replace(other=second.hex)
    hinders = next((each for each in (one, two) if not each.blocks), one)
    other = two.hex if hinders is one else one.hex
    return hinders._replace(blocks=False, other=other if other != hinders.hex else -1)


def _obstacle(effect: int, place: int, smoke: int) -> Obstacle | None:
    """What a hex between does to a line, in words."""
    if effect == RISES:
        return Obstacle(True, "S10.3", "ground", place)
    if effect >= HINDERS:
        return Obstacle(effect == BLOCKS, "S10.2", "terrain", place)
    if effect == VEIL and smoke >> place & 1:
        return Obstacle(False, "S8.12", "smoke", place)
    return None
