"""Where a team may move (C1.5), with walls and openings (C6, C8), being pinned (C11.2) and out of command
(C10.3).

A way whose worst ground is of column ``k`` may be as long as the allowance of that column; so there is one
search for each column, layer by layer in masks of hexes.
"""

from __future__ import annotations

from typing import NamedTuple

from hexengine.mechanics.masks import units
from hexengine.mechanics.masks import units as hexes
from hexengine.mechanics.ways import Ways
from hexengine.systems.company.ground import CROSS, DIFFICULT, NO_CHECK, ROAD
from hexengine.systems.company.position import CompanyPosition
from hexengine.systems.company.sight import floors

ANYWHERE = 1 << 20
"""Farther than any two hexes lie apart."""
ENDLESS = -1
"""The limit of a search that goes on as if no allowance were ever used up."""
TEST = 1000
"""What a check or test weighs against ground when a way is chosen: more than all ground of a way together."""
KEPT = 200
"""Searches that are kept: more than the decisions of a step ask for."""


class Search(NamedTuple):
    """One search over ground of a ``column`` or better: ``ways`` are the steps outside doors, ``layers[n]``
    the hexes first reached with ``n`` steps; ``tried[n]`` are rooms held by the enemy behind openings of
    contested buildings, which can only be tried with step ``n`` (C7.5).
    """

    column: int
    ways: Ways
    layers: list[int]
    tried: list[int]


class Reach(NamedTuple):
    """Where a team may come, whoever stands there: its searches, all hexes of their layers, all tried."""

    searches: tuple[Search, ...]
    found: int
    tried: int


def crowded(pos: CompanyPosition, unit: int) -> int:
    """The mask of hexes in which a team cannot end for its own side's teams (C1.3); its own hex is none."""
    board = pos.board
    if board.vehicles >> unit & 1:
        found = pos.tight_1 if board.side[unit] else pos.tight_0
    else:
        found = pos.full_1 if board.side[unit] else pos.full_0
    place = pos.place[unit]
    return found & ~(1 << place) if found and place >= 0 else found


def seen_enemies(pos: CompanyPosition, unit: int) -> int:
    """The hexes of the enemies that a team sees from where it stands."""
    board = pos.board
    if pos.aloft:
        return floors.seen(pos, unit)
    return board.sight.among(pos.place[unit], pos.taken(1 - board.side[unit]))


def command_team(pos: CompanyPosition, platoon: int) -> int:
    """A platoon's Command team on the map, or -1."""
    mask = pos.alive(platoon) & pos.board.commands
    return (mask & -mask).bit_length() - 1


def strays(pos: CompanyPosition, unit: int) -> int:
    """For a team that is out of command the hex of its Command team, to which it must go; or -1 (C10.3)."""
    if not pos.stray >> unit & 1:
        return -1
    command = command_team(pos, pos.board.platoon[unit])
    return pos.place[command] if command >= 0 else -1


def blocked(pos: CompanyPosition, opening: int) -> bool:
    """Whether teams that failed at an opening block all its width (C8.4, C8.5)."""
    if not pos.blockers:
        return False
    there = [unit for unit in units(pos.blockers) if pos.contact[unit] == opening]
    return len(there) >= pos.board.ground.openings[opening].width


def barring(pos: CompanyPosition) -> int:
    """The mask of openings that are blocked."""
    if not pos.blockers:
        return 0
    touched = {pos.contact[unit] for unit in units(pos.blockers)}
    return sum(1 << opening for opening in touched if blocked(pos, opening))


class Walker:
    """A team about to move: what it may step over, with everything that holds for the whole of its move."""

    def __init__(self, pos: CompanyPosition, unit: int) -> None:
        board = pos.board
        self.pos = pos
        self.unit = unit
        self.start = pos.place[unit]
        self.side = side = board.side[unit]
        self.ground = board.ground
        self.foot = bool(board.foot >> unit & 1)
        self.allowance = board.allowance[unit]
        self.down = pos.floor[unit] if pos.aloft >> unit & 1 else 0
        """Floors to come down first, each for one hex of movement (C6.6)."""
        if self.down:
            road, cross, difficult = [max(0, number - self.down) for number in self.allowance]
            self.allowance = road, cross, difficult
        self.enemies = pos.taken_0 if side else pos.taken_1
        self.crowded = crowded(pos, unit)
        self.checks = bool(board.checks >> unit & 1)
        pinned = pos.pinned >> board.platoon[unit] & 1 and not board.armoured >> unit & 1
        self.watched = seen_enemies(pos, unit) if pinned else 0
        """The hexes of enemies that a pinned team may not come closer to."""
        self.bold = True
        """Whether it may try to enter contested buildings, as in the Movement Step."""

    def columns(self) -> list[int]:
        """The columns worth a search: one whose allowance is not that of the next."""
        road, cross, difficult = self.allowance
        found = [ROAD] if road > cross else []
        if cross > difficult:
            found.append(CROSS)
        if difficult:
            found.append(DIFFICULT)
        return found

    def reach(self, limit: int | None = None) -> Reach:
        """Where the team may come with its allowance, or over any ground with a number of steps; or ENDLESS,
        with a search for each column.

        Kept by everything that it depends on, so that teams that are alike, and decisions that follow each
        other, share it.
        """
        ground = self.ground
        narrow = self.crowded & ground.checking if self.checks else 0
        doors = ground.door_hexes if self.foot else 0
        inside = (
            (self.pos.cleared(self.side), barring(self.pos), self.pos.contact[self.unit],
             self.crowded & doors, self.bold) if doors else None
        )  # fmt: skip
        key = (self.start, self.enemies, self.watched, self.foot, self.allowance, narrow, inside, limit)
        known = ground.reaches.get(key)
        if known is None:
            if len(ground.reaches) >= KEPT:
                ground.reaches.clear()
            known = ground.reaches[key] = self._reach(narrow, limit)
        return known

    def _reach(self, narrow: int, limit: int | None) -> Reach:
        found = tried = 0
        searches = []
        columns = self.columns() if limit is None else [DIFFICULT]
        for column in [ROAD, CROSS, DIFFICULT] if limit == ENDLESS else columns:
            most = self.ground.grid.size if limit == ENDLESS else limit
            search = self.search(column, narrow, self.allowance[column] if most is None else most)
            searches.append(search)
            for layer in search.layers:
                found |= layer
            for attempts in search.tried:
                tried |= attempts
        return Reach(tuple(searches), found, tried)

    def search(self, column: int, narrow: int, limit: int) -> Search:
        """Everything reached over ground of a column or better; ``narrow`` hexes are not entered where that
        asks for a going check.
        """
        ground = self.ground
        ways = (ground.foot if self.foot else ground.wheels)[column]
        if narrow:
            ways = ways.without(ground.checked.into(narrow))
        if self.watched:
            ways = ways.without(ground.closing(self.watched, ANYWHERE))
        doors = ground.door_hexes if self.foot else 0
        seen = frontier = 1 << self.start
        layers, tried = [frontier], [0]
        for _ in range(limit):
            reached, attempts = ways.spread(frontier), 0
            for place in hexes(frontier & doors):
                inside, attempt = self.through(place, column)
                reached |= inside
                attempts |= attempt
            frontier = reached & ~(seen | self.enemies)
            tried.append(attempts)
            layers.append(frontier)
            seen |= frontier
            if not frontier and not attempts:
                break
        return Search(column, ways, layers, tried)

    def through(self, place: int, column: int) -> tuple[int, int]:
        """The rooms that may be entered from a hex outside over ground of a column or better, and those that
        can only be tried (C8.1, C8.2).
        """
        pos, ground = self.pos, self.ground
        inside = attempts = 0
        for room in ground.doors[place]:
            opening = ground.opening[place, room]
            if ground.column_of(place, room) > column or blocked(pos, opening):
                continue
            open_to_us = not self.tested(opening)
            enemy = self.enemies >> room & 1
            if not open_to_us and (not self.bold or self.crowded >> place & 1):
                continue
            if not enemy:
                inside |= 1 << room
            elif not open_to_us:
                attempts |= 1 << room
        if self.watched:
            return self.not_closer(place, inside), self.not_closer(place, attempts)
        return inside, attempts

    def tested(self, opening: int) -> bool:
        """Whether entering by an opening asks for a Skill test.

        It does where the building is contested (C7.3), unless the team touches that opening (C8.3).  It is
        offered only where the step inside could be paid (C8.8), as any other step of a search.
        """
        pos = self.pos
        building = self.ground.building[self.ground.openings[opening].inside]
        return not pos.cleared(self.side) >> building & 1 and pos.contact[self.unit] != opening

    def not_closer(self, place: int, steps: int) -> int:
        """Of some steps those that bring a pinned team no closer to an enemy it sees (C11.2)."""
        closing = self.ground.closing(self.watched, ANYWHERE)
        for to in hexes(steps):
            if closing[to - place] >> place & 1:
                steps &= ~(1 << to)
        return steps

    def homing(self, ends: int) -> int:
        """Of some hexes those in which the team may end as to command: nearer to it, if it is out of it."""
        home = strays(self.pos, self.unit)
        if home < 0:
            return ends
        here = self.ground.grid.distance(self.start, home)
        return ends & self.ground.disc(here - 1)[home] if here else 0

    def ends(self) -> int:
        """The mask of hexes to which the team may move."""
        reach = self.reach()
        found = reach.found & ~(self.crowded | 1 << self.start) | reach.tried
        return self.homing(found) if self.pos.stray >> self.unit & 1 else found

    def path(self, place: int) -> list[int]:
        """The way to one of ``ends``, without the start.

        The shortest; then with the fewest checks and tests; then over the better ground; then, from its end
        on, through the lowest hex.  Raises ValueError for a hex that is none of them.
        """
        # The search over the worst ground on which the team comes so far knows the ways of the others, too.
        best: Search | None = None
        length = 0
        for search in self.reach().searches:
            for number, (layer, tried) in enumerate(zip(search.layers, search.tried, strict=True)):
                if (layer | tried) >> place & 1:
                    if best is None or number <= length:
                        best, length = search, number
                    break
        if best is None:
            raise ValueError("the hex is not within reach")
        return self._easiest(best, length, place)

    def _easiest(self, search: Search, length: int, place: int) -> list[int]:
        """Of the ways of a length that a search found the one that asks for least."""
        around = self.ground.around
        costs = {self.start: 0}
        before: dict[tuple[int, int], int] = {}
        for number in range(1, length + 1):
            following: dict[int, int] = {}
            for to in hexes(search.layers[number] if number < length else 1 << place):
                for at in hexes(search.layers[number - 1] & around[to]):
                    step = self._asks(search, at, to)
                    if step >= 0 and (to not in following or costs[at] + step < following[to]):
                        following[to] = costs[at] + step
                        before[number, to] = at
            costs = following
        way = [place]
        for number in range(length, 1, -1):
            way.append(before[number, way[-1]])
        return way[::-1]

    def _asks(self, search: Search, a: int, b: int) -> int:
        """What a step asks of the team: checks and tests, then its ground; -1 if it cannot be made."""
        ground, bit = self.ground, 1 << b
        # A room held by the enemy is only tried from outside, whatever rooms lie beside it.
        if not self.enemies & bit and search.ways.leads(a, b):
            checked = self.checks and ground.check_at(a, b) != NO_CHECK
            return TEST * checked + ground.column_of(a, b)
        if self.foot and ground.door_hexes >> a & 1:
            inside, attempts = self.through(a, search.column)
            if (inside | attempts) & bit:
                return TEST * self.tested(ground.opening[a, b]) + ground.column_of(a, b)
        return -1
