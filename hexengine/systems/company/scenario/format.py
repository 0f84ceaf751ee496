"""The company system's file formats: scenarios, terrain, tables and teams.

Distances are printed in inches, as on the table; ``scale.py`` turns them into whole hexes (C1.1).
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from hexengine.core.formats import GoalSection, HexLabel, Name, ScenarioHead, Text

Inches = Annotated[str, msgspec.Meta(pattern=r"^\d{1,3} in$", description="a distance such as 12 in")]
Die = Annotated[int, msgspec.Meta(ge=1, le=7)]
"""A number that a die must reach; 7 is never reached."""
Small = Annotated[int, msgspec.Meta(ge=0, le=20)]
Count = Annotated[int, msgspec.Meta(ge=1, le=40)]
Factor = Annotated[int, msgspec.Meta(ge=1, le=4)]
ArmourText = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^\d{1,2}/\d{1,2}/\d{1,2}$", description="armour ahead/to the side/above, such as 6/4/1"
    ),
]
HexSide = Annotated[str, msgspec.Meta(pattern=r"^\d+/\d+$", description="a hexside such as 0102/0202")]

Going = Literal["open", "slow", "difficult", "very-difficult", "impassable"]
Kind = Literal["infantry", "gun", "vehicle", "cavalry"]
Size = Literal["man-packed", "light", "medium", "heavy", "immobile"]
Flag = Literal["aa", "command", "company", "observer", "pioneer-supply", "turret", "tank"]
Skill = Literal["conscript", "trained", "veteran"]
Motivation = Literal["reluctant", "confident", "fearless"]


class TerrainRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Terrain of a hex: its going (C1.5, C1.6), cover (C4.4), and what it does to sight.

    ``water``: nobody digs in there (C3.10); ``building``: the hex is a room (C6.1).
    """

    id: Name
    name: Text
    going: Going = "open"
    conceals: bool = False
    bulletproof: bool = False
    blocks: bool = False
    height: Small = 0
    water: bool = False
    building: bool = False


class TerrainChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A terrain row as a scenario changes it: only what differs."""

    id: Name
    going: Going | None = None
    conceals: bool | None = None
    bulletproof: bool | None = None
    blocks: bool | None = None
    height: Small | None = None
    water: bool | None = None


class SideRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A hexside feature: going to cross it, and cover against shots across it from outside."""

    id: Name
    name: Text
    going: Going = "open"
    conceals: bool = False
    bulletproof: bool = False


class LineRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A road or its like; only those that are ``road`` give the road allowance."""

    id: Name
    name: Text
    road: bool = False


class MobilityRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Allowances of a class of movement (C1.5); ``checks``: it takes going checks (C1.6)."""

    id: Name
    name: Text
    road: Inches
    cross: Inches
    difficult: Inches
    checks: bool = True


class TerrainFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``data/company/terrain.toml``."""

    terrain: list[TerrainRow]
    side: list[SideRow]
    line: list[LineRow]
    mobility: list[MobilityRow]


class Distances(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Distances of the rules, in inches."""

    standoff: Inches
    charge: Inches
    contact: Inches
    defence: Inches
    breakoff: Inches
    long_range: Inches
    supply: Inches
    command: dict[Skill, Inches]
    command_tanks: dict[Skill, Inches]
    joined: Inches
    ambush: Inches


class TemplateRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A bombardment by so many guns or more: radius in hexes, and what is thrown again (C13.6)."""

    guns: Count
    radius: Annotated[int, msgspec.Meta(ge=0, le=6)]
    again: Literal["none", "hits", "misses"] = "none"


class Stacking(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a side may have in a hex (C1.3): so many other teams, or vehicles, or others by one vehicle."""

    teams: Annotated[int, msgspec.Meta(ge=1, le=7)]
    vehicles: Annotated[int, msgspec.Meta(ge=1, le=15)]
    beside_vehicle: Annotated[int, msgspec.Meta(ge=0, le=7)]


class MoreToHit(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is added to the score to hit (C4.4, C12.2), or to range in (C13.6)."""

    concealed: Small
    gone_to_ground: Small
    long_range: Small
    company_observer: Small


class AtTheDouble(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Moving at the double: how many times the distance (C2.1, C13.5), and the dice against it (C2.9)."""

    distance: Factor
    dice: Factor


class AssaultNumbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Assaults: rounds before the struck must break off (C13.4), and Firepower against armour (C13.3)."""

    rounds: Count
    firepower: Die


class TablesFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``data/company/tables.toml``: numbers of tests, scores to hit, saves, distances, templates.

    ``going``: the die of a going check (C1.6); ``pinned_rof``: the most dice of a pinned team (C12.1);
    ``ranging_tries``: C13.6; ``company_losses``: per cent of its platoons lost at which a company tests
    (C10.4).
    """

    skill: dict[Skill, Die]
    motivation: dict[Motivation, Die]
    to_hit: dict[Skill, Die]
    saves: dict[Literal["infantry", "man-packed", "gun", "cavalry", "unarmoured"], Die]
    pinning_hits: Count
    pinned_rof: Small
    reserves: Die
    going: Die
    ranging_tries: Count
    company_losses: Annotated[int, msgspec.Meta(ge=1, le=100)]
    stacking: Stacking
    more_to_hit: MoreToHit
    double: AtTheDouble
    assault: AssaultNumbers
    distances: Distances
    template: list[TemplateRow]


class WeaponRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A weapon (C12.1): range, rate of fire standing and moved, anti-tank, Firepower."""

    id: Name
    range: Inches
    rof: Annotated[int, msgspec.Meta(ge=1, le=9)]
    moved: Annotated[int, msgspec.Meta(ge=0, le=9)] = 1
    at: Small
    firepower: Die


class Bombardment(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a gun adds to a bombardment (C13.6)."""

    range: Inches
    at: Small
    firepower: Die
    smoke: bool = False


class TeamType(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A kind of team; ``armour`` is front/side/top, absent for what is not armoured.

    ``weapons``: ids, the second one (of vehicles: their machine guns) is used with the word ``mg``.
    ``assault_at``: its anti-tank strength in an assault.
    """

    id: Name
    name: Text
    kind: Kind
    mobility: Name
    size: Size | None = None
    armour: ArmourText | None = None
    weapons: Annotated[list[Name], msgspec.Meta(max_length=2)] = []
    assault_at: Small = 2
    bombardment: Bombardment | None = None
    flags: list[Flag] = []


class UnitsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``data/company/units.toml``."""

    weapon: list[WeaponRow]
    type: list[TeamType]


class PlatoonSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``[[platoon]]``: teams that act together; reserves and ambushes come in their ``hexes`` (C10.2)."""

    id: Name
    side: Name
    name: Text = ""
    skill: Skill
    motivation: Motivation
    reserve: bool = False
    ambush: bool = False
    hexes: list[HexLabel] = []
    status: list[Literal["pinned"]] = []


Status = Literal["dug-in", "bailed-out", "bogged", "out-of-command"]
MarkerName = Literal["moved", "doubled", "shot", "tried-to-dig", "blocker"]


class Unit(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``[[unit]]``: one team of a platoon, or an Independent one with a side and ratings of its own.

    ``facing`` is an adjacent hex; ``touching`` the hex behind an opening that it is in contact with (C6.4);
    ``floor`` where in a room it is (C6.6).
    """

    id: Name
    type: Name
    platoon: Name | None = None
    side: Name | None = None
    name: Text = ""
    skill: Skill | None = None
    motivation: Motivation | None = None
    hex: HexLabel | None = None
    facing: HexLabel | None = None
    touching: HexLabel | None = None
    floor: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0
    status: list[Status] = []
    markers: list[MarkerName] = []


class OpeningSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``[[opening]]``: a door, window or breach in a building's wall (C6.3); width in team bases."""

    side: HexSide
    kind: Literal["door", "window", "breach"] = "door"
    floor: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0
    width: Annotated[int, msgspec.Meta(ge=1, le=6)] = 1


class AirSupport(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``[[air]]``: flights that a side may call, one a turn (C13.7); ``need`` is the priority level's die."""

    side: Name
    calls: Count
    need: Annotated[int, msgspec.Meta(ge=1, le=6)]
    rof: Annotated[int, msgspec.Meta(ge=1, le=9)]
    at: Small
    firepower: Die


class Victory(GoalSection, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``[[victory]]``: ``hold`` scores for each hex controlled at the end, ``losses`` for each enemy team
    lost.

    With ``wins`` a side that holds the hexes as its own turn starts (from ``from_turn`` on) wins at once.
    """

    kind: Literal["hold", "losses"]
    from_turn: Annotated[int, msgspec.Meta(ge=1, le=99)] = 1


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``[start]``: begin anywhere: in a step of the turn of ``active``, by default the first side."""

    turn: Annotated[int, msgspec.Meta(ge=1, le=99)] = 1
    active: Name | None = None
    step: Literal["starting", "movement", "shooting", "assault"] = "starting"


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``[options]``: switches of the rules, each with its default."""

    hex_inches: Annotated[int, msgspec.Meta(ge=1, le=12)] = 2
    """C1.1: inches of the table in a hex."""
    double_may_leave_standoff: bool = True
    """C2.5: a team that starts too close to the enemy may move off at the double."""
    double_negates_concealment: bool = False
    """C2.13: teams that moved at the double are never concealed."""
    buildings_are_difficult: bool = True
    """C8.9: rooms are difficult ground."""
    no_dig: list[Name] = []
    """C3.10: more terrain in which nobody digs in."""


class ScenarioFile(ScenarioHead, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A scenario of the company system."""

    system: Literal["company"]
    options: Options = Options()
    hedges: list[HexSide] = []
    inner_walls: list[HexSide] = []
    opening: list[OpeningSection] = []
    platoon: Annotated[list[PlatoonSection], msgspec.Meta(min_length=1)]
    unit: Annotated[list[Unit], msgspec.Meta(min_length=1)]
    type: list[TeamType] = []
    weapon: list[WeaponRow] = []
    terrain: list[TerrainChange] = []
    air: list[AirSupport] = []
    victory: list[Victory] = []
    start: Start | None = None
