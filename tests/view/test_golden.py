"""Boards as they were approved: any change of the drawing shows up as a change of these files."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from hexengine.view.board import lines, render
from hexengine.view.picture import to_svg
from hexengine.view.style import Facts, choose_style
from tests.view import scenes


class BoardFile(SingleFileSnapshotExtension):
    """One readable text file for each board."""

    file_extension = "txt"
    _write_mode = WriteMode.TEXT


@pytest.fixture
def board(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(BoardFile)


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
@pytest.mark.parametrize("unicode", [True, False], ids=["signs", "ascii"])
def test_the_outline_of_a_battle_is_as_approved(
    board: SnapshotAssertion, orientation: str, unicode: bool
) -> None:
    rows = lines(scenes.battle(orientation), scenes.theme(), "outline", unicode=unicode)
    assert "\n".join(rows) == board


def test_the_outline_of_a_line_of_sight_is_as_approved(board: SnapshotAssertion) -> None:
    assert "\n".join(lines(scenes.looking(), scenes.theme(), "outline", width=120)) == board


@pytest.mark.parametrize("unicode", [True, False], ids=["signs", "ascii"])
def test_the_table_of_letters_is_as_approved(board: SnapshotAssertion, unicode: bool) -> None:
    assert "\n".join(lines(scenes.battle(), scenes.theme(), "compact", width=120, unicode=unicode)) == board


@pytest.mark.parametrize(("style", "width", "height"), [("hex", 70, 40), ("compact", 80, 24)])
def test_a_coloured_board_is_as_approved_escape_by_escape(
    board: SnapshotAssertion, style: str, width: int, height: int
) -> None:
    picture = render(scenes.battle(), scenes.theme(), style, width=width, height=height)  # type: ignore[arg-type]
    assert _ansi(picture, width).replace("\x1b", "␛") == board


def _ansi(picture: object, width: int) -> str:
    console = Console(
        file=io.StringIO(), width=width, force_terminal=True, color_system="truecolor", legacy_windows=False
    )
    console.print(picture, end="")
    return console.file.getvalue()  # type: ignore[attr-defined,no-any-return]


def test_a_picture_needs_no_other_file_and_has_no_half_blocks_left() -> None:
    svg = to_svg(scenes.battle(), scenes.theme(), "hex", 120, panel=True)
    assert svg.startswith("<svg") and svg.rstrip().endswith("</svg>")
    assert "http" not in svg.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert "▀" not in svg and "clip-path" not in svg.split("</g>")[0].split("<g class")[-1]
    assert "Hohenburg" in svg


def test_the_style_for_a_place_draws_there() -> None:
    """A pipe gets rows without a single escape byte; a colour terminal gets half blocks."""
    scene = scenes.battle()
    pipe = choose_style(Facts(is_terminal=False, colours=0, encoding="ascii"))
    rows = lines(scene, scenes.theme(), pipe.style, unicode=pipe.unicode)
    assert all(row.isascii() and row.isprintable() for row in rows)
    terminal = choose_style(Facts(width=120))
    picture = render(scene, scenes.theme(), terminal.style, colour=terminal.colour, width=120)
    assert "▀" in _ansi(picture, 120)
