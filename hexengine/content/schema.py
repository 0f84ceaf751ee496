"""JSON Schemas of the file formats, made from the very types that the files are read with."""

from typing import Any, NamedTuple

import msgspec

from hexengine.content.data import CATALOGUES, data_types, working_system
from hexengine.content.words import did_you_mean, quoted
from hexengine.core.errors import HexEngineError
from hexengine.core.system import system_names

DIALECT = "https://json-schema.org/draft/2020-12/schema"


class UnknownFormat(HexEngineError):
    """No file format of that name is known."""


class Format(NamedTuple):
    """A file format: its name, its type, and what it is for."""

    name: str
    type: type[Any]
    title: str
    description: str


_registered: dict[str, Format] = {}


def register(name: str, type: type[Any], title: str, description: str) -> None:  # noqa: A002
    """Make a format known beside those of the rule systems, as logs have one."""
    _registered[name] = Format(name, type, title, description)


def formats() -> list[Format]:
    """All file formats: ``<system>-scenario`` and ``<system>-<data file>`` of each system, and those that
    were registered.
    """
    found: list[Format] = []
    for name in system_names():
        system = working_system(name)
        if system is None:
            continue
        about = f"A scenario of the {name} system: a TOML file in UTF-8, at most 1,000,000 bytes."
        found.append(Format(f"{name}-scenario", system.scenario_type, f"{name}: scenario", about))
        for stem, type_ in data_types(system).items():
            kind = "what rules and refusals say" if stem in CATALOGUES else "counters, charts and tables"
            about = f"Data file {stem}.toml of the {name} system ({kind}): TOML in UTF-8."
            found.append(Format(f"{name}-{stem}", type_, f"{name}: {stem}", about))
    return found + [_registered[name] for name in sorted(_registered)]


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema (2020-12) of a file format; raises UnknownFormat with a suggestion.

    The system's name may be left out where only one system has such a format: ``scenario``, ``units``.

    TOML is checked as the JSON of the same shape.  The schema is as strict as the loader, save for what only
    the loader sees: control characters in texts, and the meaning of the whole.
    """
    known = {one.name: one for one in formats()}
    if name not in known:
        ends = [full for full in known if full not in _registered and full.endswith(f"-{name}")]
        name = ends[0] if len(ends) == 1 else name
    if name not in known:
        advice = did_you_mean(name, list(known))
        raise UnknownFormat(f"no file format is called {quoted(name)}" + (f" ({advice})" if advice else ""))
    wanted = known[name]
    made = msgspec.json.decode(msgspec.json.encode(msgspec.json.schema(wanted.type)))
    if name not in _registered:
        # the loader refuses unknown keys, whatever the type itself says of them
        for part in made.get("$defs", {}).values():
            if "properties" in part:
                part["additionalProperties"] = False
    return {"$schema": DIALECT, "title": wanted.title, "description": wanted.description, **made}
