"""Shipped files are found in a checkout, a wheel and an editable install; scenarios by name or path."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder
from sheet_system import GOOD

from hexengine.content.loader import check, load
from hexengine.content.resources import (
    data_path,
    find_scenario,
    shipped_root,
    shipped_scenarios,
    theme_path,
)
from hexengine.content.text import LARGEST_FILE
from hexengine.core.errors import ContentError, Problem

ROOT = Path(__file__).parents[2]


def problem(wanted: str | Path) -> Problem:
    """The one problem of a name or path that does not load."""
    with pytest.raises(ContentError) as caught:
        load(wanted)
    (only,) = caught.value.problems
    return only


def test_a_checkout_uses_its_own_folders() -> None:
    assert shipped_root() == ROOT
    assert data_path("sheet", "kinds") == ROOT / "data" / "sheet" / "kinds.toml"
    assert theme_path() == ROOT / "data" / "theme.toml"


def test_shipped_scenarios_have_names_of_their_own() -> None:
    names = [scenario.name for scenario in shipped_scenarios()]
    assert len(names) == len(set(names))


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shipped tree of three scenarios, one of them tiny."""
    for name in ("sheet/crossroads", "sheet/river-line", "tiny/duel"):
        file = tmp_path / "shipped" / "scenarios" / f"{name}.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(GOOD, encoding="utf-8")
    monkeypatch.setattr("hexengine.content.resources.shipped_root", lambda: tmp_path / "shipped")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "shipped" / "scenarios"


def test_scenarios_are_found_by_name(shipped: Path) -> None:
    assert [(one.name, one.tiny) for one in shipped_scenarios()] == [
        ("crossroads", False),
        ("river-line", False),
        ("duel", True),
    ]
    assert find_scenario("duel") == shipped / "tiny" / "duel.toml"
    scenario = load("duel")
    assert (scenario.name, scenario.shipped, scenario.tiny) == ("duel", True, True)
    scenario = load(shipped / "sheet" / "crossroads.toml")
    assert (scenario.name, scenario.shipped, scenario.tiny) == ("crossroads", True, False)


def test_a_name_is_a_scenario_before_it_is_a_file(shipped: Path) -> None:
    Path("crossroads").mkdir()
    Path("mine.toml").write_text(GOOD, encoding="utf-8")
    assert find_scenario("crossroads") == shipped / "sheet" / "crossroads.toml"
    assert load("mine.toml").shipped is False


KNOWN = "known here: crossroads, river-line, duel"


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        ("crosroads", 'crosroads: there is no scenario of this name (did you mean "crossroads"?)'),
        ("Crossroads", 'Crossroads: there is no scenario of this name (did you mean "crossroads"?)'),
        ("river_line", 'river_line: there is no scenario of this name (did you mean "river-line"?)'),
        ("zebra", "zebra: there is no scenario of this name (known here: crossroads, river-line, duel)"),
        ("sub/zebra.toml", "sub/zebra.toml: there is no such file"),
        ("min.toml", 'min.toml: there is no such file (did you mean "mine.toml"?)'),
        ("./mine", './mine: there is no such file (did you mean "mine.toml"?)'),
        ("sub", "sub: this is a folder, not a file"),
        ("", ".: this is a folder, not a file"),
        ("a\0b", "a\\x00b: there is no scenario of this name (known here: crossroads, river-line, duel)"),
        ("\udcff.toml", "\\udcff.toml: there is no such file"),
        ("x" * 5000, "x" * 400 + f"…: there is no scenario of this name ({KNOWN})"),
    ],
)
def test_what_is_not_found_is_said_with_a_suggestion(shipped: Path, wanted: str, text: str) -> None:
    Path("sub").mkdir()
    Path("mine.toml").write_text(GOOD, encoding="utf-8")
    assert str(problem(wanted)) == text.replace("./mine:", "mine:")
    assert [str(one) for one in check([wanted])] == [text.replace("./mine:", "mine:")]


def test_files_that_are_not_read(tmp_path: Path) -> None:
    """Too large, a device, a pipe that would wait for ever, a file that may not be read."""
    large = tmp_path / "large.toml"
    large.write_bytes(b"#" * (LARGEST_FILE + 1))
    assert problem(large).text == "the file is too large: more than 1,000,000 bytes"
    large.write_bytes(GOOD.encode() + b"#" * (LARGEST_FILE - len(GOOD.encode())))
    assert load(large).turns == 8
    assert problem("/dev/zero").text == "this is not a plain file"
    os.mkfifo(tmp_path / "pipe.toml")
    assert problem(tmp_path / "pipe.toml").text == "this is not a plain file"


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "secret.toml"
    file.write_text(GOOD, encoding="utf-8")

    def refuse(self: Path, mode: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    assert problem(file).text == "the file may not be read: permission denied"


def test_files_below_the_current_folder_are_named_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bad.toml").write_text("a = ", encoding="utf-8")
    assert problem(tmp_path / "bad.toml").file == str(tmp_path / "bad.toml")
    monkeypatch.chdir(tmp_path)
    assert problem(tmp_path / "bad.toml").file == "bad.toml"


QUESTION = """
import hexengine
from hexengine.content.resources import data_path, shipped_root, shipped_scenarios, theme_path
print(shipped_root())
print(sum(1 for _ in shipped_scenarios()), data_path("platoon", "units").is_file(), theme_path().is_file())
"""


def ask(folder: Path, program: str = QUESTION) -> list[str]:
    """The answer of an interpreter that knows only the packages in a folder, beside those installed."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    site = f"import site; site.addsitedir({str(folder)!r})\nimport sys; sys.path.insert(0, {str(folder)!r})\n"
    done = subprocess.run(
        [sys.executable, "-c", site + program],
        cwd=folder,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.stdout.split("\n")[:2]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["wheel", "editable"])
def test_all_ways_to_install_find_the_same_files(kind: str, tmp_path: Path) -> None:
    """A wheel carries the files inside the package; an editable install points at the checkout."""
    builder = WheelBuilder(str(ROOT))
    versions = ["standard"] if kind == "wheel" else ["editable"]
    (made,) = builder.build(directory=str(tmp_path / "made"), versions=versions)
    installed = tmp_path / "installed"
    with zipfile.ZipFile(made) as wheel:
        wheel.extractall(installed)
    root, rest = ask(installed)
    expected = installed / "hexengine" / "_shipped" if kind == "wheel" else ROOT
    assert Path(root) == expected
    units = data_path("platoon", "units").is_file()
    assert rest == f"{len(shipped_scenarios())} {units} {theme_path().is_file()}"
