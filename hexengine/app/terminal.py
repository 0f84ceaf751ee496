"""Where people read: text and boards in the form that suits the place."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from rich.console import Console
from rich.text import Text

from hexengine.content.resources import theme_path
from hexengine.core.errors import ContentError, Problem
from hexengine.view.board import Options, Style, lines, map_height, map_width, render
from hexengine.view.scene import Scene
from hexengine.view.style import Facts, choose_style
from hexengine.view.text import literal, pad, width_of, wrap
from hexengine.view.theme import Theme, ThemeError

MARGIN = 6
"""Rows below a board that are left for what is said and typed."""

LEAST_ROWS = 8

ENOUGH = 0.75
"""The part of a map that must be seen at once for the large style to be better than the small one."""


def load_theme() -> Theme:
    """The shipped theme; raises ContentError if somebody has spoiled it."""
    path = theme_path()
    try:
        return Theme.from_toml(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ThemeError) as error:
        raise ContentError([Problem(str(path), 0, 0, str(error))]) from None


class Terminal:
    """Standard output as people see it; ``facts`` says what is known about it.

    Lines are wrapped on a terminal, at spaces, and never in a pipe or file; nothing is read as markup.
    """

    def __init__(self) -> None:
        self.console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False, soft_wrap=True)
        self.facts = Facts.of(self.console)
        self.colour = choose_style(self.facts).colour
        self.unicode = choose_style(self.facts).unicode

    @property
    def interactive(self) -> bool:
        """Whether somebody sits at it."""
        return self.facts.is_terminal and sys.stdin.isatty()

    @cached_property
    def theme(self) -> Theme:
        """Colours and signs."""
        return load_theme()

    def say(self, text: str = "", style: str = "", indent: int = 0) -> None:
        """One line, or as many as it takes; further ones are indented by two more cells."""
        margin = " " * indent
        if not self.facts.is_terminal:
            sys.stdout.write(f"{margin}{literal(text)}\n")
            return
        room = max(8, self.facts.width - indent - 3)
        for number, row in enumerate(wrap(text, room)):
            self._line(f"{margin}{'  ' if number else ''}{row}", style)

    def say_whole(self, head: str, text: str) -> None:
        """A line that must not be broken, such as a path or a command: below its head if it is long."""
        text = literal(text)
        if self.facts.is_terminal and width_of(f"{head} {text}") > self.facts.width:
            sys.stdout.write(f"{head}\n{text}\n")
        else:
            sys.stdout.write(f"{head} {text}\n")

    def _line(self, line: str, style: str) -> None:
        if self.colour and style:
            self.console.print(Text(line, style=style, no_wrap=True), soft_wrap=True)
        else:
            sys.stdout.write(line + "\n")

    def table(
        self, rows: Sequence[tuple[str, ...]], right: frozenset[int] = frozenset(), indent: int = 2
    ) -> None:
        """Rows in columns; the last one takes what room is left.  ``right``: columns set to the right."""
        if not rows:
            return
        rows = [tuple(literal(cell) for cell in row) for row in rows]
        widths = [max(width_of(row[column]) for row in rows) for column in range(len(rows[0]))]
        for row in rows:
            cells = [
                pad(cell, width, ">" if column in right else "<")
                for column, (cell, width) in enumerate(zip(row[:-1], widths, strict=False))
            ]
            self.say_after("  ".join(cells), row[-1], indent)

    def say_after(self, head: str, text: str, indent: int = 0) -> None:
        """A text that begins behind a head; on a terminal its further lines stand below its first."""
        start = f"{' ' * indent}{head}  " if head else " " * indent
        room = self.facts.width - width_of(start) - 1
        if not self.facts.is_terminal or room < 16:
            self.say(f"{start[indent:]}{text}".rstrip(), indent=indent)
            return
        for number, row in enumerate(wrap(text, room)):
            sys.stdout.write(f"{start if not number else ' ' * width_of(start)}{row}".rstrip() + "\n")

    def columns(self, cells: list[str]) -> None:
        """Short texts side by side, as many as fit, read downwards; in a pipe one a line."""
        width, down = self._columns_of(cells)
        for row in range(down):
            line = "".join(pad(literal(cell), width) for cell in cells[row::down])
            sys.stdout.write(line.rstrip() + "\n")

    def has_room(self, cells: list[str]) -> bool:
        """Whether a screen holds them in columns, as far as there are screens."""
        return not self.facts.is_terminal or self._columns_of(cells)[1] <= max(
            LEAST_ROWS, self.facts.height - MARGIN
        )

    def _columns_of(self, cells: list[str]) -> tuple[int, int]:
        """How wide columns of these are, and how long."""
        width = max((width_of(cell) for cell in cells), default=0) + 2
        across = max(1, (self.facts.width - 1) // width) if self.facts.is_terminal else 1
        return width, -(-len(cells) // across)

    def board(
        self, scene: Scene, style: Style | None = None, *, centre: int | None = None, fit: bool = False
    ) -> None:
        """The board.  In a pipe it has its full width; ``fit`` keeps it to the height of the terminal."""
        choice = choose_style(self.facts, scene, style)
        options: Options = {}
        if self.facts.is_terminal:
            options = {"width": self.facts.width, "centre": centre}
            if fit:
                options["height"] = room = max(LEAST_ROWS, self.facts.height - MARGIN)
                if style is None and self._shows_too_little(scene, choice.style, room):
                    choice = choice._replace(style="compact")
        if choice.colour:
            board = render(scene, self.theme, choice.style, colour=True, unicode=choice.unicode, **options)
            self.console.print(board, end="")
            return
        for line in lines(scene, self.theme, choice.style, unicode=choice.unicode, **options):
            sys.stdout.write(line + "\n")

    def _shows_too_little(self, scene: Scene, style: Style, room: int) -> bool:
        """Whether so much of a map would be cut off that the small style, or letters, are better."""
        if room < map_height(scene, style) * ENOUGH:
            return True
        return style == "outline" and self.facts.width < map_width(scene, style) * ENOUGH

    def clear(self) -> None:
        """Begin a new screen, where there is one."""
        if self.colour:
            self.console.clear()


def print_json(document: Any) -> None:
    """One JSON document, readable and the same everywhere, and nothing else."""
    import json

    sys.stdout.write(json.dumps(document, indent=2, ensure_ascii=not _writes_anything()) + "\n")


def _writes_anything() -> bool:
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "")
    return encoding in ("utf8", "utf_8")
