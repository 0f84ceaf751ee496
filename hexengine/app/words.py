"""What the commands say: whole sentences, through gettext, with facts in braces."""

from __future__ import annotations

from typing import Any

from hexengine.view.words import word


def said(message: str, **facts: Any) -> str:
    """A message in the language of the user's locale, its braces filled with facts."""
    return word(message).format(**facts)
