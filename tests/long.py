"""How often the tests that play random games or damage files do so: ``HEXENGINE_LONG=1`` asks for more."""

from __future__ import annotations

import os

LONG = os.environ.get("HEXENGINE_LONG") == "1"


def often(usual: int, long: int) -> int:
    """The number that is asked for."""
    return long if LONG else usual
