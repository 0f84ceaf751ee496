"""Texts that are no TOML: one problem, at its place, in a plain sentence."""

import re

import pytest

from hexengine.content.syntax import DEEPEST, LONGEST_WORD, parse
from hexengine.content.text import decode
from hexengine.core.errors import ContentError, Problem

OPEN = ("the quotes are not closed on this line", 'text of several lines stands in """')
NEVER = ("this text is never closed", "end it with the quotes it begins with")
BACKSLASH = ("a backslash does not stand for itself here", "write \\\\, or use '…' for quotes")
SIGNS = "signs other than letters, digits, - and _ need quotes"

QUOTES = "quotes are written \"…\" or '…'"
SEVERAL = "write [[a]] each time where there are several"

CASES = [
    ("a = 1\na = 2\n", 2, 1, "this key is given twice", "keep one of them"),
    ('a = 1\na = """\nx\n"""\n', 2, 1, "this key is given twice", "keep one of them"),
    ("[a]\nb = 1\n[a]\nc = 1\n", 3, 1, "this table is given twice", "put its keys under one header"),
    ("a = { b = 1, b = 2 }\n", 1, 14, "this key is given twice", "keep one of them"),
    ("a = [1]\n[[a]]\n", 2, 1, "this table is already complete and cannot be added to", None),
    ("a = { b = 1 }\n[a]\nc = 1\n", 2, 1, "this table is given twice", "put its keys under one header"),
    ("a = 1\n[a]\n", 2, 1, "this key is given twice", "keep one of them"),
    ("hex = 0301\n", 1, 7, "a number must not begin with 0", 'write "0301", in quotes'),
    ("hexes = [0301, 0302]\n", 1, 10, "a number must not begin with 0", 'write "0301", in quotes'),
    ("a = { hex = 0301 }\n", 1, 13, "a number must not begin with 0", 'write "0301", in quotes'),
    ("title = The crossroads\n", 1, 9, "this value cannot be read", "text stands in quotes"),
    ("title = Überfahrt\n", 1, 9, "this value cannot be read", "text stands in quotes"),
    ("night = True\n", 1, 9, "this value cannot be read", "write true"),
    ("night = yes\n", 1, 9, "this value cannot be read", "write true"),
    ("tracked = no\n", 1, 11, "this value cannot be read", 'write false, or "no" in quotes'),
    ("title = “Ford”\n", 1, 9, "this value cannot be read", QUOTES),
    ("title = `Ford`\n", 1, 9, "this value cannot be read", QUOTES),
    ("[a]\nb = 1\n[[a]]\n", 1, 1, "[a] here and [[a]] elsewhere cannot both be", SEVERAL),
    ("[[a]]\n\n[a]\n", 3, 1, "[a] here and [[a]] elsewhere cannot both be", SEVERAL),
    ("a = %\n", 1, 5, "this value cannot be read", None),
    ("a = \n", 1, 5, "a value is missing here", None),
    ("a = # none\n", 1, 5, "a value is missing here", None),
    ("a", 1, 2, "expected = after this key", "write key = value"),
    ("a: 1\n", 1, 2, "expected = after this key", "write key = value"),
    ("a = 1 b = 2\n", 1, 7, "the line should end here", "one key = value a line, text in quotes"),
    ('a = "x\nb = 1\n', 1, 7, *OPEN),
    ("a = 'x\nb = 1\n", 1, 7, *OPEN),
    ('a = "x', 1, 7, *OPEN),
    ("a = 'x", 1, 7, *OPEN),
    ('a = 1\nt = """\n..w\n', 2, 5, *NEVER),
    ("a = 1\nt = '''\n..w\n", 2, 5, *NEVER),
    ('a = "x\x07y"\n', 1, 7, "a control character, code 7, may not stand here", "take it out"),
    ("# x\x1by\n", 1, 4, "a control character, code 27, may not stand here", "take it out"),
    ("a = [1 2]\n", 1, 8, "expected a comma or ] in this list", None),
    ("a = [1,\n", 2, 1, "a value is missing here", None),
    ("a = { b = 1 c = 2 }\n", 1, 13, "expected a comma or } in this table", None),
    ("a = { b = 1,\nc = 2 }\n", 1, 13, "a key is missing here", "a table in { } stands on one line"),
    ("a = { b = 1, }\n", 1, 14, "a key is missing here", "no comma before }"),
    ("[a\nb = 1\n", 1, 3, "this table header is not closed", None),
    ("[[a]\nb = 1\n", 1, 4, "this table header is not closed", None),
    ('a = "c:\\data"\n', 1, 8, *BACKSLASH),
    ('a = "\\u00zz"\n', 1, 8, "this is not a character code", "write \\u and four digits"),
    ('a = "\\ud800"\n', 1, 12, "this is not the code of a character", None),
    ("a = 1985-02-30\n", 1, 5, "there is no such date or time", None),
    ("= 1\n", 1, 1, "this is neither key = value nor a [table]", None),
    ("é = 1\n", 1, 1, "this is neither key = value nor a [table]", None),
    ("a.é = 1\n", 1, 3, "this cannot begin a key", SIGNS),
    ("a = 1\rb = 2\n", 1, 6, "the line should end here", "one key = value a line, text in quotes"),
]


def problem(text: str) -> Problem:
    """The one problem of a text."""
    with pytest.raises(ContentError) as caught:
        parse(text, "f")
    (only,) = caught.value.problems
    return only


@pytest.mark.parametrize(("text", "line", "column", "said", "advice"), CASES)
def test_faults_in_plain_words(text: str, line: int, column: int, said: str, advice: str | None) -> None:
    assert problem(text) == Problem("f", line, column, said, advice)


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("a = " + "[" * DEEPEST + "[" + "]" * DEEPEST + "]", 5 + DEEPEST, "brackets are nested more than"),
        ("a" + ".a" * DEEPEST + " = 1", 1, "a key of more than"),
        ("a = 1\n[ a" + ' . "b"' * DEEPEST + "]", 3, "a key of more than"),
        ("a = " + "9" * (LONGEST_WORD + 1), 5, "a key or number of more than"),
        ("k" * (LONGEST_WORD + 1) + " = 1", 1, "a key or number of more than"),
    ],
)
def test_what_would_take_too_long_is_refused(text: str, column: int, said: str) -> None:
    found = problem(text)
    assert (found.line, found.column) == (1 + text.count("\n"), column)
    assert found.text.startswith(said)


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * DEEPEST + "]" * DEEPEST,
        "a" + ".a" * (DEEPEST - 1) + " = 1",
        "a = " + "9" * LONGEST_WORD,
        'a = "' + "[" * 100 + ".a" * 100 + '"',
        "a = '" + "[" * 100 + "'",
        'a = """\n' + "w.w.w.[" * 100 + '\n"""',
        "a = '''\n" + "w.w.w.[" * 100 + "\n'''",
        "a = 1 # " + "[" * 100 + "a.a." * 100,
        'a = "\\"' + "[" * 100 + '"',
        "[a]\n" + "\n".join(f"[a.x{i}]" for i in range(100)),
    ],
)
def test_the_bounds_hold_for_structure_only(text: str) -> None:
    """Texts and comments may hold any signs; the bounds themselves are allowed."""
    assert parse(text, "f")


@pytest.mark.parametrize(
    ("data", "line", "column", "said"),
    [
        (b"a = 1\nb = \xff", 2, 5, "byte 0xff is not UTF-8 text"),
        ("é = '".encode() + b"\xe9'", 1, 6, "byte 0xe9 is not UTF-8 text"),
        (b"\xef\xbb\xbfa = '\xe9'", 1, 6, "byte 0xe9 is not UTF-8 text"),
        (b"a = 1\n\xc3", 2, 1, "byte 0xc3 is not UTF-8 text"),
        ("a = 1".encode("utf-16"), 1, 1, "the file is written in UTF-16"),
        ("a = 1".encode("utf-16-le"), 1, 1, "the file is written in UTF-16"),
        ("a = 1".encode("utf-16-be"), 1, 1, "the file is written in UTF-16"),
        (b"a = 1\nb\0", 2, 2, "a zero byte: this is not a text file"),
        (b"\x89PNG\r\n\x1a\n\0\0", 1, 1, "byte 0x89 is not UTF-8 text"),
        (b"\0\xff", 1, 1, "a zero byte: this is not a text file"),
    ],
)
def test_bytes_that_are_no_text(data: bytes, line: int, column: int, said: str) -> None:
    with pytest.raises(ContentError) as caught:
        decode(data, "f")
    (found,) = caught.value.problems
    assert (found.line, found.column, found.text) == (line, column, said)


def test_every_sentence_of_the_parser_has_its_words() -> None:
    """Nothing that the standard parser says reaches people as it is, as far as these cases go."""
    assert not [case for case in CASES if re.search(r"Invalid|Expected|Cannot|TOML", case[3])]
