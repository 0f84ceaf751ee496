"""``rules``: the catalogue and what stands behind it."""

from __future__ import annotations

import json

import pytest

from hexengine.app import rules
from tests.app.conftest import Run


def test_the_catalogue_of_a_system(run: Run):
    result = run("rules", "platoon")
    assert result.exit_code == 0
    assert "\x1b" not in result.stdout
    lines = result.stdout.splitlines()
    assert lines[0].startswith("platoon: ")
    assert any(line.split()[0] == "P4.2" for line in lines[1:])


def test_one_rule_in_full_whatever_the_case(run: Run):
    assert run("rules", "p4.2").stdout == run("rules", "P4.2").stdout
    assert run("rules", "P4.2").stdout.startswith("P4.2  ")


def test_a_chapter(run: Run):
    rows = json.loads(run("rules", "P4", "--json").stdout)
    assert [row["id"] for row in rows][:2] == ["P4.1", "P4.2"]
    assert all(row["id"].startswith("P4.") for row in rows)


def test_an_unknown_rule_gets_a_suggestion(run: Run):
    result = run("rules", "P4.22")
    assert result.exit_code == 2
    assert "P4.2" in result.stderr
    assert "did you mean P4.2" in result.stderr.replace("P4.22", "what was typed")


def test_coverage_in_a_checkout(run: Run):
    rows = {row["id"]: row for row in json.loads(run("rules", "platoon", "--coverage", "--json").stdout)}
    assert set(rows["P4.2"]) == {"id", "title", "status", "source", "ruling", "code", "tests"}
    assert any(
        place.startswith("hexengine/systems/platoon/moving/movement.py:") for place in rows["P4.2"]["code"]
    )
    assert any(place.startswith("tests/") for place in rows["P1.2"]["tests"])


@pytest.mark.parametrize("system", ["platoon", "squad", "company"])
def test_what_is_done_has_code_and_tests_to_show(run: Run, system: str):
    """Rules that no event names are cited where they are carried out, in words."""
    rows = json.loads(run("rules", system, "--coverage", "--json").stdout)
    bare = [row["id"] for row in rows if row["status"] == "done" and not (row["code"] and row["tests"])]
    assert bare == []


def test_rules_are_named_by_strings_and_comments(tmp_path):
    path = tmp_path / "moving.py"
    path.write_text(
        '"""Moving.\n\nBoth halves (P4.2, P4.2) go.\n"""\nP1 = "P1.2"\nemit("P4.3", P1)  # P8 comes after\n',
        encoding="utf-8",
    )
    assert rules._named(path) == [(3, "P4.2"), (5, "P1.2"), (6, "P4.3"), (6, "P8")]


def test_markers_are_read_as_they_are_written(tmp_path):
    path = tmp_path / "test_x.py"
    path.write_text(
        '@pytest.mark.rule("P1.2", "P1.3")\n@pytest.mark.refusal("P4.4")\n# rule P9.9\nrules("P2.1")\n',
        encoding="utf-8",
    )
    assert rules._marked(path) == [(1, "P1.2"), (1, "P1.3"), (2, "P4.4")]


@pytest.mark.parametrize("arguments", [["P4.2", "--coverage"], ["platoon", "--coverage"]])
def test_coverage_for_people(run: Run, arguments):
    result = run("rules", *arguments)
    assert result.exit_code == 0
    assert "movement.py" in result.stdout or "in code" in result.stdout


def test_an_installed_copy_has_neither_sources_nor_tests_of_its_own(tmp_path):
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "tests").mkdir()
    inside = tmp_path / "lib" / "site-packages" / "package"
    assert rules.checkout_of(inside) is None
    assert rules.checkout_of(tmp_path / "package" / "systems") == tmp_path
    (tmp_path / "tests").rmdir()
    assert rules.checkout_of(tmp_path / "package") is None


@pytest.mark.parametrize(
    ("wanted", "advice"),
    [
        ("squod", "did you mean squad?"),
        ("P4.22", "did you mean P4.2"),
        ("zz", "systems are company, platoon"),
    ],
)
def test_what_is_advised_is_like_what_was_typed(run: Run, wanted, advice):
    result = run("rules", wanted)
    assert result.exit_code == 2
    assert advice in result.stderr
