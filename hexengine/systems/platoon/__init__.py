"""The platoon system: chit-pull activation, opportunity fire, transport.

One module a chapter of the rules, in folders by what they are about:

* the turn: ``cup`` (P1); ``activation`` and ``ending`` (P2); ``operations`` (P2.5, P4.3) with the ``choices``
  of units in a hex, and ``arrival`` (P4.5) in another; ``replacement`` (P9.5); ``victory`` (P16)
* ``moving``: ``movement`` and ``steps`` (P4), ``stacking`` and ``passing`` (P3.4), ``transport`` (P5),
  ``helicopters`` (P13.1, P13.2), ``crossing`` (P14.3), ``entry`` (P15)
* ``firing``: ``fire`` and ``losses`` (P6, P9.3), ``reaction`` (P8), ``observers``, ``smoke`` and
  ``mortars`` (P12)
* ``assaults``: ``assault``, ``overrun``, ``close_combat`` and ``retreat`` (P7)
* ``sight``: on the ground (P10), and from and to the ``air`` (P10.6)
* ``fieldworks``: ``works`` (P11.1) and ``mines`` (P11.2, P11.3)
* ``support``: ``missions`` (P2.4), ``artillery`` (P12) and ``strikes`` (P13.3)
* ``orders``: what can be written; its ``book`` makes and reads it
* ``scenario``: ``format``, ``chart``, ``build``, ``setup`` turn files into a ``board`` and its first
  ``position``
* ``tactics``: what a rule-based player asks
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hexengine.core.conditions import Condition
from hexengine.core.orders import Order, Usage
from hexengine.core.outlook import Outlook, SightLook
from hexengine.core.rulebook import RulesFile, WordsFile
from hexengine.core.system import Report
from hexengine.mechanics.conditions import conditions
from hexengine.mechanics.system import BoardSystem, PlayedBoard
from hexengine.systems.platoon import state
from hexengine.systems.platoon.board import Board
from hexengine.systems.platoon.fieldworks.mines import observed
from hexengine.systems.platoon.orders.support import USAGE as SUPPORT_USAGE
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.scenario.format import ScenarioFile, TerrainFile, UnitsFile
from hexengine.systems.platoon.victory import worth

if TYPE_CHECKING:
    from hexengine.systems.platoon.tactics import PlatoonTactics


class PlatoonSystem(BoardSystem):
    """The rule system named ``platoon``; see hexengine.core.system.RuleSystem."""

    name = "platoon"
    rules_version = 4
    scenario_type: type[Any] = ScenarioFile
    data_types: Mapping[str, type[Any]] = {
        "terrain": TerrainFile,
        "units": UnitsFile,
        "rules": RulesFile,
        "words": WordsFile,
    }

    def build(self, document: Any, data: Mapping[str, Any], report: Report) -> Board | None:
        from hexengine.systems.platoon.scenario.build import build

        return build(document, data, report)

    def check_data(self, name: str, value: Any, report: Report) -> None:
        """Report what is wrong with the content of a data file."""
        from hexengine.systems.platoon.scenario.own_types import check_types

        if name == "units":
            check_types(value.type, report)

    def state(self, pos: PlatoonPosition) -> dict[str, Any]:
        return state.state(pos)

    def conditions(self, pos: PlatoonPosition) -> tuple[Condition, ...]:
        """The victory conditions, and what each would give now."""
        return conditions(pos, worth)

    def usage(self, board: PlayedBoard) -> Mapping[str, Usage]:
        """How orders are written and what they mean, by verb, as far as a scenario can have them."""
        assert isinstance(board, Board)
        absent = set() if board.support else set(SUPPORT_USAGE)
        if not board.options.dig_in:
            absent.add("dig")
        return {verb: usage for verb, usage in super().usage(board).items() if verb not in absent}

    def view(self, pos: PlatoonPosition) -> Outlook:
        from hexengine.systems.platoon.outlook import outlook

        return outlook(pos)

    def observed(self, pos: PlatoonPosition, side: int) -> PlatoonPosition | None:
        """The position without what is hidden from a side; None if nothing is."""
        return observed(pos, side)

    def sight(self, pos: PlatoonPosition, a: int, b: int) -> SightLook:
        from hexengine.systems.platoon.outlook import sight

        return sight(pos, a, b)

    def sight_between(self, pos: PlatoonPosition, a: int, b: int, first: str, second: str) -> SightLook:
        """The line of sight between two hexes, or from or to units in them that may be in the air."""
        from hexengine.systems.platoon.outlook import sight

        return sight(pos, a, b, first, second)

    def tactics(self, board: Board) -> PlatoonTactics:
        from hexengine.systems.platoon.tactics import PlatoonTactics

        # What is worked out about a board serves all games on it.
        if board.tactics is None:
            board.tactics = PlatoonTactics(board)
        return board.tactics

    def candidates(self, pos: PlatoonPosition) -> Iterator[Order]:
        """Every order that can be written about a position, for tests of what is legal."""
        from hexengine.systems.platoon.candidates import candidates

        return candidates(pos)

    def invariants(self, pos: PlatoonPosition) -> None:
        """What must hold after every order; raises AssertionError."""
        from hexengine.systems.platoon.candidates import invariants

        invariants(pos)


SYSTEM = PlatoonSystem()
