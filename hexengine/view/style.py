"""Which style suits the place where a board will be shown."""

from __future__ import annotations

import os
from collections.abc import Mapping
from shutil import get_terminal_size
from typing import NamedTuple

from rich.console import Console

from hexengine.view.board import PANEL_FROM, Style, map_width
from hexengine.view.scene import Scene

_SIGNS = "▀○Ø■▪♣⌂≈▲√½"
_SYSTEMS = {"standard": 8, "windows": 8, "256": 256, "truecolor": 16_777_216}


class Facts(NamedTuple):
    """What is known about the place. ``colours`` is 0, 8, 256 or 16777216; ``term`` is TERM's value."""

    width: int = 80
    height: int = 24
    encoding: str = "utf-8"
    colours: int = 16_777_216
    term: str = ""
    no_colour: bool = False
    is_terminal: bool = True

    @classmethod
    def of(cls, console: Console, environ: Mapping[str, str] = os.environ) -> Facts:
        """The facts of a rich console and its environment (TERM, NO_COLOR)."""
        width, height = console.size
        if console.is_dumb_terminal:  # of which rich thinks that all are alike
            width, height = get_terminal_size((width, height))
        return cls(
            width=width,
            height=height,
            encoding=console.encoding,
            colours=_SYSTEMS.get(console.color_system or "", 0),
            term=environ.get("TERM", ""),
            no_colour=console.no_color or bool(environ.get("NO_COLOR")),
            is_terminal=console.is_terminal,
        )


class Choice(NamedTuple):
    """How to draw: the arguments of the same names of ``hexengine.view.board.render``."""

    style: Style
    colour: bool
    unicode: bool


def choose_style(facts: Facts, scene: Scene | None = None, style: Style | None = None) -> Choice:
    """The best style for a place; one that was asked for is kept, its colour and signs follow the facts.

    Half blocks need an encoding that has them and at least 256 colours. The large style is for maps that it
    shows whole.
    """
    dumb = facts.term == "dumb"
    unicode = not dumb and _encodes(facts.encoding)
    colour = facts.is_terminal and not facts.no_colour and not dumb and facts.colours >= 8
    if style is not None:
        return Choice(style, colour, unicode)
    if not (unicode and colour and facts.colours >= 256):
        return Choice("outline", colour, unicode)
    large = facts.width >= (PANEL_FROM if scene is None else map_width(scene, "hex"))
    return Choice("hex" if large else "compact", colour, unicode)


def _encodes(encoding: str) -> bool:
    try:
        _SIGNS.encode(encoding)
    except (LookupError, UnicodeError):
        return False
    return True
