"""How a game went, turn by turn: who led, who held which hex, who came when, and in the end what was lost and
what brought the points.

It is taken from what every rule system tells of a position, and only where somebody asks for it: batches do
not pay for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from hexengine.core.conditions import conditions
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
    """A game from turn to turn, and its losses by side and by the name on the counters.

    ``gains`` are the points that each victory condition brought, in the order of the scenario;
    ``arrivals`` the turn in which each unit came that was not there from the start.  None: files of former
    versions did not keep them.
    """

    turns: tuple[TurnEnd, ...]
    losses: dict[str, dict[str, CounterLosses]]
    gains: tuple[int, ...] | None = None
    arrivals: dict[str, int] | None = None


class Entry(NamedTuple):
    """A unit of a scenario: its side, the name on its counter, and its steps at the start."""

    side: str
    name: str
    steps: int


@lru_cache(maxsize=4)
def roster(scenario: Scenario) -> dict[str, Entry]:
    """Every unit of a scenario by its id."""
    system = get_system(scenario.system)
    start = system.start(scenario.board)
    units = system.state(start)["units"]
    return {
        piece.unit: Entry(scenario.sides[piece.side], piece.name, units[piece.unit]["steps"])
        for piece in system.view(start).pieces
    }


def losses(game: Game) -> dict[str, dict[str, CounterLosses]]:
    """What has been lost so far, by side and by the name on the counters.

    Steps that have gone over to units which were not there at the start (the other half of a squad that has
    split) are not lost.
    """
    listed, units = roster(game.scenario), game.state()["units"]
    lost: dict[str, dict[str, list[int]]] = {side: {} for side in game.scenario.sides}
    for unit, (side, name, steps) in listed.items():
        left = units[unit]["steps"]
        both = lost[side].setdefault(name, [0, 0])
        both[0] += steps - left
        both[1] += left == 0 < steps
    for piece in game.system.view(game.position).pieces:
        known = lost[game.scenario.sides[piece.side]].get(piece.name)
        if piece.unit not in listed and known is not None:
            known[0] -= units[piece.unit]["steps"]
    return {
        side: {name: CounterLosses(max(0, steps), gone) for name, (steps, gone) in by_name.items()}
        for side, by_name in lost.items()
    }


@lru_cache(maxsize=4)
def labels(scenario: Scenario) -> tuple[str, ...]:
    """The names of all hexes, in the order of ``TurnEnd.control``."""
    system = get_system(scenario.system)
    return tuple(system.view(system.start(scenario.board)).ground.map.grid.labels)


def _there(units: Mapping[str, Any], unit: str) -> bool:
    """Whether a unit is on the map, by itself or with whoever carries it."""
    at: str | None = unit
    while at is not None and units[at]["hex"] is None:
        at = units[at]["carrier"]
    return at is not None


@lru_cache(maxsize=4)
def absent(scenario: Scenario) -> tuple[str, ...]:
    """The units that come later: reinforcements, reserves, those in ambush and whom events bring."""
    system = get_system(scenario.system)
    units = system.state(system.start(scenario.board))["units"]
    return tuple(unit for unit, one in units.items() if one["steps"] and not _there(units, unit))


class Witness:
    """Looks on while a game is played: call :meth:`look` after every order, and :meth:`course` at the end."""

    __slots__ = (
        "_clock",
        "_turn",
        "arrivals",
        "game",
        "kept",
        "numbers",
        "places",
        "scored",
        "turns",
        "waiting",
    )

    def __init__(self, game: Game) -> None:
        self.game = game
        scenario = game.scenario
        self.places = {label: number for number, label in enumerate(labels(scenario))}
        self.numbers = {side: str(number) for number, side in enumerate(scenario.sides)}
        self.turns: list[TurnEnd] = []
        self.kept = [0] * len(conditions(game.system, game.position))
        self.scored = [0] * len(self.numbers)
        self.waiting = list(absent(scenario))
        self.arrivals: dict[str, int] = {}
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
        self._keep(score)
        for unit in self.waiting[:]:
            if _there(state["units"], unit) or not state["units"][unit]["steps"]:
                self.arrivals[unit] = self._turn
                self.waiting.remove(unit)

    def _keep(self, score: tuple[int, ...]) -> None:
        """Share out what a side has scored at the ends of turns among the conditions that are scored there.

        Who holds what is still as it was then: nobody has ordered anything since.
        """
        now = conditions(self.game.system, self.game.position)
        for side, points in enumerate(score):
            mine = [number for number, one in enumerate(now) if one.side == side and one.each_turn]
            at_the_end = sum([one.points for one in now if one.side == side and not one.each_turn])
            fresh = points - at_the_end - self.scored[side]
            self.scored[side] += fresh
            due = sum([now[number].points for number in mine])
            for number in mine if due else ():
                self.kept[number] += now[number].points * fresh // due

    def course(self) -> Course:
        """The whole course; the game is over, or broken off."""
        self._take(self.game.state())
        now = conditions(self.game.system, self.game.position)
        gains = [self.kept[number] if one.each_turn else one.points for number, one in enumerate(now)]
        return Course(tuple(self.turns), losses(self.game), tuple(gains), self.arrivals)
