"""docs/adding-a-system.md: the system that it builds is that of tests/toy, and works as a package."""

import re
from pathlib import Path

import pytest

from tests.docs.packages import install
from tests.docs.pages import blocks, commands
from tests.docs.program import python, run
from tests.toy import skirmish

PAGE = blocks("adding-a-system.md")
MODULE = "\n".join(block.text for block in PAGE if block.kind == "python")
PROJECT, SCENARIO = [block.text for block in PAGE if block.kind == "toml"]
WORDED, CONFORMANCE = [block.text for block in PAGE if block.kind == "py"]


def lines(source):
    """What counts of a module: the page has headings in place of the lines that divide it."""
    return [line for line in source.splitlines() if line and not re.fullmatch(r"# -- .* -+", line)]


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A folder with the files of the page, installed."""
    folder = tmp_path_factory.mktemp("skirmish")
    (folder / "skirmish.py").write_text(MODULE, encoding="utf-8")
    (folder / "three.toml").write_text(SCENARIO, encoding="utf-8")
    (folder / "test_skirmish.py").write_text(CONFORMANCE, encoding="utf-8")
    install(folder, PROJECT)
    return folder


def test_the_page_is_the_module():
    assert lines(MODULE) == lines(Path(skirmish.__file__).read_text(encoding="utf-8"))


def test_everything_works_with_it(package):
    """With fewer games."""
    shown = {
        command: run(re.sub(r"--(games|games-limit) \d+", r"--\1 20", command), folder=package)
        for command in commands(PAGE)
    }
    assert {command.split()[0] for command in shown} >= {"check", "watch", "replay", "batch", "show"}
    verified = next(text for command, text in shown.items() if command.endswith("--verify"))
    assert verified.startswith("verified: ")
    assert "skirmish" in run("list", folder=package).splitlines()[-2]


def test_the_kit_passes_it(package):
    python(("-c", "import test_skirmish; test_skirmish.test_conformance()"), (), package)


def test_words_come_from_a_file(package):
    """With the class of the page behind the module, and a file with one text."""
    words = '[refusal]\nno-step = "no such step"\n[event]\n[contribution]\n'
    (package / "words.toml").write_text(words, encoding="utf-8")
    program = f"""\
from pathlib import Path
import hexengine
from hexengine.core.system import register
from skirmish import Skirmish, WordsFile, Wording, side_facts
__file__ = "skirmish.py"

{WORDED}
register(Worded())
print(hexengine.Game(hexengine.load("three.toml")).why_not("move r1 0604").text)
"""
    assert python(("-c", program), (), package) == "no such step\n"
