"""Lines that are piped in: bounded, echoed, and never more of them than there are."""

from __future__ import annotations

import io

import pytest

from hexengine.app.prompt import LONGEST_LINE, Prompt


@pytest.mark.parametrize("length", [LONGEST_LINE - 1, LONGEST_LINE, 3 * LONGEST_LINE])
def test_a_line_that_is_too_long_is_one_line(monkeypatch, capsys, length):
    """What is beyond the bound is dropped, and not taken for further lines."""
    monkeypatch.setattr("sys.stdin", io.StringIO("x" * length + "\nnext\nlast"))
    prompt = Prompt()
    read = [prompt.read("> ") for _ in range(4)]
    assert read == ["x" * min(length, LONGEST_LINE), "next", "last", None]
    assert capsys.readouterr().out.endswith("> next\n> last\n> \n")


def test_what_cannot_be_shown_is_echoed_as_a_question(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("a\x1b[2Jb\r\n"))
    assert Prompt().read("> ") == "a\x1b[2Jb"
    assert capsys.readouterr().out == "> a?[2Jb\n"


def test_where_nobody_types_they_agree(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert Prompt().agree("go?") is True
