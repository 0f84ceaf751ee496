"""Everything that hexengine raises on purpose.

All derive from :class:`HexEngineError`.  Messages are for people: what is wrong, where, and
what would be right.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from hexengine.core.game import Game
    from hexengine.core.orders import Order


class HexEngineError(Exception):
    """The root of all errors of this package."""

    def __reduce__(self) -> Any:
        # The constructors take facts, not the message: without this no error could leave a process.
        return _again, (type(self), self.args, self.__dict__)


def _again(kind: type[HexEngineError], args: tuple[Any, ...], facts: dict[str, Any]) -> HexEngineError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(facts)
    return error


class Problem(NamedTuple):
    """One fault of a file: where it is, what is wrong, and what would be right.

    ``line`` and ``column`` count from 1; 0 means that the fault has no place of its own.
    """

    file: str
    line: int
    column: int
    text: str
    suggestion: str | None = None
    rule: str | None = None

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        rule = f" [{self.rule}]" if self.rule else ""
        suggestion = f" ({self.suggestion})" if self.suggestion else ""
        return f"{place}: {self.text}{rule}{suggestion}"


class ContentError(HexEngineError):
    """A file cannot be used; ``problems`` lists every fault that was found in it."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class UnknownSystem(HexEngineError):
    """No rule system of that name is registered."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name = name
        self.known = tuple(known)
        super().__init__(
            f"no rule system is called {quoted_start(str(name))}; there are: {', '.join(self.known)}"
        )


class BrokenSystem(HexEngineError):
    """A rule system of that name is installed, and cannot be used; ``reason`` says why."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        self.reason = reason
        super().__init__(f"the rule system {name!r} is installed but does not load: {reason}")


class UnknownPlayer(HexEngineError):
    """No player of that name is registered."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name = name
        self.known = tuple(known)
        # Only whoever mistypes a name pays for the import.
        from difflib import get_close_matches

        close = get_close_matches(str(name), self.known, 1)
        hint = f"; did you mean {close[0]}?" if close else ""
        super().__init__(
            f"no player is called {quoted_start(str(name))}; there are: {', '.join(self.known)}{hint}"
        )


class BrokenPlayer(HexEngineError):
    """A player of that name is known, and cannot be made; ``reason`` says why."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        self.reason = reason
        super().__init__(f"the player {name!r} cannot be made: {reason}")


MOST_QUOTED = 200
"""Characters of what was written that a message repeats."""


def start_of(text: str) -> str:
    """What was given, or the start of it if it is long."""
    return text if len(text) <= MOST_QUOTED else f"{text[:MOST_QUOTED]}..."


def quoted_start(text: str) -> str:
    """What was written in quotes, or the start of it if it is long."""
    return repr(text) if len(text) <= MOST_QUOTED else f"{text[:MOST_QUOTED]!r}..."


def why(error: Exception) -> str:
    """What the operating system says of an error, without its number and the file."""
    return str(getattr(error, "strerror", None) or error)


class InvalidOrder(HexEngineError):
    """An order's text cannot be read; ``suggestion`` says what was perhaps meant."""

    def __init__(self, text: str, reason: str, suggestion: str | None = None) -> None:
        self.text = text
        self.reason = reason
        self.suggestion = suggestion
        tail = f" ({suggestion})" if suggestion else ""
        super().__init__(f"cannot read the order {quoted_start(text)}: {reason}{tail}")


class AmbiguousOrder(InvalidOrder):
    """A shortened word stands for several; ``choices`` lists them."""

    def __init__(self, text: str, word: str, choices: Iterable[str]) -> None:
        self.word = word
        self.choices = tuple(choices)
        super().__init__(text, f"{quoted_start(word)} may be {', '.join(self.choices)}")


class Refusal(NamedTuple):
    """Why an order is not legal: the rule, a code with its facts, and something legal of the kind.

    ``text`` says it in words; it is filled in where people read it, not while rules run.
    """

    rule: str
    code: str
    facts: Mapping[str, Any]
    alternative: Order | None = None
    text: str = ""

    def __str__(self) -> str:
        instead = f" (legal: {self.alternative})" if self.alternative is not None else ""
        rule = f" [{self.rule}]" if self.rule else ""
        return f"{self.text or self.code}{rule}{instead}"


class IllegalOrder(HexEngineError):
    """An order is well formed but not allowed now; ``refusal`` says which rule forbids it."""

    def __init__(self, order: Order, refusal: Refusal) -> None:
        self.order = order
        self.refusal = refusal
        super().__init__(f"{order}: {refusal}")


class GameOver(IllegalOrder):
    """An order was given after the end of the game."""

    def __init__(self, order: Order | str) -> None:
        HexEngineError.__init__(self, f"{start_of(str(order))}: the game is over")
        self.refusal = Refusal("", "game-over", {}, None, "the game is over")


class ChanceError(HexEngineError):
    """Dictated dice or markers do not fit the order: too few, too many or impossible."""


class ReplayDivergence(HexEngineError):
    """A log does not replay: entry number, what was expected, what came, and the valid part."""

    def __init__(self, entry: int, expected: str, got: str, game: Game | None, reason: str = "") -> None:
        self.entry = entry
        self.expected = expected
        self.got = got
        self.game = game
        self.reason = reason
        super().__init__(f"entry {entry}: {reason or 'the replay differs'}: expected {expected}, got {got}")
