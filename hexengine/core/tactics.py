"""What a rule-based player asks of a rule system, and the form of the answers.

A system's ``tactics(board)`` answers pure questions on a position: where units may go, what a way
or a shot may bring, and which orders are worth a thought.  Worth is counted in hundredths of a
victory point (whole numbers, so that equal positions give equal choices everywhere).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    from hexengine.core.errors import Refusal
    from hexengine.core.orders import Order


class Reason(NamedTuple):
    """One part of a score: a code, what it adds, and the facts behind it (ids, labels, numbers)."""

    code: str
    value: float
    facts: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        facts = " ".join(f"{name}={value}" for name, value in self.facts)
        return f"{self.code} {self.value:+g}{f' ({facts})' if facts else ''}"


class Candidate(NamedTuple):
    """An order that was weighed: its score (higher is better) and what it is made of."""

    order: Order
    score: float
    reasons: tuple[Reason, ...] = ()
    course: object = None
    """What the order begins, if there is a way to go on with it; see :class:`Courses`."""

    def __str__(self) -> str:
        return f"{self.order}: {self.score:g} = {', '.join(map(str, self.reasons)) or 'nothing'}"


class Weights(NamedTuple):
    """How much a player makes of each kind of reason, in percent."""

    objective: int = 60
    """Coming nearer to what scores, and holding it."""
    damage: int = 100
    """Losses that a shot is expected to bring the enemy."""
    outlook: int = 100
    """Shots that a hex offers later."""
    exposure: int = 40
    """Losses that the enemy's fire at a hex is expected to bring."""
    risk: int = 120
    """Losses that opportunity fire on the way is expected to bring."""
    command: int = 100
    """Staying within reach of an HQ."""
    patience: int = 30
    """How much better a later shot must be to let this one pass."""


class Standing(NamedTuple):
    """How a side stands: points ahead (negative: behind), the turn, and the last turn."""

    lead: int
    turn: int
    turns: int


class StepRisk(NamedTuple):
    """What opportunity fire may do at one hex of a way.

    ``shooters`` are the ids of the enemy units that may shoot there now; ``hit`` and ``lost`` the
    chances that at least one unit is hit, or eliminated, if each unit is shot at by the best of them.
    """

    hex: str
    shooters: tuple[str, ...]
    hit: float
    lost: float


class Route(NamedTuple):
    """A way of units that move together: one order a step, all hexes from the first on, and its cost.

    ``cost`` is in half MP (of the member that pays most); ``risk`` has an entry for each step.
    """

    orders: tuple[Order, ...]
    hexes: tuple[int, ...]
    cost: int
    risk: tuple[StepRisk, ...]


class ReachLook(NamedTuple):
    """Where units may go and stay in one mode of movement, and why nowhere else.

    ``costs`` is half MP by hex, ``barred`` the reason by hex for all others but the start; ``refusal`` says
    why the units cannot move so at all, and then there are neither.
    """

    costs: Mapping[int, int]
    barred: Mapping[int, Refusal]
    refusal: Refusal | None = None


class Tactics(Protocol):
    """The questions; ``pos`` is a position of the board the tactics were made for.  None changes it."""

    def standing(self, pos: Any) -> Standing:
        """How the side that decides stands."""
        ...

    def forced(self, pos: Any) -> Order | None:
        """The order that is the only one there can be, where that is plain without a search."""
        ...

    def candidates(self, pos: Any, weights: Weights, explain: bool = False) -> list[Candidate]:
        """Legal orders worth a thought, the best first; never empty while somebody must decide.

        Reasons are given only with ``explain``; then every kind of order that is legal has one.
        """
        ...

    def reach(self, pos: Any, units: Sequence[int]) -> dict[int, int]:
        """Where units that stand together may go together and stay, and what it costs in half MP.

        Exactly what a series of legal ``move`` orders of just these units reaches if all
        opportunity fire is declined.  Units that are not on the move are taken as if they were.
        Empty if they cannot move together; else the hex they stand in is there too, with 0.
        """
        ...

    def route(self, pos: Any, units: Sequence[int], goal: int) -> Route | None:
        """The cheapest such way to a hex; None if there is none.

        Of equally cheap ways the one with the fewest steps, then the one through lower hexes.
        """
        ...


@runtime_checkable
class Courses(Tactics, Protocol):
    """What a system offers beside that lets a player go on with what it has begun without thinking again."""

    def chapter(self, pos: Any) -> object:
        """Equal for positions within one stretch of play, beyond which no course goes on."""
        ...

    def going_on(self, pos: Any, course: Any) -> Order | None:
        """The next order of a course, which is legal; None if it is at its end or rests on what has changed.

        ``course`` is that of a candidate whose order was played in the same game.
        """
        ...


@runtime_checkable
class Foresight(Tactics, Protocol):
    """What a player that looks ahead asks beside; tactics without it are played by rules of thumb alone."""

    def value(self, pos: Any, side: int) -> int:
        """How a position stands for a side (its number), in hundredths of a victory point.

        Higher is better; only differences mean anything.  A game that is won or lost counts far more
        than all else.
        """
        ...

    def chapter(self, pos: Any) -> object:
        """Equal for positions within one stretch of play of a side, different from one to the next."""
        ...


@runtime_checkable
class Modes(Tactics, Protocol):
    """What a system answers beside that says why hexes are out of reach: for each mode of movement it has."""

    def modes(self, pos: Any) -> Sequence[str]:
        """The modes of movement of the system, the usual one first.

        That has the name of the order's verb; others are called as the words behind the hex of an order
        ``VERB UNITS HEX [WORD ...]``, joined by hyphens.  Where these change the way to a far hex, the system
        also has ``route_in(pos, units, goal, mode)``, as ``route`` is.
        """
        ...

    def explain(self, pos: Any, units: Sequence[int], mode: str) -> ReachLook:
        """Where units may go in one of these modes, as ``reach`` says, and why they may not go elsewhere."""
        ...
