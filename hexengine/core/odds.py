"""Exact chances of an order: the real rules, run once for each distinct answer of the dice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from hexengine.core.dice import EnumeratingDice
from hexengine.core.errors import IllegalOrder
from hexengine.core.events import Event
from hexengine.core.orders import Order

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


Weighed = tuple[Fraction, "Position"]
"""A probability, and the position that has it."""


def aftermath(pos: Position, order: Order, ran: Callable[[], None] | None = None) -> list[Weighed]:
    """The distinct positions to which a legal order may lead, with their probabilities, which sum to 1.

    As :func:`branches`, but positions that differ in nothing but the dice counters are merged as they come
    up, so that the many ways of the dice to the same losses are followed only to where they meet.  ``ran``
    is called for the order and for each answer of chance that is followed.
    """
    settled: dict[str, Weighed] = {}
    here: list[Weighed] = [(Fraction(1), pos)]
    playing: Order | None = order
    while here:
        following: dict[str, Weighed] = {}
        for weight, position in here:
            for chance, branch, asked, goes_on in _runs(position, playing):
                if ran is not None and (asked or playing is not None):
                    ran()
                merge(following if goes_on else settled, weight * chance, branch)
        here = list(following.values())
        playing = None
    return list(settled.values())


def _runs(pos: Position, order: Order | None) -> Iterator[tuple[Fraction, Position, bool, bool]]:
    """Play an order, or go on behind one, until chance has answered: whether it has, and if more may follow.

    What a frame asks before it has noted anything in the position is answered at one go.
    """
    dice = EnumeratingDice()
    while True:
        branch = pos.copy()
        dice.streams = branch.streams
        if order is not None:
            branch.frames[-1].play(branch, order, dice, None)
        goes_on = True
        while goes_on and not dice.answers:
            goes_on = bool(branch.frames) and branch.frames[-1].advance(branch, dice, None)
        yield dice.weight, branch, bool(dice.answers), goes_on
        if not dice.advance():
            return


def merge(found: dict[str, Weighed], probability: Fraction, position: Position) -> None:
    """Add a position; the probabilities of equal ones are added up."""
    key = position.digest()
    known = found.get(key)
    found[key] = (probability, position) if known is None else (known[0] + probability, known[1])


class Reckoned(NamedTuple):
    """Outcomes of an order: as far as it goes by itself, and if the other sides decline all they may do."""

    outcomes: list[Outcome]
    unanswered: list[Outcome]
    """Empty if nobody else has anything to decide."""


def odds(game: Game, order: Order | str) -> list[Outcome]:
    """The distinct results of an order with their exact probabilities, likeliest first.

    Results are merged when nothing but the dice differs.  Raises IllegalOrder.
    """
    return _outcomes(game, aftermath(game.position, _legal(game, order)))


REACTION, DECLINES = "reaction", "pass"
"""The kind of decision that interrupts another side's order, and the order that lets it go on."""


def reckoned(game: Game, order: Order | str) -> Reckoned:
    """:func:`odds`, and the same if the other sides decline all that they may do in between, such as
    opportunity fire.

    So an assault is reckoned to its end.  What the side that decides cannot see is left out of that.
    """
    order = _legal(game, order)
    pos = game.position
    side = pos.frames[-1].decider(pos)
    observed = getattr(game.system, "observed", None)
    seen = observed(pos, side) if observed is not None else None
    found = aftermath(pos, order)
    outcomes = _outcomes(game, found)
    waiting = found if seen is None else aftermath(seen, order)
    over: dict[str, Weighed] = {}
    asked = False
    while waiting:
        following: dict[str, Weighed] = {}
        for probability, position in waiting:
            passing = way_to_pass(position, side)
            if passing is None:
                merge(over, probability, position)
                continue
            asked = True
            for chance, further in aftermath(position, passing):
                merge(following, probability * chance, further)
        waiting = list(following.values())
    return Reckoned(outcomes, _outcomes(game, over.values()) if asked else [])


def _legal(game: Game, order: Order | str) -> Order:
    """An order that is legal now; raises IllegalOrder."""
    order = game.read(order)
    refusal = game.why_not(order)
    if refusal is not None:
        raise IllegalOrder(order, refusal)
    return order


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


def _outcomes(game: Game, found: Iterable[Weighed]) -> list[Outcome]:
    """Distinct positions with their probabilities as results."""
    state = game.system.state
    return outcomes(game, [(probability, state(position)) for probability, position in found])


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
