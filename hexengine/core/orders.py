"""Orders: what a side may do, one small type a verb."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from mypy_extensions import mypyc_attr

from hexengine.core.errors import InvalidOrder

Chance = int | str
"""What chance decides: a die's face (1 to 6), or a drawn marker's name."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Order:
    """One order of a side.

    ``str(order)`` is its canonical text, the same at the prompt, in scripts and in logs.  A
    system keeps one shared object for each distinct order, so that comparing is mostly a
    comparison of identity; orders of two loads of one scenario are equal if their texts are.
    """

    __slots__ = ()
    verb: ClassVar[str] = ""

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return type(self) is type(other) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        return self.verb

    def __repr__(self) -> str:
        return f"<{self}>"


class Undo(Order):
    """Takes back an order; part of every system, and never among the orders offered."""

    __slots__ = ()
    verb = "undo"


UNDO = Undo()


class Usage(NamedTuple):
    """How an order is written (``move UNITS HEX``), what it means in words, and the rule to read.

    Words in capitals stand for what is named: HEX, UNITS and UNIT (the orderer's own), TARGET (an
    enemy), GROUP and ENEMY (a formation of one's own, of the enemy's); brackets for what may be left out,
    ``a|b`` for a choice of words.
    """

    pattern: str
    text: str
    rule: str


def split_chance(text: str) -> tuple[str, list[Chance] | None]:
    """Split ``"fire a b [2 4 5]"`` into the order's text and the dictated chance.

    Without brackets the chance is None.  Raises InvalidOrder where the brackets do not close.
    """
    order, opened, rest = text.strip().partition("[")
    body, closed, behind = rest.partition("]")
    if (opened and not closed) or behind or "]" in order or "[" in body:
        raise InvalidOrder(text, "the brackets with dice must stand once, behind the order")
    if not opened:
        return order, None
    words = body.replace(",", " ").split()
    # Longer numbers are no faces; they may be names of markers.
    return order.rstrip(), [int(word) if len(word) == 1 and word in "0123456789" else word for word in words]
