"""The style of lines and letters: for no colour, no UTF-8, dumb terminals and pipes. Colour is an extra here.

Flat tops are drawn with ``/ \\ _``, pointy tops as staggered bricks with a roof. A hexside shows what lies on
it in place of its line; a road shows as a gap sign where it crosses. Sides of the game differ by bracket.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from hexengine.view.canvas import BOLD, Canvas
from hexengine.view.colour import lighter
from hexengine.view.counters import (
    ascii_name,
    bottom_row,
    label_text,
    letters,
    level_text,
    mark_of,
    short_name,
    stack_text,
)
from hexengine.view.pixels import fill_of
from hexengine.view.scene import Counter, Scene
from hexengine.view.shapes import Pixel, ways
from hexengine.view.text import fit, width_of
from hexengine.view.theme import Theme

Stroke = tuple[int, int, str]
"""Column, row and character, from the top left corner of a hex's box."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The outline of a hex: strokes by the way to the neighbour, and where three rows of text stand.

    ``trails`` are the cells inside a hex, by the way to the neighbour, that dot a road from side to centre.
    """

    flat: bool
    pitch: Pixel
    shift: int
    box: Pixel
    strokes: dict[Pixel, tuple[Stroke, ...]]
    label: Pixel
    label_width: int
    body: Pixel
    body_width: int
    trails: dict[Pixel, tuple[Pixel, ...]]

    def corner(self, column: int, row: int, pushed: bool) -> Pixel:
        """The top left cell of a hex's box; column and row from 0."""
        x, y = column * self.pitch[0], row * self.pitch[1]
        return (x, y + pushed * self.shift) if self.flat else (x + pushed * self.shift, y)


@lru_cache(maxsize=2)
def frame_of(flat: bool) -> Frame:
    """The frame for an orientation: 7 by 4 cells (flat tops) or 8 by 4 (pointy tops)."""
    if flat:
        around = ways(True, (7, 4), 2)
        strokes: tuple[tuple[Stroke, ...], ...] = (
            tuple((x, 0, "_") for x in range(2, 7)),
            ((7, 1, "\\"), (8, 2, "\\")),
            ((8, 3, "/"), (7, 4, "/")),
            tuple((x, 4, "_") for x in range(2, 7)),
            ((1, 4, "\\"), (0, 3, "\\")),
            ((0, 2, "/"), (1, 1, "/")),
        )
        edges = dict(zip(around, strokes, strict=True))
        return Frame(True, (7, 4), 2, (9, 5), edges, (2, 1), 5, (1, 2), 7, _trails(around, _FLAT_TRAILS))
    around = ways(False, (8, 4), 4)
    # Below a hex the line rises again towards the corners: the roofs of the next row.
    strokes = (
        ((4, 0, "'"), (5, 0, "-"), (6, 0, "."), (7, 0, "_"), (8, 0, "_")),
        tuple((8, y, "|") for y in range(1, 4)),
        ((4, 4, "_"), (5, 4, "_"), (6, 4, "."), (7, 4, "-"), (8, 4, "'")),
        ((0, 4, "'"), (1, 4, "-"), (2, 4, "."), (3, 4, "_"), (4, 4, "_")),
        tuple((0, y, "|") for y in range(1, 4)),
        ((0, 0, "_"), (1, 0, "_"), (2, 0, "."), (3, 0, "-"), (4, 0, "'")),
    )
    edges = dict(zip(around, strokes, strict=True))
    return Frame(False, (8, 4), 4, (9, 5), edges, (1, 1), 7, (1, 2), 7, _trails(around, _POINTY_TRAILS))


# Rows and columns of the dots, direction by direction: (row, first column, column after the last).
_FLAT_TRAILS = ((2, 4, 5), (2, 4, 8), (3, 4, 8), (3, 4, 5), (3, 1, 5), (2, 1, 5))
_POINTY_TRAILS = ((2, 4, 6), (2, 4, 8), (3, 4, 6), (3, 3, 5), (2, 1, 5), (2, 3, 5))


def _trails(
    around: tuple[Pixel, ...], spans: tuple[tuple[int, int, int], ...]
) -> dict[Pixel, tuple[Pixel, ...]]:
    return {
        way: tuple((x, row) for x in range(first, after))
        for way, (row, first, after) in zip(around, spans, strict=True)
    }


def extent(scene: Scene) -> tuple[int, int]:
    """Width and height of the whole map in cells."""
    grid = scene.land.grid
    frame = frame_of(grid.orientation == "flat")
    x = (grid.columns - 1) * frame.pitch[0] + frame.box[0]
    y = (grid.rows - 1) * frame.pitch[1] + frame.box[1]
    return (x, y + frame.shift) if frame.flat else (x + frame.shift, y)


def draw(scene: Scene, theme: Theme, unicode: bool, left: int, top: int, width: int, height: int) -> Canvas:
    """The part of the map that begins at cell (``left``, ``top``), in a canvas of that size."""
    outline = _Outline(scene, theme, unicode, left, top, Canvas(width, height))
    outline.draw()
    return outline.canvas


class _Outline:
    """Draws the hexes of one window."""

    def __init__(
        self, scene: Scene, theme: Theme, unicode: bool, left: int, top: int, canvas: Canvas
    ) -> None:
        self.scene = scene
        self.theme = theme
        self.unicode = unicode
        self.left = left
        self.top = top
        self.canvas = canvas
        self.grid = scene.land.grid
        self.frame = frame_of(self.grid.orientation == "flat")

    def corner(self, h: int) -> Pixel:
        """The top left cell of a hex in the window."""
        column, row = divmod(h, self.grid.rows)
        x, y = self.frame.corner(column, row, self.grid.pushed(h))
        return x - self.left, y - self.top

    def draw(self) -> None:
        window = []
        for h in range(self.grid.size):
            x, y = self.corner(h)
            if -self.frame.box[0] < x < self.canvas.width and -self.frame.box[1] < y < self.canvas.height:
                window.append(h)
        for h in window:
            self._strokes(h)
        for h in window:
            self._sides(h)
        on_top: dict[int, Counter] = {}
        for counter in self.scene.counters:
            on_top.setdefault(counter.hex, counter)
        for h in window:
            self._label(h)
            if h in on_top:
                self._counter(h, on_top[h])
            else:
                self._empty(h)

    # Lines --------------------------------------------------------------------------------------------

    def _strokes(self, h: int) -> None:
        x, y = self.corner(h)
        faint = self.theme.board.rule if self.scene.land.sides else self.theme.board.faint
        for strokes in self.frame.strokes.values():
            for dx, dy, sign in strokes:
                self.canvas.put(y + dy, x + dx, sign, faint)

    def _sides(self, h: int) -> None:
        """Features and crossings on the sides towards hexes with a higher number, and the dots of roads."""
        land = self.scene.land
        x, y = self.corner(h)
        for other in self.grid.neighbours[h]:
            if other < 0:
                continue
            ox, oy = self.corner(other)
            pair = (h, other) if h < other else (other, h)
            features, lines = land.sides.get(pair, ()), land.lines.get(pair, ())
            if lines:
                ink = lighter(self.theme.line(lines[0]).colour, 0.2)
                for dx, dy in self.frame.trails[ox - x, oy - y]:
                    self.canvas.put(y + dy, x + dx, "·" if self.unicode else ".", ink)
            if other > h and (features or lines):
                self._side(x, y, self.frame.strokes[ox - x, oy - y], features, lines)

    def _side(
        self, x: int, y: int, strokes: tuple[Stroke, ...], features: tuple[str, ...], lines: tuple[str, ...]
    ) -> None:
        looks = [self.theme.side(feature) for feature in features]
        for look in looks:
            if look.width:
                sign = look.edge if self.unicode and look.edge else look.plain
                for dx, dy, _ in strokes:
                    self.canvas.put(y + dy, x + dx, sign, lighter(look.colour, 0.25) | BOLD)
        dx, dy, _ = strokes[len(strokes) // 2]
        crossing = [look for look in looks if not look.width]
        if lines and not any(look.breaks for look in crossing):
            line = self.theme.line(lines[0])
            self.canvas.put(y + dy, x + dx, line.plain, lighter(line.colour, 0.2) | BOLD)
        elif crossing:
            sign = crossing[0].sign if self.unicode else crossing[0].plain
            self.canvas.put(y + dy, x + dx, sign, lighter(crossing[0].colour, 0.2) | BOLD)

    # Text ---------------------------------------------------------------------------------------------

    def _label(self, h: int) -> None:
        scene, frame = self.scene, self.frame
        cell = scene.land.cells[h]
        look = self.theme.terrain(cell.terrain, cell.level)
        sign = look.sign if self.unicode else look.plain
        room = self.frame.label_width
        label = label_text(self.grid, h, room - 1)
        x, y = self.corner(h)
        ink = self.theme.board.selected | BOLD if h in scene.selected else self.theme.board.faint
        y += frame.label[1]
        column = self.canvas.put(y, x + frame.label[0], label, ink)
        self.canvas.put(y, column, sign, lighter(fill_of(self.theme, scene.land, h), 0.1) | BOLD)
        if cell.level > 0 and len(label) + 1 < room:
            self.canvas.put(y, column + 1, str(min(9, cell.level)), self.theme.board.faint)

    def _body(self, h: int, row: int, text: str, ink: int, paper: int | None = None) -> None:
        """A text in one of the two rows below the label, centred; a counter's fills the row."""
        x, y = self.corner(h)
        room = self.frame.body_width
        text = fit(text, room, "…" if self.unicode else ".")
        column = x + self.frame.body[0] + (room - width_of(text)) // 2
        self.canvas.put(y + self.frame.body[1] + row, column, text, ink, paper)

    def _empty(self, h: int) -> None:
        scene, board = self.scene, self.theme.board
        cell = scene.land.cells[h]
        self._body(h, 0, self._notices(h), board.chip | BOLD)
        if cell.name:
            self._body(h, 1, ascii_name(cell.name, self.unicode), board.ink | BOLD)
        elif self.frame.flat:
            sign = self.theme.terrain(cell.terrain, cell.level).sign
            self._body(h, 1, level_text(cell.level, sign, self.unicode), board.faint)

    def _notices(self, h: int) -> str:
        """Flag, markers, cost, sight, path and selection of a hex without a counter, in one short text."""
        scene = self.scene
        parts = []
        if h in scene.objectives:
            parts.append(self._flag(h))
        for mark in scene.marks.get(h, ())[:2]:
            look = self.theme.marker(mark)
            parts.append(look.sign if self.unicode else look.plain)
        if h in scene.chips:
            parts.append(fit(ascii_name(scene.chips[h], self.unicode), 3))
        sight = scene.sight
        if sight is not None:
            if h == sight.stop:
                parts.append("X")
            elif h == sight.origin:
                parts.append("@")
            elif h in sight.line or h in sight.visible:
                parts.append("•" if self.unicode else "+")
        elif h in scene.path:
            parts.append("·" if self.unicode else ".")
        if h in scene.selected:
            parts.append("«»" if self.unicode else "**")
        return " ".join(parts)

    def _flag(self, h: int) -> str:
        holder = self.scene.objectives[h]
        if holder is None:
            return "|◊|" if self.unicode else "|*|"
        seat = self.theme.seat(holder)
        return f"{seat.brackets[0]}{seat.flag if self.unicode else '*'}{seat.brackets[1]}"

    def _counter(self, h: int, counter: Counter) -> None:
        seat, unicode, wide = self.theme.seat(counter.side), self.unicode, self.frame.body_width
        name = short_name(ascii_name(counter.name, unicode), wide - 3)
        first = f"{seat.brackets[0]}{mark_of(counter, unicode)}{name}{seat.brackets[1]}"
        left, right = self._left_of(h, counter), self._right_of(h)
        tail = letters(counter, unicode) + stack_text(counter)
        second, _ = bottom_row(counter, tail, wide - width_of(left) - width_of(right), unicode)
        self._body(h, 0, first, seat.ink | BOLD, seat.paper)
        self._body(h, 1, f"{left}{second}{right}", seat.ink, seat.paper)

    def _left_of(self, h: int, counter: Counter) -> str:
        """Left of a counter's second row: a marker in the hex, else whose objective it is."""
        scene, unicode = self.scene, self.unicode
        if scene.marks.get(h):
            look = self.theme.marker(scene.marks[h][0])
            return look.sign if unicode else look.plain
        if h not in scene.objectives:
            return " "
        holder = scene.objectives[h]
        if unicode:
            return "◊" if holder is None else self.theme.seat(holder).flag
        return (
            "|" if holder is None else "*" if holder == counter.side else self.theme.seat(holder).brackets[0]
        )

    def _right_of(self, h: int) -> str:
        """Right of a counter's second row: a block of sight, the cost of coming here, or the selection."""
        scene = self.scene
        if scene.sight is not None and h == scene.sight.stop:
            return "X"
        if h in scene.chips:
            return fit(ascii_name(scene.chips[h], self.unicode), 3)
        if h in scene.selected:
            return "«" if self.unicode else "!"
        return " "
