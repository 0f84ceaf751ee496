"""TOML text → plain data; what is no TOML is said in a plain sentence with its place."""

import re
import tomllib
from typing import Any

from hexengine.content.words import printable, quoted
from hexengine.core.errors import ContentError, Problem

DEEPEST = 32
"""Brackets inside each other, and parts of a dotted key, that a file may have."""

LONGEST_WORD = 1000
"""Characters of a bare key or a number."""

_PART = r"""(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""

# every alternative takes what it began with, so that the scan is linear in any text
_TOKEN = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\Z)'
    r"|'''(?:[^']|'(?!''))*+(?:'''|\Z)"
    r"|\#[^\n]*+"
    rf"|(?P<dotted>{_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{DEEPEST},}}+)"
    r"""|"(?:[^"\\\n]|\\.)*+"?|'[^'\n]*+'?"""
    r"|(?P<word>[A-Za-z0-9_-]++)"
    r"|(?P<open>[\[{])|(?P<close>[\]}])",
    re.DOTALL,
)

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)\Z")

_STRANGE_QUOTES = "“”„«»‘’‚`´"

_OPEN_QUOTES = ("the quotes are not closed on this line", 'text of several lines stands in """')

_SENTENCES: tuple[tuple[str, str, str | None], ...] = (
    ("Expected '=' after a key", "expected = after this key", "write key = value"),
    ("Expected ']", "this table header is not closed", None),
    ("Cannot declare", "this table is given twice", "put its keys under one header"),
    ("Cannot mutate", "this table is already complete and cannot be added to", None),
    ("Cannot redefine", "this table is already complete and cannot be added to", None),
    ("Cannot overwrite", "this key is given twice", "keep one of them"),
    ("Duplicate inline table key", "this key is given twice", "keep one of them"),
    ("Unclosed array", "expected a comma or ] in this list", None),
    ("Unclosed inline table", "expected a comma or } in this table", None),
    ("Unescaped '\\'", "a backslash does not stand for itself here", "write \\\\, or use '…' for quotes"),
    ("Invalid hex value", "this is not a character code", "write \\u and four digits"),
    ("Escaped character", "this is not the code of a character", None),
    ("Invalid date", "there is no such date or time", None),
    ("Invalid statement", "this is neither key = value nor a [table]", None),
    ("Expected newline", "the line should end here", "one key = value a line, text in quotes"),
)


def parse(text: str, file: str) -> dict[str, Any]:
    """The document behind a normalised text; raises ContentError with the place of the first fault.

    Nesting, dotted keys and words are bounded, so that no text takes more than linear time.
    """
    _bound(text, file)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ContentError([_problem(text, file, str(error))]) from None


def place(text: str, offset: int) -> tuple[int, int]:
    """Line and column, from 1, of a character of the text."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _bound(text: str, file: str) -> None:
    depth = 0
    for token in _TOKEN.finditer(text):
        fault = None
        if token["open"]:
            depth += 1
            if depth > DEEPEST:
                fault = f"brackets are nested more than {DEEPEST} deep"
        elif token["close"]:
            depth = max(0, depth - 1)
        elif token["dotted"]:
            fault = f"a key of more than {DEEPEST} parts"
        elif token["word"] and len(token["word"]) > LONGEST_WORD:
            fault = f"a key or number of more than {LONGEST_WORD} characters"
        if fault:
            raise ContentError([Problem(file, *place(text, token.start()), fault)])


def _problem(text: str, file: str, message: str) -> Problem:
    """What the parser says, in words for the person who wrote the file."""
    where = _PLACE.search(message)
    said = message[: where.start()] if where else message
    offset = _offset(text, int(where[1]), int(where[2])) if where and where[1] else len(text)
    here = text[offset : offset + 1]
    number = re.search(r"(?<![\w.\"'+-])[+-]?0\Z", text[max(0, offset - 3) : offset])
    digits = re.compile(r"[0-9_]+").match(text, offset)
    if number and digits:
        wanted = quoted("0" + digits[0])
        at = place(text, offset - 1)
        return Problem(file, *at, "a number must not begin with 0", f"write {wanted}, in quotes")
    offset, sentence, advice = _explain(text, said, offset, here)
    return Problem(file, *place(text, offset), sentence, advice)


def _offset(text: str, line: int, column: int) -> int:
    start = 0
    for _ in range(line - 1):
        start = text.index("\n", start) + 1
    return start + column - 1


def _explain(text: str, said: str, offset: int, here: str) -> tuple[int, str, str | None]:
    if said == 'Expected "\'"':
        return (text + "\n").index("\n", text.rfind("'")), *_OPEN_QUOTES
    if said.startswith(("Unterminated string", 'Expected \'"""\'', "Expected \"'''\"")):
        opening = max((token.start() for token in _TOKEN.finditer(text)), default=0)
        if not text.startswith(('"""', "'''"), opening):
            return offset, *_OPEN_QUOTES
        return opening, "this text is never closed", "end it with the quotes it begins with"
    if said.startswith(("Illegal character", "Found invalid character")):
        if here in ("\n", ""):
            return offset, *_OPEN_QUOTES
        return offset, f"a control character, code {ord(here)}, may not stand here", "take it out"
    if said.startswith("Invalid value"):
        if here in ("\n", "", "#"):
            return offset, "a value is missing here", None
        return offset, "this value cannot be read", _meant(text, offset)
    if said.startswith("Invalid initial character"):
        if here == "\n":
            return offset, "a key is missing here", "a table in { } stands on one line"
        if here == "}":
            return offset, "a key is missing here", "no comma before }"
        return offset, "this cannot begin a key", "signs other than letters, digits, - and _ need quotes"
    if said.startswith(("Cannot", "Duplicate")):
        offset = _statement(text, offset)
        both = _one_and_several(text, offset)
        if both is not None:
            return both
    elif said.startswith("Unescaped"):
        offset -= 2
    for start, sentence, advice in _SENTENCES:
        if said.startswith(start):
            return offset, sentence, advice
    return offset, f"this is not valid TOML: {said}", None


_MEANT = {
    "true": "write true",
    "false": "write false",
    "yes": "write true",
    "on": "write true",
    "off": "write false",
    "no": 'write false, or "no" in quotes',
}


def _meant(text: str, offset: int) -> str | None:
    """What a value that cannot be read was perhaps meant to be."""
    if text[offset] in _STRANGE_QUOTES:
        return "quotes are written \"…\" or '…'"
    word = re.compile(r"[^\W\d_]*").match(text, offset)
    assert word is not None, "the pattern fits anything"
    return _MEANT.get(word[0].lower(), "text stands in quotes") if word[0] else None


def _one_and_several(text: str, offset: int) -> tuple[int, str, str] | None:
    """What is wrong if the header at an offset and one above it call one table [name] and [[name]]."""
    from hexengine.content.locate import headers

    above = [header for header in headers(text) if header.start <= offset]
    if not above or above[-1].start != offset:
        return None
    here = above.pop()
    other = next((one for one in above if one.keys == here.keys and one.several != here.several), None)
    if other is None:
        return None
    single = here if other.several else other
    name = printable(".".join(here.keys))
    advice = f"write [[{name}]] each time where there are several"
    return single.start, f"[{name}] here and [[{name}]] elsewhere cannot both be", advice


def _statement(text: str, offset: int) -> int:
    """Where the ``key = value`` or header begins that ends at an offset."""
    from hexengine.content.locate import statement_start

    return statement_start(text, offset)
