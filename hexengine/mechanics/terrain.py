"""A terrain chart as a scenario changes it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, TypeVar

import msgspec

from hexengine.core.system import Report


class Row(Protocol):
    """A row of a chart, or the changes of one: a msgspec Struct with an id."""

    @property
    def id(self) -> str:
        """The terrain that it is about."""
        ...


OneRow = TypeVar("OneRow", bound=Row)


def changed_rows(rows: Iterable[OneRow], changes: Iterable[Row], report: Report) -> dict[str, OneRow]:
    """Terrain rows by id, as the scenario's ``[[terrain]]`` changes them: in what a change gives, no more."""
    found = {row.id: row for row in rows}
    changed: set[str] = set()
    for number, change in enumerate(changes):
        row: Any = found.get(change.id)
        if row is None:
            known = f"terrains are {', '.join(found)}"
            report(
                ("terrain", number, "id"), f"there is no terrain {change.id!r} to change", known, rests_on=()
            )
            continue
        if change.id in changed:
            text = f"the terrain {change.id!r} is changed twice"
            report(("terrain", number, "id"), text, "put the changes into one [[terrain]]", rests_on=())
        changed.add(change.id)
        given = msgspec.structs.asdict(change)  # type: ignore[arg-type]
        different = {name: value for name, value in given.items() if value is not None}
        found[change.id] = msgspec.structs.replace(row, **different)
    return found
