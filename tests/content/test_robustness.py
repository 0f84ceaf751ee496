"""Whatever a file holds, it loads or is refused with problems that have a place; in time."""

import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sheet_system import GOOD

from hexengine.content.loader import load, loads
from hexengine.content.resources import shipped_scenarios
from hexengine.content.text import decode
from hexengine.core.errors import ContentError
from tests.long import often

SCENARIOS = {"sheet": GOOD, **{one.name: one.path.read_text("utf-8") for one in shipped_scenarios()}}
MUTANTS = often(500, 2_000)


def examine(data: bytes, file: Path) -> bool:
    """Load the bytes as a file; True if they load. Every problem must have its place inside the file."""
    file.write_bytes(data)
    try:
        scenario = load(file)
    except ContentError as error:
        assert error.problems
        lines = data.split(b"\n")
        for problem in error.problems:
            assert problem.text
            assert str(problem).isprintable(), ascii(str(problem))
            assert len(str(problem)) < 1000
            if "faults; the rest" in problem.text:
                continue
            if Path(problem.file).name == file.name:
                assert 1 <= problem.line <= len(lines)
                assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1
        return False
    assert scenario.board is not None
    return True


def flip(text: str, chance: random.Random) -> str:
    """Another byte somewhere."""
    data = bytearray(text.encode("utf-8", "surrogateescape"))
    data[chance.randrange(len(data))] = chance.randrange(256)
    return data.decode("utf-8", "surrogateescape")


def cut(text: str, chance: random.Random) -> str:
    """A piece taken out."""
    start = chance.randrange(len(text))
    return text[:start] + text[start + chance.randrange(1, 40) :]


def lines(change: Callable[[list[str], random.Random], None]) -> Callable[[str, random.Random], str]:
    """A mutation of a text from one of its lines."""

    def mutate(text: str, chance: random.Random) -> str:
        parts = text.split("\n")
        change(parts, chance)
        return "\n".join(parts)

    return mutate


def drop(parts: list[str], chance: random.Random) -> None:
    """A line dropped."""
    del parts[chance.randrange(len(parts))]


def double(parts: list[str], chance: random.Random) -> None:
    """A line given twice."""
    at = chance.randrange(len(parts))
    parts.insert(chance.randrange(len(parts)), parts[at])


def swap(parts: list[str], chance: random.Random) -> None:
    """Two lines swapped."""
    a, b = chance.randrange(len(parts)), chance.randrange(len(parts))
    parts[a], parts[b] = parts[b], parts[a]


STRANGE = [
    *("5", "-1", "0", "1.5", "nan", "-inf", "1e999", "true", '""', '"x"', "[]", "{}", "[[1]]", "[{}]"),
    *("1985-08-14", "07:32:00", "1985-08-14T07:32:00Z", "1985-02-30", "9" * 30, "9" * 5000, "{ a = 1 }"),
    "0x" + "f" * 900,
    '"\\u0000"',
    *('"\\ud800"', '"\\U0010ffff"', "'''\n'''", '"""\n\\\n"""', "0301", "1_000", "[1, 'a', 2.5]"),
    *('["a", "b", "c"]', "[" * 40 + "]" * 40, '"' + "x" * 5000 + '"', '"\u202eevil"', '"[red]"', "\r", "#"),
]


KEYS = ["id", "hex", "a.b", '"x y"', "''", "títel", "format", "map.terrain", "1", "unit", "x" * 3000]
HEADERS = ["[unit]", "[[map]]", "[map.names]", "[[unit.x]]", "[", "[]", "[[a]", "[" + "a." * 50 + "b]"]


def retype(parts: list[str], chance: random.Random) -> None:
    """A value of another type."""
    at = chance.choice([i for i, line in enumerate(parts) if " = " in line] or [0])
    parts[at] = parts[at].partition(" = ")[0] + " = " + chance.choice(STRANGE)


def rekey(parts: list[str], chance: random.Random) -> None:
    """Another key."""
    at = chance.choice([i for i, line in enumerate(parts) if " = " in line] or [0])
    parts[at] = chance.choice(KEYS) + " = " + parts[at].partition(" = ")[2]


def rehead(parts: list[str], chance: random.Random) -> None:
    """Another header."""
    at = chance.choice([i for i, line in enumerate(parts) if line.startswith("[")] or [0])
    parts[at] = chance.choice(HEADERS)


MUTATIONS = [flip, cut, lines(drop), lines(double), lines(swap), lines(retype), lines(rekey), lines(rehead)]


@pytest.mark.slow
def test_mutants_load_or_are_refused_with_a_place(tmp_path: Path) -> None:
    """One to three mutations each, spread over all kinds and all shipped scenarios."""
    chance = random.Random(1985)
    names = sorted(SCENARIOS)
    loaded = 0
    for i in range(MUTANTS):
        text = SCENARIOS[names[i % len(names)]]
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            text = chance.choice(MUTATIONS)(text, chance) or "x"
        loaded += examine(text.encode("utf-8", "surrogateescape"), tmp_path / "mutant.toml")
    assert 0 < loaded < MUTANTS // 2, "the mutants are neither all harmless nor all the same"


@given(st.binary(max_size=300))
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_bytes_are_refused_with_a_place(tmp_path: Path, data: bytes) -> None:
    assert not examine(data, tmp_path / "bytes.toml")


@given(st.text(st.sampled_from("ab01.=\"'\\[]{}#,\n\r\t \u0301é\U0001f600_-+:TZ"), max_size=80))
@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_text_of_toml_signs_is_refused_with_a_place(tmp_path: Path, text: str) -> None:
    assert not examine(text.encode(), tmp_path / "text.toml")


HOSTILE = {
    "brackets": "x = " + "[" * 400_000,
    "closed brackets": "x = " + "[" * 200_000 + "]" * 200_000,
    "tables in tables": "x = " + "{a=" * 200_000,
    "dotted key": "a." * 400_000 + "b = 1",
    "dotted header": "[" + "a." * 400_000 + "b]",
    "dotted quoted key": '"a".' * 200_000 + "b = 1",
    "many long keys": "\n".join(f"{'a.' * 30}b{i} = 1" for i in range(14_000)),
    "long word": "x" * 900_000,
    "long number": "x = " + "9" * 900_000,
    "long hexadecimal": "x = 0x" + "f" * 900_000,
    "long float": "x = " + "9" * 900_000 + ".5",
    "quotes": '"' * 900_000,
    "escaped quotes": '"""' + '\\"""' * 200_000,
    "apostrophes": "'" * 900_000,
    "backslashes": 'x = "' + "\\" * 900_000,
    "comment": "#" * 900_000,
    "spaces": ("a" + " " * 5000) * 180,
    "lines": "\n" * 900_000,
    "tables": "[[unit]]\n" * 100_000,
    "headers": "\n".join(f"[t{i}]" for i in range(90_000)),
    "keys": "\n".join(f"k{i} = 1" for i in range(80_000)),
    "items": "sides = [" + "1," * 400_000 + "]",
    "long text": 'title = "' + "x" * 900_000 + '"',
    "long unknown key": GOOD.replace("night", "n" * 999),
    "wide map": GOOD.replace("..ww.t\n.ffw..", "x" * 900_000),
    "tall map": GOOD.replace("..ww.t\n.ffw..", "x\n" * 400_000),
    "lone carriage returns": GOOD.replace("\n", "\r"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_are_refused_in_time(name: str, tmp_path: Path) -> None:
    """Texts made to blow up stacks or to take quadratic time: seconds are the bound on any machine."""
    begun = time.process_time()
    assert not examine(HOSTILE[name].encode(), tmp_path / "hostile.toml")
    assert time.process_time() - begun < 10


@pytest.mark.parametrize("name", SCENARIOS)
def test_nothing_is_found_in_a_shipped_file(name: str) -> None:
    """No false alarms."""
    loads(decode(SCENARIOS[name].encode(), name), name)
