"""Faults planted in a good scenario: each must be told in one run, at its place, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hexengine.content.loader import loads
from hexengine.core.errors import ContentError, Problem

MARK = "@"
"""Stands in ``new`` before what the fault is told of; without it that is the beginning of ``new``."""
FIRST = 0xE000
"""The first of the signs that stand for the marks of several faults while they are planted."""


class Fault(NamedTuple):
    """A change of a text that makes one fault, and what is said of it."""

    old: str
    new: str
    said: str


class Planted(NamedTuple):
    """A text with faults, and for each of them line, column and what is said."""

    text: str
    expected: list[tuple[int, int, str]]


def plant(text: str, faults: Sequence[Fault]) -> Planted:
    """The text with all these faults; AssertionError if one of them does not find its place."""
    for number, fault in enumerate(faults):
        assert text.count(fault.old) == 1, f"{fault.old!r} stands {text.count(fault.old)} times in the text"
        new = fault.new if MARK in fault.new else MARK + fault.new
        text = text.replace(fault.old, new.replace(MARK, chr(FIRST + number)))
    places = {}
    plain = ""
    for character in text:
        number = ord(character) - FIRST
        if 0 <= number < len(faults):
            places[number] = plain.count("\n") + 1, len(plain) - plain.rfind("\n")
        else:
            plain += character
    return Planted(plain, [(*places[number], fault.said) for number, fault in enumerate(faults)])


def problems(text: str) -> list[Problem]:
    """What is told of a text."""
    try:
        loads(text, "planted")
    except ContentError as error:
        return list(error.problems)
    return []


def differences(text: str, faults: Sequence[Fault]) -> list[str]:
    """What was not told of planted faults, and what was told beside them."""
    planted = plant(text, faults)
    told = problems(planted.text)
    found = []
    for line, column, said in planted.expected:
        same = [one for one in told if (one.line, one.column) == (line, column) and said in one.text]
        if same:
            told.remove(same[0])
        else:
            found.append(f"not told: {line}:{column}: {said}")
    return found + [f"not planted: {problem}" for problem in told]


def apart(text: str, faults: Iterable[Fault]) -> list[Fault]:
    """Of some faults as many as can be planted together, one after the other."""
    found: list[Fault] = []
    for fault in faults:
        try:
            plant(text, [*found, fault])
        except AssertionError:
            continue
        found.append(fault)
    return found


def pairs(text: str, faults: Sequence[Fault], first: Fault) -> list[str]:
    """What is told wrongly of the pairs of one fault with each of those behind it that go with it."""
    found: list[str] = []
    for other in faults[faults.index(first) + 1 :]:
        if len(apart(text, [first, other])) == 2:
            found += differences(text, [first, other])
    return found
