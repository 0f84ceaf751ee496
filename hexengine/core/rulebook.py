"""The rule catalogue: every rule with its id, our wording, its source, status and ruling."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

RuleId = Annotated[
    str, msgspec.Meta(pattern=r"^[A-Z]\d+(\.\d+)*[a-z]?$", description="such as P4.2 or P2.2.1")
]


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule of a system's catalogue."""

    id: RuleId
    title: str
    text: str
    status: Literal["done", "partial", "absent"]
    source: str = ""
    """Where it comes from: the founding text's heading, or ``proposed``."""
    term_ru: str = ""
    ruling: str = ""
    """How a silent or doubtful text is read, and why."""
    forbids: bool = False
    """Whether some order can be refused by it."""


class RulesFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``data/<system>/rules.toml``."""

    title: str
    rule: list[Rule]


class WordsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``data/<system>/words.toml``: what refusals and events say, by code.

    Texts are templates whose fields are the facts of the refusal or event.  ``contribution`` names
    the parts of numbers, ``value`` the values of facts that are codes, by the fact's name.
    """

    refusal: dict[str, str]
    event: dict[str, str]
    contribution: dict[str, str]
    value: dict[str, dict[str, str]] = {}
