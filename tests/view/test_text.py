"""Texts measured in cells: clusters, cutting, padding, wrapping, and what may not reach a terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from hexengine.view.canvas import Canvas
from hexengine.view.counters import bottom_row, short_name, steps_text
from hexengine.view.scene import Counter
from hexengine.view.text import clusters, fit, literal, pad, width_of, wrap


@given(st.text(max_size=30), st.integers(0, 20))
def test_a_cut_text_never_exceeds_its_cells(text: str, width: int) -> None:
    assert width_of(fit(text, width)) <= width
    assert cell_len(pad(text, width, "^")) == width
    assert cell_len(pad(text, width, ">", "…")) == width


@given(st.text(max_size=60), st.integers(1, 12))
def test_wrapped_lines_fit_and_lose_no_letter(text: str, width: int) -> None:
    rows = wrap(text, width)
    assert all(width_of(row) <= max(2, width) for row in rows)
    kept = "".join("".join(piece for piece, _ in clusters(row)) for row in rows)
    assert "".join(kept.split()) == "".join("".join(piece for piece, _ in clusters(text)).split())


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("ab", ["a", "b"]),
        ("漢a", ["漢", "a"]),
        ("e\u0301x", ["e\u0301", "x"]),
        ("\U0001f1e9\U0001f1eaz", ["\U0001f1e9\U0001f1ea", "z"]),
        ("\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7", ["\U0001f1e9\U0001f1ea", "\U0001f1eb\U0001f1f7"]),
        # Where rich adds up the widths of joined signs, the first one stands for all.
        ("👨‍👩‍👧!", ["👨‍👩‍👧" if cell_len("👨‍👩‍👧") == 2 else "👨", "!"]),
    ],
)
def test_signs_that_share_cells_stay_together(text: str, pieces: list[str]) -> None:
    assert [piece for piece, _ in clusters(text)] == pieces


def test_control_characters_and_turning_signs_do_not_reach_the_terminal() -> None:
    assert literal("a\x1b[31m\x07\u202eb\u2066\n\ud800") == "a?[31m?b??"
    assert literal("[bold]") == "[bold]"


def test_a_wide_sign_is_never_cut_in_half() -> None:
    canvas = Canvas(4, 1)
    canvas.put(0, 3, "漢")
    assert canvas.lines() == [""]
    canvas.put(0, 0, "漢字")
    canvas.put(0, 1, "x")
    assert canvas.signs == [[" ", "x", "字", ""]]
    canvas.put(0, 2, "y")
    assert canvas.signs == [[" ", "x", "y", " "]]
    canvas.put(5, 0, "z")
    canvas.put(0, -1, "漢")
    assert canvas.signs == [[" ", "x", "y", " "]]


def test_a_pasted_canvas_is_cut_at_the_edge() -> None:
    small = Canvas(3, 2)
    small.put(0, 0, "a漢")
    board = Canvas(4, 1)
    board.paste(small, 0, 2)
    assert board.signs == [[" ", " ", "a", " "]]
    board.paste(small, 0, 9)
    assert board.signs == [[" ", " ", "a", " "]]


@pytest.mark.parametrize(
    ("steps", "reduced", "unicode", "text"),
    [
        (2, False, True, "▪▪"),
        (1, True, True, "▪▫"),
        (1, False, False, "*"),
        (1, True, False, "*-"),
        (5, False, True, "5▪"),
        (0, False, True, ""),
    ],
)
def test_steps_are_squares(steps: int, reduced: bool, unicode: bool, text: str) -> None:
    assert steps_text(steps, reduced, unicode) == text


def test_a_counter_row_keeps_its_width_and_says_what_did_not_fit() -> None:
    counter = Counter(0, 0, "○", "A", "M1", "12", 2)
    assert bottom_row(counter, "DO", 5, True) == ("12▪▪D", "O")
    assert bottom_row(counter, "D", 4, True) == ("122D", "")
    assert bottom_row(counter, "", 4, True) == ("12▪▪", "")
    assert bottom_row(counter, "D", 2, True) == ("1D", "")


def test_long_names_lose_their_hyphens_first() -> None:
    assert short_name("Mi-24", 4) == "Mi24"
    assert short_name("T-72", 4) == "T-72"
    assert short_name("M1", 4) == "M1  "
