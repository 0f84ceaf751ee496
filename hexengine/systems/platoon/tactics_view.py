"""One decision as a side sees it: the enemy as it stands, the missions, and what each hex is worth to whom."""

from __future__ import annotations

from typing import Any

from hexengine.core.tactics import Weights
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.board import Board
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.tactics_foe import Fields, Foe, FoeKeys
from hexengine.systems.platoon.tactics_goals import ATTACK, Goals, Mission
from hexengine.systems.platoon.tactics_paths import Paths
from hexengine.systems.platoon.tactics_worth import Worth

SCALE = 200
"""Prices of hexes are counted in this part of a hundredth of a point."""

_MIDDLE = 1 << 24
"""Added to every price, so that none is negative."""

HORIZON = 3
"""Activations in which a mission's worth is to be earned."""

AT_ARMS_LENGTH = 8
"""Half MP from an enemy at which a hunter needs no urging any more."""

OUT_OF_COMMAND = 40
"""Hundredths of a point that a lost activation of a unit costs."""


class Tables:
    """What is known of one board, whatever the position."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.worth = Worth(board)
        self.fields = Fields(board, self.worth)
        self.rows = self.fields.rows
        self.paths = Paths(board)
        self.goals = Goals(board, self.worth, self.paths)
        self._foes: list[Foe | None] = [None, None]
        self._keys = [FoeKeys(board, side) for side in (0, 1)]
        self._pulls: dict[tuple[int, int, int], int] = {}
        self._outside: dict[tuple[int, int], int] = {}

    def foe(self, pos: PlatoonPosition, side: int) -> Foe:
        """The units of a side as they stand; the last arrangement of each side is kept."""
        key = self._keys[side].key(pos)
        foe = self._foes[side]
        if foe is None or foe.key != key:
            foe = self._foes[side] = Foe(self.fields, pos, side, key)
        return foe

    def pull(self, mobility: int, goal: int, short: int) -> int:
        """The row of half MP from each hex to within ``short`` of a goal."""
        row = self._pulls.get((mobility, goal, short))
        if row is None:
            if len(self._pulls) * self.board.size > 1_000_000:
                self._pulls.clear()
            costs = self.paths.towards(mobility, goal)
            row = self._pulls[mobility, goal, short] = self.rows.pack([max(0, cost - short) for cost in costs])
        return row

    def outside(self, centre: int, radius: int) -> int:
        """The row of ones for the hexes further than ``radius`` from a hex."""
        row = self._outside.get((centre, radius))
        if row is None:
            distances = self.board.grid.distances(centre)
            row = self._outside[centre, radius] = self.rows.pack([1 if d > radius else 0 for d in distances])
        return row


class View:
    """A position as the side that decides sees it, with a player's weights."""

    __slots__ = ("_known", "board", "foe", "memo", "missions", "pos", "side", "tables", "weights")

    def __init__(self, tables: Tables, pos: PlatoonPosition, side: int, weights: Weights) -> None:
        self.tables = tables
        self.board = tables.board
        self.pos = pos
        self.side = side
        self.weights = weights
        self.foe = tables.foe(pos, 1 - side)
        self.memo: dict[Any, Any] = self.foe.memo.setdefault(weights, {})
        self._known: dict[tuple[int, int], tuple[Any, ...]] = {}
        self.missions: dict[int, Mission] = tables.goals.missions(pos, side, self.foe)

    def prices(self, unit: int, hq: int, firing: bool = False) -> list[int]:
        """For each hex what being there costs a unit, in SCALEths; ``hq`` is the HQ it takes along, or -1.

        Only differences mean anything: the pull of its mission, what the enemy's fire may do, what
        there is to shoot at, and whether it would be in command.  With ``firing`` it means to fire
        as soon as it is there, so that shot counts in full.
        """
        key = (firing, *self.price_key(unit, hq))
        found: list[int] | None = self.memo.get(key)
        if found is None:
            row = self._price_row(unit, hq)
            if firing:
                shooter = self.tables.worth.shooter(self.pos, unit)
                row -= self.foe.outlook(shooter, True) * (self.weights.damage * 2)
                row += self.foe.outlook(shooter, False) * (self.weights.outlook * 2)
            found = self.memo[key] = self.tables.rows.numbers(row)
        return found

    def outlook(self, unit: int) -> list[int]:
        """For each hex the best shot that a unit would have there, in hundredths of a point."""
        shooter = self.tables.worth.shooter(self.pos, unit)
        key = ("outlook", shooter)
        found: list[int] | None = self.memo.get(key)
        if found is None:
            found = self.memo[key] = self.tables.rows.numbers(self.foe.outlook(shooter, False))
        return found

    def price_key(self, unit: int, hq: int) -> tuple[Any, ...]:
        """All that the prices of hexes depend on, beside the enemy and the weights."""
        known = self._known.get((unit, hq))
        if known is None:
            pos = self.pos
            worth = self.tables.worth
            known = self._known[unit, hq] = (
                worth.target(pos, unit),
                worth.shooter(pos, unit),
                self.board.mobility[unit],
                self.board.allowance[unit],
                pos.disrupted >> unit & 1,
                self.missions.get(unit),
                self._leash(unit, hq),
            )
        return known

    def _leash(self, unit: int, hq: int) -> tuple[int, ...]:
        """Where the HQ and its command radius are; or, for whoever takes it along, where the others are."""
        pos, board = self.pos, self.board
        data = board.formations[board.formation[unit]]
        if data.hq < 0 or not pos.placed >> data.hq & 1:
            return ()
        radius = board.counters[data.hq].radius[1 if pos.steps[data.hq] == 1 else 0]
        if hq < 0:
            return (radius, pos.hex[data.hq])
        others = pos.placed & data.fighters & ~pos.carried & ~(1 << unit)
        where = pos.hex
        return (radius, *[where[other] for other in units(others) if where[other] != where[unit]])

    def _price_row(self, unit: int, hq: int) -> int:
        pos = self.pos
        disrupted = pos.disrupted >> unit & 1
        row = self._threat_row(unit, disrupted)
        if not disrupted:
            mission = self.missions.get(unit)
            if mission is not None:
                row += self._mission_row(unit, mission)
        leash = self._leash(unit, hq)
        if leash:
            row += self._leash_row(unit, leash)
        return row

    def _threat_row(self, unit: int, disrupted: int) -> int:
        """What the enemy's fire may do to a unit, less what it may do to him."""
        worth, weights, foe = self.tables.worth, self.weights, self.foe
        target, shooter = worth.target(self.pos, unit), worth.shooter(self.pos, unit)
        key = ("threat", target, shooter, disrupted)
        row: int | None = self.memo.get(key)
        if row is None:
            row = self.tables.rows.ones * _MIDDLE
            # Exposure is a row of halves already.
            row += foe.exposure(target) * (weights.exposure * (2 if disrupted else 1))
            if not disrupted:
                row -= foe.outlook(shooter, False) * (weights.outlook * 2)
            self.memo[key] = row
        return row

    def _leash_row(self, unit: int, leash: tuple[int, ...]) -> int:
        """What being out of command is expected to cost."""
        formation = self.board.formation[unit]
        key = ("leash", formation, leash)
        row: int | None = self.memo.get(key)
        if row is None:
            morale = self.board.formations[formation].morale
            price = OUT_OF_COMMAND * max(0, 12 - morale) // 12 * self.weights.command * 2
            row = 0
            for place in leash[1:]:
                row += self.tables.outside(place, leash[0])
            row = self.memo[key] = row * price
        return row

    def _mission_row(self, unit: int, mission: Mission) -> int:
        """What the way that is left to a mission's hex costs."""
        board = self.board
        mobility, allowance = board.mobility[unit], board.allowance[unit] or 1
        key = ("mission", mobility, allowance, mission)
        row: int | None = self.memo.get(key)
        if row is None:
            rows = self.tables.rows
            hunting = mission.kind == ATTACK
            worth = mission.value * self.weights.objective * 2
            short = AT_ARMS_LENGTH if hunting else 0
            row = self.tables.pull(mobility, mission.hex, short) * (worth // (allowance * HORIZON))
            if not hunting:
                # Whoever has arrived has half of it for certain.
                row += rows.ones * (worth // 2) - rows.single(mission.hex, worth // 2)
            self.memo[key] = row
        return row
