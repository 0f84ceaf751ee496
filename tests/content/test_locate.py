"""Places: every key and value of a TOML text is found on its own line and column."""

import random
import string
import subprocess
import sys
import tomllib
from typing import Any

import pytest

from hexengine.content.locate import Places, locate
from hexengine.content.text import normalise

DOCUMENT = '''\
# früh
format = 1
a.b."c d" = 3
\tturns\t=\t8
"títel" = "Überfahrt" # ñ
[map]
terrain = """
..w
.fé
"""
names = { 0601 = "Né", x.y = [1, { a = 2 }] }
roads = [
  "0101-0201", # first
  '0301-0401',
]
[[unit]]
id = "a"
[[unit.load]]
id = "b"
[[unit]]
id = "c"
[unit.'x y'.z]
when = 1979-05-27T07:32:00Z
'''

VALUES = [
    (("format",), 2, 10),
    (("a", "b", "c d"), 3, 13),
    (("a", "b"), 3, 3),
    (("a",), 3, 1),
    (("turns",), 4, 10),
    (("títel",), 5, 11),
    (("map",), 6, 1),
    (("map", "terrain"), 7, 11),
    (("map", "names"), 11, 9),
    (("map", "names", "0601"), 11, 18),
    (("map", "names", "x"), 11, 24),
    (("map", "names", "x", "y", 0), 11, 31),
    (("map", "names", "x", "y", 1, "a"), 11, 40),
    (("map", "roads", 0), 13, 3),
    (("map", "roads", 1), 14, 3),
    (("unit",), 16, 1),
    (("unit", 0), 16, 1),
    (("unit", 0, "id"), 17, 6),
    (("unit", 0, "load", 0, "id"), 19, 6),
    (("unit", 1), 20, 1),
    (("unit", 1, "id"), 21, 6),
    (("unit", 1, "x y", "z", "when"), 23, 8),
]


def test_a_normal_text_has_neither_mark_nor_other_line_ends() -> None:
    assert normalise("\ufeffa = 1\r\nb = 2\n") == "a = 1\nb = 2\n"


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["LF", "CR LF"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["bare", "byte-order mark"])
def test_values_stand_where_they_stand(line_end: str, mark: str) -> None:
    """Columns count characters from 1: tabs, letters of several bytes and a byte-order mark shift nothing."""
    places = Places(normalise(mark + DOCUMENT.replace("\n", line_end)))
    assert [(path, *places.find(path)) for path, _, _ in VALUES] == VALUES


@pytest.mark.parametrize(
    ("path", "line", "column"),
    [
        (("format",), 2, 1),
        (("a", "b", "c d"), 3, 5),
        (("turns",), 4, 2),
        (("títel",), 5, 1),
        (("map",), 6, 2),
        (("map", "names", "0601"), 11, 11),
        (("map", "names", "x", "y"), 11, 26),
        (("unit", 0, "load"), 18, 8),
        (("unit", 1, "x y"), 22, 7),
        (("unit", 1, "x y", "z"), 22, 13),
    ],
)
def test_keys_stand_where_they_stand(path: tuple[str | int, ...], line: int, column: int) -> None:
    assert locate(DOCUMENT, path, at_key=True) == (line, column)


@pytest.mark.parametrize(
    ("path", "line", "column"),
    [
        ((), 1, 1),
        (("nothing",), 1, 1),
        (("map", "legend"), 6, 1),
        (("map", "legend", "x", 3), 6, 1),
        (("map", "roads", 7), 12, 9),
        (("unit", 0, "hex"), 16, 1),
        (("unit", 1, "hex"), 20, 1),
        (("unit", 9, "hex"), 16, 1),
        (("map", "names", "0701"), 11, 9),
    ],
)
def test_what_is_not_there_is_where_it_would_be(path: tuple[str | int, ...], line: int, column: int) -> None:
    """The nearest parent stands for what is missing; the file itself begins at 1, 1."""
    assert locate(DOCUMENT, path) == (line, column)
    assert locate(DOCUMENT, path, 3, 4) == (line, column), "rows belong to a text that is there"


@pytest.mark.parametrize(
    ("toml", "row", "column", "place"),
    [
        ('t = """\nab\ncd\n"""', 0, 0, (2, 1)),
        ('t = """\nab\ncd\n"""', 0, 1, (2, 2)),
        ('t = """\nab\ncd\n"""', 1, 1, (3, 2)),
        ('t = """\nab\ncd\n"""', 1, 2, (3, 3)),
        ('t = """\nab\ncd\n"""', 1, 9, (3, 3)),
        ('t = """\nab\ncd\n"""', 2, 0, (4, 1)),
        ('t = """\nab\ncd\n"""', 9, 9, (4, 1)),
        ('t = """ab\ncd"""', 0, 1, (1, 9)),
        ('t = """ab\ncd"""', 1, 1, (2, 2)),
        ("t = '''\na\\\ncd'''", 1, 1, (3, 2)),
        ("t = '''\na\\\ncd'''", 0, 1, (2, 2)),
        ('t = """\néü\nñx"""', 1, 1, (3, 2)),
        ('t = """\na\\\n   b\nc"""', 0, 1, (3, 4)),
        ('t = """\na\\\n   b\nc"""', 1, 0, (4, 1)),
        ('t = """\na\\u00e9b"""', 0, 2, (2, 8)),
        ('t = """\na\\tb"""', 0, 2, (2, 4)),
        ('t = "ab\\ncd"', 1, 1, (1, 11)),
        ('t = "ab\\u000Acd"', 1, 0, (1, 14)),
        ('t = "0101-0201-0301"', 0, 5, (1, 11)),
        ("t = '0101-0201-0301'", None, 10, (1, 16)),
        ('t = ""', 0, 3, (1, 6)),
        ('t = """"""', 0, 3, (1, 8)),
        ('t = """a"b""c"""', 0, 4, (1, 12)),
    ],
)
def test_letters_inside_a_text(toml: str, row: int | None, column: int, place: tuple[int, int]) -> None:
    """A letter of a map grid is found on its own line and column, whatever the notation of the text."""
    assert locate(toml, ("t",), row, column) == place


class Writer:
    """Writes random documents in random notation, and notes where everything went."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.text = ""
        self.values: dict[tuple[str | int, ...], tuple[int, int]] = {}
        self.keys: dict[tuple[str | int, ...], tuple[int, int]] = {}

    def here(self) -> tuple[int, int]:
        return self.text.count("\n") + 1, len(self.text) - self.text.rfind("\n")

    def put(self, *choices: str) -> None:
        self.text += self.chance.choice(choices)

    def key(self, name: str, path: tuple[str | int, ...]) -> None:
        self.keys.setdefault(path, self.here())
        quoted = '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
        bare = name if name and set(name) <= set(string.ascii_letters + string.digits + "-_") else quoted
        self.put(quoted, bare, bare)

    def name(self) -> str:
        return self.chance.choice(["a", "b", "0601", "x y", "é.ü", "", 'q"t', "back\\s", "ключ"])

    def value(self, path: tuple[str | int, ...], depth: int) -> Any:
        self.values[path] = self.here()
        kind = self.chance.randrange(9 if depth else 6)
        if kind < 6:
            choices: list[tuple[str, Any]] = [
                ("17", 17),
                ("-1_0", -10),
                ("0x1F", 31),
                ("true", True),
                ("6.5e1", 65.0),
                ('"ä # [b]"', "ä # [b]"),
                ("'c = {'", "c = {"),
                ('"""\nx\n[y]\n"""', "x\n[y]\n"),
                ("'''a\n'b' = 1'''", "a\n'b' = 1"),
                ('"""q"""""', 'q""'),
            ]
            text, value = self.chance.choice(choices)
            self.text += text
            return value
        if kind < 8:
            return self.array(path, depth)
        self.put("{", "{ ")
        table: dict[str, Any] = {}
        for i in range(self.chance.randrange(4)):
            if i:
                self.put(", ", ",")
            self.pair(table, path, depth - 1)
        self.put("}", " }")
        return table

    def array(self, path: tuple[str | int, ...], depth: int) -> list[Any]:
        self.text += "["
        items: list[Any] = []
        for i in range(self.chance.randrange(4)):
            self.put("", " ", "\n  ", " # é, ]\n")
            items.append(self.value((*path, i), depth - 1))
            self.put(",", " ,", "\n,")
        self.put("]", "\n]")
        return items

    def pair(self, table: dict[str, Any], path: tuple[str | int, ...], depth: int) -> None:
        name = self.chance.choice([name for name in (self.name() for _ in range(99)) if name not in table])
        if self.chance.random() < 0.2:
            second = self.name()
            self.values.setdefault((*path, name), self.here())
            self.key(name, (*path, name))
            self.put(".", " . ")
            self.key(second, (*path, name, second))
            self.put("=", " = ")
            table[name] = {second: self.value((*path, name, second), depth)}
        else:
            self.key(name, (*path, name))
            self.put("=", " = ", "\t=\t")
            table[name] = self.value((*path, name), depth)

    def pairs(self, table: dict[str, Any], path: tuple[str | int, ...]) -> None:
        for _ in range(self.chance.randrange(5)):
            self.put("", "", "\n", "# note\n", "  ")
            self.pair(table, path, 3)
            self.put("\n", " # ü\n")

    def document(self) -> dict[str, Any]:
        document: dict[str, Any] = {}
        self.pairs(document, ())
        for i in range(self.chance.randrange(4)):
            name = f"t{i}"
            if self.chance.random() < 0.5:
                document[name] = {}
                self.values[(name,)] = self.here()
                self.text += f"[ {name} ]\n"
                self.pairs(document[name], (name,))
                continue
            document[name] = []
            for j in range(self.chance.randrange(1, 4)):
                document[name].append({})
                self.values.setdefault((name,), self.here())
                self.values[(name, j)] = self.here()
                self.text += f"[[{name}]]\n"
                self.pairs(document[name][j], (name, j))
                if self.chance.random() < 0.5:
                    document[name][j]["sub"] = {}
                    self.values[(name, j, "sub")] = self.here()
                    self.text += f"[{name}.sub]\n"
                    self.pairs(document[name][j]["sub"], (name, j, "sub"))
        return document


@pytest.mark.parametrize("block", range(10))
def test_random_documents(block: int) -> None:
    """300 documents in random notation: all keys and values are found where they were written."""
    for seed in range(block * 30, block * 30 + 30):
        writer = Writer(seed)
        document = writer.document()
        assert tomllib.loads(writer.text) == document, "the writer writes what it means"
        places = Places(writer.text)
        assert {path: places.find(path) for path in writer.values} == writer.values
        assert {path: places.find(path, at_key=True) for path in writer.keys} == writer.keys


def test_tree_sitter_is_loaded_for_faults_only() -> None:
    """A good file is read without it."""
    program = (
        "import sys; from hexengine.content import loader, schema, syntax;"
        "syntax.parse('a = 1', 'x'); assert not [m for m in sys.modules if 'tree_sitter' in m];"
        "from hexengine.content.locate import locate; assert locate('a = 1', ['a']) == (1, 5);"
        "assert 'tree_sitter' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
