"""The player that looks ahead: tries out what it and others would order, and how that may go on."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Literal, NamedTuple, overload

from hexengine.core.errors import GameOver
from hexengine.core.tactics import Candidate, Foresight, Reason, Standing, Tactics, Weights
from hexengine.players import Choice
from hexengine.players.chance import Chance
from hexengine.players.officer import Officer

if TYPE_CHECKING:
    from hexengine.core.game import Game
    from hexengine.core.orders import Order

TEMPERS: tuple[dict[str, int], ...] = (
    {"exposure": 0, "risk": 20, "objective": 160},
    {"exposure": 250, "risk": 250},
    {"patience": 0, "damage": 300},
    {"objective": 300, "risk": 60},
)
"""The officers whose orders are tried: what they make of things, in percent of what a usual one does."""

AHEAD = 1024
"""Dice of a stream that are set aside for one stretch of play."""

KEEN = 1.0
"""Standard errors by which a plan may seem worse than the usual one without being given up."""

LEAST = 3
"""Samples before anything is said about an order."""


class _Officer(Officer):
    """An officer of some temper, who shares what another one knows about the board."""

    def __init__(self, temper: dict[str, int], other: Officer) -> None:
        super().__init__()
        self._temper = temper
        self._other = other

    def tactics(self, game: Game) -> Tactics:
        return self._other.tactics(game)

    def weights(self, standing: Standing) -> Weights:
        usual = super().weights(standing)
        changed = {name: getattr(usual, name) * percent // 100 for name, percent in self._temper.items()}
        return usual._replace(**changed)


class _Plan:
    """An order, and the values of the positions that came of it."""

    __slots__ = ("order", "values")

    def __init__(self, order: Order) -> None:
        self.order = order
        self.values: list[int] = []


class _Gain(NamedTuple):
    """What a plan gains over the usual one on the average, and how sure that is (one standard error)."""

    mean: float
    error: float


class Veteran:
    """Tries out orders in imagined games, and keeps to the officer's unless others prove better.

    What officers of different tempers would order, and the usual one's best candidates (``wide`` of them),
    are tried with the same dice each: usual officers play on until the turn ends, or until ``chapters``
    stretches of play have ended.  The less promising half is dropped again and again, so that the best are
    looked at most closely.  An order is preferred to the usual one if what it gains on the average is more
    than ``doubt`` standard errors.  ``nodes`` is the most orders that are tried out for one choice; nothing
    depends on the clock, so every machine chooses alike.  Where a system offers no look ahead, the officer
    decides.
    """

    name = "veteran"

    def __init__(
        self, seed: int = 0, nodes: int = 1000, chapters: int = 8, wide: int = 4, doubt: float = 0.5
    ) -> None:
        self.seed = seed
        self.nodes = nodes
        self.chapters = chapters
        self.wide = wide
        self.doubt = doubt
        self.usual = usual = Officer()
        self._officers = [usual, *[_Officer(temper, usual) for temper in TEMPERS]]
        self._chances: dict[str, Chance] = {}

    @overload
    def choose(self, game: Game, *, explain: Literal[False] = False) -> Order: ...
    @overload
    def choose(self, game: Game, *, explain: Literal[True]) -> Choice: ...
    def choose(self, game: Game, *, explain: bool = False) -> Order | Choice:
        """The order that did best, or the officer's; with ``explain`` what each would gain over that.

        Raises GameOver.
        """
        if not game.position.frames:
            raise GameOver(self.name)
        usual = self.usual
        tactics = usual.tactics(game)
        if not isinstance(tactics, Foresight):
            return usual.choose(game, explain=True) if explain else usual.choose(game)
        forced = tactics.forced(game.position)
        plans = [_Plan(forced)] if forced is not None else self._plans(game, tactics)
        gains = _LookAhead(self, game, tactics, plans).gains()
        best, most = 0, 0.0
        for number, gain in enumerate(gains):
            least = gain.mean - self.doubt * gain.error
            if least > most:
                best, most = number, least
        order = plans[best].order
        return _explained(order, plans, gains, self.doubt) if explain else order

    def _plans(self, game: Game, tactics: Tactics) -> list[_Plan]:
        """The usual officer's order first, then what else is worth a trial."""
        found: dict[Order, _Plan] = {}
        for officer in self._officers:
            order = officer.choose(game)
            if order not in found:
                found[order] = _Plan(order)
        if self.wide:
            usual = self.usual
            weights = usual.weights(tactics.standing(game.position))
            for candidate in tactics.candidates(game.position, weights, True)[: self.wide]:
                if candidate.order not in found:
                    found[candidate.order] = _Plan(candidate.order)
        return list(found.values())

    def word(self, game: Game, side: str) -> int:
        """The chance of one choice."""
        chance = self._chances.get(side)
        if chance is None:
            chance = self._chances[side] = Chance(self.seed, side)
        return chance.word(game.entry)


class _LookAhead:
    """The trials for one choice."""

    def __init__(self, veteran: Veteran, game: Game, tactics: Foresight, plans: list[_Plan]) -> None:
        decision = game.decision
        assert decision is not None, "somebody must decide"
        self.game = game
        self.tactics = tactics
        self.plans = plans
        self.side = game.scenario.sides.index(decision.side)
        self.chapters = veteran.chapters
        self.usual = veteran.usual
        self.nodes = veteran.nodes
        self.word = veteran.word(game, decision.side)
        self.turn = self._turn(game)

    def gains(self) -> list[_Gain]:
        """Try the plans, halving those that are left until the nodes are used up; each one's gain."""
        left = self.plans
        rounds = (len(left) - 1).bit_length() + 1 if len(left) > 1 else 0
        while rounds and self.nodes:
            share = self.nodes // rounds
            if not self._sample(left, share):
                break
            rounds -= 1
            ranked = sorted(left[1:], key=self._loss)
            best = ranked[: max(1, len(left) // 2)]
            left = [left[0], *[plan for plan in best if self._promising(plan)]]
            if len(left) == 1:
                break
        return [self._gain(plan) for plan in self.plans]

    def _sample(self, plans: list[_Plan], share: int) -> bool:
        """One round: each plan once, again and again, with the same dice; false if the nodes ran out."""
        until = self.nodes - share
        while self.nodes > until:
            sample = len(plans[0].values)
            values = []
            for plan in plans:
                value = self._trial(plan, self.word + sample)
                if value is None:
                    return False
                values.append(value)
            for plan, value in zip(plans, values, strict=True):
                plan.values.append(value)
        return True

    def _trial(self, plan: _Plan, seed: int) -> int | None:
        """The value of a position that may come of a plan; None if the nodes run out on the way."""
        trial = self.game.imagined(seed)
        tactics, streams = self.tactics, trial.position.streams
        chapter, number = tactics.chapter(trial.position), 0
        order = plan.order
        while self.nodes:
            self.nodes -= 1
            trial.play(order)
            now = tactics.chapter(trial.position)
            if now != chapter:
                chapter = now
                number += 1
                # What was rolled before shall not change what is rolled from here on.
                streams[:] = [AHEAD * number] * len(streams)
            if trial.decision is None or number == self.chapters or self._turn(trial) != self.turn:
                return tactics.value(trial.position, self.side)
            order = self.usual.choose(trial)
        return None

    def _turn(self, game: Game) -> int:
        return self.tactics.standing(game.position).turn

    def _promising(self, plan: _Plan) -> bool:
        """Whether a plan may yet be better than the usual one."""
        gain = self._gain(plan)
        return gain.mean + KEEN * gain.error > 0

    def _loss(self, plan: _Plan) -> float:
        return -self._gain(plan).mean

    def _gain(self, plan: _Plan) -> _Gain:
        usual = self.plans[0].values
        differences = [a - b for a, b in zip(plan.values, usual, strict=False)]
        number = len(differences)
        if number < LEAST:
            return _Gain(0.0, 0.0)
        mean = sum(differences) / number
        square = sum([(difference - mean) ** 2 for difference in differences])
        return _Gain(mean, sqrt(square / (number * (number - 1))))


def _explained(order: Order, plans: list[_Plan], gains: list[_Gain], doubt: float) -> Choice:
    candidates = []
    for plan, gain in zip(plans, gains, strict=True):
        facts = (("samples", len(plan.values)), ("error", round(gain.error, 1)))
        reasons = [Reason("look-ahead", gain.mean, facts), Reason("doubt", -doubt * gain.error)]
        candidates.append(Candidate(plan.order, sum(reason.value for reason in reasons), tuple(reasons)))
    candidates.sort(key=lambda candidate: (candidate.order != order, -candidate.score))
    return Choice(order, tuple(candidates), "look-ahead")
