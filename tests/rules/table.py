"""Small platoon positions in a few words, for tests of the rules.

A position is a map in characters and the forces on it::

    game = begin(
        "......",
        '''
        blue A morale 7 markers 2
            hq1 hq-us 0101
            t1  m1    0101 disrupted ops-complete steps=1
            i1  inf-us in c1
            r1  m1    due 3 0101 0102
        red B
            t9  t-72  0601
        ''',
        active="A",
    )

A line that begins with a side is a formation, any other a unit of the formation above it: its id,
its type, and its place: a hex, ``in`` a carrier, or ``due`` in a turn with its entry hexes; then
what is marked on it.  Formations have one marker and morale 7 unless they say otherwise, and no
missions (``he 2 smoke 1``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from hexengine.content.loader import loads
from hexengine.core.errors import IllegalOrder, Refusal
from hexengine.core.events import Event
from hexengine.core.game import Game
from tests.rules.asking import toml

SIDES = ("blue", "red")
LEGEND = {
    ".": "clear",
    "f": "fields",
    "r": "rough",
    "w": "woods",
    "F": "forest",
    "b": "burnt-woods",
    "t": "town",
    "c": "city",
    "u": "ruins",
    "m": "marsh",
    "l": "lake",
    "s": "sand",
}
MARKERS = ("ops-complete", "out-of-command", "depleted-1", "depleted-2")
STATUS = ("disrupted", "reduced", "fresh", "landed")


def _table(head: str, keys: Mapping[str, Any]) -> str:
    return "\n".join([head, *(f"{key} = {toml(value)}" for key, value in keys.items()), ""])


def _formation(words: list[str]) -> dict[str, Any]:
    side, name, *rest = words
    values = dict(zip(rest[::2], map(int, rest[1::2]), strict=True))
    missions = {shell: values.pop(shell) for shell in ("he", "smoke") if shell in values}
    more = {"missions": missions} if missions else {}
    return {"id": name, "side": side, "markers": 1, "morale": 7, **values, **more}


def _unit(formation: str, words: list[str]) -> dict[str, Any]:
    name, kind, *rest = words
    unit: dict[str, Any] = {"id": name, "type": kind, "formation": formation}
    if rest[0] == "in":
        unit["carrier"] = rest[1]
        rest = rest[2:]
    elif rest[0] == "due":
        unit["turn"] = int(rest[1])
        unit["hexes"] = [word for word in rest[2:] if word.isdigit()]
        rest = [word for word in rest[2:] if not word.isdigit()]
    else:
        unit["hex"] = rest.pop(0)
    unit["status"] = [word for word in rest if word in STATUS]
    unit["markers"] = [word for word in rest if word in MARKERS]
    for word in rest:
        key, equals, number = word.partition("=")
        if equals:
            unit[key] = int(number) if number.isdigit() else number.split("+")
        else:
            assert word in STATUS + MARKERS, f"{word} is nothing that a unit can be"
    return unit


def _forces(text: str) -> str:
    formations: list[str] = []
    units: list[str] = []
    last = ""
    for line in text.splitlines():
        words = line.split()
        if not words:
            continue
        if words[0] in SIDES:
            last = words[1]
            formations.append(_table("[[formation]]", _formation(words)))
        else:
            units.append(_table("[[unit]]", _unit(last, words)))
    return "\n".join(formations + units)


def scenario(
    terrain: str,
    forces: str,
    *,
    turns: int = 6,
    head: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    on_map: Mapping[str, Any] | None = None,
    start: Mapping[str, Any] | None = None,
    more: str = "",
) -> str:
    """The text of a scenario.

    ``head``: further keys of the file (``first_draw``); ``on_map``: keys of ``[map]`` (``levels``,
    ``roads``, ``rivers``, ``control`` ...); ``start``: keys of ``[start]``; ``more``: further tables
    in TOML (``[[type]]``, ``[[terrain]]``, ``[[victory]]``).
    """
    rows = [line.strip() for line in terrain.split() if line.strip()]
    used = {sign: name for sign, name in LEGEND.items() if any(sign in row for row in rows)}
    board = {"terrain": "\\n".join(rows), **(on_map or {})}
    parts = [
        _table("", {"format": 1, "system": "platoon", "title": "test", "turns": turns, "sides": SIDES}),
        _table("", head or {}),
        _table("[options]", options or {}),
        _table("[map]", {**board, "legend": {f'"{sign}"': name for sign, name in used.items()}}),
        _forces(forces),
        more,
        _table("[start]", start) if start else "",
    ]
    return "\n".join(parts)


def begin(terrain: str, forces: str, *, active: str | None = None, seed: int = 0, **rest: Any) -> Game:
    """A game of such a scenario; with ``active`` that formation's operations have just begun.

    ``start``, ``cup``, ``draws``, ``held``, ``waiting`` and ``turn`` go into ``[start]``, the rest to
    :func:`scenario`.
    """
    start = dict(rest.pop("start", {}))
    if active is not None:
        start["active"] = active
    for key in ("cup", "draws", "held", "waiting", "turn"):
        if key in rest:
            start[key] = rest.pop(key)
    game = Game(loads(scenario(terrain, forces, start=start, **rest), "test"), seed)
    game.system.invariants(game.position)  # type: ignore[attr-defined]
    return game


# -- playing and looking ------------------------------------------------------------------------


def play(game: Game, *orders: str) -> list[Event]:
    """Play orders, with dice and markers in brackets; all events.  Invariants are held after each."""
    events: list[Event] = []
    for order in orders:
        events += game.play(order)
        game.system.invariants(game.position)  # type: ignore[attr-defined]
    return events


def to_the_cup(game: Game) -> list[Event]:
    """End what is going on without doing anything more; all events."""
    events: list[Event] = []
    closing = {"reaction": "pass", "missions": "done", "group": "done", "operations": "end"}
    while game.decision is not None and game.decision.kind != "draw":
        events += game.play(closing[game.decision.kind])
    return events


def refuse(game: Game, order: str, rule: str, code: str) -> Refusal:
    """The order is refused by that rule, with that code, changes nothing and is not offered."""
    before = game.digest
    refusal = game.why_not(order)
    assert refusal is not None, f"{order} is legal"
    assert (refusal.rule, refusal.code) == (rule, code), str(refusal)
    assert order.partition(" [")[0] not in map(str, game.orders())
    assert refusal.text and "{" not in refusal.text, "a refusal says in words what is wrong"
    if refusal.alternative is not None:
        assert game.why_not(refusal.alternative) is None, "what is suggested is legal"
    with pytest.raises(IllegalOrder):
        game.play(order)
    assert game.digest == before
    return refusal


def allows(game: Game, order: str) -> bool:
    """Whether an order is legal now; what is offered and what is judged must agree."""
    legal = game.why_not(order) is None
    assert legal == (order in map(str, game.orders())), f"{order}: the list and the judge differ"
    return legal


def cup(game: Game) -> dict[str, Any]:
    """The cup: ``in``, ``drawn``, ``held``, ``waiting``, ``draws``."""
    state: dict[str, Any] = game.state()["cup"]
    return state
