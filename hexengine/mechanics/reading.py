"""Order texts read: what all systems write alike, and what is said of a word that is not understood."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, ClassVar, TypeVar

from mypy_extensions import mypyc_attr

from hexengine.core.errors import InvalidOrder
from hexengine.core.orders import Order
from hexengine.mechanics.masks import mask_of, units

LONGEST_WORD = 40
"""Signs of a word that are repeated to whoever wrote it."""

OneOrder = TypeVar("OneOrder", bound=Order)


@mypyc_attr(allow_interpreted_subclasses=True)
class OrderReader:
    """Base of a system's order book: units by id, places by label, orders by their first word.

    It keeps one object for each distinct order.  ``labels`` are those of the places; ``locate`` gives the
    number of a place and raises ValueError, in words, for a label that is none.
    """

    USAGE: ClassVar[Mapping[str, tuple[str, str]]]
    """By verb, how the order is written and the rule about it."""
    PLAIN: ClassVar[Mapping[str, Order]] = {}
    """The orders of one word, by verb."""
    READERS: ClassVar[Mapping[str, Callable[[Any, str, list[str]], Order]]]
    """By verb, what makes the order from the book, the text and its words."""
    UNIT: ClassVar[str] = "unit"
    """What a unit is called."""

    def __init__(self, ids: Sequence[str], labels: Sequence[str], locate: Callable[[str], int]) -> None:
        self.ids = list(ids)
        self.labels = labels
        self._index = {name: number for number, name in enumerate(ids)}
        self._locate = locate
        self._others: dict[tuple[Any, ...], Order] = {}

    def once(self, kind: type[OneOrder], *values: int) -> OneOrder:
        """The one order of a kind that is made of these values."""
        key = (kind, *values)
        order = self._others.get(key)
        if order is None:
            order = self._others[key] = kind(self, *values)  # type: ignore[call-arg]
        return order  # type: ignore[return-value]

    def names(self, mask: int) -> str:
        """The ids of some units, joined by commas."""
        return ",".join([self.ids[unit] for unit in units(mask)])

    def parse(self, text: str) -> Order:
        """Read an order's text; raises InvalidOrder with what was perhaps meant."""
        words = text.split()
        verbs = f"verbs are {', '.join(self.USAGE)}"
        if not words:
            raise InvalidOrder(text, "it is empty", verbs)
        verb = words[0].lower()
        plain = self.PLAIN.get(verb)
        if plain is not None:
            self.expect(text, words, 1, 1)
            return plain
        reader = self.READERS.get(verb)
        if reader is None:
            close = get_close_matches(verb[:LONGEST_WORD], self.USAGE, 1)
            advice = f"did you mean {close[0]}?" if close else verbs
            raise InvalidOrder(text, f"there is no order {verb[:LONGEST_WORD]!r}", advice)
        return reader(self, text, words)

    def expect(self, text: str, words: list[str], least: int, most: int) -> None:
        """Raise InvalidOrder if there are fewer or more words, the verb included."""
        if not least <= len(words) <= most:
            what = "too few words" if len(words) < least else "too many words"
            raise InvalidOrder(text, f"it has {what}", self.written(words[0]))

    def written(self, verb: str) -> str:
        """How an order is written."""
        return f"it is written: {self.USAGE[verb.lower()][0]}"

    def known(self, text: str, what: str, word: str, index: Mapping[str, int]) -> int:
        """The number that a name has in an index; raises InvalidOrder about ``text``."""
        found = index.get(word)
        if found is None:
            close = get_close_matches(word[:LONGEST_WORD], list(index), 3, 0.5)
            advice = f"did you mean {' or '.join(close)}?" if close else None
            raise InvalidOrder(text, f"there is no {what} {word[:LONGEST_WORD]!r}", advice)
        return found

    def unit(self, text: str, word: str) -> int:
        """The number of the unit that a word names; raises InvalidOrder about ``text``."""
        return self.known(text, self.UNIT, word, self._index)

    def named(self, text: str, word: str) -> int:
        """The mask of units whose ids a word joins by commas; raises InvalidOrder."""
        named = [self.unit(text, part) for part in word.split(",") if part]
        if not named:
            raise InvalidOrder(text, f"no {self.UNIT} is named")
        if len(set(named)) != len(named):
            raise InvalidOrder(text, f"a {self.UNIT} is named twice")
        return mask_of(named)

    def place(self, text: str, word: str) -> int:
        """The number of the place that a word labels; raises InvalidOrder about ``text``."""
        try:
            return self._locate(word)
        except ValueError as error:
            raise InvalidOrder(text, str(error)) from None
