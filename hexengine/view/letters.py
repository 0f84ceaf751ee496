"""The small style without colour: a table of hexes, six cells by two rows each, staggered as on the map."""

from __future__ import annotations

from hexengine.view.canvas import Canvas
from hexengine.view.counters import ascii_name, letters, mark_of, short_name
from hexengine.view.scene import Counter, Scene
from hexengine.view.text import fit
from hexengine.view.theme import Theme

_WIDE, _HIGH = 6, 2


def extent(scene: Scene) -> tuple[int, int]:
    """Width and height of the whole map in cells."""
    grid = scene.land.grid
    wide, high = pitch_of(scene)
    if grid.orientation == "flat":
        return grid.columns * wide, grid.rows * high + 1
    return grid.columns * wide + wide // 2, grid.rows * high


def pitch_of(scene: Scene) -> tuple[int, int]:
    """Cells from one hex to the next, across and down."""
    return max(_WIDE, 2 * scene.land.grid.digits + 2), _HIGH


def write(scene: Scene, theme: Theme, unicode: bool, left: int, top: int, width: int, height: int) -> Canvas:
    """The part of the map that begins at cell (``left``, ``top``), in a canvas of that size."""
    grid = scene.land.grid
    canvas = Canvas(width, height)
    wide, high = pitch_of(scene)
    on_top: dict[int, Counter] = {}
    for counter in scene.counters:
        on_top.setdefault(counter.hex, counter)
    for h in range(grid.size):
        column, row = divmod(h, grid.rows)
        x, y = column * wide - left, row * high - top
        if grid.orientation == "flat":
            y += grid.pushed(h)
        else:
            x += wide // 2 * grid.pushed(h)
        if not (-wide < x < width and -high < y < height):
            continue
        first, second = _rows(scene, theme, unicode, h, on_top.get(h))
        canvas.put(y, x, fit(first, wide - 1))
        canvas.put(y + 1, x, fit(second, wide - 1))
    return canvas


def _rows(scene: Scene, theme: Theme, unicode: bool, h: int, counter: Counter | None) -> tuple[str, str]:
    """The two rows of a hex: label with terrain or state; counter, or cost, flag, markers."""
    cell = scene.land.cells[h]
    look = theme.terrain(cell.terrain, cell.level)
    label = scene.land.grid.label(h)
    if counter is not None:
        seat = theme.seat(counter.side)
        state = letters(counter, unicode)[:1] or ("+" if counter.stack > 1 else "")
        name = short_name(ascii_name(counter.name, unicode), 2)
        second = f"{seat.brackets[0]}{mark_of(counter, unicode)}{name}{seat.brackets[1]}"
        return label + (state or (look.sign if unicode else look.plain)), second
    parts = []
    sight = scene.sight
    if h in scene.objectives:
        holder = scene.objectives[h]
        brackets = "||" if holder is None else theme.seat(holder).brackets
        parts.append(f"{brackets[0]}{'◊' if unicode else '*'}{brackets[1]}")
    if h in scene.chips:
        parts.append(ascii_name(scene.chips[h], unicode))
    if sight is not None and h == sight.stop:
        parts.append("X")
    elif sight is not None and h in sight.visible:
        parts.append("•" if unicode else "+")
    for mark in scene.marks.get(h, ()):
        parts.append(theme.marker(mark).sign if unicode else theme.marker(mark).plain)
    return label + (look.sign if unicode else look.plain), " ".join(parts)
