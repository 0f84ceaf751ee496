"""The README shows what happens: its sessions are played, its Python is run, its links lead somewhere."""

import doctest
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.machines import FOLDERS, REMINDERS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])

PROMPT = re.compile(r"^\[\d+\] \S+ \S+> (.+)$")
LEFT_OUT = "…"
"""A line of this sign in a session stands for any lines."""


def blocks(language: str) -> list[str]:
    """The texts of the README's code blocks in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def sessions() -> list[tuple[str, str]]:
    """Each command of the README's console blocks, and what is shown under it."""
    found = []
    for block in blocks("console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            found.append((command, shown))
    return found


def run(command: str, typed: str, folder: Path) -> str:
    """What a command prints, run from the checkout in another folder, 100 columns wide."""
    words = shlex.split(command)
    assert words[0] == "hexengine"
    environment = {
        **os.environ,
        "COLUMNS": "100",
        "PYTHONUTF8": "1",
        "PYTHONHASHSEED": "random",
        "XDG_STATE_HOME": str(folder),
    }
    done = subprocess.run(
        (sys.executable, str(ROOT / "cli.py"), *words[1:]),
        input=typed,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        cwd=folder,
        env=environment,
        timeout=120,
    )
    return re.sub(r"python \S*cli\.py", "hexengine", done.stdout)


def plain(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().splitlines()]


def pattern(shown: str) -> re.Pattern[str]:
    """What is shown, with any number of lines where some were left out."""
    parts = ["(?:.*\n)*?" if line == LEFT_OUT else re.escape(line) + "\n" for line in plain(shown)]
    return re.compile("".join(parts))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all sessions: later ones read the games of earlier ones."""
    return tmp_path_factory.mktemp("sessions")


def test_sessions_of_the_readme_go_as_they_are_shown(folder: Path) -> None:
    shown_sessions = sessions()
    assert len(shown_sessions) >= 3
    for command, shown in shown_sessions:
        typed = "".join(f"{found[1]}\n" for line in shown.splitlines() if (found := PROMPT.match(line)))
        printed = "\n".join(plain(run(command, typed, folder))) + "\n"
        assert pattern(shown).fullmatch(printed), f"$ {command}\n{printed}"


def test_a_session_that_went_otherwise_would_be_noticed() -> None:
    assert pattern("one\n…\nfour\n").fullmatch("one\ntwo\nthree\nfour\n")
    assert pattern("one\n…\n").fullmatch("one\n")
    assert not pattern("one\nthree\n").fullmatch("one\ntwo\nthree\n")
    assert not pattern("one…\n").fullmatch("one two\n")


def test_the_python_of_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = "\n".join(blocks("python"))
    example = doctest.DocTestParser().get_doctest(source, {}, "README", "README.md", 0)
    assert len(example.examples) >= 8
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    result = runner.run(example, out=told.append)
    assert result.failed == 0, "".join(told)


def test_the_picture_shows_the_scenario_of_today() -> None:
    """Whoever changes crossroads draws it anew: ``hexengine show crossroads --svg docs/board.svg``."""
    picture = (ROOT / "docs" / "board.svg").read_text(encoding="utf-8").replace("&#160;", " ")
    scenario = tomllib.loads((ROOT / "scenarios/platoon/crossroads.toml").read_text(encoding="utf-8"))
    for unit in scenario["unit"]:
        where = rf">\s*{unit['id']}\s+{unit['hex']}" if "hex" in unit else rf"\b{unit['id']}\b"
        assert re.search(where, picture), unit["id"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)|src=\"([^\"]+)\"", text):
        link = next(part for part in target if part)
        if link.startswith(("http://", "https://")):
            continue
        file, _, anchor = link.partition("#")
        there = page.parent / file if file else page
        assert there.exists(), f"{page.name}: {link}"
        if anchor:
            assert anchor in anchors(there), f"{page.name}: {link}"


def anchors(page: Path) -> set[str]:
    """The names under which a page's headings can be linked to."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_pages_mention_no_machine() -> None:
    marks = (*FOLDERS, *REMINDERS, "file://")
    wrong = [
        f"{page.name}: {mark}" for page in PAGES for mark in marks if mark in page.read_text(encoding="utf-8")
    ]
    assert not wrong
