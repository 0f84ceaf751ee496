"""The enemy as it stands: what its fire may do at each hex, and what there is to shoot at from each.

A :class:`Foe` is one arrangement of a side's units.  While the other side acts it seldom changes,
so everything that follows from it is worked out once and kept with it.  Sight is taken without the
wrecks of this game: these are estimates for choosing hexes, real shots are always weighed exactly.
"""

from __future__ import annotations

from operator import itemgetter
from typing import Any, NamedTuple

from hexengine.mechanics.masks import units
from hexengine.systems.platoon.board import Board
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.tactics_rows import Rows
from hexengine.systems.platoon.tactics_worth import Shooter, Target, Worth

ROWS_KEPT = 6_000_000
"""Hexes in all rows that are kept, so that a huge map cannot eat the memory."""

FoeKey = tuple[Any, ...]


class Enemy(NamedTuple):
    """One unit of a foe: how it shoots and is shot at, where it stands, and what it can do now."""

    unit: int
    shooter: Shooter
    target: Target
    hex: int
    disrupted: bool
    ready: bool
    """Whether it may make an opportunity shot now (P8.2)."""


class Fields:
    """Rows of one board: the fire of a unit in a hex on every other hex, and the other way round."""

    def __init__(self, board: Board, worth: Worth) -> None:
        self.board = board
        self.worth = worth
        self.rows = Rows(board.size)
        self._most = max(board.reach, default=0)
        self._seen: dict[int, list[tuple[int, int]]] = {}
        self._kept: dict[tuple[Any, ...], int] = {}
        positions = board.positions
        cover = [[bonus[kind] * 2 + (positions >> place & 1) for place, bonus in enumerate(board.cover)]
                 for kind in (0, 1)]  # fmt: skip
        self.cover = [cover[0], cover[1], [0] * board.size]
        """For each kind of target and hex: bonus save dice, doubled, plus 1 for an improved position."""
        self._codes = [sorted(set(codes)) for codes in self.cover]

    def seen(self, place: int) -> list[tuple[int, int]]:
        """The hexes within anybody's range that see a hex, with their distances."""
        found = self._seen.get(place)
        if found is None:
            distances = self.board.grid.distances(place)
            sees = self.board.sight.sees
            most = self._most
            found = self._seen[place] = [
                (there, distance)
                for there, distance in enumerate(distances)
                if 0 < distance <= most and (distance == 1 or sees(place, there))
            ]
        return found

    def keep(self, key: tuple[Any, ...], row: int) -> int:
        """Remember a row; all are forgotten when there are too many."""
        if (len(self._kept) + 1) * self.rows.size > ROWS_KEPT:
            self._kept.clear()
        self._kept[key] = row
        return row

    def fire_from(self, shooter: Shooter, place: int, target: Target) -> int:
        """The row of what a shooter in a hex is expected to cost a target, by the target's hex."""
        key = (True, shooter, place, target)
        found = self._kept.get(key)
        if found is not None:
            return found
        loss = self.worth.loss
        by_distance = [
            {code: loss(target, *power, code >> 1, code & 1) for code in self._codes[target.kind]} if power else None
            for power in shooter.standing[target.kind]
        ]
        row = self.rows.blank()
        cover, reach = self.cover[target.kind], len(by_distance)
        for there, distance in self.seen(place):
            if distance < reach:
                losses = by_distance[distance]
                if losses:
                    row[there] = losses[cover[there]]
        return self.keep(key, self.rows.pack(row))

    def fire_at(self, shooter: Shooter, moved: bool, place: int, target: Target) -> int:
        """The row of what a shooter is expected to cost a target in a hex, by the shooter's hex."""
        key = (False, shooter, place, target, moved)
        found = self._kept.get(key)
        if found is not None:
            return found
        code = self.cover[target.kind][place]
        powers = (shooter.moved if moved else shooter.standing)[target.kind]
        by_distance = [self.worth.loss(target, *power, code >> 1, code & 1) if power else 0 for power in powers]
        row = self.rows.blank()
        reach = len(by_distance)
        for there, distance in self.seen(place):
            if distance < reach:
                row[there] = by_distance[distance]
        return self.keep(key, self.rows.pack(row))


class Foe:
    """One arrangement of the units of a side, with what was worked out about it."""

    __slots__ = ("_exposure", "_fields", "_outlook", "_risk", "enemies", "hexes", "key", "memo", "ready")

    def __init__(self, fields: Fields, pos: PlatoonPosition, side: int, key: FoeKey) -> None:
        self._fields = fields
        self.key = key
        self.enemies = _enemies(fields.worth, pos, side)
        self.hexes = frozenset([enemy.hex for enemy in self.enemies])
        self.ready = any(enemy.ready for enemy in self.enemies)
        self._exposure: dict[Target, int] = {}
        self._outlook: dict[tuple[Shooter, bool], int] = {}
        self._risk: dict[Target, list[int]] = {}
        self.memo: dict[Any, Any] = {}
        """For whoever asks: answers that depend on this arrangement and on their keys alone."""

    def exposure(self, target: Target) -> int:
        """The row of what all enemies' fire may cost a target, in halves of a hundredth of a point.

        Of Disrupted enemies half of it: they may have rallied until then.
        """
        row = self._exposure.get(target)
        if row is None:
            whole = half = 0
            for enemy in self.enemies:
                fire = self._fields.fire_from(enemy.shooter, enemy.hex, target)
                if enemy.disrupted:
                    half += fire
                else:
                    whole += fire
            row = self._exposure[target] = 2 * whole + half
        return row

    def at(self, target: Target, place: int) -> int:
        """The exposure of a target in one hex, in halves of a hundredth."""
        return self._fields.rows.at(self.exposure(target), place)

    def risk(self, target: Target) -> list[int]:
        """For each hex what opportunity fire may cost a target there now."""
        numbers = self._risk.get(target)
        if numbers is None:
            row = 0
            for enemy in self.enemies:
                if enemy.ready:
                    row += self._fields.fire_from(enemy.shooter, enemy.hex, target)
            numbers = self._risk[target] = self._fields.rows.numbers(row)
        return numbers

    def outlook(self, shooter: Shooter, moved: bool) -> int:
        """The row of the best shot that a shooter would have from each hex."""
        row = self._outlook.get((shooter, moved))
        if row is None:
            row = 0
            for enemy in self.enemies:
                row = self._fields.rows.larger(
                    row, self._fields.fire_at(shooter, moved, enemy.hex, enemy.target)
                )
            self._outlook[shooter, moved] = row
        return row


class FoeKeys:
    """What the arrangements of one side's units depend on."""

    __slots__ = ("_columns", "_mine")

    def __init__(self, board: Board, side: int) -> None:
        self._mine = board.side_units[side]
        members = units(self._mine)
        self._columns = itemgetter(*members) if len(members) > 1 else itemgetter(slice(None))

    def key(self, pos: PlatoonPosition) -> FoeKey:
        """Equal for positions in which the side's units stand alike."""
        mine = self._mine
        carried = pos.carried & mine
        return (
            pos.placed & mine,
            pos.disrupted & mine,
            pos.ops & mine,
            carried,
            (pos.depleted_1 | pos.depleted_2) & mine,
            pos.lost & mine,
            tuple([pos.carrier[unit] for unit in units(carried)]) if carried else (),
            tuple(self._columns(pos.hex)),
            tuple(self._columns(pos.steps)),
        )


def _enemies(worth: Worth, pos: PlatoonPosition, side: int) -> tuple[Enemy, ...]:
    standing = pos.placed & pos.board.shooters[side] & ~pos.carried
    return tuple(
        [
            Enemy(
                unit,
                worth.shooter(pos, unit),
                worth.target(pos, unit),
                pos.hex[unit],
                bool(pos.disrupted >> unit & 1),
                not (pos.ops | pos.disrupted) >> unit & 1,
            )
            for unit in units(standing)
        ]
    )


