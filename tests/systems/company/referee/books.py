"""The referee's books: teams and platoons with everything that is true of them (C1 to C11)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tests.systems.company.referee.sheet import Sheet

DATA = Path(__file__).resolve().parents[4] / "data" / "company"
MARKERS = {
    "moved": "moved",
    "doubled": "doubled",
    "tried-to-dig": "tried",
    "shot": "shot",
    "blocker": "blocker",
}
STATUS = {"dug-in": "dug", "bailed-out": "bailed", "bogged": "bogged", "out-of-command": "stray"}
MARKS = (*MARKERS.values(), *STATUS.values(), "turned", "touched", "full", "stirred", "engaged", "due")


class Weapon(NamedTuple):
    """A weapon; ``number`` is its place among all weapons."""

    number: int
    id: str
    range: int
    rof: int
    moved: int
    at: int
    firepower: int


class Barrage(NamedTuple):
    """What a gun adds to a bombardment (C13.6)."""

    range: int
    at: int
    firepower: int
    smoke: bool


class Platoon:
    """A platoon, or an Independent team by itself."""

    def __init__(self, id_: str, side: str, command: int, *, alone: bool = False) -> None:
        self.id = id_
        self.side = side
        self.command = command
        self.alone = alone
        self.teams: list[Team] = []
        self.hexes: list[int] = []
        self.pinned = self.bled = self.charged = self.fighting = self.answered = False
        self.struck = 0

    @property
    def there(self) -> list[Team]:
        """Its teams on the map."""
        return [team for team in self.teams if team.hex >= 0]

    @property
    def left(self) -> list[Team]:
        """Its teams that are not lost."""
        return [team for team in self.teams if not team.lost]

    @property
    def leader(self) -> Team | None:
        """Its Command team on the map."""
        return next((team for team in self.there if "command" in team.flags), None)


class Team:
    """A team; ``hex`` is -1 where it is not on the map, ``contact`` an opening or -1 (C6.4)."""

    def __init__(
        self, number: int, unit: Mapping[str, Any], kind: Mapping[str, Any], platoon: Platoon
    ) -> None:
        self.number = number
        self.id: str = unit["id"]
        self.platoon = platoon
        self.side = platoon.side
        self.type: str = kind["id"]
        self.kind: str = kind["kind"]
        self.size: str = kind.get("size", "")
        self.flags = frozenset(kind.get("flags", ()))
        armour = kind.get("armour")
        self.armour = tuple(map(int, armour.split("/"))) if armour else None
        self.assault_at: int = kind.get("assault_at", 2)
        self.foot = self.kind == "infantry" or self.size == "man-packed"
        self.digs = self.kind in ("infantry", "gun")
        self.vehicle = self.kind == "vehicle"
        self.faces = self.vehicle or (self.kind == "gun" and self.size != "man-packed")
        self.skill = self.motivation = self.to_hit = self.save = 0
        self.allowance = (0, 0, 0)
        self.checks = True
        self.weapons: list[Weapon] = []
        self.barrage: Barrage | None = None
        self.hex = self.contact = self.hole = -1
        self.facing = self.floor = self.hits = 0
        self.headings: set[int] = set()
        """Where it may face, if there were several shortest ways."""
        self.coming = ""
        """How it still has to come: reserve, ambush, or not at all."""
        self.origin = (-1, 0)
        self.lost = False
        self.dug = self.bailed = self.bogged = self.stray = self.due = False
        self.moved = self.doubled = self.tried = self.shot = self.blocker = False
        self.turned = self.touched = self.full = self.stirred = self.engaged = False

    @property
    def mobile(self) -> bool:
        """Whether it can move at all (C1.5)."""
        return any(self.allowance)

    @property
    def fights(self) -> bool:
        """Whether it is of a kind that charges, and can (C13.1)."""
        kind = self.kind in ("infantry", "cavalry") or self.armour is not None
        return kind and self.mobile and self.hex >= 0 and not (self.bailed or self.bogged)

    @property
    def arc(self) -> bool:
        """Whether it shoots ahead alone (C1.4)."""
        return self.faces and "turret" not in self.flags

    def like(self) -> tuple[Any, ...]:
        """What two teams that differ in nothing but their names have in common (C12.3)."""
        kinds = (self.type, self.skill, self.motivation, self.platoon.id, self.hex, self.floor)
        marks = (
            self.dug,
            self.moved,
            self.doubled,
            self.shot,
            self.tried,
            self.bailed,
            self.bogged,
            self.stray,
        )
        return (*kinds, *marks, self.faces and self.facing, self.full, self.contact, self.origin, self.hits)


class Books:
    """Everything that a referee knows of a game."""

    def __init__(self, text: str) -> None:
        self.scenario = scenario = tomllib.loads(text)
        self.tables, terrain, units = [_data(name) for name in ("tables", "terrain", "units")]
        self.inches: int = scenario.get("options", {}).get("hex_inches", 2)
        self.sheet = Sheet(scenario, terrain)
        self.sides: list[str] = scenario["sides"]
        self.types = {row["id"]: row for row in units["type"]}
        self.types.update({row["id"]: row for row in scenario.get("type", ())})
        rows = {row["id"]: row for row in units["weapon"]}
        rows.update({row["id"]: row for row in scenario.get("weapon", ())})
        self.weapons = {name: self._weapon(number, row) for number, (name, row) in enumerate(rows.items())}
        self.mobility = {row["id"]: row for row in terrain["mobility"]}
        self.reach = {
            name: self.hexes(inches)
            for name, inches in self.tables["distances"].items()
            if isinstance(inches, str)
        }
        self.muster()
        self.turn = 1
        self.control: dict[int, str] = {}
        self.smoke: dict[str, set[int]] = {side: set() for side in self.sides}
        self.air = {row["side"]: row for row in scenario.get("air", ())}
        self.calls = {side: row["calls"] for side, row in self.air.items()}
        self.flying = dict.fromkeys(self.sides, False)
        self.passed: dict[str, set[int]] = {side: set() for side in self.sides}
        """By side the buildings that were cleared for it as the step began or by a test (C7.1, C7.4)."""
        self.result: dict[str, Any] | None = None
        self._place_all()

    # -- the files -----------------------------------------------------------------------------------

    def hexes(self, inches: str) -> int:
        """C1.1: a distance such as ``6 in`` in hexes."""
        return int(inches.split()[0]) // self.inches

    def _weapon(self, number: int, row: Mapping[str, Any]) -> Weapon:
        reach = self.hexes(row["range"])
        return Weapon(number, row["id"], reach, row["rof"], row.get("moved", 1), row["at"], row["firepower"])

    def muster(self) -> None:
        """Platoons in the order of the file, then Independent teams; teams in the order of the file."""
        self.platoons: list[Platoon] = []
        self.teams: list[Team] = []
        sections = {row["id"]: row for row in self.scenario.get("platoon", ())}
        units = self.scenario.get("unit", ())
        kinds = [self.types[unit["type"]] for unit in units]
        for name, row in sections.items():
            own = [kind for unit, kind in zip(units, kinds, strict=True) if unit.get("platoon") == name]
            tanks = any("tank" in kind.get("flags", ()) for kind in own)
            table = self.tables["distances"]["command_tanks" if tanks else "command"]
            platoon = Platoon(name, row["side"], self.hexes(table[row["skill"]]))
            platoon.pinned = "pinned" in row.get("status", ())
            platoon.hexes = [self.sheet.number[label] for label in row.get("hexes", ())]
            self.platoons.append(platoon)
        by_name = {platoon.id: platoon for platoon in self.platoons}
        for number, (unit, kind) in enumerate(zip(units, kinds, strict=True)):
            section = sections.get(unit.get("platoon", ""), {})
            if section:
                platoon = by_name[section["id"]]
            else:
                platoon = Platoon(unit["id"], unit["side"], 0, alone=True)
                self.platoons.append(platoon)
            team = Team(number, unit, kind, platoon)
            platoon.teams.append(team)
            self.teams.append(team)
            self._equip(team, kind, unit.get("skill") or section["skill"],
                        unit.get("motivation") or section["motivation"])  # fmt: skip
            team.coming = "reserve" if section.get("reserve") else "ambush" if section.get("ambush") else ""
        self.team = {team.id: team for team in self.teams}
        self.platoon = {platoon.id: platoon for platoon in self.platoons}

    def _equip(self, team: Team, kind: Mapping[str, Any], skill: str, motivation: str) -> None:
        tables = self.tables
        team.skill, team.motivation = tables["skill"][skill], tables["motivation"][motivation]
        team.to_hit = tables["to_hit"][skill]
        saves = "unarmoured" if team.vehicle else "man-packed" if team.size == "man-packed" else team.kind
        team.save = tables["saves"][saves]
        row = self.mobility[kind["mobility"]]
        team.allowance = (self.hexes(row["road"]), self.hexes(row["cross"]), self.hexes(row["difficult"]))
        team.checks = row.get("checks", True) and team.kind in ("vehicle", "gun")
        team.weapons = [self.weapons[name] for name in kind.get("weapons", ())]
        if "bombardment" in kind:
            one = kind["bombardment"]
            team.barrage = Barrage(
                self.hexes(one["range"]), one["at"], one["firepower"], one.get("smoke", False)
            )

    def _place_all(self) -> None:
        for team, unit in zip(self.teams, self.scenario.get("unit", ()), strict=True):
            if team.coming:
                continue
            self.stand(team, self.sheet.number[unit["hex"]])
            team.floor = unit.get("floor", 0)
            if "facing" in unit:
                team.facing = self.sheet.heading(team.hex, self.sheet.number[unit["facing"]])
            self.touch(team)
            if "touching" in unit:
                team.contact = self.sheet.opening(team.hex, self.sheet.number[unit["touching"]])
            for name in unit.get("status", ()):
                setattr(team, STATUS[name], True)
            for name in unit.get("markers", ()):
                setattr(team, MARKERS[name], True)
        for label, side in self.scenario["map"].get("control", {}).items():
            self.control[self.sheet.number[label]] = side

    # -- where teams are -----------------------------------------------------------------------------

    def other(self, side: str) -> str:
        """The enemy."""
        return self.sides[1 - self.sides.index(side)]

    def of(self, side: str) -> list[Team]:
        """A side's teams on the map."""
        return [team for team in self.teams if team.side == side and team.hex >= 0]

    def at(self, h: int, side: str) -> list[Team]:
        """A side's teams in a hex."""
        return [team for team in self.teams if team.hex == h and team.side == side]

    def held(self, side: str) -> set[int]:
        """The hexes in which a side has teams."""
        return {team.hex for team in self.teams if team.side == side and team.hex >= 0}

    def room(self, team: Team, h: int) -> bool:
        """C1.3: whether a team may end in a hex, as to those of its own side."""
        limits = self.tables["stacking"]
        there = [one for one in self.at(h, team.side) if one is not team] + [team]
        vehicles = sum(one.vehicle for one in there)
        others = len(there) - vehicles
        if not vehicles:
            return bool(others <= limits["teams"])
        if not others:
            return bool(vehicles <= limits["vehicles"])
        return bool(vehicles == 1 and others <= limits["beside_vehicle"])

    def touch(self, team: Team) -> None:
        """C6.4: without a choice it is the first opening of its hex; upstairs nobody touches one."""
        openings = self.sheet.touching[team.hex]
        team.contact = openings[0] if openings and team.foot and not team.floor else -1

    def stand(self, team: Team, h: int) -> None:
        """A team comes to a hex, which its side holds from now on unless an enemy is there too."""
        team.hex = h
        if not self.at(h, self.other(team.side)):
            self.control[h] = team.side

    def leave(self, team: Team) -> None:
        """A team leaves its hex: it touches no opening, blocks none, and is on no floor."""
        h, team.hex = team.hex, -1
        team.contact, team.floor, team.blocker = -1, 0, False
        if not self.at(h, team.side) and self.at(h, self.other(team.side)):
            self.control[h] = self.other(team.side)

    def shift(self, team: Team, h: int) -> None:
        """C5.1: a team moves to another hex and loses its foxhole."""
        self.leave(team)
        team.dug = False
        self.stand(team, h)

    def lose(self, team: Team) -> None:
        """A team is lost, and its platoon has bled."""
        if team.hex >= 0:
            self.leave(team)
        team.lost, team.coming, team.hits, team.origin = True, "", 0, (-1, 0)
        for name in MARKS:
            setattr(team, name, False)
        team.platoon.bled = True
        if "command" in team.flags and team.platoon.leader is None:
            # C10.3: without a Command team nobody is out of command.
            for one in team.platoon.teams:
                one.stray = False
        if not team.platoon.left:
            team.platoon.pinned = team.platoon.fighting = False

    def cleared(self, side: str) -> set[int]:
        """C7.1: the buildings that are cleared for a side."""
        inside = {self.sheet.house[h] for h in self.held(side)}
        return self.passed[side] | inside - {-1}

    def look_round(self) -> None:
        """C7.1, C7.2: what is cleared as a step begins, whoever else is inside."""
        for side in self.sides:
            self.passed[side] = set()
            self.passed[side] = self.cleared(side)
            for team in self.of(side):
                if team.contact >= 0:
                    self.passed[side].add(self.sheet.house[self.sheet.openings[team.contact].inside])

    @staticmethod
    def turn_to(team: Team, headings: list[int]) -> None:
        """C1.4: after a move a team faces the way it went, by whichever of the shortest ways."""
        team.facing, team.headings = headings[0], set(headings)

    def score(self) -> dict[str, int]:
        """C10.1: the points of both sides."""
        points = dict.fromkeys(self.sides, 0)
        for goal in self.scenario.get("victory", ()):
            side, worth = goal["side"], goal.get("points", 1)
            if goal["kind"] == "losses":
                points[side] += worth * sum(team.lost and team.side != side for team in self.teams)
            else:
                points[side] += worth * sum(self.control.get(h) == side for h in self.goal(goal))
        return points

    def goal(self, goal: Mapping[str, Any]) -> list[int]:
        """The hexes of a victory condition."""
        labels = [*([goal["hex"]] if "hex" in goal else []), *goal.get("hexes", ())]
        return [self.sheet.number[label] for label in labels]


def _data(name: str) -> dict[str, Any]:
    return tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8"))
