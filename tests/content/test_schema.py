"""JSON Schemas and types are one: same keys, same verdicts."""

import json
import random
import tomllib
from typing import Any

import jsonschema
import msgspec
import msgspec.inspect as mi
import pytest
from sheet_system import GOOD, KINDS, SheetFile
from test_convert import mutate

from hexengine.content.convert import convert
from hexengine.content.resources import data_folder, shipped_scenarios
from hexengine.content.schema import Format, UnknownFormat, formats, register, schema
from hexengine.core import system
from tests.long import often

FORMATS = formats()


def tables(info: mi.Type) -> dict[str, mi.StructType]:
    """All tables of a type, by the name of their class."""
    found: dict[str, mi.StructType] = {}
    pending: list[Any] = [info]
    while pending:
        part = pending.pop()
        if isinstance(part, mi.StructType) and part.cls.__name__ not in found:
            found[part.cls.__name__] = part
            pending += [field.type for field in part.fields]
        for name in ("type", "item_type", "key_type", "value_type"):
            if hasattr(part, name):
                pending.append(getattr(part, name))
        pending += [*getattr(part, "types", ()), *getattr(part, "item_types", ())]
    return found


@pytest.mark.parametrize("name", [*(one.name for one in FORMATS), "sheet-scenario", "sheet-kinds"])
def test_every_key_of_a_type_is_in_its_schema_and_the_other_way(name: str) -> None:
    wanted = next(one for one in formats() if one.name == name)
    made = schema(name)
    jsonschema.Draft202012Validator.check_schema(made)
    assert (made["title"], made["description"]) == (wanted.title, wanted.description)
    known = tables(mi.type_info(wanted.type))
    assert {key for key, part in made["$defs"].items() if "properties" in part} == set(known)
    for key, info in known.items():
        part = made["$defs"][key]
        tag = {info.tag_field} if info.tag_field else set()
        assert set(part["properties"]) == {field.encode_name for field in info.fields} | tag
        assert set(part["required"]) == {field.encode_name for field in info.fields if field.required} | tag
        assert part["additionalProperties"] is False


def test_shipped_files_are_valid() -> None:
    """Every scenario and data file of every built-in system is as its schema says."""
    checked = 0
    for one in FORMATS:
        validator = jsonschema.Draft202012Validator(schema(one.name))
        system_name, _, stem = one.name.partition("-")
        if stem == "scenario":
            files = [shipped.path for shipped in shipped_scenarios()]
        else:
            files = [data_folder(system_name) / f"{stem}.toml"]
        for file in files:
            document = tomllib.loads(file.read_text("utf-8")) if file.exists() else {}
            if document and document.get("system", system_name) == system_name:
                validator.validate(document)
                checked += 1
    assert checked >= (2 if FORMATS else 0)


def verdict(data: Any, type_: type[msgspec.Struct]) -> bool:
    """True if the loader takes the document."""
    faults: list[str] = []
    convert(data, type_, lambda path, text, suggestion=None, at_key=False: faults.append(text))
    return not faults


def test_schema_and_loader_refuse_the_same_documents() -> None:
    """Mutated documents: an independent validator gives the verdict that the loader gives."""
    validator = jsonschema.Draft202012Validator(schema("sheet-scenario"))
    good = tomllib.loads(GOOD)
    assert validator.is_valid(good)
    assert jsonschema.Draft202012Validator(schema("sheet-kinds")).is_valid(tomllib.loads(KINDS))
    chance = random.Random(66)
    refused = 0
    documents = often(600, 2_000)
    for _ in range(documents):
        data = mutate(good, chance)
        assert verdict(data, SheetFile) == validator.is_valid(data), data
        refused += not verdict(data, SheetFile)
    assert documents // 4 < refused < documents


@pytest.mark.parametrize("path", [one.path for one in shipped_scenarios()], ids=lambda path: path.stem)
def test_schema_and_loader_refuse_the_same_scenarios(path: Any) -> None:
    """The same for mutants of what is shipped."""
    good = tomllib.loads(path.read_text("utf-8"))
    rules = system.get_system(good["system"])
    validator = jsonschema.Draft202012Validator(schema(f"{good['system']}-scenario"))
    chance = random.Random(67)
    for _ in range(100):
        data = mutate(good, chance)
        assert verdict(data, rules.scenario_type) == validator.is_valid(data), data


def test_schemas_are_plain_json() -> None:
    for one in formats():
        assert json.loads(json.dumps(schema(one.name))) == schema(one.name)


def test_other_formats_can_be_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs bring their own types; whether they are closed is said by the type."""
    monkeypatch.setattr("hexengine.content.schema._registered", {})
    line = msgspec.defstruct("Line", [("n", int)])
    register("log-line", line, "a line", "One line of a log.")
    assert formats()[-1] == Format("log-line", line, "a line", "One line of a log.")
    assert schema("log-line")["$defs"]["Line"]["properties"] == {"n": {"type": "integer"}}
    assert "additionalProperties" not in schema("log-line")["$defs"]["Line"]


def test_an_unknown_format_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownFormat, match=r'"sheet-scenrio" \(did you mean "sheet-scenario"'):
        schema("sheet-scenrio")


def test_a_type_that_takes_any_key_does_so_in_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loader refuses keys that a type does not know, whatever the type says; so does the schema."""

    class Loose(msgspec.Struct):
        name: str

    monkeypatch.setattr("hexengine.content.schema.data_types", lambda _: {"loose": Loose})
    (described,) = schema("sheet-loose")["$defs"].values()
    assert described["additionalProperties"] is False


def test_the_system_may_be_left_out_where_only_one_is_meant() -> None:
    assert schema("kinds") == schema("sheet-kinds")
    for name in ("", "scenario", "terrain", "-kinds", "ds"):
        with pytest.raises(UnknownFormat):
            schema(name)
