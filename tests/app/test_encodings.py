"""Whatever a terminal or file can show, everything can be written to it."""

from __future__ import annotations

import json

import pytest

from tests.app.conftest import Run

ENCODINGS = ("ascii", "latin-1", "cp1252", "cp866", "koi8-r", "utf-8")


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("command", ["show", "replay", "list", "rules", "play"])
def test_every_encoding_can_be_written(run: Run, skirmish, script, command, encoding):
    arguments = {"show": [skirmish], "replay": [script], "play": [skirmish]}.get(command, [])
    result = run(command, *arguments, encoding=encoding, typed="help\nquit\n")
    assert result.exit_code == 0
    assert result.stdout_bytes.decode(encoding)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_json_is_json_in_every_encoding(run: Run, script, encoding):
    result = run("replay", script, "--state", "json", encoding=encoding)
    assert json.loads(result.stdout_bytes.decode(encoding))["turn"] == 1


def test_boards_in_ascii_say_the_same(run: Run, skirmish):
    shown = run("show", skirmish, encoding="ascii").stdout
    assert "[AM1  ]" in shown
    assert shown.isascii()
