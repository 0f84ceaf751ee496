"""The platoon system's file formats: scenarios, terrain effects chart and counters."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from hexengine.core.formats import GoalSection, HexLabel, MarginLevel, Name, ScenarioHead, Text

MovementCost = Annotated[float, msgspec.Meta(ge=0, le=99)] | Literal["no"]
"""MP in steps of a half, or ``no`` where the class may not go."""

Flag = Literal["fire-on-move", "transport", "amphibious", "infantry", "team", "engineer", "recon", "indirect"]
Dice = Annotated[int, msgspec.Meta(ge=0, le=20)]
BlockText = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^\d+(u|um)?/\d+/[2-6]$",
        description="range/dice/to-hit; u behind the range: a limit, um: a limit and a missile",
    ),
]
PairText = Annotated[str, msgspec.Meta(pattern=r"^\d+/[2-6]$", description="dice/number")]


class TerrainRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row of the terrain effects chart (D1): costs in MP, sight, and bonus save dice.

    There is no column for helicopters: they pay 1 MP for every hex (P13.1).
    """

    id: Name
    name: Text
    leg: MovementCost
    tracked: MovementCost
    wheeled: MovementCost
    los: Literal["open", "partial", "blocking"] = "open"
    hard: Dice = 0
    soft: Dice = 0
    overrun: bool = False
    water: bool = False
    built: bool = False
    streets: bool = False
    """Infantry has the better of vehicles in an assault here (P7.3.3)."""
    raised: Name | None = None
    """The row that this terrain reads as at level 1 and above (P10.2)."""


class TerrainChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row of the chart as a scenario changes it: only what differs."""

    id: Name
    leg: MovementCost | None = None
    tracked: MovementCost | None = None
    wheeled: MovementCost | None = None
    los: Literal["open", "partial", "blocking"] | None = None
    hard: Dice | None = None
    soft: Dice | None = None
    overrun: bool | None = None


class SideRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A hexside feature: MP added to the hex's cost, or ``no``."""

    id: Name
    name: Text
    leg: MovementCost
    tracked: MovementCost
    wheeled: MovementCost
    uphill: bool = False
    overrides: list[Name] = []
    water: bool = False
    """Amphibious units may cross it where it is prohibited (P14.3)."""
    cover: Dice = 0
    """Save dice of a target against fire across it, with the option ``wall_cover``."""


class LineRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A road or its like: the cost that replaces the hex's, and the sides that it crosses."""

    id: Name
    name: Text
    leg: MovementCost
    tracked: MovementCost
    wheeled: MovementCost
    crosses: list[Annotated[str, msgspec.Meta(pattern=r"^(\*|[a-z-]+)$")]] = []


class TerrainFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``data/platoon/terrain.toml``."""

    terrain: list[TerrainRow]
    side: list[SideRow]
    line: list[LineRow]


class ReducedSide(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Values of the reduced side (P3.3, P9.2); what is absent stays as on the full side."""

    ap: Dice | None = None
    he: Dice | None = None
    aa: Dice | None = None
    armour: Dice | None = None
    assault: Dice | None = None
    leadership: Dice | None = None
    radius: Dice | None = None


class UnitType(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A counter (D2), of one of the kinds of P3.1."""

    id: Name
    name: Text = ""
    kind: Literal["hard", "soft", "air", "hq", "sw"]
    mobility: Literal["leg", "tracked", "wheeled", "air"] | None = None
    ma: Annotated[int, msgspec.Meta(ge=0, le=60)] = 0
    ap: BlockText | None = None
    he: BlockText | None = None
    aa: BlockText | None = None
    minimum: Annotated[int, msgspec.Meta(ge=0, le=60)] = 0
    """Nearest range at which its HE block may fire (P12.5)."""
    armour: PairText | None = None
    assault: PairText | None = None
    flags: list[Flag] = []
    reduced: ReducedSide | None = None
    leadership: Dice = 0
    radius: Dice = 0
    pictured: list[Name] = []
    """Of an HQ: the types of units that it may come back with (P9.5); empty: any."""
    mark: (
        Literal["armour", "infantry", "mechanised", "artillery", "anti-tank", "recon", "hq", "helicopter"]
        | None
    ) = None
    """The sign on the counter; by default it follows from kind and flags."""


class UnitsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``data/platoon/units.toml``."""

    type: list[UnitType]


Number = Annotated[int, msgspec.Meta(ge=0, le=99)]


class FireMissions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Missions of off-map artillery that a formation may call in the whole game (P12.1)."""

    he: Number = 0
    smoke: Number = 0


class Formation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``[[formation]]``: its side, its markers in the cup and its morale; its units name it (P0.1)."""

    id: Name
    name: Text = ""
    side: Name
    markers: Annotated[int, msgspec.Meta(ge=1, le=2)] = 1
    morale: Annotated[int, msgspec.Meta(ge=2, le=12)]
    missions: FireMissions = FireMissions()


Status = Literal["disrupted", "reduced", "fresh", "landed"]
MarkerName = Literal["ops-complete", "out-of-command", "depleted-1", "depleted-2"]


class Unit(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``[[unit]]``: one counter, on the map, aboard a carrier, or due in a turn."""

    id: Name
    type: Name
    formation: Name
    name: Text = ""
    hex: HexLabel | None = None
    carrier: Name | None = None
    turn: Annotated[int, msgspec.Meta(ge=1, le=99)] | None = None
    hexes: list[HexLabel] = []
    arrival: Annotated[int, msgspec.Meta(ge=2, le=6)] | None = None
    """From ``turn`` on, the die that must be reached each turn for it to arrive (P15)."""
    steps: Annotated[int, msgspec.Meta(ge=1, le=2)] | None = None
    status: list[Status] = []
    markers: list[MarkerName] = []
    pictured: list[Name] | None = None
    """Of an HQ: in place of its type's ``pictured``."""


class Victory(GoalSection, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``[[victory]]``: one way to score (P16.2).

    ``hold``: ``points`` for each listed hex held (with ``at_least``: once, when so many are
    held); ``steps``: for each enemy step lost; ``hq``: for each enemy HQ eliminated; ``exit``:
    for each unit that left by a listed hex.  ``when`` is ``end`` (of the game) or ``turn`` (at
    each turn's end); with ``wins = true`` fulfilling a ``hold`` at a turn's end ends the game.
    """

    kind: Literal["hold", "steps", "hq", "exit"]
    at_least: Annotated[int, msgspec.Meta(ge=1)] | None = None
    when: Literal["end", "turn"] = "end"
    at_once: bool = False
    """With ``wins``: the game ends as soon as it is fulfilled and nobody is on the move."""


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``[start]``: begin anywhere, as rule examples and small test positions need it."""

    turn: Annotated[int, msgspec.Meta(ge=1, le=99)] = 1
    active: Name | None = None
    cup: list[Name] | None = None
    held: list[Name] = []
    waiting: list[Name] = []
    draws: Name | None = None


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``[options]``: switches of the rules, each with its default."""

    setup_units_fresh: bool = False
    """P2.2.1: units set up at the start count as newly placed."""
    minimum_move: bool = False
    """P4.2: a unit that has not moved may always enter one adjacent hex that is not prohibited."""
    ops_complete_clears_at_turn_end: bool = True
    """P1.7: Ops Complete comes off every unit at the turn's end."""
    overlooked_rule: Literal["activated", "literal"] = "activated"
    """A1: overlooked is a formation that did not act (or one any of whose markers was not drawn)."""
    load_lock: Literal["activation", "turn"] = "activation"
    """A4: how long loading after an approach keeps carrier and infantry from moving."""
    recon_double_radius: bool = False
    """P2.2.7: recon units count double command radius."""
    cross_loading: bool = False
    """P5.4: carriers may take units of other formations of their side aboard."""
    dig_in: bool = False
    """P11.1: infantry may spend an activation on making an improved position."""
    wall_cover: bool = False
    """D1: a wall gives the target a save die against fire across it."""


class ScenarioFile(ScenarioHead, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A scenario of the platoon system: hexes and turns, of whatever scale (P0.2)."""

    system: Literal["platoon"]
    first_draw: Name | None = None
    """P1.8: the marker that is drawn first in the game, without chance."""
    strikes: dict[Name, Number] = {}
    """P13.3: by side, the air strikes that it may call in the whole game."""
    mines: dict[Name, Number] = {}
    """P11.2: by side, the minefields that it may lay in play, as many as it has left unseen."""
    options: Options = Options()
    formation: Annotated[list[Formation], msgspec.Meta(min_length=1)]
    unit: Annotated[list[Unit], msgspec.Meta(min_length=1)]
    type: list[UnitType] = []
    terrain: list[TerrainChange] = []
    victory: list[Victory] = []
    level: list[MarginLevel] = []
    start: Start | None = None
