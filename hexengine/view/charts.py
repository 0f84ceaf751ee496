"""Charts as SVG that need no other file: bars, lines, scales and maps of hexagons, from plain numbers.

Lengths are in user units of the picture, y downwards.  Texts are escaped here, and shown literally.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import cos, pi, sin, sqrt

from hexengine.hexes.grid import Grid
from hexengine.view.colour import blend
from hexengine.view.text import literal

INK, FAINT, LINE, PAPER = "#23272e", "#6b7280", "#d5d8dd", "#ffffff"
FONT = "system-ui, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, sans-serif"

Point = tuple[float, float]


def colour(number: int) -> str:
    """A colour as SVG writes it, from 0xRRGGBB."""
    return f"#{number:06x}"


def mix(under: int, over: int, share: float) -> str:
    """A colour between two, ``share`` of the second."""
    return colour(blend(under, over, min(1.0, max(0.0, share))))


class Chart:
    """A picture that is drawn piece by piece."""

    def __init__(self, width: float) -> None:
        self.width = width
        self.parts: list[str] = []

    def rect(
        self, x: float, y: float, width: float, height: float, fill: str, *, tip: str = "", corner: float = 0
    ) -> None:
        """A filled rectangle; ``tip`` is shown where the pointer rests."""
        shape = f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(0.0, width):.1f}" height="{max(0.0, height):.1f}"'
        corners = f' rx="{corner:g}"' if corner else ""
        self._add(f'{shape} fill="{fill}"{corners}', "rect", tip)

    def line(
        self, points: Sequence[Point], stroke: str = LINE, width: float = 1, *, dash: str = "", tip: str = ""
    ) -> None:
        """A line through points."""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        style = f'fill="none" stroke="{stroke}" stroke-width="{width:g}" stroke-linejoin="round"{dashes}'
        self._add(f'<polyline points="{path}" {style}', "polyline", tip)

    def dot(self, x: float, y: float, radius: float, fill: str, *, tip: str = "") -> None:
        """A filled circle."""
        self._add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{fill}"', "circle", tip)

    def polygon(
        self, points: Iterable[Point], fill: str, stroke: str, width: float = 1, *, tip: str = ""
    ) -> None:
        """A filled polygon."""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        style = f'fill="{fill}" stroke="{stroke}" stroke-width="{width:g}"'
        self._add(f'<polygon points="{path}" {style}', "polygon", tip)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 13,
        fill: str = INK,
        anchor: str = "start",
        bold: bool = False,
    ) -> None:
        """A line of text from its left end, middle or right end (``start``, ``middle``, ``end``)."""
        weight = ' font-weight="600"' if bold else ""
        style = f'font-size="{size:g}" fill="{fill}" text-anchor="{anchor}"{weight}'
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(literal(text))}</text>')

    def _add(self, start: str, name: str, tip: str) -> None:
        end = f"><title>{escape(literal(tip))}</title></{name}>" if tip else "/>"
        self.parts.append(start + end)

    def svg(self, height: float, title: str) -> str:
        """The whole picture, on paper."""
        body = "\n".join(self.parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {height:g}" '
            f'width="{self.width:g}" height="{height:g}" font-family="{FONT}" role="img">\n'
            f"<title>{escape(literal(title))}</title>\n"
            f'<rect width="100%" height="100%" fill="{PAPER}"/>\n{body}\n</svg>\n'
        )


class HexPlan:
    """Where the hexagons of a map lie when it is to be so wide and so high at most."""

    def __init__(self, grid: Grid, x: float, y: float, width: float, height: float) -> None:
        self.grid = grid
        self.flat = grid.orientation == "flat"
        along, across = (grid.columns, grid.rows) if self.flat else (grid.rows, grid.columns)
        wide, high = (1.5 * along + 0.5, sqrt(3) * (across + 0.5))
        if not self.flat:
            wide, high = high, wide
        self.radius = min(width / wide, height / high)
        self.width, self.height = wide * self.radius, high * self.radius
        self.x, self.y = x + (width - self.width) / 2, y

    def centre(self, h: int) -> Point:
        """The middle of a hex."""
        x, y = self.grid.centre(h)
        return self.x + self.radius * x, self.y + self.radius * y

    def corners(self, h: int, inset: float = 0.0) -> list[Point]:
        """The six corners of a hex, drawn inwards by ``inset``."""
        x, y = self.centre(h)
        radius, start = self.radius - inset, 0 if self.flat else pi / 6
        return [
            (x + radius * cos(start + turn * pi / 3), y + radius * sin(start + turn * pi / 3))
            for turn in range(6)
        ]
