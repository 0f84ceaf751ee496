"""What is in a wheel and in a source distribution: everything that is needed, and nothing else."""

import tarfile
import tomllib
import zipfile
from email import message_from_string
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

import hexengine

ROOT = Path(__file__).parents[2]


def names(folder: str, pattern: str) -> set[str]:
    """The files below a folder of the checkout, by their names from its root."""
    return {
        str(path.relative_to(ROOT))
        for path in (ROOT / folder).rglob(pattern)
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkout's source distribution, unpacked."""
    folder = tmp_path_factory.mktemp("source")
    packed = next(SdistBuilder(str(ROOT)).build(directory=str(folder)))
    with tarfile.open(packed) as archive:
        archive.extractall(folder, filter="data")
    return folder / f"hexengine-{hexengine.__version__}"


def wheel_of(checkout: Path, folder: Path) -> zipfile.ZipFile:
    return zipfile.ZipFile(
        next(WheelBuilder(str(checkout)).build(directory=str(folder), versions=["standard"]))
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The checkout's wheel."""
    return wheel_of(ROOT, tmp_path_factory.mktemp("wheel"))


def contents(wheel: zipfile.ZipFile) -> set[str]:
    return {name for name in wheel.namelist() if ".dist-info/" not in name}


def test_a_wheel_holds_the_package_with_data_and_scenarios_inside(wheel: zipfile.ZipFile) -> None:
    shipped = {f"hexengine/_shipped/{name}" for name in names("data", "*") | names("scenarios", "*")}
    assert contents(wheel) == names("hexengine", "*") | shipped
    assert "hexengine/_shipped/scenarios/platoon/crossroads.toml" in shipped
    assert "hexengine/py.typed" in contents(wheel)


def test_only_files_that_the_program_reads_are_shipped(wheel: zipfile.ZipFile) -> None:
    assert {Path(name).suffix for name in contents(wheel)} == {".py", ".typed", ".toml"}


def test_the_source_distribution_can_be_tested_and_read(source: Path) -> None:
    top = {path.name for path in source.iterdir()}
    assert top == {
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "LICENSE",
        "PKG-INFO",
        "README.md",
        "benchmarks",
        "cli.py",
        "data",
        "docs",
        "hexengine",
        "pyproject.toml",
        "scenarios",
        "tests",
        ".gitignore",
    }
    for folder in ("hexengine", "data", "scenarios", "tests", "docs", "benchmarks"):
        kept = {str(path.relative_to(source)) for path in (source / folder).rglob("*") if path.is_file()}
        assert kept == names(folder, "*")


def test_both_ways_to_a_wheel_give_the_same(source: Path, wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    from_source = wheel_of(source, tmp_path)
    assert {(one.filename, one.CRC) for one in from_source.infolist()} == {
        (one.filename, one.CRC) for one in wheel.infolist()
    }


def test_what_a_wheel_says_of_itself(wheel: zipfile.ZipFile) -> None:
    information = f"hexengine-{hexengine.__version__}.dist-info"
    head = message_from_string(wheel.read(f"{information}/METADATA").decode())
    assert head["Version"] == hexengine.__version__
    assert head["Requires-Python"] == ">=3.11"
    assert head["License-Expression"] == "MIT"
    assert "hexengine = hexengine.app:main" in wheel.read(f"{information}/entry_points.txt").decode()
    assert f"{information}/licenses/LICENSE" in wheel.namelist()
    assert wheel.getinfo(f"{information}/WHEEL") and head["Description-Content-Type"] == "text/markdown"


def test_libraries_are_asked_for_by_lower_bounds_alone() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    assert len(asked) > 10
    for one in asked:
        assert one.count(">=") == 1 and not set(",<~!;") & set(one.replace(">=", "")), one
