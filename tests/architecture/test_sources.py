"""What sources look like: short modules, no system's name in shared code."""

import ast
from pathlib import Path

from hexengine.core.system import BUILT_IN
from tests.machines import FOLDERS, REMINDERS

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "hexengine"
SOURCES = sorted(PACKAGE.rglob("*.py"))

LONGEST_MODULE = 450
LONGEST_FUNCTION = 70

SYSTEM_NAMES = {"platoon", "squad", "company"} | set(BUILT_IN)


def words_of(tree):
    """Line and text of every identifier and every string of a source, docstrings aside."""
    docstrings = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else []:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                docstrings.add(id(statement.value))
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str | bytes)
            and id(node) not in docstrings
        ):
            yield line, str(node.value)
        for field in ("id", "attr", "name", "arg", "module", "asname"):
            value = getattr(node, field, None)
            if isinstance(value, str):
                yield line, value


def parts(text):
    """The words in an identifier or a text."""
    return set("".join(c.lower() if c.isalpha() else " " for c in text).split())


def named(path):
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    return [
        f"{path.relative_to(ROOT)}:{line}: {text[:60]!r}"
        for line, text in words_of(tree)
        if parts(text) & SYSTEM_NAMES
    ]


def test_shared_code_names_no_system():
    """Only the systems themselves and the registry's table of built-in ones know their names."""
    wrong = []
    for path in SOURCES:
        inside = path.relative_to(PACKAGE).parts
        if inside[0] != "systems" and inside != ("core", "system.py"):
            wrong += named(path)
    assert not wrong, "\n".join(wrong)


def test_the_registry_names_them_in_its_table_alone():
    path = PACKAGE / "core" / "system.py"
    assert len(named(path)) == 2 * len(BUILT_IN), "a name and a module for each built-in system"


def test_names_are_found_wherever_they_hide():
    tree = ast.parse(
        '"""A company."""\nimport a.platoon\nsquad_size = 1\nx = f"{y} of Platoon"\ndef f(company): ...\n'
    )
    assert {line for line, text in words_of(tree) if parts(text) & SYSTEM_NAMES} == {2, 3, 4, 5}


def test_modules_are_short():
    long = {
        str(path.relative_to(ROOT)): length
        for path in SOURCES
        if (length := len(path.read_text(encoding="utf-8").splitlines())) > LONGEST_MODULE
    }
    assert not long


def test_functions_are_short():
    long = {}
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or 0) - node.lineno + 1
                if length > LONGEST_FUNCTION:
                    long[f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"] = length
    assert not long


def test_sources_mention_no_machine():
    """Paths of one machine and notes to oneself have no place in what is shipped."""
    marks = (*FOLDERS, *REMINDERS)
    wrong = [
        f"{path.relative_to(ROOT)}: {mark}"
        for path in SOURCES
        for mark in marks
        if mark in path.read_text(encoding="utf-8")
    ]
    assert not wrong


def test_every_module_and_public_thing_is_described():
    """Modules, and public classes and functions of every module, have a docstring."""
    wrong = []
    for path in SOURCES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if tree.body and ast.get_docstring(tree) is None and path.name not in ("__init__.py", "__main__.py"):
            wrong.append(str(path.relative_to(ROOT)))
        for node in tree.body:
            public = isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_")
            if public and ast.get_docstring(node) is None:
                wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name}")
    assert not wrong, "\n".join(wrong)
