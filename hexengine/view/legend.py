"""The legend: only what this board shows, each with a sample as the board draws it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hexengine.view.canvas import BOLD, DEFAULT, Run
from hexengine.view.colour import lighter, readable
from hexengine.view.counters import ABOVE, DISRUPTED, HEADQUARTERS, OPS_COMPLETE, OUT_OF_COMMAND
from hexengine.view.scene import Scene
from hexengine.view.text import fit, width_of
from hexengine.view.theme import Theme
from hexengine.view.words import word

Entry = tuple[str, int, int, str]
"""A sample of one to three cells, its ink and paper, and the word for it."""


def entries_of(
    scene: Scene, theme: Theme, unicode: bool, outlined: bool, *, lettered: bool = False
) -> list[Entry]:
    """Terrain, hexsides, lines and markers in use, then the letters on counters.

    ``outlined``: the map is drawn in lines and letters, so samples are signs without paper.  ``lettered``: it
    is a table of letters, which has no hexsides and lines.
    """
    return [
        *_terrain(scene, theme, unicode, outlined),
        *(() if lettered else _sides(scene, theme, unicode, outlined)),
        *(() if lettered else _lines(scene, theme, outlined)),
        *_markers(scene, theme, unicode, outlined),
        *_letters(scene, theme, unicode),
    ]


def _used(groups: Iterable[tuple[str, ...]], order: Mapping[str, Any]) -> list[str]:
    """The ids that occur, in the theme's order, unknown ones last."""
    found = {name for group in groups for name in group}
    return [name for name in order if name in found] + sorted(found - set(order))


def _terrain(scene: Scene, theme: Theme, unicode: bool, outlined: bool) -> Iterable[Entry]:
    # Shades of one terrain by level share an entry; it reads as raised wherever one hex of it is.
    looks = {}
    for terrain, raised in sorted({(cell.terrain, cell.level > 0) for cell in scene.land.cells}):
        look = theme.terrain(terrain, 1 if raised else 0)
        looks[look.name] = look
    order = list(theme.terrains.values())
    for look in sorted(looks.values(), key=lambda look: order.index(look) if look in order else len(order)):
        sign = look.sign if unicode else look.plain
        if not outlined:
            yield f" {sign} ", readable(look.fill, 4.5) | BOLD, look.fill, look.name
        elif sign != " ":
            yield sign, lighter(look.fill, 0.1) | BOLD, DEFAULT, look.name


def _sides(scene: Scene, theme: Theme, unicode: bool, outlined: bool) -> Iterable[Entry]:
    for feature in _used(scene.land.sides.values(), theme.sides):
        look = theme.side(feature)
        if outlined:
            sign = (look.sign or look.edge or look.plain) if unicode else look.plain
            yield sign, lighter(look.colour, 0.25) | BOLD, DEFAULT, look.name
        else:
            sample = f" {look.sign} " if look.sign else "- -" if look.dashed else "   "
            yield sample, readable(look.colour, 4.5) | BOLD, look.colour, look.name


def _lines(scene: Scene, theme: Theme, outlined: bool) -> Iterable[Entry]:
    for line in _used(scene.land.lines.values(), theme.lines):
        look = theme.line(line)
        if outlined:
            yield look.plain, lighter(look.colour, 0.25) | BOLD, DEFAULT, look.name
        elif look.second is not None:
            yield " ▪ ", look.colour, look.second, look.name
        else:
            sample = "- -" if look.dashed else "   "
            yield sample, readable(look.colour, 4.5) | BOLD, look.colour, look.name


def _markers(scene: Scene, theme: Theme, unicode: bool, outlined: bool) -> Iterable[Entry]:
    for marker in _used(scene.marks.values(), theme.markers):
        look = theme.marker(marker)
        sign = look.sign if unicode else look.plain
        if outlined:
            yield sign, theme.board.ink | BOLD, DEFAULT, look.name
        else:
            yield f" {sign} ", look.ink | BOLD, look.paper, look.name


def _letters(scene: Scene, theme: Theme, unicode: bool) -> Iterable[Entry]:
    counters = scene.counters
    led = word("with a leader") if scene.leaders == "leader" else word("with headquarters")
    for shown, letter, name in (
        (any(counter.disrupted for counter in counters), DISRUPTED, word("disrupted")),
        (any(counter.out_of_command for counter in counters), OUT_OF_COMMAND, word("out of command")),
        (any(counter.ops_complete for counter in counters), OPS_COMPLETE[not unicode], word("ops complete")),
        (any(counter.hq for counter in counters), HEADQUARTERS, led),
        (any(counter.above for counter in counters), ABOVE[not unicode], word("helicopters above")),
    ):
        if shown:
            yield letter, theme.board.ink | BOLD, DEFAULT, name
    for letter, name in scene.letters:
        if any(letter in counter.marks for counter in counters):
            yield letter, theme.board.ink | BOLD, DEFAULT, name


def flow(entries: Iterable[Entry], width: int, ink: int) -> list[list[Run]]:
    """Entries set one after another in rows of at most ``width`` cells."""
    rows: list[list[Run]] = []
    used = width
    for sample, sample_ink, paper, name in entries:
        name = fit(name, max(1, width - 6))
        size = width_of(sample) + 1 + width_of(name)
        if used + 2 + size > width:
            rows.append([])
            used = -2
        else:
            rows[-1].append(("  ", ink, DEFAULT))
        rows[-1] += [(sample, sample_ink, paper), (f" {name}", ink, DEFAULT)]
        used += 2 + size
    return rows
