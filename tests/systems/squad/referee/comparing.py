"""Two accounts of one thing: what the referee expects, and what the engine tells or shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.systems.squad.referee.ledger import Wrong

NO_NEWS = {"revealed"}
"""Events whose place among others says nothing."""
STRENGTH = {"lead", "joins"}
"""Parts of an attack that are one number to the referee: which of two equal units leads is of no matter."""

Told = tuple[str, Mapping[str, Any]]
"""An event as the referee expects it: its code, and those of its facts that it knows."""


def differences(mine: Any, theirs: Any, where: str = "") -> str:
    """The first things in which two facts differ."""
    if isinstance(mine, Mapping) and isinstance(theirs, Mapping):
        found = [
            differences(mine.get(key), theirs.get(key), f"{where}/{key}")
            for key in sorted({*mine, *theirs})
            if not same(mine.get(key), theirs.get(key))
        ]
        return "; ".join(found[:4])
    return f"{where}: referee {mine!r}, engine {theirs!r}"


def same(mine: Any, theirs: Any) -> bool:
    """Equal, sets being as good as lists."""
    if isinstance(mine, set):
        return mine == set(theirs or ())
    if isinstance(mine, Mapping) and isinstance(theirs, Mapping):
        return all(same(mine.get(key), theirs.get(key)) for key in {*mine, *theirs})
    return bool(mine == theirs)


def plain(facts: Mapping[str, Any]) -> dict[str, Any]:
    """An event's facts with its contributions added up by code."""
    found = dict(facts)
    for key in ("parts", "cover"):
        if isinstance(facts.get(key), list):
            sums: dict[str, int] = {}
            for part in facts[key]:
                code = "strength" if part.code in STRENGTH else part.code
                sums[code] = sums.get(code, 0) + part.value
            found[key] = {code: value for code, value in sums.items() if value}
    return found


def compare_events(text: str, told: Sequence[Told], events: Sequence[Any]) -> None:
    """Compare what should have been told with what was; raises Wrong."""
    mine = [(code, facts) for code, facts in told if code not in NO_NEWS]
    theirs = [(event.code, plain(event.facts)) for event in events if event.code not in NO_NEWS]
    for number in range(max(len(mine), len(theirs))):
        one = mine[number] if number < len(mine) else None
        two = theirs[number] if number < len(theirs) else None
        if one is None or two is None or one[0] != two[0]:
            raise Wrong(f"{text}: event {number + 1}: referee {one}, engine {two}")
        for key, value in one[1].items():
            if not told_alike(value, two[1].get(key)):
                raise Wrong(f"{text}: {key}: referee {one}, engine {two}")
    expected = sorted(facts["unit"] for code, facts in told if code in NO_NEWS)
    shown = sorted(event.facts["unit"] for event in events if event.code in NO_NEWS)
    if expected != shown:
        raise Wrong(f"{text}: the referee reveals {expected}, the engine {shown}")


def told_alike(mine: Any, theirs: Any) -> bool:
    """Equal, whatever the order of units in a list; parts of nothing do not count."""
    if isinstance(mine, Mapping):
        return bool({code: part for code, part in mine.items() if part} == theirs)
    if isinstance(mine, list) and isinstance(theirs, list):
        return sorted(map(str, mine)) == sorted(map(str, theirs))
    return bool(mine == theirs)
