"""From what a position shows (``hexengine.core.outlook``) to the scene of a board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

from hexengine.core.outlook import OFF_MAP, Ground, Outlook, Piece, SightLook
from hexengine.hexes import HexMap
from hexengine.view.scene import Cell, Counter, Header, Landscape, Pair, Scene, Sight, UnitRow
from hexengine.view.words import word

SIGNS = {
    "armour": ("○", "A"),
    "infantry": ("×", "I"),
    "mechanised": ("Ø", "M"),
    "artillery": ("●", "R"),
    "anti-tank": ("Λ", "T"),
    "recon": ("/", "/"),
    "hq": ("■", "H"),
    "helicopter": ("∞", "8"),
    "hero": ("♥", "*"),
    "medic": ("+", "+"),
    "sniper": ("♂", "o"),
    "weapon": ("¬", "w"),
}
"""Kinds of units, and their mark on a counter with its ASCII stand-in."""

DISRUPTED, OUT_OF_COMMAND, OPS_COMPLETE = "disrupted", "out-of-command", "ops-complete"
UNSAID = frozenset({"reduced", "carried"})
"""States that a list of units shows by other means."""

WATER = frozenset({"river", "stream"})
"""Hexsides over which a road runs on a bridge; a trail goes through the ford."""

_landscapes: WeakKeyDictionary[Ground, Landscape] = WeakKeyDictionary()


class Extras(NamedTuple):
    """What is shown on a board beside the position itself; see the fields of Scene."""

    chips: Mapping[int, str] = {}
    selected: frozenset[int] = frozenset()
    path: tuple[int, ...] = ()
    sight: Sight | None = None
    log: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def landscape(ground: Ground) -> Landscape:
    """The printed map, made once."""
    known = _landscapes.get(ground)
    if known is None:
        known = _landscapes[ground] = _landscape(ground)
    return known


def _landscape(ground: Ground) -> Landscape:
    plan = ground.map
    names = [row.id for row in plan.chart.terrains]
    cells = tuple(
        Cell(names[terrain], level, ground.names.get(place))
        for place, (terrain, level) in enumerate(zip(plan.terrain, plan.levels, strict=True))
    )
    sides: dict[Pair, tuple[str, ...]] = {side: tuple(features) for side, features in plan.sides.items()}
    for side, features in ground.features.items():
        sides[side] = (*sides.get(side, ()), *features)
    for side, lines in plan.lines.items():
        features = sides.get(side, ())
        water = WATER.intersection(features)
        if water and "bridge" not in features and any(_spans(plan, line, water) for line in lines):
            sides[side] = (*features, "bridge")
    return Landscape(plan.grid, cells, sides, {side: tuple(lines) for side, lines in plan.lines.items()})


def _spans(plan: HexMap, line: str, water: frozenset[str]) -> bool:
    """Whether a line takes no notice of the water that it crosses."""
    crosses = plan.chart.line_rows[line].crosses
    return "*" in crosses or water.issubset(crosses)


def scene(outlook: Outlook, extras: Extras = Extras()) -> Scene:  # noqa: B008
    """The board of a position."""
    ground = outlook.ground
    land = landscape(ground)
    return Scene(
        land,
        ground.sides,
        tuple(_counters(outlook.pieces, outlook.letters)),
        extras.chips,
        outlook.marks,
        extras.selected,
        extras.path,
        extras.sight,
        outlook.objectives,
        Header(
            outlook.turn,
            ground.turns,
            phase_word(outlook.phase),
            outlook.active,
            outlook.active_side,
            outlook.cup,
        ),
        tuple(unit_rows(outlook)),
        extras.log,
        (*score_lines(outlook), *support_lines(outlook), *extras.notes),
        tuple((letter, state_word(state)) for state, letter in outlook.letters.items()),
        outlook.leaders,
    )


def phase_word(phase: str) -> str:
    """A phase as the header names it."""
    known = {
        "draw": word("Draw"),
        "operations": word("Operations"),
        "reaction": word("Opportunity fire"),
        "over": word("Game over"),
    }
    return known.get(phase) or phase.replace("-", " ").capitalize()


def state_word(state: str) -> str:
    """A state as lists of units name it."""
    known = {
        DISRUPTED: word("disrupted"),
        OUT_OF_COMMAND: word("out of command"),
        OPS_COMPLETE: word("ops complete"),
        "fresh": word("fresh"),
        "finished": word("finished"),
        "reduced": word("reduced"),
        "carried": word("aboard"),
        "due": word("may enter"),
        "eliminated": word("eliminated"),
        "landed": word("landed"),
        "depleted-1": word("few missiles"),
        "depleted-2": word("no missiles"),
    }
    return known.get(state) or state.replace("-", " ")


def marks_of(sign: str) -> tuple[str, str]:
    """The mark of a kind of unit, and its ASCII stand-in; of an unknown kind its first letter."""
    known = SIGNS.get(sign)
    if known is None:
        letter = sign[:1].upper() if sign[:1].isascii() and sign[:1].isalpha() else "?"
        return letter, letter
    return known


def _counters(pieces: Sequence[Piece], letters: Mapping[str, str]) -> Iterable[Counter]:
    """One counter a hex: the top of its stack, with how many are in it and whether somebody leads them.

    Whoever flies over others is not on top, but shown by a sign on their counter.
    """
    stacks: dict[int, list[Piece]] = {}
    for piece in pieces:
        if piece.hex != OFF_MAP and not piece.attached:
            stacks.setdefault(piece.hex, []).append(piece)
    for place, stack in stacks.items():
        above = [piece for piece in stack if piece.flies]
        if len(above) < len(stack):
            stack = [piece for piece in stack if not piece.flies]
        else:
            above = [piece for piece in stack if piece.side != stack[0].side]
            stack = [piece for piece in stack if piece.side == stack[0].side]
        fighters = [piece for piece in stack if not piece.leader]
        top = fighters[0] if fighters else stack[0]
        mark, plain = marks_of(top.sign)
        yield Counter(
            place,
            top.side,
            mark,
            plain,
            top.name,
            top.strength,
            top.steps,
            top.steps < top.full,
            DISRUPTED in top.states,
            OUT_OF_COMMAND in top.states,
            OPS_COMPLETE in top.states,
            max(1, len(fighters)),
            len(fighters) < len(stack),
            "".join(letter for state, letter in letters.items() if state in top.states),
            bool(above),
        )


def unit_rows(outlook: Outlook) -> list[UnitRow]:
    """The list of units: who can act now, then the active formation's, its side's, and the others.

    The lost, and those who are still to come, are left out.
    """
    ready = {piece.unit for piece in outlook.pieces if piece.ready}
    shown = [piece for piece in outlook.pieces if "eliminated" not in piece.states and _exists(piece)]

    def weight(piece: Piece) -> int:
        if piece.unit in ready or piece.carrier in ready:
            return 0
        if piece.side != outlook.active_side:
            return 3
        return 1 if piece.group == outlook.active else 2

    return [_row(outlook, piece) for piece in sorted(shown, key=weight)]


def _exists(piece: Piece) -> bool:
    return piece.hex != OFF_MAP or "due" in piece.states


def _row(outlook: Outlook, piece: Piece) -> UnitRow:
    mark, plain = marks_of(piece.sign)
    place = outlook.ground.map.grid.label(piece.hex) if piece.hex != OFF_MAP else "-"
    states = [state_word(state) for state in piece.states if state not in UNSAID]
    if piece.carrier:
        states.append(word("with {unit}").format(unit=piece.carrier))
    return UnitRow(
        piece.side,
        mark,
        plain,
        piece.unit,
        place,
        piece.strength,
        piece.steps,
        piece.steps < piece.full,
        ", ".join(states),
        piece.readout,
    )


def score_lines(outlook: Outlook) -> Iterable[str]:
    """The points, where there are any."""
    if outlook.score:
        sides = outlook.ground.sides
        points = ", ".join(f"{side} {points}" for side, points in zip(sides, outlook.score, strict=False))
        yield word("score: {points}").format(points=points)


def support_word(kind: str) -> str:
    """What may be called from off the map, as notes name it."""
    known = {
        "he": word("HE"),
        "smoke": word("smoke"),
        "strike": word("air strikes"),
        "air": word("aircraft"),
        "mines": word("mines"),
    }
    return known.get(kind) or kind.replace("-", " ")


def support_lines(outlook: Outlook) -> Iterable[str]:
    """A line for each formation or side: what it may still call."""
    lines: dict[str, list[str]] = {}
    for one in outlook.support:
        who = one.group or outlook.ground.sides[one.side]
        lines.setdefault(who, []).append(f"{support_word(one.kind)} {one.left}")
    for who, parts in lines.items():
        yield word("{who}: {support}").format(who=who, support=", ".join(parts))


def seen_from(origin: int, visible: Iterable[int], grid_size: int) -> Sight:
    """What can be seen from a hex, for a board."""
    seen = frozenset(visible)
    return Sight(origin, seen, frozenset(range(grid_size)) - seen - {origin})


def line_of(look: SightLook) -> Sight:
    """One line of sight, for a board."""
    return Sight(look.origin, frozenset(), frozenset(), look.target, look.line, look.stop)


def half_points(halves: int) -> str:
    """MP in halves as people write them: ``1``, ``1½``, ``½``."""
    whole, half = divmod(halves, 2)
    if not half:
        return str(whole)
    return f"{whole}½" if whole else "½"
