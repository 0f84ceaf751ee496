"""Games of the company system are watched by a referee with books of his own, who sees planted faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import hexengine
from hexengine.content.loader import load, loads
from hexengine.core.errors import ContentError
from hexengine.systems.company import morale
from hexengine.systems.company.assaults import clash, contact
from hexengine.systems.company.firing import hits, volley
from hexengine.systems.company.ground import ROAD, Ground
from hexengine.systems.company.moving import reach
from tests.long import often
from tests.systems.company import made_up
from tests.systems.company.referee.games import Seen, Watched
from tests.systems.company.referee.judging import Disagreement

SCENARIOS = Path(__file__).resolve().parents[3] / "scenarios"
BATTLES = sorted(path.stem for path in (SCENARIOS / "company").glob("*.toml"))
TINY = sorted(path.stem for path in (SCENARIOS / "tiny").glob("company-*.toml"))


def shipped(name: str, seeds: Iterable[int], **how: Any) -> Seen:
    """Watch games of a scenario that ships."""
    folder = "company" if name in BATTLES else "tiny"
    path = SCENARIOS / folder / f"{name}.toml"
    scenario, seen = load(str(path)), Seen()
    for seed in seeds:
        Watched(scenario, path.read_text(encoding="utf-8"), seed, seen).play(**how)
    return seen


def invented(seeds: Iterable[int]) -> Seen:
    """Watch games of made-up scenarios, of those that can be played."""
    seen = Seen()
    for seed in seeds:
        text = made_up.text(seed)
        try:
            scenario = loads(text, f"made up {seed}")
        except ContentError:
            continue
        Watched(scenario, text, seed, seen).play(offers=0.3)
    return seen


@pytest.mark.parametrize("name", BATTLES)
def test_battles(name: str) -> None:
    seen = shipped(name, range(often(1, 40)), offers=0.02, most=often(60, 400))
    assert seen["orders"] > 10


@pytest.mark.parametrize("name", TINY)
def test_small_positions(name: str) -> None:
    assert shipped(name, range(often(2, 100)), offers=1)["orders"]


@pytest.mark.parametrize("part", range(often(1, 20)))
def test_made_up_positions(part: int) -> None:
    """Crowded maps with everything on them, from the midst of a turn."""
    number = often(7, 100)
    seen = invented(range(number * part, number * (part + 1)))
    assert seen["orders"] > 20 * number
    assert seen["refusals"] > 10 * number
    rules = {"C1.5", "C2.1", "C10.1", "C12.1", "C12.4", "C13.1", "C13.3", "C13.5"}
    assert rules <= seen.keys()


@pytest.mark.parametrize("name", BATTLES)
def test_battles_of_officers(name: str) -> None:
    """Players that mean to win come to places that no chance leads to."""
    for seed in range(often(0, 5)):
        officer = hexengine.player("officer", seed=seed)
        assert shipped(name, [seed], player=officer.choose, offers=0.02)["orders"]


FAULTS: dict[str, list[tuple[Any, str, Any]]] = {
    "roads count for nothing": [(Ground, "is_road", lambda self, a, b: False)],
    "all the world is a road": [(Ground, "column_of", lambda self, a, b: ROAD)],
    "going to ground is left out": [(volley, "gone_to_ground", lambda pos, unit: False)],
    "concealment is left out": [(volley, "concealed", lambda pos, unit, origin: False)],
    "pinned teams shoot as others": [(volley, "rate", lambda pos, unit, weapon, mg, _: weapon.rof)],
    "armour is always that ahead": [(hits, "armour_of", lambda pos, unit, origins: hits.FRONT)],
    "cover stops nothing": [(hits, "bulletproof", lambda pos, unit, origins: False)],
    "hexes hold everybody": [(reach, "crowded", lambda pos, unit: 0)],
    "nobody is pinned by fire": [(volley, "pin", lambda pos, platoon, rule, emit: None)],
    "nobody is out of command": [(morale, "mark_strays", lambda pos, side: None)],
    "platoons stand whatever they lose": [(morale, "platoon_morale", lambda pos, dice, emit: None)],
    "who breaks off is not pinned": [(clash, "pin", lambda pos, platoon, rule, emit: None)],
    "one breaks off at a walk": [(clash, "retreat", contact.advance), (contact, "retreat", contact.advance)],
}
"""What would be wrong, and the function that is put in the place of another for it."""


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_seen(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    for home, name, wrong in FAULTS[fault]:
        monkeypatch.setattr(home, name, wrong)
    with pytest.raises(Disagreement):
        invented(range(60))


def test_the_referee_imports_nothing_of_the_system() -> None:
    folder = Path(__file__).parent / "referee"
    barred = ("hexengine.systems", "hexengine.mechanics")
    words = Counter(
        word for path in folder.glob("*.py") for word in barred if word in path.read_text(encoding="utf-8")
    )
    assert not words
