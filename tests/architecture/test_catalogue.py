"""The rule catalogues: what is done is cited in code, held by tests, and refused where it forbids."""

import ast
import re
from functools import cache
from pathlib import Path

import msgspec
import pytest

from hexengine.core.rulebook import Rule, RulesFile

ROOT = Path(__file__).parents[2]
TESTS = sorted((ROOT / "tests").rglob("test_*.py"))
ID = re.compile(r"\b[A-Z]\d+(?:\.\d+)*[a-z]?\b")
WHOLE = re.compile(rf"^{ID.pattern}$")


def catalogue(folder: Path) -> dict[str, Rule]:
    return {
        rule.id: rule
        for rule in msgspec.toml.decode((folder / "rules.toml").read_bytes(), type=RulesFile).rule
    }


SYSTEMS = {path.parent.name: catalogue(path.parent) for path in sorted((ROOT / "data").glob("*/rules.toml"))}
LETTERS = {name: {rule[0] for rule in rules} for name, rules in SYSTEMS.items()}


def sources(system: str) -> list[Path]:
    """The rules of a system; what its players think of them is no rule."""
    paths = sorted((ROOT / "hexengine" / "systems" / system).rglob("*.py"))
    return [path for path in paths if "tactics" not in path.parts]


def ids_in(text: str, letters: set[str]) -> set[str]:
    return {found for found in ID.findall(text) if found[0] in letters}


# -- what code says -------------------------------------------------------------------------------


def words_of(path: Path) -> str:
    """The comments and strings of a source, where rules are cited; names of variables are none."""
    text = path.read_text(encoding="utf-8")
    strings = [
        node.value
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    comments = [line.partition("#")[2] for line in text.splitlines() if "#" in line]
    return "\n".join(strings + comments)


@cache
def cited(system: str) -> set[str]:
    return set().union(*[ids_in(words_of(path), LETTERS[system]) for path in sources(system)])


@cache
def causes(system: str, kind: str) -> dict[str, str]:
    """The rules that events or refusals are caused by, with one place of each."""
    found: dict[str, str] = {}
    for path in sources(system):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        tables = {
            target.id: node.value
            for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for function in ast.walk(tree):
            if not isinstance(function, ast.FunctionDef):
                continue
            assigned = {
                target.id: node.value
                for node in ast.walk(function)
                if isinstance(node, ast.Assign)
                for target in node.targets
                if isinstance(target, ast.Name)
            }
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == kind:
                    cause: ast.AST = node.args[0]
                    if isinstance(cause, ast.Subscript) and isinstance(cause.value, ast.Name):
                        cause = tables[cause.value.id]
                    elif isinstance(cause, ast.Name):
                        cause = assigned.get(cause.id, cause)
                    for one in ast.walk(cause):
                        if (
                            isinstance(one, ast.Constant)
                            and isinstance(one.value, str)
                            and WHOLE.match(one.value)
                        ):
                            found[one.value] = f"{path.name}:{node.lineno}"
    return found


# -- what tests say -------------------------------------------------------------------------------


def marked(kind: str) -> dict[str, str]:
    """The ids of all marks of a kind, with one place of each."""
    found: dict[str, str] = {}
    for path in TESTS:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == f"pytest.mark.{kind}":
                for argument in node.args:
                    assert isinstance(argument, ast.Constant), f"{path}: a mark names its rules"
                    found[argument.value] = f"{path.relative_to(ROOT)}:{node.lineno}"
    return found


RULE_MARKS, REFUSAL_MARKS = marked("rule"), marked("refusal")
DONE = [
    pytest.param(name, rule, id=rule.id)
    for name, rules in SYSTEMS.items()
    for rule in rules.values()
    if rule.status == "done"
]


@pytest.mark.parametrize(("system", "rule"), DONE)
def test_what_is_done_is_cited_and_tested(system: str, rule: Rule) -> None:
    assert rule.id in cited(system), f"{rule.id} is cited nowhere in the code of {system}"
    assert rule.id in RULE_MARKS, f"no test is marked with {rule.id}"
    if rule.forbids:
        assert rule.id in REFUSAL_MARKS, f"no test shows what {rule.id} refuses"


@pytest.mark.parametrize("system", SYSTEMS)
def test_rules_that_code_cites_are_in_the_catalogue(system: str) -> None:
    rules = SYSTEMS[system]
    chapters = {rule.split(".")[0] for rule in rules}
    assert cited(system) <= set(rules) | chapters


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("kind", ["Event", "Refusal"])
def test_what_happens_has_a_rule_of_the_catalogue_as_its_cause(system: str, kind: str) -> None:
    found = causes(system, kind)
    assert len(found) > 10
    unknown = {rule: place for rule, place in found.items() if rule not in SYSTEMS[system]}
    assert not unknown
    absent = {rule: place for rule, place in found.items() if SYSTEMS[system][rule].status == "absent"}
    assert not absent, "the catalogue calls absent what the code plays"


@pytest.mark.parametrize("system", SYSTEMS)
def test_rules_that_refuse_are_marked_as_forbidding(system: str) -> None:
    refusing = {
        rule: place for rule, place in causes(system, "Refusal").items() if not SYSTEMS[system][rule].forbids
    }
    assert not refusing, "the catalogue must say forbids = true"


@pytest.mark.parametrize("system", SYSTEMS)
def test_rules_that_are_done_and_forbid_do_refuse(system: str) -> None:
    refusing = causes(system, "Refusal")
    idle = [
        rule.id
        for rule in SYSTEMS[system].values()
        if rule.status == "done" and rule.forbids and rule.id not in refusing
    ]
    assert not idle, "nothing is refused by these"


@pytest.mark.parametrize("marks", [RULE_MARKS, REFUSAL_MARKS], ids=["rule", "refusal"])
def test_marks_name_rules_of_a_catalogue(marks: dict[str, str]) -> None:
    known = set().union(*SYSTEMS.values())
    assert {rule: place for rule, place in marks.items() if rule not in known} == {}


@pytest.mark.parametrize("system", SYSTEMS)
def test_refusals_that_tests_show_are_by_rules_that_forbid(system: str) -> None:
    rules = SYSTEMS[system]
    assert not [rule for rule in REFUSAL_MARKS if rule in rules and not rules[rule].forbids]


def test_there_is_a_catalogue() -> None:
    assert len(SYSTEMS["platoon"]) > 100
