"""Start-up: how long the shortest commands take, as a ratio to a bare interpreter, in one run.

``python -m benchmarks.startup`` prints one line a command.  The contenders take turns, so that other load on
the machine meets all of them; the best of the rounds counts.  The first round, which compiles all modules
into a folder of its own, does not: installed programs are compiled.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

ROOT = Path(__file__).parents[1]
BARE = (sys.executable, "-c", "pass")
COMMANDS = (("--version",), ("--help",), ("list", "--help"), ("list",), ("show", "crossroads"))
LIMIT = 5.0
"""How many times a bare interpreter's start ``--version`` and ``--help`` may take."""


def seconds(command: tuple[str, ...], environment: dict[str, str]) -> float:
    """Wall time of one process from start to end."""
    began = perf_counter()
    subprocess.run(
        command,
        check=True,
        stdout=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        cwd=ROOT,
        env=environment,
    )
    return perf_counter() - began


def measure(commands: tuple[tuple[str, ...], ...], rounds: int) -> tuple[float, list[float]]:
    """Seconds of a bare interpreter, and for each command of ``cli.py`` how many times that."""
    contenders = [BARE, *((sys.executable, "cli.py", *words) for words in commands)]
    times: list[list[float]] = [[] for _ in contenders]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with TemporaryDirectory() as compiled:
        environment["PYTHONPYCACHEPREFIX"] = compiled
        for _ in range(rounds + 1):
            for kept, command in zip(times, contenders, strict=True):
                kept.append(seconds(command, environment))
    bare, *others = (min(kept[1:]) for kept in times)
    return bare, [other / bare for other in others]


def main() -> None:
    """Print the table."""
    bare, ratios = measure(COMMANDS, rounds=15)
    print(f"{'bare interpreter':24} {bare * 1e3:6.1f} ms   1.0")
    for words, ratio in zip(COMMANDS, ratios, strict=True):
        print(f"{' '.join(words):24} {bare * ratio * 1e3:6.1f} ms {ratio:5.1f}")


if __name__ == "__main__":
    main()
