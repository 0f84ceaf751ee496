"""A small scenario of their own for the tests of the commands, and ways to run these."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hexengine.app.commands import commands

ROOT = Path(__file__).parents[2]

SKIRMISH = """\
format = 1
system = "platoon"
title = "Skirmish at [Ford] 🛶"
turns = 2
sides = ["blue", "red"]
side_names = { blue = "The [bold]Blues[/]", red = "Reds" }

[map]
terrain = \"\"\"
........
........
...w....
........
........
\"\"\"
legend = { "." = "clear", w = "woods" }
names = { 0503 = "[Ford] 🛶", 0101 = "Corner" }
roads = ["0102-0202-0302"]

[[formation]]
id = "blues"
side = "blue"
morale = 7

[[formation]]
id = "reds"
side = "red"
morale = 6

[[unit]]
id = "m1-1"
type = "m1"
formation = "blues"
hex = "0102"

[[unit]]
id = "m1-2"
type = "m1"
formation = "blues"
hex = "0104"

[[unit]]
id = "inf"
type = "inf-us"
formation = "blues"
carrier = "m2"

[[unit]]
id = "m2"
type = "m2"
formation = "blues"
hex = "0202"

[[unit]]
id = "t72-1"
type = "t-72"
formation = "reds"
hex = "0703"

[[unit]]
id = "t72-2"
type = "t-72"
formation = "reds"
hex = "0705"

[[victory]]
kind = "hold"
side = "blue"
hex = "0503"
points = 2
"""

SCRIPT = """\
# Blue goes first.
draw [blues]
move m1-1 0201
move m1-1 0302
done
fire m1-2 t72-2 [6 6 1 1 1 1 1]
end
"""

Run = Callable[..., Result]


@pytest.fixture
def skirmish(tmp_path: Path) -> Path:
    """The path of the scenario."""
    path = tmp_path / "skirmish.toml"
    path.write_text(SKIRMISH, encoding="utf-8")
    return path


@pytest.fixture
def script(tmp_path: Path, skirmish: Path) -> Path:
    """The path of a script for the scenario beside it."""
    path = tmp_path / "first.txt"
    path.write_text(f"scenario {skirmish.name}\nseed 7\nreactions pass\n{SCRIPT}", encoding="utf-8")
    return path


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in this process, as from a pipe; games are kept under the test's own folder."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)

    def invoke(*arguments: object, typed: str = "", encoding: str = "utf-8") -> Result:
        result = CliRunner(charset=encoding).invoke(
            commands, [str(one) for one in arguments], input=typed, prog_name="hexengine"
        )
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return invoke


@pytest.fixture
def start(tmp_path: Path) -> Callable[..., subprocess.Popen[bytes]]:
    """Starts a command as a process of its own, with pipes for all streams."""

    def popen(*arguments: object, **environment: str) -> subprocess.Popen[bytes]:
        env = {
            name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR", "TERM")
        }
        env |= {"XDG_STATE_HOME": str(tmp_path / "state"), "PYTHONPATH": str(ROOT), **environment}
        return subprocess.Popen(
            [sys.executable, str(ROOT / "cli.py"), *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
            env=env,
        )

    return popen
