"""A rectangle of terminal cells, each a sign, its ink and the paper under it: what every board ends up as."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby

from rich.color import Color
from rich.segment import Segment
from rich.style import Style

from hexengine.view.text import clusters

DEFAULT = -1
"""The terminal's own colour."""
BOLD = 1 << 24
"""Added to an ink."""

Run = tuple[str, int, int]
"""A text with its ink and its paper (``DEFAULT``: as it is)."""


@lru_cache(maxsize=16384)
def cell_style(ink: int, paper: int) -> Style:
    """The rich style of an ink (bold or not) on a paper."""
    bold = ink != DEFAULT and bool(ink & BOLD)
    return Style(
        color=None if ink == DEFAULT else Color.from_rgb(ink >> 16 & 255, ink >> 8 & 255, ink & 255),
        bgcolor=None if paper == DEFAULT else Color.from_rgb(paper >> 16, paper >> 8 & 255, paper & 255),
        bold=True if bold else None,
    )


class Canvas:
    """``signs``, ``inks`` and ``papers`` are lists of rows. After a wide sign stands an empty text.

    What is put outside is cut off; a wide sign that would be cut in half is left out.
    """

    __slots__ = ("height", "inks", "papers", "signs", "width")

    def __init__(self, width: int, height: int, paper: int = DEFAULT) -> None:
        self.width = width
        self.height = height
        self.signs: list[list[str]] = [[" "] * width for _ in range(height)]
        self.inks: list[list[int]] = [[DEFAULT] * width for _ in range(height)]
        self.papers: list[list[int]] = [[paper] * width for _ in range(height)]

    def put(self, row: int, column: int, text: str, ink: int = DEFAULT, paper: int | None = None) -> int:
        """Writes a text and returns the column after it. ``paper`` None leaves the paper as it is."""
        if not 0 <= row < self.height:
            return column
        signs, inks, papers = self.signs[row], self.inks[row], self.papers[row]
        for sign, size in clusters(text):
            if column >= 0 and column + size <= self.width:
                self._free(signs, column, size)
                signs[column] = sign
                inks[column] = ink
                if paper is not None:
                    papers[column] = paper
                if size == 2:
                    signs[column + 1] = ""
                    inks[column + 1] = ink
                    papers[column + 1] = papers[column]
            column += size
        return column

    def _free(self, signs: list[str], column: int, size: int) -> None:
        """Clears the other half of a wide sign that is about to be overwritten."""
        if signs[column] == "":
            signs[column - 1] = " "
        after = column + size
        if after < self.width and signs[after] == "":
            signs[after] = " "

    def put_runs(self, row: int, column: int, runs: Iterable[Run]) -> int:
        """Writes texts one after another and returns the column after the last."""
        for text, ink, paper in runs:
            column = self.put(row, column, text, ink, None if paper == DEFAULT else paper)
        return column

    def paste(self, other: Canvas, row: int, column: int) -> None:
        """Lays another canvas on this one; what sticks out below or to the right is cut off."""
        size = max(0, min(other.width, self.width - column))
        if not size:
            return
        for index in range(min(other.height, self.height - row)):
            self.signs[row + index][column : column + size] = other.signs[index][:size]
            self.inks[row + index][column : column + size] = other.inks[index][:size]
            self.papers[row + index][column : column + size] = other.papers[index][:size]
            if size < other.width and other.signs[index][size] == "":
                self.signs[row + index][column + size - 1] = " "

    def segments(self, colour: bool) -> Iterable[list[Segment]]:
        """The rows as rich segments, cells of one look joined."""
        if not colour:
            for line in self.lines():
                yield [Segment(line)]
            return
        for signs, inks, papers in zip(self.signs, self.inks, self.papers, strict=True):
            row: list[Segment] = []
            start = 0
            for look, run in groupby(zip(inks, papers, strict=True)):
                end = start + len(list(run))
                row.append(Segment("".join(signs[start:end]), cell_style(*look)))
                start = end
            yield row

    def lines(self) -> list[str]:
        """The rows as plain text, without the spaces at their ends."""
        return ["".join(row).rstrip() for row in self.signs]
