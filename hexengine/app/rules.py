"""``rules``: the catalogue of a system's rules, and which sources and tests stand behind each of them."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hexengine.app.words import said

if TYPE_CHECKING:
    from hexengine.app.terminal import Terminal
    from hexengine.core.rulebook import Rule

ID = r"\b[A-Z]\d+(?:\.\d+)*[a-z]?\b"
"""How a rule is cited."""

MARKED = r"\b(?:rule|refusal)\(([^)]*)\)"
"""How tests name the rules that they hold up."""

STATUSES = ("done", "partial", "absent")


@click.command()
@click.argument("wanted", metavar="[SYSTEM|ID]", required=False)
@click.option("--coverage", is_flag=True, help="Which sources and tests stand behind each rule.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def rules(wanted: str | None, coverage: bool, as_json: bool) -> None:
    """The rules of a SYSTEM, or one rule by its ID, such as P4.2."""
    from hexengine.app.terminal import Terminal, print_json

    system, chosen = find_rules(wanted)
    single = len(chosen) == 1 and wanted is not None and chosen[0].id.lower() == wanted.lower()
    cited = citations(system) if coverage else None
    if as_json:
        documents = [_document(rule, cited) for rule in chosen]
        print_json(documents[0] if single and not coverage else documents)
        return
    terminal = Terminal()
    if single:
        tell_rule(terminal, chosen[0])
        if cited is not None:
            for what, places in zip(
                (said("code:"), said("tests:")), cited.get(chosen[0].id, ([], [])), strict=True
            ):
                terminal.say_after(what, ", ".join(places) or "-", 2)
        return
    _tell_catalogue(terminal, system, chosen, cited)


def find_rules(wanted: str | None) -> tuple[str, list[Rule]]:
    """The rules of a system, of a chapter (P4), or the one of an id, and the system; raises UsageError."""
    from hexengine.core.system import system_names

    names = list(system_names())
    if wanted is None or wanted in names:
        known = [name for name in ([wanted] if wanted else names) if catalogue(name)]
        if not known:
            raise click.UsageError(said("no rule catalogue of {system}", system=wanted or ", ".join(names)))
        return known[0], catalogue(known[0])
    everything: list[str] = []
    for name in names:
        found = catalogue(name)
        everything += [rule.id for rule in found]
        one = [rule for rule in found if rule.id.lower() == wanted.lower()]
        chapter = one or [rule for rule in found if rule.id.lower().startswith(f"{wanted.lower()}.")]
        if chapter:
            return name, chapter
    from difflib import get_close_matches

    near = get_close_matches(wanted[:40].upper(), everything, 3)
    near += get_close_matches(wanted[:40].lower(), names, 1)
    message = "there is no system or rule {name!r}; " + (
        "did you mean {near}?" if near else "systems are {near}, and each lists its rules"
    )
    raise click.UsageError(said(message, name=wanted[:40], near=", ".join(near or names)))


def catalogue(system: str) -> list[Rule]:
    """The rules of a system; none if it has no catalogue."""
    from hexengine.content.data import data_file
    from hexengine.core.errors import BrokenSystem, ContentError

    try:
        found: list[Rule] = list(data_file(system, "rules").value.rule)
    except (ContentError, BrokenSystem):
        return []
    return found


def tell_rule(terminal: Terminal, rule: Rule) -> None:
    """One rule in full."""
    terminal.say(f"{rule.id}  {rule.title}", "bold")
    terminal.say(rule.text, indent=2)
    for heading, text in (
        (said("ruling:"), rule.ruling),
        (said("source:"), rule.source),
        (said("in Russian:"), rule.term_ru),
        (said("status:"), rule.status),
    ):
        if text:
            terminal.say_after(heading, text, 2)


def tell_shortly(terminal: Terminal, system: str, rule: str) -> None:
    """The rule of that id in a line; nothing where the system has none of it."""
    for one in catalogue(system):
        if one.id == rule:
            terminal.say(f"{one.id} {one.title}: {one.text}", indent=2)


def _document(rule: Rule, cited: dict[str, tuple[list[str], list[str]]] | None) -> dict[str, Any]:
    """A rule as JSON; with coverage in the form that outside checks read."""
    if cited is None:
        return {
            "id": rule.id,
            "title": rule.title,
            "text": rule.text,
            "status": rule.status,
            "source": rule.source,
            "term_ru": rule.term_ru,
            "ruling": rule.ruling,
            "forbids": rule.forbids,
        }
    code, tests = cited.get(rule.id, ([], []))
    return {
        "id": rule.id,
        "title": rule.title,
        "status": rule.status,
        "source": rule.source,
        "ruling": rule.ruling,
        "code": code,
        "tests": tests,
    }


def _tell_catalogue(
    terminal: Terminal,
    system: str,
    chosen: list[Rule],
    cited: dict[str, tuple[list[str], list[str]]] | None,
) -> None:
    """The catalogue as a table; in a pipe as plain rows."""
    counts = ", ".join(
        f"{sum(1 for rule in chosen if rule.status == status)} {status}" for status in STATUSES
    )
    message = "{system}: {rules} rules, {counts}"
    terminal.say(said(message, system=system, rules=len(chosen), counts=counts), "bold")
    rows: list[tuple[str, ...]] = []
    for rule in chosen:
        row = [rule.id, rule.status]
        if cited is not None:
            code, tests = cited.get(rule.id, ([], []))
            row += [said("{count} in code", count=len(code)), said("{count} in tests", count=len(tests))]
        rows.append((*row, f"{rule.title}. {rule.text}" if cited is None else rule.title))
    terminal.table(rows)


def citations(system: str) -> dict[str, tuple[list[str], list[str]]]:
    """For each rule the places that cite it, in a checkout: in the system's sources, and by tests' markers.

    Places are ``path:line``, seen from the checkout.  An installed copy has none.
    """
    from hexengine.core.system import get_system

    folder = Path(str(import_module(type(get_system(system)).__module__).__file__)).parent
    root = checkout_of(folder)
    if root is None:
        return {}
    found: dict[str, tuple[list[str], list[str]]] = {}
    # What the players of a system think of its rules is no rule.
    sources = [path for path in sorted(folder.rglob("*.py")) if "tactics" not in path.parts]
    tests = sorted((root / "tests").rglob("*.py"))
    for number, files, cited in ((0, sources, _named), (1, tests, _marked)):
        for path in files:
            for place, rule in cited(path):
                found.setdefault(rule, ([], []))[number].append(
                    f"{path.relative_to(root).as_posix()}:{place}"
                )
    return found


def checkout_of(folder: Path) -> Path | None:
    """The checkout that a folder of sources belongs to; None for an installed copy."""
    if "site-packages" in folder.parts or "dist-packages" in folder.parts:
        return None
    for above in folder.parents:
        if (above / "pyproject.toml").is_file():
            return above if (above / "tests").is_dir() else None
    return None


def _named(path: Path) -> list[tuple[int, str]]:
    """Lines of a source and the rules that these name, each rule once a line.

    Rules are named by events and refusals, and by the words on what a piece of code is for.
    """
    import re
    import tokenize

    found: dict[tuple[int, str], None] = {}
    with tokenize.open(path) as file:
        for token in tokenize.generate_tokens(file.readline):
            # Names of variables may look like rules; a string with values in it is of several kinds.
            if token.type != tokenize.COMMENT and "STRING" not in tokenize.tok_name[token.type]:
                continue
            for number, line in enumerate(token.string.splitlines(), token.start[0]):
                found.update(dict.fromkeys((number, rule) for rule in re.findall(ID, line)))
    return list(found)


def _marked(path: Path) -> list[tuple[int, str]]:
    """Lines of tests and the rules that these are marked with, each rule once a line."""
    import re

    found: dict[tuple[int, str], None] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for part in re.findall(MARKED, line):
            found.update(dict.fromkeys((number, rule) for rule in re.findall(ID, part)))
    return list(found)
