"""What a position shows to people, as plain data: any board, panel or list is drawn from these.

A rule system fills them (``RuleSystem.view`` and ``RuleSystem.sight``); whoever draws knows no system.
Sides are numbers from 0 in the scenario's order, hexes those of the map's grid.  Signs, states, marks and
features are codes, for which themes and catalogues have colours and words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from hexengine.hexes.hexmap import HexMap, Side

OFF_MAP = -1


@dataclass(frozen=True, eq=False, slots=True, weakref_slot=True)
class Ground:
    """What no order changes; one object a scenario, so that drawings of it can be kept.

    ``names`` are those of places by hex.  ``features`` are hexside features that are shown beside those of
    the map (they cost nothing: blown bridges, crests).  ``sides`` are the sides' names for people.
    """

    map: HexMap
    names: Mapping[int, str] = field(default_factory=dict)
    features: Mapping[Side, tuple[str, ...]] = field(default_factory=dict)
    sides: tuple[str, ...] = ()
    turns: int = 1


@dataclass(frozen=True, slots=True)
class Piece:
    """One unit of the scenario, on the map or not.

    ``unit`` is the id that orders name, ``name`` what is printed on its counter, ``sign`` the kind of unit,
    ``group`` the name of the formation it belongs to.  ``hex`` is OFF_MAP where it stands nowhere;
    ``carrier`` the id of the unit that carries it.  ``strength`` is the number people look at first.
    ``steps`` of ``full`` are left.  ``states`` are codes of what is marked on it, weightiest first.
    ``readout`` is what its counter prints, where lists have room for more than the strength.
    ``leader``: it commands, and takes no place in a stack.  ``attached``: it is part of its carrier and is
    not drawn by itself.  ``flies``: it is over whoever stands in its hex, friend or enemy.  ``ready``: it
    may act now.
    """

    unit: str
    name: str
    side: int
    sign: str
    group: str = ""
    hex: int = OFF_MAP
    carrier: str = ""
    strength: str = ""
    steps: int = 1
    full: int = 1
    states: tuple[str, ...] = ()
    leader: bool = False
    attached: bool = False
    ready: bool = False
    readout: str = ""
    flies: bool = False


class Support(NamedTuple):
    """What a side may still call from off the map: ``kind`` is a code, ``group`` a formation's name or ""."""

    side: int
    group: str
    kind: str
    left: int


@dataclass(frozen=True, slots=True)
class Outlook:
    """Everything that is to be seen of a position.

    ``phase`` is a code; ``active`` the name of the formation whose activation it is.  ``cup`` counts the
    markers left by side; None stands for those that belong to nobody.  ``pieces`` are all units in the
    scenario's order, in a hex from the top of the stack down.  ``marks`` lie in hexes; ``objectives`` says
    who holds the hexes that are fought for (None: nobody); ``score`` has the points by side; ``support`` is
    what may still be called, by side and formation.  ``letters`` are states that a counter shows by a letter,
    weightiest first, beside those that every board knows.  ``floors`` are places above or under the ground of
    a hex, by the name that orders give them, each with its hex.  ``strength`` says what the numbers of the
    pieces are that lists show, as the head of their column; ``leaders`` what those are who lead.
    """

    ground: Ground
    turn: int
    phase: str
    active: str = ""
    active_side: int | None = None
    cup: tuple[tuple[int | None, int], ...] = ()
    pieces: tuple[Piece, ...] = ()
    marks: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    objectives: Mapping[int, int | None] = field(default_factory=dict)
    score: tuple[int, ...] = ()
    support: tuple[Support, ...] = ()
    letters: Mapping[str, str] = field(default_factory=dict)
    floors: Mapping[str, int] = field(default_factory=dict)
    strength: str = "strength"
    leaders: str = "headquarters"


class Between(NamedTuple):
    """Something between two hexes that hinders or blocks the view: where, which rule, and in words.

    ``other`` is the second hex of a hexside, or OFF_MAP.
    """

    hex: int
    other: int
    blocks: bool
    rule: str
    text: str


class SightLook(NamedTuple):
    """A line of sight with its facts, in order from ``origin`` to ``target``.

    ``line`` are the hexes touched, ends included; ``stop`` is the hex in which it ends, or None where it is
    clear; ``rule`` is the rule that decides it.  ``floors`` name the places of both ends that are not the
    ground of their hex ("": it is).
    """

    origin: int
    target: int
    distance: int
    clear: bool
    rule: str
    line: tuple[int, ...] = ()
    between: tuple[Between, ...] = ()
    stop: int | None = None
    floors: tuple[str, str] = ("", "")
