"""The map as pixels: ground, heights, lines and hexsides painted once for a map, highlights every time."""

from __future__ import annotations

from itertools import pairwise
from weakref import WeakKeyDictionary

from hexengine.hexes.grid import Grid
from hexengine.view.colour import blend, darker, lighter
from hexengine.view.scene import Landscape, Scene
from hexengine.view.shapes import Pixel, Shape, segment
from hexengine.view.theme import Theme

_EDGE = 0.2
_LEVEL = 0.13


class Picture:
    """Pixels of a whole map in rows of ``width``; ``keep`` are colours that text must not paint over."""

    __slots__ = ("height", "keep", "pixels", "width")

    def __init__(self, width: int, height: int, pixels: list[int], keep: frozenset[int]) -> None:
        self.width = width
        self.height = height
        self.pixels = pixels
        self.keep = keep


_DRAWN: WeakKeyDictionary[Landscape, WeakKeyDictionary[Theme, dict[Pixel, Picture]]] = WeakKeyDictionary()


def fill_of(theme: Theme, land: Landscape, h: int) -> int:
    """The fill of a hex: its terrain's, deeper for each level above the first."""
    cell = land.cells[h]
    fill = theme.terrain(cell.terrain, cell.level).fill
    return darker(fill, min(0.45, _LEVEL * (cell.level - 1))) if cell.level > 1 else fill


def printed(land: Landscape, theme: Theme, shape: Shape) -> Picture:
    """The printed map, drawn once for each map, theme and shape. Copy the pixels before changing them."""
    themes = _DRAWN.get(land)
    if themes is None:
        themes = _DRAWN[land] = WeakKeyDictionary()
    pictures = themes.setdefault(theme, {})
    found = pictures.get(shape.pitch)
    if found is None:
        found = pictures[shape.pitch] = _Painter(land, theme, shape).paint()
    return found


class _Painter:
    """Draws one printed map."""

    def __init__(self, land: Landscape, theme: Theme, shape: Shape) -> None:
        self.land = land
        self.theme = theme
        self.shape = shape
        self.corners = [shape.corner(land.grid, h) for h in range(land.grid.size)]
        self.width, self.height = shape.extent(land.grid)
        self.pixels = [theme.board.void] * (self.width * self.height)
        self.keep: set[int] = set()

    def paint(self) -> Picture:
        self._fill()
        if any(cell.level != self.land.cells[0].level for cell in self.land.cells):
            self._relief()
        self._features(breaking=False)
        self._lines()
        self._features(breaking=True)
        return Picture(self.width, self.height, self.pixels, frozenset(self.keep))

    def _fill(self) -> None:
        width, pixels = self.width, self.pixels
        runs = [(y * width + first, y * width + after, after - first) for y, first, after in self.shape.spans]
        edge = [y * width + x for x, y in self.shape.edge]
        for h, (x, y) in enumerate(self.corners):
            start = y * width + x
            fill = fill_of(self.theme, self.land, h)
            for first, after, length in runs:
                pixels[start + first : start + after] = [fill] * length
            line = darker(fill, _EDGE)
            for offset in edge:
                pixels[start + offset] = line

    def _relief(self) -> None:
        """Light from the north-west: the far side of a height lies in shade, the near one is lit."""
        cells, strength = self.land.cells, self.theme.board.relief
        for a, around in enumerate(self.land.grid.neighbours):
            for b in around:
                if b < 0 or cells[a].level <= cells[b].level:
                    continue
                way = self._way(a, b)
                side = self.shape.sides[way]
                fill = fill_of(self.theme, self.land, a)
                sunny = way[1] < 0 or (way[1] == 0 and way[0] < 0)
                self._dots(a, side.near, lighter(fill, strength) if sunny else darker(fill, strength * 1.5))

    def _features(self, breaking: bool) -> None:
        for (a, b), features in self.land.sides.items():
            looks = [self.theme.side(feature) for feature in features]
            if not self._neighbours(a, b) or breaking != any(look.breaks for look in looks):
                continue
            side = self.shape.sides[self._way(a, b)]
            for look in looks:
                step = 2 if look.dashed else 1
                if look.width > 0:
                    self._dots(a, side.near[::step], look.colour)
                if look.width > 1:
                    self._dots(a, side.far[::step], look.colour)

    def _lines(self) -> None:
        for (a, b), lines in self.land.lines.items():
            if not self._neighbours(a, b):
                continue
            way = self.shape.lines[self._way(a, b)]
            for look in sorted((self.theme.line(line) for line in lines), key=lambda found: not found.dashed):
                self.keep.add(look.colour)
                if look.second is not None:
                    self.keep.add(look.second)
                    self._dots(a, way, look.second)
                self._dots(a, way[::2] if look.dashed or look.second is not None else way, look.colour)

    def _way(self, a: int, b: int) -> Pixel:
        (ax, ay), (bx, by) = self.corners[a], self.corners[b]
        return bx - ax, by - ay

    def _neighbours(self, a: int, b: int) -> bool:
        around = self.land.grid.neighbours
        return 0 <= a < len(around) and b >= 0 and b in around[a]

    def _dots(self, h: int, dots: tuple[Pixel, ...], colour: int) -> None:
        x, y = self.corners[h]
        for dx, dy in dots:
            self.pixels[(y + dy) * self.width + x + dx] = colour


def highlighted(scene: Scene, theme: Theme, shape: Shape) -> Picture:
    """The printed map with reach, sight, path and selection on it."""
    base = printed(scene.land, theme, shape)
    picture = Picture(base.width, base.height, base.pixels.copy(), base.keep)
    overlay = _Overlay(scene, theme, shape, picture)
    overlay.reach()
    overlay.sight()
    overlay.path()
    overlay.selection()
    return picture


class _Overlay:
    """Highlights on a copy of a printed map."""

    def __init__(self, scene: Scene, theme: Theme, shape: Shape, picture: Picture) -> None:
        self.scene = scene
        self.board = theme.board
        self.shape = shape
        self.picture = picture
        self.grid: Grid = scene.land.grid
        self.body = [(x, y) for y, first, after in shape.spans for x in range(first, after)]

    def _start(self, h: int) -> int:
        x, y = self.shape.corner(self.grid, h)
        return y * self.picture.width + x

    def _tint(self, hexes: frozenset[int], colour: int, share: float, spare: frozenset[int]) -> None:
        """Lays a colour on hexes, but not on pixels of the colours to spare."""
        pixels, width = self.picture.pixels, self.picture.width
        offsets = [y * width + x for x, y in self.body]
        for h in hexes:
            if 0 <= h < self.grid.size:
                start = self._start(h)
                for offset in offsets:
                    under = pixels[start + offset]
                    if under not in spare:
                        pixels[start + offset] = blend(under, colour, share)

    def _rim(self, hexes: frozenset[int], colour: int) -> None:
        """A line along the outside of a group of hexes."""
        pixels, width = self.picture.pixels, self.picture.width
        for a in hexes:
            if not 0 <= a < self.grid.size:
                continue
            start = self._start(a)
            x, y = self.shape.corner(self.grid, a)
            for b in self.grid.neighbours[a]:
                if b < 0 or b in hexes:
                    continue
                bx, by = self.shape.corner(self.grid, b)
                for dx, dy in self.shape.sides[bx - x, by - y].near:
                    pixels[start + dy * width + dx] = colour

    def reach(self) -> None:
        hexes = frozenset(self.scene.chips)
        if hexes:
            self._tint(hexes, self.board.reach, 0.5, self.picture.keep)
            self._rim(hexes, self.board.rim)

    def sight(self) -> None:
        sight = self.scene.sight
        if sight is None:
            return
        self._tint(sight.blocked, self.board.hidden, 0.55, frozenset())
        self._tint(sight.visible, self.board.seen, 0.3, self.picture.keep)
        self.picture.keep |= {blend(line, self.board.hidden, 0.55) for line in self.picture.keep}
        size = self.grid.size
        if sight.target is None or not (0 <= sight.origin < size and 0 <= sight.target < size):
            return
        dots = segment(self._centre(sight.origin), self._centre(sight.target))
        cut = len(dots)
        if sight.stop is not None and 0 <= sight.stop < self.grid.size:
            stop = self._centre(sight.stop)
            near = [abs(x - stop[0]) + abs(y - stop[1]) for x, y in dots]
            cut = near.index(min(near))
        for index, (x, y) in enumerate(dots):
            colour = self.board.sight if index < cut else self.board.stopped
            self.picture.pixels[y * self.picture.width + x] = colour
        self.picture.keep |= {self.board.sight, self.board.stopped}

    def path(self) -> None:
        steps = [h for h in self.scene.path if 0 <= h < self.grid.size]
        for a, b in pairwise(steps):
            for x, y in segment(self._centre(a), self._centre(b)):
                self.picture.pixels[y * self.picture.width + x] = self.board.path
        if steps:
            self.picture.keep |= {self.board.path}

    def selection(self) -> None:
        width = self.picture.width
        for h in self.scene.selected:
            if 0 <= h < self.grid.size:
                start = self._start(h)
                for x, y in self.shape.ring:
                    self.picture.pixels[start + y * width + x] = self.board.selected

    def _centre(self, h: int) -> Pixel:
        x, y = self.shape.corner(self.grid, h)
        return x + self.shape.centre[0], y + self.shape.centre[1]
