"""Chances of a whole way: steps one after the other, with the opportunity fire that they draw.

Exact where the tree of positions is small: order by order, positions that differ in nothing but the dice
counters merged.  Else the same is played with seeded dice, and the number of samples says how sure it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from hexengine.core.dice import SeededDice
from hexengine.core.errors import IllegalOrder, InvalidOrder
from hexengine.core.odds import DECLINES, Outcome, aftermath, is_asked, outcomes, way_to_pass
from hexengine.core.tactics import Weights

if TYPE_CHECKING:
    from hexengine.core.dice import Dice
    from hexengine.core.game import Game
    from hexengine.core.orders import Order
    from hexengine.core.position import Position
    from hexengine.core.system import RuleSystem
    from hexengine.core.tactics import Tactics

RUNS = 4_000
"""Runs of the rules up to which chances are exact unless another bound is asked for."""

SAMPLES = 1_000
"""Samples that are played where the tree is larger, unless another number is asked for."""

HARMLESS = frozenset({"finished", "hidden"})
"""States that a unit may come to have on a way and still be whole."""


class Answers(Protocol):
    """A policy: what a side answers that is asked in between, from the position alone."""

    def __call__(self, pos: Any) -> Order | None:
        """A legal order of the side that is asked; None declines."""
        ...


class BestShots:
    """The policy of a side that keeps no shot for later: it takes every shot, the best first.

    Which is best, the system's tactics say (their ``candidates`` without patience) from what that side
    may see, however little a shot is worth.
    """

    def __init__(self, system: RuleSystem, board: Any) -> None:
        self._tactics: Tactics | None = system.tactics(board)
        self._observed = getattr(system, "observed", None)
        self._weights = Weights(patience=0)

    def __call__(self, pos: Any) -> Order | None:
        """The best shot; None if the system's tactics know none that is legal, or there are no tactics."""
        if self._tactics is None:
            return None
        frame = pos.frames[-1]
        seen = self._observed(pos, frame.decider(pos)) if self._observed is not None else None
        for candidate in self._tactics.candidates(pos if seen is None else seen, self._weights):
            if str(candidate.order) != DECLINES and frame.check(pos, candidate.order) is None:
                return candidate.order
        return None


class Fate(NamedTuple):
    """What may become of one unit: its hex (None: off the map), its steps and states at the end of the way.

    ``whole``: it went the way to its end and came to no harm.
    """

    probability: Fraction
    hex: str | None
    steps: int
    status: tuple[str, ...]
    whole: bool


class PathOdds(NamedTuple):
    """What a way may bring.

    Exact if ``samples`` is 0; else every probability is a share of that many samples, and
    ``hexengine.lab.wilson(share * samples, samples)`` bounds it.  ``runs``: how often the rules were run,
    each time up to an answer of chance.
    """

    orders: tuple[Order, ...]
    outcomes: list[Outcome]
    """Distinct results as in :func:`~hexengine.core.odds.odds`, likeliest first."""
    whole: Fraction
    """The chance that all units that set out arrive, unhurt (1 if no units are named)."""
    lost: Fraction
    """The chance that at least one of them is eliminated."""
    fates: dict[str, list[Fate]]
    """By unit, in the order in which they are named; likeliest first."""
    runs: int
    samples: int


class End(NamedTuple):
    """A position in which a way may end, with its probability; ``left`` are the units left behind.

    ``complete``: all steps were taken.
    """

    probability: Fraction
    position: Position
    left: tuple[str, ...]
    complete: bool


class TooMany(Exception):
    """The tree has more branches than the bound allows."""


def path_odds(
    game: Game,
    orders: Sequence[Order | str],
    answers: Answers | None = None,
    *,
    limit: int = RUNS,
    samples: int = SAMPLES,
    seed: int = 0,
    results: bool = True,
) -> PathOdds:
    """What comes of orders that the side to decide gives one after the other, if nothing else is ordered.

    Whoever is asked in between (opportunity fire) answers by ``answers``, by default
    :class:`BestShots`.  At each step all units go that it names and that were not left behind; if they
    may not, the largest number of them that may go together, those named first, and the others are left
    behind for good.  If none may, the way ends there, as it does with the last order.

    Exact up to ``limit`` runs of the rules; beyond, ``samples`` games are played with dice from ``seed``,
    or TooMany is raised if that is 0.  Without ``results`` there are no ``outcomes``, which is quicker.
    What the side to decide cannot see is left out of it.  Raises IllegalOrder if the first order is not
    legal now, and ValueError without orders.
    """
    if not orders:
        raise ValueError("a way has at least one order")
    steps = [game.parse(order) if isinstance(order, str) else order for order in orders]
    refusal = game.why_not(steps[0])
    if refusal is not None:
        raise IllegalOrder(steps[0], refusal)
    course = _Course(game, steps, answers or BestShots(game.system, game.board))
    pos, side = game.position, course.side
    observed = getattr(game.system, "observed", None)
    seen = observed(pos, side) if observed is not None else None
    start: Position = pos if seen is None else seen
    try:
        runs, ends = course.exactly(start, limit)
        samples = 0
    except TooMany:
        if not samples:
            raise
        runs, ends = course.sampled(start, samples, seed)
    return _told(game, steps, ends, (runs, samples), results)


def path_ends(game: Game, orders: Sequence[Order], answers: Answers, limit: int = RUNS) -> list[End]:
    """The distinct positions in which the way may end; raises TooMany beyond ``limit`` runs of the rules.

    Nothing is hidden from whoever asks here.
    """
    return _Course(game, list(orders), answers).exactly(game.position, limit)[1]


class _Course:
    """A way that is being followed in the head."""

    def __init__(self, game: Game, orders: list[Order], answers: Answers) -> None:
        self.game = game
        self.orders = orders
        self.answers = answers
        pos = game.position
        self.side = pos.frames[-1].decider(pos)
        self._limit = self._runs = 0

    # -- what is ordered ------------------------------------------------------------------------

    def step(self, pos: Position, number: int, left: tuple[str, ...]) -> tuple[Order | None, tuple[str, ...]]:
        """The order by which the way goes on, and who is left behind then; no order: it ends."""
        frame = pos.frames[-1] if pos.frames else None
        if frame is None or frame.decider(pos) != self.side:
            return None, left
        whole = self.orders[number]
        if not left and frame.check(pos, whole) is None:
            return whole, left
        named = named_units(whole)
        going = [name for name in named if name not in left]
        for size in range(len(going), 0, -1):
            for part in combinations(going, size):
                order = self._part(whole, part)
                if order is not None and frame.check(pos, order) is None:
                    return order, tuple([name for name in named if name not in part])
        return None, left

    def _part(self, order: Order, units: Sequence[str]) -> Order | None:
        """The same order for some of its units."""
        words = str(order).split()
        words[1] = ",".join(units)
        try:
            return self.game.parse(" ".join(words))
        except InvalidOrder:
            return None

    def answer(self, pos: Position) -> Order | None:
        """What another side answers that is asked now; None if none is."""
        if not is_asked(pos, self.side):
            return None
        return self.answers(pos) or way_to_pass(pos, self.side)

    # -- exactly --------------------------------------------------------------------------------

    def exactly(self, start: Position, limit: int) -> tuple[int, list[End]]:
        """All positions in which the way may end; raises TooMany."""
        ends: dict[Any, End] = {}
        here = [End(Fraction(1), start, (), False)]
        self._limit, self._runs = limit, 0
        for number in range(len(self.orders)):
            asked: dict[Any, End] = {}
            for end in here:
                order, left = self.step(end.position, number, end.left)
                if order is None:
                    _merge(ends, end)
                else:
                    self._branch(end._replace(left=left), order, asked)
            here = self._answered(asked)
        for end in here:
            _merge(ends, end._replace(complete=True))
        return self._runs, list(ends.values())

    def _answered(self, asked: dict[Any, End]) -> list[End]:
        """The positions behind an order, once all have answered that were asked."""
        settled: dict[Any, End] = {}
        while asked:
            following: dict[Any, End] = {}
            for end in asked.values():
                order = self.answer(end.position)
                if order is None:
                    _merge(settled, end)
                else:
                    self._branch(end, order, following)
            asked = following
        return list(settled.values())

    def _branch(self, end: End, order: Order, found: dict[Any, End]) -> None:
        """Add the positions to which an order may lead from one."""
        for chance, position in aftermath(end.position, order, self._ran):
            _merge(found, End(end.probability * chance, position, end.left, False))

    def _ran(self) -> None:
        if self._runs == self._limit:
            raise TooMany
        self._runs += 1

    # -- by samples -----------------------------------------------------------------------------

    def sampled(self, start: Position, samples: int, seed: int) -> tuple[int, list[End]]:
        """Positions in which the way ended, each with its share of the samples."""
        self._runs = 0
        ends: dict[Any, End] = {}
        dice = SeededDice(seed)
        counters = [0] * len(start.streams)
        share = Fraction(1, samples)
        before = _Known(self)
        for _ in range(samples):
            pos = start.copy()
            pos.streams[:] = counters
            dice.streams = pos.streams
            left: tuple[str, ...] = ()
            complete = True
            for number in range(len(self.orders)):
                order, left = before.step(pos, number, left)
                if order is None:
                    complete = False
                    break
                while order is not None:
                    _carry_out(pos, order, dice)
                    self._runs += 1
                    order = before.answer(pos)
            counters = pos.streams
            _merge(ends, End(share, pos, left, complete))
        return self._runs, list(ends.values())


class _Known:
    """What a course has been asked before: samples come to the same positions again and again."""

    def __init__(self, course: _Course) -> None:
        self._course = course
        self._steps: dict[Any, tuple[Order | None, tuple[str, ...]]] = {}
        self._answers: dict[str, Order | None] = {}

    def step(self, pos: Position, number: int, left: tuple[str, ...]) -> tuple[Order | None, tuple[str, ...]]:
        key = (pos.digest(), number, left)
        found = self._steps.get(key)
        if found is None:
            found = self._steps[key] = self._course.step(pos, number, left)
        return found

    def answer(self, pos: Position) -> Order | None:
        key = pos.digest()
        if key not in self._answers:
            self._answers[key] = self._course.answer(pos)
        return self._answers[key]


def _carry_out(pos: Position, order: Order, dice: Dice) -> None:
    """Play a legal order and what follows by itself."""
    dice.used = []
    pos.frames[-1].play(pos, order, dice, None)
    while pos.frames and pos.frames[-1].advance(pos, dice, None):
        pass


def _merge(found: dict[Any, End], end: End) -> None:
    key = (end.position.digest(), end.left, end.complete)
    known = found.get(key)
    found[key] = end if known is None else known._replace(probability=known.probability + end.probability)


def named_units(order: Order) -> list[str]:
    """The units that an order ``VERB UNITS ...`` names."""
    words = str(order).split()
    return words[1].split(",") if len(words) > 1 else []


def _told(
    game: Game, orders: Sequence[Order], ends: Iterable[End], work: tuple[int, int], results: bool
) -> PathOdds:
    """The ends of a way, unit by unit and as results; ``work`` are the runs and the samples."""
    before = game.state()["units"]
    named = [name for name in dict.fromkeys(named_units(orders[0])) if name in before]
    fates: dict[str, dict[Any, Fraction]] = {name: {} for name in named}
    all_whole = some_lost = Fraction(0)
    states: list[tuple[Fraction, dict[str, Any]]] = []
    for chance, position, left, complete in ends:
        after = game.system.state(position)
        states.append((chance, after))
        everybody, somebody_lost = True, False
        for name in named:
            facts = after["units"][name]
            whole = complete and name not in left and _unhurt(before[name], facts)
            everybody &= whole
            somebody_lost |= "eliminated" in facts["status"]
            key = (facts["hex"], facts["steps"], tuple(facts["status"]), whole)
            fates[name][key] = fates[name].get(key, Fraction(0)) + chance
        if everybody:
            all_whole += chance
        if somebody_lost:
            some_lost += chance
    return PathOdds(
        tuple(orders),
        outcomes(game, states) if results else [],
        all_whole,
        some_lost,
        {
            name: sorted([Fate(chance, *key) for key, chance in found.items()], key=_likeliest)
            for name, found in fates.items()
        },
        *work,
    )


def _unhurt(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Whether a unit has lost nothing, and is marked with nothing that would hinder it."""
    new = set(after["status"]) - set(before["status"]) - HARMLESS
    return after["steps"] >= before["steps"] and not new


def _likeliest(fate: Fate) -> tuple[Fraction, str]:
    return -fate.probability, repr(fate[1:])
