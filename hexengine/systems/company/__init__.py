"""The company system: player turns in steps, whole moves, platoons of teams, buildings with real walls.

One module a chapter of the rules, in folders by what they are about:

* the turn: ``turn`` (C10), ``morale`` (C10, C11), ``victory``; what it is played on: ``ground`` (C6)
* ``moving``: ``movement``, ``reach`` and ``walking`` (C1, C7 to C9), ``double`` (C2), ``climbing`` (C6.6),
  ``digging`` (C3, C5)
* ``firing``: ``shooting``, its ``shots``, each a ``volley``, and their ``hits`` (C12); ``artillery`` (C13.6)
* ``assaults``: ``assault``, ``clash`` and ``contact`` (C13.1 to C13.5)
* ``sight``: ``lines`` (C12.1) and ``floors`` (C6.6), ``cover`` (C4)
* ``scenario``: ``scale`` (C1.1), ``format``, ``chart``, ``roster``, ``build`` and ``setup`` turn files into a
  ``board`` and its first ``position``
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
from hexengine.mechanics.conditions import conditions
from hexengine.mechanics.system import BoardSystem
from hexengine.systems.company import state
from hexengine.systems.company.board import Board
from hexengine.systems.company.position import CompanyPosition
from hexengine.systems.company.scenario.format import ScenarioFile, TablesFile, TerrainFile, UnitsFile
from hexengine.systems.company.victory import worth

if TYPE_CHECKING:
    from hexengine.systems.company.tactics import CompanyTactics


class CompanySystem(BoardSystem):
    """The rule system named ``company``; see hexengine.core.system.RuleSystem."""

    name = "company"
    rules_version = 5
    scenario_type: type[Any] = ScenarioFile
    data_types: Mapping[str, type[Any]] = {
        "terrain": TerrainFile,
        "units": UnitsFile,
        "tables": TablesFile,
        "rules": RulesFile,
        "words": WordsFile,
    }

    def build(self, document: Any, data: Mapping[str, Any], report: Report) -> Board | None:
        from hexengine.systems.company.scenario.build import build

        return build(document, data, report)

    def check_data(self, name: str, value: Any, report: Report) -> None:
        """Report what is wrong with the content of a data file."""
        from hexengine.systems.company.scenario.arsenal import check_types

        if name == "units":
            check_types(value.type, report)

    def state(self, pos: CompanyPosition) -> dict[str, Any]:
        return state.state(pos)

    def conditions(self, pos: CompanyPosition) -> tuple[Condition, ...]:
        """The victory conditions, and what each would give now."""
        return conditions(pos, worth)

    def view(self, pos: CompanyPosition) -> Outlook:
        from hexengine.systems.company.outlook import outlook

        return outlook(pos)

    def sight(self, pos: CompanyPosition, a: int, b: int) -> SightLook:
        from hexengine.systems.company.outlook import sight

        return sight(pos, a, b)

    def sight_between(self, pos: CompanyPosition, a: int, b: int, first: str, second: str) -> SightLook:
        """The line of sight between teams in them, or floors of theirs."""
        from hexengine.systems.company.outlook import sight

        return sight(pos, a, b, first, second)

    def observed(self, pos: CompanyPosition, side: int) -> CompanyPosition | None:
        """A copy without the other side's teams in ambush; None if there are none."""
        hidden = pos.hiding & ~pos.board.side_units[side]
        if not hidden:
            return None
        seen = pos.copy()
        seen.hiding &= ~hidden
        return seen

    def secrets(self, pos: CompanyPosition) -> tuple[int, ...]:
        """What is hidden from anybody: teams in ambush."""
        return (pos.hiding,)

    def tactics(self, board: Board) -> CompanyTactics:
        from hexengine.systems.company.tactics import CompanyTactics

        return CompanyTactics(board)

    def candidates(self, pos: CompanyPosition) -> Iterator[Order]:
        """Orders that can be written about a position, for tests of what is legal."""
        from hexengine.systems.company.candidates import candidates

        return candidates(pos)

    def invariants(self, pos: CompanyPosition) -> None:
        """What must hold after every order; raises AssertionError."""
        from hexengine.systems.company.candidates import invariants

        invariants(pos)


SYSTEM = CompanySystem()
