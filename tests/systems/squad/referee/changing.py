"""Scenarios turned into others like them: other options, hills, and hexsides with something on them."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from random import Random
from typing import Any

from tests.systems.squad.referee.ground import Ground

CHOICES = {
    "leader_range": (0, 1, 2),
    "singles_a_hex": (2, 3),
    "squads_a_hex": (3, 4),
    "shaken_move": ("closer", "out_of_los"),
    "am_may_enter_melee": (False, True),
    "lc_adjacent_needs_go": (False, True),
    "shaken_twice": ("casualty", "nothing"),
    "hero_creation": (False, True),
    "extended_range": (False, True),
    "night": (False, True),
    "ops_complete_of": ("half", "minus1"),
}
SIDES = ("ridges", "cliffs", "rivers", "walls", "streams")


def changed(text: str, chance: Random) -> str:
    """A scenario's text with options and a map of its own, and the same units and goals."""
    scenario = tomllib.loads(text)
    ground = Ground(scenario)
    text = re.sub(
        r'^type = "(.*)"$', lambda found: _state(found[0], found[1], chance), text, flags=re.MULTILINE
    )
    options = "\n".join(f"{key} = {json.dumps(chance.choice(values))}" for key, values in CHOICES.items())
    keys = _levels(ground, chance) + _sides(text, ground, chance)
    text = re.sub(r"^\[map\]$", f"[options]\n{options}\n\n[map]\n{keys}", text, count=1, flags=re.MULTILINE)
    return text + _dangers(scenario, ground, chance)


def _state(line: str, kind: str, chance: Random) -> str:
    """The line of a unit's type, and perhaps one of its status below."""
    status = []
    if kind.startswith(("squad", "para", "storm", "hmg", "leader")) and chance.random() < 0.15:
        status.append("shaken")
    if kind.startswith(("leader", "sergeant", "hero", "medic", "scout")) and chance.random() < 0.2:
        status.append("wounded")
    return f"{line}\nstatus = {json.dumps(status)}" if status else line


def _dangers(scenario: Mapping[str, Any], ground: Ground, chance: Random) -> str:
    """Mines, shells, fire missions and events."""
    found = []
    sides = scenario["sides"]
    bare = [name for name, row in ground.row.items() if not row.get("building")]
    for name in chance.sample(bare, 4):
        found.append(
            f'[[mines]]\nhex = "{name}"\nside = "{chance.choice(sides)}"\nfp = {chance.randint(1, 2)}\n'
        )
    for name in chance.sample(bare, 2):
        found.append(f'[[ffe]]\nhex = "{name}"\nfp = {chance.randint(1, 4)}\n')
    if "mission" not in scenario:
        found.append(f'[[mission]]\nside = "{chance.choice(sides)}"\nfp = 3\nrounds = 3\n')
    taken = {event["hex"] for event in scenario.get("event", ())}
    for number, name in enumerate(chance.sample([name for name in ground.row if name not in taken], 4)):
        what = chance.choice(("attack = 2", "check = 2", "points = 3"))
        side = chance.choice(sides)
        found.append(f'[[event]]\nid = "e-{number}"\nhex = "{name}"\nside = "{side}"\ntext = "!"\n{what}\n')
    return "\n" + "\n".join(found)


def _levels(ground: Ground, chance: Random) -> str:
    hills = chance.choice((0, 0.1, 0.3, 0.5))
    rows: dict[str, str] = {}
    for name in sorted(ground.row, key=lambda name: (name[2:], name[:2])):
        high = chance.randint(1, 3) if chance.random() < hills else 0
        rows[name[2:]] = rows.get(name[2:], "") + str(high)
    lines = "\n".join(rows.values())
    return f'levels = """\n{lines}\n"""\n'


def _sides(text: str, ground: Ground, chance: Random) -> str:
    """Hexsides for those keys that the scenario does not use, on sides where nothing is."""
    free = [key for key in SIDES if not re.search(rf"^{key} = ", text, re.MULTILINE)]
    found: dict[str, list[str]] = {key: [] for key in free}
    taken = set(ground.sides) | set(ground.lines)
    for name in ground.row:
        for other in ground.next_to(name):
            if other and name < other and frozenset((name, other)) not in taken and chance.random() < 0.06:
                found[chance.choice(free)].append(f"{name}/{other}")
    return "".join(f"{key} = {json.dumps(pairs)}\n" for key, pairs in found.items() if pairs)
