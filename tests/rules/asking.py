"""What tests of rules ask of a game and of events, and how they write values."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hexengine.core.events import Event
from hexengine.core.game import Game


def toml(value: Any) -> str:
    """A value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {toml(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def unit(game: Game, name: str) -> dict[str, Any]:
    """The state of a unit: hex, steps, status, markers, spent, carrier, passengers."""
    state: dict[str, Any] = game.state()["units"][name]
    return state


def where(game: Game, name: str) -> str | None:
    """The hex of a unit, None off the map."""
    place: str | None = unit(game, name)["hex"]
    return place


def marks(game: Game, name: str) -> set[str]:
    """Status and markers of a unit together."""
    state = unit(game, name)
    return {*state["status"], *state["markers"]}


def codes(events: Iterable[Event]) -> list[str]:
    """The codes of events, in order."""
    return [event.code for event in events]


def facts(events: Iterable[Event], code: str) -> Mapping[str, Any]:
    """The facts of the only event with that code."""
    found = every(events, code)
    assert len(found) == 1, f"{len(found)} events {code}"
    return found[0]


def every(events: Iterable[Event], code: str) -> Sequence[Mapping[str, Any]]:
    """The facts of all events with that code, in order."""
    return [event.facts for event in events if event.code == code]
