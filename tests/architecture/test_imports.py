"""Who may import whom, and what stays out of the rules: read from the sources, never from habit."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "hexengine"
SOURCES = sorted(PACKAGE.rglob("*.py"))

BELOW = {
    "hexes": set(),
    "core": {"hexes"},
    "mechanics": {"hexes", "core"},
    "systems": {"hexes", "core", "mechanics"},
    "content": {"hexes", "core"},
    "record": {"hexes", "core"},
    "players": {"hexes", "core"},
    "lab": {"hexes", "core", "record", "players"},
    "view": {"hexes", "core"},
    "testing": {"hexes", "core"},
}
"""The rooms each room may import; the application and the package itself may import all."""

LIBRARIES = {"rich": {"view", "app"}, "click": {"app"}}
"""Libraries that belong to some rooms."""

LAZY = {"networkx", "numpy", "rich", "click"}
"""Libraries that ``import hexengine`` does not load."""

ENGINE = {"hexes", "core", "mechanics", "systems"}
"""The rooms that never print, read, wait or roll by themselves."""

IMPURE_MODULES = {
    "random",
    "time",
    "datetime",
    "secrets",
    "uuid",
    "socket",
    "subprocess",
    "threading",
    "asyncio",
}
IMPURE_CALLS = {"print", "input", "open", "exec", "eval", "urandom"}
ALLOWED_CALLS = {
    # Copies and digests are written out column by column from the names of a class's columns, once
    # when the class is made, as dataclasses are: loops over names would cost twice as much.
    ("hexengine/core/position.py", "exec"),
}


class Import(NamedTuple):
    """One import statement: file, line, the full name, and whether it runs when the module is loaded."""

    path: Path
    line: int
    name: str
    on_load: bool

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}: imports {self.name}"


def parsed(path):
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def room(path):
    """The room of a source: the folder below hexengine, or "" for the package itself."""
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


def is_typing_guard(node):
    return isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def names(node, path):
    """The full names that an import statement asks for."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    base = node.module or ""
    if node.level:
        folder = path.relative_to(ROOT).parts[: -node.level]
        base = ".".join((*folder, *([base] if base else [])))
    return [f"{base}.{alias.name}" for alias in node.names]


def imports(path):
    """Every import of a source, those in functions and behind TYPE_CHECKING too."""
    found = []

    def walk(node, on_load):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import | ast.ImportFrom):
                found.extend(Import(path, child.lineno, name, on_load) for name in names(child, path))
            inner = on_load and not is_typing_guard(child)
            walk(child, inner and not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda))

    walk(parsed(path), True)
    return found


ALL = [found for path in SOURCES for found in imports(path)]


def test_there_is_something_to_look_at():
    assert len(SOURCES) > 20
    assert len(ALL) > 100
    assert {room(path) for path in SOURCES} >= {*BELOW, "app"}


def test_imports_run_one_way():
    wrong = []
    for found in ALL:
        here = room(found.path)
        parts = found.name.split(".")
        if here not in BELOW or parts[0] != "hexengine":
            continue
        there = parts[1] if len(parts) > 1 else ""
        allowed = there in BELOW[here] | {here} or found.name == "hexengine.__version__"
        if not allowed:
            wrong.append(str(found))
    assert not wrong, "\n".join(wrong)


def test_no_system_imports_another():
    wrong = []
    for found in ALL:
        if room(found.path) == "systems" and found.name.startswith("hexengine.systems."):
            mine = found.path.relative_to(PACKAGE / "systems").parts[0]
            if found.name.split(".")[2] != mine:
                wrong.append(str(found))
    assert not wrong, "\n".join(wrong)


def test_libraries_stay_in_their_rooms():
    wrong = [
        str(found)
        for found in ALL
        if (top := found.name.split(".")[0]) in LIBRARIES and room(found.path) not in LIBRARIES[top]
    ]
    assert not wrong, "\n".join(wrong)


def test_networkx_is_imported_where_it_is_needed_and_not_before():
    wrong = [str(found) for found in ALL if found.on_load and found.name.split(".")[0] == "networkx"]
    assert not wrong, "\n".join(wrong)


def test_a_library_of_an_extra_is_asked_for_in_one_place():
    found = {(found.path.name, found.on_load) for found in ALL if found.name.split(".")[0] == "distributed"}
    assert found == {("cluster.py", False)}


def test_only_known_libraries_are_imported():
    known = {
        "hexengine",
        "click",
        "msgspec",
        "mypy_extensions",
        "networkx",
        "numpy",
        "rich",
        "tree_sitter",
        "tree_sitter_toml",
    }
    known.add("distributed")  # of an extra: see the test before
    wrong = [
        str(found)
        for found in ALL
        if (top := found.name.split(".")[0]) not in known and top not in sys.stdlib_module_names
    ]
    assert not wrong, "\n".join(wrong)


def test_tests_and_benchmarks_import_what_is_installed_for_them():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    known = {re.split(r"[^\w-]", one)[0].replace("-", "_") for one in asked}
    known |= {"hexengine", "tests", "benchmarks", *sys.stdlib_module_names}
    known.add("distributed")  # of an extra: where it is not installed its tests are skipped
    sources = [*(ROOT / "tests").rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")]
    known |= {path.stem for path in sources}  # some of them import their neighbours
    found = [one for path in sources for one in imports(path)]
    assert len(found) > 1000
    wrong = [str(one) for one in found if one.name.split(".")[0] not in known]
    assert not wrong, "\n".join(wrong)


def test_nothing_is_imported_wholesale():
    wrong = [str(found) for found in ALL if found.name.endswith(".*")]
    assert not wrong, "\n".join(wrong)


def test_rules_read_no_clock_and_roll_no_dice_of_their_own():
    wrong = [
        str(found)
        for found in ALL
        if room(found.path) in ENGINE
        and (
            found.name.split(".")[0] in IMPURE_MODULES
            or found.name in ("os.urandom", "os.getenv", "os.environ")
        )
    ]
    assert not wrong, "\n".join(wrong)


def test_rules_do_not_print_read_or_run_code():
    wrong = []
    for path in SOURCES:
        if room(path) not in ENGINE:
            continue
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Call):
                called = (
                    node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                )
                if called in IMPURE_CALLS and (str(path.relative_to(ROOT)), called) not in ALLOWED_CALLS:
                    wrong.append(f"{path.relative_to(ROOT)}:{node.lineno}: calls {called}")
    assert not wrong, "\n".join(wrong)


def test_no_module_keeps_a_game_in_itself():
    """``global`` is how a game's state hides in a module: two games in one process would share it."""
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in SOURCES
        if room(path) in ENGINE
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Global)
    ]
    assert not wrong, "\n".join(wrong)


def loaded_by(code):
    """The modules that are loaded after running ``code`` in a new interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\nprint(*sys.modules, sep='\\n')"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return set(done.stdout.split())


@pytest.mark.parametrize("code", ["import hexengine", "import hexengine.core.game, hexengine.core.odds"])
def test_importing_the_package_is_light(code):
    loaded = loaded_by(code)
    assert "hexengine" in loaded
    heavy = sorted(
        name for name in loaded if name.split(".")[0] in LAZY or name.startswith("hexengine.systems")
    )
    assert not heavy


def test_the_heavy_list_can_fail():
    assert "networkx" in loaded_by("import hexengine, networkx")
