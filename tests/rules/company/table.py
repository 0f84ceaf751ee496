"""Small company positions in a few words, for tests of the rules.

A position is a map in characters and the forces on it::

    game = begin(
        "......",
        '''
        red
            p trained [confident] [pinned]
                a rifle-mg 0101 [dug-in] [moved] [faces 0201] [touches 0102]
        grey
            alone g observer 0601 veteran fearless
        ''',
        step="shooting",
    )

Without more it is the Movement Step of ``red`` in turn 1 of 6, and nothing scores.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from hexengine.content.loader import loads
from hexengine.core.errors import IllegalOrder, Refusal
from hexengine.core.events import Event
from hexengine.core.game import Game
from hexengine.core.scenario import Scenario
from tests.rules.asking import toml

SIDES = ("red", "grey")
LEGEND = {
    ".": "clear",
    "f": "fields",
    "r": "rough",
    "w": "woods",
    "W": "forest",
    "m": "marsh",
    "~": "lake",
    "b": "building",
}
SKILLS = ("conscript", "trained", "veteran")
MOTIVATIONS = ("reluctant", "confident", "fearless")
STATUS = ("dug-in", "bailed-out", "bogged", "out-of-command")
MARKERS = ("moved", "doubled", "shot", "tried-to-dig", "blocker")
PLATOON = ("reserve", "ambush")


def section(head: str, keys: Mapping[str, Any]) -> str:
    """A table of an array in TOML."""
    return "\n".join([f"[[{head}]]", *(f"{key} = {toml(value)}" for key, value in keys.items())])


def _platoon(side: str, words: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {"id": words[0], "side": side, "skill": words[1]}
    found["motivation"] = words[2] if words[2:3] and words[2] in MOTIVATIONS else "confident"
    hexes = [word for word in words[2:] if word.isdigit()]
    if hexes:
        found["hexes"] = hexes
    for name in PLATOON:
        if name in words:
            found[name] = True
    if "pinned" in words:
        found["status"] = ["pinned"]
    return found


def _unit(words: list[str], more: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"id": words[0], "type": words[1], **more}
    rest = words[2:]
    while rest:
        word = rest.pop(0)
        if word.isdigit():
            found["hex"] = word
        elif word == "faces":
            found["facing"] = rest.pop(0)
        elif word == "touches":
            found["touching"] = rest.pop(0)
        elif word == "floor":
            found["floor"] = int(rest.pop(0))
        elif word in STATUS:
            found.setdefault("status", []).append(word)
        elif word in MARKERS:
            found.setdefault("markers", []).append(word)
        elif word in SKILLS:
            found["skill"] = word
        else:
            assert word in MOTIVATIONS, word
            found["motivation"] = word
    return found


def _forces(text: str) -> str:
    parts: list[str] = []
    side = platoon = ""
    for line in text.splitlines():
        words = line.split()
        if not words:
            continue
        if words[0] in SIDES:
            side, platoon = words[0], ""
        elif words[0] == "alone":
            parts.append(section("unit", _unit(words[1:], {"side": side})))
        elif len(words) > 1 and words[1] in SKILLS:
            platoon = words[0]
            parts.append(section("platoon", _platoon(side, words)))
        else:
            parts.append(section("unit", _unit(words, {"platoon": platoon})))
    return "\n\n".join(parts)


def text_of(
    terrain: str,
    forces: str,
    *,
    active: str = "red",
    step: str = "movement",
    turn: int = 1,
    turns: int = 6,
    options: Mapping[str, Any] | None = None,
    map: Mapping[str, Any] | None = None,  # noqa: A002
    tables: str = "",
    **rest: Any,
) -> str:
    """The scenario file of a position; ``rest`` are more top-level keys, tables of arrays as lists of
    mappings.
    """
    rows = terrain.strip("\n")
    head: list[str] = ["format = 1", 'system = "company"', 'title = "A test"', f"turns = {turns}"]
    head.append(f"sides = {toml(SIDES)}")
    arrays = {key: value for key, value in rest.items() if value and isinstance(value[0], Mapping)}
    head += [f"{key} = {toml(value)}" for key, value in rest.items() if key not in arrays]
    if options:
        head.append(f"options = {toml(options)}")
    used = {letter: LEGEND[letter] for letter in sorted(set(rows) - {"\n"})}
    legend = toml({f'"{letter}"': name for letter, name in used.items()})
    head += [
        "[map]",
        f'terrain = """\n{rows}\n"""',
        f"legend = {legend}",
    ]
    head += [f"{key} = {toml(value)}" for key, value in (map or {}).items()]
    parts = ["\n".join(head), _forces(forces)]
    parts += [section(key, one) for key, value in arrays.items() for one in value]
    parts.append(f'[start]\nturn = {turn}\nactive = "{active}"\nstep = "{step}"')
    return "\n\n".join([*parts, tables]) + "\n"


def scenario(terrain: str, forces: str, **rest: Any) -> Scenario:
    """A small scenario."""
    return loads(text_of(terrain, forces, **rest), "test.toml")


def begin(terrain: str, forces: str, *, seed: int = 0, **rest: Any) -> Game:
    """A game in a small position."""
    return Game(scenario(terrain, forces, **rest), seed)


def play(game: Game, *orders: str) -> list[Event]:
    """Play orders, with their dice in brackets; the events of all of them."""
    events: list[Event] = []
    for order in orders:
        events += game.play(order)
    return events


def refuse(game: Game, order: str, rule: str, code: str) -> Refusal:
    """An order must be refused by a rule; playing it must change nothing."""
    before = game.digest
    why = game.why_not(order)
    assert why is not None, f"{order} is legal"
    assert (why.rule, why.code) == (rule, code), f"{order}: {why.rule} {why.code} {dict(why.facts)}"
    assert why.text
    assert "{" not in why.text, why.text
    with pytest.raises(IllegalOrder):
        game.play(order)
    assert game.digest == before
    return why


def allows(game: Game, order: str) -> bool:
    """Whether an order is legal."""
    return game.why_not(order) is None


def offered(game: Game, verb: str) -> set[str]:
    """The legal orders with a verb."""
    return {str(order) for order in game.orders() if order.verb == verb}
