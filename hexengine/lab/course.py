"""How a game went, turn by turn: who led, who held which hex, and what was lost in the end.

It is taken from what every rule system tells of a position, and only where somebody asks for it: batches do
not pay for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from hexengine.core.system import get_system

if TYPE_CHECKING:
    from hexengine.core.game import Game
    from hexengine.core.scenario import Scenario

NOBODY = "."
"""Who holds a hex that nobody holds; sides are the digits 0 and 1, in the scenario's order."""


class TurnEnd(NamedTuple):
    """The end of a turn, or of the game within it: points by side, in the scenario's order, and who holds
    each hex of the map, one character a hex."""

    turn: int
    score: tuple[int, ...]
    control: str


class CounterLosses(NamedTuple):
    """What a side lost of all its counters of one name: steps, and units wholly."""

    steps: int
    units: int


class Course(NamedTuple):
    """A game from turn to turn, and its losses by side and by the name on the counters."""

    turns: tuple[TurnEnd, ...]
    losses: dict[str, dict[str, CounterLosses]]


class Entry(NamedTuple):
    """A unit of a scenario: its side, the name on its counter, and its steps at the start."""

    side: str
    name: str
    steps: int


@lru_cache(maxsize=4)
def roster(scenario: Scenario) -> dict[str, Entry]:
    """Every unit of a scenario by its id."""
    system = get_system(scenario.system)
    look = system.view(system.start(scenario.board))
    return {piece.unit: Entry(scenario.sides[piece.side], piece.name, piece.steps) for piece in look.pieces}


@lru_cache(maxsize=4)
def labels(scenario: Scenario) -> tuple[str, ...]:
    """The names of all hexes, in the order of ``TurnEnd.control``."""
    system = get_system(scenario.system)
    return tuple(system.view(system.start(scenario.board)).ground.map.grid.labels)


class Witness:
    """Looks on while a game is played: call :meth:`look` after every order, and :meth:`course` at the end."""

    __slots__ = ("_clock", "_turn", "game", "numbers", "places", "turns")

    def __init__(self, game: Game) -> None:
        self.game = game
        scenario = game.scenario
        self.places = {label: number for number, label in enumerate(labels(scenario))}
        self.numbers = {side: str(number) for number, side in enumerate(scenario.sides)}
        self.turns: list[TurnEnd] = []
        self._clock: Any = getattr(game.position, "turn", None)
        self._turn: int = game.state()["turn"]

    def look(self) -> None:
        """Take down the turn that has ended, if one has."""
        # Positions that count their turns themselves say at once that nothing has changed.
        clock = getattr(self.game.position, "turn", None)
        if clock is None or clock != self._clock:
            self._clock = clock
            state = self.game.state()
            if state["turn"] != self._turn:
                self._take(state)
                self._turn = state["turn"]

    def _take(self, state: Mapping[str, Any]) -> None:
        control = [NOBODY] * len(self.places)
        for label, side in state["control"].items():
            control[self.places[label]] = self.numbers[side]
        score = tuple(state["score"][side] for side in self.numbers)
        self.turns.append(TurnEnd(self._turn, score, "".join(control)))

    def course(self) -> Course:
        """The whole course; the game is over, or broken off."""
        state = self.game.state()
        self._take(state)
        lost: dict[str, dict[str, list[int]]] = {side: {} for side in self.numbers}
        for unit, (side, name, steps) in roster(self.game.scenario).items():
            left = state["units"][unit]["steps"]
            both = lost[side].setdefault(name, [0, 0])
            both[0] += max(0, steps - left)
            both[1] += left == 0 < steps
        losses = {
            side: {name: CounterLosses(*both) for name, both in by_name.items()}
            for side, by_name in lost.items()
        }
        return Course(tuple(self.turns), losses)
