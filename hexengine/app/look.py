"""What is asked of a board beside the position: hexes and units by name, reach, sight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hexengine.app.words import said
from hexengine.hexes.grid import LabelError

if TYPE_CHECKING:
    from hexengine.core.outlook import Outlook, Piece, SightLook
    from hexengine.core.tactics import Modes, ReachLook
    from hexengine.record.game import Game
    from hexengine.view.scenes import Extras


class NoTactics(click.ClickException):
    """The rule system answers no questions about ways and reach."""

    def __init__(self, system: str) -> None:
        super().__init__(said("the rule system {system} does not say what units can reach", system=system))


def tactics(game: Game) -> Any:
    """The questions about ways that the game's system answers; raises NoTactics."""
    make = getattr(game.system, "tactics", None)
    if make is None:
        raise NoTactics(game.scenario.system)
    return make(game.board)


def piece(outlook: Outlook, name: str) -> tuple[int, Piece]:
    """A unit by its id, with its number in the scenario; raises UsageError with what was perhaps meant."""
    from difflib import get_close_matches

    for number, one in enumerate(outlook.pieces):
        if one.unit == name:
            return number, one
    # Of units that are nowhere to be seen the name is not told either.
    known = [one.unit for one in outlook.pieces if one.hex >= 0 or {"due", "eliminated"} & {*one.states}]
    near = get_close_matches(name, known, 3, 0.5)
    message = "there is no unit {name!r} (did you mean {near}?)" if near else "there is no unit {name!r}"
    raise click.UsageError(said(message, name=name[:40], near=", ".join(near)))


def hex_number(game: Game, name: str) -> int:
    """A hex by its label, or by a unit that stands in it; raises UsageError."""
    outlook = game.system.view(game.position)
    try:
        return outlook.ground.map.grid.index(name)
    except LabelError as error:
        for one in outlook.pieces:
            if one.unit == name:
                if one.hex < 0:
                    raise click.UsageError(said("{unit} is not on the map", unit=name)) from None
                return one.hex
        raise click.UsageError(str(error)) from None


def line_of_sight(game: Game, a: str, b: str) -> SightLook:
    """The line between two hexes, or units; units see from where they are, be it in the air.

    Raises UsageError for what is neither a hex nor a unit on the map.
    """
    first, second = (hex_number(game, name) for name in (a, b))
    hook: Any = getattr(game.system, "sight_between", None)
    known = game.state()["units"] if hook is not None else ()
    named = [name if name in known else "" for name in (a, b)]
    if not any(named):
        return game.system.sight(game.position, first, second)
    look: SightLook = hook(game.position, first, second, *named)
    return look


class NoModes(click.ClickException):
    """The rule system does not say why hexes are out of reach."""

    def __init__(self, system: str) -> None:
        super().__init__(said("the rule system {system} has no modes of movement", system=system))


def modes_of(game: Game) -> Modes:
    """What tells of modes of movement in the game's system; raises NoTactics or NoModes."""
    found = tactics(game)
    if not hasattr(found, "explain"):
        raise NoModes(game.scenario.system)
    modes: Modes = found
    return modes


def mode_named(game: Game, name: str) -> str:
    """A mode of movement by its name or the beginning of it; raises UsageError with those there are."""
    known = list(modes_of(game).modes(game.position))
    found = [mode for mode in known if mode.startswith(name.lower())] if name else []
    if name.lower() in known or len(found) == 1:
        return name.lower() if name.lower() in known else found[0]
    message = "there is no mode of movement {name!r}; known: {modes}"
    raise click.UsageError(said(message, name=name[:40], modes=", ".join(known)))


def explained(game: Game, reach: str, mode: str | None) -> tuple[str, ReachLook]:
    """Where units may go in a mode, by default the usual one, and why not elsewhere; with the mode's name."""
    look = modes_of(game)
    name = mode_named(game, mode) if mode is not None else look.modes(game.position)[0]
    named = pieces(game.system.view(game.position), reach)
    return name, look.explain(game.position, tuple(sorted(unit_numbers(game, named))), name)


def pieces(outlook: Outlook, reach: str) -> list[str]:
    """The ids of units named with commas; raises UsageError for unknown ones, or if there are none."""
    named = [piece(outlook, name)[1].unit for name in reach.split(",") if name]
    if not named:
        raise click.UsageError(said("there is no unit {name!r}", name=reach[:40]))
    return named


def extras_for(
    game: Game, *, reach: str | None = None, sight: str | None = None, look: ReachLook | None = None
) -> Extras:
    """What is to be drawn over the position: reach of units (as ``look`` says, if given), or what a hex
    sees.
    """
    from hexengine.view.scenes import Extras, half_points, seen_from

    chips: dict[int, str] = {}
    selected: frozenset[int] = frozenset()
    if reach:
        outlook = game.system.view(game.position)
        named = [piece(outlook, name)[1] for name in pieces(outlook, reach)]
        costs = look.costs if look is not None else reach_of(game, [one.unit for one in named])
        chips = {place: half_points(cost) for place, cost in costs.items() if cost}
        selected = frozenset(one.hex for one in named if one.hex >= 0)
    seen = None
    if sight:
        origin = hex_number(game, sight)
        grid = game.system.view(game.position).ground.map.grid
        labels = grid.labels
        visible = [place for place in range(grid.size) if line_of_sight(game, sight, labels[place]).clear]
        seen = seen_from(origin, visible, grid.size)
    return Extras(chips, selected, sight=seen)


def reach_of(game: Game, names: list[str]) -> dict[int, int]:
    """What units that go together can reach, in half MP by hex; raises NoTactics."""
    numbers = tuple(sorted(unit_numbers(game, names)))
    reached: dict[int, int] = tactics(game).reach(game.position, numbers)
    return reached


def unit_numbers(game: Game, names: list[str]) -> list[int]:
    """The numbers of units in the scenario, by their ids."""
    index = {name: number for number, name in enumerate(game.state()["units"])}
    return [index[name] for name in names]
