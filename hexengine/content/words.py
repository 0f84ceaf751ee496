"""Words for the faults of files: how a value, a key and a type are named to the person who wrote them."""

import datetime
import difflib
import re
from collections.abc import Collection, Sequence
from typing import Any

import msgspec.inspect as mi

Path = tuple[str | int, ...]
"""Where a value stands in a document: keys and, in lists, indexes from 0."""

WIDTH = 40
_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
_LARGEST = 2**63


def printable(text: str, width: int = WIDTH) -> str:
    """``text`` on one line, cut to ``width`` characters; what does not print is written as an escape."""
    cut = text[:width]
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in cut)
    return shown + "…" if len(text) > width else shown


def quoted(text: str) -> str:
    """``text`` in quotes, for use in a sentence or as a TOML value."""
    return '"' + printable(text.replace("\\", "\\\\").replace('"', '\\"')) + '"'


def key_name(key: str) -> str:
    """A key as it is written in TOML: bare where it can be, else in quotes."""
    return key if _BARE.match(key) and len(key) <= WIDTH else quoted(key)


def place_name(path: Path) -> str:
    """The last part of a path as the subject of a sentence: ``turns``, ``item 2 of sides``, ``the file``."""
    if not path:
        return "the file"
    last = path[-1]
    if isinstance(last, str):
        return key_name(last)
    return f"item {last + 1} of {place_name(path[:-1])}"


def shown(value: Any) -> str:
    """A value as TOML writes it if that is short, else what it is: ``"eight"``, ``5``, ``a list``."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if -_LARGEST <= value < _LARGEST else "a number of more than 64 bits"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, list | tuple):
        return "a list" if value else "an empty list"
    if isinstance(value, dict):
        return "a table" if value else "an empty table"
    if isinstance(value, datetime.datetime):
        return "a date and time"
    if isinstance(value, datetime.date):
        return "a date"
    if isinstance(value, datetime.time):
        return "a time"
    return "nothing"


def expected(info: mi.Type) -> str:
    """What a value of this type is called: ``a whole number``, ``text or a table``."""
    match info:
        case mi.Metadata():
            return expected(info.type)
        case mi.UnionType():
            names = [expected(member) for member in info.types if not isinstance(member, mi.NoneType)]
            return listed(list(dict.fromkeys(names)), "or")
        case mi.LiteralType():
            return listed([shown(value) for value in info.values], "or")
        case mi.EnumType():
            return listed([shown(member.value) for member in info.cls], "or")
        case mi.CollectionType() | mi.TupleType():
            return "a list"
        case mi.DictType() | mi.StructType():
            return "a table"
    return _NAMES.get(type(info), "something else")


_NAMES: dict[type[mi.Type], str] = {
    mi.BoolType: "true or false",
    mi.IntType: "a whole number",
    mi.FloatType: "a number",
    mi.StrType: "text in quotes",
    mi.DateType: "a date",
    mi.DateTimeType: "a date and time",
    mi.TimeType: "a time",
    mi.NoneType: "nothing",
}


def listed(names: Sequence[str], last: str = "and") -> str:
    """Names in one phrase: ``a, b or c``; of more than ten the first nine are given."""
    if len(names) > 10:
        return ", ".join(names[:9]) + f" {last} one of {len(names) - 9} more"
    if len(names) < 2:
        return "".join(names)
    return ", ".join(names[:-1]) + f" {last} {names[-1]}"


def nearest(word: str, known: Collection[str]) -> str | None:
    """The one of ``known`` that ``word`` most likely was meant to be, or None."""
    if len(word) > 64:
        return None
    plain = {_plain(name): name for name in known if len(name) <= 64}
    slips = [name for name in plain if _is_one_slip(_plain(word), name)]
    cutoff = 0.0 if slips else 0.72
    found = difflib.get_close_matches(_plain(word), slips or list(plain), n=1, cutoff=cutoff)
    return plain[found[0]] if found else None


def _is_one_slip(word: str, name: str) -> bool:
    """True where one letter too many, too few, wrong or out of place makes one word of the other."""
    if len(name) < 3:
        return False
    length = min(len(word), len(name))
    same = next((i for i in range(length) if word[i] != name[i]), length)
    one, other = word[same:], name[same:]
    swapped = one[1:2] + one[:1] + one[2:]
    return other in (one[1:], swapped) or one[1:] == other[1:] or one == other[1:]


def _plain(word: str) -> str:
    return word.casefold().replace("_", "-").replace(" ", "-")


def did_you_mean(word: str, known: Collection[str]) -> str | None:
    """A suggestion for a word that is not in ``known``: the nearest name, or all of them if they are few."""
    near = nearest(word, known)
    if near is not None:
        return f"did you mean {quoted(near)}?"
    return choices(list(known))


def choices(known: Sequence[str]) -> str | None:
    """``known here: a, b`` for a handful of names, None for none or too many."""
    return "known here: " + ", ".join(printable(name) for name in known) if 0 < len(known) <= 16 else None


def sample(name: str, info: mi.Type) -> str:
    """How a missing key is written, as a pattern to fill in: ``title = "…"``, ``a table [map]``."""
    while isinstance(info, mi.Metadata):
        examples = (info.extra_json_schema or {}).get("examples")
        if examples and isinstance(examples[0], str | int | float):
            return f"{key_name(name)} = {shown(examples[0])}"
        info = info.type
    if isinstance(info, mi.UnionType):
        return sample(name, next(member for member in info.types if not isinstance(member, mi.NoneType)))
    if isinstance(info, mi.StructType):
        return f"a table [{key_name(name)}]"
    if isinstance(info, mi.CollectionType) and holds_tables(info.item_type):
        return f"a table [[{key_name(name)}]]"
    return f"{key_name(name)} = {_filler(info)}"


def _filler(info: mi.Type) -> str:
    match info:
        case mi.BoolType():
            return "false"
        case mi.IntType() | mi.FloatType():
            return str(info.ge if info.ge is not None else 1)
        case mi.LiteralType():
            return shown(info.values[0])
        case mi.EnumType():
            return shown(next(iter(info.cls)).value)
        case mi.CollectionType() | mi.TupleType():
            return "[…]"
        case mi.DictType():
            return "{…}"
    return '"…"'


def holds_tables(info: mi.Type) -> bool:
    """True where every value of the type is a table with keys of its own."""
    if isinstance(info, mi.Metadata):
        return holds_tables(info.type)
    if isinstance(info, mi.UnionType):
        return all(holds_tables(member) for member in info.types)
    return isinstance(info, mi.StructType)
