"""Exact chances of an order: the real rules, run once for each distinct answer of the dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from hexengine.core.dice import EnumeratingDice
from hexengine.core.errors import IllegalOrder
from hexengine.core.events import Event
from hexengine.core.orders import Order, split_chance

if TYPE_CHECKING:
    from hexengine.core.game import Game
    from hexengine.core.position import Position


class Branch(NamedTuple):
    """One distinct answer of chance: its probability, what was answered, and where it leads."""

    probability: Fraction
    answers: tuple[str, ...]
    position: Position
    events: list[Event]


class Outcome(NamedTuple):
    """One distinct result of an order; ``result`` names only what changed."""

    probability: Fraction
    result: dict[str, Any]


def branches(pos: Position, order: Order, events: bool = False) -> Iterator[Branch]:
    """Play a legal order in every way that chance allows.

    Each branch is one distinct sequence of answers; the probabilities sum to 1.  ``pos`` itself
    is not changed.
    """
    dice = EnumeratingDice()
    while True:
        branch = pos.copy()
        dice.streams = branch.streams
        happened: list[Event] = []
        emit = happened.append if events else None
        branch.frames[-1].play(branch, order, dice, emit)
        while branch.frames and branch.frames[-1].advance(branch, dice, emit):
            pass
        yield Branch(dice.weight, tuple(dice.answers), branch, happened)
        if not dice.advance():
            return


def odds(game: Game, order: Order | str) -> list[Outcome]:
    """The distinct results of an order with their exact probabilities, likeliest first.

    Results are merged when nothing but the dice differs.  Raises IllegalOrder.
    """
    if isinstance(order, str):
        order = game.parse(split_chance(order)[0])
    refusal = game.why_not(order)
    if refusal is not None:
        raise IllegalOrder(order, refusal)
    found = [(branch.probability, branch.position) for branch in branches(game.position, order)]
    return _outcomes(game, found)


REACTION, DECLINES = "reaction", "pass"
"""The kind of decision that interrupts another side's order, and the order that lets it go on."""


def unanswered(game: Game, order: Order | str) -> list[Outcome]:
    """The same, if the other sides decline all that they may do in between, such as opportunity fire.

    So an assault is reckoned to its end.  Empty if nobody else has anything to decide.  What the
    side that decides cannot see is left out of it.
    """
    if isinstance(order, str):
        order = game.parse(split_chance(order)[0])
    pos, decision = game.position, game.decision
    if decision is None:
        return []
    side = pos.frames[-1].decider(pos)
    observed = getattr(game.system, "observed", None)
    seen = observed(pos, side) if observed is not None else None
    found = [(branch.probability, branch.position) for branch in branches(seen or pos, order)]
    ends: list[tuple[Fraction, Position]] = []
    asked = False
    while found:
        probability, position = found.pop()
        passing = way_to_pass(position, side)
        if passing is None:
            ends.append((probability, position))
            continue
        asked = True
        found += [(probability * more.probability, more.position) for more in branches(position, passing)]
    return _outcomes(game, ends) if asked else []


def is_asked(pos: Position, side: int) -> bool:
    """Whether another side than this one is asked something before this one's order is done."""
    frame = pos.frames[-1] if pos.frames else None
    return frame is not None and frame.kind == REACTION and frame.decider(pos) != side


def way_to_pass(pos: Position, side: int) -> Order | None:
    """The order by which another side than this one lets things go on, if it is asked."""
    if not is_asked(pos, side):
        return None
    frame = pos.frames[-1]
    last = frame.orders(pos, frame.actors(pos)[-1])
    return next((order for order in last if str(order) == DECLINES), None)


def _outcomes(game: Game, found: list[tuple[Fraction, Position]]) -> list[Outcome]:
    """Positions with their probabilities as results, those that read alike merged, likeliest first."""
    merged: dict[str, tuple[Fraction, Position]] = {}
    for probability, position in found:
        key = position.digest()
        before = merged.get(key)
        merged[key] = (probability + (before[0] if before else 0), position)
    state = game.system.state
    return outcomes(game, [(probability, state(position)) for probability, position in merged.values()])


def outcomes(game: Game, states: Iterable[tuple[Fraction, dict[str, Any]]]) -> list[Outcome]:
    """States with their probabilities as what they change, those that read alike merged, likeliest first."""
    now = game.state()
    merged: dict[str, Outcome] = {}
    for probability, after in states:
        result = _changes(now, after)
        key = repr(result)
        known = merged.get(key)
        merged[key] = Outcome(probability + (known.probability if known else 0), result)
    return sorted(merged.values(), key=lambda outcome: (-outcome.probability, repr(outcome.result)))


def _changes(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """What differs between two states: changed fields of units and hexes, and changed parts."""
    result: dict[str, Any] = {"units": {}}
    for unit, facts in after["units"].items():
        changed = {name: value for name, value in facts.items() if before["units"][unit].get(name) != value}
        if changed:
            result["units"][unit] = changed
    for part, value in after.items():
        if part != "units" and before.get(part) != value:
            result[part] = value
    return result
