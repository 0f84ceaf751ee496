"""The coloured styles: true hexagons from half blocks, large (``hex``) and small (``compact``)."""

from __future__ import annotations

from dataclasses import dataclass

from hexengine.view.canvas import BOLD, DEFAULT, Canvas
from hexengine.view.colour import blend, contrast, lighter, readable
from hexengine.view.counters import bottom_row, label_text, letters, level_text, stack_text, top_row
from hexengine.view.pixels import Picture, fill_of, highlighted
from hexengine.view.scene import Counter, Scene
from hexengine.view.shapes import Shape, hexagon
from hexengine.view.text import clusters, fit, pad, width_of
from hexengine.view.theme import Theme

Place = tuple[int, int]
"""Row and column of a cell, from the top left corner of a hex's box."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the texts of a hex stand.

    ``counter`` is the top left cell of a counter of two rows; ``left`` and ``right`` are the single cells
    beside its rows. ``centre`` is where flags and costs stand in an empty hex, ``under`` where costs stand
    when a counter is there, ``name`` the row for a place's name or the level; ``name_spill`` lets a long name
    run one cell further at both ends.
    """

    label: Place
    label_width: int
    sign: Place
    counter: Place
    counter_width: int
    left: tuple[Place, Place]
    right: tuple[Place, Place] | None
    centre: Place
    centre_width: int
    under: Place
    under_width: int
    name: Place | None
    name_width: int
    name_spill: bool = False


_LARGE_FLAT = Layout(
    label=(0, 2),
    label_width=4,
    sign=(0, 6),
    counter=(1, 2),
    counter_width=5,
    left=((1, 1), (2, 1)),
    right=((1, 7), (2, 7)),
    centre=(1, 2),
    centre_width=5,
    under=(3, 3),
    under_width=3,
    name=(2, 1),
    name_width=7,
    name_spill=True,
)
_LARGE_POINTY = Layout(
    label=(1, 1),
    label_width=4,
    sign=(1, 5),
    counter=(2, 1),
    counter_width=5,
    left=((2, 0), (3, 0)),
    right=((2, 6), (3, 6)),
    centre=(2, 1),
    centre_width=5,
    under=(1, 5),
    under_width=2,
    name=(3, 0),
    name_width=7,
)
_SMALL = Layout(
    label=(0, 1),
    label_width=4,
    sign=(1, 1),
    counter=(0, 1),
    counter_width=4,
    left=((0, 0), (1, 0)),
    right=None,
    centre=(1, 2),
    centre_width=3,
    under=(1, 2),
    under_width=3,
    name=None,
    name_width=0,
)


def paint(scene: Scene, theme: Theme, small: bool, left: int, top: int, width: int, height: int) -> Canvas:
    """The part of the map that begins at cell (``left``, ``top``), in a canvas of that size."""
    shape = hexagon(scene.land.grid.orientation == "flat", small)
    picture = highlighted(scene, theme, shape)
    canvas = _half_blocks(picture, theme.board.void, left, top, width, height)
    _Labels(scene, theme, shape, picture, canvas, small, left, top).draw()
    return canvas


def _half_blocks(picture: Picture, void: int, left: int, top: int, width: int, height: int) -> Canvas:
    canvas = Canvas(width, height, void)
    pixels, size = picture.pixels, picture.width
    shown = min(width, size - left)
    for row in range(min(height, picture.height // 2 - top)):
        start = (top + row) * 2 * size + left
        upper, lower = pixels[start : start + shown], pixels[start + size : start + size + shown]
        canvas.papers[row][:shown] = lower
        pairs = list(zip(upper, lower, strict=True))
        canvas.inks[row][:shown] = [DEFAULT if one == two else one for one, two in pairs]
        canvas.signs[row][:shown] = [" " if one == two else "▀" for one, two in pairs]
    return canvas


class _Labels:
    """Writes labels, signs, names, markers and counters on the painted hexes."""

    def __init__(
        self,
        scene: Scene,
        theme: Theme,
        shape: Shape,
        picture: Picture,
        canvas: Canvas,
        small: bool,
        left: int,
        top: int,
    ) -> None:
        self.scene = scene
        self.theme = theme
        self.shape = shape
        self.picture = picture
        self.canvas = canvas
        self.left = left
        self.top = top
        self.small = small
        flat = scene.land.grid.orientation == "flat"
        self.layout = _SMALL if small else _LARGE_FLAT if flat else _LARGE_POINTY

    def draw(self) -> None:
        grid = self.scene.land.grid
        right, bottom = self.left + self.canvas.width, (self.top + self.canvas.height) * 2
        window = self.shape.window(grid, self.left, self.top * 2, right, bottom)
        on_top: dict[int, Counter] = {}
        for counter in self.scene.counters:
            on_top.setdefault(counter.hex, counter)
        self._crossings(frozenset(window))
        for h in window:
            if self._cut(h):
                continue
            counter_here = on_top.get(h)
            if counter_here is None:
                self._empty(h)
            else:
                self._occupied(h, counter_here)

    def _cut(self, h: int) -> bool:
        """Whether the left or right edge of the window cuts a hex: it gets no texts, halves would mislead."""
        x, wide = self._at(h, (0, 0))[1], self.shape.box[0]
        return self.canvas.width >= wide and not 0 <= x <= self.canvas.width - wide

    # Ground -------------------------------------------------------------------------------------------

    def _crossings(self, window: frozenset[int]) -> None:
        """Bridges, fords and what else has a sign in the middle of a hexside."""
        grid = self.scene.land.grid
        for (a, b), features in self.scene.land.sides.items():
            if a not in window or b not in grid.neighbours[a]:
                continue
            for feature in features:
                look = self.theme.side(feature)
                if look.sign:
                    (ax, ay), (bx, by) = self.shape.corner(grid, a), self.shape.corner(grid, b)
                    x, y = self.shape.sides[bx - ax, by - ay].middle
                    ink = readable(look.colour, 7) | BOLD
                    self.canvas.put((ay + y) // 2 - self.top, ax + x - self.left, look.sign, ink, look.colour)

    def _fill(self, h: int) -> int:
        """The colour of the middle of a hex as painted, highlights included."""
        scene, board = self.scene, self.theme.board
        fill = fill_of(self.theme, scene.land, h)
        if h in scene.chips:
            fill = blend(fill, board.reach, 0.5)
        if scene.sight is not None:
            if h in scene.sight.blocked:
                fill = blend(fill, board.hidden, 0.55)
            if h in scene.sight.visible:
                fill = blend(fill, board.seen, 0.3)
        return fill

    def _at(self, h: int, place: Place) -> Place:
        x, y = self.shape.corner(self.scene.land.grid, h)
        return y // 2 - self.top + place[0], x - self.left + place[1]

    def _write(self, h: int, place: Place, text: str, ink: int, fill: int) -> None:
        """A text on the ground: roads and other lines under it stay visible as its paper."""
        row, column = self._at(h, place)
        for sign in text:
            if sign != " ":
                self._sign(row, column, sign, ink, fill)
            column += 1

    def _sign(self, row: int, column: int, sign: str, ink: int, fill: int) -> None:
        canvas, keep = self.canvas, self.picture.keep
        if not (0 <= row < canvas.height and 0 <= column < canvas.width):
            return
        upper, lower = canvas.inks[row][column], canvas.papers[row][column]
        paper = upper if upper in keep else lower if lower in keep else fill
        if contrast(ink & 0xFFFFFF, paper) < 2.5:
            ink = readable(paper, 4.5)
        canvas.put(row, column, sign, ink, paper)

    def _ground(self, h: int) -> int:
        """Label and terrain sign; returns the fill."""
        land, layout = self.scene.land, self.layout
        fill = self._fill(h)
        label = label_text(land.grid, h, layout.label_width)
        self._write(h, layout.label, label, readable(fill, 3.2), fill)
        look = self.theme.terrain(land.cells[h].terrain, land.cells[h].level)
        self._write(h, layout.sign, look.sign, readable(fill, 4.2), fill)
        return fill

    def _empty(self, h: int) -> None:
        scene, layout = self.scene, self.layout
        fill = self._ground(h)
        if layout.name is not None:
            self._name(h, layout.name, fill)
        self._markers(h, occupied=False)
        chip = scene.chips.get(h, "")
        if h in scene.objectives:
            self._flag(h, layout.sign if chip and not self.small else layout.centre, bool(chip) or self.small)
        if chip:
            self._chip(h, layout.centre, layout.centre_width, chip)
        self._sight_sign(h, fill)

    def _name(self, h: int, place: Place, fill: int) -> None:
        """The name of the place, or the level; a long name runs on into the corners of the hex."""
        cell, width = self.scene.land.cells[h], self.layout.name_width
        if not cell.name:
            self._write(h, place, pad(self._level(h), width, "^"), readable(fill, 4.2), fill)
            return
        row, column = self._at(h, place)
        if width_of(cell.name) > width and self.layout.name_spill:
            column, width = column - 1, width + 2
        ink = readable(fill, 7) | BOLD
        name = fit(cell.name, width, "…")
        column += (width - width_of(name)) // 2
        for sign, size in clusters(name):
            self._sign(row, column, sign, ink, fill)
            column += size

    def _level(self, h: int) -> str:
        """The height of a hex, unless its terrain sign says all: ``▲1``."""
        cell = self.scene.land.cells[h]
        return level_text(cell.level, self.theme.terrain(cell.terrain, cell.level).sign)

    def _height(self, h: int, fill: int) -> None:
        """Triangles left of a counter, two from level 2 on: digits would read as part of its strength."""
        if self._level(h):
            for place in self.layout.left if self.scene.land.cells[h].level > 1 else self.layout.left[1:]:
                self._write(h, place, "▲", readable(fill, 4.2), fill)

    def _sight_sign(self, h: int, fill: int) -> None:
        sight = self.scene.sight
        if sight is None:
            return
        row, column = self.layout.centre
        place = (row, column + (self.layout.centre_width - 1) // 2)
        if h == sight.stop:
            at = self._at(h, place)
            self.canvas.put(*at, "X", 0xFFFFFF | BOLD, self.theme.board.stopped)
        elif h in sight.visible:
            self._write(h, place, "•", readable(fill, 4.5), fill)

    # What lies and stands on it ---------------------------------------------------------------------------

    def _markers(self, h: int, occupied: bool) -> None:
        marks = self.scene.marks.get(h, ())
        if self.small and not occupied:
            places: tuple[Place, ...] = ((1, 3), (1, 4))
        elif self.small:
            places = (self.layout.left[1],)
        else:
            places = self.layout.left
        for place, mark in zip(places, marks, strict=False):
            look = self.theme.marker(mark)
            self.canvas.put(*self._at(h, place), look.sign, look.ink | BOLD, look.paper)

    def _flag(self, h: int, place: Place, single: bool) -> None:
        """Who holds an objective: a flag of that side's shape, in that side's brackets if there is room."""
        holder = self.scene.objectives[h]
        if holder is None:
            paper, ink, flag, brackets = self.theme.board.neutral, 0x1A1A1A, "◊", "  "
        else:
            seat = self.theme.seat(holder)
            paper, ink, flag, brackets = seat.paper, seat.ink, seat.flag, seat.brackets
        text = flag if single else f"{brackets[0]}{flag}{brackets[1]}"
        row, column = place
        if not single:
            column += (self.layout.centre_width - 3) // 2
        self.canvas.put(*self._at(h, (row, column)), text, ink | BOLD, paper)

    def _chip(self, h: int, place: Place, width: int, chip: str) -> None:
        text = pad(chip, min(width, width_of(chip) + (0 if self.small else 2)), "^")
        row, column = place
        column += (width - width_of(text) + 1) // 2 if not self.small else width - width_of(text)
        self.canvas.put(*self._at(h, (row, column)), text, 0x1C1600 | BOLD, self.theme.board.chip)

    def _occupied(self, h: int, counter: Counter) -> None:
        scene, layout = self.scene, self.layout
        if not self.small:
            self._height(h, self._ground(h))
        self._markers(h, occupied=True)
        if h in scene.objectives:
            self._flag(h, layout.left[0] if self.small else layout.sign, single=True)
        self._counter(h, counter)
        if h in scene.chips:
            self._chip(h, layout.under, layout.under_width, scene.chips[h])
        if scene.sight is not None and h == scene.sight.stop:
            self.canvas.put(*self._at(h, layout.under), "X", 0xFFFFFF | BOLD, self.theme.board.stopped)

    def _counter(self, h: int, counter: Counter) -> None:
        layout, seat = self.layout, self.theme.seat(counter.side)
        paper, ink = seat.paper, seat.ink
        if counter.ops_complete:
            paper = blend(paper, 0x6A6A6A, 0.45)
            ink = ink if contrast(ink, paper) >= 4.5 else readable(paper, 4.5)
        if counter.disrupted and contrast(0xFFE14D, paper) >= 4:
            ink = 0xFFE14D
        row, column = self._at(h, layout.counter)
        state, stack = letters(counter, True), stack_text(counter)
        tail = (state[:1] + stack + state[1:] if state[:1] == "D" else stack + state) if self.small else state
        second, over = bottom_row(counter, tail, layout.counter_width, True)
        self.canvas.put(row, column, top_row(counter, layout.counter_width, True), ink | BOLD, paper)
        self.canvas.put(row + 1, column, second, ink, paper)
        tab = lighter(seat.paper, 0.82)
        if layout.right is None:
            shown = tail[: len(tail) - len(over)]
            if stack and stack in shown:  # or it would be read with the strength, as one number
                end = column + layout.counter_width - len(shown) + shown.index(stack)
                self.canvas.put(row + 1, end, stack, readable(tab, 9) | BOLD, tab)
            return
        for place, text in zip(layout.right, (over[:1], stack), strict=True):
            if text:
                self.canvas.put(*self._at(h, place), text, readable(tab, 9) | BOLD, tab)
