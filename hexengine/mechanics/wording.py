"""Refusals and events in words: templates of a catalogue filled with facts.

A template is a sentence with facts in braces.  ``{hits:hit|hits}`` is a number, or a list of
names, followed by the word that fits how many they are (a third form serves languages that need
one: of 1, of 2 to 4, of 5 and more).  What stands in square brackets is left out where one of its
facts is empty, zero or absent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from gettext import NullTranslations, bindtextdomain, translation
from typing import Any

from hexengine.core.events import Contribution
from hexengine.core.orders import Usage
from hexengine.core.rulebook import WordsFile

DOMAIN = "hexengine"
FIELD = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
OPTIONAL = re.compile(r"\[([^\[\]]*)\]")

Names = Mapping[str, Mapping[Any, str]]
"""By a fact's name, the names that people know its values by."""


def translated(message: str) -> str:
    """A message in the language of the user's locale, as gettext.dgettext gives it.

    That looks through folders for each message; here they are looked through once, when the first words are
    said.
    """
    return _catalogue(bindtextdomain(DOMAIN)).gettext(message)


@cache
def _catalogue(folder: str) -> NullTranslations:
    return translation(DOMAIN, folder, fallback=True)


def side_facts(sides: Sequence[str], side_names: Sequence[str]) -> Names:
    """The names of the sides, for the facts that hold one."""
    names = dict(zip(sides, side_names, strict=True))
    return {"side": names, "winner": names}


class Wording:
    """The words of one scenario: a system's catalogue, and the names of what the scenario calls by ids."""

    def __init__(self, words: WordsFile, names: Names) -> None:
        self.words = words
        self._names = names

    def refusal(self, code: str, facts: Mapping[str, Any]) -> str:
        """A refusal in one sentence, without its full stop."""
        return self.fill(self.words.refusal.get(code), code, facts)

    def event(self, code: str, facts: Mapping[str, Any]) -> str:
        """An event in one line; "" for events that people need not read."""
        return self.fill(self.words.event.get(code), code, facts)

    def value(self, kind: str, code: str) -> str:
        """A code as people read it."""
        texts = self.words.value.get(kind, {})
        return translated(texts[code]) if code in texts else code

    def obstacle(self, code: str, facts: Mapping[str, Any]) -> str:
        """What hinders or blocks a line of sight, in a few words."""
        return self.fill(self.words.value.get("sight", {}).get(code), code, facts)

    def usage(self, patterns: Mapping[str, tuple[str, str]]) -> dict[str, Usage]:
        """What orders mean, by verb, from how they are written and the rules about them."""
        return {
            verb: Usage(pattern, self.value("help", verb), rule) for verb, (pattern, rule) in patterns.items()
        }

    def fill(self, template: str | None, code: str, facts: Mapping[str, Any]) -> str:
        """A template with its facts; a code without a template is shown with its facts as they are."""
        if template is None:
            return f"{code} {' '.join(f'{name}={value}' for name, value in facts.items())}".strip()
        if not template:
            return ""

        def field(found: re.Match[str]) -> str:
            name, forms = found[1], found[2]
            if name not in facts:
                return found[0]
            text = self._text(name, facts[name])
            return f"{text} {_form(facts[name], forms.split('|'))}" if forms else text

        def optional(found: re.Match[str]) -> str:
            return found[1] if all(facts.get(name) for name, _ in FIELD.findall(found[1])) else ""

        return FIELD.sub(field, OPTIONAL.sub(optional, translated(template)))

    def _text(self, name: str, value: Any) -> str:
        """A fact as people read it: names in place of ids, halves as such, dice and lists in a row."""
        if isinstance(value, list):
            texts = [self._text(name, one) for one in value]
            return (" " if name.endswith("faces") else ", ").join(texts)
        if isinstance(value, Contribution):
            texts_of = self.words.contribution
            word = translated(texts_of[value.code]) if value.code in texts_of else value.code
            # What is printed on a counter is no modifier.
            return f"{word} {value.value}" if value.code == "printed" else f"{word} {value.value:+d}"
        if isinstance(value, float):
            return _number(value)
        names = self._names.get(name)
        named = names.get(value) if names is not None else None
        return named if named is not None else self.value(name, str(value))


def _form(value: Any, forms: list[str]) -> str:
    """The form of a word that fits a number, or how many names a list has."""
    count = len(value) if isinstance(value, list) else value
    if len(forms) < 3:
        return forms[0] if count == 1 else forms[-1]
    if count % 10 == 1 and count % 100 != 11:
        return forms[0]
    return forms[1] if 2 <= count % 10 <= 4 and not 12 <= count % 100 <= 14 else forms[2]


def _number(value: float) -> str:
    whole, half = divmod(value, 1)
    if half != 0.5:
        return f"{value:g}"
    return f"{whole:g}½" if whole else "½"
