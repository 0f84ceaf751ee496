"""Colours and signs of the board, read from the text of a theme file.

A theme answers for every id: what it does not know gets the board's ``unknown`` colour and a ``?``, so that
a gap is seen at once and never stops a drawing.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from rich.cells import cell_len

_COLOUR = re.compile(r"#([0-9a-fA-F]{6})")


class ThemeError(ValueError):
    """A theme text that cannot be used; the message names the key and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class TerrainLook:
    """Terrain: fill, sign, ASCII sign, and the id it reads as at level 1 and above ("" for the same)."""

    name: str
    fill: int
    sign: str = "?"
    plain: str = "?"
    raised: str = ""


@dataclass(frozen=True, slots=True)
class SideLook:
    """A hexside feature. ``width`` 0 to 2 pixels; ``sign`` stands at its middle, ``edge`` outlines it.

    ``breaks``: lines that cross are interrupted.
    """

    name: str
    colour: int
    width: int = 1
    dashed: bool = False
    sign: str = ""
    edge: str = ""
    plain: str = "?"
    breaks: bool = False


@dataclass(frozen=True, slots=True)
class LineLook:
    """A line between centres; ``second`` alternates with ``colour`` (railways)."""

    name: str
    colour: int
    second: int | None = None
    dashed: bool = False
    plain: str = "?"


@dataclass(frozen=True, slots=True)
class MarkerLook:
    """A marker lying in a hex."""

    name: str
    sign: str
    plain: str
    ink: int
    paper: int


@dataclass(frozen=True, slots=True)
class SeatLook:
    """A side of the game: counter colours, the brackets and the flag that tell it without colour."""

    paper: int
    ink: int
    brackets: str
    flag: str


@dataclass(frozen=True, slots=True)
class BoardLook:
    """Colours of the board itself; ``relief`` (0 to 1) is the strength of light and shade on height steps."""

    void: int = 0x12161C
    ink: int = 0xD8D6CC
    faint: int = 0x8D949E
    rule: int = 0x4A5568
    header: int = 0xDCD9AE
    phase: int = 0x48566C
    reach: int = 0xFFF3A8
    rim: int = 0xE0A400
    chip: int = 0xFFF07A
    selected: int = 0xFFFFFF
    path: int = 0xC2187A
    seen: int = 0xFDFDF0
    hidden: int = 0x20242C
    sight: int = 0xFFFFFF
    stopped: int = 0xD0202E
    neutral: int = 0xE9E6DA
    unknown: int = 0xFF00D4
    relief: float = 0.34


_SEATS = (SeatLook(0x164A96, 0xFFFFFF, "[]", "►"), SeatLook(0xC0301A, 0xFFFFFF, "<>", "◄"))


@dataclass(frozen=True, eq=False, slots=True, weakref_slot=True)
class Theme:
    """All looks by id. ``Theme()`` knows no ids and still draws."""

    board: BoardLook = field(default_factory=BoardLook)
    terrains: Mapping[str, TerrainLook] = field(default_factory=dict)
    sides: Mapping[str, SideLook] = field(default_factory=dict)
    lines: Mapping[str, LineLook] = field(default_factory=dict)
    markers: Mapping[str, MarkerLook] = field(default_factory=dict)
    seats: tuple[SeatLook, ...] = _SEATS

    @classmethod
    def from_toml(cls, text: str, language: str = "en") -> Theme:
        """Reads a theme; names in that language where the theme has it, else in English.

        Raises ThemeError for a text that is not TOML, an unknown key, or a value of the wrong kind.
        """
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as fault:
            raise ThemeError(f"not TOML: {fault}") from None
        _only(data, {"board", "terrain", "sides", "lines", "markers", "side"}, "the theme")
        seats = data.get("side", [])
        if not isinstance(seats, list):
            raise ThemeError("side: must be a list of tables, [[side]]")
        return cls(
            board=_build(BoardLook, _table(data.get("board", {}), "board"), "board", "", language),
            terrains=_family(TerrainLook, data, "terrain", language),
            sides=_family(SideLook, data, "sides", language),
            lines=_family(LineLook, data, "lines", language),
            markers=_family(MarkerLook, data, "markers", language),
            seats=tuple(
                _build(SeatLook, _table(seat, "side"), f"side {number}", "", language)
                for number, seat in enumerate(seats, 1)
            )
            or _SEATS,
        )

    def terrain(self, terrain: str, level: int = 0) -> TerrainLook:
        """The look of a terrain at a level."""
        look = self.terrains.get(terrain)
        if look is None:
            return TerrainLook(terrain, self.board.unknown)
        if level > 0 and look.raised:
            return self.terrains.get(look.raised, look)
        return look

    def side(self, feature: str) -> SideLook:
        """The look of a hexside feature."""
        return self.sides.get(feature) or SideLook(feature, self.board.unknown, edge="?")

    def line(self, line: str) -> LineLook:
        """The look of a road, trail or railway."""
        return self.lines.get(line) or LineLook(line, self.board.unknown)

    def marker(self, marker: str) -> MarkerLook:
        """The look of a marker."""
        return self.markers.get(marker) or MarkerLook(marker, "?", "?", 0x000000, self.board.unknown)

    def seat(self, side: int) -> SeatLook:
        """The look of a side; beyond the last one they begin again."""
        return self.seats[side % len(self.seats)]


Look = TypeVar("Look", BoardLook, TerrainLook, SideLook, LineLook, MarkerLook, SeatLook)


def _family(kind: type[Look], data: dict[str, Any], key: str, language: str) -> dict[str, Look]:
    """All tables under one key, by id."""
    return {
        name: _build(kind, _table(entry, f"{key}.{name}"), f"{key}.{name}", name, language)
        for name, entry in _table(data.get(key, {}), key).items()
    }


def _build(kind: type[Look], entry: dict[str, Any], where: str, name: str, language: str) -> Look:
    """One look from its table, each value checked against the type of its field."""
    fields = kind.__dataclass_fields__
    _only(entry, set(fields), where)
    values: dict[str, Any] = {"name": name} if "name" in fields else {}
    for key, value in entry.items():
        values[key] = _value(str(fields[key].type), key, value, f"{where}.{key}", language)
    try:
        return kind(**values)
    except TypeError:
        missing = [key for key in fields if key not in values]
        raise ThemeError(f"{where}: missing {', '.join(missing)}") from None


def _value(kind: str, key: str, value: Any, where: str, language: str) -> Any:
    """A value as its field wants it. Raises ThemeError."""
    if key == "name":
        names = value if isinstance(value, dict) else {"en": value}
        found = names.get(language, names.get("en", where))
        if not isinstance(found, str):
            raise ThemeError(f"{where}: must be a text or a table of texts by language")
        return found
    if key == "width":
        if type(value) is not int or not 0 <= value <= 2:
            raise ThemeError(f"{where}: must be 0, 1 or 2")
        return value
    if key == "brackets":
        if not isinstance(value, str) or len(value) != 2 or not value.isascii():
            raise ThemeError(f"{where}: must be two ASCII characters")
        return value
    if kind == "bool" or kind == "float":
        if kind == "float" and type(value) in (int, float) and 0 <= value <= 1:
            return float(value)
        if kind == "bool" and type(value) is bool:
            return value
        raise ThemeError(f"{where}: must be {'true or false' if kind == 'bool' else 'a number from 0 to 1'}")
    if not isinstance(value, str):
        raise ThemeError(f"{where}: must be a text")
    if kind.startswith("int"):
        found_colour = _COLOUR.fullmatch(value)
        if not found_colour:
            raise ThemeError(f'{where}: {value!r} is not a colour like "#1f4e8c"')
        return int(found_colour[1], 16)
    if key in ("sign", "plain", "edge", "flag") and (
        cell_len(value) != 1 or len(value) != 1 or (key == "plain" and not value.isascii())
    ):
        raise ThemeError(
            f"{where}: must be one character one cell wide" + (", ASCII" if key == "plain" else "")
        )
    return value


def _table(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ThemeError(f"{where}: must be a table")
    return value


def _only(entry: dict[str, Any], known: set[str], where: str) -> None:
    unknown = sorted(set(entry) - known)
    if unknown:
        raise ThemeError(f"{where}: unknown key {unknown[0]!r}; known are {', '.join(sorted(known))}")
