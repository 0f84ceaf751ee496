"""Games of two sides that begin next to each other on tiny maps, and players that attack when they can."""

from __future__ import annotations

from functools import cache
from random import Random

from hexengine.content.loader import loads
from hexengine.core.game import Game
from hexengine.core.orders import Order
from hexengine.core.scenario import Scenario
from tests.rules.table import scenario

FORCES = """
blue A morale 7 markers 2
    ha hq-us 0101
    a1 m1 0101
    a2 m2 0102
    ai inf-us in a2
    as milan in ai
    a3 inf-us 0202
    a4 m901 0202
blue B morale 8
    hb hq-us 0301
    b1 m113 0301
    b2 inf-us 0301
    b3 m60a3 0302
    b4 mortar-120 0302
red C morale 6 markers 2
    hc hq-su 0104
    c1 t-72 0104
    c2 bmp-2 0204
    ci inf-su in c2
    c3 btr-70 0204
    cj inf-su in c3
    c4 inf-su 0104
red D morale 7
    hd hq-su 0304
    d1 t-80 0304
    d2 inf-su 0304
    d3 zsu-23-4 0303
    d4 engineers 0303
"""
MAPS = ("....\n....\n....\n....\n", "..cF\n..w.\nlc..\n..r.\n", "..sF\n....\n.w..\n....\n")


@cache
def place(number: int) -> Scenario:
    """One of three scenarios: open with a river, broken, and open with the option ``minimum_move``."""
    on_map: dict[str, object] = {"positions": ["0302"]}
    if number == 0:
        on_map["rivers"] = ["0203/0204"]
    text = scenario(MAPS[number], FORCES, on_map=on_map, options={"minimum_move": number == 2})
    return loads(text, f"close-quarters-{number}")


def begin(seed: int) -> Game:
    """A game of one of them."""
    return Game(place(seed % 3), seed=seed)


def choose(game: Game, random: Random) -> Order:
    """An order of chance: every second time an attack where there is one."""
    decision = game.decision
    assert decision is not None
    if random.random() < 0.5:
        found = attacks(game)
        if found:
            return random.choice(found)
    order = decision.sample(random.randrange)
    return decision.sample(random.randrange) if order.verb in ("end", "done") else order


def attacks(game: Game) -> list[Order]:
    """The assaults and overruns that are offered."""
    return [order for order in game.orders() if order.verb in ("assault", "overrun")]


def positions(seed: int, number: int):
    """Games at points of such play where somebody may attack: ``number`` of them."""
    random = Random(f"close-quarters/{seed}")
    found = 0
    for games in range(1000):
        game = begin(seed * 100 + games)
        while game.decision is not None:
            if random.random() < 0.3 and attacks(game):
                yield game
                found += 1
                if found == number:
                    return
            game.play(choose(game, random))


TYPES = """
[[type]]
id = "tank"
kind = "hard"
mobility = "tracked"
ma = 6
he = "2/1/5"
armour = "1/5"
assault = "1/4"
reduced = { assault = 1 }
[[type]]
id = "truck"
kind = "hard"
mobility = "wheeled"
ma = 4
he = "1/1/4"
armour = "0/6"
assault = "1/6"
flags = ["transport"]
[[type]]
id = "foot"
kind = "soft"
mobility = "leg"
ma = 2
armour = "0/5"
assault = "2/5"
flags = ["infantry"]
reduced = { assault = 1 }
[[type]]
id = "staff"
kind = "hq"
leadership = 1
radius = 2
reduced = { leadership = 0, radius = 1 }
"""


def fight(seed: int) -> Game:
    """A fight about to begin with few dice: A in 0102 may attack 0103 where nobody may fire."""
    random = Random(f"fight/{seed}")
    lines = []
    for side, name, place, marker in (("blue", "A", "0102", ""), ("red", "B", "0103", "ops-complete")):
        lines.append(f"{side} {name}")
        for number in range(random.choice((1, 1, 2))):
            kind = random.choice(("tank", "truck", "foot"))
            state = random.choice(("", "", "disrupted")) if side == "red" else ""
            steps = "" if kind == "truck" else random.choice(("", "steps=1"))
            lines.append(f" {name.lower()}{number} {kind} {place} {state} {steps} {marker}")
            if kind == "truck" and random.random() < 0.6:
                lines.append(f" {name.lower()}{number}i foot in {name.lower()}{number}")
        if random.random() < 0.4:
            lines.append(f" {name.lower()}h staff {place}")
    lines.append("red Z\n z tank 0106 ops-complete")
    ground, beyond = random.choice("..wc"), random.choice("..l")
    on_map = {"positions": random.choice(([], ["0103"]))}
    text = scenario(f".\n.\n{ground}\n{beyond}\n.\n.\n", "\n".join(lines), more=TYPES, on_map=on_map,
                    start={"active": "A"})  # fmt: skip
    return Game(loads(text, f"fight-{seed}"), seed)
