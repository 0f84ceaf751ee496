"""Where a team may move (C1.5), with walls and openings (C6, C8), being pinned (C11.2) and out of command
(C10.3).

A way whose worst ground is of column ``k`` may be as long as the allowance of that column; so there is one
search for each column, layer by layer in masks of hexes.
"""

from __future__ import annotations

from typing import NamedTuple

from hexengine.mechanics.masks import units
from hexengine.mechanics.masks import units as hexes
from hexengine.systems.company.ground import CROSS, DIFFICULT, ROAD
from hexengine.systems.company.position import CompanyPosition


class Search(NamedTuple):
    """One search: ``layers[n]`` are the hexes first reached with ``n`` steps; ``tried[n]`` are rooms held
    by the enemy behind openings of contested buildings, which can only be tried with step ``n`` (C7.5).
    """

    column: int
    layers: list[int]
    tried: list[int]


def fits(pos: CompanyPosition, unit: int, place: int) -> bool:
    """Whether a team may end in a hex, beside its own side's teams (C1.3)."""
    board = pos.board
    if pos.place[unit] == place:
        return True
    return pos.here[board.side[unit] * board.size + place] + board.weight[unit] in board.fits


def crowded(pos: CompanyPosition, unit: int) -> int:
    """The mask of hexes in which a team cannot end for its own side's teams (C1.3); its own hex is none."""
    board = pos.board
    side, weight, here, room = board.side[unit], board.weight[unit], pos.here, board.fits
    base = side * board.size
    found = 0
    for place in hexes(pos.taken(side)):
        if here[base + place] + weight not in room:
            found |= 1 << place
    return found & ~(1 << pos.place[unit]) if pos.place[unit] >= 0 else found


def seen_enemies(pos: CompanyPosition, unit: int) -> list[int]:
    """The hexes of the enemies that a team sees from where it stands."""
    here, sees = pos.place[unit], pos.board.sight.sees
    return [place for place in hexes(pos.taken(1 - pos.board.side[unit])) if sees(here, place)]


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


class Walker:
    """A team about to move: what it may step over, with everything that holds for the whole of its move."""

    def __init__(self, pos: CompanyPosition, unit: int) -> None:
        board = pos.board
        self.pos = pos
        self.unit = unit
        self.start = pos.place[unit]
        self.side = board.side[unit]
        self.ground = board.ground
        self.foot = bool(board.foot >> unit & 1)
        self.allowance = board.counters[unit].allowance
        self.enemies = pos.taken(1 - self.side)
        self.crowded = crowded(pos, unit)
        self.checked = board.ground.checked if board.counters[unit].checks else None
        pinned = pos.pinned >> board.platoon[unit] & 1 and not board.armoured >> unit & 1
        self.watched = seen_enemies(pos, unit) if pinned else []
        """Enemies that a pinned team may not come closer to."""
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

    def search(self, column: int, limit: int | None = None) -> Search:
        """Everything reached over ground of a column or better."""
        ways = (self.ground.foot if self.foot else self.ground.wheels)[column]
        doors = self.ground.door_hexes if self.foot and column == DIFFICULT else 0
        seen = frontier = 1 << self.start
        layers, tried = [frontier], [0]
        for _ in range(self.allowance[column] if limit is None else limit):
            reached = attempts = 0
            for place in hexes(frontier):
                steps = ways[place]
                if self.checked is not None:
                    steps &= ~(self.checked[place] & self.crowded)
                if doors >> place & 1:
                    inside, attempt = self.through(place)
                    steps |= inside
                    attempts |= attempt
                if self.watched:
                    steps, attempts = self.not_closer(place, steps), self.not_closer(place, attempts)
                reached |= steps
            frontier = reached & ~(seen | self.enemies)
            tried.append(attempts)
            layers.append(frontier)
            seen |= frontier
            if not frontier and not attempts:
                break
        return Search(column, layers, tried)

    def through(self, place: int) -> tuple[int, int]:
        """The rooms that may be entered from a hex outside, and those that can only be tried (C8.1, C8.2)."""
        pos, ground = self.pos, self.ground
        inside = attempts = 0
        for room in ground.doors[place]:
            opening = ground.opening[place, room]
            if blocked(pos, opening):
                continue
            open_to_us = not self.tested(opening)
            enemy = self.enemies >> room & 1
            if not open_to_us and (not self.bold or self.crowded >> place & 1):
                continue
            if not enemy:
                inside |= 1 << room
            elif not open_to_us:
                attempts |= 1 << room
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
        distance = self.ground.grid.distance
        for to in hexes(steps):
            if any(distance(to, enemy) < distance(place, enemy) for enemy in self.watched):
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
        found = attempts = 0
        for column in self.columns():
            search = self.search(column)
            for layer in search.layers:
                found |= layer
            for tried in search.tried:
                attempts |= tried
        found &= ~(self.crowded | 1 << self.start)
        return self.homing(found | attempts)

    def path(self, place: int) -> list[int]:
        """The way to one of ``ends``, without the start.

        The shortest; then over the better ground; then step by step backwards without a test, and through
        the lowest hex.
        """
        best: Search | None = None
        length = 0
        for column in self.columns():
            search = self.search(column)
            for number, (layer, tried) in enumerate(zip(search.layers, search.tried, strict=True)):
                if (layer | tried) >> place & 1:
                    if best is None or number < length:
                        best, length = search, number
                    break
        if best is None:
            raise ValueError("the hex is not within reach")
        way = [place]
        for number in range(length - 1, 0, -1):
            way.append(self._before(best, number, way[-1]))
        return way[::-1]

    def _before(self, search: Search, number: int, to: int) -> int:
        ways = (self.ground.foot if self.foot else self.ground.wheels)[search.column]
        late, bit = -1, 1 << to
        # A room held by the enemy is only tried from outside, whatever rooms lie beside it.
        held = self.enemies & bit
        for place in hexes(search.layers[number]):
            steps = 0 if held else ways[place]
            if self.checked is not None:
                steps &= ~(self.checked[place] & self.crowded)
            if steps & bit and (not self.watched or self.not_closer(place, bit)):
                return place
            if late < 0 and self.foot and self.ground.door_hexes >> place & 1:
                inside, attempts = self.through(place)
                if (inside | attempts) & bit and (not self.watched or self.not_closer(place, bit)):
                    late = place
        return late
