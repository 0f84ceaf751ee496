"""Events: facts of what happened, each with the rule that caused it.

Rules call ``emit`` only if somebody listens, so that batches pay nothing for them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Contribution(NamedTuple):
    """One part of a resolved number: which rule, what it is called, and how much."""

    rule: str
    code: str
    value: int


class Event(NamedTuple):
    """One fact: the rule's id, a code, and the facts by name (ids and labels, never sentences)."""

    rule: str
    code: str
    facts: Mapping[str, Any]


Emit = Callable[[Event], None] | None
