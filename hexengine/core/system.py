"""Rule systems: what one offers, and where they are found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from hexengine.core.errors import BrokenSystem, UnknownSystem

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from hexengine.core.errors import Refusal
    from hexengine.core.events import Event
    from hexengine.core.orders import Order, Usage
    from hexengine.core.outlook import Outlook, SightLook
    from hexengine.core.position import Position
    from hexengine.core.tactics import Tactics

BUILT_IN = {
    "platoon": "hexengine.systems.platoon",
    "squad": "hexengine.systems.squad",
    "company": "hexengine.systems.company",
}
"""Systems of this package: name and the module whose ``SYSTEM`` it is."""

ENTRY_POINTS = "hexengine.systems"


class Report(Protocol):
    """How a system reports a fault of a scenario; ``path`` are the keys and indexes that lead to it.

    ``row`` and ``column`` count from 0 inside a multi-line text.  ``file`` names the data file, by
    the key of ``data_types``, if the fault lies there.  With ``at_key`` it is the last key of the path.

    ``rests_on`` are the paths of the values beside its own that a fault follows from.  Where a fault in one
    of them has been told, this one may be none, and is dropped.  Without it everything in the same table
    counts as such.
    """

    def __call__(
        self,
        path: Sequence[str | int],
        text: str,
        suggestion: str | None = None,
        *,
        rule: str | None = None,
        row: int | None = None,
        column: int | None = None,
        file: str | None = None,
        at_key: bool = False,
        rests_on: Iterable[Sequence[str | int]] | None = None,
    ) -> None: ...


class RuleSystem(Protocol):
    """One rule system: stateless, beside the position it works on.

    A system that hides anything from a side also has ``observed(pos, side)``: a copy of the position
    without it, or None if nothing is hidden from that side now; and ``secrets(pos)``: what is hidden from
    anybody, so that an order after which it is another one is never taken back.  One that can say what each
    victory condition gives has ``conditions(pos)``, a sequence of hexengine.core.conditions.Condition.

    One whose data files can be wrong in more than form may have ``check_data(name, value, report)``, which
    looks at the content of the data file ``name``; ``hexengine check`` asks it.
    """

    name: str
    rules_version: int
    """Moves only when the behaviour of a legal game moves."""
    scenario_type: type[Any]
    """The msgspec Struct of its scenario files."""
    data_types: Mapping[str, type[Any]]
    """The msgspec Structs of its data files, by file stem."""

    def build(self, document: Any, data: Mapping[str, Any], report: Report) -> Any | None:
        """Check the meaning of a scenario and compile it to a board; None if a fault was reported."""
        ...

    def start(self, board: Any) -> Position:
        """The position at the start of the scenario."""
        ...

    def parse(self, board: Any, text: str) -> Order:
        """Read an order's canonical text; raises InvalidOrder."""
        ...

    def state(self, pos: Any) -> dict[str, Any]:
        """The position as plain JSON values; docs/formats.md (States) says which keys there are."""
        ...

    def describe(self, board: Any, refusal: Refusal) -> str:
        """A refusal in words."""
        ...

    def narrate(self, board: Any, event: Event) -> str:
        """An event in words."""
        ...

    def usage(self, board: Any) -> Mapping[str, Usage]:
        """How orders are written and what they mean, by verb."""
        ...

    def view(self, pos: Any) -> Outlook:
        """What is to be seen of a position, as plain data."""
        ...

    def sight(self, pos: Any, a: int, b: int) -> SightLook:
        """The line of sight between two hexes, with its facts.

        Where units may see otherwise than from the ground of their hexes, a system offers beside it
        ``sight_between(pos, a, b, first, second)`` with what is meant in them: the id of a unit, the name of
        one of the outlook's ``floors``, or "" for the ground.
        """
        ...

    def tactics(self, board: Any) -> Tactics | None:
        """What answers the questions of a rule-based player; None: nothing does."""
        ...


class SystemEntry(NamedTuple):
    """An installed system: its name, how to get it, and where it comes from, as ``module:attribute``."""

    name: str
    load: Callable[[], RuleSystem]
    origin: str


def _load_built_in(module: str) -> Callable[[], RuleSystem]:
    def load() -> RuleSystem:
        system: RuleSystem = import_module(module).SYSTEM
        return system

    return load


@cache
def _registry() -> dict[str, SystemEntry]:
    entries = {
        name: SystemEntry(name, _load_built_in(module), f"{module}:SYSTEM")
        for name, module in BUILT_IN.items()
    }
    for point in _entry_points():
        entries.setdefault(point.name, SystemEntry(point.name, point.load, point.value))
    return entries


def _entry_points() -> Iterable[EntryPoint]:
    from importlib.metadata import entry_points

    return entry_points(group=ENTRY_POINTS)


_registered: dict[str, RuleSystem] = {}


def register(system: RuleSystem) -> None:
    """Make a system known to this process, as tests and notebooks need it."""
    _registered[system.name] = system


def system_names() -> Iterable[str]:
    """The names of all systems, sorted."""
    return sorted({*_registered, *_registry()})


def shadowed() -> list[str]:
    """Systems of other packages, as ``name = module:attribute``, that cannot be had: the name is taken."""
    entries = _registry()
    return [
        f"{point.name} = {point.value}"
        for point in _entry_points()
        if entries[point.name].origin != point.value
    ]


def get_system(name: str) -> RuleSystem:
    """The system of that name; raises UnknownSystem, or BrokenSystem for one that does not load."""
    if name in _registered:
        return _registered[name]
    entry = _registry().get(name)
    if entry is None:
        raise UnknownSystem(name, system_names())
    try:
        system = entry.load()
        own = system.name
    except Exception as error:
        raise BrokenSystem(name, f"{entry.origin}: {type(error).__name__}: {error}") from error
    if own != name:
        text = f"{entry.origin} has the name {own!r}, its entry point {name!r}; they must be the same"
        raise BrokenSystem(name, text)
    return system
