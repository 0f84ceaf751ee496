"""Parts of file formats that all systems share, as msgspec types."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

Text = str | dict[Literal["en", "ru"], str]
"""Words for people: one text, or one a language."""

Name = Annotated[
    str,
    msgspec.Meta(pattern=r"^[A-Za-z0-9_.+-]+$", max_length=40, description="letters, digits and . _ + -"),
]
"""An id that orders can name: no spaces, commas or brackets."""

HexLabel = Annotated[str, msgspec.Meta(pattern=r"^\d+$", description="column and row, such as 0301")]


class MapSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``[map]``: the grid, its terrain letters and what runs along or between hexes.

    ``terrain`` and ``levels`` are grids of one character a hex, a line a printed row; ``roads``
    and other lines are chains ``0101-0201-0301``; hexside features are pairs ``0102/0202``.
    """

    orientation: Literal["flat", "pointy"] = "flat"
    stagger: Literal["even", "odd"] = "even"
    terrain: str
    levels: str = ""
    legend: dict[Annotated[str, msgspec.Meta(min_length=1, max_length=1)], str]
    names: dict[HexLabel, Text] = {}
    roads: list[str] = []
    trails: list[str] = []
    railways: list[str] = []
    rivers: list[str] = []
    streams: list[str] = []
    bridges: list[str] = []
    fords: list[str] = []
    blown: list[str] = []
    walls: list[str] = []
    ridges: list[str] = []
    cliffs: list[str] = []
    crests: list[str] = []
    control: dict[HexLabel, str] = {}
    positions: list[HexLabel] = []
    wrecks: list[HexLabel] = []
    mines: list[HexLabel] = []
    smoke: dict[HexLabel, Annotated[int, msgspec.Meta(ge=1, le=2)]] = {}


class ScenarioHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What scenario files of all systems begin with; each adds ``system`` and its own tables."""

    format: Annotated[int, msgspec.Meta(ge=1, le=1)]
    title: Text
    notes: Text = ""
    turns: Annotated[int, msgspec.Meta(ge=1, le=99)]
    sides: Annotated[list[Name], msgspec.Meta(min_length=2, max_length=2)]
    side_names: dict[Name, Text] = {}
    map: MapSection


class GoalSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``[[victory]]`` of all systems; each adds its kinds."""

    side: Name
    hex: HexLabel | None = None
    hexes: list[HexLabel] = []
    points: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 1
    wins: bool = False


class MarginLevel(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``[[level]]``: what a margin of victory is called."""

    margin: Annotated[int, msgspec.Meta(ge=0)]
    name: Text


def in_language(text: Text, language: str = "en") -> str:
    """A text in a language, or in the first one there is."""
    if isinstance(text, str):
        return text
    return text.get(language) or next(iter(text.values()), "")  # type: ignore[call-overload]
