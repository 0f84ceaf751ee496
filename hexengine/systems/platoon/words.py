"""Refusals and events in words: templates of ``data/platoon/words.toml`` filled with facts.

A template is a sentence with facts in braces.  ``{hits:hit|hits}`` is a number, or a list of
names, followed by the word that fits how many they are (a third form serves languages that need
one: of 1, of 2 to 4, of 5 and more).  What stands in square brackets is left out where one of its
facts is empty, zero or absent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from gettext import dgettext
from typing import TYPE_CHECKING, Any

from hexengine.core.errors import Refusal
from hexengine.core.events import Contribution, Event
from hexengine.core.orders import Usage
from hexengine.systems.platoon import support_orders
from hexengine.systems.platoon.orders import USAGE

if TYPE_CHECKING:
    from hexengine.systems.platoon.board import Board

DOMAIN = "hexengine"
FIELD = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
OPTIONAL = re.compile(r"\[([^\[\]]*)\]")

SIDES = frozenset({"side", "winner"})
FORMATIONS = frozenset({"formation", "formations", "overlooked", "marker"})


def describe(board: Board, refusal: Refusal) -> str:
    """A refusal in one sentence, without its full stop."""
    return _fill(board, board.words.refusal.get(refusal.code), refusal.code, refusal.facts)


def narrate(board: Board, event: Event) -> str:
    """An event in one line; "" for events that people need not read."""
    return _fill(board, board.words.event.get(event.code), event.code, event.facts)


def usage(board: Board) -> dict[str, Usage]:
    """How orders are written and what they mean, by verb, as far as a scenario can have them."""
    texts = board.words.value.get("help", {})
    return {
        verb: Usage(pattern, _word(texts, verb), rule)
        for verb, (pattern, rule) in USAGE.items()
        if (board.support or verb not in support_orders.USAGE) and (board.options.dig_in or verb != "dig")
    }


def obstacle(board: Board, code: str, facts: Mapping[str, Any]) -> str:
    """What hinders or blocks a line of sight, in a few words."""
    return _fill(board, board.words.value.get("sight", {}).get(code), code, facts)


def _fill(board: Board, template: str | None, code: str, facts: Mapping[str, Any]) -> str:
    """A template with its facts; a code without a template is shown with its facts as they are."""
    if template is None:
        return f"{code} {' '.join(f'{name}={value}' for name, value in facts.items())}".strip()
    if not template:
        return ""

    def field(found: re.Match[str]) -> str:
        name, forms = found[1], found[2]
        if name not in facts:
            return found[0]
        text = _text(board, name, facts[name])
        return f"{text} {_form(facts[name], forms.split('|'))}" if forms else text

    def optional(found: re.Match[str]) -> str:
        return found[1] if all(facts.get(name) for name, _ in FIELD.findall(found[1])) else ""

    return FIELD.sub(field, OPTIONAL.sub(optional, dgettext(DOMAIN, template)))


def _form(value: Any, forms: list[str]) -> str:
    """The form of a word that fits a number, or how many names a list has."""
    count = len(value) if isinstance(value, list) else value
    if len(forms) < 3:
        return forms[0] if count == 1 else forms[-1]
    if count % 10 == 1 and count % 100 != 11:
        return forms[0]
    return forms[1] if 2 <= count % 10 <= 4 and not 12 <= count % 100 <= 14 else forms[2]


def _text(board: Board, name: str, value: Any) -> str:
    """A fact as people read it: names in place of ids, halves as such, dice and lists in a row."""
    if isinstance(value, list):
        texts = [_text(board, name, one) for one in value]
        return (" " if name.endswith("faces") else ", ").join(texts)
    if isinstance(value, Contribution):
        word = _word(board.words.contribution, value.code)
        return f"{word} {value.value}" if value.code == "printed" else f"{word} {value.value:+d}"
    if isinstance(value, float):
        return _number(value)
    text = str(value)
    if name in SIDES and value in board.sides:
        return board.side_names[board.sides.index(text)]
    if name in FORMATIONS and value in board.marker_names[: board.eot]:
        return board.formations[board.marker_names.index(text)].name
    return _word(board.words.value.get(name, {}), text)


def _word(words: Mapping[str, str], code: str) -> str:
    return dgettext(DOMAIN, words[code]) if code in words else code


def _number(value: float) -> str:
    whole, half = divmod(value, 1)
    if half != 0.5:
        return f"{value:g}"
    return f"{whole:g}½" if whole else "½"
