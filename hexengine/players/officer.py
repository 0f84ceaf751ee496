"""The rule-based player."""

from __future__ import annotations

from hexengine.players.random import Random


class Officer(Random):
    """Plays by rules of thumb and exact odds."""

    name = "officer"
