"""The collecting converter: it agrees with msgspec on what is right, and names everything that is wrong."""

import copy
import datetime
import enum
import random
import tomllib
from collections.abc import Callable
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
import pytest
from msgspec import Meta, Struct
from sheet_system import GOOD, SheetFile

from hexengine.content import repair
from hexengine.content.convert import convert, convert_leniently, type_information
from hexengine.content.repair import BAD, Limits


class Fault(NamedTuple):
    """A fault as reported."""

    path: tuple[str | int, ...]
    text: str
    suggestion: str | None
    at_key: bool


def faults_of(data: Any, type_: type[Any]) -> list[Fault]:
    """What the converter reports; it must then give nothing, and else what msgspec gives."""
    found: list[Fault] = []

    def report(
        path: tuple[str | int, ...], text: str, suggestion: str | None = None, *, at_key: bool = False
    ) -> None:
        found.append(Fault(path, text, suggestion, at_key))

    value = convert(data, type_, report)
    if found:
        assert value is None
    else:
        assert value == msgspec.convert(data, type_)
    return found


class Colour(enum.Enum):
    """Names."""

    RED = "red"
    BLUE = "blue"


class Count(enum.IntEnum):
    """Numbers."""

    ONE = 1
    TWO = 2


class Ordered(Struct):
    """A type with a check of its own."""

    low: int = 0
    high: int = 9

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("low must not be above high")


class Everything(Struct, rename="kebab", kw_only=True, forbid_unknown_fields=True):
    """One field of each kind that a file can hold."""

    any_thing: Any = None
    flag: bool = False
    whole: Annotated[int, Meta(gt=0, lt=10)] = 1
    even: Annotated[int, Meta(multiple_of=2)] = 2
    real: Annotated[float, Meta(gt=0.0)] = 1.0
    below: Annotated[float, Meta(lt=1.0)] = 0.0
    maybe: int | None = None
    either: int | str | list[int] = 0
    colour: Colour = Colour.RED
    count: Count = Count.ONE
    size: Literal["small", "large", 3] = "small"
    names: set[str] = set()
    fixed: frozenset[int] = frozenset()
    many: tuple[int, ...] = ()
    pair: tuple[int, str] = (1, "a")
    table: dict[str, int] = {}
    coloured: dict[Colour, int] = {}
    ordered: Ordered = msgspec.field(default_factory=Ordered)
    day: datetime.date = datetime.date(1985, 8, 14)
    hour: datetime.time = datetime.time(6)
    moment: datetime.datetime = datetime.datetime(1985, 8, 14, 6)
    text: Annotated[str, Meta(min_length=2, max_length=4)] = "abc"
    word: str = ""
    unset: int | msgspec.UnsetType = msgspec.UNSET


FINE: dict[str, list[Any]] = {
    "any-thing": [1, "x", {"a": []}, float("inf")],
    "flag": [True],
    "whole": [1, 9],
    "even": [0, -4],
    "real": [1, 0.5],
    "maybe": [3],
    "either": [3, "x", [1]],
    "colour": ["blue"],
    "count": [2],
    "size": ["large", 3],
    "names": [[], ["a", "b"]],
    "fixed": [[1, 2]],
    "many": [[], [1, 2, 3]],
    "pair": [[5, "x"]],
    "table": [{"x": 1}],
    "coloured": [{"red": 1}],
    "ordered": [{"low": 1, "high": 2}, {}],
    "day": [datetime.date(1986, 1, 1)],
    "hour": [datetime.time(7, 30)],
    "moment": [datetime.datetime(1986, 1, 1, 7, 30)],
    "text": ["ab", "tést"],
    "unset": [4],
}


@pytest.mark.parametrize(("key", "value"), [(key, value) for key, values in FINE.items() for value in values])
def test_good_values_become_what_msgspec_makes_of_them(key: str, value: Any) -> None:
    assert faults_of({key: value}, Everything) == []


WRONG: list[tuple[str, Any, str, str | None]] = [
    ("flag", "true", 'flag must be true or false, not "true"', "write true without quotes"),
    ("flag", 2, "flag must be true or false, not 2", None),
    ("whole", 0, "whole must be from 1 to 9, not 0", None),
    ("whole", 10, "whole must be from 1 to 9, not 10", None),
    ("whole", 2.0, "whole must be a whole number, not 2.0", "write 2"),
    ("whole", True, "whole must be a whole number, not true", None),
    ("whole", None, "whole must be a whole number, not nothing", None),
    ("whole", {}, "whole must be a whole number, not an empty table", None),
    ("whole", "1e9", 'whole must be a whole number, not "1e9"', None),
    ("even", 3, "even must be a multiple of 2, not 3", None),
    ("even", 2**63, "even is a number of more than 64 bits", None),
    ("real", 0, "real must be more than 0.0, not 0", None),
    ("real", float("nan"), "real must be a finite number, not nan", None),
    ("real", float("inf"), "real must be a finite number, not inf", None),
    ("real", 10**400, "real is a number of more than 64 bits", None),
    ("real", "1", 'real must be a number, not "1"', "write 1 without quotes"),
    ("below", 1, "below must be less than 1.0, not 1", None),
    ("maybe", "x", 'maybe must be a whole number, not "x"', None),
    ("either", True, "either must be a whole number, text in quotes or a list, not true", None),
    ("either", 1.5, "either must be a whole number, text in quotes or a list, not 1.5", None),
    ("colour", "bleu", 'unknown colour "bleu"', 'did you mean "blue"?'),
    ("colour", "green", 'unknown colour "green"', "known here: red, blue"),
    ("colour", 1, 'colour must be "red" or "blue", not 1', None),
    ("count", 3, "unknown count 3", "known here: 1, 2"),
    ("size", "smal", 'unknown size "smal"', 'did you mean "small"?'),
    ("size", 4, "unknown size 4", "known here: 3, large, small"),
    ("size", 3.0, 'size must be 3, "large" or "small", not 3.0', None),
    ("names", {"a": 1}, "names must be a list, not a table", None),
    ("names", "a", 'names must be a list, not "a"', 'write ["a"]'),
    ("pair", [1], "pair must have exactly 2 entries, not 1", None),
    ("table", [], "table must be a table, not an empty list", None),
    ("coloured", {"rde": 1}, 'unknown key "rde"', 'did you mean "red"?'),
    ("ordered", {"low": 5, "high": 2}, "low must not be above high", None),
    ("day", "1985", 'day must be a date, not "1985"', None),
    ("day", datetime.datetime(1985, 1, 1), "day must be a date, not a date and time", None),
    ("hour", 6, "hour must be a time, not 6", None),
    ("moment", datetime.date(1985, 1, 1), "moment must be a date and time, not a date", None),
    ("word", datetime.time(6), "word must be text in quotes, not a time", 'write "06:00:00", in quotes'),
    ("text", "a", "text must have at least 2 characters, not 1", None),
    ("text", "abcde", "text must have at most 4 characters, not 5", None),
    ("text", "a\x1b[", "text holds a control character", "code 27"),
    ("text", "a\x9b", "text holds a control character", "code 155"),
    ("unset", "x", 'unset must be a whole number, not "x"', None),
    ("colours", "red", 'unknown key "colours"', 'did you mean "colour"?'),
    ("any_thing", 1, 'unknown key "any_thing"', 'did you mean "any-thing"?'),
]


@pytest.mark.parametrize(("key", "value", "text", "suggestion"), WRONG)
def test_wrong_values_are_named(key: str, value: Any, text: str, suggestion: str | None) -> None:
    """Every fault once, in words that say what would be right, and never the name of a Python type."""
    found = faults_of({key: value}, Everything)
    assert [(fault.text, fault.suggestion) for fault in found] == [(text, suggestion)]


def test_all_wrong_values_are_found_together() -> None:
    """One document with every fault at once reports every one of them."""
    others = ("any_thing", "colours")
    once = {key: (value, text) for key, value, text, _ in reversed(WRONG) if key not in others}
    found = faults_of({key: value for key, (value, _) in once.items()}, Everything)
    assert {fault.text for fault in found} >= {text for _, text in once.values()}
    assert {fault.path[0] for fault in found} == set(once)


def test_paths_lead_to_the_fault() -> None:
    data = {"table": {"x": 1, "y": "z"}, "many": [1, "a", 3, 2.5], "coloured": {"rde": 1}, "pair": ["x", 2]}
    assert {(fault.path, fault.at_key) for fault in faults_of(data, Everything)} == {
        (("table", "y"), False),
        (("many", 1), False),
        (("many", 3), False),
        (("coloured", "rde"), True),
        (("pair", 0), False),
        (("pair", 1), False),
    }


@pytest.mark.parametrize("data", [None, 5, "x", [], [{}], float("nan")])
def test_a_document_is_a_table(data: Any) -> None:
    assert len(faults_of(data, Everything)) == 1


class Level(Struct):
    """A table in itself."""

    depth: int
    inner: "Level | None" = None


def test_tables_in_themselves() -> None:
    assert faults_of({"depth": 1, "inner": {"depth": 2, "inner": {"depth": 3}}}, Level) == []
    (fault,) = faults_of({"depth": 1, "inner": {"depth": 2, "inner": {"dept": 3}}}, Level)
    assert fault.path == ("inner", "inner", "dept")


@pytest.mark.parametrize("type_", [bytes, complex, msgspec.Raw])
def test_types_that_no_file_can_hold_are_the_programmers_fault(type_: type[Any]) -> None:
    holder = msgspec.defstruct("Holder", [("field", type_)])
    with pytest.raises(TypeError):
        faults_of({"field": 1}, holder)


STRANGE: list[Any] = [
    *(0, 1, 2, -1, 41, 10**9, 0.5, -3.25, True, "", "x", "hold", "no", "0301", "x" * 50),
    *([], [1], ["nato", "wp"], [[]], {}, {"en": "x"}, {"x": 1}, [{"id": "a"}], [{"kind": "hold"}]),
]


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of everything inside."""
    found: list[tuple[Any, ...]] = []
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        found.append((*path, key))
        if isinstance(value, dict | list):
            found += places(value, (*path, key))
    return found


def mutate(data: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """A document with one to three strange changes."""
    data = copy.deepcopy(data)
    for _ in range(chance.choice((1, 1, 2, 3))):
        *way, last = chance.choice(places(data) or [("x",)])
        parent: Any = data
        for key in way:
            parent = parent[key]
        change = chance.randrange(4)
        if change == 0:
            del parent[last]
        elif change == 1 and isinstance(parent, dict):
            key = chance.choice(["id", "hex", "x", "kind", "steps", "title", "0301"])
            parent[key] = copy.deepcopy(chance.choice(STRANGE))
        elif change == 2 and isinstance(parent, list):
            parent.append(copy.deepcopy(parent[last]))
        elif not (isinstance(parent, dict) and last not in parent):
            parent[last] = copy.deepcopy(chance.choice(STRANGE))
        if not data:
            return {"x": 1}
    return data


def accepted(make: Callable[[], Any]) -> bool:
    """True if msgspec takes it."""
    try:
        make()
    except msgspec.ValidationError:
        return False
    return True


def test_verdicts_equal_those_of_msgspec() -> None:
    """3,000 documents: refused where msgspec refuses, and else the same value."""
    good = tomllib.loads(GOOD)
    chance = random.Random(64)
    refused = 0
    for _ in range(3_000):
        data = mutate(good, chance)
        found = faults_of(data, SheetFile)
        assert (found == []) == accepted(lambda data=data: msgspec.convert(data, SheetFile)), (data, found)
        refused += bool(found)
    assert 1_000 < refused < 2_990


def test_names_that_cannot_be_read_become_empty() -> None:
    """An empty name matches no pattern of names, so that checks of meaning know a filler by it."""
    data = tomllib.loads(GOOD)
    data["unit"][0]["id"] = "two words"
    del data["unit"][1]["id"]
    data["sides"] = ["nato", 5.5]
    data["turns"] = "many"
    data["map"]["terrain"] = []
    found = convert_leniently(data, SheetFile, lambda *_, **__: None)
    assert [unit.id for unit in found.value.unit] == ["", ""]
    assert (found.value.sides, found.value.turns) == (["nato", ""], 1)
    assert found.doubtful | found.filled == {
        ("unit", 0, "id"),
        ("unit", 1, "id"),
        ("sides", 1),
        ("turns",),
        ("map", "terrain"),
    }


def test_mended_documents_hold_only_what_the_type_allows() -> None:
    """Whatever is made of a faulty document is of the right types all through, so that checks can go on."""
    good = tomllib.loads(GOOD)
    chance = random.Random(65)
    mended = 0
    for _ in range(1_000):
        found = convert_leniently(mutate(good, chance), SheetFile, lambda *_, **__: None)
        if found.value is not None:
            mended += bool(found.faults)
            for unit in found.value.unit:
                assert isinstance(unit.id, str)
                assert 1 <= unit.steps <= 2
            assert 1 <= found.value.turns <= 40
            assert len(found.value.sides) == 2
            assert isinstance(msgspec.to_builtins(found.value), dict)
    assert mended > 500


@pytest.mark.parametrize(
    ("limits", "value", "nearest"),
    [
        (Limits(1, 8), 0, 1),
        (Limits(1, 8), 9, 8),
        (Limits(None, 8), 9, 8),
        (Limits(1, None), -3, 1),
        (Limits(0, 1, True, False), 0, BAD),
        (Limits(0, 1, True, False), 2, 1),
        (Limits(0, 1, False, True), 1, BAD),
        (Limits(0, 1, False, True), -1, 0),
    ],
)
def test_a_number_out_of_range_is_read_as_the_end_that_it_lies_beyond(
    limits: Limits, value: float, nearest: Any
) -> None:
    assert not limits.hold(value)
    assert limits.nearest(value) == nearest


def test_what_nothing_can_stand_for() -> None:
    """A list that must hold what has no plain value; a number too large to stand for one whole number."""
    anything = Annotated[list[Any], Meta(min_length=1)]
    assert repair.filler(type_information(anything)) is BAD
    assert repair.filler(type_information(list[Any])) == []
    whole = type_information(int)
    assert repair.meant(whole, 3.0) == repair.Meant(3, "write 3")
    assert repair.meant(whole, 1e300) is repair.meant(whole, 3.5) is None
