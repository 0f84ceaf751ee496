"""What a rule system may offer, beside the protocol, to be tested more sharply.

All are attributes of the system, and each is optional:

``candidates(pos) -> Iterable[Order]``
    every order that can be written down at all, legal or not, each once.  The kit compares the
    legal ones among them, by ``check``, with those that are listed.
``invariants(pos) -> None``
    raises AssertionError where a position cannot be; called after every order.
``rule_ids: Collection[str]``
    the ids of the rule catalogue; refusals and events may cite no others.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from hexengine.core.orders import Order
from hexengine.core.position import Position
from hexengine.core.system import RuleSystem


def candidates(system: RuleSystem, pos: Position) -> list[Order] | None:
    """All orders there can be, or None if the system does not say."""
    hook: Any = getattr(system, "candidates", None)
    return list(hook(pos)) if hook is not None else None


def invariants(system: RuleSystem, pos: Position) -> None:
    """Let the system check a position; raises AssertionError."""
    hook: Any = getattr(system, "invariants", None)
    if hook is not None:
        hook(pos)


def rule_ids(system: RuleSystem) -> Collection[str] | None:
    """The ids of the system's catalogue, or None if the system does not say."""
    ids: Collection[str] | None = getattr(system, "rule_ids", None)
    return ids
