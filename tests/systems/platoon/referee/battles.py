"""Made-up battles for the referee: small crowded maps with anything on them that a scenario can have."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from hexengine import ContentError, loads
from hexengine.core.scenario import Scenario
from hexengine.hexes import Grid
from hexengine.testing import generators
from tests.rules.asking import toml

LEGEND = {
    ".": "clear", "f": "fields", "r": "rough", "w": "woods", "t": "town", "c": "city", "l": "lake",
    "s": "sand", "F": "forest",
}  # fmt: skip
PASSABLE = ".frtcs"
WIDTHS, HEIGHTS, TURNS = (4, 5, 6, 8, 9), (4, 5, 6, 7), 3
SIDES = ("blue", "red")
TANKS = (
    "m1",
    "t-72",
    "t-80",
    "m60a3",
    "gepard",
    "zsu-23-4",
    "m3",
    "brdm-2",
    "luchs",
    "m901",
    "brdm-2-at-5",
    "odd-tank",
)
CARRIERS = ("m2", "m113", "bmp-2", "btr-70", "odd-carrier")
INFANTRY = ("inf-us", "inf-su", "engineers")
TEAMS = ("mortar-120", "odd-team")
WEAPONS = ("milan", "dragon", "spg-9", "sa-7", "stinger")
HQS = ("hq-us", "hq-su")
HELICOPTERS = ("ah-1", "mi-24", "odd-copter")
OWN_TYPES: tuple[dict[str, Any], ...] = (
    {
        "id": "odd-tank", "kind": "hard", "mobility": "tracked", "ma": 5, "ap": "3/2/6", "he": "4um/1/5",
        "aa": "3/1/3", "armour": "0/3", "assault": "2/2", "flags": ["fire-on-move", "engineer", "amphibious"],
        "reduced": {"ap": 0, "he": 1, "assault": 0},
    },
    {
        "id": "odd-carrier", "kind": "hard", "mobility": "wheeled", "ma": 3, "ap": "5/1/2", "armour": "2/4",
        "flags": ["transport", "recon"],
    },
    {
        "id": "odd-team", "kind": "soft", "mobility": "leg", "ma": 3, "he": "6/2/4", "minimum": 2,
        "armour": "1/6", "assault": "1/3", "flags": ["team", "recon"], "reduced": {"he": 0, "armour": 0},
    },
    {
        "id": "odd-copter", "kind": "air", "mobility": "air", "ma": 7, "he": "4/2/5", "aa": "5/2/5",
        "armour": "0/5",
    },
)  # fmt: skip
SWITCHES = (
    "setup_units_fresh", "minimum_move", "recon_double_radius", "cross_loading", "dig_in", "wall_cover",
)  # fmt: skip


class Battle:
    """One of them, in the making."""

    def __init__(self, seed: int) -> None:
        self.random = Random(f"battles/{seed}")
        choose = self.random.choice
        self.columns, self.rows = choose(WIDTHS), choose(HEIGHTS)
        self.grid = Grid(self.columns, self.rows, choose(("flat", "flat", "pointy")), choose(("even", "odd")))
        self.labels = self.grid.labels
        self.tables: list[str] = []
        self.taken: dict[str, int] = {}
        self.seed = seed

    def _add(self, head: str, **keys: Any) -> None:
        self.tables.append(
            "\n".join([f"[[{head}]]", *(f"{key} = {toml(value)}" for key, value in keys.items()), ""])
        )

    def _some(self, most: int) -> list[str]:
        return self.random.sample(self.labels, min(len(self.labels), self.random.randint(0, most)))

    def _pairs(self, most: int) -> list[str]:
        pairs = generators.hexsides(self.random, self.grid, self.random.randint(0, most))
        return [f"{self.labels[a]}/{self.labels[b]}" for a, b in pairs]

    def _chains(self, number: int) -> list[str]:
        found = (generators.chain(self.random, self.grid, 7) for _ in range(number))
        return ["-".join(self.labels[place] for place in chain) for chain in found if len(chain) > 1]

    # -- the parts ----------------------------------------------------------------------------------

    def text(self) -> str:
        """The whole scenario."""
        random = self.random
        head = {
            "format": 1, "system": "platoon", "title": f"battle {self.seed}", "turns": TURNS, "sides": SIDES,
            "mines": {side: random.choice((0, 0, 1, 2)) for side in SIDES},
        }  # fmt: skip
        ground = self._map()
        for side in SIDES:
            for number in (1, 2):
                self._formation(side, f"{side[0]}{number}")
            if random.random() < 0.5:
                self._helicopters(side, f"{side[0]}h")
        for kind in OWN_TYPES:
            self._add("type", **kind)
        self._goals()
        if random.random() < 0.3:
            head["first_draw"] = random.choice(("b1", "r2"))
        if random.random() < 0.4:
            head["strikes"] = {side: random.randint(0, 2) for side in SIDES}
        top = "\n".join(f"{key} = {toml(value)}" for key, value in head.items())
        start = self._start() if random.random() < 0.3 else ""
        return f"{top}\n{self._options()}\n{start}\n{ground}\n" + "\n".join(self.tables)

    def _start(self) -> str:
        """A beginning in the middle of a turn, with a cup that is said or not."""
        random = self.random
        active, waiting = random.sample(["b1", "b2", "r1", "r2"], 2)
        keys: dict[str, Any] = {"turn": random.randint(1, TURNS), "draws": random.choice(SIDES)}
        if random.random() < 0.7:
            keys["active"] = active
        if random.random() < 0.5:
            held = "blue" if waiting[0] == "b" else "red"
            keys |= {"cup": [waiting, "eot"], "held": [held], "waiting": [waiting]}
        return "\n".join(["[start]", *(f"{key} = {toml(value)}" for key, value in keys.items())])

    def _options(self) -> str:
        random = self.random
        chosen: dict[str, Any] = {name: True for name in SWITCHES if random.random() < 0.2}
        if random.random() < 0.2:
            chosen["ops_complete_clears_at_turn_end"] = False
        if random.random() < 0.2:
            chosen["overlooked_rule"] = "literal"
        if random.random() < 0.2:
            chosen["load_lock"] = "turn"
        return "\n".join(["[options]", *(f"{key} = {toml(value)}" for key, value in chosen.items())])

    def _map(self) -> str:
        random = self.random
        letters = generators.letters(
            random, self.columns, self.rows, "".join(random.sample(list(LEGEND), 6)), 2
        )
        rows = letters.split()
        self.land = [
            label for label in self.labels if rows[int(label[2:]) - 1][int(label[:2]) - 1] in PASSABLE
        ]
        random.shuffle(self.land)
        lines = ["[map]", f'orientation = "{self.grid.orientation}"', f'stagger = "{self.grid.stagger}"']
        lines.append(f"terrain = '''\n{letters}'''")
        if random.random() < 0.6:
            levels = generators.letters(
                random, self.columns, self.rows, random.choice(("01", "01", "012", "0123")), 2
            )
            lines.append(f"levels = '''\n{levels}'''")
        lines.append(
            "legend = {" + ", ".join(f'"{letter}" = "{name}"' for letter, name in LEGEND.items()) + "}"
        )
        rivers = self._pairs(8)
        parts = {
            "rivers": rivers, "fords": [side for side in rivers if random.random() < 0.2],
            "bridges": [side for side in rivers if random.random() < 0.1], "streams": self._pairs(4),
            "walls": self._pairs(4), "ridges": self._pairs(3), "cliffs": self._pairs(2),
            "crests": self._pairs(2), "roads": self._chains(2), "trails": self._chains(1),
            "railways": self._chains(random.randint(0, 1)), "positions": self._some(6),
            "wrecks": self._some(4), "mines": self._some(4),
            "smoke": {label: random.randint(1, 2) for label in self._some(4)},
            "control": {label: random.choice(SIDES) for label in self._some(4)},
        }  # fmt: skip
        return "\n".join([*lines, *(f"{key} = {toml(value)}" for key, value in parts.items())])

    def _place(self) -> str:
        label = self.land.pop()
        self.land.insert(self.random.randrange(len(self.land) + 1), label)
        return label

    def _formation(self, side: str, name: str) -> None:
        random = self.random
        missions = {"missions": {"he": random.randint(0, 2), "smoke": random.randint(0, 1)}}
        with_hq = random.random() < 0.85
        self._add(
            "formation", id=name, side=side, markers=random.choice((1, 2)),
            morale=random.choice((4, 6, 7, 8, 12)), **(missions if with_hq and random.random() < 0.5 else {}),
        )  # fmt: skip
        home = self.land.pop()
        first = {"hex": home} if random.random() < 0.9 else self._later()
        tank = random.choice(TANKS)
        self._unit(name, "t1", tank, **first)
        if with_hq:
            pictured = {"pictured": [tank]} if random.random() < 0.3 else {}
            self._unit(name, "hq", random.choice(HQS), **first, **pictured)
        self._unit(name, "t2", random.choice(TANKS), **random.choice(({"hex": home}, self._later())))
        for number in (1, 2):
            self._carrier_and_infantry(name, number)

    def _later(self) -> dict[str, Any]:
        random = self.random
        turn = random.randint(1, TURNS)
        dice = {"arrival": random.randint(2, 5)} if turn > 1 and random.random() < 0.4 else {}
        return {"turn": turn, "hexes": random.sample(self.land, 3), **dice}

    def _carrier_and_infantry(self, name: str, number: int) -> None:
        random = self.random
        carrier, infantry = f"c{number}", f"i{number}"
        spot = self.land.pop()
        start = {"hex": spot} if random.random() < 0.8 else self._later()
        self._unit(name, carrier, random.choice(CARRIERS), **start)
        aboard = random.random() < 0.5 or "hex" not in start
        kind = random.choice((*INFANTRY, *TEAMS))
        self._unit(name, infantry, kind, **({"carrier": name + carrier} if aboard else start))
        if kind in INFANTRY and random.random() < 0.8:
            self._unit(name, f"w{number}", random.choice(WEAPONS), carrier=name + infantry)

    def _unit(self, formation: str, name: str, kind: str, **place: Any) -> None:
        random = self.random
        marks: dict[str, Any] = {}
        if kind not in (*HQS, *WEAPONS):
            status = [one for one in ("disrupted", "fresh") if random.random() < 0.1]
            marks = {"status": status}
            if random.random() < 0.1 and "hex" in place:
                marks["markers"] = [random.choice(("ops-complete", "out-of-command"))]
        if kind in ("milan", "dragon") and random.random() < 0.2:
            marks["markers"] = ["depleted-1"]
        self._add("unit", id=formation + name, type=kind, formation=formation, **place, **marks)

    def _helicopters(self, side: str, name: str) -> None:
        random = self.random
        self._add("formation", id=name, side=side, morale=7, markers=random.choice((1, 2)))
        spot = random.choice(self.labels)
        for number in range(random.randint(1, 3)):
            place: dict[str, Any] = {"hex": spot} if random.random() < 0.8 else self._later()
            status = ["landed"] if "hex" in place and random.random() < 0.2 else []
            self._add(
                "unit",
                id=f"{name}{number}",
                type=random.choice(HELICOPTERS),
                formation=name,
                **place,
                status=status,
            )

    def _goals(self) -> None:
        random = self.random
        for side in SIDES:
            self._add("victory", kind="steps", side=side)
            for points in range(1, random.randint(1, 3)):
                self._add("victory", kind="exit", side=side, hexes=random.sample(self.land, 2), points=points)
            self._add("victory", kind="hold", side=side, hexes=random.sample(self.land, 2), points=3)
        side = random.choice(SIDES)
        self._add(
            "victory", kind="hold", side=side, hexes=random.sample(self.land, 3), at_least=2, when="turn"
        )
        if random.random() < 0.3:
            self._add(
                "victory", kind="hold", side=side, hexes=random.sample(self.land, 3), wins=True,
                at_once=random.random() < 0.5,
            )  # fmt: skip


@cache
def loaded(text: str) -> Scenario:
    """A scenario by its text, read once."""
    return loads(text, "watched")


@cache
def battle(number: int) -> str:
    """The text of a battle: the next seed is tried where chance has made one that breaks a rule."""
    for seed in range(number * 1000, number * 1000 + 1000):
        try:
            text = Battle(seed).text()
            loaded(text)
        except (ContentError, IndexError, ValueError):
            continue
        return text
    raise AssertionError(f"no battle of number {number}")
