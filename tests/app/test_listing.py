"""``list`` and ``schema``."""

from __future__ import annotations

import json

import pytest

from hexengine.content import resources
from hexengine.core import system
from tests.app.conftest import SKIRMISH, Run


def test_scenarios_and_systems_as_json(run: Run):
    result = run("list", "--json")
    document = json.loads(result.stdout)
    assert "platoon" in document["systems"], "tests may have registered more"
    one = next(row for row in document["scenarios"] if row["name"] == "crossroads")
    assert set(one) == {"name", "system", "title", "turns", "sides", "units", "columns", "rows", "path"}
    assert (one["system"], one["columns"], one["rows"]) == ("platoon", 10, 8)
    assert {row["name"]: row.get("tiny") for row in document["scenarios"]}["cup-1"] is True
    assert result.exit_code == 0


def test_a_scenario_that_does_not_load_is_listed_with_its_fault(run: Run, tmp_path, monkeypatch):
    folder = tmp_path / "scenarios" / "platoon"
    folder.mkdir(parents=True)
    (folder / "good.toml").write_text(SKIRMISH, encoding="utf-8")
    (folder / "bad.toml").write_text("format = 2\n", encoding="utf-8")
    shipped = [resources.ShippedScenario(path.stem, path, False) for path in sorted(folder.iterdir())]
    monkeypatch.setattr(resources, "shipped_scenarios", lambda: shipped)
    rows = {row["name"]: row for row in json.loads(run("list", "--json").stdout)["scenarios"]}
    assert rows["good"]["units"] == 6
    assert "bad.toml" in rows["bad"]["fault"]
    assert "! " in next(line for line in run("list").stdout.splitlines() if "bad" in line)


def test_one_of_something_is_no_plural(run: Run):
    row = next(line for line in run("list", "--tiny").stdout.splitlines() if line.split()[:1] == ["cup-1"])
    assert row.split()[1:6] == ["1", "turn", "6x2", "1", "unit"]


def test_the_list_for_people_names_what_can_be_played(run: Run):
    shown = run("list").stdout
    assert "crossroads" in shown and "cup-1" not in shown
    assert len(shown.splitlines()) <= 23, "it fits a terminal of the usual height"
    tiny = sum(row.get("tiny", False) for row in json.loads(run("list", "--json").stdout)["scenarios"])
    assert f"tiny scenarios: {tiny}, which list --tiny shows" in shown


def test_tiny_scenarios_are_listed_behind_the_others_when_asked_for(run: Run):
    shown = run("list", "--tiny").stdout
    assert shown.index("crossroads") < shown.index("tiny scenarios:") < shown.index("cup-1")


def test_the_list_names_what_other_packages_add_and_what_of_it_cannot_be_had(run: Run, monkeypatch):
    monkeypatch.setattr(system, "shadowed", lambda: ["platoon = guest:SYSTEM"])
    shown = run("list").stdout
    assert "players: " in shown and "recruit, " in shown
    assert "! not used, since the name is taken: platoon = guest:SYSTEM" in shown
    document = json.loads(run("list", "--json").stdout)
    assert "veteran" in document["players"] and document["shadowed"] == ["platoon = guest:SYSTEM"]


@pytest.mark.parametrize("name", ["platoon-scenario", "log-header", "log-entry"])
def test_schemas_are_json(run: Run, name):
    assert json.loads(run("schema", name).stdout)["$schema"].startswith("https://json-schema.org/")


def test_an_unknown_schema_gets_a_suggestion(run: Run):
    result = run("schema", "platoon-scenaro")
    assert result.exit_code == 2
    assert 'did you mean "platoon-scenario"?' in result.stderr


def test_without_a_name_schemas_are_listed(run: Run):
    assert "log-entry" in run("schema").stdout
