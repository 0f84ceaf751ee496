"""The board as a whole: header, map and panel put together, and the ways to a terminal and to plain text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypedDict, Unpack

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.segment import Segment

from hexengine.view import letters, outline, painted
from hexengine.view.canvas import DEFAULT, Canvas, Run
from hexengine.view.counters import ascii_name
from hexengine.view.legend import entries_of, flow
from hexengine.view.panels import PANEL_WIDEST, PANEL_WIDTH, Panel, header_row
from hexengine.view.scene import Scene
from hexengine.view.shapes import hexagon
from hexengine.view.text import fit
from hexengine.view.theme import Theme

Style = Literal["hex", "compact", "outline"]
PANEL_FROM = 120
"""From this width on a panel may stand beside the map."""


class Bounds(TypedDict, total=False):
    """What bounds a board, its width aside.

    ``height``: rows of the whole board; None or absent: as many as the map needs.
    ``scroll``: printed column and row in the top left corner, where the map does not fit.
    ``centre``: a hex to have in the middle instead.
    ``panel``: whether a panel stands beside the map; None or absent: with a width of 120 and more, if the
    whole map has room beside it.
    ``legend``: whether a legend stands below a map without a panel, room permitting (the default).
    """

    height: int | None
    scroll: tuple[int, int] | None
    centre: int | None
    panel: bool | None
    legend: bool


class Options(Bounds, total=False):
    """``Bounds`` with ``width``: cells of the whole board; None or absent: as many as the map needs."""

    width: int | None


@dataclass(frozen=True, slots=True)
class _Plan:
    """How a style draws a map: size in cells, pitch of a hex, and how far its box outgrows the pitch."""

    kind: Literal["hex", "compact", "outline", "letters"]
    width: int
    height: int
    pitch: tuple[int, int]
    excess: tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Window:
    """The part of the map that is shown, in cells, and where on the board it stands."""

    left: int
    top: int
    width: int
    height: int
    above: int
    margin: int


class Board:
    """A composed board as a rich renderable: rows are never wrapped, and nothing is read as markup."""

    def __init__(self, canvas: Canvas, colour: bool) -> None:
        self.canvas = canvas
        self.colour = colour

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for row in self.canvas.segments(self.colour):
            yield from row
            yield Segment.line()

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(self.canvas.width, self.canvas.width)


def render(
    scene: Scene,
    theme: Theme,
    style: Style = "hex",
    *,
    colour: bool = True,
    unicode: bool = True,
    **options: Unpack[Options],
) -> Board:
    """The board for a rich console. Give the console's width as ``width``: a console cuts longer rows off."""
    return Board(compose(scene, theme, style, colour=colour, unicode=unicode, **options), colour)


def lines(
    scene: Scene,
    theme: Theme,
    style: Style = "outline",
    *,
    unicode: bool = True,
    **options: Unpack[Options],
) -> list[str]:
    """The board as plain rows without colour, for pipes and files; no row is wrapped or ends in spaces."""
    return compose(scene, theme, style, colour=False, unicode=unicode, **options).lines()


def compose(
    scene: Scene,
    theme: Theme,
    style: Style = "hex",
    *,
    colour: bool = True,
    unicode: bool = True,
    **options: Unpack[Options],
) -> Canvas:
    """The board as a canvas of cells, for those who draw it elsewhere.

    Without colour or Unicode half blocks mean nothing: the style ``hex`` is drawn as ``outline`` then, and
    ``compact`` as a table of letters.
    """
    plan = _plan(scene, style, colour and unicode)
    width, height = options.get("width"), options.get("height")
    beside = options.get("panel")
    if beside is None:
        beside = width is not None and _panel_suits(scene, plan, width)
    points = [] if beside or width is None else _points(scene, theme, width, unicode)
    window, full = _window(scene, plan, options, beside, len(points))
    outlined = plan.kind in ("outline", "letters")
    boxes = None
    notes = points
    if beside:
        panel_width = min(PANEL_WIDEST, max(PANEL_WIDTH, full - window.margin - window.width - 2))
        panel = Panel(scene, theme, panel_width, unicode, outlined)
        boxes = panel.canvas(None if height is None else max(0, height - window.above))
    elif options.get("legend", True) and full >= 12:
        entries = entries_of(scene, theme, unicode, outlined, lettered=plan.kind == "letters")
        legend = flow(entries, full, theme.board.ink)
        if height is None or window.above + plan.height + len(points) + len(legend) <= height:
            notes = points + legend
    tall = window.above + max(window.height + len(notes), boxes.height if boxes else 0)
    canvas = Canvas(full, tall if height is None else max(0, min(tall, height)))
    if scene.header:
        canvas.paste(header_row(scene.header, theme, full, unicode), 0, 0)
    canvas.paste(_picture(scene, theme, plan, unicode, window), window.above, window.margin)
    _headings(canvas, scene, theme, plan, window)
    _arrows(canvas, theme, plan, window, unicode)
    for index, row in enumerate(notes):
        canvas.put_runs(window.above + window.height + index, 0, row)
    if boxes:
        canvas.paste(boxes, window.above, window.margin + window.width + 2)
    return canvas


def _panel_suits(scene: Scene, plan: _Plan, width: int) -> bool:
    """Whether a panel may stand beside the map: it never hides what would be seen without it."""
    return width >= PANEL_FROM and width >= plan.width + scene.land.grid.digits + 1 + PANEL_WIDTH + 2


def _points(scene: Scene, theme: Theme, width: int, unicode: bool) -> list[list[Run]]:
    """Without a panel the first of its notes, the score, stands below the map whatever else has room."""
    return [[(fit(ascii_name(note, unicode), width), theme.board.ink, DEFAULT)] for note in scene.notes[:1]]


def map_width(scene: Scene, style: Style) -> int:
    """Cells a whole map takes across in a coloured style, row numbers included."""
    return _plan(scene, style, True).width + scene.land.grid.digits + 1


def map_height(scene: Scene, style: Style) -> int:
    """Rows a whole map takes in a coloured style, header and column numbers included."""
    return _plan(scene, style, True).height + (2 if scene.header else 1)


def _plan(scene: Scene, style: Style, coloured: bool) -> _Plan:
    flat = scene.land.grid.orientation == "flat"
    if style == "outline" or (style == "hex" and not coloured):
        frame = outline.frame_of(flat)
        excess = (frame.box[0] - frame.pitch[0], frame.box[1] - frame.pitch[1])
        return _Plan("outline", *outline.extent(scene), frame.pitch, excess)
    if style == "compact" and not coloured:
        return _Plan("letters", *letters.extent(scene), letters.pitch_of(scene), (0, 0))
    shape = hexagon(flat, style == "compact")
    x, y = shape.extent(scene.land.grid)
    excess = (shape.box[0] - shape.pitch[0], (shape.box[1] - shape.pitch[1] + 1) // 2)
    kind: Literal["hex", "compact"] = "compact" if style == "compact" else "hex"
    return _Plan(kind, x, y // 2, (shape.pitch[0], shape.pitch[1] // 2), excess)


def _window(scene: Scene, plan: _Plan, options: Options, beside: bool, below: int) -> tuple[_Window, int]:
    """The window, cut to whole hexes where the map does not fit, and the width of the whole board.

    ``below``: rows that are kept free below it.
    """
    width, height = options.get("width"), options.get("height")
    margin = scene.land.grid.digits + 1
    above = 2 if scene.header else 1
    panel = PANEL_WIDTH + 2 if beside else 0
    full = margin + plan.width + panel if width is None else max(1, width)
    wide = _whole(plan.width, full - margin - panel, plan.pitch[0], plan.excess[0])
    high = (
        plan.height
        if height is None
        else _whole(plan.height, height - above - below, plan.pitch[1], plan.excess[1])
    )
    grid = scene.land.grid
    centre, scroll = options.get("centre"), options.get("scroll")
    left = top = 0
    if centre is not None and 0 <= centre < grid.size:
        column, row = divmod(centre, grid.rows)
        left = (column - (wide // plan.pitch[0] - 1) // 2) * plan.pitch[0]
        top = (row - (high // plan.pitch[1] - 1) // 2) * plan.pitch[1]
    elif scroll is not None:
        left, top = (scroll[0] - 1) * plan.pitch[0], (scroll[1] - 1) * plan.pitch[1]
    left = max(0, min(left, _last_corner(plan.width - wide, plan.pitch[0])))
    top = max(0, min(top, _last_corner(plan.height - high, plan.pitch[1])))
    return _Window(left, top, wide, high, above, margin), full


def _whole(size: int, room: int, pitch: int, excess: int) -> int:
    """As much of ``size`` as fits, in whole hexes if at least one does."""
    if size <= room:
        return size
    return max(1, (room - excess) // pitch * pitch + excess if room >= pitch + excess else room)


def _last_corner(over: int, pitch: int) -> int:
    """The last corner of a hex from which the far edge of the map is in the window."""
    return max(0, -(-over // pitch) * pitch)


def _picture(scene: Scene, theme: Theme, plan: _Plan, unicode: bool, window: _Window) -> Canvas:
    left, top, width, height = window.left, window.top, window.width, window.height
    if plan.kind == "outline":
        return outline.draw(scene, theme, unicode, left, top, width, height)
    if plan.kind == "letters":
        return letters.write(scene, theme, unicode, left, top, width, height)
    return painted.paint(scene, theme, plan.kind == "compact", left, top, width, height)


def _headings(canvas: Canvas, scene: Scene, theme: Theme, plan: _Plan, window: _Window) -> None:
    """Column numbers over the map and row numbers beside it, for the part that is shown."""
    grid = scene.land.grid
    digits, faint = grid.digits, theme.board.faint
    across, down = plan.pitch
    for column in range(1, grid.columns + 1):
        x = (column - 1) * across + (across + plan.excess[0] - digits) // 2 - window.left
        if 0 <= x <= window.width - digits:
            canvas.put(window.above - 1, window.margin + x, f"{column:0{digits}}", faint)
    for row in range(1, grid.rows + 1):
        y = (row - 1) * down + (0 if down == 2 else down // 2) - window.top
        if 0 <= y < window.height:
            canvas.put(window.above + y, 0, f"{row:0{digits}}", faint)


def _arrows(canvas: Canvas, theme: Theme, plan: _Plan, window: _Window, unicode: bool) -> None:
    """In the corner, the directions in which the map goes on."""
    signs = "◄►↔▲▼↕" if unicode else "<>-^v|"
    west, east = window.left > 0, window.left + window.width < plan.width
    north, south = window.top > 0, window.top + window.height < plan.height
    text = ""
    if west or east:
        text += signs[2 if west and east else 0 if west else 1]
    if north or south:
        text += signs[5 if north and south else 3 if north else 4]
    canvas.put(window.above - 1, 0, text, theme.board.chip)
