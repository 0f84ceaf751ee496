"""The victory conditions of a scenario (P16.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hexengine.mechanics.victory import Goal
from hexengine.systems.platoon.board import FormationData
from hexengine.systems.platoon.scenario.format import Victory

if TYPE_CHECKING:
    from hexengine.systems.platoon.scenario.build import Builder

ABOUT_HEXES = ("hold", "exit")


def read_goals(builder: Builder, formations: Sequence[FormationData]) -> list[Goal]:
    """The victory conditions, as far as their sides are known."""
    found = []
    for number, goal in enumerate(builder.document.victory):
        path = ("victory", number)
        side = builder.side((*path, "side"), goal.side)
        hexes = builder.goal_hexes(path, goal, builder.locate) if builder.reader.grid is not None else ()
        _check_goal(builder, number, goal)
        if side is not None:
            if goal.kind == "hq":
                _check_prey(builder, number, side, formations)
            found.append(
                Goal(goal.kind, side, hexes, goal.points, goal.at_least or 0,
                     goal.when == "turn", goal.wins, goal.at_once)
            )  # fmt: skip
    return found


def _check_prey(builder: Builder, number: int, side: int, formations: Sequence[FormationData]) -> None:
    """There are points for HQs where the enemy has one."""
    if any(formation.hq >= 0 and formation.side != side for formation in formations):
        return
    rests_on: list[Any] = [("victory", number, "side"), *builder.kind_paths(range(len(builder.unit_ids)))]
    rests_on += [("formation", one, "side") for one in range(len(formations))]
    rests_on += [path for u, path in enumerate(builder.membership_paths) if builder.kind(u) == "hq"]
    text = f"{builder.document.sides[1 - side]} has no HQ that could be eliminated"
    builder.report(("victory", number, "kind"), text, rule="P16.2", rests_on=rests_on)


def _check_goal(builder: Builder, number: int, goal: Victory) -> None:
    """What a condition says goes with its kind."""
    kind = goal.kind

    def fault(key: str, text: str, advice: str | None = None, *others: str) -> None:
        rests_on: list[Any] = [("victory", number, other) for other in ("kind", *others)]
        builder.report(("victory", number, key), text, advice, rests_on=rests_on)

    listed = {*goal.hexes} if goal.hex is None else {*goal.hexes, goal.hex}
    if kind in ABOUT_HEXES and not listed:
        fault("kind", f"{kind} needs a hex or hexes", None, "hex", "hexes")
    elif kind not in ABOUT_HEXES:
        for key in ("hex", "hexes"):
            if getattr(goal, key):
                fault(key, f"{kind} counts wherever it happens: it has no {key}", "leave it out")
    if goal.wins and kind != "hold":
        fault("wins", "only hold can win at once", "leave it out")
    if goal.at_once and not goal.wins:
        fault("at_once", "only what wins can win at once", "add wins = true", "wins")
    if goal.when == "turn" and kind != "hold":
        fault("when", "only hold can score each turn", "leave it out")
    if goal.at_least is None:
        return
    if kind != "hold":
        fault("at_least", f"only hold asks for a number of hexes, {kind} does not", "leave it out")
    elif listed and goal.at_least > len(listed):
        what = "only one hex is listed" if len(listed) == 1 else f"only {len(listed)} hexes are listed"
        fault("at_least", what)
