"""A game in progress: one position, its dice, and the two calls that drive everything.

What may be ordered now is ``game.decision``; ``game.play(order)`` carries an order out.  People,
scripts, AIs, replays and tests use the same two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import index
from typing import TYPE_CHECKING, Any, Self, TypeVar

from mypy_extensions import mypyc_attr

from hexengine.core.dice import Dice, ScriptedDice, SeededDice
from hexengine.core.errors import (
    ChanceError,
    GameOver,
    HexEngineError,
    IllegalOrder,
    InvalidOrder,
    Refusal,
)
from hexengine.core.events import Event
from hexengine.core.orders import Chance, Order, split_chance
from hexengine.core.system import RuleSystem, get_system

if TYPE_CHECKING:
    from hexengine.core.frames import Actor, Frame
    from hexengine.core.odds import Outcome, Reckoned
    from hexengine.core.position import Position
    from hexengine.core.scenario import Scenario

Of = TypeVar("Of", bound="Game")


def seed_of(value: int) -> int:
    """A seed as a plain int; raises HexEngineError for what is no whole number."""
    try:
        if isinstance(value, bool):
            raise TypeError
        return index(value)
    except TypeError:
        raise HexEngineError(f"a seed is a whole number, not {value!r}") from None


class Decision:
    """Somebody must decide: who, what kind of decision, and what is legal.

    Orders come factored: first an actor, then its orders.  A decision is good until the next
    order is played.
    """

    __slots__ = ("_frame", "_pos", "side")

    side: str
    """Who decides."""

    def __init__(self, side: str, frame: Frame, pos: Position) -> None:
        self.side = side
        self._frame = frame
        self._pos = pos

    @property
    def kind(self) -> str:
        """What is decided, in the system's words: ``draw``, ``operations``, ``reaction`` …"""
        return self._frame.kind

    def actors(self) -> list[Actor]:
        """Who has legal orders; never empty."""
        return self._frame.actors(self._pos)

    def orders(self, actor: Actor) -> list[Order]:
        """The legal orders of one of the actors, in canonical order; never empty.

        Raises HexEngineError for a number that no actor can have.
        """
        try:
            return self._frame.orders(self._pos, actor)
        except (IndexError, ValueError, TypeError):
            raise HexEngineError(f"{actor!r} is no actor of this decision: {self.actors()} are") from None

    def all(self) -> list[Order]:
        """Every legal order, in canonical order; never empty."""
        frame, pos = self._frame, self._pos
        every = getattr(frame, "every", None)
        if every is not None:
            found: list[Order] = every(pos)
            return found
        orders: list[Order] = []
        for actor in frame.actors(pos):
            orders += frame.orders(pos, actor)
        return orders

    def sample(self, below: Callable[[int], int]) -> Order:
        """One of an actor's orders: each actor as likely, and each of its orders.

        ``below(n)`` gives a number from 0 to n - 1 and may be asked more than once.  Cheaper than
        asking for the actors first, since not all of them need be looked at.
        """
        frame, pos = self._frame, self._pos
        sample = getattr(frame, "sample", None)
        if sample is not None:
            order: Order = sample(pos, below)
            return order
        actors = frame.actors(pos)
        orders = frame.orders(pos, actors[below(len(actors))])
        return orders[below(len(orders))]

    def __repr__(self) -> str:
        return f"<decision of {self.side}: {self.kind}>"


@mypyc_attr(allow_interpreted_subclasses=True)
class Game:
    """A game in progress.

    ``position`` is the whole changing state; ``entry`` counts the orders played.  With
    ``events=False`` nothing is emitted and :meth:`play` returns an empty list.  ``notes`` is what players
    keep about this game from one of their orders to the next, each under itself: nothing but what they
    would find again by looking back (:meth:`earlier`), since copies, undone and resumed games begin without.
    """

    def __init__(
        self,
        scenario: Scenario,
        seed: int = 0,
        *,
        events: bool = True,
        dice: Dice | None = None,
    ) -> None:
        if not hasattr(scenario, "system"):
            raise HexEngineError(f"a game is made of a scenario that was loaded, not of {scenario!r}")
        self.scenario = scenario
        self.system: RuleSystem = get_system(scenario.system)
        self.board: Any = scenario.board
        self._book = getattr(self.board, "orders", None)
        self.seed = seed = seed_of(seed)
        self.entry = 0
        self.events = events
        self.position: Position = self.system.start(self.board)
        self.dice: Dice = dice if dice is not None else SeededDice(seed)
        self.dice.streams = self.position.streams
        self.notes: dict[object, Any] = {}
        self._decision: Decision | None = None
        self._run(None)

    # -- asking -------------------------------------------------------------------------------

    @property
    def decision(self) -> Decision | None:
        """What must be decided now, or None when the game is over."""
        decision = self._decision
        if decision is None:
            pos = self.position
            if pos.frames:
                frame = pos.frames[-1]
                side = self.scenario.sides[frame.decider(pos)]
                decision = self._decision = Decision(side, frame, pos)
        return decision

    def orders(self) -> list[Order]:
        """All legal orders, in canonical order; empty when the game is over."""
        # The attribute first: most often somebody has asked who decides.
        decision = self._decision or self.decision
        return decision.all() if decision is not None else []

    def parse(self, text: str) -> Order:
        """Read an order's text (without brackets); raises InvalidOrder."""
        return self.system.parse(self.board, text)

    def read(self, order: Order | str) -> Order:
        """This game's order for a text, whose brackets count for nothing, or for an order of another game.

        Orders name units and hexes by numbers, which mean others on another board: there they are taken
        by their texts.  Raises InvalidOrder.
        """
        if isinstance(order, str):
            return self.parse(split_chance(order)[0])
        if not isinstance(order, Order):
            raise InvalidOrder(repr(order)[:80], "an order is wanted, or the text of one")
        book = getattr(order, "book", None)
        return order if book is None or book is self._book else self.parse(str(order))

    def why_not(self, order: Order | str) -> Refusal | None:
        """Why an order is not legal now, in words; None if it is legal.  Raises InvalidOrder."""
        order = self.read(order)
        frames = self.position.frames
        if not frames:
            return GameOver(order).refusal
        refusal = frames[-1].check(self.position, order)
        return self._in_words(refusal) if refusal is not None else None

    @property
    def result(self) -> dict[str, Any] | None:
        """``{"winner", "margin", "reason"}`` of a finished game, else None."""
        result: dict[str, Any] | None = self.state()["result"]
        return result

    @property
    def digest(self) -> str:
        """16 hexadecimal digits over the position without its dice counters."""
        return self.position.digest()

    def state(self) -> dict[str, Any]:
        """The position as plain JSON values."""
        return self.system.state(self.position)

    def odds(self, order: Order | str) -> list[Outcome]:
        """The exact chances of what an order may bring; see :func:`hexengine.core.odds.odds`."""
        from hexengine.core.odds import odds

        return odds(self, order)

    def reckoned(self, order: Order | str) -> Reckoned:
        """The same, also if nobody answers the order; see :func:`hexengine.core.odds.reckoned`."""
        from hexengine.core.odds import reckoned

        return reckoned(self, order)

    # -- doing --------------------------------------------------------------------------------

    def play(self, order: Order | str, chance: Sequence[Chance] | None = None) -> list[Event]:
        """Carry out an order and everything that follows by itself; returns the events.

        ``chance`` dictates dice and markers; a text may carry them in brackets.  Raises
        InvalidOrder, IllegalOrder or ChanceError, and then nothing has changed.
        """
        if isinstance(order, str):
            text, dictated = split_chance(order)
            order = self.parse(text)
            chance = dictated if chance is None else chance
        elif getattr(order, "book", None) is not self._book:
            order = self.read(order)
        pos = self.position
        if not pos.frames:
            raise GameOver(order)
        refusal = pos.frames[-1].check(pos, order)
        if refusal is not None:
            raise IllegalOrder(order, self._in_words(refusal))
        if chance is not None:
            return self._carry_out_dictated(order, chance)
        dice = self.dice
        dice.used = []
        return self._carry_out(order, dice)

    def replaced(self, player: str, by: str, reason: str) -> None:
        """From the next order on somebody else plays for the side that decides.

        A game that keeps a history keeps this too.
        """

    def _carry_out(self, order: Order, dice: Dice) -> list[Event]:
        events: list[Event] = []
        emit = events.append if self.events else None
        pos = self.position
        frames = pos.frames
        frames[-1].play(pos, order, dice, emit)
        while frames and frames[-1].advance(pos, dice, emit):
            pass
        self._decision = None
        self.entry += 1
        return events

    def _carry_out_dictated(self, order: Order, chance: Sequence[Chance]) -> list[Event]:
        before = self.position.copy()
        dice = ScriptedDice(chance, self.position.streams)
        try:
            events = self._carry_out(order, dice)
        except ChanceError:
            self.restore(before)
            raise
        try:
            dice.finish()
        except ChanceError:
            self.restore(before)
            self.entry -= 1
            raise
        self.dice.used = dice.used
        return events

    def _run(self, emit: Any) -> None:
        """Let automatic frames run until somebody must decide."""
        pos = self.position
        while pos.frames and pos.frames[-1].advance(pos, self.dice, emit):
            pass

    def _in_words(self, refusal: Refusal) -> Refusal:
        return refusal._replace(text=self.system.describe(self.board, refusal))

    # -- copies -------------------------------------------------------------------------------

    def earlier(self, enough: Callable[[Position], bool]) -> Iterator[Game]:
        """The way to this point once more, from a position on for which ``enough`` is true, or the start.

        One game that goes on from order to order, each time before the next that was played; it must be
        left as it is.  Nothing comes where no history is kept, nor in copies with other dice.
        """
        return iter(())

    def restore(self, position: Position) -> None:
        """Take ``position`` as the position of this game."""
        self.position = position
        self.dice.streams = position.streams
        self.notes = {}
        self._decision = None

    def copy(self, seed: int | None = None) -> Self:
        """An independent game at the same point.

        With ``seed`` the copy's coming dice are those of another game: what a player tries out
        in its head must not tell it the real dice.
        """
        cls = type(self)
        return self._at_this_point(cls.__new__(cls), self.seed if seed is None else seed)

    def imagined(self, seed: int) -> Game:
        """A game at the same point for the side that decides to try things out in.

        It has no events and no history, and nothing that is hidden from that side.  Its coming dice depend
        on ``seed`` alone, so that whatever is tried out in it tells nothing of the real ones.  This is the
        one place where such games are made.  Raises GameOver.
        """
        if not self.position.frames:
            raise GameOver("to imagine how it goes on")
        new = self._at_this_point(Game.__new__(Game), seed)
        new.events = False
        pos = self.position
        position = self._observed(pos.frames[-1].decider(pos))
        if position is not None:
            new.restore(position)
        streams = new.position.streams
        streams[:] = [0] * len(streams)
        return new

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, _: dict[int, Any]) -> Self:
        return self.copy()

    def _at_this_point(self, new: Of, seed: int) -> Of:
        """Make a blank game one that stands where this one does."""
        new.scenario = self.scenario
        new.system = self.system
        new.board = self.board
        new._book = self._book
        new.seed = seed = seed_of(seed)
        new.entry = self.entry
        new.events = self.events
        new.position = self.position.copy()
        new.dice = SeededDice(seed)
        new.dice.streams = new.position.streams
        new.notes = {}
        new._decision = None
        return new

    def seen_by(self, side: int, seed: int | None = None) -> Self:
        """What a side (by its number) may see of this game: the game itself if nothing is hidden from it.

        Otherwise, or with a ``seed`` for the coming dice, a copy.  Where something is hidden the copy
        has it not, nor a history that would tell.
        """
        position = self._observed(side)
        if position is None:
            return self if seed is None else self.copy(seed)
        new = self.copy(seed)
        new.restore(position)
        new._begin_here()
        return new

    def _observed(self, side: int) -> Position | None:
        """A copy of the position without what is hidden from a side; None if nothing is."""
        observed = getattr(self.system, "observed", None)
        position: Position | None = observed(self.position, side) if observed is not None else None
        return position

    def _begin_here(self) -> None:
        """Forget how this position came about."""

    def __repr__(self) -> str:
        return f"<game of {self.scenario.name}, seed {self.seed}, {self.entry} orders, {self.decision!r}>"
