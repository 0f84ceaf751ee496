"""One decision as a side sees it: the enemy as it stands, missions, and what hexes are worth to whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hexengine.core.tactics import Weights
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.board import AIR, AIR_CLASS, Board
from hexengine.systems.platoon.fieldworks.mines import MINE_DICE
from hexengine.systems.platoon.firing.reaction import eligible
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.tactics.foe import Fields, Foe, FoeKey, FoeKeys
from hexengine.systems.platoon.tactics.goals import ATTACK, Goals, Mission
from hexengine.systems.platoon.tactics.paths import Paths
from hexengine.systems.platoon.tactics.worth import HIT, Shooter, Target, Worth

FOES_KEPT = 16
"""Arrangements of a side that are kept: who looks ahead comes back to the same ones."""

MINE_HITS = 2 * MINE_DICE * HIT // 6
"""The hits (in HITths) that mines are expected to score on whoever enters: two faces of six hit (P11.2)."""

SCALE = 100
"""Prices of hexes are counted in this part of a hundredth of a point."""

_MIDDLE = 1 << 28
"""Added to every price, so that none is negative."""

HIGHEST = 1 << 22
"""The highest worth of a mission, in SCALEths: prices must keep within the numbers of a row."""

HORIZON = 3
"""Activations in which a mission's worth is to be earned."""

AT_ARMS_LENGTH = 8
"""Half MP from an enemy at which a hunter needs no urging any more."""

RALLIES_OF_36 = (0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)
"""Of 36 rolls of two dice, how many show each sum."""

OUT_OF_COMMAND = 40
"""Hundredths of a point that a lost activation of a unit costs."""


class Tables:
    """What is known of one board, whatever the position."""

    def __init__(self, board: Board, positions: int | None = None, mines: int = 0) -> None:
        """``positions``: the improved ones, by default those of the scenario; ``mines``: where some lie."""
        self.board = board
        self.mines = mines
        self.positions = board.positions if positions is None else positions
        """The improved positions that all this was worked out with."""
        self.worth = Worth(board)
        self.fields = Fields(board, self.worth, self.positions)
        self.rows = self.fields.rows
        self.paths = Paths(board)
        self.goals = Goals(board, self.worth, self.paths)
        self.middle = self.rows.ones * _MIDDLE
        self._foes: list[dict[FoeKey, Foe]] = [{}, {}]
        self._outlooks: list[dict[Any, dict[Shooter, int]]] = [{}, {}]
        self._keys = [FoeKeys(board, side) for side in (0, 1)]
        self._pulls: dict[tuple[int, int, int], int] = {}
        self._outside: dict[tuple[int, int], int] = {}
        self._at_best: dict[tuple[Shooter, Target], int] = {}

    def foe(self, pos: PlatoonPosition, side: int) -> Foe:
        """The units of a side as they stand; a few arrangements of each side are kept."""
        key = self._keys[side].key(pos)
        foes = self._foes[side]
        found = foes.get(key)
        if found is None:
            mine = self.board.side_units[side]
            standing = (pos.placed & ~pos.carried & mine, pos.landed & mine, key[-2])
            known = self._outlooks[side]
            if standing not in known:
                known.clear()
                known[standing] = {}
            if len(foes) == FOES_KEPT:
                del foes[next(iter(foes))]
            found = foes[key] = Foe(self.fields, pos, side, known[standing])
        return found

    def at_best(self, shooter: Shooter, target: Target) -> int:
        """What a shot at a target may bring at its best: in the open, at the best range."""
        found = self._at_best.get((shooter, target))
        if found is None:
            powers = {power for power in shooter.powers[target.defence.kind] if power}
            found = max((self.worth.loss(target, *power, 0, 0) for power in powers), default=0)
            self._at_best[shooter, target] = found
        return found

    def pull(self, mobility: int, goal: int, short: int) -> int:
        """The row of half MP from each hex to within ``short`` of a goal."""
        row = self._pulls.get((mobility, goal, short))
        if row is None:
            if len(self._pulls) * self.board.size > 1_000_000:
                self._pulls.clear()
            costs = self.paths.towards(mobility, goal)
            row = self._pulls[mobility, goal, short] = self.rows.pack(
                [max(0, cost - short) for cost in costs]
            )
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

    __slots__ = (
        "_kins",
        "_leashes",
        "_parts",
        "board",
        "foe",
        "memo",
        "missions",
        "pos",
        "ready",
        "side",
        "tables",
        "weights",
    )

    def __init__(self, tables: Tables, pos: PlatoonPosition, side: int, weights: Weights) -> None:
        self.tables = tables
        self.board = tables.board
        self.pos = pos
        self.side = side
        self.weights = weights
        self.foe = tables.foe(pos, 1 - side)
        self.ready = eligible(pos, 1 - side)
        self.memo: dict[Any, Any] = self.foe.memos.setdefault(weights, {})
        self._leashes: dict[int, tuple[int, ...]] = {}
        self._kins: dict[tuple[int, int], int] = {}
        self._parts: dict[int, tuple[Target, Shooter]] = {}
        self.missions: dict[int, Mission] = tables.goals.orders(pos, side).missions

    def prices(self, unit: int, hq: int) -> Sequence[int]:
        """For each hex what being there costs a unit, in SCALEths; ``hq`` is the HQ it takes along, or -1.

        Only differences mean anything: the pull of its mission, what the enemy's fire may do, what
        there is to shoot at, and whether it would be in command.
        """
        key = ("prices", self.kin(unit, hq))
        found: Sequence[int] | None = self.memo.get(key)
        if found is None:
            found = self.memo[key] = self.tables.rows.numbers(self._price_row(unit, hq))
        return found

    def best_shot_from(self, unit: int, place: int) -> int:
        """The best shot that a unit would have from a hex, in hundredths of a point."""
        return self.tables.rows.at(self.foe.outlook(self.parts(unit)[1]), place)

    def risk(self, unit: int) -> list[int] | None:
        """For each hex the hits (in HITths) that opportunity fire or mines may score there; None if none."""
        if not (self.ready or self.tables.mines):
            return None
        key = ("risk", self.parts(unit)[0].defence, self.ready)
        if key in self.memo:
            known: list[int] | None = self.memo[key]
            return known
        found = self.foe.risk(key[1], self.ready)
        if self.tables.mines and key[1].kind != AIR:
            found = found or [0] * self.board.size
            for place in units(self.tables.mines):
                found[place] += MINE_HITS
        self.memo[key] = found
        return found

    def parts(self, unit: int) -> tuple[Target, Shooter]:
        """A unit as a target, and as a shooter."""
        found = self._parts.get(unit)
        if found is None:
            worth = self.tables.worth
            found = self._parts[unit] = (
                worth.target(self.pos, unit, aloft=True),
                worth.shooter(self.pos, unit),
            )
        return found

    def kin(self, unit: int, hq: int) -> int:
        """A number for all that the prices of hexes depend on, beside the enemy and the weights."""
        found = self._kins.get((unit, hq))
        if found is not None:
            return found
        board = self.board
        key = (
            self.parts(unit),
            board.mobility[unit],
            board.allowance[unit],
            self.pos.disrupted >> unit & 1,
            self.missions.get(unit),
            self._leash(unit, hq),
            # A Disrupted unit looks at its HQ itself.
            self._staff(unit) if self.pos.disrupted >> unit & 1 else (),
        )
        known: int | None = self.memo.get(key)
        if known is None:
            known = self.memo[key] = len(self.memo)
        self._kins[unit, hq] = known
        return known

    def _staff(self, unit: int) -> tuple[int, ...]:
        """What a Disrupted unit expects of its HQ: what rallying is worth, where, and how it leads."""
        pos, board = self.pos, self.board
        hq = board.formations[board.formation[unit]].hq
        return (unit, hq, pos.hex[hq], pos.steps[hq]) if hq >= 0 else (unit,)

    def _leash(self, unit: int, hq: int) -> tuple[int, ...]:
        """Where the HQ and its command radius are; or, for whoever takes it along, where the others are."""
        formation = self.board.formation[unit]
        if hq < 0:
            known = self._leashes.get(formation)
            if known is not None:
                return known
        pos = self.pos
        data = self.board.formations[formation]
        found: tuple[int, ...] = ()
        if data.hq >= 0 and pos.placed >> data.hq & 1:
            radius = self.board.counters[data.hq].radius[1 if pos.steps[data.hq] == 1 else 0]
            where = pos.hex
            if hq >= 0:
                others = pos.placed & data.fighters & ~pos.carried & ~(1 << unit)
                return (radius, *[where[other] for other in units(others) if where[other] != where[unit]])
            found = (radius, where[data.hq])
        self._leashes[formation] = found
        return found

    def _price_row(self, unit: int, hq: int) -> int:
        pos = self.pos
        disrupted = pos.disrupted >> unit & 1
        row = self._threat_row(unit, disrupted)
        mission = self.missions.get(unit)
        if disrupted:
            row += self._rally_row(unit)
        elif mission is not None:
            row += self._mission_row(unit, mission)
        leash = self._leash(unit, hq)
        if leash:
            row += self._leash_row(unit, leash)
        return row

    def _threat_row(self, unit: int, disrupted: int) -> int:
        """What the enemy's fire may do to a unit, less what it may do to him."""
        weights, foe = self.weights, self.foe
        target, shooter = self.parts(unit)
        key = ("threat", target, shooter, disrupted)
        row: int | None = self.memo.get(key)
        if row is None:
            rows = self.tables.rows
            by = target.a_hit * weights.exposure * (2 if disrupted else 1)
            row = self.tables.middle + rows.scaled(foe.hits(target.defence), min(by, foe.largest), 2 * HIT)
            if not disrupted:
                row -= foe.outlook(shooter) * weights.outlook
            self.memo[key] = row
        return row

    def _rally_row(self, unit: int) -> int:
        """What it costs a Disrupted unit to be without its HQ when it tries to rally (P2.3)."""
        pos, board = self.pos, self.board
        data = board.formations[board.formation[unit]]
        if data.hq < 0 or not pos.placed >> data.hq & 1:
            return 0
        lead = board.counters[data.hq].leadership[1 if pos.steps[data.hq] == 1 else 0]
        better = sum(
            RALLIES_OF_36[morale] for morale in range(data.morale + 1, min(data.morale + lead, 12) + 1)
        )
        good, shaken = self.tables.worth.values[unit][pos.steps[unit]]
        price = min(HIGHEST, (good - shaken) * better * SCALE // 36)
        rows = self.tables.rows
        return rows.ones * price - rows.single(pos.hex[data.hq], price)

    def _leash_row(self, unit: int, leash: tuple[int, ...]) -> int:
        """What being out of command is expected to cost."""
        formation = self.board.formation[unit]
        key = ("leash", formation, leash)
        row: int | None = self.memo.get(key)
        if row is None:
            morale = self.board.formations[formation].morale
            price = OUT_OF_COMMAND * max(0, 12 - morale) // 12 * self.weights.command
            row = 0
            for place in leash[1:]:
                row += self.tables.outside(place, leash[0])
            row = self.memo[key] = row * price
        return row

    def _mission_row(self, unit: int, mission: Mission) -> int:
        """What the way that is left to a mission's hex costs."""
        board = self.board
        mobility, allowance = board.mobility[unit], board.allowance[unit] or 1
        key = ("mission", mobility, allowance, mission, board.reach[unit] if mobility == AIR_CLASS else 0)
        row: int | None = self.memo.get(key)
        if row is None:
            rows = self.tables.rows
            hunting = mission.kind == ATTACK
            worth = min(HIGHEST, mission.value * self.weights.objective)
            short = board.reach[unit] if mobility == AIR_CLASS else AT_ARMS_LENGTH if hunting else 0
            row = self.tables.pull(mobility, mission.hex, short) * (worth // (allowance * HORIZON))
            if not hunting:
                # Whoever has arrived has half of it for certain.
                row += rows.ones * (worth // 2) - rows.single(mission.hex, worth // 2)
            self.memo[key] = row
        return row
