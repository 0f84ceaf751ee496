"""Moving at the double (C2): the straightest path, by its definition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.systems.company.referee.books import Team
from tests.systems.company.referee.judging import agree
from tests.systems.company.referee.moves import GO, Mover, Moving
from tests.systems.company.referee.sheet import CROSS, ROAD


class Doubling(Moving):
    """Teams at the double."""

    def stride(self, mover: Mover, a: int, b: int) -> bool:
        """Whether a step may be made at the double (C2.4, C2.5, C8.9)."""
        sheet = self.sheet
        if self.bars("C8.9", sheet.walled(a, b) or not sheet.free(a, b)):
            return False
        standoff = self.reach["standoff"]
        far = sheet.far
        closer = any(far[b][h] < standoff and far[b][h] < far[a][h] for h in mover.enemies)
        return not self.bars("C2.5", closer or b in mover.enemies)

    def reached(self, mover: Mover, start: int, *, road: bool) -> dict[int, int]:
        """The least steps to hexes at the double, or along a road alone."""
        found = {start: 0}
        layer = [start]
        while layer:
            following = []
            for a in layer:
                for b in self.sheet.beside[a]:
                    if b not in found and (not road or self.sheet.road(a, b)) and self.stride(mover, a, b):
                        found[b] = found[a] + 1
                        following.append(b)
            layer = following
        return found

    def limit(self, mover: Mover, column: int) -> int:
        """C2.1: twice the allowance."""
        if not self.counts("C2.1"):
            return self.sheet.size
        times: int = self.tables["double"]["distance"]
        return times * mover.team.allowance[column] - mover.team.floor

    def held_back(self, mover: Mover) -> bool:
        """C2.5: whether a team stands too close to an enemy to double, where it may not leave."""
        if self.sheet.options.get("double_may_leave_standoff", True):
            return False
        return any(self.sheet.far[mover.start][h] < self.reach["standoff"] for h in mover.enemies)

    def may_double(self, team: Team, path: Sequence[int]) -> bool:
        """``double UNIT HEX``, or along the hexes of a path."""
        if not self.rested(team) or self.bars("C2.3", team.platoon.pinned):
            return False
        mover, h = self.mover(team), path[-1]
        if self.bars("C2.6", h == team.hex) or self.bars("C2.5", self.held_back(mover)):
            return False
        if not self.stays(mover, h, GO):
            return False
        if len(path) > 1:
            return self._may_stride(mover, path)
        return h in self.ends_at_the_double(mover)

    def ends_at_the_double(self, mover: Mover) -> set[int]:
        """The hexes to which a team comes, whoever stands there."""
        free = self.reached(mover, mover.start, road=False)
        found = {h for h, steps in free.items() if steps <= self.limit(mover, CROSS)}
        road = self.reached(mover, mover.start, road=True)
        return found | {h for h, steps in road.items() if steps <= self.limit(mover, ROAD)}

    def double_ends(self, team: Team) -> Iterator[str]:
        """The orders to double, each with its end."""
        if not self.rested(team) or team.platoon.pinned:
            return
        mover = self.mover(team)
        if self.held_back(mover):
            return
        for h in self.ends_at_the_double(mover) - {team.hex}:
            if self.stays(mover, h, GO):
                yield f"double {team.id} {self.sheet.labels[h]}"

    def _may_stride(self, mover: Mover, path: Sequence[int]) -> bool:
        way = [mover.start, *path]
        steps = list(zip(way, path, strict=False))
        if any(b not in self.sheet.beside[a] for a, b in steps):
            return False
        if not all(self.stride(mover, a, b) for a, b in steps):
            return False
        on_road = all(self.sheet.road(a, b) for a, b in steps)
        if len(path) > self.limit(mover, ROAD if on_road else CROSS):
            return False
        return not self.bars("C2.6", len(set(way)) < len(way) or not self.straightest(mover, path))

    def straightest(self, mover: Mover, path: Sequence[int]) -> bool:
        """C2.6: the shortest on road, or none is shorter and each turn has its reason."""
        way = [mover.start, *path]
        road = [self.sheet.road(a, b) for a, b in zip(way, path, strict=False)]
        if all(road) and self.reached(mover, way[0], road=True).get(way[-1]) == len(path):
            return True
        if self.reached(mover, way[0], road=False).get(way[-1]) != len(path):
            return False
        return self._reasons(mover, way, road, 0, 0)

    def _reasons(self, mover: Mover, way: list[int], road: list[bool], before: int, at: int) -> bool:
        """Whether the rest of a way, behind a leg from ``before`` to ``at``, is legs with reasons."""
        last = len(way) - 1
        if at == last:
            return True
        turns_by_road = at > 0 and (road[at - 1] or road[at])
        for end in range(last, at, -1):
            if not self._is_straight(way[at : end + 1]):
                continue
            reason = not at or turns_by_road or not self._line_open(mover, way[before], way[end])
            if reason and self._reasons(mover, way, road, at, end):
                return True
        return False

    def _is_straight(self, leg: list[int]) -> bool:
        a, b = leg[0], leg[-1]
        touched = {h for together in self.sheet.line(a, b) for h in together}
        return self.sheet.far[a][b] == len(leg) - 1 and touched.issuperset(leg[1:-1])

    def _line_open(self, mover: Mover, a: int, b: int) -> bool:
        """Whether one of the allowed lines between two hexes could be walked."""
        touched = {h for together in self.sheet.line(a, b) for h in together} | {b}
        alive = {a}
        for _ in range(self.sheet.far[a][b]):
            alive = {
                h
                for one in alive
                for h in self.sheet.beside[one]
                if h in touched and self.stride(mover, one, h)
            }
        return b in alive

    def double(self, team: Team, path: list[int]) -> None:
        """A team moves at the double; where only the end is named, the engine's way must be a straightest."""
        mover = self.mover(team)
        target = self.sheet.labels[path[-1]]
        if len(path) == 1:
            path = self.gone()
            agree(path and self.sheet.labels[path[-1]] == target, f"the way does not end in {target}")
            agree(self._may_stride(mover, path), f"no straightest way to {target}: {path}")
        self.tell("C2.1", "at-the-double", unit=team.id, hex=target)
        self.walk(mover, path)
        team.doubled = True
