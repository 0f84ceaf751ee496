"""The enemy as it stands: what its fire may do at each hex, and what there is to shoot at from each.

A :class:`Foe` is one arrangement of a side's units.  While the other side acts it seldom changes,
so everything that follows from it is worked out once and kept with it.  Three simplifications, since
all this only serves to choose hexes (real shots are weighed exactly): sight is taken without the
wrecks of this game; of smoke only what lies over the enemy himself is seen; and what a shot costs a
unit is taken to grow evenly with the hits expected.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from hexengine.core.tactics import Weights
from hexengine.mechanics.masks import mask_of, units
from hexengine.systems.platoon.board import AIR, Board
from hexengine.systems.platoon.fieldworks.mines import MINE_DICE
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.sight.air import LANDED_SIGHT
from hexengine.systems.platoon.tactics.rows import Rows, columns
from hexengine.systems.platoon.tactics.worth import HIT, Defence, Shooter, Target, Worth

ROWS_KEPT = 6_000_000
"""Hexes in all rows that are kept, so that a huge map cannot eat the memory."""

DANGERS_KEPT = 64
"""Dangers that are kept: those of the last few arrangements."""

STARTS_KEPT = 32
"""For each danger the starts from which ways are kept that were looked at."""

MINE_HITS = 2 * MINE_DICE * HIT // 6
"""The hits (in HITths) that mines are expected to score on whoever enters: two faces of six hit (P11.2)."""

GOES_ON = 65
"""Percent of units that are shot at and go on all the same."""

FoeKey = tuple[Any, ...]


class Enemy(NamedTuple):
    """One unit of a foe: how it shoots and is shot at, and where it stands."""

    unit: int
    shooter: Shooter
    target: Target
    hex: int
    disrupted: bool


class Danger:
    """What opportunity fire and mines may do to one kind of unit, hex by hex and along ways.

    ``hits`` are for each hex those (in HITths) that are expected where it is entered.
    """

    __slots__ = ("_ways", "hits")

    def __init__(self, hits: list[int]) -> None:
        self.hits = hits
        self._ways: dict[tuple[int, int], dict[int, tuple[int, int]]] = {}

    def ways(self, mobility: int, start: int) -> dict[int, tuple[int, int]]:
        """What :meth:`along` has found for the ways of a class of movement from a hex."""
        found = self._ways.get((mobility, start))
        if found is None:
            if len(self._ways) >= STARTS_KEPT:
                self._ways.clear()
            found = self._ways[mobility, start] = {}
        return found

    def along(self, path: list[int], known: dict[int, tuple[int, int]]) -> tuple[int, int]:
        """The hits (in HITths, times 100) on a way, and in percent how likely it is gone to its end.

        A hex in view costs one shot, unless one was stopped before.  ``known`` has by their ends the ways
        that begin alike, each of which goes on from another one of them.
        """
        first = len(path) - 1
        while first and path[first - 1] not in known:
            first -= 1
        risk, chance = known[path[first - 1]] if first else (0, 100)
        for step in path[first:]:
            danger = self.hits[step]
            if danger:
                risk += danger * chance
                chance = chance * GOES_ON // 100
            known[step] = (risk, chance)
        return risk, chance


class Fields:
    """Rows of one board: the hits that a unit in a hex may score on every other one, and the reverse."""

    def __init__(self, board: Board, worth: Worth, positions: int, mines: int = 0) -> None:
        """``positions`` and ``mines``: the hexes where improved positions are, and where mines lie."""
        self.board = board
        self.mines = mines
        self.worth = worth
        self.rows = Rows(board.size)
        self._seen: dict[tuple[int, bool, bool, bool], list[list[int]]] = {}
        self._kept: dict[tuple[Any, ...], int] = {}
        self._dangers: dict[tuple[Defence, frozenset[tuple[Shooter, int]]], Danger | None] = {}
        self._scores: dict[tuple[Shooter, Defence], list[list[int] | None]] = {}
        cover = [[bonus[kind] * 2 + (positions >> place & 1) for place, bonus in enumerate(board.cover)]
                 for kind in (0, 1)]  # fmt: skip
        self._cover = [cover[0], cover[1], [0] * board.size]
        """For each kind of target and hex: bonus save dice, doubled, plus 1 for an improved position."""
        self._codes = [max(codes) + 1 for codes in self._cover]

    def seen(
        self, place: int, reach: int, above: bool = False, above_there: bool = False, low: bool = False
    ) -> list[list[int]]:
        """By distance, for all distances below ``reach`` at least, the hexes that see a hex.

        ``above``, ``above_there``: somebody in the air is meant here, or there; ``low``: somebody who has
        landed, here or there, and is seen close by only (P13.1).
        """
        if low:
            reach = min(reach, LANDED_SIGHT + 1)
        key = (place, above, above_there, low)
        found = self._seen.get(key)
        if found is None or len(found) < reach:
            found = self._seen[key] = self._rings(place, reach, above, above_there)
        return found

    def _rings(self, place: int, reach: int, above: bool, above_there: bool) -> list[list[int]]:
        board = self.board
        distances = board.grid.distances(place)
        view = mask_of([there for there, distance in enumerate(distances) if 1 < distance < reach])
        if above or above_there:
            view = board.air_sight.in_view(place, view, above, above_there)
        else:
            view = board.sight.in_view(place, view)
        rings: list[list[int]] = [[] for _ in range(reach)]
        if reach > 1:
            rings[1] = [there for there, distance in enumerate(distances) if distance == 1]
        for there, distance in enumerate(distances):
            if 1 < distance < reach and view >> there & 1:
                rings[distance].append(there)
        return rings

    def _keep(self, key: tuple[Any, ...], row: int) -> int:
        """Remember a row; all are forgotten when there are too many."""
        if (len(self._kept) + 1) * self.rows.size > ROWS_KEPT:
            self._kept.clear()
        self._kept[key] = row
        return row

    def scores(self, shooter: Shooter, defence: Defence) -> list[list[int] | None]:
        """By distance, and by cover, the hits (in HITths) that a shooter scores; None without dice."""
        key = (shooter, defence)
        found = self._scores.get(key)
        if found is None:
            hits, codes = self.worth.hits, range(self._codes[defence.kind])
            found = self._scores[key] = [
                [hits(defence, *power, code >> 1, code & 1) for code in codes] if power else None
                for power in shooter.powers[defence.kind]
            ]
        return found

    def fire_from(self, shooter: Shooter, place: int, defence: Defence) -> int:
        """The row of hits (in HITths) that a shooter in a hex scores on a target, by the target's hex."""
        key = (shooter, place, defence)
        found = self._kept.get(key)
        if found is not None:
            return found
        scores, cover = self.scores(shooter, defence), self._cover[defence.kind]
        row = self.rows.blank()
        rings = self.seen(place, len(scores), shooter.aloft, defence.aloft, defence.low)
        for scored, ring in zip(scores, rings, strict=False):
            if scored is not None:
                for there in ring:
                    row[there] = scored[cover[there]]
        return self._keep(key, self.rows.pack(row))

    def fire_at(self, shooter: Shooter, place: int, defence: Defence) -> int:
        """The row of hits (in HITths) that a shooter scores on a target in a hex, by the shooter's hex."""
        key = (place, shooter, defence)
        found = self._kept.get(key)
        if found is not None:
            return found
        scores, code = self.scores(shooter, defence), self._cover[defence.kind][place]
        row = self.rows.blank()
        rings = self.seen(place, len(scores), defence.aloft, shooter.aloft, defence.low)
        for scored, ring in zip(scores, rings, strict=False):
            if scored is not None:
                hits = scored[code]
                for there in ring:
                    row[there] = hits
        return self._keep(key, self.rows.pack(row))

    def danger(self, defence: Defence, shots: frozenset[tuple[Shooter, int]]) -> Danger | None:
        """What those who may shoot from some hexes, and mines, may do to a unit; None if they can do nothing.

        One of them shoots and no more: that is all that a unit is exposed to in each hex (P8.4).
        """
        key = (defence, shots)
        if key in self._dangers:
            return self._dangers[key]
        rows = self.rows
        row = 0
        for shooter, place in shots:
            fire = self.fire_from(shooter, place, defence)
            row = rows.larger(row, fire) if row else fire
        mines = self.mines if defence.kind != AIR else 0
        found = None
        if row or mines:
            hits = rows.numbers(row)
            for place in units(mines):
                hits[place] += MINE_HITS
            found = Danger(hits)
        if len(self._dangers) >= min(DANGERS_KEPT, ROWS_KEPT // rows.size):
            self._dangers.clear()
        self._dangers[key] = found
        return found


MOST_HITS = 3 * 2 * HIT
"""What one enemy adds to a row of hits at most."""


class Foe:
    """One arrangement of the units of a side, with what was worked out about it."""

    __slots__ = ("_fields", "_hits", "_outlook", "enemies", "hexes", "largest", "memos")

    def __init__(
        self,
        fields: Fields,
        pos: PlatoonPosition,
        side: int,
        outlook: dict[Shooter, int],
    ) -> None:
        """``outlook`` is shared by all arrangements in which the same units stand in the same hexes."""
        self._fields = fields
        self.enemies = _enemies(fields.worth, pos, side)
        self.largest = (1 << 30) // (MOST_HITS * max(1, len(self.enemies)))
        """What rows of hits may be multiplied by at most."""
        self.hexes = frozenset([enemy.hex for enemy in self.enemies if enemy.target.defence.kind != AIR])
        self._hits: dict[Defence, int] = {}
        self._outlook = outlook
        self.memos: dict[Weights, dict[Any, Any]] = {}
        """For whoever asks: answers that depend on this arrangement, on a player's weights, and on
        their keys, alone."""

    def hits(self, defence: Defence) -> int:
        """The row of hits that all enemies' fire may score on a target, in halves of a HITth.

        Disrupted enemies count half: they may have rallied until then.
        """
        row = self._hits.get(defence)
        if row is None:
            whole = half = 0
            fire_from = self._fields.fire_from
            for enemy in self.enemies:
                if enemy.disrupted:
                    half += fire_from(enemy.shooter, enemy.hex, defence)
                else:
                    whole += fire_from(enemy.shooter, enemy.hex, defence)
            row = self._hits[defence] = 2 * whole + half
        return row

    def at(self, target: Target, place: int) -> int:
        """What all enemies' fire may cost a target in one hex, in hundredths of a point."""
        return self._fields.rows.at(self.hits(target.defence), place) * target.a_hit // (2 * HIT)

    def risk(self, defence: Defence, ready: int) -> Danger | None:
        """What opportunity fire may do to a unit; ``ready`` are the enemies that may shoot.

        None if nobody can shoot anywhere, and no mines lie.
        """
        shots = {(enemy.shooter, enemy.hex) for enemy in self.enemies if ready >> enemy.unit & 1}
        return self._fields.danger(defence, frozenset(shots))

    def outlook(self, shooter: Shooter) -> int:
        """The row of the best shot that a shooter would have from each hex, in hundredths of a point.

        Targets are taken as they are printed, whatever they have suffered already.
        """
        row = self._outlook.get(shooter)
        if row is None:
            rows, fire_at, prime = self._fields.rows, self._fields.fire_at, self._fields.worth.prime
            best: dict[tuple[int, Defence], int] = {}
            for enemy in self.enemies:
                target = prime[enemy.unit]
                low = enemy.target.defence.low
                key = (enemy.hex, target.defence._replace(low=True) if low else target.defence)
                best[key] = max(best.get(key, 0), target.a_hit)
            row = 0
            for (place, defence), a_hit in best.items():
                hits = fire_at(shooter, place, defence)
                if hits:
                    one = rows.scaled(hits, a_hit, HIT)
                    row = rows.larger(row, one) if row else one
            self._outlook[shooter] = row
        return row


class FoeKeys:
    """What the arrangements of one side's units depend on."""

    __slots__ = ("_columns", "_mine", "_side")

    def __init__(self, board: Board, side: int) -> None:
        self._side = side
        self._mine = board.side_units[side]
        members = units(self._mine)
        self._columns = columns(members)

    def key(self, pos: PlatoonPosition) -> FoeKey:
        """Equal for positions in which the side's units stand alike."""
        mine = self._mine
        carried = pos.carried & mine
        return (
            pos.smoky & (pos.taken_1 if self._side else pos.taken_0),
            pos.placed & mine,
            pos.disrupted & mine,
            carried,
            (pos.depleted_1 | pos.depleted_2) & mine,
            pos.landed & mine,
            pos.lost & mine,
            tuple([pos.carrier[unit] for unit in units(carried)]) if carried else (),
            self._columns(pos.hex),
            self._columns(pos.steps),
        )


def _enemies(worth: Worth, pos: PlatoonPosition, side: int) -> tuple[Enemy, ...]:
    standing = pos.placed & pos.board.shooters[side] & ~pos.carried
    return tuple(
        [
            Enemy(
                unit,
                worth.shooter(pos, unit, pos.smoky >> pos.hex[unit] & 1),
                worth.target(pos, unit),
                pos.hex[unit],
                bool(pos.disrupted >> unit & 1),
            )
            for unit in units(standing)
        ]
    )
