"""How games end, what brings the points, and who comes later: counts over many games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from hexengine.core.conditions import Condition, conditions
from hexengine.core.system import get_system
from hexengine.lab.course import absent, roster

if TYPE_CHECKING:
    from hexengine.core.scenario import Scenario
    from hexengine.lab.play import GameResult


class Gain(NamedTuple):
    """A victory condition: the points that it brought in a game on average, and the part of games in which it
    brought any.  ``each``, ``at_least`` and ``each_turn`` are as :class:`Condition` has them."""

    side: str
    kind: str
    hexes: tuple[str, ...]
    each: int
    at_least: int
    each_turn: bool
    points: float
    share: float


class Arrival(NamedTuple):
    """A unit that is not there from the start: the part of games in which it came, the mean turn in which it
    did (None: it never came), and games by turn."""

    side: str
    unit: str
    name: str
    share: float
    turn: float | None
    turns: dict[int, int]


class Yield(NamedTuple):
    """Games by the reason why they ended, every condition in the scenario's order, and who comes later."""

    ends: dict[str, int]
    gains: tuple[Gain, ...]
    arrivals: tuple[Arrival, ...]


def yielded(scenario: Scenario, results: Sequence[GameResult]) -> Yield:
    """Count over games that have their courses; at least one."""
    return Yield(ends(results), _gains(scenario, results), _arrivals(scenario, results))


def ends(results: Sequence[GameResult]) -> dict[str, int]:
    """Games by the reason why they ended."""
    return dict(sorted(Counter(game.reason for game in results).items()))


def in_words(reasons: Mapping[str, int]) -> str:
    """Reasons with their games, in one line."""
    return ", ".join(f"{reason} {games}" for reason, games in sorted(reasons.items())) or "-"


def _gains(scenario: Scenario, results: Sequence[GameResult]) -> tuple[Gain, ...]:
    system = get_system(scenario.system)
    brought = [game.course.gains for game in results if game.course and game.course.gains is not None]
    columns = list(zip(*brought, strict=True))
    return tuple(
        _gain(scenario, condition, points)
        for condition, points in zip(conditions(system, system.start(scenario.board)), columns, strict=True)
    )


def _gain(scenario: Scenario, condition: Condition, points: Sequence[int]) -> Gain:
    side, kind, hexes, each, at_least, each_turn, _ = condition
    share = fmean(one != 0 for one in points)
    return Gain(scenario.sides[side], kind, hexes, each, at_least, each_turn, fmean(points), share)


def _arrivals(scenario: Scenario, results: Sequence[GameResult]) -> tuple[Arrival, ...]:
    known = roster(scenario)
    courses = [game.course.arrivals for game in results if game.course and game.course.arrivals is not None]
    rows = []
    for unit in absent(scenario):
        turns = [came[unit] for came in courses if unit in came]
        rows.append(
            Arrival(
                known[unit].side,
                unit,
                known[unit].name,
                len(turns) / len(courses),
                fmean(turns) if turns else None,
                dict(sorted(Counter(turns).items())),
            )
        )
    return tuple(sorted(rows, key=lambda row: scenario.sides.index(row.side)))
