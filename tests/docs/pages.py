"""Code blocks of the documentation, for tests that hold pages to what they say."""

import re
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).parents[2] / "docs"

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block: its language, its text, and the line of its first row in the page."""

    kind: str
    text: str
    line: int


def blocks(page):
    """The fenced blocks of a page, in order."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return [
        Block(found[1], found[2], text.count("\n", 0, found.start()) + 2) for found in _BLOCK.finditer(text)
    ]


def commands(page):
    """The commands of a page's console blocks, in order, without ``$ hexengine``."""
    return [
        line.removeprefix("$ hexengine ")
        for block in page
        if block.kind == "console"
        for line in block.text.splitlines()
        if line.startswith("$ hexengine ")
    ]
