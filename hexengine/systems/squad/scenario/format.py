"""The squad system's file formats: scenarios, terrain effects chart and counters."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from hexengine.core.formats import GoalSection, HexLabel, MarginLevel, Name, ScenarioHead, Text

MovementCost = Annotated[int, msgspec.Meta(ge=0, le=99)] | Literal["no"]
"""Whole MP, or ``no`` where nobody may go."""

PlaceLabel = Annotated[
    str,
    msgspec.Meta(pattern=r"^\d+(/(\d|b))?$", description="a hex such as 0301, 0301/1 upstairs, 0301/b below"),
]
ReadoutText = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^\d{1,2}-\d{1,2}-[12]?\d$",
        description="firepower-range-MF, such as 1-5-4, with up to 29 MF",
    ),
]
BandText = Annotated[
    str, msgspec.Meta(pattern=r"^\d{1,2}/\d{1,2}$", description="up to range/number on two dice, such as 6/8")
]
Small = Annotated[int, msgspec.Meta(ge=0, le=20)]
Morale = Annotated[int, msgspec.Meta(ge=2, le=12)]

ArmourText = Annotated[
    str, msgspec.Meta(pattern=r"^\d{1,2}/\d{1,2}$", description="armour ahead/to the side, such as 5/3")
]

Kind = Literal[
    "squad", "half-squad", "leader", "hero", "medic", "scout", "sniper", "team", "weapon", "vehicle"
]  # fmt: skip
Flag = Literal["assault", "stealth", "self-rally", "artillery"]


class TerrainRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row of the terrain effects chart (S4.10): MP on foot and of vehicles, TM, effect on sight, height.

    ``floors`` above the ground, each as high as a level of ground; ``below``: it holds a bunker or a cave,
    with a TM of its own, and room inside.
    """

    id: Name
    name: Text
    leg: MovementCost
    vehicle: MovementCost = "no"
    tm: Small = 0
    los: Literal["open", "degrading", "blocking"] = "open"
    height: Small = 0
    building: bool = False
    floors: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0
    below: Small = 0
    """TM inside the bunker or cave; 0: there is none."""


class TerrainChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row of the chart as a scenario changes it: only what differs."""

    id: Name
    leg: MovementCost | None = None
    vehicle: MovementCost | None = None
    tm: Small | None = None
    los: Literal["open", "degrading", "blocking"] | None = None
    height: Small | None = None
    floors: Annotated[int, msgspec.Meta(ge=0, le=9)] | None = None
    below: Small | None = None


class SideRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A hexside feature: MP added to the hex's cost or ``no``, and TM against fire across it into the hex."""

    id: Name
    name: Text
    leg: MovementCost
    vehicle: MovementCost = "no"
    tm: Small = 0
    uphill: bool = False
    overrides: list[Name] = []


class LineRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A road or its like: the cost that replaces the hex's, and the sides that it crosses."""

    id: Name
    name: Text
    leg: MovementCost
    vehicle: MovementCost = "no"
    crosses: list[Annotated[str, msgspec.Meta(pattern=r"^(\*|[a-z-]+)$")]] = []


class TerrainFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``data/squad/terrain.toml``."""

    terrain: list[TerrainRow]
    side: list[SideRow]
    line: list[LineRow]


class HalfSide(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A squad's half: what is absent is as for the whole squad."""

    values: ReadoutText | None = None
    morale: Morale | None = None
    shaken_morale: Morale | None = None


class Ordnance(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A weapon that rolls to hit (S14): number on two dices by range band, and its effect on men."""

    to_hit: Annotated[list[BandText], msgspec.Meta(min_length=1, max_length=6)]
    he: Small
    """Firepower of a hit's attack (S14.3)."""
    minimum: Small = 0
    penetration: Annotated[list[BandText], msgspec.Meta(max_length=6)] = []
    """Added to a die against armour, by range band (S14.2); without it the weapon does not pierce."""


class Armour(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A vehicle's armour, ahead and to the side (S14.2); one without a turret fires its gun ahead only."""

    hull: ArmourText = "0/0"
    turret: ArmourText | None = None


class UnitType(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A counter.  ``family``: nation and colour, one id (S6.2); ``smoke``: number on a die (S8.12)."""

    id: Name
    name: Text = ""
    kind: Kind
    family: Name = "any"
    values: ReadoutText
    morale: Morale = 5
    shaken_morale: Morale | None = None
    lm: Small = 0
    smoke: Annotated[int, msgspec.Meta(ge=0, le=6)] = 0
    load: Small = 0
    """MF that a weapon takes from whoever carries it (S4.7)."""
    flags: list[Flag] = []
    half: HalfSide | None = None
    ordnance: Ordnance | None = None
    armour: Armour | None = None
    """Of a vehicle."""
    seats: Small = 0
    """Whom a vehicle carries: a squad or team takes two, a half-squad or single man one (S8.4)."""


class UnitsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``data/squad/units.toml``."""

    type: list[UnitType]


Status = Literal["shaken", "half", "wounded", "hidden"]
MarkerName = Literal["moved", "assault-move", "low-crawl", "stealth", "fired", "ops-complete"]


class Unit(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``[[unit]]``: one counter: in a hex, carried by another (weapons, passengers), or placed by an event.

    ``facing``: the adjacent hex that a vehicle faces.
    """

    id: Name
    type: Name
    side: Name | None = None
    name: Text = ""
    hex: PlaceLabel | None = None
    carrier: Name | None = None
    event: Name | None = None
    facing: HexLabel | None = None
    status: list[Status] = []
    markers: list[MarkerName] = []


class Mines(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``[[mines]]``: a marker that attacks the other side's units as they enter (S13.1)."""

    hex: HexLabel
    side: Name
    fp: Annotated[int, msgspec.Meta(ge=1, le=9)] = 1
    hidden: bool = True


class FireForEffect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``[[ffe]]``: a fire-for-effect marker that lies in a hex from the start (S13.3)."""

    hex: HexLabel
    fp: Annotated[int, msgspec.Meta(ge=1, le=9)]


class Mission(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``[[mission]]``: rounds that a side's artillery may fire when it is called (S13.3)."""

    side: Name
    fp: Annotated[int, msgspec.Meta(ge=1, le=9)]
    rounds: Annotated[int, msgspec.Meta(ge=1, le=20)] = 1


class EventMarker(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``[[event]]``: what happens once when the first unit of a side enters a hex (S13.4).

    ``units`` that name this event come onto the map in their hexes; ``attack`` is a firepower that strikes
    the hex; who entered takes a morale ``check`` with this modifier (S11.5); ``points`` go to ``side``.
    """

    id: Name
    hex: PlaceLabel
    side: Name
    text: Text
    attack: Annotated[int, msgspec.Meta(ge=0, le=12)] = 0
    check: Annotated[int, msgspec.Meta(ge=-6, le=6)] | None = None
    points: Annotated[int, msgspec.Meta(ge=-100, le=100)] = 0


class Victory(GoalSection, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``[[victory]]``: one way to score (S1.6).

    ``hold``: ``points`` for each listed hex controlled (with ``at_least``: once, when so many are);
    ``losses``: for each enemy step eliminated (a squad has two, any other unit one).  ``when`` is ``end`` (of
    the game) or ``turn`` (at each turn's end); with ``wins`` fulfilling a ``hold`` at a turn's end ends it.
    """

    kind: Literal["hold", "losses"]
    at_least: Annotated[int, msgspec.Meta(ge=1)] | None = None
    when: Literal["end", "turn"] = "end"


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``[start]``: begin anywhere, as rule examples and small test positions need it.

    ``phase``: ``rally``, or the impulse of ``impulse``; ``passes`` already taken in a row.
    """

    turn: Annotated[int, msgspec.Meta(ge=1, le=99)] = 1
    phase: Literal["rally", "operations"] = "rally"
    impulse: Name | None = None
    passes: Annotated[int, msgspec.Meta(ge=0, le=2)] = 0


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``[options]``: switches of the rules, each with its default."""

    leader_range: Annotated[int, msgspec.Meta(ge=0, le=10)] = 1
    """S2.2: how far a leader's activation spreads."""
    squads_a_hex: Annotated[int, msgspec.Meta(ge=1, le=7)] = 3
    singles_a_hex: Annotated[int, msgspec.Meta(ge=1, le=9)] = 2
    vehicles_a_hex: Annotated[int, msgspec.Meta(ge=1, le=9)] = 2
    """S3.1: squads or their equal, single men, and vehicles that a side may have in one place."""
    shaken_move: Literal["closer", "out_of_los"] = "closer"
    """S4.4: a Shaken unit may not come closer to an enemy it sees, or may not enter a hex that one sees."""
    am_may_enter_melee: bool = False
    """S6.11: an assault move may end in an enemy's hex."""
    lc_adjacent_needs_go: bool = False
    """S7.8: only enemies in good order spot a low crawling unit next to them."""
    shaken_twice: Literal["casualty", "nothing"] = "casualty"
    """S8.6: what a second Shaken result does."""
    hero_creation: bool = False
    """S8.8: a natural 1 on a damage check may make a hero."""
    extended_range: bool = True
    """S8.9: fire at up to twice the printed range with half the firepower."""
    night: bool = False
    """S8.4: fire at more than two hexes at what is not lit loses 3."""
    ops_complete_of: Literal["half", "minus1"] = "half"
    """S9.6: what Ops Complete costs in opportunity fire."""


class ScenarioFile(ScenarioHead, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A scenario of the squad system."""

    system: Literal["squad"]
    initiative: Name | None = None
    """S1.2: the side that has the initiative in turn 1; by default the first."""
    options: Options = Options()
    foxholes: list[HexLabel] = []
    lit: list[HexLabel] = []
    """S8.4: hexes that are lit at night."""
    unit: Annotated[list[Unit], msgspec.Meta(min_length=1)]
    type: list[UnitType] = []
    terrain: list[TerrainChange] = []
    mines: list[Mines] = []
    ffe: list[FireForEffect] = []
    mission: list[Mission] = []
    event: list[EventMarker] = []
    victory: list[Victory] = []
    level: list[MarginLevel] = []
    start: Start | None = None
