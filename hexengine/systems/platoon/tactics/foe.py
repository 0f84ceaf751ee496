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
from hexengine.mechanics.masks import mask_of, reader, units
from hexengine.systems.platoon.board import AIR, Board
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.sight.air import LANDED_SIGHT
from hexengine.systems.platoon.tactics.rows import Rows
from hexengine.systems.platoon.tactics.worth import HIT, Defence, Shooter, Target, Worth

ROWS_KEPT = 6_000_000
"""Hexes in all rows that are kept, so that a huge map cannot eat the memory."""

SEEN_KEPT = 6_000_000
"""The same for what is seen from where."""

UNSEEN = 255
"""Stands for the distance of what is out of range or sight: further than any weapon is reckoned to reach."""

FoeKey = tuple[Any, ...]


class Enemy(NamedTuple):
    """One unit of a foe: how it shoots and is shot at, and where it stands."""

    unit: int
    shooter: Shooter
    target: Target
    hex: int
    disrupted: bool


class _Scores(dict[tuple[Shooter, Defence], dict[int, bytes]]):
    """By shooter and target: for each code of the target's cover the hits (in HITths) by distance.

    A table for ``bytes.translate``, 0 where nothing can be hit.  Filled as it is asked.
    """

    def __init__(self, worth: Worth, codes: list[list[int]]) -> None:
        super().__init__()
        self._worth = worth
        self._codes = codes

    def __missing__(self, key: tuple[Shooter, Defence]) -> dict[int, bytes]:
        shooter, defence = key
        powers, hits = shooter.powers[defence.kind][:UNSEEN], self._worth.hits
        found = self[key] = {
            code: bytes([hits(defence, *power, code >> 1, code & 1) if power else 0 for power in powers])
            + bytes(UNSEEN + 1 - len(powers))
            for code in self._codes[defence.kind]
        }
        return found


class Fields:
    """Rows of one board: the hits that a unit in a hex may score on every other one, and the reverse."""

    def __init__(self, board: Board, worth: Worth, positions: int) -> None:
        self.board = board
        self.worth = worth
        self.rows = Rows(board.size)
        self._most = min(UNSEEN - 1, max(board.reach, default=0))
        self._seen: dict[tuple[int, bool, bool, bool], bytes] = {}
        self._kept: dict[tuple[Any, ...], int] = {}
        self._earlier: dict[tuple[Any, ...], int] = {}
        cover = [[bonus[kind] * 2 + (positions >> place & 1) for place, bonus in enumerate(board.cover)]
                 for kind in (0, 1)]  # fmt: skip
        self._cover = [cover[0], cover[1], [0] * board.size]
        """For each kind of target and hex: bonus save dice, doubled, plus 1 for an improved position."""
        self._ground = [
            {
                code: int.from_bytes([255 * (one == code) for one in codes], "little")
                for code in sorted(set(codes))
            }
            for codes in self._cover
        ]
        """For each kind of target and code of cover: the hexes that have it, a byte for each."""
        self._scores = _Scores(self.worth, [list(ground) for ground in self._ground])

    def seen(self, place: int, above: bool = False, above_there: bool = False, low: bool = False) -> bytes:
        """For each hex its distance, UNSEEN for those out of anybody's range or out of sight.

        ``above``, ``above_there``: somebody in the air is meant here, or there; ``low``: somebody who has
        landed, here or there, and is seen close by only (P13.1).
        """
        key = (place, above, above_there, low)
        found = self._seen.get(key)
        if found is None:
            board = self.board
            most = min(self._most, LANDED_SIGHT) if low else self._most
            distances = board.grid.distances(place)
            view = mask_of(there for there, distance in enumerate(distances) if distance <= most)
            if above or above_there:
                view = board.air_sight.in_view(place, view, above, above_there)
            else:
                view = board.sight.in_view(place, view)
            if (len(self._seen) + 1) * board.size > SEEN_KEPT:
                self._seen.clear()
            found = self._seen[key] = bytes(
                [
                    distance if distance == 1 or (0 < distance <= most and view >> there & 1) else UNSEEN
                    for there, distance in enumerate(distances)
                ]
            )
        return found

    def _keep(self, key: tuple[Any, ...], row: int) -> int:
        """Remember a row; when there are too many, those are forgotten that were not asked for lately."""
        if (len(self._kept) + 1) * self.rows.size * 2 > ROWS_KEPT:
            self._earlier, self._kept = self._kept, {}
        self._kept[key] = row
        return row

    def fire_from(self, shooter: Shooter, place: int, defence: Defence) -> int:
        """The row of hits (in HITths) that a shooter in a hex scores on a target, by the target's hex."""
        key = (shooter, place, defence)
        found = self._kept.get(key)
        if found is not None:
            return found
        found = self._earlier.get(key)
        if found is None:
            distances = self.seen(place, shooter.aloft, defence.aloft, defence.low)
            ground, hits = self._ground[defence.kind], 0
            for code, scored in self._scores[shooter, defence].items():
                hits |= int.from_bytes(distances.translate(scored), "little") & ground[code]
            found = self.rows.widened(hits.to_bytes(self.rows.size, "little"))
        return self._keep(key, found)

    def fire_at(self, shooter: Shooter, place: int, defence: Defence, a_hit: int) -> int:
        """The row of what a shot at a target in a hex brings, by the shooter's hex, at ``a_hit`` a hit."""
        key = (place, shooter, defence, a_hit)
        found = self._kept.get(key)
        if found is not None:
            return found
        found = self._earlier.get(key)
        if found is None:
            scored = self._scores[shooter, defence][self._cover[defence.kind][place]]
            distances = self.seen(place, defence.aloft, shooter.aloft, defence.low)
            found = self.rows.scaled(self.rows.widened(distances.translate(scored)), a_hit, HIT)
        return self._keep(key, found)


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

    def risk(self, defence: Defence, ready: int) -> list[int] | None:
        """For each hex the hits (in HITths) of the best opportunity shot at a unit that enters it.

        ``ready`` are the enemies that may shoot; one of them does and no more: that is all that a
        unit is exposed to in each hex (P8.4).  None if nobody can shoot anywhere.
        """
        rows = self._fields.rows
        row = 0
        for enemy in self.enemies:
            if ready >> enemy.unit & 1:
                fire = self._fields.fire_from(enemy.shooter, enemy.hex, defence)
                row = rows.larger(row, fire) if row else fire
        return rows.numbers(row).tolist() if row else None

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
                one = fire_at(shooter, place, defence, a_hit)
                if one:
                    row = rows.larger(row, one) if row else one
            self._outlook[shooter] = row
        return row


class FoeKeys:
    """What the arrangements of one side's units depend on."""

    __slots__ = ("_mine", "_read", "_side")

    def __init__(self, board: Board, side: int) -> None:
        self._side = side
        self._mine = board.side_units[side]
        self._read = reader(units(self._mine))

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
            self._read(pos.hex),
            self._read(pos.steps),
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
