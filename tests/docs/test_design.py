"""docs/design.md: the Python that it lists runs, and its table of settings is whole."""

import inspect
import re

from hexengine.lab import batch
from tests.docs.pages import DOCS, blocks


def test_the_python_chapter_runs(tmp_path, monkeypatch):
    """With fewer games."""
    monkeypatch.chdir(tmp_path)
    (program,) = [block.text for block in blocks("design.md") if block.kind == "python"]
    names = {}
    exec(program.replace("games=100", "games=2"), names)
    assert names["found"].games == 2
    assert names["game"].digest and (tmp_path / "copy.jsonl").exists()


def test_every_setting_of_a_batch_is_in_the_table():
    page = (DOCS / "design.md").read_text(encoding="utf-8")
    table = page[page.index("| setting of `batch`") :].split("\n\n")[0]
    named = {name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert named - {"batch"} == set(inspect.signature(batch).parameters) - {"scenario", "players", "games"}
