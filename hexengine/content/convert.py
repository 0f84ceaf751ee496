"""Plain data → typed structs, with every fault found in one run.

msgspec's own conversion stops at the first fault.  This one walks the same type information, reports each
fault with its path and goes on.  Besides what msgspec refuses it refuses keys that the type does not know,
numbers that are not finite or need more than 64 bits, and control characters in texts.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec
import msgspec.inspect as mi

from hexengine.content import repair
from hexengine.content.repair import BAD, fits
from hexengine.content.words import (
    Path,
    did_you_mean,
    expected,
    key_name,
    listed,
    nearest,
    place_name,
    quoted,
    sample,
    shown,
)

S = TypeVar("S", bound=msgspec.Struct)


class Report(Protocol):
    """Takes one fault: where it is, what is wrong and what would be right.

    With ``at_key`` the fault is the last key of the path itself, not the value behind it.
    """

    def __call__(
        self, path: Path, text: str, suggestion: str | None = None, *, at_key: bool = False
    ) -> None: ...


class Converted(NamedTuple):
    """What ``convert_leniently`` gives.

    ``value`` is None only where nothing could be made.  Under ``doubtful`` paths stands what was put there in
    place of a faulty value, under ``filled`` ones a filler that says nothing of what was meant: the number
    nearest 0, the first of the names that may stand there, or an empty text, list or table (so that an empty
    name is always a filler).  Under ``guessed`` ones stand misspelt names as they were read.  ``aliases``
    leads from paths as they should be to those in the document.
    """

    value: Any
    faults: int
    doubtful: frozenset[Path]
    filled: frozenset[Path]
    guessed: frozenset[Path]
    aliases: Mapping[Path, Path]


def convert(data: Any, type: type[S], report: Report) -> S | None:  # noqa: A002 - the word for it
    """``data`` as a ``type``, or None when at least one fault was reported.

    Keys are those of msgspec (``rename`` is honoured).  A type that no file can hold raises TypeError.
    """
    converted = convert_leniently(data, type, report)
    return converted.value if not converted.faults else None


def convert_leniently(data: Any, type: type[S], report: Report) -> Converted:  # noqa: A002
    """As ``convert``, but makes the best of faulty data, so that checks of meaning can go on in the same run.

    Misspelt keys and names are read as what was meant, numbers out of range as the nearest in range, faulty
    values as their default or a filler.
    """
    walk = _Walk(report, type_information(type), data if isinstance(data, dict) else {})
    value = walk.value(walk.root, data, ())
    value = None if value is BAD else value
    marked = frozenset(walk.doubtful), frozenset(walk.filled), frozenset(walk.guessed)
    return Converted(value, walk.faults, *marked, walk.aliases)


@cache
def type_information(type: type[Any]) -> mi.Type:  # noqa: A002
    """msgspec's description of a type, made once."""
    return mi.type_info(type)


class _Walk:
    """One conversion: counts the faults and remembers what it had to put in place of faulty values."""

    def __init__(self, report: Report, root: mi.Type, given: Mapping[str, Any]) -> None:
        self.report = report
        self.root = root
        fields = root.fields if isinstance(root, mi.StructType) else ()
        self.top = {field.encode_name: field.type for field in fields if field.encode_name not in given}
        """The keys of the document's top that are not given there."""
        self.misplaced: dict[str, tuple[Any, Path]] = {}
        self.in_key = False
        self.faults = 0
        self.doubtful: set[Path] = set()
        self.filled: set[Path] = set()
        self.guessed: set[Path] = set()
        self.aliases: dict[Path, Path] = {}

    def fault(self, path: Path, text: str, suggestion: str | None = None, at_key: bool = False) -> None:
        self.faults += 1
        self.report(path, text, suggestion, at_key=at_key or self.in_key)

    def value(self, info: mi.Type, data: Any, path: Path) -> Any:
        """The value of the type, as far as it can be had; BAD if nothing can be made of ``data``."""
        while isinstance(info, mi.Metadata):
            if isinstance(info.type, mi.StrType) and info.type.pattern:
                return self.text(info.type, data, path, info.extra_json_schema)
            info = info.type
        if isinstance(info, mi.UnionType):
            return self.union(info, data, path)
        if isinstance(info, mi.AnyType):
            return data
        if isinstance(info, mi.LiteralType):
            return self.name(info.values, info.values, data, path)
        if isinstance(info, mi.EnumType):
            members = tuple(info.cls)
            return self.name(tuple(member.value for member in members), members, data, path)
        if not fits(info, data):
            return self.wrong_type(info, data, path)
        if isinstance(info, mi.StrType):
            return self.text(info, data, path, None)
        if isinstance(info, mi.IntType | mi.FloatType):
            return self.number(info, data, path)
        if isinstance(info, mi.StructType):
            return self.struct(info, data, path)
        if isinstance(info, mi.DictType):
            return self.mapping(info, data, path)
        if isinstance(info, mi.TupleType | mi.CollectionType):
            return self.sequence(info, data, path)
        return data

    def wrong_type(self, info: mi.Type, data: Any, path: Path, form: str | None = None) -> Any:
        """Report a value of another type, and read it as was meant; ``form`` describes texts of this type."""
        meant = repair.meant(info, data)
        advice = meant.advice if meant else None if isinstance(data, list | dict) else form
        self.fault(path, f"{place_name(path)} must be {expected(info)}, not {shown(data)}", advice)
        if meant is None:
            return BAD
        if meant.step is not None:
            self.aliases[path + meant.step[0]] = path + meant.step[1]
            if isinstance(info, mi.CollectionType):
                item = self.item(info.item_type, data, path)
                return BAD if item is BAD else _MAKERS.get(type(info), tuple)([item])
            return self.value(info, data[0], (*path, 0))
        self.doubtful.add(path)
        return self.value(info, meant.value, path)

    def text(self, info: mi.StrType, data: Any, path: Path, notes: dict[str, Any] | None) -> Any:
        form = (notes or {}).get("description")
        if not isinstance(data, str):
            return self.wrong_type(info, data, path, form)
        forbidden = next((c for c in data if is_control(c)), None)
        if forbidden is not None:
            self.fault(path, f"{place_name(path)} holds a control character", f"code {ord(forbidden)}")
            return BAD
        self.length(info, data, path, "character")
        if info.pattern and not repair.matcher(info.pattern)(data):
            advice = form or f"it must match {info.pattern}"
            self.fault(path, f"{place_name(path)} is not well formed: {quoted(data)}", advice)
            return BAD
        return data

    def number(self, info: mi.IntType | mi.FloatType, data: Any, path: Path) -> Any:
        name = place_name(path)
        if isinstance(data, int) and not -(2**63) <= data < 2**63:
            self.fault(path, f"{name} is {shown(data)}")
            return BAD
        if data != data or data in (float("inf"), float("-inf")):
            self.fault(path, f"{name} must be a finite number, not {shown(data)}")
            return BAD
        limits = repair.limits(info)
        if not limits.hold(data):
            self.fault(path, f"{name} must be {limits}, not {shown(data)}")
            self.doubtful.add(path)
            return limits.nearest(data)
        if info.multiple_of and data % info.multiple_of:
            self.fault(path, f"{name} must be a multiple of {info.multiple_of}, not {shown(data)}")
            return BAD
        return float(data) if isinstance(info, mi.FloatType) else data

    def name(
        self, known: tuple[Any, ...], values: tuple[Any, ...], data: Any, path: Path, other: str | None = None
    ) -> Any:
        """One of a fixed set of names, and in an enumeration the member behind it.

        ``other`` says what may stand there if none of the names is near.
        """
        for wanted, value in zip(known, values, strict=True):
            if wanted == data and type(wanted) is type(data):
                return value
        if not any(type(wanted) is type(data) for wanted in known):
            return self.wrong_type(mi.LiteralType(known), data, path)
        words = [str(wanted) for wanted in known]
        near = nearest(str(data), words) if isinstance(data, str) else None
        advice = other if other and near is None else did_you_mean(str(data), words)
        self.fault(path, f"unknown {place_name(path)} {shown(data)}", advice)
        if near is None:
            return BAD
        self.guessed.add(path)
        return values[words.index(near)]

    def length(self, info: Any, data: Any, path: Path, unit: str) -> bool:
        """Whether a length is right; a wrong one is told where nothing has been said of the value yet."""
        wrong = repair.wrong_length(info, len(data), unit)
        if wrong is None:
            return True
        if path not in self.doubtful:
            self.fault(path, f"{place_name(path)} {wrong}")
        self.doubtful.add(path)
        return False

    def sequence(self, info: mi.TupleType | mi.CollectionType, data: Any, path: Path) -> Any:
        if isinstance(info, mi.TupleType):
            kinds = info.item_types
            bounds: Any = mi.VarTupleType(mi.AnyType(), len(kinds), len(kinds))
        else:
            kinds = (info.item_type,) * len(data)
            bounds = info
        pairs = zip(kinds, data, strict=False)
        items = [self.item(kind, item, (*path, i)) for i, (kind, item) in enumerate(pairs)]
        if not self.length(bounds, data, path, "entry"):
            missing = (bounds.min_length or 0) - len(items)
            more = kinds[len(items) :] if isinstance(info, mi.TupleType) else (info.item_type,) * missing
            items = items[: bounds.max_length] + [repair.filler(kind) for kind in more]
        if any(item is BAD for item in items):
            return BAD
        return _MAKERS.get(type(info), tuple)(items)

    def item(self, info: mi.Type, data: Any, path: Path) -> Any:
        value = self.value(info, data, path)
        return self.fill(info, path) if value is BAD else value

    def fill(self, info: mi.Type, path: Path) -> Any:
        self.filled.add(path)
        return repair.filler(info)

    def mapping(self, info: mi.DictType, data: dict[str, Any], path: Path) -> Any:
        self.length(info, data, path, "entry")
        result = {}
        for key, item in data.items():
            place = (*path, key)
            name = self.key(info.key_type, key, place)
            value = self.item(info.value_type, item, place)
            if name is not BAD and value is not BAD:
                result[name] = value
        return result

    def key(self, info: mi.Type, key: str, path: Path) -> Any:
        """A key of a free table; what is wrong with it is said at the key."""
        known = [str(name) for name in repair.names(info)]
        if known and key not in known:
            self.unknown(key, path[:-1], did_you_mean(key, known))
            return BAD
        self.in_key = True
        value = self.value(info, key, path)
        self.in_key = False
        return value

    def struct(self, info: mi.StructType, data: dict[str, Any], path: Path) -> Any:
        if info.array_like:
            raise TypeError(f"file formats cannot hold {info.cls.__name__}: it is written as an array")
        fields = {field.encode_name: field for field in info.fields}
        sources = {key: key for key in data if key in fields or key == info.tag_field}
        for key in data:
            if key not in sources:
                self.unknown_key(fields, sources, key, data[key], path)
        if info.tag_field in data and data[info.tag_field] != info.tag:
            self.name((info.tag,), (info.tag,), data[info.tag_field], (*path, str(info.tag_field)))
        values: dict[str, Any] = {}
        # the keys that are there come first: what is missing may turn up in one of their tables
        for name in sorted(fields, key=lambda name: name not in sources):
            field = fields[name]
            if name in sources:
                source = (*path, sources[name])
                value = self.value(field.type, data[sources[name]], source)
                if sources[name] != name:
                    self.aliases[(*path, name)] = source
                if value is BAD:
                    self.doubtful.add((*path, name))
            else:
                value = self.absent(field, path)
            if value is BAD and field.required:
                value = self.fill(field.type, (*path, name))
                if value is BAD:
                    return BAD
            if value is not BAD:
                values[field.name] = value
        try:
            return info.cls(**values)
        except (ValueError, TypeError) as error:
            self.fault(path, str(error))
            return BAD

    def absent(self, field: mi.Field, path: Path) -> Any:
        if not field.required:
            return BAD
        name = field.encode_name
        if not path and name in self.misplaced:
            item, source = self.misplaced[name]
            self.aliases[(name,)] = source
            return self.value(field.type, item, source)
        self.fault(path, f"{key_name(name)} is missing", f"add {sample(name, field.type)}")
        return BAD

    def unknown_key(
        self, fields: Mapping[str, mi.Field], sources: dict[str, str], key: str, item: Any, path: Path
    ) -> None:
        """Report a key that the table does not have, and note which one was meant."""
        free = [name for name in fields if name not in sources]
        near = nearest(key, free)
        if near is not None:
            sources[near] = key
            advice: str | None = f"did you mean {quoted(near)}?"
        elif path and key in self.top and key not in self.misplaced and fits(self.top[key], item):
            self.misplaced[key] = item, (*path, key)
            advice = f"{key} belongs at the top of the file, above the first [table]"
        else:
            advice = did_you_mean(key, fields)
        self.unknown(key, path, advice)

    def unknown(self, key: str, path: Path, advice: str | None) -> None:
        self.fault((*path, key), f"unknown key {quoted(key)}", advice, at_key=True)

    def union(self, info: mi.UnionType, data: Any, path: Path) -> Any:
        members = [repair.bare(member) for member in info.types]
        whole = {id(bare): member for bare, member in zip(members, info.types, strict=True)}
        fitting = [member for member in members if fits(member, data)]
        tagged = [m for m in fitting if isinstance(m, mi.StructType) and m.tag_field is not None]
        if len(tagged) > 1:
            return self.tagged(tagged, data, path)
        wanted = [member for member in members if not isinstance(member, mi.NoneType)]
        if fitting and isinstance(fitting[0], mi.LiteralType) and len(wanted) > 1:
            names = fitting[0].values
            return self.name(names, names, data, path, other=expected(info))
        if fitting:
            return self.value(whole[id(fitting[0])], data, path)
        if len(wanted) == 1:
            return self.value(whole[id(wanted[0])], data, path)
        return self.wrong_type(info, data, path)

    def tagged(self, members: list[mi.StructType], data: dict[str, Any], path: Path) -> Any:
        """One of several kinds of table, told apart by one key."""
        by_tag = {member.tag: member for member in members}
        field = source = str(members[0].tag_field)
        if field not in data:
            strange = [key for key in data if all(key not in names_of(member) for member in members)]
            source = next((key for key in strange if nearest(key, [field])), "")
            if not source:
                kinds = listed([shown(tag) for tag in by_tag], "or")
                self.fault(path, f"{key_name(field)} is missing", f"add {key_name(field)} = {kinds}")
                return BAD
            self.unknown(source, path, f"did you mean {quoted(field)}?")
        tag = self.name(tuple(by_tag), tuple(by_tag), data[source], (*path, source))
        if tag is BAD:
            return BAD
        rest = {key: value for key, value in data.items() if key != source}
        return self.struct(by_tag[tag], {field: tag, **rest}, path)


def names_of(info: mi.StructType) -> set[str]:
    """The keys of a table, its tag aside."""
    return {field.encode_name for field in info.fields}


_MAKERS: dict[type[mi.Type], Callable[[list[Any]], Any]] = {
    mi.ListType: list,
    mi.SetType: set,
    mi.FrozenSetType: frozenset,
}


def is_control(character: str) -> bool:
    """True for characters that move a terminal's cursor or worse; tabs and line ends are none."""
    code = ord(character)
    return (code < 32 and character not in "\t\n") or 127 <= code < 160
