"""The scenario of docs/writing-scenarios.md as the page builds and balances it, and the outputs it shows.

Each ``toml`` block takes the place of the sections with its headings.  A ``diff`` block with a ``text``
block behind it is a fault, tried on the finished file; any other one is a change that stays.  A ``console``
block whose command is followed by more lines shows what that command prints for the file as it is at that
place, all in one folder; ``| head -N`` keeps the first lines.  How long something took is not compared.
"""

from __future__ import annotations

import re
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from hexengine.content.loader import check
from tests.docs.pages import DOCS, blocks
from tests.docs.program import run

PAGE = DOCS / "writing-scenarios.md"
NAME = "ulmenhof.toml"

_HEAD = re.compile(r"(.*) \| head -(\d+)")
_SECONDS = re.compile(r"\bin \d+\.\d s\b")


class Stage(NamedTuple):
    """The file after a block, and the line of that block."""

    line: int
    text: str


class Shown(NamedTuple):
    """A block that shows what a command prints: its line, its command, its text, and the file by then."""

    line: int
    command: str
    text: str
    file: str


class Fault(NamedTuple):
    """A change that breaks the finished file, and what is said of it."""

    line: int
    text: str
    said: str


class Story(NamedTuple):
    """What the page tells: stages of the file, outputs, commands without any, and faults."""

    stages: list[Stage]
    shown: list[Shown]
    commands: list[tuple[int, str]]
    faults: list[Fault]

    @property
    def final(self) -> str:
        """The finished file."""
        return self.stages[-1].text


def sections(text):
    """A file in parts: the top of it, then from each heading to the next, with that heading."""
    parts = re.split(r"^(?=\[)", text, flags=re.MULTILINE)
    return [(part.partition("\n")[0] if part.startswith("[") else "", part) for part in parts]


def replaced(text, block):
    """The file after a block has taken the place of the sections with its headings."""
    new = sections(block)
    headings = {heading for heading, _ in new if heading}
    kept, place = [], None
    for heading, part in sections(text):
        if heading in headings:
            place = len(kept) if place is None else place
        else:
            kept.append(part)
    place = len(kept) if place is None else place
    kept[place:place] = [part if part.endswith("\n\n") else part + "\n" for heading, part in new if heading]
    return "".join(part if part.endswith("\n\n") else part + "\n" for part in kept)


def changed(text, block):
    """The file after the change that a block shows; lines that begin with a blank only say where."""
    lines = block.text.splitlines(True)
    old = "".join(line[1:] for line in lines if line[0] in " -")
    new = "".join(line[1:] for line in lines if line[0] in " +")
    assert text.count(old) == 1, f"line {block.line}: what is changed must be there once"
    return text.replace(old, new)


def story(page=PAGE):
    """The page read from its beginning to its end."""
    told = Story([], [], [], [])
    text, faults = "", []
    every = blocks(page.name)
    for block, after in zip(every, [*every[1:], None], strict=True):
        if block.kind == "toml":
            text = replaced(text, block.text) if text else block.text
            told.stages.append(Stage(block.line, text))
        elif block.kind == "diff" and after is not None and after.kind == "text":
            faults.append((block, after.text))
        elif block.kind == "diff":
            text = changed(text, block)
            told.stages.append(Stage(block.line, text))
        elif block.kind == "console":
            _commands(told, block, text)
    told.faults.extend(Fault(block.line, changed(text, block), said) for block, said in faults)
    return told


def _commands(told, block, text):
    lines = block.text.splitlines()
    commands = [line.removeprefix("$ hexengine ") for line in lines if line.startswith("$ hexengine ")]
    if len(commands) == len(lines):
        told.commands.extend((block.line + number, command) for number, command in enumerate(commands))
    else:
        assert len(commands) == 1, f"line {block.line}: one command with what it prints"
        assert lines[0].startswith("$ hexengine ")
        told.shown.append(Shown(block.line, commands[0], block.text, text))


def printed(outputs):
    """For each of the outputs the block as it should be, played anew."""
    found = []
    with TemporaryDirectory() as folder:
        for one in outputs:
            Path(folder, NAME).write_text(one.file, encoding="utf-8")
            head = _HEAD.fullmatch(one.command)
            lines = run(head[1] if head else one.command, folder=folder).splitlines()
            lines = lines[: int(head[2])] if head else lines
            found.append("".join(f"{line.rstrip()}\n" for line in [f"$ hexengine {one.command}", *lines]))
    return found


def timeless(text):
    """A text without how long something took."""
    return _SECONDS.sub("in … s", text)


def found_in(text):
    """What ``check`` says of a file."""
    with TemporaryDirectory() as folder, chdir(folder):
        Path(NAME).write_text(text, encoding="utf-8")
        return "".join(f"{problem}\n" for problem in check([NAME]))


def recorded(text):
    """The page with its outputs printed anew; those that differ in their times alone stay as they are."""
    told = story()
    new = [(one.line, one.text, out) for one, out in zip(told.shown, printed(told.shown), strict=True)]
    new += [(one.line, one.said, found_in(one.text)) for one in told.faults]
    for line, old, out in new:
        if timeless(out) != timeless(old):
            assert text.count(f"\n{old}```") == 1, f"line {line}: what is shown must be there once"
            text = text.replace(f"\n{old}```", f"\n{out}```")
    return text
