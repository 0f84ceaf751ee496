"""The board as an SVG picture, by way of rich's export."""

from __future__ import annotations

import io
import re
from html import unescape
from typing import Unpack

from rich.cells import cell_len
from rich.console import Console

from hexengine.view.board import Bounds, Options, Style, render
from hexengine.view.scene import Scene
from hexengine.view.theme import Theme

# rich's own frame names fonts on a server; this one needs nothing but the file itself.
_FRAME = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{
font-family: "DejaVu Sans Mono", "Cascadia Mono", Menlo, Consolas, monospace;
font-size: {char_height}px; line-height: {line_height}px;
}}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/>
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""
# How rich writes a run of one style; the number of the row ends the name of the clip path.
_RUN = re.compile(
    r'<text class="([\w-]+)" x="([\d.e+-]+)" y="([\d.e+-]+)" textLength="[\d.e+-]+" '
    r'clip-path="url\(#[\w-]+-line-(\d+)\)">([^<]*)</text>'
)
_CLIP = re.compile(r'<clipPath id="[\w-]+-line-\d+">\s*<rect [^>]*/>\s*</clipPath>\s*')
_CELL_WIDTH = 20 * 0.61
_ROW_HEIGHT = 20 * 1.22


def to_svg(
    scene: Scene,
    theme: Theme,
    style: Style = "hex",
    width: int | None = None,
    *,
    title: str = "hexengine",
    **options: Unpack[Bounds],
) -> str:
    """The board as an SVG picture that needs no other file. ``width`` in cells as for ``render``."""
    bounds: Options = {**options, "width": width}
    board = render(scene, theme, style, **bounds)
    console = Console(
        record=True,
        file=io.StringIO(),
        width=board.canvas.width,
        color_system="truecolor",
        force_terminal=True,
        legacy_windows=False,
    )
    console.print(board, end="")
    return _CLIP.sub("", _RUN.sub(_redraw, console.export_svg(title=title, code_format=_FRAME)))


def _redraw(run: re.Match[str]) -> str:
    """Half blocks become rectangles, which no font can misplace; wide signs get the width they take."""
    look, x, y, row, text = run.groups()
    signs = unescape(text)
    if not signs.strip("▀"):
        top = int(row) * _ROW_HEIGHT + 1.5
        size = f'width="{len(signs) * _CELL_WIDTH:g}" height="{_ROW_HEIGHT / 2:g}"'
        return f'<rect class="{look}" x="{x}" y="{top:g}" {size} shape-rendering="crispEdges"/>'
    length = f"{cell_len(signs) * _CELL_WIDTH:g}"
    return f'<text class="{look}" x="{x}" y="{y}" textLength="{length}">{text}</text>'
