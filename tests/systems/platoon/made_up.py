"""Made-up platoon scenarios, from a seed alone: small crowded maps with everything on them."""

from __future__ import annotations

from random import Random

import hexengine
from hexengine.core.game import Game
from hexengine.hexes import Grid
from hexengine.testing import generators

LEGEND = {".": "clear", "w": "woods", "t": "town", "r": "rough", "m": "marsh", "l": "lake"}
SIDES = {
    "red": ("t-72", "btr-70", "bmp-2", "inf-su", "spg-9", "brdm-2-at-5", "hq-su"),
    "blue": ("m1", "m113", "m2", "inf-us", "dragon", "m901", "hq-us"),
}


def text(seed: int, columns: int = 9, rows: int = 7, turns: int = 4, options: str = "", air: int = 0) -> str:
    """A scenario of two sides with two formations each, close together; ``air``: helicopters of each side."""
    random = Random(seed)
    grid = Grid(columns, rows)
    terrain = generators.letters(random, columns, rows, "".join(LEGEND), 2)
    lines = [
        f'format = 1\nsystem = "platoon"\ntitle = "made up {seed}"\nturns = {turns}\nsides = ["blue", "red"]'
    ]
    lines.append(f"[options]\n{options}\n[map]\nterrain = '''\n{terrain}'''")
    if random.random() < 0.5:
        lines.append(f"levels = '''\n{generators.letters(random, columns, rows, '01', 2)}'''")
    lines.append("legend = {" + ", ".join(f'"{letter}" = "{name}"' for letter, name in LEGEND.items()) + "}")
    labels = grid.labels
    roads = [generators.chain(random, grid, 7) for _ in range(2)]
    lines.append(f"roads = {['-'.join(labels[h] for h in road) for road in roads if len(road) > 1]}")
    for key in ("streams", "rivers"):
        pairs = generators.hexsides(random, grid, 6)
        lines.append(f"{key} = {[f'{labels[a]}/{labels[b]}' for a, b in pairs]}")
    lines.append(f"positions = {random.sample(labels, 4)}\nwrecks = {random.sample(labels, 4)}")
    land = [h for h in range(grid.size) if terrain.replace("\n", "")[h // rows + h % rows * columns] in ".tr"]
    random.shuffle(land)
    if len(land) < 14:
        raise ValueError("too little land")
    for side, types in SIDES.items():
        for number in (1, 2):
            lines += _formation(random, side, f"{side[0]}{number}", types, land, labels)
    for side in SIDES if air else ():
        lines += _helicopters(random, side, air, land, labels)
    lines += _victory(random, labels)
    return "\n".join(lines) + "\n"


def _formation(
    random: Random, side: str, name: str, types: tuple[str, ...], land: list[int], labels: tuple[str, ...]
) -> list[str]:
    tank, light, heavy, infantry, weapon, missile, hq = types
    first, second, third = (labels[land.pop()] for _ in range(3))
    lines = [f'[[formation]]\nid = "{name}"\nside = "{side}"\nmarkers = {random.choice((1, 2))}\nmorale = 7']

    def unit(suffix: str, kind: str, rest: str) -> None:
        status = [state for state in ("disrupted", "reduced") if random.random() < 0.15]
        if kind in (weapon, hq):
            status = []
        lines.append(
            f'[[unit]]\nid = "{name}{suffix}"\ntype = "{kind}"\nformation = "{name}"\n'
            f"{rest}\nstatus = {status}"
        )

    unit("t1", tank, f'hex = "{first}"')
    unit("t2", random.choice((tank, missile)), f'hex = "{first}"')
    unit("hq", hq, f'hex = "{first}"')
    unit("c1", light, f'hex = "{second}"')
    aboard = random.random() < 0.4
    unit("i1", infantry, f'carrier = "{name}c1"' if aboard else f'hex = "{second}"')
    unit("w1", weapon, f'carrier = "{name}i1"')
    unit("c2", heavy, f'hex = "{third}"')
    if random.random() < 0.6:
        unit("i2", infantry, f'hex = "{third}"')
    else:
        unit("i2", infantry, f'turn = 2\nhexes = ["{labels[land[-1]]}"]')
    return lines


def _helicopters(
    random: Random, side: str, number: int, land: list[int], labels: tuple[str, ...]
) -> list[str]:
    """A formation of helicopters, and a unit of air defence of its own."""
    name = f"{side[0]}h"
    lines = [f'[[formation]]\nid = "{name}"\nside = "{side}"\nmarkers = {random.choice((1, 2))}\nmorale = 7']
    start = random.choice(labels)
    for one in range(number):
        status = [state for state in ("disrupted", "reduced") if random.random() < 0.2]
        lines.append(
            f'[[unit]]\nid = "{name}{one}"\ntype = "{random.choice(("ah-1", "mi-24"))}"\n'
            f'formation = "{name}"\nhex = "{start}"\nstatus = {status}'
        )
        start = random.choice((start, random.choice(labels)))
    lines.append(f'[[formation]]\nid = "{side[0]}z"\nside = "{side}"\nmorale = 7')
    lines.append(
        f'[[unit]]\nid = "{side[0]}z1"\ntype = "zsu-23-4"\nformation = "{side[0]}z"\n'
        f'hex = "{labels[land.pop()]}"'
    )
    return lines


def _victory(random: Random, labels: tuple[str, ...]) -> list[str]:
    side = random.choice(("red", "blue"))
    return [
        f'[[victory]]\nkind = "hold"\nside = "{side}"\nhexes = {random.sample(labels, 2)}\npoints = 3',
        '[[victory]]\nkind = "steps"\nside = "red"',
        '[[victory]]\nkind = "steps"\nside = "blue"',
    ]


def scenario(seed: int, **rest: object) -> object:
    """One of them, loaded; the next seed is tried where chance made one that breaks a rule."""
    for number in range(seed * 1000, seed * 1000 + 1000):
        try:
            return hexengine.loads(text(number, **rest), f"made-up-{number}")  # type: ignore[arg-type]
        except (hexengine.ContentError, ValueError):
            continue
    raise AssertionError(f"no scenario from seed {seed}")


def positions(seed: int, number: int, every: int = 7, **rest: object):
    """Games at points of random play, over several made-up scenarios: ``number`` of them."""
    random = Random(f"positions/{seed}")
    found = 0
    for games in range(1000):
        game = Game(scenario(seed * 100 + games, **rest), seed=games, events=False)
        while game.decision is not None:
            decision = game.decision
            if random.randrange(every) == 0:
                yield game
                found += 1
                if found == number:
                    return
            game.play(random.choice(decision.orders(random.choice(decision.actors()))))
