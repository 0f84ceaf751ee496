"""Checks of one moment of a game: what may be ordered, what is refused, the state, the chances."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection
from fractions import Fraction
from random import Random
from typing import NoReturn

from hexengine.core.errors import HexEngineError, IllegalOrder, InvalidOrder, Refusal
from hexengine.core.game import Decision, Game
from hexengine.core.odds import aftermath, branches
from hexengine.core.orders import Order
from hexengine.testing import hooks
from hexengine.testing.faces import by_faces
from hexengine.testing.generators import mutate

STATE_KEYS = frozenset(
    {"turn", "phase", "active", "decision", "units", "hexes", "cup", "control", "score", "result"}
)
"""What every state has; docs/formats.md (States) says what each means."""
UNIT_KEYS = frozenset({"hex", "steps", "status", "markers", "spent", "carrier", "passengers"})
"""What the state of every unit has."""
RESULT_KEYS = frozenset({"winner", "margin", "reason"})
"""What the result of a finished game has."""


def fail(message: str) -> NoReturn:
    """Raise AssertionError."""
    raise AssertionError(message)


def check_decision(game: Game, catalogue: Collection[str] | None = None) -> Counter[str]:
    """Everything about what may be ordered now; returns how often each rule refused a candidate.

    The listed orders are there, canonical, accepted and readable; every other candidate is
    refused with a rule of the catalogue, in words, and with an alternative that is legal.
    """
    decision = game.decision
    if decision is None:
        fail("there is no decision to check")
    before = (game.digest, list(game.position.streams))
    offered = _check_listing(game, decision)
    frame = game.position.frames[-1]
    # A copy has nothing that was worked out before, so that the judge judges for himself.
    bare = game.position.copy()
    if [order for actor in frame.actors(bare) for order in frame.orders(bare, actor)] != offered:
        fail("what is listed is not what a copy of the position lists")
    for order in offered:
        refusal = frame.check(bare, order) or frame.check(game.position, order)
        if refusal is not None:
            fail(f"{order} is listed, but refused: {refusal}")
        _check_text(game, order)
    refused = _check_candidates(game, {str(order) for order in offered}, catalogue)
    if (game.digest, game.position.streams) != before:
        fail("asking what is legal has changed the position")
    return refused


def _check_listing(game: Game, decision: Decision) -> list[Order]:
    if decision.side not in game.scenario.sides:
        fail(f"{decision.side!r} is to decide, and is no side")
    actors = decision.actors()
    if not actors:
        fail("a decision has no actors")
    if len(set(actors)) != len(actors):
        fail(f"actors are listed twice: {actors}")
    groups = [decision.orders(actor) for actor in actors]
    for actor, group in zip(actors, groups, strict=True):
        if not group:
            fail(f"the actor {actor} has no orders")
    offered = [order for group in groups for order in group]
    texts = [str(order) for order in offered]
    if decision.all() != offered or game.orders() != offered:
        fail("all() is not the orders of all actors one after the other")
    if decision.actors() != actors or [str(order) for order in decision.all()] != texts:
        fail("asked twice, the orders come differently")
    twice = [text for text, number in Counter(texts).items() if number > 1]
    if twice:
        fail(f"orders are listed twice: {', '.join(twice)}")
    return offered


def _check_text(game: Game, order: Order) -> None:
    text = str(order)
    try:
        again = game.parse(text)
    except InvalidOrder as error:
        fail(f"the text of a legal order cannot be read: {error}")
    if str(again) != text or again != order or hash(again) != hash(order):
        fail(f"{text!r} is read as {str(again)!r}")
    if text.split(" ")[0] != order.verb:
        fail(f"{text!r} does not begin with its verb {order.verb!r}")


def _check_candidates(game: Game, offered: set[str], catalogue: Collection[str] | None) -> Counter[str]:
    refused: Counter[str] = Counter()
    pos = game.position
    frame = pos.frames[-1]
    every = hooks.candidates(game.system, pos)
    if every is None:
        return refused
    missing = offered - {str(order) for order in every}
    if missing:
        fail(f"legal orders are no candidates: {', '.join(sorted(missing))}")
    bare = pos.copy()
    for order in every:
        refusal = frame.check(bare, order)
        if refusal is None:
            if str(order) not in offered:
                fail(f"{order} would be accepted, but is not listed")
            continue
        refused[refusal.rule] += 1
        _check_refusal(game, order, refusal, catalogue)
    return refused


def _check_refusal(game: Game, order: Order, refusal: Refusal, catalogue: Collection[str] | None) -> None:
    if not refusal.rule or (catalogue is not None and refusal.rule not in catalogue):
        fail(f"{order} is refused with {refusal.rule!r}, which is no rule of the catalogue")
    if not game.system.describe(game.board, refusal):
        fail(f"{order} is refused without a word")
    alternative = refusal.alternative
    if alternative is not None:
        other = game.position.frames[-1].check(game.position, alternative)
        if other is not None:
            fail(f"{order} is refused, and the alternative is refused too: {other}")


def check_refused_play(game: Game, order: Order) -> None:
    """An order that is not legal raises IllegalOrder, with its refusal in words, and changes nothing."""
    before = (game.digest, list(game.position.streams), game.entry)
    why = game.why_not(order)
    if why is None or not why.text:
        fail(f"why_not does not say why {order} is illegal")
    try:
        game.play(order)
    except IllegalOrder as error:
        if error.refusal != why:
            fail(f"{order}: play and why_not give different reasons: {error.refusal} and {why}")
    else:
        fail(f"{order} is illegal, but was played")
    if (game.digest, game.position.streams, game.entry) != before:
        fail(f"refusing {order} has changed the game")


def check_reading(game: Game, random: Random, number: int = 20) -> None:
    """Damaged order texts are read or refused, by errors of this package and by nothing else."""
    texts = [str(order) for order in game.orders()]
    for _ in range(number):
        text = mutate(random, random.choice(texts))
        try:
            game.why_not(text)
        except InvalidOrder:
            continue
        except HexEngineError as error:
            fail(f"reading {text!r} raises {error!r} in place of InvalidOrder")
        except Exception as error:
            raise AssertionError(f"reading {text!r} fails: {error!r}") from error


def check_state(game: Game) -> None:
    """``state()`` is plain JSON, has the common keys, and agrees with the decision and the scenario."""
    state = game.state()
    json.dumps(state, allow_nan=False)
    if json.loads(json.dumps(state)) != state:
        fail("the state is not the same after a trip through JSON: keys must be texts, sequences lists")
    missing = STATE_KEYS - state.keys()
    if missing:
        fail(f"the state has no {', '.join(sorted(missing))}")
    for name, unit in state["units"].items():
        if not unit.keys() >= UNIT_KEYS:
            fail(f"the state of unit {name} has no {', '.join(sorted(UNIT_KEYS - unit.keys()))}")
    sides = set(game.scenario.sides)
    if state["score"].keys() != sides:
        fail(f"the score is of {', '.join(state['score']) or 'nobody'}, and must be of every side")
    for piece in game.system.view(game.position).pieces:
        if piece.unit not in state["units"]:
            fail(f"unit {piece.unit} is in the view, and not in the state")
    decision = game.decision
    expected = {"side": decision.side, "kind": decision.kind} if decision else None
    if state["decision"] != expected:
        fail(f"the state says {state['decision']} is to decide, the game {expected}")
    if (state["result"] is None) != (decision is not None) or game.result != state["result"]:
        fail("a game has a result when it is over, and not before")
    result = state["result"]
    if result is not None and not (result.keys() >= RESULT_KEYS and result["winner"] in {*sides, None}):
        fail(f"the result is {result}: it wants a winner (a side or null), a margin and a reason")
    if (state["phase"] == "over") != (decision is None):
        fail(f"the phase is {state['phase']!r}")


def check_odds(game: Game, order: Order, faces: int = 2_000) -> int:
    """The chances of an order add up to 1, and are those of all faces of all dice.

    The faces are compared where that takes at most ``faces`` runs of the rules.  Returns the
    number of distinct answers of chance.
    """
    exact: dict[str, Fraction] = {}
    digest = game.digest
    answers = 0
    for branch in branches(game.position, order):
        answers += 1
        key = branch.position.digest()
        exact[key] = exact.get(key, Fraction(0)) + branch.probability
    if sum(exact.values()) != 1:
        fail(f"the chances of {order} add up to {sum(exact.values())}")
    if {position.digest(): chance for chance, position in aftermath(game.position, order)} != exact:
        fail(f"{order}: positions that are equal do not go on alike")
    if sum(outcome.probability for outcome in game.odds(order)) != 1:
        fail(f"the odds of {order} do not add up to 1")
    slow = by_faces(game.position, order, faces) if answers > 1 else None
    if slow is not None and slow != exact:
        fail(f"{order}: by all faces the chances are {sorted(slow.values())}, not {sorted(exact.values())}")
    if game.digest != digest:
        fail(f"asking for the odds of {order} has changed the position")
    return answers
