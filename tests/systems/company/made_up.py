"""Made-up company scenarios, from a seed alone: small crowded maps with everything on them."""

from __future__ import annotations

from random import Random
from typing import Any

from hexengine.hexes import Grid
from hexengine.testing import generators
from tests.rules.asking import toml
from tests.rules.company.table import section

LEGEND = {
    ".": "clear",
    "b": "building",
    "w": "woods",
    "f": "fields",
    "r": "rough",
    "u": "ruins",
    "W": "forest",
    "m": "marsh",
    "l": "lake",
}
TANKS = ("medium-tank", "command-tank", "heavy-tank", "light-tank")
CARS = ("truck", "supply-truck")
ON_FOOT = ("rifle", "rifle-mg", "command-rifle", "company-command", "observer", "pioneer", "rocket-launcher",
           "machine-gun", "aa-machine-gun", "mortar-81")  # fmt: skip
GUNS = ("field-gun", "at-37", "at-57", "aa-37", "aa-88")
TYPES = (*ON_FOOT, *ON_FOOT, *TANKS, *CARS, *GUNS, "cavalry", "cavalry", "carried")
SKILLS = ("conscript", "trained", "veteran")
MOTIVATIONS = ("reluctant", "confident", "fearless")
OWN = """
[[weapon]]
id = "slow-gun"
range = "12 in"
rof = 3
moved = 0
at = 8
firepower = 3

[[type]]
id = "carried"
name = "Carried"
kind = "infantry"
mobility = "half-track"
weapons = ["slow-gun", "rifle"]
assault_at = 5
"""


class _Maker:
    """One scenario in the making."""

    def __init__(self, random: Random) -> None:
        self.random = random
        columns, rows = random.randint(5, 11), random.randint(4, 9)
        layout = {"orientation": "flat", "stagger": "even"}
        if self.often(0.3):
            layout["orientation"] = "pointy"
        if self.often(0.3):
            layout["stagger"] = "odd"
        self.grid = Grid(columns, rows, **layout)  # type: ignore[arg-type]
        self.text = generators.letters(random, columns, rows, "".join(LEGEND), random.choice((1, 1, 2)))
        lines = self.text.split()
        self.terrain = [lines[h % rows][h // rows] for h in range(self.grid.size)]
        self.pairs = generators.hexsides(random, self.grid, 999)
        self.map: dict[str, Any] = {
            key: value for key, value in layout.items() if value not in ("flat", "even")
        }
        self.head: dict[str, Any] = {}
        self.openings: list[dict[str, Any]] = []
        self.units: list[dict[str, Any]] = []
        self.platoons: list[dict[str, Any]] = []
        self.taken: dict[int, list[tuple[str, bool]]] = {}

    def often(self, chance: float) -> bool:
        return self.random.random() < chance

    def label(self, pair: tuple[int, int]) -> str:
        return "/".join(self.grid.labels[h] for h in pair)

    def some(self, chance: float) -> list[str]:
        return [self.label(pair) for pair in self.pairs if self.often(chance)]

    # -- the map ------------------------------------------------------------------------------------------

    def draw(self) -> None:
        for key, chance in (("walls", 0.05), ("streams", 0.04), ("ridges", 0.03), ("cliffs", 0.02)):
            if self.often(0.4):
                self.map[key] = self.some(chance)
        if self.often(0.3):
            rivers = self.some(0.06)
            self.map["rivers"] = rivers
            self.map["fords"] = [side for side in rivers if self.often(0.4)]
            self.map["bridges"] = [
                side for side in rivers if side not in self.map["fords"] and self.often(0.3)
            ]
        if self.often(0.5):
            road = generators.chain(self.random, self.grid, 10)
            self.map["roads"] = ["-".join(self.grid.labels[h] for h in road)]
        if self.often(0.4):
            self.head["hedges"] = self.some(0.06)
        self.build()

    def build(self) -> None:
        rooms = [tuple(self.terrain[h] == "b" for h in pair) for pair in self.pairs]
        inner = [pair for pair, inside in zip(self.pairs, rooms, strict=True) if all(inside)]
        outer = [pair for pair, inside in zip(self.pairs, rooms, strict=True) if inside[0] != inside[1]]
        self.head["inner_walls"] = [self.label(pair) for pair in inner if self.often(0.15)]
        floors = (0, 1, 2) if self.often(0.5) else (0,)
        for pair in outer:
            for floor in floors:
                if self.often((0.45, 0.3, 0.08)[floor]):
                    one = {"side": self.label(pair), "kind": self.random.choice(("door", "window", "breach"))}
                    self.openings.append({**one, "floor": floor, "width": self.random.choice((1, 1, 1, 2))})

    # -- forces ---------------------------------------------------------------------------------------------

    def muster(self) -> None:
        centre = self.random.randrange(self.grid.size)
        spread = self.random.choice((2, 3, 4, 6, 20))
        near = [h for h in range(self.grid.size) if self.grid.distance(centre, h) <= spread]
        for side in ("red", "grey"):
            for number in range(self.random.randint(1, 3)):
                self.platoon(side, f"{side[0]}{number}", near)
            if self.often(0.3):
                skill = {"skill": self.random.choice(SKILLS), "motivation": self.random.choice(MOTIVATIONS)}
                self.unit(self.random.choice(TYPES), {"side": side, **skill}, side, near)

    def platoon(self, side: str, name: str, near: list[int]) -> None:
        random = self.random
        one: dict[str, Any] = {"id": name, "side": side}
        one.update(skill=random.choice(SKILLS), motivation=random.choice(MOTIVATIONS))
        dry = [h for h in range(self.grid.size) if self.terrain[h] in ".f"]
        late = bool(dry) and self.often(0.15)
        if late:
            one[random.choice(("reserve", "ambush"))] = True
            one["hexes"] = [self.grid.labels[h] for h in random.sample(dry, min(len(dry), 5))]
        elif self.often(0.15):
            one["status"] = ["pinned"]
        like = random.choice(TYPES)
        before = len(self.units)
        for _ in range(random.randint(1, 5)):
            kind = like if self.often(0.4) else random.choice(TYPES)
            if late:
                self.units.append({"id": f"{side[0]}{len(self.units)}", "type": kind, "platoon": name})
            else:
                self.unit(kind, {"platoon": name}, side, near)
        if len(self.units) > before:
            self.platoons.append(one)

    def unit(self, kind: str, home: dict[str, Any], side: str, near: list[int]) -> None:
        vehicle, on_foot = kind in TANKS + CARS, kind in (*ON_FOOT, "carried")
        free = [h for h in near if self.fits(h, side, vehicle, on_foot)]
        if not free:
            return
        h = self.random.choice(free)
        self.taken.setdefault(h, []).append((side, vehicle))
        one = {"id": f"{side[0]}{len(self.units)}", "type": kind, "hex": self.grid.labels[h], **home}
        if self.often(0.1):
            one.update(skill=self.random.choice(SKILLS), motivation=self.random.choice(MOTIVATIONS))
        around = [to for to in self.grid.neighbours[h] if to >= 0]
        if vehicle or kind in GUNS:
            one["facing"] = self.grid.labels[self.random.choice(around)]
        one["status"] = self.status(kind, "platoon" in home)
        marks = ("moved", "doubled", "shot", "tried-to-dig")
        one["markers"] = [mark for mark in marks if self.often(0.08)]
        self.units.append(one)

    def fits(self, h: int, side: str, vehicle: bool, on_foot: bool) -> bool:
        there = self.taken.get(h, [])
        if self.terrain[h] == "l" or (self.terrain[h] == "b" and not on_foot):
            return False
        if any(owner != side for owner, _ in there):
            return False
        cars = sum(one for _, one in there) + vehicle
        others = len(there) + 1 - cars
        return others <= 3 - cars if cars < 2 else cars == 2 and not others

    def status(self, kind: str, led: bool) -> list[str]:
        found = []
        if kind in ON_FOOT + GUNS and self.often(0.3):
            found.append("dug-in")
        if kind in TANKS and self.often(0.1):
            found.append("bailed-out")
        if kind in TANKS + CARS + GUNS and self.often(0.1):
            found.append("bogged")
        if led and self.often(0.1):
            found.append("out-of-command")
        return found

    # -- all together ---------------------------------------------------------------------------------------

    def written(self, seed: int) -> str:
        random = self.random
        lines = ["format = 1", 'system = "company"', f'title = "made up {seed}"']
        lines += [f"turns = {random.randint(2, 5)}", 'sides = ["red", "grey"]']
        lines += [f"{key} = {toml(value)}" for key, value in self.head.items()]
        options = {
            key: False for key in ("double_may_leave_standoff", "buildings_are_difficult") if self.often(0.15)
        }
        rare: dict[str, Any] = {"double_negates_concealment": True, "no_dig": ["fields"], "hex_inches": 1}
        lines += ["[options]", *[f"{key} = {toml(value)}" for key, value in options.items()]]
        lines += [f"{key} = {toml(value)}" for key, value in rare.items() if self.often(0.1)]
        used = {letter: name for letter, name in LEGEND.items() if letter in self.text}
        lines += ["[map]", f"terrain = '''\n{self.text}'''"]
        if self.often(0.3):
            levels = generators.letters(random, self.grid.columns, self.grid.rows, "012", 3)
            lines.append(f"levels = '''\n{levels}'''")
        lines.append(
            "legend = {" + ", ".join(f'"{letter}" = "{name}"' for letter, name in used.items()) + "}"
        )
        lines += [f"{key} = {toml(value)}" for key, value in self.map.items()]
        if self.often(0.2):
            changed = {"id": "building", "going": random.choice(("open", "very-difficult")), "height": 2}
            lines.append(section("terrain", changed))
        lines.append(OWN)
        for name, rows in (("opening", self.openings), ("platoon", self.platoons), ("unit", self.units)):
            lines += [section(name, row) for row in rows]
        for side in ("red", "grey"):
            lines.append(section("victory", {"kind": "losses", "side": side}))
            if self.often(0.25):
                air = {"calls": 2, "need": random.randint(2, 5), "rof": random.randint(1, 6)}
                lines.append(section("air", {"side": side, **air, "at": 6, "firepower": 4}))
        step = random.choice(("starting", "movement", "shooting", "assault", "assault"))
        lines.append(f'[start]\nactive = "{random.choice(("red", "grey"))}"\nstep = "{step}"')
        return "\n\n".join(lines) + "\n"


def text(seed: int) -> str:
    """A scenario of two sides close to each other, in the midst of a turn."""
    maker = _Maker(Random(seed))
    maker.draw()
    maker.muster()
    return maker.written(seed)
