"""The one place that knows where the shipped ``data/`` and ``scenarios/`` lie.

A wheel carries them inside the package; in a checkout, and in an editable install that points at one, they
lie beside the package.
"""

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from hexengine.content.text import label
from hexengine.content.words import did_you_mean, nearest, quoted
from hexengine.core.errors import ContentError, Problem

TINY = "tiny"
"""The folder of small positions for exact counts and rule examples; their systems stand in the files."""


class ShippedScenario(NamedTuple):
    """A scenario that comes with hexengine; the name is the stem of its file."""

    name: str
    path: Path
    tiny: bool


@cache
def shipped_root() -> Path:
    """The folder that holds ``data/`` and ``scenarios/``."""
    package = Path(str(files("hexengine")))
    inside = package / "_shipped"
    return inside if inside.is_dir() else package.parent


def data_folder(system: str) -> Path:
    """The folder of a shipped system's data files."""
    return shipped_root() / "data" / system


def data_path(system: str, name: str) -> Path:
    """The shipped data file ``name`` of a system; whether it exists is not looked at."""
    return data_folder(system) / f"{name}.toml"


def theme_path() -> Path:
    """The shipped theme: colours and signs of the board."""
    return shipped_root() / "data" / "theme.toml"


def shipped_scenarios() -> tuple[ShippedScenario, ...]:
    """All shipped scenarios, those to be played first, then the tiny ones, each by folder and name."""
    return _scenarios_in(shipped_root() / "scenarios")


@cache
def _scenarios_in(folder: Path) -> tuple[ShippedScenario, ...]:
    """Listed once: that takes longer than to load a small one of them."""
    found = sorted(folder.glob("*/*.toml"))
    scenarios = [ShippedScenario(path.stem, path, path.parent.name == TINY) for path in found]
    return tuple(sorted(scenarios, key=lambda scenario: scenario.tiny))


def find_scenario(name_or_path: str | Path) -> Path:
    """The file of a shipped scenario by name, or a file by path.

    ContentError says what was perhaps meant.  Whether a file can be read is seen when it is read.
    """
    wanted = str(name_or_path)
    shipped = {scenario.name: scenario.path for scenario in shipped_scenarios()}
    if wanted in shipped:
        return shipped[wanted]
    path = Path(name_or_path)
    if _exists(path):
        return path
    if path.suffix == ".toml" or path.name != wanted:
        near = nearest(path.stem, _neighbours(path))
        advice = f"did you mean {quoted(label(path.parent / f'{near}.toml'))}?" if near else None
        raise ContentError([Problem(label(path), 0, 0, "there is no such file", advice)])
    advice = did_you_mean(wanted, list(shipped)) or "give a name that list shows, or the path of a file"
    raise ContentError([Problem(label(wanted), 0, 0, "there is no scenario of this name", advice)])


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _neighbours(path: Path) -> list[str]:
    """The stems of the scenario files in the folder where a file was looked for."""
    try:
        return [other.stem for other in path.parent.iterdir() if other.suffix == ".toml"]
    except (OSError, ValueError):
        return []
