"""Lines as a terminal shows them."""

from __future__ import annotations

import pytest

from hexengine.app.terminal import Terminal
from hexengine.view.style import Facts


@pytest.mark.parametrize(
    ("is_terminal", "width", "shown"),
    [(True, 13, "log: a/b.json\n"), (True, 12, "log:\na/b.json\n"), (False, 5, "log: a/b.json\n")],
)
def test_a_path_is_never_broken(capsys, is_terminal, width, shown):
    terminal = Terminal()
    terminal.facts = Facts(is_terminal=is_terminal, colours=0, width=width)
    terminal.say_whole("log:", "a/b.json")
    assert capsys.readouterr().out == shown
