"""Which units stand together at the start, and whether they may (P3.4, P4.2, P4.4, P9.1)."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import TYPE_CHECKING

from hexengine.mechanics.checking import Path
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.board import CLASSES, HEADQUARTERS
from hexengine.systems.platoon.moving.stacking import place_at
from hexengine.systems.platoon.position import STACKING_LIMIT, PlatoonPosition

if TYPE_CHECKING:
    from hexengine.systems.platoon.scenario.build import Builder

MOST_NAMED = 12
"""Units of one stack that a message names."""


class Stacks:
    """The units of a position that is set up, by hex and side; those on the ground alone stand in stacks.

    ``unsure`` are the hexes of which, after faults, nothing is known.
    """

    def __init__(self, pos: PlatoonPosition, builder: Builder, unsure: Set[int]) -> None:
        self._pos = pos
        self._builder = builder
        self._unsure = unsure
        self._stacks: dict[tuple[int, int], list[int]] = {}

    def put(self, unit: int, place: int) -> None:
        """A unit begins in a hex."""
        board = self._pos.board
        if board.air >> unit & 1:
            place_at(self._pos, unit, place)
        else:
            self._stacks.setdefault((place, board.side[unit]), []).append(unit)

    def settle(self) -> None:
        """Let them stand there; of those over the limit none does, and they are reported."""
        board, pos = self._pos.board, self._pos
        for (place, side), stack in self._stacks.items():
            label = board.labels[place]
            counted = [unit for unit in stack if board.counted >> unit & 1]
            if len(counted) > STACKING_LIMIT:
                names = ", ".join([board.ids[unit] for unit in counted[:MOST_NAMED]])
                names += ", …" if len(counted) > MOST_NAMED else ""
                text = f"more than {STACKING_LIMIT} units of a side stand in {label}: {names}"
                self._tell(counted[STACKING_LIMIT], text, "P3.4", self._together(counted))
            hqs = [unit for unit in stack if board.hqs >> unit & 1]
            if len(hqs) > 1:
                self._tell(hqs[1], f"two HQs of a side stand in {label}", "P3.4", self._together(hqs))
            other = self._stacks.get((place, 1 - side))
            if side == 0 and other:
                self._tell(stack[0], f"both sides stand in {label}", "P4.4", self._together(stack + other))
            for unit in stack:
                if unit not in counted[STACKING_LIMIT:] and unit not in hqs[1:]:
                    place_at(pos, unit, place)

    def check(self) -> None:
        """Report prohibited ground, lone HQs, and helicopters that have landed among the enemy."""
        board, pos = self._pos.board, self._pos
        for (place, _), stack in self._stacks.items():
            for unit in stack:
                self._check_ground(unit, place)
                if board.counters[unit].kind == HEADQUARTERS:
                    self._check_company(unit, place, stack)
        for unit in units(board.air & pos.placed):
            place = pos.hex[unit]
            enemy = self._stacks.get((place, 1 - board.side[unit]))
            if enemy and "landed" in self._builder.document.unit[unit].status:
                text = f"{board.ids[unit]} cannot have landed among the enemy in {board.labels[place]}"
                self._tell(unit, text, "P13.1", self._together([unit, *enemy]))

    def _tell(self, unit: int, text: str, rule: str, rests_on: Sequence[Path]) -> None:
        self._builder.report(("unit", unit, "hex"), text, rule=rule, rests_on=rests_on)

    def _together(self, stack: Sequence[int]) -> list[Path]:
        """What a fault of several units in a hex rests on: their kinds, and whether they are of one side."""
        formations = {self._pos.board.formation[unit] for unit in stack}
        sides: list[Path] = [("formation", number, "side") for number in formations]
        return self._builder.kind_paths(stack) + (sides if len(sides) > 1 else [])

    def _check_ground(self, unit: int, place: int) -> None:
        """A unit is where it could go, or could swim (P4.2)."""
        board = self._pos.board
        mobility = board.counters[unit].mobility
        if mobility < 0 or place in self._unsure or board.entry_costs[mobility][place] is not None:
            return
        ways_in = [there for there in board.neighbours[place] if there >= 0]
        swims = board.water >> place & board.amphibious >> unit & 1
        if swims or any(board.map.step_cost(there, place, CLASSES[mobility]) for there in ways_in):
            return
        text = f"{board.ids[unit]} cannot be in {board.labels[place]}: the terrain is prohibited to it"
        rests_on = self._builder.kind_paths([unit], "mobility", "flags") + self._builder.terrain_paths(
            board, place
        )
        self._tell(unit, text, "P4.2", rests_on)

    def _check_company(self, hq: int, place: int, stack: Sequence[int]) -> None:
        """An HQ stands with a unit of its formation (P9.1)."""
        board, pos, builder = self._pos.board, self._pos, self._builder
        number = board.formation[hq]
        formation = board.formations[number]
        if any(formation.fighters >> unit & 1 for unit in stack):
            return
        # whoever is not on the map for a fault of its own, or may be of this formation, may be its company
        rests_on = [("formation", number, "id"), *builder.kind_paths([hq])]
        for unit, given in enumerate(builder.document.unit):
            if builder.hex_of[unit] == place:
                rests_on += [("unit", unit, "formation"), *builder.kind_paths([unit])]
            elif formation.members >> unit & 1 and not pos.placed >> unit & 1 and given.turn is None:
                rests_on += [("unit", unit, "hex"), ("unit", unit, "id")]
        text = f"the HQ {board.ids[hq]} stands alone in {board.labels[place]}"
        self._tell(hq, text, "P9.1", rests_on)
