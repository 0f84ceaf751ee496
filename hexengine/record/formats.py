"""The lines of a game log as msgspec types, and the chain of checksums that ties them together.

A log is JSON Lines: one :class:`Header`, then one :class:`Entry` an order.  ``sum`` is the last
key of every line: a checksum over all bytes from the start of the file up to the key itself.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import UNSET, Meta, UnsetType

from hexengine.core.errors import HexEngineError
from hexengine.core.scenario import Scenario

FORMAT: Literal[2] = 2

LOWEST_SEED, HIGHEST_SEED = -(2**63), 2**63 - 1

Seed = Annotated[int, Meta(ge=LOWEST_SEED, le=HIGHEST_SEED)]

Digits = Annotated[str, Meta(pattern="^[0-9a-f]{16}$", description="16 hexadecimal digits")]

Word = Annotated[str, Meta(min_length=1)]

Face = Annotated[int, Meta(ge=1, le=6, description="a die's face")]

Chances = Annotated[
    list[Face | Word], Meta(description="dice in the order rolled, and names of drawn markers")
]


class RecordError(HexEngineError):
    """A log cannot be written or read as asked; the message says which, why and what would do."""


class Notice(NamedTuple):
    """Something that people should know about a record: ``code`` is torn, rules or content."""

    code: str
    text: str


class Wanted(NamedTuple):
    """The scenario that a record asks for; whoever knows where scenarios are finds it.

    ``source`` is the text of one that does not come with the program.  Scripts know neither
    ``system`` nor ``content``, and their ``scenario`` may be a path, seen from ``folder``.
    """

    scenario: str
    system: str | None
    content: str | None
    source: str | None
    folder: Path


Find = Callable[[Wanted], Scenario]


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The first line of a log: what was played, and with what."""

    format: Literal[2]
    system: Word
    rules: int
    """The version of the system's rules."""
    scenario: Word
    content: str
    """The digest of the scenario and of the system's data."""
    seed: Seed
    players: dict[str, str]
    """Who played which side, in the scenario's order of sides; empty where nobody is named."""
    sandbox: bool
    """Whether undo knew no fence."""
    source: str | UnsetType = UNSET
    """The scenario's text, where the scenario is not one that comes with the program."""
    sum: str


class Replaced(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who played for a side until now, who plays for it from this entry on, and why."""

    player: str
    by: str
    reason: str

    def __str__(self) -> str:
        return f"{self.by} plays on for {self.player}: {self.reason}"


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One order: its number from 1, who gave it, what chance decided, and the position after it.

    ``replaced`` stands only where a player has just been replaced; nothing depends on it.
    """

    n: Annotated[int, Meta(ge=1)]
    by: Word
    order: Word
    chance: Chances
    digest: Digits
    replaced: Replaced | UnsetType = UNSET
    sum: str = ""


SUM_START, SUM_END = b'"sum":"', b'"}'
SUM_LENGTH = len(SUM_START) + 16 + len(SUM_END)

_NO_SUM = len(SUM_START + SUM_END)
_TAIL = SUM_START + b"%b" + SUM_END + b"\n"
_encode = msgspec.json.Encoder().encode


def new_chain() -> blake2b:
    """The checksum of nothing."""
    return blake2b(digest_size=8)


def seal(chain: blake2b, record: Header | Entry) -> bytes:
    """The line of a record with its checksum and newline; takes the chain behind it."""
    part = _encode(record)[: -_NO_SUM - len(record.sum)]
    chain.update(part)
    tail = _TAIL % chain.hexdigest().encode()
    chain.update(tail)
    return part + tail


class BrokenLine(Exception):
    """A line whose checksum is not that of the bytes before it."""

    def __init__(self, expected: str, got: str) -> None:
        self.expected = expected
        self.got = got
        super().__init__(expected, got)


def unseal(chain: blake2b, line: bytes) -> None:
    """Check a line (without its newline) and take the chain behind it; raises BrokenLine."""
    tail = line[-SUM_LENGTH:]
    chain.update(line[:-SUM_LENGTH])
    expected = chain.hexdigest()
    if not (tail.startswith(SUM_START) and tail.endswith(SUM_END)):
        raise BrokenLine(f"a checksum at its end, {expected}", "none")
    got = tail[len(SUM_START) : -len(SUM_END)].decode("latin-1")
    if got != expected:
        raise BrokenLine(f"the checksum {expected}", got if got.isalnum() and got.isascii() else repr(got))
    chain.update(tail + b"\n")
