"""Frames: the explicit stack of decisions and automatic steps inside a position.

A frame is an immutable NamedTuple of ints with at least one field (an empty one would be
false).  What happens last is pushed first.  Nothing of an unfinished move lives anywhere else:
after an interrupt the frame below asks the position again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from hexengine.core.dice import Dice
    from hexengine.core.errors import Refusal
    from hexengine.core.events import Emit
    from hexengine.core.orders import Order

Actor = int
"""Who acts in a decision, in the numbers of the system (a hex, a unit); negative for ``end`` and its like."""


class Frame(Protocol):
    """One decision or automatic step.

    A frame may also have ``every(pos)``, the orders of all actors, and ``sample(pos, below)``, one
    order of one actor, each as likely (``below(n)`` gives a number from 0 to n - 1), where these
    cost less than asking actor by actor.

    All methods read or change the position that is handed in and nothing else.
    """

    @property
    def kind(self) -> str:
        """The name of the decision (``draw``, ``operations``, ``group``, ``reaction``).

        A property because an annotation in a NamedTuple, ClassVar or not, would be a field.
        """
        ...

    def __iter__(self) -> Iterator[Any]: ...

    def decider(self, pos: Any) -> int:
        """The number of the side that decides."""
        ...

    def actors(self, pos: Any) -> list[Actor]:
        """Who has at least one legal order, in canonical order; never empty at a decision."""
        ...

    def orders(self, pos: Any, actor: Actor) -> list[Order]:
        """The legal orders of one actor, in canonical order; never empty for one of ``actors``."""
        ...

    def check(self, pos: Any, order: Order) -> Refusal | None:
        """The only judge of legality: None, or why not."""
        ...

    def play(self, pos: Any, order: Order, dice: Dice, emit: Emit) -> None:
        """Carry out a legal order: straight-line rules."""
        ...

    def advance(self, pos: Any, dice: Dice, emit: Emit) -> bool:
        """On top again: True if the frame did something by itself, False if somebody must decide."""
        ...


class Automatic:
    """What frames have in common in which nobody decides anything: they ``advance`` whenever they are on top.

    A mixin of a class over the NamedTuple of its fields, which adds ``kind``, ``decider`` (whose business
    it is), ``check`` (by which rule nothing can be ordered now) and ``advance``.
    """

    __slots__ = ()

    def actors(self, pos: Any) -> list[Actor]:
        """Nobody."""
        return []

    def orders(self, pos: Any, actor: Actor) -> list[Order]:
        """None."""
        return []

    def play(self, pos: Any, order: Order, dice: Dice, emit: Emit) -> None:
        """Nothing is ever ordered here."""
