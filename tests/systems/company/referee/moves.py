"""Moving (C1.5, C1.6, C6 to C9, C10.3, C11.2): where a team comes, and what happens on its way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from tests.systems.company.referee.books import Team
from tests.systems.company.referee.judging import Judge, agree
from tests.systems.company.referee.sheet import CLOSED, CROSS, DIFFICULT, ROAD

GO, TRY = "go", "try"
"""A step that may be made, and one that may only be tried: into a room that the enemy holds (C7.5)."""
COLUMNS = (ROAD, CROSS, DIFFICULT)


class Mover(NamedTuple):
    """What holds for the whole of a move."""

    team: Team
    start: int
    allowance: tuple[int, int, int]
    enemies: frozenset[int]
    watched: frozenset[int]
    """The enemies to which a pinned team comes no closer (C11.2)."""
    bold: bool
    """Whether it tries contested buildings, as in the Movement Step."""
    checks: bool
    """Whether it takes going checks (C1.6)."""


class Moving(Judge):
    """Ways of teams over the map."""

    def mover(self, team: Team, allowance: tuple[int, int, int] | None = None) -> Mover:
        """A team about to move; with an ``allowance`` in an assault (C13.5)."""
        calm = allowance is None
        enemies = self.of(self.other(team.side))
        watched = set()
        if calm and team.platoon.pinned and not team.armour:
            watched = {enemy.hex for enemy in enemies if self.sees(team, enemy)}
        road, cross, difficult = [max(0, one - team.floor) for one in allowance or team.allowance]
        held = frozenset(enemy.hex for enemy in enemies)
        checks = calm and team.checks
        return Mover(team, team.hex, (road, cross, difficult), held, frozenset(watched), calm, checks)

    # -- steps --------------------------------------------------------------------------------------------

    def blocked(self, opening: int) -> bool:
        """C8.4, C8.5: whether teams that failed at an opening block all its width."""
        return (
            sum(team.blocker and team.contact == opening for team in self.teams)
            >= self.sheet.openings[opening].width
        )

    def tested(self, team: Team, opening: int) -> bool:
        """C8.2, C8.3: whether coming in by an opening asks for a Skill test."""
        house = self.sheet.house[self.sheet.openings[opening].inside]
        return house not in self.cleared(team.side) and team.contact != opening

    def step(self, mover: Mover, a: int, b: int) -> str:
        """Whether a step may be made, or tried; empty if not."""
        sheet, team = self.sheet, mover.team
        found = GO
        if self.bars("C6.5", (sheet.house[a] >= 0 or sheet.house[b] >= 0) and not team.foot):
            return ""
        opening = sheet.opening(a, b) if sheet.walled(a, b) else -2
        if opening == -1 and self.bars(self._wall(a, b), True):
            return ""
        if opening >= 0 and b == sheet.openings[opening].inside:
            found = self._entry(mover, a, b, opening)
        elif self.bars("C1.3", b in mover.enemies):
            return ""
        if self.bars("C1.5", sheet.column(a, b) == CLOSED):
            return ""
        closer = any(sheet.far[b][h] < sheet.far[a][h] for h in mover.watched)
        if self.bars("C11.2", closer):
            return ""
        stuck = mover.checks and sheet.check(a, b) and not self.room(team, b)
        return "" if self.bars("C1.6", stuck) else found

    def _wall(self, a: int, b: int) -> str:
        upstairs = any({one[0], one[1]} == {a, b} and one[2] for one in self.sheet.windows)
        return "C6.6" if upstairs else "C6.2"

    def _entry(self, mover: Mover, a: int, b: int, opening: int) -> str:
        """C8: coming in from outside."""
        if self.bars("C8.4", self.blocked(opening)):
            return ""
        held = b in mover.enemies
        if not self.tested(mover.team, opening):
            return "" if self.bars("C7.5", held) else GO
        if not mover.bold or self.bars("C8.4", not self.room(mover.team, a)):
            return ""
        return TRY if held else GO

    def search(self, mover: Mover, start: int, column: int, limit: int) -> dict[int, tuple[int, str]]:
        """Hexes reached over ground of a column or better: least steps, and whether only tried."""
        found = {start: (0, GO)}
        layer = [start]
        for number in range(1, limit + 1):
            following = []
            for a in layer:
                for b in self.sheet.beside[a]:
                    if b in found and (found[b][1] == GO or found[b][0] == number):
                        continue
                    if self.counts("C1.5") and self.sheet.column(a, b) > column:
                        continue
                    how = self.step(mover, a, b)
                    if how == GO or (how == TRY and b not in found):
                        found[b] = number, how
                        if how == GO:
                            following.append(b)
            layer = following
            if not layer:
                break
        return found

    def ways(self, mover: Mover) -> dict[int, tuple[int, str]]:
        """C1.5: where a team comes: the worst ground touched sets how far."""
        found: dict[int, tuple[int, str]] = {}
        for column in COLUMNS:
            limit = mover.allowance[column] if self.counts("C1.5") else self.sheet.size
            for h, (number, how) in self.search(mover, mover.start, column, limit).items():
                if h not in found or number < found[h][0]:
                    found[h] = number, how
        return found

    def stays(self, mover: Mover, h: int, how: str) -> bool:
        """C1.3, C10.3: whether a team may end its move in a hex."""
        if how == GO and self.bars("C1.3", not self.room(mover.team, h)):
            return False
        return not self.bars("C10.3", self.strays(mover, h))

    def strays(self, mover: Mover, h: int) -> bool:
        """C10.3: whether a team that is out of command would come no nearer to its Command team."""
        leader = mover.team.platoon.leader
        if not mover.team.stray or leader is None:
            return False
        return self.sheet.far[h][leader.hex] >= self.sheet.far[mover.start][leader.hex]

    # -- who may move -------------------------------------------------------------------------------------

    def rested(self, team: Team) -> bool:
        """Whether a team has done nothing in this step that keeps it from moving, and can move at all."""
        return not (
            self.bars("C2.8", team.doubled)
            or self.bars("C3.1", team.tried)
            or self.bars("C1.5", team.moved or not team.mobile)
            or self.bars("C1.6", team.bogged)
            or self.bars("C12.4", team.bailed)
        )

    def may_move(self, team: Team, path: Sequence[int]) -> bool:
        """``move UNIT HEX``, or along the hexes of a path."""
        if not self.rested(team):
            return False
        mover = self.mover(team)
        if len(path) == 1:
            h = path[0]
            if self.bars("C1.5", h == team.hex):
                return False
            ways = self.ways(mover)
            return h in ways and self.stays(mover, h, ways[h][1])
        return self._may_follow(mover, path)

    def _may_follow(self, mover: Mover, path: Sequence[int]) -> bool:
        worst, at, how = ROAD, mover.start, GO
        for number, h in enumerate(path, start=1):
            if h not in self.sheet.beside[at]:
                # Who names hexes that do not hang together names no way: that rule cannot be waived.
                return False
            if how == TRY and self.bars("C7.5", True):
                return False
            how = self.step(mover, at, h)
            worst = max(worst, self.sheet.column(at, h))
            short = worst < CLOSED and number > mover.allowance[worst]
            if not how or self.bars("C1.5", short):
                return False
            at = h
        return self.stays(mover, at, how)

    def move_ends(self, team: Team) -> Iterator[str]:
        """The orders to move, each with its end."""
        if not self.rested(team):
            return
        mover = self.mover(team)
        for h, (number, how) in self.ways(mover).items():
            if number and self.stays(mover, h, how):
                yield f"move {team.id} {self.sheet.labels[h]}"

    # -- carrying out -------------------------------------------------------------------------------------

    def gone(self) -> list[int]:
        """The hexes that a team went through, as the engine tells it."""
        for _, code, facts in self.events:
            if code in ("moved", "stopped"):
                return [self.sheet.number[label] for label in facts["hexes"]]
        return []

    def move(self, team: Team, path: list[int]) -> None:
        """A team moves; where only the end is named, the engine's way must be one of the shortest."""
        mover = self.mover(team)
        if len(path) == 1:
            path = self.shortest(mover, path[0], self.ways(mover)[path[0]][0], mover.allowance)
        self.walk(mover, path)
        team.moved = True

    def shortest(self, mover: Mover, h: int, length: int, allowance: Sequence[int]) -> list[int]:
        """The way that the engine chose to a hex: a shortest, and of these one with the fewest tests.

        It is known as far as it went, and to the room behind the opening at which it was stopped.
        """
        way = self.gone()
        rooms = [
            self.sheet.number[facts["hex"]] for _, code, facts in self.events if code.startswith("entry-")
        ]
        if rooms and rooms[-1] not in way:
            way.append(rooms[-1])
        agree(len(way) <= length, f"the way to {self.sheet.labels[h]} is longer than {length}")
        most = max(column for column in COLUMNS if length <= allowance[column])
        easy = self.easiest(mover, mover.start, most, length, h)
        tests, at = 0, mover.start
        for b in way:
            agree(
                b in self.sheet.beside[at] and self.step(mover, at, b),
                f"no such way to {self.sheet.labels[h]}",
            )
            agree(
                self.sheet.column(at, b) <= most,
                f"the ground is too bad on the way to {self.sheet.labels[h]}",
            )
            tests += self.asks(mover, at, b)
            at = b
        rest = self.easiest(mover, at, most, length - len(way), h) if len(way) < length else 0
        agree(at == h or len(way) < length, f"the way does not end in {self.sheet.labels[h]}")
        agree(
            tests + rest == easy,
            f"a way to {self.sheet.labels[h]} with {easy} tests is as short as one with more",
        )
        return way

    def asks(self, mover: Mover, a: int, b: int) -> int:
        """The checks and tests that a step asks for (C1.6, C8.2)."""
        opening = self.sheet.opening(a, b) if self.sheet.walled(a, b) and self.sheet.house[b] >= 0 else -1
        enters = opening >= 0 and self.tested(mover.team, opening)
        return int(enters) + int(mover.checks and bool(self.sheet.check(a, b)))

    def easiest(self, mover: Mover, start: int, column: int, length: int, h: int) -> int:
        """The fewest checks and tests of the ways of a length to a hex, over ground of a column or better."""
        layer = {start: 0}
        for number in range(1, length + 1):
            following: dict[int, int] = {}
            for a, tests in layer.items():
                for b in self.sheet.beside[a]:
                    how = self.step(mover, a, b) if self.sheet.column(a, b) <= column else ""
                    if how == GO or (how == TRY and (number, b) == (length, h)):
                        following[b] = min(following.get(b, 99), tests + self.asks(mover, a, b))
            layer = following
        agree(h in layer, f"no shortest way to {self.sheet.labels[h]} begins as the engine's does")
        return layer.get(h, 99)

    def walk(self, mover: Mover, path: Sequence[int]) -> None:
        """A team goes its way, as far as openings and going checks let it (C1.6, C8)."""
        sheet, team = self.sheet, mover.team
        at, contact, failed = mover.start, -1, False
        gone: list[int] = []
        for h in path:
            opening = sheet.opening(at, h) if sheet.walled(at, h) and sheet.house[h] >= 0 else -1
            if opening >= 0 and self.tested(team, opening):
                failed = not self._enter(team, opening)
                if failed or h in mover.enemies:
                    contact = opening
                    break
            before, at = at, h
            gone.append(h)
            if mover.checks and sheet.check(before, h) and not self._goes_on(team, sheet.check(before, h), h):
                break
        if gone:
            self.shift(team, at)
            team.facing = sheet.heading(gone[-2] if len(gone) > 1 else mover.start, at)
        self.touch(team)
        if contact >= 0:
            team.contact, team.blocker = contact, failed
        names: dict[str, Any] = {"unit": team.id, "from_": sheet.labels[mover.start], "hex": sheet.labels[at]}
        self.tell("C1.5", "moved" if gone else "stopped", **names, hexes=[sheet.labels[h] for h in gone])

    def _enter(self, team: Team, opening: int) -> bool:
        one = self.sheet.openings[opening]
        passed, faces = self.reach_of(1, team.skill)
        if passed:
            self.passed[team.side].add(self.sheet.house[one.inside])
        rule, code = ("C8.2", "entry-passed") if passed else ("C8.4", "entry-failed")
        room = self.sheet.labels[one.inside]
        self.tell(rule, code, unit=team.id, hex=room, need=team.skill, faces=faces, opening=one.kind)
        return bool(passed)

    def _goes_on(self, team: Team, check: str, h: int) -> bool:
        need = self.tables["going"] if check == "die" else team.skill
        passed, faces = self.reach_of(1, need)
        team.bogged = not passed
        code = "going-passed" if passed else "bogged"
        self.tell("C1.6", code, unit=team.id, hex=self.sheet.labels[h], need=need, faces=faces)
        return bool(passed)
