"""The pages on file formats: their whole scenarios, and the names and keys that they list."""

import re
import tomllib

import msgspec
import pytest
from click.testing import CliRunner

from hexengine.app.commands import commands
from hexengine.content.loader import loads
from hexengine.content.resources import data_path
from hexengine.core.system import BUILT_IN
from hexengine.lab.balance import balance
from hexengine.systems.company.scenario import format as company
from tests.docs.pages import DOCS, blocks

PAGES = {"platoon": "formats.md", "squad": "squad.md", "company": "company.md"}


def words_of(page):
    """Everything that stands in the code font on a page, by its words."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return set(re.findall(r"[\w-]+", " ".join(re.findall(r"`([^`\n]+)`", text))))


def data(system, name):
    return tomllib.loads(data_path(system, name).read_text(encoding="utf-8"))


def test_every_system_has_its_page():
    assert set(PAGES) == set(BUILT_IN)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES.values())
def test_the_whole_scenario_of_a_page_is_about_even(page):
    text = next(block.text for block in blocks(page) if block.kind == "toml")
    found = balance(loads(text, page.removesuffix(".md")), margin=0.1, seed=1985)
    assert 0.4 <= found.share.share <= 0.6


@pytest.mark.parametrize("system", ["squad", "company"])
def test_counters_and_terrains_are_listed(system):
    named = words_of(PAGES[system])
    for rows in (*data(system, "terrain").values(), *data(system, "units").values()):
        assert {row["id"] for row in rows} <= named


@pytest.mark.parametrize(
    "table",
    [company.TeamType, company.WeaponRow, company.TerrainChange, company.Bombardment],
    ids=lambda table: table.__name__,
)
def test_every_key_of_companies_is_described(table):
    named = words_of("company.md")
    assert [field.name for field in msgspec.structs.fields(table) if field.name not in named] == []


def test_the_names_of_all_schemas_are_listed():
    listed = re.findall(r"^\* (`[a-z-]+`(?:, `[a-z-]+`)*)$", (DOCS / "formats.md").read_text("utf-8"), re.M)
    named = set(re.findall(r"[a-z-]+", " ".join(listed)))
    shown = CliRunner().invoke(commands, ["schema"]).stdout
    known = set(re.findall(r"^ *([a-z-]+)  ", shown, re.M))
    assert named == {name for name in known if name.partition("-")[0] in {*BUILT_IN, "log"}}
