"""What is asked of a board beside the position: hexes and units by name, reach, sight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from hexengine.app.words import said
from hexengine.hexes.grid import LabelError

if TYPE_CHECKING:
    from hexengine.core.outlook import Outlook, Piece, SightLook
    from hexengine.core.tactics import Modes, ReachLook, Tactics
    from hexengine.record.game import Game
    from hexengine.view.scenes import Extras


class NoTactics(click.ClickException):
    """The rule system answers no questions about ways and reach."""

    def __init__(self, system: str) -> None:
        super().__init__(said("the rule system {system} does not say what units can reach", system=system))


def tactics(game: Game) -> Tactics:
    """The questions about ways that the game's system answers; raises NoTactics."""
    found = game.system.tactics(game.board)
    if found is None:
        raise NoTactics(game.scenario.system)
    return found


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


class Spot(NamedTuple):
    """Where somebody looks from or to: a hex, and the unit or floor in it that is meant ("": its ground)."""

    hex: int
    name: str = ""


def spot(outlook: Outlook, name: str) -> Spot:
    """A hex by its label, a floor by the name that orders give it, or where a unit is, by its id.

    Raises UsageError for what is none of these, or a unit that is not on the map.
    """
    if name in outlook.floors:
        return Spot(outlook.floors[name], name)
    grid = outlook.ground.map.grid
    try:
        return Spot(grid.index(name))
    except LabelError as error:
        for one in outlook.pieces:
            if one.unit == name:
                if one.hex < 0:
                    raise click.UsageError(said("{unit} is not on the map", unit=name)) from None
                return Spot(one.hex, name)
        label, bar, _ = name.partition("/")
        if not bar or label not in grid.labels:
            raise click.UsageError(str(error)) from None
    known = ", ".join([floor for floor, place in outlook.floors.items() if place == grid.index(label)])
    message = "there is no {name}: {hex} has {floors}" if known else "there is no {name}: {hex} has no floors"
    raise click.UsageError(said(message, name=name[:40], hex=label, floors=known))


def hex_number(game: Game, name: str) -> int:
    """A hex by its label, or by a unit that stands in it; raises UsageError."""
    return spot(game.system.view(game.position), name).hex


def line_of_sight(game: Game, a: Spot, b: Spot) -> SightLook:
    """The line between two hexes, floors or units; units see from where they are, be it upstairs or in the
    air.
    """
    hook: Any = getattr(game.system, "sight_between", None)
    if hook is None or not (a.name or b.name):
        return game.system.sight(game.position, a.hex, b.hex)
    look: SightLook = hook(game.position, a.hex, b.hex, a.name, b.name)
    return look


def in_sight(game: Game, outlook: Outlook, origin: Spot) -> list[int]:
    """The hexes of which something is seen from a hex, a floor or by a unit: their ground, or a floor."""
    spots = [Spot(place) for place in range(outlook.ground.map.grid.size)]
    spots += [Spot(place, name) for name, place in outlook.floors.items()]
    return sorted({one.hex for one in spots if line_of_sight(game, origin, one).clear})


class NoModes(click.ClickException):
    """The rule system does not say why hexes are out of reach."""

    def __init__(self, system: str) -> None:
        super().__init__(said("the rule system {system} has no modes of movement", system=system))


def modes_of(game: Game) -> Modes:
    """What tells of modes of movement in the game's system; raises NoTactics or NoModes."""
    found: Any = tactics(game)
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
    game: Game, *, reach: str | None = None, sight: Spot | None = None, look: ReachLook | None = None
) -> Extras:
    """What is to be drawn over the position: reach of units (as ``look`` says, if given), or what is
    seen from a hex, a floor or by a unit.
    """
    from hexengine.view.scenes import Extras, half_points, seen_from

    chips: dict[int, str] = {}
    selected: frozenset[int] = frozenset()
    outlook = game.system.view(game.position)
    if reach:
        named = [piece(outlook, name)[1] for name in pieces(outlook, reach)]
        costs = look.costs if look is not None else reach_of(game, [one.unit for one in named])
        chips = {place: half_points(cost) for place, cost in costs.items() if cost}
        selected = frozenset(one.hex for one in named if one.hex >= 0)
    seen = None
    if sight is not None:
        seen = seen_from(sight.hex, in_sight(game, outlook, sight), outlook.ground.map.grid.size)
    return Extras(chips, selected, sight=seen)


def reach_of(game: Game, names: list[str]) -> dict[int, int]:
    """What units that go together can reach, in half MP by hex; raises NoTactics."""
    numbers = tuple(sorted(unit_numbers(game, names)))
    return tactics(game).reach(game.position, numbers)


def unit_numbers(game: Game, names: list[str]) -> list[int]:
    """The numbers of units in the scenario, by their ids."""
    index = {name: number for number, name in enumerate(game.state()["units"])}
    return [index[name] for name in names]
