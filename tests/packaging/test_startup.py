"""The shortest commands start fast and load no large library."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from benchmarks.startup import LIMIT, measure

ROOT = Path(__file__).parents[2]
HEAVY = {"numpy", "networkx", "rich", "hexengine.systems", "hexengine.record", "hexengine.content"}


def loaded(*words: str) -> set[str]:
    """The modules that a command of ``cli.py`` has loaded when it ends."""
    code = (
        "import sys\n"
        "from hexengine.app import main\n"
        "try:\n    main(sys.argv[1:])\n"
        "except SystemExit as end:\n    assert not end.code, end.code\n"
        "print('--- modules', *sys.modules, sep='\\n')"
    )
    done = subprocess.run(
        (sys.executable, "-c", code, *words), capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(done.stdout.rpartition("--- modules\n")[2].split())


@pytest.mark.parametrize("words", [("--version",), ("--help",), ("play", "--help"), ("batch", "--help")])
def test_asking_what_there_is_loads_no_large_library(words: tuple[str, ...]) -> None:
    modules = loaded(*words)
    assert "hexengine.app" in modules
    assert not sorted(modules & HEAVY)


def test_the_board_is_drawn_without_networkx_and_numpy() -> None:
    modules = loaded("show", "crossroads", "--style", "outline")
    assert "rich" in modules, "the list of modules says something"
    assert not modules & {"numpy", "networkx"}


def test_version_and_help_take_at_most_five_bare_starts() -> None:
    """Ratios in one run, contenders taking turns; a second look if the machine was busy in the first."""
    for rounds in (5, 15):
        _, ratios = measure((("--version",), ("--help",)), rounds)
        if max(ratios) <= LIMIT:
            return
    pytest.fail(f"--version and --help take {ratios} times a bare start")


def test_a_checkout_whose_libraries_are_missing_says_how_to_get_them() -> None:
    done = subprocess.run(
        (sys.executable, "-S", "-E", str(ROOT / "cli.py"), "list"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "python -m pip install -e ." in done.stderr
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for dependency in project["dependencies"]:
        assert dependency.partition(">=")[0].replace("-", "_") in done.stderr
