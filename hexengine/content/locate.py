"""Where in a TOML text a key or value stands: the line and column behind a path.

tree-sitter is loaded only here and only once there is a fault to place.  Lines and columns count from 1,
columns in characters; texts have LF line ends and no byte-order mark, as ``text.normalise`` gives them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

Path = tuple[str | int, ...]
Place = tuple[int, int]


class _Spot(NamedTuple):
    """Where a key stands, and its value; the value of a table of the header form is the header."""

    key: Node
    value: Node


def locate(
    text: str,
    path: Sequence[str | int],
    row: int | None = None,
    column: int | None = None,
    *,
    at_key: bool = False,
) -> Place:
    """Line and column of the value at ``path``, as ``Places.find`` says it; for a single question."""
    return Places(text).find(path, row, column, at_key=at_key)


class Places:
    """The places of all keys and values of one text."""

    def __init__(self, text: str) -> None:
        self._bytes = text.encode("utf-8", "surrogatepass")
        self._spots: dict[Path, _Spot] = {}
        self._lists: dict[Path, int] = {}
        self._read()

    def find(
        self,
        path: Sequence[str | int],
        row: int | None = None,
        column: int | None = None,
        *,
        at_key: bool = False,
    ) -> Place:
        """Line and column of the value at ``path``, or of its key; of the nearest parent if there is none.

        ``row`` and ``column`` count from 0 inside the text that stands there, as it reads after parsing: line
        ``row`` of a map grid, or character ``column`` of a single line.  A table is where its header is, the
        document at 1, 1.
        """
        place = tuple(path)
        while place and place not in self._spots:
            place = place[:-1]
            row = column = None
        if not place:
            return 1, 1
        spot = self._spots[place]
        if at_key and len(place) == len(path):
            return self._place(spot.key.start_byte)
        if (row is not None or column is not None) and spot.value.type == "string":
            return self._inside(spot.value, row or 0, column or 0)
        return self._place(spot.value.start_byte)

    def _place(self, offset: int) -> Place:
        before = self._bytes[:offset]
        line_start = before.rfind(b"\n") + 1
        return before.count(b"\n") + 1, len(before[line_start:].decode("utf-8", "surrogatepass")) + 1

    def _inside(self, node: Node, row: int, column: int) -> Place:
        raw = self._bytes[node.start_byte : node.end_byte].decode("utf-8", "surrogatepass")
        before = raw[: _offset_inside(raw, row, column)]
        return self._place(node.start_byte + len(before.encode("utf-8", "surrogatepass")))

    def _read(self) -> None:
        header: Path = ()
        for node in _parser().parse(self._bytes).root_node.children:
            if node.type == "pair":
                self._pair(node, ())
            elif node.type in ("table", "table_array_element"):
                header = self._header(node)
                for child in node.named_children:
                    if child.type == "pair":
                        self._pair(child, header)

    def _header(self, node: Node) -> Path:
        """Note a ``[table]`` or ``[[table]]``; its path, with the indexes of the lists it stands in."""
        keys = list(_keys(node.named_children[0])) if node.named_children else []
        path: Path = ()
        for i, (key, key_node) in enumerate(keys):
            path = (*path, key)
            if i == len(keys) - 1 and node.type == "table_array_element":
                self._lists[path] = self._lists.get(path, 0) + 1
            # headers met on the way make tables too; a header of their own may follow
            if path not in self._spots or (i == len(keys) - 1 and node.type == "table"):
                self._spots[path] = _Spot(key_node, node)
            if path in self._lists:
                path = (*path, self._lists[path] - 1)
                self._spots.setdefault(path, _Spot(node, node))
        return path

    def _pair(self, node: Node, table: Path) -> None:
        """Note a ``key = value``, and what is inside the value."""
        pending = [(node, table)]
        while pending:
            pair, path = pending.pop()
            parts = pair.named_children
            if len(parts) < 2:
                continue
            for key, key_node in _keys(parts[0]):
                path = (*path, key)
                self._spots.setdefault(path, _Spot(key_node, key_node))
            value = next((part for part in parts[1:] if part.type != "comment"), parts[1])
            self._spots[path] = _Spot(self._spots[path].key, value)
            pending.extend(self._inner(value, path))

    def _inner(self, value: Node, path: Path) -> Iterator[tuple[Node, Path]]:
        """The pairs inside a value; items of lists are noted on the way."""
        pending = [(value, path)]
        while pending:
            node, place = pending.pop()
            if node.type == "inline_table":
                for child in node.named_children:
                    if child.type == "pair":
                        yield child, place
            elif node.type == "array":
                items = [child for child in node.named_children if child.type not in ("comment", "ERROR")]
                for i, item in enumerate(items):
                    self._spots[(*place, i)] = _Spot(item, item)
                    pending.append((item, (*place, i)))


class Header(NamedTuple):
    """A ``[table]`` or, of several, a ``[[table]]``: where it begins in the text, and its name in parts."""

    start: int
    keys: tuple[str, ...]
    several: bool


def headers(text: str) -> list[Header]:
    """The headers of a text, in order, whatever is wrong with the rest of it."""
    data = text.encode("utf-8", "surrogatepass")
    found = []
    for node in _parser().parse(data).root_node.children:
        if node.type in ("table", "table_array_element") and node.named_children:
            keys = tuple([key for key, _ in _keys(node.named_children[0])])
            start = len(data[: node.start_byte].decode("utf-8", "surrogatepass"))
            found.append(Header(start, keys, node.type == "table_array_element"))
    return found


def statement_start(text: str, offset: int) -> int:
    """Where the ``key = value`` or the header begins that ends at or before a character of the text."""
    data = text.encode("utf-8", "surrogatepass")
    end = len(text[:offset].rstrip().encode("utf-8", "surrogatepass"))
    node = _parser().parse(data).root_node.descendant_for_byte_range(max(0, end - 1), end)
    while node is not None and node.type not in ("pair", "table", "table_array_element"):
        node = node.parent
    return len(data[: node.start_byte].decode("utf-8", "surrogatepass")) if node is not None else offset


@cache
def _parser() -> Parser:
    import tree_sitter
    import tree_sitter_toml

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_toml.language()))


def _keys(node: Node) -> Iterator[tuple[str, Node]]:
    """The parts of a key with their nodes, in order."""
    parts: list[Node] = []
    while node.type == "dotted_key" and node.named_children:
        *first, last = node.named_children
        parts.append(last)
        node = first[0]
    parts.append(node)
    for part in reversed(parts):
        raw = (part.text or b"").decode("utf-8", "surrogatepass")
        yield (_unquoted(raw) if part.type == "quoted_key" else raw), part


def _unquoted(raw: str) -> str:
    try:
        return next(iter(tomllib.loads(f"{raw} = 0")))
    except (tomllib.TOMLDecodeError, StopIteration):
        return raw[1:-1]


def _offset_inside(raw: str, row: int, column: int) -> int:
    """The offset in a string's notation of character ``column`` of its line ``row``, or of its end."""
    offset = here = 0
    for at, character in _characters(raw):
        offset = at
        if here < row:
            here += character == "\n"
        elif column == 0 or character == "\n":
            break
        else:
            column -= 1
    return offset


_ESCAPES = {"u": 6, "U": 10}


def _characters(raw: str) -> Iterator[tuple[int, str]]:
    """The characters that a string stands for, each with the offset in its TOML notation; last its end.

    Of escapes only the line end matters here, so that the others give a letter that is none.
    """
    quotes = 3 if raw[:3] in ('"""', "'''") and len(raw) >= 6 else 1
    end = len(raw) - quotes
    at = quotes + 1 if quotes == 3 and raw[3:4] == "\n" else quotes
    while at < end:
        if raw[at] != "\\" or raw[0] == "'":
            yield at, raw[at]
            at += 1
            continue
        rest = raw[at + 1 : end]
        if quotes == 3 and rest[:1] in ("\n", " ", "\t"):
            at += 1 + len(rest) - len(rest.lstrip(" \t\n"))
            continue
        yield at, "\n" if rest[:1] == "n" or rest.startswith(("u000a", "u000A")) else "\\"
        at += _ESCAPES.get(rest[:1], 2)
    yield end, "\n"
