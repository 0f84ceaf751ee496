"""What a board shows, as plain data: no game, no rules, no files.

Whoever knows the game fills these classes; the drawing modules read nothing else. Hexes are the ints of
``hexengine.hexes.grid.Grid``, sides are numbers from 0 in the scenario's order. Ids of terrain, hexside
features, lines and markers are the words of the theme; an id the theme does not know is drawn in a colour
that cannot be overlooked. Hexes that are not on the map are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hexengine.hexes.grid import Grid

Pair = tuple[int, int]
"""Two neighbouring hexes, the smaller number first."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One hex as printed: terrain id, level (0 is the plain), and the name of the place if it has one."""

    terrain: str
    level: int = 0
    name: str | None = None


@dataclass(frozen=True, eq=False, slots=True, weakref_slot=True)
class Landscape:
    """The printed map, which no move changes. Make one for a map and keep it: drawings are cached by it.

    ``cells`` has one entry for each hex of the grid. ``sides`` gives the features on a hexside (river,
    stream, wall, bridge ...), ``lines`` the roads, trails and railways that join two neighbouring centres.
    Raises ValueError when the number of cells is not the grid's size.
    """

    grid: Grid
    cells: tuple[Cell, ...]
    sides: Mapping[Pair, tuple[str, ...]] = field(default_factory=dict)
    lines: Mapping[Pair, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.cells) != self.grid.size:
            raise ValueError(f"a map of {self.grid.size} hexes cannot have {len(self.cells)} cells")


@dataclass(frozen=True, slots=True)
class Counter:
    """The counter on top in a hex; where several name one hex, the first is drawn.

    ``mark`` is one sign of one cell, ``plain_mark`` its ASCII stand-in. ``reduced`` adds an empty step to the
    full ones. ``stack`` counts the units of the hex, ``hq`` says that a headquarters is among them,
    ``above`` that others fly over them, of whichever side; ``marks`` are letters for whatever else is
    marked on it.
    """

    hex: int
    side: int
    mark: str
    plain_mark: str
    name: str
    strength: str = ""
    steps: int = 1
    reduced: bool = False
    disrupted: bool = False
    out_of_command: bool = False
    ops_complete: bool = False
    stack: int = 1
    hq: bool = False
    marks: str = ""
    above: bool = False


@dataclass(frozen=True, slots=True)
class Sight:
    """What can be seen from ``origin``; with ``target`` and ``line`` one line of sight is drawn as well.

    ``line`` lists the hexes touched in order, ends included; ``stop`` is the hex that blocks it, or None.
    """

    origin: int
    visible: frozenset[int] = frozenset()
    blocked: frozenset[int] = frozenset()
    target: int | None = None
    line: tuple[int, ...] = ()
    stop: int | None = None


@dataclass(frozen=True, slots=True)
class Header:
    """The top line. ``cup`` counts the markers left by side; None stands for End of Turn markers."""

    turn: int
    turns: int
    phase: str
    active: str = ""
    active_side: int | None = None
    cup: tuple[tuple[int | None, int], ...] = ()


@dataclass(frozen=True, slots=True)
class UnitRow:
    """A line of the panel's list of units. ``place`` is a hex label or words, ``state`` words."""

    side: int
    mark: str
    plain_mark: str
    name: str
    place: str = ""
    strength: str = ""
    steps: int = 1
    reduced: bool = False
    state: str = ""
    readout: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything on one board.

    ``sides`` names the sides. ``chips`` are short texts on hexes within reach (their cost in MP), ``marks``
    marker ids lying in a hex, ``objectives`` who holds an objective (None: nobody). ``path`` is drawn through
    the centres of its hexes. ``notes`` are further lines under the legend, ``letters`` what letters on
    counters mean. ``leaders`` is a code for those of whom ``Counter.hq`` tells.
    """

    land: Landscape
    sides: tuple[str, ...] = ()
    counters: tuple[Counter, ...] = ()
    chips: Mapping[int, str] = field(default_factory=dict)
    marks: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    selected: frozenset[int] = frozenset()
    path: tuple[int, ...] = ()
    sight: Sight | None = None
    objectives: Mapping[int, int | None] = field(default_factory=dict)
    header: Header | None = None
    units: tuple[UnitRow, ...] = ()
    log: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    letters: tuple[tuple[str, str], ...] = ()
    leaders: str = "headquarters"
