"""The data files of rule systems: read, checked, kept for the life of the process, and digested."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from hexengine.content.convert import convert
from hexengine.content.faults import Enough, Faults, Source
from hexengine.content.resources import data_folder
from hexengine.content.syntax import parse
from hexengine.content.text import decode, label, read_bytes
from hexengine.core.errors import BrokenSystem, ContentError
from hexengine.core.rulebook import RulesFile, WordsFile
from hexengine.core.system import Report, RuleSystem, get_system

CATALOGUES: Mapping[str, type[Any]] = {"rules": RulesFile, "words": WordsFile}
"""Data files that any system may have and no game depends on: the rule catalogue and the words for people."""


class DataFile(NamedTuple):
    """A data file: as problems name it, its normalised text, and its content."""

    source: Source
    value: Any


def working_system(name: str) -> RuleSystem | None:
    """The registered system of that name, or None where it is installed but does not load."""
    try:
        return get_system(name)
    except BrokenSystem:
        return None


def folder_of(system: RuleSystem) -> Path:
    """Where a system's data files lie: its own ``data_folder`` if it has one, else with the shipped ones."""
    own = getattr(system, "data_folder", None)
    return Path(own) if own is not None else data_folder(system.name)


def data_types(system: RuleSystem) -> dict[str, type[Any]]:
    """The types of all data files that a system may have, by file stem."""
    return {**CATALOGUES, **system.data_types}


def data_file(system: RuleSystem | str, name: str) -> DataFile:
    """The data file ``name`` of a system, read once a process.

    Raises UnknownSystem, KeyError for a name that is no data file of the system, and ContentError with every
    fault of the file.
    """
    rules = get_system(system) if isinstance(system, str) else system
    of_name: Any = data_types(rules)[name]
    return _read(folder_of(rules) / f"{name}.toml", of_name)


def read_data_file(
    path: Path,
    type: type[Any],  # noqa: A002
    check: Callable[[Any, Report], None] | None = None,
) -> DataFile:
    """A data file from anywhere; ContentError lists every fault.  ``check`` looks at what it means."""
    source = Source(label(path), decode(read_bytes(path), label(path)))
    faults = Faults(source)
    value = None
    with suppress(Enough):
        value = convert(parse(source.text, source.file), type, faults.report)
        if check is not None and not faults:
            check(value, faults.report)
    if faults:
        raise ContentError(faults.problems())
    return DataFile(source, value)


@cache
def _read(path: Path, type: type[Any]) -> DataFile:  # noqa: A002
    return read_data_file(path, type)


def data_digest(system: RuleSystem | str) -> str:
    """32 hexadecimal digits over the texts of the data files that decide what happens in a game.

    The catalogues are left out: their words change nothing.  Raises ContentError if a file cannot be used.
    """
    return digest("", system)


def digest(text: str, system: RuleSystem | str) -> str:
    """32 hexadecimal digits over a normalised text and what ``data_digest`` covers, as scenarios carry it."""
    rules = get_system(system) if isinstance(system, str) else system
    total = blake2b(digest_size=16)
    parts = [("", text)]
    deciding = sorted(rules.data_types.keys() - CATALOGUES.keys())
    parts += [(name, data_file(rules, name).source.text) for name in deciding]
    for name, part in parts:
        encoded = part.encode()
        total.update(f"{name} {len(encoded)}\n".encode())
        total.update(encoded)
    return total.hexdigest()
