"""The squad system: alternating impulses, leaders, five ways to move, fire by the opposed roll.

One module a chapter of the rules, in folders by what they are about:

* the turn: ``turn`` (S1), ``impulse`` (S2) with its ``choices`` and the ``acts`` of single units, ``rally``
  (S11), ``melee`` (S12), ``victory`` and ``control`` (S1.6)
* ``moving``: ``movement`` (S5) and ``steps`` (S3, S4, S6, S7); ``vehicles`` drive, and turn and carry in
  ``transport`` (S4.10, S8.4); ``hazards`` and ``happenings`` (S13)
* ``firing``: ``fire`` and ``damage`` (S8), by ``groups`` (S2.4), ``reaction`` (S9), ``ordnance`` and
  ``armour`` (S14)
* ``sight``: ``lines`` and ``spotting`` (S10); ``observing``, what a side may see of a position
* ``scenario``: ``format``, ``chart``, ``build`` and ``setup`` turn files into a ``board`` of ``places`` and
  its first ``position``
* ``tactics``: what a rule-based player asks
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hexengine.core.conditions import Condition
from hexengine.core.orders import Order
from hexengine.core.outlook import Outlook, SightLook
from hexengine.core.rulebook import RulesFile, WordsFile
from hexengine.core.system import Report
from hexengine.mechanics.system import BoardSystem
from hexengine.systems.squad import state
from hexengine.systems.squad.board import Board
from hexengine.systems.squad.position import SquadPosition
from hexengine.systems.squad.scenario.format import ScenarioFile, TerrainFile, UnitsFile
from hexengine.systems.squad.victory import ways_to_score

if TYPE_CHECKING:
    from hexengine.systems.squad.tactics import SquadTactics


class SquadSystem(BoardSystem):
    """The rule system named ``squad``; see hexengine.core.system.RuleSystem."""

    name = "squad"
    rules_version = 3
    scenario_type: type[Any] = ScenarioFile
    data_types: Mapping[str, type[Any]] = {
        "terrain": TerrainFile,
        "units": UnitsFile,
        "rules": RulesFile,
        "words": WordsFile,
    }

    def build(self, document: Any, data: Mapping[str, Any], report: Report) -> Board | None:
        from hexengine.systems.squad.scenario.build import build

        return build(document, data, report)

    def check_data(self, name: str, value: Any, report: Report) -> None:
        """Report what is wrong with the content of a data file."""
        from hexengine.systems.squad.scenario.roster import check_types

        if name == "units":
            check_types(value.type, report)

    def state(self, pos: SquadPosition) -> dict[str, Any]:
        return state.state(pos)

    def conditions(self, pos: SquadPosition) -> tuple[Condition, ...]:
        """The victory conditions, and what each would give now."""
        return ways_to_score(pos)

    def view(self, pos: SquadPosition) -> Outlook:
        from hexengine.systems.squad.outlook import outlook

        return outlook(pos)

    def observed(self, pos: SquadPosition, side: int) -> SquadPosition | None:
        """The position without what is hidden from a side; None if nothing is."""
        from hexengine.systems.squad.sight.observing import observed

        return observed(pos, side)

    def secrets(self, pos: SquadPosition) -> tuple[int, ...]:
        """What is hidden from anybody: units, events, and mines that nobody has met."""
        return pos.hidden, pos.events, pos.known_mines

    def sight(self, pos: SquadPosition, a: int, b: int) -> SightLook:
        from hexengine.systems.squad.outlook import sight

        return sight(pos, a, b)

    def sight_between(self, pos: SquadPosition, a: int, b: int, first: str, second: str) -> SightLook:
        """The line of sight between units in them, or floors, bunkers and caves of theirs."""
        from hexengine.systems.squad.outlook import sight

        return sight(pos, a, b, first, second)

    def tactics(self, board: Board) -> SquadTactics:
        from hexengine.systems.squad.tactics import SquadTactics

        return SquadTactics(board)

    def candidates(self, pos: SquadPosition) -> Iterator[Order]:
        """Every order that can be written about a position, for tests of what is legal."""
        from hexengine.systems.squad.candidates import candidates

        return candidates(pos)

    def invariants(self, pos: SquadPosition) -> None:
        """What must hold after every order; raises AssertionError."""
        from hexengine.systems.squad.candidates import invariants

        invariants(pos)


SYSTEM = SquadSystem()
