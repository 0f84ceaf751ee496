"""The style fits the place: width, encoding, colours, TERM, NO_COLOR, pipes."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from hexengine.view.style import Choice, Facts, choose_style
from tests.view import scenes


@pytest.mark.parametrize(
    ("facts", "choice"),
    [
        (Facts(width=120), Choice("hex", True, True)),
        (Facts(width=200, colours=256), Choice("hex", True, True)),
        (Facts(width=80), Choice("compact", True, True)),
        (Facts(width=200, colours=8), Choice("outline", True, True)),
        (Facts(width=200, no_colour=True), Choice("outline", False, True)),
        (Facts(width=200, is_terminal=False), Choice("outline", False, True)),
        (Facts(width=200, term="dumb"), Choice("outline", False, False)),
        (Facts(width=200, encoding="latin-1"), Choice("outline", True, False)),
        (Facts(width=200, encoding="no-such-encoding"), Choice("outline", True, False)),
        (Facts(width=200, colours=0, encoding="ascii"), Choice("outline", False, False)),
    ],
)
def test_the_style_follows_from_the_facts(facts: Facts, choice: Choice) -> None:
    assert choose_style(facts) == choice


def test_a_small_map_is_drawn_large_on_a_narrow_terminal() -> None:
    assert choose_style(Facts(width=80), scenes.blank(10, 8)).style == "hex"
    assert choose_style(Facts(width=80), scenes.blank(11, 8)).style == "compact"


def test_a_style_asked_for_is_kept() -> None:
    assert choose_style(Facts(width=40, is_terminal=False), style="hex") == Choice("hex", False, True)


def test_facts_are_read_from_a_console_and_its_environment() -> None:
    pipe = Console(file=io.StringIO(), width=90)
    assert Facts.of(pipe, {}).is_terminal is False
    terminal = Console(file=io.StringIO(), width=130, force_terminal=True, color_system="truecolor")
    facts = Facts.of(terminal, {"TERM": "xterm-256color"})
    assert (facts.width, facts.colours, facts.term, facts.is_terminal) == (
        130,
        16_777_216,
        "xterm-256color",
        True,
    )
    assert Facts.of(terminal, {"NO_COLOR": "1"}).no_colour
    assert not Facts.of(terminal, {"NO_COLOR": ""}).no_colour
