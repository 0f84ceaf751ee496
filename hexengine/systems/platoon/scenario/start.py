"""How a scenario begins: with its first turn's cup, or wherever ``[start]`` says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hexengine.core.frames import Frame
from hexengine.mechanics.checking import Path
from hexengine.mechanics.masks import units
from hexengine.systems.platoon.board import END_OF_TURN
from hexengine.systems.platoon.cup import Cup, fill
from hexengine.systems.platoon.firing.losses import release
from hexengine.systems.platoon.operations import Operations
from hexengine.systems.platoon.position import PlatoonPosition
from hexengine.systems.platoon.scenario.format import Start
from hexengine.systems.platoon.support.missions import Missions

if TYPE_CHECKING:
    from hexengine.systems.platoon.scenario.build import Builder


def begin(pos: PlatoonPosition, builder: Builder) -> None:
    """The first turn's cup, or whatever ``[start]`` says."""
    board = pos.board
    start = builder.document.start or Start()
    pos.turn = start.turn
    if start.turn > board.turns:
        builder.report(("start", "turn"), f"the last turn is {board.turns}", rests_on=[("turns",)])
    for unit, counter in enumerate(board.counters):
        if counter.due and counter.due <= pos.turn and not counter.arrival:
            pos.due |= 1 << unit & ~pos.placed
    waiting = 0
    for number, name in enumerate(start.waiting):
        formation = builder.formation_named(("start", "waiting", number), name)
        waiting |= 1 << formation if formation is not None else 0
    fill(pos, waiting, None)
    frames: list[Frame] = [Cup()]
    if start.active is not None:
        active = builder.formation_named(("start", "active"), start.active)
        if active is not None:
            pos.active = active
            pos.waiting &= ~(1 << active)
            if start.cup is None:
                pos.cup[active] = max(0, pos.cup[active] - 1)
                pos.drawn[active] = 1
                release(pos, None)
            frames.append(Operations(active))
            if board.supported >> active & 1:
                frames.append(Missions(active, 0))
    held = _held(pos, builder, start.held)
    if start.cup is not None:
        _given_cup(pos, builder, start.cup, held)
    if start.draws is not None:
        pos.draws = builder.side(("start", "draws"), start.draws) or 0
    pos.frames = frames


def _held(pos: PlatoonPosition, builder: Builder, names: list[str]) -> int:
    """The sides that are said to keep their End of Turn marker: those that wait for a formation (P1.5)."""
    board = pos.board
    held = 0
    rests_on: list[Path] = [("start", "waiting")]
    rests_on += [("formation", number, "side") for number in range(len(board.formations))]
    for number, name in enumerate(names):
        side = builder.side(("start", "held", number), name)
        if side is not None:
            held |= 1 << side
            if not pos.waiting & board.side_formations[side]:
                builder.report(
                    ("start", "held", number),
                    f"{name} keeps its End of Turn marker but waits for no formation",
                    "list the formation under waiting",
                    rule="P1.5",
                    rests_on=[*rests_on, *_in_play(builder, range(len(board.formations)))],
                )
    return held


def _in_play(builder: Builder, formations: Sequence[int]) -> list[Path]:
    """What it rests on whether formations have units on the map or due: all that is said of these."""
    members = [unit for number in formations for unit in builder.members[number]]
    found: list[Path] = [("unit", unit) for unit in members]
    if builder.reader.grid is None:
        found.append(("map", "terrain"))
    found += [("formation", number, "id") for number in formations]
    return found + builder.membership_paths


def _given_cup(pos: PlatoonPosition, builder: Builder, names: list[str], held: int) -> None:
    """A cup as the scenario lists it: what is not in it has been drawn."""
    board = pos.board
    pos.held = held
    full = [*(formation.markers for formation in board.formations), 2 - held.bit_count()]
    pos.cup = [0] * len(board.marker_names)
    for number, name in enumerate(names):
        path: Path = ("start", "cup", number)
        kind = builder.known(path, "marker", name, board.marker_names, rests_on=builder.formation_paths(name))
        if kind is None:
            continue
        pos.cup[kind] += 1
        _check_marker(pos, builder, path, kind, full[kind])
    for kind, count in enumerate(pos.cup):
        there = kind == board.eot or pos.entered >> kind & 1
        pos.drawn[kind] = max(0, full[kind] - count) if there else 0
    _check_waiting(pos, builder, held)


def _check_marker(pos: PlatoonPosition, builder: Builder, path: Path, kind: int, full: int) -> None:
    """One more marker of a kind, of which there are so many in all, may be in the cup."""
    board = pos.board
    name = board.marker_names[kind]
    if kind != board.eot and not pos.entered >> kind & 1:
        text = f"{name} has no unit on the map or due, so its marker is not in the cup"
        rests_on = [("start", "turn"), *_in_play(builder, [kind])]
        builder.report(path, text, rule="P1.1", rests_on=rests_on)
    if pos.cup[kind] > full:
        what = "End of Turn marker" if name == END_OF_TURN else f"marker of {name}"
        text = (
            f"there is only one {what}"
            if full == 1
            else f"there are only {full} {what.replace('marker', 'markers')}"
        )
        rests_on = [("formation", kind, "markers") if kind != board.eot else ("start", "held")]
        builder.report(path, text, rule="P1.1", rests_on=rests_on + builder.formation_paths(name))
    elif kind == pos.active and pos.cup[kind] == full:
        text = f"{name} is active, so a marker of it has been drawn and is not in the cup"
        rests_on = [("start", "active"), ("formation", kind, "markers"), *builder.formation_paths(name)]
        builder.report(path, text, "leave it out", rule="P1.4", rests_on=rests_on)


def _check_waiting(pos: PlatoonPosition, builder: Builder, held: int) -> None:
    """Formations that are waited for have a marker in a given cup, and their side keeps one of its own."""
    board = pos.board
    for formation in units(pos.waiting):
        name = board.formations[formation].id
        if not pos.cup[formation]:
            text = f"{name} waits but has no marker in the cup"
            rests_on = [("start", "cup"), *builder.formation_paths(name)]
            builder.report(("start", "waiting"), text, rule="P1.5", rests_on=rests_on)
        number = board.formations[formation].side
        if not held >> number & 1:
            side = board.sides[number]
            text = f"{side} waits for {name} and so keeps an End of Turn marker"
            rests_on = [("start", "held"), ("formation", formation, "side"), *builder.formation_paths(name)]
            builder.report(
                ("start", "waiting"), text, f'add held = ["{side}"]', rule="P1.5", rests_on=rests_on
            )
