"""Line of sight (P10): one exact, symmetric rule over the facts of what lies between.

Two hexes see each other when they are adjacent, or when nothing between them blocks and fewer
than two partial obstacles lie between (P10.3).  Units never block (P10.7).  Lines are worked out when
first asked for and kept; wrecks are looked at only where a line crosses one (P10.8).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from hexengine.hexes import HexMap, SightLines
from hexengine.mechanics.masks import bits, units

OPEN, PARTIAL, BLOCKING = range(3)
BLOCKED, CLEAR, OPEN_TO_WRECKS = -1, 0, 1
"""What is known of a line: blocked; clear whatever burns; clear if no wreck hinders."""

WRECKS_KEPT = 1000
"""Sets of wrecks whose masks are remembered."""


class Obstacle(NamedTuple):
    """Something between: its weight (PARTIAL or BLOCKING), rule, code, and the hex or hexside.

    ``other`` is the hex behind a hexside (crests), or the hex on the other side of a line that
    runs along a hexside, or -1.
    """

    weight: int
    rule: str
    code: str
    hex: int
    other: int = -1


class SightFacts(NamedTuple):
    """An answer: whether the line is clear, its obstacles in order, and the stretches between."""

    clear: bool
    distance: int
    obstacles: tuple[Obstacle, ...]
    stretches: tuple[tuple[int, int], ...]


class _Coded(dict[int, int]):
    """Masks of hexes as masks of codes of sight lines, remembered: wrecks come one at a time."""

    __slots__ = ("_lines",)

    def __init__(self, lines: SightLines) -> None:
        super().__init__()
        self._lines = lines

    def __missing__(self, hexes: int) -> int:
        if len(self) >= WRECKS_KEPT:
            self.clear()
        found = self[hexes] = self._lines.coded(units(hexes))
        return found


class Sight:
    """Lines of sight of one map.

    ``weights``: OPEN, PARTIAL or BLOCKING by hex; ``crests``: drawn crest hexsides as pairs in
    ascending order, beside those between two levels.
    """

    def __init__(
        self, hexmap: HexMap, weights: Sequence[int], crests: Collection[tuple[int, int]] = ()
    ) -> None:
        self._grid = hexmap.grid
        self._levels = hexmap.levels
        self._weights = list(weights)
        self._crests = frozenset(crests)
        self._ground = [
            BLOCKING if level else weight for level, weight in zip(hexmap.levels, weights, strict=True)
        ]
        """What each hex is to lines between hexes of level 0."""
        self._lines = lines = SightLines(hexmap.grid)
        places = range(hexmap.grid.size)
        self._blocking = lines.coded(place for place in places if self._ground[place] == BLOCKING)
        self._partial = lines.coded(place for place in places if self._ground[place] == PARTIAL)
        self._above = [
            lines.coded(
                place
                for place, level in enumerate(hexmap.levels)
                if level > low or (level == low and weights[place] == BLOCKING)
            )
            for low in range(max(hexmap.levels, default=0) + 1)
        ]
        """By the level of the lower end of a line from or to a hill: the hexes between that may matter."""
        self._wrecks = _Coded(lines)
        self.rows: list[dict[int, int]] = [{} for _ in places]
        """By hex and other hex, as far as asked for: BLOCKED, CLEAR or OPEN_TO_WRECKS."""
        self._known = [0] * hexmap.grid.size
        self._seen = [0] * hexmap.grid.size

    def sees(self, a: int, b: int, wrecks: int = 0) -> bool:
        """Whether hexes ``a`` and ``b`` see each other, with wrecks in a mask of hexes."""
        line = self.rows[a].get(b)
        if line is None:
            line = self._look(a, b)
        if line <= 0:
            return line == CLEAR
        if not wrecks:
            return True
        between, along = self._lines.crossed(a, b)
        burning = between & self._wrecks[wrecks]
        if not burning:
            return True
        if along:
            return self.facts(a, b, wrecks).clear
        # A wreck makes an open hex an obstacle, and an obstacle no worse (P10.3).
        return (between & self._partial | burning).bit_count() < 2

    def in_view(self, place: int, hexes: int) -> int:
        """Of a mask of hexes, those that a hex sees if no wreck hinders."""
        unknown = hexes & ~self._known[place]
        if unknown:
            self._look_at(place, unknown)
        return hexes & self._seen[place]

    def _look_at(self, place: int, hexes: int) -> None:
        """Work out the lines from a hex to those of a mask."""
        rows, seen = self.rows, 0
        row = rows[place]
        others = bits(hexes)
        for other in others:
            # From there it may have been looked along before.
            if row.get(other, BLOCKED) >= 0:
                seen |= 1 << other
        unknown = [other for other in others if other not in row]
        for other, between, along in self._lines.crossed_from(place, unknown):
            line = self._verdict(place, other, between, along)
            row[other] = rows[other][place] = line
            if line >= 0:
                seen |= 1 << other
        self._known[place] |= hexes
        self._seen[place] |= seen

    def between(self, a: int, b: int) -> tuple[tuple[int, int], ...]:
        """The stretches of the line strictly between two hexes, in order from ``a``."""
        return self._lines.between(a, b)

    def _look(self, a: int, b: int) -> int:
        """Work out one line."""
        line = self._verdict(a, b, *self._lines.crossed(a, b))
        self.rows[a][b] = self.rows[b][a] = line
        return line

    def _verdict(self, a: int, b: int, between: int, along: bool) -> int:
        """What is to be said of a line, without the facts."""
        levels = self._levels
        first, last = levels[a], levels[b]
        if first or last:
            # Where nothing between stands higher than the lower end, no crest and no shadow can matter.
            if not between & self._above[first if first < last else last]:
                return CLEAR
            if along:
                return CLEAR if self.facts(a, b).clear else BLOCKED
            return self._look_from_a_hill(a, b)
        if along:
            return self._look_along(a, b)
        if between & self._blocking or (between & self._partial).bit_count() > 1:
            return BLOCKED
        # One hex alone is no more than one obstacle, whatever burns in it.
        return OPEN_TO_WRECKS if between & (between - 1) else CLEAR

    def _look_along(self, a: int, b: int) -> int:
        """A line along hexsides between two hexes of level 0: there crests do not matter (P10.3)."""
        stretches = self._lines.between(a, b)
        ground = self._ground
        partial = 0
        for x, y in stretches:
            # Off the map there is nothing; along a hexside the lesser obstacle counts (P10.5).
            weight = 0 if x < 0 or y < 0 else min(ground[x], ground[y])
            if weight == BLOCKING:
                return BLOCKED
            partial += weight
        if partial > 1:
            return BLOCKED
        return CLEAR if len(stretches) < 2 else OPEN_TO_WRECKS

    def _look_from_a_hill(self, a: int, b: int) -> int:
        """A line from or to a hill through the insides of hexes (P10.4)."""
        levels, weights, crests = self._levels, self._weights, self._crests
        low, high = sorted((levels[a], levels[b]))
        before = a
        for place, _ in self._lines.between(a, b):
            level, behind = levels[place], levels[before]
            if (
                before != a
                and (level > low or behind > low)
                and (level != behind or (crests and (min(before, place), max(before, place)) in crests))
            ):
                return BLOCKED
            if weights[place] == BLOCKING and (level >= high or (level >= low and self._shaded(place, a, b))):
                return BLOCKED
            before = place
        return CLEAR

    def _shaded(self, place: int, a: int, b: int) -> bool:
        """Whether an end of a line that is no higher lies next to an obstacle (P10.4)."""
        level, distance = self._levels[place], self._grid.distance
        return any(self._levels[end] <= level and distance(end, place) == 1 for end in (a, b))

    def facts(self, a: int, b: int, wrecks: int = 0) -> SightFacts:
        """What lies between two hexes, and the verdict."""
        distance = self._grid.distance(a, b)
        if distance <= 1:
            return SightFacts(True, distance, (), ())
        stretches = self._lines.between(a, b)
        obstacles: list[Obstacle] = []
        ends = (a, b)
        chain = [(a, a), *stretches, (b, b)]
        for place in range(1, len(chain)):
            x, y = chain[place]
            before = chain[place - 1]
            if x == y:
                if before[0] == before[1]:
                    obstacles += self._crest(before[0], x, ends)
                if place < len(chain) - 1:
                    obstacles += self._hex(x, ends, wrecks)
            else:
                after = chain[place + 1][0]
                obstacles += self._lesser(before[0], x, y, after, ends, wrecks)
        partial = 0
        blocked = False
        for obstacle in obstacles:
            if obstacle.weight == BLOCKING:
                blocked = True
            else:
                partial += 1
        return SightFacts(not blocked and partial < 2, distance, tuple(obstacles), stretches)

    def _hex(self, place: int, ends: tuple[int, int], wrecks: int) -> list[Obstacle]:
        """What a hex between does (P10.3, P10.4)."""
        levels = self._levels
        low, high = sorted((levels[ends[0]], levels[ends[1]]))
        level, weight = levels[place], self._weights[place]
        if high == 0:
            if level:
                return [Obstacle(BLOCKING, "P10.3", "hill", place)]
            if weight == BLOCKING:
                return [Obstacle(BLOCKING, "P10.3", "terrain", place)]
            if weight == PARTIAL:
                return [Obstacle(PARTIAL, "P10.3", "terrain", place)]
            if wrecks >> place & 1:
                return [Obstacle(PARTIAL, "P10.3", "wreck", place)]
            return []
        if weight != BLOCKING:
            return []
        if level >= high:
            return [Obstacle(BLOCKING, "P10.4", "terrain", place)]
        if level >= low and self._shaded(place, *ends):
            return [Obstacle(BLOCKING, "P10.4", "shadow", place)]
        return []

    def _crest(self, a: int, b: int, ends: tuple[int, int]) -> list[Obstacle]:
        """What the hexside between two neighbours does to a line from or to a hill (P10.4)."""
        levels = self._levels
        first, last = levels[ends[0]], levels[ends[1]]
        if not first and not last:
            return []
        if levels[a] == levels[b] and ((a, b) if a < b else (b, a)) not in self._crests:
            return []
        upper = max(levels[a], levels[b])
        if (first >= upper and last >= upper) or a in ends or b in ends:
            return []
        return [Obstacle(BLOCKING, "P10.4", "crest", min(a, b), max(a, b))]

    def _lesser(
        self, before: int, x: int, y: int, after: int, ends: tuple[int, int], wrecks: int
    ) -> list[Obstacle]:
        """A stretch along the hexside of two hexes: the lesser obstacle counts (P10.5)."""
        choices: list[list[Obstacle]] = []
        for side in (x, y):
            if side < 0:
                return []
            found = (
                self._crest(before, side, ends)
                + self._hex(side, ends, wrecks)
                + self._crest(side, after, ends)
            )
            if not found:
                return []
            choices.append(found)
        weights = [max(obstacle.weight for obstacle in found) for found in choices]
        lesser = choices[0] if weights[0] <= weights[1] else choices[1]
        other = y if lesser is choices[0] else x
        worst = max(lesser, key=lambda obstacle: obstacle.weight)
        return [worst if worst.code == "crest" else worst._replace(other=other)]
