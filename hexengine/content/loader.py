"""Scenario files → scenarios, with every fault of a file found in one run and placed."""

from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from hexengine.content.convert import convert_leniently
from hexengine.content.data import data_file, data_types, digest, folder_of, read_data_file, working_system
from hexengine.content.faults import Enough, Faults, Source
from hexengine.content.resources import find_scenario, shipped_scenarios
from hexengine.content.syntax import parse
from hexengine.content.text import decode, label, read_bytes
from hexengine.content.words import did_you_mean, nearest, shown
from hexengine.core.errors import BrokenSystem, ContentError, Problem, UnknownSystem
from hexengine.core.formats import in_language
from hexengine.core.scenario import Scenario
from hexengine.core.system import RuleSystem, get_system, system_names

FORMAT = 1
"""The scenario format that this version reads."""


def load(name_or_path: str | Path) -> Scenario:
    """The scenario of that name or in that file; ContentError lists every fault that was found."""
    path = find_scenario(name_or_path)
    file = label(path)
    text = decode(read_bytes(path), file)
    place = path.resolve()
    alike = [one for one in shipped_scenarios() if one.name == place.stem]
    shipped = next((one for one in alike if one.path.resolve() == place), None)
    tiny = shipped is not None and shipped.tiny
    return _scenario(Source(file, text), path.stem, path, shipped is not None, tiny)


def loads(text: str, name: str, file: str | None = None) -> Scenario:
    """A scenario from its text, as logs carry it along; ``file`` is what problems call the text.

    The text is read as a file of the same bytes would be; ContentError lists every fault.
    """
    where = file if file is not None else name
    source = Source(where, decode(text.encode("utf-8", "surrogatepass"), where))
    return _scenario(source, name, None, False, False)


def check(paths: Iterable[str | Path]) -> list[Problem]:
    """The faults of scenario and data files, in the order given; names of shipped scenarios will do too.

    A file is a data file of a system if it lies in the system's data folder, or in any ``data/<system>/``.
    """
    problems: list[Problem] = []
    for wanted in paths:
        try:
            path = find_scenario(wanted)
            system = _system_of_data(path)
            if system is None:
                load(path)
            else:
                look = getattr(system, "check_data", None)
                check = partial(look, path.stem) if look is not None else None
                read_data_file(path, data_types(system)[path.stem], check)
        except ContentError as error:
            problems += error.problems
    return problems


def _system_of_data(path: Path) -> RuleSystem | None:
    """The system of which a file is a data file."""
    place = path.resolve()
    for name in system_names():
        system = working_system(name)
        if system is None:
            continue
        beside = place.parent.name == name and place.parent.parent.name == "data"
        inside = beside or place.parent == folder_of(system).resolve()
        if place.suffix == ".toml" and inside and place.stem in data_types(system):
            return system
    return None


def _scenario(source: Source, name: str, path: Path | None, shipped: bool, tiny: bool) -> Scenario:
    document = parse(source.text, source.file)
    faults = Faults(source)
    made: tuple[RuleSystem, Any, Any] | None = None
    with suppress(Enough):
        made = _read(document, faults)
    if faults:
        raise ContentError(faults.problems())
    assert made is not None, "a scenario without faults has a board"
    system, content, board = made
    return Scenario(
        name=name,
        title=in_language(content.title),
        system=system.name,
        turns=content.turns,
        sides=tuple(content.sides),
        source=source.text,
        path=path,
        shipped=shipped,
        tiny=tiny,
        digest=digest(source.text, system),
        board=board,
        remake=loads,
        notes=in_language(getattr(content, "notes", "")).strip(),
    )


def _read(document: dict[str, Any], faults: Faults) -> tuple[RuleSystem, Any, Any] | None:
    """The system, the document as its type, and the board; None where faults stand in the way."""
    if not document:
        advice = 'a scenario begins with format = 1 and system = "…"'
        faults.report((), "there is nothing in this file", advice)
        return None
    system = _system(document, faults)
    version = document.get("format", FORMAT)
    if type(version) is int and version != FORMAT:
        faults.report(("format",), f"this version reads format {FORMAT}, not {shown(version)}")
        return None
    if system is None:
        return None
    converted = convert_leniently(document, system.scenario_type, faults.report)
    data = _data(system, faults)
    if converted.value is None or data is None:
        return None
    faults.go_on_with(converted)
    if not in_language(converted.value.title).strip():
        faults.report(("title",), "title must not be empty", 'add title = "…"', rests_on=())
    try:
        board = system.build(converted.value, data, faults.report)
    except Exception as error:
        # stand-ins may be such as no file can hold; the faults found so far are what the author needs
        if faults and not isinstance(error, Enough):
            return None
        raise
    return system, converted.value, board


def _system(document: dict[str, Any], faults: Faults) -> RuleSystem | None:
    key = "system" if "system" in document else nearest("system", list(document))
    if key is None:
        faults.report((), "system is missing", f'add system = "{_most_like(document)}"')
        return None
    name = document[key]
    if not isinstance(name, str):
        faults.report((key,), f"{key} must be text in quotes, not {shown(name)}")
        return None
    try:
        return get_system(name)
    except UnknownSystem as error:
        faults.report((key,), f"unknown {key} {shown(name)}", did_you_mean(name, error.known))
        near = nearest(name, error.known)
        return working_system(near) if near is not None else None
    except BrokenSystem as error:
        text = f"the rule system {shown(name)} is installed but does not load: {error.reason}"
        faults.report((key,), text)
        return None


def _most_like(document: dict[str, Any]) -> str:
    """The system whose scenarios have most of a document's keys; of equals the first by name."""
    best, most = "…", -1
    for name in system_names():
        system = working_system(name)
        if system is not None:
            fields = {field.encode_name for field in msgspec.structs.fields(system.scenario_type)}
            shared = len(fields.intersection(document))
            if shared > most:
                best, most = name, shared
    return best


def _data(system: RuleSystem, faults: Faults) -> dict[str, Any] | None:
    """The content of the system's data files; None if one of them has faults, which are noted."""
    values: dict[str, Any] = {}
    for name in system.data_types:
        try:
            file = data_file(system, name)
        except ContentError as error:
            faults.elsewhere += error.problems
            continue
        values[name] = file.value
        faults.sources[name] = file.source
    return values if len(values) == len(system.data_types) else None
