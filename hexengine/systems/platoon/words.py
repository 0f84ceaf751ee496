"""Refusals and events in words: templates of ``data/platoon/words.toml`` filled with facts."""

from __future__ import annotations

from collections.abc import Mapping
from gettext import gettext
from typing import Any

from hexengine.core.errors import Refusal
from hexengine.core.events import Contribution, Event
from hexengine.core.rulebook import WordsFile


def describe(words: WordsFile, refusal: Refusal) -> str:
    """A refusal in one sentence."""
    return _fill(words.refusal.get(refusal.code), refusal.code, refusal.facts, words)


def narrate(words: WordsFile, event: Event) -> str:
    """An event in one line; "" for events that people need not read."""
    return _fill(words.event.get(event.code), event.code, event.facts, words)


def _fill(template: str | None, code: str, facts: Mapping[str, Any], words: WordsFile) -> str:
    if template is None:
        return f"{code} {' '.join(f'{name}={value}' for name, value in facts.items())}".strip()
    return gettext(template).format_map({name: _text(value, words) for name, value in facts.items()}) if template else ""


def _text(value: Any, words: WordsFile) -> str:
    if isinstance(value, float):
        return f"{value:g}".replace(".5", "½").removeprefix("0½") or "½" if value % 1 else f"{value:g}"
    if isinstance(value, list):
        if value and isinstance(value[0], Contribution):
            return ", ".join(
                f"{words.contribution.get(part.code, part.code)} {part.value:+d}"
                if number
                else f"{words.contribution.get(part.code, part.code)} {part.value}"
                for number, part in enumerate(value)
            )
        if value and isinstance(value[0], int):
            return " ".join(map(str, value))
        return ", ".join(map(str, value))
    return str(value)
