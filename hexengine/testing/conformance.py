"""The conformance kit: what every rule system on this core must keep, whatever its rules are.

:func:`run` plays random games of a scenario and holds every promise of the core against them; the
single checks, here and in :mod:`~hexengine.testing.decisions` and
:mod:`~hexengine.testing.positions`, can be called alone.  All raise AssertionError and say what
was not kept.  What a system may offer to be tested more sharply stands in
:mod:`hexengine.testing.hooks`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random

from hexengine.core.errors import ChanceError, GameOver, IllegalOrder
from hexengine.core.game import Game
from hexengine.core.orders import Chance, Order
from hexengine.core.scenario import Scenario
from hexengine.testing import hooks
from hexengine.testing.decisions import (
    check_decision,
    check_odds,
    check_reading,
    check_refused_play,
    check_state,
    fail,
)
from hexengine.testing.playing import BOUND, Played, choose, chooser, steps, transcripts_elsewhere
from hexengine.testing.positions import check_position

COMPARISONS = 6
"""Orders with dice or markers a game, whose chances are compared with all faces of all dice."""


@dataclass
class Findings:
    """What a run has seen, so that a test can demand that it saw enough.

    ``refused`` and ``events`` count by rule id; ``odds`` counts the orders with dice or
    markers whose exact chances were checked.
    """

    games: int = 0
    orders: int = 0
    decisions: int = 0
    odds: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)


def check_chance(game: Game, order: str, chance: Sequence[Chance], digest: str) -> None:
    """Dictated chance must be just what is asked for; otherwise ChanceError, and nothing has changed.

    ``game`` stands before an order that used ``chance`` and led to ``digest``.
    """
    before = (game.digest, list(game.position.streams), game.entry)
    wrong = [[*chance, 1], ["no such marker", *chance], [*chance, *chance]]
    if chance:
        wrong += [[*chance[:-1]], [*chance[:-1], "no such marker"], [*chance[:-1], 7], [*chance[:-1], 0]]
    for given in wrong:
        if given == [*chance]:
            continue
        try:
            game.play(order, given)
        except ChanceError:
            pass
        else:
            fail(f"{order} used {list(chance)}, but took {given}")
        if (game.digest, game.position.streams, game.entry) != before:
            fail(f"{order} {given} was an error, but has changed the game")
    twin = game.copy()
    twin.play(order, chance)
    if twin.digest != digest:
        fail(f"{order} {list(chance)} leads to another position when dictated")


# -- one game -----------------------------------------------------------------------------------------


def _record(
    scenario: Scenario, seed: int, events: bool = True, bound: int = BOUND
) -> tuple[Game, list[Played]]:
    game = Game(scenario, seed, events=events)
    return game, list(steps(game, chooser(seed), bound))


def check_replay(scenario: Scenario, seed: int, bound: int = BOUND) -> None:
    """Orders and chance are the truth: dictated to a game of another seed they give the same game."""
    first, record = _record(scenario, seed, bound=bound)
    second = Game(scenario, seed + 1)
    for number, played in enumerate(record, start=1):
        events = second.play(played.order, played.chance)
        if (second.digest, tuple(second.dice.used)) != (played.digest, played.chance):
            fail(f"entry {number}, {played.order} {list(played.chance)}: the replay differs")
        if events != played.events:
            fail(f"entry {number}, {played.order}: the replay's events differ")
    if second.position.streams != first.position.streams:
        fail(f"the dice counters are {first.position.streams}, replayed {second.position.streams}")


def check_events(scenario: Scenario, seed: int, bound: int = BOUND) -> None:
    """A game without events is the same game."""
    loud, with_events = _record(scenario, seed, bound=bound)
    quiet, without = _record(scenario, seed, events=False, bound=bound)
    if [played[:4] for played in with_events] != [played[:4] for played in without]:
        fail("with events off the game is another one")
    if any(played.events for played in without) or not any(played.events for played in with_events):
        fail("events come if and only if they are wanted")
    if loud.position.streams != quiet.position.streams:
        fail("with events off other dice are used")


def check_interleaved(scenario: Scenario, seed: int, bound: int = BOUND) -> None:
    """Two games side by side in one process are the games they are alone."""
    alone = [_record(scenario, one, bound=bound)[1] for one in (seed, seed + 1)]
    games = [steps(Game(scenario, one), chooser(one), bound) for one in (seed, seed + 1)]
    together: list[list[Played]] = [[], []]
    for _ in range(max(map(len, alone)) + 1):
        for record, game in zip(together, games, strict=True):
            record += islice(game, 1)
    if together != alone:
        fail("two games in one process disturb each other")


def check_copies(scenario: Scenario, seed: int, every: int = 10, bound: int = BOUND) -> None:
    """A copy of a game goes on as the game does, and what is tried out on it does not touch the game."""
    game, random = Game(scenario, seed), chooser(seed)
    number = 0
    while game.decision is not None and number < bound:
        twin, other = game.copy(), game.copy(seed=seed + 1)
        state, digest = random.getstate(), game.digest
        ahead = list(islice(steps(twin, random), every))
        random.setstate(state)
        tried = len(list(islice(steps(other, chooser(number)), every)))
        if game.digest != digest:
            fail(f"entry {number}: playing {tried} orders on a copy has changed the game")
        if list(islice(steps(game, random), every)) != ahead:
            fail(f"entry {number}: a copy goes on differently")
        number += every


def check_hash_seeds(factory: str, arguments: Sequence[str] = (), seed: int = 1) -> None:
    """A game is the same whatever Python's hash seed; see :func:`.playing.transcripts_elsewhere`."""
    first, *others = transcripts_elsewhere(factory, arguments, seed)
    for other in others:
        if other != first:
            lines = zip(first.splitlines(), other.splitlines(), strict=False)
            where = next((f"{a!r} and {b!r}" for a, b in lines if a != b), "one is longer")
            fail(f"with another PYTHONHASHSEED the game is another one: {where}")


def check_over(game: Game, order: str) -> None:
    """A finished game offers nothing and takes nothing; ``order`` is one that was legal once."""
    if game.orders() or game.decision is not None:
        fail("a finished game offers orders")
    if game.result is None:
        fail("a finished game has no result")
    before = (game.digest, game.entry)
    try:
        game.play(order)
    except GameOver:
        pass
    else:
        fail("a finished game takes an order")
    if (game.digest, game.entry) != before or game.why_not(order) is None:
        fail("asking a finished game for an order has changed it")


class _Round:
    """One random game of :func:`run`, watched closely."""

    def __init__(self, scenario: Scenario, seed: int, share: float, faces: int, findings: Findings) -> None:
        self.game = Game(scenario, seed)
        self.random = chooser(seed)
        self.watch = Random(f"watch/{seed}")  # noqa: S311 - sampling, not secrets
        self.share = share
        self.faces = faces
        self.comparisons = COMPARISONS
        self.findings = findings
        self.catalogue: Collection[str] | None = hooks.rule_ids(self.game.system)
        self.last = ""

    def play(self, bound: int) -> None:
        for _ in range(bound):
            if self.game.decision is None:
                break
            self.step(self.watch.random() < self.share)
        else:
            fail(f"the game is not over after {bound} orders")
        check_state(self.game)
        check_over(self.game, self.last)
        self.findings.games += 1

    def step(self, closely: bool) -> None:
        game = self.game
        if closely:
            self.look()
        order = choose(game, self.random)
        self.last = str(order)
        before = game.copy() if closely else None
        try:
            events = game.play(order)
        except IllegalOrder as error:
            fail(f"a listed order is refused: {error}")
        for event in events:
            self.findings.events[event.rule] += 1
            if self.catalogue is not None and event.rule not in self.catalogue:
                fail(f"the event {event.code} names {event.rule!r}, which is no rule of the catalogue")
            if closely and type(game.system.narrate(game.board, event)) is not str:
                fail(f"the event {event.code} cannot be told in words")
        self.findings.orders += 1
        hooks.invariants(game.system, game.position)
        if before is not None:
            check_chance(before, str(order), tuple(game.dice.used), game.digest)

    def look(self) -> None:
        game = self.game
        self.findings.decisions += 1
        self.findings.refused += check_decision(game, self.catalogue)
        check_position(game.position, self.watch)
        check_state(game)
        check_reading(game, self.watch)
        by_verb: dict[str, list[Order]] = {}
        for order in game.orders():
            by_verb.setdefault(order.verb, []).append(order)
        for orders in by_verb.values():
            faces = self.faces if self.comparisons else 0
            if check_odds(game, self.watch.choice(orders), faces) > 1:
                self.findings.odds += 1
                self.comparisons -= bool(faces)
        frame = game.position.frames[-1]
        every = list(hooks.candidates(game.system, game.position) or [])
        self.watch.shuffle(every)
        illegal = (order for order in every if frame.check(game.position, order) is not None)
        for order in islice(illegal, 3):
            check_refused_play(game, order)


def run(
    scenario: Scenario,
    games: int = 20,
    seed: int = 1,
    *,
    share: float = 0.1,
    faces: int = 2_000,
    bound: int = BOUND,
    factory: tuple[str, Sequence[str]] | None = None,
    catalogue: Collection[str] | None = None,
) -> Findings:
    """The whole kit on one scenario: ``games`` random games with the seeds from ``seed`` on.

    A ``share`` of all decisions, chosen at random, is looked at closely; exact chances are compared
    with all faces where that takes at most ``faces`` runs; ``bound`` is the number of orders that
    no game may reach.  ``catalogue`` are the ids of the rules, if the system does not offer them
    itself.  With ``factory``, the name of a function that gives the
    scenario and its arguments, the game is also played under several hash seeds, in processes of
    their own.  Raises AssertionError, which names the seed and the entry.
    """
    findings = Findings()
    for one in range(seed, seed + games):
        watched = _Round(scenario, one, share, faces, findings)
        if catalogue is not None:
            watched.catalogue = catalogue
        try:
            watched.play(bound)
        except Exception as error:
            error.add_note(f"{scenario.name}, seed {one}, after entry {watched.game.entry}")
            raise
    for one in range(seed, seed + max(1, games // 10)):
        for check in (check_replay, check_events, check_interleaved, check_copies):
            try:
                check(scenario, one, bound=bound)
            except Exception as error:
                error.add_note(f"{scenario.name}, seed {one}: {check.__name__}")
                raise
    if factory is not None:
        check_hash_seeds(*factory, seed=seed)
    return findings
