"""What a faulty value was perhaps meant to be, and what may stand in its place while the checking goes on."""

import datetime
import re
from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple

import msgspec.inspect as mi

from hexengine.content.words import Path, holds_tables, quoted, shown


class _Bad:
    """The type of BAD."""

    def __repr__(self) -> str:
        return "BAD"


BAD: Final = _Bad()
"""Stands for a value of which nothing can be made."""

_WHOLE = re.compile(r"[+-]?[0-9]{1,9}\Z")


def names(info: mi.Type) -> list[Any]:
    """The values of a fixed set; an empty list for every other type."""
    info = bare(info)
    if isinstance(info, mi.EnumType):
        return [member.value for member in info.cls]
    return list(info.values) if isinstance(info, mi.LiteralType) else []


class Meant(NamedTuple):
    """A reading of a value of the wrong type.

    ``step`` is set where only the brackets are wrong: the step of the path that should be there and the step
    that is there instead.
    """

    value: Any
    advice: str
    step: tuple[Path, Path] | None = None


class Limits(NamedTuple):
    """The range of a number, ends included; None is no limit. As text: ``from 1 to 8``, ``at least 1``."""

    least: float | None
    most: float | None
    open_least: bool = False
    open_most: bool = False

    def hold(self, value: float) -> bool:
        """True where the value is inside."""
        if self.least is not None and (value < self.least or (self.open_least and value == self.least)):
            return False
        return self.most is None or not (value > self.most or (self.open_most and value == self.most))

    def nearest(self, value: float) -> Any:
        """The end of the range beyond which the value lies, or BAD where that end is not in the range."""
        if self.least is not None and value <= self.least:
            return BAD if self.open_least else self.least
        return BAD if self.open_most else self.most

    def __str__(self) -> str:
        least = f"{'more than' if self.open_least else 'at least'} {self.least}"
        most = f"{'less than' if self.open_most else 'at most'} {self.most}"
        if self.most is None:
            return least
        if self.least is None:
            return most
        if self.open_least or self.open_most:
            return f"{least} and {most}"
        return f"from {self.least} to {self.most}"


def limits(info: mi.IntType | mi.FloatType) -> Limits:
    """The range of a number's type; whole numbers have no open ends."""
    if isinstance(info, mi.IntType):
        least = info.ge if info.gt is None else info.gt + 1
        most = info.le if info.lt is None else info.lt - 1
        return Limits(least, most)
    return Limits(
        info.ge if info.gt is None else info.gt,
        info.le if info.lt is None else info.lt,
        info.gt is not None,
        info.lt is not None,
    )


_PLURALS = {"character": "characters", "entry": "entries"}


def wrong_length(info: Any, length: int, unit: str) -> str | None:
    """What is wrong with a length, as the rest of a sentence; None if it is right."""
    least, most = info.min_length, info.max_length
    too_few = least is not None and length < least
    if not too_few and (most is None or length <= most):
        return None
    if too_few and least == 1:
        return "must not be empty"
    wanted = "exactly" if least == most else "at least" if too_few else "at most"
    number = least if too_few else most
    return f"must have {wanted} {number} {unit if number == 1 else _PLURALS[unit]}, not {length}"


@cache
def matcher(pattern: str) -> Callable[[str], Any]:
    """The search for a type's pattern as JSON Schema reads it: ``$`` is the very end, digits are 0 to 9."""
    end = r"\Z" if pattern.endswith("$") else ""
    return re.compile(pattern.removesuffix("$") + end, re.ASCII).search


def bare(info: mi.Type) -> mi.Type:
    """The type without its notes."""
    while isinstance(info, mi.Metadata):
        info = info.type
    return info


def fits(info: mi.Type, data: Any) -> bool:
    """True where ``data`` is of the right kind, whatever may be wrong inside it.

    Raises TypeError for a type that no file format can have.
    """
    match info:
        case mi.Metadata():
            return fits(info.type, data)
        case mi.UnionType():
            return any(fits(member, data) for member in info.types)
        case mi.AnyType():
            return True
        case mi.LiteralType():
            return any(type(value) is type(data) for value in info.values)
        case mi.EnumType():
            return any(type(member.value) is type(data) for member in info.cls)
        case mi.StrType():
            return isinstance(data, str)
        case mi.BoolType():
            return isinstance(data, bool)
        case mi.IntType():
            return isinstance(data, int) and not isinstance(data, bool)
        case mi.FloatType():
            return isinstance(data, int | float) and not isinstance(data, bool)
        case mi.StructType() | mi.DictType():
            return isinstance(data, dict)
        case mi.CollectionType() | mi.TupleType():
            return isinstance(data, list)
        case mi.NoneType():
            return data is None
        case mi.DateTimeType():
            return isinstance(data, datetime.datetime)
        case mi.DateType():
            return isinstance(data, datetime.date) and not isinstance(data, datetime.datetime)
        case mi.TimeType():
            return isinstance(data, datetime.time)
    raise TypeError(f"file formats cannot hold {info!r}")


def meant(info: mi.Type, data: Any) -> Meant | None:
    """What a value of the wrong kind was meant to be, if that is plain."""
    match info:
        case mi.StrType() if hasattr(data, "isoformat") or isinstance(data, int | float):
            text = data.isoformat() if hasattr(data, "isoformat") else shown(data)
            if info.pattern is None or matcher(info.pattern)(text):
                return Meant(text, f"write {quoted(text)}, in quotes")
        case mi.BoolType() if data in ("true", "false"):
            return Meant(data == "true", f"write {data} without quotes")
        case mi.BoolType() if data in (0, 1):
            return Meant(bool(data), f"write {shown(bool(data))}")
        case mi.IntType() | mi.FloatType() if isinstance(data, str) and _WHOLE.match(data):
            return Meant(int(data), f"write {int(data)} without quotes")
        case mi.IntType() if isinstance(data, float) and abs(data) < 2**53 and data == int(data):
            return Meant(int(data), f"write {int(data)}")
        case mi.StructType() if isinstance(data, list) and len(data) == 1 and isinstance(data[0], dict):
            return Meant(data, "write [name], not [[name]]: it stands once", ((), (0,)))
        case mi.CollectionType() if holds_tables(info.item_type) and isinstance(data, dict):
            return Meant([data], "write [[name]], not [name]", ((0,), ()))
        case mi.CollectionType() if isinstance(data, str | int | float) and _may_be(info.item_type, data):
            rest = ", …" * ((info.min_length or 1) - 1)
            return Meant([data], f"write [{shown(data)}{rest}]")
    return None


def _may_be(info: mi.Type, data: Any) -> bool:
    """Whether ``data`` is right as a value of a simple type, as far as names and patterns go."""
    known = names(info)
    pattern = getattr(bare(info), "pattern", None)
    if not fits(info, data) or (known and data not in known):
        return False
    return not pattern or matcher(pattern)(data) is not None


def filler(info: mi.Type) -> Any:
    """Some value of the type, as plain as can be; BAD if there is none."""
    return _filler(info, 8)


def _filler(info: mi.Type, depth: int) -> Any:
    match info:
        case mi.Metadata():
            return _filler(info.type, depth)
        case mi.UnionType():
            optional = any(isinstance(member, mi.NoneType) for member in info.types)
            return None if optional else _filler(info.types[0], depth)
        case mi.BoolType():
            return False
        case mi.IntType() | mi.FloatType():
            value = 0 if limits(info).hold(0) else limits(info).nearest(0)
            return float(value) if isinstance(info, mi.FloatType) and value is not BAD else value
        case mi.StrType():
            return " " * (info.min_length or 0)
        case mi.LiteralType():
            return info.values[0]
        case mi.EnumType():
            return next(iter(info.cls))
        case mi.DictType():
            return {}
        case mi.ListType() | mi.VarTupleType():
            items = [_filler(info.item_type, depth) for _ in range(info.min_length or 0)]
            if any(item is BAD for item in items):
                return BAD
            return items if isinstance(info, mi.ListType) else tuple(items)
        case mi.SetType():
            return set()
        case mi.FrozenSetType():
            return frozenset()
        case mi.TupleType():
            parts = [_filler(part, depth) for part in info.item_types]
            return BAD if any(part is BAD for part in parts) else tuple(parts)
        case mi.StructType() if depth:
            return _empty(info, depth - 1)
    return BAD


def _empty(info: mi.StructType, depth: int) -> Any:
    values = {field.name: _filler(field.type, depth) for field in info.fields if field.required}
    if any(value is BAD for value in values.values()):
        return BAD
    try:
        return info.cls(**values)
    except (ValueError, TypeError):
        return BAD
