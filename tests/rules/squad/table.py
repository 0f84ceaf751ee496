"""Small squad positions in a few words, for tests of the rules.

A position is a map in characters and the forces on it::

    game = begin(
        "......",
        '''
        us
            s1 squad-us 0101 shaken moved
            mg mg-us    in s1
        de
            d1 squad-de 0601/1
        loose
            lmg mg-de   0301
        ''',
    )

Without more it is the first impulse of ``us``, and nothing scores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from hexengine.content.loader import loads
from hexengine.core.errors import IllegalOrder, Refusal
from hexengine.core.events import Event
from hexengine.core.game import Game
from tests.rules.asking import codes, toml, unit

SIDES = ("us", "de")
LEGEND = {
    ".": "clear",
    "f": "fields",
    "w": "woods",
    "F": "forest",
    "r": "rough",
    "b": "light-building",
    "s": "stone-building",
    "t": "tall-building",
    "B": "bunker",
    "c": "cave",
    "~": "lake",
    "=": "ford",
}
STATUS = ("shaken", "half", "wounded", "hidden")
TYPES = (
    {
        "id": "para3",
        "kind": "squad",
        "family": "us",
        "values": "3-5-4",
        "morale": 5,
        "flags": ["assault"],
        "half": {"values": "1-5-4"},
    },
    {"id": "us254", "kind": "squad", "family": "us", "values": "2-5-4", "morale": 5, "half": {}},
    {"id": "us164", "kind": "squad", "family": "us", "values": "1-6-4", "morale": 5, "half": {}},
    {"id": "de144", "kind": "squad", "family": "de", "values": "1-4-4", "morale": 5, "half": {}},
    {"id": "de154", "kind": "squad", "family": "de", "values": "1-5-4", "morale": 5, "half": {}},
    {"id": "us454", "kind": "squad", "family": "us", "values": "4-5-4", "morale": 5, "half": {}},
    {"id": "us653", "kind": "squad", "family": "us", "values": "1-6-5", "morale": 5, "half": {},
     "flags": ["stealth", "assault"]},
    {"id": "lt", "kind": "leader", "family": "us", "values": "0-1-6", "morale": 6, "lm": 1},
    {"id": "lt5", "kind": "leader", "family": "us", "values": "0-1-5", "morale": 6, "lm": 1},
    {"id": "lt-uk", "kind": "leader", "family": "uk", "values": "0-1-6", "morale": 6, "lm": 1},
    {"id": "lt-de", "kind": "leader", "family": "de", "values": "0-1-6", "morale": 6, "lm": 1},
    {"id": "slow", "kind": "team", "family": "us", "values": "3-12-1", "morale": 5},
    {"id": "gun", "kind": "team", "family": "us", "values": "0-20-0", "morale": 5,
     "ordnance": {"to_hit": ["20/8"], "he": 4}},
    {"id": "at", "kind": "team", "family": "us", "values": "0-20-0", "morale": 5,
     "ordnance": {"to_hit": ["20/9"], "he": 2, "penetration": ["2/9", "4/2", "9/1"]}},
    {"id": "tank", "kind": "vehicle", "family": "de", "values": "4-8-8", "morale": 7, "flags": ["assault"],
     "ordnance": {"to_hit": ["20/9"], "he": 3, "penetration": ["20/5"]},
     "armour": {"hull": "5/2", "turret": "6/3"}},
    {"id": "tank6", "kind": "vehicle", "family": "de", "values": "2-8-8", "morale": 6,
     "ordnance": {"to_hit": ["20/9"], "he": 3, "penetration": ["20/5"]}, "armour": {"hull": "4/2"}},
    {"id": "track", "kind": "vehicle", "family": "us", "values": "2-8-8", "morale": 5, "seats": 3,
     "armour": {"hull": "1/1"}},
    {"id": "truck", "kind": "vehicle", "family": "us", "values": "0-0-8", "morale": 5, "seats": 4},
)  # fmt: skip


def _table(head: str, keys: Mapping[str, Any]) -> str:
    return "\n".join([f"[[{head}]]", *(f"{key} = {toml(value)}" for key, value in keys.items()), ""])


def _forces(text: str) -> str:
    side, found = "", []
    for line in text.splitlines():
        words = line.split()
        if len(words) == 1:
            side = words[0]
            continue
        if not words:
            continue
        name, kind, where, *rest = words
        unit: dict[str, Any] = {"id": name, "type": kind}
        if side != "loose":
            unit["side"] = side
        if where == "in":
            unit["carrier"] = rest.pop(0)
        else:
            unit["hex"] = where
        unit["status"] = [word for word in rest if word in STATUS]
        events = [word.partition("=")[2] for word in rest if word.startswith("event=")]
        unit["markers"] = [word for word in rest if word not in STATUS and "=" not in word]
        if events:
            unit["event"] = events[0]
        facing = [word.partition("=")[2] for word in rest if word.startswith("facing=")]
        if facing:
            unit["facing"] = facing[0]
        found.append(_table("unit", unit))
    return "\n".join(found)


def text_of(
    terrain: str,
    forces: str,
    *,
    impulse: str = "us",
    phase: str = "operations",
    turn: int = 1,
    turns: int = 6,
    passes: int = 0,
    options: Mapping[str, Any] | None = None,
    levels: str = "",
    head: Mapping[str, Any] | None = None,
    map_keys: Mapping[str, Any] | None = None,
    tables: Sequence[tuple[str, Mapping[str, Any]]] = (),
) -> str:
    """A scenario's text."""
    rows = [line.strip() for line in terrain.split("/")]
    keys = {
        "format": 1,
        "system": "squad",
        "title": "Rules",
        "turns": turns,
        "sides": list(SIDES),
        **(head or {}),
    }
    lines = [f"{key} = {toml(value)}" for key, value in keys.items()]
    lines.append('[map]\nterrain = """\n' + "\n".join(rows) + '\n"""')
    if levels:
        lines.append('levels = """\n' + "\n".join(line.strip() for line in levels.split("/")) + '\n"""')
    lines.append(f"legend = {{ {', '.join(f'{toml(k)} = {toml(v)}' for k, v in LEGEND.items())} }}")
    lines += [f"{key} = {toml(value)}" for key, value in (map_keys or {}).items()]
    if options:
        lines.append("[options]\n" + "\n".join(f"{key} = {toml(value)}" for key, value in options.items()))
    start = {"turn": turn, "phase": phase}
    if phase == "operations":
        start |= {"impulse": impulse, "passes": passes}
    lines.append("[start]\n" + "\n".join(f"{key} = {toml(value)}" for key, value in start.items()))
    lines += [_table("type", kind) for kind in TYPES if f" {kind['id']} " in forces]
    lines += [_table(name, table) for name, table in tables]
    return "\n".join(lines) + "\n" + _forces(forces)


def begin(terrain: str, forces: str, **rest: Any) -> Game:
    """A game at the position described."""
    return Game(loads(text_of(terrain, forces, **rest), "rules"), 1)


def no(game: Game, order: str) -> Refusal:
    """The refusal of an order; fails if it is legal.  Its alternative must be legal."""
    refusal = game.why_not(order)
    assert refusal is not None, f"{order} is legal"
    assert refusal.text and not refusal.text.startswith(f"{refusal.code} "), f"no words for {refusal.code}"
    assert "{" not in refusal.text
    if refusal.alternative is not None:
        assert game.why_not(refusal.alternative) is None
    before = game.digest
    with pytest.raises(IllegalOrder):
        game.play(order)
    assert game.digest == before
    return refusal


def refuses(game: Game, order: str, rule: str, code: str) -> None:
    """An order is refused by that rule, with that code."""
    refused = no(game, order)
    assert (refused.rule, refused.code) == (rule, code)


def yes(game: Game, *orders: str) -> None:
    """All of these are legal now, and listed."""
    listed = {str(order) for order in game.orders()}
    for order in orders:
        why = game.why_not(order)
        assert why is None, f"{order}: {why}"
        assert order in listed, f"{order} is legal and not listed"


def play(game: Game, *orders: str) -> list[Event]:
    """Play orders, with their dice in brackets; the events of all."""
    events: list[Event] = []
    for order in orders:
        events += game.play(order)
    game.system.invariants(game.position)
    return events


def event(events: Sequence[Event], code: str) -> Event:
    """The only event of a code."""
    found = [one for one in events if one.code == code]
    assert len(found) == 1, f"{code} came {len(found)} times in {codes(events)}"
    return found[0]


def parts(facts: Mapping[str, Any]) -> set[tuple[str, int]]:
    """What an attack or a roll to hit is made of: codes and values."""
    return {(part.code, part.value) for part in facts["parts"]}


def where(game: Game, name: str) -> str | None:
    """The place of a unit, as orders name it."""
    facts = unit(game, name)
    found: str | None = facts.get("place", facts["hex"])
    return found


def decision(game: Game) -> tuple[str, str]:
    """Whose decision it is, and of what kind."""
    assert game.decision is not None
    return game.decision.side, game.decision.kind


CLOSING = {"group": "done", "reaction": "pass", "operations": "end", "rally": "done"}


def close(game: Game) -> list[Event]:
    """Close the group on the move, passing windows, and end the impulse in which it moved."""
    assert game.decision is not None
    pos = game.position
    side = next(frame.side for frame in pos.frames if type(frame).__name__ == "Impulse")  # type: ignore[attr-defined]
    events: list[Event] = []
    while game.decision is not None and pos.acted and pos.frames[0].side == side:  # type: ignore[attr-defined]
        events += play(game, CLOSING[game.decision.kind])
    return events
